//! How much time and memory a computation may take before it ends with an error.

use crate::{Deadline, GdlError};
use game::Instant;
use game::Stop;
use std::time::Duration;

/// The most rows that may be looked at. Normal sheets need a thousandth of it; a sheet with a hard problem in its conditions
/// (such as graph colouring) would keep a join busy forever without finding a row.
const MOST_TRIES: u64 = 1_000_000_000;

/// What is left to spend. A step makes a row, a clause or a gate: some tens of bytes. A try looks at a row, which only costs
/// time.
#[derive(Clone, Debug)]
pub struct WorkBudget {
    what: &'static str,
    steps: u64,
    allowed: u64,
    tries: u64,
    most_tries: u64,
    /// Looks that were counted before the tries were last allowed.
    looked: u64,
    /// The time it may take in all, and when that is over.
    time: Option<(Instant, Duration)>,
    stop: Stop,
    /// What the thread that spends it is bound by.
    deadline: Deadline,
}

impl WorkBudget {
    /// At most `steps` steps, and no longer than this thread's deadline allows.
    pub fn new(what: &'static str, steps: u64) -> Self {
        WorkBudget {
            what,
            steps,
            allowed: steps,
            tries: MOST_TRIES,
            most_tries: MOST_TRIES,
            looked: 0,
            time: None,
            stop: Stop::never(),
            deadline: Deadline::current(),
        }
    }

    /// The same, over at most `time` from now and as soon as the sign is raised.
    pub fn within(mut self, time: Duration, stop: Stop) -> Self {
        self.time = Instant::now().checked_add(time).map(|end| (end, time));
        self.stop = stop;
        self
    }

    /// Starts counting again, for the thread that it is now spent by.
    pub fn refill(&mut self) {
        (self.steps, self.tries, self.looked) = (self.allowed, self.most_tries, 0);
        self.deadline = Deadline::current();
    }

    /// From now on at most so many rows may be looked at; `None` for the usual limit.
    pub fn allow_tries(&mut self, tries: Option<u64>) {
        self.looked += self.most_tries - self.tries;
        self.most_tries = tries.unwrap_or(MOST_TRIES).clamp(1, MOST_TRIES);
        self.tries = self.most_tries;
    }

    /// Takes back the steps of a result that is thrown away.
    pub fn undo(&mut self, before: &WorkBudget) {
        self.steps = before.steps;
    }

    /// A part of it, for work that may turn out to be too much: at most so many steps.
    pub fn part(&self, steps: u64) -> WorkBudget {
        WorkBudget {
            steps: self.steps.min(steps),
            ..self.clone()
        }
    }

    /// How many steps are left.
    pub fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Takes on what was spent of a part that was given so many steps.
    pub fn pay(&mut self, part: &WorkBudget, given: u64) {
        self.steps -= self.steps.min(given) - part.steps;
        self.tries = part.tries;
    }

    /// What was spent since the last refill: looks at rows, and steps.
    pub fn spent(&self) -> u64 {
        self.looked + (self.most_tries - self.tries) + (self.allowed - self.steps)
    }

    /// Looks at one more row, if that is still allowed.
    #[inline]
    pub fn look(&mut self) -> Result<(), GdlError> {
        self.tries -= 1;
        match self.tries.is_multiple_of(1 << 14) {
            true => self.check_limits(),
            false => Ok(()),
        }
    }

    #[cold]
    fn check_limits(&mut self) -> Result<(), GdlError> {
        if self.tries == 0 {
            // Nobody goes on after an error; if somebody did, the count would start again.
            self.tries = self.most_tries;
            return Err(GdlError::TooManyTries {
                what: self.what,
                tries: self.most_tries,
            });
        }
        self.check_clock()
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
            self.check_clock()?;
        }
        Ok(())
    }

    /// An error once the time is over or the stop sign is raised.
    pub fn check_clock(&self) -> Result<(), GdlError> {
        if self.stop.is_raised() || self.deadline.is_over() {
            return Err(GdlError::Stopped { what: self.what });
        }
        match self.time {
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
        let stop = Stop::new();
        let budget = WorkBudget::new("work", 10).within(Duration::from_secs(3600), stop.clone());
        assert_eq!(budget.check_clock(), Ok(()));
        stop.raise();
        assert_eq!(budget.check_clock(), Err(GdlError::Stopped { what: "work" }));
    }

    #[test]
    fn work_of_a_thread_that_is_bound_ends_with_its_deadline() {
        let stop = Stop::new();
        let bound = Deadline {
            at: None,
            stop: stop.clone(),
        };
        let mut budget = WorkBudget::new("work", 10);
        bound.bound(|| {
            budget.refill();
            stop.raise();
            assert!(budget.check_clock().is_err());
        });
        budget.refill();
        assert_eq!(budget.check_clock(), Ok(()));
    }

    #[test]
    fn looking_in_vain_ends_some_time() {
        let mut budget = WorkBudget::new("work", 10);
        budget.tries = 1 << 17;
        let looks = (0u64..).find(|_| budget.look().is_err());
        assert_eq!(looks, Some((1 << 17) - 1));
    }
}
