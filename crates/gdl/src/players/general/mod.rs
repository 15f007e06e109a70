//! `general`: plays any game from its rules as well as it can.
//!
//! It looks at some random games first ([`survey`]) and picks its means:
//! - alone, it looks at every position once, the near ones first ([`single_player`]); where that does not reach the end, it grows
//!   a tree and keeps the best game it has seen;
//! - a game of two who move in turn and want opposite things is searched by alpha-beta ([`deep`]) if it is decided by what
//!   stands on the board ([`material`]), or if random games take too long to tell anything;
//! - every other game is the tree's ([`tree`], [`grow`]); where little is left of it, what is certain is looked for first
//!   ([`exact`]).

mod deep;
mod exact;
mod grow;
mod kinds;
mod lookahead;
mod mast;
mod material;
mod single_player;
mod survey;
mod switches;
mod think;
mod tree;

use crate::players::{Maker, TIME, margin};
use crate::{MachineKind, Move, Position};
use deep::Deep;
use exact::ExactSearch;
use game::Instant;
use game::{Game, Rng, below, mix, pick, rng};
use grow::{Grower, Judging};
use player::{Analysis, Clock, OptionHelp, Options, Player, PlayerError, Score, SpecError, stricter};
use single_player::SinglePlayerSearch;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use survey::Survey;
use think::{Allowed, Task};
use tree::GrowthSettings;

pub(crate) const SUMMARY: &str = "a tree that proves, judged by hundreds of random games at once; alpha-beta where pieces decide; \
                                  searches puzzles; any number of roles";
pub(crate) const OPTIONS: &[OptionHelp] = &[
    TIME,
    OptionHelp {
        key: "nodes",
        default: "none",
        help: "random games to play; on one thread the same game every time",
    },
    OptionHelp {
        key: "threads",
        default: "one a core; 1 in a match",
        help: "threads to search on, 1 to 256",
    },
    OptionHelp {
        key: "playouts",
        default: "lanes",
        help: "how random games are played: lanes (hundreds at once, one move ahead in games of two), plain (the same, without looking ahead), \
               or mast (one by one, mostly by what worked before); without a compiled machine always mast",
    },
    OptionHelp {
        key: "exploration",
        default: "0.3",
        help: "the weight of exploration in UCT, 0 to 10",
    },
    OptionHelp {
        key: "prior",
        default: "4",
        help: "how many games what a move came to anywhere counts for where it was not tried yet, 0 to 1000",
    },
    OptionHelp {
        key: "draws",
        default: "3",
        help: "so many moves are drawn at random in a random game, and what worked best of them is made, 1 to 64",
    },
    OptionHelp {
        key: "alphabeta",
        default: "auto",
        help: "auto: where what stands on the board decides the game, or random games take too long; always, or off: the tree alone",
    },
    OptionHelp {
        key: "slip",
        default: "0",
        help: "of 100 moves it makes so many without thinking, any legal one: for an opponent that can be beaten",
    },
];

pub(crate) fn prepare(options: Options) -> Result<Maker, SpecError> {
    let number = |key, most: f32| {
        options.read(key, &format!("a number from 0 to {most}"), |text| {
            text.parse().ok().filter(|number| (0.0..=most).contains(number))
        })
    };
    let default = GrowthSettings::default();
    let playouts = options.word("playouts", &["lanes", "plain", "mast"])?;
    let means = GeneralOptions {
        tree: GrowthSettings {
            exploration: number("exploration", 10.0)?.unwrap_or(default.exploration),
            prior: number("prior", 1000.0)?.unwrap_or(default.prior),
            draws: options
                .number("draws", 1, 64)?
                .map_or(default.draws, |draws| draws as u32),
            looks_ahead: playouts != Some("plain"),
        },
        time: options.time("time")?,
        nodes: options.number("nodes", 1, u64::MAX)?,
        threads: options.number("threads", 1, 256)?.map(|threads| threads as usize),
        mast: playouts == Some("mast"),
        alphabeta: match options.word("alphabeta", &["auto", "always", "off"])? {
            Some("always") => AlphaBetaUse::Always,
            Some("off") => AlphaBetaUse::Never,
            _ => AlphaBetaUse::Auto,
        },
        slip: options.number("slip", 0, 100)?.unwrap_or(0),
    };
    Ok(Arc::new(move || {
        Box::new(General {
            means,
            survey: None,
            memory: Memory::default(),
            seed: 0,
            searches: 0,
            slips: rng(0),
        })
    }))
}

/// What the options allow.
#[derive(Clone, Copy, Debug)]
struct GeneralOptions {
    time: Option<Duration>,
    nodes: Option<u64>,
    threads: Option<usize>,
    mast: bool,
    alphabeta: AlphaBetaUse,
    /// So many of 100 moves are made without thinking.
    slip: u64,
    tree: GrowthSettings,
}

/// Where alpha-beta searches instead of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AlphaBetaUse {
    Auto,
    Always,
    Never,
}

/// What is kept from one move of a game to the next.
#[derive(Default)]
struct Memory {
    grower: Option<Grower>,
    deep: Option<Deep>,
    /// Where little is left of a game of two: what is certain.
    exact: ExactSearch,
    /// Alone: all that was looked at.
    single_player: SinglePlayerSearch,
    /// Alone: the positions to come and what to play there, and what it will be worth.
    plan: VecDeque<(Position, Move)>,
    promised: u8,
    /// Whether nothing better than the plan is possible.
    certain: bool,
}

/// Sets the chance of slips apart from that of searches.
const SLIPS: u64 = 0x511b;

