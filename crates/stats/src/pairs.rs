//! What pairs of games say of two players.
//!
//! The two games of a pair share an opening, so they are not independent; the pair is the unit, and its five possible
//! results (0, ½, 1, 1½, 2 points) are what variance is measured on.

use super::{Z95, elo_of_score, normal_cdf};

/// How often the first player made 0, 1, 2, 3, 4 half points of a pair.
pub type Pentanomial = [u64; 5];

/// The score of each result as a share of the pair's points.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// An estimate and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// What pairs say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Pairs.
    pub pairs: u64,
    /// The first player's share of the points.
    pub score: f64,
    /// Its Elo over the second.
    pub elo: Estimate,
    /// Its normalized Elo: the score in units of its own standard deviation, which does not depend on how drawish the
    /// game is.
    pub normalized: Estimate,
    /// How likely it is that the first is the better player.
    pub superiority: f64,
}

/// The mean share and its variance for one pair.
///
/// Spread evenly over the five results, one more pair is imagined for the variance (not for the mean): a sample in
/// which every pair ended alike would otherwise claim to know the truth exactly.
pub fn mean_and_variance(counts: &Pentanomial) -> (f64, f64) {
    let n = counts.iter().sum::<u64>() as f64;
    if n == 0.0 {
        return (0.5, 0.125);
    }
    let weighted = |weights: &[f64; 5], value: &dyn Fn(f64) -> f64| -> f64 {
        let total: f64 = weights.iter().sum();
        weights.iter().zip(SHARES).map(|(w, x)| w * value(x)).sum::<f64>() / total
    };
    let plain = counts.map(|count| count as f64);
    let mean = weighted(&plain, &|x| x);
    let imagined = plain.map(|count| count + 0.2);
    let variance = weighted(&imagined, &|x| (x - mean).powi(2));
    (mean, variance)
}

/// Compares two players by their pairs. Always finite.
pub fn compare(counts: &Pentanomial) -> Comparison {
    let pairs: u64 = counts.iter().sum();
    let (mean, variance) = mean_and_variance(counts);
    let deviation = (variance / pairs.max(1) as f64).sqrt();
    let around = |value: f64, read: &dyn Fn(f64) -> f64| Estimate {
        value: read(value),
        low: read(value - Z95 * deviation),
        high: read(value + Z95 * deviation),
    };
    // A game's deviation is √2 times that of a pair's mean; 800 / ln 10 makes the units those of Elo at even strength.
    let unit = 800.0 / std::f64::consts::LN_10 / (2.0 * variance).sqrt();
    Comparison {
        pairs,
        score: mean,
        elo: around(mean, &elo_of_score),
        normalized: around(mean, &|score| (score - 0.5) * unit),
        superiority: match pairs {
            0 => 0.5,
            _ => normal_cdf((mean - 0.5) / deviation),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Rng, below};

    #[test]
    fn a_case_by_hand() {
        // Shares: mean (0.25 + 0.5*2 + 0.75*2 + 1)/6 = 0.625.
        let (mean, variance) = mean_and_variance(&[0, 1, 2, 2, 1]);
        assert!((mean - 0.625).abs() < 1e-12);
        // Squares about it: 0.140625 + 2*0.015625 + 2*0.015625 + 0.140625 = 0.34375, and a fifth of
        // 0.390625 + 0.140625 + 0.015625 + 0.015625 + 0.140625 = 0.703125, over seven pairs.
        assert!((variance - (0.34375 + 0.140625) / 7.0).abs() < 1e-12, "{variance}");
        let comparison = compare(&[0, 1, 2, 2, 1]);
        assert!((comparison.elo.value - 88.739).abs() < 1e-2, "{comparison:?}");
    }

    #[test]
    fn tiny_and_one_sided_samples_stay_finite() {
        for counts in [[0; 5], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1000], [0, 0, 5, 0, 0]] {
            let c = compare(&counts);
            for estimate in [c.elo, c.normalized] {
                assert!(
                    estimate.value.is_finite() && estimate.low.is_finite() && estimate.high.is_finite(),
                    "{counts:?}: {c:?}"
                );
                assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
            }
            assert!((0.0..=1.0).contains(&c.superiority), "{c:?}");
        }
        assert!((compare(&[0; 5]).superiority - 0.5).abs() < 1e-12);
        assert!(compare(&[0, 0, 0, 0, 20]).superiority > 0.99);
    }

    /// A pair of games of a player with these chances of a win and a draw.
    pub fn draw_pair(rng: &mut Rng, win: u32, draw: u32) -> usize {
        (0..2)
            .map(|_| match below(rng, 1000) {
                x if x < win => 2,
                x if x < win + draw => 1,
                _ => 0,
            })
            .sum()
    }

    #[test]
    fn the_interval_of_elo_covers_the_truth_as_often_as_it_says() {
        let mut rng = game::rng(3);
        let truth = elo_of_score(0.55);
        let covered = (0..4000)
            .filter(|_| {
                let mut counts = [0; 5];
                for _ in 0..100 {
                    counts[draw_pair(&mut rng, 400, 300)] += 1;
                }
                let elo = compare(&counts).elo;
                (elo.low..=elo.high).contains(&truth)
            })
            .count();
        // 95 % of 4000 is 3800, standard deviation 14; the imagined pair widens a little.
        assert!((3740..=3880).contains(&covered), "{covered}");
    }

    #[test]
    fn superiority_is_a_probability_that_holds_what_it_promises() {
        // Between equal players it is uniform: below 0.1 once in ten times.
        let mut rng = game::rng(4);
        let low = (0..4000)
            .filter(|_| {
                let mut counts = [0; 5];
                for _ in 0..100 {
                    counts[draw_pair(&mut rng, 350, 300)] += 1;
                }
                compare(&counts).superiority < 0.1
            })
            .count();
        assert!((330..=470).contains(&low), "{low}");
    }
}
