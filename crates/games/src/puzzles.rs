//! Puzzles of a game, for who shows them.

use serde::Serialize;
use utoipa::ToSchema;

/// The puzzles of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PuzzleSet {
    /// Quarto: the lines of the variant, as cells.
    pub lines: Vec<Vec<String>>,
    /// The puzzles, those of a kind beside each other.
    pub puzzles: Vec<Puzzle>,
}

/// A position with one right answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Puzzle {
    /// What is asked: `win1` to `win4`, `draw`, `gift` or `trap`.
    pub kind: String,
    /// The position.
    pub position: String,
    /// The answer: a turn, or a cell.
    pub answer: String,
    /// How many of nine levels of player miss it.
    pub missed: u32,
}
