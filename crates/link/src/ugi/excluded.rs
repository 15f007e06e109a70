//! Games that UGI cannot speak of: it has two players who move in turn and see everything.

use game::{Game, rng};
use thiserror::Error;

/// Why a game cannot be spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Excluded {
    /// Too many, or too few.
    #[error("UGI is for games with two seats, and this one has {0}")]
    Seats(usize),
    /// Somebody does not see everything.
    #[error("UGI is for games in which everybody sees everything, and in this one something is hidden")]
    Hidden,
    /// Both choose at once.
    #[error("UGI is for games in which the players move in turn, and in this one they choose at once")]
    AtOnce,
}

/// Moves of a random game that are looked at.
const LOOKED_AT: usize = 200;

/// Whether a game can be spoken of, as far as its first position and one random game show.
pub fn check<G: Game>(start: &G) -> Result<(), Excluded> {
    if start.seats() != 2 {
        return Err(Excluded::Seats(start.seats()));
    }
    if start.is_hidden() {
        return Err(Excluded::Hidden);
    }
    let (mut position, mut chance, mut buffer) = (start.clone(), rng(1), Vec::new());
    for _ in 0..LOOKED_AT {
        if position.movers().len() > 1 {
            return Err(Excluded::AtOnce);
        }
        match position.random_move(&mut chance, &mut buffer) {
            Some(mv) => position.play_unchecked(mv),
            None => break,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_seats_one_seat_and_both_at_once_are_excluded() {
        let checked = |name: &str| check(&gdl::Position::of_sheet(name).unwrap());
        assert_eq!(checked("trio"), Err(Excluded::Seats(3)));
        assert_eq!(checked("lights"), Err(Excluded::Seats(1)));
        assert_eq!(checked("duel"), Err(Excluded::AtOnce));
        assert_eq!(checked("tictactoe"), Ok(()));
        assert_eq!(check(&stack4::Position::new()), Ok(()));
    }
}
