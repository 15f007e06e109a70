//! How a game is played out.

use game::{Game, Payoffs, Rng};

/// A way to play games to their end, quickly.
pub trait Policy<G: Game>: Send + Sync {
    /// The next move; `None` only if the game is over. `buffer` is scratch space.
    fn choose(&self, position: &G, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> Option<G::Move>;

    /// Plays to the end. Games whose boards allow something faster than move after move should do it.
    fn playout(&self, position: &G, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> Payoffs {
        let mut position = position.clone();
        loop {
            if let Some(payoffs) = position.outcome() {
                return payoffs;
            }
            match self.choose(&position, buffer, rng) {
                Some(mv) => position.play_unchecked(mv),
                // Only a game that breaks the contract of `Game` gets here; it counts as a draw.
                None => return Payoffs::draw(),
            }
        }
    }
}

/// Plays as the game's own [`Game::random_move`] does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Policy<G> for Random {
    fn choose(&self, position: &G, buffer: &mut Vec<G::Move>, rng: &mut Rng) -> Option<G::Move> {
        position.random_move(rng, buffer)
    }
}
