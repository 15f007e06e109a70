//! The strong player against plain minimax and positions made by hand.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Rng, rng};
use stack4::strong::{Limits, Strong};
use stack4::{Column, GAME_LENGTH, Position, replay};
use std::time::{Duration, Instant};

fn after_random_moves(moves: u32, rng: &mut Rng) -> Position {
    let mut position = Position::new();
    for _ in 0..moves {
        position.drop_random(rng);
    }
    position
}

/// The margin of the mover with best play, by trying everything.
fn minimax(position: &Position) -> i64 {
    let seat = position.mover();
    if position.is_over() {
        let score = position.score();
        return i64::from(score[seat.index()]) - i64::from(score[seat.other().index()]);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let after = |&column: &Column| {
        let mut next = *position;
        next.drop_stone(column);
        -minimax(&next)
    };
    moves.iter().map(after).max().unwrap_or(0)
}

#[test]
fn the_end_of_the_game_is_exact_on_any_number_of_threads() {
    let mut rng = rng(64);
    for left in [1, 2, 3, 4] {
        for round in 0..if left == 4 { 4 } else { 20 } {
            let position = after_random_moves(GAME_LENGTH - left, &mut rng);
            let mut strong = Strong::new(1, 1 + round % 3);
            let found = strong.search(&position, &Limits::default()).unwrap();
            assert!(found.solved && found.depth == Some(left));
            assert_eq!(found.value, Some(minimax(&position) as f64), "{}", position.print());
            let mut next = position;
            next.play(found.best).unwrap();
            assert_eq!(
                Some(-minimax(&next) as f64),
                found.value,
                "{} is not best in {}",
                found.best,
                position.print()
            );
        }
    }
}

#[test]
fn it_takes_a_line_and_blocks_one() {
    let mut strong = Strong::new(1, 1);
    for depth in 1..=5 {
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        let take = strong.search(&replay("11 41 12 03 13 02").unwrap(), &limits).unwrap();
        assert_eq!(take.best.to_string(), "14", "{take:?}");
        assert!(take.value > Some(50.0), "{take:?}");
        let block = strong.search(&replay("11 41 12 03 13").unwrap(), &limits).unwrap();
        assert_eq!(block.best.to_string(), "14", "{block:?}");
    }
}

#[test]
fn one_thread_and_a_node_limit_play_the_same_game_every_time() {
    let game = || {
        let mut strong = Strong::new(1, 1);
        let limits = Limits {
            nodes: Some(3000),
            ..Limits::default()
        };
        let mut position = Position::new();
        let mut nodes = 0;
        while let Some(found) = strong.search(&position, &limits) {
            assert_eq!(found.pv.first(), Some(&found.best));
            nodes += found.nodes.unwrap();
            position.play(found.best).unwrap();
        }
        (position, nodes)
    };
    assert_eq!(game(), game());
}

#[test]
fn the_reported_line_can_be_played() {
    let mut rng = rng(12);
    let mut strong = Strong::new(1, 1);
    for _ in 0..20 {
        let mut position = after_random_moves(20, &mut rng);
        let limits = Limits {
            depth: Some(5),
            ..Limits::default()
        };
        let found = strong.search(&position, &limits).unwrap();
        assert!(found.pv.len() <= 5);
        for column in found.pv {
            position.play(column).unwrap();
        }
    }
}

#[test]
fn the_clock_stops_it_and_a_finished_game_has_no_move() {
    let mut strong = Strong::new(1, 2);
    for ms in [0, 20] {
        let time = Duration::from_millis(ms);
        let start = Instant::now();
        let found = strong
            .search(
                &Position::new(),
                &Limits {
                    time: Some(time),
                    ..Limits::default()
                },
            )
            .unwrap();
        assert!(Position::new().is_legal(found.best));
        // The benches measure how closely it keeps time; here the machine may be busy.
        assert!(start.elapsed() < time + Duration::from_secs(2));
    }
    let over = after_random_moves(GAME_LENGTH, &mut rng(1));
    assert!(strong.search(&over, &Limits::default()).is_none());
}
