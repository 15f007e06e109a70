//! The transposition table: what is known of boards, shared by all threads without locks.
//!
//! An entry is one word: the part of the key that its bucket does not imply, what is known, and how much work it took.
//! The key is exact (see `key`), so an entry that matches is about this board, and a word is read and written whole, so
//! threads cannot see half an entry. A bucket is a cache line of eight entries; when it is full, the one that took the
//! least work goes.

use super::huge_pages::{HugePages, prefetch};
use std::io;
use std::sync::atomic::Ordering;

/// Entries in a bucket: a cache line of 64 bytes.
const BUCKET: usize = 8;
/// Bits of a [`Bounds`].
const BOUND_BITS: u32 = 16;

/// What is known of a board: for the giver and for the other, within how many rounds it is known to win, and within how
/// many it is known not to.
///
/// Distances count placements; a side's wins all come after an odd or all after an even number of them, so half of it
/// (rounded up) says it all and fits four bits: 0 to 8, where 0 is "nothing known".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds(u16);

impl Bounds {
    const fn shift(giver: bool) -> u32 {
        if giver { 0 } else { 8 }
    }

    /// Whether the side is known to win within `rounds`, or not to; `None` if neither.
    #[inline(always)]
    pub(super) fn wins(self, giver: bool, rounds: u32) -> Option<bool> {
        let known = u32::from(self.0 >> Self::shift(giver));
        let (within, not_within) = (known & 15, known >> 4 & 15);
        if within != 0 && within <= rounds {
            return Some(true);
        }
        (rounds <= not_within).then_some(false)
    }

    /// Learns that the side wins within `rounds`, or that it does not.
    #[inline(always)]
    pub(super) fn learn(self, giver: bool, rounds: u32, wins: bool) -> Bounds {
        let shift = Self::shift(giver);
        let known = u32::from(self.0 >> shift);
        let (mut within, mut not_within) = (known & 15, known >> 4 & 15);
        if wins {
            within = if within == 0 { rounds } else { within.min(rounds) };
        } else {
            not_within = not_within.max(rounds);
        }
        Bounds(self.0 & !(0xff << shift) | ((within | not_within << 4) as u16) << shift)
    }
}

/// The transposition table.
pub(super) struct TranspositionTable {
    memory: HugePages,
    bucket_bits: u32,
    key_bits: u32,
    /// How far the key's tag is shifted up in a word: above the bounds and the work.
    tag_shift: u32,
    most_work: u64,
}

impl TranspositionTable {
    /// A table of at most `bytes` for keys of `key_bits`. There is a least size, a quarter of a megabyte or so.
    pub(super) fn new(bytes: usize, key_bits: u32) -> io::Result<Self> {
        let buckets = (bytes / (BUCKET * size_of::<u64>())).max(1);
        // The tag, the bounds and at least a bit of work must fit a word.
        let least = (key_bits + BOUND_BITS + 1).saturating_sub(u64::BITS);
        let bucket_bits = buckets.ilog2().max(least).min(key_bits);
        let tag_bits = key_bits - bucket_bits;
        let work_bits = (u64::BITS - BOUND_BITS - tag_bits).min(6);
        Ok(TranspositionTable {
            memory: HugePages::zeroed(BUCKET << bucket_bits)?,
            bucket_bits,
            key_bits,
            tag_shift: BOUND_BITS + work_bits,
            most_work: (1 << work_bits) - 1,
        })
    }

    /// Forgets everything. Small tables are overwritten; large ones are allocated again, since the system then zeroes a page
    /// only when it is used.
    pub(super) fn forget(&mut self) -> io::Result<()> {
        const SMALL: usize = 64 << 20;
        if self.bytes() > SMALL {
            self.memory = HugePages::zeroed(self.memory.words().len())?;
        } else {
            self.memory
                .words()
                .iter()
                .for_each(|word| word.store(0, Ordering::Relaxed));
        }
        Ok(())
    }

    /// Makes it at most `bytes` large, if that is more than it is. What it knows it keeps.
    pub(super) fn grow(&mut self, bytes: usize) -> io::Result<()> {
        let larger = TranspositionTable::new(bytes, self.key_bits)?;
        if larger.bucket_bits <= self.bucket_bits {
            return Ok(());
        }
        for (at, word) in self.memory.words().iter().enumerate() {
            let word = word.load(Ordering::Relaxed);
            if word as u16 != 0 {
                let hash = word >> self.tag_shift << self.bucket_bits | (at / BUCKET) as u64;
                larger.put(
                    hash,
                    Bounds(word as u16),
                    1 << (word >> BOUND_BITS & self.most_work).min(63),
                );
            }
        }
        *self = larger;
        Ok(())
    }

    /// The size in bytes.
    pub(super) fn bytes(&self) -> usize {
        (BUCKET * size_of::<u64>()) << self.bucket_bits
    }

