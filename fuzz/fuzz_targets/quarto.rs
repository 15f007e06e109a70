//! A Quarto position, turn or record that can be read reads back as it is printed, in every variant.
#![no_main]

use arena::gametext::GameText;
use game::Game;
use libfuzzer_sys::fuzz_target;
use quarto::{Position, Rules};

fuzz_target!(|text: &str| {
    for rules in Rules::all() {
        let first = Position::new(rules);
        if let Ok(position) = first.parse(text) {
            assert_eq!(first.parse(&position.print()).as_ref(), Ok(&position));
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            for mv in moves {
                assert_eq!(position.parse_move(&position.print_move(mv)), Ok(mv));
            }
        }
        if let Ok(turn) = first.parse_move(text) {
            assert_eq!(first.parse_move(&first.print_move(turn)), Ok(turn));
        }
        let _ = GameText::parse(text).play(&first);
    }
});
