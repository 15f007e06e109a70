//! Whether what stands on the board decides a game, seen from random games.
//!
//! What the facts of a position weigh together is then its material. In games that are won by taking, or by filling boxes, it
//! stays the same in most moves and whoever has more of it wins more often: there alpha-beta that counts it sees more than random
//! games do. Where every move changes it (stones are put, or turned over) or none does, it says nothing.

use super::survey::{Survey, SurveyGame};
use crate::{FactWeights, State};

/// Fewer games than this tell nothing.
const FEWEST: usize = 5;
/// Material changes in at least and at most these shares of the moves.
const SELDOM: f64 = 0.02;
const OFTEN: f64 = 0.5;
/// How strongly having more and winning go together, at least (the coefficient of correlation).
const TOGETHER: f64 = 0.1;

/// Whether material decides the game that was surveyed.
pub fn decides(survey: &Survey, weights: &FactWeights) -> bool {
    if survey.games.len() < FEWEST || weights.bases.is_empty() {
        return false;
    }
    let mut weights = weights.bases.clone();
    leave_out_whose_turn_it_is(&survey.games, &mut weights);
    let (changes, together) = behaviour(&survey.games, &weights);
    (SELDOM..=OFTEN).contains(&changes) && together >= TOGETHER
}

/// Facts that only say who chooses are no material.
fn leave_out_whose_turn_it_is(games: &[SurveyGame], weights: &mut [i32]) {
    let positions = || games.iter().flat_map(|game| &game.positions);
    for (base, weight) in weights.iter_mut().enumerate().filter(|(_, weight)| **weight != 0) {
        let says = |seat: usize| positions().all(|(state, mover)| holds(state, base) == (*mover == seat));
        if says(0) || says(1) {
            *weight = 0;
        }
    }
}

/// In which share of the moves material changes, and how it goes together with winning in the second halves of games.
fn behaviour(games: &[SurveyGame], weights: &[i32]) -> (f64, f64) {
    let (mut moves, mut changes, mut seen) = (0u32, 0u32, Vec::new());
    for game in games {
        let material: Vec<i32> = game.positions.iter().map(|(state, _)| weigh(state, weights)).collect();
        moves += material.len().saturating_sub(1) as u32;
        changes += material.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32;
        let later = &material[material.len() / 2..];
        seen.extend(
            later
                .iter()
                .map(|&material| (f64::from(material), f64::from(game.points))),
        );
    }
    (f64::from(changes) / f64::from(moves.max(1)), correlation(&seen))
}

fn holds(state: &State, base: usize) -> bool {
    state.0.get(base / 32).is_some_and(|word| word >> (base % 32) & 1 == 1)
}

fn weigh(state: &State, weights: &[i32]) -> i32 {
    let held = weights.iter().enumerate().filter(|(base, _)| holds(state, *base));
    held.map(|(_, weight)| weight).sum()
}

/// The coefficient of correlation; 0 where one of both never varies.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let count = pairs.len().max(1) as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum::<f64>();
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    if spread > 0.0 { sum(&|x, y| x * y) / spread } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::deep::Deep;
    use super::*;
    use crate::{BuildLimits, Machine, Position, Sheet};
    use game::Until;

    #[test]
    fn material_decides_where_pieces_are_taken_and_not_where_stones_are_put() {
        let by_material = |name: &str| {
            let machine = Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap();
            let survey = Survey::new(&Position::new(machine).unwrap(), &Until::never());
            Deep::new(&survey).by_material
        };
        for name in ["breakthrough", "checkers"] {
            assert!(by_material(name), "{name}");
        }
        for name in [
            "connectfour",
            "reversi",
            "gomoku",
            "hex",
            "turntables",
            "quarto",
            "amazons",
            "tictactoe",
        ] {
            assert!(!by_material(name), "{name}");
        }
    }
}
