//! The suite and the counts on the smallest real game: one heap, take one to three, who takes the last wins.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::conformance::{Effort, check};
use game::example::Heap;
use game::{Game, GameError, Payoffs, Seat, perft, perft_each};

#[test]
fn a_sound_game_passes_the_suite() {
    check(&Heap::new(21), &[0, 1, 2, 3, 4, 255], Effort::default());
}

#[test]
fn perft_counts_the_compositions_of_the_heap() {
    // Sequences of d numbers from 1 to 3 whose sum is at most 5.
    let heap = Heap::new(5);
    let counts: Vec<u64> = (0..=6).map(|depth| perft(&heap, depth)).collect();
    assert_eq!(counts, [1, 3, 8, 10, 5, 1, 0]);
    let played: Vec<u64> = (0..=6).map(|depth| perft_each(&heap, depth)).collect();
    assert_eq!(counts, played);
}

/// A heap with one broken promise at a time.
macro_rules! broken {
    ($name:ident, $message:literal, $($method:tt)*) => {
        mod $name {
            use super::*;

            #[derive(Clone, Debug, PartialEq, Eq, Hash)]
            struct Broken(Heap);

            impl Game for Broken {
                type Move = u8;
                fn start(&self) -> Self { Broken(self.0.start()) }
                fn mover(&self) -> Seat { self.0.mover() }
                fn outcome(&self) -> Option<Payoffs> { self.0.outcome() }
                fn legal_moves(&self, into: &mut Vec<u8>) { self.0.legal_moves(into); self.tamper(into); }
                fn is_legal(&self, mv: u8) -> bool { self.0.is_legal(mv) }
                fn why_illegal(&self, mv: u8) -> String { self.0.why_illegal(mv) }
                fn play_unchecked(&mut self, mv: u8) { self.0.play_unchecked(mv) }
                fn key(&self) -> u64 { self.0.key() }
                fn print(&self) -> String { self.tamper_text(self.0.print()) }
                fn parse(&self, text: &str) -> Result<Self, GameError> { self.0.parse(text).map(Broken) }
                fn print_move(&self, mv: u8) -> String { self.0.print_move(mv) }
                fn parse_move(&self, text: &str) -> Result<u8, GameError> { self.0.parse_move(text) }
            }

            impl Tamper for Broken { $($method)* }

            #[test]
            #[should_panic(expected = $message)]
            fn is_caught() {
                check(&Broken(Heap::new(9)), &[0, 1, 2, 3, 4], Effort::default());
            }
        }
    };
}

trait Tamper {
    fn tamper(&self, _moves: &mut Vec<u8>) {}
    fn tamper_text(&self, text: String) -> String {
        text
    }
}

broken!(
    a_move_left_out,
    "disagree",
    fn tamper(&self, moves: &mut Vec<u8>) {
        if moves.len() == 3 {
            moves.pop();
        }
    }
);
broken!(
    a_move_listed_twice,
    "listed twice",
    fn tamper(&self, moves: &mut Vec<u8>) {
        if moves.len() == 3 {
            moves[2] = moves[0];
        }
    }
);
broken!(
    an_illegal_move_listed,
    "listed but not legal",
    fn tamper(&self, moves: &mut Vec<u8>) {
        if moves.len() == 3 {
            moves[2] = 4;
        }
    }
);
broken!(
    a_text_that_does_not_parse_back,
    "parse",
    fn tamper_text(&self, text: String) -> String {
        format!("{text}!")
    }
);
