//! What `solve` and `analyse` share: reading the options, and a solver that shows its progress and hears Ctrl-C.

use crate::usage::usage;
use crate::{interrupt, limits};
use anyhow::Context;
use game::Stop;
use indicatif::{ProgressBar, ProgressStyle};
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::tablebase::{self, Tablebase, Tablebases};
use quarto::{Position, Rules, Turn};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The first position of a game that can be solved.
pub fn start(game: &str) -> anyhow::Result<Position> {
    match Rules::named(game) {
        Some(rules) => Ok(Position::new(rules)),
        None => {
            games::find(game)?;
            usage!("`{game}` cannot be solved: only Quarto, its variants and rule sheets have an exact solver");
        }
    }
}

/// What a solve may use.
#[derive(clap::Args, Clone)]
pub struct SolverArgs {
    /// How many threads; one a core if left out
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = limits::threads())]
    threads: usize,
    /// The most memory for the table, such as 512M or 4G; as much as helps, at most 1G, if left out
    #[arg(long, value_name = "M", value_parser = parse_memory)]
    memory: Option<usize>,
    /// Search even where the book knows the answer
    #[arg(long)]
    no_book: bool,
    /// A folder with tables that `terzo book build --placed N` made, such as quarto-5.table, to look up instead of searching;
    /// what TERZO_TABLES names if left out, nothing with --no-book
    #[arg(long, value_name = "FOLDER")]
    tables: Option<PathBuf>,
}

/// Reads `64K`, `512M`, `4G` or a number of bytes.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: usize = digits
        .parse()
        .map_err(|_| "expected a size such as 512M or 4G".to_owned())?;
    number
        .checked_mul(unit)
        .ok_or_else(|| "that is more than any machine has".to_owned())
}

impl SolverArgs {
    /// How many threads.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }

    /// The most memory, if it was said.
    pub fn memory(&self) -> Option<usize> {
        self.memory
    }

    /// Whether the book may be asked.
    pub fn book(&self) -> bool {
        !self.no_book
    }

    /// A solver whose table grows with what it is asked, unless its size was said.
    pub fn solver(&self, rules: &'static Rules) -> anyhow::Result<WatchedSolver> {
        let mut solver = self.bare(rules, 0, self.threads())?;
        self.open_book(&mut solver)?;
        WatchedSolver::new(solver, self.memory.is_none())
    }

    /// Lets a solver look things up: in the book, unless it must not, and in the tables there are.
    pub fn open_book(&self, solver: &mut Solver) -> anyhow::Result<()> {
        if self.book() {
            solver.open_book();
        }
        add_tables(solver, self.tables(solver.rules())?)
    }

    /// The tables of the folder that was named, or else those that are found, unless nothing may be looked up.
    fn tables(&self, rules: &'static Rules) -> anyhow::Result<Tablebases> {
        match &self.tables {
            Some(folder) => self.named_tables(rules, folder),
            None if self.no_book => Ok(Tablebases::new()),
            None => Tablebase::found(rules).map_err(anyhow::Error::msg),
        }
    }

    fn named_tables(&self, rules: &'static Rules, folder: &Path) -> anyhow::Result<Tablebases> {
        let tables = Tablebase::find(rules, folder).map_err(anyhow::Error::msg)?;
        if tables.is_empty() {
            let (name, example) = (rules.name(), tablebase::file_name(rules, 5));
            usage!("{}: expected a table of {name}, such as {example}", folder.display());
        }
        Ok(tables)
    }

    /// A solver without a book that works alone on each position, for many of them at once.
    pub fn solver_alone(&self, rules: &'static Rules, useful: usize) -> anyhow::Result<WatchedSolver> {
        WatchedSolver::new(self.bare(rules, useful, 1)?, false)
    }

