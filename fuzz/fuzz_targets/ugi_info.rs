//! Whatever an engine says beside its move, what we make of it is legal.
#![no_main]

use game::Game;
use libfuzzer_sys::fuzz_target;
use link::ugi::{Command, with_info};
use quarto::{Position, Rules};

fuzz_target!(|text: &str| {
    let mut position = Position::new(Rules::standard());
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let thought = with_info(&position, moves[0], text);
    assert!(thought.value.is_none_or(f64::is_finite));
    for mv in thought.line {
        assert!(position.play(mv).is_ok());
    }
    let _ = Command::parse(text);
});
