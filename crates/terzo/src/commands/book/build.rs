//! `terzo book build`

use super::bar;
use super::holding;
use super::journal::BookJournal;
use super::table;
use crate::commands::on::On;
use crate::commands::solving::{Ask, Solving, write_line};
use crate::commands::truth;
use crate::{interrupt, limits, output};
use anyhow::{Context, bail};
use arena::control::Control;
use arena::queue::{Unit, Work};
use game::{Game, Stop};
use indicatif::ProgressBar;
use quarto::Position;
use quarto::book::edge::EdgeQuestion;
use quarto::book::{self, Book, Contents, repertoire};
use quarto::solver::{Exact, Outcome, Solver};
use quarto::symmetry::CanonicalKey;
use quarto::tablebase;
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct BookBuildArgs {
    /// The game: quarto or one of its variants
    pub(super) game: String,
    /// Where to write the book
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,
    /// The most pieces placed in a position that is in the book for its own sake
    #[arg(long, value_name = "N", default_value_t = book::DEPTH, value_parser = clap::value_parser!(u32).range(0..=book::DEPTH as i64))]
    depth: u32,
    /// The most pieces placed in a position that follows from the book's own turns; as many as the depth for none of them.
    /// Two more than the depth if left out
    #[arg(long, value_name = "N")]
    pub(super) reach: Option<u32>,
    /// How many drawing turns the book follows at a player's first turn; later it follows one
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = limits::up_to(1000))]
    first: usize,
    /// Make a table of every position with so many pieces placed instead of a book
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["depth", "reach", "first", "no_edge"],
        value_parser = clap::value_parser!(u32).range(tablebase::LEAST_PLACED as i64..=tablebase::MOST_PLACED as i64)
    )]
    placed: Option<u32>,
    /// Leave out the edge (which turn keeps the value of a position at the depth), and what would follow from it
    #[arg(long, conflicts_with = "reach")]
    no_edge: bool,
    /// Make a book that only holds: for every position that its own turns can lead to until --reach (6 if left out) pieces are placed, a
    /// turn that keeps at least a draw
    #[arg(long, conflicts_with_all = ["depth", "first", "no_edge", "placed", "on"])]
    hold: bool,
    /// How long it may take to find out what the journal does not know, such as 540s; without end if left out. The same command goes on
    #[arg(long, value_name = "T", value_parser = limits::time)]
    pub(super) time: Option<Duration>,
    #[command(flatten)]
    pub(super) means: truth::SolverArgs,
    #[command(flatten)]
    pub(super) on: On,
    /// Write one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// Keeps a line of an answer.
type Note<'a> = dyn FnMut(&str) -> std::io::Result<()> + 'a;

/// Some positions, and what each is worth.
type Solved = Vec<(Position, Exact)>;

