//! Alpha-beta for games of two who move in turn and want opposite things: where what stands on the board decides, and where
//! random games take too long to tell anything.

use super::kinds;
use super::lookahead::{Judge, Lookahead, LookaheadBudget};
use super::material;
use super::survey::Survey;
use crate::{FactWeights, Move, Position};
use game::{Game, Rng, Seat, Until};
use player::{Analysis, Limits};
use search::{AlphaBeta, Evaluator, Scale, Settings, Value};

/// A search by what stands on the board and how many moves there are.
pub struct Deep {
    /// With the moves of a position made side by side, where the machine can do that.
    lookahead: Option<Lookahead>,
    /// With one position after the other.
    search: AlphaBeta<Position, Sense>,
    /// Whether there is material in this game.
    pub by_material: bool,
}

impl Deep {
    /// A search for the game that was surveyed.
    pub fn new(survey: &Survey) -> Self {
        let search = search(survey);
        let sense = search.evaluator();
        let noticed = material::noticed(survey, &sense.weights);
        Deep {
            lookahead: Lookahead::new(&survey.start, sense.judge(noticed)),
            by_material: noticed.is_some(),
            search,
        }
    }

    /// Looks ahead until a limit stops it or the position is solved, and tells what each depth has found. None only if the game is over.
    pub fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        rng: Option<&mut Rng>,
        tell: &mut dyn FnMut(Analysis<Move>),
    ) -> Option<Analysis<Move>> {
        let Some(lookahead) = &mut self.lookahead else {
            return self.search.search_observed(root, limits, rng, tell);
        };
        let began = game::Instant::now();
        let mut budget = LookaheadBudget {
            until: Until {
                deadline: limits.time.and_then(|time| began.checked_add(time)),
                stop: limits.stop.clone(),
            },
            nodes: limits.nodes.unwrap_or(u64::MAX),
            depth: limits.depth.unwrap_or(u32::MAX),
        };
        let shown = |found: Analysis<Move>| Analysis {
            value: found.value.map(|value| value / f64::from(MOVE)),
            score: None,
            time: began.elapsed(),
            ..found
        };
        let found = lookahead.search(root, &mut budget, rng, &mut |found| tell(shown(found)));
        found.map(shown)
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
    AlphaBeta::new(Sense::new(survey), settings)
}

/// What a position looks like to who knows only the rules: it is good to have many moves, and to have on the board what
/// gave many moves in other positions.
#[derive(Debug)]
pub struct Sense {
    branching: Value,
    /// What facts are worth to the first seat.
    weights: FactWeights,
}

impl Sense {
    /// What was learnt of a game.
    pub fn new(survey: &Survey) -> Self {
        let moves = kinds::learn(&survey.glimpses, survey.start.machine().role_constants());
        let weigh = move |table: usize, row: &[u32]| (f64::from(MOVE) * moves.of(table, row)).round() as Value;
        Sense {
            branching: survey.branching as Value,
            weights: survey.start.machine().weights(weigh),
        }
    }

    /// The same for positions that are rows of bits; from `noticed` on a change of the balance is a capture.
    pub fn judge(&self, noticed: Option<Value>) -> Judge {
        Judge {
            weights: self.weights.bases.clone(),
            branching: self.branching,
            noticed,
        }
    }
}

/// What a win is worth.
pub const WIN: Value = 10_000;
/// What it is worth to have what gives a move, and to have a move.
pub const MOVE: Value = 20;
/// What it is worth to have a choice.
pub const CHOICE: Value = 5;

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
