//! `--resign`, `--draw` and `--exact`: when the referee ends a game before the rules do.

use arena::adjudication::{Adjudication, DrawRule, ResignRule};

/// When games are ended early.
#[derive(clap::Args, Clone, Default)]
#[command(next_help_heading = "Adjudication")]
pub struct Adjudicate {
    /// Who says so long that it loses has lost: score=600,moves=3 (hundredths, its own moves in a row), and both=true where the opponent must agree
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// A draw where both say so long that nobody is ahead: from=20,moves=4,score=10 (turns played, moves of each, hundredths)
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// From this turn on, end the game with its exact value as soon as that is known
    #[arg(long, value_name = "TURN")]
    exact: Option<u32>,
}

impl Adjudicate {
    /// These rules, or others where nothing was said.
    pub fn or(&self, others: Adjudication) -> Adjudication {
        Adjudication {
            resign: self.resign.or(others.resign),
            draw: self.draw.or(others.draw),
            exact: self.exact.or(others.exact),
        }
    }
}
