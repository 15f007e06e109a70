//! Exact values of the halves of a Quarto turn: of each cell, and of each piece that can be given.

use super::why::{best_half, why};
use crate::exact::{
    Advice, Choice, Choices, Consequence, ExactPosition, Hint, JudgedTurn, Outcome, SolverQuestion, TurnClass, Worth,
};
use crate::sentence::Sentence;
use crate::session::SessionError;
use game::Game;
use quarto::review::{Judged, line_after};
use quarto::solver::{self, Exact};
use quarto::{Cell, Piece, Position, Turn};
use std::collections::HashMap;

/// A half of a turn: what can be chosen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Half {
    /// Where the piece in hand goes.
    Place(Cell),
    /// Which piece is given.
    Give(Piece),
}

impl Half {
    fn choice(self) -> Choice {
        let (kind, name) = match self {
            Half::Place(cell) => ("cell", cell.to_string()),
            Half::Give(piece) => ("piece", piece.to_string()),
        };
        Choice { kind, name }
    }

    /// The board after this half of a turn.
    pub(super) fn after(self, position: &Position) -> Position {
        match self {
            Half::Place(cell) => position.placing(cell),
            Half::Give(piece) => position.giving(piece),
        }
    }

    /// What a choice is worth, from the value of the board after it: placing leaves the same player to give, one placement
    /// later.
    fn worth(self, after: Exact) -> Worth {
        match self {
            Half::Place(_) => Exact {
                plies: after.plies + 1,
                ..after
            },
            Half::Give(_) => after.reversed(),
        }
        .into()
    }
}

impl From<Exact> for Worth {
    fn from(exact: Exact) -> Self {
        Worth {
            value: match exact.outcome {
                solver::Outcome::Loss => Outcome::Loss,
                solver::Outcome::Draw => Outcome::Draw,
                solver::Outcome::Win => Outcome::Win,
            },
            plies: exact.plies,
        }
    }
}

/// A position, or the middle of a turn.
pub(super) struct Halves {
    /// The board with what is placed of this turn.
    board: Position,
    /// Where the piece in hand was placed, if that half of the turn is made already.
    placed: Option<Cell>,
    /// What is known of the first half of the turn, if it was chosen here: all its values, and the best of them.
    first: Option<FirstHalf>,
}

struct FirstHalf {
    before: Position,
    values: Vec<(Half, Worth)>,
    worth: Worth,
}

impl Halves {
    /// A position, or the middle of a turn: the piece in hand stands on a cell, and none is given yet.
    pub(super) fn new(position: &Position, placed: Option<&str>) -> Result<Self, SessionError> {
        let placed = placed.map(|text| cell_for(position, text)).transpose()?;
        Ok(Halves {
            board: placed.map_or(*position, |cell| position.placing(cell)),
            placed,
            first: None,
        })
    }

    fn halves(&self) -> Vec<Half> {
        match self.board.hand() {
            _ if !self.board.playing() => Vec::new(),
            Some(_) => self.board.empty().into_iter().map(Half::Place).collect(),
            None => self.board.left().into_iter().map(Half::Give).collect(),
        }
    }

    /// The hint once the last half of the turn is chosen.
    fn hint(&self, chosen: Half, worth: Worth, values: &[(Half, Worth)]) -> Hint {
        let turn = match chosen {
            Half::Place(cell) => Turn {
                place: Some(cell),
                give: None,
            },
            Half::Give(piece) => Turn {
                place: self.placed,
                give: Some(piece),
            },
        };
        match &self.first {
            // Words about the whole turn, whose value the first half decides.
            Some(first) => proved(
                turn,
                first.worth,
                why(&first.before, turn, Some(first.worth), &first.values),
            ),
            // What stands on the board already needs no words.
            None => {
                let advised = match chosen {
                    Half::Place(_) => turn,
                    Half::Give(_) => Turn { place: None, ..turn },
                };
                proved(turn, worth, why(&self.board, advised, Some(worth), values))
            }
        }
    }
}

