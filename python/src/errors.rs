//! What goes wrong, as Python says it.

use games::{EntrantError, NoTruth, SessionError, UnknownGame as NoGame};
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};

create_exception!(
    terzo,
    IllegalMove,
    PyValueError,
    r#"A move that the rules do not allow there.

>>> import terzo
>>> terzo.game("quarto").start().play("a1.0")
Traceback (most recent call last):
...
terzo.IllegalMove: ..."#
);
create_exception!(
    terzo,
    NotationError,
    PyValueError,
    r#"A text that is no move or no position.

>>> import terzo
>>> terzo.game("quarto").start().play("zebra")
Traceback (most recent call last):
...
terzo.NotationError: ..."#
);
create_exception!(
    terzo,
    UnknownGame,
    PyValueError,
    r#"No game has that name.

>>> import terzo
>>> terzo.game("quatro")
Traceback (most recent call last):
...
terzo.UnknownGame: unknown game `quatro`: did you mean `quarto`?..."#
);
create_exception!(
    terzo,
    SheetError,
    PyValueError,
    r#"A rule sheet that cannot be played.

>>> import terzo
>>> terzo.game("(role x)")
Traceback (most recent call last):
...
terzo.SheetError: ..."#
);
create_exception!(
    terzo,
    PlayerError,
    PyValueError,
    r#"There is no such player, or it had no move.

>>> import terzo
>>> terzo.match("quarto", ["novise", "random"], games=2)
Traceback (most recent call last):
...
terzo.PlayerError: ..."#
);
create_exception!(
    terzo,
    Unsolved,
    PyRuntimeError,
    r#"A position whose value was not found.

>>> import terzo
>>> terzo.game("trio").start().solve()
Traceback (most recent call last):
...
terzo.Unsolved: ..."#
);
create_exception!(
    terzo,
    RecordsError,
    PyRuntimeError,
    r#"Records that cannot be read or written.

>>> import terzo
>>> terzo.records("no-such-file.db")
Traceback (most recent call last):
...
terzo.RecordsError: ..."#
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
