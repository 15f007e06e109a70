//! Players between two thoughts.
//!
//! A player may hold megabytes of tables, and there may be far more sessions than threads that think. So players do not belong to
//! sessions: whoever must think takes one from the pool, or makes one, tells it to begin anew, and puts it back. A few are kept,
//! the longest unused go.

use ::game::Game;
use parking_lot::{Mutex, MutexGuard};
use player::{Player, PlayerError};
use std::collections::VecDeque;

/// The players that nobody needs at the moment, with their specs.
type Idle<G> = VecDeque<(String, Box<dyn Player<G>>)>;

/// The idle players of one game.
pub(crate) struct PlayerPool<G: Game> {
    idle: Mutex<Idle<G>>,
    most: usize,
}

impl<G: Game> PlayerPool<G> {
    /// An empty pool. It keeps no more than can think at once, give or take a few that wait for others.
    pub fn new() -> Self {
        PlayerPool {
            idle: Mutex::default(),
            most: std::thread::available_parallelism().map_or(4, |cores| cores.get().max(4)),
        }
    }

    fn idle(&self) -> MutexGuard<'_, Idle<G>> {
        self.idle.lock()
    }

    /// Lets a player of that spec do something: one from the pool, or a new one. A player that panics is not put back.
    pub fn with<T>(
        &self,
        spec: &str,
        make: impl FnOnce() -> Box<dyn Player<G>>,
        act: impl FnOnce(&mut dyn Player<G>) -> Result<T, PlayerError>,
    ) -> Result<T, PlayerError> {
        let found = {
            let mut idle = self.idle();
            // The last one put back is the likeliest to have its tables in the processor's caches.
            let at = idle.iter().rposition(|(known, _)| known == spec);
            at.and_then(|at| idle.remove(at))
        };
        let mut player = found.map_or_else(make, |(_, player)| player);
        let result = act(player.as_mut());
        let mut idle = self.idle();
        idle.push_back((spec.into(), player));
        let gone = if idle.len() > self.most { idle.pop_front() } else { None };
        // What it held is given back without keeping others from the pool.
        drop(idle);
        drop(gone);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarto::{Position, Rules};
    use std::cell::Cell;

    #[test]
    fn a_player_is_made_once_and_the_longest_unused_goes() {
        let pool = PlayerPool {
            most: 4,
            ..PlayerPool::new()
        };
        let made = Cell::new(0);
        let ask = |name: &str| {
            let make = || {
                made.set(made.get() + 1);
                quarto::players::factory("random").unwrap().make()
            };
            let clock = player::Clock::unlimited();
            let start = Position::new(Rules::standard());
            pool.with(name, make, |player| player.choose(&start, &clock)).unwrap();
            made.get()
        };
        assert_eq!(
            ["a", "b", "a", "c", "d", "e", "a", "b"].map(ask),
            [1, 2, 2, 3, 4, 5, 5, 6]
        );
    }
}
