//! How a turn that holds is found.

use crate::solver::{NoAnswer, Outcome, Solver};
use crate::{Position, Turn};

/// A turn that keeps at least a draw in a position with a piece in hand; `None` if there is none.
///
/// The solver finds out by itself where a draw is easiest to prove; what it has found is then in its table, so the turn is named by asking
/// again with very little effort, of placements first.
///
/// # Errors
/// [`NoAnswer`] if the solver was stopped, or the game is over.
pub(super) fn find(solver: &Solver, position: &Position) -> Result<Option<Turn>, NoAnswer> {
    let turn = |place, give| Turn {
        place: Some(place),
        give: Some(give),
    };
    let placements = || {
        let cells = position.empty().into_iter();
        let boards = cells.map(|cell| (cell, position.placing(cell)));
        boards.filter(|(_, board)| board.playing())
    };
    if !solver.at_least(position, Outcome::Draw)? {
        return Ok(None);
    }
    let held = first(placements().collect(), |(_, board), boards| {
        Ok(solver.at_least_within(board, Outcome::Draw, boards)?.0)
    })?;
    let Some((cell, board)) = held else { return Ok(None) };
    let gift = first(board.left().into_iter().collect(), |piece, boards| {
        let (answer, _) = solver.at_least_within(&board.giving(*piece), Outcome::Win, boards)?;
        Ok(answer.map(|wins| !wins))
    })?;
    Ok(gift.map(|piece| turn(cell, piece)))
}

/// The first that is found good, each tried with a little effort before one gets more.
fn first<T>(mut open: Vec<T>, good: impl Fn(&T, u64) -> Result<Option<bool>, NoAnswer>) -> Result<Option<T>, NoAnswer> {
    let mut boards = 1 << 4;
    while !open.is_empty() {
        let mut unknown = Vec::new();
        for one in open {
            match good(&one, boards)? {
                Some(true) => return Ok(Some(one)),
                Some(false) => (),
                None => unknown.push(one),
            }
        }
        open = unknown;
        boards *= 4;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::policy::{self, Random};
    use game::{Game, rng};

    #[test]
    fn it_names_a_turn_that_holds_wherever_there_is_one() {
        let mut rng = rng(8);
        let (mut held, mut lost) = (0, 0);
        for rules in Rules::all().filter(|rules| rules.misere()) {
            let solver = Solver::new(rules, 1 << 20, 1).unwrap();
            for _ in 0..60 {
                let mut position = Position::new(rules);
                while position.placed() < 10 && position.playing() {
                    let turn = policy::turn(&Random, &position, &mut rng).unwrap();
                    position.play_unchecked(turn);
                }
                if !position.playing() {
                    continue;
                }
                let holds = solver.at_least(&position, Outcome::Draw).unwrap();
                let found = find(&solver, &position).unwrap();
                assert_eq!(found.is_some(), holds, "{position:?}");
                let Some(turn) = found else {
                    lost += 1;
                    continue;
                };
                held += 1;
                let mut after = position;
                after.play(turn).unwrap();
                assert!(
                    !solver.at_least(&after, Outcome::Win).unwrap(),
                    "{turn} in {position:?}"
                );
            }
        }
        assert!(held > 50 && lost > 0, "{held} {lost}");
    }
}
