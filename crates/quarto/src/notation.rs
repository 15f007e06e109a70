//! Positions and turns as text.
//!
//! A position is four rows, row 1 first, `.` or a hexadecimal piece, then the piece in hand or `-`:
//! `0.../..../...f/.... 5`. A turn is place and give: `a1.c`, first `-.c`, last `d3.-`.

use crate::{Cell, CellSet, Piece, Position, Rules, Turn};
use game::GameError;

pub(crate) fn print(position: &Position) -> String {
    let mut text = String::with_capacity(21);
    for cell in Cell::all() {
        if cell.index() > 0 && cell.column() == 0 {
            text.push('/');
        }
        match position.piece_at(cell) {
            Some(piece) => text += &piece.to_string(),
            None => text.push('.'),
        }
    }
    text.push(' ');
    match position.hand() {
        Some(piece) => text += &piece.to_string(),
        None => text.push('-'),
    }
    text
}

/// Reads a position. It must be one that a game could reach as far as the board tells: no piece twice, and a completed
/// line only if one placement can have completed it and nothing was given since.
pub(crate) fn parse(rules: &'static Rules, text: &str) -> Result<Position, GameError> {
    let error = |why: String| GameError::notation("position", text, why);
    let mut words = text.split_whitespace();
    let (Some(board), Some(hand), None) = (words.next(), words.next(), words.next()) else {
        return Err(error(
            "expected four rows and the piece in hand, as in `0.../..../...f/.... 5`".into(),
        ));
    };
    let pieces = parse_board(board).map_err(error)?;
    let hand = match hand {
        "-" => None,
        _ => Some(
            piece_of_word(hand)
                .ok_or_else(|| error(format!("`{hand}` is not a piece in hand: expected 0 to f, or -")))?,
        ),
    };
    if let Some(piece) = hand {
        if pieces.len() == Cell::COUNT {
            return Err(error(format!(
                "the board is full, so no piece can be in hand, but {piece} is"
            )));
        }
        if let Some((cell, _)) = pieces.iter().find(|(_, placed)| *placed == piece) {
            return Err(error(format!("piece {piece} is in hand and also on {cell}")));
        }
    }
    let position = Position::from_parts(rules, pieces.into_iter(), hand);
    check_completed_lines(&position).map_err(error)?;
    Ok(position)
}

fn parse_board(board: &str) -> Result<Vec<(Cell, Piece)>, String> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 4 {
        return Err(format!("{} rows instead of four, separated by /", rows.len()));
    }
    let mut pieces: Vec<(Cell, Piece)> = Vec::with_capacity(Cell::COUNT);
    for (row, text) in rows.into_iter().enumerate() {
        let count = text.chars().count();
        if count != 4 {
            return Err(format!("row {} (`{text}`) has {count} cells instead of four", row + 1));
        }
        for (column, symbol) in text.chars().enumerate() {
            let cell = Cell::at(row as u8, column as u8);
            if symbol == '.' {
                continue;
            }
            let piece = piece_of_symbol(symbol).ok_or_else(|| {
                format!("`{symbol}` on {cell} is not a piece: expected 0 to f, or . for an empty cell")
            })?;
            if let Some((other, _)) = pieces.iter().find(|(_, placed)| *placed == piece) {
                return Err(format!("piece {piece} is on {other} and again on {cell}"));
            }
            pieces.push((cell, piece));
        }
    }
    Ok(pieces)
}

/// A completed line ends the game at once, so all completed lines must share the cell of the last placement.
fn check_completed_lines(position: &Position) -> Result<(), String> {
    let completed = position.completed_lines();
    let Some(first) = completed.first() else {
        return Ok(());
    };
    if let Some(piece) = position.hand() {
        return Err(format!(
            "the line {first} is already complete, so no piece can be in hand, but {piece} is"
        ));
    }
    let common = completed
        .iter()
        .fold(CellSet::ALL, |common, line| CellSet(common.0 & line.0));
    if common.is_empty() {
        let all: Vec<String> = completed.iter().map(CellSet::to_string).collect();
        return Err(format!(
            "the lines {} cannot all have been completed by one placement",
            all.join(" and ")
        ));
    }
    Ok(())
}

