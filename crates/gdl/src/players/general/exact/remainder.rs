//! How much is left of a game, as a few random games tell it.

use crate::Position;
use game::{Game, rng};

/// As many random games tell how much is left.
const WALKS: usize = 16;

/// How much is left of a game.
#[derive(Clone, Copy, Debug)]
pub struct Remainder {
    /// Half the logarithm of the number of ways to play the widest of a few random games, which is about what alpha-beta searches if it
    /// guesses well.
    pub size: f64,
}

impl Remainder {
    /// How much is left from a position on; none if it is more than `large`.
    pub fn of(root: &Position, large: f64) -> Option<Self> {
        let mut rng = rng(1);
        let mut legal = Vec::new();
        let mut size = 0.0;
        for _ in 0..WALKS {
            let mut position = root.clone();
            let mut left = 0.0;
            while let Some(mv) = position.random_move(&mut rng, &mut legal) {
                left += (legal.len() as f64).ln() / 2.0;
                if left > large {
                    return None;
                }
                position.play_unchecked(mv);
            }
            size = f64::max(size, left);
        }
        Some(Remainder { size })
    }
}
