//! `terzo replay`

use crate::usage::usage;
use crate::{files, output};
use arena::gametext::GameText;
use game::Game;
use player::{Playable, WithGame, with_game};
use serde_json::json;
use std::path::PathBuf;

/// The most bytes of a file with a game.
const MOST: u64 = 16 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "A game is a line of turns, as `terzo records show --pair` and `terzo records export --format text` write it. Lines that begin with # are comments; `# game NAME` names the game, `position P` says where it begins.\n\nExamples:\n  terzo replay --turns '-.0 a1.1 b1.2 c1.3 d1.-'\n  terzo records show --pair 3 | terzo replay -\n  terzo replay game.txt --at 5 --json"
)]
pub struct Replay {
    /// A file with one game, or - for standard input
    #[arg(required_unless_present = "turns", conflicts_with = "turns")]
    file: Option<PathBuf>,
    /// The turns themselves
    #[arg(long, value_name = "LINE", allow_hyphen_values = true)]
    turns: Option<String>,
    /// The game; by default the one the text names, else quarto
    #[arg(long)]
    game: Option<String>,
    /// Show only the position after so many turns
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub fn run(self) -> anyhow::Result<()> {
        let text = match (&self.turns, &self.file) {
            (Some(turns), _) => turns.clone(),
            (None, Some(path)) => files::read(path, MOST)?,
            (None, None) => usage!("expected a file or --turns"),
        };
        let text = first_game(&text);
        let parsed = GameText::parse(&text);
        let name = self
            .game
            .clone()
            .or(parsed.game.clone())
            .unwrap_or_else(|| "quarto".into());
        with_game(&name, Shown { command: self, parsed })?
    }
}

/// Games in a file are apart by empty lines; the first counts.
fn first_game(text: &str) -> String {
    let lines = text.lines().skip_while(|line| line.trim().is_empty());
    let game: Vec<&str> = lines.take_while(|line| !line.trim().is_empty()).collect();
    game.join("\n")
}

struct Shown {
    command: Replay,
    parsed: GameText,
}

impl WithGame for Shown {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> Self::Output {
        let (positions, moves) = self.parsed.play(&start)?;
        let range = match self.command.at {
            Some(at) if at >= positions.len() => usage!("the game has only {} turns", moves.len()),
            Some(at) => at..at + 1,
            None => 0..positions.len(),
        };
        if self.command.json {
            let shown: Vec<_> = range.map(|i| positions[i].print()).collect();
            let over = positions.last().and_then(Game::outcome);
            let payoffs = over.map(|p| p.all().iter().map(|payoff| payoff.points()).collect::<Vec<_>>());
            return output::print_json(&json!({
                "turns": self.parsed.turns, "positions": shown, "over": payoffs.is_some(), "payoffs": payoffs,
            }));
        }
        let mut text = String::new();
        for i in range {
            text += &match i.checked_sub(1) {
                None => "the beginning\n".to_string(),
                Some(before) => format!(
                    "\nturn {i}, {}: {}\n",
                    positions[before].mover(),
                    positions[before].print_move(moves[before])
                ),
            };
            text += &format!("{}\n{}", positions[i].print(), positions[i].drawing(output::colour()));
        }
        if let Some(payoffs) = positions.last().and_then(Game::outcome) {
            text += &match payoffs.winner() {
                Some(winner) => format!("\n{winner} has won\n"),
                None => "\na draw\n".into(),
            };
        }
        output::print_coloured(&text)
    }
}
