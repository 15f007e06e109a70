//! What the death of a program means for its game.

use ::process::{Excess, ResourceLimits};
use player::PlayerError;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// The signal for who writes more into a file than it may: SIGXFSZ.
const FILE_TOO_LARGE: i32 = rustix::process::Signal::XFSZ.as_raw();

/// Why a program died: by itself, or by a limit that it exceeded.
pub fn death(limits: &ResourceLimits, exceeded: Option<Excess>, status: ExitStatus) -> PlayerError {
    match exceeded {
        Some(Excess::Cpu) => PlayerError::Timeout(limits.explain(Excess::Cpu)),
        Some(excess) => PlayerError::Crash(limits.explain(excess)),
        None if limits.disk.is_some() && status.signal() == Some(FILE_TOO_LARGE) => {
            PlayerError::Crash(limits.explain(Excess::Disk))
        }
        None => PlayerError::Crash(status.to_string()),
    }
}
