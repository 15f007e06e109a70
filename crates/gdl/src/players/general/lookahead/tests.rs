use super::super::deep::Sense;
use super::super::survey::Survey;
use super::*;
use crate::{BuildLimits, Machine, Sheet};
use game::rng;
use player::Limits;
use search::{AlphaBeta, Settings};

fn start(name: &str) -> Position {
    let machine = Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap();
    Position::new(machine).unwrap()
}

fn unlimited(depth: u32) -> LookaheadBudget {
    LookaheadBudget {
        until: Until::never(),
        nodes: u64::MAX,
        depth,
    }
}

fn value(lookahead: &mut Lookahead, position: &Position, depth: u32) -> (Value, bool) {
    let found = lookahead.search(position, &mut unlimited(depth), None, &mut |_| ());
    let found = found.unwrap();
    (found.value.unwrap() as Value, found.solved)
}

/// Positions of random games, the last two moves before an end among them.
fn some_positions(start: &Position, games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let (mut rng, mut legal, mut position) = (rng(seed), Vec::new(), start.clone());
        let mut game = Vec::new();
        while let Some(mv) = position.random_move(&mut rng, &mut legal) {
            game.push(position.clone());
            position.play_unchecked(mv);
        }
        let last = game.len();
        positions.extend([last / 4, last / 2, last - 3, last - 2].map(|at| game[at].clone()));
    }
    positions
}

#[test]
fn it_finds_what_plain_alpha_beta_finds_with_the_same_judge() {
    for name in ["breakthrough", "checkers", "connectfour", "tictactoe", "hex"] {
        let start = start(name);
        let survey = Survey::new(&start, &Until::never());
        let sense = Sense::new(&survey);
        let judge = Judge {
            noticed: None,
            ..sense.judge(None)
        };
        let mut lookahead = Lookahead::new(&start, judge).unwrap();
        let settings = Settings {
            table: None,
            hold_out: false,
            step: 2,
        };
        let mut plain = AlphaBeta::new(sense, settings);
        for position in some_positions(&start, 4) {
            for depth in 1..=4 {
                let limits = Limits {
                    depth: Some(depth),
                    ..Limits::default()
                };
                let expected = plain.search(&position, &limits, None).unwrap();
                let expected = (expected.value.unwrap() * 20.0).round() as Value;
                lookahead.forget();
                let (found, _) = value(&mut lookahead, &position, depth);
                assert_eq!(
                    found,
                    expected,
                    "{name}, {depth} moves: {:?}",
                    start.machine().facts(position.state())
                );
            }
        }
    }
}

#[test]
fn a_capture_at_the_horizon_is_followed_to_its_end() {
    // White's man on (4 4) can take the one on (5 5), which is guarded from (6 6) and (4 6): a man for a man, and no more. Everybody else is far away.
    let start = start("breakthrough");
    let survey = Survey::new(&start, &Until::never());
    let sense = Sense::new(&survey);
    let machine = start.machine();
    let men = [
        ("white", 4, 4),
        ("white", 1, 1),
        ("black", 5, 5),
        ("black", 6, 6),
        ("black", 8, 8),
    ];
    let mut facts: Vec<String> = machine.facts(start.state());
    facts.retain(|fact| !fact.starts_with("(man"));
    let man = |(role, x, y): (&str, i32, i32)| format!("(man {role} {x} {y})");
    facts.extend(men.map(man));
    let position = start.at_state(machine.state(&facts).unwrap()).unwrap();
    let seen = |noticed| {
        let mut lookahead = Lookahead::new(&start, sense.judge(noticed)).unwrap();
        value(&mut lookahead, &position, 1).0
    };
    // With the answer a man is worth less than without.
    let (blind, quiet) = (seen(None), seen(Some(20)));
    assert!(quiet <= blind - 40, "{blind}, but {quiet}");
}

#[test]
fn a_spent_budget_ends_it_with_a_legal_move() {
    let start = start("breakthrough");
    let survey = Survey::new(&start, &Until::never());
    let sense = Sense::new(&survey);
    let mut lookahead = Lookahead::new(&start, sense.judge(Some(20))).unwrap();
    for nodes in [0, 1, 30, 1000, 20_000] {
        let mut budget = LookaheadBudget {
            nodes,
            ..unlimited(DEEPEST)
        };
        let found = lookahead
            .search(&start, &mut budget, Some(&mut rng(nodes)), &mut |_| ())
            .unwrap();
        assert!(start.is_legal(found.best), "{nodes}");
        assert!(found.nodes.unwrap() <= nodes + 100);
    }
}
