//! Build seconds, random games a second and size of both machines on rule sheets, by the time the thread had a processor:
//! `bench SECONDS FILE…`, files or bundled names. Beside them, single positions a second, as a tree search takes them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod measure;

use game::Game;
use gdl::{BuildLimits, GdlError, Machine, PlayoutLimit, Position, Sheet};
use measure::Stopwatch;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().ok_or("expected seconds")?.parse()?;
    let time = Duration::from_secs_f64(seconds);
    println!(
        "{:<24} {:>11} {:>9} {:>13} {:>13} {:>8} {:>8} {:>11} {:>8}",
        "game", "proved/s", "build s", "compiled/s", "states/s", "props", "gates", "single/s", "mean"
    );
    for file in args {
        let sheet = Sheet::load(&file)?;
        let (proved, ..) = random_games(&Machine::prover(&sheet)?, time)?;
        let watch = Stopwatch::start();
        let machine = Machine::compiled(&sheet, BuildLimits::default())?;
        let build = watch.seconds();
        let (games, states, mean) = random_games(&machine, time)?;
        let (props, gates) = (machine.propositions(), machine.components());
        let single = walk(&Position::new(machine)?, time);
        println!(
            "{:<24} {proved:>11.1} {build:>9.3} {games:>13.1} {states:>13.0} {props:>8} {gates:>8} {single:>11.0} {mean:>8.2}",
            file.rsplit('/').next().unwrap_or(&file),
        );
    }
    Ok(())
}

/// Games a second, states a second, and what the first role gets.
fn random_games(machine: &Machine, time: Duration) -> Result<(f64, f64, f64), GdlError> {
    let watch = Stopwatch::start();
    let out = machine.playouts(
        &machine.initial(),
        PlayoutLimit::Until(Instant::now() + time),
        &mut game::rng(1),
    )?;
    let took = watch.seconds();
    Ok((out.games as f64 / took, out.steps as f64 / took, out.mean(0)))
}

/// Moves a second of random walks through positions.
fn walk(start: &Position, time: Duration) -> f64 {
    let (mut position, mut moves, mut count) = (start.clone(), Vec::new(), 0u64);
    let mut rng = game::rng(1);
    let (watch, began) = (Stopwatch::start(), Instant::now());
    while count % 256 != 0 || began.elapsed() < time {
        position.legal_moves(&mut moves);
        match game::pick(&mut rng, &moves) {
            Some(mv) => position.play_unchecked(mv),
            None => position = start.clone(),
        }
        count += 1;
    }
    count as f64 / watch.seconds()
}
