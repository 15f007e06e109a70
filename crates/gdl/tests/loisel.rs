//! Loisel does what report 002 says it does.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod sheets;

use game::{Game, Seat};
use player::Clock;
use sheets::{after, game_against_random, moves, player, start, worst_result};
use std::collections::HashMap;
use std::time::Duration;

#[test]
fn loisel_never_loses_tic_tac_toe_whatever_the_replies() {
    for spec in ["loisel:time=60s", "loisel:time=60s,mobility=both"] {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let mut loisel = player(spec);
            let worst = worst_result(loisel.as_mut(), &start("tictactoe"), seat, &mut HashMap::new());
            assert!(worst >= 50, "{spec} on {seat}");
        }
    }
}

#[test]
fn loisel_plays_every_bundled_game_to_its_end_by_the_rules() {
    for name in gdl::bundled::names() {
        let start = start(name);
        for seat in 0..start.seats() as u8 {
            game_against_random("loisel:depth=1", &start, Seat::new(seat), 3);
        }
    }
}

#[test]
fn one_move_ahead_it_leaves_the_opponent_the_fewest_moves_and_takes_the_last_of_equals() {
    for name in ["reversi", "breakthrough", "checkers", "chess"] {
        let mut loisel = player("loisel:depth=1");
        let mut position = start(name);
        let mut rng = game::rng(5);
        for _ in 0..30 {
            if position.outcome().is_some() {
                break;
            }
            let mover = position.mover();
            // Reckoned anew: a win before everything, then few moves of the opponent; a goal in between as it is.
            let worth = |mv| {
                let next = after(&position, mv);
                match next.outcome() {
                    Some(payoffs) => f64::from(payoffs.of(mover).points()),
                    None => 99.0 * 50.0 / (50.0 + next.view().legal[mover.other().index()].len() as f64),
                }
            };
            let legal = moves(&position);
            let best = legal.iter().map(|&mv| worth(mv)).fold(f64::MIN, f64::max);
            let last = *legal.iter().rfind(|&&mv| worth(mv) == best).unwrap();
            let chosen = loisel.choose(&position, &Clock::unlimited()).unwrap().best;
            assert_eq!(
                position.print_move(chosen),
                position.print_move(last),
                "{name}: {}",
                position.print()
            );
            position
                .play(position.random_move(&mut rng, &mut Vec::new()).unwrap())
                .unwrap();
        }
    }
}

#[test]
fn it_stops_deepening_at_a_win_and_at_the_end_of_the_tree() {
    let start = start("tictactoe");
    let x_wins = start
        .parse("(cell 1 1 x) (cell 1 2 x) (cell 1 3 empty) (cell 2 1 o) (cell 2 2 o) (cell 2 3 empty) (cell 3 1 empty) (cell 3 2 empty) (cell 3 3 empty) (control x)")
        .unwrap();
    let analysis = player("loisel:time=60s").choose(&x_wins, &Clock::unlimited()).unwrap();
    assert_eq!(
        (x_wins.print_move(analysis.best).as_str(), analysis.depth),
        ("(mark,1,3)", Some(1))
    );
    let analysis = player("loisel:time=60s").choose(&start, &Clock::unlimited()).unwrap();
    assert_eq!((analysis.value, analysis.depth), (Some(50.0), Some(9)));
}

#[test]
fn without_any_time_there_is_still_a_legal_move() {
    let start = start("chess");
    let clock = Clock {
        time: Some(Duration::ZERO),
        ..Clock::unlimited()
    };
    let analysis = player("loisel").choose(&start, &clock).unwrap();
    assert!(start.is_legal(analysis.best));
}

/// The report's stages are one player, sooner or later: whatever is pruned, the value of the position stays.
#[test]
fn the_stages_of_the_report_find_the_same_value_with_ever_fewer_positions() {
    let mut start = start("tictactoe");
    for name in ["(mark,2,2)", "(mark,1,1)"] {
        let mv = start.parse_move(name).unwrap();
        start.play_unchecked(mv);
    }
    let found = ["minimax", "alphabeta", "deepening"].map(|stage| {
        let analysis = player(&format!("loisel:time=600s,stage={stage}"))
            .choose(&start, &Clock::unlimited())
            .unwrap();
        (analysis.value, analysis.nodes.unwrap())
    });
    assert_eq!((found[0].0, found[1].0), (found[1].0, found[2].0));
    assert!(found[0].1 > 5 * found[1].1, "{found:?}");
    // At a fixed depth the pruned search finds what the plain one does.
    for depth in [1, 2, 3] {
        let value = |stage| {
            let spec = format!("loisel:depth={depth},stage={stage}");
            player(&spec).choose(&start, &Clock::unlimited()).unwrap().value
        };
        assert_eq!(value("minimax"), value("alphabeta"), "{depth}");
    }
    assert!(gdl::players::factory("loisel:stage=zebra").is_err());
}
