//! Puzzles of the smallest game, by hand.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::example::Heap;
use game::{Game, Seat, Stop};
use search::puzzle::{
    Flaw, Puzzle, PuzzleKind, Tactics, Theme, Wanted, by_outcome, check, classify, mine, read, shape,
};
use search::{ExactSolver, Watch};

/// Who takes the last stone wins: a multiple of four is lost, and from there so many stones more are the only right ones to take.
fn theme() -> Theme<Heap> {
    Theme {
        goal: by_outcome,
        values: Some(|heap, stop| {
            let watch = Watch {
                stop: stop.clone(),
                ..Watch::default()
            };
            ExactSolver::new(2, Heap::clone, 0, 1 << 20, watch)?.moves(heap)
        }),
        longest: 3,
        before_end: 1..=7,
        class: |heap| shape(heap, 3),
    }
}

fn asks(stones: u8) -> Option<(PuzzleKind, u8)> {
    classify(&theme(), &Heap::new(stones), &Watch::default()).unwrap()
}

#[test]
fn a_heap_asks_for_the_one_number_that_leaves_a_multiple_of_four() {
    assert_eq!(asks(3), Some((PuzzleKind::Win(1), 3)));
    assert_eq!(asks(5), Some((PuzzleKind::Win(2), 1)));
    assert_eq!(asks(6), Some((PuzzleKind::Win(2), 2)));
    assert_eq!(asks(11), Some((PuzzleKind::Win(3), 3)));
    // Lost; a win that takes longer; nothing to choose from.
    assert_eq!([asks(8), asks(14), asks(1)], [None; 3]);
}

#[test]
fn a_proof_says_how_long_it_takes_and_plays_the_longest_defence() {
    let mut tactics = Tactics::new(by_outcome, Watch::default());
    let heap = Heap::new(11);
    assert_eq!(tactics.distance(&heap, Seat::FIRST, 5), Ok(Some(3)));
    assert_eq!(tactics.distance(&heap, Seat::SECOND, 9), Ok(None));
    let line = tactics.line(&heap, Seat::FIRST, 3).unwrap();
    assert_eq!(line.iter().map(|&stones| u32::from(stones)).sum::<u32>(), 11);
    assert_eq!(line.len(), 5);
    let stopped = Stop::new();
    stopped.raise();
    let watch = Watch {
        stop: stopped,
        ..Watch::default()
    };
    assert!(Tactics::new(by_outcome, watch).wins(&heap, Seat::FIRST, 3).is_err());
}

#[test]
fn the_same_seed_finds_the_same_puzzles_on_any_number_of_threads_and_each_is_proved() {
    let mined = |threads| {
        let wanted = Wanted {
            each: 4,
            seed: 3,
            tries: 600,
            threads,
        };
        mine(&theme(), &Heap::new(13), wanted, &Stop::new(), |_, _, _| 2, |_| ()).unwrap()
    };
    let found = mined(1);
    assert_eq!(mined(3), found);
    assert!(found.len() >= 5, "{found:?}");
    for puzzle in &found {
        assert_eq!(check(&theme(), puzzle, &Watch::default()), Ok(()), "{puzzle}");
        assert_eq!(Puzzle::parse(&Heap::new(13), &puzzle.to_string()).as_ref(), Ok(puzzle));
    }
}

#[test]
fn a_wrong_puzzle_is_found_out_and_a_bad_line_named() {
    let at = |kind, stones, answer| Puzzle {
        kind,
        position: Heap::new(stones),
        answer,
        missed: 0,
    };
    let flaw = |puzzle: &Puzzle<Heap>| check(&theme(), puzzle, &Watch::default()).unwrap_err();
    let right = Flaw::Other(Some((PuzzleKind::Win(2), "2".into())));
    assert_eq!(flaw(&at(PuzzleKind::Win(2), 6, 1)), right);
    assert_eq!(flaw(&at(PuzzleKind::Win(1), 6, 2)), right);
    assert_eq!(flaw(&at(PuzzleKind::Hold, 8, 2)), Flaw::Other(None));
    let start = Heap::new(9);
    let refused = |text: &str| read(&start, text).unwrap_err();
    assert!(refused("# words\nwin1 | 3").contains("line 2: expected a kind"));
    assert!(refused(&format!("win0 | {} | 3 | 0", start.print())).contains("`win0` is no kind"));
    assert!(refused(&format!("win1 | {} | 3 | many", start.print())).contains("`many` levels"));
    assert!(refused(&format!("win1 | {} | 7 | 1", start.print())).contains("line 1"));
}

#[test]
fn what_moves_are_called_makes_no_difference_to_the_shape() {
    assert_eq!(shape(&Heap::new(9), 2), shape(&Heap::new(10), 2));
    assert_ne!(shape(&Heap::new(5), 3), shape(&Heap::new(6), 3));
}
