//! Comparing the turns of a game with the exact values.

use crate::solver::{Exact, NoAnswer, Outcome, Solver};
use crate::{Position, Turn};
use game::{Game, Seat};

/// A turn, its exact value and the best turns instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Who made it.
    pub seat: Seat,
    /// The turn.
    pub turn: Turn,
    /// What it was worth to the player who made it.
    pub was: Exact,
    /// What the best turn was worth.
    pub best: Exact,
    /// The turns that were best.
    pub better: Vec<Turn>,
}

impl Judged {
    /// Judges a turn; `None` if it is not legal.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn new(solver: &Solver, position: &Position, turn: Turn) -> Result<Option<Judged>, NoAnswer> {
        let values = solver.turns_exactly(position)?;
        let was = values
            .iter()
            .find(|(candidate, _)| *candidate == turn)
            .map(|(_, value)| *value);
        let best = values
            .iter()
            .map(|(_, value)| *value)
            .max_by_key(|value| value.preference());
        let (Some(was), Some(best)) = (was, best) else {
            return Ok(None);
        };
        let better = values
            .into_iter()
            .filter(|(_, value)| *value == best)
            .map(|(turn, _)| turn);
        Ok(Some(Judged {
            seat: position.mover(),
            turn,
            was,
            best,
            better: better.collect(),
        }))
    }

    /// Whether it gave away a win or a draw.
    pub fn mistake(&self) -> bool {
        self.was.outcome < self.best.outcome
    }

    /// What the position after the turn is worth to the first seat: 1, 0 or -1.
    pub fn for_first_seat(&self) -> i8 {
        let own = match self.was.outcome {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => -1,
        };
        if self.seat == Seat::FIRST { own } else { -own }
    }
}

/// What follows a legal turn with best play of both: who wins hurries, who loses delays, up to the end. Nothing follows that is
/// worth telling where the turn draws.
///
/// # Errors
/// [`NoAnswer`] if the solver was stopped.
pub fn line_after(solver: &Solver, position: &Position, turn: Turn) -> Result<Vec<Turn>, NoAnswer> {
    let mut line = Vec::new();
    let mut now = *position;
    now.play_unchecked(turn);
    while now.playing() {
        let value = solver.exact(&now)?;
        if value.outcome == Outcome::Draw {
            break;
        }
        let best = solver
            .turns_exactly(&now)?
            .into_iter()
            .find(|(_, other)| *other == value);
        let Some((next, _)) = best else { break };
        line.push(next);
        now.play_unchecked(next);
    }
    Ok(line)
}

/// The share of a seat's turns that kept the value of the position; `None` if it had no turn.
pub fn accuracy(judged: &[Judged], seat: Seat) -> Option<f64> {
    let own = || judged.iter().filter(|judged| judged.seat == seat);
    match own().count() {
        0 => None,
        turns => Some((turns - mistakes(judged, seat)) as f64 / turns as f64),
    }
}

/// How many of a seat's turns gave something away.
pub fn mistakes(judged: &[Judged], seat: Seat) -> usize {
    judged
        .iter()
        .filter(|judged| judged.seat == seat && judged.mistake())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn what_follows_a_losing_turn_is_played_to_the_completed_line() {
        let solver = Solver::new(Rules::standard(), 1 << 20, 1).unwrap();
        let position = Position::new(Rules::standard()).parse("012./4.7./a..d/.... 5").unwrap();
        let mut lost = 0;
        for (turn, value) in solver.turns_exactly(&position).unwrap() {
            let line = line_after(&solver, &position, turn).unwrap();
            if value.outcome == Outcome::Draw {
                assert_eq!(line, []);
                continue;
            }
            lost += u32::from(value.outcome == Outcome::Loss);
            // Its own placement, and one for each turn that follows.
            assert_eq!(line.len() as u32 + 1, value.plies, "{turn}");
            let mut end = position;
            end.play(turn).unwrap();
            line.iter().for_each(|&turn| end.play(turn).unwrap());
            let winner = end.outcome().unwrap().winner();
            assert_eq!(
                winner == Some(position.mover()),
                value.outcome == Outcome::Win,
                "{turn}"
            );
        }
        assert!(lost > 0);
    }

    #[test]
    fn giving_a_winning_piece_is_a_mistake_and_taking_the_win_is_none() {
        let solver = Solver::new(Rules::standard(), 1 << 20, 1).unwrap();
        // d1 waits for a round or solid piece; 3 is both.
        let position = Position::new(Rules::standard()).parse("012./4.7./a..d/.... 3").unwrap();
        let win = Judged::new(&solver, &position, position.parse_move("d1.-").unwrap())
            .unwrap()
            .unwrap();
        assert!(!win.mistake());
        assert_eq!((win.was.plies, win.better.len()), (1, 1));
        let slip = Judged::new(&solver, &position, position.parse_move("d4.5").unwrap())
            .unwrap()
            .unwrap();
        assert!(slip.mistake());
        // Eight pieces are passed: seat 1 moves.
        assert_eq!(slip.seat, Seat::FIRST);
        assert_eq!((win.for_first_seat(), slip.for_first_seat()), (1, -1));
        let both = [win, slip];
        assert_eq!(accuracy(&both, Seat::FIRST), Some(0.5));
        assert_eq!((accuracy(&both, Seat::SECOND), mistakes(&both, Seat::FIRST)), (None, 1));
        assert_eq!(
            Judged::new(&solver, &position, position.parse_move("a1.5").unwrap()).unwrap(),
            None
        );
    }
}
