//! Puzzles that come with the program have one answer, and their command makes the same ones again. What search says of them is held
//! against plain recursion over positions as text.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::Stop;
use games::puzzles::{Puzzle, PuzzleError, PuzzleQuestion, PuzzleSet, TryResult, Wanted, WhyWrong};
use games::{AnyGame, AnyPosition};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The games whose puzzles search finds: with how many of each kind, and how many tries.
const SHIPPED: [(&str, usize, u64); 4] = [
    ("tictactoe", 12, 3000),
    ("nim", 24, 3000),
    ("connectfour", 20, 1024),
    ("stack4", 30, 2048),
];

fn game(name: &str) -> Arc<dyn AnyGame> {
    games::find(name).unwrap().game
}

fn set(name: &str) -> PuzzleSet {
    game(name).puzzles().unwrap()
}

fn position(name: &str, puzzle: &Puzzle) -> Box<dyn AnyPosition> {
    game(name).first().parse(&puzzle.position).unwrap()
}

#[test]
fn every_shipped_puzzle_has_one_answer_and_stands_against_every_defence() {
    for (name, ..) in SHIPPED {
        let proved = game(name).prove_puzzles(None, 2, &Stop::never()).unwrap();
        assert_eq!(proved.wrong, [], "{name}");
        assert!(proved.kinds.values().sum::<usize>() >= 10, "{name}: {:?}", proved.kinds);
    }
}

/// What a try leads to hangs on nothing but its seed and the kinds that are still open, so the first tries of a file's command find the first
/// puzzles of each kind. (All of them take minutes.)
#[test]
fn the_command_of_a_file_makes_it_again() {
    for (name, each, tries) in SHIPPED {
        let wanted = Wanted {
            each,
            seed: 1,
            tries: tries / 16,
            threads: 2,
        };
        let found = game(name).mine_puzzles(wanted, &Stop::never(), &|_| ()).unwrap();
        assert!(found.len() >= 5, "{name}: {found:?}");
        let path = format!("{}/src/puzzles/{name}.puzzles", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::read_to_string(path).unwrap();
        let heading = format!("# terzo puzzles make {name} -n {each} --seed 1 --tries {tries}");
        assert_eq!(file.lines().next(), Some(heading.as_str()));
        for kind in found.iter().map(|puzzle| &puzzle.kind).collect::<HashSet<_>>() {
            let again = found.iter().filter(|puzzle| puzzle.kind == *kind);
            let again: Vec<&str> = again.map(|puzzle| puzzle.line.as_str()).collect();
            let written = file.lines().filter(|line| line.split(' ').next() == Some(kind));
            assert!(written.collect::<Vec<_>>().starts_with(&again), "{name}: {kind}");
        }
    }
}

/// What the mover gets, by looking at everything.
fn value(position: &dyn AnyPosition, known: &mut HashMap<String, u8>) -> u8 {
    let text = position.print();
    if let Some(&value) = known.get(&text) {
        return value;
    }
    let best = position.legal_moves().iter().map(|mv| worth(position, mv, known)).max();
    known.insert(text, best.unwrap());
    best.unwrap()
}

/// What a move gets its maker.
fn worth(position: &dyn AnyPosition, mv: &str, known: &mut HashMap<String, u8>) -> u8 {
    let after = position.play(mv).unwrap();
    // Once the game is over nobody moves.
    match after.payoffs() {
        Some(payoffs) => payoffs[position.mover()],
        None => 100 - value(after.as_ref(), known),
    }
}

#[test]
fn plain_recursion_finds_the_same_answers() {
    for (name, step) in [("tictactoe", 1), ("nim", 4), ("connectfour", 25)] {
        let mut known = HashMap::new();
        for puzzle in set(name).puzzles.iter().step_by(step) {
            let here = position(name, puzzle);
            let least = if puzzle.kind == "hold" { 50 } else { 100 };
            let moves = here.legal_moves();
            let right: Vec<&String> = moves
                .iter()
                .filter(|mv| worth(here.as_ref(), mv, &mut known) >= least)
                .collect();
            assert_eq!(right, [&puzzle.answer], "{name}: {puzzle:?}");
        }
    }
}

/// Whether the mover of a position of Stack Four completes the next line within so many stones of its own, by looking at everything.
fn forces_a_line(here: &dyn AnyPosition, mv: &str, turns: usize) -> bool {
    let points = |position: &dyn AnyPosition| position.points().unwrap().iter().sum::<i32>();
    let after = here.play(mv).unwrap();
    if points(after.as_ref()) > points(here) {
        return true;
    }
    turns > 1
        && !after.is_over()
        && after.legal_moves().iter().all(|reply| {
            let next = after.play(reply).unwrap();
            points(next.as_ref()) == points(after.as_ref())
                && next
                    .legal_moves()
                    .iter()
                    .any(|mv| forces_a_line(next.as_ref(), mv, turns - 1))
        })
}

#[test]
fn plain_recursion_finds_the_same_lines_of_stack_four() {
    let of = |kind: &'static str| {
        set("stack4")
            .puzzles
            .into_iter()
            .filter(move |puzzle| puzzle.kind == kind)
    };
    for puzzle in of("win1").chain(of("win2")).step_by(5).chain(of("win3").take(2)) {
        let here = position("stack4", &puzzle);
        let turns: usize = puzzle.kind[3..].parse().unwrap();
        let moves = here.legal_moves();
        let within = |turns| {
            moves
                .iter()
                .filter(|mv| forces_a_line(here.as_ref(), mv, turns))
                .collect::<Vec<_>>()
        };
        assert_eq!(within(turns), [&puzzle.answer], "{puzzle:?}");
        assert!(turns == 1 || within(turns - 1).is_empty(), "{puzzle:?}");
    }
}

