//! Whether there is material in a game: something on the board whose balance mostly stays as it is, seen from random games.
//!
//! What the facts of a position weigh together is its balance. In games in which pieces are taken or boxes are filled it changes in
//! some moves, but in most it does not: there alpha-beta, which looks for the moves that change it, sees more than random games do.
//! Where every move changes it (stones are put, or turned over) or none does, it says nothing; nor does it where it always
//! leans to the same side, for then it is not what the two have of the same.

use super::survey::Survey;
use crate::{FactWeights, State};

/// Fewer games than this tell nothing.
const FEWEST: usize = 5;
/// The balance changes in at least and at most these shares of the moves.
const SELDOM: f64 = 0.02;
const OFTEN: f64 = 0.4;
/// A change counts from this part of the balance's spread on: weights are learnt, and what should weigh nothing weighs a little.
const NOTICED: f64 = 0.25;

/// From where on a change of the balance counts, if there is material in the game that was surveyed.
pub fn noticed(survey: &Survey, weights: &FactWeights) -> Option<i32> {
    if survey.games.len() < FEWEST || weights.bases.is_empty() {
        return None;
    }
    let mut weights = weights.bases.clone();
    leave_out_whose_turn_it_is(survey, &mut weights);
    let balance = |(state, _): &(State, usize)| f64::from(weigh(state, &weights));
    let games: Vec<Vec<f64>> = survey
        .games
        .iter()
        .map(|game| game.iter().map(balance).collect())
        .collect();
    let count = games.iter().map(Vec::len).sum::<usize>().max(1) as f64;
    let mean = games.iter().flatten().sum::<f64>() / count;
    let spread = (games.iter().flatten().map(|own| (own - mean).powi(2)).sum::<f64>() / count).sqrt();
    let moves = games.iter().flat_map(|game| game.windows(2));
    let noticed = moves.filter(|pair| (pair[1] - pair[0]).abs() > NOTICED * spread);
    let changes = noticed.count() as f64 / count;
    let is_there = (SELDOM..=OFTEN).contains(&changes) && mean.abs() <= spread;
    is_there.then(|| ((NOTICED * spread) as i32).max(1))
}

/// Facts that only say who chooses are no material.
fn leave_out_whose_turn_it_is(survey: &Survey, weights: &mut [i32]) {
    let positions = || survey.games.iter().flatten();
    for (base, weight) in weights.iter_mut().enumerate().filter(|(_, weight)| **weight != 0) {
        let says = |seat: usize| positions().all(|(state, mover)| holds(state, base) == (*mover == seat));
        if says(0) || says(1) {
            *weight = 0;
        }
    }
}

fn holds(state: &State, base: usize) -> bool {
    state.0.get(base / 32).is_some_and(|word| word >> (base % 32) & 1 == 1)
}

fn weigh(state: &State, weights: &[i32]) -> i32 {
    let held = weights.iter().enumerate().filter(|(base, _)| holds(state, *base));
    held.map(|(_, weight)| weight).sum()
}

#[cfg(test)]
mod tests {
    use super::super::deep::Deep;
    use super::*;
    use crate::{BuildLimits, Machine, Position, Sheet};
    use game::Until;

    #[test]
    fn there_is_material_where_pieces_are_taken_and_none_where_stones_are_put() {
        let by_material = |name: &str| {
            let machine = Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap();
            let survey = Survey::new(&Position::new(machine).unwrap(), &Until::never());
            Deep::new(&survey).by_material
        };
        for name in ["breakthrough", "checkers"] {
            assert!(by_material(name), "{name}");
        }
        let none = "connectfour reversi gomoku hex turntables quarto amazons tictactoe";
        for name in none.split(' ') {
            assert!(!by_material(name), "{name}");
        }
    }
}
