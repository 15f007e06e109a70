//! The house and the thinkers, asked natively as a browser asks them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use browser::Instance;
use game::Game;
use quarto::{Position, Rules};
use serde_json::{Value, json};

fn ask(instance: &mut Instance, question: Value) -> Value {
    serde_json::from_str(&instance.ask(&question.to_string())).unwrap()
}

fn request(instance: &mut Instance, method: &str, path: &str, body: Value) -> Value {
    ask(
        instance,
        json!({ "op": "request", "method": method, "path": path, "body": body, "id": "one" }),
    )
}

/// The table in an answer, as the page's modules see it.
fn table(answer: &Value) -> Value {
    serde_json::from_str(answer["body"].as_str().unwrap_or_else(|| panic!("{answer}"))).unwrap()
}

fn open_against_novice(instance: &mut Instance) -> Value {
    let body = json!({ "game": "quarto", "seats": ["human", "novice"] });
    request(instance, "POST", "/api/tables", body)
}

#[test]
fn a_turn_asks_the_program_and_its_answer_stands_at_the_table() {
    let instance = &mut Instance::default();
    let opened = open_against_novice(instance);
    assert_eq!(
        (&opened["status"], &opened["task"]),
        (&json!(201), &Value::Null),
        "{opened}"
    );
    let played = request(
        instance,
        "POST",
        "/api/tables/one/turns",
        json!({ "turn": "-.5", "ply": 0 }),
    );
    let task: Value = serde_json::from_str(played["task"].as_str().unwrap()).unwrap();
    let said = ask(instance, task)["said"].clone();
    let version = &played["version"];
    let started = ask(
        instance,
        json!({ "op": "start", "id": "one", "version": version, "watched": true }),
    );
    assert_eq!(table(&started)["thinking"]["waiting"], json!(false));
    let answered = ask(
        instance,
        json!({ "op": "answer", "id": "one", "version": version, "said": said }),
    );
    assert_eq!(table(&answered)["turns"], json!(["-.5", said["best"]]));
    let late = ask(
        instance,
        json!({ "op": "answer", "id": "one", "version": version, "said": said }),
    );
    assert_eq!(late["status"], json!(409), "a thought is heard once");
}

#[test]
fn a_kept_table_is_set_up_again_and_asks_its_program_once_somebody_follows_it() {
    let first = &mut Instance::default();
    open_against_novice(first);
    let played = request(
        first,
        "POST",
        "/api/tables/one/turns",
        json!({ "turn": "-.5", "ply": 0 }),
    );
    let second = &mut Instance::default();
    let opened = ask(second, json!({ "op": "open", "kept": played["kept"] }));
    assert_eq!(table(&opened)["turns"], json!(["-.5"]));
    assert_eq!(opened["task"], Value::Null);
    let followed = ask(second, json!({ "op": "watch", "id": "one", "watched": true }));
    assert!(followed["task"].is_string(), "{followed}");
}

#[test]
fn programs_play_each_other_only_for_who_watches() {
    let instance = &mut Instance::default();
    let body = json!({ "game": "stack4", "seats": ["random", "random"] });
    assert_eq!(request(instance, "POST", "/api/tables", body)["task"], Value::Null);
    let followed = ask(instance, json!({ "op": "watch", "id": "one", "watched": true }));
    assert!(followed["task"].is_string(), "{followed}");
}

#[test]
fn what_is_wrong_is_told_as_the_server_tells_it() {
    let instance = &mut Instance::default();
    open_against_novice(instance);
    let code = |answer: Value| answer["error"]["error"]["code"].clone();
    let turn = |turn: &str, ply: usize| json!({ "turn": turn, "ply": ply });
    let turns = "/api/tables/one/turns";
    assert_eq!(code(request(instance, "POST", turns, turn("zebra", 0))), "bad_turn");
    assert_eq!(code(request(instance, "POST", turns, turn("-.5", 3))), "stale_ply");
    assert_eq!(
        code(request(instance, "POST", turns, json!({ "turn": "-.5" }))),
        "bad_request"
    );
    assert_eq!(
        code(request(instance, "GET", "/api/tables/two", json!({}))),
        "not_found"
    );
    assert_eq!(
        code(request(instance, "POST", "/api/tables", json!({ "game": "quatro" }))),
        "unknown_game"
    );
    for nonsense in [
        "",
        "[]",
        "{",
        r#"{"op":"nothing"}"#,
        r#"{"op":"think","game":"quarto","spec":"engine:sh"}"#,
    ] {
        let answer: Value = serde_json::from_str(&instance.ask(nonsense)).unwrap();
        assert!(answer["status"].as_u64().unwrap() >= 400, "{nonsense}: {answer}");
    }
}

#[test]
fn a_game_has_its_value_its_hint_and_its_judgement() {
    let instance = &mut Instance::default();
    let about = |op: &str| json!({ "op": op, "game": "quarto", "start": "3..8/.6../..d./2... 5", "turns": ["b1.9"], "ply": 0, "ms": 60_000 });
    let value = table(&ask(instance, about("value")));
    assert_eq!(value["value"], json!("draw"), "{value}");
    let hint = table(&ask(instance, about("hint")));
    assert_eq!((&hint["exact"], &hint["value"]), (&json!(true), &json!("draw")));
    let judged = &ask(instance, about("judge"))["answer"];
    assert_eq!(
        (&judged["mistake"], &judged["best_value"]),
        (&json!(true), &json!("draw"))
    );
}

#[test]
fn the_strongest_player_has_an_opinion_where_two_move_in_turn() {
    let instance = &mut Instance::default();
    let mut about = |game: &str, turns: &[&str], ply: usize| {
        ask(
            instance,
            json!({ "op": "opinion", "game": game, "turns": turns, "ply": ply, "ms": 200 }),
        )
    };
    let said = table(&about("stack4", &["22", "33"], 1));
    assert_eq!(
        (&said["player"], &said["mover"]),
        (&json!("strong"), &json!(2)),
        "{said}"
    );
    assert_eq!(said["line"][0], said["turn"]);
    let code = |answer: Value| answer["error"]["error"]["code"].clone();
    assert_eq!(code(about("stack4", &["22"], 2)), "not_found");
    assert_eq!(code(about("trio", &[], 0)), "unsupported");
    let over = ["-.0", "a1.1", "b1.2", "c1.3", "d1.-"];
    assert_eq!(code(about("quarto", &over, 5)), "game_over");
}

#[test]
fn a_round_begins_with_the_random_turns_that_the_arena_has() {
    let instance = &mut Instance::default();
    let first = Position::new(Rules::standard());
    let mut play = |plies: u32, round: u64| {
        let opening = json!({ "plies": plies, "seed": "7", "round": round });
        let players = ["random", "random"];
        ask(
            instance,
            json!({ "op": "play", "game": "quarto", "players": players, "seed": "3", "opening": opening }),
        )
    };
    for round in 0..4 {
        let said = play(3, round);
        let mut position = first;
        let moves = game::random_opening(&first, 3, 7, round, &mut Vec::new());
        assert_eq!(said["opening"].as_array().map(Vec::len), Some(moves.len()), "{said}");
        for (mv, turn) in moves.into_iter().zip(said["opening"].as_array().into_iter().flatten()) {
            assert_eq!(*turn, position.print_move(mv));
            position.play(mv).unwrap();
        }
        let next = position.parse_move(said["turns"][0].as_str().unwrap()).unwrap();
        assert!(position.is_legal(next), "the players go on from there");
    }
    assert_eq!(play(101, 0)["error"]["error"]["code"], "bad_tournament");
}
