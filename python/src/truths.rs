//! Exact values and random games, of many positions at once.

use crate::errors::of_truth;
use crate::position::Position;
use crate::waiting::{threads, wait_quietly};
use game::Until;
use games::{AnyPosition, MoveTruth, Truth, TruthSettings};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use std::collections::HashMap;

/// What a move is worth to who makes it.
///
/// >>> import terzo
/// >>> p = terzo.game("quarto").position("6b../1.../27f0/8... d")
/// >>> p.solve(moves=True).moves["c4.a"].outcome
/// 'win'
#[pyclass(frozen, get_all, module = "terzo")]
#[derive(Clone)]
pub struct MoveValue {
    /// What the mover gets with best play, 0 to 100.
    ///
    /// >>> import terzo
    /// >>> p = terzo.game("quarto").position("6b../1.../27f0/8... d")
    /// >>> p.solve(moves=True).moves["c4.a"].value
    /// 100
    value: u8,
    /// Moves until the end when the winner hurries and the loser delays, where the solver knows it; in Quarto, placements.
    ///
    /// >>> import terzo
    /// >>> p = terzo.game("quarto").position("6b../1.../27f0/8... d")
    /// >>> p.solve(moves=True).moves["c4.a"].plies
    /// 7
    plies: Option<u32>,
}

/// What a position is worth to its mover.
///
/// >>> import terzo
/// >>> terzo.game("tictactoe").start().solve().value
/// 50
#[pyclass(frozen, module = "terzo")]
pub struct Solution {
    /// What the mover gets with best play, 0 to 100.
    ///
    /// >>> import terzo
    /// >>> terzo.game("tictactoe").start().solve().value
    /// 50
    #[pyo3(get)]
    value: u8,
    /// Moves until the end when the winner hurries and the loser delays, where the solver knows it; in Quarto, placements.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").position("6b../1.../27f0/8... d").solve().plies
    /// 7
    #[pyo3(get)]
    plies: Option<u32>,
    /// The moves that reach the value.
    ///
    /// >>> import terzo
    /// >>> terzo.game("quarto").position("6b../1.../27f0/8... d").solve().best
    /// ['c4.a']
    #[pyo3(get)]
    best: Vec<String>,
    moves: Option<Vec<(String, MoveValue)>>,
}

/// A value in a word: exact games for two share 100 points.
fn outcome(value: u8) -> &'static str {
    match value {
        0..50 => "loss",
        50 => "draw",
        _ => "win",
    }
}

#[pymethods]
impl MoveValue {
    /// "win", "draw" or "loss": more than half of the points, half of them, or less.
    ///
    /// >>> import terzo
    /// >>> p = terzo.game("quarto").position("6b../1.../27f0/8... d")
    /// >>> p.solve(moves=True).moves["c1.4"].outcome
    /// 'draw'
    #[getter]
    fn outcome(&self) -> &'static str {
        outcome(self.value)
    }

    fn __repr__(&self) -> String {
        let plies = self.plies.map_or(String::new(), |plies| format!(", plies={plies}"));
        format!("MoveValue(value={}{plies})", self.value)
    }
}

#[pymethods]
impl Solution {
    /// "win", "draw" or "loss": more than half of the points, half of them, or less.
    ///
    /// >>> import terzo
    /// >>> terzo.game("tictactoe").start().solve().outcome
    /// 'draw'
    #[getter]
    fn outcome(&self) -> &'static str {
        outcome(self.value)
    }

    /// What every legal move is worth, if that was asked: a dictionary from moves to `MoveValue`.
    ///
    /// >>> import terzo
    /// >>> found = terzo.game("tictactoe").start().solve(moves=True)
    /// >>> found.moves["(mark,2,2)"]
    /// MoveValue(value=50)
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(moves) = &self.moves else {
            return Ok(None);
        };
        let table = PyDict::new(py);
        for (mv, value) in moves {
            table.set_item(mv, Py::new(py, value.clone())?)?;
        }
        Ok(Some(table))
    }

    fn __repr__(&self) -> String {
        let plies = self.plies.map_or(String::new(), |plies| format!(", plies={plies}"));
        format!(
            "Solution(value={}, outcome='{}'{plies}, best={:?})",
            self.value,
            self.outcome(),
            self.best
        )
        .replace('"', "'")
    }
}

impl Solution {
    pub fn of(truth: Truth<String>) -> Self {
        let judged = |judged: MoveTruth<String>| {
            let MoveTruth { mv, value, plies } = judged;
            (mv, MoveValue { value, plies })
        };
        Solution {
            value: truth.value,
            plies: truth.plies,
            best: truth.best,
            moves: truth.moves.map(|moves| moves.into_iter().map(judged).collect()),
        }
    }
}

