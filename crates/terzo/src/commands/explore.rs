//! `terzo explore`

use super::truth;
use crate::output;
use anyhow::Context;
use game::Game;
use quarto::explore::{Branch, branches};
use quarto::solver::Outcome;
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "Turns that symmetry makes equal are one line: how many they are, one of them, what it is worth to who makes it, and how many of the opponent's replies give something away (unknown where that would take long). The books of Quarto, squares, squares-only and torus answer at once as far as they reach.\n\nExamples:\n  terzo explore quarto\n  terzo explore quarto '-.0 a1.f'\n  terzo explore quarto-squares '-.0 b2.3' --json"
)]
pub struct Explore {
    /// The game: quarto or one of its variants
    game: String,
    /// The turns so far, separated by spaces
    #[arg(value_name = "TURNS", allow_hyphen_values = true, default_value = "")]
    turns: String,
    #[command(flatten)]
    means: truth::SolverArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Explore {
    pub fn run(self) -> anyhow::Result<()> {
        let mut position = truth::start(&self.game)?;
        for (number, word) in self.turns.split_whitespace().enumerate() {
            let at = || format!("turn {}", number + 1);
            let turn = position.parse_move(word).with_context(at)?;
            position.play(turn).with_context(at)?;
        }
        let mut solver = self.means.solver(position.rules())?;
        solver.make_room_for(&position, None);
        let found = solver.watch(|| branches(&solver, &position))?;
        if self.json {
            let branches: Vec<Value> = found.iter().map(as_json).collect();
            return output::print_json(&json!({"game": self.game, "position": position.print(), "branches": branches}));
        }
        let mut text = position.drawing(output::colour()) + "\n turns  such as  worth       replies  of them err\n";
        found.iter().for_each(|branch| text += &as_text(branch));
        output::print_coloured(&text)
    }
}

fn as_json(branch: &Branch) -> Value {
    json!({
        "turn": branch.turns[0].to_string(), "turns": branch.turns.len(), "value": branch.value.outcome.name(),
        "plies": branch.value.plies, "replies": branch.replies, "errors": branch.errors,
    })
}

fn as_text(branch: &Branch) -> String {
    let value = match branch.value.outcome {
        Outcome::Draw => "draw".into(),
        outcome => format!("{} in {}", outcome.name(), branch.value.plies),
    };
    format!(
        "{:>6}  {:7}  {value:10}  {:>7}  {}\n",
        branch.turns.len(),
        branch.turns[0].to_string(),
        branch.replies,
        branch.errors.map_or("unknown".into(), |errors| errors.to_string())
    )
}
