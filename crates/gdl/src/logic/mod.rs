//! Evaluating rules (Datalog with stratified negation): flat relations, tables, joins, semi-naive bottom-up evaluation, and
//! top-down evaluation with tabling.

mod budget;
pub(crate) mod domain;
mod engine;
mod flat;
mod goals;
pub(crate) mod graph;
mod plan;
mod resolve;
mod skeleton;
mod statics;
mod stratify;
mod table;
mod term;

pub use budget::WorkBudget;
pub use engine::{EvalScratch, Stratum, components};
pub use flat::{Col, FlatLiteral, FlatProgram, FlatRule, Rel, RelId, RelationKind};
pub use goals::{Goal, compile};
pub use plan::{JoinPlanner, JoinScratch, Sink};
pub use resolve::{TabledAnswers, answer};
pub use statics::Statics;
pub use table::RelationTable;
