//! A position as those see it who learn the weights.

use super::board::Board;
use super::eval::features;
use super::weights::{CLASS_OF, CLASSES, DISTANCES, NUMBERS, Weights};
use crate::Position;
use game::Game;

/// The features of a quiet position (where nobody can complete a line at once), one a weight: the evaluation promises
/// Black the sum of features times weights, in thousandths of a point, beyond the points made. `None` if the position
/// is not quiet.
pub fn lesson(position: &Position) -> Option<[f64; NUMBERS]> {
    let board = Board::new(position, Weights::standard());
    let open = (board.threats(0) | board.threats(1)) & board.reachable();
    if !open.is_empty() || position.is_over() {
        return None;
    }
    let mut counts = [0.0; NUMBERS / 2];
    for (line, seat, stones) in board.open_lines() {
        counts[3 * usize::from(CLASS_OF[line]) + stones - 1] += SIGN[seat];
    }
    for (seat, sign) in SIGN.into_iter().enumerate() {
        let seen = features(&board, seat);
        for (distance, &count) in seen.at.iter().enumerate() {
            counts[3 * CLASSES + distance] += sign * f64::from(count);
        }
        counts[3 * CLASSES + DISTANCES] += sign * f64::from(seen.stacked);
    }
    counts[3 * CLASSES + DISTANCES + 1] = SIGN[position.mover().index()];
    let next_line = 100.0 / (f64::from(position.lines()) + 1.0);
    let late = f64::from(position.moves()) / 64.0;
    let phase = |i: usize| if i < NUMBERS / 2 { 1.0 - late } else { late };
    Some(std::array::from_fn(|i| {
        counts[i % (NUMBERS / 2)] * phase(i) * next_line
    }))
}

/// Black counts for, White against.
const SIGN: [f64; 2] = [1.0, -1.0];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strong::eval::{POINT, evaluate};
    use crate::strong::learned;

    #[test]
    fn the_lesson_times_the_weights_is_the_evaluation() {
        let mut rng = game::rng(11);
        let mut seen = 0;
        for _ in 0..100 {
            let mut position = Position::new();
            while !position.is_over() {
                if let Some(lesson) = lesson(&position) {
                    let board = Board::new(&position, Weights::standard());
                    let sign = SIGN[position.mover().index()];
                    let promise =
                        sign * f64::from(evaluate(&board)) / f64::from(POINT) - sign * f64::from(board.margin());
                    let taught: f64 = lesson
                        .iter()
                        .zip(learned::NUMBERS)
                        .map(|(x, w)| x * f64::from(w) / 1000.0)
                        .sum();
                    assert!(
                        (promise - taught).abs() < 0.5,
                        "{promise} is not {taught} at {}",
                        position.print()
                    );
                    seen += 1;
                }
                position.drop_random(&mut rng);
            }
        }
        assert!(seen > 500, "{seen}");
    }
}
