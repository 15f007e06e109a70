//! Puzzles have one answer, and the same seed finds the same ones.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Stop};
use quarto::puzzle::{self, Flaw, Puzzle, PuzzleAnswer, PuzzleKind, Wanted};
use quarto::solver::Solver;
use quarto::{Position, Rules};
use std::collections::HashSet;

/// The variants whose puzzles come with the program.
const NAMES: [&str; 2] = ["quarto", "quarto-squares"];

fn rules(name: &str) -> &'static Rules {
    Rules::named(name).unwrap()
}

fn shipped(name: &str) -> Vec<Puzzle> {
    puzzle::read(rules(name), puzzle::shipped(rules(name)).unwrap()).unwrap()
}

fn check(puzzle: &Puzzle) -> Result<(), Flaw> {
    puzzle::check(&Solver::new(puzzle.position.rules(), 1 << 20, 1).unwrap(), puzzle)
}

#[test]
fn every_shipped_puzzle_has_one_answer_and_stands_against_every_defence() {
    for name in NAMES {
        let solver = Solver::new(rules(name), 4 << 20, 1).unwrap();
        for puzzle in shipped(name) {
            assert_eq!(puzzle::check(&solver, &puzzle), Ok(()), "{name}: {puzzle}");
        }
    }
}

/// What a try leads to hangs on nothing but its seed and the kinds that are still open, so the first tries of a file's command find the first
/// puzzles of each kind. (All of them take a minute.)
#[test]
fn the_shipped_puzzles_are_those_that_their_command_makes() {
    for name in NAMES {
        let wanted = Wanted {
            each: 300,
            seed: 1,
            tries: 1024,
            threads: 2,
        };
        let found = puzzle::mine(rules(name), wanted, &Stop::new(), |_| ()).unwrap();
        let heading = puzzle::shipped(rules(name)).unwrap().lines().next().unwrap();
        assert_eq!(
            heading,
            format!("# terzo puzzles make {name} -n 300 --seed 1 --tries 300000")
        );
        let shipped = shipped(name);
        for kind in PuzzleKind::ALL {
            let of_kind = |puzzles: &[Puzzle]| puzzles.iter().filter(|puzzle| puzzle.kind == kind).cloned().collect();
            let (again, shipped): (Vec<Puzzle>, Vec<Puzzle>) = (of_kind(&found), of_kind(&shipped));
            assert!(!again.is_empty() && shipped.starts_with(&again), "{name}: {kind}");
        }
    }
}

#[test]
fn no_two_shipped_puzzles_are_the_same_by_symmetry_and_every_kind_is_there() {
    for name in NAMES {
        let puzzles = shipped(name);
        let different: HashSet<_> = puzzles.iter().map(|puzzle| puzzle.position.canonical_key()).collect();
        assert_eq!(different.len(), puzzles.len());
        for kind in PuzzleKind::ALL {
            let count = puzzles.iter().filter(|puzzle| puzzle.kind == kind).count();
            assert!(count >= 300, "{name}: {count} of {kind}");
        }
    }
}

fn mined(threads: usize) -> Vec<String> {
    let wanted = Wanted {
        each: 2,
        seed: 5,
        tries: 3000,
        threads,
    };
    let found = puzzle::mine(rules("quarto"), wanted, &Stop::new(), |_| ()).unwrap();
    found.iter().map(Puzzle::to_string).collect()
}

#[test]
fn the_same_seed_finds_the_same_puzzles_on_any_number_of_threads() {
    let found = mined(1);
    assert_eq!(mined(3), found);
    let written: Vec<&str> = include_str!("data/mined.puzzles").lines().collect();
    assert_eq!(found, written);
    for line in found {
        let puzzle = Puzzle::parse(rules("quarto"), &line).unwrap();
        assert_eq!(check(&puzzle), Ok(()), "{line}");
    }
}

#[test]
fn a_wrong_puzzle_is_found_out() {
    let at = |line: &str| Puzzle::parse(rules("quarto"), line).unwrap();
    // Only on a3 the piece in hand completes a line, and nothing else wins.
    let good = at("win1 b4../9.6./..0f/d38. 7 a3.- 0");
    assert_eq!(check(&good), Ok(()));
    let elsewhere = at("win1 b4../9.6./..0f/d38. 7 d1.2 0");
    assert_eq!(check(&elsewhere), Err(Flaw::Answers(vec![good.answer])));
    let longer = Puzzle {
        kind: PuzzleKind::Win(2),
        ..good.clone()
    };
    assert_eq!(check(&longer), Err(Flaw::Kind));
    // Nobody loses early in the game, so every gift is an answer.
    let open = at("gift 0.../.7../..9./...e -  -.1 0");
    assert!(matches!(check(&open), Err(Flaw::Answers(several)) if several.len() > 1));
}

#[test]
fn a_file_that_cannot_be_read_is_refused_with_the_line() {
    let refused = |text: &str| puzzle::read(rules("quarto"), text).unwrap_err();
    assert!(refused("# nothing\nwin1 012./4.7.").contains("line 2: expected a kind"));
    assert!(refused("win5 012./4.7./a..d/.... 3 d1.- 0").contains("line 1: `win5` is no kind"));
    assert!(refused("win1 012./4.7./a..d/.... 3 d1.- 11").contains("`11` levels"));
    assert!(refused("win1 012./4.7./a..d/.... 2 d1.- 1").contains("piece 2 is in hand and also on"));
    assert!(refused("draw 012./4.7./a..d/.... 3 z9 1").contains("not a cell"));
    assert_eq!(puzzle::read(rules("quarto"), "\n# only words\n"), Ok(Vec::new()));
    let cell = puzzle::read(rules("quarto"), "draw 012./4.7./a..d/.... 3 d4 1").unwrap();
    let d4 = Position::new(rules("quarto"))
        .parse_move("d4.0")
        .unwrap()
        .place
        .unwrap();
    assert_eq!(cell[0].answer, PuzzleAnswer::Cell(d4));
}
