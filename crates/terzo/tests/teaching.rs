//! `terzo puzzles`, `terzo explore`, `terzo response` and `terzo analyse --explain` as a user meets them.

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
fn puzzles_of_other_games_are_made_and_proved_too() {
    let folder = Folder::new("other-puzzles");
    let make = |file: &str, threads: &str| {
        let command = ["puzzles", "make", "tictactoe", "-n", "2", "--tries", "400"];
        let told = terzo(
            &folder,
            &[&command[..], &["--threads", threads, "--output", file]].concat(),
        )
        .good()
        .out;
        (told, std::fs::read_to_string(folder.file(file)).unwrap())
    };
    let (told, text) = make("one", "1");
    assert_eq!(make("two", "2").1, text);
    assert!(
        told.contains("win1 2") && text.starts_with("# terzo puzzles make tictactoe -n 2 --seed 1"),
        "{told}{text}"
    );
    for game in ["tictactoe", "nim"] {
        let checked = terzo(&folder, &["puzzles", "check", game]).good().out;
        assert!(checked.contains("every win stands against every defence"), "{checked}");
    }
    terzo(&folder, &["puzzles", "check", "tictactoe", "--file", "one"]).good();
    let wrong = text.replacen("win1 |", "win2 |", 1);
    std::fs::write(folder.file("wrong"), wrong).unwrap();
    let wrong = terzo(&folder, &["puzzles", "check", "tictactoe", "--file", "wrong"]);
    assert_eq!(wrong.code, Some(1), "{}{}", wrong.out, wrong.err);
    let three = terzo(&folder, &["puzzles", "make", "trio", "--output", "none"]);
    assert_eq!(three.code, Some(2));
    assert!(three.err.contains("there are no puzzles of this game"), "{}", three.err);
}

#[test]
fn the_explorer_tells_what_recorded_games_and_levels_chose() {
    let folder = Folder::new("explore-records");
    let tournament = ["tournament", "--game", "quarto", "--players", "novice", "random"];
    terzo(
        &folder,
        &[&tournament[..], &["--rounds", "10", "--db", "games.db"]].concat(),
    )
    .good();
    let command = ["explore", "quarto", "-.0", "--db", "games.db", "--ask", "2", "--json"];
    let told = terzo(&folder, &command).good().json();
    let branches = told["branches"].as_array().unwrap();
    // All games begin by giving a piece, and by symmetry all pieces are the same one.
    let sum = |of: &dyn Fn(&serde_json::Value) -> u64| branches.iter().map(of).sum::<u64>();
    assert_eq!(sum(&|branch| branch["recorded"]["games"].as_u64().unwrap()), 20);
    let ended = |branch: &serde_json::Value| {
        ["wins", "draws", "losses"]
            .iter()
            .map(|word| branch["recorded"][word].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(sum(&ended), 20);
    let asked = |branch: &serde_json::Value| {
        branch["levels"]
            .as_array()
            .unwrap()
            .iter()
            .map(|times| times.as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!(sum(&asked), 20);
    let text = terzo(&folder, &["explore", "quarto", "-.0", "--db", "games.db", "--ask", "1"])
        .good()
        .out;
    assert!(
        text.contains("games   won drawn  lost") && text.contains("of 1 tries each level chose it"),
        "{text}"
    );
    let none = terzo(&folder, &["explore", "quarto", "--db", "none.db"]);
    assert!(none.code != Some(0), "{}", none.out);
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
    // The same stands in a file, and how many games were played.
    let written = terzo(&folder, &["ladder", "nim", "-n", "2", "--output", "levels.md"])
        .good()
        .out;
    assert_eq!(std::fs::read_to_string(folder.file("levels.md")).unwrap(), written);
    assert!(written.contains(",slip=50` | 2 | "), "{written}");
    let alone = terzo(&folder, &["ladder", "tour"]);
    assert_eq!(alone.code, Some(2), "{}", alone.err);
    assert!(alone.err.contains("tour has no levels"), "{}", alone.err);
}

#[test]
fn the_best_response_is_told_for_a_position_and_for_games_the_same_on_any_number_of_threads() {
    let folder = Folder::new("response");
    let position = "d.6./b.f./a.0./..e5 3";
    let told = terzo(&folder, &["response", "quarto", "novice", position, "--json"])
        .good()
        .json();
    let best = told["points"].as_f64().unwrap();
    assert!((0.5..=1.0).contains(&best), "{told}");
    assert_eq!(told["turns"][0]["points"], told["points"]);
    let text = terzo(&folder, &["response", "quarto", "novice", position]).good().out;
    assert!(text.contains("the best response expects"), "{text}");
    let study = |threads: &str| {
        let command = [
            "response",
            "quarto",
            "minimax:depth=2,eval=terzo",
            "--player",
            "perfect:effort=1000",
        ];
        let rest = ["--from", "10", "-n", "4", "--threads", threads, "--json"];
        terzo(&folder, &[&command[..], &rest[..]].concat()).good().json()
    };
    let (one, two) = (study("1"), study("2"));
    assert_eq!(one, two);
    assert_eq!(one["games"], 4);
    let unknown = terzo(&folder, &["response", "quarto", "mcts", position]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("whose policy is known"), "{}", unknown.err);
    let over = terzo(&folder, &["response", "quarto", "novice", "0123/..../..../.... -"]);
    assert_eq!(over.code, Some(2), "{}", over.err);
    let early = terzo(&folder, &["response", "quarto", "novice", "..../..../..../.... -"]);
    assert_eq!(early.code, Some(2), "{}", early.err);
    assert!(early.err.contains("at least 4 pieces placed"), "{}", early.err);
    let nobody = terzo(&folder, &["response", "quarto", "novise"]);
    assert!(nobody.err.contains("novice"), "{}", nobody.err);
}
