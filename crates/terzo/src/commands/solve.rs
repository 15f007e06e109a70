//! `terzo solve`

use super::{solve_sheet, truth};
use crate::output;
use anyhow::{Context, bail};
use game::Game;
use link::ugi::lines_within;
use quarto::solver::{Exact, Outcome};
use quarto::{Position, Turn};
use serde_json::{Value, json};
use std::io::{BufReader, Read};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
#[command(
    after_help = "Without a position the empty board is solved. The value is for the player to move: who holds the piece in hand, or who must\ngive. `plies` are placements until the end when the winner hurries and the loser delays.\nCtrl-C ends a solve cleanly; a batch keeps what was written.\nA rule sheet for one role, or for two that move in turn, is searched to its end; past the memory that ends in an error. Its value\nis what the role to move gets, 0 to 100.\n\nExamples:\n  terzo solve quarto '0.../..../...f/.... 5'\n  terzo solve quarto '01.3/4.../...f/.... 5' --moves\n  terzo solve quarto-squares --no-book --memory 2G\n  terzo solve quarto --batch positions.txt --json\n  terzo solve tictactoe --moves\n  terzo solve gdl:mygame.kif --memory 4G"
)]
pub struct Solve {
    /// The game: quarto or one of its variants, or a rule sheet
    game: String,
    /// The position; the first one if left out
    #[arg(conflicts_with = "batch")]
    position: Option<String>,
    /// Say what every legal turn is worth
    #[arg(long)]
    moves: bool,
    /// Find the exact distance too (JSON always has it)
    #[arg(long)]
    distance: bool,
    /// Solve a position a line from a file, or from standard input for `-`; writes an object a line, in order
    #[arg(long, value_name = "FILE")]
    batch: Option<String>,
    #[command(flatten)]
    means: truth::Means,
    /// Write one JSON object (a line each with --batch)
    #[arg(long)]
    json: bool,
}

/// The longest line of a batch: a position and what may stand beside it.
const LONGEST_LINE: usize = 64 << 10;

/// What was found out about a position.
struct Answer {
    position: Position,
    exact: Exact,
    best: Vec<Turn>,
    moves: Option<Vec<(Turn, Exact)>>,
    nodes: u64,
    took: Duration,
}

