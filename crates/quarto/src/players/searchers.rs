//! The players that look ahead, for Quarto: those of the reports and two more.

use super::AtSight;
use super::Judge;
use crate::heuristics::{Absolute, Almost, Heuristic, Parity, Relative, Terzo, Zero};
use crate::policy::{Novice, turn};
use crate::rollout::novice_playout;
use crate::{Position, Turn};
use game::{Payoffs, Rng};
use player::{OptionHelp, Options, Player, PlayerEntry, SpecError};
use search::players::{
    AlphaBetaPlayer, MCTS, MctsPlayer, MonteCarloPlayer, OpeningPlayer, PlayerLimits, TREE_OPTIONS, tree_settings,
};
use search::{AlphaBeta, Limits, Settings};
use std::sync::Arc;
use std::time::Duration;

/// The kinds of players, in the order of the reports.
pub(crate) fn entries() -> [PlayerEntry<Position>; 4] {
    [
        PlayerEntry::new("montecarlo", MONTECARLO, MONTECARLO_OPTIONS, montecarlo),
        PlayerEntry::new("minimax", MINIMAX, MINIMAX_OPTIONS, minimax),
        PlayerEntry::new("mcts", MCTS, MCTS_OPTIONS, mcts),
        PlayerEntry::new("alphabeta", ALPHABETA, ALPHABETA_OPTIONS, alphabeta),
    ]
}

type Made = Box<dyn Player<Position>>;
type Maker = Arc<dyn Fn() -> Made + Send + Sync>;

const POLICIES: &[&str] = &["novice", "random"];
const EVALUATIONS: &[&str] = &["zero", "almost", "absolute", "relative", "terzo", "parity"];

const POLICY: OptionHelp = OptionHelp {
    key: "policy",
    default: "novice",
    help: "who plays the games out: novice, random",
};
const EVAL: OptionHelp = OptionHelp {
    key: "eval",
    default: "absolute",
    help: "what unfinished boards are worth: zero, almost, absolute, relative (report 000), terzo (001), parity (004)",
};
const CONSTANT: OptionHelp = OptionHelp {
    key: "c",
    default: "1",
    help: "the constant C of eval=relative, 1 to 1000: stretches the values shown, changes no choice",
};
const TIME: OptionHelp = OptionHelp {
    key: "time",
    default: "none",
    help: "the clock for a turn, such as 100ms or 2s",
};

/// Report 000 says "hundreds of games for each possible action" and "the action which has led to the most wins". Where
/// it is silent: 200 games; draws count only between actions with as many wins; after that, chance decides.
const MONTECARLO: &str = "plays games after every turn and takes the one that won most, draws only breaking ties \
                          (report 000); in parallel unless the match itself is";
const MONTECARLO_OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "playouts",
        default: "200",
        help: "games for each turn, 1 to 10000000 (by default no limit where there is a clock)",
    },
    POLICY,
    TIME,
];

/// Where the reports are silent: of equally good turns any, by the seed; what the evaluations mean is told with them.
/// Report 000 plays its Monte Carlo "before the seventh piece is set on the board": the opening lasts while fewer than
/// `switch` pieces are placed, and that is also what report 004's "how many pieces to place with the novice
/// tactics before switching" says.
const MINIMAX: &str = "looks a fixed number of whole turns ahead, its own included, and takes any of the best turns \
                       (reports 000, 001, 004)";
const MINIMAX_OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "depth",
        default: "3",
        help: "whole turns to look ahead, 1 to 16",
    },
    EVAL,
    CONSTANT,
    OptionHelp {
        key: "opening",
        default: "none",
        help: "who plays the opening: none, novice, montecarlo",
    },
    OptionHelp {
        key: "switch",
        default: "7",
        help: "the opening lasts while fewer than this many pieces are placed, 0 to 16 (by default 6 with opening=novice)",
    },
    OptionHelp {
        key: "playouts",
        default: "200",
        help: "games for each turn of opening=montecarlo, played by novices",
    },
];

const MCTS_OPTIONS: &[OptionHelp] = {
    let [playouts, time, exploration, trees] = TREE_OPTIONS;
    &[playouts, time, POLICY, exploration, trees]
};

const ALPHABETA: &str = "iterative deepening alpha-beta: as deep as the clock allows, solves when it can, and holds out \
                         longest where all is lost";
const ALPHABETA_OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "time",
        default: "100ms",
        help: "the clock for a turn, such as 100ms or 2s (by default none where depth or nodes is given, or there is a clock)",
    },
    OptionHelp {
        key: "depth",
        default: "none",
        help: "the most whole turns to look ahead, 1 to 16",
    },
    OptionHelp {
        key: "nodes",
        default: "none",
        help: "the most positions to look at",
    },
    EVAL,
    CONSTANT,
];

