//! The solver against exact values made elsewhere, and against a twin that knows no table, no symmetry and no order.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Rng, Stop, below, rng};
use quarto::policy::{self, Novice, Random};
use quarto::solver::{Exact, NoAnswer, Outcome, Solver};
use quarto::{Position, Rules};

const MEGABYTE: usize = 1 << 20;

fn solver(rules: &'static Rules, memory: usize, threads: usize) -> Solver {
    Solver::new(rules, memory, threads).unwrap()
}

/// The value of a position by plain alpha-beta over half turns, straight from the rules: no table, no symmetry, no
/// order, nothing shared with the solver.
fn twin(position: &Position) -> Exact {
    let score = twin_score(position, 0, -200, 200);
    let (outcome, plies) = match score {
        0 => (Outcome::Draw, 16 - position.placed() as i32),
        1.. => (Outcome::Win, 100 - score),
        _ => (Outcome::Loss, 100 + score),
    };
    Exact {
        outcome,
        plies: plies as u32,
    }
}

/// For the player to move: 100 less the placements until a win, minus that for a loss, 0 for a draw.
fn twin_score(position: &Position, placements: i32, mut alpha: i32, beta: i32) -> i32 {
    match position.hand() {
        Some(_) => {
            for cell in position.empty() {
                let board = position.placing(cell);
                let score = match (board.completed(), board.playing()) {
                    (true, _) if position.rules().misere() => placements + 1 - 100,
                    (true, _) => 100 - (placements + 1),
                    (_, false) => 0,
                    _ => twin_score(&board, placements + 1, alpha, beta),
                };
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        None => {
            for piece in position.left() {
                let score = -twin_score(&position.giving(piece), placements, -beta, -alpha);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
    }
    alpha
}

/// An unfinished position with `placed` pieces, with or without one in hand, from play that avoids early ends.
fn position_with(rules: &'static Rules, placed: u32, rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::new(rules);
        while position.playing() {
            if position.placed() == placed && below(rng, 2) == 0 {
                return position;
            }
            position = match position.hand() {
                // Novices in normal play, so that many boards reach that far; anything goes in misère.
                Some(piece) if rules.misere() => {
                    position.placing(policy::TurnPolicy::place(&Novice, &position, piece, rng))
                }
                Some(piece) => position.placing(policy::TurnPolicy::place(&Random, &position, piece, rng)),
                None => position.giving(policy::TurnPolicy::give(&Novice, &position, rng)),
            };
            if position.placed() > placed {
                break;
            }
        }
    }
}

fn agree_with_twin(positions: u32, least_placed: u32, seed: u64) {
    let mut rng = rng(seed);
    for rules in Rules::all() {
        let solver = solver(rules, MEGABYTE, 1);
        for _ in 0..positions {
            let placed = least_placed + below(&mut rng, 16 - least_placed);
            let position = position_with(rules, placed, &mut rng);
            let exact = solver.exact(&position).unwrap();
            assert_eq!(exact, twin(&position), "{position:?}");
            assert_eq!(solver.outcome(&position), Ok(exact.outcome), "{position:?}");
        }
    }
}

#[test]
fn values_and_distances_agree_with_the_twin_late_in_the_game() {
    agree_with_twin(300, 11, 1);
}

/// `scripts/test` runs it with `--ignored`.
#[test]
#[ignore = "takes minutes: the twin is slow"]
fn values_and_distances_agree_with_the_twin_on_2000_positions_of_each_variant() {
    agree_with_twin(2000, 9, 2);
}

#[test]
fn the_values_of_1040_positions_are_those_of_two_other_solvers() {
    let files = [
        ("quarto", include_str!("data/lines.tsv")),
        ("quarto-squares", include_str!("data/squares.tsv")),
    ];
    for (name, text) in files {
        let rules = Rules::named(name).unwrap();
        let start = Position::new(rules);
        let solver = solver(rules, 64 * MEGABYTE, 2);
        assert_eq!(text.lines().count(), 520);
        for line in text.lines() {
            let (position, value) = line.split_once('\t').unwrap();
            let position = start.parse(position).unwrap();
            assert_eq!(solver.outcome(&position).unwrap().name(), value, "{position:?}");
        }
    }
}

#[test]
fn table_sizes_and_threads_change_no_value() {
    let mut rng = rng(3);
    for rules in Rules::all() {
        let solvers = [
            solver(rules, 0, 1),
            solver(rules, MEGABYTE, 3),
            solver(rules, 256 * MEGABYTE, 1),
        ];
        for _ in 0..6 {
            let placed = if rules.misere() { 8 } else { 6 };
            let position = position_with(rules, placed, &mut rng);
            let [a, b, c] = solvers.each_ref().map(|solver| solver.exact(&position).unwrap());
            assert!(a == b && b == c, "{position:?}: {a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn the_value_of_a_position_is_that_of_its_best_turn() {
    let mut rng = rng(4);
    for rules in Rules::all() {
        let solver = solver(rules, MEGABYTE, 1);
        for _ in 0..20 {
            let position = position_with(rules, 10, &mut rng);
            let exact = solver.exact(&position).unwrap();
            let turns = solver.turns_exactly(&position).unwrap();
            assert_eq!(turns.len(), position.legal_count());
            let best = turns
                .iter()
                .map(|(_, value)| *value)
                .max_by_key(|value| value.preference());
            assert_eq!(best, Some(exact), "{position:?}");
            let outcomes: Vec<Outcome> = turns.iter().map(|(_, value)| value.outcome).collect();
            let quick: Vec<Outcome> = solver
                .turns(&position)
                .unwrap()
                .into_iter()
                .map(|(_, outcome)| outcome)
                .collect();
            assert_eq!(outcomes, quick);
            for bar in [Outcome::Loss, Outcome::Draw, Outcome::Win] {
                assert_eq!(
                    solver.at_least(&position, bar),
                    Ok(exact.outcome >= bar),
                    "{position:?} {bar:?}"
                );
            }
        }
    }
}

#[test]
fn wins_and_losses_within_a_number_of_placements_are_those_of_the_exact_distance() {
    let mut rng = rng(6);
    for rules in Rules::all() {
        let solver = solver(rules, MEGABYTE, 1);
        for _ in 0..40 {
            let position = position_with(rules, 9 + below(&mut rng, 5), &mut rng);
            let exact = solver.exact(&position).unwrap();
            for plies in 0..=16 {
                let reached = |outcome| exact.outcome == outcome && exact.plies <= plies;
                assert_eq!(
                    solver.wins_within(&position, plies),
                    Ok(reached(Outcome::Win)),
                    "{position:?} {plies}"
                );
                assert_eq!(
                    solver.loses_within(&position, plies),
                    Ok(reached(Outcome::Loss)),
                    "{position:?} {plies}"
                );
            }
        }
    }
}

#[test]
fn a_stopped_solve_says_so_and_the_next_one_is_right() {
    let rules = Rules::standard();
    let solver = solver(rules, 16 * MEGABYTE, 2);
    let empty = Position::new(rules);
    let stop = Stop::new();
    stop.raise();
    solver.set_stop(stop);
    assert_eq!(solver.outcome(&empty), Err(NoAnswer::Stopped));
    solver.set_stop(Stop::never());
    let late = position_with(rules, 9, &mut rng(5));
    assert_eq!(solver.exact(&late), Ok(twin(&late)));
}

#[test]
fn a_sign_raised_while_it_solves_ends_what_would_take_hours() {
    for threads in [1, 2] {
        let rules = Rules::named("quarto-misere").unwrap();
        let solver = solver(rules, 16 * MEGABYTE, threads);
        let whole = Stop::new();
        solver.set_stop(whole.child());
        let answer = std::thread::scope(|scope| {
            let solving = scope.spawn(|| solver.outcome(&Position::new(rules)));
            while solver.nodes() < 10_000 {
                std::thread::yield_now();
            }
            whole.raise();
            solving.join().unwrap()
        });
        assert_eq!(answer, Err(NoAnswer::Stopped));
    }
}

#[test]
fn a_finished_game_has_nothing_to_solve() {
    let won = Position::new(Rules::standard()).parse("0123/..../..../.... -").unwrap();
    assert_eq!(solver(Rules::standard(), 0, 1).outcome(&won), Err(NoAnswer::Finished));
}

#[test]
fn the_table_grows_with_what_is_asked_and_no_further() {
    let start = Position::new(Rules::standard());
    let [with_book, without] = [true, false].map(|book| {
        let mut solver = solver(Rules::standard(), 0, 1);
        if book {
            solver.open_book();
        }
        solver.make_room_for(&position_with(Rules::standard(), 9, &mut rng(7)), usize::MAX);
        assert_eq!(solver.memory(), MEGABYTE / 4, "late positions need little");
        solver.make_room_for(&start, 32 * MEGABYTE);
        solver.memory()
    });
    assert_eq!((with_book, without), (4 * MEGABYTE, 32 * MEGABYTE));
}

#[test]
fn a_question_for_a_few_boards_is_answered_rightly_or_not_at_all() {
    let mut rng = rng(31);
    let (mut answered, mut given_up) = (0, 0);
    for rules in Rules::all() {
        let (asked, whole) = (solver(rules, 1 << 20, 1), solver(rules, 1 << 20, 1));
        for _ in 0..6 {
            let position = position_with(rules, 8, &mut rng);
            for outcome in [Outcome::Win, Outcome::Draw] {
                let right = whole.at_least(&position, outcome).unwrap();
                for boards in [1, 3000, u64::MAX] {
                    let (answer, nodes) = asked.at_least_within(&position, outcome, boards).unwrap();
                    assert!(answer.is_none_or(|answer| answer == right), "{position:?} {outcome:?}");
                    assert!(answer.is_some() || nodes >= boards);
                    match answer {
                        Some(_) => answered += 1,
                        None => given_up += 1,
                    }
                }
            }
        }
    }
    assert!(answered > 100 && given_up > 5, "{answered} {given_up}");
}
