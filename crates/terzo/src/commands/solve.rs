//! `terzo solve`

use super::on::On;
use super::solve_long::LongSolve;
use super::solving::{Ask, Solving};
use super::{solve_small, truth};
use crate::usage::usage;
use crate::{interrupt, output, progress, registry};
use anyhow::{Context, bail};
use arena::control::Control;
use arena::queue::Unit;
use game::Game;
use link::ugi::lines_within;
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::{Position, Rules, Turn};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(clap::Args)]
#[command(
    after_help = "Without a position the empty board is solved. The value is for the player to move: who holds the piece in hand, or who must give. `plies` are placements until the end when the winner hurries and the loser delays. Ctrl-C ends a solve cleanly; a batch keeps what was written.\nWith --journal, and with --on for a single position, the value alone is found, in parts: a part that takes more boards than --part is split into what it leads to. The journal keeps every answer, so the same command goes on after any end, kill -9 included. `at least so many more` counts the parts that are in sight now; parts that must be split make it more.\nAny other game for one, or for two that move in turn, is searched to its end; past the memory that ends in an error. Its value is what the role to move gets, 0 to 100.\n\nExamples:\n  terzo solve quarto '0.../..../...f/.... 5'\n  terzo solve quarto '01.3/4.../...f/.... 5' --moves\n  terzo solve quarto-squares --no-book --memory 2G\n  terzo solve quarto --value --no-book\n  terzo solve quarto-misere --journal misere.journal --memory 2G\n  terzo solve quarto-misere --journal misere.journal --on nats://127.0.0.1:4222\n  terzo solve quarto --batch positions.txt --json\n  terzo solve tictactoe --moves\n  terzo solve gdl:mygame.kif --memory 4G"
)]
pub struct SolveArgs {
    /// The game: quarto or one of its variants, or any small game
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
    /// Find the value alone, without distance and best turns: quicker
    #[arg(long, conflicts_with_all = ["moves", "distance"])]
    value: bool,
    /// Find the value alone, in parts, and keep every answer in this file: the same command goes on after any end
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "distance", "batch"])]
    journal: Option<PathBuf>,
    /// How many boards a part of a long solve may take before it is split
    #[arg(long, value_name = "BOARDS", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1000..))]
    part: u64,
    /// Solve a position a line from a file, or from standard input for `-`; writes an object a line, in order
    #[arg(long, value_name = "FILE")]
    batch: Option<String>,
    #[command(flatten)]
    means: truth::SolverArgs,
    #[command(flatten)]
    on: On,
    /// Write one JSON object (a line each with --batch)
    #[arg(long)]
    json: bool,
}

/// The longest line of a batch: a position and what may stand beside it.
const LONGEST_LINE: usize = 64 << 10;

/// What was found out about a position.
pub struct SolvedPosition {
    position: Position,
    exact: Exact,
    best: Vec<Turn>,
    moves: Option<Vec<(Turn, Exact)>>,
    nodes: u64,
    took: Duration,
}

impl SolvedPosition {
    /// Finds it out, with the value of every turn if that is asked.
    pub fn find(solver: &Solver, position: &Position, moves: bool) -> Result<Self, NoAnswer> {
        let began = Instant::now();
        let nodes = solver.nodes();
        let exact = solver.exact(position)?;
        let moves = match moves {
            true => Some(solver.turns_exactly(position)?),
            false => None,
        };
        let best = match &moves {
            Some(moves) => best_of(moves, exact),
            None => truth::best_turns(solver, position, exact)?,
        };
        Ok(SolvedPosition {
            position: *position,
            exact,
            best,
            moves,
            nodes: solver.nodes() - nodes,
            took: began.elapsed(),
        })
    }

    /// As JSON.
    pub fn as_json(&self) -> Value {
        let mut object = json!({
            "position": self.position.print(),
            "value": self.exact.outcome.name(),
            "plies": self.exact.plies,
            "best": self.best.iter().map(Turn::to_string).collect::<Vec<_>>(),
            "nodes": self.nodes,
            "seconds": self.took.as_secs_f64(),
        });
        if let (Some(moves), Some(object)) = (&self.moves, object.as_object_mut()) {
            let moves = moves.iter().map(
                |(turn, value)| json!({"turn": turn.to_string(), "value": value.outcome.name(), "plies": value.plies}),
            );
            object.insert("moves".into(), moves.collect());
        }
        object
    }
}

