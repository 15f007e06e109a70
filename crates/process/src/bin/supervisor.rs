//! A supervisor and nothing else, for tests: `terzo` is its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    process::supervise_if_asked().unwrap_or_else(|| {
        eprintln!("supervisor: this program is started by others");
        ExitCode::from(2)
    })
}
