//! Exact knowledge of a game.

use game::Game;

/// Somebody who knows what positions are worth under perfect play: a solver, a book.
pub trait Oracle<G: Game>: Send + Sync {
    /// What an unfinished position is worth to its mover under perfect play: 1 a win, 0 a draw, -1 a loss. `None` if
    /// that would take too long to find out.
    fn value(&self, position: &G) -> Option<i8>;

    /// How far the game is: in Quarto, how many pieces are placed.
    fn phase(&self, position: &G) -> u32;
}
