//! What a player is.

use crate::{Analysis, ConversationLine, Observer};
use game::Instant;
use game::{Game, Seat, Stop};
use std::time::Duration;
use thiserror::Error;

/// Somebody who can be asked for a move.
pub trait Player<G: Game>: Send {
    /// Called before each game: forget the last one, and draw all chance from this seed.
    fn begin(&mut self, seed: u64);

    /// A move for the seat to move in an unfinished `position`.
    ///
    /// # Errors
    /// [`PlayerError`] if there is no move from it: a program that died, went away, or kept silent too long.
    fn choose(&mut self, position: &G, clock: &Clock) -> Result<Analysis<G::Move>, PlayerError>;

    /// How likely it is to make each move in an unfinished `position`, without a clock: its policy. `None` if it cannot tell, because chance
    /// or time decides how its thought ends.
    fn move_probabilities(&mut self, _position: &G) -> Option<Vec<(G::Move, f64)>> {
        None
    }

    /// Whether it looks at its clock, or wants its turns timed. Where nobody does, the clock is not read: that takes as long as a
    /// random player's turn.
    fn reads_clock(&self) -> bool {
        true
    }

    /// Time before the game begins, or while others think about `position`: to look around in, if the player has a use
    /// for it.
    fn prepare(&mut self, _position: &G, _clock: &Clock) {}

    /// Whether it wants to hear every move of the game. Asked once a game, before the first move.
    fn follows(&self) -> bool {
        false
    }

    /// A move is played in `position`, by itself or by somebody else. Told only if it [`follows`](Player::follows).
    fn moved(&mut self, _position: &G, _mv: G::Move) {}

    /// The sign under which the player works outside [`choose`](Player::choose), too: while it starts a program, say. Whoever
    /// has nothing of the kind to do need not look.
    fn heed(&mut self, _stop: &Stop) {}

    /// What the player wrote beside its moves since it was last asked: an engine's standard error, say.
    fn stderr_log(&mut self) -> String {
        String::new()
    }

    /// The processor time that a program outside, with all it started, has taken since this was last asked, or since it was
    /// started. `None` for who thinks within this process, and where nobody knows.
    fn processor_time(&mut self) -> Option<Duration> {
        None
    }

    /// Has every line of the conversation with a program kept from now on, if there is a program.
    fn keep_conversation(&mut self) {}

    /// The lines that were kept since it was last asked.
    fn conversation(&mut self) -> Vec<ConversationLine> {
        Vec::new()
    }
}

/// What a player may use for a move, and when it began.
#[derive(Clone, Debug)]
pub struct Clock {
    /// When the player was asked.
    pub started: Instant,
    /// How long it may think, if there is a limit.
    pub time: Option<Duration>,
    /// How many nodes it may search, if there is a limit.
    pub nodes: Option<u64>,
    /// How deep it may search, if there is a limit.
    pub depth: Option<u32>,
    /// The clocks of both seats, if the limit is for the whole game. `time` is then a sensible share of the mover's.
    pub bank: Option<Bank>,
    /// When the referee stops waiting, whatever the other limits are.
    pub patience: Option<Duration>,
    /// Whether turns are timed. Where they are not, `started` is not kept up to date.
    pub measured: bool,
    /// Whether to think until `stop` is raised, whatever the player would do without a clock.
    pub infinite: bool,
    /// Raised when the player should answer at once, with the best it has. It then has ten milliseconds.
    pub stop: Stop,
    /// Who hears how the search goes while it goes.
    pub observer: Observer,
}

/// Time for a whole game, by seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bank {
    /// What is left.
    pub left: [Duration; 2],
    /// What every move adds.
    pub increment: [Duration; 2],
    /// In how many moves of the mover's more time is added, if it is: the time left is for these.
    pub moves_to_go: Option<u32>,
}

impl Bank {
    /// What a player that knows nothing better should spend on its next move: a twentieth of what is left and most of
    /// the increment, or an even part if more time comes sooner.
    pub fn share(&self, seat: Seat) -> Duration {
        let (left, increment) = (self.left[seat.index() & 1], self.increment[seat.index() & 1]);
        let share = (left / 20 + increment * 3 / 4).min(left * 9 / 10);
        match self.moves_to_go {
            Some(moves) => share.max(left * 9 / 10 / moves.max(1)),
            None => share,
        }
    }
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
            bank: None,
            patience: None,
            measured: true,
            infinite: false,
            stop: Stop::never(),
            observer: Observer::nobody(),
        }
    }

    /// Whether the clock says how long or how much to think: what a player would do by default then counts for nothing.
    pub fn is_set(&self) -> bool {
        self.time.is_some() || self.nodes.is_some() || self.infinite
    }

    /// How long the player has been thinking.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// Why a player has no move to offer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// The game is over.
    #[error("asked for a move in a finished game")]
    Finished,
    /// It answered with something that is not a move.
    #[error("answered {said:?}, which is not a move: {why}")]
    NotAMove {
        /// The answer.
        said: String,
        /// What is wrong with it.
        why: String,
    },
    /// It died.
    #[error("crashed: {0}")]
    Crash(String),
    /// It went past the time it had.
    #[error("out of time: {0}")]
    Timeout(String),
    /// It has no clock to lose by, but nothing came.
    #[error("stalled: {0}")]
    Stall(String),
    /// It went away without a sign of distress.
    #[error("disconnected: {0}")]
    Disconnect(String),
}
