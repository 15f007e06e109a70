//! The players that search, for any game.

use crate::{Clock, Player, PlayerError, Thought};
use game::{Game, Rng, mix, rng};
use search::{AlphaBeta, Evaluator, Found, Limits, Mcts, MonteCarlo, Policy, TreeSettings};
use std::time::Duration;

/// The stricter of the player's own limits and its clock's.
fn limits(own: &Limits, clock: &Clock) -> Limits {
    fn stricter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
    let left = |time: Duration| time.saturating_sub(clock.elapsed());
    Limits {
        time: stricter(own.time, clock.time).map(left),
        nodes: stricter(own.nodes, clock.nodes),
        depth: stricter(own.depth, clock.depth),
    }
}

fn thought<M>(found: Found<M>) -> Result<Thought<M>, PlayerError> {
    Ok(Thought {
        mv: found.best.ok_or(PlayerError::Finished)?,
        placed_after: None,
        value: Some(found.value),
        depth: Some(found.depth),
        nodes: Some(found.nodes),
        line: found.line,
    })
}

/// Whether a search may spread over threads: not where games are already played side by side.
fn alone() -> bool {
    rayon::current_thread_index().is_none()
}

/// Plays by alpha-beta: fixed depth, or as deep as the clock allows.
pub(crate) struct Deep<G: Game, E> {
    search: AlphaBeta<G, E>,
    limits: Limits,
    rng: Rng,
}

impl<G: Game, E: Evaluator<G>> Deep<G, E> {
    pub fn new(search: AlphaBeta<G, E>, limits: Limits) -> Self {
        Deep {
            search,
            limits,
            rng: rng(0),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Player<G> for Deep<G, E> {
    fn begin(&mut self, seed: u64) {
        self.rng = rng(seed);
        self.search.clear();
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Thought<G::Move>, PlayerError> {
        let limits = limits(&self.limits, clock);
        thought(self.search.search(position, &limits, Some(&mut self.rng)))
    }
}

/// Plays by flat Monte Carlo.
pub(crate) struct Flat<P> {
    search: MonteCarlo<P>,
    limits: Limits,
    seeds: Seeds,
}

impl<P: 'static> Flat<P> {
    pub fn boxed<G: Game>(policy: P, playouts: u32, limits: Limits) -> Box<dyn Player<G>>
    where
        P: Policy<G>,
    {
        let search = MonteCarlo {
            policy,
            playouts,
            parallel: false,
        };
        Box::new(Flat {
            search,
            limits,
            seeds: Seeds::default(),
        })
    }
}

impl<G: Game, P: Policy<G>> Player<G> for Flat<P> {
    fn begin(&mut self, seed: u64) {
        self.seeds = Seeds::of(seed);
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Thought<G::Move>, PlayerError> {
        self.search.parallel = alone();
        let limits = limits(&self.limits, clock);
        thought(self.search.search(position, &limits, self.seeds.next()))
    }
}

/// Plays by Monte Carlo tree search.
pub(crate) struct Tree<P> {
    search: Mcts<P>,
    limits: Limits,
    seeds: Seeds,
}

impl<P: 'static> Tree<P> {
    pub fn boxed<G: Game>(policy: P, settings: TreeSettings, limits: Limits) -> Box<dyn Player<G>>
    where
        P: Policy<G>,
    {
        Box::new(Tree {
            search: Mcts { policy, settings },
            limits,
            seeds: Seeds::default(),
        })
    }
}

impl<G: Game, P: Policy<G>> Player<G> for Tree<P> {
    fn begin(&mut self, seed: u64) {
        self.seeds = Seeds::of(seed);
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Thought<G::Move>, PlayerError> {
        self.search.settings.parallel = alone();
        let limits = limits(&self.limits, clock);
        thought(self.search.search(position, &limits, self.seeds.next()))
    }
}

/// A seed for every search of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Seeds {
    seed: u64,
    searches: u64,
}

impl Seeds {
    fn of(seed: u64) -> Self {
        Seeds { seed, searches: 0 }
    }

    fn next(&mut self) -> u64 {
        self.searches += 1;
        mix(self.seed, &[self.searches])
    }
}

/// Plays the opening as one player and the rest as another.
pub(crate) struct Opening<G: Game> {
    pub opening: Box<dyn Player<G>>,
    pub rest: Box<dyn Player<G>>,
    /// Whether a position still belongs to the opening.
    pub lasts: Box<dyn Fn(&G) -> bool + Send>,
}

impl<G: Game> Player<G> for Opening<G> {
    fn begin(&mut self, seed: u64) {
        self.opening.begin(mix(seed, &[0]));
        self.rest.begin(mix(seed, &[1]));
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Thought<G::Move>, PlayerError> {
        let player = if (self.lasts)(position) {
            &mut self.opening
        } else {
            &mut self.rest
        };
        player.choose(position, clock)
    }
}
