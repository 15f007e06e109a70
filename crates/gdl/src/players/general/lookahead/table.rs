//! What looking ahead has found of positions, as much as there is room for.

use super::{Value, WIN};

/// No move.
pub const NONE: u32 = u32::MAX;

/// Pairs of entries: the first keeps the deeper search, the second the latest.
const PAIRS: usize = 1 << 19;

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value itself.
    Exact = 0,
    /// The true value is at least this.
    Lower = 1,
    /// The true value is at most this.
    Upper = 2,
}

/// A value, and whether it depends on finished games alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundBound {
    /// To who moves.
    pub value: Value,
    /// Whether it holds at every greater depth, too.
    pub solved: bool,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBound {
    found: FoundBound,
    bound: Bound,
    depth: u32,
    /// The best move, or one that was good enough.
    pub mv: u32,
}

impl KnownBound {
    /// What is known, if it settles a search of that depth.
    #[inline]
    pub fn decides(&self, depth: u32, alpha: Value, beta: Value) -> Option<FoundBound> {
        let FoundBound { value, solved } = self.found;
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => value >= beta,
            Bound::Upper => value <= alpha,
        };
        (decides && (self.depth >= depth || solved)).then_some(self.found)
    }

    #[inline]
    fn pack(self) -> u64 {
        let value = (self.found.value + WIN) as u64;
        let depth = u64::from(self.depth.min(255));
        let bits = self.bound as u64 | u64::from(self.found.solved) << 2;
        value | depth << 16 | bits << 24 | u64::from(self.mv) << 32
    }

    #[inline]
    fn unpack(word: u64) -> Self {
        KnownBound {
            found: FoundBound {
                value: (word & 0xffff) as Value - WIN,
                solved: word >> 26 & 1 == 1,
            },
            bound: match word >> 24 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            depth: (word >> 16 & 0xff) as u32,
            mv: (word >> 32) as u32,
        }
    }
}

/// The table. It takes no memory until something is to be kept, and then only as much as is touched.
#[derive(Debug, Default)]
pub struct LookaheadTable {
    /// Keys, none of which is zero, and what is known of each.
    pairs: Vec<[[u64; 2]; 2]>,
}

impl LookaheadTable {
    /// Gets the memory, if there is none.
    pub fn make_room(&mut self) {
        if self.pairs.is_empty() {
            self.pairs = vec![[[0; 2]; 2]; PAIRS];
        }
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<KnownBound> {
        let pair = self.pairs.get(key as usize % PAIRS)?;
        let entry = pair.iter().find(|entry| entry[0] == key)?;
        Some(KnownBound::unpack(entry[1]))
    }

    /// Keeps what was found.
    #[inline]
    pub fn put(&mut self, key: u64, found: FoundBound, mv: u32, depth: u32, bound: Bound) {
        let known = KnownBound {
            found,
            bound,
            depth,
            mv,
        };
        let Some([first, second]) = self.pairs.get_mut(key as usize % PAIRS) else {
            return;
        };
        let deeper = first[0] == 0 || first[0] == key || KnownBound::unpack(first[1]).depth <= depth;
        *(if deeper { first } else { second }) = [key, known.pack()];
    }
}
