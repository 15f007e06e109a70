//! `terzo puzzles`, `terzo explore` and `terzo analyse --explain` as a user meets them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use run::terzo;

#[test]
fn the_same_seed_makes_the_same_file_and_each_puzzle_in_it_is_proved() {
    let folder = Folder::new("puzzles");
    let make = |file: &str, threads: &str| {
        let command = ["puzzles", "make", "quarto-squares", "-n", "2", "--seed", "9"];
        let rest = ["--tries", "2000", "--threads", threads, "--output", file, "--json"];
        let told = terzo(&folder, &[&command[..], &rest[..]].concat()).good().json();
        (told, std::fs::read_to_string(folder.file(file)).unwrap())
    };
    let (told, text) = make("one", "1");
    assert_eq!(make("two", "2").1, text);
    let lines = text.lines().filter(|line| !line.starts_with('#')).count();
    assert!(lines >= 10 && told["puzzles"] == lines, "{told}");
    let checked = terzo(&folder, &["puzzles", "check", "quarto-squares", "--file", "one"]).good();
    assert!(
        checked.out.contains("every win stands against every defence"),
        "{}",
        checked.out
    );
    // Of another game they are no puzzles: lines that end the game are none there.
    let wrong = terzo(&folder, &["puzzles", "check", "quarto", "--file", "one"]);
    assert_eq!(wrong.code, Some(1), "{}{}", wrong.out, wrong.err);
    std::fs::write(folder.file("bad"), "# two\nwin2 012./4.7.\n").unwrap();
    let bad = terzo(&folder, &["puzzles", "check", "quarto", "--file", "bad"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.err.contains("bad: line 2: expected a kind"), "{}", bad.err);
    let none = terzo(&folder, &["puzzles", "check", "quarto-misere"]);
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("no puzzles of `quarto-misere`"), "{}", none.err);
}

#[test]
fn an_opening_is_explored_up_to_symmetry() {
    let folder = Folder::new("explore");
    let first = terzo(&folder, &["explore", "quarto"]).good().out;
    assert!(first.contains("16  -.0      draw"), "{first}");
    let told = terzo(&folder, &["explore", "quarto", "-.0", "--json"]).good().json();
    let branches = told["branches"].as_array().unwrap();
    let turns: u64 = branches.iter().map(|branch| branch["turns"].as_u64().unwrap()).sum();
    assert_eq!(turns, 240, "{told}");
    let illegal = terzo(&folder, &["explore", "quarto", "-.0 a1.0"]);
    assert_eq!(illegal.code, Some(2));
    assert!(illegal.err.contains("turn 2"), "{}", illegal.err);
}

#[test]
fn a_mistake_is_explained_to_the_completed_line() {
    let folder = Folder::new("explain");
    let game = "-.0 A1.1 b1.2 c1.F a4.3 d1.-";
    let told = terzo(&folder, &["analyse", "quarto", game, "--explain"]).good().out;
    let lesson = told.split("\n\nturn 5").nth(1).unwrap_or_default();
    assert!(lesson.contains("made a loss of a draw"), "{told}");
    assert!(lesson.contains("better, draw: "), "{told}");
    assert!(lesson.contains("seat 2 d1.-: "), "{told}");
    let opinion = terzo(&folder, &["analyse", "stack4", "11 41", "--explain"]);
    assert_eq!(opinion.code, Some(2), "{}", opinion.out);
}

#[test]
fn a_ladder_measures_every_level_against_the_one_below() {
    let folder = Folder::new("ladder");
    let told = terzo(&folder, &["ladder", "tictactoe", "-n", "4", "--seed", "3", "--json"])
        .good()
        .json();
    let [ladder] = told["ladders"].as_array().unwrap().as_slice() else {
        panic!("{told}");
    };
    let levels = ladder["levels"].as_array().unwrap();
    assert_eq!(
        (levels.len(), &levels[0]["level"], &levels[0]["games"]),
        (8, &2.into(), &4.into())
    );
    let table = terzo(&folder, &["ladder", "tictactoe", "-n", "2"]).good().out;
    assert!(table.starts_with("## tictactoe\n\n| level | player |"), "{table}");
    assert_eq!(
        table.lines().filter(|line| line.contains("`general")).count(),
        9,
        "{table}"
    );
    let alone = terzo(&folder, &["ladder", "tour"]);
    assert_eq!(alone.code, Some(2), "{}", alone.err);
    assert!(alone.err.contains("tour has no levels"), "{}", alone.err);
}
