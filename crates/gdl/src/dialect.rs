//! The rule sheets of games that everybody knows, written as everybody writes them.
//!
//! Engines of others then need no translator.
//!
//! | game | a move |
//! |---|---|
//! | tic-tac-toe | the square, `b2`, row 1 lowest |
//! | connect four | the column, `1` to `7`; `d` and `d3` are read, too |
//! | reversi | the square, `d3`, row 1 on top; `pass` |
//! | chess | from and to, `e2e4`, `e1g1`, `e7e8q` |
//! | checkers | the squares 1 to 32 of the books, `11-15`, `22x15x8` |

use crate::Position;
use game::{Dialect, Game};

/// A game that everybody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WellKnown {
    /// Tic-tac-toe.
    TicTacToe,
    /// Connect Four.
    ConnectFour,
    /// Reversi.
    Reversi,
    /// Chess.
    Chess,
    /// Checkers.
    Checkers,
}

/// The rule sheets that are known, by their roles and what their first legal moves look like.
static KNOWN: [(WellKnown, [&str; 2], &str); 5] = [
    (WellKnown::TicTacToe, ["x", "o"], "(mark,1,1)"),
    (WellKnown::ConnectFour, ["red", "yellow"], "(drop,1)"),
    (WellKnown::Reversi, ["black", "white"], "(put,3,4)"),
    (WellKnown::Chess, ["white", "black"], "(move,a,2,a,3)"),
    (WellKnown::Checkers, ["black", "white"], "(go,1,3,2,4)"),
];

impl WellKnown {
    /// Which of these games a rule sheet is, if it is one.
    pub fn of(position: &Position) -> Option<&'static WellKnown> {
        let first = position.start();
        let mut moves = Vec::new();
        first.legal_moves(&mut moves);
        let moves: Vec<String> = moves.into_iter().map(|mv| first.print_move(mv)).collect();
        let known = |(game, roles, mv): &'static (WellKnown, [&str; 2], &str)| {
            let same = first.machine().roles() == roles && moves.iter().any(|own| own == mv);
            let all = same && moves.iter().all(|own| game.common(own).is_some());
            all.then_some(game)
        };
        KNOWN.iter().find_map(known)
    }
}

impl Dialect for WellKnown {
    fn plain(&self, text: &str) -> String {
        let text = text.trim().to_ascii_lowercase();
        match self {
            WellKnown::ConnectFour => match text.as_bytes() {
                [column @ b'a'..=b'g'] | [column @ b'a'..=b'g', b'1'..=b'6'] => (column - b'a' + 1).to_string(),
                _ => text,
            },
            WellKnown::Reversi if ["--", "0000", "pa", "ps", "null"].contains(&text.as_str()) => "pass".into(),
            WellKnown::Checkers => text.replace(['*', ':'], "x"),
            _ => text,
        }
    }

    fn common(&self, own: &str) -> Option<String> {
        let words: Vec<&str> = own.trim_matches(['(', ')']).split(',').collect();
        let number = |text: &str| text.parse::<u8>().ok().filter(|number| (1..=8).contains(number));
        let square = |column: &str, row: &str| Some(format!("{}{row}", char::from(b'a' + number(column)? - 1)));
        match (self, words.as_slice()) {
            (WellKnown::TicTacToe, ["mark", column, row]) | (WellKnown::Reversi, ["put", column, row]) => {
                square(column, row)
            }
            (WellKnown::Reversi, ["pass"]) => Some("pass".into()),
            (WellKnown::ConnectFour, ["drop", column]) => Some((*column).into()),
            (WellKnown::Chess, ["move", from @ .., file, rank]) => Some(format!("{}{file}{rank}", from.concat())),
            (WellKnown::Chess, ["promote", from @ .., file, rank, kind]) => {
                let letter = match *kind {
                    "knight" => 'n',
                    kind => kind.chars().next()?,
                };
                Some(format!("{}{file}{rank}{letter}", from.concat()))
            }
            (WellKnown::Checkers, ["go", a, b, c, d]) => {
                let [a, b, c, d] = [number(a)?, number(b)?, number(c)?, number(d)?];
                let sign = if b.abs_diff(d) == 2 { 'x' } else { '-' };
                Some(format!("{}{sign}{}", pdn(a, b), pdn(c, d)))
            }
            _ => None,
        }
    }

    fn joins(&self) -> bool {
        *self == WellKnown::Checkers
    }
}

/// The number of a dark square in the books: 1 to 4 on Black's first row, from White's left to right.
fn pdn(column: u8, row: u8) -> u8 {
    4 * (row - 1) + (9 - column).div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_games_that_everybody_knows_are_known() {
        for (name, known) in [
            ("tictactoe", Some(WellKnown::TicTacToe)),
            ("connectfour", Some(WellKnown::ConnectFour)),
            ("reversi", Some(WellKnown::Reversi)),
            ("chess", Some(WellKnown::Chess)),
            ("checkers", Some(WellKnown::Checkers)),
            ("breakthrough", None),
            ("nim", None),
            ("quarto", None),
        ] {
            let start = Position::of_sheet(name).unwrap();
            assert_eq!(WellKnown::of(&start), known.as_ref(), "{name}");
        }
    }
}
