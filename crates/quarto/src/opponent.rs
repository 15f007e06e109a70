//! A model of opponents, learnt from games: how likely is each reply in a drawn position?
//!
//! It is a conditional logit: a reply is chosen with a probability proportional to the exponential of a weighted sum of its [`features`](ModelledReply::features). Those
//! say how far off the loss is that it leads to, if it loses, and what the board looks like after the placement. Replies that give a line at
//! once are left out: nobody but a beginner makes them.
//!
//! The [`WEIGHTS`] were fitted to turns of the novice, of searches of two, three and four turns that count completing pieces, and of two levels of
//! `perfect` (`cargo run --release -p terzo-quarto --example opponent`). They say that all of these avoid what loses within three placements, few what loses
//! within five, and hardly anybody what loses later. (They come from 585 turns, with a seventh feature that had no weight; against the `perfect` that uses
//! them the example finds -2.27, -0.49, -0.13, -0.04, 0.79, -0.04 from 573.)

use crate::heuristics::{completing, unplaced};
use crate::solver::{NoAnswer, Outcome, Solver};
use crate::{PieceSet, Position};

/// How many features a reply has.
pub const FEATURES: usize = 6;

/// What the features count: losses within three, five and seven placements, and later ones, against a reply that holds; then the completing pieces, by
/// line, and the safe pieces, both for each piece that is not placed.
pub const WEIGHTS: [f64; FEATURES] = [-2.27, -0.48, -0.19, -0.05, 0.47, -0.39];

/// The sights that tell losses apart.
const SIGHTS: [u32; 3] = [3, 5, 7];

/// How large a step of the fit is, and how many there are. The likelihood has one maximum only.
const STEP: f64 = 2.0;
const STEPS: usize = 600;

/// A reply, as the model sees it.
#[derive(Clone, Copy, Debug)]
pub struct ModelledReply {
    /// Whether it loses a position that was drawn.
    pub loses: bool,
    /// See [`WEIGHTS`].
    pub features: [f64; FEATURES],
}

impl ModelledReply {
    /// The reply that led to `given`, a position with a piece in hand.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped.
    pub fn new(solver: &Solver, given: &Position) -> Result<Self, NoAnswer> {
        let mut features = [0.0; FEATURES];
        let loses = solver.at_least(given, Outcome::Win)?;
        if loses {
            let mut class = 0;
            while class < SIGHTS.len() && !solver.wins_within(given, SIGHTS[class])? {
                class += 1;
            }
            features[class] = 1.0;
        }
        let unplaced = unplaced(given);
        let pieces = f64::from(unplaced.len().max(1));
        let safe = PieceSet(unplaced.0 & !given.completing_pieces().0);
        features[4] = f64::from(completing(given)) / pieces;
        features[5] = f64::from(safe.len()) / pieces;
        Ok(ModelledReply { loses, features })
    }

    /// How likely it is, against others in the same position.
    pub fn weight(&self) -> f64 {
        self.weight_by(&WEIGHTS)
    }

    fn weight_by(&self, weights: &[f64; FEATURES]) -> f64 {
        let sum: f64 = self
            .features
            .iter()
            .zip(weights)
            .map(|(feature, weight)| feature * weight)
            .sum();
        sum.exp()
    }
}

/// The weights under which turns are most likely: each the number of the reply that was made, and all replies there were. Also how likely a
/// turn is under them: the mean of its logarithm.
pub fn fit(turns: &[(usize, Vec<ModelledReply>)]) -> ([f64; FEATURES], f64) {
    let mut weights = [0.0; FEATURES];
    let count = turns.len().max(1) as f64;
    let mut likelihood = 0.0;
    for _ in 0..STEPS {
        let mut gradient = [0.0; FEATURES];
        likelihood = 0.0;
        for (made, replies) in turns {
            let Some(reply) = replies.get(*made) else { continue };
            let all: f64 = replies.iter().map(|reply| reply.weight_by(&weights)).sum();
            likelihood += (reply.weight_by(&weights) / all).ln() / count;
            for (number, slope) in gradient.iter_mut().enumerate() {
                let weighted = replies
                    .iter()
                    .map(|reply| reply.weight_by(&weights) * reply.features[number]);
                *slope += (reply.features[number] - weighted.sum::<f64>() / all) / count;
            }
        }
        for (weight, slope) in weights.iter_mut().zip(gradient) {
            *weight += STEP * slope;
        }
    }
    (weights, likelihood)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use game::{Game, below, rng};

    #[test]
    fn the_fit_finds_the_weights_by_which_turns_were_chosen() {
        let mut rng = rng(3);
        let mut random = || f64::from(below(&mut rng, 1 << 20)) / f64::from(1 << 20);
        let mut turns = Vec::new();
        for _ in 0..3000 {
            let replies: Vec<ModelledReply> = (0..12)
                .map(|_| {
                    let mut features = [0.0; FEATURES];
                    let class = (random() * 5.0) as usize;
                    if class < 4 {
                        features[class] = 1.0;
                    }
                    features[4] = 2.0 * random();
                    features[5] = random();
                    ModelledReply {
                        loses: class < 4,
                        features,
                    }
                })
                .collect();
            let all: f64 = replies.iter().map(ModelledReply::weight).sum();
            let mut left = random() * all;
            let made = replies.iter().position(|reply| {
                left -= reply.weight();
                left <= 0.0
            });
            turns.push((made.unwrap_or(0), replies));
        }
        let (weights, likelihood) = fit(&turns);
        for (found, real) in weights.iter().zip(WEIGHTS) {
            assert!((found - real).abs() < 0.25, "{weights:?}");
        }
        assert!(likelihood > -(12f64.ln()));
    }

    #[test]
    fn a_loss_is_told_by_how_far_off_it_is() {
        let rules = Rules::standard();
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        let mut rng = rng(8);
        let mut seen = [0; 5];
        for _ in 0..400 {
            let Some(given) = crate::census::random_position(rules, 7 + below(&mut rng, 3), &mut rng) else {
                continue;
            };
            let reply = ModelledReply::new(&solver, &given).unwrap();
            let exact = solver.exact(&given).unwrap();
            assert_eq!(reply.loses, exact.outcome == Outcome::Win);
            let class = match exact.plies {
                _ if !reply.loses => 4,
                0..=3 => 0,
                4..=5 => 1,
                6..=7 => 2,
                _ => 3,
            };
            let told = reply.features[..4]
                .iter()
                .position(|feature| *feature == 1.0)
                .unwrap_or(4);
            assert_eq!(told, class, "{}", given.print());
            seen[class] += 1;
        }
        assert!(seen[0] > 0 && seen[1] > 0 && seen[4] > 0, "{seen:?}");
    }
}
