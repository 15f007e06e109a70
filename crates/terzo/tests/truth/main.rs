//! `terzo analyse`, `terzo book` and long solves as a user meets them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod books;
#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/long_solve.rs"]
mod long_solve;

use folder::Folder;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

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
    let read = || lines.recv_timeout(LONG);
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

/// A game of Stack Four to the end: ten columns are filled one after the other, and four stones more.
fn whole_stack4_game() -> String {
    let columns = ["02", "03", "11", "12", "13", "14", "20", "21", "22", "23", "24"];
    let stones = columns.iter().flat_map(|column| [*column; 6]);
    stones.take(64).collect::<Vec<_>>().join(" ")
}

#[test]
fn analyse_gives_an_opinion_of_every_turn_of_stack_four_and_says_that_it_is_one() {
    let command = ["analyse", "stack4", "11 41 12 03 13 02 22", "--time", "2s"];
    let text = stdout(&terzo(&command));
    assert!(text.starts_with("The opinion of `strong`, not the truth"), "{text}");
    let missed = text.lines().find(|line| line.trim_start().starts_with("6 ")).unwrap();
    assert!(
        missed.contains(" 14 "),
        "three in a line and the fourth not blocked: {missed}"
    );

    let told: Value = serde_json::from_str(&stdout(&terzo(&[&command[..], &["--json"]].concat()))).unwrap();
    assert_eq!(
        (&told["opinion"], &told["judge"], &told["unknown"]),
        (&true.into(), &"strong".into(), &0.into())
    );
    let missed = &told["turns"][5];
    assert_eq!(
        (&missed["turn"], &missed["best"], &missed["exact"]),
        (&"02".into(), &"14".into(), &false.into())
    );
    assert!(
        missed["lost"].as_f64().unwrap() > 0.0 && missed["depth"].as_u64().unwrap() > 0,
        "{missed}"
    );
}

#[test]
fn what_analyse_has_no_time_for_in_stack_four_is_unknown_and_the_end_is_exact() {
    let game = whole_stack4_game();
    let json = |time: &str| -> Value {
        let output = terzo(&["analyse", "stack4", &game, "--time", time, "--json"]);
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    let none = json("0ms");
    assert_eq!(none["unknown"], 64, "{none}");
    assert!(
        none["turns"][63]["worth"].is_number() && none["turns"][63]["best"].is_null(),
        "{none}"
    );
    let some = json("3s");
    assert_eq!(some["turns"][63]["exact"], true, "{some}");
    assert!(some["turns"][63]["lost"].as_f64().unwrap() >= 0.0);
    assert_eq!(some["turns"][63]["worth"], none["turns"][63]["worth"]);
}

#[test]
fn analyse_reads_a_game_from_standard_input_and_refuses_one_of_another_game() {
    let analyse = |game: &str, text: &str| {
        let mut child = Command::new(TERZO)
            .args(["analyse", game, "--file", "-", "--time", "1s", "--json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let told: Value = serde_json::from_str(&stdout(&analyse("stack4", "# game stack4\n22 33 23\n\n00 00\n"))).unwrap();
    assert_eq!(told["turns"].as_array().unwrap().len(), 3);
    // Letters may be large in a file, too.
    let told: Value = serde_json::from_str(&stdout(&analyse("quarto", "-.0 A1.F B2.3\n"))).unwrap();
    assert_eq!(told["turns"].as_array().unwrap().len(), 3);
    let refused = analyse("stack4", "# game quarto\n-.0 a1.1\n");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("this is a game of quarto, not of stack4"));
    let wrong = analyse("stack4", "22 00\n");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("turn 2"), "{wrong:?}");
}

#[test]
fn analyse_asks_the_strongest_player_about_games_from_rule_sheets_and_calls_it_an_opinion() {
    // After the corner is answered beside it, nothing holds.
    let game = "(mark,1,1) (mark,1,2) (mark,2,2) (mark,3,3) (mark,2,1)";
    let told = stdout(&terzo(&["analyse", "tictactoe", game, "--time", "12s"]));
    assert!(told.starts_with("The opinion of `general`, not the truth"), "{told}");
    let row = told.lines().find(|line| line.trim_start().starts_with("2 ")).unwrap();
    assert!(row.contains('?'), "{told}");
    let told: Value = serde_json::from_str(&stdout(&terzo(&[
        "analyse",
        "tictactoe",
        game,
        "--time",
        "1s",
        "--json",
    ])))
    .unwrap();
    assert_eq!(
        (&told["opinion_of"], told["turns"].as_array().unwrap().len()),
        (&"general".into(), 5)
    );
    let at_once = terzo(&["analyse", "duel", "load load"]);
    assert_eq!(at_once.status.code(), Some(2), "{at_once:?}");
}

/// What a user does whose system lends no more than a quarter of a gigabyte.
#[test]
#[cfg(target_os = "linux")]
fn what_needs_little_memory_takes_little() {
    let folder = Folder::new("truth-memory");
    let batch = folder.file("batch.txt");
    std::fs::write(&batch, "01.3/4..8/...f/.6.. 5\n").unwrap();
    let within = |arguments: &[&str]| {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -v 262144 && exec \"$0\" \"$@\"", TERZO]);
        stdout(&shell.args(arguments).output().unwrap())
    };
    assert!(within(&["analyse", "quarto", "-.0 a1.1 b1.2 c1.3 d1.-"]).contains("<- mistake"));
    assert!(within(&["solve", "quarto", "--batch", batch.to_str().unwrap(), "--json"]).contains("plies"));
}

