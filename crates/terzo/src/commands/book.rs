//! `terzo book`

use super::truth;
use crate::output;
use anyhow::{Context, bail};
use game::{Game, below, rng};
use indicatif::{ProgressBar, ProgressStyle};
use quarto::Position;
use quarto::book::{self, Book};
use quarto::solver::{Exact, Outcome, Solver};
use quarto::symmetry::CanonicalKey;
use serde_json::json;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  terzo book build quarto -o crates/quarto/src/book/quarto.book\n  terzo book verify quarto --sample 500"
)]
pub struct BookCommand {
    #[command(subcommand)]
    command: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Solve every position with at most four pieces placed, from nothing
    #[command(
        after_help = "Solved positions go to a journal beside the book at once: Ctrl-C loses nothing, and the same command goes on.\n\nExample:\n  terzo book build quarto-squares -o squares.book"
    )]
    Build(Build),
    /// Solve a random sample of the book again, without the book
    #[command(after_help = "Example:\n  terzo book verify quarto --sample 200 --seed 3")]
    Verify(Verify),
}

#[derive(clap::Args)]
struct Build {
    /// The game: quarto or one of its variants
    game: String,
    /// Where to write the book
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The most pieces placed
    #[arg(long, default_value_t = book::DEPTH, value_parser = clap::value_parser!(u32).range(0..=book::DEPTH as i64))]
    depth: u32,
    #[command(flatten)]
    means: truth::Means,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct Verify {
    /// The game: quarto or quarto-squares
    game: String,
    /// How many positions to solve again
    #[arg(long, default_value_t = 200)]
    sample: usize,
    /// What the sample is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    means: truth::Means,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl BookCommand {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Action::Build(build) => build.run(),
            Action::Verify(verify) => verify.run(),
        }
    }
}

fn bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    let style = "{bar:40} {human_pos}/{human_len} positions, {per_sec:.0}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

impl Build {
    fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let began = Instant::now();
        let journal_path = PathBuf::from(format!("{}.journal", self.output.display()));
        let positions = book::positions(start.rules(), self.depth);
        let mut known = read_journal(&start, &journal_path)?;
        let open: Vec<Position> = positions
            .iter()
            .filter(|position| !known.contains_key(&position.canonical_key()))
            .copied()
            .collect();
        let journal = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&journal_path)
            .with_context(|| format!("cannot write {}", journal_path.display()))?;
        let solver = self.means.solver_alone(start.rules(), 1 << 30)?;
        let progress = bar(positions.len());
        progress.set_position(known.len() as u64);
        let written = Mutex::new((journal, Vec::new(), None));
        let solved = |position: &Position, exact: Exact| {
            progress.inc(1);
            if let Ok(mut written) = written.lock() {
                let line = format!("{}\t{}\t{}\n", position.print(), exact.outcome.name(), exact.plies);
                if let Err(error) = written.0.write_all(line.as_bytes()) {
                    written.2.get_or_insert(error);
                }
                written.1.push((*position, exact));
            }
        };
        let result = book::solve_all(&solver, &open, self.means.threads(), solved);
        progress.finish_and_clear();
        let (_, fresh, failed) = written
            .into_inner()
            .map_err(|_| anyhow::anyhow!("a thread of the build died"))?;
        if let Some(error) = failed {
            return Err(error).context(format!("cannot write {}", journal_path.display()));
        }
        if result.is_err() {
            bail!(
                "stopped; {} keeps what was solved, the same command goes on",
                journal_path.display()
            );
        }
        known.extend(fresh.iter().map(|(position, exact)| (position.canonical_key(), *exact)));
        let entries: Vec<(Position, Exact)> = positions
            .iter()
            .filter_map(|p| Some((*p, *known.get(&p.canonical_key())?)))
            .collect();
        let bytes = Book::new(&entries)
            .context("two positions of the book are the same")?
            .to_bytes();
        std::fs::write(&self.output, &bytes).with_context(|| format!("cannot write {}", self.output.display()))?;
        self.report(&entries, bytes.len(), &solver, began)
    }

    fn report(
        &self,
        entries: &[(Position, Exact)],
        bytes: usize,
        solver: &Solver,
        began: Instant,
    ) -> anyhow::Result<()> {
        let at = |placed: u32, outcome: Outcome| {
            let there =
                |(position, exact): &&(Position, Exact)| position.placed() == placed && exact.outcome == outcome;
            entries.iter().filter(there).count()
        };
        let seconds = began.elapsed().as_secs_f64();
        let levels: Vec<_> = (0..=self.depth)
            .map(|placed| [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| at(placed, outcome)))
            .collect();
        if self.json {
            let levels: Vec<_> = levels
                .iter()
                .enumerate()
                .map(|(placed, [win, draw, loss])| json!({"placed": placed, "win": win, "draw": draw, "loss": loss}))
                .collect();
            return output::print_json(&json!({
                "game": self.game, "positions": entries.len(), "bytes": bytes, "levels": levels,
                "nodes": solver.nodes(), "seconds": seconds,
            }));
        }
        let mut text = format!(
            "{}: {} positions in {bytes} bytes, {seconds:.0} s\n",
            self.game,
            entries.len()
        );
        for (placed, [win, draw, loss]) in levels.iter().enumerate() {
            text += &format!("  {placed} placed: {win} won, {draw} drawn, {loss} lost for who holds the piece\n");
        }
        output::print(&text)
    }
}

