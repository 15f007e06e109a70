//! What there is to see of a position, game by game.
//!
//! What a person wants to see differs from game to game: a Quarto board, a Stack Four board, the facts of a rule sheet. Every
//! other game has a plain view: its board as a grid if it has one, and as text.

pub mod gdl;
pub mod quarto;
pub mod stack4;

use crate::describe::ToSchema;
use serde::Serialize;
use std::fmt;

/// What to draw.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum View {
    /// A Quarto board.
    Quarto(quarto::QuartoView),
    /// A Stack Four board.
    Stack4(stack4::Stack4View),
    /// The facts of a GDL game.
    Gdl(gdl::GdlView),
    /// Any other game.
    Plain(PlainView),
}

impl Default for View {
    fn default() -> Self {
        View::Plain(PlainView::default())
    }
}

/// A position of a game without a stage of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct PlainView {
    /// The board, if the game has one made of rows and columns.
    pub board: Option<Grid>,
    /// The position drawn as text.
    pub text: String,
}

/// A board of rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Grid {
    /// The rows from top to bottom, each a short text a cell; an empty text for an empty cell.
    pub rows: Vec<Vec<String>>,
    /// The moves that belong to a cell: where a press on it plays that move.
    pub moves: Vec<GridMove>,
}

/// A move that belongs to a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GridMove {
    /// The move as it is played.
    pub turn: String,
    /// The row, from the top, 0 first.
    pub row: usize,
    /// The column, from the left, 0 first.
    pub column: usize,
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let width = self
            .rows
            .iter()
            .flatten()
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(1)
            .max(1);
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| format!("{:width$}", if cell.is_empty() { "." } else { cell }))
                .collect();
            writeln!(f, "{}", cells.join(" ").trim_end())?;
        }
        Ok(())
    }
}
