//! The logic of rules: flat relations, tables, joins, bottom-up evaluation.

mod budget;
mod engine;
mod flat;
pub(crate) mod graph;
mod plan;
mod shape;
mod statics;
mod table;

pub use budget::Budget;
pub use engine::{Component, Stratum, Work, components};
pub use flat::{Col, FlatRule, Kind, Lit, Program, Rel, RelId};
pub use plan::{Plan, Planner, Scratch, Sink};
pub use statics::Statics;
pub use table::Table;
