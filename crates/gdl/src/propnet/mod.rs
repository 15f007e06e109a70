//! The propositional network (propnet): grounding, gates, simplification, and the evaluator of single positions.

mod build;
mod decisive;
mod demand;
mod diagram;
mod differential;
mod factor;
pub mod gates;
mod ground;
mod join;
mod narrow;
#[cfg(test)]
mod rewriting;
mod simplify;
mod split;
mod timer;

pub use build::{Propnet, Region};
pub use differential::{DifferentialEvaluator, Wiring};
pub use ground::{GroundEffort, GroundRules};
pub use simplify::simplify;
pub use timer::Timer;
