//! The command line: one binary, one subcommand a file, no logic of its own.
//!
//! Exit status: 0 for success, 2 for a usage error (an unknown game, player or option, a text that cannot be read), 1 for
//! any other failure, 130 for a command that a signal ended before its work was done.

mod commands;
mod files;
mod interrupt;
mod limits;
mod output;
mod progress;
mod registry;
mod usage;

use arena::store::StoreError;
use arena::unrecorded::MatchError;
use clap::Parser;
use games::UgiError;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Parser)]
#[command(
    name = "terzo",
    version,
    about = "A laboratory for game-playing programs: play, solve and compare",
    after_help = "Examples:\n  terzo match quarto novice random -n 1000\n  terzo show quarto '0.../..../...f/.... 5'\n  terzo players\n\n`terzo COMMAND --help` teaches each command."
)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    // Engines are started by another process of this program, that ends them with us.
    if let Some(code) = process::supervise_if_asked() {
        return code;
    }
    let limit = heed_size_limit();
    match Cli::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if error.is::<interrupt::Interrupted>() => ExitCode::from(interrupt::STATUS),
        Err(error) if interrupt::has_come() => {
            output::say(&format!("{error:#}"));
            ExitCode::from(interrupt::STATUS)
        }
        Err(error) => {
            output::say(&format!("{error:#}{}", hint(&error)));
            if limit.load(Ordering::Relaxed) {
                output::say("a file has grown to the size that this shell allows; `ulimit -f` shows and changes it");
            }
            if is_usage(&error) {
                ExitCode::from(2)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}

/// Which command helps.
fn hint(error: &anyhow::Error) -> &'static str {
    match error.downcast_ref() {
        Some(StoreError::NoFile { .. }) => "; a tournament makes one, --db names another",
        Some(StoreError::Missing { .. }) => "; `terzo records list` shows those there are",
        _ => "",
    }
}

/// Where files may grow to a certain size only, the system would end us without a word: then writing shall fail instead.
fn heed_size_limit() -> Arc<AtomicBool> {
    let reached = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, reached.clone());
    reached
}

/// Whether the user's words are at fault, not the work.
fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<usage::UsageError>()
            || cause.is::<player::SpecError>()
            || cause.is::<games::UnknownGame>()
            || cause.is::<game::GameError>()
            || cause.is::<gdl::GdlError>()
            || cause.is::<games::SessionError>()
            || cause.is::<games::EntrantError>()
            || cause.is::<arena::contest::ContestError>()
            || matches!(cause.downcast_ref(), Some(MatchError::Contest(_)))
            || matches!(cause.downcast_ref(), Some(UgiError::Excluded(_) | UgiError::Player(_)))
            || cause.is::<arena::plan::PlanError>()
            || cause.is::<link::ugi::CommandError>()
            || cause.is::<link::ugi::Excluded>()
    })
}
