//! Where players meet: the referee, matches between two players, and what can be said of the results.
//!
//! - [`referee`]: one game, every move checked, every player's time kept;
//! - [`contest`]: a match of many games in pairs with seats swapped, on all cores, the same for the same seed;
//! - [`tally`]: what a match counts; [`stats`]: the statistics of counts.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod contest;
pub mod referee;
pub mod stats;
pub mod tally;
