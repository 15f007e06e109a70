//! Facts that only time moves.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod shared;

use game::rng;
use gdl::{BuildLimits, Machine, Move, Sheet};
use rand::RngExt as _;

/// A light to be switched on or off, three steps long, and whatever else the test says.
fn light(more: &str) -> Machine {
    let text = "(role hand) (init (light off)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (state on) (state off)
        (base (light on)) (base (light off)) (base (step 0)) (<= (base (step ?n)) (succ ?m ?n))
        (input hand (put on)) (input hand (put off)) (input hand wait)
        (<= (next (light ?s)) (does hand (put ?s)))
        (<= (next (light ?s)) (does hand wait) (true (light ?s)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 3)))";
    let sheet = Sheet::parse("light", &format!("{text}\n{more}\n")).unwrap();
    Machine::compiled(&sheet, BuildLimits::default()).unwrap()
}

const FREE: &str = "(<= (legal hand (put ?s)) (state ?s)) (legal hand wait)";
const BRIGHT: &str = "(<= (goal hand 100) (true (light on))) (<= (goal hand 0) (true (light off)))";

#[test]
fn a_step_counter_that_only_ends_the_game_is_a_timer() {
    let machine = light(&format!("{FREE} {BRIGHT}"));
    let timer = machine.timer().unwrap();
    assert_eq!((timer.last(), timer.goals_change()), (3, false));
    let late = machine.state(&["(light on)", "(step 2)"]).unwrap();
    let early = machine.state(&["(light on)", "(step 0)"]).unwrap();
    assert_eq!(timer.time_of(&late), Some(2));
    assert_eq!(timer.at(&late, 0), early);
    assert_eq!(timer.at(&early, 2), late);
}

#[test]
fn legal_moves_may_ask_whether_the_game_is_over() {
    let guarded = "(<= (legal hand (put ?s)) (state ?s) (not terminal)) (<= (legal hand wait) (not terminal))";
    assert!(light(&format!("{guarded} {BRIGHT}")).timer().is_some());
}

#[test]
fn a_counter_that_legal_moves_or_the_next_position_hang_on_is_no_timer() {
    let late = "(<= (legal hand (put ?s)) (state ?s) (true (step 2))) (legal hand wait)";
    assert!(light(&format!("{late} {BRIGHT}")).timer().is_none());
    let dawn = "(<= (next (light on)) (true (step 1)))";
    assert!(light(&format!("{FREE} {BRIGHT} {dawn}")).timer().is_none());
}

#[test]
fn a_counter_that_has_a_say_in_the_end_before_the_last_step_is_no_timer() {
    let early = "(<= terminal (true (step 1)) (true (light on)))";
    assert!(light(&format!("{FREE} {BRIGHT} {early}")).timer().is_none());
}

#[test]
fn goals_that_ask_for_the_step_change_with_time() {
    let lit = "(<= terminal (true (light on)))";
    let goals = "(<= (goal hand 100) (true (light on)) (true (step 2))) (<= (goal hand 50) (true (light on)) (not (true (step 2))))
        (<= (goal hand 0) (true (light off)))";
    assert!(light(&format!("{FREE} {lit} {goals}")).timer().unwrap().goals_change());
}

#[test]
fn at_another_time_the_rules_of_public_puzzles_say_the_same() {
    let names = [
        "games/eightPuzzle",
        "hard/games/lightsOut",
        "games/hanoi",
        "games/buttons",
        "games/blocks",
        "games/lightsOn",
    ];
    let Some(root) = shared::gdl() else { return };
    let mut timed = Vec::new();
    for name in names {
        let text = std::fs::read_to_string(root.join(name).with_extension("kif")).unwrap();
        let machine = Machine::compiled(&Sheet::parse(name, &text).unwrap(), BuildLimits::default()).unwrap();
        let Some(timer) = machine.timer() else { continue };
        timed.push(name);
        let mut rng = rng(5);
        for _ in 0..50 {
            let mut state = machine.initial();
            for time in 0..=timer.last() {
                assert_eq!(timer.time_of(&state), Some(time), "{name}");
                let (view, other) = (
                    machine.view(&state).unwrap(),
                    machine.view(&timer.at(&state, 0)).unwrap(),
                );
                if view.terminal {
                    assert!(time == timer.last() || other.terminal, "{name} at {time}");
                    break;
                }
                assert_eq!(view, other, "{name} at {time}");
                let moves: Vec<Move> = view
                    .legal
                    .iter()
                    .map(|legal| legal[rng.random_range(..legal.len())])
                    .collect();
                let next = machine.next(&state, &moves).unwrap();
                let elsewhen = machine.next(&timer.at(&state, 0), &moves).unwrap();
                assert_eq!(timer.at(&elsewhen, time + 1), next, "{name} at {time}");
                state = next;
            }
        }
    }
    assert!(timed.contains(&names[0]) && timed.contains(&names[1]), "{timed:?}");
}
