//! The transposition table.

use crate::Value;

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The value itself.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// The result of a search of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry<M> {
    key: u64,
    pub value: Value,
    pub best: Option<M>,
    pub depth: u8,
    pub bound: Bound,
    /// Whether the value depends on finished games alone.
    pub solved: bool,
}

impl<M> TableEntry<M> {
    /// Whether the entry is what a search of exactly `depth` would find. The value of a deeper search may be better, but
    /// then the result would depend on what happens to be in the table. A solved value holds at every greater depth.
    pub fn serves(&self, depth: u8) -> bool {
        self.depth == depth || (self.solved && self.depth < depth)
    }
}

/// The transposition table: a fixed number of entries in pairs. The first of a pair keeps the deeper search, the second
/// the latest.
pub(crate) struct TranspositionTable<M> {
    entries: Vec<Option<TableEntry<M>>>,
    pairs: u64,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table with `2^bits` pairs of entries.
    pub fn new(bits: u32) -> Self {
        let pairs = 1u64 << bits.min(30);
        TranspositionTable {
            entries: vec![None; 2 * pairs as usize],
            pairs,
        }
    }

    #[inline]
    fn pair(&self, key: u64) -> usize {
        2 * (key & (self.pairs - 1)) as usize
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&TableEntry<M>> {
        let at = self.pair(key);
        self.entries[at..at + 2].iter().flatten().find(|entry| entry.key == key)
    }

    #[inline]
    pub fn put(&mut self, key: u64, value: Value, best: Option<M>, depth: u8, bound: Bound, solved: bool) {
        let at = self.pair(key);
        let deeper = match &self.entries[at] {
            Some(kept) => kept.key == key || kept.depth <= depth,
            None => true,
        };
        self.entries[if deeper { at } else { at + 1 }] = Some(TableEntry {
            key,
            value,
            best,
            depth,
            bound,
            solved,
        });
    }

    pub fn clear(&mut self) {
        self.entries.fill(None);
    }
}
