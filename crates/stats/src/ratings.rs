//! The Elo of all players of a tournament together, by maximum likelihood.
//!
//! The model is Bradley and Terry's with a draw as half a win. So that players without a loss, or without a game, have
//! a rating at all, each is imagined to have drawn one game with a player of rating 0: with a handful of games that
//! pulls towards the middle, with hundreds it cannot be seen. Ratings are relative: their mean is 0.
//!
//! The intervals take the variance from the pairs as they came out (see [`pairs`](super::pairs)), not from the model,
//! which knows nothing of draws and would make them too wide.

use super::Z95;
use super::pairs::{Estimate, Pentanomial, mean_and_variance};

/// The results of two players against each other, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairResults {
    /// The player whose results are counted.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The first's half points, pair by pair.
    pub counts: Pentanomial,
}

/// Elo points in one unit of the logistic model.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The weight of the imagined draw.
const IMAGINED: f64 = 1.0;

/// The ratings of `players` players, with 95 % intervals for the distance from the mean of all. Meetings of others, or of one
/// with itself, do not count.
pub fn ratings(players: usize, meetings: &[PairResults]) -> Vec<Estimate> {
    let counts = |meeting: &&PairResults| {
        meeting.counts.iter().any(|&count| count > 0)
            && meeting.first != meeting.second
            && meeting.first.max(meeting.second) < players
    };
    let meetings: Vec<&PairResults> = meetings.iter().filter(counts).collect();
    let mut strengths = vec![0.0; players];
    for _ in 0..200 {
        let step = newton_step(&strengths, &meetings);
        // Far from the solution the full step may overshoot; a bounded one cannot, for the likelihood is concave.
        let largest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
        let scale = if largest > 1.0 { 1.0 / largest } else { 1.0 };
        for (strength, step) in strengths.iter_mut().zip(&step) {
            *strength += scale * step;
        }
        if largest < 1e-10 {
            break;
        }
    }
    let covariance = covariance(&strengths, &meetings);
    let n = players.max(1) as f64;
    let mean = strengths.iter().sum::<f64>() / n;
    let everything: f64 = covariance.iter().flatten().sum();
    (0..players)
        .map(|i| {
            // Of the strength less the mean of all strengths.
            let row: f64 = covariance[i].iter().sum();
            let variance = covariance[i][i] - 2.0 * row / n + everything / (n * n);
            let half = Z95 * variance.max(0.0).sqrt() * UNIT;
            let value = (strengths[i] - mean) * UNIT;
            Estimate {
                value,
                low: value - half,
                high: value + half,
            }
        })
        .collect()
}

/// The chance that strength `d` above wins.
fn chance(d: f64) -> f64 {
    1.0 / (1.0 + (-d).exp())
}

/// The information matrix: minus the second derivatives of the log-likelihood.
fn information(strengths: &[f64], meetings: &[&PairResults]) -> Vec<Vec<f64>> {
    let n = strengths.len();
    let mut matrix = vec![vec![0.0; n]; n];
    for (i, &strength) in strengths.iter().enumerate() {
        let p = chance(strength);
        matrix[i][i] += IMAGINED * p * (1.0 - p);
    }
    for meeting in meetings {
        let (a, b) = (meeting.first, meeting.second);
        let games = 2.0 * meeting.counts.iter().sum::<u64>() as f64;
        let p = chance(strengths[a] - strengths[b]);
        let weight = games * p * (1.0 - p);
        matrix[a][a] += weight;
        matrix[b][b] += weight;
        matrix[a][b] -= weight;
        matrix[b][a] -= weight;
    }
    matrix
}

fn newton_step(strengths: &[f64], meetings: &[&PairResults]) -> Vec<f64> {
    let mut gradient: Vec<f64> = strengths.iter().map(|&s| IMAGINED * (0.5 - chance(s))).collect();
    for meeting in meetings {
        let (a, b) = (meeting.first, meeting.second);
        let games = 2.0 * meeting.counts.iter().sum::<u64>() as f64;
        let points: f64 = meeting
            .counts
            .iter()
            .enumerate()
            .map(|(i, &n)| n as f64 * i as f64 / 2.0)
            .sum();
        let excess = points - games * chance(strengths[a] - strengths[b]);
        gradient[a] += excess;
        gradient[b] -= excess;
    }
    solve(information(strengths, meetings), vec![gradient])
        .pop()
        .unwrap_or_default()
}

/// The covariance of the strengths: the information's inverse on both sides of the variance of the scores as they came
/// out.
fn covariance(strengths: &[f64], meetings: &[&PairResults]) -> Vec<Vec<f64>> {
    let n = strengths.len();
    let unit = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    let inverse = solve(information(strengths, meetings), unit);
    let mut middle = vec![vec![0.0; n]; n];
    for (i, &strength) in strengths.iter().enumerate() {
        let p = chance(strength);
        middle[i][i] += IMAGINED * p * (1.0 - p);
    }
    for meeting in meetings {
        let (a, b) = (meeting.first, meeting.second);
        let pairs = meeting.counts.iter().sum::<u64>() as f64;
        // A pair's points are twice its share.
        let variance = 4.0 * mean_and_variance(&meeting.counts).1 * pairs;
        middle[a][a] += variance;
        middle[b][b] += variance;
        middle[a][b] -= variance;
        middle[b][a] -= variance;
    }
    multiply(&multiply(&inverse, &middle), &inverse)
}

