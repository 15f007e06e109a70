//! The players that search, for any game.

use crate::{AlphaBeta, Evaluator, Limits, Mcts, MonteCarlo, Policy, Searcher, Settings, TreeSettings};
use game::{Game, Rng, Stop, mix, rng};
use player::{Analysis, Clock, OptionHelp, Options, Player, PlayerEntry, PlayerError, SpecError, stricter};
use std::sync::Arc;
use std::time::Duration;

/// What limits a player's searches.
#[derive(Clone, Debug, Default)]
pub struct PlayerLimits {
    /// What its options say: never exceeded.
    pub given: Limits,
    /// What counts where neither its options nor its clock say anything.
    pub default: Limits,
}

impl PlayerLimits {
    /// What the options `time`, `nodes` and `depth` say, the last from 1 to `deepest`; where they say nothing, `time` by default.
    ///
    /// # Errors
    ///
    /// Says which option cannot be read.
    pub fn read(options: &Options, deepest: u64, time: Duration) -> Result<Self, SpecError> {
        let given = Limits {
            time: options.time("time")?,
            nodes: options.number("nodes", 1, u64::MAX)?,
            depth: options.number("depth", 1, deepest)?.map(|depth| depth as u32),
            ..Limits::default()
        };
        let unlimited = given.time.is_none() && given.nodes.is_none() && given.depth.is_none();
        let default = Limits {
            time: unlimited.then_some(time),
            ..Limits::default()
        };
        Ok(PlayerLimits { given, default })
    }

    /// The limits of one search: the stricter of what the options and the clock say, or else the default.
    pub fn under(&self, clock: &Clock) -> Limits {
        let default = &self.default;
        let time = default.time.filter(|_| !clock.is_set() && clock.depth.is_none());
        let nodes = default.nodes.filter(|_| !clock.is_set());
        let depth = default.depth.filter(|_| clock.depth.is_none());
        let left = |time: Duration| time.saturating_sub(clock.elapsed());
        Limits {
            time: stricter(stricter(self.given.time, time), clock.time).map(left),
            nodes: stricter(stricter(self.given.nodes, nodes), clock.nodes),
            depth: stricter(stricter(self.given.depth, depth), clock.depth),
            stop: clock.stop.clone(),
        }
    }
}

/// Whether a search may spread over threads: not where games are already played side by side.
pub fn alone() -> bool {
    rayon::current_thread_index().is_none()
}

/// Plays by alpha-beta: fixed depth, or as deep as the clock allows.
pub struct AlphaBetaPlayer<G: Game> {
    search: Box<dyn Searcher<G>>,
    limits: PlayerLimits,
    rng: Rng,
}

impl<G: Game> AlphaBetaPlayer<G> {
    /// Plays with this search.
    pub fn new(search: Box<dyn Searcher<G>>, limits: PlayerLimits) -> Self {
        AlphaBetaPlayer {
            search,
            limits,
            rng: rng(0),
        }
    }
}

