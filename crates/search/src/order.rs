//! The history heuristic, for move ordering: a move that caused cutoffs elsewhere is likely to cause one here.

use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// How often each move (by a hash of it) has caused a cutoff, in any position.
pub(crate) struct History {
    counts: Box<[u32; SLOTS]>,
}

const SLOTS: usize = 1 << BITS;
const BITS: u32 = 12;
const CEILING: u32 = 1 << 20;

impl History {
    pub fn new() -> Self {
        History {
            counts: Box::new([0; SLOTS]),
        }
    }

    #[inline]
    pub fn score(&self, mv: &impl Hash) -> u32 {
        self.counts[slot(mv)]
    }

    /// A cutoff high in the tree saves more, so it counts more.
    pub fn reward(&mut self, mv: &impl Hash, depth: u32) {
        let count = &mut self.counts[slot(mv)];
        *count = count.saturating_add(depth.saturating_mul(depth));
        if *count > CEILING {
            self.counts.iter_mut().for_each(|count| *count /= 2);
        }
    }

    pub fn clear(&mut self) {
        self.counts.fill(0);
    }
}

#[inline]
fn slot(mv: &impl Hash) -> usize {
    // A collision only makes the ordering a little worse, so the hasher is one of a few instructions.
    let mut hasher = FxHasher::default();
    mv.hash(&mut hasher);
    (hasher.finish().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}
