//! The opening book: the exact value of every position with at most four pieces placed and one in hand.
//!
//! It is made from nothing by `terzo book build`, checked by `terzo book verify`, and part of the program. A position is
//! looked up by its canonical key in a `Function` of four bits a position; positions without a piece in hand follow from
//! those with one.
//!
//! A turn from the last positions of the book leads out of it: which one keeps the value is told by a second function, the
//! book's [`edge`].

pub mod edge;
mod function;

use crate::solver::{Exact, NoAnswer, Outcome, Solver};
use crate::symmetry::CanonicalKey;
use crate::{Position, Rules, Turn};
use function::Function;
use game::mix;
use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most pieces placed in a position of the book.
pub const DEPTH: u32 = 4;

/// The books that are part of the program.
const EMBEDDED: [(&str, &[u8]); 2] = [
    ("quarto", include_bytes!("quarto.book")),
    ("quarto-squares", include_bytes!("quarto-squares.book")),
];

static LOADED: [OnceLock<Option<Book>>; EMBEDDED.len()] = [const { OnceLock::new() }; EMBEDDED.len()];

/// A book of one variant.
pub struct Book {
    values: Function,
    /// `None` in a book whose edge was not made.
    edge: Option<Function>,
}

/// What a book file begins with.
const MAGIC: &[u8; 8] = b"terzo b2";

/// Bits of a value, and of an answer at the edge.
const WIDTHS: [u8; 2] = [4, 1];

impl Book {
    /// The book of a variant that is part of the program, if there is one.
    pub fn of(rules: &Rules) -> Option<&'static Book> {
        let index = EMBEDDED.iter().position(|(name, _)| *name == rules.name())?;
        LOADED[index]
            .get_or_init(|| Book::from_bytes(EMBEDDED[index].1))
            .as_ref()
    }

    /// Packs values, and answers at the edge. `None` if a position or a question is given twice.
    pub fn new(entries: &[(Position, Exact)], edge: &[(edge::Question, bool)]) -> Option<Self> {
        let values: Option<Vec<(u64, u8)>> = entries
            .iter()
            .map(|(position, exact)| Some((key_of(position.canonical_key()), code(*exact)?)))
            .collect();
        let answers: Vec<(u64, u8)> = edge
            .iter()
            .map(|&(question, yes)| (question.0, u8::from(yes)))
            .collect();
        Some(Book {
            values: Function::new(&values?, WIDTHS[0])?,
            edge: match answers.is_empty() {
                true => None,
                false => Some(Function::new(&answers, WIDTHS[1])?),
            },
        })
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for function in std::iter::once(&self.values).chain(&self.edge) {
            bytes.extend(function.seed.to_le_bytes());
            bytes.extend(function.part.to_le_bytes());
            bytes.extend(&function.slots);
        }
        bytes
    }

    /// Reads a file; `None` if it is not a book.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (values, rest) = read_function(bytes.strip_prefix(MAGIC)?, WIDTHS[0])?;
        if rest.is_empty() {
            return Some(Book { values, edge: None });
        }
        let (edge, rest) = read_function(rest, WIDTHS[1])?;
        rest.is_empty().then_some(Book {
            values,
            edge: Some(edge),
        })
    }

    /// A turn that keeps the value of a position at the edge of the book (a win in the shortest time, a loss in the
    /// longest); `None` elsewhere, or if the edge of this book was not made.
    pub fn turn(&self, position: &Position) -> Option<Turn> {
        let answers = self.edge.as_ref()?;
        if position.placed() != DEPTH || position.hand().is_none() {
            return None;
        }
        edge::turn_by(position, self.exact(position)?, |question| answers.get(question.0) == 1)
    }

    /// What the position is worth to the player to move; `None` if it is not in the book.
    pub fn exact(&self, position: &Position) -> Option<Exact> {
        if position.placed() > DEPTH || !position.playing() {
            return None;
        }
        if position.hand().is_some() {
            return Some(decode(
                self.values.get(key_of(position.canonical_key())),
                position.placed(),
            ));
        }
        let values = position.left().into_iter().map(|piece| {
            let given = position.giving(piece);
            decode(self.values.get(key_of(given.canonical_key())), given.placed()).reversed()
        });
        values.max_by_key(|value| value.preference())
    }
}

/// A function at the beginning of `bytes`, and what follows it.
fn read_function(bytes: &[u8], width: u8) -> Option<(Function, &[u8])> {
    let (seed, rest) = bytes.split_first_chunk()?;
    let (part, rest) = rest.split_first_chunk()?;
    let part = u32::from_le_bytes(*part);
    let (slots, rest) = rest.split_at_checked(usize::try_from(Function::bytes(part, width)).ok()?)?;
    let function = Function {
        seed: u64::from_le_bytes(*seed),
        part,
        width,
        slots: slots.to_vec(),
    };
    Some((function, rest))
}

fn key_of(key: CanonicalKey) -> u64 {
    let number = key.number();
    mix(number as u64, &[(number >> 64) as u64])
}

