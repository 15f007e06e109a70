//! How the perfect player decides: first what it may not miss, then what it would like.
//!
//! The truth comes from the book; beyond it from a search, which looks first for a turn that does not lose, then for a win. In
//! a solved variant what it must search for is found in a moment ([`in_a_moment`]), so it is found whatever the clock says.
//! Everything else (how fast to win, traps, the truth about positions that nobody has solved) ends with the clock, and all of
//! it at the stop sign.

use super::traps::{Trapper, by_promise};
use crate::book::Book;
use crate::book::edge::{self, ways};
use crate::book::holding::HoldingBook;
use crate::book::repertoire::leads_beyond;
use crate::solver::{Exact, NoAnswer, Outcome, Solver};
use crate::{Position, Turn};
use game::Instant;
use game::{Game, Rng, Stop, below, pick};
use player::Clock;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long a level below perfect looks ahead if there is no clock.
const SEEING: Duration = Duration::from_millis(100);

/// How long it searches for the truth in a variant without a book if there is no clock.
const WITHOUT_BOOK: Duration = Duration::from_secs(1);

/// The part of a clock that is left for what a player does not control, and the most of it.
const SPARE: u32 = 20;
const MOST_SPARE: Duration = Duration::from_millis(20);

/// What may be spent on a turn.
pub(crate) struct Budget {
    started: Instant,
    /// When the clock ends, if there is one.
    end: Option<Instant>,
    /// When to be done with traps.
    pub traps_until: Option<Instant>,
    /// How many boards may be looked at in search of traps.
    pub effort: u64,
    /// How many boards may be looked at, if the clock says.
    nodes: Option<u64>,
    /// Whether to look until it is stopped.
    infinite: bool,
    stop: Stop,
}

impl Budget {
    /// What a clock leaves, and the player's own wishes: boards, and time for traps.
    pub fn new(clock: &Clock, effort: u64, time: Option<Duration>) -> Self {
        let until = |time: Duration| clock.started + time.saturating_sub((time / SPARE).min(MOST_SPARE));
        let end = clock.time.map(until);
        let own = time.map(|time| clock.started + time);
        Budget {
            started: clock.started,
            end,
            traps_until: [end, own].into_iter().flatten().min(),
            effort: clock.nodes.map_or(effort, |nodes| nodes.min(effort)),
            nodes: clock.nodes,
            infinite: clock.infinite,
            stop: clock.stop.clone(),
        }
    }

    /// Whether traps have to be left alone from now on.
    pub fn no_time_for_traps(&self) -> bool {
        self.over(self.traps_until)
    }

    /// Whether to end, with a limit or without one. The solver looks at both now and then; who asks many small questions must
    /// look, too.
    fn over(&self, limit: Option<Instant>) -> bool {
        self.stop.is_raised() || past(limit)
    }

    /// When to end at the latest: as the clock says; without one in so long, unless it is to go on until it is stopped.
    fn end_or(&self, without: Duration) -> Option<Instant> {
        let by_default = (!self.infinite).then(|| self.started + without);
        self.end.or(by_default)
    }

    /// Whether there is a clock, of time or of boards.
    fn is_limited(&self) -> bool {
        self.end.is_some() || self.nodes.is_some()
    }

    /// What is left for finding out the truth in a variant without a book of values: without a clock, too, not longer than a moment.
    fn truth(&self) -> Limit {
        Limit {
            until: self.end_or(WITHOUT_BOOK),
            ..self.limit()
        }
    }

    /// What the clock leaves for finding out the truth.
    fn limit(&self) -> Limit {
        Limit {
            until: self.end,
            boards: self.nodes,
        }
    }
}

/// Where a search for the truth ends, whether it has found it or not.
#[derive(Clone, Copy)]
struct Limit {
    until: Option<Instant>,
    boards: Option<u64>,
}

impl Limit {
    const NONE: Limit = Limit {
        until: None,
        boards: None,
    };
}

fn past(moment: Option<Instant>) -> bool {
    moment.is_some_and(|at| Instant::now() >= at)
}

