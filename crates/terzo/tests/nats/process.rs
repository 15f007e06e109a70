//! Programs that take part, and end with their test.

use crate::deadline::Deadline;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// More than any of them takes.
pub const LONG: Duration = Duration::from_secs(600);

/// A process that is killed with its owner.
pub struct Process(pub Child);

impl Process {
    pub fn start(command: &mut Command) -> Self {
        let command = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Process(command.spawn().unwrap())
    }

    pub fn worker(url: &str, name: &str, more: &[&str]) -> Self {
        Process::start(
            Command::new(TERZO)
                .args(["worker", "--on", url, "--jobs", "1", "--memory", "16M", "--name", name])
                .args(more),
        )
    }

    /// Waits until it ends by itself; it must succeed.
    pub fn finish(self, patience: Duration) -> String {
        let (ended, output, errors) = self.end(patience);
        assert!(ended, "{errors}");
        output
    }

    pub fn end(mut self, patience: Duration) -> (bool, String, String) {
        let status = Deadline::after(patience).wait("terzo to end", || self.0.try_wait().unwrap());
        let text = |pipe: Option<&mut dyn std::io::Read>| {
            let mut text = String::new();
            let _ = pipe.map(|pipe| pipe.read_to_string(&mut text));
            text
        };
        let output = text(self.0.stdout.as_mut().map(|pipe| pipe as _));
        let errors = text(self.0.stderr.as_mut().map(|pipe| pipe as _));
        (status.success(), output, errors)
    }

    pub fn alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// What it said before it ended.
    pub fn last_words(&mut self) -> String {
        let mut words = String::new();
        if let Some(pipe) = &mut self.0.stderr {
            let _ = std::io::Read::read_to_string(pipe, &mut words);
        }
        words
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
