//! The registry: the only room that names games.
//!
//! [`find`] goes from the name of a game to an [`AnyGame`], which has no type parameter and is asked for coarse things: a
//! [`Session`] to play in, a contest of players, a count of moves, an engine to serve. The type of a game disappears here, once a
//! request or a pair of games, never in an inner loop.
//!
//! [`AnyPosition`] is a position without its type, as a value; [`Guest`] a player who is shown such positions: a program in another
//! language that lives in this process.
//!
//! A game is [`Playable`] once it has a roster; all else has a default, so a native game is one file, and one line of
//! [`register`].

// A game that was written elsewhere says `games::`, also after it has moved in.
extern crate self as games;

mod any;
mod builtin;
mod choices;
pub mod describe;
mod encoding;
#[cfg(not(target_arch = "wasm32"))]
mod entrants;
pub mod exact;
mod gdl;
#[cfg(not(target_arch = "wasm32"))]
mod guest;
mod playable;
mod player_pool;
mod position;
pub mod puzzles;
mod quarto;
mod random_games;
mod registry;
pub mod sentence;
mod session;
pub mod sheets;
mod stack4;
mod truth;
pub mod view;

#[cfg(not(target_arch = "wasm32"))]
pub use any::UgiError;
pub use any::{AnyGame, GameEntry, PlayerInfo};
pub use builtin::sheets;
#[cfg(target_arch = "wasm32")]
pub use builtin::{admit_all, provide_file};
#[cfg(not(target_arch = "wasm32"))]
pub use choices::recorded;
pub use choices::{PlayedGame, RecordedChoice};
pub use encoding::Encoding;
#[cfg(not(target_arch = "wasm32"))]
pub use entrants::{ContestSetup, EntrantError};
#[cfg(not(target_arch = "wasm32"))]
pub use guest::{Guest, GuestMaker};
pub use playable::Playable;
pub use position::AnyPosition;
pub use random_games::RandomGames;
pub use registry::{Found, GameInfo, UnknownGame, all, find, is_file, register};
pub use search::{Solution, Unsolved, Watch};
pub use session::{Adviser, Moment, Session, SessionError, Thinker};
pub use truth::{MoveTruth, NoTruth, Truth, TruthSettings, Truths};
