//! The two machines are one game: they agree on every state, and so do the many games at once with the single one.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod shared;

use game::Rng;
use gdl::{BuildLimits, Machine, Move, PlayoutLimit, Sheet, State};

fn twins(sheet: &Sheet) -> (Machine, Machine) {
    (
        Machine::prover(sheet).unwrap(),
        Machine::compiled(sheet, BuildLimits::default()).unwrap(),
    )
}

/// Compares everything that both machines say of a state, and picks a joint move on both; none if the game is over there.
fn compare(prover: &Machine, compiled: &Machine, pair: &Pair, rng: &mut Rng, at: &str) -> Option<[Vec<Move>; 2]> {
    let [a, b] = pair;
    assert_eq!(prover.facts(a), compiled.facts(b), "facts of {at}");
    let (view, twin) = (prover.view(a).unwrap(), compiled.view(b).unwrap());
    assert_eq!(view.terminal, twin.terminal, "terminal of {at}");
    assert_eq!(prover.goals(a).unwrap(), compiled.goals(b).unwrap(), "goals of {at}");
    let mut joint = [Vec::new(), Vec::new()];
    for (role, (legal, other)) in view.legal.iter().zip(&twin.legal).enumerate() {
        let texts =
            |machine: &Machine, moves: &[Move]| moves.iter().map(|&mv| machine.print_move(mv)).collect::<Vec<_>>();
        assert_eq!(
            texts(prover, legal),
            texts(compiled, other),
            "moves of role {role} of {at}"
        );
        let choice = game::below(rng, legal.len().max(1) as u32) as usize;
        joint[0].push(*legal.get(choice)?);
        joint[1].push(*other.get(choice)?);
    }
    (!view.terminal).then_some(joint)
}

/// The same state on the prover and on the compiled machine.
type Pair = [State; 2];

/// Plays random games on both machines and compares everything that can be asked, on so many states.
fn agree(sheet: &Sheet, states: u32, seed: u64) {
    let (prover, compiled) = twins(sheet);
    compared(sheet, &prover, &compiled, states, seed);
}

fn compared(sheet: &Sheet, prover: &Machine, compiled: &Machine, states: u32, seed: u64) {
    let mut rng = game::rng(seed);
    let first = || [prover.initial(), compiled.initial()];
    let mut pair = first();
    let mut seen: Vec<Pair> = Vec::new();
    for number in 0..states {
        let at = |what: &str| format!("{}, {what} {number}", sheet.name);
        let joint = compare(prover, compiled, &pair, &mut rng, &at("state"));
        // A machine that works by differences must not keep anything of the state before, whichever that was.
        let before = seen.get(game::below(&mut rng, number.max(1)) as usize);
        if let Some(before) = before.filter(|_| number % 4 == 3) {
            compare(prover, compiled, before, &mut rng, &at("an earlier state at"));
        }
        seen.push(pair.clone());
        pair = match joint {
            Some([own, other]) => [
                prover.next(&pair[0], &own).unwrap(),
                compiled.next(&pair[1], &other).unwrap(),
            ],
            None => first(),
        };
    }
}

#[test]
fn what_holds_only_by_itself_does_not_hold() {
    // Two that reach each other, and a source that may come and go.
    let text = "(role p) (init (source a)) (place a) (place b) (edge a b) (edge b a)
        (<= (reached ?n) (true (source ?n))) (<= (reached ?m) (reached ?n) (edge ?n ?m))
        (<= (legal p (set ?n)) (place ?n)) (legal p clear)
        (<= (next (source ?n)) (does p (set ?n)))
        (<= terminal (true (source c))) (<= (goal p 100) (reached b)) (<= (goal p 0) (not (reached b)))";
    let sheet = Sheet::parse("sources", text).unwrap();
    let (prover, compiled) = twins(&sheet);
    let on_demand = Machine::on_demand(&sheet).unwrap();
    for machine in [&prover, &on_demand, &compiled] {
        let dry: [&str; 0] = [];
        for (facts, goal) in [(&["(source a)"][..], 100), (&dry, 0), (&["(source b)"], 100), (&dry, 0)] {
            let state = machine.state(facts).unwrap();
            assert_eq!(
                machine.goals(&state).unwrap(),
                [goal],
                "{:?} with {facts:?}",
                machine.kind()
            );
        }
    }
}

