//! Exact values are what plain search without table or pruning finds.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, rng};
use gdl::{BuildLimits, Machine, Position, Sheet, Solver, Unsolved, Watch};

fn start(name: &str) -> Position {
    let sheet = Sheet::load(name).unwrap();
    Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
}

/// A game of our own, as text.
fn game(text: &str) -> Position {
    Position::new(Machine::prover(&Sheet::parse("test", text).unwrap()).unwrap()).unwrap()
}

fn solver(position: &Position) -> Solver {
    Solver::new(position, 64 << 20, Watch::default()).unwrap()
}

/// What seat number `seat` gets, by looking at everything.
fn plainly(position: &Position, seat: game::Seat) -> u8 {
    if let Some(payoffs) = position.outcome() {
        return payoffs.of(seat).points();
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        plainly(&next, seat)
    });
    let best = if position.mover() == seat {
        values.max()
    } else {
        values.min()
    };
    best.unwrap()
}

#[test]
fn values_are_those_of_plain_search() {
    // How many random moves leave little enough for plain search.
    for (name, moves, positions) in [("tictactoe", 2, 30), ("nim", 5, 30), ("connectfour", 33, 20)] {
        let first = start(name);
        let mut solver = solver(&first);
        let mut rng = rng(3);
        for _ in 0..positions {
            let mut position = first.clone();
            for _ in 0..moves {
                if let Some(mv) = position.random_move(&mut rng, &mut Vec::new()) {
                    position.play_unchecked(mv);
                }
            }
            let expected = plainly(&position, position.mover());
            assert_eq!(solver.value(&position), Ok(expected), "{name}: {}", position.print());
            if position.outcome().is_none() {
                let best = solver
                    .moves(&position)
                    .unwrap()
                    .into_iter()
                    .map(|(_, value)| value)
                    .max();
                assert_eq!(best, Some(expected));
            }
        }
    }
}

#[test]
fn tic_tac_toe_is_a_draw_nim_is_won_and_the_lights_go_out() {
    for (name, value) in [("tictactoe", 50), ("nim", 100)] {
        let start = start(name);
        assert_eq!(solver(&start).value(&start), Ok(value), "{name}");
    }
    // From the start there are a million positions; after two of the four presses it is quick.
    let mut lights = start("lights");
    for press in ["(press,2,2)", "(press,4,4)"] {
        lights.play(lights.parse_move(press).unwrap()).unwrap();
    }
    assert_eq!(solver(&lights).value(&lights), Ok(100));
}

#[test]
fn what_has_no_value_or_is_too_large_is_said_to_be() {
    let trio = start("trio");
    assert_eq!(
        Solver::new(&trio, 1 << 20, Watch::default()).unwrap_err(),
        Unsolved::Roles(3)
    );
    let duel = start("duel");
    assert_eq!(solver(&duel).value(&duel), Err(Unsolved::AtOnce));
    let large = start("connectfour");
    let mut small = Solver::new(&large, 100_000, Watch::default()).unwrap();
    assert!(matches!(small.value(&large), Err(Unsolved::TooLarge { .. })));
    let watch = Watch::default();
    watch.stop.raise();
    let mut stopped = Solver::new(&large, 1 << 20, watch).unwrap();
    assert_eq!(stopped.value(&large), Err(Unsolved::Stopped));
}

#[test]
fn goals_that_do_not_add_up_and_games_that_do_not_end_are_errors() {
    let generous = game(
        "(role a) (role b) (init (at 1)) (<= (legal a go) (true (at 1))) (<= (legal b noop) (true (at 1)))
         (<= (next (at 2)) (does a go)) (<= terminal (true (at 2))) (goal a 100) (goal b 100)",
    );
    assert_eq!(solver(&generous).value(&generous), Err(Unsolved::NotZeroSum(100, 100)));
    let endless = game(
        "(role a) (init (at 1)) (init (at 2)) (other 1 2) (other 2 1) (<= (legal a (go ?x)) (true (at ?x)))
         (<= (next (at ?x)) (does a (go ?x))) (<= (next (at ?y)) (does a (go ?x)) (other ?x ?y))
         (<= terminal (true (never))) (<= (next (never)) (true (never))) (goal a 100)",
    );
    assert_eq!(solver(&endless).value(&endless), Err(Unsolved::Endless(2000)));
}
