//! The API, asked over real sockets.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod common;
mod links;
mod manners;
mod people;
mod plain;
mod seats;
mod tables;
mod teaching;
mod tournaments;
mod understanding;
