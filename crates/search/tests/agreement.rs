//! Every search finds what plain negamax finds, on thousands of random small games.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod common;

use common::{Maze, Opinion, Step};
use game::conformance::{self, Effort};
use game::{Game, Payoff, rng};
use player::{Analysis, Observer, Score};
use search::{AlphaBeta, Limits, Mcts, MonteCarlo, Random, Settings, TreeSettings, negamax, negamax_moves};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const GAMES: u64 = 3000;
const DEEP_ENOUGH: u32 = 20;

#[test]
fn the_maze_is_a_proper_game() {
    let universe: Vec<Step> = (0..8).map(Step).collect();
    for seed in 0..50 {
        let effort = Effort {
            games: 20,
            ..Effort::default()
        };
        conformance::check(&Maze::new(seed), &universe, effort);
    }
}

/// The value of each move is checked too: a best move must be worth what the search says.
fn agrees(game: &Maze, found: &Analysis<Step>, opinion: &Opinion, depth: u32) {
    let moves = negamax_moves(game, opinion, depth);
    let value = moves.iter().map(|(_, value)| *value).max().expect("a move");
    assert_eq!(found.value, Some(f64::from(value)), "{game:?} depth {depth}");
    let best = found.best;
    let of_best = moves.iter().find(|(mv, _)| *mv == best).map(|(_, value)| *value);
    assert_eq!(of_best, Some(value), "{game:?} depth {depth}: {best:?} of {moves:?}");
    assert_eq!(found.pv.first(), Some(&best));
    line_is_legal(game, &found.pv);
}

fn line_is_legal(game: &Maze, line: &[Step]) {
    let mut position = *game;
    for &mv in line {
        assert_eq!(position.play(mv), Ok(()), "{line:?} of {game:?}");
    }
}

fn alpha_beta_agrees(settings: Settings) {
    for draw in [0, 19, -7] {
        let opinion = Opinion { draw };
        let mut kept = AlphaBeta::new(opinion, settings);
        for seed in 0..GAMES / 3 {
            let game = Maze::new(seed);
            for depth in 1..=7 {
                let found = kept.search(&game, &Limits::depth(depth), None).expect("a move");
                agrees(&game, &found, &opinion, depth);
            }
        }
    }
}

#[test]
fn alpha_beta_without_a_table_finds_what_negamax_finds() {
    alpha_beta_agrees(Settings {
        table: None,
        ..Settings::default()
    });
}

#[test]
fn alpha_beta_with_a_table_finds_what_negamax_finds() {
    alpha_beta_agrees(Settings::default());
}

#[test]
fn alpha_beta_with_a_tiny_table_finds_what_negamax_finds() {
    for bits in [0, 1, 3] {
        alpha_beta_agrees(Settings {
            table: Some(bits),
            ..Settings::default()
        });
    }
}

#[test]
fn alpha_beta_by_steps_of_two_finds_what_negamax_finds() {
    alpha_beta_agrees(Settings {
        step: 2,
        ..Settings::default()
    });
}

#[test]
fn one_table_serves_both_seats_of_a_game() {
    let opinion = Opinion { draw: 11 };
    let mut kept = AlphaBeta::new(opinion, Settings::default());
    for seed in 0..GAMES {
        let mut game = Maze::new(seed);
        while game.outcome().is_none() {
            let found = kept.search(&game, &Limits::depth(3), None).expect("a move");
            agrees(&game, &found, &opinion, 3);
            game.play_unchecked(found.best);
        }
    }
}

#[test]
fn of_equal_moves_alpha_beta_takes_the_first() {
    let opinion = Opinion { draw: 0 };
    let mut search = AlphaBeta::new(opinion, Settings::default());
    for seed in 0..GAMES {
        let game = Maze::new(seed);
        let moves = negamax_moves(&game, &opinion, 4);
        let top = moves.iter().map(|(_, value)| *value).max();
        let first = moves.iter().find(|(_, value)| Some(*value) == top).map(|(mv, _)| *mv);
        let found = search.search(&game, &Limits::depth(4), None).expect("a move");
        // Once a win is found no other move is looked at, so then any of the winning ones will do.
        if found.value < Some(20.0) {
            assert_eq!(Some(found.best), first, "{moves:?} of {game:?}");
        }
    }
}

