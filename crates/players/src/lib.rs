//! The named players.
//!
//! A [`Player`] is given a position and a clock and returns a move and what it has to say about it. Players are named
//! by a [`Spec`], a text such as `minimax:depth=3,eval=absolute` that round-trips. Each game has a roster of the
//! players that can play it ([`Playable`]); [`recipe`] turns a spec into a [`Recipe`] that makes as many players of
//! that kind as there are threads. [`with_game`] goes from a game's name to its type.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod bench;
mod catalogue;
mod gdl_players;
mod general;
mod imagined;
mod loisel;
mod mind;
mod nearest;
mod observer;
mod perfect;
mod player;
mod quarto_judge;
mod quarto_players;
mod quarto_searchers;
mod roster;
mod searchers;
mod spec;
mod stack4_players;
mod traps;
mod truth;

pub use catalogue::{GameEntry, UnknownGame, WithGame, games, sheet, with_game};
pub use nearest::nearest;
pub use observer::{Observer, Score, SearchInfo, line_in_words};
pub use player::{Bank, Clock, Player, PlayerError, Replaced, Thought};
pub use quarto_judge::Judge;
pub use roster::{Kind, OptionHelp, Playable, Recipe, recipe};
pub use spec::{Options, Spec, SpecError};
pub use truth::Truth;
