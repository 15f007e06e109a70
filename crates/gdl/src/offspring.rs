//! What many moves lead to, looked at side by side: the children of several positions of a game of two in one pass of the lanes.
//!
//! A position is a row of bits here: its facts, then what each role may do. So a search needs nothing else of the machine.

use crate::Move;
use std::ops::Range;

/// A move of a position: where it is played from, and what each of the two roles does.
#[derive(Clone, Copy, Debug)]
pub struct Birth {
    /// The number of the parent among its own generation.
    pub parent: u32,
    /// What each role does.
    pub joint: [u32; 2],
}

/// What the rules say of a position beside its bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Whether the game is over, by the rules or because somebody has no move.
    pub over: bool,
    /// What each role gets, if it is over.
    pub goals: [u8; 2],
    /// Whether each role has more than one move.
    pub chooses: [bool; 2],
}

/// Where the parts of a row are.
#[derive(Clone, Debug, Default)]
pub struct RowLayout {
    /// How many facts there are.
    pub bases: usize,
    /// The bits of what each role may do.
    pub legal: [Range<usize>; 2],
    /// Words of a row.
    pub words: usize,
}

impl RowLayout {
    /// The rows of a game of two with so many facts, and so many moves of each role.
    pub fn new(bases: usize, moves: [usize; 2]) -> Self {
        let second = bases + moves[0];
        let end = second + moves[1];
        RowLayout {
            bases,
            legal: [bases..second, second..end],
            words: end.div_ceil(64),
        }
    }

    /// Writes a position as a row.
    pub fn write(&self, state: &[u32], legal: &[Vec<Move>], row: &mut Vec<u64>) {
        row.clear();
        row.resize(self.words, 0);
        for (at, &word) in state.iter().enumerate() {
            row[at / 2] |= u64::from(word) << (32 * (at % 2));
        }
        for mv in legal.iter().flatten() {
            let bit = self.bases + mv.0 as usize;
            row[bit / 64] |= 1 << (bit % 64);
        }
    }

    /// The number of the move whose bit it is.
    #[inline]
    pub fn move_at(&self, bit: usize) -> u32 {
        (bit - self.bases) as u32
    }

    /// Calls `f` with every move that a role has in a row.
    #[inline]
    pub fn moves(&self, row: &[u64], role: usize, mut f: impl FnMut(u32)) {
        bits(row, self.legal[role].clone(), |bit| f(self.move_at(bit)));
    }

    /// A row's place in tables: a number that rows of different facts hardly ever share.
    #[inline]
    pub fn key(&self, row: &[u64]) -> u64 {
        let mut hash = 0x243f_6a88_85a3_08d3u64;
        // The last word may begin what is legal, which follows from the facts.
        for &word in &row[..self.bases.div_ceil(64)] {
            let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
            hash = (product as u64) ^ (product >> 64) as u64;
        }
        let product = u128::from(!hash) * 0x9e37_79b9_7f4a_7c15;
        // Zero means nothing in a table.
        ((product as u64) ^ (product >> 64) as u64).max(1)
    }
}

/// The words that a range of bits lies in: where each begins, and what of it is within the range.
#[inline]
fn words(row: &[u64], range: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let last = range.end.div_ceil(64);
    let words = row.iter().enumerate().take(last).skip(range.start / 64);
    words.map(move |(at, &word)| {
        let mut word = word;
        if at * 64 < range.start {
            word &= !0 << (range.start % 64);
        }
        if range.end < (at + 1) * 64 {
            word &= !(!0 << (range.end % 64));
        }
        (at * 64, word)
    })
}

/// Calls `f` with every bit that is on within a range.
#[inline]
pub fn bits(row: &[u64], range: Range<usize>, mut f: impl FnMut(usize)) {
    for (from, mut word) in words(row, range) {
        while word != 0 {
            f(from + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// How many bits are on within a range.
#[inline]
pub fn count(row: &[u64], range: Range<usize>) -> u32 {
    words(row, range).map(|(_, word)| word.count_ones()).sum()
}

/// Positions that were looked at together.
#[derive(Clone, Debug, Default)]
pub struct Generation {
    /// Their rows, one after the other.
    pub rows: Vec<u64>,
    /// What else is known of each.
    pub standings: Vec<Standing>,
}

impl Generation {
    /// The row of a position.
    #[inline]
    pub fn row(&self, layout: &RowLayout, at: usize) -> &[u64] {
        &self.rows[at * layout.words..][..layout.words]
    }
}

/// Makes children. Whoever has one keeps it: it holds the memory of the work.
pub trait Nursery: Send {
    /// Where the parts of a row are.
    fn layout(&self) -> &RowLayout;

    /// What the moves of `births`, those of one parent together, lead to from the positions of `parents`, in that order.
    fn bear(&mut self, parents: &Generation, births: &[Birth], into: &mut Generation);
}
