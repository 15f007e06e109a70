//! The perfect player of Quarto: never leaves the value of the position, and sets traps while it is drawn. Below level 10
//! it sees only so far, as people do.

use crate::traps::{Effort, Trapper};
use crate::{Clock, Kind, OptionHelp, Options, Player, PlayerError, SpecError, Thought};
use game::{Game, Rng, below, pick, rng};
use quarto::book::edge::{self, ways};
use quarto::book::{self, Book};
use quarto::policy::{self, Novice};
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::{Position, Rules, Turn};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The highest level: perfect.
const PERFECT: u64 = 10;

/// How much it does for a turn, in boards: some 15 ms.
const EFFORT: u64 = 200_000;

/// The table each player keeps through a game: with a book to begin with, positions are small.
const MEMORY: usize = 4 << 20;

/// How much longer than for traps a level below perfect may look ahead.
const SEEING: Duration = Duration::from_millis(100);

/// How much longer than for traps it may search for the truth in a variant without a book.
const WITHOUT_BOOK: Duration = Duration::from_secs(1);

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
        help: "how long it may look for traps at most; finding out the truth may take longer, in variants without a book up to a second",
    },
    OptionHelp {
        key: "traps",
        default: "on",
        help: "on: of the turns that keep a draw, takes one that makes mistakes likely; off: any of them",
    },
];

