//! What is certain against other searches.

use super::super::{deep::Deep, survey::Survey};
use super::*;
use crate::{BuildLimits, Machine, Sheet, Solver, Watch};
use std::collections::HashMap;

fn start(name: &str, changes: &[(&str, &str)]) -> Position {
    let text = changes
        .iter()
        .fold(Sheet::text(name).unwrap(), |text, (from, to)| text.replace(from, to));
    let sheet = Sheet::parse(name, &text).unwrap();
    Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
}

/// Connect four of five columns of four cells.
fn small_four() -> Position {
    let changes = [
        ("(column 6) (column 7)", ""),
        ("(row 5) (row 6)", ""),
        ("(after 5 6) (after 6 7)", ""),
    ];
    start("connectfour", &changes)
}

fn endless() -> ExactBudget {
    ExactBudget {
        until: Until::never(),
        nodes: u64::MAX,
    }
}

#[test]
fn what_is_certain_is_what_the_solver_says_of_positions_and_of_moves() {
    for (start, skipped) in [(start("tictactoe", &[]), 0), (start("nim", &[]), 0), (small_four(), 8)] {
        let mut solver = Solver::new(&start, 1 << 28, Watch::default()).unwrap();
        let mut exact = ExactSearch::default();
        let mut rng = game::rng(3);
        for _ in 0..6 {
            let mut position = start.clone();
            let mut ply = 0;
            while let Some(mv) = position.random_move(&mut rng, &mut Vec::new()) {
                if ply >= skipped {
                    let solution = solver.solve(&position).unwrap();
                    let proof = exact.solve(&position, &mut endless());
                    assert_eq!((proof.least, proof.most), (solution.value, solution.value));
                    if let Some(mv) = proof.mv {
                        assert!(solution.moves.contains(&(mv, solution.value)));
                    }
                    for &(mv, value) in &solution.moves {
                        for points in [1, 50, 51, 100] {
                            let gets = exact.gets(&position, mv, points, &mut endless());
                            assert_eq!(gets, Some(value >= points));
                        }
                    }
                }
                position.play_unchecked(mv);
                ply += 1;
            }
        }
    }
}

#[test]
#[ignore = "measures: cargo test --release -p terzo-gdl --lib pace -- --ignored --nocapture"]
fn pace_on_connect_four_of_five_by_five() {
    let four = start(
        "connectfour",
        &[
            ("(column 6) (column 7)", ""),
            ("(row 6)", ""),
            ("(after 5 6) (after 6 7)", ""),
        ],
    );
    for line in [
        &[][..],
        &[0],
        &[1],
        &[2],
        &[2, 2, 2],
        &[2, 2, 1],
        &[1, 1, 2],
        &[1, 2, 0],
        &[1, 1, 0],
        &[1, 0, 1],
        &[0, 2, 3],
    ] {
        let mut position = four.clone();
        for &column in line {
            let mv = position.view().legal[position.mover().index()][column];
            position.play_unchecked(mv);
        }
        let mut exact = ExactSearch::default();
        let began = Instant::now();
        let answer = exact.first_that_gets(&position, 50, &mut endless());
        let (half, nodes) = (began.elapsed(), exact.nodes);
        let proof = exact.solve(&position, &mut endless());
        println!(
            "{line:?}: half {} {half:?} {nodes}; all {proof:?} {:?} {}",
            matches!(answer, Answer::Move(_)),
            began.elapsed(),
            exact.nodes
        );
        assert_eq!(matches!(answer, Answer::Move(_)), proof.least >= 50, "{line:?}");
        assert_eq!(proof.least, proof.most, "{line:?}");
        // The empty board is a draw.
        assert!(!line.is_empty() || proof.least == 50);
    }
}

