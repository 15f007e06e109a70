//! A position or a move of a GDL game that can be read reads back as it is printed.
#![no_main]

use game::Game;
use gdl::{Limits, Machine, Position, Sheet};
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

static FIRST: LazyLock<[Position; 2]> = LazyLock::new(|| {
    ["tictactoe", "duel"].map(|name| {
        let sheet = Sheet::load(name).unwrap();
        Position::new(Machine::compiled(&sheet, Limits::default()).unwrap()).unwrap()
    })
});

fuzz_target!(|text: &str| {
    for first in FIRST.iter() {
        if let Ok(mv) = first.parse_move(text) {
            assert_eq!(first.parse_move(&first.print_move(mv)), Ok(mv));
            let _ = first.clone().play(mv);
        }
        if let Ok(position) = first.parse(text) {
            assert_eq!(first.parse(&position.print()).as_ref(), Ok(&position));
        }
    }
});
