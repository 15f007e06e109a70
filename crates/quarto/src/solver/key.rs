//! An exact key for boards up to symmetry, in fewer than 64 bits.
//!
//! Seen without a piece in hand, each attribute is a set of occupied cells, up to complement, and the four sets are in no
//! order. Packed into the bits of the occupied cells they take 4 n bits; the occupied cells themselves are named by the
//! number of their class. Nothing is lost: equal keys are equal boards up to symmetry, so a table that keeps the whole key
//! never answers for the wrong board.

use super::board::SolverBoard;
use super::simd::{Mask, Shuffle};
use crate::{CellSet, Rules};

/// The most pieces a board may have to get a key: 4 x 11 bits and the class of the occupied cells.
pub(super) const MOST_PLACED: u32 = 11;

/// What keys of one variant are made with.
pub(super) struct Keys {
    /// For each permutation the order in which it collects the cells' bytes.
    shuffles: Vec<Shuffle>,
    /// For each set of occupied cells.
    classes: Box<[Class]>,
    /// Permutations that bring a set of cells to the least of its class.
    to_least: Vec<u16>,
    /// For each class the least of it.
    within: Vec<Mask>,
    class_bits: u32,
}

#[derive(Clone, Copy, Default)]
struct Class {
    least: u16,
    number: u16,
    first: u32,
    count: u32,
}

impl Keys {
    pub(super) fn new(rules: &Rules) -> Self {
        let symmetries = rules.symmetries();
        let shuffles = symmetries
            .permutations()
            .iter()
            .map(|permutation| {
                let mut from = [0; 16];
                for cell in crate::Cell::all() {
                    from[permutation.cell(cell).index()] = cell.index() as u8;
                }
                Shuffle::new(from)
            })
            .collect();
        let mut classes = vec![Class::default(); 1 << 16].into_boxed_slice();
        let mut to_least = Vec::new();
        let mut within = Vec::new();
        for occupied in 0..=u16::MAX {
            if occupied.count_ones() > MOST_PLACED {
                continue;
            }
            let least = symmetries.least(CellSet(occupied)).0;
            let first = to_least.len() as u32;
            to_least.extend(symmetries.reaching_least(CellSet(occupied)));
            // The least set of a class comes first, so its number is known by the time another one needs it.
            let number = if least == occupied {
                within.push(Mask::new(least));
                within.len() as u16 - 1
            } else {
                classes[least as usize].number
            };
            classes[occupied as usize] = Class {
                least,
                number,
                first,
                count: to_least.len() as u32 - first,
            };
        }
        Keys {
            shuffles,
            classes,
            to_least,
            class_bits: usize::BITS - within.len().leading_zeros(),
            within,
        }
    }

    /// How many bits the keys have.
    pub(super) fn bits(&self) -> u32 {
        4 * MOST_PLACED + self.class_bits
    }

    /// The key of a board with at most [`MOST_PLACED`] pieces.
    #[inline]
    pub(super) fn key(&self, node: &SolverBoard) -> u64 {
        let class = self.classes[node.occupied as usize];
        let mut least = u64::MAX;
        for &index in &self.to_least[class.first as usize..(class.first + class.count) as usize] {
            let [a, b, c, d] = self.shuffles[index as usize]
                .bit_planes(node.cells)
                .map(|set| set.min(set ^ class.least));
            // A network of five exchanges sorts four numbers.
            let (a, b) = (a.min(b), a.max(b));
            let (c, d) = (c.min(d), c.max(d));
            let (a, c) = (a.min(c), a.max(c));
            let (b, d) = (b.min(d), b.max(d));
            let (b, c) = (b.min(c), b.max(c));
            let sets = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48;
            least = least.min(sets);
        }
        self.within[class.number as usize].extract_four(least) | u64::from(class.number) << (4 * MOST_PLACED)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Geometry;
    use super::*;
    use crate::Position;
    use crate::policy::{Random, turn};
    use game::{Game, rng};
    use std::collections::HashMap;

    #[test]
    fn two_boards_have_the_same_key_exactly_when_they_have_the_same_canonical_form() {
        let mut rng = rng(9);
        for rules in Rules::all() {
            let (keys, geometry) = (Keys::new(rules), Geometry::new(rules));
            let mut seen = HashMap::new();
            for _ in 0..4000 {
                let mut board = Position::new(rules);
                while let Some(turn) = turn(&Random, &board, &mut rng) {
                    let before = board;
                    board.play_unchecked(turn);
                    let Some(cell) = turn.place else { continue };
                    let board = before.placing(cell);
                    if !board.playing() || board.placed() > MOST_PLACED {
                        continue;
                    }
                    let key = keys.key(&geometry.board(&board));
                    assert!(key < 1 << keys.bits());
                    let canonical = board.canonical_key();
                    assert_eq!(*seen.entry(key).or_insert(canonical), canonical, "{board:?}");
                    let image = board.transform(game::below(&mut rng, board.symmetries() as u32) as usize);
                    assert_eq!(keys.key(&geometry.board(&image)), key, "{board:?} and {image:?}");
                }
            }
        }
    }
}
