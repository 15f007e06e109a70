//! `terzo book`

use super::on::On;
use super::solving::{Ask, Solving, read_line, write_line};
use super::truth;
use crate::{limits, output, progress};
use anyhow::{Context, bail};
use arena::contest::Control;
use arena::queue::{Unit, Work};
use game::{Game, Stop, below, rng};
use indicatif::{ProgressBar, ProgressStyle};
use quarto::Position;
use quarto::book::edge::{self, Question};
use quarto::book::{self, Book};
use quarto::solver::{Exact, Outcome, Solver};
use quarto::symmetry::CanonicalKey;
use serde_json::json;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
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
    Build(Box<Build>),
    /// Solve a random sample of the book and of its edge again, without the book
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
    #[command(flatten)]
    on: On,
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
    let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {what}, {{per_sec:.0}}, {{eta}} left  {{msg}}");
    bar.set_style(ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

impl Build {
    fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let began = Instant::now();
        let positions = book::positions(start.rules(), self.depth);
        let mut journal = Journal::open(&start, PathBuf::from(format!("{}.journal", self.output.display())))?;
        let bench = self.bench(&start)?;
        self.solve_values(&mut journal, &bench, &positions)?;
        let entries = positions
            .iter()
            .map(|position| Some((*position, *journal.values.get(&position.canonical_key())?)))
            .collect::<Option<Vec<(Position, Exact)>>>()
            .context("some positions were not answered; the same command asks again")?;
        if !self.no_edge && self.depth == book::DEPTH {
            self.solve_edge(&mut journal, &bench, &entries)?;
        } else {
            journal.edge.clear();
        }
        let edge: Vec<_> = journal.edge.into_iter().collect();
        let bytes = Book::new(&entries, &edge)
            .context("two positions of the book are the same")?
            .to_bytes();
        std::fs::write(&self.output, &bytes).with_context(|| format!("cannot write {}", self.output.display()))?;
        self.report(&entries, edge.len(), bytes.len(), &bench.solver, began)
    }

    /// What solves here, or what stands for those who do so elsewhere.
    fn bench(&self, start: &Position) -> anyhow::Result<Bench> {
        let control = Arc::new(Control::default());
        let (solver, stop) = if self.on.elsewhere() {
            progress::on_interrupt(&control)?;
            let solver = Solver::new(start.rules(), 1 << 16, 1).context("no memory for a solver")?;
            (Arc::new(solver), Stop::never())
        } else {
            // Ctrl-C stops the solver in the middle of a position.
            self.means.solver_alone(start.rules(), 1 << 30)?.into_parts()
        };
        Ok(Bench { solver, stop, control })
    }

    /// Solves the positions whose values the journal does not know.
    fn solve_values(&self, journal: &mut Journal, bench: &Bench, positions: &[Position]) -> anyhow::Result<()> {
        let open: Vec<Position> = positions
            .iter()
            .filter(|position| !journal.values.contains_key(&position.canonical_key()))
            .copied()
            .collect();
        let progress = bar(positions.len(), "positions");
        progress.set_position((positions.len() - open.len()) as u64);
        let solving = Solving::new(&self.game, Ask::Value, false, bench.solver.clone())?;
        let mut units = units(open.iter().map(Game::print));
        self.have_done(journal, bench, solving, &mut units, &progress)
    }

    /// Answers the questions at the edge that the journal does not know.
    fn solve_edge(&self, journal: &mut Journal, bench: &Bench, entries: &[(Position, Exact)]) -> anyhow::Result<()> {
        let last: Vec<(Position, Exact)> = entries
            .iter()
            .filter(|(position, _)| position.placed() == book::DEPTH)
            .copied()
            .collect();
        let open: Vec<&(Position, Exact)> = last.iter().filter(|entry| !journal.answers(entry)).collect();
        let progress = bar(last.len(), "turns at the edge");
        progress.set_position((last.len() - open.len()) as u64);
        let solving = Solving::new(&self.game, Ask::Edge, false, bench.solver.clone())?.knowing(journal.edge.clone());
        let mut units = units(
            open.into_iter()
                .map(|(position, value)| write_line(position, *value, None)),
        );
        self.have_done(journal, bench, solving, &mut units, &progress)?;
        match last.iter().all(|entry| journal.answers(entry)) {
            true => Ok(()),
            false => bail!("some turns at the edge were not answered; the same command asks again"),
        }
    }

    /// Has units answered, here or elsewhere, and writes what comes back into the journal.
    fn have_done(
        &self,
        journal: &mut Journal,
        bench: &Bench,
        solving: Solving,
        units: &mut (dyn Iterator<Item = Unit> + Send),
        progress: &ProgressBar,
    ) -> anyhow::Result<()> {
        let path = std::path::absolute(&journal.path).unwrap_or_else(|_| journal.path.clone());
        let order = solving.order().text;
        let mut hired = self
            .on
            .hire(self.means.threads(), &["book", &path.to_string_lossy(), &order])?;
        let (solving, control) = (Arc::new(solving), bench.control.clone());
        let mut failed = None;
        let ended = hired.queue.run(&solving, units, &control, &mut |results| {
            for line in results.iter().flat_map(|(_, lines)| lines) {
                if let Err(error) = journal.note(line) {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            progress.inc(results.len() as u64);
            if let Some(crew) = &hired.crew {
                progress.set_message(crew());
            }
            ControlFlow::Continue(())
        });
        progress.finish_and_clear();
        let path = journal.path.display();
        if let Some(error) = failed {
            return Err(error).context(format!("cannot write {path}"));
        }
        ended?;
        let stopped = control.stop.load(Ordering::Relaxed) || bench.stop.is_raised();
        match stopped {
            true => bail!("stopped; {path} keeps what was solved, the same command goes on"),
            false => Ok(()),
        }
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

/// Numbers texts.
fn units(texts: impl Iterator<Item = String> + Send) -> impl Iterator<Item = Unit> + Send {
    (0..).zip(texts).map(|(number, text)| Unit { number, text })
}

/// What a build works with.
struct Bench {
    solver: Arc<Solver>,
    /// Raised by Ctrl-C.
    stop: Stop,
    control: Arc<Control>,
}

/// What builds have solved so far, a line each: a position, its value; at the edge also whether going there keeps that
/// value. Every answer is written at once.
struct Journal {
    start: Position,
    path: PathBuf,
    file: File,
    values: HashMap<CanonicalKey, Exact>,
    edge: HashMap<Question, bool>,
}

impl Journal {
    /// Reads what an earlier build has left. A last line that was cut short is ignored.
    fn open(start: &Position, path: PathBuf) -> anyhow::Result<Self> {
        let known = match File::open(&path) {
            Ok(file) => Some(BufReader::new(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let mut journal = Journal {
            start: *start,
            file: file.with_context(|| format!("cannot write {}", path.display()))?,
            path,
            values: HashMap::new(),
            edge: HashMap::new(),
        };
        for line in known.into_iter().flat_map(BufRead::lines) {
            let line = line.with_context(|| format!("cannot read {}", journal.path.display()))?;
            journal.learn(&line);
        }
        Ok(journal)
    }

    /// Takes a line in, unless it cannot be read. Says whether it was new.
    fn learn(&mut self, line: &str) -> bool {
        match read_line(&self.start, line) {
            Some((position, value, None)) => self.values.insert(position.canonical_key(), value).is_none(),
            Some((after, value, Some(yes))) => match Question::new(&after, value) {
                Some(question) => self.edge.insert(question, yes).is_none(),
                None => false,
            },
            None => false,
        }
    }

    /// Takes a line in and writes it down.
    fn note(&mut self, line: &str) -> std::io::Result<()> {
        match self.learn(line) {
            true => self.file.write_all(format!("{line}\n").as_bytes()),
            false => Ok(()),
        }
    }

    /// Whether everything is known that the edge asks about a position.
    fn answers(&self, (position, value): &(Position, Exact)) -> bool {
        let known = |after: &Position, value: Exact| {
            let question = Question::new(after, value).ok_or(())?;
            self.edge.get(&question).copied().ok_or(())
        };
        edge::ask(position, *value, known).is_ok()
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
        let edge = AtomicUsize::new(0);
        let solved = |position: &Position, exact: Exact| {
            progress.inc(1);
            let (text, said) = (position.print(), book.exact(position));
            let mut complaint =
                (said != Some(exact)).then(|| format!("{text}: solved {exact:?}, in the book {said:?}"));
            if let Some(turn) = book.turn(position) {
                edge.fetch_add(1, Ordering::Relaxed);
                // If it was stopped, the next position says so.
                if edge::reaches(&solver, position, turn, exact) == Ok(false) {
                    complaint.get_or_insert(format!("{text}: {turn} does not reach {exact:?}"));
                }
            }
            if let (Some(complaint), Ok(mut wrong)) = (complaint, wrong.lock()) {
                wrong.push(complaint);
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
