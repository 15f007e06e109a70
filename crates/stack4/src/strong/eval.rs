//! The static evaluation.

use super::board::SearchBoard;
use super::weights::Tapered;
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
    let mut black = board.line_score();
    for seat in 0..2 {
        add_threats(&mut black, board, seat);
    }
    black.add(weights.tempo, sign);
    let expected = sign * black.at(board.lines(), moves);
    let expected = i64::from(expected) * i64::from(next_line(board)) / 1000;
    board.margin() * POINT + expected as i32 - unstoppable(board)
}

/// Adds the weights of a seat's threats that cannot be reached yet.
#[inline]
fn add_threats(black: &mut Tapered, board: &SearchBoard, seat: usize) {
    let weights = board.weights();
    distant_threats(board, seat, |parity, distance| {
        black.add(weights.threats[seat][parity][distance], 1);
    });
    black.add(weights.stacked[seat], stacked_threats(board, seat));
}

/// Tells of each threat of a seat that cannot be reached yet the parity of its layer, counted from 0, and whether it is
/// one (0), two (1) or more (2) cells above the next free cell of its column. Who moves second can answer in every column,
/// and so comes to the odd layers.
#[inline]
pub(super) fn distant_threats(board: &SearchBoard, seat: usize, mut tell: impl FnMut(usize, usize)) {
    let reachable = board.reachable();
    let one_up = reachable.raised();
    let two_up = one_up.raised();
    for cell in (board.threats(seat) & !reachable).iter() {
        let distance = if one_up.has(cell) {
            0
        } else if two_up.has(cell) {
            1
        } else {
            2
        };
        tell(cell.layer() & 1, distance);
    }
}

/// Pairs of threats of a seat, one right above the other.
#[inline]
pub(super) fn stacked_threats(board: &SearchBoard, seat: usize) -> i32 {
    let threats = board.threats(seat);
    (threats & threats.raised()).len() as i32
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
