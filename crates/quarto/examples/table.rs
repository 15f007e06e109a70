//! A table on a machine that has nothing but this program: what `terzo book build --placed N` does, with the same journal, then everything that can
//! be checked of it, each within a time of its own.
//!
//! ```text
//! cargo run --release -p terzo-quarto --example table -- quarto 6 64 16 450 FOLDER    GiB of transposition table, threads, seconds for the parts
//! cargo run --release -p terzo-quarto --example table -- threads 16                   what threads gain, as scripts/threads
//! ```

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program for one occasion: what goes wrong ends it"
)]

use game::Stop;
use quarto::census::Census;
use quarto::solver::{Exact, Outcome, Solver};
use quarto::tablebase::{ClassCache, Part, Tablebase, TablebaseLayout, all_positions, classes, positions};
use quarto::{CellSet, Position, Rules, book};
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words[at].parse::<usize>().expect("a number");
    match words[0].as_str() {
        "threads" => threads_gain(number(1)),
        game => {
            let rules = Rules::named(game).expect("a variant");
            build(
                rules,
                number(1) as u32,
                number(2) << 30,
                number(3),
                number(4) as u64,
                Path::new(&words[5]),
            );
        }
    }
}

/// The parts that a journal has.
fn read_journal(path: &Path, title: &str) -> HashMap<Part, Vec<u8>> {
    let mut known = HashMap::new();
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    assert!(whole.is_empty() || whole.starts_with(title), "another journal");
    for line in whole.lines().skip(1) {
        let mut fields = line.split('\t');
        let class = CellSet(u16::from_str_radix(fields.next().unwrap(), 16).unwrap());
        let number = fields.next().unwrap().parse().unwrap();
        let codes = fields.next().unwrap().bytes();
        let codes = codes.map(|digit| (digit as char).to_digit(16).unwrap() as u8).collect();
        known.insert(Part { class, number }, codes);
    }
    std::fs::write(path, if whole.is_empty() { title } else { whole }).unwrap();
    known
}

