//! `terzo players`

use crate::{output, registry};
use games::PlayerInfo;
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "A player is written as its name, or as NAME:KEY=VALUE,KEY=VALUE.\n\nExamples:\n  terzo players\n  terzo players quarto-torus\n  terzo match quarto novice random"
)]
pub struct PlayersArgs {
    /// The game they play
    #[arg(default_value = "quarto")]
    game: String,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl PlayersArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let players = registry::find(&self.game)?.players();
        if self.json {
            let players: Vec<Value> = players.iter().map(as_json).collect();
            return output::print_json(&json!({"game": self.game, "players": players}));
        }
        let width = players.iter().map(|player| player.name.len()).max().unwrap_or(0);
        let text: String = players.iter().map(|player| describe(player, width)).collect();
        output::print(&text)
    }
}

fn describe(player: &PlayerInfo, width: usize) -> String {
    let mut text = format!("{:width$}  {}\n", player.name, player.summary);
    for option in player.options {
        let written = format!("{}={}", option.key, option.default);
        text += &format!("{:width$}    {written:<18} {}\n", "", option.help);
    }
    text
}

fn as_json(player: &PlayerInfo) -> Value {
    let options: Vec<_> = player
        .options
        .iter()
        .map(|option| json!({"key": option.key, "default": option.default, "help": option.help}))
        .collect();
    json!({"name": player.name, "summary": player.summary, "options": options})
}
