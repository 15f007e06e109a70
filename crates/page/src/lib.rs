//! The page: play, understand and watch, in a browser.
//!
//! A request passes the `guard` and comes to the `api`, or gets a file of the page (`assets`). The API speaks of
//! `tables`: a table holds a session of a game from the registry, whatever game it is, and programs think
//! for it on a `pool` of threads that is fair to all clients. The `table_store` writes tables into the arena's database, so that
//! games outlive the server. What a client may ask for stands in `limits`.

mod accept_encoding;
mod api;
mod api_error;
mod app;
mod assets;
mod catalogue;
mod choice_values;
mod client;
mod compression;
mod extract;
mod guard;
mod hint;
mod limits;
#[cfg(test)]
mod packing;
mod pool;
mod public_table;
mod quota;
mod record;
mod server;
mod solver_pool;
mod streams;
mod table;
mod table_store;
mod tables;
pub mod terminal;
mod tournaments;

pub use api::{openapi, router};
pub use api_error::ApiError;
pub use app::{App, Config};
pub use limits::Limits;
pub use server::serve;
pub use tables::unguessable;
