//! Ctrl-C, SIGTERM and SIGHUP: one sign for the whole process.
//!
//! A command that has something to keep works under [`sign`] and ends in good order when it is raised: games that are running
//! are dropped, since they can be played again, and what was finished is reported. A command that has nothing to keep never
//! asks for the sign, and the signal ends it as it ends any program.

use anyhow::Context;
use game::Stop;
use std::process::exit;
use std::sync::OnceLock;
use std::time::Duration;

/// What a shell expects of a program that was interrupted.
pub const STATUS: u8 = 130;

/// After so long nobody waits any more for an end in good order.
const PATIENCE: Duration = Duration::from_millis(1500);

static SIGN: OnceLock<Stop> = OnceLock::new();

/// The sign that the first signal raises. Whoever asks for it promises to end soon after.
pub fn sign() -> anyhow::Result<Stop> {
    if let Some(sign) = SIGN.get() {
        return Ok(sign.clone());
    }
    let sign = SIGN.get_or_init(Stop::new).clone();
    let raised = sign.clone();
    ctrlc::set_handler(move || {
        if raised.is_raised() {
            exit(STATUS.into());
        }
        raised.raise();
        std::thread::spawn(|| {
            std::thread::sleep(PATIENCE);
            eprintln!("terzo: ended in the middle of something that does not stop by itself");
            exit(STATUS.into());
        });
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(sign)
}

/// The work was ended by a signal before it was done.
#[derive(Debug)]
pub struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("stopped")
    }
}

impl std::error::Error for Interrupted {}

/// An error if a signal has come: for a command that has told what there was to tell, and has not done all it was asked for.
pub fn unless_come() -> Result<(), Interrupted> {
    match has_come() {
        true => Err(Interrupted),
        false => Ok(()),
    }
}

/// Whether a signal has come.
pub fn has_come() -> bool {
    SIGN.get().is_some_and(Stop::is_raised)
}
