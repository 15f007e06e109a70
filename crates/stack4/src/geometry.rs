//! The board: 24 columns of 6 cells on a square without its corners, and the 336 lines in it.
//!
//! ```text
//!         0  1  2  3  4  5   column digit
//!     0         .  .
//!     1      .  .  .  .
//!     2   .  .  .  .  .  .
//!     3   .  .  .  .  .  .
//!     4      .  .  .  .
//!     5         .  .
//!   row digit
//! ```
//!
//! Columns are numbered row by row, 0 to 23. Every table here is computed by the compiler from the shape above.

use crate::Cells;
use game::GameError;
use std::fmt;
use std::str::FromStr;

/// Columns on the board.
pub const COLUMNS: usize = 24;
/// Stones that fit on a column, and so layers on the board.
pub const LAYERS: usize = 6;
/// The side of the square, missing corners counted.
pub const SIDE: usize = 6;
/// Lines of four on the board.
pub const LINES: usize = 336;
/// One more than the largest cell number: a layer takes 32 numbers, of which 24 are cells.
pub const CELL_NUMBERS: usize = LAYERS * 32;
/// The symmetries of the square.
pub const SYMMETRIES: usize = 8;
/// The most lines that run through one cell.
pub const MOST_THROUGH: usize = 22;

/// A column of the board, written as its row and column digit: `22`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

impl Column {
    /// Column number `index`, row by row, if there are that many.
    pub const fn new(index: usize) -> Option<Column> {
        if index < COLUMNS {
            Some(Column(index as u8))
        } else {
            None
        }
    }

    /// The column at a row and a column digit, unless it is missing there.
    pub const fn at(row: usize, col: usize) -> Option<Column> {
        if row < SIDE && col < SIDE && COLUMN_AT[row][col] != MISSING {
            Some(Column(COLUMN_AT[row][col]))
        } else {
            None
        }
    }

    /// Its number, row by row.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its row digit.
    pub const fn row(self) -> usize {
        PLACE[self.0 as usize].0
    }

    /// Its column digit.
    pub const fn col(self) -> usize {
        PLACE[self.0 as usize].1
    }

    /// Its cell on a layer, 0 being the bottom.
    pub const fn cell(self, layer: usize) -> Cell {
        Cell((layer << 5) as u8 | self.0)
    }

    /// All columns, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Column> + ExactSizeIterator {
        (0..COLUMNS as u8).map(Column)
    }

    /// Where one of the eight symmetries of the square takes it.
    pub const fn transform(self, symmetry: usize) -> Column {
        Column(IMAGE[symmetry][self.0 as usize])
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.row(), self.col())
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Column {
    type Err = GameError;

    fn from_str(text: &str) -> Result<Self, GameError> {
        let error = |why: &str| GameError::notation("column", text, why);
        let &[row, col] = text.as_bytes() else {
            return Err(error("expected a row digit and a column digit, as in 22"));
        };
        if !(b'0'..b'6').contains(&row) || !(b'0'..b'6').contains(&col) {
            return Err(error("expected two digits from 0 to 5, row first"));
        }
        let column = Column::at((row - b'0').into(), (col - b'0').into());
        column.ok_or_else(|| error("the corners of the board are missing: 00 01 04 05 10 15 40 45 50 51 54 55"))
    }
}

/// A cell: its layer in the high bits, its column in the low five.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Its number, `32 * layer + column`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its layer, 0 being the bottom.
    pub const fn layer(self) -> usize {
        (self.0 >> 5) as usize
    }

    /// Its column.
    pub const fn column(self) -> Column {
        Column(self.0 & 31)
    }

    /// The cell with that number, which must be one.
    pub(crate) const fn from_index(index: usize) -> Cell {
        debug_assert!(index < CELL_NUMBERS && index % 32 < COLUMNS);
        Cell(index as u8)
    }
}

/// How a line runs through the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Orientation {
    /// Straight up a column.
    Vertical,
    /// In a layer, along a row or a column of the square.
    Horizontal,
    /// Diagonal in a plane: in a layer, or upward along a row or a column of the square.
    Planar,
    /// Diagonal in space.
    Space,
}

/// Four cells in a row.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The cells from one end to the other, never downward.
    pub cells: [Cell; 4],
    /// Its orientation.
    pub orientation: Orientation,
}

