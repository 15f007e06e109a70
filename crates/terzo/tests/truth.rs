//! `terzo analyse` as a user meets it.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// Longer than any wait here takes on the busiest machine.
const LONG: Duration = Duration::from_secs(120);

/// A misère game of which nobody can judge the first turns.
const MISERE: &str = "-.9 d3.1 c4.b b2.d d2.a d1.3 a2.c a3.2 d4.7 a1.5 a4.f b3.e c1.8 c2.6 b1.-";

fn terzo(arguments: &[&str]) -> Output {
    Command::new(TERZO).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn what_analyse_cannot_judge_in_its_time_is_unknown() {
    let command = ["analyse", "quarto-misere", MISERE, "--time", "300ms"];
    let text = stdout(&terzo(&command));
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with(' '))
        .map(|line| line.split_whitespace().collect())
        .collect();
    let turns: Vec<&str> = MISERE.split(' ').collect();
    let played: Vec<&str> = rows.iter().map(|row| row[2]).rev().collect();
    assert_eq!(played, turns, "the last turn comes first: {text}");
    assert!(
        rows.last().unwrap().contains(&"unknown") && !rows[0].contains(&"unknown"),
        "{text}"
    );
    assert!(text.contains("turns unknown"), "{text}");

    let told: Value = serde_json::from_str(&stdout(&terzo(&[&command[..], &["--json"]].concat()))).unwrap();
    let told_turns = told["turns"].as_array().unwrap();
    let in_order: Vec<&str> = told_turns.iter().map(|turn| turn["turn"].as_str().unwrap()).collect();
    assert_eq!(in_order, turns);
    assert!(
        told_turns[0]["best_value"].is_null() && told_turns[0]["mistake"].is_null(),
        "{told}"
    );
    let open = told_turns.iter().filter(|turn| turn["mistake"].is_null()).count();
    assert!(open > 0 && told["unknown"] == open, "{told}");
}

#[test]
fn analyse_tells_the_last_turns_while_it_works_on_the_first() {
    let mut child = Command::new(TERZO)
        .args(["analyse", "quarto-misere", MISERE])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (sender, lines) = channel();
    let reader = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || {
        reader
            .lines()
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    let mut read = || lines.recv_timeout(LONG);
    let (head, last) = (read(), read());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(head.unwrap().starts_with("turn"));
    assert!(last.unwrap().trim_start().starts_with("15  "));
}

#[test]
fn the_book_answers_for_the_first_turns_even_when_no_time_is_left() {
    let game = "-.0 a1.f b2.3 c3.5 d4.6 a2.9";
    let output = terzo(&["analyse", "quarto", game, "--time", "0ms", "--json"]);
    let told: Value = serde_json::from_str(&stdout(&output)).unwrap();
    for turn in &told["turns"].as_array().unwrap()[..4] {
        assert_eq!(turn["best_value"], "draw", "{told}");
    }
}
