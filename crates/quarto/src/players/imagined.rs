//! The opponent that traps are set for: a search of three turns that judges boards by the pieces that complete a line
//! (`minimax:depth=3,eval=absolute`), worked out whole. It makes any of its best turns; here is the list of them.
//!
//! The boards it judges do not depend on the last gift, and gifts that lose at once are never looked at. So the tree is small: a
//! turn of its own, an answer, a placement.

use crate::heuristics::{Absolute, Heuristic};
use crate::{PieceSet, Position, Turn};

/// From this many pieces on the last placements may end the game, which is not thought of here.
const TOO_LATE: u32 = 13;

/// The turns it finds best, and how many boards it judged to find them. None where it wins or loses at once, near the end of
/// the game, in misère games, and if it gets `late` before it has seen all.
pub(crate) fn best_turns(position: &Position, late: impl Fn() -> bool) -> (Vec<Turn>, u64) {
    let (mut best, mut boards) = (Vec::new(), 0);
    let completes = |piece| !position.completing_cells(piece).is_empty();
    if position.rules().misere() || position.placed() >= TOO_LATE || position.hand().is_none_or(completes) {
        return (best, boards);
    }
    // The most completing pieces that some answer leaves, of the turn after which these are least.
    let mut least = i32::MAX;
    // An answer that refuted one turn often refutes the next.
    let mut refutation = None;
    for (turn, given) in turns(position) {
        if late() {
            return (Vec::new(), boards);
        }
        let answers = turns(&given);
        let first = answers.iter().position(|(answer, _)| Some(*answer) == refutation);
        let order = first
            .into_iter()
            .chain((0..answers.len()).filter(|&i| Some(i) != first));
        let mut worst = i32::MIN;
        for (answer, last) in order.map(|i| &answers[i]) {
            let trouble = least_trouble(last, worst, &mut boards);
            if trouble > worst {
                worst = trouble;
                if worst > least {
                    refutation = Some(*answer);
                    break;
                }
            }
        }
        if worst < least {
            least = worst;
            best.clear();
        }
        if worst == least {
            best.push(turn);
        }
    }
    (best, boards)
}

/// The turns that give no line at once, and where they lead.
fn turns(position: &Position) -> Vec<(Turn, Position)> {
    let mut turns = Vec::with_capacity(64);
    for cell in position.empty() {
        let board = position.placing(cell);
        for piece in PieceSet(board.left().0 & !board.completing_pieces().0) {
            let turn = Turn {
                place: Some(cell),
                give: Some(piece),
            };
            turns.push((turn, board.giving(piece)));
        }
    }
    turns
}

/// How many ways to complete a line the opponent is left with, at least; no more is asked than whether it is above `floor`.
fn least_trouble(position: &Position, floor: i32, boards: &mut u64) -> i32 {
    let mut least = i32::MAX;
    for cell in position.empty() {
        *boards += 1;
        least = least.min(Absolute.evaluate(&position.placing(cell)));
        if least <= floor {
            break;
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::players::HeuristicEvaluator;
    use crate::policy::{self, Novice};
    use game::{Game, below, rng};
    use search::{AlphaBeta, Limits, Settings};
    use std::collections::HashSet;

    #[test]
    fn the_turns_are_those_that_the_search_makes() {
        let mut rng = rng(1);
        let mut search = AlphaBeta::new(HeuristicEvaluator(Absolute), Settings::default());
        for name in ["quarto", "quarto-squares"] {
            let rules = Rules::named(name).unwrap();
            let mut checked = 0;
            while checked < 40 {
                let mut position = Position::new(rules);
                let placed = 7 + below(&mut rng, 6);
                while position.playing() && position.placed() < placed {
                    position.play_unchecked(policy::turn(&Novice, &position, &mut rng).unwrap());
                }
                let best: HashSet<Turn> = best_turns(&position, || false).0.into_iter().collect();
                // Of turns that win the search does not make all: it stops at the first.
                let wins = |(turn, given): &(Turn, Position)| best.contains(turn) && turns(given).is_empty();
                if best.is_empty() || turns(&position).iter().any(wins) {
                    continue;
                }
                let mut ask = || {
                    search
                        .search(&position, &Limits::depth(3), Some(&mut rng))
                        .unwrap()
                        .best
                };
                let made: HashSet<Turn> = (0..20 * best.len()).map(|_| ask()).collect();
                assert_eq!(made, best, "{position:?}");
                checked += 1;
            }
        }
    }
}
