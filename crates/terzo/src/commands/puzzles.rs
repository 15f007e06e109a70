//! `terzo puzzles`

use super::truth;
use crate::usage::usage;
use crate::{files, interrupt, limits, output};
use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use quarto::Rules;
use quarto::puzzle::{self, Flaw, Kind, Puzzle, Wanted};
use quarto::solver::Solver;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The most bytes of a file with puzzles.
const MOST: u64 = 64 << 20;

/// The table of each solver that checks: puzzles are late positions.
const MEMORY: usize = 4 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "A puzzle is a position with one right answer: the only turn that wins (in 1 to 4 turns), the only cell that draws, the only piece that can be given without losing, or the only turn out of a trap, where several others look as safe.\n\nExamples:\n  terzo puzzles make quarto -n 3 --seed 7 --tries 2000 --output mine.puzzles\n  terzo puzzles check quarto"
)]
pub struct Puzzles {
    #[command(subcommand)]
    command: PuzzlesSubcommand,
}

#[derive(clap::Subcommand)]
enum PuzzlesSubcommand {
    /// Find puzzles in games of novices; the same seed finds the same ones
    #[command(
        after_help = "Rare kinds may stay fewer than N once so many positions were looked at.\n\nExamples:\n  terzo puzzles make quarto -n 2 --seed 7 --tries 2000 --output mine.puzzles\n  terzo puzzles make quarto-squares -n 1 --tries 2000 --output squares.puzzles"
    )]
    Make(Make),
    /// Prove every puzzle: one answer, and wins played out against every defence
    #[command(after_help = "Examples:\n  terzo puzzles check quarto\n  terzo puzzles check quarto-squares --json")]
    Check(Check),
}

impl Puzzles {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            PuzzlesSubcommand::Make(make) => make.run(),
            PuzzlesSubcommand::Check(check) => check.run(),
        }
    }
}

#[derive(clap::Args)]
struct Make {
    /// The game: quarto or one of its variants
    game: String,
    /// How many of each kind
    #[arg(short, value_name = "N", default_value_t = 20, value_parser = limits::up_to(100_000))]
    n: usize,
    /// What chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many positions to look at, at most: kinds that are rare may stay fewer
    #[arg(long, value_name = "T", default_value_t = 1_000_000)]
    tries: u64,
    /// How many threads; one a core if left out. They change nothing but the time
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = limits::threads())]
    threads: usize,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Make {
    fn run(self) -> anyhow::Result<()> {
        let rules = truth::start(&self.game)?.rules();
        let file = files::Output::open(&self.output)?;
        let wanted = Wanted {
            each: self.n,
            seed: self.seed,
            tries: self.tries,
            threads: threads(self.threads),
        };
        let bar = ProgressBar::new((self.n * Kind::ALL.len()) as u64);
        let style = "{bar:40} {human_pos}/{human_len} puzzles  {msg}";
        bar.set_style(ProgressStyle::with_template(style)?);
        let told = |so_far: puzzle::Mining| {
            bar.set_position(so_far.found as u64);
            bar.set_message(format!("{} positions", so_far.tried));
        };
        let puzzles = puzzle::mine(rules, wanted, &interrupt::sign()?, told)?;
        bar.finish_and_clear();
        let heading = format!(
            "# terzo puzzles make {} -n {} --seed {} --tries {}\n# kind, position, answer, how many of nine levels miss it\n",
            self.game, self.n, self.seed, self.tries
        );
        let lines = puzzles.iter().map(|puzzle| format!("{puzzle}\n"));
        file.write(&(heading + &lines.collect::<String>()))?;
        match self.json {
            true => output::print_json(&json!({"game": self.game, "puzzles": puzzles.len(), "kinds": kinds(&puzzles)})),
            false => output::print(&counts(&puzzles)),
        }
    }
}

fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// How many of each kind.
fn kinds(puzzles: &[Puzzle]) -> BTreeMap<String, usize> {
    let of = |kind: Kind| puzzles.iter().filter(|puzzle| puzzle.kind == kind).count();
    Kind::ALL.into_iter().map(|kind| (kind.to_string(), of(kind))).collect()
}

/// The same in words: "draw 20, gift 20, …".
fn counts(puzzles: &[Puzzle]) -> String {
    let all: Vec<String> = kinds(puzzles)
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    format!("{} puzzles: {}\n", puzzles.len(), all.join(", "))
}

#[derive(clap::Args)]
struct Check {
    /// The game: quarto or one of its variants
    game: String,
    /// A file of puzzles instead of those that come with the program, or - for standard input
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// How many threads; one a core if left out
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = limits::threads())]
    threads: usize,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    fn run(self) -> anyhow::Result<()> {
        let rules = truth::start(&self.game)?.rules();
        let (name, text) = match &self.file {
            Some(path) => (path.display().to_string(), files::read(path, MOST)?),
            None => match puzzle::shipped(rules) {
                Some(text) => ("the puzzles of the program".into(), text.to_owned()),
                None => usage!("no puzzles of `{}` come with the program: name a --file", self.game),
            },
        };
        let puzzles = match puzzle::read(rules, &text) {
            Ok(puzzles) => puzzles,
            Err(why) => usage!("{name}: {why}"),
        };
        let began = Instant::now();
        let wrong = self.wrong(rules, &puzzles)?;
        interrupt::unless_come()?;
        if self.json {
            let wrong: Vec<_> = wrong
                .iter()
                .map(|(puzzle, flaw)| json!({"puzzle": puzzle.to_string(), "why": flaw.to_string()}))
                .collect();
            output::print_json(&json!({
                "game": self.game, "puzzles": puzzles.len(), "kinds": kinds(&puzzles), "wrong": wrong, "seconds": began.elapsed().as_secs_f64(),
            }))?;
        } else {
            for (puzzle, flaw) in &wrong {
                output::print(&format!("{puzzle}: {flaw}\n"))?;
            }
            output::print(&counts(&puzzles))?;
        }
        match wrong.len() {
            0 if self.json => Ok(()),
            0 => output::print(&format!(
                "each has one answer, and every win stands against every defence, {:.1} s\n",
                began.elapsed().as_secs_f64()
            )),
            wrong => bail!("{wrong} of {} puzzles are wrong", puzzles.len()),
        }
    }

    /// The puzzles with a flaw, in their order.
    fn wrong<'a>(&self, rules: &'static Rules, puzzles: &'a [Puzzle]) -> anyhow::Result<Vec<(&'a Puzzle, Flaw)>> {
        let stop = interrupt::sign()?;
        let next = AtomicUsize::new(0);
        let work = || -> anyhow::Result<Vec<(usize, Flaw)>> {
            let solver = Solver::new(rules, MEMORY, 1).context("no memory for a solver")?;
            solver.set_stop(stop.clone());
            let mut wrong = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(puzzle) = puzzles.get(at).filter(|_| !stop.is_raised()) else {
                    return Ok(wrong);
                };
                wrong.extend(puzzle::check(&solver, puzzle).err().map(|flaw| (at, flaw)));
            }
        };
        let results = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads(self.threads)).map(|_| scope.spawn(work)).collect();
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect::<anyhow::Result<Vec<_>>>()
        })?;
        let mut wrong: Vec<(usize, Flaw)> = results.into_iter().flatten().collect();
        wrong.sort_by_key(|(at, _)| *at);
        Ok(wrong.into_iter().map(|(at, flaw)| (&puzzles[at], flaw)).collect())
    }
}
