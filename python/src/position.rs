//! Positions: values that are played on by making new ones.

use crate::analysis::{Analysis, Clock};
use crate::errors::{NotationError, PlayerError, of_game, of_session, of_spec};
use crate::game::Game;
use crate::truths::{self, Solution};
use crate::waiting::wait_quietly;
use games::AnyPosition;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PyTuple};
use std::cell::Cell;

/// A position of a game. Positions are values: playing a move makes a new one, so taking back is keeping the old one.
///
/// >>> import terzo
/// >>> start = terzo.game("tictactoe").start()
/// >>> next = start.play("(mark,2,2)")
/// >>> len(start.legal_moves()), len(next.legal_moves())
/// (9, 8)
/// >>> next == start.play("(mark,2,2)"), next == start
/// (True, False)
/// >>> print(next)
/// 3  . . .
/// 2  . x .
/// 1  . . .
///    1 2 3
/// <BLANKLINE>
/// (control o)
#[pyclass(frozen, module = "terzo")]
pub struct Position {
    game: Py<Game>,
    pub position: Box<dyn AnyPosition>,
}

thread_local! {
    /// Where legal actions are gathered: whoever plays random games asks for them at every turn.
    static ACTIONS: Cell<Vec<u32>> = const { Cell::new(Vec::new()) };
}

/// A move as text, or an action as a number.
enum MoveOrAction<'py> {
    Word(Bound<'py, pyo3::types::PyString>),
    Action(usize),
}

impl<'py> MoveOrAction<'py> {
    fn of(given: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(word) = given.cast::<pyo3::types::PyString>() {
            return Ok(MoveOrAction::Word(word.clone()));
        }
        given.extract().map(MoveOrAction::Action).map_err(|error| {
            let py = given.py();
            match error.is_instance_of::<PyTypeError>(py) {
                true => PyTypeError::new_err(format!(
                    "expected a move as text, or an action as a number, found {}",
                    given.get_type()
                )),
                // A number that is negative, or larger than any action.
                false => NotationError::new_err(format!("expected the number of an action, found {given}")),
            }
        })
    }
}

impl Position {
    pub fn new(game: Py<Game>, position: Box<dyn AnyPosition>) -> Self {
        Position { game, position }
    }

    fn with(&self, py: Python, position: Box<dyn AnyPosition>) -> Position {
        Position::new(self.game.clone_ref(py), position)
    }

    pub fn game_of(&self) -> &Game {
        self.game.get()
    }

    /// Does something with the legal actions, which lie in a buffer of the thread.
    fn with_actions<T>(&self, work: impl FnOnce(&[u32]) -> T) -> T {
        // Taken, not borrowed: what makes objects of Python may run other code of Python, which may come back here.
        let mut actions = ACTIONS.take();
        self.position.legal_actions(&mut actions);
        let done = work(&actions);
        ACTIONS.set(actions);
        done
    }

    fn symmetry(&self, number: usize) -> PyResult<usize> {
        let all = self.position.symmetries();
        match number < all {
            true => Ok(number),
            false => Err(PyValueError::new_err(format!(
                "symmetry {number}: expected less than {all}"
            ))),
        }
    }

    /// What the page would draw, as Python's own dictionaries and lists.
    fn view_of<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text =
            serde_json::to_string(&self.position.view()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }
}

#[pymethods]
impl Position {
    /// The game.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().game
    /// terzo.game('quarto')
    #[getter]
    fn game(&self, py: Python) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The position as text; `game.position(text)` reads it.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().play("-.3").text
    /// '..../..../..../.... 3'
    #[getter]
    fn text(&self) -> String {
        self.position.print()
    }

    /// Whose move it is, from 0; `None` once the game is over.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().play("-.3").mover
    /// 1
    #[getter]
    fn mover(&self) -> Option<usize> {
        (!self.position.is_over()).then(|| self.position.mover())
    }

