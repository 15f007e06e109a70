//! The truth, hints and analyses over HTTP are those of the registry, whose own tests ask the solver.

use crate::common::{Folder, Server};
use games::Session;
use games::exact::{SolverQuestion, Solvers, Worth};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const POSITION: &str = "012./4.7./a..d/.... 5";

fn table(server: &Server, body: Value) -> String {
    server.client().table(&body.to_string())
}

/// A position of Quarto.
fn session(position: &str) -> Box<dyn Session> {
    let mut session = games::find("quarto").unwrap().game.session();
    session.replace(Some(position), &[]).unwrap();
    session
}

fn solved<T>(question: &SolverQuestion<T>) -> T {
    let late = Instant::now() + Duration::from_secs(60);
    question(&mut Solvers::new(1 << 22), late).unwrap()
}

fn told(worth: Worth) -> (String, u64) {
    let value = serde_json::to_value(worth).unwrap();
    (
        value["value"].as_str().unwrap().into(),
        value["plies"].as_u64().unwrap(),
    )
}

/// What everything that can be chosen is worth, by its name, and the best of it.
fn expected(session: &dyn Session, half: Option<&str>) -> (BTreeMap<String, (String, u64)>, Option<Worth>) {
    let choices = session.exact(0, half).unwrap().unwrap().choices();
    let mut values = choices.known;
    for (question, numbers) in &choices.questions {
        let worth = solved(question);
        values.extend(numbers.iter().map(|&number| (number, worth)));
    }
    let best = Worth::best(values.iter().map(|(_, worth)| *worth));
    let named = |(number, worth): (usize, Worth)| (choices.choices[number].name.clone(), told(worth));
    (values.into_iter().map(named).collect(), best)
}

/// The values of a truth stream by cell or piece, the value of the position, and the end.
fn truth(server: &Server, id: &str, query: &str) -> (BTreeMap<String, (String, u64)>, Value, Value) {
    let mut values = BTreeMap::new();
    let mut value = Value::Null;
    for (name, data) in server.client().stream(&format!("/api/tables/{id}/truth{query}")) {
        match name.as_str() {
            "cell" | "piece" => {
                let worth = (
                    data["value"].as_str().unwrap().to_string(),
                    data["plies"].as_u64().unwrap(),
                );
                let choice = data[&name].as_str().unwrap().to_string();
                assert!(values.insert(choice, worth).is_none(), "told twice");
            }
            "value" => value = data,
            "end" => return (values, value, data),
            _ => assert_eq!(name, "progress"),
        }
    }
    panic!("the stream ended without an end");
}

#[test]
fn the_truth_of_cells_and_pieces_is_the_solvers() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let session = session(POSITION);
    let id = table(&server, json!({"game": "quarto", "position": POSITION}));
    let (cells, value, end) = truth(&server, &id, "");
    assert_eq!((&end["complete"], &end["reason"]), (&json!(true), &json!("done")));
    let (expected_cells, best) = expected(session.as_ref(), None);
    assert_eq!((cells.len(), &cells), (9, &expected_cells));
    assert_eq!(value, serde_json::to_value(best).unwrap());
    // In the middle of the turn: the value of each piece. None is left to be given once a line is complete.
    for cell in cells.keys() {
        let (pieces, _, _) = truth(&server, &id, &format!("?place={cell}"));
        assert_eq!(pieces, expected(session.as_ref(), Some(cell)).0, "{cell}");
    }
}

#[test]
fn the_truth_of_an_opening_comes_from_the_book_at_once() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let id = table(&server, json!({"game": "quarto"}));
    let (pieces, value, _) = truth(&server, &id, "");
    assert_eq!(pieces.len(), 16);
    assert_eq!((&value["value"], &value["plies"]), (&json!("draw"), &json!(16)));
}