/// Breakthrough on so many columns and rows, and what its facts are worth by what the player learns.
fn small_breakthrough(columns: usize, rows: usize) -> (Position, Vec<i32>) {
    let lines = |to: usize| -> String { (1..=to).map(|line| format!("(line {line}) ")).collect() };
    let position = start(
        "breakthrough",
        &[
            (lines(8).trim(), &lines(columns)),
            ("(beside ?a ?b) (after ?a ?b)", "(beside ?a ?b) (after ?a ?b) (line ?b)"),
            ("(beside ?a ?b) (after ?b ?a)", "(beside ?a ?b) (after ?b ?a) (line ?a)"),
            (
                "(home black 7) (home black 8)",
                &format!("(home black {}) (home black {rows})", rows - 1),
            ),
            ("(last white 8)", &format!("(last white {rows})")),
        ],
    );
    let deep = Deep::new(&Survey::new(&position, &Until::never()));
    assert!(deep.by_material);
    let worth = deep.worth().to_vec();
    (position, worth)
}

#[test]
#[ignore = "measures: cargo test --release -p terzo-gdl --lib pace -- --ignored --nocapture"]
fn pace_on_small_breakthrough() {
    for (columns, rows) in [(4, 5), (3, 6)] {
        let (start, worth) = small_breakthrough(columns, rows);
        let first = start.view().legal[0].len();
        for line in std::iter::once(None).chain((0..first).map(Some)) {
            let mut position = start.clone();
            if let Some(at) = line {
                position.play_unchecked(position.view().legal[0][at]);
            }
            for worth in [&[][..], &worth] {
                let mut exact = ExactSearch::default();
                exact.value_facts(worth);
                let began = Instant::now();
                let until = Until::never();
                // Twice what the old order needs at the start of 4 by 5.
                let nodes = 25_000_000;
                let proof = exact.solve(&position, &mut ExactBudget { until, nodes });
                println!(
                    "{columns}x{rows} {line:?} {}: {proof:?} {:?} {}",
                    worth.len(),
                    began.elapsed(),
                    exact.nodes
                );
                // Who begins loses the one and wins the other, whatever it does first.
                let won = (rows == 6) == line.is_none();
                assert_eq!((proof.least, proof.most), if won { (100, 100) } else { (0, 0) });
            }
        }
    }
}

#[test]
fn where_there_is_material_fewer_positions_are_enough() {
    let (start, worth) = small_breakthrough(3, 6);
    let needed = |worth: &[i32]| {
        let mut exact = ExactSearch::default();
        exact.value_facts(worth);
        let proof = exact.solve(&start, &mut endless());
        assert_eq!((proof.least, proof.most), (100, 100));
        exact.nodes
    };
    let (blind, seeing) = (needed(&[]), needed(&worth));
    assert!(3 * seeing < 2 * blind, "{seeing} instead of {blind}");
}

/// What the mover gets, by trying everything once.
fn brute_force(position: &Position, known: &mut HashMap<String, u8>) -> u8 {
    let text = position.print();
    if let Some(&value) = known.get(&text) {
        return value;
    }
    let legal = &position.view().legal[position.mover().index()];
    let value = |&mv: &Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        match next.outcome() {
            Some(payoffs) => payoffs.of(position.mover()).points(),
            None if next.mover() == position.mover() => brute_force(&next, known),
            None => 100 - brute_force(&next, known),
        }
    };
    let best = legal.iter().map(value).max().unwrap();
    known.insert(text, best);
    best
}

