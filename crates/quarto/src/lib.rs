//! Quarto and its variants.
//!
//! Sixteen pieces, each with one of two values for each of four attributes; a board of 4 x 4 cells. A turn places the
//! piece in hand on an empty cell, then gives one of the pieces left to the opponent. Who completes a line of four
//! pieces that share a value wins (in the misère variants, loses). What counts as a line is data: see [`Rules`].
//!
//! - [`Piece`], [`Cell`] and sets of them; [`Turn`], place then give;
//! - [`Rules`]: a variant as a list of lines and a flag, with the tables computed from it;
//! - [`Position`]: the board as bitboards, and [`game::Game`] for it;
//! - [`policy`]: the players of the reports that decide without looking ahead;
//! - [`heuristics`]: the evaluations of unfinished boards in the student reports;
//! - [`rollout`]: whole games played at random, fast;
//! - [`symmetry`]: the groups of a variant, computed from its lines, and canonical forms.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod book;
mod cell;
mod diagram;
pub mod heuristics;
mod notation;
mod piece;
pub mod players;
pub mod policy;
mod position;
pub mod review;
pub mod rollout;
mod rules;
pub mod signature;
pub mod solver;
pub mod symmetry;
pub mod words;

pub use cell::{Cell, CellSet};
pub use piece::{ATTRIBUTES, Piece, PieceSet};
pub use position::{Position, Turn};
pub use rules::Rules;
