//! The players that look ahead, for Quarto: those of the reports and two more.

use super::AtSight;
use super::evaluators::{self, CONSTANT, EVAL, EVEN, LEAF, ODD};
use super::half_turns::HalfTurnPlayer;
use crate::policy::{Novice, turn};
use crate::rollout::novice_playout;
use crate::{Position, Turn};
use game::{Payoffs, Rng};
use player::{OptionHelp, Options, Player, PlayerEntry, SpecError};
use search::players::{
    AlphaBetaPlayer, MCTS, MctsPlayer, MonteCarloPlayer, OpeningPlayer, PlayerLimits, TREE_OPTIONS, tree_settings,
};
use search::{Limits, Settings, TreeSettings};
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
type Maker = player::Maker<Position>;

const POLICY: OptionHelp = OptionHelp {
    key: "policy",
    default: "novice",
    help: "who plays the games out: novice, random",
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
const MINIMAX: &str = "looks a fixed number of turns ahead and takes any of the best turns (reports 000, 001, 004); unit, last, \
                       leaf, even and odd are readings of what the reports leave open";
const OPENING: OptionHelp = OptionHelp {
    key: "opening",
    default: "none",
    help: "who plays the opening: none, novice, montecarlo",
};

/// Who plays the opening of `minimax`.
#[derive(Clone, Copy)]
enum MinimaxOpening {
    None,
    Novice,
    MonteCarlo,
}

const OPENINGS: [(&str, MinimaxOpening); 3] = [
    ("none", MinimaxOpening::None),
    ("novice", MinimaxOpening::Novice),
    ("montecarlo", MinimaxOpening::MonteCarlo),
];

/// What a level of the search is: the reports speak of actions (000), of choices of "a move or a piece" (001) and of recursion
/// steps (004).
#[derive(Clone, Copy)]
enum DepthUnit {
    Turn,
    Half,
    Below,
}

const UNIT: OptionHelp = OptionHelp {
    key: "unit",
    default: "turn",
    help: "what depth counts: turn (whole turns, its own included), half (half turns, cell and gift chosen by a search each), below (whole turns after its own)",
};
const UNITS: [(&str, DepthUnit); 3] = [
    ("turn", DepthUnit::Turn),
    ("half", DepthUnit::Half),
    ("below", DepthUnit::Below),
];

/// Report 000 looks three actions ahead, and evaluates "at a moment when the opponent has made a move": it cannot do both.
const LAST: OptionHelp = OptionHelp {
    key: "last",
    default: "any",
    help: "whose turn is the last that it looks at: any (as the depth has it), opponent (one turn less where it would be its own)",
};

const MINIMAX_OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "depth",
        default: "3",
        help: "whole turns to look ahead, 1 to 16; or what unit says",
    },
    UNIT,
    LAST,
    EVAL,
    CONSTANT,
    EVEN,
    ODD,
    LEAF,
    OPENING,
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
const ALPHABETA_OPTIONS: &[OptionHelp] = {
    let [time, _, nodes] = search::players::ALPHABETA_OPTIONS;
    let depth = OptionHelp {
        key: "depth",
        default: "none",
        help: "the most whole turns to look ahead, 1 to 16",
    };
    &[time, depth, nodes, EVAL, CONSTANT, EVEN, ODD, LEAF]
};

fn montecarlo(options: Options) -> Result<Maker, SpecError> {
    let playouts = options.number("playouts", 1, 10_000_000)?.map(|games| games as u32);
    let time = options.time("time")?;
    let PolicyEntry { montecarlo, .. } = policy(&options)?;
    Ok(Arc::new(move || montecarlo(playouts, time)))
}

