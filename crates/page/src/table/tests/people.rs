//! Two people at one table: consent, giving up, names and clocks.

use super::*;
use crate::public_table::{EndedBy, Proposed, Snapshot};
use std::time::Duration;

/// Anna and Ben, who have played two turns.
fn two_friends() -> Table {
    let mut table = table(["human", "open"]);
    act_by(&mut table, ben(), sit(None)).unwrap();
    act(&mut table, turn(0, "-.0")).unwrap();
    act_by(&mut table, ben(), turn(1, "a1.1")).unwrap();
    table
}

fn asked_for(table: &Table) -> Option<(usize, Proposed)> {
    table
        .public(None)
        .proposal
        .map(|proposal| (proposal.seat, proposal.what))
}

#[test]
fn a_turn_is_taken_back_only_if_the_other_agrees() {
    let mut table = two_friends();
    act(&mut table, Action::Undo(None)).unwrap();
    assert_eq!((table.ply(), asked_for(&table)), (2, Some((1, Proposed::Undo))));
    assert_eq!(act(&mut table, Action::Answer(true)), Err("not_your_turn"));
    assert_eq!(
        act_by(&mut table, Person::of_key("carla"), Action::Answer(true)),
        Err("not_seated")
    );
    act_by(&mut table, ben(), Action::Answer(false)).unwrap();
    assert_eq!((table.ply(), asked_for(&table)), (2, None));
    assert_eq!(act_by(&mut table, ben(), Action::Answer(true)), Err("stale_version"));
    // Both her turn and the answer to it are taken back.
    act(&mut table, Action::Undo(None)).unwrap();
    act_by(&mut table, ben(), Action::Answer(true)).unwrap();
    assert_eq!((table.ply(), asked_for(&table)), (0, None));
}

#[test]
fn who_plays_on_has_said_no_and_who_asked_may_take_it_back() {
    let mut table = two_friends();
    act_by(&mut table, ben(), Action::Draw).unwrap();
    assert_eq!(asked_for(&table), Some((2, Proposed::Draw)));
    act(&mut table, turn(2, "b1.2")).unwrap();
    assert_eq!((asked_for(&table), table.over()), (None, false));
    act(&mut table, Action::Restart).unwrap();
    act(&mut table, Action::Answer(false)).unwrap();
    assert_eq!((asked_for(&table), table.ply()), (None, 3));
    // What cannot be is not asked for.
    assert_eq!(act(&mut table, Action::Redo(None)), Err("nothing_to_redo"));
    assert_eq!(act(&mut table, Action::GoTo(9)), Err("bad_request"));
}

#[test]
fn two_who_ask_for_the_same_agree() {
    let mut table = two_friends();
    act(&mut table, Action::Draw).unwrap();
    act_by(&mut table, ben(), Action::Draw).unwrap();
    let outcome = table.public(None).outcome.unwrap();
    assert_eq!(
        (outcome.how, outcome.winner, outcome.payoffs),
        (EndedBy::Agreement, None, vec![50, 50])
    );
    assert_eq!(act(&mut table, turn(2, "b1.2")), Err("game_over"));
    act(&mut table, Action::Restart).unwrap();
    assert!(table.over());
    act_by(&mut table, ben(), Action::Restart).unwrap();
    assert_eq!(
        (table.ply(), table.over(), table.public(None).mover),
        (0, false, Some(1))
    );
}

#[test]
fn who_gives_up_has_lost_and_the_record_and_a_restart_remember_it() {
    let mut table = two_friends();
    assert_eq!(
        act_by(&mut table, Person::of_key("carla"), Action::Resign),
        Err("not_seated")
    );
    act(&mut table, Action::Resign).unwrap();
    let stored = table.to_stored();
    assert!(stored.over);
    let again = Table::restore(stored, crate::catalogue::session("quarto").unwrap()).unwrap();
    for table in [&table, &again] {
        let shown = table.public(None);
        let outcome = shown.outcome.unwrap();
        assert_eq!((outcome.how, outcome.winner), (EndedBy::Resignation, Some(2)));
        assert_eq!((shown.mover, shown.legal.len(), table.wants()), (None, 0, None));
        assert!(table.record().contains(" resigned\n"), "{}", table.record());
        // What was before is as it was.
        assert!(table.public(Some(1)).outcome.is_none());
    }
    assert_eq!(act_by(&mut table, ben(), Action::Resign), Err("game_over"));
}

