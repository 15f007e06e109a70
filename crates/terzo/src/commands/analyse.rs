//! `terzo analyse`

use super::truth;
use crate::output;
use anyhow::bail;
use game::Game;
use quarto::Turn;
use quarto::solver::{Exact, NoAnswer, Outcome};
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "Says for each turn what it was worth, what was best, and marks mistakes: a turn that gives away a win or a draw.\nAccuracy is the share of a side's turns that kept the value of the position.\n\nExample:\n  terzo analyse quarto '-.0 a1.f b2.3 c3.5 d4.-'\n  terzo analyse quarto \"$(cat game.txt)\" --json"
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

/// A turn and the truth about it.
struct Judged {
    seat: usize,
    turn: Turn,
    was: Exact,
    best: Exact,
    /// Some of the turns that were best.
    better: Vec<Turn>,
}

impl Judged {
    /// Whether it gave away a win or a draw.
    fn mistake(&self) -> bool {
        self.was.outcome < self.best.outcome
    }
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
            bail!("there is no turn to analyse");
        }
        let solver = self.means.solver(start.rules(), start.placed())?;
        // From the end: what was learnt of later positions answers most questions about the earlier ones.
        let judge = || -> Result<Vec<Judged>, NoAnswer> {
            let mut judged = Vec::new();
            for (position, turn) in game.iter().rev() {
                let values = solver.turns_exactly(position)?;
                let mut was = None;
                let mut best: Option<Exact> = None;
                for (candidate, value) in &values {
                    if candidate == turn {
                        was = Some(*value);
                    }
                    if best.is_none_or(|best| best.preference() < value.preference()) {
                        best = Some(*value);
                    }
                }
                let (Some(was), Some(best)) = (was, best) else { continue };
                let better = values.iter().filter(|(_, value)| *value == best).map(|(turn, _)| *turn);
                judged.push(Judged {
                    seat: position.mover().index(),
                    turn: *turn,
                    was,
                    best,
                    better: better.take(5).collect(),
                });
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
                    "seat": judged.seat + 1,
                    "turn": judged.turn.to_string(),
                    "value": judged.was.outcome.name(),
                    "plies": judged.was.plies,
                    "best_value": judged.best.outcome.name(),
                    "best_plies": judged.best.plies,
                    "best": judged.better.iter().map(Turn::to_string).collect::<Vec<_>>(),
                    "mistake": judged.mistake(),
                })
            })
            .collect();
        json!({"game": self.game, "turns": turns, "accuracy": [accuracy(judged, 0), accuracy(judged, 1)]})
    }
}

/// The share of a seat's turns that kept the value; `None` if it had no turn.
fn accuracy(judged: &[Judged], seat: usize) -> Option<f64> {
    let own = || judged.iter().filter(|judged| judged.seat == seat);
    match own().count() {
        0 => None,
        turns => Some(own().filter(|judged| !judged.mistake()).count() as f64 / turns as f64),
    }
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
        let better: Vec<String> = judged.better.iter().map(Turn::to_string).collect();
        text += &format!(
            "{:>4}  {:>4}  {:6}  {:11}  {:11}  {}{}\n",
            number + 1,
            judged.seat + 1,
            judged.turn.to_string(),
            in_words(judged.was),
            in_words(judged.best),
            better.join(" "),
            if judged.mistake() { "   <- mistake" } else { "" }
        );
    }
    for seat in 0..2 {
        if let Some(share) = accuracy(judged, seat) {
            let mistakes = judged
                .iter()
                .filter(|judged| judged.seat == seat && judged.mistake())
                .count();
            text += &format!(
                "seat {}: accuracy {:.0} %, mistakes {mistakes}\n",
                seat + 1,
                100.0 * share
            );
        }
    }
    text
}