fn minimax(options: Options) -> Result<Maker, SpecError> {
    let depth = options.number("depth", 1, 16)?.map(|depth| depth as u32);
    let (_, unit) = options.entry(&UNIT, &UNITS, |(name, _)| name)?;
    let opponents = options.word(LAST.key, &["any", "opponent"])? == Some("opponent");
    let turns = |depth: u32| match unit {
        DepthUnit::Below => depth + 1,
        DepthUnit::Turn | DepthUnit::Half => depth,
    };
    let even = |turns: u32| if opponents { (turns - turns % 2).max(2) } else { turns };
    let limited = |depth| Limits::depth(even(turns(depth)));
    let limits = match depth {
        Some(depth) => PlayerLimits {
            given: limited(depth),
            ..PlayerLimits::default()
        },
        None => PlayerLimits {
            default: limited(3),
            ..PlayerLimits::default()
        },
    };
    // Where the rest looks a fixed number of turns ahead, the opening plays a fixed number of games.
    let playouts = options.number("playouts", 1, 10_000_000)?.unwrap_or(200) as u32;
    let settings = Settings {
        table: Some(14),
        ..Settings::default()
    };
    let rest: Maker = match unit {
        DepthUnit::Half => {
            if opponents {
                options.word(LAST.key, &["any"])?;
            }
            let (search, depth) = (evaluators::chosen(&options, settings)?, depth.unwrap_or(3));
            Arc::new(move || HalfTurnPlayer::boxed(search(), depth))
        }
        DepthUnit::Turn | DepthUnit::Below => deep(options, settings, limits)?,
    };
    let switch = options.number("switch", 0, 16)?;
    let (_, opening) = options.entry(&OPENING, &OPENINGS, |(name, _)| name)?;
    let (switch, opening): (u64, Maker) = match opening {
        MinimaxOpening::None => return Ok(rest),
        MinimaxOpening::Novice => (switch.unwrap_or(6), Arc::new(|| AtSight::boxed(Novice))),
        MinimaxOpening::MonteCarlo => (
            switch.unwrap_or(7),
            Arc::new(move || MonteCarloPlayer::boxed(Novices, Some(playouts), None)),
        ),
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
    let limits = PlayerLimits::read(&options, 16, Duration::from_millis(100))?;
    let settings = Settings {
        table: Some(18),
        hold_out: true,
        ..Settings::default()
    };
    deep(options, settings, limits)
}

fn mcts(options: Options) -> Result<Maker, SpecError> {
    let (settings, limits) = tree_settings(&options)?;
    let PolicyEntry { mcts, .. } = policy(&options)?;
    Ok(Arc::new(move || mcts(settings, limits.clone())))
}

/// An alpha-beta player with the evaluator that the options name.
fn deep(options: Options, settings: Settings, limits: PlayerLimits) -> Result<Maker, SpecError> {
    let search = evaluators::chosen(&options, settings)?;
    Ok(Arc::new(move || {
        Box::new(AlphaBetaPlayer::new(search(), limits.clone()))
    }))
}

/// Who plays games out, by name.
#[derive(Clone, Copy)]
struct PolicyEntry {
    /// What `policy=` calls it.
    name: &'static str,
    /// Flat Monte Carlo by its games.
    montecarlo: fn(Option<u32>, Option<Duration>) -> Made,
    /// A tree by its games.
    mcts: fn(TreeSettings, PlayerLimits) -> Made,
}

/// Every policy. The help of `policy=` and the players know no others.
const POLICIES: [PolicyEntry; 2] = [
    PolicyEntry {
        name: "novice",
        montecarlo: |playouts, time| MonteCarloPlayer::boxed(Novices, playouts, time),
        mcts: |settings, limits| MctsPlayer::boxed(Novices, settings, limits),
    },
    PolicyEntry {
        name: "random",
        montecarlo: |playouts, time| MonteCarloPlayer::boxed(search::Random, playouts, time),
        mcts: |settings, limits| MctsPlayer::boxed(search::Random, settings, limits),
    },
];

/// The policy that the options name.
fn policy(options: &Options) -> Result<PolicyEntry, SpecError> {
    options.entry(&POLICY, &POLICIES, |entry| entry.name)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::factory;
    use player::Clock;

    #[test]
    fn readings_of_the_depth_look_as_far_as_they_say() {
        let position = Position::new(crate::Rules::standard());
        let position = game::Game::parse(&position, "0..3/.6../..9./c... 5").unwrap();
        let depth = |spec: &str| {
            let mut player = factory(spec).unwrap().make();
            player.begin(1);
            player.choose(&position, &Clock::unlimited()).unwrap().depth
        };
        assert_eq!(depth("minimax:depth=3"), Some(3));
        assert_eq!(depth("minimax:depth=3,unit=below"), Some(4));
        assert_eq!(depth("minimax:depth=3,last=opponent"), Some(2));
        assert_eq!(depth("minimax:depth=3,unit=below,last=opponent"), Some(4));
        assert_eq!(depth("minimax:depth=1,last=opponent"), Some(2));
    }

    #[test]
    fn the_help_lists_every_policy_and_opening_and_each_makes_a_player() {
        let listed = |option: OptionHelp| option.help.split_once(": ").map(|(_, names)| names.to_owned());
        let policies = POLICIES.map(|entry| entry.name);
        assert_eq!(listed(POLICY), Some(policies.join(", ")));
        let openings = OPENINGS.map(|(name, _)| name);
        assert_eq!(listed(OPENING), Some(openings.join(", ")));
        assert!(factory("minimax:unit=half,last=opponent").is_err());
        let minimax_units = UNITS.map(|(name, _)| format!("minimax:unit={name}"));
        let searches = policies.map(|name| [format!("montecarlo:policy={name}"), format!("mcts:policy={name}")]);
        let minimax = openings.map(|name| format!("minimax:opening={name}"));
        for spec in searches.iter().flatten().chain(&minimax).chain(&minimax_units) {
            assert!(factory(spec).is_ok(), "{spec}");
        }
        for spec in ["montecarlo:policy=zebra", "mcts:policy=zebra", "minimax:opening=zebra"] {
            let refused = factory(spec).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(refused.contains("expected one of"), "{refused}");
        }
    }
}
