//! Any game from its rules.
mod error;
pub mod logic;
mod machine;
pub mod net;
mod playout;
mod prover;
pub mod sheet;

pub use error::GdlError;
pub use machine::{Machine, Move, State, View};
pub use playout::{Order, Playouts};
pub use prover::Prover;

impl Machine {
    pub fn prover(sheet: &sheet::Sheet) -> Result<Machine, GdlError> {
        let p = logic::Program::new(sheet)?;
        let s = logic::Statics::new(p)?;
        Ok(Machine::new(Prover::new(&s)))
    }
}
