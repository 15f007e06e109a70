//! `terzo ugi`

use crate::registry;
use std::io::{self, BufReader};

#[derive(clap::Args)]
#[command(
    after_help = "Speaks the Universal Game Interface on standard input and output, for runners such as cutegames and for `terzo match`. The clock of `go` replaces what the player does by default; `stop` and `quit` are heard at any time. Beside the usual queries it answers `query fen` and `query legalmoves`; `ugi` lists the options: Seed, Hash, Threads and the player's own.\n\nExamples:\n  terzo ugi quarto --player minimax:depth=3\n  printf 'ugi\\nposition startpos moves -.3\\ngo movetime 100\\nquit\\n' |\n    terzo ugi quarto\n  terzo match quarto novice 'engine:terzo ugi quarto --player random' -n 10"
)]
pub struct UgiArgs {
    /// The game
    game: String,
    /// Who thinks; `terzo players GAME` lists them. If left out, the novice where there is one, else the last of the list
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
}

impl UgiArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let (input, output) = (Box::new(BufReader::new(io::stdin())), Box::new(io::stdout()));
        Ok(registry::find(&self.game)?.serve_ugi(self.player.as_deref(), input, output)?)
    }
}