#[test]
fn shuffled_alpha_beta_takes_each_of_the_equal_moves_as_often() {
    let opinion = Opinion { draw: 0 };
    let game = (0..)
        .map(Maze::new)
        .find(|game| {
            let moves = negamax_moves(game, &opinion, 3);
            let top = negamax(game, &opinion, 3);
            top < 20 && moves.iter().filter(|(_, value)| *value == top).count() == 3
        })
        .expect("some game has three equal best moves");
    let top = negamax(&game, &opinion, 3);
    let mut counts = [0u32; 8];
    let mut generator = rng(5);
    let mut search = AlphaBeta::new(opinion, Settings::default());
    for _ in 0..3000 {
        let found = search.search(&game, &Limits::depth(3), Some(&mut generator));
        counts[found.expect("a move").best.0 as usize] += 1;
    }
    for (mv, value) in negamax_moves(&game, &opinion, 3) {
        let count = counts[mv.0 as usize];
        // 1000 expected, standard deviation 26.
        assert!(
            if value == top {
                (870..1130).contains(&count)
            } else {
                count == 0
            },
            "{counts:?}"
        );
    }
}

#[test]
fn without_a_depth_alpha_beta_solves() {
    let opinion = Opinion { draw: 0 };
    for seed in 0..GAMES {
        let game = Maze::new(seed);
        let mut search = AlphaBeta::new(opinion, Settings::default());
        let found = search.search(&game, &Limits::default(), None).expect("a move");
        assert!(found.solved);
        agrees(&game, &found, &opinion, DEEP_ENOUGH);
    }
}

