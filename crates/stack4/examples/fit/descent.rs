//! Fits weights to samples by stochastic gradient descent (Adam).

use stack4::strong::{FEATURE_COUNT, Features, WEIGHT_COUNT};

/// A position, the points Black has made more than White, and what it was worth in the end.
pub struct Sample {
    pub features: Features,
    pub margin: f64,
    pub target: f64,
}

/// What the weights of a set are fitted to.
#[derive(Clone, Copy)]
pub enum Loss {
    /// The target is the final margin in points; errors count in units of the next line.
    Points,
    /// The target is Black's share of the win, 0 to 1; so many points are one unit of the logistic function.
    Win(f64),
}

impl Loss {
    /// The loss, and how it grows with the expected margin.
    pub fn of(self, sample: &Sample, expected: f64) -> (f64, f64) {
        match self {
            Loss::Points => {
                let error = (expected - sample.target) / sample.features.next_line;
                (error * error, 2.0 * error / sample.features.next_line)
            }
            Loss::Win(unit) => {
                let p = 1.0 / (1.0 + (-expected / unit).exp());
                let q = p.clamp(1e-9, 1.0 - 1e-9);
                let loss = -sample.target * q.ln() - (1.0 - sample.target) * (1.0 - q).ln();
                (loss, (p - sample.target) / unit)
            }
        }
    }
}

pub fn expected(sample: &Sample, weights: &[f64]) -> f64 {
    sample.margin + sample.features.evaluate(weights)
}

pub fn mean_loss(samples: &[Sample], loss: Loss, weights: &[f64]) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|sample| loss.of(sample, expected(sample, weights)).0)
        .sum();
    sum / samples.len() as f64
}

/// Samples between two steps.
const BATCH: usize = 512;

/// Goes through the samples `epochs` times, with smaller and smaller steps. `decay` pulls weights towards where they began.
pub fn descend(samples: &[Sample], loss: Loss, weights: &mut [f64], epochs: usize, rate: f64, decay: f64) {
    let start = weights.to_vec();
    let (mut mean, mut square) = (vec![0.0; WEIGHT_COUNT], vec![0.0; WEIGHT_COUNT]);
    let steps = epochs * samples.len().div_ceil(BATCH);
    let mut step = 0;
    for _ in 0..epochs {
        for batch in samples.chunks(BATCH) {
            let mut gradient = vec![0.0; WEIGHT_COUNT];
            for sample in batch {
                let features = &sample.features;
                let slope = loss.of(sample, expected(sample, weights)).1 * features.next_line / 1000.0;
                let early = 2 * features.set * FEATURE_COUNT;
                for &(i, count) in &features.counts {
                    let part = slope * f64::from(count);
                    gradient[early + usize::from(i)] += part * (1.0 - features.late);
                    gradient[early + FEATURE_COUNT + usize::from(i)] += part * features.late;
                }
            }
            step += 1;
            let rate = rate * (1.0 - step as f64 / (steps + 1) as f64);
            for i in 0..WEIGHT_COUNT {
                let slope = gradient[i] / batch.len() as f64 + decay * (weights[i] - start[i]);
                mean[i] += 0.1 * (slope - mean[i]);
                square[i] += 0.001 * (slope * slope - square[i]);
                let far = 1.0 - 0.999f64.powi(step);
                weights[i] -= rate * mean[i] / ((square[i] / far).sqrt() + 1e-12);
            }
        }
    }
}
