//! Discs on pegs, where a sheet says which facts these are.

use crate::describe::ToSchema;
use ::gdl::{Position, words};
use game::Game;
use serde::Serialize;

/// A peg and the discs on it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Peg {
    /// Its name.
    pub name: String,
    /// The sizes of its discs, the lowest first.
    pub discs: Vec<u32>,
    /// The mover's moves that carry its top disc away.
    pub moves: Vec<PegMove>,
}

/// A move that carries a disc to another peg.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PegMove {
    /// The move as it is played.
    pub turn: String,
    /// The peg that it goes to.
    pub to: String,
}

/// More discs than that are no tower to draw.
const MOST_DISCS: usize = 32;

/// The pegs that the sheet names: facts `(RELATION disc peg)`. A move that names two of them carries the top disc of the first to the
/// second; the larger of two discs lies lower.
pub fn pegs(position: &Position, facts: &[String]) -> Vec<Peg> {
    let Some(hinted) = &position.machine().hints().pegs else {
        return Vec::new();
    };
    let peg_named = |word: &str| hinted.names.iter().position(|name| name.eq_ignore_ascii_case(word));
    let mut pegs: Vec<Peg> = hinted
        .names
        .iter()
        .map(|name| Peg {
            name: name.clone(),
            discs: Vec::new(),
            moves: Vec::new(),
        })
        .collect();
    for fact in facts {
        if let Some([relation, disc, peg]) = words(fact).as_deref()
            && relation.eq_ignore_ascii_case(&hinted.relation)
            && let (Ok(disc), Some(peg)) = (disc.parse(), peg_named(peg))
        {
            pegs[peg].discs.push(disc);
        }
    }
    if pegs.iter().any(|peg| peg.discs.len() > MOST_DISCS) {
        return Vec::new();
    }
    for peg in &mut pegs {
        peg.discs.sort_unstable_by(|a, b| b.cmp(a));
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let turn = position.print_move(mv);
        let named: Vec<usize> = words(&turn)
            .unwrap_or_default()
            .into_iter()
            .filter_map(peg_named)
            .collect();
        if let [from, to] = named[..] {
            let to = hinted.names[to].clone();
            pegs[from].moves.push(PegMove { turn, to });
        }
    }
    pegs
}
