//! The features of a position, for fitting the weights.

use super::board::SearchBoard;
use super::eval::distant_threats;
use super::weights::{CLASS_OF, CLASSES, DISTANCES, WEIGHT_COUNT, Weights};
use crate::Position;
use game::Game;

/// The features of a quiet position (nobody can complete a line at once), one for each weight. The sum of features times
/// weights, in thousandths of a point, is what the evaluation expects Black to win beyond the points made so far. `None`
/// if the position is not quiet.
pub fn features(position: &Position) -> Option<[f64; WEIGHT_COUNT]> {
    let board = SearchBoard::new(position, Weights::standard());
    let open = (board.threats(0) | board.threats(1)) & board.reachable();
    if !open.is_empty() || position.is_over() {
        return None;
    }
    let mut counts = [0.0; WEIGHT_COUNT / 2];
    for (line, seat, stones) in board.open_lines() {
        counts[3 * usize::from(CLASS_OF[line]) + stones - 1] += SIGN[seat];
    }
    for (seat, sign) in SIGN.into_iter().enumerate() {
        let threats = distant_threats(&board, seat);
        for (distance, &count) in threats.at.iter().enumerate() {
            counts[3 * CLASSES + distance] += sign * f64::from(count);
        }
        counts[3 * CLASSES + DISTANCES] += sign * f64::from(threats.stacked);
    }
    counts[3 * CLASSES + DISTANCES + 1] = SIGN[position.mover().index()];
    let next_line = 100.0 / (f64::from(position.lines()) + 1.0);
    let late = f64::from(position.moves()) / 64.0;
    let phase = |i: usize| if i < WEIGHT_COUNT / 2 { 1.0 - late } else { late };
    Some(std::array::from_fn(|i| {
        counts[i % (WEIGHT_COUNT / 2)] * phase(i) * next_line
    }))
}

/// Black's features count positive, White's negative.
const SIGN: [f64; 2] = [1.0, -1.0];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strong::eval::{POINT, evaluate};
    use crate::strong::learned;

    #[test]
    fn the_features_times_the_weights_is_the_evaluation() {
        let mut rng = game::rng(11);
        let mut seen = 0;
        for _ in 0..100 {
            let mut position = Position::new();
            while !position.is_over() {
                if let Some(features) = features(&position) {
                    let board = SearchBoard::new(&position, Weights::standard());
                    let sign = SIGN[position.mover().index()];
                    let evaluated =
                        sign * f64::from(evaluate(&board)) / f64::from(POINT) - sign * f64::from(board.margin());
                    let summed: f64 = features
                        .iter()
                        .zip(learned::WEIGHTS)
                        .map(|(x, w)| x * f64::from(w) / 1000.0)
                        .sum();
                    assert!(
                        (evaluated - summed).abs() < 0.5,
                        "{evaluated} is not {summed} at {}",
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