#[test]
fn questions_without_sense_are_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let quarto = table(&server, json!({"game": "quarto"}));
    let stack = table(&server, json!({"game": "stack4"}));
    let over = table(&server, json!({"game": "quarto", "position": "0123/..../..../.... -"}));
    for (path, code) in [
        (format!("/api/tables/{quarto}/truth?place=a1"), "bad_request"),
        (format!("/api/tables/{quarto}/truth?place=zz"), "bad_request"),
        (format!("/api/tables/{quarto}/truth?ply=7"), "not_found"),
        (format!("/api/tables/{quarto}/truth?ply=-1"), "bad_request"),
        (format!("/api/tables/{quarto}/truth?what=1"), "bad_request"),
        (format!("/api/tables/{stack}/truth"), "unsupported"),
        (format!("/api/tables/{stack}/analysis"), "unsupported"),
        (format!("/api/tables/{over}/hint"), "game_over"),
        ("/api/tables/nobody/truth".into(), "not_found"),
    ] {
        assert_eq!(client.get(&path).code(), code, "{path}");
    }
    let (values, _, end) = truth(&server, &over, "");
    assert_eq!((values.len(), &end["reason"]), (0, &json!("over")));
}

#[test]
fn a_hint_keeps_the_value_and_gives_a_reason() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    for text in [
        POSITION,
        "012./4.7./a..d/.... 3",
        "..../..../..../.... -",
        "0..f/..../..../.... 5",
    ] {
        let id = table(&server, json!({"game": "quarto", "position": text}));
        let hint = client.get(&format!("/api/tables/{id}/hint")).json();
        let mut session = session(text);
        session.play(0, hint["turn"].as_str().unwrap()).unwrap();
        // The positions with few pieces are for the book alone.
        if text.chars().filter(|c| c.is_ascii_hexdigit()).count() >= 7 {
            let judged = solved(&session.judge(0).unwrap()).unwrap();
            assert_eq!(judged.was, judged.best, "{text}: {hint}");
            let (value, plies) = told(judged.was);
            assert_eq!((&hint["value"], &hint["plies"]), (&json!(value), &json!(plies)));
        }
        assert_eq!(hint["exact"], true);
        assert!(hint["reason"].as_str().unwrap().ends_with('.'), "{hint}");
        // The same by sentences: a text with holes, and what fills them.
        let first = &hint["reasons"][0];
        assert!(
            first["text"].as_str().unwrap().contains('.') && first["values"].is_object(),
            "{hint}"
        );
    }
    for game in ["stack4", "tictactoe"] {
        let id = table(&server, json!({"game": game}));
        let hint = client.get(&format!("/api/tables/{id}/hint")).json();
        let legal = client.get(&format!("/api/tables/{id}")).json()["legal"].clone();
        assert!(legal.as_array().unwrap().contains(&hint["turn"]), "{game}: {hint}");
    }
}

#[test]
fn an_analysis_finds_the_mistakes_that_the_solver_finds() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let turns = ["-.0", "a1.1", "b1.2", "c1.f", "a4.3", "d1.-"];
    let id = table(&server, json!({"game": "quarto", "turns": turns}));
    let mut judged = BTreeMap::new();
    let mut end = Value::Null;
    for (name, data) in server.client().stream(&format!("/api/tables/{id}/analysis")) {
        match name.as_str() {
            "turn" => drop(judged.insert(data["ply"].as_u64().unwrap(), data)),
            "end" => end = data,
            _ => (),
        }
    }
    assert_eq!((&end["complete"], judged.len()), (&json!(true), 6), "{end}");
    // Giving piece 3 with three round pieces in row 1 loses at once.
    assert_eq!(
        (&judged[&4]["mistake"], &judged[&4]["value"], &judged[&4]["plies"]),
        (&json!(true), &json!("loss"), &json!(2))
    );
    assert_eq!(
        (&judged[&5]["mistake"], &judged[&5]["value_for_seat1"]),
        (&json!(false), &json!(-1))
    );
    let mistakes: Vec<u64> = judged
        .values()
        .filter(|turn| turn["mistake"] == true)
        .map(|turn| turn["seat"].as_u64().unwrap())
        .collect();
    let count = |seat| mistakes.iter().filter(|&&by| by == seat).count();
    assert_eq!(end["mistakes"], json!([count(1), count(2)]));
    assert_eq!(end["accuracy"][0], json!((3 - count(1)) as f64 / 3.0));
}

