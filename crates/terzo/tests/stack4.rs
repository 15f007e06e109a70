//! Stack Four as a user meets it, and its TCP server and client as two processes.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

fn terzo(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_terzo"));
    command.args(arguments.split(' '));
    command
}

fn json(arguments: &str) -> Value {
    let output = terzo(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{arguments}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn perft_counts_24_moves_a_turn() {
    assert_eq!(json("perft stack4 4 --json")["leaves"], 24u64.pow(4));
}

#[test]
fn the_reports_player_beats_chance_and_the_strong_one_beats_both() {
    let report = json("match stack4 run3 random -n 40 --json");
    assert!(report["players"][0]["wins"].as_u64().unwrap() >= 38, "{report}");
    for weaker in ["random", "run3:defend=0"] {
        let report = json(&format!("match stack4 strong:nodes=20000 {weaker} -n 2 --json"));
        assert_eq!(report["players"][0]["wins"], 2, "{report}");
    }
}

#[test]
fn show_tells_the_points_and_where_lines_can_be_completed() {
    let position = "b,./.,.,w,./b,b,b,.,.,./.,.,.,.,.,./w,.,.,w/.,.:w:0:0";
    let report = json(&format!("show stack4 {position} --json"));
    assert_eq!(report["facts"]["black completes a line in"], serde_json::json!(["23"]));
    let output = terzo("show stack4 .,.:b:0:0").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 rows where 6 were expected"));
}

#[test]
fn a_player_joins_a_host_over_tcp() {
    let mut host = terzo("stack4 host --port 0 --player random --games 2 --json --patience 60")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(host.stderr.take().unwrap())
        .read_line(&mut said)
        .unwrap();
    let port = said.trim().rsplit(':').next().unwrap().to_owned();
    let joined = json(&format!(
        "stack4 join --port {port} --team 7 --player run3:defend=20 --json"
    ));
    assert_eq!(joined["moves"], 64);

    let mut text = String::new();
    host.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    assert!(host.wait().unwrap().success());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["sides"], serde_json::json!(["random", "team 7"]));
    let games = report["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game["replaced"], serde_json::json!([0, 0]));
        assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 64);
    }
    let total: u64 = report["tournament_points"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_u64)
        .sum();
    assert_eq!(total, 4);
}

#[test]
fn a_host_that_is_not_there_and_a_player_that_does_not_exist_are_told_apart() {
    let nobody = terzo("stack4 join --port 1 --player run3").output().unwrap();
    assert_eq!(nobody.status.code(), Some(1));
    let unknown = terzo("stack4 join --player storng").output().unwrap();
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("did you mean `strong`?"));
}

#[test]
fn a_program_of_the_course_plays_a_match_and_its_faults_are_told() {
    let ours = env!("CARGO_BIN_EXE_terzo");
    let program = format!("course:'{ours}' stack4 join --port {{port}} --team 7 --player run3");
    let output = std::process::Command::new(ours)
        .args(["match", "stack4", &program, "random", "-n", "2", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["players"][0]["wins"], 2, "{report}");

    let elsewhere = std::process::Command::new(ours)
        .args(["match", "quarto", &program, "random", "-n", "2"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&elsewhere.stderr).into_owned();
    assert!(said.contains("play `stack4` only"), "{said}");
}