    /// Spreads a key over its own range, without collisions: odd multiplications and shifts can be undone.
    #[inline(always)]
    pub(super) fn hash(&self, key: u64) -> u64 {
        let mask = (1u64 << self.key_bits) - 1;
        let mut hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        hash ^= hash >> (self.key_bits / 2);
        hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93) & mask;
        hash ^ hash >> (self.key_bits / 2)
    }

    #[inline(always)]
    fn bucket(&self, hash: u64) -> usize {
        (hash & ((1 << self.bucket_bits) - 1)) as usize * BUCKET
    }

    /// Asks for the bucket of a hash that will be looked up soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, hash: u64) {
        prefetch(&self.memory.words()[self.bucket(hash)]);
    }

    /// What is known of the board with that hash.
    #[inline(always)]
    pub(super) fn get(&self, hash: u64) -> Bounds {
        let start = self.bucket(hash);
        let tag = hash >> self.bucket_bits;
        for word in &self.memory.words()[start..start + BUCKET] {
            let word = word.load(Ordering::Relaxed);
            if word >> self.tag_shift == tag && word as u16 != 0 {
                return Bounds(word as u16);
            }
        }
        Bounds::default()
    }

    /// Keeps what is known of a board, found with that many nodes of work.
    pub(super) fn put(&self, hash: u64, bounds: Bounds, nodes: u64) {
        let start = self.bucket(hash);
        let tag = hash >> self.bucket_bits;
        let words = &self.memory.words()[start..start + BUCKET];
        let work = u64::from(nodes.max(1).ilog2()).min(self.most_work);
        let mut victim = (u64::MAX, 0);
        for (slot, word) in words.iter().enumerate() {
            let held = word.load(Ordering::Relaxed);
            if held as u16 == 0 || held >> self.tag_shift == tag {
                victim = (0, slot);
                break;
            }
            let held_work = held >> BOUND_BITS & self.most_work;
            if held_work < victim.0 {
                victim = (held_work, slot);
            }
        }
        let word = tag << self.tag_shift | work << BOUND_BITS | u64::from(bounds.0);
        words[victim.1].store(word, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn bounds_keep_the_nearest_win_and_the_farthest_refusal() {
        let known = Bounds::default();
        assert_eq!(known.wins(true, 8), None);
        let known = known
            .learn(true, 5, true)
            .learn(true, 6, true)
            .learn(true, 2, false)
            .learn(true, 1, false);
        let answers: Vec<_> = (1..=8).map(|rounds| known.wins(true, rounds)).collect();
        let (no, yes) = (Some(false), Some(true));
        assert_eq!(answers, [no, no, None, None, yes, yes, yes, yes]);
        assert_eq!(known.wins(false, 3), None, "the other side is kept apart");
        assert_eq!(known.learn(false, 8, false).wins(false, 8), no);
        assert_eq!(known.learn(false, 8, false).wins(true, 5), yes);
    }

    #[test]
    fn no_two_keys_have_the_same_hash() {
        let table = TranspositionTable::new(1 << 20, 58).unwrap();
        let mut keys = HashSet::new();
        let mut hashes = HashSet::new();
        for i in 0..100_000u64 {
            let key = game::mix(i, &[]) & ((1 << 58) - 1);
            keys.insert(key);
            hashes.insert(table.hash(key));
            hashes.insert(table.hash(i));
            keys.insert(i);
        }
        assert_eq!(keys.len(), hashes.len());
    }

    #[test]
    fn a_small_table_forgets_but_never_answers_for_another_board() {
        let table = TranspositionTable::new(1, 58).unwrap();
        let bounds_of = |i: u64| Bounds::default().learn(i.is_multiple_of(2), 1 + (i % 8) as u32, i.is_multiple_of(3));
        let key_of = |i: u64| game::mix(i, &[]) & ((1 << 58) - 1);
        for i in 0..200_000 {
            table.put(table.hash(key_of(i)), bounds_of(i), i % 1000);
        }
        let remembered = (0..200_000).filter(|&i| {
            let found = table.get(table.hash(key_of(i)));
            assert!(found == Bounds::default() || found == bounds_of(i));
            found != Bounds::default()
        });
        assert!(remembered.count() > 10_000);
    }

    #[test]
    fn a_table_that_grows_keeps_what_it_knows() {
        let mut table = TranspositionTable::new(1, 58).unwrap();
        let key_of = |i: u64| game::mix(i, &[]) & ((1 << 58) - 1);
        let bounds_of = |i: u64| Bounds::default().learn(i.is_multiple_of(2), 1 + (i % 8) as u32, i.is_multiple_of(3));
        for i in 0..5000 {
            table.put(table.hash(key_of(i)), bounds_of(i), i);
        }
        let known = |table: &TranspositionTable| -> Vec<Bounds> {
            (0..5000).map(|i| table.get(table.hash(key_of(i)))).collect()
        };
        let before = known(&table);
        assert!(before.iter().filter(|bounds| **bounds != Bounds::default()).count() > 4000);
        let bytes = table.bytes();
        table.grow(bytes).unwrap();
        assert_eq!(table.bytes(), bytes);
        table.grow(20 << 20).unwrap();
        assert_eq!(table.bytes(), 16 << 20);
        assert_eq!(known(&table), before);
    }

    #[test]
    fn the_memory_asked_for_is_respected() {
        for bytes in [1 << 20, 100 << 20, (1 << 30) - 1] {
            assert!(TranspositionTable::new(bytes, 58).unwrap().bytes() <= bytes);
        }
    }
}
