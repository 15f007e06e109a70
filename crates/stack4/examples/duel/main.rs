//! Plays players against each other from seeded openings, each opening twice with the colours swapped.
//!
//! ```text
//!     cargo run --release -p terzo-stack4 --example duel -- A B [--pairs 50] [--opening 6] [--seed 1] [--jobs 1] [--show]
//! ```
//!
//! A player is `strong:ms=20`, `strong:nodes=5000,threads=2,pass=0`, `run3:defend=20`, `uct:ms=20` or `random`.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod players;
mod uct;

use game::{Game, Payoff, Seat, mix, rng};
use players::Spec;
use stack4::Position;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

struct Options {
    players: Vec<Spec>,
    pairs: u64,
    opening: u32,
    seed: u64,
    jobs: usize,
    show: bool,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        players: Vec::new(),
        pairs: 50,
        opening: 6,
        seed: 1,
        jobs: 1,
        show: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let value = words.next().and_then(|value| value.parse::<u64>().ok());
            value.ok_or_else(|| format!("{word} needs a number"))
        };
        match word.as_str() {
            "--pairs" => options.pairs = number()?,
            "--opening" => options.opening = number()?.min(60) as u32,
            "--seed" => options.seed = number()?,
            "--jobs" => options.jobs = number()?.max(1) as usize,
            "--show" => options.show = true,
            _ => options.players.push(Spec::parse(&word)?),
        }
    }
    match options.players.len() {
        2 => Ok(options),
        n => Err(format!("{n} players where two were expected")),
    }
}

/// What the first player made of a game.
struct Played {
    /// The seat it had, 0 or 1.
    seat: usize,
    payoff: Payoff,
    /// Its points less the other's.
    margin: i64,
}

/// Plays a game. `longest` keeps the longest thoughts of
/// both, in microseconds.
fn play(options: &Options, game: u64, longest: &[AtomicU64; 2]) -> Option<Played> {
    let mut position = Position::new();
    // Both games of a pair start with the same random moves.
    let mut chance = rng(mix(options.seed, &[game / 2]));
    for _ in 0..options.opening {
        position.drop_random(&mut chance);
    }
    let first = Seat::new((game % 2) as u8);
    let mut players: Vec<_> = (0..2)
        .map(|i| options.players[i].player(mix(options.seed, &[game, i as u64])))
        .collect();
    let mut story = String::new();
    while !position.is_over() {
        let player = usize::from(position.mover() != first);
        let start = Instant::now();
        let column = players[player].choose(&position)?;
        longest[player].fetch_max(start.elapsed().as_micros() as u64, Relaxed);
        let before = position.score();
        position.play(column).ok()?;
        if options.show {
            story += &format!(" {column}");
            if position.score() != before {
                story += &format!("({}:{})", position.score()[0], position.score()[1]);
            }
        }
    }
    let score = position.score();
    let margin = i64::from(score[first.index()]) - i64::from(score[first.other().index()]);
    if options.show {
        println!(
            "game {game}, A is {}, {margin:+}:{story}",
            ["black", "white"][first.index()]
        );
    }
    Some(Played {
        seat: first.index(),
        payoff: position.outcome()?.of(first),
        margin,
    })
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(why) => {
            eprintln!("duel: {why}");
            return ExitCode::FAILURE;
        }
    };
    let next = AtomicU64::new(0);
    let longest = [AtomicU64::new(0), AtomicU64::new(0)];
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                loop {
                    let game = next.fetch_add(1, Relaxed);
                    if game >= 2 * options.pairs {
                        break;
                    }
                    let result = play(&options, game, &longest);
                    if let (Some(result), Ok(mut results)) = (result, results.lock()) {
                        results.push(result);
                    }
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_default();
    println!("{}", summary(results.iter()));
    for (seat, name) in ["black", "white"].into_iter().enumerate() {
        println!(
            "  as {name}: {}",
            summary(results.iter().filter(|result| result.seat == seat))
        );
    }
    let [first, second] = longest.map(|longest| longest.load(Relaxed) as f64 / 1000.0);
    println!("  longest thoughts {first:.1} and {second:.1} ms");
    ExitCode::SUCCESS
}

/// Games won, drawn and lost, the share of the payoff with one standard error, and the mean margin.
fn summary<'a>(results: impl Iterator<Item = &'a Played>) -> String {
    let results: Vec<&Played> = results.collect();
    let count = results.len() as f64;
    let of = |payoff: Payoff| results.iter().filter(|result| result.payoff == payoff).count();
    let points = |result: &&Played| f64::from(result.payoff.points());
    let score = results.iter().map(points).sum::<f64>() / count;
    let spread = results
        .iter()
        .map(|result| (points(result) - score).powi(2))
        .sum::<f64>()
        / count;
    let margin = results.iter().map(|result| result.margin as f64).sum::<f64>() / count;
    format!(
        "{} games: {} won, {} drawn, {} lost: {score:.1} % ± {:.1}, margin {margin:+.1}",
        results.len(),
        of(Payoff::WIN),
        of(Payoff::DRAW),
        of(Payoff::LOSS),
        (spread / count).sqrt(),
    )
}
