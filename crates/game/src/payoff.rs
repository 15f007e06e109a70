//! What a finished game is worth to each seat.

use crate::Seat;
use arrayvec::ArrayVec;

/// The most seats any game here may have.
pub const MAX_SEATS: usize = 16;

/// What a seat got: 0 (loss) to 100 (win), 50 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Payoff(u8);

impl Payoff {
    /// Everything.
    pub const WIN: Payoff = Payoff(100);
    /// Half.
    pub const DRAW: Payoff = Payoff(50);
    /// Nothing.
    pub const LOSS: Payoff = Payoff(0);

    /// A payoff, if `points` is at most 100.
    #[inline]
    pub const fn new(points: u8) -> Option<Self> {
        if points <= 100 { Some(Payoff(points)) } else { None }
    }

    /// 0 to 100.
    pub const fn points(self) -> u8 {
        self.0
    }
}

/// The payoffs of all seats.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Payoffs(ArrayVec<Payoff, MAX_SEATS>);

impl Payoffs {
    /// The payoffs in seat order. `None` if there are more than [`MAX_SEATS`].
    #[inline]
    pub fn new(payoffs: &[Payoff]) -> Option<Self> {
        ArrayVec::try_from(payoffs).ok().map(Payoffs)
    }

    /// A game for two that `winner` won.
    #[inline]
    pub fn win(winner: Seat) -> Self {
        let mut both = ArrayVec::from_iter([Payoff::LOSS, Payoff::LOSS]);
        both[winner.index()] = Payoff::WIN;
        Payoffs(both)
    }

    /// A drawn game for two.
    #[inline]
    pub fn draw() -> Self {
        Payoffs(ArrayVec::from_iter([Payoff::DRAW, Payoff::DRAW]))
    }

    /// What `seat` got.
    #[inline]
    pub fn of(&self, seat: Seat) -> Payoff {
        self.0[seat.index()]
    }

    /// All payoffs in seat order.
    pub fn all(&self) -> &[Payoff] {
        &self.0
    }

    /// The seat of a game for two that got more, if one did.
    #[inline]
    pub fn winner(&self) -> Option<Seat> {
        match (self.of(Seat::FIRST), self.of(Seat::SECOND)) {
            (a, b) if a > b => Some(Seat::FIRST),
            (a, b) if a < b => Some(Seat::SECOND),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payoff_is_at_most_a_hundred() {
        assert_eq!(Payoff::new(100), Some(Payoff::WIN));
        assert_eq!(Payoff::new(101), None);
    }

    #[test]
    fn the_winner_is_who_got_more() {
        assert_eq!(Payoffs::win(Seat::SECOND).winner(), Some(Seat::SECOND));
        assert_eq!(Payoffs::draw().winner(), None);
    }
}
