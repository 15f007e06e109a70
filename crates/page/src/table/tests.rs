use super::*;

mod people;

const ANNA: Person = Person::WITHOUT_KEY;

fn ben() -> Person {
    Person::of_key("ben")
}

fn placements<const N: usize>(seats: [&str; N]) -> Vec<Option<Placement>> {
    seats.map(|text| Some(Placement::read(text))).into()
}

/// A table that Anna opened.
fn table_of<const N: usize>(game: &str, seats: [&str; N]) -> Table {
    let session = crate::catalogue::session(game).unwrap();
    let mut table = Table::new("x".into(), game.into(), None, session, ANNA);
    table.act(By::person(ANNA), Action::seats(placements(seats))).unwrap();
    table
}

fn table(seats: [&str; 2]) -> Table {
    table_of("quarto", seats)
}

/// What Anna does, and what she is told if she may not.
fn act(table: &mut Table, action: Action) -> Result<(), &'static str> {
    act_by(table, ANNA, action)
}

fn act_by(table: &mut Table, person: Person, action: Action) -> Result<(), &'static str> {
    table.act(By::person(person), action).map_err(|error| error.code())
}

fn sit(seat: Option<usize>) -> Action {
    Action::Sit { seat, name: None }
}

fn turn(ply: usize, turn: &str) -> Action {
    Action::Turn { ply, turn: turn.into() }
}

fn said(turn: &str) -> Result<Analysis<String>, String> {
    Ok(Analysis::of_move(turn.into()))
}

fn answer(table: &mut Table, turn: &str) {
    assert!(table.wants().is_some());
    table.note_thinking(false);
    assert!(table.answer(table.version(), said(turn)));
}

#[test]
fn a_program_is_asked_when_it_is_to_move_and_a_person_may_not_play_for_it() {
    let mut table = table(["human", "novice"]);
    assert_eq!(table.wants(), None);
    act(&mut table, turn(0, "-.0")).unwrap();
    assert_eq!(table.wants(), Some("novice"));
    assert_eq!(act(&mut table, turn(1, "a1.1")), Err("not_your_turn"));
    answer(&mut table, "a1.1");
    assert_eq!((table.ply(), table.wants()), (2, None));
}

#[test]
fn a_double_click_changes_nothing_and_a_stale_turn_is_refused() {
    let mut table = table(["human", "human"]);
    act(&mut table, turn(0, "-.0")).unwrap();
    let version = table.version();
    let seen = By {
        person: ANNA,
        version: Some(version - 1),
    };
    table.act(seen, turn(0, "-.0")).unwrap();
    assert_eq!(table.version(), version);
    assert_eq!(act(&mut table, turn(0, "-.1")), Err("stale_ply"));
    assert_eq!(act(&mut table, turn(5, "-.1")), Err("stale_ply"));
}

#[test]
fn a_thought_about_another_state_is_dropped() {
    let mut table = table(["human", "novice"]);
    act(&mut table, turn(0, "-.0")).unwrap();
    table.note_thinking(true);
    let version = table.version();
    act(&mut table, Action::Undo(None)).unwrap();
    assert!(!table.answer(version, said("a1.1")));
    assert_eq!(table.ply(), 0);
}

#[test]
fn undo_goes_back_to_where_a_person_was_asked_and_redo_forward() {
    let mut table = table(["human", "novice"]);
    act(&mut table, turn(0, "-.0")).unwrap();
    answer(&mut table, "a1.1");
    act(&mut table, turn(2, "b2.2")).unwrap();
    answer(&mut table, "c4.5");
    act(&mut table, Action::Undo(None)).unwrap();
    assert_eq!((table.ply(), table.wants()), (2, None));
    act(&mut table, Action::Undo(None)).unwrap();
    assert_eq!(table.ply(), 0);
    assert_eq!(act(&mut table, Action::Undo(None)), Err("nothing_to_undo"));
    act(&mut table, Action::Redo(None)).unwrap();
    assert_eq!(table.ply(), 2);
    // In the middle of a program's turn it waits.
    act(&mut table, Action::Redo(Some(1))).unwrap();
    assert_eq!((table.ply(), table.wants(), table.public(None).paused), (3, None, true));
    act(&mut table, Action::Pause(false)).unwrap();
    assert_eq!(table.wants(), Some("novice"));
    // Another turn drops what was taken back.
    act(&mut table, Action::Undo(None)).unwrap();
    act(&mut table, turn(2, "d4.f")).unwrap();
    assert_eq!(act(&mut table, Action::Redo(None)), Err("nothing_to_redo"));
}

