//! How much there is to prove after a turn, guessed from play-outs.
//!
//! Whether a position holds takes a million boards to find out, and what that takes differs tenfold from turn to turn. A random game to the last
//! cells takes a few microseconds with its exact result: the share of those that the holder loses, and the boards that
//! the results took, tell the turns that are easily held from those that are lost.

use crate::solver::{NoAnswer, Outcome, Solver};
use crate::{CellSet, Position};
use game::{Rng, below, rng};

/// Play-outs end when so few cells are empty, or one fewer: with the holder to move.
const LAST_CELLS: u32 = 7;

/// What a share of lost play-outs means: the effort grows with the fourth power of one and ten times the share. Of turns of `quarto-squares-misere` with
/// three placed, a share of 0.07 went with 0.3 million boards a reply, 0.12 with 0.7, and at 0.16 replies were lost.
const STEEPNESS: f64 = 10.0;

/// What play-outs say. The more there are, the less is left to chance.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlayoutTally {
    games: u32,
    lost: u32,
    nodes: u64,
}

impl PlayoutTally {
    /// Plays more games from a position of which the holder has made its turn, or is to make one. The same games each time, if the tally is new.
    pub(super) fn add(&mut self, solver: &Solver, from: &Position, holder: u32, games: u32) -> Result<(), NoAnswer> {
        if 16 - from.placed() <= LAST_CELLS {
            return Ok(());
        }
        let mut rng = rng(u64::from(self.games));
        let before = solver.nodes();
        for _ in 0..games {
            self.lost += u32::from(!holds(solver, from, holder, &mut rng)?);
        }
        self.games += games;
        self.nodes += solver.nodes() - before;
        Ok(())
    }

    /// The share of games that the holder loses; `None` if there were none.
    fn share(&self) -> Option<f64> {
        (self.games > 0).then(|| f64::from(self.lost) / f64::from(self.games))
    }

    /// How likely the holder loses, for comparison.
    pub(super) fn risk(&self) -> f64 {
        self.share().unwrap_or(0.0)
    }

    /// How many boards a proof takes, for comparison.
    pub(super) fn effort(&self) -> f64 {
        match self.share() {
            Some(share) => {
                let (nodes, risk) = (self.nodes as f64 / f64::from(self.games), 1.0 + STEEPNESS * share);
                // Only what every machine computes to the same bit: the proof is to be the same everywhere.
                nodes * nodes.sqrt() * (risk * risk) * (risk * risk)
            }
            None => 1.0,
        }
    }
}

/// Whether the holder, who moves when the number of pieces placed is even or odd as `holder` is, does not lose after random turns that lose nothing at
/// once.
fn holds(solver: &Solver, from: &Position, holder: u32, rng: &mut Rng) -> Result<bool, NoAnswer> {
    let mut position = *from;
    loop {
        let own = position.placed() % 2 == holder % 2;
        if own && 16 - position.placed() <= LAST_CELLS {
            return solver.at_least(&position, Outcome::Draw);
        }
        let Some(piece) = position.hand() else {
            return Err(NoAnswer::Finished);
        };
        let room = CellSet(position.empty().0 & !position.completing_cells(piece).0);
        let count = room.0.count_ones();
        if count == 0 {
            return Ok(!own);
        }
        let Some(cell) = room.into_iter().nth(below(rng, count) as usize) else {
            return Err(NoAnswer::Finished);
        };
        let board = position.placing(cell);
        let left = board.left();
        let Some(gift) = left.into_iter().nth(below(rng, left.0.count_ones().max(1)) as usize) else {
            return Ok(true);
        };
        position = board.giving(gift);
    }
}