impl Solve {
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(start) = players::sheet(&self.game) {
            return self.sheet(&start?);
        }
        let start = truth::start(&self.game)?;
        match &self.batch {
            None => {
                let position = match &self.position {
                    Some(text) => start.parse(text)?,
                    None => start,
                };
                let solver = self.means.solver(start.rules(), position.placed())?;
                let answer = self.answer(&solver, &position)?;
                self.write(&answer)
            }
            Some(file) => self.batch(&start, file),
        }
    }

    /// A rule sheet is searched to its end.
    fn sheet(&self, start: &gdl::Position) -> anyhow::Result<()> {
        if self.batch.is_some() || self.distance {
            bail!("--batch and --distance are for Quarto and its variants");
        }
        let position = match &self.position {
            Some(text) => start.parse(text)?,
            None => start.clone(),
        };
        solve_sheet::Question {
            game: &self.game,
            position: &position,
            moves: self.moves,
            memory: self.means.memory(),
            json: self.json,
        }
        .answer()
    }

    /// Every line of a file, in order. A line that is not a position ends the batch, after all before it were written.
    fn batch(&self, start: &Position, file: &str) -> anyhow::Result<()> {
        let reader: Box<dyn Read> = match file {
            "-" => Box::new(std::io::stdin()),
            path => Box::new(std::fs::File::open(path).with_context(|| format!("cannot open {path}"))?),
        };
        let solver = self.means.solver(start.rules(), 3)?;
        for (number, line) in lines_within(BufReader::new(reader), LONGEST_LINE).enumerate() {
            let line = line.with_context(|| format!("cannot read {file}, line {}", number + 1))?;
            // A table of positions and values, as the project's own, is read by its first column.
            let text = line.split('\t').next().unwrap_or_default().trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let at = || format!("{file}, line {}", number + 1);
            let position = start.parse(text).with_context(at)?;
            let answer = self.answer(&solver, &position).with_context(at)?;
            output::print_json(&self.as_json(&answer))?;
        }
        Ok(())
    }

    fn answer(&self, solver: &truth::Oracle, position: &Position) -> anyhow::Result<Answer> {
        let began = Instant::now();
        let nodes = solver.nodes();
        let watched = || -> Result<_, quarto::solver::NoAnswer> {
            let exact = solver.exact(position)?;
            let moves = match self.moves {
                true => Some(solver.turns_exactly(position)?),
                false => None,
            };
            let best = match &moves {
                Some(moves) => best_of(moves, exact),
                None => solver.best_turns(position, exact)?,
            };
            Ok((exact, moves, best))
        };
        let (exact, moves, best) = solver.watch(watched)?;
        Ok(Answer {
            position: *position,
            exact,
            best,
            moves,
            nodes: solver.nodes() - nodes,
            took: began.elapsed(),
        })
    }

    fn write(&self, answer: &Answer) -> anyhow::Result<()> {
        match self.json {
            true => output::print_json(&self.as_json(answer)),
            false => output::print(&self.as_text(answer)),
        }
    }

    fn as_json(&self, answer: &Answer) -> Value {
        let mut object = json!({
            "position": answer.position.print(),
            "value": answer.exact.outcome.name(),
            "plies": answer.exact.plies,
            "best": answer.best.iter().map(Turn::to_string).collect::<Vec<_>>(),
            "nodes": answer.nodes,
            "seconds": answer.took.as_secs_f64(),
        });
        if let (Some(moves), Some(object)) = (&answer.moves, object.as_object_mut()) {
            let moves = moves.iter().map(
                |(turn, value)| json!({"turn": turn.to_string(), "value": value.outcome.name(), "plies": value.plies}),
            );
            object.insert("moves".into(), moves.collect());
        }
        object
    }

    fn as_text(&self, answer: &Answer) -> String {
        let mut text = format!("{} {}\n", self.game, answer.position.print());
        let mover = answer.position.mover();
        let plies = answer.exact.plies;
        text += &match answer.exact.outcome {
            Outcome::Draw => format!("a draw for {mover}"),
            Outcome::Win => format!("{mover} wins"),
            Outcome::Loss => format!("{mover} loses"),
        };
        if self.distance || self.moves {
            text += &format!(", {plies} placement{} to the end", if plies == 1 { "" } else { "s" });
        }
        let shown: Vec<String> = answer.best.iter().take(12).map(Turn::to_string).collect();
        let more = answer.best.len().saturating_sub(shown.len());
        text += &format!(
            "\nbest: {}{}\n",
            shown.join(" "),
            if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            }
        );
        if let Some(moves) = &answer.moves {
            text += &moves_as_text(moves);
        }
        text + &format!("{} nodes, {:.3} s\n", answer.nodes, answer.took.as_secs_f64())
    }
}

/// The turns that reach the value of the position, in the time it should take.
fn best_of(moves: &[(Turn, Exact)], exact: Exact) -> Vec<Turn> {
    let best = moves
        .iter()
        .filter(|(_, value)| value.preference() == exact.preference());
    best.map(|(turn, _)| *turn).collect()
}

/// The turns grouped by what they are worth, best first.
fn moves_as_text(moves: &[(Turn, Exact)]) -> String {
    let mut values: Vec<Exact> = moves.iter().map(|(_, value)| *value).collect();
    values.sort_by_key(|value| -value.preference());
    values.dedup();
    let mut text = String::new();
    for value in values {
        let turns: Vec<String> = moves
            .iter()
            .filter(|(_, v)| *v == value)
            .map(|(turn, _)| turn.to_string())
            .collect();
        let name = match value.outcome {
            Outcome::Draw => "draw".into(),
            outcome => format!("{} in {}", outcome.name(), value.plies),
        };
        text += &format!("{name:>11}: {}\n", turns.join(" "));
    }
    text
}
