//! Questions that may take so many boards and no more: how a long solve finds out what it must split.

use super::board::SolverBoard;
use super::search::{EVER, SearchThread};
use super::{NoAnswer, Outcome, Solver};
use crate::{Piece, Position};

impl Solver {
    /// The same as [`at_least`](Solver::at_least), on this thread alone and with at most about so many boards: the answer, `None` if
    /// those were too few, and how many it took. What was found on the way stays in the table.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn at_least_within(
        &self,
        position: &Position,
        outcome: Outcome,
        boards: u64,
    ) -> Result<(Option<bool>, u64), NoAnswer> {
        if let Some(exact) = self.in_book(position) {
            return Ok((Some(exact.outcome >= outcome), 0));
        }
        let board = self.board(position)?;
        let mut spent = 0;
        let answer = match self.rules.misere() {
            true => self.within::<true>(&board, position.hand(), outcome, boards, &mut spent),
            false => self.within::<false>(&board, position.hand(), outcome, boards, &mut spent),
        }?;
        Ok((answer, spent))
    }

    fn within<const MISERE: bool>(
        &self,
        board: &SolverBoard,
        hand: Option<Piece>,
        outcome: Outcome,
        most: u64,
        spent: &mut u64,
    ) -> Result<Option<bool>, NoAnswer> {
        let winning = match outcome {
            Outcome::Loss => return Ok(Some(true)),
            Outcome::Draw => false,
            Outcome::Win => true,
        };
        // The mover wins, or the other does not.
        let mut good = |board: &SolverBoard| -> Result<Option<bool>, NoAnswer> {
            let mut search = SearchThread::<MISERE>::within(&self.context, most.saturating_sub(*spent));
            let answer = search.ask(winning, board, EVER);
            *spent += search.nodes();
            match answer {
                Some(wins) => Ok(Some(wins == winning)),
                None if search.ran_out() => Ok(None),
                None => Err(NoAnswer::Stopped),
            }
        };
        let Some(piece) = hand else {
            return good(board);
        };
        let (boards, completes) = self.placements(board, piece);
        if completes && !MISERE {
            return Ok(Some(true));
        }
        for board in boards {
            match good(&board)? {
                Some(false) => (),
                other => return Ok(other),
            }
        }
        Ok(Some(false))
    }
}
