//! Conversations with programs of others that know no game: [`ugi`], the Universal Game Interface over pipes, both sides of it.

mod identity;
pub mod ugi;

pub use identity::{digest, identity};
