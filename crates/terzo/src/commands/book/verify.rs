//! `terzo book verify`

use super::{bar, verify_table};
use crate::commands::truth;
use crate::usage::usage;
use crate::{limits, output};
use anyhow::bail;
use game::{Game, below, rng};
use parking_lot::Mutex;
use quarto::Position;
use quarto::book::holding::{self, HoldingBook};
use quarto::book::{self, Book, edge, repertoire};
use quarto::solver::{Exact, Outcome};
use serde_json::json;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[derive(clap::Args)]
pub struct BookVerifyArgs {
    /// The game: one that has a book, or that of the table
    pub(super) game: String,
    /// A table to verify instead of the book
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// How many positions to solve again, and of a table as many more of those that are neither drawn nor won at once
    #[arg(long, default_value_t = 200, value_parser = limits::up_to(1_000_000))]
    pub(super) sample: usize,
    /// With a table: see of every position with one piece fewer, not only of a sample, whether its value follows
    #[arg(long, requires = "table")]
    pub(super) whole: bool,
    /// What the sample is drawn from
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    #[command(flatten)]
    pub(super) means: truth::SolverArgs,
    /// Write one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

impl BookVerifyArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        if let Some(path) = &self.table {
            return verify_table::verify(&self, &start, path);
        }
        if let Some(book) = HoldingBook::of(start.rules()) {
            return self.verify_holding(&start, book);
        }
        let Some(book) = Book::of(start.rules()) else {
            usage!("`{}` has no book", self.game);
        };
        let began = Instant::now();
        let all = positions(book, &start);
        let sample = self.draw(&all);
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
        none_wrong(&wrong.into_inner(), sample.len(), "the book")?;
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

impl BookVerifyArgs {
    /// Some positions, each as likely as any other.
    fn draw(&self, all: &[Position]) -> Vec<Position> {
        let mut rng = rng(self.seed);
        let one = |_| all[below(&mut rng, all.len() as u32) as usize];
        (0..self.sample).map(one).collect()
    }

    /// The same for a book that holds: after its turns the opponent does not win.
    fn verify_holding(&self, start: &Position, book: &HoldingBook) -> anyhow::Result<()> {
        let began = Instant::now();
        let all = holding::positions(book, start);
        let sample = self.draw(&all);
        let solver = self.means.solver_alone(start.rules(), 1 << 28)?;
        let progress = bar(sample.len(), "positions");
        let wrong = Mutex::new(Vec::new());
        book::for_each(&sample, self.means.threads(), |position| {
            let turn = book.turn(position);
            let holds = match turn {
                None => false,
                Some(turn) => {
                    let mut after = *position;
                    after.play_unchecked(turn);
                    !solver.at_least(&after, Outcome::Win)?
                }
            };
            progress.inc(1);
            if !holds {
                let turn = turn.map_or_else(|| "no turn".into(), |turn| turn.to_string());
                wrong.lock().push(format!("{}: {turn} does not hold", position.print()));
            }
            Ok(())
        })?;
        progress.finish_and_clear();
        none_wrong(&wrong.into_inner(), sample.len(), "the book")?;
        let seconds = began.elapsed().as_secs_f64();
        match self.json {
            true => output::print_json(&json!({
                "game": self.game, "positions": all.len(), "sample": sample.len(), "wrong": 0, "seconds": seconds,
            })),
            false => output::print(&format!(
                "{}: the turns of {} of {} positions hold, {seconds:.1} s\n",
                self.game,
                sample.len(),
                all.len()
            )),
        }
    }
}

/// An error that names the first position that is wrong, if one is.
pub(super) fn none_wrong(wrong: &[String], sample: usize, place: &str) -> anyhow::Result<()> {
    match wrong.first() {
        None => Ok(()),
        Some(first) => bail!(
            "{} of {sample} positions are wrong in {place}, the first: {first}",
            wrong.len()
        ),
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