#[test]
fn no_two_puzzles_of_stack_four_are_the_same_by_symmetry() {
    let puzzles = set("stack4").puzzles;
    let class = |puzzle: &Puzzle| {
        let here = position("stack4", puzzle);
        (0..here.symmetries())
            .map(|symmetry| here.transform(symmetry).print())
            .min()
    };
    let classes: HashSet<_> = puzzles.iter().map(class).collect();
    assert_eq!(classes.len(), puzzles.len());
}

#[test]
fn a_right_try_is_answered_until_the_goal_is_reached_and_a_wrong_one_is_refuted() {
    for (name, ..) in SHIPPED {
        let (game, set) = (game(name), set(name));
        let kinds: HashSet<&str> = set.puzzles.iter().map(|puzzle| puzzle.kind.as_str()).collect();
        for kind in kinds {
            let number = set.puzzles.iter().position(|puzzle| puzzle.kind == kind).unwrap();
            let puzzle = &set.puzzles[number];
            let tried = |turns: &[String], asked| game.try_puzzle(number, turns, asked, &Stop::never());
            assert_eq!(tried(&[], PuzzleQuestion::Verdict).unwrap().verdict, TryResult::Open);
            let here = position(name, puzzle);
            // Every wrong first turn is refuted, by turns that can be played.
            for wrong in here.legal_moves().iter().filter(|mv| **mv != puzzle.answer) {
                let told = tried(std::slice::from_ref(wrong), PuzzleQuestion::Verdict).unwrap();
                assert_eq!(told.verdict, TryResult::Wrong, "{name} {kind} {wrong}");
                let mut after = here.play(wrong).unwrap();
                for turn in &told.line {
                    after = after.play(turn).unwrap();
                }
                let lost = told.why == Some(WhyWrong::Loses) && set.goal == "win";
                assert!(
                    !lost || after.payoffs().is_some_and(|payoffs| payoffs[here.mover()] == 0),
                    "{name} {kind} {wrong}"
                );
            }
            // The solution is right at every step, and as long as it says.
            let solution = tried(&[], PuzzleQuestion::Solution).unwrap().line;
            assert_eq!(solution.first(), Some(&puzzle.answer));
            if let Some(turns) = kind.strip_prefix("win") {
                let turns: usize = turns.parse().unwrap();
                assert_eq!(solution.len(), 2 * turns - 1, "{name} {kind}");
                let mut so_far = Vec::new();
                for step in 0..turns {
                    so_far.push(if step == 0 {
                        puzzle.answer.clone()
                    } else {
                        tried(&so_far, PuzzleQuestion::Solution).unwrap().line[0].clone()
                    });
                    let told = tried(&so_far, PuzzleQuestion::Verdict).unwrap();
                    let last = step + 1 == turns;
                    assert_eq!(
                        told.verdict,
                        if last { TryResult::Solved } else { TryResult::Right },
                        "{name} {kind}"
                    );
                    so_far.extend(told.line);
                }
            }
        }
        let error = |number, turns: &[&str]| {
            let turns: Vec<String> = turns.iter().map(|turn| turn.to_string()).collect();
            game.try_puzzle(number, &turns, PuzzleQuestion::Verdict, &Stop::never())
                .unwrap_err()
        };
        assert_eq!(error(99_999, &[]), PuzzleError::Unknown);
        assert!(matches!(error(0, &["zebra"]), PuzzleError::Turn(_)), "{name}");
    }
}

#[test]
fn games_without_puzzles_say_so() {
    let none = |name: &str| {
        game(name).mine_puzzles(
            Wanted {
                each: 1,
                seed: 1,
                tries: 1,
                threads: 1,
            },
            &Stop::never(),
            &|_| (),
        )
    };
    // Three play, or both choose at once.
    assert_eq!(none("trio"), Err(PuzzleError::None));
    assert_eq!(none("duel"), Err(PuzzleError::None));
    assert_eq!(
        game("chess").prove_puzzles(None, 1, &Stop::never()),
        Err(PuzzleError::Unknown)
    );
    assert!(!game("chess").has_puzzles() && game("nim").has_puzzles() && game("quarto").has_puzzles());
    let bad = game("nim").prove_puzzles(Some("win1 | (heap a 1) | (leave,a,0)"), 1, &Stop::never());
    assert!(matches!(bad, Err(PuzzleError::Text(why)) if why.contains("line 1: expected a kind")));
}
