//! Questions about Quarto positions as work for a queue: a position a unit, lines of text as answers.

use super::book::{read_part, write_values};
use super::solve::{PositionValue, SolvedPosition};
use super::{solve_long, truth};
use anyhow::Context;
use arena::queue::{Halt, Order, Unit, Work};
use game::{Game, Stop};
use parking_lot::Mutex;
use quarto::Position;
use quarto::book::edge::{self, EdgeQuestion};
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::tablebase::ClassCache;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// How such work is called among other work.
pub const KIND: &str = "positions";

/// What is asked about every position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ask {
    /// Its value, as a line of a book's journal.
    Value,
    /// The answers that a book's edge needs, as such lines; the unit is the position's own line.
    Edge,
    /// Its value and the best turns, as `terzo solve` writes them in JSON.
    Best,
    /// The value of every turn besides.
    Moves,
    /// Its value alone, as `terzo solve --value` writes it in JSON.
    Outcome,
    /// Whether the mover gets at least an outcome, within so many boards: a part of a long solve.
    Part,
    /// The values of a part of a table; the unit is the part.
    Table,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveOrder {
    game: String,
    ask: Ask,
    book: bool,
}

/// Positions of one game, and what is asked about them.
pub struct Solving {
    start: Position,
    brief: SolveOrder,
    solver: Arc<Solver>,
    /// What the edge was asked before: many positions lead to the same ones.
    known: Mutex<HashMap<EdgeQuestion, bool>>,
    /// The positions that parts of a table are taken from.
    classes: ClassCache,
}

impl Solving {
    /// Asks a solver that is there.
    pub fn new(game: &str, ask: Ask, book: bool, solver: Arc<Solver>) -> anyhow::Result<Self> {
        Ok(Solving {
            start: truth::start(game)?,
            brief: SolveOrder {
                game: game.into(),
                ask,
                book,
            },
            solver,
            known: Mutex::default(),
            classes: ClassCache::default(),
        })
    }

    /// The same, but what was asked before is known.
    pub fn knowing(self, known: HashMap<EdgeQuestion, bool>) -> Self {
        Solving {
            known: Mutex::new(known),
            ..self
        }
    }

    /// Asks a solver of its own, made for an order.
    #[cfg(feature = "nats")]
    pub fn of_order(text: &str, memory: usize) -> anyhow::Result<Self> {
        let brief: SolveOrder = serde_json::from_str(text)?;
        let start = truth::start(&brief.game)?;
        let mut solver =
            Solver::new(start.rules(), memory, 1).with_context(|| format!("no {} MB for the table", memory >> 20))?;
        if brief.book {
            solver.open_book();
        }
        Solving::new(&brief.game, brief.ask, brief.book, Arc::new(solver))
    }

    fn answer(&self, text: &str) -> Result<Vec<String>, Halt> {
        let unreadable = || Halt::Failed(format!("expected a position of {}, found {text:?}", self.brief.game));
        let solved = |error: NoAnswer| match error {
            NoAnswer::Stopped => Halt::Stopped,
            NoAnswer::Finished => Halt::Failed(format!("{text}: {error}")),
        };
        if self.brief.ask == Ask::Edge {
            let (position, value, _) = read_line(&self.start, text).ok_or_else(unreadable)?;
            return self.edge(&position, value).map_err(solved);
        }
        if self.brief.ask == Ask::Part {
            let line = solve_long::answer_part(&self.solver, &self.start, text).map_err(solved)?;
            return Ok(vec![line.ok_or_else(unreadable)?]);
        }
        if self.brief.ask == Ask::Table {
            let part = read_part(text).ok_or_else(unreadable)?;
            let values = part.solve(&self.solver, &self.classes).map_err(solved)?;
            return Ok(vec![write_values(part, &values)]);
        }
        let position = self
            .start
            .parse(text)
            .map_err(|error| Halt::Failed(error.to_string()))?;
        let line = match self.brief.ask {
            Ask::Value | Ask::Edge | Ask::Part | Ask::Table => {
                write_line(&position, self.solver.exact(&position).map_err(solved)?, None)
            }
            Ask::Best | Ask::Moves => {
                let answer =
                    SolvedPosition::find(&self.solver, &position, self.brief.ask == Ask::Moves).map_err(solved)?;
                answer.as_json().to_string()
            }
            Ask::Outcome => {
                let answer = PositionValue::find(&self.solver, &position).map_err(solved)?;
                answer.as_json().to_string()
            }
        };
        Ok(vec![line])
    }

    /// Answers that are new here.
    fn edge(&self, position: &Position, value: Exact) -> Result<Vec<String>, NoAnswer> {
        let mut lines = Vec::new();
        edge::ask(position, value, |after, value| {
            let question = EdgeQuestion::new(after, value);
            let known = |question: &EdgeQuestion| self.known.lock().get(question).copied();
            if let Some(yes) = question.as_ref().and_then(known) {
                return Ok(yes);
            }
            let yes = edge::keeps(&self.solver, after, value)?;
            lines.push(write_line(after, value, Some(yes)));
            if let Some(question) = question {
                self.known.lock().insert(question, yes);
            }
            Ok(yes)
        })?;
        Ok(lines)
    }
}

impl Work for Solving {
    type Done = Vec<String>;
    type ThreadState = ();

    fn order(&self) -> Order {
        Order {
            kind: KIND.into(),
            // Words and a flag: nothing that could not be written.
            text: serde_json::to_string(&self.brief).unwrap_or_default(),
        }
    }

    fn thread_state(&self, stop: &Stop) {
        self.solver.set_stop(stop.clone());
    }

    fn work(&self, unit: &Unit, (): &mut ()) -> Result<Vec<String>, Halt> {
        self.answer(&unit.text)
    }
}

/// A line of a book's journal: a position and its value; at the edge, whether going there keeps that value.
pub fn write_line(position: &Position, value: Exact, keeps: Option<bool>) -> String {
    let (outcome, plies) = (value.outcome.name(), value.plies);
    let keeps = keeps.map_or(String::new(), |yes| format!("\t{yes}"));
    format!("{}\t{outcome}\t{plies}{keeps}", position.print())
}

/// Reads such a line.
pub fn read_line(start: &Position, line: &str) -> Option<(Position, Exact, Option<bool>)> {
    let words: Vec<&str> = line.split('\t').collect();
    let [position, outcome, plies, keeps @ ..] = &words[..] else {
        return None;
    };
    let outcome = [Outcome::Win, Outcome::Draw, Outcome::Loss]
        .into_iter()
        .find(|o| o.name() == *outcome)?;
    let value = Exact {
        outcome,
        plies: plies.parse().ok()?,
    };
    let keeps = match keeps {
        [] => None,
        [yes, ..] => Some(yes.parse().ok()?),
    };
    Some((start.parse(position).ok()?, value, keeps))
}
