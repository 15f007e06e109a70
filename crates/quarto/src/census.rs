//! A census: how many positions with so many pieces placed are won, drawn and lost, how long that takes, and how many draws hang
//! on a single turn.

use crate::book::edge::in_order;
use crate::book::for_each;
use crate::solver::{Exact, NoAnswer, Outcome, Solver};
use crate::{Cell, Piece, Position, Rules};
use game::{Rng, below};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// How often a random position is tried before it is given up: late in a game nearly every board has a complete line.
const TRIES: u32 = 1_000_000;

/// A position with so many pieces placed and one in hand, in which no line is complete: each is as likely as any other. `None` if
/// none was found.
pub fn random_position(rules: &'static Rules, placed: u32, rng: &mut Rng) -> Option<Position> {
    let mut cells: Vec<Cell> = Cell::all().collect();
    let mut pieces: Vec<Piece> = Piece::all().collect();
    (0..TRIES).find_map(|_| {
        shuffle_first(&mut cells, placed as usize, rng);
        shuffle_first(&mut pieces, placed as usize + 1, rng);
        let hand = pieces.get(placed as usize).copied();
        let standing = cells.iter().copied().zip(pieces.iter().copied());
        let position = Position::from_parts(rules, standing.take(placed as usize), hand);
        (position.playing() && hand.is_some()).then_some(position)
    })
}

/// Puts random items first, so many of them.
fn shuffle_first<T>(items: &mut [T], count: usize, rng: &mut Rng) {
    for at in 0..count.min(items.len()) {
        let other = at + below(rng, (items.len() - at) as u32) as usize;
        items.swap(at, other);
    }
}

/// What was found about some positions with the same number of pieces placed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// For each value, larger preference first: the value and how many positions have it.
    values: BTreeMap<i32, (Exact, u64)>,
    /// How many draws were looked at, and how many of them hang on a single turn.
    pub draws: (u64, u64),
}

impl Census {
    /// Solves positions on several threads. Of the draws, one in `step` is asked whether it hangs on a single turn (up to
    /// symmetry).
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or a game is over.
    pub fn take(solver: &Solver, positions: &[Position], step: usize, threads: usize) -> Result<Self, NoAnswer> {
        let census = Mutex::new(Census::default());
        let numbered: Vec<(usize, Position)> = positions.iter().copied().enumerate().collect();
        for_each(&numbered, threads, |(number, position)| {
            let exact = solver.exact(position)?;
            let asked = exact.outcome == Outcome::Draw && number.is_multiple_of(step.max(1));
            let single = asked && hangs_on_one_turn(solver, position)?;
            let mut census = census.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            census.add(exact);
            census.draws.0 += u64::from(asked);
            census.draws.1 += u64::from(single);
            Ok(())
        })?;
        Ok(census.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// Counts values that are known.
    pub fn of(values: impl Iterator<Item = Exact>) -> Self {
        let mut census = Census::default();
        values.for_each(|exact| census.add(exact));
        census
    }

    /// Adds what another one has counted.
    pub fn join(&mut self, other: &Census) {
        for (preference, (exact, count)) in &other.values {
            self.values.entry(*preference).or_insert((*exact, 0)).1 += count;
        }
        self.draws.0 += other.draws.0;
        self.draws.1 += other.draws.1;
    }

    fn add(&mut self, exact: Exact) {
        self.values.entry(-exact.preference()).or_insert((exact, 0)).1 += 1;
    }

    /// The values that occur, the best first, and how many positions have each.
    pub fn values(&self) -> impl Iterator<Item = (Exact, u64)> + '_ {
        self.values.values().copied()
    }

    /// How many positions have an outcome.
    pub fn count(&self, outcome: Outcome) -> u64 {
        let values = self.values().filter(|(exact, _)| exact.outcome == outcome);
        values.map(|(_, count)| count).sum()
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.values().map(|(_, count)| count).sum()
    }

    /// The most placements until the end of a position with that outcome; `None` if there is none.
    pub fn longest(&self, outcome: Outcome) -> Option<u32> {
        let values = self.values().filter(|(exact, _)| exact.outcome == outcome);
        values.map(|(exact, _)| exact.plies).max()
    }
}

/// Whether a drawn position has only one turn, up to symmetry, that does not lose.
fn hangs_on_one_turn(solver: &Solver, position: &Position) -> Result<bool, NoAnswer> {
    let mut holding = 0;
    for (_, after) in in_order(position, Outcome::Draw) {
        if !solver.at_least(&after, Outcome::Win)? {
            holding += 1;
        }
        if holding > 1 {
            return Ok(false);
        }
    }
    // With the last piece there is nothing to choose.
    Ok(holding == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::tablebase::all_positions;
    use game::{Game, rng};

    #[test]
    fn the_census_of_the_torus_is_that_of_its_book() {
        let rules = Rules::named("quarto-torus").unwrap();
        let mut solver = Solver::new(rules, 1 << 20, 1).unwrap();
        solver.open_book();
        let all: Vec<Position> = all_positions(rules, 3).collect();
        let census = Census::take(&solver, &all, 1, 2).unwrap();
        let counts = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| census.count(outcome));
        assert_eq!((counts, census.positions()), ([492, 72, 601], 1165));
        let book = Book::of(rules).unwrap();
        let longest = all.iter().map(|position| book.exact(position).unwrap());
        let longest = longest
            .filter(|exact| exact.outcome == Outcome::Win)
            .map(|exact| exact.plies)
            .max();
        assert_eq!(census.longest(Outcome::Win), longest);
        // By the rules and the book: turns that hold, each once up to symmetry.
        let single = all.iter().filter(|position| {
            let mut turns = Vec::new();
            position.legal_moves(&mut turns);
            let mut holding: Vec<_> = turns
                .into_iter()
                .map(|turn| {
                    let mut after = **position;
                    after.play(turn).unwrap();
                    after
                })
                .filter(|after| after.playing() && book.exact(after).unwrap().outcome != Outcome::Win)
                .map(|after| after.canonical_key())
                .collect();
            holding.sort();
            holding.dedup();
            book.exact(position).unwrap().outcome == Outcome::Draw && holding.len() == 1
        });
        assert_eq!(census.draws, (72, single.count() as u64));
    }

    #[test]
    fn random_positions_go_on_and_have_as_many_pieces_as_was_asked() {
        let mut rng = rng(4);
        for rules in Rules::all() {
            for placed in 0..=9 {
                let position = random_position(rules, placed, &mut rng).unwrap();
                assert!(position.playing() && position.hand().is_some(), "{position:?}");
                assert_eq!((position.placed(), position.left().len()), (placed, 15 - placed));
            }
        }
    }
}
