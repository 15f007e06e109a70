//! Random turns to begin with.

use crate::{Game, mix, rng};

/// Keeps the chance of openings apart from that of players.
const OPENING: u64 = 0x6f70_656e;

/// So many random turns from a position on that do not end the game; if the rules make that all but impossible, fewer of them.
///
/// They depend on nothing but the seed and the round: all players meet on the same ground.
pub fn random_opening<G: Game>(
    first: &G,
    plies: u32,
    seed: u64,
    round: u64,
    buffer: &mut Vec<G::Move>,
) -> Vec<G::Move> {
    const TRIES: u32 = 100;
    let mut chance = rng(mix(seed, &[OPENING, round]));
    let mut attempt = 0;
    loop {
        let mut position = first.clone();
        let mut moves = Vec::new();
        let wanted = plies.saturating_sub(attempt / TRIES);
        for _ in 0..wanted {
            let Some(mv) = position.random_move(&mut chance, buffer) else {
                break;
            };
            moves.push(mv);
            position.play_unchecked(mv);
        }
        if position.outcome().is_none() || wanted == 0 {
            return moves;
        }
        attempt += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::Heap;

    #[test]
    fn an_opening_never_ends_the_game_and_is_a_function_of_seed_and_round() {
        let mut buffer = Vec::new();
        let mut opening = |size, plies, seed, round| random_opening(&Heap::new(size), plies, seed, round, &mut buffer);
        assert_eq!(opening(30, 4, 1, 2), opening(30, 4, 1, 2));
        assert!((3..20).any(|round| opening(30, 4, 1, round) != opening(30, 4, 1, 2)));
        assert!((3..20).any(|seed| opening(30, 4, seed, 2) != opening(30, 4, 1, 2)));
        for round in 0..50 {
            assert_eq!(opening(30, 4, 1, round).len(), 4);
            let taken: u32 = opening(6, 9, 1, round).into_iter().map(u32::from).sum();
            assert!(taken < 6, "a heap of 6 ends within nine turns");
        }
    }
}