/// Four bits for a position with a piece in hand: 0 for a draw, else who wins and half the placements. A player with a
/// piece in hand wins after an odd and loses after an even number of them. `None` if it does not fit.
fn code(exact: Exact) -> Option<u8> {
    let half = exact.plies.div_ceil(2) as u8;
    match exact.outcome {
        Outcome::Draw => Some(0),
        Outcome::Win => (1..=8).contains(&half).then_some(half),
        Outcome::Loss => (1..=7).contains(&half).then_some(8 + half),
    }
}

fn decode(code: u8, placed: u32) -> Exact {
    match u32::from(code) {
        0 => Exact {
            outcome: Outcome::Draw,
            plies: 16 - placed,
        },
        half @ 1..=8 => Exact {
            outcome: Outcome::Win,
            plies: 2 * half - 1,
        },
        half => Exact {
            outcome: Outcome::Loss,
            plies: 2 * (half - 8),
        },
    }
}

/// All positions of a variant's book: up to symmetry, a piece in hand, at most `depth` placed, the deepest first.
pub fn positions(rules: &'static Rules, depth: u32) -> Vec<Position> {
    let mut boards = vec![Position::new(rules)];
    let mut levels = Vec::new();
    for placed in 0..=depth {
        let mut seen = HashSet::new();
        let mut level: Vec<Position> = Vec::new();
        for board in &boards {
            for piece in board.left() {
                let given = board.giving(piece);
                if seen.insert(given.canonical_key()) {
                    level.push(given);
                }
            }
        }
        if placed < depth {
            let mut seen = HashSet::new();
            boards = level
                .iter()
                .flat_map(|given| given.empty().into_iter().map(|cell| given.placing(cell)))
                .filter(|board| board.playing() && seen.insert(board.canonical_key()))
                .collect();
        }
        levels.push(level);
    }
    levels.into_iter().rev().flatten().collect()
}

/// Solves positions on several threads that share the solver's table. `solved` is called with each answer, on whatever
/// thread found it. Ends early, with an error, when the solver is stopped.
pub fn solve_all(
    solver: &Solver,
    positions: &[Position],
    threads: usize,
    solved: impl Fn(&Position, Exact) + Sync,
) -> Result<(), NoAnswer> {
    for_each(positions, threads, |position| {
        solved(position, solver.exact(position)?);
        Ok(())
    })
}

/// Does something with each item, on several threads; the first error ends it.
fn for_each<T: Sync>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<(), NoAnswer> + Sync,
) -> Result<(), NoAnswer> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), NoAnswer> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(item)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let results = threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or(Err(NoAnswer::Stopped)));
        results.fold(Ok(()), Result::and)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;

    #[test]
    fn the_book_has_every_position_up_to_symmetry() {
        assert_eq!(positions(Rules::standard(), 4).len(), 1 + 8 + 148 + 3382 + 91_558);
    }

    #[test]
    fn at_the_edge_the_book_has_a_turn_that_keeps_the_value() {
        for (name, _) in EMBEDDED {
            let rules = Rules::named(name).unwrap();
            let (book, solver) = (Book::of(rules).unwrap(), Solver::new(rules, 16 << 20, 1).unwrap());
            let mut rng = game::rng(5);
            let all = positions(rules, DEPTH);
            for _ in 0..30 {
                let position = all[game::below(&mut rng, all.len() as u32) as usize];
                let value = book.exact(&position).unwrap();
                if position.placed() < DEPTH {
                    assert_eq!(book.turn(&position), None);
                    continue;
                }
                let turn = book.turn(&position).unwrap();
                assert!(position.is_legal(turn));
                let reached = edge::reaches(&solver, &position, turn, value).unwrap();
                assert!(reached, "{turn} in {position:?}");
            }
        }
    }

    #[test]
    fn the_embedded_books_are_whole_and_know_the_empty_board() {
        for (name, _) in EMBEDDED {
            let rules = Rules::named(name).unwrap();
            let value = Book::of(rules).unwrap().exact(&Position::new(rules)).unwrap();
            assert_eq!((value.outcome, value.plies), (Outcome::Draw, 16), "{name}");
        }
    }

    #[test]
    fn values_round_trip_through_their_code() {
        for placed in 0..=4 {
            for plies in 1..=16 - placed {
                let outcome = if plies % 2 == 1 { Outcome::Win } else { Outcome::Loss };
                let exact = Exact { outcome, plies };
                match code(exact) {
                    Some(code) => assert_eq!(decode(code, placed), exact),
                    None => assert_eq!(plies, 16),
                }
            }
        }
    }

    #[test]
    fn a_file_that_is_not_a_book_is_refused() {
        let book = Book::new(&[], &[]).unwrap();
        let bytes = book.to_bytes();
        assert!(Book::from_bytes(&bytes).is_some());
        assert!(Book::from_bytes(&bytes[1..]).is_none());
        assert!(Book::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(Book::from_bytes(b"").is_none());
    }
}
