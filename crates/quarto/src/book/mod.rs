//! The opening book: the exact value of every position with at most four pieces placed and one in hand, and a way to play
//! from there until positions are solved in a moment.
//!
//! It is made from nothing by `terzo book build`, checked by `terzo book verify`, and part of the program. A position is
//! looked up by its canonical key in a `StaticFunction` of four bits a position; positions without a piece in hand follow
//! from those with one. A turn from the last positions of the book leads out of it: a second function, the book's [`edge`],
//! says which one keeps the value.
//!
//! With five or six pieces placed there are too many positions. But a player who always makes the turns of the book meets
//! only few of them: its [`repertoire`]. Their values and their edge are in the same two functions.
//!
//! Where all this takes too long to find out, a book that only [holds](holding) a draw has to do.

pub(crate) mod code;
pub mod edge;
pub mod holding;
pub mod repertoire;
pub(crate) mod static_function;

use crate::solver::{Exact, NoAnswer, Solver};
use crate::{Position, Rules, Turn};
use code::{code, decode, key_of};
use static_function::StaticFunction;
use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A book holds all positions with at most this many pieces placed.
pub const DEPTH: u32 = 4;

/// How many pieces a repertoire may go beyond the depth of a book. To find out whether a position belongs to it, all its
/// possible predecessors are looked at, so this must be small.
pub const MOST_BEYOND: u32 = 4;

/// The books that are part of the program: a line each. In a browser they are files of their own, so that the program is there before
/// they are; see [`provide`].
#[cfg(not(target_arch = "wasm32"))]
const EMBEDDED: &[(&str, &[u8])] = &[
    ("quarto", include_bytes!("quarto.book")),
    ("quarto-squares", include_bytes!("quarto-squares.book")),
    ("quarto-squares-only", include_bytes!("quarto-squares-only.book")),
    ("quarto-torus", include_bytes!("quarto-torus.book")),
];
#[cfg(target_arch = "wasm32")]
const EMBEDDED: &[(&str, &[u8])] = &[
    ("quarto", &[]),
    ("quarto-squares", &[]),
    ("quarto-squares-only", &[]),
    ("quarto-torus", &[]),
];

static LOADED: [OnceLock<Option<Book>>; EMBEDDED.len()] = [const { OnceLock::new() }; EMBEDDED.len()];

/// Brings the book of a variant that has arrived as a file. True if that variant has one, and this is it.
#[cfg(target_arch = "wasm32")]
pub fn provide(name: &str, bytes: &[u8]) -> bool {
    let index = EMBEDDED.iter().position(|(known, _)| *known == name);
    index.is_some_and(|index| LOADED[index].get_or_init(|| Book::from_bytes(bytes)).is_some())
}

/// A book of one variant.
pub struct Book {
    depth: u32,
    reach: u32,
    /// Of all positions with at most `depth` pieces, and of those of the repertoire with at most `reach`.
    values: StaticFunction,
    /// Of the positions with `depth` pieces, and of those of the repertoire with more. Says no to everything if it was not
    /// made.
    edge: StaticFunction,
    /// Whether the repertoire leads to a position with at most `depth` pieces.
    followed: StaticFunction,
}

/// What a book is made of.
#[derive(Default)]
pub struct Contents {
    /// All positions with at most so many pieces are in it.
    pub depth: u32,
    /// And those of the repertoire with at most so many.
    pub reach: u32,
    /// Positions and what they are worth.
    pub values: Vec<(Position, Exact)>,
    /// Answers at the edge.
    pub edge: Vec<(edge::EdgeQuestion, bool)>,
    /// The positions with at most `depth` pieces, and whether the repertoire leads there. Nothing without a repertoire.
    pub followed: Vec<(Position, bool)>,
}

/// What a book file begins with.
const MAGIC: &[u8; 8] = b"terzo b3";

/// Bits of a value, of an answer at the edge, and of what the repertoire says.
const WIDTHS: [u8; 3] = [4, 1, 1];

