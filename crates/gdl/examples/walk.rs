//! How fast single positions are evaluated: random walks through `Position`, as a tree search would take them.
//! `walk SECONDS FILE…`

use game::Game;
use gdl::{Limits, Machine, Position, Sheet};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().ok_or("expected seconds")?.parse()?;
    for file in args {
        let machine = Machine::compiled(&Sheet::load(&file)?, Limits::default())?;
        let start = Position::new(machine)?;
        let (mut position, mut moves, mut count) = (start.clone(), Vec::new(), 0u64);
        let mut rng = game::rng(1);
        let began = Instant::now();
        while count % 256 != 0 || began.elapsed() < Duration::from_secs_f64(seconds) {
            position.legal_moves(&mut moves);
            match game::pick(&mut rng, &moves) {
                Some(mv) => position.play_unchecked(mv),
                None => position = start.clone(),
            }
            count += 1;
        }
        let rate = count as f64 / began.elapsed().as_secs_f64();
        println!("{:<24} {rate:>12.0} moves/s", file.rsplit('/').next().unwrap_or(&file));
    }
    Ok(())
}
