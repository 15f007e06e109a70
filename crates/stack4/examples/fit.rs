//! Fits the strong player's weights to games that it plays against itself.
//!
//! ```text
//!     cargo run --release -p terzo-stack4 --example fit -- --games 2000 --nodes 2000 --out weights.txt [--start weights.txt]
//! ```
//!
//! Games start with random moves and every twentieth move is random. Each quiet position is a sample: its features, and
//! a target, which is a blend of the final margin and of what the search expected a few moves later. The weights are
//! the ridge regression of the targets on the features.

use game::{Game, Seat, below, mix, rng};
use stack4::Position;
use stack4::strong::{Limits, SearchParameters, Strong, WEIGHT_COUNT, Weights, features};
use std::process::ExitCode;

/// How many moves later the search's opinion is asked.
const LATER: usize = 6;

struct Options {
    games: u64,
    nodes: u64,
    seed: u64,
    /// Share of the final margin in the target, in percent.
    final_share: f64,
    ridge: f64,
    out: String,
    start: Option<String>,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        games: 1000,
        nodes: 2000,
        seed: 1,
        final_share: 50.0,
        ridge: 1.0,
        out: "weights.txt".into(),
        start: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || {
            value
                .parse::<f64>()
                .map_err(|_| format!("{word} {value}: expected a number"))
        };
        match word.as_str() {
            "--games" => options.games = number()? as u64,
            "--nodes" => options.nodes = number()? as u64,
            "--seed" => options.seed = number()? as u64,
            "--final" => options.final_share = number()?,
            "--ridge" => options.ridge = number()?,
            "--out" => options.out = value,
            "--start" => options.start = Some(value),
            _ => return Err(format!("no option {word}")),
        }
    }
    Ok(options)
}

/// Sums over samples: features by features, and features by targets.
struct Equations {
    products: Vec<[f64; WEIGHT_COUNT]>,
    targets: Vec<f64>,
    samples: u64,
}

impl Equations {
    fn new() -> Self {
        Equations {
            products: vec![[0.0; WEIGHT_COUNT]; WEIGHT_COUNT],
            targets: vec![0.0; WEIGHT_COUNT],
            samples: 0,
        }
    }

    fn add(&mut self, features: &[f64; WEIGHT_COUNT], target: f64) {
        let some: Vec<usize> = (0..WEIGHT_COUNT).filter(|&i| features[i] != 0.0).collect();
        for &i in &some {
            for &j in &some {
                self.products[i][j] += features[i] * features[j];
            }
            self.targets[i] += features[i] * target;
        }
        self.samples += 1;
    }

    /// Solves for the weights by elimination; the ridge (relative to the mean square of the features) keeps rare ones
    /// near the prior.
    fn solve(mut self, ridge: f64, prior: &[f64; WEIGHT_COUNT]) -> Vec<f64> {
        let mean = (0..WEIGHT_COUNT).map(|i| self.products[i][i]).sum::<f64>() / WEIGHT_COUNT as f64;
        for (i, prior) in prior.iter().enumerate() {
            self.products[i][i] += ridge * mean + 1e-9;
            self.targets[i] += ridge * mean * prior;
        }
        for i in 0..WEIGHT_COUNT {
            let pivot = self.products[i];
            for j in i + 1..WEIGHT_COUNT {
                let factor = self.products[j][i] / pivot[i];
                if factor != 0.0 {
                    let row = self.products[j].iter_mut().zip(pivot).skip(i);
                    row.for_each(|(entry, above)| *entry -= factor * above);
                    self.targets[j] -= factor * self.targets[i];
                }
            }
        }
        let mut weights = vec![0.0; WEIGHT_COUNT];
        for i in (0..WEIGHT_COUNT).rev() {
            let known: f64 = (i + 1..WEIGHT_COUNT).map(|j| self.products[i][j] * weights[j]).sum();
            weights[i] = (self.targets[i] - known) / self.products[i][i];
        }
        weights
    }
}

fn read_weights(path: &str) -> Result<[i16; WEIGHT_COUNT], String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let numbers: Vec<i16> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers
        .try_into()
        .map_err(|n: Vec<_>| format!("{path}: {} numbers where {WEIGHT_COUNT} were expected", n.len()))
}

fn run(options: &Options) -> Result<(), String> {
    let mut prior = [0.0; WEIGHT_COUNT];
    let mut weights = Weights::standard();
    if let Some(path) = &options.start {
        let numbers = read_weights(path)?;
        weights = Box::leak(Box::new(Weights::from_numbers(&numbers)));
        prior = numbers.map(|number| f64::from(number) / 1000.0);
    }
    let mut equations = Equations::new();
    let mut sum_of_squares = 0.0;
    for game in 0..options.games {
        let mut chance = rng(mix(options.seed, &[game]));
        let mut strong = Strong::tuned(1, 1, SearchParameters::default(), weights);
        let limits = Limits {
            nodes: Some(options.nodes),
            ..Limits::default()
        };
        let mut position = Position::new();
        for _ in 0..2 + below(&mut chance, 10) {
            position.drop_random(&mut chance);
        }
        // Positions with the margin that the search expects, both from Black's side.
        let mut history: Vec<(Position, f64)> = Vec::new();
        while let Some(found) = strong.search(&position, &limits) {
            let sign = if position.mover() == Seat::FIRST { 1.0 } else { -1.0 };
            history.push((position, sign * found.value.unwrap_or(0.0)));
            if below(&mut chance, 20) == 0 {
                position.drop_random(&mut chance);
            } else {
                position.play(found.best).map_err(|error| error.to_string())?;
            }
        }
        let [black, white] = position.score();
        let end = f64::from(black) - f64::from(white);
        for (i, (position, _)) in history.iter().enumerate() {
            let Some(features) = features(position) else {
                continue;
            };
            let [black, white] = position.score();
            let later = history.get(i + LATER).map_or(end, |&(_, value)| value);
            let share = options.final_share / 100.0;
            let target = share * end + (1.0 - share) * later - (f64::from(black) - f64::from(white));
            equations.add(&features, target);
            sum_of_squares += target * target;
        }
        if (game + 1) % 500 == 0 {
            println!("{} games, {} samples", game + 1, equations.samples);
        }
    }
    let samples = equations.samples;
    let targets = equations.targets.clone();
    let fitted = equations.solve(options.ridge / 1000.0, &prior);
    let explained: f64 = fitted
        .iter()
        .zip(&targets)
        .map(|(weight, target)| weight * target)
        .sum();
    println!(
        "{samples} samples, about {:.1} % of the squares explained",
        100.0 * explained / sum_of_squares
    );
    let numbers: Vec<String> = fitted.iter().map(|weight| format!("{:.0}", weight * 1000.0)).collect();
    let lines: Vec<String> = numbers.chunks(18).map(|numbers| numbers.join(" ")).collect();
    std::fs::write(&options.out, lines.join("\n") + "\n").map_err(|error| format!("{}: {error}", options.out))
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("fit: {why}");
            ExitCode::FAILURE
        }
    }
}
