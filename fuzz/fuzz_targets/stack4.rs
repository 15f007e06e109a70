//! A Stack Four position, column, game or state string that can be read reads back as it is printed.
#![no_main]

use game::Game;
use libfuzzer_sys::fuzz_target;
use stack4::{Packed, Position, replay};

fuzz_target!(|text: &str| {
    let first = Position::new();
    if let Ok(position) = first.parse(text) {
        assert_eq!(first.parse(&position.print()).as_ref(), Ok(&position));
    }
    if let Ok(column) = first.parse_move(text) {
        assert_eq!(first.parse_move(&first.print_move(column)), Ok(column));
    }
    if let Ok(position) = replay(text) {
        assert_eq!(first.parse(&position.print()).as_ref(), Ok(&position));
    }
    if let Ok(packed) = Packed::parse(text) {
        assert_eq!(Packed::parse(&packed.print()).as_ref(), Ok(&packed));
        let _ = Position::from_stones(packed.stones, [0, 0]);
    }
});
