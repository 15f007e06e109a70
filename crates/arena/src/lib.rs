//! Where players meet: the referee, matches and tournaments, their records, and what can be said of the results.
//!
//! - [`referee`]: one game, every move checked, every player's time kept on the game's [`terms`];
//! - [`contest`]: a game and its players, ready to play units of games; here the type of the game disappears;
//! - [`plan`], [`tournament`]: many players, every pair written into the [`store`] as a [`record`];
//! - [`unrecorded`]: a match, of which nothing is kept but a [`tally`]; [`gauntlet`]: many of them, one player against others; [`control`]: what may be said to who plays;
//! - [`identity`]: what makes a tournament this one;
//! - [`queue`]: who has work done, here or on other machines;
//! - [`live`]: games that are being played, for who looks on;
//! - [`gamelog`]: the whole conversations with programs, a file a game;
//! - [`standings`]: what the pairs add up to; [`stats`]: the statistics of counts; [`mistakes`]: against the truth;
//! - [`mod@matches`]: what a manager of general game players writes into the same records;
//! - [`report`]: all of it as Markdown and as a page; [`gametext`]: a game as text; [`export`] and [`pgn`]: games for programs;
//! - [`experiment`]: an experiment of a report done again.

pub use stats;

pub mod adjudication;
mod claim;
pub mod contest;
pub mod control;
pub mod experiment;
pub mod export;
pub mod gamelog;
pub mod gametext;
pub mod gauntlet;
pub mod identity;
pub mod live;
pub mod matches;
pub mod mistakes;
pub mod opening;
pub mod pgn;
pub mod plan;
pub mod queue;
pub mod record;
pub mod referee;
pub mod report;
mod schedule;
pub mod standings;

pub mod store;
pub mod tally;
pub mod terms;
pub mod tournament;
pub mod unrecorded;
