//! The API, asked over real sockets.

mod common;
mod manners;
mod tables;
mod tournaments;
mod understanding;
