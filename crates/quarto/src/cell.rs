//! Cells of the board and sets of them.

use std::fmt;

/// One of the 16 cells, `a1` to `d4`: the letter is the column, the digit the row. Cell 0 is a1, 1 is b1, 4 is a2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// How many cells there are.
    pub const COUNT: usize = 16;

    /// Cell number `index`, if there is one.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 16 { Some(Cell(index)) } else { None }
    }

    /// Cell number `index` of 16, wrapping around.
    pub(crate) const fn wrapping(index: u32) -> Self {
        Cell((index & 15) as u8)
    }

    /// The cell in row and column 0 to 3, wrapping around.
    pub const fn at(row: u8, column: u8) -> Self {
        Cell((row & 3) << 2 | (column & 3))
    }

    /// The cell's number, 0 to 15.
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The row, 0 to 3.
    pub const fn row(self) -> u8 {
        self.0 >> 2
    }

    /// The column, 0 to 3.
    pub const fn column(self) -> u8 {
        self.0 & 3
    }

    /// The set that holds just this cell.
    pub const fn bit(self) -> CellSet {
        CellSet(1 << (self.0 & 15))
    }

    /// All cells in order.
    pub fn all() -> impl Iterator<Item = Cell> {
        (0..16).map(Cell)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.column()) as char, self.row() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of cells: bit i is cell i.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CellSet(pub u16);

impl CellSet {
    /// No cell.
    pub const EMPTY: CellSet = CellSet(0);
    /// The whole board.
    pub const ALL: CellSet = CellSet(0xffff);

    /// How many cells are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether no cell is.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `cell` is.
    pub const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    /// The cells that are not in the set.
    pub const fn complement(self) -> Self {
        CellSet(!self.0)
    }

    /// The `n`-th cell of the set, counted from 0; some cell of the board if there are fewer.
    #[inline]
    pub fn nth(self, n: u32) -> Cell {
        Cell::wrapping(nth_bit(self.0, n))
    }
}

/// By byte and `n`: the position of the `n`-th set bit of a byte, 8 if there are fewer.
const NTH: [[u8; 8]; 256] = {
    let mut table = [[8; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The position of the `n`-th set bit of `set`, counted from 0; some number if there are fewer.
///
/// By a table: `n` is mostly drawn by lot, and a loop of so many steps would be mispredicted every time.
#[inline]
pub(crate) fn nth_bit(set: u16, n: u32) -> u32 {
    let [low, high] = set.to_le_bytes();
    let before = low.count_ones();
    let (byte, n, first) = if n < before { (low, n, 0) } else { (high, n - before, 8) };
    first + u32::from(NTH[usize::from(byte)][n as usize & 7])
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        CellSet(cells.into_iter().fold(0, |set, cell| set | cell.bit().0))
    }
}

impl IntoIterator for CellSet {
    type Item = Cell;
    type IntoIter = Bits<Cell>;

    fn into_iter(self) -> Bits<Cell> {
        Bits(self.0, Cell::wrapping)
    }
}

impl fmt::Display for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, cell) in self.into_iter().enumerate() {
            write!(f, "{}{cell}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// The members of a set of 16, from the lowest bit up.
#[derive(Clone)]
pub struct Bits<T>(pub(crate) u16, pub(crate) fn(u32) -> T);

impl<T> Iterator for Bits<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some((self.1)(bit))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_bit_is_found_by_counting() {
        for set in 0..=u16::MAX {
            let counted = (0..16).filter(|bit| set >> bit & 1 != 0);
            for (n, bit) in (0..).zip(counted) {
                assert_eq!(nth_bit(set, n), bit, "{set:b} {n}");
            }
        }
    }
}
