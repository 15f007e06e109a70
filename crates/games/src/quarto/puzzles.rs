//! Puzzles of Quarto and its variants, by the solver.

use crate::puzzles::{MinedPuzzle, Mining, ProvedPuzzles, Puzzle, PuzzleError, PuzzleSet, Wanted, count, on_threads};
use game::{Game, Stop};
use quarto::puzzle::{self, Flaw};
use quarto::solver::Solver;
use quarto::{CellSet, Rules};
use search::Unsolved;

/// The table of each solver that checks: puzzles are late positions.
const MEMORY: usize = 4 << 20;

/// The puzzles of a file, for who shows them.
pub fn set(rules: &'static Rules, text: &str) -> Option<PuzzleSet> {
    let cells = |line: &CellSet| line.into_iter().map(|cell| cell.to_string()).collect();
    let puzzles = puzzle::read(rules, text).ok()?.into_iter().map(|puzzle| Puzzle {
        kind: puzzle.kind.to_string(),
        position: puzzle.position.print(),
        answer: puzzle.answer.to_string(),
        missed: puzzle.missed,
    });
    Some(PuzzleSet {
        goal: "win",
        lines: rules.lines().iter().map(cells).collect(),
        puzzles: puzzles.collect(),
    })
}

/// Finds puzzles.
pub fn mine(
    rules: &'static Rules,
    wanted: Wanted,
    stop: &Stop,
    told: &dyn Fn(Mining),
) -> Result<Vec<MinedPuzzle>, PuzzleError> {
    let found = puzzle::mine(rules, wanted, stop, told).map_err(|_| Unsolved::Stopped)?;
    let line = |puzzle: &puzzle::Puzzle| MinedPuzzle {
        kind: puzzle.kind.to_string(),
        line: puzzle.to_string(),
    };
    Ok(found.iter().map(line).collect())
}

/// Proves every puzzle of a file.
pub fn check(rules: &'static Rules, text: &str, threads: usize, stop: &Stop) -> Result<ProvedPuzzles, PuzzleError> {
    let puzzles = puzzle::read(rules, text).map_err(PuzzleError::Text)?;
    // A solver for so many puzzles that making it counts for nothing.
    let parts: Vec<&[puzzle::Puzzle]> = puzzles.chunks(100).collect();
    let wrong = on_threads(&parts, threads, |part| {
        let solver = Solver::new(rules, MEMORY, 1).ok()?;
        solver.set_stop(stop.clone());
        let wrong = |puzzle: &puzzle::Puzzle| {
            let flaw: Flaw = puzzle::check(&solver, puzzle).err()?;
            Some((puzzle.to_string(), flaw.to_string()))
        };
        Some(part.iter().filter_map(wrong).collect::<Vec<_>>())
    });
    // Where there was no memory for a solver, nothing was proved.
    if stop.is_raised() || wrong.len() < parts.len() {
        return Err(Unsolved::Stopped.into());
    }
    Ok(ProvedPuzzles {
        kinds: count(puzzles.iter().map(|puzzle| puzzle.kind.to_string())),
        wrong: wrong.into_iter().flat_map(|(_, wrong)| wrong).collect(),
    })
}
