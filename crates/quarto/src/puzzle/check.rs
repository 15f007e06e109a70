//! Proving a puzzle: exactly one answer reaches its goal, and a win stands against every defence.

use super::{Puzzle, PuzzleAnswer, PuzzleKind};
use crate::solver::{NoAnswer, Outcome, Solver};
use crate::symmetry::CanonicalKey;
use crate::{Position, Turn};
use game::Game;
use std::collections::HashSet;
use std::fmt;

/// So many wrong turns of a trap look safe, at least: the opponent completes nothing at once.
const TEMPTING: usize = 6;

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Other answers than the one written down reach the goal, or none does.
    Answers(Vec<PuzzleAnswer>),
    /// It is not a puzzle of its kind: too long, too short, or nothing is at stake.
    Kind,
    /// A defence holds: after these turns there is no win in time.
    Defended(Vec<Turn>),
    /// The solver was stopped.
    Stopped,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |f: &mut fmt::Formatter, all: &mut dyn Iterator<Item = String>| {
            f.write_str(&all.collect::<Vec<_>>().join(" "))
        };
        match self {
            Flaw::Answers(found) if found.is_empty() => f.write_str("nothing reaches the goal"),
            Flaw::Answers(found) => {
                f.write_str("reached by ")?;
                list(f, &mut found.iter().map(PuzzleAnswer::to_string))
            }
            Flaw::Kind => f.write_str("it is no puzzle of this kind"),
            Flaw::Defended(turns) => {
                f.write_str("there is no win in time after ")?;
                list(f, &mut turns.iter().map(Turn::to_string))
            }
            Flaw::Stopped => NoAnswer::Stopped.fmt(f),
        }
    }
}

impl From<NoAnswer> for Flaw {
    fn from(why: NoAnswer) -> Self {
        match why {
            NoAnswer::Stopped => Flaw::Stopped,
            NoAnswer::Finished => Flaw::Kind,
        }
    }
}

/// What reaches the goal of a kind in a position: all wins, or all that does not lose.
///
/// # Errors
/// [`NoAnswer`] if the solver was stopped, or the game is over.
pub fn answers(solver: &Solver, position: &Position, kind: PuzzleKind) -> Result<Vec<PuzzleAnswer>, NoAnswer> {
    let least = match kind {
        PuzzleKind::Win(_) => Outcome::Win,
        _ => Outcome::Draw,
    };
    let reaching = solver.turns(position)?.into_iter().filter(|(_, value)| *value >= least);
    let mut answers: Vec<PuzzleAnswer> = reaching
        .map(|(turn, _)| match (kind, turn.place) {
            (PuzzleKind::Draw, Some(cell)) => PuzzleAnswer::Cell(cell),
            _ => PuzzleAnswer::Turn(turn),
        })
        .collect();
    answers.dedup();
    Ok(answers)
}

/// Whether enough turns look safe and are not the answer: the game goes on, and the piece that is given completes nothing.
pub(super) fn is_tempting(position: &Position, answer: PuzzleAnswer) -> bool {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    let looks_safe = |turn: &&Turn| {
        let mut after = *position;
        after.play_unchecked(**turn);
        let given = after.hand().filter(|_| after.playing());
        !answer.is_in(**turn) && given.is_some_and(|piece| after.completing_cells(piece).is_empty())
    };
    turns.iter().filter(looks_safe).count() >= TEMPTING
}

/// Whether a position with this answer is a puzzle of its kind, apart from there being no other answer.
pub(super) fn is_of_kind(
    solver: &Solver,
    position: &Position,
    kind: PuzzleKind,
    answer: PuzzleAnswer,
) -> Result<bool, NoAnswer> {
    let placing = position.hand().is_some();
    Ok(match kind {
        PuzzleKind::Win(turns) => {
            let value = solver.exact(position)?;
            placing && value.outcome == Outcome::Win && value.plies.div_ceil(2) == turns
        }
        PuzzleKind::Draw => placing && solver.outcome(position)? == Outcome::Draw,
        PuzzleKind::Gift => !placing && position.left().len() >= 3,
        PuzzleKind::Trap => placing && solver.outcome(position)? == Outcome::Draw && is_tempting(position, answer),
    })
}

