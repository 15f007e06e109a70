//! `terzo ugi`

use link::factory;
use link::ugi::{check, serve};
use player::{Playable, WithGame, with_game};
use std::io::{self, BufReader};

#[derive(clap::Args)]
#[command(
    after_help = "Speaks the Universal Game Interface on standard input and output, for runners such as cutegames and for `terzo match`. The clock of `go` replaces what the player does by default; `stop` and `quit` are heard at any time. Beside the usual queries it answers `query fen` and `query legalmoves`; `ugi` lists the options: Seed, Hash, Threads and the player's own.\n\nExamples:\n  terzo ugi quarto --player minimax:depth=3\n  printf 'ugi\\nposition startpos moves -.3\\ngo movetime 100\\nquit\\n' |\n    terzo ugi quarto\n  terzo match quarto novice 'engine:terzo ugi quarto --player random' -n 10"
)]
pub struct Ugi {
    /// The game
    game: String,
    /// Who thinks; `terzo players GAME` lists them. If left out, the novice where there is one, else the last of the list
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
}

impl Ugi {
    pub fn run(self) -> anyhow::Result<()> {
        let name = self.game.clone();
        with_game(&name, self)?
    }
}

impl WithGame for Ugi {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> Self::Output {
        check(&start)?;
        let named = || {
            let roster = G::roster();
            let novice = roster.iter().find(|kind| kind.name == "novice");
            novice.or(roster.last()).map_or("random", |kind| kind.name).to_string()
        };
        let player = factory::<G>(&self.player.unwrap_or_else(named))?;
        Ok(serve(start, &player, BufReader::new(io::stdin()), io::stdout())?)
    }
}
