//! What positions are worth, many of them at once.

use crate::playable::Playable;
use ::game::{Game, Seat, Stop};
use search::{Unsolved, Watch};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a solve may use, and what is asked.
#[derive(Clone, Debug)]
pub struct TruthSettings {
    /// The most memory for tables, in bytes; as much as helps if left out.
    pub memory: Option<usize>,
    /// How many threads.
    pub threads: usize,
    /// Whether a book may be asked, where there is one.
    pub book: bool,
    /// Whether the value of every move is asked.
    pub moves: bool,
    /// Raise it, and the solve ends.
    pub stop: Stop,
}

/// What a position is worth to its mover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth<M> {
    /// What the mover gets with best play, 0 to 100.
    pub value: u8,
    /// Moves until the end when the winner hurries and the loser delays, where the solver knows it. In Quarto, placements.
    pub plies: Option<u32>,
    /// The moves that reach it.
    pub best: Vec<M>,
    /// What every move is worth to who makes it, if that was asked.
    pub moves: Option<Vec<MoveTruth<M>>>,
}

/// What a move is worth to who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveTruth<M> {
    /// The move.
    pub mv: M,
    /// What it gets, 0 to 100.
    pub value: u8,
    /// Moves until the end, where the solver knows it.
    pub plies: Option<u32>,
}

impl<M> Truth<M> {
    /// The same with other moves.
    pub fn map<N>(self, word: impl Fn(M) -> N) -> Truth<N> {
        let judged = |judged: MoveTruth<M>| MoveTruth {
            mv: word(judged.mv),
            value: judged.value,
            plies: judged.plies,
        };
        Truth {
            value: self.value,
            plies: self.plies,
            moves: self.moves.map(|moves| moves.into_iter().map(judged).collect()),
            best: self.best.into_iter().map(&word).collect(),
        }
    }

    /// What is known of a finished game.
    pub(crate) fn of_finished<G: Game<Move = M>>(position: &G, moves: bool) -> Option<Self> {
        let payoffs = position.outcome()?;
        let seat: Seat = position.mover();
        Some(Truth {
            value: payoffs.of(seat).points(),
            plies: Some(0),
            best: Vec::new(),
            moves: moves.then(Vec::new),
        })
    }
}

/// Why a position has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTruth {
    /// The search did not find one.
    #[error(transparent)]
    Unsolved(#[from] Unsolved),
    /// There is no room for a table.
    #[error("cannot get {0} bytes for the table of the solver")]
    Memory(usize),
    /// A position of another game.
    #[error("a position of another game than {0}")]
    OtherGame(String),
}

/// Answers of a batch, in the order of the questions.
pub type Truths<M> = Vec<Result<Truth<M>, NoTruth>>;

/// The stack of a thread that searches: a search is as deep as the game is long.
const STACK: usize = 64 << 20;

/// Does something with each item on several threads. Answers come in the order of the items.
pub(crate) fn for_each<T: Sync, A: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> A + Sync) -> Vec<A> {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Vec::with_capacity(items.len()));
    let share = || {
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            let answer = work(item);
            answers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((at, answer));
        }
    };
    std::thread::scope(|scope| {
        let wanted = threads.clamp(1, items.len().max(1));
        let deep = || std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, share);
        // A machine that has no room for another thread has fewer.
        let spawned = (0..wanted).map_while(|_| deep().ok()).count();
        if spawned == 0 {
            share();
        }
    });
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_unstable_by_key(|(at, _)| *at);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// What positions of small games are worth: everything is searched, each on its own.
pub(crate) fn searched<G: Playable>(positions: &[&G], settings: &TruthSettings) -> Truths<G::Move> {
    /// The memory of all tables, if nothing else is said.
    const MEMORY: usize = 1 << 30;
    let threads = settings.threads.clamp(1, positions.len().max(1));
    let memory = settings.memory.unwrap_or(MEMORY) / threads;
    for_each(positions, threads, |position| {
        if let Some(finished) = Truth::of_finished(*position, settings.moves) {
            return Ok(finished);
        }
        let watch = Watch {
            stop: settings.stop.clone(),
            ..Watch::default()
        };
        let found = position.solve(memory, watch)?;
        let best = found.moves.iter().filter(|(_, value)| *value == found.value);
        let judged = found
            .moves
            .iter()
            .map(|&(mv, value)| MoveTruth { mv, value, plies: None });
        Ok(Truth {
            value: found.value,
            plies: None,
            best: best.map(|(mv, _)| *mv).collect(),
            moves: settings.moves.then(|| judged.collect()),
        })
    })
}