/// How a journal begins: a line for its game.
const TITLE: &str = "terzo solve journal\tquarto-torus\n";

fn in_parts(journal: &Path) -> Command {
    let mut command = long_solve::in_parts(TERZO, journal, "20000");
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn lines_of(journal: &Path) -> usize {
    let text = std::fs::read(journal).unwrap_or_default();
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// Progress, not the clock, says when it is killed. A solve that was too quick for that loses the end of its journal, as
/// with a machine that dies.
#[test]
fn a_solve_killed_ten_times_at_random_goes_on_each_time_and_finds_the_same_value() {
    let folder = Folder::new("solve-killed");
    let journal = folder.file("torus.journal");
    let mut kills = 0;
    for step in 0..100 {
        if kills == 10 {
            break;
        }
        let more = 1 + game::mix(7, &[step]) as usize % 25;
        let enough = lines_of(&journal) + more;
        let mut solve = in_parts(&journal).spawn().unwrap();
        let began = Instant::now();
        while lines_of(&journal) < enough && solve.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < LONG, "{more} answers never came");
            std::thread::sleep(Duration::from_millis(1));
        }
        solve.kill().unwrap();
        if solve.wait().unwrap().success() {
            let text = std::fs::read(&journal).unwrap();
            std::fs::write(&journal, &text[..text.len() / 3]).unwrap();
        } else {
            kills += 1;
        }
    }
    assert_eq!(kills, 10);
    let kept = lines_of(&journal);
    assert!(kept > 10, "{kept}");
    let answer: Value = serde_json::from_str(&stdout(&in_parts(&journal).output().unwrap())).unwrap();
    assert_eq!(answer["value"], "loss", "{answer}");
    assert!(
        answer["kept"].as_u64().unwrap() > 0 && answer["answers"].as_u64() > answer["kept"].as_u64(),
        "{answer}"
    );
    // With everything found, nothing is asked any more.
    let again: Value = serde_json::from_str(&stdout(&in_parts(&journal).output().unwrap())).unwrap();
    assert_eq!(
        (&again["value"], &again["kept"]),
        (&answer["value"], &answer["answers"])
    );
    assert_eq!(again["nodes"], answer["nodes"]);
}

#[test]
fn a_journal_that_is_none_or_of_another_game_or_in_use_is_refused_with_the_reason() {
    let folder = Folder::new("solve-journal");
    let journal = folder.file("a.journal");
    let refused = |content: &str| {
        std::fs::write(&journal, content).unwrap();
        let output = in_parts(&journal).output().unwrap();
        assert!(!output.status.success(), "{output:?}");
        assert_eq!(
            std::fs::read_to_string(&journal).unwrap(),
            content,
            "it stays as it was"
        );
        String::from_utf8(output.stderr).unwrap()
    };
    let other = refused("terzo solve journal\tquarto\n");
    assert!(
        other.contains("a.journal") && other.contains("of quarto, not of quarto-torus"),
        "{other}"
    );
    assert!(refused("a letter\nto somebody\n").contains("no terzo solve journal"));
    let line = refused(&format!("{TITLE}..../..../..../.... -\twin\tsplit\t5\nnonsense\n"));
    assert!(
        line.contains("line 3") && line.contains("expected a position"),
        "{line}"
    );
    std::fs::write(&journal, TITLE).unwrap();
    let held = std::fs::File::open(&journal).unwrap();
    held.lock().unwrap();
    let output = in_parts(&journal).output().unwrap();
    assert!(String::from_utf8(output.stderr).unwrap().contains("is in use"));
}

#[test]
fn the_value_alone_is_the_value_of_the_whole_answer() {
    let folder = Folder::new("solve-value");
    let batch = folder.file("batch.txt");
    std::fs::write(
        &batch,
        "01.3/4..8/...f/.6.. 5\n01.3/..../...f/.6.8 5\n012./4.../7..f/.... 3\n",
    )
    .unwrap();
    for game in ["quarto", "quarto-squares-misere"] {
        let solve = |more: &[&str]| -> Vec<Value> {
            let mut command = Command::new(TERZO);
            command
                .args(["solve", game, "--no-book", "--json", "--batch"])
                .arg(&batch);
            let text = stdout(&command.args(more).output().unwrap());
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        };
        let (whole, alone) = (solve(&[]), solve(&["--value"]));
        assert_eq!((whole.len(), alone.len()), (3, 3));
        for (whole, alone) in whole.iter().zip(&alone) {
            assert_eq!(whole["value"], alone["value"]);
            assert!(alone.get("plies").is_none() && alone["nodes"].as_u64() <= whole["nodes"].as_u64());
        }
    }
    let text = stdout(&terzo(&["solve", "quarto", "01.3/4..8/...f/.6.. 5", "--value"]));
    assert!(!text.contains("best:") && text.contains("seat"), "{text}");
    let both = terzo(&["solve", "quarto", "--value", "--moves"]);
    assert_eq!(both.status.code(), Some(2));
}