/// The lines through a cell, as numbers into [`LINE`].
#[derive(Clone, Copy)]
pub struct Through {
    lines: [u16; MOST_THROUGH],
    count: usize,
}

impl Through {
    /// The numbers of the lines.
    #[inline]
    pub fn lines(&self) -> &[u16] {
        &self.lines[..self.count]
    }
}

/// What else a stone needs, line by line: for each line through a cell, its three other cells.
pub(crate) struct OtherCells {
    masks: [Cells; MOST_THROUGH],
    count: usize,
}

impl OtherCells {
    #[inline]
    pub(crate) fn masks(&self) -> &[Cells] {
        &self.masks[..self.count]
    }
}

/// All lines.
pub static LINE: [Line; LINES] = lines();

/// The lines through each cell, by cell number.
pub static THROUGH: [Through; CELL_NUMBERS] = through();

pub(crate) static OTHERS: [OtherCells; CELL_NUMBERS] = others();

const MISSING: u8 = u8::MAX;
const PLACE: [(usize, usize); COLUMNS] = places();
const COLUMN_AT: [[u8; SIDE]; SIDE] = column_at();
const IMAGE: [[u8; COLUMNS]; SYMMETRIES] = images();

/// The thirteen directions as (layer, row, column), one of each opposite pair.
pub(crate) const DIRECTIONS: [(isize, isize, isize); 13] = [
    (1, 0, 0),
    (0, 0, 1),
    (0, 1, 0),
    (0, 1, 1),
    (0, 1, -1),
    (1, 0, 1),
    (1, 0, -1),
    (1, 1, 0),
    (1, -1, 0),
    (1, 1, 1),
    (1, 1, -1),
    (1, -1, 1),
    (1, -1, -1),
];

/// The corners that are cut off are three cells each: those fewer than two steps from a corner of the square.
const fn on_board(row: usize, col: usize) -> bool {
    const fn from_edge(at: usize) -> usize {
        if at < SIDE / 2 { at } else { SIDE - 1 - at }
    }
    from_edge(row) + from_edge(col) >= 2
}

const fn places() -> [(usize, usize); COLUMNS] {
    let mut places = [(0, 0); COLUMNS];
    let (mut at, mut count) = (0, 0);
    while at < SIDE * SIDE {
        if on_board(at / SIDE, at % SIDE) {
            places[count] = (at / SIDE, at % SIDE);
            count += 1;
        }
        at += 1;
    }
    places
}

const fn column_at() -> [[u8; SIDE]; SIDE] {
    let mut at = [[MISSING; SIDE]; SIDE];
    let mut column = 0;
    while column < COLUMNS {
        at[PLACE[column].0][PLACE[column].1] = column as u8;
        column += 1;
    }
    at
}

/// Symmetry number s mirrors the columns if s & 1, then the rows if s & 2, then swaps rows and columns if s & 4.
const fn images() -> [[u8; COLUMNS]; SYMMETRIES] {
    let mut images = [[0; COLUMNS]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut column = 0;
        while column < COLUMNS {
            let (mut row, mut col) = PLACE[column];
            if symmetry & 1 != 0 {
                col = SIDE - 1 - col;
            }
            if symmetry & 2 != 0 {
                row = SIDE - 1 - row;
            }
            if symmetry & 4 != 0 {
                (row, col) = (col, row);
            }
            images[symmetry][column] = COLUMN_AT[row][col];
            column += 1;
        }
        symmetry += 1;
    }
    images
}

/// The line that starts in a column on a layer and runs in a direction, if it stays on the board.
const fn line_from(layer: usize, column: usize, direction: (isize, isize, isize)) -> Option<Line> {
    let (up, down_rows, along) = direction;
    let mut cells = [Cell(0); 4];
    let mut step = 0;
    while step < 4 {
        let layer = layer as isize + step as isize * up;
        let row = PLACE[column].0 as isize + step as isize * down_rows;
        let col = PLACE[column].1 as isize + step as isize * along;
        if layer >= LAYERS as isize || row < 0 || col < 0 {
            return None;
        }
        match Column::at(row as usize, col as usize) {
            Some(column) => cells[step] = column.cell(layer as usize),
            None => return None,
        }
        step += 1;
    }
    let orientation = match (up != 0, (down_rows != 0) as u8 + (along != 0) as u8) {
        (true, 0) => Orientation::Vertical,
        (false, 1) => Orientation::Horizontal,
        (true, 2) => Orientation::Space,
        _ => Orientation::Planar,
    };
    Some(Line { cells, orientation })
}

