//! What others may know of perfect play.

use crate::book::Book;
use crate::solver::{Outcome, Solver};
use crate::{Position, Rules};
use player::Oracle;

/// Quarto's exact solver, asked from so many pieces on.
pub struct SolverOracle {
    solver: Solver,
    from: u32,
}

impl SolverOracle {
    /// Where there is no book, an answer with fewer pieces takes long.
    const WITHOUT_BOOK: u32 = 7;

    /// The oracle of a variant; none if there is no memory for it.
    pub fn new(rules: &'static Rules) -> Option<Self> {
        let mut solver = Solver::new(rules, 64 << 20, 1).ok()?;
        solver.open_book();
        let from = match Book::of(rules) {
            Some(_) => 0,
            None => Self::WITHOUT_BOOK,
        };
        Some(SolverOracle { solver, from })
    }
}

impl Oracle<Position> for SolverOracle {
    fn value(&self, position: &Position) -> Option<i8> {
        if position.placed() < self.from {
            return None;
        }
        self.solver.outcome(position).ok().map(|outcome| match outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        })
    }

    fn phase(&self, position: &Position) -> u32 {
        position.placed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;

    #[test]
    fn quarto_knows_a_won_position_and_without_a_book_says_nothing_of_early_ones() {
        let misere = Position::new(Rules::named("quarto-misere").unwrap());
        assert_eq!(SolverOracle::new(misere.rules()).unwrap().value(&misere), None);
        let start = Position::new(Rules::standard());
        let truth = SolverOracle::new(start.rules()).unwrap();
        assert_eq!(truth.value(&start), Some(0));
        let won = start.parse("012./4.7./a..d/.... 3").unwrap();
        assert_eq!((truth.value(&won), truth.phase(&won)), (Some(1), 7));
    }
}
