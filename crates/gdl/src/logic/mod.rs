//! The logic of rules: flat relations, tables, joins, evaluation bottom-up and on demand.

mod budget;
pub(crate) mod domain;
mod engine;
mod flat;
mod goals;
pub(crate) mod graph;
mod plan;
mod resolve;
mod shape;
mod statics;
mod stratify;
mod table;
mod term;

pub use budget::Budget;
pub use engine::{Stratum, Work, components};
pub use flat::{Col, FlatRule, Kind, Lit, Program, RelId};
pub use goals::{Goal, compile};
pub use plan::{Planner, Scratch, Sink};
pub use resolve::{Memory, answer};
pub use statics::Statics;
pub use table::Table;
