//! Many games at once: every node of the network is a plane of bits, a bit a game.

mod choose;
mod planes;
mod play;
mod sample;
mod schedule;
mod transpose;

pub use play::Lanes;
