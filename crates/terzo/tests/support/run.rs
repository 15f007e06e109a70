//! The binary, run in a folder.

use super::folder::Folder;
use super::patience::Finish;
use serde_json::Value;
use std::process::{Command, Output};

pub const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// A tournament that takes a moment; without its last two words, one of no certain length.
#[allow(dead_code, reason = "not every test plays one")]
pub const TOURNAMENT: [&str; 8] = [
    "tournament",
    "--game",
    "quarto",
    "--players",
    "random",
    "novice",
    "--rounds",
    "3",
];

/// What a command came to.
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs a command to its end.
pub fn finish(command: &mut Command) -> Ran {
    let Output { status, stdout, stderr } = command.finish();
    Ran {
        code: status.code(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

/// The words of a command line without quotation marks.
#[allow(dead_code, reason = "not every test has such lines")]
pub fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

/// Runs terzo in a folder.
#[allow(dead_code, reason = "some tests put the command together themselves")]
pub fn terzo(folder: &Folder, arguments: &[&str]) -> Ran {
    finish(Command::new(TERZO).args(arguments).current_dir(&folder.0))
}

impl Ran {
    /// It must have succeeded.
    pub fn good(self) -> Self {
        assert_eq!(self.code, Some(0), "{}{}", self.out, self.err);
        self
    }

    /// The one object on standard output.
    #[allow(dead_code, reason = "not every test asks for it")]
    pub fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one object and nothing else: {}", self.out);
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}
