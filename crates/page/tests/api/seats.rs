//! Seats belong to somebody, over HTTP: two people and who watches them, each with a key of their own.

use crate::common::{Client, Folder, Server};
use page::Config;
use serde_json::{Value, json};

fn path(id: &str, rest: &str) -> String {
    format!("/api/tables/{id}{rest}")
}

fn play(client: &mut Client, id: &str, ply: usize, turn: &str) -> (u16, Value) {
    let answer = client.post(&path(id, "/turns"), &json!({"turn": turn, "ply": ply}).to_string());
    (answer.status, answer.json())
}

/// The code of a refusal.
fn code(answer: &(u16, Value)) -> &str {
    answer.1["error"]["code"].as_str().unwrap_or_default()
}

#[test]
fn two_people_play_and_a_third_watches() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let [mut anna, mut ben, mut carla] = ["a1", "b2", "c3"].map(|key| server.client().with_key(key));
    let id = anna.table(r#"{"game":"quarto","seats":["human","open"]}"#);
    let seen = |client: &mut Client| client.get(&path(&id, "")).json();
    assert_eq!(seen(&mut anna)["you"], json!({"seats": [1], "in_charge": true}));
    assert_eq!(seen(&mut ben)["you"], json!({"seats": [], "in_charge": false}));
    assert_eq!(seen(&mut ben)["seats"][1]["player"], "open");
    // Everybody is told what they themselves are, also by streams.
    let mut watching = server.client().with_key("c3").stream(&path(&id, "/events"));
    let mut playing = server.client().with_key("b2").stream(&path(&id, "/events"));
    watching.next();
    playing.next();
    let sat = ben.post(&path(&id, "/sit"), "{}").json();
    assert_eq!(sat["you"], json!({"seats": [2], "in_charge": true}));
    assert_eq!(playing.next().unwrap().1["you"]["seats"], json!([2]));
    assert_eq!(watching.next().unwrap().1["you"]["seats"], json!([]));
    assert_eq!(carla.post(&path(&id, "/sit"), r#"{"seat":2}"#).code(), "seat_taken");

    assert_eq!(code(&play(&mut carla, &id, 0, "-.0")), "not_seated");
    assert_eq!(code(&play(&mut ben, &id, 0, "-.0")), "not_your_turn");
    assert_eq!(play(&mut anna, &id, 0, "-.0").0, 200);
    assert_eq!(code(&play(&mut anna, &id, 1, "a1.1")), "not_your_turn");
    assert_eq!(play(&mut ben, &id, 1, "a1.1").0, 200);
    for rest in ["/undo", "/redo", "/restart", "/swap", "/pause", "/resume"] {
        let answer = carla.post(&path(&id, rest), "{}");
        assert_eq!((answer.status, answer.code().as_str()), (403, "not_seated"), "{rest}");
    }
    assert_eq!(carla.post(&path(&id, "/goto"), r#"{"ply":0}"#).code(), "not_seated");
    assert_eq!(carla.put(&path(&id, "/game"), "{}").code(), "not_seated");
    assert_eq!(
        carla.patch(&path(&id, ""), r#"{"seats":["human",null]}"#).code(),
        "not_seated"
    );
    assert_eq!(carla.patch(&path(&id, ""), r#"{"pace_ms":9}"#).code(), "not_seated");
    assert_eq!(carla.delete(&path(&id, "")).code(), "not_seated");
    assert_eq!(
        anna.patch(&path(&id, ""), r#"{"seats":[null,"novice"]}"#).code(),
        "seat_taken"
    );
    assert_eq!(seen(&mut carla)["turns"], json!(["-.0", "a1.1"]));
    assert_eq!(ben.delete(&path(&id, "")).status, 204);
}

#[test]
fn of_two_who_act_at_once_one_is_told_that_the_table_has_changed() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let [mut anna, mut ben] = ["a1", "b2"].map(|key| server.client().with_key(key));
    let id = anna.table(r#"{"game":"quarto","seats":["human","open"],"turns":["-.0"]}"#);
    let seen = ben.post(&path(&id, "/sit"), "{}").json()["version"].clone();
    assert_eq!(play(&mut ben, &id, 1, "a1.1").0, 200);
    let undo = anna.post(&path(&id, "/undo"), &json!({"version": seen}).to_string());
    assert_eq!((undo.status, undo.code().as_str()), (409, "stale_version"));
    assert!(undo.text().contains("somebody else was faster"), "{}", undo.text());
    assert_eq!(anna.get(&path(&id, "")).json()["turns"], json!(["-.0", "a1.1"]));
    for (method, rest, body) in [
        ("POST", "/turns", json!({"turn": "b1.2", "ply": 2, "version": seen})),
        ("POST", "/restart", json!({"version": seen})),
        ("PUT", "/game", json!({"version": seen})),
        ("PATCH", "", json!({"seats": ["novice", null], "version": seen})),
    ] {
        let answer = anna.ask(method, &path(&id, rest), &[], body.to_string().as_bytes());
        assert_eq!(answer.code(), "stale_version", "{rest}");
    }
}

#[test]
fn a_turn_on_its_way_counts_although_the_other_sits_down_meanwhile() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let [mut anna, mut ben] = ["a1", "b2"].map(|key| server.client().with_key(key));
    let id = anna.table(r#"{"game":"quarto","seats":["human","open"]}"#);
    let seen = anna.get(&path(&id, "")).json()["version"].clone();
    assert_eq!(ben.post(&path(&id, "/sit"), "{}").status, 200);
    let given = anna.post(
        &path(&id, "/turns"),
        &json!({"turn": "-.0", "ply": 0, "version": seen}).to_string(),
    );
    assert_eq!(given.status, 200, "{}", given.text());
    assert_eq!(ben.get(&path(&id, "")).json()["turns"], json!(["-.0"]));
}

#[test]
fn who_shows_no_key_plays_alone_and_cannot_play_for_who_shows_one() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let (mut script, mut anna) = (server.client(), server.client().with_key("a1"));
    let own = script.table(r#"{"game":"quarto"}"#);
    assert_eq!(play(&mut script, &own, 0, "-.0").0, 200);
    assert_eq!(code(&play(&mut anna, &own, 1, "a1.1")), "not_seated");
    let hers = anna.table(r#"{"game":"quarto"}"#);
    assert_eq!(code(&play(&mut script, &hers, 0, "-.0")), "not_seated");
    // A person at one screen has both seats: two friends pass the mouse.
    assert_eq!(play(&mut anna, &hers, 0, "-.0").0, 200);
    assert_eq!(play(&mut anna, &hers, 1, "a1.1").0, 200);
}

#[test]
fn seats_and_names_survive_a_restart_and_the_records_hold_no_key() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let key = "0123456789abcdef0123456789abcdef";
    let mut anna = server.client().with_key(key);
    let id = anna.table(r#"{"game":"quarto","seats":["human","open"],"names":[null,"Ben & Carla"],"turns":["-.0"]}"#);
    server.client().with_key("b2").post(&path(&id, "/sit"), "{}");
    let named = anna.table(r#"{"game":"quarto","seats":["novice","open"],"names":["the old one",null],"paused":true}"#);
    server.stop();
    let server = Server::start(&folder.records());
    let (mut anna, mut ben) = (server.client().with_key(key), server.client().with_key("b2"));
    assert_eq!(anna.get(&path(&id, "")).json()["you"]["seats"], json!([1]));
    assert_eq!(code(&play(&mut anna, &id, 1, "a1.1")), "not_your_turn");
    assert_eq!(play(&mut ben, &id, 1, "a1.1").0, 200);
    let again = anna.get(&path(&named, "")).json();
    assert_eq!(
        (&again["seats"][0]["name"], &again["paused"]),
        (&json!("the old one"), &json!(true))
    );
    assert_eq!(again["you"], json!({"seats": [], "in_charge": true}));
    server.stop();
    let written = std::fs::read(folder.records()).unwrap();
    assert!(!written.windows(key.len()).any(|part| part == key.as_bytes()));
}

#[test]
fn records_of_an_earlier_version_are_read_and_their_seats_are_free() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let id = server.client().table(r#"{"game":"quarto","seats":["human","novice"]}"#);
    server.stop();
    let records = rusqlite::Connection::open(folder.records()).unwrap();
    for column in ["host", "owners", "names", "over"] {
        let drop = format!("alter table page_tables drop column {column}");
        records.execute_batch(&drop).unwrap();
    }
    drop(records);
    let server = Server::start(&folder.records());
    let mut anna = server.client().with_key("a1");
    let table = anna.get(&path(&id, "")).json();
    assert_eq!(
        (&table["seats"][0]["player"], &table["you"]["in_charge"]),
        (&json!("open"), &json!(true))
    );
    assert_eq!(anna.post(&path(&id, "/sit"), r#"{"seat":1}"#).status, 200);
    assert_eq!(play(&mut anna, &id, 0, "-.0").0, 200);
    for bad in [r#"{"seat":0}"#, r#"{"seat":3}"#] {
        assert_eq!(anna.post(&path(&id, "/sit"), bad).code(), "bad_request", "{bad}");
    }
}

#[test]
fn what_two_choose_at_the_same_time_leaves_the_server_only_together() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let [mut anna, mut ben] = ["a1", "b2"].map(|key| server.client().with_key(key));
    // Two tables that differ in nothing but what Anna chose. All that anybody is told of them must be the same.
    let mut told = ["load", "duck"].map(|choice| {
        let id = anna.table(r#"{"game":"duel","seats":["human","open"]}"#);
        ben.post(&path(&id, "/sit"), "{}");
        let mut events = server.client().with_key("b2").stream(&path(&id, "/events"));
        events.next();
        let (status, answer) = play(&mut anna, &id, 0, choice);
        assert_eq!(status, 200, "{answer}");
        let mut told = answer.to_string();
        told += &events.next().unwrap().1.to_string();
        for rest in ["", "/at/0", "/at/1", "/record"] {
            told += &ben.get(&path(&id, rest)).text();
            told += &anna.get(&path(&id, rest)).text();
        }
        for guess in ["load", "duck"] {
            told += &play(&mut ben, &id, 0, guess).1.to_string();
        }
        for refused in ["/truth", "/analysis"] {
            told += &ben.get(&path(&id, refused)).text();
        }
        let hint = ben.get(&path(&id, "/hint")).json();
        assert!(["load", "duck"].contains(&hint["turn"].as_str().unwrap()), "{hint}");
        (id, told)
    });
    for (id, told) in &mut told {
        *told = told.replace(id.as_str(), "ID");
    }
    assert_eq!(told[0].1, told[1].1);
    assert!(told[0].1.contains(r#""chosen":["left"]"#), "{}", told[0].1);
    let (id, _) = &told[0];
    let listed = ben.get("/api/tables").text();
    assert!(!listed.contains("duck"), "{listed}");
    let (_, table) = play(&mut ben, id, 1, "duck");
    assert_eq!(
        (&table["turns"], &table["hidden"]),
        (&json!(["load", "duck"]), &json!(0))
    );
}

#[test]
fn the_list_says_what_is_over_what_a_pasted_game_is_called_and_whose_it_is() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut anna = server.client().with_key("a1");
    let over = anna.table(r#"{"game":"quarto","turns":["-.0","a1.1","b1.2","c1.3","d1.-"]}"#);
    let sheet = anna.get("/api/gdl/sheets/duel").json()["text"].clone();
    let pasted = anna.table(&json!({"sheet": sheet, "seats": ["human", "random"]}).to_string());
    let table = anna.get(&path(&pasted, "")).json();
    assert_eq!(table["title"], "Duel: both decide at once");
    // The list does not wait for a disk: it knows at once what was opened, played and forgotten.
    for _ in 0..20 {
        let id = anna.table(r#"{"game":"quarto","turns":["-.0"]}"#);
        let listed = |client: &mut Client| client.get("/api/tables").text().contains(&id);
        assert!(listed(&mut anna));
        assert_eq!(anna.delete(&path(&id, "")).status, 204);
        assert!(!listed(&mut anna));
    }
    server.stop();
    let server = Server::start(&folder.records());
    let [mut anna, mut ben] = ["a1", "b2"].map(|key| server.client().with_key(key));
    let line = |client: &mut Client, id: &str| {
        let list = client.get("/api/tables").json();
        let tables = list["tables"].as_array().unwrap().clone();
        tables.into_iter().find(|table| table["id"] == id).unwrap_or_default()
    };
    assert_eq!(
        (&line(&mut anna, &over)["over"], &line(&mut anna, &pasted)["over"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(line(&mut anna, &pasted)["title"], "Duel: both decide at once");
    assert_eq!(line(&mut anna, &pasted)["seats"][0]["yours"], true);
    assert_eq!(line(&mut anna, &over)["in_charge"], true);
    assert_eq!(
        (
            &line(&mut ben, &over)["in_charge"],
            &line(&mut ben, &over)["seats"][0]["yours"]
        ),
        (&json!(false), &json!(false))
    );
    server.stop();
    // On a server for many everybody sees their own.
    let server = Server::with(Config {
        records: folder.records(),
        token: Some("secret".into()),
        ..Config::default()
    });
    let count = |key: &str| {
        let mut client = server.client().with_key(key);
        client.headers.push(("authorization".into(), "Bearer secret".into()));
        client.get("/api/tables").json()["tables"].as_array().unwrap().len()
    };
    assert_eq!((count("a1"), count("b2")), (2, 0));
}
