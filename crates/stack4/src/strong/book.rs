//! The opening book: what long searches found in the first positions of a game, up to symmetry.
//!
//! `examples/book.rs` writes it, one position a line: the moves that lead there, `=`, the best column, its value in
//! tenths of a point and the depth of the search.

use crate::{Column, Position, replay};
use game::Game;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What the book says about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookEntry {
    /// The column to play.
    pub best: Column,
    /// Points by which the mover is expected to lead at the end.
    pub value: f64,
    /// How deep was searched.
    pub depth: u32,
}

/// An opening book.
#[derive(Debug, Default)]
pub struct Book {
    /// By the key of the canonical image; the best columns are of that image.
    entries: HashMap<u64, BookEntry>,
    /// The most stones of a position in it.
    deepest: u32,
}

impl Book {
    /// The book that the player uses.
    pub fn standard() -> &'static Book {
        static STANDARD: LazyLock<Book> =
            LazyLock::new(|| Book::parse(include_str!("book.txt")).unwrap_or_else(|why| panic!("book.txt, {why}")));
        &STANDARD
    }

    /// Reads a book; lines that begin with `#` are comments.
    ///
    /// # Errors
    ///
    /// Names the first line that cannot be read, and what was expected.
    pub fn parse(text: &str) -> Result<Book, String> {
        let mut book = Book::default();
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let (position, entry) = parse_line(line).map_err(|why| format!("line {}: {why}", number + 1))?;
            let (key, symmetry) = canonical(&position);
            let best = entry.best.transform(symmetry);
            book.entries.insert(key, BookEntry { best, ..entry });
            book.deepest = book.deepest.max(position.moves());
        }
        Ok(book)
    }

    /// What it says about a position, if it knows it.
    pub fn get(&self, position: &Position) -> Option<BookEntry> {
        if position.moves() > self.deepest {
            return None;
        }
        let (key, symmetry) = canonical(position);
        let entry = self.entries.get(&key)?;
        let best = Column::all().find(|column| column.transform(symmetry) == entry.best)?;
        position.is_legal(best).then_some(BookEntry { best, ..*entry })
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

fn parse_line(line: &str) -> Result<(Position, BookEntry), String> {
    let wrong = || format!("`{line}`: expected MOVES = COLUMN TENTHS DEPTH");
    let (moves, entry) = line.split_once('=').ok_or_else(wrong)?;
    let position = replay(moves).map_err(|error| error.to_string())?;
    let [best, tenths, depth] = entry.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(wrong());
    };
    let entry = BookEntry {
        best: best.parse().map_err(|_| wrong())?,
        value: tenths.parse::<f64>().map_err(|_| wrong())? / 10.0,
        depth: depth.parse().map_err(|_| wrong())?,
    };
    Ok((position, entry))
}

/// The smallest key among the images of a position, and the symmetry that leads to it.
pub fn canonical(position: &Position) -> (u64, usize) {
    let images = (0..position.symmetries()).map(|symmetry| (position.transform(symmetry).key(), symmetry));
    images.min().unwrap_or((position.key(), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_and_its_images_have_the_same_entry() {
        let book = Book::parse("# two\n = 22 61 20\n22 33 = 12 -5 18\n").unwrap();
        assert_eq!(book.len(), 2);
        let start = book.get(&Position::new()).unwrap();
        assert_eq!((start.value, start.depth), (6.1, 20));
        let position = replay("22 33").unwrap();
        for symmetry in 0..position.symmetries() {
            let image = position.transform(symmetry);
            let best = book.get(&image).unwrap().best;
            // Any answer will do that makes the same position, up to symmetry.
            let after = |position: Position, best: Column| {
                let mut next = position;
                next.play(best).unwrap();
                canonical(&next).0
            };
            assert_eq!(after(image, best), after(position, "12".parse().unwrap()));
        }
        assert_eq!(book.get(&replay("22 33 12").unwrap()), None);
        assert_eq!(book.get(&replay("22 32").unwrap()), None);
    }

    #[test]
    fn a_line_that_is_none_is_refused_by_its_number() {
        for (text, why) in [
            ("22 = 33 1", "line 1: `22 = 33 1`: expected MOVES = COLUMN TENTHS DEPTH"),
            ("# x\n22 33", "line 2: `22 33`: expected MOVES = COLUMN TENTHS DEPTH"),
        ] {
            assert_eq!(Book::parse(text).err().as_deref(), Some(why));
        }
        assert!(Book::parse("00 = 22 1 1").err().unwrap().starts_with("line 1: "));
    }

    #[test]
    fn the_standard_book_knows_every_position_of_the_first_two_stones() {
        let book = Book::standard();
        let known = |position: &Position| {
            let best = book
                .get(position)
                .unwrap_or_else(|| panic!("{}", position.print()))
                .best;
            assert!(position.is_legal(best));
        };
        known(&Position::new());
        for first in Column::all() {
            let mut one = Position::new();
            one.drop_stone(first);
            known(&one);
            for second in Column::all() {
                let mut two = one;
                two.drop_stone(second);
                known(&two);
            }
        }
        assert!(book.len() < 500, "{}", book.len());
    }
}
