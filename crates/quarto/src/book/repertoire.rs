//! The repertoire: what a player needs of the positions beyond the book's depth if it always makes the book's turns.
//!
//! Such a player knows its own turns, so it meets only what its opponents make of them. With at most [`depth`](Book::depth)
//! pieces placed it has a choice, since all values are in the book: it keeps to the positions that the repertoire follows, a
//! bit each. From there on it makes the turn that the edge names. Every reply to these is in the book until
//! [`reach`](Book::reach) pieces are placed, and from then on a search takes a moment.
//!
//! A position does not tell how it was reached, and the book holds no keys. But the piece that was placed last is one of the
//! pieces on the board, so a position belongs to the repertoire if the repertoire leads to one of its few predecessors.

use super::Book;
use super::code::key_of;
use super::edge::{self, in_order};
use crate::Position;
use crate::solver::{Exact, Outcome};
use game::Game;
use std::collections::HashSet;

impl Book {
    /// What the position is worth to the player to move, along the repertoire too; `None` if it is not in the book.
    pub fn known(&self, position: &Position) -> Option<Exact> {
        if position.placed() <= self.depth {
            return self.exact(position);
        }
        if !position.playing() || position.placed() > self.reach || position.hand().is_none() {
            return None;
        }
        if wins_at_once(position) {
            return Some(Exact {
                outcome: Outcome::Win,
                plies: 1,
            });
        }
        self.is_met(position).then(|| self.value(position))
    }

    /// Whether the repertoire leads to a position with at most [`depth`](Book::depth) pieces, in which the opponent is to move.
    pub fn follows(&self, after: &Position) -> bool {
        after.placed() <= self.depth && self.followed.get(key_of(after.canonical_key())) == 1
    }

    /// Whether the repertoire can meet a position with a piece in hand, the player who follows it to move.
    fn is_met(&self, position: &Position) -> bool {
        position.placed() < 2 || before(position).any(|earlier| self.leads_to(&earlier))
    }

    /// Whether the repertoire leads to a position, in which the opponent is to move.
    fn leads_to(&self, after: &Position) -> bool {
        if after.placed() <= self.depth {
            return self.follows(after);
        }
        let key = after.canonical_key();
        before(after).any(|own| {
            let named = |turn| {
                let mut reached = own;
                reached.play_unchecked(turn);
                reached.canonical_key() == key
            };
            // In this order: the last question is the one that takes long.
            !wins_at_once(&own) && self.is_met(&own) && self.turn_for(&own, self.value(&own)).is_some_and(named)
        })
    }

    /// Where a player who follows the repertoire may go from a position of it, up to symmetry.
    pub fn choices(&self, position: &Position) -> Vec<Position> {
        if position.placed() < self.depth {
            let kept = choices(position, usize::MAX, |position| self.exact(position));
            return kept.into_iter().filter(|after| self.follows(after)).collect();
        }
        let Some(value) = self.known(position) else {
            return Vec::new();
        };
        let way = edge::way_by(position, value, |question| self.edge.get(question.0) == 1);
        way.into_iter().map(|(_, after)| after).collect()
    }
}

/// The positions that a turn can have led from: some piece on the board was in hand.
pub(super) fn before(position: &Position) -> impl Iterator<Item = Position> {
    let standing = |cell| position.piece_at(cell).map(|piece| (cell, piece));
    let pieces = move || position.occupied().into_iter().filter_map(standing);
    pieces().map(move |(last, piece)| {
        let others = pieces().filter(|(cell, _)| *cell != last);
        Position::from_parts(position.rules(), others, Some(piece))
    })
}

/// Whether the player to move can complete a line that wins: such positions need no book.
fn wins_at_once(position: &Position) -> bool {
    let completes = |piece| !position.completing_cells(piece).is_empty();
    !position.rules().misere() && position.hand().is_some_and(completes)
}

/// Goes through all positions that a repertoire meets, from the first one on until `reach` pieces are placed. `follow` is given
/// the positions with so many pieces placed, and says where the player goes from there; what it says when `reach` is near
/// (see [`leads_beyond`]) is not looked at.
///
/// # Errors
/// The first error of `follow`.
pub fn walk<E>(
    start: &Position,
    reach: u32,
    mut follow: impl FnMut(u32, &[Position]) -> Result<Vec<Position>, E>,
) -> Result<(), E> {
    let gifts = start.left().into_iter().map(|piece| start.giving(piece));
    let first = distinct(gifts);
    // Seat 2 meets positions with an even number of pieces placed, seat 1 those with an odd number.
    let mut met = [first.clone(), met_after(&first)];
    for placed in 0..=reach {
        let own = &mut met[placed as usize % 2];
        let followed = follow(placed, own)?;
        *own = match leads_beyond(placed, reach) {
            true => Vec::new(),
            false => met_after(&distinct(followed)),
        };
    }
    Ok(())
}

/// Whether a player who moves with so many pieces placed meets no position of the repertoire any more.
pub fn leads_beyond(placed: u32, reach: u32) -> bool {
    placed + 2 > reach
}

/// The positions that a player meets after replies to where its turns led: each once up to symmetry, without those that it
/// wins at once.
fn met_after(followed: &[Position]) -> Vec<Position> {
    let boards = followed
        .iter()
        .flat_map(|after| after.empty().into_iter().map(|cell| after.placing(cell)))
        .filter(Position::playing);
    let given = boards.flat_map(|board| board.left().into_iter().map(move |piece| board.giving(piece)));
    distinct(given.filter(|position| !wins_at_once(position)))
}

/// Where a player goes from a position whose every turn leads into the book: of the turns that keep its value the first in
/// order, `most` of them while it is drawn.
pub fn choices(position: &Position, most: usize, value: impl Fn(&Position) -> Option<Exact>) -> Vec<Position> {
    let Some(own) = value(position) else {
        return Vec::new();
    };
    let most = if own.outcome == Outcome::Draw { most } else { 1 };
    let keeps = |after: &Position| value(after).is_some_and(|value| value.reversed() == sooner(own));
    in_order(position, own.outcome)
        .into_iter()
        .map(|(_, after)| after)
        .filter(keeps)
        .take(most)
        .collect()
}

/// The same end, seen after a placement.
fn sooner(value: Exact) -> Exact {
    Exact {
        plies: value.plies.saturating_sub(1),
        ..value
    }
}

/// Each position once up to symmetry.
fn distinct(positions: impl IntoIterator<Item = Position>) -> Vec<Position> {
    let mut seen = HashSet::new();
    positions
        .into_iter()
        .filter(|position| seen.insert(position.canonical_key()))
        .collect()
}
