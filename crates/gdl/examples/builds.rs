//! How long the compiled machine of each sheet takes to build, by the time the thread had a processor, and how large it is:
//! `builds TIMES FILE…`, files or bundled names; the best of so many times. With memory, as far as the system tells the most that was
//! used so far: one file a call for that.

mod measure;

use gdl::{BuildLimits, Machine, Sheet};
use measure::Stopwatch;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let times: u32 = args.next().ok_or("expected a number of times")?.parse()?;
    println!(
        "{:<32} {:>9} {:>9} {:>9} {:>9}",
        "sheet", "build s", "props", "gates", "MB"
    );
    for file in args {
        let sheet = Sheet::load(&file)?;
        let name = file.rsplit('/').next().unwrap_or(&file);
        let mut best = f64::INFINITY;
        let mut built = None;
        for _ in 0..times {
            let watch = Stopwatch::start();
            built = Some(Machine::compiled(&sheet, BuildLimits::default()));
            best = best.min(watch.seconds());
        }
        match built {
            Some(Ok(machine)) => println!(
                "{name:<32} {best:>9.3} {:>9} {:>9} {:>9}",
                machine.propositions(),
                machine.components(),
                peak().map_or_else(String::new, |bytes| (bytes >> 20).to_string())
            ),
            Some(Err(why)) => println!("{name:<32} {best:>9.3} {why}"),
            None => {}
        }
    }
    Ok(())
}

/// The most memory that this process has used so far.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}
