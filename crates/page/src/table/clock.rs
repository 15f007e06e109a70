//! The clocks of a table: how much time every person has left. They know no game and read no time themselves.

use crate::api_error::ApiError;
use game::Instant;
use std::time::Duration;

/// How much time everybody has for a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// For all turns together.
    pub base: Duration,
    /// What each turn adds.
    pub increment: Duration,
}

impl TimeControl {
    /// What a request asks for: a second to a day, and at most an hour a turn.
    pub fn requested(base_ms: u64, increment_ms: u64) -> Result<Self, ApiError> {
        if !(1000..=86_400_000).contains(&base_ms) || increment_ms > 3_600_000 {
            return Err(ApiError::bad_request(
                "clock: `base_ms` is 1000 to 86400000, `increment_ms` at most 3600000",
            ));
        }
        Ok(TimeControl {
            base: Duration::from_millis(base_ms),
            increment: Duration::from_millis(increment_ms),
        })
    }
}

/// A clock a seat. At most one of them runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    left: Vec<Duration>,
    running: Option<(usize, Instant)>,
}

impl Clocks {
    /// Full clocks that stand.
    pub fn new(control: TimeControl, seats: usize) -> Self {
        Clocks::with_left(control, vec![control.base; seats])
    }

    /// Clocks that stand, with so much left.
    pub fn with_left(control: TimeControl, left: Vec<Duration>) -> Self {
        Clocks {
            control,
            left,
            running: None,
        }
    }

    /// How much time there was.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The seat whose clock runs.
    pub fn running(&self) -> Option<usize> {
        self.running.map(|(seat, _)| seat)
    }

    /// What every seat has left at a moment.
    pub fn left(&self, now: Instant) -> Vec<Duration> {
        let mut left = self.left.clone();
        if let Some((seat, since)) = self.running
            && let Some(left) = left.get_mut(seat)
        {
            *left = left.saturating_sub(now.saturating_duration_since(since));
        }
        left
    }

    /// When the flag falls, unless something happens before.
    pub fn deadline(&self) -> Option<Instant> {
        let (seat, since) = self.running?;
        since.checked_add(*self.left.get(seat)?)
    }

    /// The seat whose time is up.
    pub fn out_of_time(&self, now: Instant) -> Option<usize> {
        let up = self.deadline().is_some_and(|deadline| deadline <= now);
        self.running().filter(|_| up)
    }

    /// Lets the clock of this seat run, or none.
    pub fn run(&mut self, seat: Option<usize>, now: Instant) {
        if seat != self.running() {
            self.left = self.left(now);
            self.running = seat.map(|seat| (seat, now));
        }
    }

    /// A turn was made: the clock that ran stands, and gets what a turn adds.
    pub fn press(&mut self, now: Instant) {
        let Some(seat) = self.running() else { return };
        self.run(None, now);
        if let Some(left) = self.left.get_mut(seat) {
            *left = left.saturating_add(self.control.increment);
        }
    }

    /// Full clocks again.
    pub fn reset(&mut self) {
        *self = Clocks::new(self.control, self.left.len());
    }

    /// Everybody moves one seat on and takes their clock along.
    pub fn rotate(&mut self, now: Instant) {
        self.run(None, now);
        self.left.rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn only_the_clock_of_who_is_to_move_runs_and_a_turn_adds_the_increment() {
        let control = TimeControl {
            base: 10 * SECOND,
            increment: 2 * SECOND,
        };
        let mut clocks = Clocks::new(control, 2);
        let start = Instant::now();
        assert_eq!((clocks.deadline(), clocks.running()), (None, None));
        clocks.run(Some(1), start);
        assert_eq!(clocks.left(start + 4 * SECOND), [10 * SECOND, 6 * SECOND]);
        // Asking again for the clock that runs changes nothing.
        clocks.run(Some(1), start + 3 * SECOND);
        clocks.press(start + 4 * SECOND);
        assert_eq!(clocks.left(start + 60 * SECOND), [10 * SECOND, 8 * SECOND]);
        clocks.run(Some(0), start + 60 * SECOND);
        assert_eq!(clocks.out_of_time(start + 69 * SECOND), None);
        assert_eq!(clocks.out_of_time(start + 70 * SECOND), Some(0));
        assert_eq!(clocks.left(start + 80 * SECOND), [Duration::ZERO, 8 * SECOND]);
        clocks.reset();
        assert_eq!(clocks.left(start + 90 * SECOND), [10 * SECOND; 2]);
    }
}
