//! `terzo replay`

use crate::usage::usage;
use crate::{files, output, registry};
use arena::gametext::GameText;
use game::Seat;
use games::Session;
use serde_json::json;
use std::path::PathBuf;

/// The most bytes of a file with a game.
const MOST: u64 = 16 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "A game is a line of turns, as `terzo records show --pair` and `terzo records export --format text` write it. Lines that begin with # are comments; `# game NAME` names the game, `position P` says where it begins.\n\nExamples:\n  terzo replay --turns '-.0 a1.1 b1.2 c1.3 d1.-'\n  terzo records show --pair 3 | terzo replay -\n  terzo replay game.txt --at 5 --json"
)]
pub struct ReplayArgs {
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

impl ReplayArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let text = match (&self.turns, &self.file) {
            (Some(turns), _) => turns.clone(),
            (None, Some(path)) => files::read(path, MOST)?,
            (None, None) => usage!("expected a file or --turns"),
        };
        let parsed = GameText::parse_first(&text);
        let name = self
            .game
            .clone()
            .or(parsed.game.clone())
            .unwrap_or_else(|| "quarto".into());
        let mut session = registry::find(&name)?.session();
        session.replace(parsed.position.as_deref(), &parsed.turns)?;
        self.show(session.as_ref(), &parsed.turns)
    }
}

impl ReplayArgs {
    fn show(&self, session: &dyn Session, turns: &[String]) -> anyhow::Result<()> {
        let range = match self.at {
            Some(at) if at > session.len() => usage!("the game has only {} turns", session.len()),
            Some(at) => at..at + 1,
            None => 0..session.len() + 1,
        };
        let end = session.moment(session.len()).payoffs;
        if self.json {
            let positions: Vec<_> = range.map(|ply| session.position(ply)).collect();
            return output::print_json(&json!({
                "turns": turns, "positions": positions, "over": end.is_some(), "payoffs": end,
            }));
        }
        let mut text = String::new();
        let played = session.turns();
        for ply in range {
            text += &match ply.checked_sub(1) {
                None => "the beginning\n".to_string(),
                Some(before) => {
                    let seat = Seat::new(session.seat_to_move(before) as u8);
                    format!("\nturn {ply}, {seat}: {}\n", played[before])
                }
            };
            text += &format!("{}\n{}", session.position(ply), session.drawing(ply, output::colour()));
        }
        text += match end.as_deref() {
            None => "",
            Some([first, second]) if first > second => "\nseat 1 has won\n",
            Some([first, second]) if first < second => "\nseat 2 has won\n",
            Some(_) => "\na draw\n",
        };
        output::print_coloured(&text)
    }
}
