//! The perfect player of Quarto: never leaves the value of the position, and sets traps while it is drawn. Below level 10
//! it sees only so far, as people do.

use super::decision::{Budget, Mind};
use super::traps::by_promise;
use crate::book::Book;
use crate::policy::{self, Novice};
use crate::solver::{Outcome, Solver};
use crate::tablebase::Tablebase;
use crate::{Position, Turn};
use game::{Rng, below, rng};
use player::{Analysis, Clock, OptionHelp, Options, Player, PlayerEntry, PlayerError, Score, SpecError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The highest level: perfect.
const PERFECT: u64 = 10;

/// How much it does for a turn, in boards: some 15 ms.
const EFFORT: u64 = 200_000;

/// The table each player keeps through a game: with a book to begin with, positions are small.
const MEMORY: usize = 4 << 20;

/// The table in a variant without a book, if there is as much time as this.
const MOST_MEMORY: usize = 16 * MEMORY;
const LONG: Duration = Duration::from_millis(200);

const SUMMARY: &str = "never leaves the value of the position (solver and book) and sets traps while it is drawn; below \
                       level 10 it sees only so far";
const OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "level",
        default: "10",
        help: "1 to 10: 1 and 2 slip now and then, 3 is the novice, 5, 7 and 9 see 3, 5, 7 placements ahead, 4, 6 and 8 \
               now as far as the level above, now as the one below, 10 sees all",
    },
    OptionHelp {
        key: "effort",
        default: "200000",
        help: "how many boards it may look at in search of traps, 0 to 1000000000: with this alone the same seed is the same game",
    },
    OptionHelp {
        key: "time",
        default: "none",
        help: "how long it may look for traps at most; finding out the truth may take longer, in variants without a book up to a second. \
               A clock is kept as well",
    },
    OptionHelp {
        key: "traps",
        default: "on",
        help: "on: of the turns that keep a draw, takes one that makes mistakes likely; off: any of them",
    },
];

/// The kind for the roster.
pub(crate) fn entry() -> PlayerEntry<Position> {
    PlayerEntry::new("perfect", SUMMARY, OPTIONS, |options: Options| {
        let skill = Skill::read(options)?;
        Ok(Arc::new(move || {
            Box::new(Perfect::new(skill)) as Box<dyn Player<Position>>
        }))
    })
}

/// What the options say.
#[derive(Clone, Copy)]
struct Skill {
    level: u64,
    effort: u64,
    time: Option<Duration>,
    traps: bool,
}

impl Skill {
    fn read(options: Options) -> Result<Self, SpecError> {
        Ok(Skill {
            level: options.number("level", 1, PERFECT)?.unwrap_or(PERFECT),
            effort: options.number("effort", 0, 1_000_000_000)?.unwrap_or(EFFORT),
            time: options.time("time")?,
            traps: options.word("traps", &["on", "off"])? != Some("off"),
        })
    }

    /// How many placements ahead a level sees on a bad day and on a good one, and how often in a hundred turns it does not
    /// look at all. What a player can do about a line takes two placements more each time, so sights are odd: between two
    /// of them a level has bad turns and good ones.
    fn sight(self) -> ([u32; 2], u32) {
        match self.level {
            1 => ([1, 1], 25),
            2 => ([1, 1], 10),
            3 => ([1, 1], 0),
            4 => ([1, 3], 0),
            5 => ([3, 3], 0),
            6 => ([3, 5], 0),
            7 => ([5, 5], 0),
            8 => ([5, 7], 0),
            _ => ([7, 7], 0),
        }
    }
}

struct Perfect {
    skill: Skill,
    rng: Rng,
    /// Made at the first turn, when the variant is known, and kept through the game.
    solver: Option<Solver>,
}

impl Perfect {
    fn new(skill: Skill) -> Self {
        Perfect {
            skill,
            rng: rng(0),
            solver: None,
        }
    }