#[test]
fn a_client_that_leaves_frees_the_solver() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let id = table(&server, json!({"game": "quarto-misere"}));
    let hopeless: Vec<_> = (0..8)
        .map(|_| {
            let mut events = server.client().stream(&format!("/api/tables/{id}/truth"));
            events.next();
            events
        })
        .collect();
    drop(hopeless);
    let mut client = server.client();
    for _ in 0..500 {
        let status = client.get("/api/status").json();
        if status["solver"] == json!({"running": 0, "waiting": 0}) && status["streams"] == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the solver works for nobody: {}", client.get("/api/status").text());
}

#[test]
fn of_turns_that_were_not_judged_nothing_is_said() {
    let folder = Folder::new();
    let limits = page::ServerLimits {
        solving: std::time::Duration::ZERO,
        ..page::ServerLimits::default()
    };
    let server = Server::with_limits(&folder.records(), limits);
    let turns = ["-.1", "a2.3", "b3.5", "c4.7", "d1.9", "a1.b", "b1.0"];
    let id = table(&server, json!({"game": "quarto-misere", "turns": turns}));
    let events: Vec<(String, Value)> = server
        .client()
        .stream(&format!("/api/tables/{id}/analysis"))
        .filter(|(name, _)| name != "progress")
        .collect();
    let end = json!({
        "complete": false, "reason": "time", "turns": [4, 3], "judged": [0, 0], "accuracy": [null, null], "mistakes": [0, 0],
    });
    assert_eq!(events, [("end".to_string(), end)]);
}

/// The opinion on a table at a ply, as soon as it is one that is wanted: a busy machine may first have no time to think.
fn opinion(server: &Server, id: &str, ply: usize, wanted: impl Fn(f64) -> bool) -> Value {
    let late = Instant::now() + Duration::from_secs(90);
    loop {
        let said = server
            .client()
            .get(&format!("/api/tables/{id}/opinion?ply={ply}"))
            .json();
        if said["expects"].as_f64().is_some_and(&wanted) {
            return said;
        }
        assert!(Instant::now() < late, "{said}");
    }
}

#[test]
fn the_strongest_player_has_an_opinion_where_nobody_knows_the_truth() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    // Red has three in a row with both ends open, and yellow is to move.
    let turns: Vec<String> = [4, 4, 3, 3, 5]
        .iter()
        .map(|column| format!("(drop,{column})"))
        .collect();
    let id = table(&server, json!({"game": "connectfour", "turns": turns}));
    let lost = opinion(&server, &id, 5, |expects| expects < 0.2);
    assert_eq!((&lost["player"], &lost["mover"]), (&json!("general"), &json!(2)));
    let first = opinion(&server, &id, 0, |expects| (0.3..=1.0).contains(&expects));
    assert!(!first["line"].as_array().unwrap().is_empty(), "{first}");
    let refused = server.client().get(&format!("/api/tables/{id}/opinion?ply=9"));
    assert_eq!(refused.status, 404);
    let duel = table(&server, json!({"game": "duel"}));
    let refused = server.client().get(&format!("/api/tables/{duel}/opinion"));
    assert_eq!(
        (refused.status, &refused.json()["error"]["code"]),
        (409, &json!("unsupported"))
    );
    // Black has three on one column and is to move.
    let won = table(
        &server,
        json!({"game": "stack4", "turns": ["22", "32", "22", "32", "22", "12"]}),
    );
    let line = opinion(&server, &won, 6, |expects| expects > 0.6);
    assert_eq!(line["turn"], "22", "{line}");
}
