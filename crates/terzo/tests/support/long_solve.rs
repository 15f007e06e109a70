//! A long solve as a command: the torus in parts, which takes seconds.

use std::path::Path;
use std::process::Command;

/// `terzo solve` in parts of so many boards, kept in a journal.
pub fn in_parts(terzo: &str, journal: &Path, part: &str) -> Command {
    let mut command = Command::new(terzo);
    command
        .args(["solve", "quarto-torus", "--no-book", "--memory", "64M", "--json"])
        .args(["--part", part, "--journal"])
        .arg(journal);
    command
}
