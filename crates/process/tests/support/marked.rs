//! Processes that carry a mark in their environment, which all they start inherits.

use std::process::Command;
use std::time::{Duration, Instant};

/// The variable of the mark.
const VARIABLE: &str = "TERZO_TEST_MARK";

/// A mark that nobody else has.
pub struct Mark(String);

impl Mark {
    pub fn new(name: &str) -> Self {
        Mark(format!("{name}-{}", std::process::id()))
    }

    /// The mark as a variable and its value.
    #[allow(dead_code, reason = "not every test starts its programs by hand")]
    pub fn variable(&self) -> (String, String) {
        (VARIABLE.into(), self.0.clone())
    }

    /// Puts the mark on a command.
    #[allow(dead_code, reason = "not every test starts its programs by a command")]
    pub fn put<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env(VARIABLE, &self.0)
    }

    /// Those who carry it, zombies not counted.
    pub fn alive(&self) -> Vec<String> {
        let wanted = format!("{VARIABLE}={}", self.0);
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
            if environment
                .split(|&byte| byte == 0)
                .any(|line| line == wanted.as_bytes())
            {
                let line = std::fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
                found.push(format!("{:?} {}", entry.file_name(), line.replace('\0', " ")));
            }
        }
        found
    }

    /// Waits until as many as wanted are there, and says how long that took.
    #[allow(dead_code, reason = "not every test waits")]
    pub fn until(&self, wanted: impl Fn(usize) -> bool, patience: Duration) -> Duration {
        let began = Instant::now();
        loop {
            let alive = self.alive();
            if wanted(alive.len()) {
                return began.elapsed();
            }
            assert!(began.elapsed() < patience, "after {patience:?} there are {alive:#?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// What a test leaves behind if it fails must not disturb the others.
impl Drop for Mark {
    fn drop(&mut self) {
        for line in self.alive() {
            let pid = line.split('"').nth(1).unwrap_or_default();
            let _ = Command::new("kill").args(["-9", pid]).status();
        }
    }
}
