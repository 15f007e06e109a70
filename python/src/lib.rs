//! The part of the Python package that is written in Rust. `terzo/` beside it is what people import; it adds what is easier said in
//! Python: environments of other projects, data frames, pictures.
//!
//! Everything goes through the registry, so this room names no game. Whatever takes long lets other threads of Python run and hears
//! Ctrl-C ([`waiting`]).

mod analysis;
mod attached;
mod contests;
mod errors;
mod game;
mod guests;
mod position;
mod records;
mod truths;
mod waiting;

use pyo3::prelude::*;

/// What `terzo` is made of; import that instead.
#[pymodule(gil_used = true)]
mod _terzo {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::{Analysis, Clock};
    #[pymodule_export]
    use crate::contests::{play_match, play_tournament, serve, supervise_with};
    #[pymodule_export]
    use crate::errors::{IllegalMove, NotationError, PlayerError, RecordsError, SheetError, UnknownGame, Unsolved};
    #[pymodule_export]
    use crate::game::{Game, find, list};
    #[pymodule_export]
    use crate::position::{Position, features};
    #[pymodule_export]
    use crate::records::{record_games, record_list, record_results};
    #[pymodule_export]
    use crate::truths::{MoveValue, Solution, playouts, solve};
    #[pymodule_export]
    use crate::waiting::{end, panic_for_tests};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::set_up(module)
    }
}

/// Notes which process this is, and has work end before the interpreter does.
fn set_up(module: &Bound<'_, PyModule>) -> PyResult<()> {
    waiting::note_process();
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    let end = module.getattr("_end")?;
    module.py().import("atexit")?.call_method1("register", (end,))?;
    Ok(())
}
