//! Any game from its rules.
pub mod sheet;
