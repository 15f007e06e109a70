//! Games.

use crate::errors::{SheetError, of_find, of_game};
use crate::position::Position;
use crate::waiting::wait_quietly;
use games::AnyGame;
use games::sheets::Sheets;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, LazyLock};

/// Sheets that were given as text, built once.
static SHEETS: LazyLock<Sheets> = LazyLock::new(Sheets::default);

/// A game: its rules, its first position and its players. `terzo.game(name)` makes one.
///
/// >>> import terzo
/// >>> quarto = terzo.game("quarto")
/// >>> quarto.name, quarto.title, quarto.seats
/// ('quarto', 'Quarto', 2)
/// >>> quarto
/// terzo.game('quarto')
#[pyclass(frozen, module = "terzo")]
#[derive(Clone)]
pub struct Game {
    pub game: Arc<dyn AnyGame>,
    /// The text of its rules, if it was given.
    sheet: Option<Arc<str>>,
    warning: Option<String>,
}

/// The game of a name, or of the text of a rule sheet.
#[pyfunction(name = "_find")]
pub fn find(py: Python, name: &str, is_sheet: bool) -> PyResult<Game> {
    // Compiling a large sheet takes seconds.
    if is_sheet {
        let game = wait_quietly(py, |_| SHEETS.game(name))?;
        let told = |error: games::sheets::SheetError| {
            let lines = error.diagnostics.iter().map(|said| {
                let place = said.line.map_or(String::new(), |line| format!("line {line}: "));
                format!("\n  {place}{}", said.message)
            });
            SheetError::new_err(error.message.clone() + &lines.collect::<String>())
        };
        let game = game.map_err(told)?;
        let slow = "the sheet is too large to be compiled; the prover serves, which is slow";
        return Ok(Game {
            warning: game.first().actions().is_none().then(|| slow.into()),
            game,
            sheet: Some(name.into()),
        });
    }
    let found = wait_quietly(py, |_| games::find(name))?.map_err(of_find)?;
    Ok(Game {
        game: found.game,
        sheet: None,
        warning: found.warning,
    })
}

/// Names and summaries of all games that are known by name.
#[pyfunction(name = "_games")]
pub fn list() -> Vec<(String, String)> {
    let all = games::all().into_iter();
    all.map(|game| (game.name.into_owned(), game.summary.into_owned()))
        .collect()
}

impl Game {
    /// The text of its rules, if it was given.
    pub fn sheet(&self) -> Option<&str> {
        self.sheet.as_deref()
    }
}

#[pymethods]
impl Game {
    /// The name that commands take; `gdl` for a sheet that was given as text.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto-squares").name
    /// 'quarto-squares'
    #[getter]
    fn name(&self) -> &str {
        self.game.name()
    }

    /// What people call it.
    ///
    /// >>> import terzo
    /// >>> terzo.game("stack4").title
    /// 'Stack Four'
    #[getter]
    fn title(&self) -> String {
        self.game.title()
    }

    /// One line about it.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").summary == terzo.games()["quarto"]
    /// True
    #[getter]
    fn summary(&self) -> &str {
        self.game.summary()
    }

    /// The rules in a few sentences.
    ///
    /// >>> import terzo
    /// >>> "piece" in terzo.game("quarto").rules
    /// True
    #[getter]
    fn rules(&self) -> String {
        self.game.rules_in_words()
    }

    /// How many seats it has.
    ///
    /// >>> import terzo
    /// >>> terzo.game("trio").seats
    /// 3
    #[getter]
    fn seats(&self) -> usize {
        self.game.seats()
    }

    /// What the seats are called.
    ///
    /// >>> import terzo
    /// >>> terzo.game("stack4").roles
    /// ['Black', 'White']
    #[getter]
    fn roles(&self) -> Vec<String> {
        self.game.roles()
    }

    /// Whether somebody chooses without knowing what others choose at the same time, in the first position.
    ///
    /// >>> import terzo
    /// >>> terzo.game("duel").simultaneous, terzo.game("quarto").simultaneous
    /// (True, False)
    #[getter]
    fn simultaneous(&self) -> bool {
        self.game.first().movers().len() > 1
    }

