//! Whatever a manager says in the middle of a match, the player answers at once and stays fit to play.
#![no_main]

use libfuzzer_sys::fuzz_target;
use link::ggp::message::one_line;
use link::ggp::player::{Desk, Options};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

static START: LazyLock<String> = LazyLock::new(|| {
    let rules = one_line(gdl::bundled::text("tictactoe").unwrap());
    format!("( START M x ( {rules} ) 60 60 )")
});

fuzz_target!(|text: &str| {
    let began = Instant::now();
    let desk = Desk::new(players::recipe("random").unwrap(), Options::default(), Arc::new(|_| ()));
    assert_eq!(desk.answer(&START, Instant::now()).text, "ready");
    for line in text.lines().take(12) {
        // Other games than this one are another target's.
        if !line.to_ascii_lowercase().contains("start") {
            desk.answer(line, Instant::now());
        }
    }
    desk.answer("( ABORT M )", Instant::now());
    assert_eq!(desk.answer(&START, Instant::now()).text, "ready");
    let answer = desk.answer("( PLAY M NIL )", Instant::now()).text;
    assert!(answer.starts_with("(mark "), "{answer}");
    assert!(began.elapsed() < Duration::from_secs(20));
});
