//! Bit-parallel playouts: every node of the propnet is a plane of bits, one bit (a lane) for each game.

mod choose;
mod offspring;
mod planes;
mod play;
mod retraction;
mod sample;
mod schedule;
mod tally;
mod transpose;
mod walk;

pub use play::BitParallel;
