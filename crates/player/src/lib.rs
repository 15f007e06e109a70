//! What a player is.
//!
//! A [`Player`] is given a position and a clock and returns an [`Analysis`]: a move and what it has to say about it. Players are named
//! by a [`Spec`], a text such as `minimax:depth=3,eval=absolute` that round-trips. Each game has a [`Roster`] of the
//! players that can play it: a table of [`PlayerEntry`]s. [`Roster::factory`] turns a spec into a [`PlayerFactory`] that
//! makes as many players of that kind as there are threads.
//!
//! - [`Clock`] is what limits a player's next move; [`Observer`] hears how its search goes while it goes;
//! - [`Limits`] is what limits one search;
//! - [`Oracle`] is somebody who knows what positions are worth.
//!
//! ```
//! use game::example::Heap;
//! use game::Game;
//! use player::{Analysis, Clock, Player, PlayerEntry, PlayerError, Roster};
//! use std::sync::Arc;
//!
//! /// Takes what leaves a multiple of four, or one stone.
//! struct Modulo;
//!
//! impl Player<Heap> for Modulo {
//!     fn begin(&mut self, _seed: u64) {}
//!
//!     fn choose(&mut self, heap: &Heap, _: &Clock) -> Result<Analysis<u8>, PlayerError> {
//!         let left: u8 = heap.print().split('@').next().and_then(|left| left.parse().ok()).unwrap_or(0);
//!         Ok(Analysis::of_move((left % 4).max(1)))
//!     }
//! }
//!
//! let entry = PlayerEntry::new("modulo", "never loses a heap it can win", &[], |_| Ok(Arc::new(|| Box::new(Modulo))));
//! let roster = Roster::new(vec![entry]);
//! let mut player = roster.factory("modulo")?.make();
//! player.begin(1);
//! assert_eq!(player.choose(&Heap::new(7), &Clock::unlimited()).unwrap().best, 3);
//! let wrong = roster.factory("modul").err().unwrap();
//! assert_eq!(wrong.to_string(), "unknown player `modul`: did you mean `modulo`?");
//! # Ok::<(), player::SpecError>(())
//! ```

#![warn(clippy::missing_errors_doc, reason = "who uses a library reads when it fails")]

mod analysis;
mod conversation;
mod limits;
mod nearest;
mod observer;
mod oracle;
mod player;
mod roster;
mod spec;

pub use analysis::{Analysis, Replaced, Score};
pub use conversation::{ConversationLine, Speaker};
pub use limits::{Limits, stricter};
pub use nearest::{nearest, suggestion};
pub use observer::{Cadence, Observer};
pub use oracle::Oracle;
pub use player::{Bank, Clock, Player, PlayerError};
pub use roster::{Maker, OptionHelp, PlayerEntry, PlayerFactory, Roster};
pub use spec::{Options, Spec, SpecError};
