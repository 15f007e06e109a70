//! Any game from its rules.
//!
//! A rule sheet in the Game Description Language is read and checked ([`sheet`]), flattened to rules over rows of
//! constants, and then played by one of two state machines behind one interface, [`Machine`]:
//!
//! - the prover derives every position from the rules, by semi-naive bottom-up evaluation or top-down with tabling; it
//!   runs every valid sheet;
//! - the compiled machine grounds the rules to a propositional network (propnet) and evaluates that: for single positions
//!   only what has changed, and for random play hundreds of games at once, one bit for each game.
//!
//! [`Position`] makes a [`game::Game`] of either. Some sheets come with the program: [`bundled`].
//!
//! ```
//! use game::Game;
//! use gdl::{Machine, Position, Sheet};
//!
//! let sheet = Sheet::parse("coin", "
//!     (role you) (init start)
//!     (<= (legal you heads) (true start)) (<= (legal you tails) (true start))
//!     (<= (next won) (does you heads)) (<= (next lost) (does you tails))
//!     (<= terminal (not (true start)))
//!     (<= (goal you 100) (true won)) (<= (goal you 0) (not (true won)))
//! ")?;
//! let mut position = Position::new(Machine::prover(&sheet)?)?;
//! position.play(position.parse_move("heads")?)?;
//! assert_eq!(position.outcome().map(|payoffs| payoffs.all()[0].points()), Some(100));
//!
//! // A bundled sheet, on the fastest machine that plays it.
//! assert_eq!(game::perft(&Position::of_sheet("tictactoe")?, 4), 9 * 8 * 7 * 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc, reason = "who uses a library reads when it fails")]

pub mod bundled;
pub mod sheet;

mod build;
mod compiled;
mod deadline;
mod dialect;
mod encoding;
mod error;
mod lanes;
mod layout;
mod logic;
mod machine;
mod offspring;
pub mod players;
mod playout;
mod position;
mod propnet;
mod prover;
mod solve;
mod trails;
mod trial;
mod walk;

pub use build::{BuildLimits, Building};
pub use deadline::Deadline;
pub use dialect::WellKnown;
pub use encoding::Encoding;
pub use error::GdlError;
pub use layout::{BoardLayout, BoardRelation, Layout, words};
pub use machine::{FactWeights, Machine, MachineKind, Move, State, StateView};
pub use playout::{PlayoutLimit, Playouts, Samples};
pub use position::Position;
pub use propnet::Timer;
pub use sheet::Sheet;
pub use solve::{Solver, Unsolved, Watch};
pub use trial::{BuiltMachine, Trial, TrialEffort, trial};
