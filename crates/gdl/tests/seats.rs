//! Games as one role meets them, and machines that are built beside the game.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Seat, conformance};
use gdl::{BuildLimits, Building, Machine, MachineKind, Position, Sheet};
use std::time::Duration;

fn compiled(name: &str) -> Machine {
    Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap()
}

#[test]
fn whoever_it_is_for_is_asked_first_wherever_it_has_a_choice() {
    for (name, roles) in [("duel", 2), ("trio", 3), ("tictactoe", 2)] {
        for role in 0..roles {
            let seat = Seat::new(role);
            let first = Position::for_seat(compiled(name), seat).unwrap();
            let effort = conformance::Effort {
                games: 3,
                ..conformance::Effort::default()
            };
            conformance::check(&first, &[], effort);
            let mut position = first.clone();
            let mut rng = game::rng(7);
            let mut buffer = Vec::new();
            while let Some(mv) = position.random_move(&mut rng, &mut buffer) {
                if position == position.public() && position.view().legal[usize::from(role)].len() > 1 {
                    assert_eq!(position.mover(), seat, "{name}");
                }
                let again = first.at_state(position.state().clone()).unwrap();
                assert_eq!(again, position.public());
                position.play_unchecked(mv);
            }
        }
    }
}

#[test]
fn a_machine_built_beside_the_game_is_the_one_built_before_it() {
    let sheet = Sheet::load("nim").unwrap();
    let building = Building::start(sheet, BuildLimits::default());
    let built = building.wait(Duration::from_secs(60)).unwrap().unwrap();
    assert_eq!(built.kind(), MachineKind::Compiled);
    assert_eq!(built.components(), compiled("nim").components());
    assert!(building.wait(Duration::ZERO).is_none(), "it is given once");
}

#[test]
fn a_machine_that_waits_for_something_more_urgent_is_begun_when_that_is_done() {
    let (urgent, first) = std::sync::mpsc::channel();
    let sheet = Sheet::load("nim").unwrap();
    let building = Building::start_after(sheet, BuildLimits::default(), Duration::from_secs(3600), first);
    assert!(building.wait(Duration::from_millis(100)).is_none());
    assert!(!building.is_built().is_raised());
    drop(urgent);
    assert!(building.wait(Duration::from_secs(60)).unwrap().is_ok());
}
