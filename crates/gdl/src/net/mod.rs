//! The propositional network: grounding, gates, simplification, and the evaluators.

pub mod gates;
mod ground;
mod network;
mod simplify;
mod single;
mod split;
mod timer;

pub use ground::Ground;
pub use network::{Network, Region};
pub use simplify::simplify;
pub use single::{Single, Wiring};
pub use timer::Timer;
