//! Quarto's roster.

use crate::truth::Solved;
use crate::{Clock, Kind, Playable, Player, PlayerError, Thought, Truth, perfect, quarto_searchers};
use game::{Rng, rng};
use quarto::policy::{Novice, Random, TurnPolicy, turn_in_steps};
use quarto::{PieceSet, Position, Turn};
use std::sync::Arc;

impl Playable for Position {
    fn roster() -> Vec<Kind<Self>> {
        let mut roster = vec![
            Kind::new("random", "a random cell, then a random piece (report 000)", &[], |_| {
                Ok(Arc::new(|| AtSight::boxed(Random)))
            }),
            Kind::new(
                "novice",
                "takes a win; never gives a winning piece when another is left; otherwise random (report 000)",
                &[],
                |_| Ok(Arc::new(|| AtSight::boxed(Novice))),
            ),
        ];
        roster.extend(quarto_searchers::roster());
        roster.push(perfect::kind());
        roster
    }

    fn truth(&self) -> Option<Box<dyn Truth<Self>>> {
        Some(Box::new(Solved::new(self.rules())?))
    }

    fn drawing(&self, colour: bool) -> String {
        Position::drawing(self, colour)
    }

    fn facts(&self) -> Vec<(&'static str, Vec<String>)> {
        let texts = |pieces: PieceSet| pieces.into_iter().map(|piece| piece.to_string()).collect();
        let safe = PieceSet(self.left().0 & !self.completing_pieces().0);
        vec![
            ("pieces left", texts(self.left())),
            ("safe to give on this board", texts(safe)),
            ("threatened lines", self.threatened_lines()),
        ]
    }
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

    #[inline]
    fn choose(&mut self, position: &Position, clock: &Clock) -> Result<Thought<Turn>, PlayerError> {
        let mut placed_after = None;
        let turn = turn_in_steps(&self.policy, position, &mut self.rng, || {
            placed_after = Some(clock.elapsed())
        });
        let mut thought = Thought::silent(turn.ok_or(PlayerError::Finished)?);
        thought.placed_after = placed_after;
        Ok(thought)
    }
}