impl BookBuildArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        if let Some(placed) = self.placed {
            return table::build(&self, &start, placed);
        }
        if self.hold {
            return holding::build(&self, &start);
        }
        let began = Instant::now();
        let reach = self.reach()?;
        let path = PathBuf::from(format!("{}.journal", self.output.display()));
        let mut site = BookSite {
            journal: BookJournal::open(&start, path)?,
            bench: self.bench(&start)?,
            build: &self,
        };
        let mut values = site.solve(&book::positions(start.rules(), self.depth), "positions")?;
        let whole = values.len();
        let mut edge = EdgeAnswers::default();
        let mut followed = HashSet::new();
        if !self.no_edge {
            let last = values.iter().filter(|(position, _)| position.placed() == self.depth);
            let last: Solved = last.copied().collect();
            edge.learn(site.answer(&last, "turns at the edge")?);
            if reach > self.depth {
                let beyond = site.follow(&start, reach, &mut edge, &mut followed)?;
                values.extend(beyond);
            }
        }
        let bits = |(position, _): &(Position, Exact)| (*position, followed.contains(&position.canonical_key()));
        let contents = Contents {
            depth: self.depth,
            reach,
            edge: edge.answers,
            followed: values[..whole]
                .iter()
                .map(bits)
                .filter(|_| reach > self.depth)
                .collect(),
            values,
        };
        let bytes = Book::new(&contents)
            .context("two positions of the book are the same")?
            .to_bytes();
        std::fs::write(&self.output, &bytes).with_context(|| format!("cannot write {}", self.output.display()))?;
        self.report(&contents, bytes.len(), &site.bench.solver, began)
    }

    fn reach(&self) -> anyhow::Result<u32> {
        let most = self.depth + book::MOST_BEYOND;
        match self.reach {
            _ if self.no_edge => Ok(self.depth),
            None => Ok(self.depth + 2),
            Some(reach) if (self.depth..=most).contains(&reach) => Ok(reach),
            Some(reach) => bail!(
                "--reach {reach}: expected {} to {most} with a depth of {}",
                self.depth,
                self.depth
            ),
        }
    }

    /// What solves here, or what stands for those who do so elsewhere.
    pub(super) fn bench(&self, start: &Position) -> anyhow::Result<BuildTools> {
        let control = Arc::new(Control::under(&interrupt::sign()?));
        let (solver, stop) = if self.on.elsewhere() {
            let solver = Solver::new(start.rules(), 1 << 16, 1).context("no memory for a solver")?;
            (Arc::new(solver), Stop::never())
        } else {
            // Ctrl-C stops the solver in the middle of a position.
            let placed = self.placed.unwrap_or(tablebase::MOST_PLACED);
            self.means.solver_before(start.rules(), 1 << 30, placed)?.into_parts()
        };
        let deadline = self.time.map(|time| Instant::now() + time);
        Ok(BuildTools {
            solver,
            stop,
            control,
            deadline,
        })
    }

    /// Has units answered, here or elsewhere, and has what comes back noted in the journal at a path.
    pub(super) fn have_done(
        &self,
        bench: &BuildTools,
        solving: Solving,
        units: &mut (dyn Iterator<Item = Unit> + Send),
        progress: &ProgressBar,
        path: &Path,
        note: &mut Note,
    ) -> anyhow::Result<()> {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let order = solving.order().text;
        let run = ["book", &whole.to_string_lossy(), &order];
        let mut hired = self.on.hire(self.means.threads(), &run)?;
        let (solving, control) = (Arc::new(solving), bench.control.clone());
        let mut noted = Ok(());
        let work = || {
            hired.queue.run(&solving, units, &control, &mut |results| {
                noted = results
                    .iter()
                    .flat_map(|(_, lines)| lines)
                    .try_for_each(|line| note(line));
                if noted.is_err() {
                    return ControlFlow::Break(());
                }
                progress.inc(results.len() as u64);
                if let Some(crew) = &hired.crew {
                    progress.set_message(crew());
                }
                ControlFlow::Continue(())
            })
        };
        let ended = stopped_at(bench.deadline, &control.stop, work);
        progress.finish_and_clear();
        noted.with_context(|| format!("cannot write {}", path.display()))?;
        ended?;
        let why = match bench.stop.is_raised() || interrupt::sign()?.is_raised() {
            true => "stopped",
            false if control.stop.is_raised() => "time is up",
            false => return Ok(()),
        };
        bail!(
            "{why}; {} keeps what was solved, the same command goes on",
            path.display()
        )
    }

    fn report(&self, contents: &Contents, bytes: usize, solver: &Solver, began: Instant) -> anyhow::Result<()> {
        let at = |placed: u32, outcome: Outcome| {
            let there =
                |(position, exact): &&(Position, Exact)| position.placed() == placed && exact.outcome == outcome;
            contents.values.iter().filter(there).count()
        };
        let (positions, edge) = (contents.values.len(), contents.edge.len());
        let seconds = began.elapsed().as_secs_f64();
        let levels: Vec<_> = (0..=contents.reach)
            .map(|placed| [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| at(placed, outcome)))
            .collect();
        if self.json {
            let levels: Vec<_> = levels
                .iter()
                .enumerate()
                .map(|(placed, [win, draw, loss])| json!({"placed": placed, "win": win, "draw": draw, "loss": loss}))
                .collect();
            return output::print_json(&json!({
                "game": self.game, "depth": contents.depth, "reach": contents.reach, "positions": positions, "edge": edge,
                "bytes": bytes, "levels": levels, "nodes": solver.nodes(), "seconds": seconds,
            }));
        }
        let mut text = format!(
            "{}: {positions} positions and {edge} answers at the edge in {bytes} bytes, {seconds:.0} s\n",
            self.game,
        );
        for (placed, [win, draw, loss]) in (0..).zip(levels) {
            let which = if placed > contents.depth {
                " (along the book's turns)"
            } else {
                ""
            };
            text +=
                &format!("  {placed} placed{which}: {win} won, {draw} drawn, {loss} lost for who holds the piece\n");
        }
        output::print(&text)
    }
}

/// Where a book is built.
struct BookSite<'a> {
    build: &'a BookBuildArgs,
    journal: BookJournal,
    bench: BuildTools,
}

