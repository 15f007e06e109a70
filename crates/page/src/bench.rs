//! Players between two thoughts.
//!
//! A player may hold megabytes of tables, and a page has far more tables than threads that think. So players do not sit
//! at tables: whoever must think takes one from the bench, or makes one, tells it to begin anew, and puts it back. A few
//! are kept, the longest unused go.

use players::{Player, PlayerError};
use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The players that nobody needs at the moment.
pub struct Bench {
    idle: Mutex<VecDeque<(String, Box<dyn Any + Send>)>>,
    most: usize,
}

impl Bench {
    /// A bench for so many.
    pub fn new(most: usize) -> Self {
        Bench {
            idle: Mutex::default(),
            most,
        }
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<(String, Box<dyn Any + Send>)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a player of that name do something: one from the bench, or a new one. A player that panics is not put back.
    pub fn with<G: game::Game, T>(
        &self,
        name: &str,
        make: impl FnOnce() -> Box<dyn Player<G>>,
        act: impl FnOnce(&mut dyn Player<G>) -> Result<T, PlayerError>,
    ) -> Result<T, PlayerError> {
        let found = {
            let mut idle = self.idle();
            // The last one put back is the likeliest to have its tables in the processor's caches.
            let at = idle.iter().rposition(|(known, _)| known == name);
            at.and_then(|at| idle.remove(at))
        };
        let mut player = match found.and_then(|(_, player)| player.downcast::<Box<dyn Player<G>>>().ok()) {
            Some(player) => player,
            None => Box::new(make()),
        };
        let result = act(player.as_mut().as_mut());
        let mut idle = self.idle();
        idle.push_back((name.into(), player));
        let gone = if idle.len() > self.most { idle.pop_front() } else { None };
        // What it held is given back without keeping others from the bench.
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
        let bench = Bench::new(2);
        let made = Cell::new(0);
        let ask = |name: &str| {
            let make = || {
                made.set(made.get() + 1);
                players::recipe::<Position>("random").unwrap().make()
            };
            let clock = players::Clock::unlimited();
            bench
                .with(name, make, |player| {
                    player.choose(&Position::new(Rules::standard()), &clock)
                })
                .unwrap();
            made.get()
        };
        assert_eq!(
            [ask("a"), ask("b"), ask("a"), ask("c"), ask("a"), ask("b")],
            [1, 2, 2, 3, 3, 4]
        );
    }
}
