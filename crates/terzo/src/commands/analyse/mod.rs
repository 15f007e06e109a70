//! `terzo analyse`

mod other;
mod quarto;
mod stack4;

use super::truth;
use crate::usage::usage;
use crate::{files, limits, output};
use anyhow::Context;
use arena::gametext::GameText;
use game::{Game, Seat};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

/// The most bytes of a file with a game.
const MOST: u64 = 16 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "Says for each turn what it was worth, what was best, and marks mistakes: a turn that gives away a win or a draw. Quarto and its variants are judged by the exact solver: accuracy is the share of a side's turns that kept the value of the position. Stack Four is judged by the player `strong`, and all but the last turns are its opinion, not the truth: worth is the points by which it expects the side to lead at the end. Of every other game of two who move in turn the strongest player is asked about every position, 0.4 seconds or its share of --time: an opinion, too; a turn that cost 15, 30 or 50 % of a win by its own measure is marked ?!, ? or ??. Of Quarto and Stack Four the last turn is judged first, since late positions are solved fast, and each is told as soon as it is known. What --time or Ctrl-C leaves open is unknown.\n\nExamples:\n  terzo analyse quarto '-.3 d2.e d1.9 a4.1 b3.7 d4.a d3.-'\n  terzo analyse quarto '-.3 d2.e d1.9 a4.1 b3.7 d4.a d3.-' --explain\n  terzo analyse quarto --file game.txt --time 5s --json\n  terzo analyse quarto-misere '-.3 d2.e d1.9 a4.1 b3.7 d4.a' --time 5s\n  terzo analyse stack4 '11 41 12 03 13 02 22' --time 2s\n  terzo analyse tictactoe '(mark,1,1) (mark,1,2) (mark,2,2)' --time 1s"
)]
pub struct AnalyseArgs {
    /// The game
    game: String,
    /// The turns, separated by spaces
    #[arg(value_name = "TURNS", allow_hyphen_values = true, required_unless_present = "file")]
    turns: Option<String>,
    /// A file with one game instead, as `terzo replay` reads it, or - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "turns")]
    file: Option<PathBuf>,
    /// Begin at this position instead of the first one
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// How long it may take in all, such as 10s or 2m; if left out as long as it takes, for stack4 a second a turn, for games from rule sheets 0.4 seconds
    #[arg(long, value_name = "T", value_parser = limits::time)]
    time: Option<Duration>,
    #[command(flatten)]
    means: truth::SolverArgs,
    /// Quarto: say of every mistake what was better, and how it is punished, turn by turn
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// The positions of a game with the turns that were made there, and the last position.
type ReadGame<G> = (Vec<(G, <G as Game>::Move)>, G);

impl AnalyseArgs {
    pub fn run(self) -> anyhow::Result<()> {
        match self.game.as_str() {
            "stack4" if self.explain => usage!("--explain is for Quarto: of Stack Four nobody knows the truth"),
            "stack4" => stack4::analyse(&self),
            name if ::quarto::Rules::named(name).is_some() => quarto::analyse(&self),
            name if self.explain => usage!("--explain is for Quarto: of {name} nobody knows the truth"),
            _ => other::analyse(&self),
        }
    }

    /// The positions of the game with the turns that were made there, and the last position.
    fn read_game<G: Game>(&self, start: &G) -> anyhow::Result<ReadGame<G>> {
        let text = match (&self.turns, &self.file) {
            (Some(turns), _) => GameText::parse(turns),
            (None, Some(path)) => GameText::parse_first(&files::read(path, MOST)?),
            (None, None) => usage!("expected turns or --file"),
        };
        if let Some(other) = text.game.filter(|name| *name != self.game) {
            usage!("this is a game of {other}, not of {}", self.game);
        }
        let mut position = match self.position.as_ref().or(text.position.as_ref()) {
            Some(told) => start.parse(told)?,
            None => start.clone(),
        };
        let mut game = Vec::new();
        for (number, word) in text.turns.iter().enumerate() {
            let at = || format!("turn {}", number + 1);
            let turn = position.parse_move(word).with_context(at)?;
            let before = position.clone();
            position.play(turn).with_context(at)?;
            game.push((before, turn));
        }
        if game.is_empty() {
            usage!("there is no turn to analyse");
        }
        Ok((game, position))
    }

    fn deadline(&self) -> Option<Instant> {
        self.time.map(|time| Instant::now() + time)
    }

    /// Writes what people read, unless a program reads.
    fn print(&self, text: &str) -> anyhow::Result<()> {
        match self.json {
            true => Ok(()),
            false => output::print(text),
        }
    }
}

/// How many turns of a side nobody knows anything about, in words.
fn open_turns(open: usize) -> String {
    match open {
        0 => String::new(),
        1 => ", 1 turn unknown".into(),
        open => format!(", {open} turns unknown"),
    }
}