    /// What should be known of it, if anything: that a sheet is too large to be compiled, say.
    ///
    /// >>> import terzo
    /// >>> terzo.game("tictactoe").warning is None
    /// True
    #[getter]
    fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Its players, the weakest first: name, what it does, options and their defaults.
    ///
    /// >>> import terzo
    /// >>> [player["name"] for player in terzo.game("quarto").players][:2]
    /// ['random', 'novice']
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let told = |player: games::PlayerInfo| {
            let (entry, options) = (PyDict::new(py), PyDict::new(py));
            for option in player.options {
                options.set_item(option.key, option.default)?;
            }
            entry.set_item("name", player.name)?;
            entry.set_item("summary", player.summary)?;
            entry.set_item("options", options)?;
            Ok(entry)
        };
        self.game.players().into_iter().map(told).collect()
    }

    /// The first position.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().text
    /// '..../..../..../.... -'
    fn start(slf: Bound<'_, Self>) -> Position {
        let first = slf.get().game.first();
        Position::new(slf.unbind(), first)
    }

    /// The position that a text tells.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").position("0.../..../...f/.... 5").mover
    /// 1
    fn position(slf: Bound<'_, Self>, text: &str) -> PyResult<Position> {
        let position = slf.get().game.first().parse(text).map_err(of_game)?;
        Ok(Position::new(slf.unbind(), position))
    }

    /// How many actions there are, moves by number; `None` for a sheet that could not be compiled, where an action is a place in the
    /// list of legal moves.
    ///
    /// >>> import terzo
    /// >>> terzo.game("stack4").actions
    /// 24
    #[getter]
    fn actions(&self) -> Option<usize> {
        self.game.first().actions()
    }

    /// The shape of `Position.features()`, planes first.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").feature_shape
    /// (18, 4, 4)
    #[getter]
    fn feature_shape<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, pyo3::types::PyTuple>>> {
        let shape = self.game.first().shape();
        shape.map(|shape| pyo3::types::PyTuple::new(py, shape)).transpose()
    }

    /// What each plane of `Position.features()` tells.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").planes[8]
    /// 'the cell is empty'
    #[getter]
    fn planes(&self) -> Vec<String> {
        self.game.first().planes()
    }

    /// How many symmetries the rules have, the identity included.
    ///
    /// >>> import terzo
    /// >>> terzo.game("stack4").symmetries
    /// 8
    #[getter]
    fn symmetries(&self) -> usize {
        self.game.first().symmetries()
    }

    /// Its puzzles, if any come with it: kind, position, answer, how many levels of player miss it. `terzo.puzzles` makes objects of them.
    fn _puzzles(&self) -> Option<Vec<(String, String, String, u32)>> {
        let told = |puzzle: games::puzzles::Puzzle| (puzzle.kind, puzzle.position, puzzle.answer, puzzle.missed);
        Some(self.game.puzzles()?.puzzles.into_iter().map(told).collect())
    }

    /// How many sequences of `depth` moves there are.
    ///
    /// >>> import terzo
    /// >>> terzo.game("tictactoe").perft(3)
    /// 504
    fn perft(&self, py: Python, depth: u32) -> PyResult<u64> {
        wait_quietly(py, |_| self.game.perft(None, depth))?.map_err(of_game)
    }

    fn __repr__(&self) -> String {
        match &self.sheet {
            Some(sheet) => format!(
                "terzo.game({:?})",
                games::sheets::title(sheet).unwrap_or("a rule sheet")
            ),
            None => format!("terzo.game({})", quoted(self.game.name())),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Game>() else {
            return false;
        };
        let other = other.get();
        Arc::ptr_eq(&self.game, &other.game)
            || (self.game.name() == other.game.name() && self.game.first().equals(other.game.first().as_ref()))
    }

    fn __hash__(&self) -> u64 {
        self.game.first().key()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let source = self.sheet.as_deref().unwrap_or(self.game.name());
        Ok((py.import("terzo")?.getattr("game")?, (source.into(),)))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

/// A text as Python writes it, for texts without quotes in them.
fn quoted(text: &str) -> String {
    format!("'{text}'")
}
