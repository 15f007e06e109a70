//! How a search keeps to its limits.

use game::Instant;
use game::Stop;
use player::Limits;
use std::time::Duration;

/// Counts the nodes and reads the clock, rarely enough to cost nothing and often enough to stop in time.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    start: Instant,
    deadline: Option<Instant>,
    stop: Stop,
    limit: u64,
    nodes: u64,
    next_check: u64,
    stride: u64,
    last_check: Instant,
    stopped: bool,
}

/// If the clock is read more often than this, it is read less often from then on.
const TOO_OFTEN: Duration = Duration::from_micros(50);
/// If the clock is read less often than this, it is read more often from then on.
const TOO_RARE: Duration = Duration::from_micros(400);
const LONGEST_STRIDE: u64 = 4096;

impl Meter {
    /// Starts the clock.
    pub fn start(limits: &Limits) -> Self {
        let start = Instant::now();
        Meter {
            start,
            // A time too long to be added is as good as none.
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            stop: limits.stop.clone(),
            limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            next_check: 0,
            stride: 1,
            last_check: start,
            stopped: false,
        }
    }

    /// Counts one node. True if the search must stop; the node is then not counted.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.nodes >= self.next_check && self.check_limits() {
            return true;
        }
        self.nodes += 1;
        false
    }

    #[cold]
    fn check_limits(&mut self) -> bool {
        if self.nodes >= self.limit {
            self.stopped = true;
        } else if self.deadline.is_some() || self.stop.can_be_raised() {
            let now = Instant::now();
            self.stopped |= self.stop.is_raised() || self.deadline.is_some_and(|deadline| now >= deadline);
            let passed = now - self.last_check;
            if passed < TOO_OFTEN {
                self.stride = (self.stride * 2).min(LONGEST_STRIDE);
            } else if passed > TOO_RARE {
                self.stride = (self.stride / 2).max(1);
            }
            self.last_check = now;
        } else {
            self.stride = u64::MAX;
        }
        self.next_check = self.nodes.saturating_add(self.stride).min(self.limit);
        self.stopped
    }

    pub fn stopped(&self) -> bool {
        self.stopped
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_as_many_nodes_are_counted_as_the_limit_allows() {
        for limit in [0, 1, 7, 5000] {
            let mut meter = Meter::start(&Limits::nodes(limit));
            while !meter.tick() {}
            assert_eq!(meter.nodes(), limit);
        }
    }

    #[test]
    fn a_zero_clock_stops_at_the_first_tick() {
        assert!(Meter::start(&Limits::time(Duration::ZERO)).tick());
    }

    #[test]
    fn without_limits_it_never_stops() {
        let mut meter = Meter::start(&Limits::default());
        assert!((0..10_000).all(|_| !meter.tick()));
    }

    #[test]
    fn a_raised_sign_stops_it_whatever_else_is_allowed() {
        let stop = Stop::new();
        let limits = Limits {
            stop: stop.clone(),
            ..Limits::nodes(1_000_000_000)
        };
        let mut meter = Meter::start(&limits);
        assert!((0..10_000).all(|_| !meter.tick()));
        stop.raise();
        assert!((0..=LONGEST_STRIDE).any(|_| meter.tick()));
    }

    #[test]
    fn an_endless_clock_is_no_clock() {
        assert!(!Meter::start(&Limits::time(Duration::MAX)).tick());
    }
}
