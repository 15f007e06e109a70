//! The propositional network (propnet): grounding, gates, simplification, and the evaluator of single positions.

mod build;
mod differential;
pub mod gates;
mod ground;
mod simplify;
mod split;
mod timer;

pub use build::{Propnet, Region};
pub use differential::{DifferentialEvaluator, Wiring};
pub use ground::GroundRules;
pub use simplify::simplify;
pub use timer::Timer;
