//! `terzo show`

use crate::{output, registry};
use game::Seat;
use serde_json::{Map, Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "A Quarto position is four rows, row 1 first, `.` or a piece 0 to f, then the piece in hand or `-`.\n\nExamples:\n  terzo show quarto '0.../..../...f/.... 5'\n  terzo show quarto-squares '01../2.../..../.... -'\n  terzo show connectfour"
)]
pub struct ShowArgs {
    /// The game
    game: String,
    /// The position; the first one if left out
    position: Option<String>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl ShowArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let mut session = registry::find(&self.game)?.session();
        if let Some(text) = &self.position {
            session.replace(Some(text), &[])?;
        }
        let (facts, legal, moment) = (session.facts(0), session.legal_count(0), session.moment(0));
        if self.json {
            let facts: Map<String, Value> = facts
                .into_iter()
                .map(|(name, items)| (name.into(), json!(items)))
                .collect();
            return output::print_json(&json!({
                "game": self.game,
                "position": session.position(0),
                "mover": session.seat_to_move(0) + 1,
                "legal_turns": legal,
                "over": moment.payoffs.is_some(),
                "facts": facts,
            }));
        }
        let mut text = session.drawing(0, output::colour()) + "\n";
        for (name, items) in facts {
            // Short items share a line; sentences get one each.
            text += &match items.iter().any(|item| item.contains(' ')) {
                true => format!("{name}:\n  {}\n", items.join("\n  ")),
                false if items.is_empty() => format!("{name}: none\n"),
                false => format!("{name}: {}\n", items.join(" ")),
            };
        }
        text += &match moment.payoffs {
            None => format!("legal turns of {}: {legal}\n", Seat::new(session.seat_to_move(0) as u8)),
            Some(payoffs) => format!("the game is over: {}\n", result(&payoffs)),
        };
        output::print_coloured(&text)
    }
}

/// Who has won a game for two, or what the seats of another game get.
fn result(payoffs: &[u8]) -> String {
    match payoffs {
        [first, second] if first > second => format!("{} has won", Seat::FIRST),
        [first, second] if first < second => format!("{} has won", Seat::SECOND),
        [_, _] => "a draw".into(),
        all => {
            let points: Vec<String> = all.iter().map(u8::to_string).collect();
            format!("the seats get {}", points.join(", "))
        }
    }
}
