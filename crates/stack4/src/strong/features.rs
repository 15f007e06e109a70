//! The features of a position, for fitting the weights.

use super::board::SearchBoard;
use super::eval::{distant_threats, stacked_threats};
use super::weights::{CLASS_OF, FEATURE_COUNT, TEMPO_FEATURE, Weights, line_feature, stacked_feature, threat_feature};
use crate::Position;
use game::Game;

/// What the evaluation sees of a position.
pub struct Features {
    /// How often each feature is there, White's and White's turn counted negative; those that are there.
    pub counts: Vec<(u16, i16)>,
    /// Which weights count: 0 before the first line, 1 after it.
    pub set: usize,
    /// The share of the weights for the end of the game, 0 to 1.
    pub late: f64,
    /// What the next line is worth, in points, without the rounding of the rules.
    pub next_line: f64,
}

impl Features {
    /// What Black is expected to win beyond the points made so far, by weights in thousandths of the next line.
    pub fn evaluate<N: Copy + Into<f64>>(&self, weights: &[N]) -> f64 {
        let [early, late] = [0, 1].map(|end| (2 * self.set + end) * FEATURE_COUNT);
        let sum = |first: usize| -> f64 {
            let weight = |feature: u16| -> f64 { weights[first + usize::from(feature)].into() };
            self.counts.iter().map(|&(i, n)| f64::from(n) * weight(i)).sum()
        };
        ((1.0 - self.late) * sum(early) + self.late * sum(late)) * self.next_line / 1000.0
    }
}

/// The features of a quiet position (nobody can complete a line at once); `None` if it is not quiet.
pub fn features(position: &Position) -> Option<Features> {
    let board = SearchBoard::new(position, Weights::standard());
    let open = (board.threats(0) | board.threats(1)) & board.reachable();
    if !open.is_empty() || position.is_over() {
        return None;
    }
    let mut counts = [0i16; FEATURE_COUNT];
    for (line, seat, stones) in board.open_lines() {
        counts[line_feature(seat, CLASS_OF[line].into(), stones)] += SIGN[seat];
    }
    for (seat, sign) in SIGN.into_iter().enumerate() {
        distant_threats(&board, seat, |parity, distance| {
            counts[threat_feature(seat, parity, distance)] += sign;
        });
        counts[stacked_feature(seat)] += sign * stacked_threats(&board, seat) as i16;
    }
    counts[TEMPO_FEATURE] = SIGN[position.mover().index()];
    let there = counts.iter().enumerate().filter(|(_, count)| **count != 0);
    Some(Features {
        counts: there.map(|(i, &count)| (i as u16, count)).collect(),
        set: usize::from(position.lines() > 0),
        late: f64::from(position.moves()) / 64.0,
        next_line: 100.0 / (f64::from(position.lines()) + 1.0),
    })
}

/// Black's features count positive, White's negative.
const SIGN: [i16; 2] = [1, -1];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strong::eval::{POINT, evaluate};
    use crate::strong::learned;

    #[test]
    fn the_features_times_the_weights_is_the_evaluation() {
        let mut rng = game::rng(11);
        let mut seen = [0; 2];
        for _ in 0..200 {
            let mut position = Position::new();
            while !position.is_over() {
                if let Some(features) = features(&position) {
                    let board = SearchBoard::new(&position, Weights::standard());
                    let sign = f64::from(SIGN[position.mover().index()]);
                    let evaluated = sign * (f64::from(evaluate(&board)) / f64::from(POINT) - f64::from(board.margin()));
                    let summed = features.evaluate(&learned::WEIGHTS);
                    assert!(
                        (evaluated - summed).abs() < 0.5,
                        "{evaluated} is not {summed} at {}",
                        position.print()
                    );
                    seen[features.set] += 1;
                }
                position.drop_random(&mut rng);
            }
        }
        assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
    }
}
