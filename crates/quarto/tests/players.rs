//! The players that search, as the arena meets them.

use game::{Game, rng};
use player::{Clock, Player, Spec};
use quarto::players::{factory, roster};
use quarto::policy::{Random, turn};
use quarto::{Position, Rules, Turn};
use std::time::{Duration, Instant};

const SPECS: &[&str] = &[
    "montecarlo",
    "montecarlo:playouts=20,policy=novice",
    "montecarlo:playouts=10,policy=random,time=5ms",
    "minimax",
    "minimax:depth=2,eval=absolute,opening=montecarlo,switch=7,playouts=5",
    "minimax:depth=2,eval=terzo",
    "minimax:depth=3,eval=parity,opening=novice,switch=6",
    "minimax:depth=1,eval=relative,c=100",
    "minimax:depth=2,eval=zero",
    "minimax:depth=2,eval=almost",
    "mcts:playouts=200",
    "mcts:time=1ms,policy=random,exploration=1.5,trees=2",
    "alphabeta:time=1ms,eval=terzo",
    "alphabeta:depth=2",
    "alphabeta:nodes=1000,eval=relative,c=7",
];

fn player(spec: &str) -> Box<dyn Player<Position>> {
    match factory(spec) {
        Ok(factory) => factory.make(),
        Err(error) => panic!("{error}"),
    }
}

fn position(text: &str) -> Position {
    Position::new(Rules::standard()).parse(text).expect("a position")
}

#[test]
fn every_spec_of_the_reports_is_a_player_and_round_trips() {
    let reports = [
        "montecarlo:playouts=200,policy=novice",
        "minimax:depth=3,eval=absolute,opening=montecarlo,switch=7",
        "minimax:depth=4,eval=terzo",
        "minimax:depth=3,eval=parity,opening=novice,switch=6",
        "mcts:time=100ms",
        "mcts:playouts=10000",
        "alphabeta:time=100ms,eval=parity",
    ];
    for spec in reports.iter().chain(SPECS) {
        let made = factory(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_eq!(made.spec.to_string(), *spec);
        assert_eq!(spec.parse::<Spec>().as_ref(), Ok(&made.spec));
    }
}

#[test]
fn every_option_is_explained_and_no_wrong_value_is_taken() {
    for kind in roster().entries() {
        for option in kind.options {
            assert!(
                !option.help.is_empty() && !option.default.is_empty(),
                "{}: {}",
                kind.name,
                option.key
            );
            let wrong = format!("{}:{}=wrong", kind.name, option.key);
            let message = factory(&wrong).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(message.contains("expected"), "{wrong}: {message:?}");
        }
    }
}

#[test]
fn a_default_written_out_is_taken() {
    for kind in roster().entries() {
        let plain = |default: &str| !default.contains(' ') && default != "none";
        for option in kind.options.iter().filter(|option| plain(option.default)) {
            let spec = format!("{}:{}={}", kind.name, option.key, option.default);
            assert!(factory(&spec).is_ok(), "{spec}");
        }
    }
}

#[test]
fn no_player_makes_an_illegal_turn_on_any_variant_at_any_clock() {
    let mut rng = rng(3);
    for spec in SPECS {
        let mut player = player(spec);
        for (number, rules) in Rules::all().enumerate() {
            player.begin(number as u64);
            let mut position = Position::new(rules);
            let clocks = [Some(0), Some(1), Some(300), None].into_iter().cycle().skip(number);
            for micros in clocks {
                let clock = Clock {
                    time: micros.map(Duration::from_micros),
                    ..Clock::unlimited()
                };
                if position.outcome().is_some() {
                    assert!(
                        player.choose(&position, &clock).is_err(),
                        "{spec} moves in a finished game"
                    );
                    break;
                }
                let analysis = player
                    .choose(&position, &clock)
                    .unwrap_or_else(|error| panic!("{spec}: {error}"));
                assert_eq!(position.play(analysis.best), Ok(()), "{spec}");
                if let Some(reply) = turn(&Random, &position, &mut rng) {
                    position.play_unchecked(reply);
                }
            }
        }
    }
}

#[test]
fn node_and_depth_limits_of_the_clock_are_kept() {
    for spec in SPECS {
        let clock = Clock {
            nodes: Some(100),
            depth: Some(2),
            ..Clock::unlimited()
        };
        let analysis = player(spec).choose(&position("0.../.6../..9./.... 5"), &clock);
        let analysis = analysis.unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert!(analysis.nodes.is_none_or(|nodes| nodes <= 100), "{spec}: {analysis:?}");
    }
}

fn whole_game(player: &mut dyn Player<Position>, seed: u64) -> Vec<Turn> {
    player.begin(seed);
    let mut position = Position::new(Rules::standard());
    let mut turns = Vec::new();
    while position.playing() {
        let analysis = player.choose(&position, &Clock::unlimited()).expect("a turn");
        position.play_unchecked(analysis.best);
        turns.push(analysis.best);
    }
    turns
}

#[test]
fn the_same_seed_plays_the_same_game_whatever_was_played_before() {
    for spec in SPECS.iter().filter(|spec| !spec.contains("time=")) {
        let mut used = player(spec);
        let games = [1, 2, 1].map(|seed| whole_game(used.as_mut(), seed));
        assert_eq!(games[0], games[2], "{spec}");
        assert_ne!(games[0], games[1], "{spec}");
        assert_eq!(whole_game(player(spec).as_mut(), 2), games[1], "{spec}");
    }
}

#[test]
fn monte_carlo_answers_the_same_alone_and_inside_a_parallel_match() {
    for spec in ["montecarlo:playouts=150", "mcts:playouts=3000,trees=3"] {
        let choose = || {
            let mut player = player(spec);
            player.begin(9);
            let analysis = player.choose(&position("0.../.6../..9./.... 5"), &Clock::unlimited());
            analysis.map(|analysis| (analysis.best, analysis.value, analysis.nodes))
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        assert_eq!(choose(), pool.install(choose), "{spec}");
    }
}

#[test]
fn the_opening_lasts_until_enough_pieces_are_placed() {
    // Minimax says how deep it looked; the novice says nothing.
    let mut player = player("minimax:depth=2,eval=parity,opening=novice,switch=6");
    for (text, minimax) in [("01../.6../..9./...c 3", false), ("01../.6.a/..9./...c 3", true)] {
        let analysis = player.choose(&position(text), &Clock::unlimited()).expect("a turn");
        assert_eq!(analysis.depth.is_some(), minimax, "{text}");
    }
}

#[test]
fn searching_players_keep_their_clock() {
    // Far more than they need, for machines under load: without a clock these would think for minutes. How late they
    // really are, the benches measure.
    let position = position("0.../.6../..9./.... 5");
    for spec in [
        "mcts:time=20ms",
        "alphabeta:time=20ms",
        "montecarlo:playouts=10000000,time=20ms",
    ] {
        let begin = Instant::now();
        let analysis = player(spec).choose(&position, &Clock::unlimited()).expect("a turn");
        assert!(position.is_legal(analysis.best));
        let took = begin.elapsed();
        assert!(
            (Duration::from_millis(15)..Duration::from_secs(5)).contains(&took),
            "{spec}: {took:?}"
        );
    }
}