/// The kind for the roster.
pub(crate) fn kind() -> Kind<Position> {
    Kind::new("perfect", SUMMARY, OPTIONS, |options: Options| {
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
    fn take_solver(&mut self, rules: &'static Rules) -> Result<Solver, PlayerError> {
        if let Some(solver) = self.solver.take().filter(|solver| solver.rules() == rules) {
            return Ok(solver);
        }
        let memory = if Book::of(rules).is_some() { MEMORY } else { 16 * MEMORY };
        let mut solver = Solver::new(rules, memory, 1)
            .map_err(|error| PlayerError::Crash(format!("no memory for the solver's table: {error}")))?;
        solver.open_book();
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

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Thought<Turn>, PlayerError> {
        if !position.playing() {
            return Err(PlayerError::Finished);
        }
        let solver = self.take_solver(position.rules())?;
        let (sights, slips) = self.skill.sight();
        let sight = sights[below(&mut self.rng, 2) as usize];
        let slip = self.skill.level < PERFECT && below(&mut self.rng, 100) < slips;
        let time = [clock.time, self.skill.time].into_iter().flatten().min();
        let patience = clock.started + time.unwrap_or_default();
        let before = solver.nodes();
        let mut mind = Mind {
            before,
            solver: &solver,
            rng: &mut self.rng,
            effort: Effort {
                boards: self.skill.effort,
                deadline: time.map(|time| clock.started + time),
            },
            seeing: patience + SEEING,
            give_up: Book::of(position.rules()).is_none().then_some(patience + WITHOUT_BOOK),
            traps: self.skill.traps,
        };
        let found = if slip {
            None
        } else if self.skill.level < PERFECT {
            mind.look(position, sight)
        } else {
            mind.decide(position).ok().flatten()
        };
        solver.set_deadline(None);
        solver.set_allowance(None);
        let nodes = solver.nodes() - before;
        self.solver = Some(solver);
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
        let mut thought = Thought::silent(turn);
        thought.value = value.map(|outcome| match outcome {
            Outcome::Win => 100.0,
            Outcome::Draw => 50.0,
            Outcome::Loss => 0.0,
        });
        thought.nodes = Some(nodes);
        Ok(thought)
    }
}

type Found = Option<(Turn, Option<Outcome>)>;

/// One decision.
struct Mind<'a> {
    /// What the solver had looked at before: finding out the truth counts as effort, too.
    before: u64,
    solver: &'a Solver,
    rng: &'a mut Rng,
    /// How much to look for traps.
    effort: Effort,
    /// When to stop looking as far as the level sees.
    seeing: Instant,
    /// When to stop looking for the truth itself, in variants without a book.
    give_up: Option<Instant>,
    traps: bool,
}

impl Mind<'_> {
    fn turns(&self, position: &Position) -> Vec<Turn> {
        let mut turns = Vec::new();
        position.legal_moves(&mut turns);
        turns
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, below(self.rng, i as u32 + 1) as usize);
        }
    }

    /// A turn with limited sight; where that takes long, as in variants without a book, with less.
    fn look(&mut self, position: &Position, sight: u32) -> Found {
        for sight in (1..=sight).rev().step_by(2) {
            let quick = sight <= 3;
            self.solver.set_deadline((!quick).then_some(self.seeing));
            if let Ok(found) = self.see(position, sight) {
                return found;
            }
        }
        None
    }

    /// A turn with limited sight: a win within reach of it, else any turn that does not lose within it.
    fn see(&mut self, position: &Position, sight: u32) -> Result<Found, NoAnswer> {
        let mut turns = self.turns(position);
        self.shuffle(&mut turns);
        if self.solver.wins_within(position, sight)? {
            for &turn in &turns {
                let after = played(position, turn);
                let wins = match after.outcome() {
                    Some(_) => after.completed() != position.rules().misere(),
                    None => sight > 1 && self.solver.loses_within(&after, sight - 1)?,
                };
                if wins {
                    return Ok(Some((turn, Some(Outcome::Win))));
                }
            }
        }
        for &turn in &turns {
            let after = played(position, turn);
            let loses = match after.outcome() {
                Some(_) => after.completed() && position.rules().misere(),
                None => self.solver.wins_within(&after, sight)?,
            };
            if !loses {
                return Ok(Some((turn, None)));
            }
        }
        Ok(None)
    }

    /// The perfect turn.
    fn decide(&mut self, position: &Position) -> Result<Found, NoAnswer> {
        let book = Book::of(position.rules());
        let placing = u32::from(position.hand().is_some());
        if book.is_some() && position.placed() + placing <= book::DEPTH {
            return self.decide_by_book(position);
        }
        if let Some(turn) = book.and_then(|book| book.turn(position)) {
            let drawn = self.traps && self.solver.outcome(position)? == Outcome::Draw;
            let turn = drawn
                .then(|| self.trapper().keep_alive(position))
                .flatten()
                .unwrap_or(turn);
            self.solver.set_allowance(None);
            return Ok(Some((turn, Some(self.solver.outcome(position)?))));
        }
        // Without a book, an opening cannot be solved in the time of a turn: what is not known by then is played at sight.
        self.solver.set_deadline(self.give_up);
        if !self.solver.at_least(position, Outcome::Win)?
            && let Some(turn) = self.keep_a_draw(position)
        {
            return Ok(Some((turn, Some(Outcome::Draw))));
        }
        self.solver.set_allowance(None);
        self.solver.set_deadline(self.give_up);
        self.hurry_or_delay(position)
    }

    /// Of a position that is not a draw: a turn that wins in the shortest time, or loses in the longest.
    fn hurry_or_delay(&mut self, position: &Position) -> Result<Found, NoAnswer> {
        let exact = self.solver.exact(position)?;
        let sharpest = ways(position);
        let mut turns = self.turns(position);
        if exact.plies > 2 {
            // The end is not near, so it is one of those that end nothing; the sharpest are solved fastest.
            turns = sharpest.into_iter().map(|(turn, _)| turn).collect();
        } else {
            self.shuffle(&mut turns);
        }
        for turn in turns {
            // Who gives without having placed is a placement ahead of who does both.
            let value = if position.hand().is_some() { exact } else { later(exact) };
            if edge::reaches(self.solver, position, turn, value)? {
                return Ok(Some((turn, Some(exact.outcome))));
            }
        }
        Ok(None)
    }

    /// With every turn in the book there is nothing to search but traps.
    fn decide_by_book(&mut self, position: &Position) -> Result<Found, NoAnswer> {
        let values = self.solver.turns_exactly(position)?;
        let Some(best) = values
            .iter()
            .map(|(_, value)| *value)
            .max_by_key(|value| value.preference())
        else {
            return Ok(None);
        };
        let good: Vec<Turn> = values
            .iter()
            .filter(|(_, value)| *value == best)
            .map(|(turn, _)| *turn)
            .collect();
        if best.outcome == Outcome::Draw && self.traps {
            let mut sharpest = ways(position);
            sharpest.retain(|(turn, _)| good.contains(turn));
            // Only as long as replies stand in the book too; after that the liveliest turn has to do.
            let last = sharpest.first().is_some_and(|(_, after)| after.placed() >= book::DEPTH);
            let turn = match last {
                true => self.trapper().liveliest(&sharpest),
                false => self.trapper().race(sharpest),
            };
            return Ok(turn.map(|turn| (turn, Some(Outcome::Draw))));
        }
        Ok(pick(self.rng, &good).map(|turn| (turn, Some(best.outcome))))
    }

    /// A turn that keeps a draw, with a trap if it sets any; none if the position is lost.
    fn keep_a_draw(&mut self, position: &Position) -> Option<Turn> {
        let found = match self.traps {
            true => self.trapper().set(position),
            false => ways(position)
                .into_iter()
                .find(|(_, after)| self.solver.at_least(after, Outcome::Win) == Ok(false))
                .map(|(turn, _)| turn),
        };
        // With the last piece there is nothing left to set: the game ends.
        let drawn = |turn: &Turn| {
            played(position, *turn)
                .outcome()
                .is_some_and(|end| end.winner().is_none())
        };
        found.or_else(|| self.turns(position).into_iter().find(drawn))
    }

    fn trapper(&mut self) -> Trapper<'_> {
        Trapper::new(self.solver, self.before, self.rng, self.effort, self.give_up)
    }
}

/// The same end, for who gives without having placed: a placement later than if it had.
fn later(exact: Exact) -> Exact {
    Exact {
        plies: exact.plies + 1,
        ..exact
    }
}

fn played(position: &Position, turn: Turn) -> Position {
    let mut after = *position;
    after.play_unchecked(turn);
    after
}
