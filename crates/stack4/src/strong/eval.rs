//! What a position that is not searched further is worth to the mover.

use super::board::Board;
use super::weights::Shape;
use crate::Cells;
use crate::position::line_value;

/// Units in a point. Late in the game a line is worth two points, and weights are thousandths of a line.
pub(super) const POINT: i32 = 16;

/// The next line's points, in units.
#[inline]
pub(super) fn next_line(board: &Board) -> i32 {
    // Not `line_value`: the fraction that the rules cut off still tells how worth falls.
    100 * POINT / (board.lines() as i32 + 1)
}

/// What the mover's margin will be at the end of the game, in units: the points made, the lines that either may
/// still make, by the weights, less what the other takes next because the mover cannot block it all.
#[inline]
pub(super) fn evaluate(board: &Board) -> i32 {
    let sign = if board.mover() == 0 { 1 } else { -1 };
    let moves = 64 - board.left() as i32;
    let weights = board.weights();
    let mut shape = board.shape() * sign;
    let (mine, theirs) = (features(board, board.mover()), features(board, 1 - board.mover()));
    for distance in 0..3 {
        add(
            &mut shape,
            weights.threats[distance],
            mine.at[distance] - theirs.at[distance],
        );
    }
    add(&mut shape, weights.stacked, mine.stacked - theirs.stacked);
    add(&mut shape, weights.tempo, 1);
    let promise = i64::from(shape.after(moves)) * i64::from(next_line(board)) / 1000;
    board.margin() * POINT + promise as i32 - unstoppable(board)
}

#[inline]
fn add(shape: &mut Shape, weight: Shape, times: i32) {
    shape.early += weight.early * times;
    shape.late += weight.late * times;
}

/// A seat's threats that nobody can reach yet.
pub(super) struct Features {
    /// One, two, more above the reachable cell of their column.
    pub(super) at: [i32; 3],
    /// Two of them, one right above the other.
    pub(super) stacked: i32,
}

#[inline]
pub(super) fn features(board: &Board, seat: usize) -> Features {
    let threats = board.threats(seat);
    if threats.is_empty() {
        return Features { at: [0; 3], stacked: 0 };
    }
    let one_up = board.reachable().raised();
    let two_up = one_up.raised();
    let count = |cells: Cells| (threats & cells).len() as i32;
    let (one, two) = (count(one_up), count(two_up));
    let more = threats.len() as i32 - one - two - count(board.reachable());
    Features {
        at: [one, two, more],
        stacked: (threats & threats.raised()).len() as i32,
    }
}

/// What the other's second best completing cell gives him, for the mover can block only the best.
#[inline]
fn unstoppable(board: &Board) -> i32 {
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
