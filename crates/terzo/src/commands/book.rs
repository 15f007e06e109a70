//! `terzo book`

use super::truth;
use crate::{limits, output};
use anyhow::{Context, bail};
use game::{Game, below, rng};
use indicatif::{ProgressBar, ProgressStyle};
use quarto::Position;
use quarto::book::edge::{self, Question};
use quarto::book::{self, Book};
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::symmetry::CanonicalKey;
use serde_json::json;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
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
    /// Solve every position with at most four pieces placed, and find a good turn for the last of them, from nothing
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
    /// Leave out the edge: which turn keeps the value of the positions with most pieces
    #[arg(long)]
    no_edge: bool,
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
    #[arg(long, default_value_t = 200, value_parser = limits::up_to(1_000_000))]
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

fn bar(length: usize, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {what}, {{per_sec:.0}}, {{eta}} left");
    bar.set_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

impl Build {
    fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let began = Instant::now();
        let positions = book::positions(start.rules(), self.depth);
        let journal = Journal::open(&start, PathBuf::from(format!("{}.journal", self.output.display())))?;
        let solver = self.means.solver_alone(start.rules(), 1 << 30)?;
        let values = self.solve_values(&journal, &solver, &positions)?;
        let entries: Vec<(Position, Exact)> = positions
            .iter()
            .filter_map(|p| Some((*p, *values.get(&p.canonical_key())?)))
            .collect();
        let edge = match self.no_edge || self.depth < book::DEPTH {
            true => HashMap::new(),
            false => self.solve_edge(&journal, &solver, &entries)?,
        };
        let edge: Vec<_> = edge.into_iter().collect();
        let bytes = Book::new(&entries, &edge)
            .context("two positions of the book are the same")?
            .to_bytes();
        std::fs::write(&self.output, &bytes).with_context(|| format!("cannot write {}", self.output.display()))?;
        self.report(&entries, edge.len(), bytes.len(), &solver, began)
    }

    /// The values of all positions, those that the journal does not know solved now.
    fn solve_values(
        &self,
        journal: &Journal,
        solver: &Solver,
        positions: &[Position],
    ) -> anyhow::Result<HashMap<CanonicalKey, Exact>> {
        let mut values = journal.values.clone();
        let open: Vec<Position> = positions
            .iter()
            .filter(|position| !values.contains_key(&position.canonical_key()))
            .copied()
            .collect();
        let progress = bar(positions.len(), "positions");
        progress.set_position((positions.len() - open.len()) as u64);
        let fresh = Mutex::new(Vec::new());
        let solved = |position: &Position, exact: Exact| {
            progress.inc(1);
            journal.write(format_args!(
                "{}\t{}\t{}\n",
                position.print(),
                exact.outcome.name(),
                exact.plies
            ));
            if let Ok(mut fresh) = fresh.lock() {
                fresh.push((position.canonical_key(), exact));
            }
        };
        let result = book::solve_all(solver, &open, self.means.threads(), solved);
        progress.finish_and_clear();
        journal.check(result)?;
        values.extend(fresh.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()));
        Ok(values)
    }

    /// The answers at the edge, those that the journal does not know found now.
    fn solve_edge(
        &self,
        journal: &Journal,
        solver: &Solver,
        entries: &[(Position, Exact)],
    ) -> anyhow::Result<HashMap<Question, bool>> {
        let last: Vec<(Position, Exact)> = entries
            .iter()
            .filter(|(position, _)| position.placed() == book::DEPTH)
            .copied()
            .collect();
        let progress = bar(last.len(), "turns at the edge");
        let answered = |after: &Position, value: Exact, yes: bool| {
            let (outcome, plies) = (value.outcome.name(), value.plies);
            journal.write(format_args!("{}\t{outcome}\t{plies}\t{yes}\n", after.print()));
        };
        let threads = self.means.threads();
        let result = edge::solve(solver, &last, threads, journal.edge.clone(), answered, || {
            progress.inc(1);
        });
        progress.finish_and_clear();
        journal.check(result)
    }

    fn report(
        &self,
        entries: &[(Position, Exact)],
        edge: usize,
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
                "game": self.game, "positions": entries.len(), "edge": edge, "bytes": bytes, "levels": levels,
                "nodes": solver.nodes(), "seconds": seconds,
            }));
        }
        let mut text = format!(
            "{}: {} positions and {edge} answers at the edge in {bytes} bytes, {seconds:.0} s\n",
            self.game,
            entries.len()
        );
        for (placed, [win, draw, loss]) in levels.iter().enumerate() {
            text += &format!("  {placed} placed: {win} won, {draw} drawn, {loss} lost for who holds the piece\n");
        }
        output::print(&text)
    }
}

/// What builds have solved so far, a line each: a position, its value; at the edge also whether going there keeps that
/// value. Every answer is written at once.
struct Journal {
    path: PathBuf,
    values: HashMap<CanonicalKey, Exact>,
    edge: HashMap<Question, bool>,
    /// The file, and the first thing that went wrong with it.
    written: Mutex<(File, Option<std::io::Error>)>,
}

impl Journal {
    /// Reads what an earlier build has left. A last line that was cut short is ignored.
    fn open(start: &Position, path: PathBuf) -> anyhow::Result<Self> {
        let (mut values, mut edge) = (HashMap::new(), HashMap::new());
        if let Ok(file) = File::open(&path) {
            for line in BufReader::new(file).lines() {
                let line = line.with_context(|| format!("cannot read {}", path.display()))?;
                let words: Vec<&str> = line.split('\t').collect();
                let [position, outcome, plies, answer @ ..] = &words[..] else {
                    continue;
                };
                let outcome = [Outcome::Win, Outcome::Draw, Outcome::Loss]
                    .into_iter()
                    .find(|o| o.name() == *outcome);
                let (Ok(position), Some(outcome), Ok(plies)) = (start.parse(position), outcome, plies.parse()) else {
                    continue;
                };
                let value = Exact { outcome, plies };
                match answer.first().map(|yes| yes.parse()) {
                    None => {
                        values.insert(position.canonical_key(), value);
                    }
                    Some(Ok(yes)) => edge.extend(Question::new(&position, value).map(|question| (question, yes))),
                    Some(Err(_)) => {}
                }
            }
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        let written = Mutex::new((file, None));
        Ok(Journal {
            path,
            values,
            edge,
            written,
        })
    }

    fn write(&self, line: std::fmt::Arguments) {
        if let Ok(mut written) = self.written.lock()
            && let Err(error) = written.0.write_all(line.to_string().as_bytes())
        {
            written.1.get_or_insert(error);
        }
    }

    /// What a build found, if all of it was written and nobody stopped it.
    fn check<T>(&self, result: Result<T, NoAnswer>) -> anyhow::Result<T> {
        let path = self.path.display();
        let failed = self.written.lock().ok().and_then(|mut written| written.1.take());
        if let Some(error) = failed {
            return Err(error).context(format!("cannot write {path}"));
        }
        result.map_err(|_| anyhow::anyhow!("stopped; {path} keeps what was solved, the same command goes on"))
    }
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
        let progress = bar(sample.len(), "positions");
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