#[test]
fn a_failed_player_is_told_and_not_asked_again() {
    let mut table = table(["novice", "human"]);
    table.note_thinking(false);
    assert!(table.answer(table.version(), said("a1.1")));
    let shown = table.public(None);
    assert_eq!(shown.problem.map(|problem| problem.code), Some("player_failed"));
    assert_eq!(table.wants(), None);
    act(&mut table, Action::Pause(false)).unwrap();
    assert_eq!(table.wants(), Some("novice"));
}

#[test]
fn a_kept_table_is_the_same_again() {
    let mut table = table(["open", "perfect:level=5"]);
    act_by(&mut table, ben(), sit(None)).unwrap();
    table.name_seats(&[None, Some("the\nold one".into())]);
    let setup = Action::Setup {
        position: Some("0.../..../..../.... 5".into()),
        turns: vec!["b1.6".into(), "c1.7".into()],
    };
    act_by(&mut table, ben(), setup).unwrap();
    act_by(&mut table, ben(), Action::Undo(Some(1))).unwrap();
    let again = Table::restore(table.to_stored(), crate::catalogue::session("quarto").unwrap()).unwrap();
    let json = |table: &Table| serde_json::to_string(&table.public(None)).unwrap();
    assert_eq!(json(&again), json(&table));
    assert_eq!(again.seating(), table.seating());
    assert_eq!(again.seats[1].name.as_deref(), Some("the old one"));
}

#[test]
fn what_was_kept_before_seats_belonged_to_somebody_is_free_to_take() {
    let mut kept = table(["human", "novice"]).to_stored();
    kept.host = None;
    kept.seats.iter_mut().for_each(|seat| seat.owner = None);
    let mut again = Table::restore(kept, crate::catalogue::session("quarto").unwrap()).unwrap();
    assert_eq!(again.seats[0].sitter, Sitter::Open);
    assert!(again.seating().in_charge(ben()));
    act_by(&mut again, ben(), sit(None)).unwrap();
    assert!(again.seating().in_charge(ben()) && !again.seating().in_charge(ANNA));
}

#[test]
fn seats_must_fit_and_their_players_exist() {
    let mut table = table(["human", "human"]);
    let settle = |table: &mut Table, seats: &[Option<&str>]| {
        let placements = seats.iter().map(|seat| seat.map(Placement::read)).collect();
        act(table, Action::seats(placements))
    };
    assert_eq!(settle(&mut table, &[None]), Err("bad_request"));
    assert_eq!(settle(&mut table, &[None, Some("novic")]), Err("unknown_player"));
    assert_eq!(settle(&mut table, &[None, Some("engine:true")]), Err("unknown_player"));
    settle(&mut table, &[None, Some("novice")]).unwrap();
    act(&mut table, Action::Swap).unwrap();
    assert_eq!(table.public(None).seats[0].player, "novice");
}

#[test]
fn a_seat_belongs_to_who_sat_down_and_nobody_else_moves_for_it() {
    let mut table = table(["human", "open"]);
    assert_eq!(act_by(&mut table, ben(), turn(0, "-.0")), Err("not_seated"));
    act(&mut table, turn(0, "-.0")).unwrap();
    // The seat is free, and Anna does not play for whoever may come.
    assert_eq!(act(&mut table, turn(1, "a1.1")), Err("not_seated"));
    act_by(&mut table, ben(), sit(Some(1))).unwrap();
    let carla = Person::of_key("carla");
    assert_eq!(act_by(&mut table, carla, sit(Some(1))), Err("seat_taken"));
    assert_eq!(act_by(&mut table, carla, sit(None)), Err("seat_taken"));
    assert_eq!(act_by(&mut table, carla, sit(Some(7))), Err("bad_request"));
    assert_eq!(act(&mut table, turn(1, "a1.1")), Err("not_your_turn"));
    assert_eq!(act_by(&mut table, carla, turn(1, "a1.1")), Err("not_seated"));
    act_by(&mut table, ben(), turn(1, "a1.1")).unwrap();
    assert_eq!(act_by(&mut table, ben(), turn(2, "b1.2")), Err("not_your_turn"));
    // The seats of others stay theirs.
    let take = Action::seats(placements(["human", "human"]));
    assert_eq!(act(&mut table, take), Err("seat_taken"));
    act(&mut table, Action::seats(vec![Some(Placement::Open), None])).unwrap();
    assert_eq!(table.seating().seats_of(ben()).collect::<Vec<_>>(), [1]);
}

