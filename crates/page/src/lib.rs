//! The page: play, understand and watch, in a browser.
//!
//! A request passes the `guard` and comes to the `api`, or gets a file of the page (`assets`). The API speaks of
//! `table`s in the `hall`: a table holds a session of a game from the registry, whatever game it is, and programs think
//! for it on a `pool` of threads that is fair to all clients. The `keeper` writes tables into the arena's database, so that
//! games outlive the server. What a client may ask for stands in `house`.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod accept_encoding;
mod api;
mod app;
mod assets;
mod catalogue;
mod choice_values;
mod client;
mod compression;
mod extract;
mod guard;
mod hall;
mod hint;
mod house;
mod keeper;
mod pool;
mod quota;
mod record;
mod refusal;
mod server;
mod shown;
mod solver_pool;
mod streams;
mod table;
pub mod terminal;
mod tournaments;

pub use api::{openapi, router};
pub use app::{App, Config};
pub use hall::unguessable;
pub use house::House;
pub use refusal::Refusal;
pub use server::serve;
