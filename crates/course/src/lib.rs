//! Stack Four over TCP, as the course's programs and its server speak it. All numbers are 32 bits, little-endian.
//!
//! ```text
//!     program → server   team number                                    once, after it connects
//!     server → program   code, package, 216 cells, 1 if Black else 0    for each move; code 0 means stop
//!     program → server   1, package, row, column                        its move
//! ```
//!
//! The cells go by layer, row, column: 0 empty, 1 black, 2 white, -1 missing. A move that is illegal, or later than
//! five seconds, is replaced by the first legal column, row by row.
//!
//! [`join`] plays for us on any such server. [`Host`] is such a server: it turns a program that connects into a
//! [`ConnectedProgram`] that can be asked for moves, and [`referee`] plays a game between two [`CourseSide`]s. [`factory`] makes such a
//! program a player for matches and tournaments. A [`Tracker`] follows a game from its boards.

mod host;
mod join;
mod player;
mod referee;
mod spawned;
mod tracker;
mod wire;

pub use host::{ConnectedProgram, Host};
pub use join::{JoinOptions, Joined, join};
pub use player::factory;
pub use referee::{CourseFault, CourseMove, CourseRecord, CourseSide, ReplacedCount, referee};
pub use spawned::{HostedProgram, Spawned, port_is_free};
pub use tracker::Tracker;
pub use wire::{ANSWER_BYTES, CELLS, MoveAnswer, MoveRequest, REQUEST_BYTES};

use std::io;
use std::time::Duration;
use thiserror::Error;

/// The course's port.
pub const PORT: u16 = 8888;

/// The course's time for a move.
pub const TIME_FOR_A_MOVE: Duration = Duration::from_secs(5);

/// Why a conversation ended.
#[derive(Debug, Error)]
pub enum CourseError {
    /// The connection failed.
    #[error("{during}: {source}")]
    Io {
        /// What was being done.
        during: String,
        /// What the system said.
        source: io::Error,
    },
    /// Nothing came in time.
    #[error("{during}: nothing came within {patience:?}")]
    Silent {
        /// What was being waited for.
        during: String,
        /// How long.
        patience: Duration,
    },
    /// Somebody wanted an end.
    #[error("stopped")]
    Stopped,
    /// The other side said something that the protocol does not have.
    #[error("the other side does not speak the course's protocol: {why}")]
    Protocol {
        /// What it said, and what was expected.
        why: String,
    },
}

impl CourseError {
    fn io(during: impl Into<String>) -> impl FnOnce(io::Error) -> CourseError {
        let during = during.into();
        move |source| CourseError::Io { during, source }
    }

    fn protocol(why: impl Into<String>) -> CourseError {
        CourseError::Protocol { why: why.into() }
    }
}