impl<G: Game> Player<G> for AlphaBetaPlayer<G> {
    fn begin(&mut self, seed: u64) {
        self.rng = rng(seed);
        self.search.clear();
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Analysis<G::Move>, PlayerError> {
        let limits = self.limits.under(clock);
        let mut hear = |analysis| clock.observer.tell(position, &analysis);
        self.search
            .search_observed(position, &limits, Some(&mut self.rng), &mut hear)
            .ok_or(PlayerError::Finished)
    }

    fn move_probabilities(&mut self, position: &G) -> Option<Vec<(G::Move, f64)>> {
        let limits = self.limits.under(&Clock::unlimited());
        // What time or nodes end is not known beforehand.
        let depth = limits
            .depth
            .filter(|_| limits.time.is_none() && limits.nodes.is_none())?;
        Some(equally_likely(self.search.best_moves(position, depth)))
    }
}

/// Moves that are as likely as each other.
pub fn equally_likely<M>(moves: Vec<M>) -> Vec<(M, f64)> {
    let each = 1.0 / moves.len().max(1) as f64;
    moves.into_iter().map(|mv| (mv, each)).collect()
}

/// Plays by flat Monte Carlo.
pub struct MonteCarloPlayer<P> {
    search: MonteCarlo<P>,
    /// Games for each turn, if its options say so.
    playouts: Option<u32>,
    limits: PlayerLimits,
    seeds: Seeds,
}

/// Games for each turn of flat Monte Carlo, where nobody says anything else.
const PLAYOUTS: u32 = 200;

impl<P: 'static> MonteCarloPlayer<P> {
    /// Plays out games by `policy`: so many for each move, or as many as the time allows.
    pub fn boxed<G: Game>(policy: P, playouts: Option<u32>, time: Option<Duration>) -> Box<dyn Player<G>>
    where
        P: Policy<G>,
    {
        let search = MonteCarlo {
            policy,
            playouts: PLAYOUTS,
            parallel: false,
        };
        let given = Limits {
            time,
            ..Limits::default()
        };
        Box::new(MonteCarloPlayer {
            search,
            playouts,
            limits: PlayerLimits {
                given,
                ..PlayerLimits::default()
            },
            seeds: Seeds::default(),
        })
    }
}