pub(crate) fn parse_turn(text: &str) -> Result<Turn, GameError> {
    let error = |why: String| GameError::notation("turn", text, why);
    let (place, give) = text
        .split_once('.')
        .ok_or_else(|| error("expected place and give joined by a dot, as in `a1.c`, `-.c` or `d3.-`".into()))?;
    let place = match place {
        "-" => None,
        _ => Some(parse_cell(place).ok_or_else(|| error(format!("`{place}` is not a cell: expected a1 to d4, or -")))?),
    };
    let give = match give {
        "-" => None,
        _ => Some(piece_of_word(give).ok_or_else(|| error(format!("`{give}` is not a piece: expected 0 to f, or -")))?),
    };
    if place.is_none() && give.is_none() {
        return Err(error("a turn places, gives, or both".into()));
    }
    Ok(Turn { place, give })
}

fn parse_cell(text: &str) -> Option<Cell> {
    match text.as_bytes() {
        [column @ (b'a'..=b'd' | b'A'..=b'D'), row @ b'1'..=b'4'] => {
            Some(Cell::at(row - b'1', column.to_ascii_lowercase() - b'a'))
        }
        _ => None,
    }
}

fn piece_of_word(word: &str) -> Option<Piece> {
    let mut symbols = word.chars();
    let piece = piece_of_symbol(symbols.next()?)?;
    symbols.next().is_none().then_some(piece)
}

fn piece_of_symbol(symbol: char) -> Option<Piece> {
    symbol.to_digit(16).and_then(|number| Piece::new(number as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PieceSet;
    use game::Game;

    fn why(rules: &str, text: &str) -> String {
        parse(Rules::named(rules).unwrap(), text).unwrap_err().to_string()
    }

    #[test]
    fn a_turn_may_be_written_in_capitals() {
        assert_eq!(parse_turn("A1.F"), parse_turn("a1.f"));
        assert_eq!(parse_turn("D3.-").unwrap().to_string(), "d3.-");
        assert!(parse_turn("E1.F").is_err());
    }

    #[test]
    fn an_error_names_the_cell_or_piece_that_is_wrong() {
        let cases = [
            ("0.../..../...f/....", "expected four rows and the piece in hand"),
            ("0.../..../...f 5", "3 rows instead of four"),
            ("0.../...../...f/.... 5", "row 2 (`.....`) has 5 cells"),
            ("0.../.x../...f/.... 5", "`x` on b2 is not a piece"),
            ("0.../..../...0/.... 5", "piece 0 is on a1 and again on d3"),
            ("0.../..../...f/.... f", "piece f is in hand and also on d3"),
            ("0.../..../...f/.... g", "`g` is not a piece in hand"),
            ("0123/..../..../.... 5", "the line a1 b1 c1 d1 is already complete"),
            (
                "0123/4567/..../.... -",
                "cannot all have been completed by one placement",
            ),
            ("0f1e/2d3c/4b5a/6978 0", "the board is full, so no piece can be in hand"),
        ];
        for (text, expected) in cases {
            let message = why("quarto", text);
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn a_won_board_is_a_position_that_is_over() {
        let won = parse(Rules::standard(), "0123/..../..../.... -").unwrap();
        assert!(won.completed());
        assert_eq!(won.legal_count(), 0);
    }

    #[test]
    fn a_turn_error_says_what_was_expected() {
        let cases = [
            ("a1c", "joined by a dot"),
            ("e1.c", "`e1` is not a cell"),
            ("a1.g", "`g` is not a piece"),
            ("a1.10", "`10` is not a piece"),
            ("-.-", "places, gives, or both"),
        ];
        for (text, expected) in cases {
            let message = parse_turn(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn an_illegal_turn_is_refused_with_its_reason() {
        let cases = [
            ("..../..../..../.... -", "a1.c", "no piece is in hand"),
            (
                "..../..../..../.... 5",
                "-.c",
                "piece 5 is in hand and must be placed first",
            ),
            ("0.../..../..../.... 5", "a1.c", "cell a1 is taken by piece 0"),
            ("0.../..../..../.... 5", "b1.0", "piece 0 is already on the board"),
            ("0.../..../..../.... 5", "b1.5", "piece 5 is the one in hand"),
            ("0.../..../..../.... 5", "b1.-", "a piece must be given"),
            ("012./..../..../.... 3", "d1.4", "completes a line and ends the game"),
            ("012./..../..../.... 3", "d2.-", "a piece must be given"),
        ];
        for (position, turn, expected) in cases {
            let mut position = parse(Rules::standard(), position).unwrap();
            let message = position.play(parse_turn(turn).unwrap()).unwrap_err().to_string();
            assert!(message.contains(expected), "{turn}: {message}");
        }
    }

    #[test]
    fn the_pieces_left_are_those_on_neither_board_nor_hand() {
        let position = parse(Rules::standard(), "0.../..../...f/.... 5").unwrap();
        assert_eq!(position.left(), PieceSet(!(1 | 1 << 15 | 1 << 5)));
    }
}
