//! Positions, moves, records, players and books.

use crate::text;
use arena::gametext::GameText;
use game::Game;
use gdl::{BuildLimits, Machine, Sheet};
use player::Spec;
use quarto::Rules;
use quarto::book::Book;
use quarto::puzzle::Puzzle;
use quarto::tablebase::Tablebase;
use stack4::{StateString, replay};
use std::sync::LazyLock;

/// What is read as a position or a move is printed as something that reads as the same.
fn reads_back<G: Game>(first: &G, text: &str) {
    if let Ok(position) = first.parse(text) {
        assert_eq!(first.parse(&position.print()).as_ref(), Ok(&position));
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            assert_eq!(position.parse_move(&position.print_move(mv)), Ok(mv));
        }
    }
    if let Ok(mv) = first.parse_move(text) {
        assert_eq!(first.parse_move(&first.print_move(mv)), Ok(mv));
        let _ = first.clone().play(mv);
    }
    for puzzle in search::puzzle::read(first, text).unwrap_or_default() {
        let again = search::puzzle::Puzzle::parse(first, &puzzle.to_string());
        assert_eq!(again.as_ref(), Ok(&puzzle));
    }
    if let Ok((positions, moves)) = GameText::parse(text).play(first) {
        assert_eq!(positions.len(), moves.len() + 1);
    }
}

pub fn quarto(bytes: &[u8]) {
    for rules in Rules::all() {
        reads_back(&quarto::Position::new(rules), text(bytes));
        for puzzle in quarto::puzzle::read(rules, text(bytes)).unwrap_or_default() {
            assert_eq!(Puzzle::parse(rules, &puzzle.to_string()).as_ref(), Ok(&puzzle));
        }
    }
}

pub fn stack4(bytes: &[u8]) {
    let (first, text) = (stack4::Position::new(), text(bytes));
    reads_back(&first, text);
    if let Ok(position) = replay(text) {
        assert_eq!(first.parse(&position.print()).as_ref(), Ok(&position));
    }
    if let Ok(packed) = StateString::parse(text) {
        assert_eq!(StateString::parse(&packed.print()).as_ref(), Ok(&packed));
        let _ = stack4::Position::from_stones(packed.stones, [0, 0]);
    }
}

static SHEETS: LazyLock<Vec<gdl::Position>> = LazyLock::new(|| {
    let first = |name| {
        let machine = Machine::compiled(&Sheet::load(name).ok()?, BuildLimits::default()).ok()?;
        gdl::Position::new(machine).ok()
    };
    ["tictactoe", "duel"].into_iter().filter_map(first).collect()
});

pub fn gdl_position(bytes: &[u8]) {
    assert_eq!(SHEETS.len(), 2);
    for first in SHEETS.iter() {
        reads_back(first, text(bytes));
    }
}

pub fn spec(bytes: &[u8]) {
    let text = text(bytes);
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse().as_ref(), Ok(&spec));
    }
    let _ = quarto::players::factory(text).map_err(|error| error.to_string());
    let _ = stack4::players::factory(text).map_err(|error| error.to_string());
    let _ = gdl::players::factory(text).map_err(|error| error.to_string());
}

pub fn table(bytes: &[u8]) {
    let Some(table) = Tablebase::from_bytes(bytes) else {
        return;
    };
    assert_eq!(table.to_bytes(), bytes);
    let first = quarto::Position::new(table.rules());
    for text in [
        "0.../..../...f/.... 5",
        "01../.2../...f/.... 5",
        "01../.2../...f/.... -",
    ] {
        if let Ok(position) = first.parse(text) {
            let _ = table.exact(&position);
        }
    }
}

pub fn book(bytes: &[u8]) {
    let Some(book) = Book::from_bytes(bytes) else {
        return;
    };
    assert_eq!(book.to_bytes(), bytes);
    let first = quarto::Position::new(Rules::standard());
    for text in [
        "..../..../..../.... -",
        "0.../..../...f/.... 5",
        "01../.2../...f/.... 5",
        "01../.2../..4f/.... 5",
    ] {
        if let Ok(position) = first.parse(text) {
            // A book of nonsense says something, and what it says is a turn.
            let _ = book.exact(&position);
            if let Some(turn) = book.turn(&position) {
                assert!(position.clone().play(turn).is_ok());
            }
        }
    }
}
