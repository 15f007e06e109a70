//! `terzo players`

use crate::output;
use player::{Kind, Playable, WithGame, with_game};
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "A player is written as its name, or as NAME:KEY=VALUE,KEY=VALUE.\n\nExamples:\n  terzo players\n  terzo players quarto-torus\n  terzo match quarto novice random"
)]
pub struct Players {
    /// The game they play
    #[arg(default_value = "quarto")]
    game: String,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Players {
    pub fn run(self) -> anyhow::Result<()> {
        let (text, json) = with_game(&self.game, Roster)?;
        if self.json {
            return output::print_json(&json!({"game": self.game, "players": json}));
        }
        output::print(&text)
    }
}

/// The roster as text and as JSON.
struct Roster;

impl WithGame for Roster {
    type Output = (String, Vec<Value>);

    fn run<G: Playable>(self, _: G) -> Self::Output {
        let roster = G::roster();
        let width = roster.iter().map(|kind| kind.name.len()).max().unwrap_or(0);
        let text = roster.iter().map(|kind| describe(kind, width)).collect();
        (text, roster.iter().map(as_json).collect())
    }
}

fn describe<G: Playable>(kind: &Kind<G>, width: usize) -> String {
    let mut text = format!("{:width$}  {}\n", kind.name, kind.summary);
    for option in kind.options {
        let written = format!("{}={}", option.key, option.default);
        text += &format!("{:width$}    {written:<18} {}\n", "", option.help);
    }
    text
}

fn as_json<G: Playable>(kind: &Kind<G>) -> Value {
    let options: Vec<_> = kind
        .options
        .iter()
        .map(|option| json!({"key": option.key, "default": option.default, "help": option.help}))
        .collect();
    json!({"name": kind.name, "summary": kind.summary, "options": options})
}
