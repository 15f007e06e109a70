//! Tables over HTTP: a real server, a real socket.

use crate::common::{Folder, Server};
use serde_json::{Value, json};

fn path(id: &str, rest: &str) -> String {
    format!("/api/tables/{id}{rest}")
}

#[test]
fn a_person_plays_a_whole_game_against_a_program() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let id = client.table(r#"{"game":"quarto","seats":["human","perfect:level=5"]}"#);
    let mut table = client.wait(&id);
    while table["outcome"].is_null() {
        let turn = json!({"turn": table["legal"][0], "ply": table["ply"]});
        let answer = client.post(&path(&id, "/turns"), &turn.to_string());
        assert_eq!(answer.status, 200, "{}", answer.text());
        table = client.wait(&id);
    }
    assert_eq!(table["mover"], Value::Null);
    assert!(table["turns"].as_array().unwrap().len() >= 5);
    let text = table["outcome"]["text"].as_str().unwrap();
    assert!(text.contains("completing") || text.contains("draw"), "{text}");
    let late = client.post(
        &path(&id, "/turns"),
        &json!({"turn": "a1.1", "ply": table["ply"]}).to_string(),
    );
    assert_eq!((late.status, late.code().as_str()), (409, "game_over"));
}

#[test]
fn a_turn_is_played_once_and_illegal_ones_say_why() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let id = client.table(r#"{"game":"quarto"}"#);
    let mut play = |turn: &str, ply: u32| {
        let answer = client.post(&path(&id, "/turns"), &json!({"turn": turn, "ply": ply}).to_string());
        (answer.status, answer.json())
    };
    assert_eq!(play("-.0", 0).0, 200);
    // A double click.
    let (status, table) = play("-.0", 0);
    assert_eq!((status, &table["ply"]), (200, &json!(1)));
    let (status, refused) = play("-.1", 0);
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("stale_ply")));
    let (status, refused) = play("a1.0", 1);
    assert_eq!((status, &refused["error"]["code"]), (422, &json!("illegal_turn")));
    assert_eq!(
        refused["error"]["message"],
        "cannot play a1.0: piece 0 is the one in hand"
    );
    assert_eq!(play("what", 1).1["error"]["code"], "bad_turn");
    let (_, table) = play("d4.f", 1);
    assert_eq!(table["position"], "..../..../..../...0 f");
    assert_eq!(table["view"]["cells"][15], "0");
    assert_eq!(
        table["last"]["text"],
        "placed the light short round solid piece on d4 and gave the dark tall square hollow piece"
    );
}

