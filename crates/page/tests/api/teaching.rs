//! Puzzles, openings and where turns lead, over HTTP.

use crate::common::{Folder, Server};
use serde_json::{Value, json};

#[test]
fn puzzles_come_with_the_lines_they_are_solved_by() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    for (game, lines) in [("quarto", 10), ("quarto-squares", 19)] {
        let told = client.get(&format!("/api/puzzles/{game}")).json();
        assert_eq!(told["lines"].as_array().unwrap().len(), lines);
        let puzzles = told["puzzles"].as_array().unwrap();
        for kind in ["win1", "win2", "win3", "win4", "draw", "gift", "trap"] {
            assert!(puzzles.iter().any(|puzzle| puzzle["kind"] == kind), "{game}: {kind}");
        }
    }
    for (path, code) in [
        ("/api/puzzles/chess", "not_found"),
        ("/api/puzzles/quarto-torus", "not_found"),
        ("/api/puzzles/quarto/0", "not_found"),
        ("/api/puzzles/nim/99999", "not_found"),
        ("/api/puzzles/nim/0?turns=zebra", "bad_turn"),
        ("/api/puzzles/zebra", "unknown_game"),
    ] {
        assert_eq!(client.get(path).code(), code, "{path}");
    }
}

#[test]
fn a_try_of_a_puzzle_is_judged_and_what_follows_can_be_drawn() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let games = client.get("/api/games").json();
    let with_puzzles = |game: &&Value| game["puzzles"] == true;
    let names: Vec<&Value> = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .filter(with_puzzles)
        .map(|game| &game["name"])
        .collect();
    assert_eq!(
        names,
        ["quarto", "quarto-squares", "stack4", "tictactoe", "connectfour", "nim"]
    );
    for (game, kind, goal) in [("tictactoe", "hold", "win"), ("stack4", "win2", "line")] {
        let told = client.get(&format!("/api/puzzles/{game}")).json();
        assert_eq!(told["goal"], goal);
        let puzzles = told["puzzles"].as_array().unwrap();
        let number = puzzles.iter().position(|puzzle| puzzle["kind"] == kind).unwrap();
        let answer = puzzles[number]["answer"].as_str().unwrap();
        let mut ask = |query: &str| client.get(&format!("/api/puzzles/{game}/{number}?{query}")).json();
        let open = ask("");
        assert_eq!((&open["verdict"], &open["asked"]), (&json!("open"), &json!(0)));
        let first = &open["moments"][0];
        assert_eq!(first["position"], puzzles[number]["position"]);
        let legal: Vec<&str> = first["legal"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let wrong = legal.iter().find(|turn| **turn != answer).unwrap();
        let refuted = ask(&format!("turns={wrong}"));
        assert_eq!((&refuted["verdict"], &refuted["asked"]), (&json!("wrong"), &json!(1)));
        assert!(refuted["why"].is_string(), "{refuted}");
        assert_eq!(refuted["moments"][1]["turn"], **wrong);
        assert!(refuted["moments"].as_array().unwrap().len() > 2, "{refuted}");
        let right = ask(&format!("turns={answer}"));
        assert_eq!(right["verdict"], if kind == "hold" { "solved" } else { "right" });
        let solution = ask("solution=true");
        assert_eq!(solution["moments"][1]["turn"], *answer);
    }
}

#[test]
fn a_turn_that_loses_is_followed_to_the_completed_line() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let body = json!({"game": "quarto", "turns": ["-.0", "a1.1", "b1.2", "c1.f", "a4.3", "d1.-"]});
    let id = client.table(&body.to_string());
    let path = |ply: usize, turn: &str| format!("/api/tables/{id}/consequence?ply={ply}&turn={turn}");
    let lost = client.get(&path(4, "a4.3")).json();
    assert_eq!(lost, json!({"value": "loss", "plies": 2, "line": ["d1.-"]}));
    assert_eq!(
        client.get(&path(5, "d1.-")).json(),
        json!({"value": "win", "plies": 1, "line": []})
    );
    // The first turn draws, and so nothing follows from it.
    assert_eq!(client.get(&path(0, "-.0")).json()["line"], json!([]));
    for (path, code) in [
        (path(4, "a1.3"), "illegal_turn"),
        (path(4, "zebra"), "bad_turn"),
        (path(7, "a1.3"), "not_found"),
        (path(6, "a2.3"), "game_over"),
    ] {
        assert_eq!(client.get(&path).code(), code, "{path}");
    }
    let stack = client.table(r#"{"game": "stack4"}"#);
    let path = format!("/api/tables/{stack}/consequence?ply=0&turn=22");
    assert_eq!(client.get(&path).code(), "unsupported");
}

#[test]
fn an_opening_tells_every_class_of_turns_once() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let first = client.get("/api/openings/quarto").json();
    assert_eq!(first["view"]["kind"], "quarto");
    let branch = json!({"turn": "-.0", "turns": 16, "value": "draw", "plies": 16, "replies": 240, "errors": 0});
    assert_eq!(first["branches"], json!([branch]));
    let second = client.get("/api/openings/quarto?turns=-.0").json();
    let turns = |opening: &Value| -> u64 {
        let branches = opening["branches"].as_array().unwrap().iter();
        branches.map(|branch| branch["turns"].as_u64().unwrap()).sum()
    };
    assert_eq!(turns(&second), 240);
    let over = client
        .get("/api/openings/quarto?turns=-.0%20a1.1%20b1.2%20c1.3%20d1.-")
        .json();
    assert_eq!(over["branches"], json!([]));
    for (path, code) in [
        ("/api/openings/stack4", "unsupported"),
        ("/api/openings/zebra", "unknown_game"),
        ("/api/openings/quarto?turns=-.0%20a1.0", "bad_record"),
        ("/api/openings/quarto?what=1", "bad_request"),
    ] {
        assert_eq!(client.get(path).code(), code, "{path}");
    }
}

#[test]
fn openings_tell_what_recorded_games_chose_and_how_they_fared() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let first = |client: &mut crate::common::Client| client.get("/api/openings/quarto").json();
    assert_eq!(first(&mut client)["recorded"][0]["games"], 0);
    server.tournament(&json!({"game": "quarto", "players": ["random", "novice"], "rounds": 10}));
    let all = first(&mut client);
    let sum = |choice: &Value| {
        ["wins", "draws", "losses"]
            .iter()
            .map(|key| choice[key].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(
        (&all["recorded"][0]["games"], sum(&all["recorded"][0])),
        (&json!(20), 20)
    );
    // After any first gift all of them have chosen something.
    let second = client.get("/api/openings/quarto?turns=-.9").json();
    let recorded = second["recorded"].as_array().unwrap();
    assert_eq!(recorded.len(), second["branches"].as_array().unwrap().len());
    assert_eq!(recorded.iter().map(sum).sum::<u64>(), 20);
}
