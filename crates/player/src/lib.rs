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

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod analysis;
mod limits;
mod nearest;
mod observer;
mod oracle;
mod player;
mod roster;
mod spec;

pub use analysis::{Analysis, Replaced, Score};
pub use limits::{Limits, stricter};
pub use nearest::{nearest, suggestion};
pub use observer::Observer;
pub use oracle::Oracle;
pub use player::{Bank, Clock, Player, PlayerError};
pub use roster::{Maker, OptionHelp, PlayerEntry, PlayerFactory, Roster};
pub use spec::{Options, Spec, SpecError};