#[test]
fn both_machines_agree_on_the_bundled_games() {
    for name in gdl::bundled::names() {
        agree(&Sheet::load(name).unwrap(), 150, 1);
    }
}

#[test]
fn a_connection_game_with_a_list_of_visited_cells_is_compiled() {
    let sheet = Sheet::parse("bridges", include_str!("sheets/bridges.kif")).unwrap();
    agree(&sheet, 150, 7);
    same_distribution(&sheet, 200, 20_000);
}

#[test]
fn what_is_proved_on_demand_is_what_is_proved_bottom_up() {
    for name in gdl::bundled::names() {
        let sheet = Sheet::load(name).unwrap();
        let (prover, on_demand) = (Machine::prover(&sheet).unwrap(), Machine::on_demand(&sheet).unwrap());
        compared(&sheet, &prover, &on_demand, 25, 4);
    }
}

#[test]
#[ignore = "minutes; scripts/test runs it"]
fn both_machines_agree_on_ten_thousand_states_of_each_bundled_game() {
    for name in gdl::bundled::names() {
        agree(&Sheet::load(name).unwrap(), 10_000, 2);
    }
}

#[test]
fn both_machines_agree_on_the_public_sheets() {
    let Some(root) = shared::gdl() else { return };
    for entry in std::fs::read_dir(root.join("games")).unwrap() {
        let path = entry.unwrap().path();
        agree(&Sheet::load(path.to_str().unwrap()).unwrap(), 30, 3);
    }
}

/// The mean payoffs of many games at once and of proved ones differ by no more than chance allows.
fn same_distribution(sheet: &Sheet, proved: u64, many: u64) {
    let (prover, compiled) = twins(sheet);
    let mut rng = game::rng(5);
    let a = prover
        .playouts(&prover.initial(), PlayoutLimit::Games(proved), &mut rng)
        .unwrap();
    let b = compiled
        .playouts(&compiled.initial(), PlayoutLimit::Games(many), &mut rng)
        .unwrap();
    assert_eq!((a.games, b.games), (proved, many), "{}", sheet.name);
    for role in 0..prover.role_count() {
        let total = b.games as f64;
        for points in 0..=100 {
            let p = b.goals[role][points] as f64 / total;
            let seen = a.goals[role][points] as f64;
            // Five standard deviations, and one game for what is rare.
            let slack = 5.0 * (proved as f64 * p * (1.0 - p) * (1.0 + proved as f64 / total)).sqrt() + 3.0;
            assert!(
                (seen - proved as f64 * p).abs() <= slack,
                "{}, role {role}, {points} points: {seen} of {proved} proved, {p:.4} of many",
                sheet.name
            );
        }
    }
    let (a, b) = (a.steps as f64 / a.games as f64, b.steps as f64 / b.games as f64);
    // Lengths spread by no more than their mean; five standard deviations of the mean of the proved ones.
    let slack = 5.0 * b / (proved as f64).sqrt();
    assert!((a - b).abs() <= slack, "{}: {a} and {b} moves a game", sheet.name);
}

#[test]
fn many_games_at_once_end_as_proved_games_do() {
    for name in ["tictactoe", "connectfour", "nim", "quarto", "trio", "duel", "hex"] {
        same_distribution(&Sheet::load(name).unwrap(), 600, 20_000);
    }
}

#[test]
#[ignore = "minutes; scripts/test runs it"]
fn many_games_at_once_end_as_proved_games_do_on_every_sheet() {
    for name in gdl::bundled::names() {
        same_distribution(&Sheet::load(name).unwrap(), 300, 20_000);
    }
    let Some(root) = shared::gdl() else { return };
    for entry in std::fs::read_dir(root.join("games")).unwrap() {
        let path = entry.unwrap().path();
        same_distribution(&Sheet::load(path.to_str().unwrap()).unwrap(), 60, 5_000);
    }
}

#[test]
fn random_games_are_a_function_of_the_seed() {
    let sheet = Sheet::load("connectfour").unwrap();
    let machine = Machine::compiled(&sheet, BuildLimits::default()).unwrap();
    let play = |seed| {
        machine
            .playouts(&machine.initial(), PlayoutLimit::Games(1000), &mut game::rng(seed))
            .unwrap()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
}
