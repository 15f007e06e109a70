//! Any game from its rules.
//!
//! A rule sheet in the Game Description Language is read and checked ([`sheet`]), flattened to rules over rows of
//! constants, and then played by one of two machines behind one interface, [`Machine`]:
//!
//! - the prover works every position out from the rules, bottom-up; it runs every valid sheet;
//! - the compiled machine grounds the rules to a propositional network and evaluates that, by differences for
//!   single positions, and hundreds of games at once, a bit a game, for random play.
//!
//! [`Position`] makes a game of either a [`game::Game`]. Some sheets come with the program: [`bundled`].

pub mod bundled;
pub mod sheet;

mod build;
mod compiled;
mod deadline;
mod dialect;
mod error;
mod lanes;
mod logic;
mod machine;
mod net;
pub mod players;
mod playout;
mod position;
mod prover;
mod solve;
mod trial;

pub use build::{Building, Limits};
pub use deadline::Deadline;
pub use dialect::WellKnown;
pub use error::GdlError;
pub use machine::{Kind, Machine, Move, State, View, Weights};
pub use net::Timer;
pub use playout::{Order, Playouts, Samples};
pub use position::Position;
pub use sheet::Sheet;
pub use solve::{Solver, Unsolved, Watch};
pub use trial::{Built, Effort, Trial, trial};
