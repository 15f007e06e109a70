//! How much time and memory a computation may take before it gives up with an error instead of with the machine.

use crate::GdlError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Rows that may be looked at for nothing. Honest sheets need a thousandth of it; a sheet that hides a riddle in its conditions
/// (colour this graph) would keep a join busy for ever without one row found.
const MOST_TRIES: u64 = 1_000_000_000;

/// What is left to spend. A step is a row, a clause or a gate: some tens of bytes. A try is a look at a row, which costs time
/// alone.
#[derive(Clone, Debug)]
pub struct Budget {
    what: &'static str,
    steps: u64,
    allowed: u64,
    tries: u64,
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
            tries: MOST_TRIES,
            until: time.map(|time| (Instant::now() + time, time)),
            stop: None,
        }
    }

    /// The same, over as soon as somebody sets the flag.
    pub fn until_stopped(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Starts counting again.
    pub fn refill(&mut self) {
        (self.steps, self.tries) = (self.allowed, MOST_TRIES);
    }

    /// Looks at one more row, if that is still allowed.
    #[inline]
    pub fn look(&mut self) -> Result<(), GdlError> {
        self.tries -= 1;
        match self.tries.is_multiple_of(1 << 16) {
            true => self.look_up(),
            false => Ok(()),
        }
    }

    #[cold]
    fn look_up(&mut self) -> Result<(), GdlError> {
        if self.tries == 0 {
            // Nobody goes on after an error; if somebody did, it would be counted from anew.
            self.tries = MOST_TRIES;
            return Err(GdlError::Riddle {
                what: self.what,
                tries: MOST_TRIES,
            });
        }
        self.look_at_the_clock()
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

    #[test]
    fn looking_in_vain_ends_some_time() {
        let mut budget = Budget::new("work", 10, None);
        budget.tries = 1 << 17;
        let looks = (0u64..).find(|_| budget.look().is_err());
        assert_eq!(looks, Some((1 << 17) - 1));
    }
}
