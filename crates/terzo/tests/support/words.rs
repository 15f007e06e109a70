//! The binary, called by its words as they are typed.

use super::patience::Finish;
use serde_json::Value;
use std::process::Command;

/// A command that is not started yet.
pub fn terzo(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terzo"));
    command.args(arguments.split(' '));
    command
}

/// The object that a command writes; it must succeed.
pub fn json(arguments: &str) -> Value {
    let output = terzo(arguments).finish();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}
