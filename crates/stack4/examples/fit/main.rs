//! Fits the strong player's weights to games that it plays against itself.
//!
//! ```text
//!     cargo run --release -p terzo-stack4 --example fit -- play games.txt --games 20000 --nodes 4000 --jobs 16 [--weights FILE]
//!     cargo run --release -p terzo-stack4 --example fit -- weights games.txt --out weights.txt [--final 50] [--ridge 1]
//! ```
//!
//! Games start with random moves and every twentieth move is random. Each quiet position is a sample: its features, and
//! a target, which is a blend of the final margin and of what the search expected a few moves later. The weights are
//! the ridge regression of the targets on the features.

mod descent;
mod games;

use descent::{Loss, Sample};
use games::Playing;
use stack4::Position;
use stack4::strong::{WEIGHT_COUNT, Weights, features};
use std::cmp::Ordering;
use std::process::ExitCode;
use std::time::Duration;

/// How many moves later the search's opinion is asked.
const LATER: usize = 6;

struct Options {
    games: u64,
    nodes: u64,
    seed: u64,
    jobs: usize,
    seconds: Option<u64>,
    /// Share of the final margin in the target, in percent.
    final_share: f64,
    /// So many points are one unit of the logistic function, where who wins is fitted.
    unit: f64,
    epochs: usize,
    rate: f64,
    decay: f64,
    out: String,
    weights: Option<String>,
}

fn options(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        games: u64::MAX,
        nodes: 4000,
        seed: 1,
        jobs: 1,
        seconds: None,
        final_share: 50.0,
        unit: 25.0,
        epochs: 8,
        rate: 2.0,
        decay: 0.0,
        out: "weights.txt".into(),
        weights: None,
    };
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
            "--jobs" => options.jobs = number()? as usize,
            "--seconds" => options.seconds = Some(number()? as u64),
            "--final" => options.final_share = number()?,
            "--unit" => options.unit = number()?,
            "--epochs" => options.epochs = number()? as usize,
            "--rate" => options.rate = number()?,
            "--decay" => options.decay = number()?,
            "--out" => options.out = value,
            "--weights" => options.weights = Some(value),
            _ => return Err(format!("no option {word}")),
        }
    }
    Ok(options)
}

fn read_weights(path: &str) -> Result<[i16; WEIGHT_COUNT], String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let numbers: Vec<i16> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers
        .try_into()
        .map_err(|n: Vec<_>| format!("{path}: {} numbers where {WEIGHT_COUNT} were expected", n.len()))
}

fn play(path: &str, options: &Options) -> Result<(), String> {
    let weights = match &options.weights {
        None => Weights::standard(),
        Some(path) => Box::leak(Box::new(Weights::from_numbers(&read_weights(path)?))),
    };
    let playing = Playing {
        games: options.games,
        nodes: options.nodes,
        seed: options.seed,
        jobs: options.jobs.max(1),
        time: options.seconds.map(Duration::from_secs),
        weights,
    };
    println!("{path}: {} games", games::write(&playing, path)?);
    Ok(())
}

/// The samples of a file of games, those of every tenth game apart, to check by.
fn samples(path: &str, options: &Options, set: usize) -> Result<[Vec<Sample>; 2], String> {
    let mut samples = [Vec::new(), Vec::new()];
    for (number, game) in games::read(path)?.iter().enumerate() {
        let (history, last) = game.positions();
        let margin = |position: &Position| {
            let [black, white] = position.score();
            f64::from(black) - f64::from(white)
        };
        let end = margin(&last);
        for (i, (position, _)) in history.iter().enumerate() {
            let Some(features) = features(position).filter(|features| features.set == set) else {
                continue;
            };
            let later = history.get(i + LATER).map_or(end, |&(_, value)| value);
            let share = options.final_share / 100.0;
            let target = match set {
                0 => share * result(end) + (1.0 - share) / (1.0 + (-later / options.unit).exp()),
                _ => share * end + (1.0 - share) * later,
            };
            samples[usize::from(number % 10 == 9)].push(Sample {
                features,
                margin: margin(position),
                target,
            });
        }
    }
    Ok(samples)
}

/// Black's share of the win.
fn result(margin: f64) -> f64 {
    match margin.total_cmp(&0.0) {
        Ordering::Less => 0.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 1.0,
    }
}

fn fit(path: &str, options: &Options) -> Result<(), String> {
    let mut weights: Vec<f64> = match &options.weights {
        None => vec![0.0; WEIGHT_COUNT],
        Some(path) => read_weights(path)?.map(f64::from).into(),
    };
    for (set, loss) in [Loss::Win(options.unit), Loss::Points].into_iter().enumerate() {
        let [fitted, check] = samples(path, options, set)?;
        let before = descent::mean_loss(&check, loss, &weights);
        descent::descend(&fitted, loss, &mut weights, options.epochs, options.rate, options.decay);
        println!(
            "set {set}: {} samples; loss on {} others {before:.5}, then {:.5}",
            fitted.len(),
            check.len(),
            descent::mean_loss(&check, loss, &weights)
        );
    }
    let numbers: Vec<String> = weights.iter().map(|weight| format!("{weight:.0}")).collect();
    let lines: Vec<String> = numbers.chunks(18).map(|numbers| numbers.join(" ")).collect();
    std::fs::write(&options.out, lines.join("\n") + "\n").map_err(|error| format!("{}: {error}", options.out))
}

fn run() -> Result<(), String> {
    let mut words = std::env::args().skip(1);
    let (Some(what), Some(path)) = (words.next(), words.next()) else {
        return Err("expected `play FILE` or `weights FILE`".into());
    };
    let options = options(words)?;
    match what.as_str() {
        "play" => play(&path, &options),
        "weights" => fit(&path, &options),
        _ => Err(format!("{what}: expected play or weights")),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("fit: {why}");
            ExitCode::FAILURE
        }
    }
}