#[test]
fn undo_redo_goto_restart_swap_and_seats() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let id = client.table(r#"{"game":"quarto","turns":["-.0","a1.1","b1.2"]}"#);
    let mut post = |rest: &str, body: &str| client.post(&path(&id, rest), body);
    let table = post("/undo", "{}").json();
    assert_eq!((&table["ply"], &table["redoable"]), (&json!(2), &json!(1)));
    assert_eq!(post("/undo", r#"{"plies":2}"#).json()["ply"], 0);
    assert_eq!(post("/undo", "{}").code(), "nothing_to_undo");
    assert_eq!(post("/redo", r#"{"plies":9}"#).json()["ply"], 3);
    assert_eq!(post("/redo", "{}").code(), "nothing_to_redo");
    assert_eq!(
        post("/goto", r#"{"ply":1}"#).json()["position"],
        "..../..../..../.... 0"
    );
    assert_eq!(post("/goto", r#"{"ply":9}"#).status, 400);
    assert_eq!(post("/restart", "{}").json()["turns"], json!([]));
    assert_eq!(post("/swap", "{}").status, 200);
    assert_eq!(post("/pause", "{}").json()["paused"], true);
    assert_eq!(post("/resume", "{}").json()["paused"], false);
    let seated = client.ask("PATCH", &path(&id, ""), &[], br#"{"seats":["novice",null]}"#);
    assert_eq!(seated.json()["seats"][0]["player"], "novice");
    let table = client.wait(&id);
    assert_eq!((&table["ply"], &table["last"]["seat"]), (&json!(1), &json!(1)));
    let refused = client.ask("PATCH", &path(&id, ""), &[], br#"{"seats":["novise",null]}"#);
    assert_eq!((refused.status, refused.code().as_str()), (422, "unknown_player"));
    assert!(refused.text().contains("did you mean `novice`?"));
}

#[test]
fn positions_and_records_are_pasted_and_copied() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let id = client.table(r##"{"text":"# game quarto-squares\nposition 0.../..../..../.... 5\nb1.6 c1.7"}"##);
    let table = client.get(&path(&id, "")).json();
    assert_eq!((&table["game"], &table["ply"]), (&json!("quarto-squares"), &json!(2)));
    let record = client.get(&path(&id, "/record")).text();
    assert!(record.contains("position 0.../..../..../.... 5\nb1.6 c1.7"), "{record}");
    let other = client.table(&json!({"text": record}).to_string());
    assert_eq!(client.get(&path(&other, "")).json()["position"], table["position"]);
    let set = |body: Value| body.to_string().into_bytes();
    let answer = client.ask(
        "PUT",
        &path(&id, "/game"),
        &[],
        &set(json!({"position": "0123/..../..../.... -"})),
    );
    assert_eq!(answer.json()["outcome"]["winner"], 1, "{}", answer.text());
    let answer = client.ask(
        "PUT",
        &path(&id, "/game"),
        &[],
        &set(json!({"text": "..../..../..../...f 5"})),
    );
    assert_eq!(answer.json()["start"], "..../..../..../...f 5");
    for (body, code) in [
        (json!({"position": "zebra"}), "bad_position"),
        (json!({"position": "00../..../..../.... -"}), "bad_position"),
        (json!({"turns": ["-.0", "-.1"]}), "bad_record"),
        (json!({"text": ""}), "bad_record"),
        (json!({"text": "-.0 zebra"}), "bad_record"),
        (json!({"text": "zebra"}), "bad_position"),
        (json!({"text": "# game stack4\n22"}), "bad_record"),
        (json!({"text": "a", "position": "b"}), "bad_request"),
    ] {
        let answer = client.ask("PUT", &path(&id, "/game"), &[], &set(body.clone()));
        assert_eq!(answer.code(), code, "{body}");
    }
    // Four times the same piece: a position, and what is wrong with it is said of the position.
    let text = json!({"text": "0000/..../..../.... 1"}).to_string();
    for answer in [
        client.put(&path(&id, "/game"), &text),
        client.post(
            "/api/tables",
            &json!({"game": "quarto", "text": "0000/..../..../.... 1"}).to_string(),
        ),
    ] {
        assert_eq!(answer.code(), "bad_position");
        assert!(answer.text().contains("piece 0"), "{}", answer.text());
    }
}

#[test]
fn every_game_can_be_played_by_its_programs() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let games = client.get("/api/games").json();
    let games = games["games"].as_array().unwrap();
    assert!(games.len() >= 20);
    for game in games {
        let name = game["name"].as_str().unwrap();
        let seats = game["seats"].as_u64().unwrap() as usize;
        let mut sitters = vec!["human"; seats];
        if seats > 1 {
            sitters[seats - 1] = "random";
        }
        let id = client.table(&json!({"game": name, "seats": sitters}).to_string());
        let table = client.wait(&id);
        assert_eq!(table["family"], game["family"], "{name}");
        if table["to_move"] == "human" {
            let turn = json!({"turn": table["legal"][0], "ply": table["ply"]});
            let answer = client.post(&path(&id, "/turns"), &turn.to_string());
            assert_eq!(answer.status, 200, "{name}: {}", answer.text());
        }
    }
}

#[test]
fn a_pasted_sheet_is_played_and_a_broken_one_is_explained() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let sheet = client.get("/api/gdl/sheets/tictactoe").json()["text"].clone();
    let checked = client
        .post("/api/gdl/check", &json!({"sheet": sheet}).to_string())
        .json();
    assert_eq!((&checked["ok"], &checked["roles"]), (&json!(true), &json!(["x", "o"])));
    let id = client.table(&json!({"game": "gdl", "sheet": sheet, "seats": ["human", "random"]}).to_string());
    let table = client.wait(&id);
    assert_eq!(table["view"]["boards"][0]["xs"], json!(["1", "2", "3"]));
    client.post(&path(&id, "/turns"), r#"{"turn":"(mark,2,2)","ply":0}"#);
    let table = client.wait(&id);
    assert_eq!(table["ply"], 2, "{table}");
    let broken = sheet.as_str().unwrap().replacen("(role x)", "(role x", 1);
    let checked = client
        .post("/api/gdl/check", &json!({"sheet": broken}).to_string())
        .json();
    assert_eq!(checked["ok"], false);
    assert!(checked["diagnostics"][0]["line"].is_u64(), "{checked}");
    let refused = client.post("/api/tables", &json!({"game": "gdl", "sheet": broken}).to_string());
    assert_eq!((refused.status, refused.code().as_str()), (422, "bad_sheet"));
    assert!(refused.json()["error"]["diagnostics"][0]["snippet"].is_string());
}

#[test]
fn a_stream_tells_the_table_and_every_change() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let id = client.table(r#"{"game":"stack4"}"#);
    let mut events = server.client().stream(&path(&id, "/events"));
    let (name, table) = events.next().unwrap();
    assert_eq!((name.as_str(), &table["ply"]), ("table", &json!(0)));
    client.post(&path(&id, "/turns"), r#"{"turn":"22","ply":0}"#);
    assert_eq!(events.next().unwrap().1["ply"], 1);
    assert_eq!(client.ask("DELETE", &path(&id, ""), &[], b"").status, 204);
    assert_eq!(events.next().unwrap().0, "gone");
    assert_eq!(events.next(), None);
    assert_eq!(client.get(&path(&id, "")).status, 404);
}

#[test]
fn programs_play_each_other_for_who_watches_and_for_nobody_else() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let id = client.table(r#"{"game":"quarto","seats":["random","novice"]}"#);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(client.get(&path(&id, "")).json()["ply"], 0);
    let mut events = server.client().stream(&path(&id, "/events"));
    let last = events.find(|(_, table)| !table["outcome"].is_null()).unwrap().1;
    assert_eq!(last["mover"], Value::Null);
}

#[test]
fn games_survive_a_restart_of_the_server() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let sheet = client.get("/api/gdl/sheets/nim").json()["text"].clone();
    let ids = [
        client.table(r#"{"game":"quarto","seats":["human","novice"],"turns":["-.0","a1.1","b1.2","c1.5"]}"#),
        client.table(r#"{"game":"stack4","turns":["22","33"]}"#),
        client.table(&json!({"sheet": sheet}).to_string()),
    ];
    client.wait(&ids[0]);
    client.post(&path(&ids[0], "/undo"), "{}");
    // A stream is open while the server ends: that must not hold it up.
    let _open = server.client().stream(&path(&ids[1], "/events"));
    let before = ids.each_ref().map(|id| client.get(&path(id, "")).json());
    server.stop();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    for (id, before) in ids.iter().zip(before) {
        let mut after = client.get(&path(id, "")).json();
        // What a program said is not kept.
        if let Some(thought) = after.pointer_mut("/last/thought") {
            *thought = before["last"]["thought"].clone();
        }
        assert_eq!(after, before);
    }
    let listed = client.get("/api/tables").json();
    assert_eq!(listed["tables"].as_array().unwrap().len(), 3);
}
