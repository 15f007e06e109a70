//! The history heuristic, for move ordering: a move that caused cutoffs elsewhere is likely to cause one here.

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
    let mut hasher = Multiplier(0);
    mv.hash(&mut hasher);
    (hasher.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}

/// A hasher of a few instructions: moves are a few bytes, and a collision only makes the ordering a little worse.
struct Multiplier(u64);

impl Hasher for Multiplier {
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn write_u8(&mut self, n: u8) {
        self.write_u64(u64::from(n));
    }

    #[inline]
    fn write_u16(&mut self, n: u16) {
        self.write_u64(u64::from(n));
    }

    #[inline]
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }

    #[inline]
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    #[inline]
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    #[inline]
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}
