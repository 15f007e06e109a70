//! The edge of the book: which turn keeps the value of a position from which turns lead out of it.
//!
//! The positions that such a turn leads to are not in the book, and to solve one takes longer than a move should. So the
//! turns from each position are put into an order that does not depend on how the board is turned ([`in_order`]), and while
//! the book is built they are solved one after the other until one keeps the value. The answers are the edge, one bit for
//! each question. A reader who asks in the same order asks only questions that were answered.
//!
//! The order is one of the positions that turns lead to, whatever they are reached from: so neighbours in the book often
//! choose the same one, and a third of the questions is enough. Where something is to be won or lost it begins with the
//! sharpest, because those are solved fastest; in a draw with the liveliest, because most turns hold it, and there the
//! opponent is most likely to go wrong later.

use super::code::{code, key_of};
use crate::solver::{Exact, NoAnswer, Outcome, Solver};
use crate::{ATTRIBUTES, PieceSet, Position, Turn};
use game::{Game, mix};

/// Does going to a position keep a value? Named by the key of the one and the code of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EdgeQuestion(pub(super) u64);

impl EdgeQuestion {
    /// Whether going to `after` keeps `value`. `None` if the value does not fit into a book.
    pub fn new(after: &Position, value: Exact) -> Option<Self> {
        Some(EdgeQuestion(mix(
            key_of(after.canonical_key()),
            &[u64::from(code(value)?)],
        )))
    }
}

/// How tight a position is for the player who holds the piece: the cells after which it has no safe piece to give count
/// most, then the pieces that are not safe.
pub fn sharpness(position: &Position) -> u32 {
    let tight = position.empty().into_iter().map(|cell| {
        let board = position.placing(cell);
        let left = board.left();
        let safe = PieceSet(left.0 & !board.completing_pieces().0);
        100 * u32::from(safe.is_empty()) + left.len() - safe.len()
    });
    tight.sum()
}

/// How many chances to go wrong a position still has: the lines that can be completed and the pieces that can be given. The
/// weights were fitted to 1400 games against a shallow search in which the turn was chosen at random.
pub fn liveliness(position: &Position) -> i32 {
    /// For each way to complete a line, by how many of its pieces are on the board.
    const ALIVE: [i32; 4] = [30, 41, 25, 75];
    /// For each piece that can be given.
    const SAFE: i32 = 25;
    /// For sharpness, with few pieces placed and later. At first sharp positions do no harm, and are solved sooner.
    const SHARP: [i32; 2] = [15, -1];
    const FEW: u32 = 4;
    let mut life = 0;
    let occupied = position.occupied().0;
    for line in position.rules().lines() {
        let standing = occupied & line.0;
        let values = (0..2).flat_map(|value| (0..ATTRIBUTES).map(move |i| position.having(i, value).0 & line.0));
        let alive = values.filter(|having| *having == standing).count() as i32;
        life += ALIVE.get(standing.count_ones() as usize).map_or(0, |each| each * alive);
    }
    let safe = PieceSet(position.left().0 & !position.completing_pieces().0);
    let sharp = SHARP[usize::from(position.placed() > FEW)];
    life + SAFE * safe.len() as i32 + sharp * sharpness(position) as i32
}

/// The [`ways`] in the order in which the edge asks about them, if the position has that outcome.
pub fn in_order(position: &Position, outcome: Outcome) -> Vec<(Turn, Position)> {
    let mut ways = ways(position);
    if outcome == Outcome::Draw {
        ways.sort_by_cached_key(|(_, after)| -liveliness(after));
    }
    ways
}

/// Where turns lead that end nothing and give the opponent no line at once: each position once up to symmetry, the
/// sharpest first.
pub fn ways(position: &Position) -> Vec<(Turn, Position)> {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    let mut ways: Vec<_> = turns
        .into_iter()
        .filter_map(|turn| {
            let mut after = *position;
            after.play_unchecked(turn);
            let gift = after.hand().filter(|_| after.playing())?;
            let open = after.rules().misere() || after.completing_cells(gift).is_empty();
            open.then(|| (sharpness(&after), after.canonical_key().number(), turn, after))
        })
        .collect();
    ways.sort_by_key(|&(sharpness, key, ..)| (std::cmp::Reverse(sharpness), key));
    ways.dedup_by_key(|&mut (_, key, ..)| key);
    ways.into_iter().map(|(_, _, turn, after)| (turn, after)).collect()
}

/// The first turn in order that keeps the value of the position, as `yes` answers; a turn that completes a line where that
/// is what the value promises.
pub(super) fn turn_by(position: &Position, value: Exact, yes: impl FnMut(EdgeQuestion) -> bool) -> Option<Turn> {
    if value.outcome != Outcome::Draw && value.plies <= 2 {
        return last_turn(position, value);
    }
    way_by(position, value, yes).map(|(turn, _)| turn)
}

/// The first way in order that keeps the value of the position, as `yes` answers; none if the end is near.
pub fn way_by(
    position: &Position,
    value: Exact,
    mut yes: impl FnMut(EdgeQuestion) -> bool,
) -> Option<(Turn, Position)> {
    if value.outcome != Outcome::Draw && value.plies <= 2 {
        return None;
    }
    let ways = in_order(position, value.outcome).into_iter();
    let mut kept = ways.filter(|(_, after)| EdgeQuestion::new(after, value).is_some_and(&mut yes));
    kept.next()
}

/// A turn that wins at once; any, where every turn loses at once.
fn last_turn(position: &Position, value: Exact) -> Option<Turn> {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    let piece = position.hand()?;
    let completes = |turn: &Turn| turn.place.is_some_and(|cell| position.completes(cell, piece));
    turns
        .into_iter()
        .find(|turn| value.outcome == Outcome::Loss || completes(turn))
}

/// Asks the solver whether going to `after` keeps `value`.
///
/// # Errors
/// [`NoAnswer`] if the solver was stopped, or the game is over.
pub fn keeps(solver: &Solver, after: &Position, value: Exact) -> Result<bool, NoAnswer> {
    match value.outcome {
        Outcome::Win => solver.loses_within(after, value.plies - 1),
        Outcome::Draw => Ok(!solver.at_least(after, Outcome::Win)?),
        // A loser delays: the opponent must not be able to win any sooner than it has to.
        Outcome::Loss => Ok(!solver.wins_within(after, value.plies.saturating_sub(2))?),
    }
}

/// Asks what the edge of a book must know of one position, one question after another until one is answered with yes.
///
/// # Errors
/// The first error of `answer`.
pub fn ask<E>(
    position: &Position,
    value: Exact,
    mut answer: impl FnMut(&Position, Exact) -> Result<bool, E>,
) -> Result<(), E> {
    if value.outcome == Outcome::Draw || value.plies > 2 {
        for (_, after) in in_order(position, value.outcome) {
            if answer(&after, value)? {
                break;
            }
        }
    }
    Ok(())
}

/// Asks the solver whether a turn keeps the value of the position it is made in.
///
/// # Errors
/// [`NoAnswer`] if the solver was stopped, or the game is over.
pub fn reaches(solver: &Solver, position: &Position, turn: Turn, value: Exact) -> Result<bool, NoAnswer> {
    let mut after = *position;
    after.play_unchecked(turn);
    match after.outcome() {
        Some(end) => Ok(value.plies == 1 && end.winner().is_some() == (value.outcome != Outcome::Draw)),
        None => keeps(solver, &after, value),
    }
}