fn montecarlo(options: Options) -> Result<Maker, SpecError> {
    let playouts = options.number("playouts", 1, 10_000_000)?.map(|games| games as u32);
    let time = options.time("time")?;
    Ok(match options.word("policy", POLICIES)? {
        Some("random") => Arc::new(move || MonteCarloPlayer::boxed(search::Random, playouts, time)),
        _ => Arc::new(move || MonteCarloPlayer::boxed(Novices, playouts, time)),
    })
}

fn minimax(options: Options) -> Result<Maker, SpecError> {
    let limits = match options.number("depth", 1, 16)? {
        Some(depth) => PlayerLimits {
            given: Limits::depth(depth as u32),
            ..PlayerLimits::default()
        },
        None => PlayerLimits {
            default: Limits::depth(3),
            ..PlayerLimits::default()
        },
    };
    // Where the rest looks a fixed number of turns ahead, the opening plays a fixed number of games.
    let playouts = options.number("playouts", 1, 10_000_000)?.unwrap_or(200) as u32;
    let settings = Settings {
        table: Some(14),
        ..Settings::default()
    };
    let rest = deep(options, settings, limits)?;
    let switch = options.number("switch", 0, 16)?;
    let opening = options
        .word("opening", &["none", "novice", "montecarlo"])?
        .unwrap_or("none");
    let (switch, opening): (u64, Maker) = match opening {
        "novice" => (switch.unwrap_or(6), Arc::new(|| AtSight::boxed(Novice))),
        "montecarlo" => (
            switch.unwrap_or(7),
            Arc::new(move || MonteCarloPlayer::boxed(Novices, Some(playouts), None)),
        ),
        _ => return Ok(rest),
    };
    Ok(Arc::new(move || {
        Box::new(OpeningPlayer {
            opening: opening(),
            rest: rest(),
            lasts: Box::new(move |position: &Position| u64::from(position.placed()) < switch),
        })
    }))
}

fn alphabeta(options: Options) -> Result<Maker, SpecError> {
    let given = Limits {
        time: options.time("time")?,
        depth: options.number("depth", 1, 16)?.map(|depth| depth as u32),
        nodes: options.number("nodes", 1, u64::MAX)?,
        ..Limits::default()
    };
    let is_limited = given.time.is_some() || given.depth.is_some() || given.nodes.is_some();
    let default = Limits {
        time: (!is_limited).then_some(Duration::from_millis(100)),
        ..Limits::default()
    };
    let limits = PlayerLimits { given, default };
    let settings = Settings {
        table: Some(18),
        hold_out: true,
        ..Settings::default()
    };
    deep(options, settings, limits)
}

fn mcts(options: Options) -> Result<Maker, SpecError> {
    let (settings, limits) = tree_settings(&options)?;
    Ok(match options.word("policy", POLICIES)? {
        Some("random") => Arc::new(move || MctsPlayer::boxed(search::Random, settings, limits.clone())),
        _ => Arc::new(move || MctsPlayer::boxed(Novices, settings, limits.clone())),
    })
}

/// An alpha-beta player with the evaluation that the options name.
fn deep(options: Options, settings: Settings, limits: PlayerLimits) -> Result<Maker, SpecError> {
    fn with<H: Heuristic>(heuristic: H, settings: Settings, limits: PlayerLimits) -> Maker {
        Arc::new(move || {
            Box::new(AlphaBetaPlayer::new(
                AlphaBeta::new(Judge(heuristic.clone()), settings),
                limits.clone(),
            ))
        })
    }
    let largest = u64::from(Relative::LARGEST);
    let c = options.number("c", 1, largest)?.unwrap_or(1) as u32;
    Ok(match options.word("eval", EVALUATIONS)?.unwrap_or(EVAL.default) {
        "zero" => with(Zero, settings, limits),
        "almost" => with(Almost, settings, limits),
        "relative" => with(Relative { c }, settings, limits),
        "terzo" => with(Terzo, settings, limits),
        "parity" => with(Parity, settings, limits),
        _ => with(Absolute, settings, limits),
    })
}

/// Plays games out as novices do, by Quarto's fast playout.
struct Novices;

impl search::Policy<Position> for Novices {
    fn choose(&self, position: &Position, _: &mut Vec<Turn>, rng: &mut Rng) -> Option<Turn> {
        turn(&Novice, position, rng)
    }

    fn playout(&self, position: &Position, _: &mut Vec<Turn>, rng: &mut Rng) -> Payoffs {
        novice_playout(position, rng)
    }
}
