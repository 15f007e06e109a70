//! Whatever a runner says, the engine answers, and ends when the runner does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use link::ugi::serve;
use quarto::{Position, Rules};
use std::io::Cursor;

fuzz_target!(|bytes: &[u8]| {
    let recipe = players::recipe::<Position>("random").unwrap();
    let mut output = Vec::new();
    // Bytes that are no text end the conversation with an error.
    let _ = serve(Position::new(Rules::standard()), &recipe, Cursor::new(bytes.to_vec()), &mut output);
    assert!(String::from_utf8(output).is_ok());
});
