//! Writes the strong player's opening book: searches every position of the first stones, up to symmetry, for long.
//!
//! ```text
//!     cargo run --release -p terzo-stack4 --example book -- PLIES NODES JOBS > crates/stack4/src/strong/book.txt
//! ```
//!
//! The book holds all positions of up to PLIES stones, and those of one stone more that come about when the side to move
//! has followed it. Every position is searched alone, on one thread with a fresh table: so the book is the same whoever
//! makes it, on any number of jobs.

use game::Game;
use stack4::strong::{Limits, Strong, canonical};
use stack4::{Column, Position};
use std::collections::HashSet;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A position, and the moves that lead to it.
#[derive(Clone, Default)]
struct Line {
    position: Position,
    moves: Vec<Column>,
}

impl Line {
    fn with(&self, column: Column) -> Line {
        let mut line = self.clone();
        line.position.drop_stone(column);
        line.moves.push(column);
        line
    }
}

/// Those of the lines whose positions were not seen before, up to symmetry.
fn new(lines: impl Iterator<Item = Line>, seen: &mut HashSet<u64>) -> Vec<Line> {
    lines.filter(|line| seen.insert(canonical(&line.position).0)).collect()
}

/// Searches the lines, prints what is found, and returns the lines with their answers.
fn search(lines: &[Line], nodes: u64, jobs: usize) -> Vec<Line> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some(line) = lines.get(next.fetch_add(1, Relaxed)) {
                    let mut strong = Strong::new(64, 1);
                    if let (Some(best), Ok(mut found)) =
                        (strong.search(&line.position, &Limits::nodes(nodes)), found.lock())
                    {
                        found.push((line, best));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_default();
    found.sort_by(|(a, _), (b, _)| a.moves.cmp(&b.moves));
    let answers = found.iter().map(|(line, found)| {
        let moves: Vec<String> = line.moves.iter().map(Column::to_string).collect();
        let tenths = 10.0 * found.value.unwrap_or(0.0);
        println!(
            "{} = {} {tenths:.0} {}",
            moves.join(" "),
            found.best,
            found.depth.unwrap_or(0)
        );
        line.with(found.best)
    });
    answers.collect()
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [plies, nodes, jobs] = numbers[..] else {
        eprintln!("book: expected PLIES NODES JOBS");
        return ExitCode::FAILURE;
    };
    println!("# made by `cargo run --release -p terzo-stack4 --example book -- {plies} {nodes} JOBS`");
    let jobs = jobs.max(1) as usize;
    let mut seen = HashSet::new();
    let mut lines = new(std::iter::once(Line::default()), &mut seen);
    let mut answered = Vec::new();
    for ply in 0..=plies {
        let answers = search(&lines, nodes, jobs);
        if ply + 1 == plies {
            answered = answers;
        }
        lines = new(
            lines
                .iter()
                .flat_map(|line| Column::all().map(|column| line.with(column))),
            &mut seen,
        );
    }
    let replies = answered.iter().flat_map(|line| {
        Column::all()
            .filter(|&column| line.position.is_legal(column))
            .map(|column| line.with(column))
    });
    // Positions of three stones were listed above, but not searched.
    let lines = new(replies, &mut HashSet::new());
    search(&lines, nodes, jobs);
    ExitCode::SUCCESS
}
