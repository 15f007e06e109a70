//! The statistics of counts: small pure functions that can be checked by hand.

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
