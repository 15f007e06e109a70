//! A book that holds: for every position that its own turns can lead to, one turn that keeps at least a draw.
//!
//! Where the values of all early positions take too long to find, a player can still keep a proved draw: it needs one good turn
//! for each of the positions that its opponents can make of its own turns, from the first one on, for both seats, until a search
//! takes a moment. What these positions are worth is not said: some are won.
//!
//! A turn is kept as it is in the position's canonical form, a byte: the cell and the piece given. As in the
//! [repertoire](super::repertoire) of other books there are no keys: whether a position belongs to it is told by the positions that it
//! can come from.

mod estimate;
mod find;
mod finding;
mod prove;
mod team;
mod unit;
mod ways;

pub use finding::HoldFinding;
pub use prove::{HoldVerdict, HoldingProof, ProofKeeper, ProofMeans, ProofProgress, USEFUL_MEMORY};

use super::code::key_of;
use super::repertoire::{before, walk};
use super::static_function::StaticFunction;
use crate::{Cell, Piece, Position, Rules, Turn};
use game::Game;
use std::convert::Infallible;
use std::sync::OnceLock;

/// The most pieces placed in a position of such a book. To find out whether a position belongs to it, what it can come from is looked
/// at, so this must be small.
pub const MOST_REACH: u32 = 8;

/// What a file begins with.
const MAGIC: &[u8; 8] = b"terzo h1";

/// Bits of a turn.
const WIDTH: u8 = 8;

/// The holding books that are part of the program: a line each. Browsers do without them.
#[cfg(not(target_arch = "wasm32"))]
const EMBEDDED: &[(&str, &[u8])] = &[
    ("quarto-misere", include_bytes!("quarto-misere.holding")),
    ("quarto-squares-misere", include_bytes!("quarto-squares-misere.holding")),
    (
        "quarto-squares-only-misere",
        include_bytes!("quarto-squares-only-misere.holding"),
    ),
    ("quarto-torus-misere", include_bytes!("quarto-torus-misere.holding")),
];
#[cfg(target_arch = "wasm32")]
const EMBEDDED: &[(&str, &[u8])] = &[];

static LOADED: [OnceLock<Option<HoldingBook>>; EMBEDDED.len()] = [const { OnceLock::new() }; EMBEDDED.len()];

/// See the module.
pub struct HoldingBook {
    reach: u32,
    turns: StaticFunction,
}

impl HoldingBook {
    /// The holding book of a variant that is part of the program, if there is one.
    pub fn of(rules: &Rules) -> Option<&'static HoldingBook> {
        let index = EMBEDDED.iter().position(|(name, _)| *name == rules.name())?;
        let load = || HoldingBook::from_bytes(EMBEDDED[index].1);
        LOADED.get(index)?.get_or_init(load).as_ref()
    }

    /// Packs a book of positions and a turn in each, as [`write_turn`] writes it. `None` if a position is in it twice or has no piece
    /// in hand.
    pub fn new(reach: u32, turns: &[(Position, u8)]) -> Option<Self> {
        let entry = |(position, turn): &(Position, u8)| {
            position.hand()?;
            Some((key_of(position.canonical_key()), *turn))
        };
        let entries = turns.iter().map(entry).collect::<Option<Vec<_>>>()?;
        Some(HoldingBook {
            reach,
            turns: StaticFunction::new(&entries, WIDTH)?,
        })
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.reach as u8);
        self.turns.write(&mut bytes);
        bytes
    }

    /// Reads a file; `None` if it is not such a book.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (reach, rest) = bytes.strip_prefix(MAGIC)?.split_first()?;
        let (turns, rest) = StaticFunction::read(rest, WIDTH)?;
        let reach = u32::from(*reach);
        (rest.is_empty() && reach <= MOST_REACH).then_some(HoldingBook { reach, turns })
    }

    /// Who follows it meets no position outside of it with at most so many pieces placed.
    pub fn reach(&self) -> u32 {
        self.reach
    }

    /// A turn that keeps at least a draw; `None` if the position is not in the book.
    pub fn turn(&self, position: &Position) -> Option<Turn> {
        let inside = position.playing() && position.placed() <= self.reach && self.is_met(position);
        let named = inside.then(|| self.named(position)).flatten();
        named.filter(|turn| position.is_legal(*turn))
    }

    /// What it says of a position; meaningless if it is not in the book.
    fn named(&self, position: &Position) -> Option<Turn> {
        let (key, _) = position.canonical_way()?;
        read_turn(position, self.turns.get(key_of(key)))
    }

    /// Whether its turns can lead to a position, the player who makes them to move.
    fn is_met(&self, position: &Position) -> bool {
        position.placed() < 2 || before(position).any(|earlier| self.leads_to(&earlier))
    }

    /// Whether one of its turns leads to a position, in which the opponent is to move.
    fn leads_to(&self, after: &Position) -> bool {
        let key = after.canonical_key();
        let reached = |own: &Position, turn: Turn| {
            let mut reached = *own;
            reached.play_unchecked(turn);
            reached.canonical_key() == key
        };
        // In this order: the last question is the one that takes long.
        before(after).any(|own| self.named(&own).is_some_and(|turn| reached(&own, turn)) && self.is_met(&own))
    }
}

/// Every position of a book, by the number of pieces placed: what a player meets who makes its turns.
pub fn positions(book: &HoldingBook, start: &Position) -> Vec<Position> {
    let mut all = Vec::new();
    let follow = |_, met: &[Position]| -> Result<Vec<Position>, Infallible> {
        all.extend(met);
        let after = met.iter().filter_map(|position| {
            let mut after = *position;
            after.play_unchecked(book.named(position)?);
            Some(after)
        });
        Ok(after.collect())
    };
    match walk(start, book.reach(), follow) {
        Ok(()) => all,
        Err(never) => match never {},
    }
}

