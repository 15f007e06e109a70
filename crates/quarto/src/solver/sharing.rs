//! How threads share a search: each asks the same question, and where many ways must be gone they go different ones (as ABDADA does).
//!
//! Most questions are answered with no. Then all ways to win must be gone, so where threads share a board, they go the first together, since
//! the order is good and it may be enough; then each goes those that no other one is at, and helps with the rest. Where everything must win,
//! threads go in the same order: one that does not is enough, and the first is the most likely, so who ran ahead would mostly search what nobody
//! needs. What they find they tell each other through the transposition table alone.

use super::board::SolverBoard;
use super::search::{SearchThread, bits};
use std::sync::atomic::{AtomicU64, Ordering};

/// Threads share boards with fewer pieces. What these lead to is also looked up again before it is searched: another thread, or a symmetric
/// sibling, may have answered in the meantime.
const SHARED: u32 = 8;

/// How many marks there are.
const MARKS: usize = 16384;

/// Marks of the ways that some thread tries; hints only.
pub(super) struct BusyMarks(Box<[AtomicU64]>);

impl BusyMarks {
    pub(super) fn new() -> Self {
        BusyMarks((0..MARKS).map(|_| AtomicU64::new(0)).collect())
    }

    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.0[(mark % (MARKS as u64 - 3)) as usize]
    }

    fn is_busy(&self, mark: u64) -> bool {
        self.slot(mark).load(Ordering::Relaxed) == mark
    }
}

impl<const MISERE: bool> SearchThread<'_, MISERE> {
    /// Whether threads share the ways from a board.
    #[inline(always)]
    pub(super) fn shares(&self, node: &SolverBoard) -> bool {
        node.placed() < SHARED
    }

    /// Whether one of so many ways from a board wins. `answered` looks whether that has become known, by another thread that is at one of some
    /// ways.
    #[inline(always)]
    pub(super) fn some_way_wins(
        &mut self,
        node: &SolverBoard,
        count: usize,
        mark: impl Fn(usize) -> u64,
        answered: impl Fn(&Self, u16) -> Option<bool>,
        mut wins: impl FnMut(&mut Self, usize) -> bool,
    ) -> bool {
        if self.alone || !self.shares(node) || count < 2 {
            return (0..count).any(|way| !self.stopped && wins(self, way));
        }
        let mut passed: u16 = 0;
        for way in 0..count {
            if way > 0
                && let Some(answer) = answered(self, passed)
            {
                return answer;
            }
            match way > 0 && self.context.marks.is_busy(mark(way)) {
                true => passed |= 1 << way,
                false if !self.stopped && self.marked(mark(way), |search| wins(search, way)) => return true,
                false => {}
            }
        }
        bits(passed).any(|way| !self.stopped && self.marked(mark(way as usize), |search| wins(search, way as usize)))
    }

    /// Does some work under a mark, so that the other threads do something else meanwhile.
    fn marked(&mut self, mark: u64, work: impl FnOnce(&mut Self) -> bool) -> bool {
        let marks = &self.context.marks;
        marks.slot(mark).store(mark, Ordering::Relaxed);
        let answer = work(self);
        if marks.is_busy(mark) {
            marks.slot(mark).store(0, Ordering::Relaxed);
        }
        answer
    }
}
