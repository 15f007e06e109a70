//! The statistics of counts: small pure functions that can be checked by hand.
//!
//! - [`wilson`] and [`difference`]: intervals for shares and for the difference of two;
//! - [`pairs`]: what pairs of games say of two players: score, Elo, normalized Elo, likelihood of superiority;
//! - [`sprt`]: the sequential test on pairs;
//! - [`ratings`]: Elo of all players of a tournament together.
//!
//! ```
//! use stats::{pairs, wilson};
//!
//! // 60 wins of 100: the share lies between 50.2 % and 69.1 %.
//! let (low, high) = wilson(60, 100);
//! assert!((low - 0.502).abs() < 1e-3 && (high - 0.691).abs() < 1e-3);
//!
//! // Of 100 pairs of games, the half points of the first player: 10 pairs of 0, 20 of 1, 30 of 2, 25 of 3, 15 of 4.
//! let compared = pairs::compare(&[10, 20, 30, 25, 15]);
//! assert!(compared.elo.low < compared.elo.value && compared.elo.value < compared.elo.high);
//! ```

#![warn(clippy::missing_errors_doc, reason = "who uses a library reads when it fails")]

pub mod pairs;
pub mod ratings;
pub mod sprt;

/// The standard normal quantile for a two-sided interval of 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The Wilson interval for a share of `count` in `n`, at 95 %. Sound for shares near 0 and 1 and for small samples; the
/// whole of [0, 1] for an empty one.
pub fn wilson(count: u64, n: u64) -> (f64, f64) {
    if n == 0 {
        return (0.0, 1.0);
    }
    let n = n as f64;
    let share = count as f64 / n;
    let z2 = Z95 * Z95;
    let centre = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

/// An interval for the difference of two shares, first minus second, at 95 %: Newcombe's, which joins their Wilson
/// intervals. The two shares agree if it holds 0.
pub fn difference((count1, n1): (u64, u64), (count2, n2): (u64, u64)) -> (f64, f64) {
    if n1 == 0 || n2 == 0 {
        return (-1.0, 1.0);
    }
    let [p1, p2] = [count1 as f64 / n1 as f64, count2 as f64 / n2 as f64];
    let [(low1, high1), (low2, high2)] = [wilson(count1, n1), wilson(count2, n2)];
    let delta = p1 - p2;
    (
        delta - ((p1 - low1).powi(2) + (high2 - p2).powi(2)).sqrt(),
        delta + ((high1 - p1).powi(2) + (p2 - low2).powi(2)).sqrt(),
    )
}

/// The standard normal distribution function.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The Elo difference of an expected score, kept finite for scores of 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The expected score at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wilson_interval_is_the_textbooks() {
        // 10 of 100: 5.52 % to 17.44 %, a standard example.
        let (low, high) = wilson(10, 100);
        assert!(
            (low - 0.05523).abs() < 1e-4 && (high - 0.17437).abs() < 1e-4,
            "{low} {high}"
        );
    }

    #[test]
    fn the_interval_of_a_difference_is_newcombes() {
        // Newcombe 1998, table II, case (a), method 10: 56/70 - 48/80 is 0.2, from 0.0524 to 0.3339.
        let (low, high) = difference((56, 70), (48, 80));
        assert!(
            (low - 0.0524).abs() < 1e-4 && (high - 0.3339).abs() < 1e-4,
            "{low} {high}"
        );
        assert_eq!(difference((0, 0), (1, 2)), (-1.0, 1.0));
    }

    #[test]
    fn the_normal_distribution_and_elo_are_the_textbooks() {
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-9);
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-15);
        assert!((elo_of_score(0.75) - 190.848_5).abs() < 1e-3);
        assert!((score_of_elo(elo_of_score(0.3)) - 0.3).abs() < 1e-12);
        assert!(elo_of_score(1.0).is_finite() && elo_of_score(0.0).is_finite());
    }

    #[test]
    fn no_sample_and_one_sided_samples_have_sound_intervals() {
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        let (low, high) = wilson(0, 10);
        assert!(low < 1e-9 && (0.25..0.35).contains(&high), "{high}");
        let (low, high) = wilson(10, 10);
        assert!(high > 1.0 - 1e-9 && (0.65..0.75).contains(&low), "{low}");
    }

    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says() {
        let mut rng = game::rng(1);
        let covered = (0..4000)
            .filter(|_| {
                let count = (0..200).filter(|_| game::below(&mut rng, 10) < 3).count();
                let (low, high) = wilson(count as u64, 200);
                (low..=high).contains(&0.3)
            })
            .count();
        // 95 % of 4000 is 3800, standard deviation 14; the discrete coverage is near 95 %.
        assert!((3720..=3880).contains(&covered), "{covered}");
    }
}
