//! Puzzles of a game, for who shows them, makes them and proves them.
//!
//! A game that says what its puzzles are about ([`Playable::puzzle_theme`](crate::Playable::puzzle_theme)) has all of this by
//! search (`searched`); Quarto has its own.

pub(crate) mod searched;

pub use search::puzzle::{Mining, Wanted};

use crate::describe::ToSchema;
use game::GameError;
use search::Unsolved;
use serde::Serialize;
use std::collections::BTreeMap;
use thiserror::Error;

/// The puzzles of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PuzzleSet {
    /// What is to be reached: `win`, or `line` where who is asked for a win must complete a line before the other does.
    #[schema(value_type = String)]
    pub goal: &'static str,
    /// Quarto: the lines of the variant, as cells.
    pub lines: Vec<Vec<String>>,
    /// The puzzles, those of a kind beside each other.
    pub puzzles: Vec<Puzzle>,
}

/// A position with one right answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzle {
    /// What is asked: `win1`, `win2` and so on; `hold`, the only turn that does not lose; of Quarto also `draw`, `gift` or `trap`.
    pub kind: String,
    /// The position.
    pub position: String,
    /// The answer: a turn, or a cell.
    pub answer: String,
    /// How many levels of player miss it.
    pub missed: u32,
}

/// A puzzle that was found: its kind, and its line in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinedPuzzle {
    /// What it asks.
    pub kind: String,
    /// How it is written.
    pub line: String,
}

/// What proving puzzles came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedPuzzles {
    /// How many there are of each kind.
    pub kinds: BTreeMap<String, usize>,
    /// Those that are wrong, in their order, and why.
    pub wrong: Vec<(String, String)>,
}

/// What came of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Verdict)]
pub enum TryResult {
    /// Nothing was tried yet.
    Open,
    /// It was right, and there is more to do.
    Right,
    /// It was right, and that is all.
    Solved,
    /// It was wrong.
    Wrong,
}

/// Why a try was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WhyWrong {
    /// The other wins.
    Loses,
    /// The other can hold it: a draw.
    Draws,
    /// The goal is not reached in time.
    Late,
}

/// What came of a try, and how the game goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// What came of it.
    pub verdict: TryResult,
    /// Why it was wrong.
    pub why: Option<WhyWrong>,
    /// The turns that follow: the other's best defence, or how a wrong try is refuted.
    pub line: Vec<String>,
}

/// What is asked about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleQuestion {
    /// What the last of the turns came to.
    Verdict,
    /// How it is solved from there.
    Solution,
}

/// Why there are no puzzles, or no answer about one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PuzzleError {
    /// The game has none.
    #[error("there are no puzzles of this game")]
    None,
    /// None come with the program, or not so many.
    #[error("there is no such puzzle")]
    Unknown,
    /// A file that cannot be read.
    #[error("{0}")]
    Text(String),
    /// A turn that cannot be played.
    #[error(transparent)]
    Turn(#[from] GameError),
    /// The other's turns are not tried.
    #[error("it is not your turn there")]
    NotYours,
    /// It was stopped, or it cannot be solved.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
}

/// The files that are part of the program, beside Quarto's: a line each.
const SHIPPED: &[(&str, &str)] = &[
    ("tictactoe", include_str!("tictactoe.puzzles")),
    ("nim", include_str!("nim.puzzles")),
    ("connectfour", include_str!("connectfour.puzzles")),
    ("stack4", include_str!("stack4.puzzles")),
];

/// The puzzles of the game of that name that come with the program, as text; `None` if there are none.
pub(crate) fn shipped(name: &str) -> Option<&'static str> {
    let (_, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
    Some(text)
}

/// Does something for every item, on several threads; what comes of it stands in the order of the items.
pub(crate) fn on_threads<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Option<R> + Sync,
) -> Vec<(usize, R)> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let next = AtomicUsize::new(0);
    let some = || {
        let mut found = Vec::new();
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            found.extend(work(item).map(|result| (at, result)));
        }
        found
    };
    let mut found: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(some)).collect();
        let joined = threads.into_iter().map(|thread| match thread.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.flatten().collect()
    });
    found.sort_by_key(|(at, _)| *at);
    found
}

/// How many of each kind.
pub(crate) fn count(kinds: impl Iterator<Item = String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    kinds.for_each(|kind| *counts.entry(kind).or_default() += 1);
    counts
}
