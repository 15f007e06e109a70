//! Traps: of the turns that keep a draw, which one makes the opponent most likely to go wrong?
//!
//! Three opponents are imagined. A novice places anywhere and gives any piece that does not lose at once. Somebody who looks
//! a few turns ahead makes any turn that does not lose within [`SIGHT`] placements; `examples/traps.rs` shows that
//! shallow searches err much like that: never within their sight, and beyond it nearly as if they chose blindly. The third
//! is such a search itself, asked a few times what it would do about the most promising traps.
//!
//! To know how a turn would do, every reply to it must be solved, and early in the game there is not time for all of all
//! turns. So they race: each gets a few replies, drawn at random, and whenever time runs faster than the race, the worse
//! half drops out. Time that is left in the end is for what comes after the replies that hold: the next trap.

use crate::Judge;
use game::{Game, Rng, below};
use quarto::book::edge::ways;
use quarto::heuristics::Absolute;
use quarto::solver::{NoAnswer, Outcome, Solver};
use quarto::{PieceSet, Position, Turn};
use search::{AlphaBeta, Limits, Settings};
use std::time::{Duration, Instant};

/// How many placements ahead, after its own turn, an opponent that looks ahead is taken to see.
const SIGHT: u32 = 3;

/// How much the novice counts against those who look ahead: little, because a novice errs soon anyhow.
const NOVICE: f64 = 0.2;

/// How much the search counts, where it was asked.
const SHALLOW: f64 = 0.5;

/// How many turns the search looks ahead, and how often it is asked: of equally good turns it makes any.
const DEPTH: u32 = 3;
const TIMES: usize = 3;

/// Replies looked at in each round of the race.
const ROUND: usize = 6;

/// How many of the most promising turns are looked at more closely.
const FINALISTS: usize = 5;

/// With how many pieces placed, when the opponent is to move, it pays to look on: before that it takes too long, and from
/// [`SEES_ALL`] less two on there is nothing to see.
const LOOK_ON_FROM: u32 = 7;

/// From this many pieces on somebody who sees [`SIGHT`] placements ahead errs no more.
const SEES_ALL: u32 = 11;

/// The search that is asked what it would do.
pub(crate) struct Shallow(AlphaBeta<Position, Judge<Absolute>>);

impl Shallow {
    pub fn new() -> Self {
        let settings = Settings {
            table: Some(12),
            ..Settings::default()
        };
        Shallow(AlphaBeta::new(Judge(Absolute), settings))
    }

    /// What it would do here, as chance will have it.
    fn turn(&mut self, position: &Position, rng: &mut Rng) -> Option<Turn> {
        self.0.search(position, &Limits::depth(DEPTH), Some(rng)).best
    }
}

/// What is needed to set a trap.
pub(crate) struct Trapper<'a> {
    /// Who knows what replies are worth.
    pub solver: &'a Solver,
    /// One of the opponents that are imagined.
    pub shallow: &'a mut Shallow,
    /// When to stop looking.
    pub deadline: Instant,
    /// When to stop even without a turn that is known to keep the draw.
    pub give_up: Option<Instant>,
    /// In which order replies are looked at.
    pub rng: &'a mut Rng,
}

