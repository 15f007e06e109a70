//! A puzzle being tried, as the API tells of it.

use crate::api_error::ApiError;
use games::describe::ToSchema;
use games::puzzles::{PuzzleError, PuzzleQuestion, TryResult, WhyWrong};
use games::view::View;
use games::{AnyGame, Moment, Session};
use serde::Serialize;
use std::sync::Arc;

/// What came of a try, and everything to be seen on the way.
#[derive(Serialize, ToSchema)]
pub struct PuzzleTry {
    /// What came of it.
    verdict: TryResult,
    /// Why it was wrong.
    why: Option<WhyWrong>,
    /// How many of the turns were asked about; those after them follow.
    asked: usize,
    /// The puzzle, then each moment after one of the turns.
    moments: Vec<PuzzleMoment>,
}

/// A moment of a puzzle.
#[derive(Serialize, ToSchema)]
pub struct PuzzleMoment {
    /// The turn that led here.
    turn: Option<String>,
    /// The same as people write it.
    written: Option<String>,
    /// The position.
    position: String,
    /// Who moves, from 1; nobody once the game is over.
    mover: Option<usize>,
    /// The legal turns.
    legal: Vec<String>,
    /// The same as people write them.
    legal_written: Vec<String>,
    /// What to draw.
    view: View,
}

impl PuzzleTry {
    /// What came of some turns in a puzzle of a game, those of the other among them; or how it is solved from there.
    ///
    /// # Errors
    ///
    /// There is no such puzzle, or a turn cannot be played.
    pub fn of(
        game: &Arc<dyn AnyGame>,
        number: usize,
        turns: &[String],
        asked: PuzzleQuestion,
    ) -> Result<Self, ApiError> {
        // What was proved once takes no longer now: the largest is held against a limit when it is made.
        let tried = game.try_puzzle(number, turns, asked, &game::Stop::never())?;
        let set = game.puzzles().ok_or(PuzzleError::Unknown)?;
        let puzzle = set.puzzles.get(number).ok_or(PuzzleError::Unknown)?;
        let all: Vec<String> = turns.iter().cloned().chain(tried.line).collect();
        let mut session = game.clone().session();
        session.replace(Some(&puzzle.position), &all)?;
        Ok(PuzzleTry {
            verdict: tried.verdict,
            why: tried.why,
            asked: turns.len(),
            moments: (0..=all.len()).map(|ply| moment(session.as_ref(), ply)).collect(),
        })
    }
}

fn moment(session: &dyn Session, ply: usize) -> PuzzleMoment {
    let before = ply.checked_sub(1);
    let Moment {
        position,
        mover,
        legal,
        legal_written,
        view,
        ..
    } = session.moment(ply);
    PuzzleMoment {
        turn: before.and_then(|at| session.turns().get(at).cloned()),
        written: before.and_then(|at| session.written().get(at).cloned()),
        position,
        mover: mover.map(|seat| seat + 1),
        legal,
        legal_written,
        view,
    }
}

impl From<PuzzleError> for ApiError {
    fn from(error: PuzzleError) -> Self {
        match error {
            PuzzleError::None | PuzzleError::Unknown | PuzzleError::Text(_) => ApiError::not_found(error),
            PuzzleError::Turn(_) | PuzzleError::NotYours => ApiError::bad_turn(error),
            PuzzleError::Unsolved(_) => ApiError::unavailable(error),
        }
    }
}
