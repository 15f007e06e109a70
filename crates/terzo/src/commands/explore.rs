//! `terzo explore`

use super::truth;
use crate::{interrupt, limits, output, registry};
use anyhow::Context;
use arena::store::Store;
use game::{Game, mix};
use games::RecordedChoice;
use player::Clock;
use quarto::explore::{TurnClass, branches};
use quarto::solver::Outcome;
use quarto::{Position, players};
use serde_json::{Value, json};
use std::path::PathBuf;

/// So many pairs of recorded games are looked at, the newest first: as on the page.
const MOST_RECORDS: u64 = 10_000;

#[derive(clap::Args)]
#[command(
    after_help = "Turns that symmetry makes equal are one line: how many they are, one of them, what it is worth to who makes it, and how many of the opponent's replies give something away (unknown where that would take long). The books of Quarto, squares, squares-only and torus answer at once as far as they reach. With --db also how many recorded games of tournaments chose it and how they ended for who made the turn; with --ask how often each level of the player `perfect` chooses it.\n\nExamples:\n  terzo explore quarto\n  terzo explore quarto '-.0 a1.f'\n  terzo explore quarto '-.0' --ask 2\n  terzo explore quarto-squares '-.0 b2.3' --json"
)]
pub struct ExploreArgs {
    /// The game: quarto or one of its variants
    game: String,
    /// The turns so far, separated by spaces
    #[arg(value_name = "TURNS", allow_hyphen_values = true, default_value = "")]
    turns: String,
    /// Records of tournaments: what they chose, and how they fared
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Ask every level so many times what it would play
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = limits::up_to(1000))]
    ask: usize,
    /// What the chance of the levels is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    means: truth::SolverArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// A branch, and who chose it.
struct Explored {
    branch: TurnClass,
    /// Recorded games, if there are records.
    recorded: Option<RecordedChoice>,
    /// How often each level chose it, if they were asked.
    levels: Option<Vec<usize>>,
}

impl ExploreArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let mut position = truth::start(&self.game)?;
        let turns: Vec<String> = self.turns.split_whitespace().map(String::from).collect();
        for (number, word) in turns.iter().enumerate() {
            let at = || format!("turn {}", number + 1);
            let turn = position.parse_move(word).with_context(at)?;
            position.play(turn).with_context(at)?;
        }
        let mut solver = self.means.solver(position.rules())?;
        solver.make_room_for(&position, None);
        let found = solver.watch(|| branches(&solver, &position))?;
        let recorded = self.recorded(&turns, &found)?;
        let levels = self.levels(&position, &found)?;
        let all: Vec<Explored> = found
            .into_iter()
            .enumerate()
            .map(|(number, branch)| Explored {
                branch,
                recorded: recorded.as_ref().and_then(|all| all.get(number).cloned()),
                levels: levels.as_ref().map(|all| all[number].clone()),
            })
            .collect();
        if self.json {
            let branches: Vec<Value> = all.iter().map(as_json).collect();
            return output::print_json(&json!({"game": self.game, "position": position.print(), "branches": branches}));
        }
        let mut text = position.drawing(output::colour()) + "\n turns  such as  worth       replies  of them err";
        if recorded.is_some() {
            text += "  games   won drawn  lost";
        }
        if levels.is_some() {
            text += &format!("  of {} tries each level chose it", self.ask);
        }
        text.push('\n');
        all.iter().for_each(|explored| text += &as_text(explored));
        output::print_coloured(&text)
    }

    /// What recorded games chose, in the order of the branches.
    fn recorded(&self, turns: &[String], found: &[TurnClass]) -> anyhow::Result<Option<Vec<RecordedChoice>>> {
        let Some(path) = &self.db else {
            return Ok(None);
        };
        let games = games::recorded(&Store::existing(path)?, &self.game, MOST_RECORDS)?;
        let options: Vec<String> = found.iter().map(|branch| branch.turns[0].to_string()).collect();
        Ok(Some(registry::find(&self.game)?.choices(turns, &options, &games)?))
    }

    /// How often each level chose each of the branches.
    fn levels(&self, position: &Position, found: &[TurnClass]) -> anyhow::Result<Option<Vec<Vec<usize>>>> {
        if self.ask == 0 || found.is_empty() {
            return Ok(None);
        }
        let specs = registry::find(&self.game)?.levels();
        let mut counts = vec![vec![0; specs.len()]; found.len()];
        for (level, spec) in specs.iter().enumerate() {
            let mut player = players::factory(spec)?.make();
            for number in 0..self.ask {
                interrupt::unless_come()?;
                player.begin(mix(self.seed, &[level as u64, number as u64]));
                let chosen = player.choose(position, &Clock::unlimited())?.best;
                if let Some(at) = found.iter().position(|branch| branch.turns.contains(&chosen)) {
                    counts[at][level] += 1;
                }
            }
        }
        Ok(Some(counts))
    }
}

fn as_json(explored: &Explored) -> Value {
    let Explored {
        branch,
        recorded,
        levels,
    } = explored;
    json!({
        "turn": branch.turns[0].to_string(), "turns": branch.turns.len(), "value": branch.value.outcome.name(),
        "plies": branch.value.plies, "replies": branch.replies, "errors": branch.errors, "recorded": recorded, "levels": levels,
    })
}

fn as_text(explored: &Explored) -> String {
    let Explored {
        branch,
        recorded,
        levels,
    } = explored;
    let value = match branch.value.outcome {
        Outcome::Draw => "draw".into(),
        outcome => format!("{} in {}", outcome.name(), branch.value.plies),
    };
    let mut text = format!(
        "{:>6}  {:7}  {value:10}  {:>7}  {:<11}",
        branch.turns.len(),
        branch.turns[0].to_string(),
        branch.replies,
        branch.errors.map_or("unknown".into(), |errors| errors.to_string())
    );
    if let Some(chose) = recorded {
        text += &format!(
            "  {:>5} {:>5} {:>5} {:>5}",
            chose.games, chose.wins, chose.draws, chose.losses
        );
    }
    if let Some(levels) = levels {
        let counts: Vec<String> = levels.iter().map(usize::to_string).collect();
        text += &format!("  {}", counts.join(" "));
    }
    text.trim_end().to_string() + "\n"
}
