//! Positions and games as text.
//!
//! A position is its columns row by row, then the mover and the points of Black and White, in one word:
//!
//! ```text
//!     .,./.,.,.,./.,.,bw,b,.,./.,.,.,w,.,./.,.,.,./.,.:b:0:0
//! ```
//!
//! Rows end in `/`, columns in `,`; a column is its stones from the bottom up, `b` or `w`, or `.` if it is empty.
//! A game is its columns in the order played: `22 33 23`.

use crate::geometry::{Column, LAYERS, SIDE};
use crate::{Cells, Position};
use game::{Game, GameError, Seat};

pub(crate) fn print(position: &Position) -> String {
    let mut text = String::with_capacity(128);
    let mut before = None;
    for column in Column::all() {
        match before {
            Some(row) if row == column.row() => text.push(','),
            Some(_) => text.push('/'),
            None => {}
        }
        before = Some(column.row());
        for layer in 0..position.height(column) {
            let black = position.stones(Seat::FIRST).has(column.cell(layer));
            text.push(if black { 'b' } else { 'w' });
        }
        if position.height(column) == 0 {
            text.push('.');
        }
    }
    let mover = if position.mover() == Seat::FIRST { 'b' } else { 'w' };
    let [black, white] = position.score();
    text + &format!(":{mover}:{black}:{white}")
}

pub(crate) fn parse(text: &str) -> Result<Position, GameError> {
    let error = |why: String| GameError::notation("position", text, why);
    let fields: Vec<&str> = text.trim().split(':').collect();
    let &[board, mover, black, white] = fields.as_slice() else {
        return Err(error("expected BOARD:MOVER:BLACK POINTS:WHITE POINTS".into()));
    };
    let stones = parse_board(board).map_err(error)?;
    let points = |whose: &str, text: &str| {
        let why = |_| error(format!("{whose} points {text:?} are not a number"));
        text.parse::<u16>().map(u32::from).map_err(why)
    };
    let score = [points("Black's", black)?, points("White's", white)?];
    let position = Position::from_stones(stones, score).map_err(error)?;
    match (mover, position.mover()) {
        ("b", Seat::FIRST) | ("w", Seat::SECOND) => Ok(position),
        ("b" | "w", _) => Err(error(format!(
            "after {} stones the mover is not {mover}",
            position.moves()
        ))),
        _ => Err(error(format!("the mover {mover:?} is neither b nor w"))),
    }
}

fn parse_board(board: &str) -> Result<[Cells; 2], String> {
    let mut stones = [Cells::EMPTY; 2];
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != SIDE {
        return Err(format!("{} rows where {SIDE} were expected", rows.len()));
    }
    for (row, text) in rows.iter().enumerate() {
        let columns: Vec<Column> = Column::all().filter(|column| column.row() == row).collect();
        let stacks: Vec<&str> = text.split(',').collect();
        if stacks.len() != columns.len() {
            return Err(format!(
                "{} columns in row {row}, which has {}",
                stacks.len(),
                columns.len()
            ));
        }
        for (column, &stack) in columns.into_iter().zip(&stacks) {
            if stack.is_empty() {
                return Err(format!("column {column} is left out: an empty one is a dot"));
            }
            if stack == "." {
                continue;
            }
            for (layer, stone) in stack.chars().enumerate() {
                if layer >= LAYERS {
                    return Err(format!("more than {LAYERS} stones on column {column}"));
                }
                let seat = match stone {
                    'b' => 0,
                    'w' => 1,
                    _ => return Err(format!("{stone:?} on column {column} is neither b nor w")),
                };
                stones[seat] = stones[seat].with(column.cell(layer));
            }
        }
    }
    Ok(stones)
}

/// Plays a game written as its columns, `22 33 23`, from the empty board.
///
/// # Errors
/// [`GameError`] if a move cannot be read or is illegal; it names the move.
pub fn replay(moves: &str) -> Result<Position, GameError> {
    let mut position = Position::new();
    for word in moves.split_whitespace() {
        position.play(word.parse()?)?;
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = ".,./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:0:0";

    #[test]
    fn the_empty_board_is_one_word() {
        assert_eq!(print(&Position::new()), EMPTY);
        assert_eq!(parse(EMPTY), Ok(Position::new()));
    }

    #[test]
    fn stones_are_written_from_the_bottom_up() {
        let position = replay("22 22 23").unwrap();
        assert_eq!(
            print(&position),
            ".,./.,.,.,./.,.,bw,b,.,./.,.,.,.,.,./.,.,.,./.,.:w:0:0"
        );
    }

    #[test]
    fn every_wrong_text_is_refused_with_its_reason() {
        for (text, why) in [
            ("", "expected BOARD"),
            (".:b:0:0", "1 rows"),
            (
                ".,./.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:0:0",
                "3 columns in row 1",
            ),
            (",./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:0:0", "left out"),
            (
                "x,./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:0:0",
                "neither b nor w",
            ),
            (
                "bwbwbwb,./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:w:0:0",
                "more than 6",
            ),
            (
                "b,b/.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:0:0",
                "2 black and 0 white",
            ),
            ("b,./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:0:0", "not b"),
            (
                "b,./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:?:0:0",
                "neither b nor w",
            ),
            (
                ".,./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:100:0",
                "cannot have made",
            ),
            (".,./.,.,.,./.,.,.,.,.,./.,.,.,.,.,./.,.,.,./.,.:b:-1:0", "not a number"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(replay("22 22 22 22 22 22 22").unwrap_err().to_string().contains("full"));
        assert!(replay("22 00").is_err());
    }
}
