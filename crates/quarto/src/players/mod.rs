//! Quarto's players.

mod decision;
mod evaluators;
mod half_turns;
mod heuristic_evaluator;
mod imagined;
mod oracle;
mod perfect;
mod searchers;
mod traps;

pub use evaluators::{EVALUATORS, EvaluatorEntry};
pub use heuristic_evaluator::HeuristicEvaluator;
pub use oracle::SolverOracle;

use crate::policy::{Novice, Random, TurnPolicy, probabilities, turn_in_steps};
use crate::{Position, Turn};
use game::{Rng, rng};
use player::{Analysis, Clock, Player, PlayerEntry, PlayerError, PlayerFactory, Roster, SpecError};
use std::sync::Arc;

/// The players of Quarto, weakest first.
pub fn roster() -> Roster<Position> {
    let mut roster = vec![
        PlayerEntry::new("random", "a random cell, then a random piece (report 000)", &[], |_| {
            Ok(Arc::new(|| AtSight::boxed(Random)))
        }),
        PlayerEntry::new(
            "novice",
            "takes a win; never gives a winning piece when another is left; otherwise random (report 000)",
            &[],
            |_| Ok(Arc::new(|| AtSight::boxed(Novice))),
        ),
    ];
    roster.extend(searchers::entries());
    roster.push(perfect::entry());
    Roster::new(roster)
}

/// What makes players of a spec.
///
/// # Errors
///
/// Says what is wrong with the spec.
pub fn factory(spec: &str) -> Result<PlayerFactory<Position>, SpecError> {
    roster().factory(spec)
}

/// A player that follows a policy and keeps time of its two steps.
pub(crate) struct AtSight<P> {
    policy: P,
    rng: Rng,
}

impl<P: TurnPolicy + 'static> AtSight<P> {
    pub fn boxed(policy: P) -> Box<dyn Player<Position>> {
        Box::new(AtSight { policy, rng: rng(0) })
    }
}

impl<P: TurnPolicy> Player<Position> for AtSight<P> {
    fn begin(&mut self, seed: u64) {
        self.rng = rng(seed);
    }

    fn reads_clock(&self) -> bool {
        false
    }

    fn move_probabilities(&mut self, position: &Position) -> Option<Vec<(Turn, f64)>> {
        Some(probabilities(&self.policy, position))
    }

    #[inline]
    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Analysis<Turn>, PlayerError> {
        let mut first_half = None;
        let turn = turn_in_steps(&self.policy, position, &mut self.rng, || {
            first_half = clock.measured.then(|| clock.elapsed());
        });
        Ok(Analysis {
            first_half,
            ..Analysis::of_move(turn.ok_or(PlayerError::Finished)?)
        })
    }
}
