//! The transposition table.

use crate::Value;

/// Which side of the truth a stored value is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// The value itself.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// What a search knew of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<M> {
    key: u64,
    pub value: Value,
    pub best: Option<M>,
    pub depth: u8,
    pub bound: Bound,
    /// Whether the value rests on finished games alone.
    pub solved: bool,
}

impl<M> Entry<M> {
    /// Whether the entry tells what a search of exactly `depth` would find. A deeper search may know better, but then
    /// the answer would depend on what happens to lie in the table; only what is solved holds at every greater depth.
    pub fn serves(&self, depth: u8) -> bool {
        self.depth == depth || (self.solved && self.depth < depth)
    }
}

/// A fixed number of entries in pairs: the first of a pair keeps the deeper search, the second the latest.
pub(crate) struct Table<M> {
    entries: Vec<Option<Entry<M>>>,
    pairs: u64,
}

impl<M: Copy> Table<M> {
    /// A table with `2^bits` pairs of entries.
    pub fn new(bits: u32) -> Self {
        let pairs = 1u64 << bits.min(30);
        Table {
            entries: vec![None; 2 * pairs as usize],
            pairs,
        }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        2 * (key & (self.pairs - 1)) as usize
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry<M>> {
        let at = self.place(key);
        self.entries[at..at + 2].iter().flatten().find(|entry| entry.key == key)
    }

    #[inline]
    pub fn put(&mut self, key: u64, value: Value, best: Option<M>, depth: u8, bound: Bound, solved: bool) {
        let at = self.place(key);
        let deeper = match &self.entries[at] {
            Some(kept) => kept.key == key || kept.depth <= depth,
            None => true,
        };
        self.entries[if deeper { at } else { at + 1 }] = Some(Entry {
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
