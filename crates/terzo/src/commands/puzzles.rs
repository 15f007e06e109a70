//! `terzo puzzles`

use crate::usage::usage;
use crate::{files, interrupt, limits, output, registry};
use anyhow::bail;
use games::puzzles::{Mining, PuzzleError, Wanted};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// The most bytes of a file with puzzles.
const MOST: u64 = 64 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "A puzzle is a position with one right answer. Of Quarto: the only turn that wins (in 1 to 4 turns), the only cell that draws, the only piece that can be given without losing, or the only turn out of a trap, where several others look as safe. Of games from rule sheets, near their end, where they can be solved: the only turn that wins (in 1 to 4 turns), or the only one that does not lose. Of Stack Four: the only turn that makes sure of a line within 1 to 3 turns, or the only one that keeps the other from that.\n\nExamples:\n  terzo puzzles make quarto -n 3 --seed 7 --tries 2000 --output mine.puzzles\n  terzo puzzles make tictactoe -n 2 --tries 500 --output small.puzzles\n  terzo puzzles check nim"
)]
pub struct PuzzlesArgs {
    #[command(subcommand)]
    command: PuzzlesSubcommand,
}

#[derive(clap::Subcommand)]
enum PuzzlesSubcommand {
    /// Find puzzles in games of novices; the same seed finds the same ones
    #[command(
        after_help = "Rare kinds may stay fewer than N once so many positions were looked at.\n\nExamples:\n  terzo puzzles make quarto -n 2 --seed 7 --tries 2000 --output mine.puzzles\n  terzo puzzles make quarto-squares -n 1 --tries 2000 --output squares.puzzles\n  terzo puzzles make nim -n 1 --tries 500 --output nim.puzzles"
    )]
    Make(Make),
    /// Prove every puzzle: one answer, and wins played out against every defence
    #[command(after_help = "Examples:\n  terzo puzzles check quarto\n  terzo puzzles check tictactoe --json")]
    Check(PuzzlesCheckArgs),
}

impl PuzzlesArgs {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            PuzzlesSubcommand::Make(make) => make.run(),
            PuzzlesSubcommand::Check(check) => check.run(),
        }
    }
}

#[derive(clap::Args)]
struct Make {
    /// The game
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
        let game = registry::find(&self.game)?;
        let file = files::Output::open(&self.output)?;
        let wanted = Wanted {
            each: self.n,
            seed: self.seed,
            tries: self.tries,
            threads: threads(self.threads),
        };
        let bar = ProgressBar::new(self.tries);
        let style = "{bar:40} {human_pos}/{human_len} positions at most  {msg}";
        bar.set_style(ProgressStyle::with_template(style)?);
        let told = |so_far: Mining| {
            bar.set_position(so_far.tried);
            bar.set_message(format!("{} puzzles", so_far.found));
        };
        let found = game.mine_puzzles(wanted, &interrupt::sign()?, &told);
        bar.finish_and_clear();
        interrupt::unless_come()?;
        let puzzles = match found {
            Ok(puzzles) => puzzles,
            Err(PuzzleError::None) => usage!("{}: {}", self.game, PuzzleError::None),
            Err(why) => bail!("{}: {why}", self.game),
        };
        let heading = format!(
            "# terzo puzzles make {} -n {} --seed {} --tries {}\n# kind, position, answer, how many levels miss it\n",
            self.game, self.n, self.seed, self.tries
        );
        let lines = puzzles.iter().map(|puzzle| format!("{}\n", puzzle.line));
        file.write(&(heading + &lines.collect::<String>()))?;
        let mut kinds = BTreeMap::new();
        for puzzle in &puzzles {
            *kinds.entry(puzzle.kind.clone()).or_default() += 1;
        }
        match self.json {
            true => output::print_json(&json!({"game": self.game, "puzzles": puzzles.len(), "kinds": kinds})),
            false => output::print(&counts(&kinds)),
        }
    }
}

fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// How many of each kind, in words: "60 puzzles: draw 20, gift 20, …".
fn counts(kinds: &BTreeMap<String, usize>) -> String {
    let all: Vec<String> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    format!("{} puzzles: {}\n", kinds.values().sum::<usize>(), all.join(", "))
}

#[derive(clap::Args)]
struct PuzzlesCheckArgs {
    /// The game
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

impl PuzzlesCheckArgs {
    fn run(self) -> anyhow::Result<()> {
        let game = registry::find(&self.game)?;
        let text = self.file.as_ref().map(|path| files::read(path, MOST)).transpose()?;
        let began = Instant::now();
        let proved = game.prove_puzzles(text.as_deref(), threads(self.threads), &interrupt::sign()?);
        interrupt::unless_come()?;
        let proved = match (proved, &self.file) {
            (Ok(proved), _) => proved,
            (Err(PuzzleError::Text(why)), Some(path)) => usage!("{}: {why}", path.display()),
            (Err(PuzzleError::Unknown), _) => {
                usage!("no puzzles of `{}` come with the program: name a --file", self.game)
            }
            (Err(PuzzleError::None), _) => usage!("{}: {}", self.game, PuzzleError::None),
            (Err(why), _) => bail!("{}: {why}", self.game),
        };
        let puzzles: usize = proved.kinds.values().sum();
        if self.json {
            let wrong = proved
                .wrong
                .iter()
                .map(|(puzzle, why)| json!({"puzzle": puzzle, "why": why}));
            output::print_json(&json!({
                "game": self.game, "puzzles": puzzles, "kinds": proved.kinds, "wrong": wrong.collect::<Vec<_>>(),
                "seconds": began.elapsed().as_secs_f64(),
            }))?;
        } else {
            for (puzzle, why) in &proved.wrong {
                output::print(&format!("{puzzle}: {why}\n"))?;
            }
            output::print(&counts(&proved.kinds))?;
        }
        match proved.wrong.len() {
            0 if self.json => Ok(()),
            0 => output::print(&format!(
                "each has one answer, and every win stands against every defence, {:.1} s\n",
                began.elapsed().as_secs_f64()
            )),
            wrong => bail!("{wrong} of {puzzles} puzzles are wrong"),
        }
    }
}
