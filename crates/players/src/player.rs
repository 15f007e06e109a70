//! What a player is.

use game::Game;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Somebody who can be asked for a move.
pub trait Player<G: Game>: Send {
    /// Called before each game: forget the last one, and draw all chance from this seed.
    fn begin(&mut self, seed: u64);

    /// A move for the seat to move in an unfinished `position`.
    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Thought<G::Move>, PlayerError>;
}

/// What a player may use for a move, and when it began.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// When the player was asked.
    pub started: Instant,
    /// How long it may think, if there is a limit.
    pub time: Option<Duration>,
    /// How many nodes it may search, if there is a limit.
    pub nodes: Option<u64>,
    /// How deep it may search, if there is a limit.
    pub depth: Option<u32>,
}

impl Clock {
    /// No limits, from now on.
    pub fn unlimited() -> Self {
        Clock::started_at(Instant::now())
    }

    /// No limits, asked at `started`.
    pub fn started_at(started: Instant) -> Self {
        Clock {
            started,
            time: None,
            nodes: None,
            depth: None,
        }
    }

    /// How long the player has been thinking.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A move, and what the player has to say about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move.
    pub mv: M,
    /// If it was decided in two steps, place and give: when the first was done, counted from the clock's start.
    pub placed_after: Option<Duration>,
    /// What the player thinks the position is worth to it, on its own scale.
    pub value: Option<f64>,
    /// How many moves ahead it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
    /// How it expects the game to go on, beginning with `mv`.
    pub line: Vec<M>,
}

impl<M> Thought<M> {
    /// A move without a word about it.
    pub fn silent(mv: M) -> Self {
        Thought {
            mv,
            placed_after: None,
            value: None,
            depth: None,
            nodes: None,
            line: Vec::new(),
        }
    }
}

/// Why a player has no move to offer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// The game is over.
    #[error("asked for a move in a finished game")]
    Finished,
}
