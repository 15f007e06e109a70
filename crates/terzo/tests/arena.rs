//! Tournaments as a user meets them: faults, murder and resurrection, and a runner that is not ours.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use arena::store::Store;
use folder::Folder;
use patience::{Finish, Lines, end};
use run::{TERZO, words};
use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Runs terzo in the folder; it must succeed.
fn terzo(folder: &Folder, arguments: &[&str]) -> String {
    run::terzo(folder, arguments).good().out
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_tournament_with_broken_engines_ends_with_every_verdict_right_and_nobody_left_behind() {
    let folder = Folder::new("faults");
    let marker = format!("terzo-fault-marker-{}", std::process::id());
    let shell = |name: &str, go: &str| {
        let script = format!(
            "while read -r l; do case $l in ugi) echo ugiok;; isready) echo readyok;; go*) {go};; quit) exit;; esac; done"
        );
        format!("{{ name = {name:?}, cmd = \"sh\", args = [\"-c\", {script:?}, {marker:?}] }},\n")
    };
    let whole = |name: &str, script: &str| {
        format!("{{ name = {name:?}, cmd = \"sh\", start = \"5s\", args = [\"-c\", {script:?}, {marker:?}] }},\n")
    };
    let players = [
        shell("crash", "echo my last words >&2; exit 3"),
        shell("killed", "kill -9 $$"),
        shell("hang", "sleep 1000"),
        shell("garbage", "echo bla; echo bestmove what is this"),
        shell("illegal", "echo bestmove a1.a"),
        shell("flood", "yes flooding"),
        shell("leaves", "exit 0"),
        whole("exit at start", "exit 1"),
        whole("never greets", "sleep 1000"),
        whole(
            "slow start",
            &format!("sleep 1; exec {TERZO} ugi quarto --player novice"),
        ),
    ];
    let plan = format!(
        "game = \"quarto\"\nformat = \"gauntlet\"\nrounds = 1\npatience = \"1s\"\nconcurrency = 4\nplayers = [\"novice\",\n{}]\n",
        players.concat()
    );
    // The one that never greets is given up on after the time an engine has to start.
    std::fs::write(folder.file("plan.toml"), plan).unwrap();
    let report = json(&terzo(&folder, &["tournament", "plan.toml", "--json"]));
    let forfeits: Vec<(&str, Value)> = report["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|player| (player["name"].as_str().unwrap(), player["forfeits"].clone()))
        .collect();
    let expected = [
        ("novice", "{}"),
        ("crash", r#"{"crash": 2}"#),
        ("killed", r#"{"crash": 2}"#),
        ("hang", r#"{"stall": 2}"#),
        ("garbage", r#"{"illegal": 2}"#),
        ("illegal", r#"{"illegal": 2}"#),
        ("flood", r#"{"stall": 2}"#),
        ("leaves", r#"{"disconnect": 2}"#),
        ("exit at start", r#"{"crash": 2}"#),
        ("never greets", r#"{"stall": 2}"#),
        ("slow start", "{}"),
    ];
    for ((name, got), (expected_name, expected)) in forfeits.iter().zip(expected) {
        assert_eq!((*name, got), (expected_name, &json(expected)));
    }
    assert_eq!(report["games"], 20);
    for player in report["players"].as_array().unwrap() {
        assert!(player["elo"]["value"].as_f64().unwrap().is_finite());
    }
    let games = terzo(&folder, &["records", "export", "--format", "jsonl"]);
    assert!(
        games.contains("my last words"),
        "what an engine says on standard error is kept"
    );
    assert!(still_running(&marker).is_empty(), "{:?}", still_running(&marker));
}

/// Processes with this word on their command line.
fn still_running(marker: &str) -> Vec<String> {
    let read = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("cmdline")).ok();
    let entries = std::fs::read_dir("/proc").unwrap().flatten().filter_map(read);
    entries.filter(|line| line.contains(marker)).collect()
}

#[test]
fn killed_twenty_times_a_tournament_loses_no_pair_and_plays_none_twice() {
    const ROUNDS: &str = "30000";
    let folder = Folder::new("kill");
    let arguments = [
        "tournament",
        "--game",
        "quarto",
        "--players",
        "novice",
        "random",
        "--plies",
        "2",
        "--rounds",
        ROUNDS,
    ];
    let mut rng = game::rng(u64::from(std::process::id()));
    let mut before = 0;
    for _ in 0..20 {
        let mut child = Command::new(TERZO)
            .args(arguments)
            .args(["--db", "killed.db"])
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(u64::from(5 + game::below(&mut rng, 60))));
        let _ = child.kill();
        child.wait().unwrap();
        if !folder.file("killed.db").exists() {
            continue;
        }
        let store = Store::open(&folder.file("killed.db")).unwrap();
        assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
        let pairs = store.entries().unwrap().first().map_or(0, |entry| entry.pairs);
        assert!(pairs >= before, "{pairs} pairs after {before}");
        before = pairs;
    }
    let last = json(&terzo(
        &folder,
        &[&arguments[..], &["--db", "killed.db", "--json"]].concat(),
    ));
    let whole = json(&terzo(
        &folder,
        &[&arguments[..], &["--db", "whole.db", "--json"]].concat(),
    ));
    assert_eq!(last["pairs"], whole["pairs"]);
    assert_eq!(
        last["played"].as_u64().unwrap() + before,
        last["pairs"].as_u64().unwrap()
    );
    assert_eq!(last["duels"][0]["pairs"], whole["duels"][0]["pairs"]);
    let games = |name: &str| {
        let store = Store::open(&folder.file(name)).unwrap();
        assert_eq!(store.entries().unwrap().len(), 1);
        let mut games = Vec::new();
        store
            .each_pair(1, |pair| {
                games.push((pair.number, pair.opening, pair.games.map(|game| game.turns)))
            })
            .unwrap();
        games
    };
    assert!(games("killed.db") == games("whole.db"), "the same games, each once");
}

/// A runner in the manner of cutegames: blocking, strict, and trusting in nothing but lines of two words.
struct Strict {
    child: Child,
    output: Lines,
}

impl Strict {
    fn start(player: &str) -> Self {
        let mut child = Command::new(TERZO)
            .args(["ugi", "quarto", "--player", player])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = Lines::of(child.stdout.take().unwrap());
        let mut engine = Strict { child, output };
        engine.send("ugi");
        engine.wait_for("ugiok");
        engine
    }

    fn send(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    fn line(&mut self) -> String {
        self.output.next()
    }

    fn wait_for(&mut self, expected: &str) {
        while self.line() != expected {}
    }

    fn word_after(&mut self, first: &str) -> String {
        loop {
            let line = self.line();
            let words: Vec<&str> = line.split(' ').collect();
            if words.len() == 2 && words[0] == first {
                return words[1].into();
            }
        }
    }

    fn ready(&mut self) {
        self.send("isready");
        self.wait_for("readyok");
    }

    fn position(&mut self, moves: &[String]) {
        let moves = if moves.is_empty() {
            String::new()
        } else {
            format!(" moves {}", moves.join(" "))
        };
        self.send(&format!("position startpos{moves}"));
        self.ready();
    }

    fn query(&mut self, moves: &[String], question: &str) -> String {
        self.position(moves);
        self.send(&format!("query {question}"));
        self.word_after("response")
    }
}

#[test]
fn our_engine_plays_whole_games_under_a_strict_runner() {
    let mut engines = [Strict::start("novice"), Strict::start("random")];
    for _ in 0..5 {
        for engine in &mut engines {
            engine.ready();
            engine.send("uginewgame");
            engine.ready();
        }
        let mut moves: Vec<String> = Vec::new();
        loop {
            let first = engines[0].query(&moves, "p1turn") == "true";
            assert_eq!(first, moves.len().is_multiple_of(2), "strict alternation");
            let us = &mut engines[usize::from(!first)];
            us.position(&moves);
            if us.query(&moves, "gameover") == "true" {
                break;
            }
            us.send("go movetime 100");
            moves.push(us.word_after("bestmove"));
            assert!(moves.len() <= 17, "{moves:?}");
        }
        let results = engines.each_mut().map(|engine| engine.query(&moves, "result"));
        assert_eq!(results[0], results[1]);
        assert!(["p1win", "p2win", "draw"].contains(&results[0].as_str()), "{results:?}");
    }
    for mut engine in engines {
        engine.send("quit");
        assert!(end(&mut engine.child, "our engine").success());
    }
}

#[test]
fn records_are_listed_shown_exported_and_replayed() {
    let folder = Folder::new("records");
    let engine = format!("engine:{TERZO} ugi quarto --player random");
    let players = ["--players", "novice", "random", &engine];
    let play = [
        &["tournament", "--game", "quarto"][..],
        &players,
        &["--rounds", "2", "--plies", "2", "--report", "out"],
    ];
    let text = terzo(&folder, &play.concat());
    assert!(
        text.contains("## Cross table") && text.contains("this run played 6 pairs")
            || text.contains("This run played 6"),
        "{text}"
    );
    let html = std::fs::read_to_string(folder.file("out.html")).unwrap();
    assert!(
        html.starts_with("<!doctype html>") && html.contains("<svg") && !html.contains("http"),
        "{html}"
    );
    let list = json(&terzo(&folder, &["records", "list", "--json"]));
    assert_eq!(list["tournaments"][0]["pairs"], 6);
    assert!(terzo(&folder, &["records", "list"]).contains("quarto"));
    assert!(terzo(&folder, &["records", "show"]).contains("## Standings"));
    assert_eq!(json(&terzo(&folder, &["records", "show", "1", "--json"]))["games"], 12);
    let judged = json(&terzo(&folder, &["records", "show", "1", "--mistakes", "--json"]));
    for player in judged["players"].as_array().unwrap() {
        assert_eq!(player["mistakes"]["games"], 8, "{player}");
        let phases = player["mistakes"]["phases"].as_array().unwrap();
        assert!(
            phases.iter().any(|phase| phase["judged"].as_u64() > Some(0)),
            "{player}"
        );
    }
    assert!(terzo(&folder, &["records", "show", "--mistakes", "3"]).contains("## Mistakes"));
    let game = terzo(&folder, &["records", "show", "--pair", "3", "--game", "2"]);
    std::fs::write(folder.file("game.txt"), &game).unwrap();
    let replay = json(&terzo(&folder, &["replay", "game.txt", "--json"]));
    assert_eq!(replay["over"], true);
    assert!(terzo(&folder, &["replay", "game.txt"]).contains("turn 1, seat 1: -."));
    let analysis = json(&terzo(&folder, &["replay", "game.txt", "--at", "9", "--json"]));
    let position = analysis["positions"][0].as_str().unwrap();
    let rest = replay["turns"].as_array().unwrap()[9..]
        .iter()
        .map(|turn| turn.as_str().unwrap())
        .collect::<Vec<_>>();
    let late = format!("# the end of a game\nposition {position}\n{}\n", rest.join(" "));
    if !rest.is_empty() {
        assert!(terzo(&folder, &["analyse", "quarto", &late]).contains(rest[0]));
    }
    let lines = terzo(&folder, &["records", "export"]);
    assert_eq!(lines.lines().count(), 12);
    for line in lines.lines().map(json) {
        assert_eq!(
            line["turns"].as_array().unwrap().len(),
            line["times"].as_array().unwrap().len()
        );
    }
    let csv = terzo(&folder, &["records", "export", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 13);
    let texts = terzo(&folder, &["records", "export", "--format", "text"]);
    assert_eq!(texts.matches("# game quarto").count(), 12);
}

#[test]
fn what_is_wrong_with_a_tournament_is_a_usage_error() {
    let folder = Folder::new("usage");
    std::fs::write(
        folder.file("bad.toml"),
        "game = 'quarto'\nplayers = ['novice', 'random']\nround = 3\n",
    )
    .unwrap();
    let cases: [(Vec<&str>, &str); 6] = [
        (words("tournament bad.toml"), "unknown field `round`"),
        (
            words("tournament --game quarto --players novice novise"),
            "did you mean `novice`?",
        ),
        (
            words("tournament --game quarto --players novice engine:no-such-thing-here"),
            "no program",
        ),
        (
            words("tournament --game quarto --players novice random --time 3"),
            "move=100ms",
        ),
        (
            words("tournament --game quarto --players novice random --sprt elo0=0 x=1"),
            "elo0=",
        ),
        (vec!["replay", "--turns", "-.0 a1.0"], "cannot play a1.0"),
    ];
    for (arguments, expected) in cases {
        let output = Command::new(TERZO).args(&arguments).current_dir(&folder.0).finish();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    }
    let output = Command::new(TERZO)
        .args(["records", "list"])
        .current_dir(&folder.0)
        .finish();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn every_command_of_the_arena_teaches_with_an_example() {
    let folder = Folder::new("help");
    for command in ["tournament", "records", "replay", "reproduce", "ugi"] {
        let help = terzo(&folder, &[command, "--help"]);
        assert!(help.contains("Example"), "{command}: {help}");
    }
}

#[test]
fn an_experiment_of_a_report_is_played_again_and_compared() {
    let folder = Folder::new("reproduce");
    let list = json(&terzo(&folder, &["reproduce", "--list", "--json"]));
    let experiments = list["experiments"].as_array().unwrap();
    for report in ["000", "001", "002", "003", "004"] {
        let of = |one: &&Value| one["name"].as_str().unwrap().starts_with(report);
        assert!(experiments.iter().filter(of).count() >= 2, "{report}: {list}");
    }
    let report = json(&terzo(&folder, &["reproduce", "000-random", "--quick", "--json"]));
    let cells = report["experiments"][0]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 1);
    assert_eq!(cells[0]["verdict"], "agrees", "{report}");
    assert_eq!(report["verdicts"]["reports"]["000"]["agrees"], 1, "{report}");
    let text = terzo(
        &folder,
        &["reproduce", "004-switch", "--share", "0.007", "--output", "out.md"],
    );
    assert!(text.is_empty(), "{text}");
    let written = std::fs::read_to_string(folder.file("out.md")).unwrap();
    assert!(
        written.contains("![When to switch") && written.contains("| score of … against |"),
        "{written}"
    );
    // Four games a meeting show nobody to be even.
    assert!(
        written.contains("### Report 004") && !written.contains("| agrees |"),
        "{written}"
    );
    assert!(
        std::fs::read_to_string(folder.file("004-switch.svg"))
            .unwrap()
            .starts_with("<svg xmlns")
    );
}

/// A comparison that anybody passes compares nothing.
#[test]
fn a_wrong_player_in_an_experiment_never_agrees() {
    let folder = Folder::new("wrong");
    let verdicts = |table: &str, name: &str, spec: &str| -> Vec<String> {
        let player = format!("{name}={spec}");
        let report = json(&terzo(
            &folder,
            &["reproduce", table, "--player", &player, "--quick", "--json"],
        ));
        let cells = report["experiments"][0]["cells"].as_array().unwrap();
        let about = |cell: &&Value| cell["what"].as_str().unwrap().contains(name) && cell["reported"] != "(empty)";
        let verdicts = cells.iter().filter(about).map(|cell| cell["verdict"].as_str().unwrap());
        verdicts.map(str::to_owned).collect()
    };
    assert_eq!(verdicts("000-random", "Novice", "random"), ["differs"]);
    assert_eq!(verdicts("000-novice-minmax3", "MinMax-3", "novice"), ["differs"]);
    assert_eq!(verdicts("004-random", "Novice", "random"), ["differs"]);
    assert_eq!(verdicts("004-minimax36-novice", "Minimax 3 6", "novice"), ["differs"]);
    assert_eq!(verdicts("004-minimax36-46", "Minimax 3 6", "random"), ["differs"]);
    // One game a row tells nothing, whoever plays.
    let defence = verdicts("003-defend", "N = 20", "random");
    assert!(defence.len() > 3, "{defence:?}");
    assert!(
        defence
            .iter()
            .all(|verdict| ["differs", "cannot tell"].contains(&verdict.as_str())),
        "{defence:?}"
    );
    for (arguments, why) in [
        (
            ["reproduce", "000-random", "--player", "Nobody=random"],
            "has a player called as",
        ),
        (["reproduce", "000-random", "--player", "Novice"], "expected NAME=SPEC"),
    ] {
        let output = Command::new(TERZO).args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(why), "{said}");
    }
}

#[test]
fn a_tournament_ends_after_its_time_and_goes_on_from_there() {
    let folder = Folder::new("for");
    let asked = |rounds: &[&str]| {
        let base = words("tournament --game quarto --players novice random --for 1500ms --json");
        json(&terzo(&folder, &[&base[..], rounds].concat()))
    };
    let first = asked(&[]);
    let games = |report: &Value| report["games"].as_u64().unwrap();
    assert!(games(&first) > 0, "{first}");
    let second = asked(&[]);
    assert!(
        games(&second) > games(&first),
        "{} after {}",
        games(&second),
        games(&first)
    );
    // With rounds to end at it ends there, if that is sooner.
    let few = asked(&["--rounds", "3", "--seed", "9"]);
    assert_eq!(games(&few), 6);
    let output = Command::new(TERZO)
        .args(words("tournament --game quarto --players novice random --for soon"))
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("8h"));
}

#[test]
fn games_begin_from_the_positions_of_a_file() {
    let folder = Folder::new("positions");
    std::fs::write(
        folder.file("p.txt"),
        "# two beginnings\n0.../..../...f/.... 5\n01../..../...f/.... 5\n",
    )
    .unwrap();
    let base = words("tournament --game quarto --players novice random --rounds 3");
    terzo(&folder, &[&base[..], &["--positions", "p.txt"]].concat());
    let lines = terzo(&folder, &["records", "export"]);
    let starts: Vec<Value> = lines.lines().map(|line| json(line)["start"].clone()).collect();
    assert_eq!(starts[0], "0.../..../...f/.... 5");
    assert_eq!((&starts[1], &starts[4]), (&starts[0], &starts[0]));
    assert_ne!(starts[2], starts[0]);
    std::fs::write(folder.file("bad.txt"), "0.../..../...f/.... 5\nxyzzy\n").unwrap();
    let output = Command::new(TERZO)
        .args([&base[..], &["--positions", "bad.txt"]].concat())
        .current_dir(&folder.0)
        .finish();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("bad.txt, line 2"), "{errors}");
}