fn multiply(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = left.len();
    (0..n)
        .map(|i| (0..n).map(|j| (0..n).map(|k| left[i][k] * right[k][j]).sum()).collect())
        .collect()
}

/// Solves `matrix * x = b` for each `b` in `sides`. The matrix is positive definite, thanks to the imagined draws.
fn solve(mut matrix: Vec<Vec<f64>>, mut sides: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for column in 0..n {
        let pivot = matrix[column][column];
        for row in column + 1..n {
            let factor = matrix[row][column] / pivot;
            if factor != 0.0 {
                let (above, below) = matrix.split_at_mut(row);
                for (x, y) in below[0].iter_mut().zip(&above[column]).skip(column) {
                    *x -= factor * y;
                }
                for side in &mut sides {
                    side[row] -= factor * side[column];
                }
            }
        }
    }
    for side in &mut sides {
        for row in (0..n).rev() {
            let known: f64 = (row + 1..n).map(|k| matrix[row][k] * side[k]).sum();
            side[row] = (side[row] - known) / matrix[row][row];
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score_of_elo;
    use game::{Rng, below};

    #[test]
    fn two_players_differ_by_the_elo_of_their_score() {
        // 75 % of many games: 190.85 Elo, shared evenly about the mean.
        let meeting = PairResults {
            first: 0,
            second: 1,
            counts: [0, 0, 100_000, 0, 100_000],
        };
        let ratings = ratings(2, &[meeting]);
        assert!(
            (ratings[0].value - ratings[1].value - 190.85).abs() < 0.05,
            "{ratings:?}"
        );
        assert!((ratings[0].value + ratings[1].value).abs() < 1e-6);
    }

    #[test]
    fn ratings_travel_through_a_common_opponent() {
        // A beats B at 190.85, B beats C at 190.85; A and C never met.
        let meeting = |first, second| PairResults {
            first,
            second,
            counts: [0, 0, 100_000, 0, 100_000],
        };
        let ratings = ratings(3, &[meeting(0, 1), meeting(1, 2)]);
        assert!((ratings[0].value - ratings[2].value - 381.7).abs() < 0.2, "{ratings:?}");
        assert!(ratings[1].value.abs() < 0.1);
    }

    #[test]
    fn one_sided_and_empty_tournaments_stay_finite() {
        let all_won = PairResults {
            first: 0,
            second: 1,
            counts: [0, 0, 0, 0, 500],
        };
        for (players, meetings) in [
            (2, vec![all_won]),
            (3, vec![all_won]),
            (2, vec![]),
            (0, vec![]),
            (1, vec![]),
        ] {
            for estimate in ratings(players, &meetings) {
                assert!(
                    estimate.value.is_finite() && estimate.low.is_finite() && estimate.high.is_finite(),
                    "{estimate:?}"
                );
                assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
            }
        }
        let sure = ratings(2, &[all_won]);
        assert!(sure[0].low > sure[1].high, "{sure:?}");
    }

    fn pair(rng: &mut Rng, elo: f64) -> usize {
        // 30 % draws, the rest shared so that the expected score is that of the Elo.
        let score = score_of_elo(elo);
        let draw = 0.3f64.min(2.0 * score.min(1.0 - score));
        let win = score - draw / 2.0;
        (0..2)
            .map(|_| match f64::from(below(rng, 1 << 30)) / f64::from(1 << 30) {
                x if x < win => 2,
                x if x < win + draw => 1,
                _ => 0,
            })
            .sum()
    }

    #[test]
    fn the_intervals_cover_the_truth_as_often_as_they_say() {
        let truth = [100.0, 20.0, -120.0];
        let mut rng = game::rng(6);
        let mut covered = [0; 3];
        const RUNS: u32 = 2000;
        for _ in 0..RUNS {
            let meetings: Vec<PairResults> = [(0, 1), (0, 2), (1, 2)]
                .into_iter()
                .map(|(first, second)| {
                    let mut counts = [0; 5];
                    for _ in 0..100 {
                        counts[pair(&mut rng, truth[first] - truth[second])] += 1;
                    }
                    PairResults { first, second, counts }
                })
                .collect();
            for ((estimate, truth), covered) in ratings(3, &meetings).iter().zip(truth).zip(&mut covered) {
                *covered += u32::from((estimate.low..=estimate.high).contains(&truth));
            }
        }
        // 95 % of 2000 is 1900, standard deviation 10.
        assert!(covered.iter().all(|&n| (1860..=1960).contains(&n)), "{covered:?}");
    }
}
