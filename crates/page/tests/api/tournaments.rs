//! Tournaments over HTTP.

use crate::common::{Folder, Server};
use serde_json::json;

/// They are over in a moment, so some of those who come do so just as they end.
#[test]
fn whoever_comes_as_a_tournament_ends_hears_that_it_has() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    for seed in 0..50 {
        let plan = json!({"game": "tictactoe", "players": ["random", "random"], "rounds": 2, "seed": seed});
        let started = server.client().post("/api/tournaments", &plan.to_string());
        assert_eq!(started.status, 201, "{}", started.text());
        let events = format!("/api/tournaments/{}/events", started.json()["id"]);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                let client = server.client();
                let events = &events;
                scope.spawn(move || assert_eq!(client.stream(events).last().unwrap().0, "end"));
            }
        });
    }
}

#[test]
fn a_tournament_is_watched_to_its_end_read_and_downloaded() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let plan =
        json!({"game": "quarto", "players": ["novice", "random", "perfect:level=4"], "rounds": 20, "name": "evening"});
    let id = client.tournament(&plan);
    let at = |rest: &str| format!("/api/tournaments/{id}{rest}");
    let events: Vec<_> = server.client().stream(&at("/events")).collect();
    assert_eq!(events.last().unwrap().0, "end");
    let last = &events[events.len() - 2].1;
    assert_eq!(
        (&last["state"], &last["pairs"], &last["games"]),
        (&json!("finished"), &json!(60), &json!(120))
    );
    let standings = last["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 3);
    assert_eq!(standings[2]["name"], "random");
    for place in standings {
        assert_eq!(place["games"], 80);
        assert!(place["low"].as_f64() < place["elo"].as_f64() && place["elo"].as_f64() < place["high"].as_f64());
    }
    assert_eq!(client.get(&at("")).json()["standings"], last["standings"]);

    let games = client.get(&at("/games?offset=3&limit=5")).json();
    assert_eq!(
        (&games["total"], games["games"].as_array().unwrap().len()),
        (&json!(120), 5)
    );
    assert_eq!(
        (&games["games"][0]["pair"], &games["games"][0]["game"]),
        (&json!(1), &json!(2))
    );
    // The same shape as on the command line.
    let results = &client.get(&at("")).json()["results"];
    assert_eq!(
        (&results["games"], &results["players"][0]["games"]),
        (&json!(120), &json!(80))
    );
    assert_eq!(results["duels"].as_array().map(Vec::len), Some(3));
    let game = client.get(&at("/games/1/2")).json();
    assert_eq!(game["seats"], games["games"][0]["seats"]);
    // Their names are their specs here, and all of them can play at a table.
    assert_eq!(game["players"], game["seats"]);
    let table = client.table(&json!({"text": game["text"]}).to_string());
    assert_eq!(
        client.get(&format!("/api/tables/{table}")).json()["turns"],
        game["turns"]
    );

    let jsonl = client.get(&at("/records.jsonl"));
    assert_eq!(jsonl.text().lines().count(), 120);
    assert!(jsonl.header("content-disposition").unwrap().contains("attachment"));
    let csv = client.get(&at("/records.csv")).text();
    assert!(csv.starts_with("tournament,pair,") && csv.lines().count() == 121);

    // Another server over the same records tells the same.
    server.stop();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let again = client.get(&at("")).json();
    assert_eq!(
        (&again["standings"], &again["state"]),
        (&last["standings"], &json!("finished"))
    );
    assert_eq!(
        client.get("/api/tournaments").json()["tournaments"][0]["name"],
        "evening"
    );
    let events: Vec<_> = server.client().stream(&at("/events")).collect();
    assert_eq!(events.len(), 2);
}

