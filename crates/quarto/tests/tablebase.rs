//! Tables of all positions with so many pieces placed, against the rules and the books.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::Game;
use quarto::book::Book;
use quarto::solver::{Exact, Outcome, Solver};
use quarto::tablebase::{ClassCache, Tablebase, TablebaseLayout, all_positions};
use quarto::{Position, Rules};
use std::sync::Arc;

const MEMORY: usize = 64 << 20;

fn torus() -> &'static Rules {
    Rules::named("quarto-torus").unwrap()
}

fn all(rules: &'static Rules, placed: u32) -> Vec<Position> {
    all_positions(rules, placed).collect()
}

/// A table whose values that solver finds.
fn table(solver: &Solver, placed: u32) -> Tablebase {
    let layout = TablebaseLayout::new(solver.rules(), placed, 2);
    let cache = ClassCache::default();
    layout.pack(|part| part.solve(solver, &cache).ok(), 2).unwrap()
}

/// A table that is copied from the book, which has fewer pieces.
fn from_book(rules: &'static Rules, placed: u32) -> Tablebase {
    let mut solver = Solver::new(rules, MEMORY, 1).unwrap();
    solver.open_book();
    let table = table(&solver, placed);
    assert_eq!(solver.nodes(), 0);
    table
}

/// The best that a turn can do, by the rules alone: what it leads to is looked up.
fn by_one_turn(position: &Position, value: impl Fn(&Position) -> Exact) -> Exact {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    let values = turns.into_iter().map(|turn| {
        let mut after = *position;
        after.play(turn).unwrap();
        match after.outcome() {
            Some(end) => Exact {
                outcome: end
                    .winner()
                    .map_or(Outcome::Draw, |winner| match winner == position.mover() {
                        true => Outcome::Win,
                        false => Outcome::Loss,
                    }),
                plies: 1,
            },
            None => {
                let exact = value(&after).reversed();
                Exact {
                    plies: exact.plies + 1,
                    ..exact
                }
            }
        }
    });
    values.max_by_key(|value| value.preference()).unwrap()
}

#[test]
fn a_solver_with_a_table_makes_the_one_before_it_as_the_rules_and_the_book_say() {
    let rules = torus();
    let book = Book::of(rules).unwrap();
    let four = Arc::new(from_book(rules, 4));
    let mut solver = Solver::new(rules, MEMORY, 1).unwrap();
    solver.add_table(four.clone()).unwrap();
    assert!(solver.table(4).is_some() && solver.table(3).is_none());
    let three = table(&solver, 3);
    let positions = all(rules, 3);
    assert_eq!((positions.len(), three.positions()), (1165, 1165));
    for position in &positions {
        let value = three.exact(position).unwrap();
        assert_eq!(
            value,
            by_one_turn(position, |after| four.exact(after).unwrap()),
            "{position:?}"
        );
        assert_eq!(Some(value), book.exact(position), "{position:?}");
        assert_eq!(four.one_before(position), Some(value), "{position:?}");
    }
    assert!(
        all(rules, 4)
            .iter()
            .take(10)
            .all(|position| four.one_before(position).is_none())
    );
    // What has fewer pieces is a search that ends at the table.
    let start = Position::new(rules);
    assert_eq!(Some(solver.exact(&start).unwrap()), book.exact(&start));
    assert!(solver.nodes() < 100_000, "{}", solver.nodes());
}

#[test]
fn a_table_made_by_search_alone_is_the_one_in_the_book() {
    let solver = Solver::new(torus(), MEMORY, 1).unwrap();
    let made = table(&solver, 2);
    assert!(solver.nodes() > 0 && made.to_bytes() == from_book(torus(), 2).to_bytes());
}

#[test]
fn the_table_in_the_program_is_whole_and_the_book_follows_from_it_by_the_rules_alone() {
    let rules = Rules::standard();
    let (table, book) = (Tablebase::embedded(rules).unwrap(), Book::of(rules).unwrap());
    assert_eq!((table.placed(), table.positions()), (5, 2_125_230));
    // The book was made without it.
    for position in all(rules, 4).iter().step_by(61) {
        let value = by_one_turn(position, |after| table.exact(after).unwrap());
        assert_eq!(Some(value), book.exact(position), "{position:?}");
    }
}

#[test]
fn the_table_in_the_program_says_what_a_search_without_it_finds() {
    let rules = Rules::standard();
    let table = Tablebase::embedded(rules).unwrap();
    let solver = Solver::new(rules, MEMORY, 1).unwrap();
    let positions = all(rules, 5);
    let exact = |position: &Position| table.exact(position).unwrap();
    let rare = |position: &&Position| exact(position).outcome != Outcome::Draw && exact(position).plies > 1;
    let spread = positions.iter().step_by(70_001);
    let rare = positions.iter().filter(rare).step_by(397);
    for position in spread.chain(rare) {
        assert_eq!(solver.exact(position).unwrap(), exact(position), "{position:?}");
    }
    // With it nothing is searched.
    let mut knowing = Solver::new(rules, MEMORY, 1).unwrap();
    knowing.open_book();
    for position in positions.iter().step_by(70_001) {
        assert_eq!(knowing.exact(position).unwrap(), exact(position));
    }
    assert_eq!(knowing.nodes(), 0);
}

#[test]
fn a_board_without_a_piece_in_hand_follows_from_the_gifts() {
    let rules = torus();
    let (table, book) = (from_book(rules, 3), Book::of(rules).unwrap());
    for position in all(rules, 2) {
        for board in position.empty().into_iter().map(|cell| position.placing(cell)) {
            assert_eq!(
                table.exact(&board),
                book.exact(&board).filter(|_| board.playing()),
                "{board:?}"
            );
        }
        assert_eq!(table.exact(&position), None, "only three placed");
    }
}

#[test]
fn a_file_is_read_as_it_was_written_and_anything_else_is_refused() {
    let table = from_book(torus(), 2);
    let bytes = table.to_bytes();
    let read = Tablebase::from_bytes(&bytes).unwrap();
    assert_eq!(
        (read.rules().name(), read.placed(), read.positions()),
        ("quarto-torus", 2, 65)
    );
    assert!(read.to_bytes() == bytes);
    for cut in [0, 8, 9, 20, 22, 30, bytes.len() - 1] {
        assert!(Tablebase::from_bytes(&bytes[..cut]).is_none(), "{cut}");
    }
    let more = [&bytes[..], &[0]].concat();
    assert!(Tablebase::from_bytes(&more).is_none());
    let mut solver = Solver::new(Rules::standard(), MEMORY, 1).unwrap();
    let refused = solver.add_table(Arc::new(read)).unwrap_err();
    assert_eq!(refused, "a table of quarto-torus says nothing of quarto");
}
