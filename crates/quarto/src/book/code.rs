//! Values of positions with a piece in hand in four bits, and the keys they are kept under.

use crate::Position;
use crate::solver::{Exact, Outcome};
use crate::symmetry::CanonicalKey;
use game::mix;

/// The key of a position in a static function.
pub(crate) fn key_of(key: CanonicalKey) -> u64 {
    let number = key.number();
    mix(number as u64, &[(number >> 64) as u64])
}

/// Four bits for a position with a piece in hand: 0 for a draw, else who wins and half the placements, rounded up. Who
/// completes a line is known by the parity of the placements, so no more is needed. `None` if it does not fit.
pub(crate) fn code(exact: Exact) -> Option<u8> {
    let half = exact.plies.div_ceil(2) as u8;
    match exact.outcome {
        Outcome::Draw => Some(0),
        Outcome::Win => (1..=8).contains(&half).then_some(half),
        Outcome::Loss => (1..=7).contains(&half).then_some(8 + half),
    }
}

/// What a code says of a position: who has a piece in hand wins after an odd number of placements and loses after an even one;
/// in misère the other way round.
pub(crate) fn decode(code: u8, position: &Position) -> Exact {
    let (outcome, half) = match u32::from(code) {
        0 => {
            return Exact {
                outcome: Outcome::Draw,
                plies: 16 - position.placed(),
            };
        }
        half @ 1..=8 => (Outcome::Win, half),
        half => (Outcome::Loss, half - 8),
    };
    let odd = (outcome == Outcome::Win) != position.rules().misere();
    Exact {
        outcome,
        plies: 2 * half - u32::from(odd),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    #[test]
    fn values_round_trip_through_their_code_in_misere_too() {
        for rules in ["quarto", "quarto-misere"].map(|name| Rules::named(name).unwrap()) {
            let mut position = Position::new(rules);
            for piece in crate::Piece::all().take(5) {
                position = position.giving(piece);
                let ends = 1..=16 - position.placed();
                for plies in ends {
                    let wins = (plies % 2 == 1) != rules.misere();
                    let outcome = if wins { Outcome::Win } else { Outcome::Loss };
                    let exact = Exact { outcome, plies };
                    match code(exact) {
                        Some(code) => assert_eq!(decode(code, &position), exact),
                        None => assert!(plies >= 15 && outcome == Outcome::Loss, "{exact:?}"),
                    }
                }
                let cell = position.empty().into_iter().next().unwrap();
                position = position.placing(cell);
            }
        }
    }
}