#[test]
fn a_tournament_is_stopped_and_taken_up_again() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let plan = json!({"game": "quarto", "players": ["mcts:playouts=2000", "minimax:depth=2"], "rounds": 5000});
    let id = client.tournament(&plan);
    let again = client.post("/api/tournaments", &plan.to_string());
    assert_eq!((again.status, again.code().as_str()), (429, "busy"));
    let mut events = server.client().stream(&format!("/api/tournaments/{id}/events"));
    let running = events.find(|(_, told)| told["pairs"].as_u64() > Some(0)).unwrap().1;
    assert_eq!(
        running["running"][0]["players"],
        json!(["mcts:playouts=2000", "minimax:depth=2"])
    );
    assert!(running["rate"].as_f64() > Some(0.0));
    assert_eq!(client.post(&format!("/api/tournaments/{id}/stop"), "{}").status, 200);
    let (_, stopped) = events.filter(|(name, _)| name == "tournament").last().unwrap();
    assert_eq!(stopped["state"], "stopped");
    let resumed = client.post(&format!("/api/tournaments/{id}/resume"), "{}");
    assert_eq!(resumed.json()["state"], "running", "{}", resumed.text());
    client.post(&format!("/api/tournaments/{id}/stop"), "{}");
}

#[test]
fn impossible_tournaments_are_refused() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    for (plan, code) in [
        (
            json!({"game": "quarto", "players": ["novice"], "rounds": 1}),
            "bad_tournament",
        ),
        (
            json!({"game": "quarto", "players": ["novice", "random"], "rounds": 0}),
            "bad_tournament",
        ),
        (
            json!({"game": "quarto", "players": ["novice", "random"], "rounds": 1, "time": "1h"}),
            "bad_tournament",
        ),
        (
            json!({"game": "quarto", "players": ["novice", "nobody"], "rounds": 1}),
            "unknown_player",
        ),
        (
            json!({"game": "quarto", "players": ["novice", "engine:true"], "rounds": 1}),
            "unknown_player",
        ),
        (
            json!({"game": "chess2", "players": ["novice", "random"], "rounds": 1}),
            "unknown_game",
        ),
        (
            json!({"game": "trio", "players": ["random", "random"], "rounds": 1}),
            "bad_tournament",
        ),
        (
            json!({"game": "gdl:/etc/passwd", "players": ["random", "random"], "rounds": 1}),
            "unknown_game",
        ),
        (
            json!({"game": "quarto", "players": "novice", "rounds": 1}),
            "bad_request",
        ),
    ] {
        let answer = client.post("/api/tournaments", &plan.to_string());
        assert_eq!(answer.code(), code, "{plan}: {}", answer.text());
    }
    for path in [
        "/api/tournaments/77",
        "/api/tournaments/x",
        "/api/tournaments/77/games",
        "/api/tournaments/77/records.csv",
    ] {
        assert_eq!(client.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_tournament_tells_how_its_ratings_came_about_and_what_its_players_give_away() {
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let mut client = server.client();
    let quarto = server.tournament(&json!({"game": "quarto", "players": ["random", "perfect"], "rounds": 12}));
    let curve = client.get(&format!("{quarto}/curve")).json();
    assert_eq!(curve["players"], json!(["random", "perfect"]));
    let points = curve["points"].as_array().unwrap();
    assert!((10..=60).contains(&points.len()), "{}", points.len());
    let last = &points[points.len() - 1];
    assert_eq!(last["pairs"], 12);
    assert!(last["elo"][0].as_f64().unwrap() < last["elo"][1].as_f64().unwrap());
    let mistakes = client.get(&format!("{quarto}/mistakes")).json();
    let per_game = |number: usize| mistakes["players"][number]["per_game"].as_f64().unwrap();
    assert_eq!(per_game(1), 0.0, "{mistakes}");
    assert!(per_game(0) > 0.5, "{mistakes}");
    assert!(mistakes["players"][0]["judged"].as_f64().unwrap() > 0.9, "{mistakes}");

    let nim = server.tournament(&json!({"game": "nim", "players": ["random", "montecarlo:playouts=2"], "rounds": 2}));
    assert_eq!(
        client.get(&format!("{nim}/curve")).json()["points"]
            .as_array()
            .map(Vec::len),
        Some(2)
    );
    let refused = client.get(&format!("{nim}/mistakes"));
    assert_eq!(
        (refused.status, &refused.json()["error"]["code"]),
        (409, &json!("unsupported"))
    );
    assert_eq!(client.get("/api/tournaments/77/curve").status, 404);
}