impl ExactPosition for Halves {
    fn choices(&self) -> Choices {
        let mut all = Choices::default();
        let mut seen = HashMap::new();
        for (index, half) in self.halves().into_iter().enumerate() {
            all.choices.push(half.choice());
            let after = half.after(&self.board);
            if let Some(worth) = ended(&after) {
                all.known.push((index, worth));
                continue;
            }
            let group = *seen.entry(after.canonical_key()).or_insert_with(|| {
                let question: SolverQuestion<Worth> = Box::new(move |solvers, deadline| {
                    let exact = solvers.ask(after.rules(), deadline, |solver| solver.exact(&after))?;
                    Ok(half.worth(exact))
                });
                all.questions.push((question, Vec::new()));
                all.questions.len() - 1
            });
            all.questions[group].1.push(index);
        }
        all
    }

    fn advise(&self, values: &[Worth]) -> Option<Advice> {
        let values: Vec<(Half, Worth)> = self.halves().into_iter().zip(values.iter().copied()).collect();
        let (chosen, worth) = best_half(&self.board, &values)?;
        let after = chosen.after(&self.board);
        match chosen {
            // The first choice decides the value; the piece must keep it.
            Half::Place(cell) if after.playing() => Some(Advice::Further(Box::new(Halves {
                board: after,
                placed: Some(cell),
                first: Some(FirstHalf {
                    before: self.board,
                    values,
                    worth,
                }),
            }))),
            _ => Some(Advice::Turn(self.hint(chosen, worth, &values))),
        }
    }
}

/// The cell that a text means, where the piece in hand can be placed.
fn cell_for(position: &Position, text: &str) -> Result<Cell, SessionError> {
    let wrong = |why: String| SessionError::HalfTurn(why);
    if position.hand().is_none() || !position.playing() {
        return Err(wrong("no piece is in hand".into()));
    }
    let turn = position
        .parse_move(&format!("{text}.-"))
        .map_err(|error| wrong(error.to_string()))?;
    match turn.place {
        None => Err(wrong("expected a cell such as a1".into())),
        Some(cell) if !position.empty().contains(cell) => Err(wrong(format!("cell {cell} is taken"))),
        Some(cell) => Ok(cell),
    }
}

/// The value of a finished board for who completed it: the mover, since nothing was given.
fn ended(position: &Position) -> Option<Worth> {
    let value = match position.outcome()?.winner() {
        None => Outcome::Draw,
        Some(seat) if seat == position.mover() => Outcome::Win,
        Some(_) => Outcome::Loss,
    };
    Some(Worth { value, plies: 1 })
}

/// A hint whose value is proved.
fn proved(turn: Turn, worth: Worth, reasons: Vec<Sentence>) -> Hint {
    Hint {
        value: Some(worth.value),
        plies: Some(worth.plies),
        exact: true,
        ..unproved(turn, reasons)
    }
}

/// A hint whose value is not known.
pub(super) fn unproved(turn: Turn, reasons: Vec<Sentence>) -> Hint {
    Hint {
        place: turn.place.map(|cell| cell.to_string()),
        give: turn.give.map(|piece| piece.to_string()),
        ..Hint::unproved(turn.to_string(), reasons)
    }
}

/// What a turn was worth, and what the best one was; `None` if it is not legal.
pub(super) fn judge(position: &Position, turn: Turn) -> SolverQuestion<Option<JudgedTurn>> {
    let position = *position;
    Box::new(move |solvers, deadline| {
        let judged = solvers.ask(position.rules(), deadline, |solver| {
            Judged::new(solver, &position, turn)
        })?;
        Ok(judged.map(|judged| JudgedTurn {
            seat: judged.seat,
            turn: judged.turn.to_string(),
            was: judged.was.into(),
            best: judged.best.into(),
            better: judged.better.iter().map(Turn::to_string).collect(),
        }))
    })
}

/// What can be done in a position.
pub(super) fn branches(position: &Position) -> SolverQuestion<Vec<TurnClass>> {
    let position = *position;
    Box::new(move |solvers, deadline| {
        let found = solvers.ask(position.rules(), deadline, |solver| {
            quarto::explore::branches(solver, &position)
        })?;
        let told = found.into_iter().map(|branch| TurnClass {
            turn: branch.turns.first().map(Turn::to_string).unwrap_or_default(),
            turns: branch.turns.len(),
            worth: branch.value.into(),
            replies: branch.replies,
            errors: branch.errors,
        });
        Ok(told.collect())
    })
}

