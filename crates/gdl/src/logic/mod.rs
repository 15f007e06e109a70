//! The logic of rules: flat relations, tables, joins, bottom-up evaluation.

mod budget;
mod engine;
mod flat;
pub(crate) mod graph;
mod plan;
mod shape;
mod statics;
mod table;
mod term;

pub use budget::Budget;
pub use engine::{Stratum, Work, components};
pub use flat::{Col, FlatRule, Kind, Lit, Program, RelId};
pub use plan::{Planner, Scratch, Sink};
pub use statics::Statics;
pub use table::Table;
