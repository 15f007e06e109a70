//! Any game from its rules.
mod compiled;
mod error;
mod lanes;
pub mod logic;
mod machine;
pub mod net;
mod playout;
mod prover;
pub mod sheet;

pub use compiled::Compiled;
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
    pub fn compiled(sheet: &sheet::Sheet) -> Result<Machine, GdlError> {
        let p = logic::Program::new(sheet)?;
        let s = logic::Statics::new(p)?;
        let b = logic::Budget::new("grounding", 20_000_000, Some(std::time::Duration::from_secs(60)));
        Ok(Machine::new(Compiled::new(&s, b)?))
    }
}
