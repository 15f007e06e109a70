//! `terzo analyse`

use super::truth;
use crate::output;
use crate::usage::usage;
use game::{Game, Seat};
use quarto::Turn;
use quarto::review::{Judged, accuracy, mistakes};
use quarto::solver::{Exact, NoAnswer, Outcome};
use serde_json::{Value, json};

const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

#[derive(clap::Args)]
#[command(
    after_help = "Says for each turn what it was worth, what was best, and marks mistakes: a turn that gives away a win or a draw.\nAccuracy is the share of a side's turns that kept the value of the position.\n\nExamples:\n  terzo analyse quarto '-.3 d2.e d1.9 a4.1 b3.7 d4.a d3.-'\n  terzo analyse quarto \"$(cat game.txt)\" --json"
)]
pub struct Analyse {
    /// The game: quarto or one of its variants
    game: String,
    /// The turns, separated by spaces
    #[arg(value_name = "TURNS", allow_hyphen_values = true)]
    turns: String,
    /// Begin at this position instead of the first one
    #[arg(long, value_name = "P")]
    position: Option<String>,
    #[command(flatten)]
    means: truth::Means,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Analyse {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let start = match &self.position {
            Some(text) => start.parse(text)?,
            None => start,
        };
        let game = truth::read_game(&start, &self.turns)?;
        if game.is_empty() {
            usage!("there is no turn to analyse");
        }
        let solver = self.means.solver(start.rules(), start.placed())?;
        // From the end: what was learnt of later positions answers most questions about the earlier ones.
        let judge = || -> Result<Vec<Judged>, NoAnswer> {
            let mut judged = Vec::new();
            for (position, turn) in game.iter().rev() {
                judged.extend(Judged::new(&solver, position, *turn)?);
            }
            judged.reverse();
            Ok(judged)
        };
        let judged = solver.watch(judge)?;
        match self.json {
            true => output::print_json(&self.as_json(&judged)),
            false => output::print(&as_text(&judged)),
        }
    }

    fn as_json(&self, judged: &[Judged]) -> Value {
        let turns: Vec<Value> = judged
            .iter()
            .map(|judged| {
                json!({
                    "seat": judged.seat.index() + 1,
                    "turn": judged.turn.to_string(),
                    "value": judged.was.outcome.name(),
                    "plies": judged.was.plies,
                    "best_value": judged.best.outcome.name(),
                    "best_plies": judged.best.plies,
                    "best": better(judged),
                    "mistake": judged.mistake(),
                })
            })
            .collect();
        json!({"game": self.game, "turns": turns, "accuracy": SEATS.map(|seat| accuracy(judged, seat))})
    }
}

/// Some of the turns that were best.
fn better(judged: &Judged) -> Vec<String> {
    judged.better.iter().take(5).map(Turn::to_string).collect()
}

fn in_words(value: Exact) -> String {
    match value.outcome {
        Outcome::Draw => "draw".into(),
        outcome => format!("{} in {}", outcome.name(), value.plies),
    }
}

fn as_text(judged: &[Judged]) -> String {
    let mut text = "turn  seat  played  worth        best         such as\n".to_owned();
    for (number, judged) in judged.iter().enumerate() {
        text += &format!(
            "{:>4}  {:>4}  {:6}  {:11}  {:11}  {}{}\n",
            number + 1,
            judged.seat.index() + 1,
            judged.turn.to_string(),
            in_words(judged.was),
            in_words(judged.best),
            better(judged).join(" "),
            if judged.mistake() { "   <- mistake" } else { "" }
        );
    }
    for seat in SEATS {
        if let Some(share) = accuracy(judged, seat) {
            let mistakes = mistakes(judged, seat);
            text += &format!("{seat}: accuracy {:.0} %, mistakes {mistakes}\n", 100.0 * share);
        }
    }
    text
}
