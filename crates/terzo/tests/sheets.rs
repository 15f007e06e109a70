//! Games from rule sheets, as a user meets them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/patience.rs"]
mod patience;

use patience::{Finish, finish_child};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

fn terzo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_terzo")).args(arguments).finish()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = terzo(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A command that must fail as a usage error; what it says.
fn refused(arguments: &[&str]) -> String {
    let output = terzo(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

/// A file of a test, in a directory of its own.
struct Sheet(std::path::PathBuf);

impl Sheet {
    fn new(name: &str, content: &str) -> Self {
        let path = std::env::temp_dir().join(format!("terzo-{}-{name}.kif", std::process::id()));
        std::fs::write(&path, content).unwrap();
        Sheet(path)
    }

    fn game(&self) -> String {
        format!("gdl:{}", self.0.display())
    }
}

impl Drop for Sheet {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// One pile of five, take one or two, who takes the last wins: the first does, by taking two.
const PILE: &str = "
    (role first) (role second) (init (pile 5)) (init (turn first))
    (less 1 0) (less 2 1) (less 3 2) (less 4 3) (less 5 4)
    (other first second) (other second first)
    (<= (after ?n 1 ?m) (less ?n ?m))
    (<= (after ?n 2 ?m) (less ?n ?k) (less ?k ?m))
    (<= (legal ?role (take ?count)) (true (turn ?role)) (true (pile ?n)) (after ?n ?count ?m))
    (<= (legal ?role noop) (other ?role ?rival) (true (turn ?rival)))
    (<= (next (pile ?m)) (true (pile ?n)) (does ?role (take ?count)) (after ?n ?count ?m))
    (<= (next (turn ?rival)) (true (turn ?role)) (other ?role ?rival))
    (<= terminal (true (pile 0)))
    (<= (goal ?role 100) (other ?role ?rival) (true (turn ?rival)))
    (<= (goal ?role 0) (true (turn ?role)))
";

#[test]
fn a_file_of_ones_own_is_played_counted_shown_and_solved() {
    let sheet = Sheet::new("pile", PILE);
    let game = sheet.game();
    let report = json(&["match", &game, "general:nodes=50", "random", "-n", "20", "--json"]);
    // Every other game it begins, and then it wins for certain.
    assert!(report["players"][0]["wins"].as_u64().unwrap() >= 10, "{report}");
    assert_eq!(report["players"][0]["forfeits"], 0);
    assert_eq!(json(&["perft", &game, "3", "--json"])["leaves"], 7);
    let shown = json(&["show", &game, "--json"]);
    assert_eq!((&shown["legal_turns"], &shown["mover"]), (&2.into(), &1.into()));
    assert_eq!(shown["position"], "(pile 5) (turn first)");
    let solved = json(&["solve", &game, "--moves", "--json"]);
    assert_eq!((&solved["value"], &solved["role"]), (&100.into(), &"first".into()));
    assert_eq!(solved["best"], serde_json::json!(["(take,2)"]));
    let lost = json(&["solve", &game, "(pile 3) (turn second)", "--json"]);
    assert_eq!((&lost["value"], &lost["role"]), (&0.into(), &"second".into()));
}

#[test]
fn a_broken_sheet_is_refused_with_its_file_and_place() {
    let sheet = Sheet::new("broken", "(role a)\n(init (at 1)\n");
    let message = refused(&["match", &sheet.game(), "random", "random", "-n", "2"]);
    assert!(message.contains("broken.kif:2"), "{message}");
    let message = refused(&["perft", "gdl:no/such/file.kif", "2"]);
    assert!(message.contains("no/such/file.kif"), "{message}");
    let message = refused(&["show", "conectfour"]);
    assert!(message.contains("did you mean `connectfour`?"), "{message}");
}

#[test]
fn the_bundled_games_are_listed_and_quartos_sheet_leaves_quarto_its_name() {
    let games = json(&["games", "--json"]);
    let names: Vec<&str> = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    for name in ["quarto", "stack4", "chess", "hex", "lights", "trio", "gdl:quarto"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    assert!(text(&terzo(&["players", "quarto"]).stdout).contains("minimax"));
    assert!(text(&terzo(&["players", "gdl:quarto"]).stdout).contains("loisel"));
}

#[test]
fn three_sit_at_a_table_for_three_and_one_at_a_puzzle() {
    let report = json(&[
        "match",
        "trio",
        "general:nodes=2000",
        "random",
        "loisel:depth=1",
        "-n",
        "6",
        "--json",
    ]);
    let players = report["players"].as_array().unwrap();
    assert_eq!((players.len(), report["games"].as_u64()), (3, Some(6)));
    let means: Vec<f64> = players
        .iter()
        .map(|player| player["payoff_avg"].as_f64().unwrap())
        .collect();
    assert!((means.iter().sum::<f64>() - 100.0).abs() < 3.1, "{means:?}");
    assert!(means[0] > means[1], "{means:?}");
    let report = json(&["match", "lights", "general:nodes=2000", "-n", "1", "--json"]);
    assert_eq!(report["players"][0]["payoff_avg"], 100.0);
    let message = refused(&["match", "trio", "random", "random", "-n", "2"]);
    assert!(message.contains("3 seats"), "{message}");
    assert!(text(&terzo(&["match", "duel", "random", "general:nodes=5", "-n", "2"]).stdout).contains("seat 1 won"));
}

#[test]
fn small_games_are_solved_and_large_ones_say_that_they_are_too_large() {
    let tictactoe = json(&["solve", "tictactoe", "--moves", "--json"]);
    assert_eq!(
        (&tictactoe["value"], tictactoe["best"].as_array().unwrap().len()),
        (&50.into(), 9)
    );
    assert!(
        tictactoe["moves"]
            .as_array()
            .unwrap()
            .iter()
            .all(|mv| mv["value"] == 50)
    );
    let output = terzo(&["solve", "connectfour", "--memory", "1M"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("too large"), "{}", text(&output.stderr));
    let output = terzo(&["solve", "duel"]);
    assert!(
        text(&output.stderr).contains("choose at once"),
        "{}",
        text(&output.stderr)
    );
    let output = terzo(&["solve", "trio"]);
    assert!(text(&output.stderr).contains("3 roles"), "{}", text(&output.stderr));
}

#[test]
fn a_sheet_is_an_engine_and_meets_one() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_terzo"))
        .args(["ugi", "tictactoe", "--player", "loisel:depth=3"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    let (told, lines) = mpsc::channel();
    std::thread::spawn(move || output.try_for_each(|line| told.send(line.unwrap())));
    let mut said = String::new();
    let mut talk = |words: &str, until: &str| {
        input.write_all(words.as_bytes()).unwrap();
        let mut line = String::new();
        while !line.contains(until) {
            line = lines.recv_timeout(Duration::from_secs(60)).expect(until);
            said += &format!("{line}\n");
        }
    };
    talk(
        "ugi\nposition startpos moves (mark,1,1) (mark,3,3) (mark,1,2) (mark,2,2)\n",
        "ugiok",
    );
    // A runner that wants a whole search waits for its move.
    talk("query p1turn\ngo movetime 500\n", "bestmove");
    talk("query fen\n", "(control");
    drop(input);
    finish_child(child, "terzo ugi");
    assert!(said.contains("response true"), "{said}");
    assert!(said.contains("bestmove a3"), "{said}");
    assert!(said.contains("(control x)"), "{said}");
    let engine = format!("engine:{} ugi tictactoe --player random", env!("CARGO_BIN_EXE_terzo"));
    let report = json(&[
        "match",
        "tictactoe",
        "loisel:depth=9",
        &engine,
        "-n",
        "2",
        "--jobs",
        "1",
        "--json",
    ]);
    assert_eq!(
        (&report["players"][0]["losses"], &report["players"][1]["forfeits"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn a_tournament_of_a_sheet_is_recorded() {
    let directory = std::env::temp_dir().join(format!("terzo-sheets-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let records = directory.join("records.db");
    let players = ["random", "loisel:depth=3", "general:nodes=20"];
    let output = Command::new(env!("CARGO_BIN_EXE_terzo"))
        .args(["tournament", "--game", "nim", "--rounds", "2", "--players"])
        .args(players)
        .args(["--db", records.to_str().unwrap(), "--json"])
        .finish();
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["games"], 12, "{report}");
}

#[test]
fn a_gauntlet_judges_a_player_by_every_game_and_every_opponent() {
    let sheet = Sheet::new("gauntlet", PILE);
    let games = format!("tictactoe,trio,towers,{}", sheet.game());
    let engine = format!("engine:{} ugi {{game}} --player random", env!("CARGO_BIN_EXE_terzo"));
    let arguments = ["gauntlet", "general:nodes=300,threads=1", "random", "--games", &games];
    let options = ["-n", "4", "--time", "none", "--seed", "3"];
    let report = json(&[&arguments[..], &options, &["--json"]].concat());
    let matches = report["matches"].as_array().unwrap();
    let named: Vec<_> = matches.iter().map(|one| one["opponent"].as_str().unwrap()).collect();
    assert_eq!(named, ["random", "random", "alone", "random"]);
    assert!(matches.iter().all(|one| one["games"] == 4), "{report}");
    assert!(report["totals"][0]["share"].as_f64().unwrap() > 0.6, "{report}");
    assert_eq!(report["totals"][0]["games"], 12);
    // One command for all games.
    let games = format!("tictactoe,{}", sheet.game());
    let against = [
        "gauntlet", "random", &engine, "--games", &games, "-n", "2", "--time", "none",
    ];
    let told = text(&terzo(&against).stdout);
    assert!(
        told.contains("against engine:") && told.contains("all together"),
        "{told}"
    );
    assert!(!told.contains("forfeited"), "{told}");
    // After random moves, which a program is told of. Eight of nine leave the players a single one at most.
    let turns = |plies: &str| {
        let options = ["-n", "2", "--time", "none", "--plies", plies, "--json"];
        let report = json(&[&against[..3], &["--games", "tictactoe"], &options].concat());
        assert_eq!(report["plies"].to_string(), plies);
        let only = &report["matches"][0];
        assert_eq!(
            (&only["forfeits"], &only["forfeits_of_opponents"]),
            (&0.into(), &0.into()),
            "{report}"
        );
        only["turns_avg"].as_f64().unwrap()
    };
    assert!(turns("8") <= 1.0 && turns("0") >= 5.0);
    refused(&["gauntlet", "random", "random", "--plies", "101"]);
    refused(&["gauntlet", "random", "random", "--games", "nosuchgame"]);
}