    /// The seats that choose at the same time; the mover alone where the seats move in turn.
    ///
    /// >>> import terzo
    /// >>> terzo.game("duel").start().movers
    /// [0, 1]
    #[getter]
    fn movers(&self) -> Vec<usize> {
        self.position.movers()
    }

    /// The position as everybody may see it: without what some have chosen while others are still choosing.
    ///
    /// >>> import terzo
    /// >>> chosen = terzo.game("duel").start().play("load")
    /// >>> chosen.mover, chosen.public() == terzo.game("duel").start()
    /// (1, True)
    fn public(&self, py: Python) -> Position {
        self.with(py, self.position.public())
    }

    /// Whether the game is over.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().over
    /// False
    #[getter]
    fn over(&self) -> bool {
        self.position.is_over()
    }

    /// What every seat got, 0 to 100 (a win 100, a draw 50); `None` while the game goes on.
    ///
    /// >>> import terzo
    /// >>> p = terzo.game("tictactoe").start()
    /// >>> for move in ["(mark,1,1)", "(mark,2,1)", "(mark,1,2)", "(mark,2,2)", "(mark,1,3)"]:
    /// ...     p = p.play(move)
    /// >>> p.payoffs, p.winner
    /// ((100, 0), 0)
    #[getter]
    fn payoffs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.position
            .payoffs()
            .map(|payoffs| PyTuple::new(py, payoffs))
            .transpose()
    }

    /// The seat that got more than every other; `None` while the game goes on, and of a draw.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").position("012./..../..../.... 3").play("d1.-").winner
    /// 0
    #[getter]
    fn winner(&self) -> Option<usize> {
        let payoffs = self.position.payoffs()?;
        let most = *payoffs.iter().max()?;
        let mut best = (0..payoffs.len()).filter(|&seat| payoffs[seat] == most);
        best.next().filter(|_| payoffs.len() > 1 && best.next().is_none())
    }

    /// The game's own points of both seats, where it counts any.
    ///
    /// >>> import terzo
    /// >>> terzo.game("stack4").start().points, terzo.game("quarto").start().points
    /// ((0, 0), None)
    #[getter]
    fn points(&self) -> Option<(i32, i32)> {
        self.position.points().map(|[first, second]| (first, second))
    }

    /// How a finished game ended, in words.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").position("012./..../..../.... 3").play("d1.-").ending
    /// 'seat 1 won by completing row 1, all round and solid'
    #[getter]
    fn ending(&self) -> Option<String> {
        self.position.ending()
    }

    /// A hash of 64 bits, equal for equal positions.
    ///
    /// >>> import terzo
    /// >>> start = terzo.game("quarto").start()
    /// >>> start.key == terzo.game("quarto").start().key, start.key == start.play("-.3").key
    /// (True, False)
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// The legal moves as text, always in the same order; none once the game is over.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().legal_moves()[:3]
    /// ['-.0', '-.1', '-.2']
    fn legal_moves(&self) -> Vec<String> {
        self.position.legal_moves()
    }

    /// The legal moves as numbers, in the same order.
    ///
    /// >>> import terzo
    /// >>> terzo.game("stack4").start().legal_actions()[-1]
    /// 23
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.with_actions(|actions| PyList::new(py, actions))
    }

    /// Which actions are legal: an array of `game.actions` ones and zeros.
    ///
    /// >>> import terzo
    /// >>> int(terzo.game("quarto").start().action_mask().sum())
    /// 16
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(all) = self.position.actions() else {
            return Err(PyValueError::new_err(
                "this game does not number its moves: see Game.actions",
            ));
        };
        let mask = self.with_actions(|actions| {
            PyByteArray::new_with(py, all, |mask| {
                actions.iter().for_each(|&action| mask[action as usize] = 1);
                Ok(())
            })
        })?;
        py.import("numpy")?.call_method1("frombuffer", (mask, "int8"))
    }

    /// The position after a move, given as text or as an action.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().play("-.3").play(0).text
    /// '3.../..../..../.... 0'
    fn play(&self, py: Python, r#move: &Bound<'_, PyAny>) -> PyResult<Position> {
        let next = match MoveOrAction::of(r#move)? {
            MoveOrAction::Word(word) => self.position.play(&word.to_cow()?),
            MoveOrAction::Action(action) => self.position.play_action(action),
        };
        Ok(self.with(py, next.map_err(of_game)?))
    }

    /// The number of a move.
    ///
    /// >>> import terzo
    /// >>> terzo.game("stack4").start().action("22")
    /// 8
    fn action(&self, r#move: &str) -> PyResult<usize> {
        self.position.action(r#move).map_err(of_game)
    }

    /// The move of a number, as text; it need not be legal.
    ///
    /// >>> import terzo
    /// >>> start = terzo.game("quarto").start()
    /// >>> start.move(start.action("-.c"))
    /// '-.c'
    fn r#move(&self, action: usize) -> PyResult<String> {
        self.position.move_of_action(action).map_err(of_game)
    }

    /// The position as a numpy array of 32-bit floats: planes, as `game.planes` tells them. `terzo.features` does so for many.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().features().shape
    /// (18, 4, 4)
    fn features<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let one = features(py, vec![slf.unbind()])?;
        one.get_item(0)
    }

    /// The position as symmetry number `symmetry` of `game.symmetries` maps it; 0 is the identity.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").position("3.../..../..../.... 0").transform(1).text
    /// '2.../..../..../.... 1'
    fn transform(&self, py: Python, symmetry: usize) -> PyResult<Position> {
        let symmetry = self.symmetry(symmetry)?;
        Ok(self.with(py, self.position.transform(symmetry)))
    }

    /// A move as a symmetry maps it.
    ///
    /// >>> import terzo
    /// >>> p = terzo.game("quarto").start().play("-.3")
    /// >>> p.transform(9).play(p.transform_move(9, "a1.c")) == p.play("a1.c").transform(9)
    /// True
    fn transform_move(&self, symmetry: usize, r#move: &str) -> PyResult<String> {
        let symmetry = self.symmetry(symmetry)?;
        self.position.transform_move(symmetry, r#move).map_err(of_game)
    }

    /// The exact value, and with `moves` that of every move. Other threads run meanwhile; Ctrl-C ends it. Memory in bytes; 0 threads are
    /// all cores.
    ///
    /// >>> import terzo
    /// >>> found = terzo.game("tictactoe").start().solve(moves=True)
    /// >>> found.value, found.outcome, len(found.moves)
    /// (50, 'draw', 9)
    #[pyo3(signature = (*, moves = false, memory = None, threads = 0, book = true))]
    fn solve(
        slf: Bound<'_, Self>,
        moves: bool,
        memory: Option<usize>,
        threads: usize,
        book: bool,
    ) -> PyResult<Solution> {
        let py = slf.py();
        let mut found = truths::solve(py, vec![slf.unbind()], moves, memory, threads, book)?;
        found.pop().ok_or_else(|| PyValueError::new_err("no answer"))
    }

    /// What the book of the game says of this position, if it has one that knows it.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().book().outcome
    /// 'draw'
    fn book(&self) -> Option<Solution> {
        let found = self.game_of().game.in_book(self.position.as_ref())?;
        Some(Solution::of(found))
    }

    /// What a player thinks: its move, what it expects, how far it looked. The strongest player, if none is named; `time` in seconds.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().analyse("minimax:depth=1", seed=1).move in terzo.game("quarto").start().legal_moves()
    /// True
    #[pyo3(signature = (player = None, *, time = None, nodes = None, depth = None, seed = 0))]
    fn analyse(
        &self,
        py: Python,
        player: Option<&str>,
        time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        seed: u64,
    ) -> PyResult<Analysis> {
        if self.over() {
            return Err(PlayerError::new_err(
                "the game is over: there is no move to think about",
            ));
        }
        let limits = Clock::limits(time, nodes, depth)?;
        let mut session = self.game_of().game.clone().session();
        session.replace(Some(&self.position.print()), &[]).map_err(of_session)?;
        let player = player.map_or_else(|| session.strongest(), str::to_owned);
        let think = session.thinker(0, &player, seed).map_err(of_spec)?;
        let said = wait_quietly(py, |stop| think(&limits.start(stop)))?;
        said.map(Analysis::of)
            .map_err(|error| PlayerError::new_err(format!("{player} {error}")))
    }

    /// What there is to draw, as dictionaries and lists: what Terzo's page gets.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().view()["kind"]
    /// 'quarto'
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.view_of(py)
    }

    /// The board drawn with characters.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").start().drawing().splitlines()[0].split()
    /// ['a', 'b', 'c', 'd']
    #[pyo3(signature = (colour = false))]
    fn drawing(&self, colour: bool) -> String {
        self.position.drawing(colour)
    }

    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("terzo._svg")?.call_method1("draw", (self.view_of(py)?,))
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let drawing = self.position.drawing(false);
        py.import("terzo._text")?
            .call_method1("draw", (self.view_of(py)?, drawing.trim_end()))
    }

    fn __repr__(&self) -> String {
        let mut text = self.position.print();
        if text.chars().count() > 120 {
            text = text.chars().take(119).chain(['…']).collect();
        }
        format!("<{} {text}>", self.game_of().game.name())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Position>();
        other.is_ok_and(|other| self.position.equals(other.get().position.as_ref()))
    }

    fn __hash__(&self) -> u64 {
        self.position.key()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = self.game.bind(py).getattr("position")?;
        Ok((read, (self.position.print(),)))
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyDict>) -> Bound<'py, Self> {
        slf
    }
}