/// A turn in a position with a piece in hand as a byte that is the same for all positions that symmetry makes of it. `None` if nothing is
/// placed or given.
pub fn write_turn(position: &Position, turn: Turn) -> Option<u8> {
    let (_, way) = position.canonical_way()?;
    let (cell, piece) = (way.cell(turn.place?), way.piece(turn.give?));
    Some((cell.index() as u8) << 4 | piece.number())
}

/// The turn that such a byte means in a position; `None` if there is no such turn.
pub fn read_turn(position: &Position, byte: u8) -> Option<Turn> {
    let (_, way) = position.canonical_way()?;
    let there = |cell: &Cell| way.cell(*cell).index() == usize::from(byte >> 4);
    let gift = |piece: &Piece| way.piece(*piece).number() == byte & 15;
    Some(Turn {
        place: Some(position.empty().into_iter().find(there)?),
        give: Some(position.left().into_iter().find(gift)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{self, Novice, Random};
    use crate::solver::{Outcome, Solver};
    use crate::symmetry::{PIECE_SYMMETRIES, PieceSymmetry};
    use game::{below, rng};
    use std::collections::HashSet;

    /// The same position as symmetry makes it, turned by permutation `cells` and piece symmetry `pieces`.
    fn turned(position: &Position, cells: usize, pieces: usize) -> Position {
        let permutations = position.rules().symmetries().permutations();
        let (cells, pieces) = (&permutations[cells % permutations.len()], PieceSymmetry::new(pieces));
        let standing = position.occupied().into_iter();
        let standing = standing.filter_map(|cell| Some((cells.cell(cell), pieces.piece(position.piece_at(cell)?))));
        let hand = position.hand().map(|piece| pieces.piece(piece));
        Position::from_parts(position.rules(), standing, hand)
    }

    fn played(position: &Position, turn: Turn) -> Position {
        let mut after = *position;
        after.play(turn).unwrap();
        after
    }

    #[test]
    fn a_turn_means_the_same_however_a_position_is_turned() {
        let mut rng = rng(3);
        for rules in Rules::all() {
            for _ in 0..40 {
                let mut position = Position::new(rules);
                while let Some(turn) = policy::turn(&Random, &position, &mut rng) {
                    if let Some(byte) = write_turn(&position, turn) {
                        assert_eq!(
                            read_turn(&position, byte).map(|turn| played(&position, turn).canonical_key()),
                            Some(played(&position, turn).canonical_key())
                        );
                        let image = turned(
                            &position,
                            below(&mut rng, 9999) as usize,
                            below(&mut rng, PIECE_SYMMETRIES as u32) as usize,
                        );
                        let there = read_turn(&image, byte).unwrap();
                        assert_eq!(
                            played(&image, there).canonical_key(),
                            played(&position, turn).canonical_key(),
                            "{turn} in {position:?}, {there} in {image:?}"
                        );
                    }
                    position.play_unchecked(turn);
                }
            }
        }
    }

    #[test]
    fn who_follows_an_embedded_book_is_never_without_a_turn_and_never_lost() {
        for (name, _) in EMBEDDED {
            let rules = Rules::named(name).unwrap();
            let (book, solver) = (
                HoldingBook::of(rules).unwrap(),
                Solver::new(rules, 16 << 20, 1).unwrap(),
            );
            let mut rng = rng(11);
            for game in 0..60 {
                let mut position = Position::new(rules);
                while position.placed() <= book.reach() && position.playing() {
                    let own = position.hand().is_some() && position.placed() % 2 == game % 2;
                    let turn = match own {
                        true => book.turn(&position).unwrap(),
                        false => policy::turn(&Novice, &position, &mut rng).unwrap(),
                    };
                    position = played(&position, turn);
                    if own && position.placed() >= book.reach() {
                        assert!(!solver.at_least(&position, Outcome::Win).unwrap(), "{position:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_position_outside_is_told_from_those_inside() {
        for (name, _) in EMBEDDED {
            let rules = Rules::named(name).unwrap();
            let book = HoldingBook::of(rules).unwrap();
            let start = Position::new(rules);
            let inside: HashSet<_> = positions(book, &start).iter().map(Position::canonical_key).collect();
            let mut rng = rng(12);
            let mut outside = 0;
            for _ in 0..200 {
                let mut position = start;
                while position.placed() <= book.reach() && position.playing() {
                    if position.hand().is_some() {
                        let there = inside.contains(&position.canonical_key());
                        assert_eq!(book.turn(&position).is_some(), there, "{position:?}");
                        outside += usize::from(!there);
                    }
                    let turn = policy::turn(&Novice, &position, &mut rng).unwrap();
                    position.play_unchecked(turn);
                }
            }
            assert!(outside > 100, "{outside}");
        }
    }

    #[test]
    fn a_file_that_is_no_such_book_is_refused() {
        let bytes = HoldingBook::new(5, &[]).unwrap().to_bytes();
        assert_eq!(HoldingBook::from_bytes(&bytes).unwrap().reach(), 5);
        assert!(HoldingBook::from_bytes(&bytes[1..]).is_none());
        assert!(HoldingBook::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        let mut far = bytes.clone();
        far[MAGIC.len()] = MOST_REACH as u8 + 1;
        assert!(HoldingBook::from_bytes(&far).is_none());
    }
}
