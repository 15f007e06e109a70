//! Where turns lead, up to symmetry.

use crate::symmetry::CanonicalKey;
use crate::{Position, Turn};
use game::Game;
use std::collections::HashSet;

/// A turn, and the representative of the positions that it leads to: a question about one of them is the same question whatever led there.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnTo {
    pub(super) turn: Turn,
    pub(super) key: CanonicalKey,
    pub(super) position: Position,
}

/// The turns of a position after which the game goes on, one of each kind.
pub(super) fn turns_to(position: &Position) -> Vec<TurnTo> {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    let mut seen = HashSet::new();
    let to = |turn| {
        let mut after = *position;
        after.play_unchecked(turn);
        let key = after.canonical_key();
        let new = after.playing() && seen.insert(key);
        new.then(|| TurnTo {
            turn,
            key,
            position: after.canonical(),
        })
    };
    turns.into_iter().filter_map(to).collect()
}

/// A turn of the holder, and what the opponent can make of it.
#[derive(Clone, Debug)]
pub(super) struct HolderTurn {
    pub(super) turn: Turn,
    pub(super) after: Position,
    /// Where the holder is to move again.
    pub(super) replies: Vec<TurnTo>,
}

/// The turns of the holder that do not lose at once, in an order that does not depend on what is known.
pub(super) fn holder_turns(position: &Position) -> Vec<HolderTurn> {
    let turns = turns_to(position).into_iter();
    turns
        .map(|to| HolderTurn {
            turn: to.turn,
            after: to.position,
            replies: turns_to(&to.position),
        })
        .collect()
}
