//! The perfect player of Quarto: never leaves the value of the position, and sets traps while it is drawn. Below level 10
//! it sees only so far, as people do.

use crate::{Clock, Kind, OptionHelp, Options, Player, PlayerError, SpecError, Thought};
use game::{Game, Rng, below, pick, rng};
use quarto::book::{self, Book};
use quarto::policy::{self, Novice};
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::{Position, Rules, Turn};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The highest level: perfect.
const PERFECT: u64 = 10;

/// The table each player keeps through a game: with a book to begin with, positions are small.
const MEMORY: usize = 4 << 20;

/// How much longer than for traps it may search for the truth in a variant without a book.
const WITHOUT_BOOK: Duration = Duration::from_secs(1);

const SUMMARY: &str = "never leaves the value of the position (solver and book) and sets traps while it is drawn; below \
                       level 10 it sees only so far";
const OPTIONS: &[OptionHelp] = &[
    OptionHelp {
        key: "level",
        default: "10",
        help: "1 to 10: 1 and 2 slip now and then, 3 is the novice, 4 to 9 see 2, 3, 4, 5, 7, 9 placements ahead, 10 all",
    },
    OptionHelp {
        key: "time",
        default: "15ms",
        help: "how long it may look for traps; finding out the truth may take longer in variants without a book",
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
    time: Duration,
    traps: bool,
}

impl Skill {
    fn read(options: Options) -> Result<Self, SpecError> {
        Ok(Skill {
            level: options.number("level", 1, PERFECT)?.unwrap_or(PERFECT),
            time: options.time("time")?.unwrap_or(Duration::from_millis(15)),
            traps: options.word("traps", &["on", "off"])? != Some("off"),
        })
    }

    /// How many placements ahead a level sees, and how often in a hundred turns it does not look at all.
    fn sight(self) -> (u32, u32) {
        match self.level {
            1 => (1, 25),
            2 => (1, 10),
            3 => (1, 0),
            4 => (2, 0),
            5 => (3, 0),
            6 => (4, 0),
            7 => (5, 0),
            8 => (7, 0),
            _ => (9, 0),
        }
    }
}

struct Perfect {
    skill: Skill,
    rng: Rng,
    /// Made at the first turn, when the variant is known, and kept through the game.
    solver: Option<Solver>,
}

/// A turn that keeps the value, and the position it leads to.
#[derive(Clone, Copy)]
struct Candidate {
    turn: Turn,
    after: Position,
    /// How likely the opponent is to go wrong at once.
    trap: f64,
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
    }

    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Thought<Turn>, PlayerError> {
        if !position.playing() {
            return Err(PlayerError::Finished);
        }
        let solver = self.take_solver(position.rules())?;
        let (sight, slips) = self.skill.sight();
        let slip = self.skill.level < PERFECT && below(&mut self.rng, 100) < slips;
        let time = clock.time.map_or(self.skill.time, |time| time.min(self.skill.time));
        let mut mind = Mind {
            solver: &solver,
            rng: &mut self.rng,
            deadline: clock.started + time,
            give_up: Book::of(position.rules())
                .is_none()
                .then(|| clock.started + time + WITHOUT_BOOK),
            traps: self.skill.traps,
        };
        let before = solver.nodes();
        let found = if slip {
            None
        } else if self.skill.level < PERFECT {
            mind.see(position, sight).ok().flatten()
        } else {
            mind.decide(position).ok().flatten()
        };
        solver.set_deadline(None);
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
    solver: &'a Solver,
    rng: &'a mut Rng,
    deadline: Instant,
    /// When to stop looking for the truth itself, in variants without a book.
    give_up: Option<Instant>,
    traps: bool,
}

impl Mind<'_> {
    fn late(&self) -> bool {
        Instant::now() >= self.deadline
    }

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
        let placing = u32::from(position.hand().is_some());
        if self.in_book(position, placing) {
            return self.decide_by_book(position);
        }
        // Without a book, an opening cannot be solved in the time of a turn: what is not known by then is played at sight.
        self.solver.set_deadline(self.give_up);
        let exact = match self.solver.outcome(position)? {
            Outcome::Draw => return self.keep_a_draw(position),
            _ => self.solver.exact(position)?,
        };
        let mut turns = self.turns(position);
        self.shuffle(&mut turns);
        let mut best: Option<(Turn, Exact)> = None;
        for turn in turns {
            let after = played(position, turn);
            let reaches = match (exact.outcome, after.outcome()) {
                (_, Some(_)) => exact.plies == 1,
                // A winner hurries: the turn must lose for the other in the placements that are left.
                (Outcome::Win, None) => self.solver.loses_within(&after, exact.plies - placing)?,
                // A loser delays: the turn must not lose any faster than it has to.
                (_, None) => !self.solver.wins_within(&after, exact.plies - placing - 1)?,
            };
            if reaches {
                best = Some((turn, exact));
                break;
            }
        }
        Ok(best.map(|(turn, exact)| (turn, Some(exact.outcome))))
    }

    fn in_book(&self, position: &Position, placing: u32) -> bool {
        position.placed() + placing <= book::DEPTH && Book::of(position.rules()).is_some()
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
        if best.outcome != Outcome::Draw || !self.traps {
            return Ok(pick(self.rng, &good).map(|turn| (turn, Some(best.outcome))));
        }
        let mut candidates = self.candidates(position, good);
        for candidate in candidates.iter_mut().take_while(|_| Instant::now() < self.deadline) {
            if self.in_book(&candidate.after, 1) {
                candidate.trap = self.trap(&candidate.after)?;
            }
        }
        candidates.sort_by(|a, b| b.trap.total_cmp(&a.trap));
        Ok(candidates
            .first()
            .map(|candidate| (candidate.turn, Some(Outcome::Draw))))
    }

    /// Of the turns that keep a draw, the one that sets the best trap as far as time allows.
    ///
    /// A turn must be proved to keep the draw before it counts. The most promising at sight come first, each with a
    /// little time; if none can be proved in it, they get more: so no single hard proof holds up the game.
    fn keep_a_draw(&mut self, position: &Position) -> Result<Found, NoAnswer> {
        let turns = self.turns(position);
        let mut open = self.candidates(position, turns);
        let mut best: Option<Candidate> = None;
        let mut slice = Duration::from_millis(2);
        while best.is_none() && !open.is_empty() {
            let mut unproved = Vec::new();
            for mut candidate in open {
                if best.is_some() && self.late() {
                    break;
                }
                self.solver.set_deadline(Some(Instant::now() + slice));
                match self.keeps_the_draw(&candidate) {
                    Err(_) => unproved.push(candidate),
                    Ok(false) => {}
                    Ok(true) => {
                        if self.traps {
                            self.solver.set_deadline(Some(self.deadline));
                            // What the look at sight said stands where there is no time for the exact figure.
                            candidate.trap = self.trap(&candidate.after).unwrap_or(candidate.trap);
                        }
                        if best.is_none_or(|best| best.trap < candidate.trap) {
                            best = Some(candidate);
                        }
                        if !self.traps {
                            break;
                        }
                    }
                }
            }
            open = unproved;
            slice *= 2;
            if self.give_up.is_some_and(|at| Instant::now() >= at) {
                break;
            }
        }
        self.solver.set_deadline(None);
        Ok(best.map(|candidate| (candidate.turn, Some(Outcome::Draw))))
    }

    fn keeps_the_draw(&self, candidate: &Candidate) -> Result<bool, NoAnswer> {
        match candidate.after.outcome() {
            Some(payoffs) => Ok(payoffs.winner().is_none()),
            None => self.solver.at_least(&candidate.after, Outcome::Win).map(|wins| !wins),
        }
    }

    /// Turns in the order in which they look like traps, at sight; equal ones, and those that symmetry makes equal, at
    /// random.
    fn candidates(&mut self, position: &Position, mut turns: Vec<Turn>) -> Vec<Candidate> {
        self.shuffle(&mut turns);
        let mut seen = std::collections::HashSet::new();
        let mut candidates: Vec<Candidate> = turns
            .into_iter()
            .map(|turn| (turn, played(position, turn)))
            .filter(|(_, after)| after.placed() > 6 || seen.insert(after.canonical_key()))
            .filter(|(_, after)| !self.gives_a_win(after))
            .map(|(turn, after)| Candidate {
                turn,
                after,
                trap: at_sight(&after),
            })
            .collect();
        candidates.sort_by(|a, b| b.trap.total_cmp(&a.trap));
        candidates
    }

    /// Whether the opponent completes a line at once, to its advantage.
    fn gives_a_win(&self, after: &Position) -> bool {
        match after.hand() {
            Some(piece) => !after.rules().misere() && !after.completing_cells(piece).is_empty(),
            None => false,
        }
    }

    /// How likely the opponent, with a piece in hand, is to go wrong with its next turn: the mean of how likely a novice
    /// is to, and of the share of mistakes among the turns that do not lose at once (where somebody who looks one turn
    /// ahead goes wrong).
    fn trap(&self, after: &Position) -> Result<f64, NoAnswer> {
        let (mut novice, mut deep, mut plausible, mut cells) = (0.0, 0.0, 0.0, 0.0);
        for cell in after.empty() {
            let board = after.placing(cell);
            if !board.playing() {
                continue;
            }
            cells += 1.0;
            let left = board.left();
            let safe = if after.rules().misere() {
                left.0
            } else {
                left.0 & !board.completing_pieces().0
            };
            if safe == 0 {
                novice += 1.0;
                continue;
            }
            let (mut lost, mut gifts) = (0.0, 0.0);
            for gift in quarto::PieceSet(safe) {
                gifts += 1.0;
                if self.solver.at_least(&board.giving(gift), Outcome::Win)? {
                    lost += 1.0;
                }
            }
            novice += lost / gifts;
            deep += lost;
            plausible += gifts;
        }
        if cells == 0.0 {
            return Ok(0.0);
        }
        let deep = if plausible == 0.0 { 1.0 } else { deep / plausible };
        Ok(0.5 * novice / cells + 0.5 * deep)
    }
}

fn played(position: &Position, turn: Turn) -> Position {
    let mut after = *position;
    after.play_unchecked(turn);
    after
}

/// How much of a trap a position looks at sight, below any exact figure that finds a mistake: the share of placements
/// after which no safe piece is left, then how few are left on average.
fn at_sight(after: &Position) -> f64 {
    if after.hand().is_none() {
        return 0.0;
    }
    let (mut stuck, mut few, mut cells) = (0.0, 0.0, 0.0);
    for cell in after.empty() {
        let board = after.placing(cell);
        if !board.playing() {
            continue;
        }
        let left = board.left();
        let safe = quarto::PieceSet(left.0 & !board.completing_pieces().0);
        cells += 1.0;
        stuck += f64::from(u8::from(safe.is_empty()));
        few += 1.0 - f64::from(safe.len()) / f64::from(left.len().max(1));
    }
    if cells == 0.0 {
        0.0
    } else {
        0.5 * stuck / cells + 0.05 * few / cells
    }
}
