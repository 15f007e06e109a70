//! The exact truth about a Quarto position: what each cell, or each piece, is worth to the mover.

use crate::client::Client;
use crate::oracle::{Oracle, Question, Told};
use crate::refusal::Refusal;
use game::Game;
use quarto::solver::{Exact, Outcome};
use quarto::{Cell, Piece, Position};
use serde::Serialize;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use utoipa::ToSchema;

/// A half of a turn: what can be chosen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Where the piece in hand goes.
    Place(Cell),
    /// Which piece is given.
    Give(Piece),
}

/// A value for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Worth {
    /// "win", "draw" or "loss".
    pub value: &'static str,
    /// Placements until the end when the winner hurries and the loser delays.
    pub plies: u32,
}

impl From<Exact> for Worth {
    fn from(exact: Exact) -> Self {
        Worth {
            value: exact.outcome.name(),
            plies: exact.plies,
        }
    }
}

/// The values of all that can be chosen next, as they are found.
pub struct Truth {
    /// What can be chosen.
    halves: Vec<Half>,
    /// Which choices each question answers for: those that symmetry makes equal share one.
    groups: Vec<Vec<usize>>,
    /// Known at sight.
    known: Vec<(usize, Exact)>,
    told: UnboundedReceiver<Told<Exact>>,
}

/// The position in the middle of a turn: the piece in hand stands on `cell`, and none is given yet.
pub fn half_placed(position: &Position, cell: &str) -> Result<Position, Refusal> {
    let wrong = |why: String| Refusal::bad_request(format!("place: {why}"));
    if position.hand().is_none() || !position.playing() {
        return Err(wrong("no piece is in hand".into()));
    }
    let turn = position
        .parse_move(&format!("{cell}.-"))
        .map_err(|error| wrong(error.to_string()))?;
    let Some(cell) = turn.place else {
        return Err(wrong("expected a cell such as a1".into()));
    };
    if !position.empty().contains(cell) {
        return Err(wrong(format!("cell {cell} is taken")));
    }
    Ok(position.placing(cell))
}

/// The value of a finished board for who completed it: the mover, since nothing was given.
fn ended(position: &Position, plies: u32) -> Option<Exact> {
    let payoffs = position.outcome()?;
    let outcome = match payoffs.winner() {
        None => Outcome::Draw,
        Some(seat) if seat == position.mover() => Outcome::Win,
        Some(_) => Outcome::Loss,
    };
    Some(Exact { outcome, plies })
}

impl Truth {
    /// Asks the oracle about everything that can be chosen next.
    pub fn ask(oracle: &Oracle, client: Client, position: &Position, time: Duration) -> Result<Truth, Refusal> {
        let mut halves = Vec::new();
        let mut known = Vec::new();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut questions: Vec<Question<Exact>> = Vec::new();
        let mut seen = HashMap::new();
        let mut add = |after: Position, reads: fn(Exact) -> Exact, index: usize| {
            if let Some(exact) = ended(&after, 1) {
                known.push((index, exact));
                return;
            }
            let group = *seen.entry(after.canonical_key()).or_insert_with(|| {
                questions.push(Box::new(move |solver| solver.exact(&after).map(reads)));
                groups.push(Vec::new());
                groups.len() - 1
            });
            groups[group].push(index);
        };
        if position.playing() {
            match position.hand() {
                // Placing leaves the same player to give, one placement later.
                Some(_) => {
                    for (index, cell) in position.empty().into_iter().enumerate() {
                        halves.push(Half::Place(cell));
                        let later = |exact: Exact| Exact {
                            plies: exact.plies + 1,
                            ..exact
                        };
                        add(position.placing(cell), later, index);
                    }
                }
                None => {
                    for (index, piece) in position.left().into_iter().enumerate() {
                        halves.push(Half::Give(piece));
                        add(position.giving(piece), Exact::reversed, index);
                    }
                }
            }
        }
        Ok(Truth {
            told: oracle.ask(client, position.rules(), questions, time)?,
            halves,
            groups,
            known,
        })
    }

    /// How many values there will be.
    pub fn count(&self) -> usize {
        self.halves.len()
    }

    /// The next values, of choices that are equal by symmetry; `None` at the end. A value that was not found in time is
    /// missing.
    pub async fn next(&mut self) -> Option<Vec<(Half, Option<Exact>)>> {
        if !self.known.is_empty() {
            let known = std::mem::take(&mut self.known);
            return Some(
                known
                    .into_iter()
                    .map(|(index, exact)| (self.halves[index], Some(exact)))
                    .collect(),
            );
        }
        let (question, answer) = self.told.recv().await?;
        Some(
            self.groups[question]
                .iter()
                .map(|&index| (self.halves[index], answer))
                .collect(),
        )
    }

    /// All values, if all were found in time.
    pub async fn all(mut self) -> Option<Vec<(Half, Exact)>> {
        let mut all = Vec::with_capacity(self.count());
        while let Some(values) = self.next().await {
            for (half, value) in values {
                all.push((half, value?));
            }
        }
        (!all.is_empty()).then_some(all)
    }
}

/// The best of several values.
pub fn best(values: impl Iterator<Item = Exact>) -> Option<Exact> {
    values.max_by_key(|value| value.preference())
}