#[test]
fn who_watches_changes_nothing() {
    let mut watched = table(["human", "human"]);
    act(&mut watched, turn(0, "-.0")).unwrap();
    let setup = Action::Setup {
        position: None,
        turns: Vec::new(),
    };
    let others = [
        Action::Undo(None),
        Action::Redo(None),
        Action::GoTo(0),
        Action::Pause(true),
        Action::Restart,
        Action::Swap,
        setup,
        Action::seats(placements(["human", "novice"])),
        Action::Settle {
            seats: None,
            names: None,
            pace_ms: Some(100),
        },
    ];
    let version = watched.version();
    for action in others.clone() {
        assert_eq!(
            act_by(&mut watched, ben(), action.clone()),
            Err("not_seated"),
            "{action:?}"
        );
    }
    assert_eq!(watched.version(), version);
    // Where only programs play, who opened the table is in charge.
    let mut programs = table(["novice", "novice"]);
    for action in others {
        assert_eq!(
            act_by(&mut programs, ben(), action.clone()),
            Err("not_seated"),
            "{action:?}"
        );
    }
    act(&mut programs, Action::Pause(true)).unwrap();
}

#[test]
fn what_somebody_wants_who_saw_another_table_is_not_done() {
    let mut table = table(["human", "open"]);
    act_by(&mut table, ben(), sit(None)).unwrap();
    act(&mut table, turn(0, "-.0")).unwrap();
    let saw = |person, version| By {
        person,
        version: Some(version),
    };
    let seen = table.version();
    act_by(&mut table, ben(), turn(1, "a1.1")).unwrap();
    // Anna took back what she had given when Ben's piece already stood.
    let refused = table.act(saw(ANNA, seen), Action::Undo(None)).unwrap_err();
    assert_eq!(refused.code(), "stale_version");
    assert_eq!(table.ply(), 2);
    // Ben takes his own turn back, which Anna allows, and plays another: her answer was to the first.
    let seen = table.version();
    act_by(&mut table, ben(), Action::Undo(Some(1))).unwrap();
    act(&mut table, Action::Answer(true)).unwrap();
    act_by(&mut table, ben(), turn(1, "d4.2")).unwrap();
    assert_eq!(
        table.act(saw(ANNA, seen), turn(2, "b1.3")).unwrap_err().code(),
        "stale_version"
    );
    table.act(saw(ANNA, table.version()), turn(2, "b1.3")).unwrap();
}

#[test]
fn a_turn_counts_although_something_happened_meanwhile_that_is_not_the_game() {
    type Deed = fn(&mut Table);
    let meanwhile: [(&str, Deed); 5] = [
        ("a name", |table| {
            let names = Some(vec![None, Some("Ben".into())]);
            act_by(
                table,
                ben(),
                Action::Settle {
                    seats: None,
                    names,
                    pace_ms: None,
                },
            )
            .unwrap();
        }),
        ("a pace", |table| table.set_pace(50)),
        ("a pause", |table| table.pause(true)),
        ("a question", |table| act_by(table, ben(), Action::Draw).unwrap()),
        ("a restart of the server", |table| {
            let session = crate::catalogue::session("stack4").unwrap();
            *table = Table::restore(table.to_stored(), session).unwrap();
        }),
    ];
    let mut table = table_of("stack4", ["human", "open"]);
    let mut seen = table.version();
    act_by(&mut table, ben(), sit(None)).unwrap();
    table
        .act(
            By {
                person: ANNA,
                version: Some(seen),
            },
            turn(0, "22"),
        )
        .unwrap();
    for (i, (what, deed)) in meanwhile.into_iter().enumerate() {
        seen = table.version();
        // Only Anna's turns are of interest.
        let ply = table.ply();
        act_by(&mut table, ben(), turn(ply, ["33", "34", "32", "43", "44"][i])).unwrap();
        let unseen = By {
            person: ANNA,
            version: Some(seen),
        };
        let mine = turn(ply + 1, ["22", "21", "20", "11", "12"][i]);
        assert_eq!(
            table.act(unseen, mine.clone()).unwrap_err().code(),
            "stale_version",
            "{what}"
        );
        let seen = By {
            person: ANNA,
            version: Some(table.version()),
        };
        deed(&mut table);
        table
            .act(seen, mine)
            .unwrap_or_else(|error| panic!("{what}: {}", error.message()));
    }
    // A version that the table has yet to reach was seen by nobody.
    let ahead = By {
        person: ben(),
        version: Some(table.version() + 1),
    };
    assert_eq!(
        table.act(ahead, turn(table.ply(), "33")).unwrap_err().code(),
        "stale_version"
    );
}

