//! How much time and memory a computation may take before it gives up with an error instead of with the machine.

use crate::GdlError;
use std::time::{Duration, Instant};

/// What is left to spend. A step is a row, a clause or a gate: some tens of bytes.
#[derive(Clone, Debug)]
pub struct Budget {
    what: &'static str,
    steps: u64,
    allowed: u64,
    until: Option<(Instant, Duration)>,
}

impl Budget {
    /// At most `steps` steps, and at most `time` from now.
    pub fn new(what: &'static str, steps: u64, time: Option<Duration>) -> Self {
        Budget {
            what,
            steps,
            allowed: steps,
            until: time.map(|time| (Instant::now() + time, time)),
        }
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

    /// An error once the time is over.
    pub fn look_at_the_clock(&self) -> Result<(), GdlError> {
        match self.until {
            Some((end, time)) if Instant::now() > end => Err(GdlError::Time {
                what: self.what,
                milliseconds: time.as_millis() as u64,
            }),
            _ => Ok(()),
        }
    }
}