impl<G: Game, P: Policy<G>> Player<G> for MonteCarloPlayer<P> {
    fn begin(&mut self, seed: u64) {
        self.seeds = Seeds::of(seed);
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Analysis<G::Move>, PlayerError> {
        self.search.parallel = alone();
        let by_default = if clock.is_set() { u32::MAX } else { PLAYOUTS };
        self.search.playouts = self.playouts.unwrap_or(by_default);
        let limits = self.limits.under(clock);
        let hear = |analysis| clock.observer.tell(position, &analysis);
        let hear: Option<&dyn Fn(_)> = clock.observer.listens().then_some(&hear);
        self.search
            .search_observed(position, &limits, self.seeds.next(), hear)
            .ok_or(PlayerError::Finished)
    }
}

/// What Monte Carlo tree search is, for rosters.
pub const MCTS: &str = "Monte Carlo tree search (UCT) that marks proved wins, draws and losses";

/// The options of the tree search in every game: playouts, time, exploration, trees.
pub const TREE_OPTIONS: [OptionHelp; 4] = [
    OptionHelp {
        key: "playouts",
        default: "10000",
        help: "games for a turn, 1 to 1000000000 (by default no limit where there is a clock)",
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
///
/// # Errors
/// [`SpecError`] if an option has a value that it does not take.
pub fn tree_settings(options: &Options) -> Result<(TreeSettings, PlayerLimits), SpecError> {
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
    let given = Limits {
        time,
        nodes: playouts,
        ..Limits::default()
    };
    let default = Limits {
        nodes: (playouts.is_none() && time.is_none()).then_some(10_000),
        ..Limits::default()
    };
    Ok((settings, PlayerLimits { given, default }))
}

/// Plays by Monte Carlo tree search.
pub struct MctsPlayer<P> {
    search: Mcts<P>,
    limits: PlayerLimits,
    seeds: Seeds,
}

impl<P: 'static> MctsPlayer<P> {
    /// Plays out games by `policy`.
    pub fn boxed<G: Game>(policy: P, settings: TreeSettings, limits: PlayerLimits) -> Box<dyn Player<G>>
    where
        P: Policy<G>,
    {
        Box::new(MctsPlayer {
            search: Mcts { policy, settings },
            limits,
            seeds: Seeds::default(),
        })
    }
}

impl<G: Game, P: Policy<G>> Player<G> for MctsPlayer<P> {
    fn begin(&mut self, seed: u64) {
        self.seeds = Seeds::of(seed);
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Analysis<G::Move>, PlayerError> {
        self.search.settings.parallel = alone();
        let limits = self.limits.under(clock);
        let hear = |analysis| clock.observer.tell(position, &analysis);
        let hear: Option<&(dyn Fn(_) + Sync)> = clock.observer.listens().then_some(&hear);
        self.search
            .search_observed(position, &limits, self.seeds.next(), hear)
            .ok_or(PlayerError::Finished)
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
pub struct OpeningPlayer<G: Game> {
    /// Who plays the opening.
    pub opening: Box<dyn Player<G>>,
    /// Who plays the rest.
    pub rest: Box<dyn Player<G>>,
    /// Whether a position still belongs to the opening.
    pub lasts: Box<dyn Fn(&G) -> bool + Send>,
}

impl<G: Game> Player<G> for OpeningPlayer<G> {
    fn begin(&mut self, seed: u64) {
        self.opening.begin(mix(seed, &[0]));
        self.rest.begin(mix(seed, &[1]));
    }

    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Analysis<G::Move>, PlayerError> {
        let player = if (self.lasts)(position) {
            &mut self.opening
        } else {
            &mut self.rest
        };
        player.choose(position, clock)
    }

    fn move_probabilities(&mut self, position: &G) -> Option<Vec<(G::Move, f64)>> {
        match (self.lasts)(position) {
            true => self.opening.move_probabilities(position),
            false => self.rest.move_probabilities(position),
        }
    }

    fn heed(&mut self, stop: &Stop) {
        self.opening.heed(stop);
        self.rest.heed(stop);
    }
}

/// The player of any game that plays any legal move.
pub fn random_entry<G: Game>() -> PlayerEntry<G> {
    PlayerEntry::new("random", "any legal move", &[], |_| {
        Ok(Arc::new(|| {
            let (rng, buffer) = (rng(0), Vec::new());
            Box::new(RandomPlayer::<G::Move> { rng, buffer })
        }))
    })
}

/// Monte Carlo tree search for any game.
pub fn mcts_entry<G: Game>() -> PlayerEntry<G> {
    PlayerEntry::new("mcts", MCTS, &TREE_OPTIONS, |options| {
        let (settings, limits) = tree_settings(&options)?;
        Ok(Arc::new(move || {
            MctsPlayer::boxed(crate::Random, settings, limits.clone())
        }))
    })
}

/// Alpha-beta for any game that has an evaluator.
pub fn alphabeta_entry<G: Game, E: Evaluator<G> + Default + 'static>() -> PlayerEntry<G> {
    PlayerEntry::new("alphabeta", ALPHABETA, &ALPHABETA_OPTIONS, |options| {
        let limits = PlayerLimits::read(&options, 64, Duration::from_millis(100))?;
        Ok(Arc::new(move || {
            let search = AlphaBeta::new(E::default(), Settings::default());
            Box::new(AlphaBetaPlayer::new(Box::new(search), limits.clone()))
        }))
    })
}

const ALPHABETA: &str = "iterative deepening alpha-beta: as deep as the clock allows, and solves when it can";

/// The options of alpha-beta in every game: time, depth, nodes.
pub const ALPHABETA_OPTIONS: [OptionHelp; 3] = [
    OptionHelp {
        key: "time",
        default: "100ms",
        help: "the clock for a turn, such as 100ms or 2s (by default none where depth or nodes is given, or there is a clock)",
    },
    OptionHelp {
        key: "depth",
        default: "none",
        help: "the most moves to look ahead, 1 to 64",
    },
    OptionHelp {
        key: "nodes",
        default: "none",
        help: "the most positions to look at",
    },
];

/// Plays any legal move, as the game's own [`Game::random_move`] does.
struct RandomPlayer<M> {
    rng: Rng,
    buffer: Vec<M>,
}

impl<G: Game> Player<G> for RandomPlayer<G::Move> {
    fn begin(&mut self, seed: u64) {
        self.rng = rng(seed);
    }

    fn reads_clock(&self) -> bool {
        false
    }

    fn choose(&mut self, position: &G, _: &Clock) -> Result<Analysis<G::Move>, PlayerError> {
        let mv = position.random_move(&mut self.rng, &mut self.buffer);
        mv.map(Analysis::of_move).ok_or(PlayerError::Finished)
    }
}
