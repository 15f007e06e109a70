//! `terzo perft`

use crate::{output, registry};
use serde_json::json;
use std::time::Instant;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  terzo perft quarto 4\n  terzo perft quarto-torus 2 --position '0.../..../...f/.... 5' --json"
)]
pub struct PerftArgs {
    /// The game
    game: String,
    /// How many moves deep
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// Count from this position instead of the first one
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl PerftArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let game = registry::find(&self.game)?;
        // For people every depth on the way is a sign of life; programs want only the last.
        let first = if self.json { self.depth } else { self.depth.min(1) };
        for depth in first..=self.depth {
            let began = Instant::now();
            let leaves = game.perft(self.position.as_deref(), depth)?;
            let seconds = began.elapsed().as_secs_f64();
            if self.json {
                output::print_json(&json!({
                    "game": self.game, "depth": depth, "leaves": leaves, "seconds": seconds,
                }))?;
            } else {
                output::print(&format!("depth {depth:2}  {leaves:>20} leaves  {seconds:>9.3} s\n"))?;
            }
        }
        Ok(())
    }
}
