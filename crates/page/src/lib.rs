//! The page: play, understand and watch, in a browser.
//!
//! A request passes the `guard` and comes to the `api`, or gets a file of the page (`assets`). The API speaks of
//! `tables`: a table holds a session of a game from the registry, whatever game it is, and programs think
//! for it on a `pool` of threads that is fair to all clients. The `table_store` writes tables into the arena's database, so that
//! games outlive the server. What a client may ask for stands in `limits`.
//!
//! A table itself knows of no server (`table`, `public_table`, `public_game`, `record`, `catalogue`, `opinion`). That part is compiled for browsers, too, where
//! crate `browser` takes the server's place.

#[cfg(not(target_arch = "wasm32"))]
mod accept_encoding;
#[cfg(not(target_arch = "wasm32"))]
mod api;
mod api_error;
#[cfg(not(target_arch = "wasm32"))]
mod app;
#[cfg(not(target_arch = "wasm32"))]
mod assets;
pub mod catalogue;
#[cfg(not(target_arch = "wasm32"))]
mod choice_values;
#[cfg(not(target_arch = "wasm32"))]
mod client;
#[cfg(not(target_arch = "wasm32"))]
mod compression;
#[cfg(not(target_arch = "wasm32"))]
mod extract;
#[cfg(not(target_arch = "wasm32"))]
mod guard;
#[cfg(not(target_arch = "wasm32"))]
mod hint;
mod limits;
pub mod opinion;
#[cfg(test)]
mod packing;
#[cfg(not(target_arch = "wasm32"))]
mod pool;
pub mod public_game;
pub mod public_puzzle;
pub mod public_table;
#[cfg(not(target_arch = "wasm32"))]
mod quota;
pub mod record;
#[cfg(not(target_arch = "wasm32"))]
mod server;
#[cfg(not(target_arch = "wasm32"))]
mod solver_pool;
#[cfg(not(target_arch = "wasm32"))]
mod streams;
pub mod table;
#[cfg(not(target_arch = "wasm32"))]
mod table_store;
#[cfg(not(target_arch = "wasm32"))]
mod tables;
#[cfg(not(target_arch = "wasm32"))]
pub mod terminal;
#[cfg(not(target_arch = "wasm32"))]
mod tournaments;

#[cfg(all(feature = "describe", not(target_arch = "wasm32")))]
pub use api::openapi;
#[cfg(not(target_arch = "wasm32"))]
pub use api::router;
pub use api_error::{ApiError, shortened};
#[cfg(not(target_arch = "wasm32"))]
pub use app::{App, Config};
pub use limits::{ServerLimits, check_spec};
#[cfg(not(target_arch = "wasm32"))]
pub use server::serve;
#[cfg(not(target_arch = "wasm32"))]
pub use tables::unguessable;
