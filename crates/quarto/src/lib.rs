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
//! - [`explore`]: what can be done in a position, up to symmetry; [`review`]: what the turns of a game were worth.
//! - [`puzzle`]: positions with one right answer, found and proved by the solver.
//! - [`solver`] and [`book`]: the exact value of any position, [`proof`] in parts, [`tablebase`] for all of them, [`census`] how many there are;
//!   [`players`]: the players of the reports, and a perfect one; [`response`]: the most that can be made of an opponent whose policy is known;
//!   [`opponent`]: a model of those whose is not, learnt from games.
//!
//! ```
//! use game::Game;
//! use quarto::solver::{Outcome, Solver};
//! use quarto::{Position, Rules};
//!
//! let start = Position::new(Rules::standard());
//! let position = start.parse("012./4.7./a..d/.... 3")?;
//! let solver = Solver::new(position.rules(), 1 << 20, 1)?;
//! let exact = solver.exact(&position)?;
//! // The piece in hand completes the first row.
//! assert_eq!((exact.outcome, exact.plies), (Outcome::Win, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc, reason = "who uses a library reads when it fails")]

pub mod book;
mod cell;
pub mod census;
mod diagram;
pub mod explore;
pub mod heuristics;
mod notation;
pub mod opponent;
mod piece;
pub mod players;
pub mod policy;
mod position;
pub mod proof;
pub mod puzzle;
pub mod response;
pub mod review;
pub mod rollout;
mod rules;
pub mod signature;
pub mod solver;
pub mod symmetry;
pub mod tablebase;
pub mod words;

pub use cell::{Cell, CellSet};
pub use piece::{ATTRIBUTES, Piece, PieceSet};
pub use position::{Position, Turn};
pub use rules::Rules;
