//! Conversations with the outside.
//!
//! - [`ugi`]: the Universal Game Interface over pipes, both sides of it;
//! - [`course`]: Stack Four over TCP as the course's programs speak it, both sides of it;
//! - [`ggp`]: any game from its rules over HTTP as general game players speak it, both sides of it;
//! - [`recipe`]: players from specs, `engine:COMMAND` and `course:COMMAND` among them.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod course;
pub mod ggp;
mod identity;
mod recipe;
pub mod ugi;

pub use identity::digest;
pub use recipe::recipe;
