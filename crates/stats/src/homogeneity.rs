//! Whether two rows of counts can come from the same odds: one test for a whole row of wins, draws and losses.

/// Above this many in the smaller row the exact sum would take long, and the approximation is as good.
const MOST_EXACT: u64 = 4000;

/// How likely two rows of counts from the same odds differ at least as much as these: the exact test of Fisher, Freeman and
/// Halton, which sums the probabilities of all tables with the same sums that are no likelier than this one. Between two large
/// rows it is the likelihood-ratio test. 1 where a row is empty.
pub fn homogeneity(one: [u64; 3], other: [u64; 3]) -> f64 {
    let [n1, n2] = [one, other].map(|row| row.iter().sum::<u64>());
    if n1 == 0 || n2 == 0 {
        return 1.0;
    }
    if n1.min(n2) > MOST_EXACT {
        return likelihood_ratio(one, other);
    }
    let row = if n1 <= n2 { one } else { other };
    let columns = [0, 1, 2].map(|i| one[i] + other[i]);
    let n = n1.min(n2);
    let log_factorial = |k: u64| libm::lgamma(k as f64 + 1.0);
    // A column's part of the logarithm of a table's probability, for every count that the smaller row can have there.
    let parts = columns.map(|column| {
        let part = |k: u64| log_factorial(column) - log_factorial(k) - log_factorial(column - k);
        (0..=column.min(n)).map(part).collect::<Vec<f64>>()
    });
    let all = log_factorial(n1 + n2) - log_factorial(n) - log_factorial(n1 + n2 - n);
    let at = |k: [u64; 3]| (0..3).map(|i| parts[i][k[i] as usize]).sum::<f64>() - all;
    // Equally likely tables count, whatever rounding says.
    let limit = at(row) + 1e-7;
    let mut p = 0.0;
    for a in 0..=columns[0].min(n) {
        let least = (n - a).saturating_sub(columns[2]);
        for b in least..=columns[1].min(n - a) {
            let log = at([a, b, n - a - b]);
            if log <= limit {
                p += log.exp();
            }
        }
    }
    p.min(1.0)
}

/// The likelihood-ratio test with two degrees of freedom (fewer where a column is empty).
fn likelihood_ratio(one: [u64; 3], other: [u64; 3]) -> f64 {
    let sums = [one, other].map(|row| row.iter().sum::<u64>() as f64);
    let all = sums[0] + sums[1];
    let (mut g, mut columns) = (0.0, 0);
    for i in 0..3 {
        let column = (one[i] + other[i]) as f64;
        columns += u32::from(column > 0.0);
        for (count, sum) in [(one[i], sums[0]), (other[i], sums[1])] {
            if count > 0 {
                g += 2.0 * count as f64 * (count as f64 * all / (column * sum)).ln();
            }
        }
    }
    match columns {
        3 => (-g / 2.0).exp(),
        2 => libm::erfc((g.max(0.0) / 2.0).sqrt()),
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_are_fishers_exact_test() {
        // The lady tasting tea: 3 and 1 against 1 and 3, two-sided 34/70.
        assert!((homogeneity([3, 0, 1], [1, 0, 3]) - 34.0 / 70.0).abs() < 1e-9);
        // Fisher's twins: 2 of 17 against 10 of 13, two-sided 0.000537.
        let twins = homogeneity([2, 15, 0], [10, 3, 0]);
        assert!((twins - 0.000_536_7).abs() < 1e-6, "{twins}");
    }

    #[test]
    fn three_columns_are_what_counting_through_all_shuffles_gives() {
        // All ways to choose 4 of 9 games, 4 won, 3 drawn and 2 lost, for the first row.
        let games = [0, 0, 0, 0, 1, 1, 1, 2, 2];
        let mut tables = std::collections::HashMap::<[u64; 3], f64>::new();
        for chosen in 0u32..1 << 9 {
            if chosen.count_ones() == 4 {
                let mut row = [0; 3];
                (0..9).filter(|i| chosen >> i & 1 != 0).for_each(|i| row[games[i]] += 1);
                *tables.entry(row).or_default() += 1.0 / 126.0;
            }
        }
        for (&row, &odds) in &tables {
            let expected: f64 = tables.values().filter(|&&other| other <= odds * 1.000_001).sum();
            let other = [4 - row[0], 3 - row[1], 2 - row[2]];
            for p in [homogeneity(row, other), homogeneity(other, row)] {
                assert!((p - expected).abs() < 1e-9, "{row:?}: {p}, {expected}");
            }
        }
    }

    #[test]
    fn equal_shares_agree_and_large_rows_are_told_apart_as_small_ones_are() {
        assert!(homogeneity([952, 14, 34], [476, 7, 17]) > 0.99);
        assert!(homogeneity([952, 14, 34], [895, 6, 99]) < 1e-6);
        let exact = homogeneity([3500, 120, 380], [3440, 130, 430]);
        let approximate = likelihood_ratio([3500, 120, 380], [3440, 130, 430]);
        assert!((exact - approximate).abs() < 0.005, "{exact} {approximate}");
        assert_eq!(homogeneity([0, 0, 0], [1, 2, 3]), 1.0);
        // One game says nothing.
        assert!(homogeneity([1, 0, 0], [45, 0, 55]) > 0.4);
    }

    #[test]
    fn a_true_hypothesis_is_refused_as_seldom_as_promised() {
        let mut rng = game::rng(5);
        let mut row = |n| {
            let mut counts = [0u64; 3];
            (0..n).for_each(|_| counts[[0, 0, 0, 0, 0, 0, 0, 1, 2, 2][game::below(&mut rng, 10) as usize]] += 1);
            counts
        };
        let refused = (0..2000).filter(|_| homogeneity(row(60), row(90)) < 0.05).count();
        // 5 % of 2000 is 100, standard deviation 10; an exact test refuses a little more seldom.
        assert!((55..=135).contains(&refused), "{refused}");
    }
}
