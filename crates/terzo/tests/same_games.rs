//! The same seed is the same games, in a match, in a tournament, and in records of earlier days.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use run::terzo;
use serde_json::Value;
use std::path::Path;

/// Wins, draws and losses of each player.
fn results(report: &Value) -> Vec<[u64; 3]> {
    let players = report["players"].as_array().unwrap().iter();
    let counts = |player: &Value| ["wins", "draws", "losses"].map(|key| player[key].as_u64().unwrap());
    players.map(counts).collect()
}

#[test]
fn a_match_is_a_tournament_that_is_not_recorded() {
    let folder = Folder::new("same-games");
    for (game, first, second) in [
        ("quarto", "novice", "random"),
        ("quarto-torus", "minimax:depth=1", "novice"),
        ("stack4", "run3", "random"),
        ("nim", "montecarlo:playouts=8", "random"),
    ] {
        let matched = ["match", game, first, second, "-n", "60", "--seed", "7", "--json"];
        let matched = terzo(&folder, &matched).good().json();
        let line = ["tournament", "--game", game, "--players", first, second];
        let more = ["--rounds", "30", "--seed", "7", "--json"];
        let recorded = terzo(&folder, &[line.as_slice(), &more].concat()).good().json();
        assert_eq!(results(&matched), results(&recorded), "{game}");
        let turns = |value: &Value| (value.as_f64().unwrap() * 60.0).round();
        assert_eq!(
            turns(&matched["turns_avg"]),
            turns(&recorded["players"][0]["turns_avg"]),
            "{game}"
        );
    }
}

/// Records that the program wrote before games had a registry: two tournaments, of Quarto and of Stack Four.
fn old_records(folder: &Folder) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/records-1.sqlite");
    std::fs::copy(kept, folder.file("old.db")).unwrap();
}

#[test]
fn records_of_earlier_days_open_and_go_on() {
    let folder = Folder::new("old-records");
    old_records(&folder);
    let show = |id: &str| {
        terzo(&folder, &["records", "--db", "old.db", "show", id, "--json"])
            .good()
            .json()
    };
    assert_eq!(results(&show("1")), [[13, 0, 3], [1, 1, 14], [9, 1, 6]]);
    assert_eq!(results(&show("2")), [[4, 0, 0], [0, 0, 4]]);

    let line = |rounds: &str| -> Value {
        let players = ["novice", "random", "minimax:depth=1"];
        let before = ["tournament", "--db", "old.db", "--game", "quarto", "--players"];
        let after = ["--plies", "2", "--seed", "11", "--rounds", rounds, "--json"];
        terzo(&folder, &[&before, players.as_slice(), &after].concat())
            .good()
            .json()
    };
    let same = line("4");
    assert_eq!((same["id"].as_u64(), same["played"].as_u64()), (Some(1), Some(0)));
    let more = line("6");
    assert_eq!(
        (more["id"].as_u64(), more["played"].as_u64(), more["pairs"].as_u64()),
        (Some(1), Some(6), Some(18))
    );

    // The same tournament played today has the same games from the first to the last.
    let fresh = [
        "tournament",
        "--db",
        "new.db",
        "--game",
        "quarto",
        "--players",
        "novice",
        "random",
    ];
    let rest = [
        "minimax:depth=1",
        "--plies",
        "2",
        "--seed",
        "11",
        "--rounds",
        "6",
        "--json",
    ];
    let fresh = terzo(&folder, &[fresh.as_slice(), &rest].concat()).good().json();
    assert_eq!(results(&fresh), results(&more));
    let games = |db: &str| {
        let out = terzo(&folder, &["records", "--db", db, "export", "1", "--format", "jsonl"])
            .good()
            .out;
        let turns = |line: &str| serde_json::from_str::<Value>(line).unwrap()["turns"].clone();
        out.lines().map(turns).collect::<Vec<_>>()
    };
    assert_eq!(games("old.db"), games("new.db"));
}
