//! How much time and memory a computation may take before it gives up with an error instead of with the machine.

use crate::GdlError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What is left to spend. A step is a row, a clause or a gate: some tens of bytes.
#[derive(Clone, Debug)]
pub struct Budget {
    what: &'static str,
    steps: u64,
    allowed: u64,
    until: Option<(Instant, Duration)>,
    stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// At most `steps` steps, and at most `time` from now.
    pub fn new(what: &'static str, steps: u64, time: Option<Duration>) -> Self {
        Budget {
            what,
            steps,
            allowed: steps,
            until: time.map(|time| (Instant::now() + time, time)),
            stop: None,
        }
    }

    /// The same, over as soon as somebody sets the flag.
    pub fn until_stopped(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Starts counting steps again.
    pub fn refill(&mut self) {
        self.steps = self.allowed;
    }

    /// Takes one step, if there is one left.
    #[inline]
    pub fn spend(&mut self) -> Result<(), GdlError> {
        if self.steps == 0 {
            return Err(GdlError::Memory {
                what: self.what,
                steps: self.allowed,
            });
        }
        self.steps -= 1;
        if self.steps.is_multiple_of(1 << 14) {
            self.look_at_the_clock()?;
        }
        Ok(())
    }

    /// An error once the time is over, or nobody wants the result any more.
    pub fn look_at_the_clock(&self) -> Result<(), GdlError> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(GdlError::Stopped { what: self.what });
        }
        match self.until {
            Some((end, time)) if Instant::now() > end => Err(GdlError::Time {
                what: self.what,
                milliseconds: time.as_millis() as u64,
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_nobody_wants_any_more_ends_at_the_next_look_at_the_clock() {
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget::new("work", 10, None).until_stopped(stop.clone());
        assert_eq!(budget.look_at_the_clock(), Ok(()));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(budget.look_at_the_clock(), Err(GdlError::Stopped { what: "work" }));
    }
}