/// What an earlier build has solved. A last line that was cut short is ignored.
fn read_journal(start: &Position, path: &Path) -> anyhow::Result<HashMap<CanonicalKey, Exact>> {
    let mut known = HashMap::new();
    let Ok(file) = File::open(path) else {
        return Ok(known);
    };
    for line in BufReader::new(file).lines() {
        let line = line.with_context(|| format!("cannot read {}", path.display()))?;
        let mut words = line.split('\t');
        let (Some(position), Some(outcome), Some(plies)) = (words.next(), words.next(), words.next()) else {
            continue;
        };
        let outcome = [Outcome::Win, Outcome::Draw, Outcome::Loss]
            .into_iter()
            .find(|o| o.name() == outcome);
        if let (Ok(position), Some(outcome), Ok(plies)) = (start.parse(position), outcome, plies.parse()) {
            known.insert(position.canonical_key(), Exact { outcome, plies });
        }
    }
    Ok(known)
}

impl Verify {
    fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let book = Book::of(start.rules()).with_context(|| format!("`{}` has no book", self.game))?;
        let began = Instant::now();
        let all = book::positions(start.rules(), book::DEPTH);
        let mut rng = rng(self.seed);
        let sample: Vec<Position> = (0..self.sample)
            .map(|_| all[below(&mut rng, all.len() as u32) as usize])
            .collect();
        let solver = self.means.solver_alone(start.rules(), 1 << 28)?;
        let progress = bar(sample.len());
        let wrong = Mutex::new(Vec::new());
        let solved = |position: &Position, exact: Exact| {
            progress.inc(1);
            if book.exact(position) != Some(exact)
                && let Ok(mut wrong) = wrong.lock()
            {
                wrong.push(format!(
                    "{}: solved {exact:?}, in the book {:?}",
                    position.print(),
                    book.exact(position)
                ));
            }
        };
        book::solve_all(&solver, &sample, self.means.threads(), solved)?;
        progress.finish_and_clear();
        let wrong = wrong.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(first) = wrong.first() {
            bail!(
                "{} of {} positions are wrong in the book, the first: {first}",
                wrong.len(),
                sample.len()
            );
        }
        let seconds = began.elapsed().as_secs_f64();
        match self.json {
            true => output::print_json(&json!({
                "game": self.game, "positions": all.len(), "sample": sample.len(), "wrong": 0, "seconds": seconds,
            })),
            false => output::print(&format!(
                "{}: {} of {} positions solved again, all as in the book, {seconds:.1} s\n",
                self.game,
                sample.len(),
                all.len()
            )),
        }
    }
}
