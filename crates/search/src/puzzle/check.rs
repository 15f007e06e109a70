//! Proving a puzzle: exactly one move reaches its goal, and does so against every defence.

use super::{Puzzle, PuzzleKind, Tactics, Theme};
use crate::{Unsolved, Watch};
use game::Game;
use std::fmt;

/// So many wrong moves there are at least where one holds: else it is no choice.
const FEWEST_WRONG: usize = 2;

/// How far the opponent's goal is looked for where the game cannot be solved to its end.
const THREAT: u32 = 2;

/// So many wrong moves look safe there, at least: the opponent does not reach the goal at once.
const TEMPTING: usize = 4;

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Other moves than the one written down, as text, reach a goal, or none does.
    Other(Option<(PuzzleKind, String)>),
    /// Nothing is known: the game is too large, or somebody stopped it.
    Unsolved(Unsolved),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Flaw::Other(None) => f.write_str("it has no single answer"),
            Flaw::Other(Some((kind, answer))) => write!(f, "it is {kind} with the answer {answer}"),
            Flaw::Unsolved(why) => why.fmt(f),
        }
    }
}

/// What a position can ask, if it has one answer.
///
/// # Errors
/// [`Unsolved`] if the game is too large, or somebody wants it to stop.
pub fn classify<G: Game>(
    theme: &Theme<G>,
    position: &G,
    watch: &Watch,
) -> Result<Option<(PuzzleKind, G::Move)>, Unsolved> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if moves.len() < 2 {
        return Ok(None);
    }
    let mut tactics = Tactics::new(theme.goal, watch.clone());
    match theme.values {
        Some(values) => {
            let values = values(position, &watch.stop)?;
            solved(theme, position, &values, &mut tactics)
        }
        None => seen(theme, position, &moves, &mut tactics),
    }
}

/// Of a position whose moves have exact values.
fn solved<G: Game>(
    theme: &Theme<G>,
    position: &G,
    values: &[(G::Move, u8)],
    tactics: &mut Tactics<G>,
) -> Result<Option<(PuzzleKind, G::Move)>, Unsolved> {
    let worth = |value: u8| -> Vec<G::Move> {
        let of = values.iter().filter(|(_, other)| *other == value);
        of.map(|(mv, _)| *mv).collect()
    };
    Ok(match (&worth(100)[..], &worth(50)[..]) {
        ([win], _) => {
            let turns = tactics.distance(position, position.mover(), theme.longest)?;
            turns.map(|turns| (PuzzleKind::Win(turns), *win))
        }
        ([], [draw]) if worth(0).len() == values.len() - 1 && values.len() > FEWEST_WRONG => {
            Some((PuzzleKind::Hold, *draw))
        }
        _ => None,
    })
}

/// Of a position in which only the next turns can be seen.
fn seen<G: Game>(
    theme: &Theme<G>,
    position: &G,
    moves: &[G::Move],
    tactics: &mut Tactics<G>,
) -> Result<Option<(PuzzleKind, G::Move)>, Unsolved> {
    let seat = position.mover();
    if let Some(turns) = tactics.distance(position, seat, theme.longest)? {
        let mut wins = Vec::new();
        for &mv in moves {
            if tactics.wins_by(position, mv, seat, turns)? {
                wins.push(mv);
            }
        }
        return Ok(match wins[..] {
            [win] => Some((PuzzleKind::Win(turns), win)),
            _ => None,
        });
    }
    let (mut holding, mut tempting) = (Vec::new(), 0);
    for &mv in moves {
        let mut after = position.clone();
        after.play_unchecked(mv);
        if after.outcome().is_some() {
            return Ok(None);
        }
        match tactics.distance(&after, after.mover(), THREAT)? {
            None => holding.push(mv),
            Some(turns) => tempting += usize::from(turns > 1),
        }
        if holding.len() > 1 {
            return Ok(None);
        }
    }
    Ok(match holding[..] {
        [mv] if tempting >= TEMPTING => Some((PuzzleKind::Hold, mv)),
        _ => None,
    })
}

/// Proves a puzzle: its answer is the only one, and a win stands against every defence to the goal.
///
/// # Errors
/// The [`Flaw`] that was found.
pub fn check<G: Game>(theme: &Theme<G>, puzzle: &Puzzle<G>, watch: &Watch) -> Result<(), Flaw> {
    let Puzzle {
        kind, position, answer, ..
    } = puzzle;
    let found = classify(theme, position, watch).map_err(Flaw::Unsolved)?;
    if found != Some((*kind, *answer)) {
        let in_words = |(kind, answer)| (kind, position.print_move(answer));
        return Err(Flaw::Other(found.map(in_words)));
    }
    Ok(())
}
