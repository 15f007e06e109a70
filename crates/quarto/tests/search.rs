//! Every search on Quarto finds what plain negamax finds, for every variant and every evaluation.

use game::{Game, Rng, rng};
use player::Analysis;
use quarto::heuristics::{Absolute, Almost, Heuristic, Lost, Parity, Relative, Terzo, Turned, Zero};
use quarto::players::HeuristicEvaluator;
use quarto::policy::{Novice, Random, turn};
use quarto::{Position, Rules, Turn};
use search::{AlphaBeta, Limits, Mcts, Random as Uniform, Settings, TreeSettings, negamax, negamax_moves};

/// An unfinished position with `placed` pieces and one in hand, from a game of careful or careless players.
fn reach(rules: &'static Rules, placed: u32, rng: &mut Rng) -> Position {
    for attempt in 0.. {
        let mut position = Position::new(rules);
        while position.playing() && (position.placed() < placed || position.hand().is_none()) {
            let next = match attempt % 3 {
                0 => turn(&Random, &position, rng),
                _ => turn(&Novice, &position, rng),
            };
            position.play_unchecked(next.expect("the game goes on"));
        }
        if position.playing() {
            return position;
        }
    }
    unreachable!("some game lasts so long")
}

fn agrees<H: Heuristic>(position: &Position, found: &Analysis<Turn>, judge: &HeuristicEvaluator<H>, depth: u32) {
    let worth = negamax_moves(position, judge, depth);
    let value = worth.iter().map(|(_, value)| *value).max().expect("a turn");
    assert_eq!(
        found.value,
        Some(f64::from(value) / judge.0.unit()),
        "{position:?} depth {depth}"
    );
    let best = found.best;
    assert!(worth.contains(&(best, value)), "{best} of {position:?} depth {depth}");
    let mut after = *position;
    for &turn in &found.pv {
        assert_eq!(after.play(turn), Ok(()), "{:?} from {position:?}", found.pv);
    }
}

/// Positions from the empty board to the end, each with the depths that negamax can reach in a moment.
fn held_against_negamax<H: Heuristic>(heuristic: H, seed: u64) {
    let judge = HeuristicEvaluator(heuristic);
    let mut searches = [None, Some(0), Some(14)].map(|table| {
        let settings = Settings {
            table,
            ..Settings::default()
        };
        AlphaBeta::new(judge.clone(), settings)
    });
    let mut rng = rng(seed);
    let plan = [
        (0, 1, 1),
        (1, 1, 1),
        (2, 2, 1),
        (4, 2, 3),
        (6, 3, 1),
        (8, 3, 4),
        (10, 4, 4),
        (12, 4, 20),
        (13, 3, 20),
        (14, 4, 20),
    ];
    for rules in Rules::all() {
        for (placed, deepest, times) in plan {
            for _ in 0..times {
                let position = reach(rules, placed, &mut rng);
                for depth in 1..=deepest {
                    for search in &mut searches {
                        let found = search
                            .search(&position, &Limits::depth(depth), Some(&mut rng))
                            .expect("a turn");
                        agrees(&position, &found, &judge, depth);
                    }
                }
            }
        }
    }
}

#[test]
fn alpha_beta_with_zero_finds_what_negamax_finds() {
    held_against_negamax(Zero, 1);
}

#[test]
fn alpha_beta_with_almost_finds_what_negamax_finds() {
    held_against_negamax(Almost, 2);
}

#[test]
fn alpha_beta_with_absolute_finds_what_negamax_finds() {
    held_against_negamax(Absolute, 3);
}

#[test]
fn alpha_beta_with_relative_finds_what_negamax_finds() {
    held_against_negamax(Relative { c: 3 }, 4);
}

#[test]
fn alpha_beta_with_terzo_finds_what_negamax_finds() {
    held_against_negamax(Terzo, 5);
}

#[test]
fn alpha_beta_with_parity_finds_what_negamax_finds() {
    held_against_negamax(Parity::default(), 6);
}

#[test]
fn alpha_beta_with_lost_finds_what_negamax_finds() {
    held_against_negamax(Lost::default(), 7);
}

#[test]
fn alpha_beta_with_terzos_for_the_giver_finds_what_negamax_finds() {
    held_against_negamax(Turned(Terzo), 8);
}

#[test]
fn twins_left_out_in_the_first_turns_change_no_value() {
    let judge = HeuristicEvaluator(Absolute);
    let mut search = AlphaBeta::new(judge.clone(), Settings::default());
    let mut rng = rng(7);
    for (i, rules) in Rules::all().enumerate() {
        for placed in [0, 3, 4].into_iter().skip(i % 2) {
            let position = reach(rules, placed, &mut rng);
            let found = search
                .search(&position, &Limits::depth(2), Some(&mut rng))
                .expect("a turn");
            agrees(&position, &found, &judge, 2);
        }
    }
}

#[test]
fn tree_search_proves_endgames_of_every_variant() {
    let judge = HeuristicEvaluator(Zero);
    let mut rng = rng(8);
    for rules in Rules::all() {
        for placed in [11, 12, 12, 13, 13, 14, 15] {
            let position = reach(rules, placed, &mut rng);
            let search = Mcts {
                policy: Uniform,
                settings: TreeSettings::default(),
            };
            let found = search.search(&position, &Limits::nodes(10_000_000), 1).expect("a turn");
            assert!(found.solved, "{position:?}");
            let exact = negamax(&position, &judge, 16).signum();
            let value = found.value.map(|payoff| (payoff / 50.0 - 1.0) as i32);
            assert_eq!(value, Some(exact), "{position:?}");
            let best = found.best;
            let mut worth = negamax_moves(&position, &judge, 16).into_iter();
            assert!(
                worth.any(|(turn, value)| turn == best && value.signum() == exact),
                "{position:?}"
            );
        }
    }
}

/// Positions and their exact values, which two other solvers agreed on.
fn published(file: &str) -> Vec<(String, i32)> {
    let path = format!("{}/../quarto/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    let value = |word: &str| match word {
        "win" => 1,
        "draw" => 0,
        _ => -1,
    };
    let rows = text.lines().filter_map(|line| line.split_once('\t'));
    rows.map(|(position, word)| (position.to_string(), value(word)))
        .collect()
}

#[test]
fn alpha_beta_solves_the_published_endgames() {
    for (file, rules) in [("lines.tsv", "quarto"), ("squares.tsv", "quarto-squares")] {
        let start = Position::new(Rules::named(rules).expect("a variant"));
        let mut search = AlphaBeta::new(HeuristicEvaluator(Absolute), Settings::default());
        let mut solved = 0;
        for (text, value) in published(file) {
            let position = start.parse(&text).expect("a position");
            if position.placed() < 9 {
                continue;
            }
            let found = search.search(&position, &Limits::default(), None).expect("a turn");
            assert!(found.solved);
            let sign = found.value.map(|found| i32::from(found > 0.0) - i32::from(found < 0.0));
            assert_eq!(sign, Some(value), "{text}");
            solved += 1;
        }
        assert!(solved == 0 || solved > 100, "{solved}");
    }
}