/// Whether the truth about a position is found by a search of some milliseconds at most. (Of 4000 positions each of the normal
/// variants the worst took 203,000 boards with six placed and 114,000 with seven, some 8 and 4 ms; on average it was 25,000 and
/// 8,000. Misère positions with ten placed take 5,000; where a holding book ends, a draw is held with a few thousand.)
fn in_a_moment(position: &Position) -> bool {
    let from = match HoldingBook::of(position.rules()) {
        Some(book) => book.reach() + 1,
        None if position.rules().misere() => 10,
        None => 6,
    };
    position.placed() >= from
}

/// A turn, and what it keeps if that is known.
pub(crate) type Decided = Option<(Turn, Option<Outcome>)>;

/// One decision.
pub(crate) struct Mind<'a> {
    solver: &'a Solver,
    /// What the solver had looked at before: finding out the truth counts as effort, too.
    before: u64,
    rng: &'a mut Rng,
    budget: Budget,
    traps: bool,
    /// What it would play if it had to now, for who watches.
    so_far: &'a Mutex<Decided>,
}

impl<'a> Mind<'a> {
    /// For one turn.
    pub fn new(solver: &'a Solver, rng: &'a mut Rng, budget: Budget, traps: bool, so_far: &'a Mutex<Decided>) -> Self {
        solver.set_stop(budget.stop.clone());
        solver.set_deadline(None);
        solver.set_allowance(None);
        Mind {
            before: solver.nodes(),
            solver,
            rng,
            budget,
            traps,
            so_far,
        }
    }

