//! Both machines replay what other systems recorded, to the letter.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod shared;

use gdl::{BuildLimits, Machine, Sheet, State};
use serde_json::Value;
use std::time::Duration;

fn texts(value: &Value) -> Vec<String> {
    let mut texts: Vec<String> = value
        .as_array()
        .map(|items| items.iter().filter_map(Value::as_str).map(str::to_lowercase).collect())
        .unwrap_or_default();
    texts.sort();
    texts
}

fn lower(mut texts: Vec<String>) -> Vec<String> {
    texts.iter_mut().for_each(|text| *text = text.to_lowercase());
    texts.sort();
    texts
}

/// Goes through one match, comparing all that is recorded.
fn replay_trace(machine: &Machine, steps: &[Value], at: &str) {
    let mut state = machine.initial();
    for (number, step) in steps.iter().enumerate() {
        let at = format!("{at}, step {number}");
        assert_eq!(lower(machine.facts(&state)), texts(&step["state"]), "facts of {at}");
        let view = machine.view(&state).unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!(view.terminal, step["terminal"] == true, "terminal of {at}");
        if let Some(legal) = step["legal"].as_array() {
            for (role, moves) in legal.iter().enumerate() {
                let ours = view.legal[role].iter().map(|&mv| machine.print_move(mv)).collect();
                assert_eq!(lower(ours), texts(moves), "moves of role {role} of {at}");
            }
        }
        if let Some(goals) = step["goals"].as_array() {
            let goals: Vec<u8> = goals.iter().map(|g| g.as_u64().unwrap() as u8).collect();
            assert_eq!(machine.goals(&state).unwrap(), goals, "goals of {at}");
        }
        if let Some(joint) = step["move"].as_array() {
            state = play(machine, &state, joint);
        }
    }
}

fn play(machine: &Machine, state: &State, joint: &[Value]) -> State {
    let moves: Vec<_> = joint
        .iter()
        .enumerate()
        .map(|(role, mv)| machine.parse_move(role, mv.as_str().unwrap()).unwrap())
        .collect();
    machine.next(state, &moves).unwrap()
}

fn replay_traces(build: fn(&str, &str) -> Machine) {
    for (sheet, trace) in shared::traces() {
        let name = sheet.display().to_string();
        let trace: Value = serde_json::from_str(&std::fs::read_to_string(&trace).unwrap()).unwrap();
        let machine = build(&name, &std::fs::read_to_string(&sheet).unwrap());
        let roles: Vec<String> = machine.roles().iter().map(|role| role.to_lowercase()).collect();
        let recorded = trace["roles"].as_array().unwrap().iter();
        let recorded: Vec<String> = recorded.map(|role| role.as_str().unwrap().to_lowercase()).collect();
        assert_eq!(roles, recorded, "roles of {name}");
        for (number, game) in trace["matches"].as_array().unwrap().iter().enumerate() {
            let at = format!("{name}, match {number}");
            replay_trace(&machine, game["steps"].as_array().unwrap(), &at);
        }
    }
}

fn replay_matches(build: fn(&str, &str) -> Machine) {
    let Some(root) = shared::gdl() else { return };
    let lines = std::fs::read_to_string(root.join("aaai08-matches.jsonl")).unwrap();
    let mut last: Option<(String, Machine)> = None;
    let mut games: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    games.sort_by_key(|game| game["kif"].as_str().unwrap().to_string());
    for game in &games {
        let kif = game["kif"].as_str().unwrap();
        if last.as_ref().is_none_or(|(name, _)| name != kif) {
            let text = std::fs::read_to_string(root.join(kif)).unwrap();
            last = Some((kif.to_string(), build(kif, &text)));
        }
        let Some((_, machine)) = &last else { continue };
        let at = format!("{} of {kif}", game["match"]);
        let mut state = machine.initial();
        let states = game["states"].as_array().unwrap();
        let moves = game["moves"].as_array().unwrap();
        for (number, facts) in states.iter().enumerate() {
            assert_eq!(lower(machine.facts(&state)), texts(facts), "state {number} of {at}");
            let view = machine.view(&state).unwrap();
            assert_eq!(view.terminal, number + 1 == states.len(), "terminal {number} of {at}");
            if let Some(joint) = moves.get(number) {
                state = play(machine, &state, joint.as_array().unwrap());
            }
        }
        let goals: Vec<u8> = game["goals"]
            .as_array()
            .unwrap()
            .iter()
            .map(|g| g.as_u64().or_else(|| g.as_str()?.parse().ok()).unwrap() as u8)
            .collect();
        assert_eq!(machine.goals(&state).unwrap(), goals, "goals of {at}");
    }
}

fn sheet(name: &str, text: &str) -> Sheet {
    Sheet::parse(name, text).unwrap_or_else(|error| panic!("{error}"))
}

fn prover(name: &str, text: &str) -> Machine {
    Machine::prover(&sheet(name, text)).unwrap()
}

fn on_demand(name: &str, text: &str) -> Machine {
    Machine::on_demand(&sheet(name, text)).unwrap()
}

fn compiled(name: &str, text: &str) -> Machine {
    let limits = BuildLimits {
        time: Duration::from_secs(600),
        ..BuildLimits::default()
    };
    Machine::compiled(&sheet(name, text), limits).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_prover_replays_every_trace() {
    replay_traces(prover);
}

#[test]
fn the_prover_replays_every_trace_on_demand() {
    replay_traces(on_demand);
}

#[test]
fn the_compiled_machine_replays_every_trace() {
    replay_traces(compiled);
}

#[test]
fn the_prover_replays_every_competition_match() {
    replay_matches(prover);
}

#[test]
fn the_prover_replays_every_competition_match_on_demand() {
    replay_matches(on_demand);
}

#[test]
fn the_compiled_machine_replays_every_competition_match() {
    replay_matches(compiled);
}
