//! The API, asked over real sockets.

mod common;
mod links;
mod manners;
mod plain;
mod seats;
mod tables;
mod tournaments;
mod understanding;
