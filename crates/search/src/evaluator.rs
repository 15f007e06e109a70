//! What a position is worth: the evaluation, separate from the rules.

use game::{Game, Payoffs, Seat};

/// A value in the evaluator's own points, always from the point of view of the seat to move.
pub type Value = i32;

/// What finished games are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// What a win is worth, above 0 and at least as much as any evaluation; a loss is worth `-win`.
    pub win: Value,
    /// What a draw is worth to the seat that searches, and the negative of it to the other: minus the contempt of chess
    /// programs. Above 0 the searcher prefers certain draws to uncertain positions, below 0 it takes risks to avoid them.
    pub draw: Value,
}

/// A scale seen by the seat that searches: maps outcomes to values.
#[derive(Clone, Copy, Debug)]
pub struct SeatScale {
    scale: Scale,
    searcher: Seat,
}

impl SeatScale {
    /// The scale as `searcher`, the seat to move at the root, sees it.
    pub fn new(scale: Scale, searcher: Seat) -> Self {
        SeatScale { scale, searcher }
    }

    /// What a win is worth to the winner.
    pub fn win(&self) -> Value {
        self.scale.win
    }

    /// What a draw is worth to `seat`.
    pub fn draw(&self, seat: Seat) -> Value {
        if seat == self.searcher {
            self.scale.draw
        } else {
            -self.scale.draw
        }
    }

    /// What a finished game is worth to `seat`. Payoffs between loss, draw and win lie between their values.
    pub fn finished(&self, payoffs: &Payoffs, seat: Seat) -> Value {
        let points = Value::from(payoffs.of(seat).points());
        let draw = self.draw(seat);
        match points {
            100 => self.win(),
            50 => draw,
            0 => -self.win(),
            51.. => draw + (self.win() - draw) * (points - 50) / 50,
            _ => draw - (self.win() + draw) * (50 - points) / 50,
        }
    }

    /// A number to mix into keys when values depend on who searches, so that one table serves both seats.
    pub(crate) fn salt(&self) -> u64 {
        if self.scale.draw == 0 {
            0
        } else {
            0x9e37_79b9_7f4a_7c15u64.wrapping_mul(self.searcher.index() as u64 + 1)
        }
    }
}

/// Evaluates unfinished positions, and knows shortcuts.
///
/// The shortcuts save work and must never change a value: with and without them a search of the same depth finds the
/// same. The tests of a game's evaluators compare them with [`negamax`](crate::negamax), which uses none.
pub trait Evaluator<G: Game>: Send + Sync {
    /// What finished games are worth.
    fn scale(&self) -> Scale;

    /// What an unfinished position is worth to the seat to move; between a loss and a win.
    fn evaluate(&self, position: &G) -> Value;

    /// How many points make one unit when a value is shown, for evaluations that are fractions.
    fn unit(&self) -> f64 {
        1.0
    }

    /// A shortcut: the moves worth searching, written into `into`. May leave out moves as long as one of the best is
    /// kept: of moves that are equal by symmetry all but one, or moves that the next reply refutes if others are not
    /// refuted. `horizon` says where in the tree this is.
    fn moves(&self, position: &G, horizon: Horizon, into: &mut Vec<G::Move>) {
        let _ = horizon;
        position.legal_moves(into);
    }

    /// A shortcut: a move that wins at once, if there is one and the game can tell quickly.
    fn winning_move(&self, position: &G) -> Option<G::Move> {
        let _ = position;
        None
    }

    /// A shortcut: what a search of depth 1 finds in an unfinished position, without playing every move. May stop at the
    /// first move worth `beta` or more.
    fn last_ply(&self, position: &G, view: &SeatScale, beta: Value) -> Option<LastPly<G::Move>> {
        let _ = (position, view, beta);
        None
    }

    /// A move ordering score: higher is tried earlier. Asked once for each move of a node.
    fn promise(&self, position: &G, mv: G::Move) -> i32 {
        let _ = (position, mv);
        0
    }
}

/// Where in its tree a search is.
#[derive(Clone, Copy, Debug)]
pub struct Horizon {
    /// How many moves it has made since the root: some work only pays near it.
    pub ply: u32,
    /// How many moves it will look ahead, this one included: at 1 no reply is seen any more.
    pub depth: u32,
}

/// What [`Evaluator::last_ply`] found.
#[derive(Clone, Copy, Debug)]
pub struct LastPly<M> {
    /// A best move.
    pub best: M,
    /// Its value.
    pub value: Value,
    /// Whether the value depends on finished games alone.
    pub solved: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Payoff;

    #[test]
    fn a_draw_has_the_searchers_sign_and_payoffs_between_lie_between() {
        let view = SeatScale::new(Scale { win: 12, draw: 11 }, Seat::SECOND);
        assert_eq!(view.finished(&Payoffs::draw(), Seat::SECOND), 11);
        assert_eq!(view.finished(&Payoffs::draw(), Seat::FIRST), -11);
        assert_eq!(view.finished(&Payoffs::win(Seat::FIRST), Seat::FIRST), 12);
        assert_eq!(view.finished(&Payoffs::win(Seat::FIRST), Seat::SECOND), -12);
        let view = SeatScale::new(Scale { win: 100, draw: 0 }, Seat::FIRST);
        let some = |points| Payoff::new(points).expect("at most 100");
        let uneven = Payoffs::new(&[some(75), some(25)]).expect("two seats");
        assert_eq!(view.finished(&uneven, Seat::FIRST), 50);
        assert_eq!(view.finished(&uneven, Seat::SECOND), -50);
    }
}
