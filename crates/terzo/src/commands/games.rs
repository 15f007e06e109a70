//! `terzo games`

use crate::output;
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  terzo games\n  terzo games --json | jq -r '.games[].name'")]
pub struct GamesArgs {
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl GamesArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let games = games::all();
        if self.json {
            let games: Vec<_> = games
                .iter()
                .map(|game| json!({"name": game.name, "summary": game.summary}))
                .collect();
            return output::print_json(&json!({ "games": games }));
        }
        let width = games.iter().map(|game| game.name.len()).max().unwrap_or(0);
        let lines = games
            .iter()
            .map(|game| format!("{:width$}  {}\n", game.name, game.summary));
        output::print(&lines.collect::<String>())
    }
}
