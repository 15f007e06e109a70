//! The sequential probability ratio test on pairs of games.
//!
//! Is the first player's Elo over the second `elo1` rather than `elo0`? After every pair the log-likelihood ratio of the
//! two is known: of all distributions of the five results with the expected score a hypothesis asks for, the one that
//! makes the sample likeliest stands for it. That distribution is `p_i / (1 + t (x_i - s))` for the observed `p_i`, with
//! the one `t` that makes its mean `s`.

use super::pairs::Pentanomial;
use super::score_of_elo;
use std::fmt;

/// A test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The Elo of the hypothesis to be refused.
    pub elo0: f64,
    /// The Elo of the hypothesis to be shown.
    pub elo1: f64,
    /// How often a true `elo0` may be taken for `elo1`.
    pub alpha: f64,
    /// How often a true `elo1` may be taken for `elo0`.
    pub beta: f64,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play on.
    Continue,
    /// `elo0` it is.
    Refused,
    /// `elo1` it is.
    Shown,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Decision::Continue => "undecided",
            Decision::Refused => "elo0 accepted",
            Decision::Shown => "elo1 accepted",
        })
    }
}

impl Sprt {
    /// The ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of a sample.
    pub fn ratio(&self, counts: &Pentanomial) -> f64 {
        log_likelihood_ratio(counts, score_of_elo(self.elo0), score_of_elo(self.elo1))
    }

    /// What a ratio means.
    pub fn decide(&self, ratio: f64) -> Decision {
        let (low, high) = self.bounds();
        match ratio {
            r if r <= low => Decision::Refused,
            r if r >= high => Decision::Shown,
            _ => Decision::Continue,
        }
    }
}

/// The log-likelihood ratio of expected score `s1` against `s0`.
pub fn log_likelihood_ratio(counts: &Pentanomial, s0: f64, s1: f64) -> f64 {
    let n = counts.iter().sum::<u64>() as f64;
    if n == 0.0 {
        return 0.0;
    }
    // Results never seen get a trifle, so that a hypothesis outside of those seen stays possible.
    let weights = counts.map(|count| (count as f64).max(1e-3));
    let total: f64 = weights.iter().sum();
    let observed = weights.map(|weight| weight / total);
    let [t0, t1] = [s0, s1].map(|score| tilt(&observed, score));
    let mut ratio = 0.0;
    for (i, p) in observed.iter().enumerate() {
        let x = i as f64 / 4.0;
        ratio += p * ((1.0 + t0 * (x - s0)) / (1.0 + t1 * (x - s1))).ln();
    }
    n * ratio
}

/// The `t` for which `p_i / (1 + t (x_i - s))` has mean `s`: a zero of a decreasing function, by bisection.
fn tilt(observed: &[f64; 5], s: f64) -> f64 {
    let s = s.clamp(1e-9, 1.0 - 1e-9);
    // Between the poles every term is positive.
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
    for _ in 0..100 {
        let t = 0.5 * (low + high);
        let excess: f64 = observed
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let x = i as f64 / 4.0 - s;
                p * x / (1.0 + t * x)
            })
            .sum();
        if excess > 0.0 {
            low = t;
        } else {
            high = t;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Rng, below};

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 50.0,
        alpha: 0.05,
        beta: 0.05,
    };

    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = TEST.bounds();
        assert!((low + 2.944_439).abs() < 1e-6 && (high - 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn for_two_results_the_ratio_is_the_binomials() {
        // Only 0 and 2 points: then the likelihood is n1 ln(s) + n0 ln(1 - s).
        let (s0, s1) = (0.5f64, 0.6f64);
        let by_hand = 60.0 * (s1 / s0).ln() + 40.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        let ratio = log_likelihood_ratio(&[40, 0, 0, 0, 60], s0, s1);
        assert!((ratio - by_hand).abs() < 0.01, "{ratio} {by_hand}");
    }

    #[test]
    fn near_even_scores_the_ratio_is_the_normal_approximation() {
        // n (s1 - s0) (2 mean - s0 - s1) / (2 variance): mean 0.51, variance 0.0524 for this sample.
        let counts = [50u64, 190, 440, 230, 90];
        let n = 1000.0;
        let mean: f64 = counts
            .iter()
            .enumerate()
            .map(|(i, &c)| c as f64 * i as f64 / 4.0)
            .sum::<f64>()
            / n;
        let square: f64 = counts
            .iter()
            .enumerate()
            .map(|(i, &c)| c as f64 * (i as f64 / 4.0).powi(2))
            .sum::<f64>()
            / n;
        let variance = square - mean * mean;
        let (s0, s1) = (0.5, 0.52);
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = log_likelihood_ratio(&counts, s0, s1);
        assert!((ratio - normal).abs() < 0.05 * normal.abs(), "{ratio} {normal}");
    }

    #[test]
    fn tiny_and_one_sided_samples_have_finite_ratios() {
        for counts in [
            [0; 5],
            [1, 0, 0, 0, 0],
            [0, 0, 0, 0, 1],
            [0, 0, 0, 0, 5000],
            [0, 0, 9, 0, 0],
        ] {
            assert!(TEST.ratio(&counts).is_finite(), "{counts:?}");
        }
        assert_eq!(TEST.decide(TEST.ratio(&[0; 5])), Decision::Continue);
        assert_eq!(TEST.decide(TEST.ratio(&[0, 0, 0, 0, 5000])), Decision::Shown);
    }

    /// A player who wins and draws so often of a thousand, until the test ends.
    fn run(rng: &mut Rng, win: u32, draw: u32) -> Decision {
        let mut counts = [0; 5];
        for _ in 0..100_000 {
            let half_points: usize = (0..2)
                .map(|_| match below(rng, 100_000) {
                    x if x < win => 2,
                    x if x < win + draw => 1,
                    _ => 0,
                })
                .sum();
            counts[half_points] += 1;
            match TEST.decide(TEST.ratio(&counts)) {
                Decision::Continue => (),
                decision => return decision,
            }
        }
        Decision::Continue
    }

    #[test]
    fn the_error_rates_are_those_asked_for() {
        let mut rng = game::rng(5);
        const RUNS: usize = 400;
        // Even, with 40 % draws; and the score of 50 Elo, 0.57146.
        let wrong0 = (0..RUNS)
            .filter(|_| run(&mut rng, 30_000, 40_000) == Decision::Shown)
            .count();
        let wrong1 = (0..RUNS)
            .filter(|_| run(&mut rng, 37_146, 40_000) == Decision::Refused)
            .count();
        // 5 % of 400 is 20, standard deviation 4.4; overshoot at the bounds makes the test a little safer than that.
        assert!(wrong0 <= 33 && wrong1 <= 33, "{wrong0} {wrong1}");
        assert!(wrong0 + wrong1 >= 8, "{wrong0} {wrong1}: too cautious");
    }
}