    /// Lets those who watch know of a turn.
    fn note(&self, turn: Turn, value: Option<Outcome>) {
        *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some((turn, value));
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

    /// A turn with limited sight; where that takes long, as in variants without a book, with less.
    pub fn look(&mut self, position: &Position, sight: u32) -> Decided {
        let limit = self.budget.end_or(SEEING);
        self.solver.set_deadline(limit);
        (1..=sight)
            .rev()
            .step_by(2)
            .find_map(|sight| self.see(position, sight, limit).ok())
            .flatten()
    }

    /// A turn with limited sight: a win within reach of it, else any turn that does not lose within it. What lies before the
    /// eyes is seen even when time is up.
    fn see(&mut self, position: &Position, sight: u32, limit: Option<Instant>) -> Result<Decided, NoAnswer> {
        let mut turns = self.turns(position);
        self.shuffle(&mut turns);
        let go_on = |mind: &Self| match sight > 1 && mind.budget.over(limit) {
            true => Err(NoAnswer::Stopped),
            false => Ok(()),
        };
        go_on(self)?;
        if self.solver.wins_within(position, sight)? {
            for &turn in &turns {
                go_on(self)?;
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
            go_on(self)?;
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

    /// The perfect turn, or the best there is when time is up.
    pub fn decide(&mut self, position: &Position) -> Decided {
        if let Some(turn) = self.win_at_once(position) {
            return Some((turn, Some(Outcome::Win)));
        }
        if let Some(book) = HoldingBook::of(position.rules()) {
            return self.hold_by_book(position, book);
        }
        let Some(book) = Book::of(position.rules()) else {
            return self.search(position);
        };
        let placing = u32::from(position.hand().is_some());
        if position.placed() + placing <= book.depth() {
            return self.decide_by_book(position, book);
        }
        let known = book
            .known(position)
            .and_then(|value| Some((value, book.turn(position)?)));
        match known {
            Some((value, turn)) => Some((self.at_the_edge(position, book, value, turn), Some(value.outcome))),
            None => self.search(position),
        }
    }

    /// The turn of a book that holds, unless a win is found before the clock ends; a search where the book ends.
    fn hold_by_book(&mut self, position: &Position, book: &HoldingBook) -> Decided {
        if position.placed() == 0 && position.hand().is_none() {
            // All first gifts are the same.
            let turns = self.turns(position);
            return pick(self.rng, &turns).map(|turn| (turn, Some(Outcome::Draw)));
        }
        let Some(held) = book.turn(position) else {
            return self.search(position);
        };
        self.note(held, None);
        // A turn that wins leads out of the book. With a clock it is taken only where the next turn is found in a moment.
        let dares = leads_beyond(position.placed(), book.reach()) || !self.budget.is_limited();
        let limit = self.budget.truth();
        self.solver.set_deadline(limit.until);
        if !dares || !self.goes_on(limit) {
            return Some((held, None));
        }
        match self.solver.at_least(position, Outcome::Win) {
            Ok(true) => match self.win(position, limit) {
                Some(turn) => Some((turn, Some(Outcome::Win))),
                None => Some((held, None)),
            },
            Ok(false) => Some((held, Some(Outcome::Draw))),
            Err(_) => Some((held, None)),
        }
    }

    /// A turn that completes a line, where that wins.
    fn win_at_once(&mut self, position: &Position) -> Option<Turn> {
        let piece = position.hand().filter(|_| !position.rules().misere())?;
        let cells: Vec<_> = position.completing_cells(piece).into_iter().collect();
        let place = pick(self.rng, &cells)?;
        Some(Turn {
            place: Some(place),
            give: None,
        })
    }

    /// With every turn in the book there is nothing to search but traps.
    fn decide_by_book(&mut self, position: &Position, book: &Book) -> Decided {
        let worth = |after: &Position| match after.outcome() {
            Some(_) => None,
            None => Some(book.exact(after)?.reversed()),
        };
        let turns = self.turns(position).into_iter();
        let values: Vec<(Turn, Position, Exact)> = turns
            .map(|turn| (turn, played(position, turn)))
            .filter_map(|(turn, after)| Some((turn, after, worth(&after)?)))
            .collect();
        let best = values
            .iter()
            .map(|(.., value)| *value)
            .max_by_key(|value| value.preference())?;
        let mut good: Vec<(Turn, Position)> = values
            .into_iter()
            .filter(|(.., value)| *value == best)
            .map(|(turn, after, _)| (turn, after))
            .collect();
        // Without a clock there is time to search for whatever comes of it; else it keeps to what the book knows further on.
        if self.budget.is_limited() && good.iter().any(|(_, after)| book.follows(after)) {
            good.retain(|(_, after)| book.follows(after));
        }
        if best.outcome != Outcome::Draw || !self.traps {
            return pick(self.rng, &good).map(|(turn, _)| (turn, Some(best.outcome)));
        }
        let mut sharpest = ways(position);
        sharpest.retain(|(turn, _)| good.iter().any(|(one, _)| one == turn));
        // Only as long as replies stand in the book too; after that the liveliest turn has to do.
        let last = sharpest
            .first()
            .is_some_and(|(_, after)| after.placed() >= book.depth());
        let turn = match last {
            true => self.trapper().liveliest(&sharpest),
            false => self.trapper().race(sharpest),
        };
        let turn = turn.or_else(|| good.first().map(|(turn, _)| *turn));
        turn.map(|turn| (turn, Some(Outcome::Draw)))
    }

    /// The book's turn; or a trap, where the book is not needed any more.
    fn at_the_edge(&mut self, position: &Position, book: &Book, value: Exact, turn: Turn) -> Turn {
        let beyond = position.placed() > book.depth() && leads_beyond(position.placed(), book.reach());
        if value.outcome != Outcome::Draw || !self.traps || !beyond {
            return turn;
        }
        self.trapper().set(position).unwrap_or(turn)
    }

    /// What to do where the book says nothing.
    fn search(&mut self, position: &Position) -> Decided {
        let limit = match Book::of(position.rules()) {
            _ if in_a_moment(position) || self.solver.table(position.placed() + 1).is_some() => Limit::NONE,
            Some(_) => self.budget.limit(),
            None => self.budget.truth(),
        };
        self.solver.set_deadline(limit.until);
        let held = self.hold(position, limit);
        if let Some(turn) = held {
            self.note(turn, None);
        }
        self.solver.set_allowance(self.boards_left(limit));
        let won = self.solver.at_least(position, Outcome::Win);
        match (won, held) {
            (Ok(true), held) => match self.win(position, limit) {
                Some(turn) => Some((turn, Some(Outcome::Win))),
                None => held.map(|turn| (turn, None)),
            },
            (Ok(false), Some(held)) => {
                self.note(held, Some(Outcome::Draw));
                let turn = match self.traps {
                    true => self.trapper().set(position),
                    false => None,
                };
                Some((turn.unwrap_or(held), Some(Outcome::Draw)))
            }
            (Ok(false), None) => {
                let turn = self.soonest_or_latest(position);
                let least_bad = turn.or_else(|| ways(position).first().map(|(turn, _)| *turn))?;
                Some((least_bad, turn.map(|_| Outcome::Loss)))
            }
            (Err(_), held) => held.map(|turn| (turn, None)),
        }
    }

    /// How many boards the next question may take.
    fn boards_left(&self, limit: Limit) -> Option<u64> {
        let spent = self.solver.nodes() - self.before;
        limit.boards.map(|boards| boards.saturating_sub(spent))
    }

    /// Lets the next question take what is left; says no if nothing is.
    fn goes_on(&self, limit: Limit) -> bool {
        let left = self.boards_left(limit);
        self.solver.set_allowance(left);
        left != Some(0) && !self.budget.over(limit.until)
    }

    /// A turn that does not lose; `None` if all lose, or if none was found before `limit`. The most promising come first, each
    /// with a little effort; if none can be proved in it, they get more.
    fn hold(&mut self, position: &Position, limit: Limit) -> Option<Turn> {
        let holds = |after: Position| after.outcome().is_some_and(|end| end.winner().is_none());
        // With the last piece the game ends.
        if let Some(turn) = self
            .turns(position)
            .into_iter()
            .find(|turn| holds(played(position, *turn)))
        {
            return Some(turn);
        }
        let mut open = by_promise(position);
        let mut slice = 1 << 15;
        while !open.is_empty() {
            let mut unproved = Vec::new();
            for (turn, after) in open {
                let left = self.boards_left(limit).unwrap_or(u64::MAX);
                if left == 0 || self.budget.over(limit.until) {
                    return None;
                }
                self.solver.set_allowance(Some(left.min(slice)));
                match self.solver.at_least(&after, Outcome::Win) {
                    Ok(false) => return Some(turn),
                    Ok(true) => {}
                    Err(_) => unproved.push((turn, after)),
                }
            }
            open = unproved;
            slice *= 2;
        }
        None
    }

    /// A turn that wins, in the shortest time if that is found out before the clock ends.
    fn win(&mut self, position: &Position, limit: Limit) -> Option<Turn> {
        let loses = |after: &Position| self.solver.at_least(after, Outcome::Draw) == Ok(false);
        let some = ways(position)
            .into_iter()
            .take_while(|_| self.goes_on(limit))
            .find(|(_, after)| loses(after))
            .map(|(turn, _)| turn);
        if let Some(turn) = some {
            self.note(turn, Some(Outcome::Win));
        }
        self.soonest_or_latest(position).or(some)
    }

    /// Of a position that is not a draw: a turn that wins in the shortest time, or loses in the longest. `None` if the clock ends
    /// before it is found.
    fn soonest_or_latest(&mut self, position: &Position) -> Option<Turn> {
        let limit = self.budget.limit();
        self.solver.set_deadline(limit.until);
        if !self.goes_on(limit) {
            return None;
        }
        let exact = self.solver.exact(position).ok()?;
        let mut turns = self.turns(position);
        if exact.plies > 2 {
            // The end is not near, so it is one of those that end nothing; the sharpest are solved fastest.
            turns = ways(position).into_iter().map(|(turn, _)| turn).collect();
        } else {
            self.shuffle(&mut turns);
        }
        // Who gives without having placed is a placement ahead of who does both.
        let value = if position.hand().is_some() { exact } else { later(exact) };
        turns
            .into_iter()
            .take_while(|_| self.goes_on(limit))
            .find(|turn| edge::reaches(self.solver, position, *turn, value) == Ok(true))
    }

    fn trapper(&mut self) -> Trapper<'_> {
        Trapper::new(self.solver, self.before, self.rng, &self.budget)
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