    /// The same, with the tables of the folder that was named in which more than so many pieces are placed: it makes the table
    /// before them.
    pub fn solver_before(&self, rules: &'static Rules, useful: usize, placed: u32) -> anyhow::Result<WatchedSolver> {
        let mut solver = self.bare(rules, useful, 1)?;
        if let Some(folder) = &self.tables {
            let tables = self.named_tables(rules, folder)?.into_iter();
            add_tables(&mut solver, tables.filter(|table| table.placed() > placed).collect())?;
        }
        WatchedSolver::new(solver, false)
    }

    /// A solver that nobody watches, without a book.
    pub fn bare(&self, rules: &'static Rules, useful: usize, threads: usize) -> anyhow::Result<Solver> {
        let memory = self.memory.unwrap_or(useful);
        Solver::new(rules, memory, threads).with_context(|| format!("cannot get {} MB for the table", memory >> 20))
    }
}

fn add_tables(solver: &mut Solver, tables: Tablebases) -> anyhow::Result<()> {
    let mut tables = tables.into_iter();
    tables.try_for_each(|table| solver.add_table(table).map_err(anyhow::Error::msg))
}

/// A solver that can be watched, and stopped.
pub struct WatchedSolver {
    solver: Solver,
    /// Whether its table may grow.
    grows: bool,
    stop: Stop,
}

impl Deref for WatchedSolver {
    type Target = Solver;

    fn deref(&self) -> &Solver {
        &self.solver
    }
}

impl WatchedSolver {
    /// A solver that Ctrl-C stops.
    fn new(solver: Solver, grows: bool) -> anyhow::Result<Self> {
        let stop = interrupt::sign()?;
        solver.set_stop(stop.clone());
        Ok(WatchedSolver { solver, grows, stop })
    }

    /// Does some solving while a line on a terminal tells how it goes.
    pub fn watch<T: Send>(&self, work: impl FnOnce() -> Result<T, NoAnswer> + Send) -> Result<T, NoAnswer> {
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            spinner.set_style(style);
        }
        let began = Instant::now();
        let before = self.nodes();
        let result = std::thread::scope(|scope| {
            let worker = scope.spawn(work);
            while !worker.is_finished() {
                std::thread::sleep(Duration::from_millis(if began.elapsed().as_millis() < 50 {
                    1
                } else {
                    50
                }));
                let seconds = began.elapsed().as_secs_f64();
                if seconds > 0.5 {
                    let nodes = self.nodes() - before;
                    spinner.set_message(format!(
                        "{}; {:.1} M nodes, {:.1} M a second, {seconds:.0} s",
                        self.asking(),
                        nodes as f64 / 1e6,
                        nodes as f64 / 1e6 / seconds
                    ));
                    spinner.tick();
                }
            }
            match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        spinner.finish_and_clear();
        result
    }

    /// Gets memory for a position that will be asked about, as much as can be made use of in the time there is.
    pub fn make_room_for(&mut self, position: &Position, time: Option<Duration>) {
        /// To get a gigabyte from the system takes seconds.
        const A_SECOND: f64 = (64 << 20) as f64;
        if self.grows && !self.is_stopped() {
            let most = time.map_or(usize::MAX, |time| (time.as_secs_f64() * A_SECOND) as usize);
            self.solver.make_room_for(position, most);
        }
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_raised()
    }

    /// The solver itself, and the sign that Ctrl-C raises.
    pub fn into_parts(self) -> (Arc<Solver>, Stop) {
        (Arc::new(self.solver), self.stop)
    }
}

/// The turns that keep the value of a position (of a win, in the shortest time; of a loss, in the longest).
pub fn best_turns(solver: &Solver, position: &Position, exact: Exact) -> Result<Vec<Turn>, NoAnswer> {
    if exact.outcome == Outcome::Draw {
        let turns = solver.turns(position)?;
        let good = turns.into_iter().filter(|(_, outcome)| *outcome == Outcome::Draw);
        return Ok(good.map(|(turn, _)| turn).collect());
    }
    let turns = solver.turns_exactly(position)?;
    let good = turns.into_iter().filter(|(_, value)| *value == exact);
    Ok(good.map(|(turn, _)| turn).collect())
}