#[test]
fn what_is_certain_is_what_trying_everything_on_the_prover_says() {
    for (name, skipped) in [("tictactoe", 4), ("nim", 6), ("breakthrough", 6)] {
        let changes: &[(&str, &str)] = &[
            (
                "(line 1) (line 2) (line 3) (line 4) (line 5) (line 6) (line 7) (line 8)",
                "(line 1) (line 2)",
            ),
            ("(beside ?a ?b) (after ?a ?b)", "(beside ?a ?b) (after ?a ?b) (line ?b)"),
            ("(beside ?a ?b) (after ?b ?a)", "(beside ?a ?b) (after ?b ?a) (line ?a)"),
            ("(home black 7) (home black 8)", "(home black 4) (home black 5)"),
            ("(last white 8)", "(last white 5)"),
        ];
        let text = changes
            .iter()
            .fold(Sheet::text(name).unwrap(), |text, (from, to)| text.replace(from, to));
        let prover = Machine::prover(&Sheet::parse(name, &text).unwrap()).unwrap();
        let (compiled, proved) = (start(name, changes), Position::new(prover).unwrap());
        let (mut exact, mut known) = (ExactSearch::default(), HashMap::new());
        // What facts are worth says what is tried first, and nothing of what is found.
        let mut biased = ExactSearch::default();
        biased.value_facts(&(0..4096).map(|fact| fact * 7919 % 13 - 6).collect::<Vec<i32>>());
        let mut rng = game::rng(8);
        for _ in 0..3 {
            let (mut position, mut twin) = (compiled.clone(), proved.clone());
            let mut ply = 0;
            while let Some(mv) = position.random_move(&mut rng, &mut Vec::new()) {
                if ply >= skipped {
                    let proof = exact.solve(&position, &mut endless());
                    let value = brute_force(&twin, &mut known);
                    for proof in [proof, biased.solve(&position, &mut endless())] {
                        assert_eq!(
                            (proof.least, proof.most),
                            (value, value),
                            "{name}, {}",
                            position.print()
                        );
                    }
                }
                twin.play(twin.parse_move(&position.print_move(mv)).unwrap()).unwrap();
                position.play_unchecked(mv);
                ply += 1;
            }
        }
    }
}

#[test]
fn what_may_take_no_longer_is_not_said_to_be_certain() {
    let start = small_four();
    let mut exact = ExactSearch::default();
    let mut budget = ExactBudget {
        until: Until::never(),
        nodes: 100,
    };
    let proof = exact.solve(&start, &mut budget);
    assert_eq!((proof.least, proof.most, proof.mv), (0, 100, None));
    // What was found out meanwhile helps, and does no harm.
    let proof = exact.solve(&start, &mut endless());
    assert_eq!((proof.least, proof.most), (50, 50));
}

#[test]
fn small_games_are_told_from_large_ones() {
    for small in [start("tictactoe", &[]), small_four()] {
        let mut exact = ExactSearch::default();
        let left = exact.left_of(&small);
        assert!(left.is_some_and(|left| exact.is_enough(1_000_000.0, left)));
    }
    // Random games of breakthrough are long for what must be searched.
    for (columns, rows) in [(4, 5), (3, 6)] {
        let (small, worth) = small_breakthrough(columns, rows);
        let mut exact = ExactSearch::default();
        exact.value_facts(&worth);
        let left = exact.left_of(&small);
        assert!(
            left.is_some_and(|left| exact.is_enough(1_000_000.0, left)),
            "{columns}x{rows}: {left:?}"
        );
    }
    // The end of a large one is no smaller for being of material.
    let (large, worth) = small_breakthrough(6, 6);
    let mut exact = ExactSearch::default();
    exact.value_facts(&worth);
    assert!(exact.left_of(&large).is_none());
    assert!(!exact.is_enough(1_000_000.0, Remainder { size: 21.0 }));
    for large in [
        "connectfour",
        "reversi",
        "gomoku",
        "hex",
        "turntables",
        "quarto",
        "amazons",
    ] {
        assert!(ExactSearch::default().left_of(&start(large, &[])).is_none(), "{large}");
    }
}

#[test]
fn games_in_which_two_do_not_share_100_points_are_left_alone() {
    let text = "(role a) (role b) (init (turn a)) (init (left 2)) (succ 0 1) (succ 1 2)
        (other a b) (other b a)
        (<= (legal ?r x) (true (turn ?r))) (<= (legal ?r y) (true (turn ?r)))
        (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
        (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
        (<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
        (<= terminal (true (left 0)))
        (<= (goal ?r 70) (role ?r))";
    let sheet = Sheet::parse("both", text).unwrap();
    let start = Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap();
    let proof = ExactSearch::default().solve(&start, &mut endless());
    assert_eq!((proof.least, proof.most, proof.mv), (0, 100, None));
}