/// The features of positions of one game, as one numpy array: position by position.
///
/// >>> import terzo
/// >>> start = terzo.game("stack4").start()
/// >>> terzo.features([start, start.play("22")]).shape
/// (2, 15, 6, 6)
#[pyfunction]
pub fn features(py: Python<'_>, positions: Vec<Py<Position>>) -> PyResult<Bound<'_, PyAny>> {
    const FLOAT: usize = size_of::<f32>();
    let Some(first) = positions.first() else {
        return Err(PyValueError::new_err("expected at least one position"));
    };
    let of_game = |position: &Py<Position>| position.get().position.shape();
    let Some(shape) = of_game(first) else {
        return Err(PyValueError::new_err(
            "this game has no features: see Game.feature_shape",
        ));
    };
    let game = first.get().game_of().game.clone();
    let names = |position: &Py<Position>| position.get().game_of().game.name() == game.name();
    if !positions
        .iter()
        .all(|position| names(position) && of_game(position).as_ref() == Some(&shape))
    {
        return Err(PyValueError::new_err("expected positions of one game"));
    }
    let size: usize = shape.iter().product();
    let bytes = PyByteArray::new_with(py, size * FLOAT * positions.len(), |bytes| {
        let mut plane = vec![0.0; size];
        for (position, bytes) in positions.iter().zip(bytes.chunks_exact_mut(size * FLOAT)) {
            plane.fill(0.0);
            position.get().position.write_features(&mut plane);
            let words = bytes.chunks_exact_mut(FLOAT).zip(&plane);
            words.for_each(|(word, number)| word.copy_from_slice(&number.to_ne_bytes()));
        }
        Ok(())
    })?;
    let whole: Vec<usize> = [positions.len()].into_iter().chain(shape).collect();
    let flat = py.import("numpy")?.call_method1("frombuffer", (bytes, "float32"))?;
    flat.call_method1("reshape", (PyTuple::new(py, whole)?,))
}
