//! Sets of cells.

use crate::geometry::Cell;
use std::ops::{BitAnd, BitOr, Not};

/// A set of cells, one bit for each cell number: two layers in each word, each in the low 24 bits of its half.
///
/// ```text
///     word 2   [ layer 5 | layer 4 ]
///     word 1   [ layer 3 | layer 2 ]
///     word 0   [ layer 1 | layer 0 ]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(pub(crate) [u64; 3]);

const LAYER: u64 = (1 << 24) - 1;
const TWO_LAYERS: u64 = LAYER << 32 | LAYER;

impl Cells {
    /// No cell.
    pub const EMPTY: Cells = Cells([0; 3]);
    /// All 144 cells.
    pub const ALL: Cells = Cells([TWO_LAYERS; 3]);
    /// The bottom layer.
    pub const BOTTOM: Cells = Cells([LAYER, 0, 0]);

    /// With one cell more.
    #[inline]
    #[must_use]
    pub const fn with(self, cell: Cell) -> Cells {
        let mut words = self.0;
        words[cell.index() >> 6] |= 1 << (cell.index() & 63);
        Cells(words)
    }

    /// Whether the cell is in the set.
    #[inline]
    pub const fn has(self, cell: Cell) -> bool {
        self.0[cell.index() >> 6] >> (cell.index() & 63) & 1 != 0
    }

    /// Whether all of `other` is in the set.
    #[inline]
    pub const fn covers(self, other: Cells) -> bool {
        let missing = (other.0[0] & !self.0[0]) | (other.0[1] & !self.0[1]) | (other.0[2] & !self.0[2]);
        missing == 0
    }

    /// Whether it holds no cell.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// How many cells it holds.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// The cells right above those of the set.
    #[inline]
    #[must_use]
    pub const fn raised(self) -> Cells {
        let [a, b, c] = self.0;
        Cells([a << 32, b << 32 | a >> 32, c << 32 | b >> 32])
    }

    /// The columns of the set's cells on one layer, one bit for each column.
    #[inline]
    pub const fn layer(self, layer: usize) -> u32 {
        (self.0[layer >> 1] >> ((layer & 1) * 32)) as u32 & LAYER as u32
    }

    /// The cells, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Cell> {
        let mut words = self.0;
        std::iter::from_fn(move || {
            let word = words.iter().position(|&word| word != 0)?;
            let bit = words[word].trailing_zeros() as usize;
            words[word] &= words[word] - 1;
            Some(Cell::from_index(word * 64 + bit))
        })
    }
}

impl BitAnd for Cells {
    type Output = Cells;
    #[inline]
    fn bitand(self, other: Cells) -> Cells {
        Cells([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }
}

impl BitOr for Cells {
    type Output = Cells;
    #[inline]
    fn bitor(self, other: Cells) -> Cells {
        Cells([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }
}

impl Not for Cells {
    type Output = Cells;
    #[inline]
    fn not(self) -> Cells {
        Cells(self.0.map(|word| !word & TWO_LAYERS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, geometry::LAYERS};

    #[test]
    fn a_set_knows_its_cells() {
        for column in Column::all() {
            for layer in 0..LAYERS {
                let cell = column.cell(layer);
                let one = Cells::EMPTY.with(cell);
                assert!(one.has(cell) && one.len() == 1 && Cells::ALL.covers(one) && !(!one).has(cell));
                assert_eq!(one.iter().collect::<Vec<_>>(), [cell]);
                assert_eq!(one.layer(layer), 1 << column.index());
                let above: Vec<_> = one.raised().iter().collect();
                let expected: Vec<_> = (layer + 1 < LAYERS)
                    .then(|| column.cell(layer + 1))
                    .into_iter()
                    .collect();
                assert_eq!(above, expected);
            }
        }
        assert_eq!((Cells::ALL.len(), Cells::BOTTOM.len()), (144, 24));
    }
}
