//! Puzzles: positions with exactly one right answer, found and proved by the exact solver.
//!
//! - a [`Puzzle`] is a position, what is asked there ([`PuzzleKind`]), the one [`PuzzleAnswer`], and how many levels of player miss it;
//! - `mine` finds them in games of novices, always the same ones from the same seed;
//! - `check` proves one: no other answer reaches the goal, and a win is played out against every defence.
//!
//! A file of puzzles has one a line: `win2 3..8/.6../..d./2... 5 c3.7 4`. Some come with the program ([`shipped`]).

mod check;
mod mine;

pub use check::{Flaw, answers, check};
pub use mine::mine;
pub use search::puzzle::{Mining, Wanted};

use crate::{Cell, Position, Rules, Turn};
use game::{Game, GameError};
use std::fmt;
use std::str::FromStr;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PuzzleKind {
    /// The only turn that wins, and wins in so many turns of one's own.
    Win(u32),
    /// The only cell that draws: on every other the piece in hand loses.
    Draw,
    /// The only piece that can be given without losing.
    Gift,
    /// The only turn that does not lose, among several that look as safe.
    Trap,
}

impl PuzzleKind {
    /// All that are looked for.
    pub const ALL: [PuzzleKind; 7] = [
        PuzzleKind::Win(1),
        PuzzleKind::Win(2),
        PuzzleKind::Win(3),
        PuzzleKind::Win(4),
        PuzzleKind::Draw,
        PuzzleKind::Gift,
        PuzzleKind::Trap,
    ];
}

impl fmt::Display for PuzzleKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PuzzleKind::Win(turns) => write!(f, "win{turns}"),
            PuzzleKind::Draw => f.write_str("draw"),
            PuzzleKind::Gift => f.write_str("gift"),
            PuzzleKind::Trap => f.write_str("trap"),
        }
    }
}

impl FromStr for PuzzleKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = PuzzleKind::ALL.into_iter().find(|kind| kind.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is no kind of puzzle: expected win1 to win4, draw, gift or trap"))
    }
}

/// What answers a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PuzzleAnswer {
    /// A whole turn, or without a piece in hand the piece to give.
    Turn(Turn),
    /// A cell; several pieces can be given then.
    Cell(Cell),
}

impl PuzzleAnswer {
    /// Whether a turn gives this answer.
    pub fn is_in(self, turn: Turn) -> bool {
        match self {
            PuzzleAnswer::Turn(answer) => turn == answer,
            PuzzleAnswer::Cell(cell) => turn.place == Some(cell),
        }
    }
}

impl fmt::Display for PuzzleAnswer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PuzzleAnswer::Turn(turn) => turn.fmt(f),
            PuzzleAnswer::Cell(cell) => cell.fmt(f),
        }
    }
}

/// A position with one right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// What is asked.
    pub kind: PuzzleKind,
    /// Where.
    pub position: Position,
    /// The answer.
    pub answer: PuzzleAnswer,
    /// How many of the levels 1 to 9 of the player `perfect` miss it.
    pub missed: u32,
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Puzzle {
            kind,
            position,
            answer,
            missed,
        } = self;
        write!(f, "{kind} {} {answer} {missed}", position.print())
    }
}

impl Puzzle {
    /// Reads a line of a file.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(rules: &'static Rules, line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind, board, hand, answer, missed] = words[..] else {
            return Err(
                "expected a kind, a position, the answer and a level, as in `win2 3..8/.6../..d./2... 5 c3.7 4`".into(),
            );
        };
        let in_words = |error: GameError| error.to_string();
        let position = Position::new(rules)
            .parse(&format!("{board} {hand}"))
            .map_err(in_words)?;
        Ok(Puzzle {
            kind: kind.parse()?,
            position,
            answer: match answer.contains('.') {
                true => PuzzleAnswer::Turn(position.parse_move(answer).map_err(in_words)?),
                false => match position.parse_move(&format!("{answer}.-")).map_err(in_words)?.place {
                    Some(cell) => PuzzleAnswer::Cell(cell),
                    None => return Err(format!("`{answer}` is no answer: expected a cell or a turn")),
                },
            },
            missed: match missed.parse() {
                Ok(missed @ 0..=9) => missed,
                _ => return Err(format!("`{missed}` levels miss it: expected 0 to 9")),
            },
        })
    }
}

/// Reads a file of puzzles: one a line, comments after `#`.
///
/// # Errors
/// Names the line that is wrong, and why.
pub fn read(rules: &'static Rules, text: &str) -> Result<Vec<Puzzle>, String> {
    search::puzzle::read_lines(text, |line| Puzzle::parse(rules, line))
}

/// The files that are part of the program: a line each. In a browser they arrive as files of their own; see [`provide`].
#[cfg(not(target_arch = "wasm32"))]
const SHIPPED: &[(&str, &str)] = &[
    ("quarto", include_str!("quarto.puzzles")),
    ("quarto-squares", include_str!("quarto-squares.puzzles")),
];

#[cfg(target_arch = "wasm32")]
static ARRIVED: [(&str, std::sync::OnceLock<String>); 2] = [
    ("quarto", std::sync::OnceLock::new()),
    ("quarto-squares", std::sync::OnceLock::new()),
];

/// Whether puzzles of a variant come with the program; in a browser they may still have to arrive.
#[cfg(target_arch = "wasm32")]
pub fn are_shipped(rules: &Rules) -> bool {
    ARRIVED.iter().any(|(name, _)| *name == rules.name())
}

/// Whether puzzles of a variant come with the program.
#[cfg(not(target_arch = "wasm32"))]
pub fn are_shipped(rules: &Rules) -> bool {
    shipped(rules).is_some()
}

/// Brings the puzzles of a variant that have arrived as a file. True if that variant has some.
#[cfg(target_arch = "wasm32")]
pub fn provide(name: &str, text: &str) -> bool {
    let found = ARRIVED.iter().find(|(known, _)| *known == name);
    found.is_some_and(|(_, arrived)| !arrived.get_or_init(|| text.into()).is_empty())
}

/// The puzzles of a variant that come with the program, as text; `None` if there are none.
#[cfg(target_arch = "wasm32")]
pub fn shipped(rules: &Rules) -> Option<&'static str> {
    let (_, text) = ARRIVED.iter().find(|(name, _)| *name == rules.name())?;
    text.get().map(String::as_str)
}

/// The puzzles of a variant that come with the program, as text; `None` if there are none.
#[cfg(not(target_arch = "wasm32"))]
pub fn shipped(rules: &Rules) -> Option<&'static str> {
    let (_, text) = SHIPPED.iter().find(|(name, _)| *name == rules.name())?;
    Some(text)
}
