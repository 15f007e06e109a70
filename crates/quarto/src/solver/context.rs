//! What all threads of a solver share: boards, keys, tables, and who may stop them.

use super::board::Geometry;
use super::key::Keys;
use super::sharing::BusyMarks;
use super::tables::TableSet;
use super::transposition::TranspositionTable;
use game::{Instant, Stop};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// What all threads of a solver share.
pub(super) struct SearchContext {
    pub(super) geometry: Geometry,
    pub(super) keys: Keys,
    pub(super) table: TranspositionTable,
    /// What is looked up instead of searched.
    pub(super) tables: TableSet,
    pub(super) marks: BusyMarks,
    /// Set when some thread has answered the current question.
    pub(super) answered: AtomicBool,
    /// Raised by whoever asks, to give up. Every question takes a copy, so that none has to wait for the lock again.
    stop: Mutex<Stop>,
    /// When to give up, in microseconds since `born`; 0 for never.
    pub(super) deadline: AtomicU64,
    pub(super) born: Instant,
    /// With how many nodes to give up.
    pub(super) limit: AtomicU64,
    /// Boards searched by all threads, updated now and then.
    pub(super) nodes: Apart,
}

/// A number that many threads write, on cache lines of its own: beside it nobody has to wait for what only is read.
#[repr(align(128))]
pub(super) struct Apart(pub(super) AtomicU64);

impl SearchContext {
    pub(super) fn new(geometry: Geometry, keys: Keys, table: TranspositionTable) -> Self {
        SearchContext {
            geometry,
            keys,
            table,
            tables: TableSet::default(),
            marks: BusyMarks::new(),
            answered: AtomicBool::new(false),
            stop: Mutex::default(),
            deadline: AtomicU64::new(0),
            born: Instant::now(),
            limit: AtomicU64::new(u64::MAX),
            nodes: Apart(AtomicU64::new(0)),
        }
    }

    /// Sets the stop sign of the questions asked from now on.
    pub(super) fn set_stop(&self, stop: Stop) {
        *self.stop.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = stop;
    }

    /// The stop sign of a question asked now.
    pub(super) fn stop(&self) -> Stop {
        self.stop
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .clone()
    }
}
