//! What the arena may know of perfect play, game by game.

use game::Game;
use quarto::book::Book;
use quarto::solver::{Outcome, Solver};
use quarto::{Position, Rules};

/// Somebody who knows what positions are worth.
pub trait Truth<G: Game>: Send + Sync {
    /// What an unfinished position is worth to its mover under perfect play: 1 a win, 0 a draw, -1 a loss. `None` if
    /// that would take too long to find out.
    fn value(&self, position: &G) -> Option<i8>;

    /// How far the game is: in Quarto, how many pieces are placed.
    fn phase(&self, position: &G) -> u32;
}

/// Quarto's exact solver, asked from so many pieces on.
pub(crate) struct Solved {
    solver: Solver,
    from: u32,
}

impl Solved {
    /// Where there is no book, an answer with fewer pieces takes long.
    const WITHOUT_BOOK: u32 = 7;

    pub fn new(rules: &'static Rules) -> Option<Self> {
        let mut solver = Solver::new(rules, 64 << 20, 1).ok()?;
        solver.open_book();
        let from = match Book::of(rules) {
            Some(_) => 0,
            None => Self::WITHOUT_BOOK,
        };
        Some(Solved { solver, from })
    }
}

impl Truth<Position> for Solved {
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
    use crate::Playable;

    #[test]
    fn quarto_knows_a_won_position_and_without_a_book_says_nothing_of_early_ones() {
        let misere = Position::new(Rules::named("quarto-misere").unwrap());
        assert_eq!(misere.truth().unwrap().value(&misere), None);
        let start = Position::new(Rules::standard());
        let truth = start.truth().unwrap();
        assert_eq!(truth.value(&start), Some(0));
        let won = start.parse("012./4.7./a..d/.... 3").unwrap();
        assert_eq!((truth.value(&won), truth.phase(&won)), (Some(1), 7));
    }
}