impl Book {
    /// The book of a variant that is part of the program, if there is one.
    pub fn of(rules: &Rules) -> Option<&'static Book> {
        let index = EMBEDDED.iter().position(|(name, _)| *name == rules.name())?;
        #[cfg(not(target_arch = "wasm32"))]
        LOADED[index].get_or_init(|| Book::from_bytes(EMBEDDED[index].1));
        LOADED[index].get()?.as_ref()
    }

    /// Packs a book. `None` if a position or a question is in it twice, or a value does not fit.
    pub fn new(contents: &Contents) -> Option<Self> {
        let values = contents
            .values
            .iter()
            .map(|(position, exact)| Some((key_of(position.canonical_key()), code(*exact)?)));
        let edge = contents
            .edge
            .iter()
            .map(|&(question, yes)| Some((question.0, u8::from(yes))));
        let followed = contents
            .followed
            .iter()
            .map(|&(position, yes)| Some((key_of(position.canonical_key()), u8::from(yes))));
        Some(Book {
            depth: contents.depth,
            reach: contents.reach,
            values: StaticFunction::new(&values.collect::<Option<Vec<_>>>()?, WIDTHS[0])?,
            edge: StaticFunction::new(&edge.collect::<Option<Vec<_>>>()?, WIDTHS[1])?,
            followed: StaticFunction::new(&followed.collect::<Option<Vec<_>>>()?, WIDTHS[2])?,
        })
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([self.depth as u8, self.reach as u8]);
        for function in [&self.values, &self.edge, &self.followed] {
            function.write(&mut bytes);
        }
        bytes
    }

    /// Reads a file; `None` if it is not a book.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let ([depth, reach], rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        let (values, rest) = StaticFunction::read(rest, WIDTHS[0])?;
        let (edge, rest) = StaticFunction::read(rest, WIDTHS[1])?;
        let (followed, rest) = StaticFunction::read(rest, WIDTHS[2])?;
        let (depth, reach) = (u32::from(*depth), u32::from(*reach));
        let whole = rest.is_empty() && depth <= DEPTH && (depth..=depth + MOST_BEYOND).contains(&reach);
        whole.then_some(Book {
            depth,
            reach,
            values,
            edge,
            followed,
        })
    }

    /// Every position with at most so many pieces is in it.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Who follows the repertoire meets no position outside the book with at most so many pieces.
    pub fn reach(&self) -> u32 {
        self.reach
    }

    /// A turn that keeps the value of a position (a win in the shortest time, a loss in the longest), where turns lead out of
    /// the book: with [`depth`](Book::depth) pieces placed, or with more along the repertoire. `None` elsewhere, or if the
    /// edge of this book was not made.
    pub fn turn(&self, position: &Position) -> Option<Turn> {
        if position.placed() < self.depth || position.hand().is_none() {
            return None;
        }
        self.turn_for(position, self.known(position)?)
    }

    /// What the edge says of a position with that value; meaningless if it is not in the book.
    fn turn_for(&self, position: &Position, value: Exact) -> Option<Turn> {
        edge::turn_by(position, value, |question| self.edge.get(question.0) == 1)
    }

    /// What the position is worth to the player to move; `None` if it has more than [`depth`](Book::depth) pieces.
    pub fn exact(&self, position: &Position) -> Option<Exact> {
        if position.placed() > self.depth || !position.playing() {
            return None;
        }
        if position.hand().is_some() {
            return Some(self.value(position));
        }
        let values = position.left().into_iter().map(|piece| {
            let given = position.giving(piece);
            self.value(&given).reversed()
        });
        values.max_by_key(|value| value.preference())
    }

    /// The stored value of a position with a piece in hand; meaningless if it is not in the book.
    fn value(&self, position: &Position) -> Exact {
        decode(self.values.get(key_of(position.canonical_key())), position)
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
///
/// # Errors
/// [`NoAnswer`] if the solver was stopped, or a game is over.
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
///
/// # Errors
/// The first error of `work`.
pub fn for_each<T: Sync>(
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
            let all = positions(rules, book.depth());
            for _ in 0..30 {
                let position = all[game::below(&mut rng, all.len() as u32) as usize];
                let value = book.exact(&position).unwrap();
                let turn = book.turn(&position);
                if position.placed() < book.depth() {
                    assert_eq!(turn, None);
                    continue;
                }
                // A book without a repertoire may come without an edge, too.
                assert!(turn.is_some() || book.reach() == book.depth(), "{position:?}");
                if let Some(turn) = turn {
                    assert!(position.is_legal(turn));
                    let reached = edge::reaches(&solver, &position, turn, value).unwrap();
                    assert!(reached, "{turn} in {position:?}");
                }
            }
        }
    }

    #[test]
    fn the_embedded_books_are_whole() {
        for (name, _) in EMBEDDED {
            let rules = Rules::named(name).unwrap();
            assert!(Book::of(rules).is_some(), "{name}");
        }
    }

    #[test]
    fn a_file_that_is_not_a_book_is_refused() {
        let contents = Contents {
            depth: 2,
            reach: 5,
            ..Contents::default()
        };
        let bytes = Book::new(&contents).unwrap().to_bytes();
        let book = Book::from_bytes(&bytes).unwrap();
        assert_eq!((book.depth(), book.reach()), (2, 5));
        assert!(Book::from_bytes(&bytes[1..]).is_none());
        assert!(Book::from_bytes(&bytes[..bytes.len() - 1]).is_none());
        assert!(Book::from_bytes(b"").is_none());
        let mut short = bytes.clone();
        short[MAGIC.len() + 1] = 1;
        assert!(Book::from_bytes(&short).is_none(), "a reach below the depth");
    }
}