    /// The solver of the game so far, or a new one.
    fn take_solver(&mut self, position: &Position, clock: &Clock) -> Result<Solver, PlayerError> {
        let rules = position.rules();
        let mut solver = match self.solver.take().filter(|solver| solver.rules() == rules) {
            Some(solver) => solver,
            None => {
                let mut solver = Solver::new(rules, MEMORY, 1)
                    .map_err(|error| PlayerError::Crash(format!("no memory for the solver's table: {error}")))?;
                solver.open_book();
                for table in Tablebase::found(rules).map_err(PlayerError::Crash)? {
                    solver.add_table(table).map_err(PlayerError::Crash)?;
                }
                solver
            }
        };
        // To get memory takes time, too.
        if Book::of(rules).is_none() && clock.time.is_none_or(|time| time >= LONG) {
            solver.make_room_for(position, MOST_MEMORY);
        }
        Ok(solver)
    }
}

impl Player<Position> for Perfect {
    fn begin(&mut self, seed: u64) {
        self.rng = rng(seed);
        // What an earlier game left in the table changes no value, but how far effort goes. Without a book time decides that anyhow.
        let fresh = |solver: &mut Solver| Book::of(solver.rules()).is_none() || solver.forget().is_ok();
        self.solver = self
            .solver
            .take()
            .and_then(|mut solver| fresh(&mut solver).then_some(solver));
    }

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Turn>, PlayerError> {
        if !position.playing() {
            return Err(PlayerError::Finished);
        }
        let solver = self.take_solver(position, clock)?;
        let (sights, slips) = self.skill.sight();
        let sight = sights[below(&mut self.rng, 2) as usize];
        let slip = self.skill.level < PERFECT && below(&mut self.rng, 100) < slips;
        let before = solver.nodes();
        let budget = Budget::new(clock, self.skill.effort, self.skill.time);
        // Before anything is proved, what looks best at sight; for who listens.
        let promising = || by_promise(position).first().map(|(turn, _)| (*turn, None));
        let so_far = Mutex::new(clock.observer.listens().then(promising).flatten());
        let told = |turn, value, sight| Analysis {
            nodes: Some(solver.nodes() - before),
            time: clock.elapsed(),
            ..analysis(position, turn, value, sight)
        };
        let look = || {
            let (turn, value) = (*so_far.lock().unwrap_or_else(PoisonError::into_inner))?;
            Some(told(turn, value, 0))
        };
        let mut mind = Mind::new(&solver, &mut self.rng, budget, self.skill.traps, &so_far);
        let found = clock.observer.watch(position, look, || {
            if slip {
                None
            } else if self.skill.level < PERFECT {
                mind.look(position, sight)
            } else {
                mind.decide(position)
            }
        });
        let (turn, value) = match found {
            Some((turn, value)) => (turn, value),
            // Nothing seen in time, or a slip: as at sight.
            None if slip => (
                policy::turn(&policy::Random, position, &mut self.rng).ok_or(PlayerError::Finished)?,
                None,
            ),
            None => (
                policy::turn(&Novice, position, &mut self.rng).ok_or(PlayerError::Finished)?,
                None,
            ),
        };
        let sight = if found.is_some() && self.skill.level < PERFECT {
            sight
        } else {
            0
        };
        let answer = told(turn, value, sight);
        self.solver = Some(solver);
        Ok(answer)
    }
}

/// A turn in words of searches: who knows the value has seen all that is left to place, else so many placements.
fn analysis(position: &Position, turn: Turn, value: Option<Outcome>, sight: u32) -> Analysis<Turn> {
    let payoff = value.map(|outcome| match outcome {
        Outcome::Win => 100.0,
        Outcome::Draw => 50.0,
        Outcome::Loss => 0.0,
    });
    Analysis {
        value: payoff,
        score: Some(Score::of_payoff(payoff.unwrap_or(50.0))),
        solved: value.is_some(),
        depth: Some(match value {
            Some(_) if sight == 0 => 16 - position.placed(),
            _ => sight,
        }),
        pv: vec![turn],
        ..Analysis::of_move(turn)
    }
}
