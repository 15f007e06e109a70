//! Traps: of the turns that keep a draw, which one makes the opponent most likely to go wrong?
//!
//! Three opponents are imagined. A novice places anywhere and gives any piece that does not lose at once. The second is a model that was
//! learnt from games of several players ([`crate::opponent`]): it mostly avoids what loses soon, and beyond that chooses nearly blindly. The third
//! is a shallow search itself ([`imagined`]), whose best turns are known exactly.
//!
//! To know how a turn would do, every reply to it must be solved, and early in the game there is not time for all of all
//! turns. So they race: each gets a few replies, drawn at random, and whenever effort runs faster than the race, the worse
//! half drops out. Effort that is left in the end is for what comes after the replies that hold: the next trap.
//!
//! With few pieces placed hardly any reply loses, and traps must be prepared rather than set: there the [`liveliness`] of a
//! position decides.
//!
//! Effort is counted in boards, not in time: so the same seed sets the same traps on any machine.

use super::decision::Budget;
use super::imagined;
use crate::book::edge::{in_order, liveliness, ways};
use crate::opponent;
use crate::solver::{NoAnswer, Outcome, Solver};
use crate::{PieceSet, Position, Turn};
use game::{Game, Rng, below};

/// How much the novice counts against those who look ahead: little, because a novice errs soon anyhow.
const NOVICE: f64 = 0.05;

/// How much the search counts against the model.
const SHALLOW: f64 = 0.4;

/// Replies looked at in each round of the race.
const ROUND: usize = 6;

/// How many turns are shown to the search, and how many of these are looked at more closely.
const ASKED: usize = 12;
const FINALISTS: usize = 5;

/// How many turns are thought of when the next trap is set.
const NEXT: usize = 6;

/// Before it pays to look on, how many of the liveliest turns race.
const LIVELIEST: usize = 4;

/// With how many pieces placed, when the opponent is to move, it pays to look on: before that it takes too long, and from
/// [`SEES_ALL`] less two on there is nothing to see.
const LOOK_ON_FROM: u32 = 7;

/// From this many pieces on somebody who sees three placements ahead errs no more.
const SEES_ALL: u32 = 11;

/// What costs effort beside the solver's boards, in these: a question, a turn that is put in order.
const QUESTION: u64 = 8;
const ORDERING: u64 = 8;

/// How many boards the imagined search looks at for the effort of one.
const JUDGED: u64 = 2;

/// Who sets traps.
pub(crate) struct Trapper<'a> {
    /// Who knows what replies are worth.
    solver: &'a Solver,
    /// In which order replies are looked at.
    rng: &'a mut Rng,
    budget: &'a Budget,
    /// How many boards the solver had looked at before this turn.
    before: u64,
    /// Effort beside the solver's.
    beside: u64,
}

impl<'a> Trapper<'a> {
    /// For one turn. What the solver has done since `before` counts as effort: finding out the truth does, too.
    pub fn new(solver: &'a Solver, before: u64, rng: &'a mut Rng, budget: &'a Budget) -> Self {
        Trapper {
            solver,
            rng,
            budget,
            before,
            beside: 0,
        }
    }

    fn spent(&self) -> u64 {
        self.solver.nodes() - self.before + self.beside
    }

    fn left(&self) -> u64 {
        self.budget.effort.saturating_sub(self.spent())
    }

    fn late(&self) -> bool {
        self.left() == 0 || self.budget.no_time_for_traps()
    }

    /// Goes on, with all that is left for the next question, or says that the effort is spent.
    fn go_on(&mut self, beside: u64) -> Result<(), NoAnswer> {
        self.beside += beside;
        if self.late() {
            return Err(NoAnswer::Stopped);
        }
        self.solver.set_allowance(Some(self.left()));
        Ok(())
    }

    fn ways(&mut self, position: &Position) -> Vec<(Turn, Position)> {
        let ways = ways(position);
        self.beside += ORDERING * ways.len() as u64;
        ways
    }

    /// Of turns that keep the draw, the one that leaves the most to go wrong with; of equal ones any.
    pub fn liveliest(&mut self, turns: &[(Turn, Position)]) -> Option<Turn> {
        let lives: Vec<i32> = turns.iter().map(|(_, after)| liveliness(after)).collect();
        let most = lives.iter().max()?;
        let mut best: Vec<Turn> = turns
            .iter()
            .zip(&lives)
            .filter(|(_, life)| *life == most)
            .map(|((turn, _), _)| *turn)
            .collect();
        draw(&mut best, self.rng)
    }