/// Proves a puzzle: its answer is the only one, and a win stands against every defence, turn by turn to the completed line.
///
/// # Errors
/// The first [`Flaw`] found.
pub fn check(solver: &Solver, puzzle: &Puzzle) -> Result<(), Flaw> {
    let Puzzle {
        kind, position, answer, ..
    } = puzzle;
    let found = answers(solver, position, *kind)?;
    if found != [*answer] {
        return Err(Flaw::Answers(found));
    }
    if !is_of_kind(solver, position, *kind, *answer)? {
        return Err(Flaw::Kind);
    }
    if let (PuzzleKind::Win(turns), PuzzleAnswer::Turn(turn)) = (kind, answer) {
        let mut proof = WinProof {
            solver,
            proved: HashSet::new(),
            line: Vec::new(),
        };
        if !proof.wins_by(position, *turn, *turns)? {
            return Err(Flaw::Defended(proof.line));
        }
    }
    Ok(())
}

/// A win being played out. The solver only proposes turns; that they win is seen at the end of every line.
struct WinProof<'a> {
    solver: &'a Solver,
    /// Positions won by who moves in so many turns.
    proved: HashSet<(CanonicalKey, u32)>,
    /// The turns so far; where the proof fails, they stay.
    line: Vec<Turn>,
}

impl WinProof<'_> {
    /// Whether who moves completes a line within so many turns of its own, this one the first, whatever the other does.
    fn wins_by(&mut self, position: &Position, turn: Turn, turns: u32) -> Result<bool, NoAnswer> {
        let mut after = *position;
        after.play_unchecked(turn);
        self.line.push(turn);
        if let Some(payoffs) = after.outcome() {
            let won = turns > 0 && payoffs.winner() == Some(position.mover());
            if won {
                self.line.pop();
            }
            return Ok(won);
        }
        let mut replies = Vec::new();
        after.legal_moves(&mut replies);
        for reply in replies {
            let mut next = after;
            next.play_unchecked(reply);
            self.line.push(reply);
            // Where completing a line loses, it is the other who ends the game.
            let won = match next.outcome() {
                Some(payoffs) => turns > 0 && payoffs.winner() == Some(position.mover()),
                None => self.wins(&next, turns.saturating_sub(1))?,
            };
            if !won {
                return Ok(false);
            }
            self.line.pop();
        }
        self.line.pop();
        Ok(true)
    }

    fn wins(&mut self, position: &Position, turns: u32) -> Result<bool, NoAnswer> {
        if turns == 0 {
            return Ok(false);
        }
        let key = (position.canonical_key(), turns);
        if self.proved.contains(&key) {
            return Ok(true);
        }
        let Some(turn) = self.proposal(position, turns)? else {
            return Ok(false);
        };
        let won = self.wins_by(position, turn, turns)?;
        if won {
            self.proved.insert(key);
        }
        Ok(won)
    }

    /// How many placements are left after a turn with which a win in so many turns begins.
    fn placements(&self, turns: u32) -> u32 {
        match self.solver.rules().misere() {
            true => 2 * turns - 1,
            false => 2 * turns - 2,
        }
    }

    /// A turn that the solver says wins in time.
    fn proposal(&self, position: &Position, turns: u32) -> Result<Option<Turn>, NoAnswer> {
        let mut all = Vec::new();
        position.legal_moves(&mut all);
        for turn in all {
            let mut after = *position;
            after.play_unchecked(turn);
            let wins = match after.outcome() {
                Some(payoffs) => payoffs.winner() == Some(position.mover()),
                None => self.solver.loses_within(&after, self.placements(turns))?,
            };
            if wins {
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }
}