/// The value of a position and nothing else.
pub struct PositionValue {
    position: Position,
    outcome: Outcome,
    nodes: u64,
    took: Duration,
}

impl PositionValue {
    /// Finds it out.
    pub fn find(solver: &Solver, position: &Position) -> Result<Self, NoAnswer> {
        let began = Instant::now();
        let nodes = solver.nodes();
        let outcome = solver.outcome(position)?;
        Ok(PositionValue {
            position: *position,
            outcome,
            nodes: solver.nodes() - nodes,
            took: began.elapsed(),
        })
    }

    /// As JSON.
    pub fn as_json(&self) -> Value {
        json!({
            "position": self.position.print(),
            "value": self.outcome.name(),
            "nodes": self.nodes,
            "seconds": self.took.as_secs_f64(),
        })
    }
}

/// The positions of a file, one a line.
struct PositionLines<'a> {
    start: &'a Position,
    file: &'a str,
    lines: Box<dyn Iterator<Item = std::io::Result<String>> + Send>,
    number: usize,
    /// What ended it before the file did.
    wrong: Option<anyhow::Error>,
}

impl<'a> PositionLines<'a> {
    fn open(start: &'a Position, file: &'a str) -> anyhow::Result<Self> {
        let reader: Box<dyn Read + Send> = match file {
            "-" => Box::new(std::io::stdin()),
            path => Box::new(std::fs::File::open(path).with_context(|| format!("cannot open {path}"))?),
        };
        Ok(PositionLines {
            start,
            file,
            lines: Box::new(lines_within(BufReader::new(reader), LONGEST_LINE)),
            number: 0,
            wrong: None,
        })
    }

    /// Where a line stands.
    fn at(&self, number: usize) -> String {
        format!("{}, line {number}", self.file)
    }
}

impl Iterator for PositionLines<'_> {
    type Item = (usize, Position);

    fn next(&mut self) -> Option<(usize, Position)> {
        while self.wrong.is_none() {
            self.number += 1;
            let line = self.lines.next()?;
            // A table of positions and values, as the project's own, is read by its first column.
            let position = line.context("cannot be read").map(|line| {
                let text = line.split('\t').next().unwrap_or_default().trim();
                let skipped = text.is_empty() || text.starts_with('#');
                (!skipped).then(|| self.start.parse(text))
            });
            match position {
                Ok(None) => (),
                Ok(Some(Ok(position))) => return Some((self.number, position)),
                Ok(Some(Err(error))) => self.wrong = Some(anyhow::Error::new(error).context(self.at(self.number))),
                Err(error) => self.wrong = Some(error.context(self.at(self.number))),
            }
        }
        None
    }
}

