//! A Quarto heuristic as an evaluator for the searches, with what Quarto knows to save work.

use crate::heuristics::Heuristic;
use crate::{Cell, CellSet, PieceSet, Position, Turn};
use arrayvec::ArrayVec;
use game::Game;
use search::{Evaluator, Horizon, LastPly, Scale, SeatScale, Value};

/// Lets a heuristic judge for a search.
///
/// A leaf's value does not depend on the piece that was given last (the heuristics judge before that), so the last ply
/// looks at one board a cell, not at one a turn.
#[derive(Clone, Debug)]
pub struct HeuristicEvaluator<H>(pub H);

/// Turns that are each other's images under a symmetry are searched once, as long as no more pieces than this are
/// placed: later few positions have any symmetry left.
const SYMMETRIC: u32 = 5;
/// And only this close to the root, where each turn saved is a whole tree.
const NEAR_THE_ROOT: u32 = 1;

impl<H: Heuristic> Evaluator<Position> for HeuristicEvaluator<H> {
    fn scale(&self) -> Scale {
        Scale {
            win: self.0.win(),
            draw: self.0.draw(),
        }
    }

    #[inline]
    fn evaluate(&self, position: &Position) -> Value {
        let worth = self.0.evaluate(position);
        // With a piece in hand the mover is the receiver; without, who gives it.
        if position.hand().is_some() { worth } else { -worth }
    }

    fn unit(&self) -> f64 {
        self.0.unit()
    }

    fn moves(&self, position: &Position, horizon: Horizon, into: &mut Vec<Turn>) {
        into.clear();
        let Some(piece) = position.hand() else {
            position.legal_moves(into);
            return one_of_each(position, horizon.ply, into);
        };
        let completing = position.completing_cells(piece);
        let misere = position.rules().misere();
        if !misere && !completing.is_empty() {
            return into.extend(completing.into_iter().map(ending));
        }
        let quiet = CellSet(position.empty().0 & !completing.0);
        if position.left().is_empty() || quiet.is_empty() {
            // Of the last cells none is better than another; where all of them complete a line, all of them lose.
            let cells = if quiet.is_empty() { position.empty() } else { quiet };
            return into.extend(cells.into_iter().take(1).map(ending));
        }
        for cell in quiet {
            let place = Some(cell);
            // Giving a piece that completes a line loses, if the search looks far enough to see it.
            let losing = match misere || horizon.depth < 2 {
                true => PieceSet::EMPTY,
                false => position.placing(cell).completing_pieces(),
            };
            let safe = PieceSet(position.left().0 & !losing.0);
            into.extend(safe.into_iter().map(|piece| Turn {
                place,
                give: Some(piece),
            }));
        }
        if into.is_empty() {
            // Whatever is given wins: any turn is as bad as any other.
            into.extend(quiet.into_iter().take(1).map(|cell| Turn {
                place: Some(cell),
                give: position.left().into_iter().next(),
            }));
        }
        one_of_each(position, horizon.ply, into);
    }

    #[inline]
    fn winning_move(&self, position: &Position) -> Option<Turn> {
        if position.rules().misere() {
            return None;
        }
        position
            .completing_cells(position.hand()?)
            .into_iter()
            .next()
            .map(ending)
    }

    fn last_ply(&self, position: &Position, view: &SeatScale, beta: Value) -> Option<LastPly<Turn>> {
        let piece = position.hand()?;
        let completing = position.completing_cells(piece);
        let misere = position.rules().misere();
        if !misere && let Some(cell) = completing.into_iter().next() {
            return Some(sure(cell, view.win()));
        }
        let quiet = CellSet(position.empty().0 & !completing.0);
        let Some(first) = quiet.into_iter().next() else {
            return Some(sure(position.empty().nth(0), -view.win()));
        };
        if position.left().is_empty() {
            return Some(sure(first, view.draw(position.mover())));
        }
        let mut best = (first, Value::MIN);
        for cell in quiet {
            let value = -self.0.evaluate(&position.placing(cell));
            if value > best.1 {
                best = (cell, value);
                if value >= beta {
                    break;
                }
            }
        }
        Some(LastPly {
            best: Turn {
                place: Some(best.0),
                give: position.left().into_iter().next(),
            },
            value: best.1,
            solved: false,
        })
    }
}

/// A turn that ends the game.
fn ending(cell: Cell) -> Turn {
    Turn {
        place: Some(cell),
        give: None,
    }
}

fn sure(cell: Cell, value: Value) -> LastPly<Turn> {
    LastPly {
        best: ending(cell),
        value,
        solved: true,
    }
}

/// Keeps one of each kind of turns that are images of each other.
fn one_of_each(position: &Position, ply: u32, turns: &mut Vec<Turn>) {
    if ply > NEAR_THE_ROOT || position.placed() + ply > SYMMETRIC {
        return;
    }
    let mut seen = ArrayVec::<_, 256>::new();
    turns.retain(|&turn| {
        let mut next = *position;
        next.play_unchecked(turn);
        let key = next.canonical_key();
        // There are at most 16 x 15 turns; were there more, the rest would simply be kept.
        !seen.contains(&key) && (seen.try_push(key).is_ok() || seen.is_full())
    });
}