/// All that anybody is told about a table.
fn told(table: &Table) -> String {
    let mut told = table.record();
    for ply in (0..=table.session().len()).map(Some).chain([None]) {
        let snapshot = crate::public_table::Snapshot::of(table, ply);
        told += &snapshot.json(ANNA);
        told += &snapshot.json(ben());
    }
    told += &table.session().drawing(table.ply(), false);
    told
}

#[test]
fn what_one_has_chosen_is_told_to_nobody_until_all_have() {
    // Two tables that differ in the hidden choice alone cannot be told apart.
    let duel = |choice: &str| {
        let mut table = table_of("duel", ["human", "open"]);
        act_by(&mut table, ben(), sit(None)).unwrap();
        act(&mut table, turn(0, "duck")).unwrap();
        act_by(&mut table, ben(), turn(1, "load")).unwrap();
        act(&mut table, turn(2, choice)).unwrap();
        table
    };
    let (mut table, other) = (duel("duck"), duel("load"));
    assert_eq!(told(&table), told(&other));
    let shown = table.public(None);
    assert_eq!((shown.turns.join(" ").as_str(), shown.hidden), ("duck load ?", 1));
    assert_eq!(shown.last.map(|last| last.text).as_deref(), Some("has chosen"));
    // Nor can it be guessed, whoever sits there.
    for _ in 0..2 {
        for guess in ["duck", "load"] {
            assert_eq!(act_by(&mut table, ben(), turn(2, guess)), Err("stale_ply"));
        }
        act_by(&mut table, ben(), Action::Swap).unwrap();
        act(&mut table, Action::Answer(true)).unwrap();
    }
    act_by(&mut table, ben(), turn(3, "shoot")).unwrap();
    let shown = table.public(None);
    assert_eq!(
        (shown.turns.join(" ").as_str(), shown.hidden),
        ("duck load duck shoot", 0)
    );
}

#[test]
fn what_a_program_has_chosen_and_said_of_it_is_not_told_either() {
    let duel = |choice: &str, depth: u32| {
        let mut table = table_of("duel", ["random", "human"]);
        table.note_thinking(false);
        let said = said(choice).map(|said| Analysis {
            depth: Some(depth),
            pv: vec![choice.into()],
            ..said
        });
        assert!(table.answer(table.version(), said));
        table
    };
    let (table, other) = (duel("duck", 1), duel("load", 2));
    assert_eq!(told(&table), told(&other));
    assert!(table.public(None).last.unwrap().thought.is_none());
}

#[test]
fn undo_takes_back_what_all_chose_at_the_same_time() {
    let mut table = table_of("duel", ["human", "human"]);
    for (ply, choice) in ["duck", "load", "load", "duck"].into_iter().enumerate() {
        act(&mut table, turn(ply, choice)).unwrap();
    }
    act(&mut table, Action::Undo(None)).unwrap();
    assert_eq!(table.ply(), 2);
    act(&mut table, Action::Redo(None)).unwrap();
    assert_eq!(table.ply(), 4);
    act(&mut table, Action::GoTo(3)).unwrap();
    assert_eq!(table.ply(), 2);
    // A choice that nobody saw is taken back alone, and stays unseen.
    act(&mut table, turn(2, "load")).unwrap();
    act(&mut table, Action::Undo(None)).unwrap();
    assert_eq!(
        (table.ply(), table.public(None).turns.last().unwrap().as_str()),
        (2, "?")
    );
}

#[test]
fn a_program_that_chooses_at_the_same_time_chooses_again_after_an_undo() {
    let mut table = table_of("duel", ["random", "human"]);
    answer(&mut table, "duck");
    act(&mut table, turn(1, "load")).unwrap();
    answer(&mut table, "load");
    act(&mut table, Action::Undo(None)).unwrap();
    assert_eq!((table.ply(), table.wants()), (0, Some("random")));
}
