//! Build seconds, playouts a second and size of the machines on rule sheets: `bench SECONDS prover|compiled FILE…`.

use gdl::{Machine, Order};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let seconds: f64 = args.next().ok_or("expected seconds")?.parse()?;
    let kind = args.next().ok_or("expected prover or compiled")?;
    println!(
        "{:<24} {:>9} {:>12} {:>12} {:>8}",
        "game", "build s", "playouts/s", "states/s", "mean"
    );
    for file in args {
        let text = std::fs::read_to_string(&file)?;
        let started = Instant::now();
        let (sheet, report) = gdl::sheet::Sheet::read(&file, &text);
        let sheet = sheet.ok_or_else(|| report.render())?;
        let machine = if kind == "prover" {
            Machine::prover(&sheet)?
        } else {
            Machine::compiled(&sheet, gdl::Limits::default())?
        };
        let build = started.elapsed().as_secs_f64();
        let (started, worked) = (Instant::now(), worked());
        let until = started + Duration::from_secs_f64(seconds);
        let out = machine.playouts(&machine.initial(), Order::Until(until), &mut game::rng(1))?;
        // On a busy machine the time that this thread really had tells more than the clock on the wall.
        let took = match (worked, self::worked()) {
            (Some(before), Some(after)) if after > before => after - before,
            _ => started.elapsed().as_secs_f64(),
        };
        let name = file.rsplit('/').next().unwrap_or(&file);
        println!(
            "{name:<24} {build:>9.3} {:>12.1} {:>12.0} {:>8.2}",
            out.games as f64 / took,
            out.steps as f64 / took,
            out.mean(0),
        );
    }
    Ok(())
}

/// The seconds that this thread has had a processor, where the system says so.
fn worked() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}
