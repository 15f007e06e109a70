//! The API, asked over real sockets.

mod common;
mod links;
mod manners;
mod seats;
mod tables;
mod tournaments;
mod understanding;