impl BookSite<'_> {
    /// The values of positions, solved if the journal does not know them.
    fn solve(&mut self, positions: &[Position], what: &str) -> anyhow::Result<Solved> {
        let open: Vec<Position> = positions
            .iter()
            .filter(|position| self.journal.value(position).is_none())
            .copied()
            .collect();
        let progress = bar(positions.len(), what);
        progress.set_position((positions.len() - open.len()) as u64);
        let solving = Solving::new(&self.build.game, Ask::Value, false, self.bench.solver.clone())?;
        self.have_done(
            solving,
            &mut open.iter().map(|position| Unit::of_text(position.print())),
            &progress,
        )?;
        positions
            .iter()
            .map(|position| Some((*position, self.journal.value(position)?)))
            .collect::<Option<Solved>>()
            .context("some positions were not answered; the same command asks again")
    }

    /// What the edge must know of positions, asked if the journal does not know it.
    fn answer(&mut self, positions: &[(Position, Exact)], what: &str) -> anyhow::Result<Vec<(EdgeQuestion, bool)>> {
        let known = |journal: &BookJournal, (position, value): &(Position, Exact)| journal.answers(position, *value);
        let open: Vec<&(Position, Exact)> = positions
            .iter()
            .filter(|entry| known(&self.journal, entry).is_none())
            .collect();
        let progress = bar(positions.len(), what);
        progress.set_position((positions.len() - open.len()) as u64);
        let solving = Solving::new(&self.build.game, Ask::Edge, false, self.bench.solver.clone())?
            .knowing(self.journal.edge.clone());
        let lines = open
            .into_iter()
            .map(|(position, value)| write_line(position, *value, None));
        self.have_done(solving, &mut lines.map(Unit::of_text), &progress)?;
        let answers: Option<Vec<_>> = positions.iter().map(|entry| known(&self.journal, entry)).collect();
        let answers = answers.context("some turns at the edge were not answered; the same command asks again")?;
        Ok(answers.into_iter().flatten().collect())
    }

    /// Follows the book's own turns. Gives what they meet beyond the depth, and tells what they lead to within it.
    fn follow(
        &mut self,
        start: &Position,
        reach: u32,
        edge: &mut EdgeAnswers,
        followed: &mut HashSet<CanonicalKey>,
    ) -> anyhow::Result<Solved> {
        let mut beyond = Vec::new();
        let (depth, first) = (self.build.depth, self.build.first);
        repertoire::walk(start, reach, |placed, met| -> anyhow::Result<Vec<Position>> {
            if placed < depth {
                let most = if placed < 2 { first } else { 1 };
                let value = |position: &Position| self.journal.value(position);
                let after: Vec<Position> = met
                    .iter()
                    .flat_map(|position| repertoire::choices(position, most, value))
                    .collect();
                followed.extend(after.iter().map(Position::canonical_key));
                return Ok(after);
            }
            let solved = self.solve(met, &format!("positions with {placed} placed along the book's turns"))?;
            if placed > depth {
                edge.learn(self.answer(&solved, &format!("turns with {placed} placed"))?);
                beyond.extend(&solved);
            }
            if repertoire::leads_beyond(placed, reach) {
                return Ok(Vec::new());
            }
            let ways = solved
                .iter()
                .filter_map(|(position, value)| self.journal.way(position, *value));
            Ok(ways.collect())
        })?;
        Ok(beyond)
    }

    /// Has units answered and writes what comes back into the journal.
    fn have_done(
        &mut self,
        solving: Solving,
        units: &mut (dyn Iterator<Item = Unit> + Send),
        progress: &ProgressBar,
    ) -> anyhow::Result<()> {
        let path = self.journal.path.clone();
        let mut note = |line: &str| self.journal.note(line);
        self.build
            .have_done(&self.bench, solving, units, progress, &path, &mut note)
    }
}

/// Does some work, which ends soon after the sign is raised, and raises it at that moment.
fn stopped_at<T>(deadline: Option<Instant>, stop: &Stop, work: impl FnOnce() -> T) -> T {
    let Some(deadline) = deadline else { return work() };
    std::thread::scope(|scope| {
        let (done, ended) = channel::<()>();
        scope.spawn(move || {
            let left = deadline.saturating_duration_since(Instant::now());
            if ended.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                stop.raise();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// What a build works with.
pub(super) struct BuildTools {
    pub(super) solver: Arc<Solver>,
    /// Raised by Ctrl-C.
    stop: Stop,
    control: Arc<Control>,
    /// When to end.
    deadline: Option<Instant>,
}

/// Answers, each once and in the order in which they are needed: so that the same book is the same file.
#[derive(Default)]
struct EdgeAnswers {
    answers: Vec<(EdgeQuestion, bool)>,
    known: HashMap<EdgeQuestion, bool>,
}

impl EdgeAnswers {
    fn learn(&mut self, answers: Vec<(EdgeQuestion, bool)>) {
        for (question, yes) in answers {
            if self.known.insert(question, yes).is_none() {
                self.answers.push((question, yes));
            }
        }
    }
}
