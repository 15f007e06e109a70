//! Waiting with an end.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A moment after which a test has failed, on however busy a machine.
#[derive(Clone, Copy)]
pub struct Deadline(Instant);

impl Deadline {
    pub fn after(patience: Duration) -> Self {
        Deadline(Instant::now() + patience)
    }

    /// Fails if the moment is there.
    pub fn check(self, what: impl FnOnce() -> String) {
        assert!(Instant::now() < self.0, "in vain: {}", what());
    }

    /// Asks again and again until there is an answer.
    pub fn wait<T>(self, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
        loop {
            if let Some(answer) = ask() {
                return answer;
            }
            self.check(|| format!("waited for {what}"));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What a thread comes to.
    #[allow(dead_code, reason = "not every test has threads")]
    pub fn join<T>(self, what: &str, thread: JoinHandle<T>) -> T {
        self.wait(what, || thread.is_finished().then_some(()));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