#[test]
fn a_lost_position_is_held_out_as_long_as_possible() {
    let opinion = Opinion { draw: 0 };
    let settings = Settings {
        hold_out: true,
        ..Settings::default()
    };
    let mut tried = 0;
    for game in (0..8000)
        .map(Maze::new)
        .filter(|game| negamax(game, &opinion, DEEP_ENOUGH) == -20)
    {
        let found = AlphaBeta::new(opinion, settings).search(&game, &Limits::default(), None);
        let Analysis { best, value, .. } = found.expect("a move");
        assert_eq!(value, Some(-20.0));
        // The deepest search that still saw hope for some move saw it for this one.
        let hopeful = (1..DEEP_ENOUGH)
            .take_while(|&depth| negamax(&game, &opinion, depth) > -20)
            .last();
        if let Some(depth) = hopeful {
            let moves = negamax_moves(&game, &opinion, depth);
            assert!(moves.iter().any(|(mv, value)| *mv == best && *value > -20), "{game:?}");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn tree_search_proves_what_negamax_finds() {
    let opinion = Opinion { draw: 0 };
    for seed in 0..GAMES {
        let game = Maze::new(seed);
        let settings = TreeSettings {
            patience: (seed % 3) as u32,
            trees: 1 + (seed % 2) as u32,
            ..TreeSettings::default()
        };
        let search = Mcts {
            policy: Random,
            settings,
        };
        let found = search.search(&game, &Limits::nodes(1_000_000), seed).expect("a move");
        assert!(found.solved, "{game:?}");
        // Payoffs 0, 25, 50, 75, 100 are -20, -10, 0, 10, 20 on the opinion's scale.
        let scaled = Analysis {
            value: found.value.map(|payoff| (payoff - 50.0) * 0.4),
            ..found
        };
        agrees(&game, &scaled, &opinion, DEEP_ENOUGH);
    }
}

#[test]
fn monte_carlo_counts_every_game_and_takes_a_certain_win() {
    let search = MonteCarlo {
        policy: Random,
        playouts: 100,
        parallel: false,
    };
    for seed in 0..GAMES {
        let game = Maze::new(seed);
        let found = search.search(&game, &Limits::default(), seed).expect("a move");
        assert_eq!(found.nodes, Some(100 * game.legal_count() as u64));
        let wins_at_once = |mv: Step| {
            let mut next = game;
            next.play_unchecked(mv);
            next.outcome()
                .is_some_and(|payoffs| payoffs.of(game.mover()) == Payoff::WIN)
        };
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        if moves.into_iter().any(wins_at_once) {
            assert_eq!(found.value, Some(100.0), "{game:?}");
        }
    }
}

#[test]
fn monte_carlo_and_tree_search_answer_the_same_on_any_number_of_threads() {
    let game = Maze::new(8);
    let pools = [1, 2, 5].map(|threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("a pool")
    });
    let flat = MonteCarlo {
        policy: Random,
        playouts: 1000,
        parallel: true,
    };
    let tree = Mcts {
        policy: Random,
        settings: TreeSettings {
            trees: 3,
            parallel: true,
            ..TreeSettings::default()
        },
    };
    for seed in 0..20 {
        let strip = |found: Option<Analysis<Step>>| found.map(|found| (found.best, found.value, found.nodes, found.pv));
        let flat = pools
            .each_ref()
            .map(|pool| pool.install(|| strip(flat.search(&game, &Limits::default(), seed))));
        let tree = pools
            .each_ref()
            .map(|pool| pool.install(|| strip(tree.search(&game, &Limits::nodes(100), seed))));
        assert!(flat[0] == flat[1] && flat[0] == flat[2], "{flat:?}");
        assert!(tree[0] == tree[1] && tree[0] == tree[2], "{tree:?}");
    }
}

#[test]
fn no_search_returns_an_illegal_move_at_any_clock_or_limit() {
    let clocks = [0, 1, 10, 100, 1000].map(Duration::from_micros);
    let limits = clocks
        .map(Limits::time)
        .into_iter()
        .chain([0, 1, 2, 5, 20].map(Limits::nodes));
    for limits in limits {
        for seed in 0..200 {
            let game = Maze::new(seed);
            let alpha_beta = AlphaBeta::new(Opinion { draw: 0 }, Settings::default()).search(&game, &limits, None);
            let flat = MonteCarlo {
                policy: Random,
                playouts: 100,
                parallel: false,
            };
            let tree = Mcts {
                policy: Random,
                settings: TreeSettings::default(),
            };
            let found = [
                alpha_beta,
                flat.search(&game, &limits, seed),
                tree.search(&game, &limits, seed),
            ];
            for found in found {
                let found = found.unwrap_or_else(|| panic!("no move of {game:?} at {limits:?}"));
                assert!(game.is_legal(found.best), "{found:?} at {limits:?}");
                line_is_legal(&game, &found.pv);
                assert!(
                    limits.nodes.is_none_or(|nodes| found.nodes <= Some(nodes)),
                    "{found:?} at {limits:?}"
                );
            }
        }
    }
}

#[test]
fn there_is_nothing_to_find_in_a_finished_game() {
    let mut game = Maze::new(1);
    while game.outcome().is_none() {
        game.play_unchecked(Step(0));
    }
    let flat = MonteCarlo {
        policy: Random,
        playouts: 10,
        parallel: false,
    };
    let tree = Mcts {
        policy: Random,
        settings: TreeSettings::default(),
    };
    let mut alpha_beta = AlphaBeta::new(Opinion { draw: 0 }, Settings::default());
    let limits = Limits::nodes(10);
    assert_eq!(alpha_beta.search(&game, &Limits::depth(3), None), None);
    assert_eq!(flat.search(&game, &limits, 1), None);
    assert_eq!(tree.search(&game, &limits, 1), None);
}

#[test]
fn a_won_or_lost_game_is_told_by_its_distance_and_any_other_by_its_value() {
    let opinion = Opinion { draw: 0 };
    let mut ends = 0;
    for seed in 0..GAMES {
        let game = Maze::new(seed);
        let mut search = AlphaBeta::new(opinion, Settings::default());
        let found = search.search(&game, &Limits::default(), None).expect("a move");
        let won_by = |depth: u32| negamax(&game, &opinion, depth).abs() == 20;
        let expected = match negamax(&game, &opinion, DEEP_ENOUGH) {
            value if value.abs() == 20 => {
                ends += 1;
                let plies = (1..DEEP_ENOUGH).find(|&depth| won_by(depth)).expect("an end");
                Score::of_end(value > 0, plies)
            }
            value => Score::Cp(100 * value),
        };
        assert_eq!(found.score, Some(expected), "{game:?}: {found:?}");
    }
    assert!(ends > 100, "{ends}");
}

#[test]
fn an_observer_hears_every_depth_in_words() {
    let game = (0..).map(Maze::new).find(|game| {
        let depths = AlphaBeta::new(Opinion { draw: 0 }, Settings::default()).search(game, &Limits::default(), None);
        depths.is_some_and(|found| found.depth > Some(3))
    });
    let game = game.expect("some game is long");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = heard.clone();
    let observer = Observer::new(move |info| ear.lock().expect("no panic").push(info.clone()));
    let mut search = AlphaBeta::new(Opinion { draw: 0 }, Settings::default());
    search.search_observed(&game, &Limits::depth(3), None, &mut |found| {
        Observer::nobody().tell(&game, &found);
        observer.tell(&game, &found);
    });
    let heard = heard.lock().expect("no panic");
    let depths: Vec<_> = heard.iter().map(|info| info.depth).collect();
    assert_eq!(depths, [1, 2, 3].map(Some));
    for Analysis { best, pv, .. } in heard.iter() {
        assert_eq!(pv.first(), Some(best));
        assert!(game.parse_move(best).is_ok_and(|mv| game.is_legal(mv)), "{best}");
    }
}

#[test]
fn searches_stop_soon_after_their_clock() {
    // Far more than it needs, for machines under load: without a clock this would play for hours.
    let clock = Duration::from_millis(20);
    let game = Maze::new(8);
    let begin = Instant::now();
    let endless = MonteCarlo {
        policy: Random,
        playouts: u32::MAX,
        parallel: true,
    };
    let found = endless.search(&game, &Limits::time(clock), 1);
    assert!(found.is_some());
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}
