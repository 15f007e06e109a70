//! `terzo book verify`

use super::bar;
use crate::commands::truth;
use crate::usage::usage;
use crate::{limits, output};
use anyhow::bail;
use game::{Game, below, rng};
use parking_lot::Mutex;
use quarto::Position;
use quarto::book::{self, Book, edge, repertoire};
use quarto::solver::Exact;
use serde_json::json;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Verify {
    /// The game: one that has a book
    game: String,
    /// How many positions to solve again
    #[arg(long, default_value_t = 200, value_parser = limits::up_to(1_000_000))]
    sample: usize,
    /// What the sample is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    means: truth::SolverArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Verify {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let Some(book) = Book::of(start.rules()) else {
            usage!("`{}` has no book", self.game);
        };
        let began = Instant::now();
        let all = positions(book, &start);
        let mut rng = rng(self.seed);
        let sample: Vec<Position> = (0..self.sample)
            .map(|_| all[below(&mut rng, all.len() as u32) as usize])
            .collect();
        let solver = self.means.solver_alone(start.rules(), 1 << 28)?;
        let progress = bar(sample.len(), "positions");
        let wrong = Mutex::new(Vec::new());
        let edge = AtomicUsize::new(0);
        let solved = |position: &Position, exact: Exact| {
            progress.inc(1);
            let (text, said) = (position.print(), book.known(position));
            let mut complaint =
                (said != Some(exact)).then(|| format!("{text}: solved {exact:?}, in the book {said:?}"));
            if let Some(turn) = book.turn(position) {
                edge.fetch_add(1, Ordering::Relaxed);
                // If it was stopped, the next position says so.
                if edge::reaches(&solver, position, turn, exact) == Ok(false) {
                    complaint.get_or_insert(format!("{text}: {turn} does not reach {exact:?}"));
                }
            }
            if let Some(complaint) = complaint {
                wrong.lock().push(complaint);
            }
        };
        book::solve_all(&solver, &sample, self.means.threads(), solved)?;
        progress.finish_and_clear();
        let wrong = wrong.into_inner();
        if let Some(first) = wrong.first() {
            bail!(
                "{} of {} positions are wrong in the book, the first: {first}",
                wrong.len(),
                sample.len()
            );
        }
        let seconds = began.elapsed().as_secs_f64();
        let edge = edge.into_inner();
        match self.json {
            true => output::print_json(&json!({
                "game": self.game, "positions": all.len(), "sample": sample.len(), "edge": edge, "wrong": 0, "seconds": seconds,
            })),
            false => output::print(&format!(
                "{}: {} of {} positions and {edge} turns at the edge solved again, all as in the book, {seconds:.1} s\n",
                self.game,
                sample.len(),
                all.len()
            )),
        }
    }
}

/// Every position of a book, those along its own turns too.
fn positions(book: &Book, start: &Position) -> Vec<Position> {
    let mut all = book::positions(start.rules(), book.depth());
    let follow = |placed: u32, met: &[Position]| -> Result<Vec<Position>, Infallible> {
        if placed > book.depth() {
            all.extend(met);
        }
        if repertoire::leads_beyond(placed, book.reach()) {
            return Ok(Vec::new());
        }
        Ok(met.iter().flat_map(|position| book.choices(position)).collect())
    };
    match repertoire::walk(start, book.reach(), follow) {
        Ok(()) => all,
        Err(never) => match never {},
    }
}
