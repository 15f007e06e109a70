//! The state string of the report's program (003): 432 + 72 + 9 bits.
//!
//! ```text
//!     216 cells of 2 bits    00 empty, 01 black, 10 white, 11 missing; by layer, row, column
//!     24 heights of 3 bits   by row, column
//!     9 bits                 where in the 432 the last stone's cell begins; 0 (a missing cell) if there is none
//! ```
//!
//! It carries no points: they must be given to [`StateString::position`].

use crate::geometry::{Cell, Column, LAYERS, SIDE};
use crate::{Cells, Position};
use game::{GameError, Seat};

const BOARD: usize = 2 * LAYERS * SIDE * SIDE;
const HEIGHTS: usize = 3 * crate::geometry::COLUMNS;
const LAST: usize = 9;

/// Bits in a state string.
pub const STATE_STRING_BITS: usize = BOARD + HEIGHTS + LAST;

/// What a state string says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateString {
    /// The stones of Black and White.
    pub stones: [Cells; 2],
    /// The stone played last, if any was.
    pub last: Option<Cell>,
}

/// Where in the string's board the two bits of a cell begin.
fn offset(layer: usize, row: usize, col: usize) -> usize {
    2 * ((layer * SIDE + row) * SIDE + col)
}

impl StateString {
    /// The state of a position after its last move.
    pub fn new(position: &Position, last: Option<Column>) -> Self {
        let top = |column: Column| position.height(column).checked_sub(1).map(|layer| column.cell(layer));
        StateString {
            stones: [Seat::FIRST, Seat::SECOND].map(|seat| position.stones(seat)),
            last: last.and_then(top),
        }
    }

    /// The position with these stones, if those points can be theirs. Without lines they are 0:0.
    ///
    /// # Errors
    /// [`GameError`] if no game can have come to that.
    pub fn position(&self, score: [u32; 2]) -> Result<Position, GameError> {
        Position::from_stones(self.stones, score).map_err(|why| GameError::notation("state string", &self.print(), why))
    }

    /// As a text of 513 zeros and ones.
    pub fn print(&self) -> String {
        let mut text = String::with_capacity(STATE_STRING_BITS);
        let mut push = |value: usize, width: usize| {
            (0..width)
                .rev()
                .for_each(|bit| text.push(if value >> bit & 1 != 0 { '1' } else { '0' }));
        };
        for (layer, row, col) in every_cell() {
            push(
                match Column::at(row, col).map(|column| column.cell(layer)) {
                    None => 0b11,
                    Some(cell) if self.stones[0].has(cell) => 0b01,
                    Some(cell) if self.stones[1].has(cell) => 0b10,
                    Some(_) => 0b00,
                },
                2,
            );
        }
        for column in Column::all() {
            push(self.height(column), 3);
        }
        push(
            self.last
                .map_or(0, |cell| offset(cell.layer(), cell.column().row(), cell.column().col())),
            LAST,
        );
        text
    }

    /// Reads a text of 513 zeros and ones, and checks that its three parts agree.
    ///
    /// # Errors
    /// [`GameError`] if it is no state string; it names the place.
    pub fn parse(text: &str) -> Result<Self, GameError> {
        let error = |why: String| GameError::notation("state string", text, why);
        let digits = text.trim().as_bytes();
        if let Some(at) = digits.iter().position(|digit| !matches!(digit, b'0' | b'1')) {
            return Err(error(format!("bit {at} is neither 0 nor 1")));
        }
        if digits.len() != STATE_STRING_BITS {
            return Err(error(format!(
                "{} bits where {STATE_STRING_BITS} were expected",
                digits.len()
            )));
        }
        let read = |at: usize, width: usize| {
            digits[at..at + width]
                .iter()
                .fold(0, |n, &bit| n << 1 | usize::from(bit - b'0'))
        };

        let mut state = StateString {
            stones: [Cells::EMPTY; 2],
            last: None,
        };
        for (layer, row, col) in every_cell() {
            let at = offset(layer, row, col);
            match (read(at, 2), Column::at(row, col)) {
                (0b00, Some(_)) | (0b11, None) => {}
                (stone @ (0b01 | 0b10), Some(column)) => {
                    state.stones[stone - 1] = state.stones[stone - 1].with(column.cell(layer));
                }
                (bits, _) => {
                    return Err(error(format!(
                        "bits {bits:02b} at {at} for layer {layer}, cell {row}{col}"
                    )));
                }
            }
        }
        for column in Column::all() {
            let height = read(BOARD + 3 * column.index(), 3);
            if height != state.height(column) {
                return Err(error(format!(
                    "height {height} of column {column}, which holds {}",
                    state.height(column)
                )));
            }
        }
        let last = read(BOARD + HEIGHTS, LAST);
        state.last = every_cell()
            .filter(|&(layer, row, col)| offset(layer, row, col) == last)
            .find_map(|(layer, row, col)| Column::at(row, col).map(|column| column.cell(layer)));
        match state.last {
            None if last != 0 => Err(error(format!("the last stone's place {last} is no cell"))),
            Some(cell) if !(state.stones[0] | state.stones[1]).has(cell) => {
                Err(error(format!("the last stone's place {last} is empty")))
            }
            _ => Ok(state),
        }
    }

    fn height(&self, column: Column) -> usize {
        let taken = self.stones[0] | self.stones[1];
        (0..LAYERS).filter(|&layer| taken.has(column.cell(layer))).count()
    }
}

/// Layer, row and column of all 216 cells, the missing ones too.
fn every_cell() -> impl Iterator<Item = (usize, usize, usize)> {
    (0..LAYERS * SIDE * SIDE).map(|at| (at / (SIDE * SIDE), at / SIDE % SIDE, at % SIDE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay;

    #[test]
    fn the_empty_state_is_the_reports_layout() {
        let text = StateString::new(&Position::new(), None).print();
        assert_eq!(text.len(), 432 + 72 + 9);
        assert!(text.starts_with("11110000111111000000001100000000"), "{text}");
        assert!(text.ends_with(&"0".repeat(81)));
    }

    #[test]
    fn a_stone_is_in_its_cell_its_height_and_the_last_place() {
        let last = "22".parse().unwrap();
        let text = StateString::new(&replay("33 22").unwrap(), Some(last)).print();
        assert_eq!(&text[2 * 14..2 * 14 + 2], "10");
        assert_eq!(&text[2 * 21..2 * 21 + 2], "01");
        assert_eq!(&text[432 + 3 * 8..432 + 3 * 9], "001");
        assert_eq!(&text[504..], "000011100");
    }

    #[test]
    fn states_round_trip_and_broken_ones_are_refused() {
        let last = "22".parse().unwrap();
        let position = replay("33 22").unwrap();
        let state = StateString::new(&position, Some(last));
        let text = state.print();
        assert_eq!(StateString::parse(&text), Ok(state));
        assert_eq!(state.position([0, 0]), Ok(position));
        assert!(state.position([100, 0]).is_err());
        for at in 0..STATE_STRING_BITS {
            let mut broken = text.clone().into_bytes();
            broken[at] ^= 1;
            let broken = String::from_utf8(broken).unwrap();
            // A last place may be another stone's; everything else is checked.
            assert!(StateString::parse(&broken).is_err() || at >= 504, "bit {at}");
        }
        assert!(
            StateString::parse("").is_err()
                && StateString::parse(&text[1..]).is_err()
                && StateString::parse("2").is_err()
        );
    }
}
