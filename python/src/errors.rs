//! What goes wrong, as Python says it.

use games::{EntrantError, NoTruth, SessionError, UnknownGame as NoGame};
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

create_exception!(
    terzo,
    IllegalMove,
    PyValueError,
    "A move that the rules do not allow there."
);
create_exception!(
    terzo,
    NotationError,
    PyValueError,
    "A text that is no move or no position."
);
create_exception!(terzo, UnknownGame, PyValueError, "No game has that name.");
create_exception!(terzo, SheetError, PyValueError, "A rule sheet that cannot be played.");
create_exception!(
    terzo,
    PlayerError,
    PyValueError,
    "There is no such player, or it had no move."
);
create_exception!(terzo, Unsolved, PyRuntimeError, "A position whose value was not found.");
create_exception!(
    terzo,
    RecordsError,
    PyRuntimeError,
    "Records that cannot be read or written."
);

/// A move or a text that was refused.
pub fn of_game(error: game::GameError) -> PyErr {
    match error {
        game::GameError::Notation { .. } => NotationError::new_err(error.to_string()),
        game::GameError::Finished { .. } | game::GameError::Illegal { .. } => IllegalMove::new_err(error.to_string()),
    }
}

pub fn of_find(error: NoGame) -> PyErr {
    match error {
        NoGame::Name { .. } => UnknownGame::new_err(error.to_string()),
        NoGame::Sheet(_) => SheetError::new_err(error.to_string()),
    }
}

pub fn of_session(error: SessionError) -> PyErr {
    match error {
        SessionError::Player(error) => of_spec(error),
        SessionError::Illegal(_) | SessionError::Over(_) => IllegalMove::new_err(error.to_string()),
        _ => NotationError::new_err(error.to_string()),
    }
}

pub fn of_spec(error: player::SpecError) -> PyErr {
    PlayerError::new_err(error.to_string())
}

pub fn of_entrant(error: EntrantError) -> PyErr {
    match error {
        EntrantError::Position { .. } | EntrantError::Positions(_) => NotationError::new_err(error.to_string()),
        _ => PlayerError::new_err(error.to_string()),
    }
}

pub fn of_truth(error: NoTruth) -> PyErr {
    match error {
        NoTruth::OtherGame(_) => PyValueError::new_err(error.to_string()),
        NoTruth::Unsolved(_) | NoTruth::Memory(_) => Unsolved::new_err(error.to_string()),
    }
}