impl Trapper<'_> {
    fn late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// A turn that keeps the draw of this position, after which the opponent is likely to go wrong. `None` if none was
    /// found before giving up.
    ///
    /// A turn must be proved to keep the draw before it counts. The sharpest come first, each with a little time; if none
    /// can be proved in it, they get more: so no single hard proof holds up the game.
    pub fn set(&mut self, position: &Position) -> Option<Turn> {
        let began = Instant::now();
        // Proofs may take half of the time; the other half is for the race.
        let half = began + self.deadline.saturating_duration_since(began) / 2;
        let mut open = ways(position);
        let mut proved = Vec::new();
        let mut slice = Duration::from_millis(2);
        while proved.is_empty() && !open.is_empty() {
            let mut unproved = Vec::new();
            for (turn, after) in open {
                if !proved.is_empty() && Instant::now() >= half {
                    break;
                }
                self.solver.set_deadline(Some(Instant::now() + slice));
                match self.solver.at_least(&after, Outcome::Win) {
                    Err(_) => unproved.push((turn, after)),
                    Ok(true) => {}
                    Ok(false) => proved.push((turn, after)),
                }
            }
            open = unproved;
            slice *= 2;
            if self.give_up.is_some_and(|at| Instant::now() >= at) {
                break;
            }
        }
        self.race(proved)
    }

    /// The turn that wins the race. All must keep the draw.
    pub fn race(&mut self, turns: Vec<(Turn, Position)>) -> Option<Turn> {
        let mut runners: Vec<Trap> = turns
            .into_iter()
            .map(|(turn, after)| Trap::new(turn, after, self.rng))
            .collect();
        self.solver.set_deadline(Some(self.deadline));
        // Out of time: what is known by then decides.
        let _ = self.run(&mut runners);
        self.solver.set_deadline(None);
        let best = runners
            .into_iter()
            .reduce(|best, other| match other.worth() > best.worth() {
                true => other,
                false => best,
            });
        best.map(|trap| trap.turn)
    }

    fn run(&mut self, runners: &mut Vec<Trap>) -> Result<(), NoAnswer> {
        let began = Instant::now();
        let time = self.deadline.saturating_duration_since(began);
        let replies = |runners: &[Trap]| runners.iter().map(|trap| trap.replies.len()).sum::<usize>();
        let mut looked = 0;
        while runners.iter().any(|trap| !trap.whole()) {
            for trap in runners.iter_mut() {
                for _ in 0..ROUND.min(trap.replies.len()) {
                    if self.late() {
                        return Err(NoAnswer::Stopped);
                    }
                    trap.look(self.solver)?;
                    looked += 1;
                }
            }
            runners.sort_by(|a, b| b.odds().total_cmp(&a.odds()));
            let needed = began
                .elapsed()
                .mul_f64(1.0 + replies(runners) as f64 / f64::from(looked.max(1)));
            if needed > time {
                runners.truncate(FINALISTS.max(runners.len() / 2));
            }
        }
        for trap in runners.iter_mut().filter(|trap| trap.fools_a_search()) {
            for _ in 0..TIMES {
                if self.late() {
                    return Err(NoAnswer::Stopped);
                }
                let Some(turn) = self.shallow.turn(&trap.after, self.rng) else {
                    break;
                };
                let mut given = trap.after;
                given.play_unchecked(turn);
                let fooled = given.playing() && self.solver.at_least(&given, Outcome::Win)?;
                trap.shallow[0] += 1.0;
                trap.shallow[1] += f64::from(u8::from(fooled));
            }
        }
        runners.sort_by(|a, b| b.odds().total_cmp(&a.odds()));
        runners.truncate(FINALISTS);
        let rounds = runners.iter().map(|trap| trap.held.len()).max().unwrap_or(0);
        for _ in 0..rounds {
            for trap in runners.iter_mut().filter(|trap| trap.goes_on()) {
                let Some(next) = draw(&mut trap.held, self.rng) else {
                    continue;
                };
                trap.later.push(self.next_odds(&next)?);
            }
        }
        Ok(())
    }

    /// The best odds that the turn after next can have, from where the opponent's reply leads.
    fn next_odds(&self, position: &Position) -> Result<f64, NoAnswer> {
        const TURNS: usize = 6;
        let mut best: f64 = 0.0;
        for (turn, after) in ways(position).into_iter().take(TURNS) {
            if self.late() {
                return Err(NoAnswer::Stopped);
            }
            if !self.solver.at_least(&after, Outcome::Win)? {
                let mut trap = Trap::in_order(turn, after);
                while !trap.whole() {
                    trap.look(self.solver)?;
                }
                best = best.max(trap.odds());
            }
        }
        Ok(best)
    }
}

/// Takes one out at random.
fn draw<T>(from: &mut Vec<T>, rng: &mut Rng) -> Option<T> {
    match from.len() {
        0 => None,
        many => Some(from.swap_remove(below(rng, many as u32) as usize)),
    }
}

/// A reply that does not lose at once.
struct Reply {
    /// Where it leads.
    given: Position,
    /// How likely a novice is to make it.
    novice: f64,
}

