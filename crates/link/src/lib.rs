//! Conversations with programs of others that know no game: [`ugi`], the Universal Game Interface over pipes, both sides of it.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod identity;
pub mod ugi;

pub use identity::{digest, identity};
