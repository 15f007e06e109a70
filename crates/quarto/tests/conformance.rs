//! The suite of the house on every variant.

use game::conformance::{Effort, check};
use quarto::{Cell, Piece, Position, Rules, Turn};

/// Every turn that can be written.
fn universe() -> Vec<Turn> {
    let places = || Cell::all().map(Some).chain([None]);
    let gives = || Piece::all().map(Some).chain([None]);
    places()
        .flat_map(|place| gives().map(move |give| Turn { place, give }))
        .filter(|turn| turn.place.is_some() || turn.give.is_some())
        .collect()
}

#[test]
fn every_variant_keeps_the_promises_of_a_game() {
    let effort = Effort {
        games: 60,
        ..Effort::default()
    };
    for rules in Rules::all() {
        check(&Position::new(rules), &universe(), effort);
    }
}
