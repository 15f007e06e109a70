//! The static evaluation.

use super::board::SearchBoard;
use super::weights::Tapered;
use crate::Cells;
use crate::position::line_value;

/// Units of the evaluation in a point. Late in the game a line is worth only two points, so whole points are too coarse.
pub(super) const POINT: i32 = 16;

/// The next line's points, in units.
#[inline]
pub(super) fn next_line(board: &SearchBoard) -> i32 {
    // Not `line_value`: without the rounding of the rules the value falls smoothly.
    100 * POINT / (board.lines() as i32 + 1)
}

/// The expected margin of the mover at the end of the game, in units: the points made so far, plus the weights of what
/// either may still complete, minus the lines of the opponent that the mover cannot block.
#[inline]
pub(super) fn evaluate(board: &SearchBoard) -> i32 {
    let sign = if board.mover() == 0 { 1 } else { -1 };
    let moves = 64 - board.left() as i32;
    let weights = board.weights();
    let mut tapered = board.line_score() * sign;
    let (mine, theirs) = (
        distant_threats(board, board.mover()),
        distant_threats(board, 1 - board.mover()),
    );
    for distance in 0..3 {
        add(
            &mut tapered,
            weights.threats[distance],
            mine.at[distance] - theirs.at[distance],
        );
    }
    add(&mut tapered, weights.stacked, mine.stacked - theirs.stacked);
    add(&mut tapered, weights.tempo, 1);
    let expected = i64::from(tapered.at_move(moves)) * i64::from(next_line(board)) / 1000;
    board.margin() * POINT + expected as i32 - unstoppable(board)
}

#[inline]
fn add(tapered: &mut Tapered, weight: Tapered, times: i32) {
    tapered.early += weight.early * times;
    tapered.late += weight.late * times;
}

/// A seat's threats that cannot be reached yet.
pub(super) struct DistantThreats {
    /// How many are one, two, and more than two cells above the next free cell of their column.
    pub(super) at: [i32; 3],
    /// Pairs of them, one right above the other.
    pub(super) stacked: i32,
}

#[inline]
pub(super) fn distant_threats(board: &SearchBoard, seat: usize) -> DistantThreats {
    let threats = board.threats(seat);
    if threats.is_empty() {
        return DistantThreats { at: [0; 3], stacked: 0 };
    }
    let one_up = board.reachable().raised();
    let two_up = one_up.raised();
    let count = |cells: Cells| (threats & cells).len() as i32;
    let (one, two) = (count(one_up), count(two_up));
    let more = threats.len() as i32 - one - two - count(board.reachable());
    DistantThreats {
        at: [one, two, more],
        stacked: (threats & threats.raised()).len() as i32,
    }
}

/// What the opponent's second best completing cell is worth: the mover can block only the best.
#[inline]
fn unstoppable(board: &SearchBoard) -> i32 {
    let other = 1 - board.mover();
    let open = board.threats(other) & board.reachable();
    if open.len() < 2 {
        return 0;
    }
    let mut best = [0; 2];
    for cell in open.iter() {
        let lines = board.completes(other, cell);
        if lines > best[0] {
            best = [lines, best[0]];
        } else if lines > best[1] {
            best[1] = lines;
        }
    }
    (1..=best[1])
        .map(|i| line_value(board.lines() + i) as i32 * POINT)
        .sum()
}
