//! Players written in Python, as guests at Terzo's tables.

use crate::analysis::{Analysis, Clock};
use crate::attached;
use crate::game::Game;
use crate::position::Position;
use games::{AnyPosition, Guest, GuestMaker};
use player::{Clock as Limit, PlayerError};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

/// The threads of Python that are inside a player's `choose`: who is interrupted when Ctrl-C was pressed.
static THINKING: Mutex<Vec<u64>> = Mutex::new(Vec::new());

thread_local! {
    /// What Python calls this thread, once somebody has asked.
    static THREAD: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Raises `KeyboardInterrupt` in every player that thinks. One that waits for the system hears it when that wait ends.
pub fn interrupt(py: Python) -> PyResult<()> {
    let threads = THINKING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if threads.is_empty() {
        return Ok(());
    }
    let ctypes = py.import("ctypes")?;
    let raise = ctypes.getattr("pythonapi")?.getattr("PyThreadState_SetAsyncExc")?;
    for thread in threads {
        let thread = ctypes.getattr("c_ulong")?.call1((thread,))?;
        let kind = ctypes
            .getattr("py_object")?
            .call1((py.get_type::<PyKeyboardInterrupt>(),))?;
        raise.call1((thread, kind))?;
    }
    Ok(())
}

/// Notes that a thread is inside a player, as long as it is.
struct Thinking(u64);

impl Thinking {
    fn begin(py: Python) -> PyResult<Thinking> {
        let thread = THREAD.with(|known| match known.get() {
            Some(thread) => Ok(thread),
            None => {
                let thread: u64 = py.import("threading")?.call_method0("get_ident")?.extract()?;
                known.set(Some(thread));
                PyResult::Ok(thread)
            }
        })?;
        THINKING.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        Ok(Thinking(thread))
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        let mut threads = THINKING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = threads.iter().position(|thread| *thread == self.0) {
            threads.swap_remove(at);
        }
    }
}

/// A player in Python.
struct PythonPlayer {
    game: Py<Game>,
    player: Py<PyAny>,
    /// What it raised since somebody asked, with the traceback.
    log: String,
    /// What it raised when it was told that a game begins.
    failed: Option<PlayerError>,
}

/// Makes players by calling a class, or any function without arguments.
pub fn maker(game: Py<Game>, factory: Py<PyAny>) -> GuestMaker {
    Arc::new(move || {
        let made = Python::try_attach(|py| {
            let (player, log, failed) = match factory.call0(py) {
                Ok(player) => (player, String::new(), None),
                Err(error) => {
                    let (failed, log) = told(py, &error);
                    (py.None(), log, Some(failed))
                }
            };
            let game = game.clone_ref(py);
            PythonPlayer {
                game,
                player,
                log,
                failed,
            }
        });
        match made {
            Some(player) => Box::new(player) as Box<dyn Guest>,
            None => Box::new(Absent),
        }
    })
}

/// Who was to be made when the interpreter was gone.
struct Absent;

fn gone() -> PlayerError {
    PlayerError::Disconnect("the interpreter is ending".into())
}

impl Guest for Absent {
    fn begin(&mut self, _: u64) {}

    fn choose(&mut self, _: Box<dyn AnyPosition>, _: &Limit) -> Result<player::Analysis<String>, PlayerError> {
        Err(gone())
    }
}

/// An exception as a verdict, and its traceback.
fn told(py: Python, error: &PyErr) -> (PlayerError, String) {
    let format = || -> PyResult<String> {
        let lines = py.import("traceback")?.call_method1(
            "format_exception",
            (error.get_type(py), error.value(py), error.traceback(py)),
        )?;
        PyString::new(py, "").call_method1("join", (lines,))?.extract()
    };
    let traceback = format().unwrap_or_else(|_| error.to_string());
    (PlayerError::Crash(error.to_string()), traceback)
}

impl PythonPlayer {
    fn note(&mut self, py: Python, error: &PyErr) -> PlayerError {
        let (failed, traceback) = told(py, error);
        self.log = traceback;
        failed
    }

    fn ask(&self, py: Python, position: Box<dyn AnyPosition>, clock: &Limit) -> PyResult<player::Analysis<String>> {
        let position = Bound::new(py, Position::new(self.game.clone_ref(py), position))?;
        let thinking = Thinking::begin(py)?;
        let said = self
            .player
            .bind(py)
            .call_method1(intern!(py, "choose"), (&position, Clock::new(clock)));
        drop(thinking);
        let said = said?;
        if let Ok(analysis) = said.cast::<Analysis>() {
            return Ok(analysis.get().said());
        }
        if let Ok(word) = said.cast::<PyString>() {
            return Ok(player::Analysis::of_move(word.to_cow()?.into_owned()));
        }
        let action: usize = said.extract().map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err(format!(
                "choose must return a move as text, an action as a number, or an Analysis; it returned {}",
                said.repr().map_or("something else".into(), |repr| repr.to_string())
            ))
        })?;
        let word = position.get().position.move_of_action(action);
        Ok(player::Analysis::of_move(word.map_err(crate::errors::of_game)?))
    }
}

impl Guest for PythonPlayer {
    fn begin(&mut self, seed: u64) {
        attached::keep();
        Python::try_attach(|py| {
            if self.player.is_none(py) {
                return;
            }
            let began = self.player.bind(py).call_method1("begin", (seed,));
            self.failed = began.err().map(|error| self.note(py, &error));
        });
    }

    fn choose(
        &mut self,
        position: Box<dyn AnyPosition>,
        clock: &Limit,
    ) -> Result<player::Analysis<String>, PlayerError> {
        if let Some(failed) = self.failed.clone() {
            return Err(failed);
        }
        let said = Python::try_attach(|py| self.ask(py, position, clock).map_err(|error| self.note(py, &error)));
        said.unwrap_or_else(|| Err(gone()))
    }

    fn stderr_log(&mut self) -> String {
        std::mem::take(&mut self.log)
    }
}