fn build(rules: &'static Rules, placed: u32, memory: usize, threads: usize, seconds: u64, folder: &Path) {
    let began = Instant::now();
    let name = folder.join(format!("{}-{placed}.table", rules.name()));
    let path = folder.join(format!("{}-{placed}.table.journal", rules.name()));
    let title = format!("terzo table journal\t{} with {placed} placed\n", rules.name());
    let known = Mutex::new(read_journal(&path, &title));
    let layout = TablebaseLayout::new(rules, placed, threads);
    let parts: Vec<(Part, usize)> = layout.parts().collect();
    let open: Vec<Part> = {
        let known = known.lock().unwrap();
        let is_open = |(part, size): &&(Part, usize)| known.get(part).is_none_or(|codes| codes.len() != *size);
        parts.iter().filter(is_open).map(|(part, _)| *part).collect()
    };
    println!(
        "{} positions, {} parts, {} open, {:.1} s",
        layout.positions(),
        parts.len(),
        open.len(),
        began.elapsed().as_secs_f64()
    );
    let solver = Solver::new(rules, memory, 1).unwrap();
    let stop = Stop::new();
    solver.set_stop(stop.clone());
    let file = Mutex::new(OpenOptions::new().append(true).open(&path).unwrap());
    let (cache, done, finished) = (ClassCache::default(), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Says how far it is, and ends it in time.
            let mut said = 0;
            while finished.load(Ordering::Relaxed) < threads {
                std::thread::sleep(Duration::from_millis(20));
                let now = began.elapsed().as_secs();
                if now / 15 > said {
                    said = now / 15;
                    println!(
                        "{now} s: {} parts, {} nodes",
                        done.load(Ordering::Relaxed),
                        solver.nodes()
                    );
                }
                if now >= seconds {
                    stop.raise();
                }
            }
        });
        let next = AtomicUsize::new(0);
        let (next, open, solver, cache, known, file, done, finished) =
            (&Arc::new(next), &open, &solver, &cache, &known, &file, &done, &finished);
        for _ in 0..threads {
            let next = next.clone();
            scope.spawn(move || {
                while let Some(part) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Ok(codes) = part.solve(solver, cache) else { break };
                    let digits: String = codes
                        .iter()
                        .map(|code| char::from_digit(u32::from(*code), 16).unwrap())
                        .collect();
                    let line = format!("{:04x}\t{}\t{digits}\n", part.class.0, part.number);
                    file.lock().unwrap().write_all(line.as_bytes()).unwrap();
                    known.lock().unwrap().insert(*part, codes);
                    done.fetch_add(1, Ordering::Relaxed);
                }
                finished.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    println!(
        "solved: {} parts, {} nodes, {:.1} s",
        done.into_inner(),
        solver.nodes(),
        began.elapsed().as_secs_f64()
    );
    let known = known.into_inner().unwrap();
    let Some(table) = layout.pack(|part| known.get(&part).cloned(), threads) else {
        println!("not whole: {} of {} parts", known.len(), parts.len());
        std::process::exit(3);
    };
    let bytes = table.to_bytes();
    std::fs::write(&name, &bytes).unwrap();
    println!("packed: {} bytes, {:.1} s", bytes.len(), began.elapsed().as_secs_f64());
    let table = Tablebase::from_bytes(&bytes).unwrap();
    print_census(&table.census(threads));
    println!("counted: {:.1} s", began.elapsed().as_secs_f64());
    let table = Arc::new(table);
    if placed == 6 {
        follows(&table, threads);
        println!("the one before: {:.1} s", began.elapsed().as_secs_f64());
    }
    sample(&table, threads);
    println!("sample: {:.1} s", began.elapsed().as_secs_f64());
}

fn print_census(census: &Census) {
    for (exact, count) in census.values() {
        println!("  {} in {}: {count}", exact.outcome.name(), exact.plies);
    }
}

/// What the table in the program says follows from this one by lookups alone.
fn follows(table: &Arc<Tablebase>, threads: usize) {
    let rules = table.rules();
    let Some(before) = Tablebase::embedded(rules) else {
        return;
    };
    let mut solver = Solver::new(rules, 64 << 20, 1).unwrap();
    solver.add_table(table.clone()).unwrap();
    let wrong = AtomicUsize::new(0);
    let right = AtomicUsize::new(0);
    let classes = classes(rules, before.placed());
    let mut spread: Vec<(CellSet, usize)> = classes
        .iter()
        .flat_map(|class| (0..8).map(|part| (*class, part)))
        .collect();
    spread.sort_by_key(|(_, part)| *part);
    book::for_each(&spread, threads, |(class, part)| {
        for position in positions(rules, *class).iter().skip(*part).step_by(8) {
            match Some(solver.exact(position)?) == before.exact(position) {
                true => right.fetch_add(1, Ordering::Relaxed),
                false => wrong.fetch_add(1, Ordering::Relaxed),
            };
        }
        Ok(())
    })
    .unwrap();
    println!(
        "with {} placed: {} follow, {} do not; {} nodes",
        before.placed(),
        right.into_inner(),
        wrong.into_inner(),
        solver.nodes()
    );
}

/// Positions solved again without the table: some of all, and some of those that are neither drawn nor won at once.
fn sample(table: &Tablebase, threads: usize) {
    let rules = table.rules();
    let solver = Solver::new(rules, 1 << 30, 1).unwrap();
    let spread: Vec<Position> = all_positions(rules, table.placed()).step_by(12_007).collect();
    let rare = |position: &Position| {
        let exact = table.exact(position).unwrap();
        exact.outcome == Outcome::Loss || exact.outcome == Outcome::Win && exact.plies > 1
    };
    let rare: Vec<Position> = all_positions(rules, table.placed())
        .step_by(401)
        .filter(rare)
        .step_by(15)
        .collect();
    for (what, positions) in [("spread", spread), ("rare", rare)] {
        let wrong = AtomicUsize::new(0);
        book::solve_all(&solver, &positions, threads, |position, exact: Exact| {
            if table.exact(position) != Some(exact) {
                wrong.fetch_add(1, Ordering::Relaxed);
            }
        })
        .unwrap();
        println!("{what}: {} solved again, {} wrong", positions.len(), wrong.into_inner());
    }
}

/// Seconds and nodes of the empty board, the value alone.
fn threads_gain(most: usize) {
    for game in ["quarto", "quarto-squares"] {
        let rules = Rules::named(game).unwrap();
        let mut threads = most;
        while threads > 0 {
            let solver = Solver::new(rules, 1 << 30, threads).unwrap();
            let began = Instant::now();
            let value = solver.outcome(&Position::new(rules)).unwrap();
            let seconds = began.elapsed().as_secs_f64();
            println!(
                "{game} {threads} threads: {} {} nodes {seconds:.2} s",
                value.name(),
                solver.nodes()
            );
            threads /= 2;
        }
    }
}
