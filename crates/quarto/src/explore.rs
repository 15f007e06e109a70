//! Exploring openings: what can be done in a position, turns that symmetry makes equal counted as one.

use crate::book::Book;
use crate::solver::{Exact, NoAnswer, Solver};
use crate::symmetry::CanonicalKey;
use crate::{Position, Turn};
use game::Game;

/// Turns that symmetry makes equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnClass {
    /// The turns, at least one.
    pub turns: Vec<Turn>,
    /// What each is worth to who makes it.
    pub value: Exact,
    /// How many replies the opponent has.
    pub replies: usize,
    /// How many of them give away a win or a draw; `None` where to find out would take long.
    pub errors: Option<usize>,
}

/// From so many pieces on, all replies to a turn are solved in a moment.
const LATE: u32 = 8;

/// The branches of a position, the best first.
///
/// # Errors
/// [`NoAnswer`] if the solver was stopped, or the game is over.
pub fn branches(solver: &Solver, position: &Position) -> Result<Vec<TurnClass>, NoAnswer> {
    let mut found: Vec<(CanonicalKey, TurnClass)> = Vec::new();
    for (turn, value) in solver.turns_exactly(position)? {
        let mut after = *position;
        after.play_unchecked(turn);
        let key = after.canonical_key();
        if let Some((_, branch)) = found.iter_mut().find(|(known, _)| *known == key) {
            branch.turns.push(turn);
            continue;
        }
        let branch = TurnClass {
            turns: vec![turn],
            value,
            replies: after.legal_count(),
            errors: errors(solver, &after)?,
        };
        found.push((key, branch));
    }
    let mut branches: Vec<TurnClass> = found.into_iter().map(|(_, branch)| branch).collect();
    branches.sort_by_key(|branch| -branch.value.preference());
    Ok(branches)
}

/// How many turns in a position give something away.
fn errors(solver: &Solver, position: &Position) -> Result<Option<usize>, NoAnswer> {
    if !position.playing() {
        return Ok(Some(0));
    }
    // The book or a table knows what its replies lead to; after that, until late, each must be searched.
    let in_book = Book::of(position.rules()).is_some_and(|book| position.placed() < book.depth());
    let known = in_book || position.hand().is_some() && solver.table(position.placed() + 1).is_some();
    if !known && position.placed() < LATE {
        return Ok(None);
    }
    let replies = solver.turns(position)?;
    let best = replies.iter().map(|(_, value)| *value).max();
    Ok(best.map(|best| replies.iter().filter(|(_, value)| *value < best).count()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::solver::Outcome;

    fn solver() -> Solver {
        let mut solver = Solver::new(Rules::standard(), 1 << 20, 1).unwrap();
        solver.open_book();
        solver
    }

    #[test]
    fn every_turn_is_in_one_branch_and_has_its_value() {
        let solver = solver();
        let start = Position::new(Rules::standard());
        let first = branches(&solver, &start).unwrap();
        assert_eq!(
            (first.len(), first[0].turns.len()),
            (1, 16),
            "all first gifts are the same"
        );
        assert_eq!((first[0].value.outcome, first[0].errors), (Outcome::Draw, Some(0)));
        let late = start.parse("012./4.7./a..d/.... 5").unwrap();
        let found = branches(&solver, &late).unwrap();
        let all: usize = found.iter().map(|branch| branch.turns.len()).sum();
        assert_eq!(all, late.legal_count());
        for (turn, value) in solver.turns_exactly(&late).unwrap() {
            let branch = found.iter().find(|branch| branch.turns.contains(&turn)).unwrap();
            assert_eq!(branch.value, value, "{turn}");
        }
        assert!(found.is_sorted_by_key(|branch| -branch.value.preference()));
    }

    #[test]
    fn replies_that_err_are_those_that_the_solver_calls_worse() {
        let solver = solver();
        let late = Position::new(Rules::standard()).parse("012./4.7./a..d/.... 5").unwrap();
        for branch in branches(&solver, &late).unwrap() {
            let mut after = late;
            after.play(branch.turns[0]).unwrap();
            if !after.playing() {
                assert_eq!((branch.replies, branch.errors), (0, Some(0)));
                continue;
            }
            let best = solver.outcome(&after).unwrap();
            let worse = solver.turns(&after).unwrap();
            let worse = worse.iter().filter(|(_, value)| *value < best).count();
            assert_eq!(branch.errors, Some(worse));
        }
    }
}
