//! The exact value of a position of a small game from a rule sheet.

use crate::machine::{Move, State};
use crate::{Deadline, Position};
use game::Game;
use search::{ExactSolver, Solution};
pub use search::{Unsolved, Watch};

/// A table of what is known, and how much it may hold.
#[derive(Debug)]
pub struct Solver(ExactSolver<Position, State>);

impl Solver {
    /// A solver whose table takes about `memory` bytes at most.
    ///
    /// # Errors
    ///
    /// More than two play.
    pub fn new(position: &Position, memory: usize, watch: Watch) -> Result<Self, Unsolved> {
        // A state is much smaller than all that a position knows about it.
        let key = |position: &Position| position.state().clone();
        let on_heap = size_of_val(&*position.state().0);
        ExactSolver::new(position.seats(), key, on_heap, memory, watch).map(Solver)
    }

    /// How many positions the table holds.
    pub fn positions(&self) -> usize {
        self.0.positions()
    }

    /// What the mover gets if everybody plays as well as possible.
    ///
    /// # Errors
    ///
    /// Says why that is not known.
    pub fn value(&mut self, position: &Position) -> Result<u8, Unsolved> {
        self.bound().bound(|| self.0.value(position))
    }

    /// Every legal move and what it gets the mover.
    ///
    /// # Errors
    ///
    /// Says why that is not known.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<(Move, u8)>, Unsolved> {
        self.bound().bound(|| self.0.moves(position))
    }

    /// The value of a position and of all its moves.
    ///
    /// # Errors
    ///
    /// Says why that is not known.
    pub fn solve(&mut self, position: &Position) -> Result<Solution<Move>, Unsolved> {
        self.bound().bound(|| self.0.solve(position))
    }

    /// The stop sign also ends the computation of a single position.
    fn bound(&self) -> Deadline {
        Deadline {
            stop: self.0.watch().stop.clone(),
            ..Deadline::current()
        }
    }
}