/// What a legal turn leads to.
pub(super) fn consequence(position: &Position, turn: Turn) -> SolverQuestion<Consequence> {
    let position = *position;
    Box::new(move |solvers, deadline| {
        let mut after = position;
        after.play_unchecked(turn);
        if let Some(worth) = ended(&after) {
            return Ok(Consequence {
                worth,
                line: Vec::new(),
            });
        }
        solvers.ask(position.rules(), deadline, |solver| {
            let value = solver.exact(&after)?.reversed();
            let placing = u32::from(position.hand().is_some());
            let plies = value.plies + placing;
            let line = line_after(solver, &position, turn)?;
            Ok(Consequence {
                worth: Exact { plies, ..value }.into(),
                line: line.iter().map(Turn::to_string).collect(),
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Solvers;
    use quarto::Rules;
    use quarto::solver::Solver;
    use std::time::{Duration, Instant};

    fn at(text: &str) -> Position {
        Position::new(Rules::standard()).parse(text).unwrap()
    }

    /// The values of all choices, as somebody with time and one thread finds them.
    fn values(position: &dyn ExactPosition, solvers: &mut Solvers) -> Vec<Worth> {
        let Choices {
            choices,
            known,
            questions,
        } = position.choices();
        let mut values = vec![None; choices.len()];
        for (number, worth) in known {
            values[number] = Some(worth);
        }
        for (question, numbers) in questions {
            let worth = question(solvers, Instant::now() + Duration::from_secs(60)).unwrap();
            for number in numbers {
                assert_eq!(values[number].replace(worth), None, "answered twice");
            }
        }
        values.into_iter().map(|value| value.expect("no answer")).collect()
    }

    const POSITION: &str = "012./4.7./a..d/.... 5";

    #[test]
    fn the_values_of_halves_are_the_solvers() {
        let (position, mut solvers) = (at(POSITION), Solvers::new(1 << 22));
        let solver = Solver::new(Rules::standard(), 1 << 22, 1).unwrap();
        // The value of a cell is the best of all turns that place there.
        let turns = solver.turns_exactly(&position).unwrap();
        let cells = values(&Halves::new(&position, None).unwrap(), &mut solvers);
        assert_eq!(cells.len(), 9);
        for (cell, worth) in position.empty().into_iter().zip(cells) {
            let own = turns.iter().filter(|(turn, _)| turn.place == Some(cell));
            assert_eq!(
                Worth::best(own.map(|(_, value)| (*value).into())),
                Some(worth),
                "{cell}"
            );
            // In the middle of the turn: the value of each piece.
            let board = position.placing(cell);
            if !board.playing() {
                continue;
            }
            let half = Halves::new(&position, Some(&cell.to_string())).unwrap();
            for (piece, worth) in board.left().into_iter().zip(values(&half, &mut solvers)) {
                let exact = solver.exact(&board.giving(piece)).unwrap().reversed();
                assert_eq!(worth, exact.into(), "{cell}.{piece}");
            }
        }
    }

    #[test]
    fn advice_keeps_the_value_of_the_position() {
        let mut solvers = Solvers::new(1 << 22);
        for text in [POSITION, "012./4.7./a..d/.... 3", "012./4.7./a..d/5... -"] {
            let position = at(text);
            let mut exact: Box<dyn ExactPosition> = Box::new(Halves::new(&position, None).unwrap());
            let hint = loop {
                let values = values(exact.as_ref(), &mut solvers);
                match exact.advise(&values).unwrap() {
                    Advice::Turn(hint) => break hint,
                    Advice::Further(further) => exact = further,
                }
            };
            let turn = position.parse_move(&hint.turn).unwrap();
            let late = Instant::now() + Duration::from_secs(60);
            let judged = judge(&position, turn)(&mut solvers, late).unwrap().unwrap();
            assert_eq!((judged.was, hint.exact), (judged.best, true), "{text}: {hint:?}");
            let worth = (Some(judged.was.value), Some(judged.was.plies));
            assert_eq!((hint.value, hint.plies), worth, "{text}");
        }
    }

    #[test]
    fn the_middle_of_a_turn_must_be_one() {
        let wrong = |text, half| Halves::new(&at(text), Some(half)).err().map(|error| error.to_string());
        assert_eq!(
            wrong("..../..../..../.... -", "a1").as_deref(),
            Some("no piece is in hand")
        );
        assert_eq!(wrong(POSITION, "a1").as_deref(), Some("cell a1 is taken"));
        assert!(wrong(POSITION, "zz").is_some() && wrong(POSITION, "-").is_some());
        assert_eq!(wrong(POSITION, "d1"), None);
    }
}
