//! Alpha-beta for games of two who move in turn and want opposite things: it proves what is near the end, and judges where
//! random games take too long to tell anything.

use game::{Game, Seat};
use gdl::Position;
use search::{AlphaBeta, Evaluator, Scale, Settings, Value};

/// A search by [`Sense`].
pub type Deep = AlphaBeta<Position, Sense>;

/// A search for a game with so many choices at a turn.
pub fn deep(branching: f64) -> Deep {
    let settings = Settings {
        table: Some(16),
        hold_out: true,
        step: 1,
    };
    AlphaBeta::new(
        Sense {
            branching: branching as Value,
        },
        settings,
    )
}

/// What a position looks like to who knows only the rules: to have many moves is good, and so is to be named in more facts
/// than the other, for in most games those are one's pieces.
#[derive(Clone, Copy, Debug)]
pub struct Sense {
    branching: Value,
}

/// What a win is worth.
pub const WIN: Value = 10_000;
/// What a fact that names a seat is worth to it, and a choice.
pub const FACT: Value = 100;
const CHOICE: Value = 5;

impl Evaluator<Position> for Sense {
    fn scale(&self) -> Scale {
        Scale { win: WIN, draw: 0 }
    }

    fn evaluate(&self, position: &Position) -> Value {
        let mover = position.mover();
        let named = |seat: Seat| position.machine().mentions(position.state(), seat.index()) as Value;
        // Whose turn it is, is a fact, too.
        let facts = named(mover) - named(mover.other()) - 1;
        let choices = position.legal_count() as Value - self.branching;
        (FACT * facts + CHOICE * choices).clamp(1 - WIN, WIN - 1)
    }

    fn unit(&self) -> f64 {
        f64::from(FACT)
    }
}
