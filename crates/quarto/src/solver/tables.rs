//! What a solver was given to look up instead of searching it: tables of all positions with so many pieces placed.

use super::board::SolverBoard;
use super::ending::Rounds;
use super::{Exact, Outcome};
use crate::tablebase::Tablebase;
use crate::{Cell, CellSet, Piece, Position};
use std::ops::Deref;
use std::sync::Arc;

/// The tables by the number of pieces placed.
#[derive(Default)]
pub(super) struct TableSet {
    /// A bit for each number of pieces: looked at in every node.
    placed: u32,
    tables: Vec<TableRef>,
}

impl TableSet {
    pub(super) fn add(&mut self, table: Arc<Tablebase>) {
        self.placed |= 1 << table.placed();
        self.tables.push(TableRef(table));
    }

    #[inline(always)]
    pub(super) fn with(&self, placed: u32) -> Option<&TableRef> {
        match self.placed >> placed & 1 {
            0 => None,
            _ => self.find(placed),
        }
    }

    #[cold]
    fn find(&self, placed: u32) -> Option<&TableRef> {
        self.tables.iter().find(|table| table.placed() == placed)
    }
}

/// A table that is asked about boards.
pub(super) struct TableRef(Arc<Tablebase>);

impl Deref for TableRef {
    type Target = Tablebase;

    fn deref(&self) -> &Tablebase {
        &self.0
    }
}

impl TableRef {
    /// Whether the giver (or else the other) wins within `rounds`, on a board of the table.
    pub(super) fn wins<const MISERE: bool>(&self, node: &SolverBoard, giver: bool, rounds: u32) -> bool {
        let wanted = if giver { Outcome::Win } else { Outcome::Loss };
        let soon = |exact: Exact| exact.plies <= Rounds::<MISERE>::placements(giver, rounds.max(1));
        let exact = self.exact(&self.position(node));
        exact.is_some_and(|exact| exact.outcome == wanted && rounds > 0 && soon(exact))
    }

    fn position(&self, node: &SolverBoard) -> Position {
        let piece = |cell: Cell| Piece::wrapping((node.cells >> (8 * cell.index())) as u32 & 15);
        let pieces = CellSet(node.occupied).into_iter().map(|cell| (cell, piece(cell)));
        Position::from_parts(self.rules(), pieces, None)
    }
}