    /// A turn that keeps the draw of this position, after which the opponent is likely to go wrong. `None` if none was
    /// found with what effort there is.
    ///
    /// A turn must be proved to keep the draw before it counts. They come [in order of promise](by_promise), each with a
    /// little effort; if none can be proved in it, they get more: so no single hard proof holds up the game.
    pub fn set(&mut self, position: &Position) -> Option<Turn> {
        // Proofs may take half of the effort; the other half is for the race.
        let half = self.budget.effort / 2;
        self.solver.set_deadline(self.budget.traps_until);
        let mut open = by_promise(position);
        self.beside += ORDERING * open.len() as u64;
        let most = if early(position) { LIVELIEST } else { usize::MAX };
        let mut proved = Vec::new();
        let mut slice = 1 << 15;
        while proved.is_empty() && !open.is_empty() && !self.late() {
            let mut unproved = Vec::new();
            for (turn, after) in open {
                if self.late() || !proved.is_empty() && (self.spent() >= half || proved.len() >= most) {
                    break;
                }
                self.beside += QUESTION;
                self.solver.set_allowance(Some(slice.min(self.left())));
                match self.solver.at_least(&after, Outcome::Win) {
                    Err(_) => unproved.push((turn, after)),
                    Ok(true) => {}
                    Ok(false) => proved.push((turn, after)),
                }
            }
            open = unproved;
            slice *= 2;
        }
        self.race(proved)
    }

    /// The turn that wins the race. All must keep the draw.
    pub fn race(&mut self, turns: Vec<(Turn, Position)>) -> Option<Turn> {
        if turns.len() == 1 {
            return turns.first().map(|(turn, _)| *turn);
        }
        let mut runners: Vec<Trap> = turns
            .into_iter()
            .map(|(turn, after)| Trap::new(turn, after, self.rng))
            .collect();
        self.solver.set_deadline(self.budget.traps_until);
        // Out of effort: what is known by then decides.
        let _ = self.run(&mut runners);
        let best = runners
            .into_iter()
            .reduce(|best, other| match other.worth() > best.worth() {
                true => other,
                false => best,
            });
        best.map(|trap| trap.turn)
    }

    fn run(&mut self, runners: &mut Vec<Trap>) -> Result<(), NoAnswer> {
        let (began, effort) = (self.spent(), self.left());
        let replies = |runners: &[Trap]| runners.iter().map(|trap| trap.replies.len()).sum::<usize>();
        let mut looked = 0;
        while runners.iter().any(|trap| !trap.whole()) {
            for trap in runners.iter_mut() {
                for _ in 0..ROUND.min(trap.replies.len()) {
                    self.go_on(QUESTION)?;
                    trap.look(self.solver)?;
                    looked += 1;
                }
            }
            runners.sort_by(|a, b| b.odds().total_cmp(&a.odds()));
            let ahead = 1.0 + replies(runners) as f64 / f64::from(looked.max(1));
            if (self.spent() - began) as f64 * ahead > effort as f64 {
                runners.truncate(FINALISTS.max(runners.len() / 2));
            }
        }
        runners.truncate(ASKED);
        for trap in runners.iter_mut().filter(|trap| trap.fools_a_search()) {
            self.ask(trap)?;
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

    /// Asks the search what it would do.
    fn ask(&mut self, trap: &mut Trap) -> Result<(), NoAnswer> {
        let budget = self.budget;
        let (turns, boards) = imagined::best_turns(&trap.after, || budget.no_time_for_traps());
        self.beside += boards / JUDGED;
        let (mut fooled, mut held) = (0, Vec::new());
        for turn in &turns {
            let mut given = trap.after;
            given.play_unchecked(*turn);
            self.go_on(QUESTION)?;
            match self.solver.at_least(&given, Outcome::Win)? {
                true => fooled += 1,
                false => held.push(given),
            }
        }
        if !turns.is_empty() {
            trap.shallow = Some(f64::from(fooled) / turns.len() as f64);
            trap.held = held;
        }
        Ok(())
    }

    /// The best odds that the turn after next can have, from where the opponent's reply leads.
    fn next_odds(&mut self, position: &Position) -> Result<f64, NoAnswer> {
        let mut best: f64 = 0.0;
        for (turn, after) in self.ways(position).into_iter().take(NEXT) {
            self.go_on(QUESTION)?;
            if !self.solver.at_least(&after, Outcome::Win)? {
                let mut trap = Trap::in_order(turn, after);
                while !trap.whole() {
                    self.go_on(QUESTION)?;
                    trap.look(self.solver)?;
                }
                self.ask(&mut trap)?;
                best = best.max(trap.odds());
            }
        }
        Ok(best)
    }
}

/// Whether traps are prepared rather than set.
fn early(position: &Position) -> bool {
    position.placed() < LOOK_ON_FROM - 1
}

/// The turns that may keep a draw, the most promising first: early the liveliest, later the sharpest.
pub(crate) fn by_promise(position: &Position) -> Vec<(Turn, Position)> {
    match early(position) {
        true => in_order(position, Outcome::Draw),
        false => ways(position),
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
    /// Of the model's replies looked at, the weight, and of those that lose.
    model: [f64; 2],
    /// How likely the search is to go wrong, if it was asked.
    shallow: Option<f64>,
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
            model: [0.0; 2],
            shallow: None,
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
        let reply = opponent::ModelledReply::new(solver, given)?;
        let (loses, weight) = (reply.loses, reply.weight());
        self.novice[0] += novice;
        self.novice[1] += if loses { *novice } else { 0.0 };
        self.model[0] += weight;
        self.model[1] += if loses { weight } else { 0.0 };
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
        let model = share(self.model, doubt);
        let searches = match self.shallow {
            Some(shallow) => SHALLOW * shallow + (1.0 - SHALLOW) * model,
            None => model,
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
