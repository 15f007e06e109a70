//! `terzo show`

use crate::output;
use player::{Playable, WithGame, with_game};
use serde_json::{Map, Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "A Quarto position is four rows, row 1 first, `.` or a piece 0 to f, then the piece in hand or `-`.\n\nExamples:\n  terzo show quarto '0.../..../...f/.... 5'\n  terzo show quarto-squares '01../2.../..../.... -'\n  terzo show connectfour"
)]
pub struct Show {
    /// The game
    game: String,
    /// The position; the first one if left out
    position: Option<String>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Show {
    pub fn run(self) -> anyhow::Result<()> {
        let name = self.game.clone();
        with_game(&name, self)?
    }
}

impl WithGame for Show {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> Self::Output {
        let position = match &self.position {
            Some(text) => start.parse(text)?,
            None => start,
        };
        let facts = position.facts();
        let legal = position.legal_count();
        if self.json {
            let facts: Map<String, Value> = facts
                .into_iter()
                .map(|(name, items)| (name.into(), json!(items)))
                .collect();
            return output::print_json(&json!({
                "game": self.game,
                "position": position.print(),
                "mover": position.mover().index() + 1,
                "legal_turns": legal,
                "over": position.outcome().is_some(),
                "facts": facts,
            }));
        }
        let mut text = position.drawing(output::colour()) + "\n";
        for (name, items) in facts {
            // Short items share a line; sentences get one each.
            text += &match items.iter().any(|item| item.contains(' ')) {
                true => format!("{name}:\n  {}\n", items.join("\n  ")),
                false if items.is_empty() => format!("{name}: none\n"),
                false => format!("{name}: {}\n", items.join(" ")),
            };
        }
        text += &match position.outcome() {
            None => format!("legal turns of {}: {legal}\n", position.mover()),
            Some(payoffs) if payoffs.all().len() != 2 => {
                let points: Vec<String> = payoffs.all().iter().map(|payoff| payoff.points().to_string()).collect();
                format!("the game is over: the seats get {}\n", points.join(", "))
            }
            Some(payoffs) => match payoffs.winner() {
                Some(winner) => format!("the game is over: {winner} has won\n"),
                None => "the game is over: a draw\n".into(),
            },
        };
        output::print_coloured(&text)
    }
}