impl SolveArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let Some(rules) = Rules::named(&self.game) else {
            return self.small();
        };
        let start = Position::new(rules);
        match &self.batch {
            None => {
                let position = match &self.position {
                    Some(text) => start.parse(text)?,
                    None => start,
                };
                if self.journal.is_some() || self.on.elsewhere() {
                    return self.in_parts(&position);
                }
                let mut solver = self.means.solver(start.rules())?;
                if self.value {
                    return self.value(&mut solver, &position);
                }
                let answer = self.answer(&mut solver, &position)?;
                self.write(&answer)
            }
            Some(file) => self.batch(&start, file),
        }
    }

    /// Any other game is searched to its end.
    fn small(&self) -> anyhow::Result<()> {
        let mut session = registry::find(&self.game)?.session();
        if self.batch.is_some() || self.distance || self.value || self.journal.is_some() {
            usage!("--batch, --distance, --value and --journal are for Quarto and its variants");
        }
        if let Some(text) = &self.position {
            session.replace(Some(text), &[])?;
        }
        solve_small::SmallQuestion {
            game: &self.game,
            session: session.as_ref(),
            moves: self.moves,
            memory: self.means.memory(),
            json: self.json,
        }
        .answer()
    }

    /// The value alone.
    fn value(&self, solver: &mut truth::WatchedSolver, position: &Position) -> anyhow::Result<()> {
        let answer = self.find_value(solver, position)?;
        if self.json {
            return output::print_json(&answer.as_json());
        }
        let effort = format!("{} nodes, {:.3} s", answer.nodes, answer.took.as_secs_f64());
        output::print(&self.value_as_text(position, answer.outcome, &effort))
    }

    fn find_value(&self, solver: &mut truth::WatchedSolver, position: &Position) -> anyhow::Result<PositionValue> {
        solver.make_room_for(position, None);
        Ok(solver.watch(|| PositionValue::find(solver, position))?)
    }

    /// The value alone, in parts that are kept or done elsewhere.
    fn in_parts(&self, position: &Position) -> anyhow::Result<()> {
        if self.moves || self.distance {
            usage!("--on finds the value of a single position alone, without --moves and --distance");
        }
        let answer = LongSolve {
            game: &self.game,
            position,
            journal: self.journal.as_deref(),
            part: self.part,
            means: &self.means,
            on: &self.on,
        }
        .run()?;
        match self.json {
            true => output::print_json(&answer.as_json(position)),
            false => output::print(&self.value_as_text(position, answer.outcome, &answer.effort())),
        }
    }

    fn value_as_text(&self, position: &Position, outcome: Outcome, effort: &str) -> String {
        let value = in_words(position, outcome);
        format!("{} {}\n{value}\n{effort}\n", self.game, position.print())
    }

    /// Every line of a file, in order. A line that is not a position ends the batch, after all before it were written.
    fn batch(&self, start: &Position, file: &str) -> anyhow::Result<()> {
        let mut lines = PositionLines::open(start, file)?;
        if self.on.elsewhere() {
            self.batch_elsewhere(&mut lines)?;
        } else {
            let mut solver = self.means.solver(start.rules())?;
            while let Some((number, position)) = lines.next() {
                let answer = match self.value {
                    true => self.find_value(&mut solver, &position).map(|answer| answer.as_json()),
                    false => self.answer(&mut solver, &position).map(|answer| answer.as_json()),
                };
                output::print_json(&answer.with_context(|| lines.at(number))?)?;
            }
        }
        lines.wrong.take().map_or(Ok(()), Err)
    }

    /// The same, each line solved by whoever is free.
    fn batch_elsewhere(&self, lines: &mut PositionLines) -> anyhow::Result<()> {
        let ask = match (self.value, self.moves) {
            (true, _) => Ask::Outcome,
            (false, true) => Ask::Moves,
            (false, false) => Ask::Best,
        };
        let solver = Solver::new(lines.start.rules(), 1 << 16, 1).context("no memory for a solver")?;
        let work = Arc::new(Solving::new(&self.game, ask, self.means.book(), Arc::new(solver))?);
        // A batch goes on with nothing: every one is a run of its own.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("batch {} {}", std::process::id(), now.as_nanos());
        let mut hired = self.on.hire(0, &[&run])?;
        let control = Control::under(&interrupt::sign()?);
        let mut units = lines.by_ref().zip(0..).map(|((_, position), number)| Unit {
            number,
            text: position.print(),
        });
        let (mut waiting, mut next) = (BTreeMap::new(), 0);
        let mut printed = Ok(());
        let mut watch = progress::Crewed::new(hired.crew);
        let ended = hired.queue.run(&work, &mut units, &control, &mut |results| {
            waiting.extend(results.into_iter().filter(|(number, _)| *number >= next));
            while let Some(answer) = waiting.remove(&next) {
                next += 1;
                printed = answer.iter().try_for_each(|line| output::print(&format!("{line}\n")));
                if printed.is_err() {
                    return ControlFlow::Break(());
                }
            }
            watch.show(|| format!("{next} positions"));
            ControlFlow::Continue(())
        });
        watch.clear();
        printed?;
        ended?;
        match control.stop.is_raised() {
            true => bail!("stopped after {next} positions"),
            false => Ok(()),
        }
    }

    fn answer(&self, solver: &mut truth::WatchedSolver, position: &Position) -> anyhow::Result<SolvedPosition> {
        solver.make_room_for(position, None);
        Ok(solver.watch(|| SolvedPosition::find(solver, position, self.moves))?)
    }

    fn write(&self, answer: &SolvedPosition) -> anyhow::Result<()> {
        match self.json {
            true => output::print_json(&answer.as_json()),
            false => output::print(&self.as_text(answer)),
        }
    }

    fn as_text(&self, answer: &SolvedPosition) -> String {
        let mut text = format!("{} {}\n", self.game, answer.position.print());
        let plies = answer.exact.plies;
        text += &in_words(&answer.position, answer.exact.outcome);
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

/// What the player to move gets.
fn in_words(position: &Position, outcome: Outcome) -> String {
    let mover = position.mover();
    match outcome {
        Outcome::Draw => format!("a draw for {mover}"),
        Outcome::Win => format!("{mover} wins"),
        Outcome::Loss => format!("{mover} loses"),
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