/// Positions of one game each, and where they stood.
fn by_game(positions: &[Py<Position>]) -> Vec<(&Position, Vec<usize>)> {
    let mut groups: Vec<(&Position, Vec<usize>)> = Vec::new();
    let mut known: HashMap<*const (), usize> = HashMap::new();
    for (at, position) in positions.iter().enumerate() {
        let position = position.get();
        // The same `Game` is found by its address; an equal one, made apart, is a group of its own.
        let address = std::sync::Arc::as_ptr(&position.game_of().game).cast::<()>();
        let group = *known.entry(address).or_insert_with(|| {
            groups.push((position, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(at);
    }
    groups
}

/// The exact values of positions, in their order, on all cores: `Position.solve` for many.
///
/// >>> import terzo
/// >>> start = terzo.game("tictactoe").start()
/// >>> [found.outcome for found in terzo.solve([start.play(move) for move in start.legal_moves()[:2]])]
/// ['draw', 'draw']
#[pyfunction]
#[pyo3(signature = (positions, *, moves = false, memory = None, threads = 0, book = true))]
pub fn solve(
    py: Python,
    positions: Vec<Py<Position>>,
    moves: bool,
    memory: Option<usize>,
    threads: usize,
    book: bool,
) -> PyResult<Vec<Solution>> {
    let threads = self::threads(threads)?;
    let mut answers: Vec<Option<Solution>> = positions.iter().map(|_| None).collect();
    for (first, places) in by_game(&positions) {
        let some: Vec<&dyn AnyPosition> = places.iter().map(|&at| positions[at].get().position.as_ref()).collect();
        let found = wait_quietly(py, |stop| {
            let settings = TruthSettings {
                memory,
                threads,
                book,
                moves,
                stop: stop.clone(),
            };
            first.game_of().game.truths(&some, &settings)
        })?;
        for (at, truth) in places.into_iter().zip(found.map_err(of_truth)?) {
            answers[at] = Some(Solution::of(truth.map_err(of_truth)?));
        }
    }
    Ok(answers.into_iter().flatten().collect())
}

/// More random games in one call are surely a slip.
const MOST_GAMES: u64 = 10_000_000_000;

/// Random games from each position, on all cores: a numpy array of what every seat got on average, a row a position. The same seed
/// gives the same games. Compiled rule sheets play hundreds of games at once.
///
/// >>> import terzo
/// >>> means = terzo.playouts([terzo.game("tictactoe").start()], games=1000, seed=1)
/// >>> means.shape, bool(means[0, 0] > 60)
/// ((1, 2), True)
#[pyfunction]
#[pyo3(signature = (positions, games = 100, *, seed = 0, threads = 0))]
pub fn playouts(
    py: Python<'_>,
    positions: Vec<Py<Position>>,
    games: u64,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'_, PyAny>> {
    let threads = self::threads(threads)?;
    if games == 0 || games.saturating_mul(positions.len() as u64) > MOST_GAMES {
        return Err(PyValueError::new_err(format!(
            "games: expected 1 or more, and at most {MOST_GAMES} in all, found {games} for {} positions",
            positions.len()
        )));
    }
    let seats = positions.first().map_or(0, |first| first.get().game_of().game.seats());
    let mut means = vec![0.0f64; seats * positions.len()];
    for (first, places) in by_game(&positions) {
        let game = &first.game_of().game;
        if game.seats() != seats {
            return Err(PyValueError::new_err(
                "expected positions of games with the same number of seats",
            ));
        }
        let some: Vec<&dyn AnyPosition> = places.iter().map(|&at| positions[at].get().position.as_ref()).collect();
        let played = wait_quietly(py, |stop| {
            let until = Until {
                deadline: None,
                stop: stop.clone(),
            };
            game.random_games(&some, games, seed, threads, &until)
        })?;
        for (at, count) in places.into_iter().zip(played.map_err(of_truth)?) {
            for (seat, &points) in count.points.iter().enumerate() {
                means[at * seats + seat] = points as f64 / count.games.max(1) as f64;
            }
        }
    }
    let bytes: Vec<u8> = means.iter().flat_map(|mean| mean.to_ne_bytes()).collect();
    let flat = py
        .import("numpy")?
        .call_method1("frombuffer", (PyByteArray::new(py, &bytes), "float64"))?;
    flat.call_method1("reshape", (positions.len(), seats))
}
