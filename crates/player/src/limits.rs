//! When a search stops.

use game::Stop;
use std::time::Duration;

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

/// The smaller of two numbers, where there are two.
pub fn stricter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
