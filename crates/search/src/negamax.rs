//! Plain negamax, with which the tests compare the other searches: no pruning, no transposition table, no shortcut.

use crate::{Evaluator, SeatScale, Value};
use game::Game;

/// The value of `position` to its mover at `depth` moves ahead. Visits everything.
pub fn negamax<G: Game, E: Evaluator<G>>(position: &G, evaluator: &E, depth: u32) -> Value {
    let view = SeatScale::new(evaluator.scale(), position.mover());
    value(position, evaluator, &view, depth)
}

/// Every legal move with its value to the mover, in the game's order. `depth` counts the move itself.
pub fn negamax_moves<G: Game, E: Evaluator<G>>(position: &G, evaluator: &E, depth: u32) -> Vec<(G::Move, Value)> {
    let view = SeatScale::new(evaluator.scale(), position.mover());
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| (mv, after(position, mv, evaluator, &view, depth.saturating_sub(1))))
        .collect()
}

fn value<G: Game, E: Evaluator<G>>(position: &G, evaluator: &E, view: &SeatScale, depth: u32) -> Value {
    if let Some(payoffs) = position.outcome() {
        return view.finished(&payoffs, position.mover());
    }
    if depth == 0 {
        return evaluator.evaluate(position);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let values = moves
        .into_iter()
        .map(|mv| after(position, mv, evaluator, view, depth - 1));
    // An unfinished game has a move, so the default is never taken.
    values.max().unwrap_or(0)
}

/// What playing `mv` is worth to the mover of `position`.
fn after<G: Game, E: Evaluator<G>>(position: &G, mv: G::Move, evaluator: &E, view: &SeatScale, depth: u32) -> Value {
    let mut next = position.clone();
    next.play_unchecked(mv);
    let value = value(&next, evaluator, view, depth);
    if next.mover() == position.mover() {
        value
    } else {
        -value
    }
}
