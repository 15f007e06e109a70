//! The players that search, for any game.

use crate::{Clock, OptionHelp, Options, Player, PlayerError, SpecError, Thought};
use game::{Game, Rng, Stop, mix, rng};
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
        stop: clock.stop.clone(),
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

/// What Monte Carlo tree search is, for rosters.
pub(crate) const MCTS: &str = "Monte Carlo tree search (UCT) that marks proved wins, draws and losses";

/// The options of the tree search in every game: playouts, time, exploration, trees.
pub(crate) const TREE_OPTIONS: [OptionHelp; 4] = [
    OptionHelp {
        key: "playouts",
        default: "10000",
        help: "games for a turn, 1 to 1000000000 (by default no limit where a time is given)",
    },
    OptionHelp {
        key: "time",
        default: "none",
        help: "the clock for a turn, such as 100ms or 2s",
    },
    OptionHelp {
        key: "exploration",
        default: "0.35",
        help: "the weight of exploration in UCT, 0 to 10",
    },
    OptionHelp {
        key: "trees",
        default: "1",
        help: "trees grown side by side and added up, 1 to 256; in parallel unless the match itself is",
    },
];

/// What the options of the tree search say.
pub(crate) fn tree_settings(options: &Options) -> Result<(TreeSettings, Limits), SpecError> {
    let time = options.time("time")?;
    let playouts = options.number("playouts", 1, 1_000_000_000)?;
    let default = TreeSettings::default();
    let exploration = options.read("exploration", "a number from 0 to 10", |text| {
        text.parse().ok().filter(|c| (0.0..=10.0).contains(c))
    })?;
    let settings = TreeSettings {
        exploration: exploration.unwrap_or(default.exploration),
        trees: options.number("trees", 1, 256)?.unwrap_or(1) as u32,
        ..default
    };
    let limits = Limits {
        time,
        nodes: playouts.or(time.is_none().then_some(10_000)),
        ..Limits::default()
    };
    Ok((settings, limits))
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

    fn heed(&mut self, stop: &Stop) {
        self.opening.heed(stop);
        self.rest.heed(stop);
    }
}
