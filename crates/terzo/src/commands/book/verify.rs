//! `terzo book verify`

use super::bar;
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
use quarto::tablebase::{self, Tablebase};
use serde_json::json;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[derive(clap::Args)]
pub struct BookVerifyArgs {
    /// The game: one that has a book, or that of the table
    game: String,
    /// A table to verify instead of the book
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
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

impl BookVerifyArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        if let Some(path) = &self.table {
            return self.verify_table(&start, path);
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

    /// The same for a table: positions of it, solved without it.
    fn verify_table(&self, start: &Position, path: &Path) -> anyhow::Result<()> {
        let table = Tablebase::open(path).map_err(anyhow::Error::msg)?;
        if table.rules() != start.rules() {
            bail!("{}: this is a table of {}", path.display(), table.rules().name());
        }
        let began = Instant::now();
        let sample = sample_of(&table, self.sample, self.seed);
        let solver = self.means.solver_alone(start.rules(), 1 << 28)?;
        let progress = bar(sample.len(), "positions");
        let wrong = Mutex::new(Vec::new());
        book::solve_all(&solver, &sample, self.means.threads(), |position, exact| {
            progress.inc(1);
            let said = table.exact(position);
            if said != Some(exact) {
                let text = position.print();
                wrong
                    .lock()
                    .push(format!("{text}: solved {exact:?}, in the table {said:?}"));
            }
        })?;
        progress.finish_and_clear();
        none_wrong(&wrong.into_inner(), sample.len(), "the table")?;
        let (placed, positions) = (table.placed(), table.positions());
        let seconds = began.elapsed().as_secs_f64();
        match self.json {
            true => output::print_json(&json!({
                "game": self.game, "placed": placed, "positions": positions, "sample": sample.len(), "wrong": 0, "seconds": seconds,
            })),
            false => output::print(&format!(
                "{}: {} of {positions} positions with {placed} placed solved again, all as in the table, {seconds:.1} s\n",
                self.game,
                sample.len()
            )),
        }
    }
}

/// Positions of a table, each as likely as any other.
fn sample_of(table: &Tablebase, count: usize, seed: u64) -> Vec<Position> {
    let mut rng = rng(seed);
    let all = table.positions() as u32;
    let mut numbers: Vec<usize> = (0..count).map(|_| below(&mut rng, all) as usize).collect();
    numbers.sort_unstable();
    let mut numbers = numbers.into_iter().peekable();
    let mut sample = Vec::new();
    let mut before = 0;
    for (class, size) in table.classes() {
        if numbers.peek().is_some_and(|number| *number < before + size) {
            let positions = tablebase::positions(table.rules(), class);
            while let Some(number) = numbers.next_if(|number| *number < before + size) {
                sample.extend(positions.get(number - before));
            }
        }
        before += size;
    }
    sample
}

/// An error that names the first position that is wrong, if one is.
fn none_wrong(wrong: &[String], sample: usize, place: &str) -> anyhow::Result<()> {
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