pub(crate) const fn lines() -> [Line; LINES] {
    let mut lines = [Line {
        cells: [Cell(0); 4],
        orientation: Orientation::Vertical,
    }; LINES];
    let mut count = 0;
    let mut direction = 0;
    while direction < DIRECTIONS.len() {
        let mut start = 0;
        while start < LAYERS * COLUMNS {
            if let Some(line) = line_from(start / COLUMNS, start % COLUMNS, DIRECTIONS[direction]) {
                lines[count] = line;
                count += 1;
            }
            start += 1;
        }
        direction += 1;
    }
    assert!(count == LINES);
    lines
}

const fn through() -> [Through; CELL_NUMBERS] {
    let lines = lines();
    let mut through = [Through {
        lines: [0; MOST_THROUGH],
        count: 0,
    }; CELL_NUMBERS];
    let mut line = 0;
    while line < LINES {
        let mut i = 0;
        while i < 4 {
            let cell = lines[line].cells[i].index();
            through[cell].lines[through[cell].count] = line as u16;
            through[cell].count += 1;
            i += 1;
        }
        line += 1;
    }
    through
}

const fn others() -> [OtherCells; CELL_NUMBERS] {
    let lines = lines();
    let through = through();
    let mut others = [const {
        OtherCells {
            masks: [Cells::EMPTY; MOST_THROUGH],
            count: 0,
        }
    }; CELL_NUMBERS];
    let mut cell = 0;
    while cell < CELL_NUMBERS {
        let mut i = 0;
        while i < through[cell].count {
            let line = lines[through[cell].lines[i] as usize];
            let mut mask = Cells::EMPTY;
            let mut j = 0;
            while j < 4 {
                if line.cells[j].index() != cell {
                    mask = mask.with(line.cells[j]);
                }
                j += 1;
            }
            others[cell].masks[i] = mask;
            i += 1;
        }
        others[cell].count = through[cell].count;
        cell += 1;
    }
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_lines_are_72_vertical_96_horizontal_132_planar_and_36_in_space() {
        let count = |orientation| LINE.iter().filter(|line| line.orientation == orientation).count();
        assert_eq!(
            [
                Orientation::Vertical,
                Orientation::Horizontal,
                Orientation::Planar,
                Orientation::Space
            ]
            .map(count),
            [72, 96, 132, 36]
        );
        let distinct: HashSet<_> = LINE.iter().map(|line| line.cells).collect();
        assert_eq!(distinct.len(), LINES);
    }

    #[test]
    fn exactly_the_twelve_corner_columns_are_missing() {
        let missing: Vec<String> = (0..36)
            .filter(|at| Column::at(at / 6, at % 6).is_none())
            .map(|at| format!("{}{}", at / 6, at % 6))
            .collect();
        assert_eq!(missing.join(" "), "00 01 04 05 10 15 40 45 50 51 54 55");
        assert_eq!(Column::at(6, 0), None);
    }

    #[test]
    fn every_symmetry_permutes_the_lines() {
        let sorted = |cells: [Cell; 4]| {
            let mut cells = cells;
            cells.sort();
            cells
        };
        let all: HashSet<_> = LINE.iter().map(|line| sorted(line.cells)).collect();
        for symmetry in 0..SYMMETRIES {
            let image = |cell: Cell| cell.column().transform(symmetry).cell(cell.layer());
            let images: HashSet<_> = LINE.iter().map(|line| sorted(line.cells.map(image))).collect();
            assert_eq!(images, all, "symmetry {symmetry}");
        }
    }

    #[test]
    fn a_column_reads_back_as_it_is_written_and_nothing_else_does() {
        for column in Column::all() {
            assert_eq!(column.to_string().parse(), Ok(column));
        }
        for wrong in ["", "2", "222", "00", "62", "26", "2x", "é"] {
            assert!(wrong.parse::<Column>().is_err(), "{wrong}");
        }
    }
}
