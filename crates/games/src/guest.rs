//! Players from outside that play any game: they are shown positions without a type, and answer in words.

use crate::playable::Playable;
use crate::position::{AnyPosition, Erased};
use ::game::Stop;
use player::{Analysis, Clock, Player, PlayerError};
use std::sync::Arc;

/// Somebody who plays whatever game it is shown.
pub trait Guest: Send {
    /// Called before each game: forget the last one, and draw all chance from this seed.
    fn begin(&mut self, seed: u64);

    /// A move for the seat to move, and what there is to say about it.
    ///
    /// # Errors
    ///
    /// There is no move from it.
    fn choose(&mut self, position: Box<dyn AnyPosition>, clock: &Clock) -> Result<Analysis<String>, PlayerError>;

    /// The sign under which it works.
    fn heed(&mut self, _stop: &Stop) {}

    /// What it wrote beside its moves since it was last asked.
    fn stderr_log(&mut self) -> String {
        String::new()
    }
}

/// Makes guests, all alike: one for each thread.
pub type GuestMaker = Arc<dyn Fn() -> Box<dyn Guest> + Send + Sync>;

/// A guest at a table of a game.
pub(crate) struct Seated(pub Box<dyn Guest>);

impl<G: Playable> Player<G> for Seated {
    fn begin(&mut self, seed: u64) {
        self.0.begin(seed);
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Analysis<G::Move>, PlayerError> {
        let said = self.0.choose(Erased::boxed(position.clone()), clock)?;
        let best = position.parse_move(&said.best).map_err(|error| PlayerError::NotAMove {
            said: said.best.clone(),
            why: error.to_string(),
        })?;
        Ok(Analysis {
            value: said.value,
            score: said.score,
            solved: said.solved,
            depth: said.depth,
            nodes: said.nodes,
            time: said.time,
            ..Analysis::of_move(best)
        })
    }

    fn heed(&mut self, stop: &Stop) {
        self.0.heed(stop);
    }

    fn stderr_log(&mut self) -> String {
        self.0.stderr_log()
    }
}