/// A turn, and what is known of the replies to it.
struct Trap {
    turn: Turn,
    after: Position,
    /// Replies not looked at yet.
    replies: Vec<Reply>,
    /// How likely a novice is to place so that every piece loses at once.
    stuck: f64,
    /// Of the novice's replies looked at, the weight, and of those that lose.
    novice: [f64; 2],
    /// Of the replies that look good to who looks ahead, how many, and how many lose.
    plausible: [f64; 2],
    /// How often the search was asked, and how often it went wrong.
    shallow: [f64; 2],
    /// Where the replies lead that look good and are.
    held: Vec<Position>,
    /// The odds of the next trap, after some of those.
    later: Vec<f64>,
}

impl Trap {
    /// With the replies in random order.
    fn new(turn: Turn, after: Position, rng: &mut Rng) -> Self {
        let mut trap = Trap::in_order(turn, after);
        for i in (1..trap.replies.len()).rev() {
            trap.replies.swap(i, below(rng, i as u32 + 1) as usize);
        }
        trap
    }

    fn in_order(turn: Turn, after: Position) -> Self {
        let misere = after.rules().misere();
        let boards: Vec<Position> = after
            .empty()
            .into_iter()
            .map(|cell| after.placing(cell))
            .filter(|board| board.playing())
            .collect();
        let mut trap = Trap {
            turn,
            after,
            replies: Vec::new(),
            stuck: 0.0,
            novice: [0.0; 2],
            plausible: [0.0; 2],
            shallow: [0.0; 2],
            held: Vec::new(),
            later: Vec::new(),
        };
        let share = 1.0 / boards.len().max(1) as f64;
        for board in boards {
            let left = board.left();
            let safe = match misere {
                true => left,
                false => PieceSet(left.0 & !board.completing_pieces().0),
            };
            if safe.is_empty() && !left.is_empty() {
                trap.stuck += share;
            }
            trap.replies.extend(safe.into_iter().map(|gift| Reply {
                given: board.giving(gift),
                novice: share / f64::from(safe.len()),
            }));
        }
        trap
    }

    /// Whether it pays to look at the next trap.
    fn goes_on(&self) -> bool {
        (LOOK_ON_FROM..SEES_ALL - 2).contains(&self.after.placed())
    }

    /// Whether it pays to ask the search: earlier it takes too long, later it sees all.
    fn fools_a_search(&self) -> bool {
        (LOOK_ON_FROM..SEES_ALL).contains(&self.after.placed())
    }

    /// Whether every reply has been looked at.
    fn whole(&self) -> bool {
        self.replies.is_empty()
    }

    /// Solves one more reply.
    fn look(&mut self, solver: &Solver) -> Result<(), NoAnswer> {
        let Some(Reply { given, novice }) = self.replies.last() else {
            return Ok(());
        };
        let loses = solver.at_least(given, Outcome::Win)?;
        let seen = loses && solver.wins_within(given, SIGHT)?;
        self.novice[0] += novice;
        self.novice[1] += if loses { *novice } else { 0.0 };
        if !seen {
            self.plausible[0] += 1.0;
            self.plausible[1] += f64::from(u8::from(loses));
        }
        if !loses {
            self.held.push(*given);
        }
        self.replies.pop();
        Ok(())
    }

    /// How likely the opponent is to go wrong at once, as far as is known. What is not looked at counts a little as harmless,
    /// so that two bad replies of two do not pass for certainty.
    fn odds(&self) -> f64 {
        let doubt = if self.whole() { 0.0 } else { 1.0 };
        let share = |[all, bad]: [f64; 2], doubt: f64| if all + doubt > 0.0 { bad / (all + doubt) } else { 0.0 };
        let novice = self.stuck + (1.0 - self.stuck) * share(self.novice, 0.1 * doubt);
        let searches = match self.shallow[0] > 0.0 {
            true => SHALLOW * share(self.shallow, 0.0) + (1.0 - SHALLOW) * share(self.plausible, doubt),
            false => share(self.plausible, doubt),
        };
        NOVICE * novice + (1.0 - NOVICE) * searches
    }

    /// How likely the opponent is to go wrong now or with its next turn.
    fn worth(&self) -> f64 {
        // Where nothing is known of the next turn, something middling.
        const UNKNOWN: f64 = 0.4;
        let later = match self.later.len() {
            _ if !self.goes_on() => 0.0,
            0 => UNKNOWN,
            many => (self.later.iter().sum::<f64>() + UNKNOWN) / (many + 1) as f64,
        };
        self.odds() + (1.0 - self.odds()) * later
    }
}
