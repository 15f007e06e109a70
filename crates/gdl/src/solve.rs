//! The exact value of a position of a small game, by alpha-beta with a transposition table.
//!
//! For one role, or two that move in turn and share 100 points. The table keeps a lower and an upper bound of the value of
//! every position to its mover. A game too large for the table ends in an error.

use crate::machine::{Move, State};
use crate::{Deadline, GdlError, Position};
use game::{Game, Stop};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsolved {
    /// The table is full.
    #[error("the game is too large: {positions} positions fill the table and it is not solved")]
    TooLarge {
        /// How many it holds.
        positions: usize,
    },
    /// It was stopped.
    #[error("stopped before the value was known")]
    Stopped,
    /// There are too many roles.
    #[error("only games of one role, or of two, have an exact value here, and this one has {0} roles")]
    Roles(usize),
    /// Several roles choose at once.
    #[error("several roles choose at once: what a position is worth then depends on what they expect of each other")]
    AtOnce,
    /// The game is not zero-sum.
    #[error("a game ended with {0} and {1}: only games in which the two goals add up to 100 have an exact value here")]
    NotZeroSum(u8, u8),
    /// A game that does not end.
    #[error("a game goes on for more than {0} moves: the sheet may let it run for ever")]
    Endless(usize),
    /// The rules failed.
    #[error(transparent)]
    Rules(#[from] GdlError),
}

/// Longer games are assumed to be endless. The search is as deep as the game is long, and so is its stack.
const LONGEST: usize = 2000;

/// For watching a running search from outside, and for stopping it.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Positions looked at.
    pub nodes: Arc<AtomicU64>,
    /// Raise it, and the search ends.
    pub stop: Stop,
}

impl Default for Watch {
    fn default() -> Self {
        Watch {
            nodes: Arc::default(),
            stop: Stop::new(),
        }
    }
}

/// A table of what is known, and how much it may hold.
#[derive(Debug)]
pub struct Solver {
    /// The transposition table: the lower and the upper bound of what the mover gets.
    table: HashMap<State, (u8, u8)>,
    most: usize,
    watch: Watch,
}

impl Solver {
    /// A solver whose table takes about `memory` bytes at most.
    pub fn new(position: &Position, memory: usize, watch: Watch) -> Result<Self, Unsolved> {
        match position.seats() {
            1 | 2 => {}
            roles => return Err(Unsolved::Roles(roles)),
        }
        let entry = size_of::<(State, (u8, u8))>() + size_of_val(&*position.state().0);
        Ok(Solver {
            table: HashMap::new(),
            // Tables double, and are half empty at worst; the allocator takes its share.
            most: memory / (2 * entry + 16),
            watch,
        })
    }

    /// How many positions the table holds.
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// What the mover gets with best play.
    pub fn value(&mut self, position: &Position) -> Result<u8, Unsolved> {
        self.bound().bound(|| self.search(position, 0, 100, 0))
    }

    /// The stop sign also ends the computation of a single position.
    fn bound(&self) -> Deadline {
        Deadline {
            stop: self.watch.stop.clone(),
            ..Deadline::current()
        }
    }

    /// Every legal move and what it gets the mover.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<(Move, u8)>, Unsolved> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let bound = self.bound();
        let value = |mv| Ok((mv, self.after(position, mv, 0, 100, 0)?));
        bound.bound(|| moves.into_iter().map(value).collect())
    }

    /// The value if it lies between `alpha` and `beta`; else a bound of it on the same side.
    fn search(&mut self, position: &Position, alpha: u8, beta: u8, depth: usize) -> Result<u8, Unsolved> {
        self.watch.nodes.fetch_add(1, Ordering::Relaxed);
        if self.watch.stop.is_raised() {
            return Err(Unsolved::Stopped);
        }
        if let Some(payoffs) = position.outcome() {
            if let [first, second] = payoffs.all()
                && first.points() + second.points() != 100
            {
                return Err(Unsolved::NotZeroSum(first.points(), second.points()));
            }
            return Ok(payoffs.of(position.mover()).points());
        }
        if position.asked().count() > 1 {
            return Err(Unsolved::AtOnce);
        }
        if depth >= LONGEST {
            return Err(Unsolved::Endless(LONGEST));
        }
        let (least, most) = self.table.get(position.state()).copied().unwrap_or((0, 100));
        let (alpha, beta) = (alpha.max(least), beta.min(most));
        if alpha >= beta {
            return Ok(if least >= beta { least } else { most });
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = 0;
        for &mv in &moves {
            best = best.max(self.after(position, mv, alpha.max(best), beta, depth)?);
            if best >= beta {
                break;
            }
        }
        if self.table.len() >= self.most && !self.table.contains_key(position.state()) {
            return Err(Unsolved::TooLarge { positions: self.most });
        }
        let known = match best {
            best if best >= beta => (best, most),
            best if best <= alpha && alpha > 0 => (least, best),
            best => (best, best),
        };
        self.table.insert(position.state().clone(), known);
        Ok(best)
    }

    /// What a move gets the mover, as [`Self::search`] promises.
    fn after(&mut self, position: &Position, mv: Move, alpha: u8, beta: u8, depth: usize) -> Result<u8, Unsolved> {
        let mut next = position.clone();
        next.play_unchecked(mv);
        if next.mover() == position.mover() || position.seats() == 1 {
            self.search(&next, alpha, beta, depth + 1)
        } else {
            Ok(100 - self.search(&next, 100 - beta, 100 - alpha, depth + 1)?)
        }
    }
}