struct General {
    means: GeneralOptions,
    survey: Option<Survey>,
    memory: Memory,
    seed: u64,
    searches: u64,
    /// What decides when it slips.
    slips: Rng,
}

impl General {
    /// As many threads as were asked for; else one a core, unless games are already played side by side.
    fn threads(&self) -> usize {
        let alone = search::players::alone();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.means.threads.unwrap_or_else(|| if alone { cores() } else { 1 })
    }

    fn judging(&self, position: &Position) -> Judging {
        // Whoever plays alone wants to know how the best game went, which hundreds at once do not tell.
        let at_once = position.machine().kind() == MachineKind::Compiled && position.seats() > 1;
        if at_once && !self.means.mast {
            Judging::Lanes
        } else {
            Judging::Singly
        }
    }
}

impl Player<Position> for General {
    fn begin(&mut self, seed: u64) {
        // What the survey saw holds for every game by the same rules.
        self.memory = Memory::default();
        self.seed = seed;
        self.searches = 0;
        self.slips = rng(mix(seed, &[SLIPS]));
    }

    fn prepare(&mut self, position: &Position, clock: &Clock) {
        // The tree is kept, and what the others may do is in it, too.
        let _ = self.choose(position, clock);
    }

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Move>, PlayerError> {
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        match legal[..] {
            [] => return Err(PlayerError::Finished),
            [only] => return Ok(Analysis::of_move(only)),
            _ => (),
        }
        if self.means.slip > 0
            && u64::from(below(&mut self.slips, 100)) < self.means.slip
            && let Some(any) = pick(&mut self.slips, &legal)
        {
            return Ok(Analysis::of_move(any));
        }
        let nodes = stricter(self.means.nodes, clock.nodes);
        let second = (clock.time.is_none() && nodes.is_none()).then_some(Duration::from_secs(1));
        let time = stricter(self.means.time.or(second), clock.time);
        let mut left = time.map(|time| time.saturating_sub(margin(time)).saturating_sub(clock.elapsed()));
        let mut analysis = self.think(position, left, nodes, clock);
        // Without end: each time as long again as all before, upon the same tree, as long as there is something to find.
        while clock.infinite && self.means.time.is_none() && nodes.is_none() && !clock.stop.is_raised() {
            clock.observer.tell(position, &told(&analysis, clock.elapsed()));
            let began = Instant::now();
            left = left.map(|left| left.saturating_mul(2).min(LONGEST));
            analysis = self.think(position, left, nodes, clock);
            if left.is_some_and(|left| began.elapsed() < left / 2) {
                break;
            }
        }
        Ok(Analysis {
            score: analysis.score.or(analysis.value.map(Score::of_payoff)),
            ..analysis
        })
    }
}

/// The longest that is thought in one piece where there is no clock.
const LONGEST: Duration = Duration::from_secs(600);

/// How it stands, for who watches.
fn told(analysis: &Analysis<Move>, time: Duration) -> Analysis<Move> {
    Analysis {
        depth: analysis.depth.or(Some(0)),
        score: Some(Score::of_payoff(analysis.value.unwrap_or(50.0))),
        nodes: analysis.nodes.or(Some(0)),
        time,
        ..analysis.clone()
    }
}

impl General {
    /// Thinks once, where there is a choice.
    fn think(
        &mut self,
        position: &Position,
        left: Option<Duration>,
        nodes: Option<u64>,
        clock: &Clock,
    ) -> Analysis<Move> {
        self.searches += 1;
        let allowed = Allowed {
            left,
            nodes,
            threads: self.threads(),
            stop: clock.stop.clone(),
            observer: clock.observer.clone(),
        };
        let mut task = Task::new(position, allowed, mix(self.seed, &[self.searches]));
        let survey = self.survey.take().filter(|survey| survey.start == position.start());
        let survey = survey.unwrap_or_else(|| Survey::new(&position.start(), &task.until(0.15)));
        task.winner_takes_all(survey.zero_sum);
        let judging = self.judging(position);
        let growth = GrowthSettings {
            looks_ahead: self.means.tree.looks_ahead && survey.is_duel(),
            ..self.means.tree
        };
        let grower = self.memory.grower.get_or_insert_with(|| Grower::new(judging, growth));
        if position.seats() == 1 {
            let found = task.single_player(&mut self.memory);
            self.survey = Some(survey);
            return found.unwrap_or_else(|| task.any());
        }
        let usable = survey.is_duel() && self.means.alphabeta != AlphaBetaUse::Never && !clock.stop.is_raised();
        let deep = usable.then(|| self.memory.deep.get_or_insert_with(|| Deep::new(&survey)));
        let always = self.means.alphabeta == AlphaBetaUse::Always;
        match deep {
            Some(deep) if always => task.deepen(deep),
            Some(deep) => {
                let by_depth = deep.by_material || task.has_no_time_for_games(judging);
                let exact = &mut self.memory.exact;
                exact.value_facts(deep.worth());
                let small = task.is_small(exact);
                let won = small.is_some_and(|left| task.is_won_by(exact, left));
                if by_depth {
                    if !won {
                        task.deepen(deep);
                        task.check(exact);
                    }
                } else if !(won || (!task.is_certain() && task.is_proved_by(deep))) {
                    task.tree(grower);
                    task.last_look(grower, deep);
                    if small.is_some() {
                        task.hold(grower, exact);
                    }
                    task.hold_out(grower, deep);
                }
            }
            None => task.tree(grower),
        }
        // What was seen in too much of a hurry is not kept.
        self.survey = Some(survey).filter(|_| !clock.stop.is_raised());
        task.answer(grower)
    }
}
