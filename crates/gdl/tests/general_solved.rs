//! `general` against perfect play: what the exact solver calls won or drawn from the start it does not lose.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Seat};
use gdl::{BuildLimits, Machine, Position, Sheet, Solver, Watch};
use player::Clock;

/// A bundled game on a smaller board.
fn smaller(name: &str, changes: &[(&str, &str)]) -> Position {
    let mut text = Sheet::text(name).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no {from}");
        text = text.replace(from, to);
    }
    let sheet = Sheet::parse(name, &text).unwrap();
    Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
}

/// What `general` gets on a seat against somebody who only makes best moves, and of those any.
fn against_perfection(spec: &str, start: &Position, seat: Seat, solver: &mut Solver, seed: u64) -> u8 {
    let mut general = gdl::players::factory(spec).unwrap().make();
    general.begin(seed);
    let mut rng = game::rng(seed);
    let mut position = start.clone();
    loop {
        if let Some(payoffs) = position.outcome() {
            return payoffs.of(seat).points();
        }
        let mv = if position.mover() == seat {
            general.choose(&position, &Clock::unlimited()).unwrap().best
        } else {
            let moves = solver.moves(&position).unwrap();
            let most = moves.iter().map(|&(_, value)| value).max().unwrap();
            let best: Vec<_> = moves.into_iter().filter(|&(_, value)| value == most).collect();
            game::pick(&mut rng, &best).unwrap().0
        };
        position.play(mv).unwrap();
    }
}

fn keeps_the_value(name: &str, start: &Position, spec: &str, games: u64) {
    let mut solver = Solver::new(start, 2 << 30, Watch::default()).unwrap();
    let value = solver.value(start).unwrap();
    for (seat, expected) in [(Seat::FIRST, value), (Seat::SECOND, 100 - value)] {
        for seed in 0..games {
            let got = against_perfection(spec, start, seat, &mut solver, seed);
            assert!(
                got >= expected,
                "{name} on {seat}, game {seed}: {got} instead of {expected}"
            );
        }
    }
}

#[test]
fn general_keeps_what_tic_tac_toe_and_nim_are_worth() {
    for name in ["tictactoe", "nim"] {
        keeps_the_value(name, &smaller(name, &[]), "general:nodes=4000,threads=1", 4);
    }
}

#[test]
fn general_keeps_what_a_small_breakthrough_is_worth() {
    let start = smaller(
        "breakthrough",
        &[
            ("(line 5) (line 6) (line 7) (line 8)", ""),
            ("(after 4 5) (after 5 6) (after 6 7) (after 7 8)", ""),
            ("(home black 7) (home black 8)", "(home black 3) (home black 4)"),
            ("(last white 8)", "(last white 4)"),
        ],
    );
    keeps_the_value("breakthrough 4x4", &start, "general:nodes=5000,threads=1", 3);
}

#[test]
fn general_keeps_what_a_low_connect_four_is_worth() {
    let start = smaller(
        "connectfour",
        &[
            ("(column 6) (column 7)", ""),
            ("(row 5) (row 6)", ""),
            ("(after 5 6) (after 6 7)", ""),
        ],
    );
    keeps_the_value("connect four 5x4", &start, "general:nodes=20000,threads=1", 2);
}