#[test]
fn a_program_is_given_up_to_and_agrees_to_no_draw() {
    let mut table = table(["human", "novice"]);
    act(&mut table, turn(0, "-.0")).unwrap();
    assert_eq!(act(&mut table, Action::Draw), Err("unsupported"));
    act(&mut table, Action::Resign).unwrap();
    assert_eq!(
        (table.wants(), table.public(None).outcome.unwrap().winner),
        (None, Some(2))
    );
    act(&mut table, Action::Undo(None)).unwrap();
    assert_eq!((table.over(), table.ply()), (false, 0));
}

#[test]
fn people_name_their_own_seats_and_no_others() {
    let mut table = table(["human", "open"]);
    let name = |text: &str| Some(text.to_string());
    let call = |names: Vec<Option<String>>| Action::Settle {
        seats: None,
        names: Some(names),
        pace_ms: None,
    };
    let sit = Action::Sit {
        seat: None,
        name: name(" Ben\n "),
    };
    act_by(&mut table, ben(), sit).unwrap();
    act(&mut table, call(vec![name("Anna"), None])).unwrap();
    assert_eq!(act(&mut table, call(vec![None, name("Benjamin")])), Err("seat_taken"));
    assert_eq!(act(&mut table, call(vec![None, None, name("x")])), Err("bad_request"));
    let names = |table: &Table| table.seats.iter().map(|seat| seat.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&table), [name("Anna"), name("Ben")]);
    act(&mut table, call(vec![name(" "), None])).unwrap();
    assert_eq!(names(&table), [None, name("Ben")]);
}

fn json(table: &Table) -> serde_json::Value {
    serde_json::from_str(&Snapshot::of(table, None).json(ANNA)).unwrap()
}

const HOUR: Duration = Duration::from_secs(3600);

fn with_clock(mut table: Table) -> Table {
    table.set_clocks(TimeControl {
        base: HOUR,
        increment: HOUR,
    });
    table
}

#[test]
fn clocks_begin_with_the_second_turn_and_end_the_game() {
    let mut table = with_clock(table(["human", "open"]));
    act(&mut table, turn(0, "-.0")).unwrap();
    assert_eq!(table.deadline(), None, "nobody sits there yet");
    act_by(&mut table, ben(), sit(None)).unwrap();
    assert_eq!(json(&table)["clock"]["running"], 2);
    act_by(&mut table, ben(), turn(1, "a1.1")).unwrap();
    let clock = json(&table)["clock"].clone();
    assert_eq!(clock["running"], 1);
    assert!(
        clock["left_ms"][1].as_u64().unwrap() > HOUR.as_millis() as u64,
        "a turn adds time"
    );
    let soon = Instant::now();
    assert!(!table.tick(soon));
    assert!(
        table.tick(soon + HOUR) && !table.tick(soon + 2 * HOUR),
        "the flag falls once"
    );
    let outcome = table.public(None).outcome.unwrap();
    assert_eq!((outcome.how, outcome.winner), (EndedBy::Time, Some(2)));
    assert_eq!(act(&mut table, turn(2, "b1.2")), Err("game_over"));
    // Another game has full clocks.
    act(&mut table, Action::Restart).unwrap();
    act_by(&mut table, ben(), Action::Answer(true)).unwrap();
    assert_eq!(
        json(&table)["clock"]["left_ms"][0].as_u64(),
        Some(HOUR.as_millis() as u64)
    );
}

#[test]
fn a_stored_clock_stands_while_the_server_is_down_and_programs_have_none() {
    let mut table = with_clock(table(["human", "novice"]));
    act(&mut table, turn(0, "-.0")).unwrap();
    assert_eq!(json(&table)["clock"]["running"], serde_json::Value::Null);
    answer(&mut table, "a1.1");
    assert_eq!(json(&table)["clock"]["running"], 1);
    assert_eq!(json(&table)["clock"]["left_ms"][1], serde_json::Value::Null);
    let stored = table.to_stored();
    std::thread::sleep(Duration::from_millis(20));
    let again = Table::restore(stored, crate::catalogue::session("quarto").unwrap()).unwrap();
    assert_eq!(json(&again)["clock"]["running"], 1);
    assert!(again.deadline() > table.deadline());
}
