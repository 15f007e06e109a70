//! When a search stops, and what it answers.

use game::Stop;
use std::time::{Duration, Instant};

/// When a search stops: at whichever limit it meets first.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The clock.
    pub time: Option<Duration>,
    /// The most nodes (alpha-beta) or playouts (Monte Carlo).
    pub nodes: Option<u64>,
    /// The most moves to look ahead.
    pub depth: Option<u32>,
    /// Raised by whoever wants the answer now.
    pub stop: Stop,
}

impl Limits {
    /// Look `depth` moves ahead, however long it takes.
    pub fn depth(depth: u32) -> Self {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Think for `time`.
    pub fn time(time: Duration) -> Self {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }

    /// Spend `nodes` nodes or playouts.
    pub fn nodes(nodes: u64) -> Self {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }
}

/// A game that is as good as over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// The seat to move wins, whatever the others do.
    Won,
    /// It loses, whatever it does.
    Lost,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<M> {
    /// The move to play; `None` only if the game is over.
    pub best: Option<M>,
    /// What the position is worth to the seat to move: in the evaluator's units, or for Monte Carlo searches as the
    /// expected payoff, 0 to 100.
    pub value: f64,
    /// Whether the value is proved, that is, depends on finished games alone.
    pub solved: bool,
    /// Who wins within `depth` moves, where that is proved and so counted.
    pub decided: Option<Decided>,
    /// How many moves ahead the search looked (a Monte Carlo tree search: its longest path).
    pub depth: u32,
    /// Nodes visited, or games played out.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
    /// The principal variation: what both seats are expected to play, `best` first. It may end early.
    pub line: Vec<M>,
}

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
