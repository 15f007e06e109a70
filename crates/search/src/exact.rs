//! The exact value of a position of a small game: everything is searched that matters, and no position twice.
//!
//! For one seat, or two that move in turn and share 100 points. The table keeps of every position the least and the most
//! that its mover can get; alpha-beta asks no more than it needs. A game too large for the table ends in an error.

use game::{Game, Stop};
use std::collections::HashMap;
use std::hash::Hash;
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
    /// Somebody wanted it to stop.
    #[error("stopped before the value was known")]
    Stopped,
    /// Too many play.
    #[error("only games of one role, or of two, have an exact value here, and this one has {0} roles")]
    Roles(usize),
    /// Several choose at once.
    #[error("several roles choose at once: what a position is worth then depends on what they expect of each other")]
    AtOnce,
    /// What one gets is not what the other lacks.
    #[error("a game ended with {0} and {1}: only games in which the two goals add up to 100 have an exact value here")]
    NotZeroSum(u8, u8),
    /// A game that does not end.
    #[error("a game goes on for more than {0} moves: the rules may let it run for ever")]
    Endless(usize),
}

/// Games longer than this are taken for endless ones. The search is as deep as the game is long, and so is its stack.
const LONGEST: usize = 2000;

/// What others may see of a running search, and say to it.
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

/// The exact value of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// What the mover gets, 0 to 100.
    pub value: u8,
    /// Every legal move and what it gets the mover. A finished game has none.
    pub moves: Vec<(M, u8)>,
    /// Positions in the table.
    pub positions: usize,
}

/// A table of what is known, and how much it may hold. Positions are known by a key of type `K`: themselves, or something smaller
/// that tells them apart.
#[derive(Debug)]
pub struct ExactSolver<G: Game, K> {
    key: fn(&G) -> K,
    /// The least and the most that the mover gets.
    table: HashMap<K, (u8, u8)>,
    most: usize,
    watch: Watch,
}

impl<G: Game, K: Eq + Hash> ExactSolver<G, K> {
    /// A solver whose table takes about `memory` bytes at most, if a key takes `on_heap` bytes beside itself.
    ///
    /// # Errors
    ///
    /// More than two play.
    pub fn new(seats: usize, key: fn(&G) -> K, on_heap: usize, memory: usize, watch: Watch) -> Result<Self, Unsolved> {
        match seats {
            1 | 2 => {}
            seats => return Err(Unsolved::Roles(seats)),
        }
        let entry = size_of::<(K, (u8, u8))>() + on_heap;
        Ok(ExactSolver {
            key,
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

    /// Who watches, and may stop it.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// What the mover gets if everybody plays as well as possible.
    ///
    /// # Errors
    ///
    /// Says why that is not known.
    pub fn value(&mut self, position: &G) -> Result<u8, Unsolved> {
        self.search(position, 0, 100, 0)
    }

    /// Every legal move and what it gets the mover.
    ///
    /// # Errors
    ///
    /// Says why that is not known.
    pub fn moves(&mut self, position: &G) -> Result<Vec<(G::Move, u8)>, Unsolved> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let value = |mv| Ok((mv, self.after(position, mv, 0, 100, 0)?));
        moves.into_iter().map(value).collect()
    }

    /// The value of a position and of all its moves.
    ///
    /// # Errors
    ///
    /// Says why that is not known.
    pub fn solve(&mut self, position: &G) -> Result<Solution<G::Move>, Unsolved> {
        Ok(Solution {
            value: self.value(position)?,
            moves: self.moves(position)?,
            positions: self.positions(),
        })
    }

    /// The value if it lies between `alpha` and `beta`; else a bound of it on the same side.
    fn search(&mut self, position: &G, alpha: u8, beta: u8, depth: usize) -> Result<u8, Unsolved> {
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
        if position.movers().len() > 1 {
            return Err(Unsolved::AtOnce);
        }
        if depth >= LONGEST {
            return Err(Unsolved::Endless(LONGEST));
        }
        let key = (self.key)(position);
        let (least, most) = self.table.get(&key).copied().unwrap_or((0, 100));
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
        if self.table.len() >= self.most && !self.table.contains_key(&key) {
            return Err(Unsolved::TooLarge { positions: self.most });
        }
        let known = match best {
            best if best >= beta => (best, most),
            best if best <= alpha && alpha > 0 => (least, best),
            best => (best, best),
        };
        self.table.insert(key, known);
        Ok(best)
    }

    /// What a move gets the mover, as [`Self::search`] promises.
    fn after(&mut self, position: &G, mv: G::Move, alpha: u8, beta: u8, depth: usize) -> Result<u8, Unsolved> {
        let mut next = position.clone();
        next.play_unchecked(mv);
        if next.mover() == position.mover() || position.seats() == 1 {
            self.search(&next, alpha, beta, depth + 1)
        } else {
            Ok(100 - self.search(&next, 100 - beta, 100 - alpha, depth + 1)?)
        }
    }
}
