//! Alpha-beta for games of two who move in turn and want opposite things: where what stands on the board decides, and where
//! random games take too long to tell anything.

use super::kinds;
use super::material;
use super::survey::Survey;
use crate::{FactWeights, Position};
use game::{Game, Seat};
use search::{AlphaBeta, Evaluator, Scale, Settings, Value};

/// A search by [`Sense`].
pub struct Deep {
    /// The search.
    pub search: AlphaBeta<Position, Sense>,
    /// Whether there is material in this game.
    pub by_material: bool,
}

impl Deep {
    /// A search for the game that was surveyed.
    pub fn new(survey: &Survey) -> Self {
        let search = search(survey);
        Deep {
            by_material: material::is_there(survey, &search.evaluator().weights),
            search,
        }
    }

    /// What every fact is worth to the first role; nothing, if there is no material.
    pub fn worth(&self) -> &[i32] {
        if self.by_material {
            &self.search.evaluator().weights.bases
        } else {
            &[]
        }
    }
}

fn search(survey: &Survey) -> AlphaBeta<Position, Sense> {
    let settings = Settings {
        table: Some(16),
        hold_out: true,
        // The mover's choices are counted at the horizon, and they shall be our own: only even depths. (With odd ones it sees
        // no good in bringing its own pieces out.)
        step: 2,
    };
    let moves = kinds::learn(&survey.glimpses, survey.start.machine().role_constants());
    let weigh = move |table: usize, row: &[u32]| (f64::from(MOVE) * moves.of(table, row)).round() as Value;
    let sense = Sense {
        branching: survey.branching as Value,
        weights: survey.start.machine().weights(weigh),
    };
    AlphaBeta::new(sense, settings)
}

/// What a position looks like to who knows only the rules: it is good to have many moves, and to have on the board what
/// gave many moves in other positions.
#[derive(Debug)]
pub struct Sense {
    branching: Value,
    /// What facts are worth to the first seat.
    weights: FactWeights,
}

/// What a win is worth.
pub const WIN: Value = 10_000;
/// What it is worth to have what gives a move, and to have a move.
pub const MOVE: Value = 20;
const CHOICE: Value = 5;

impl Evaluator<Position> for Sense {
    fn scale(&self) -> Scale {
        Scale { win: WIN, draw: 0 }
    }

    fn evaluate(&self, position: &Position) -> Value {
        let first = position.machine().weigh(&self.weights, position.state());
        let own = if position.mover() == Seat::FIRST { first } else { -first };
        let choices = position.legal_count() as Value - self.branching;
        (own + CHOICE * choices).clamp(1 - WIN, WIN - 1)
    }

    fn unit(&self) -> f64 {
        f64::from(MOVE)
    }
}
