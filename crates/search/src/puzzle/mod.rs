//! Puzzles of any game: positions with exactly one right answer.
//!
//! - a [`Theme`] says what puzzles of a game are about: when a goal is reached, how far they go, and whether the game can be solved
//!   to its end;
//! - [`Tactics`] proves by search over all moves and replies that a goal is reached in so many turns;
//! - [`mine`] finds puzzles in games of novices, always the same ones from the same seed; a game with puzzles of another form
//!   brings its own [`Quarry`] to [`collect`];
//! - [`check`] proves one: no other move reaches the goal, and the answer does, whatever the other does.
//!
//! A file of puzzles has one a line, in four parts between bars: `win2 | POSITION | MOVE | 3`.

mod check;
mod collect;
mod mine;
mod tactics;

pub use check::{Flaw, check, classify};
pub use collect::{Mining, Quarry, Wanted, collect};
pub use mine::mine;
pub use tactics::{GoalTest, Tactics, by_outcome};

use crate::Unsolved;
use game::{Game, GameError, Stop};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PuzzleKind {
    /// The only move that reaches the goal, and reaches it in so many moves of one's own.
    Win(u32),
    /// The only move that does not lose.
    Hold,
}

impl fmt::Display for PuzzleKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            PuzzleKind::Win(turns) => write!(f, "win{turns}"),
            PuzzleKind::Hold => f.write_str("hold"),
        }
    }
}

impl FromStr for PuzzleKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turns = text.strip_prefix("win").and_then(|turns| turns.parse().ok());
        match (text, turns) {
            ("hold", _) => Ok(PuzzleKind::Hold),
            (_, Some(turns @ 1..=99)) => Ok(PuzzleKind::Win(turns)),
            _ => Err(format!(
                "`{text}` is no kind of puzzle: expected win1, win2 and so on, or hold"
            )),
        }
    }
}

/// What each move is worth to the mover, 0 to 100, by searching to the end of every game.
pub type MoveValues<G> = fn(&G, &Stop) -> Result<Vec<(<G as Game>::Move, u8)>, Unsolved>;

/// What puzzles of a game are about.
#[derive(Clone, Debug)]
pub struct Theme<G: Game> {
    /// When somebody has won.
    pub goal: GoalTest<G>,
    /// The exact values of moves. Where there are none, a puzzle asks only for what can be proved within the longest win.
    pub values: Option<MoveValues<G>>,
    /// The most moves of one's own that a win takes.
    pub longest: u32,
    /// How many moves before a game of novices ends a position of it is looked at.
    pub before_end: RangeInclusive<u32>,
    /// The same for positions that are the same puzzle, turned or mirrored.
    pub class: fn(&G) -> u64,
}

impl<G: Game> Theme<G> {
    /// All kinds that are looked for.
    pub fn kinds(&self) -> Vec<PuzzleKind> {
        (1..=self.longest)
            .map(PuzzleKind::Win)
            .chain([PuzzleKind::Hold])
            .collect()
    }
}

/// A position with one right answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle<G: Game> {
    /// What is asked.
    pub kind: PuzzleKind,
    /// Where.
    pub position: G,
    /// The answer.
    pub answer: G::Move,
    /// How many levels of player miss it.
    pub missed: u32,
}

impl<G: Game> fmt::Display for Puzzle<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (position, answer) = (self.position.print(), self.position.print_move(self.answer));
        write!(f, "{} | {position} | {answer} | {}", self.kind, self.missed)
    }
}

impl<G: Game> Puzzle<G> {
    /// Reads a line of a file of the game that `start` belongs to.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(start: &G, line: &str) -> Result<Self, String> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [kind, position, answer, missed] = parts[..] else {
            return Err("expected a kind, a position, the answer and a number, with bars between them".into());
        };
        let in_words = |error: GameError| error.to_string();
        let position = start.parse(position).map_err(in_words)?;
        let answer = position.parse_move(answer).map_err(in_words)?;
        if !position.is_legal(answer) {
            return Err(position.why_illegal(answer));
        }
        Ok(Puzzle {
            kind: kind.parse()?,
            answer,
            position,
            missed: match missed.parse() {
                Ok(missed @ 0..=99) => missed,
                _ => return Err(format!("`{missed}` levels miss it: expected a number up to 99")),
            },
        })
    }
}

/// Reads a file of puzzles: one a line, comments after `#`.
///
/// # Errors
/// Names the line that is wrong, and why.
pub fn read<G: Game>(start: &G, text: &str) -> Result<Vec<Puzzle<G>>, String> {
    read_lines(text, |line| Puzzle::parse(start, line))
}

/// The same for puzzles of any form, each read by `parse`.
///
/// # Errors
/// Names the line that is wrong, and why.
pub fn read_lines<P>(text: &str, parse: impl Fn(&str) -> Result<P, String>) -> Result<Vec<P>, String> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.split('#').next().unwrap_or_default()));
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| parse(line).map_err(|why| format!("line {number}: {why}")))
        .collect()
}

/// A number for what a game looks like from here on, as far as so many moves show: how many moves there are, where they lead, and
/// how games end, whatever the moves are called. Positions that a symmetry maps to each other have the same.
pub fn shape<G: Game>(position: &G, depth: u32) -> u64 {
    if let Some(payoffs) = position.outcome() {
        let points = payoffs.of(position.mover()).points();
        return game::mix(1, &[points.into()]);
    }
    if depth == 0 {
        return game::mix(2, &[position.legal_count() as u64]);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let after = |&mv: &G::Move| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        shape(&after, depth - 1)
    };
    let mut shapes: Vec<u64> = moves.iter().map(after).collect();
    shapes.sort_unstable();
    game::mix(3, &shapes)
}
