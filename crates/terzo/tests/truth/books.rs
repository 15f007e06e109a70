//! Books and tables: cut short, gone on with, verified, counted.

use super::{TERZO, stdout, terzo};
use crate::folder::Folder;
use game::Game;
use quarto::book::holding::{self, HoldFinding, HoldingBook};
use quarto::{Position, Rules};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

#[test]
fn a_book_that_was_cut_short_goes_on_and_becomes_the_same_file() {
    let folder = Folder::new("book-resumed");
    let build = |path: &Path| {
        let mut command = Command::new(TERZO);
        command
            .args(["book", "build", "quarto-torus", "--depth", "1", "--reach", "3"])
            .args(["--memory", "64M", "-o"]);
        let output = command.arg(path).output().unwrap();
        stdout(&output);
        std::fs::read(path).unwrap()
    };
    let whole = build(&folder.file("whole.book"));
    let journal = std::fs::read_to_string(folder.file("whole.book.journal")).unwrap();
    for part in [journal.len() * 4 / 5, journal.len() - 3] {
        std::fs::write(folder.file("cut.book.journal"), &journal[..part]).unwrap();
        assert!(build(&folder.file("cut.book")) == whole);
        std::fs::remove_file(folder.file("cut.book.journal")).unwrap();
    }
}

/// What a proof would have written of a book that is part of the program, the first turns first.
fn journal_of(game: &str) -> String {
    let rules = Rules::named(game).unwrap();
    let (start, book) = (Position::new(rules), HoldingBook::of(rules).unwrap());
    let line = |position: &Position| {
        let turn = book.turn(position).and_then(|turn| holding::write_turn(position, turn));
        let (turn, nodes) = (turn.unwrap(), 0);
        format!("{}\t{}\n", position.print(), HoldFinding::Holds { turn, nodes })
    };
    let lines: String = holding::positions(book, &start).iter().map(line).collect();
    format!("terzo holding proof\t{game}\n{lines}")
}

#[test]
fn a_book_that_holds_follows_from_its_journal_and_goes_on_after_it_was_cut_short() {
    let folder = Folder::new("holding");
    let game = "quarto-torus-misere";
    let build = |name: &str, journal: &str| {
        let path = folder.file(name);
        std::fs::write(folder.file(&format!("{name}.journal")), journal).unwrap();
        let mut command = Command::new(TERZO);
        command.args(["book", "build", game, "--hold", "--threads", "2", "--json", "-o"]);
        let told: Value = serde_json::from_str(&stdout(&command.arg(&path).output().unwrap())).unwrap();
        let grown = std::fs::read_to_string(folder.file(&format!("{name}.journal"))).unwrap();
        (told, std::fs::read(path).unwrap(), grown)
    };
    let journal = journal_of(game);
    let (told, whole, _) = build("whole", &journal);
    assert_eq!(
        (&told["positions"], &told["nodes"]),
        (&36797.into(), &0.into()),
        "{told}"
    );
    let embedded = HoldingBook::of(Rules::named(game).unwrap()).unwrap();
    assert!(whole == embedded.to_bytes());
    // Where lines are missing, those positions are asked again; from then on it is the same book wherever the journal ends.
    let (told, book, grown) = build("cut", &journal[..journal.len() - 100]);
    assert!((1..9).contains(&told["asked"].as_u64().unwrap()), "{told}");
    for less in [1, 40, 75] {
        assert!(build("again", &grown[..grown.len() - less]).1 == book);
    }

    // Nothing can be found at once; what there is stays.
    let path = folder.file("soon");
    let arguments = [
        "book",
        "build",
        game,
        "--hold",
        "--time",
        "1ms",
        "-o",
        path.to_str().unwrap(),
    ];
    for _ in 0..2 {
        let output = terzo(&arguments);
        assert!(!output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("time is up at seat 2") && said.contains("the same command goes on"),
            "{said}"
        );
    }
    assert!(!path.exists());

    let path = folder.file("none");
    let refused = |game: &str, more: &[&str]| {
        let arguments = [&["book", "build", game, "--hold", "-o", path.to_str().unwrap()], more].concat();
        let output = terzo(&arguments);
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("quarto", &[]).contains("expected a misère variant"));
    assert!(refused("quarto-misere", &["--reach", "7"]).contains("expected at most 6"));
    let verified = stdout(&terzo(&[
        "book",
        "verify",
        "quarto-torus-misere",
        "--sample",
        "40",
        "--seed",
        "3",
    ]));
    assert!(
        verified.contains("the turns of 40 of 36797 positions hold"),
        "{verified}"
    );
}

#[test]
fn a_table_that_was_cut_short_goes_on_becomes_the_same_file_and_is_used_and_verified() {
    let folder = Folder::new("table");
    let build = |name: &str| {
        let path = folder.file(name);
        let mut command = Command::new(TERZO);
        command.args([
            "book",
            "build",
            "quarto-torus",
            "--placed",
            "2",
            "--memory",
            "64M",
            "--json",
            "-o",
        ]);
        let told: Value = serde_json::from_str(&stdout(&command.arg(&path).output().unwrap())).unwrap();
        (told, std::fs::read(path).unwrap())
    };
    // Without time nothing is solved, and the same command goes on.
    let path = folder.file("quarto-torus-2.table");
    let in_no_time = [
        "book",
        "build",
        "quarto-torus",
        "--placed",
        "2",
        "--memory",
        "1M",
        "--time",
        "1ms",
        "-o",
    ];
    let output = terzo(&[&in_no_time[..], &[path.to_str().unwrap()]].concat());
    assert!(!output.status.success() && !path.exists(), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("time is up; "),
        "{output:?}"
    );
    let (told, whole) = build("quarto-torus-2.table");
    assert_eq!((&told["positions"], &told["bytes"]), (&65.into(), &whole.len().into()));
    let journal = std::fs::read_to_string(folder.file("quarto-torus-2.table.journal")).unwrap();
    std::fs::write(folder.file("cut.table.journal"), &journal[..journal.len() * 2 / 3]).unwrap();
    assert!(build("cut.table").1 == whole);
    // With nothing left to solve it is only packed.
    assert_eq!(build("cut.table").0["nodes"], 0);

    let file = folder.file("quarto-torus-2.table");
    let verify = [
        "book",
        "verify",
        "quarto-torus",
        "--sample",
        "3",
        "--table",
        file.to_str().unwrap(),
    ];
    let verified = stdout(&terzo(&[&verify[..], &["--whole"]].concat()));
    assert!(
        verified.contains("3 of 65 positions with 2 placed and 3 that are neither drawn nor won at once solved again, all as in the table")
            && verified.contains("the values of 4 with 1 placed follow"),
        "{verified}"
    );
    // The same with every value another one.
    let others: String = journal
        .lines()
        .map(
            |line| match line.rsplit_once('\t').filter(|_| !line.starts_with("terzo")) {
                Some((part, values)) => format!("{part}\t{}\n", "0".repeat(values.len())),
                None => format!("{line}\n"),
            },
        )
        .collect();
    std::fs::write(folder.file("wrong.table.journal"), others).unwrap();
    build("wrong.table");
    let wrong = folder.file("wrong.table");
    let output = terzo(&[&verify[..6], &[wrong.to_str().unwrap()]].concat());
    assert!(!output.status.success(), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("positions are wrong in the table, the first: "),
        "{output:?}"
    );

    let counted = [
        "book",
        "count",
        "quarto-torus",
        "--placed",
        "2",
        "--no-book",
        "--tables",
    ];
    let counted = stdout(&terzo(
        &[&counted[..], &[file.parent().unwrap().to_str().unwrap()]].concat(),
    ));
    assert!(counted.contains("  win in 9: 38\n  win in 11: 27\n"), "{counted}");

    let tables = file.parent().unwrap().to_str().unwrap();
    let solve = [
        "solve",
        "quarto-torus",
        "--no-book",
        "--value",
        "--json",
        "--tables",
        tables,
    ];
    let told: Value = serde_json::from_str(&stdout(&terzo(&solve))).unwrap();
    assert!(
        told["value"] == "loss" && told["nodes"].as_u64().unwrap() < 200,
        "{told}"
    );

    let refused = |arguments: &[&str]| {
        let output = terzo(arguments);
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let no_table = refused(&["solve", "quarto", "--tables", tables]);
    assert!(
        no_table.contains("expected a table of quarto, such as quarto-5.table"),
        "{no_table}"
    );
    std::fs::write(folder.file("quarto-5.table"), &whole).unwrap();
    let of_another = refused(&["solve", "quarto", "--tables", tables]);
    assert!(
        of_another.contains("this is the table of quarto-torus with 2 placed"),
        "{of_another}"
    );
    std::fs::write(folder.file("quarto-5.table"), &whole[..whole.len() - 1]).unwrap();
    let short = refused(&["solve", "quarto", "--tables", tables]);
    assert!(short.contains("quarto-5.table: expected a table"), "{short}");
    std::fs::write(folder.file("odd.table.journal"), "a letter\n").unwrap();
    let output = folder.file("odd.table");
    let odd = refused(&[
        "book",
        "build",
        "quarto",
        "--placed",
        "5",
        "-o",
        output.to_str().unwrap(),
    ]);
    assert!(
        odd.contains("odd.table.journal: line 1: expected `terzo table journal`"),
        "{odd}"
    );
}

#[test]
fn positions_are_counted_as_in_the_book_and_beyond_it_by_a_sample_and_drawn() {
    let folder = Folder::new("count");
    let figure = folder.file("torus.svg");
    let count = |more: &[&str]| -> Value {
        let command = [
            "book",
            "count",
            "quarto-torus",
            "--sample",
            "20",
            "--json",
            "--svg",
            figure.to_str().unwrap(),
        ];
        serde_json::from_str(&stdout(&terzo(&[&command[..], more].concat()))).unwrap()
    };
    let three = &count(&["--placed", "3"])["placed"][0];
    let of = |row: &Value, value: &str| -> u64 {
        let values = row["values"].as_array().unwrap().iter();
        let values = values.filter(|counted| counted["value"] == value);
        values.map(|counted| counted["positions"].as_u64().unwrap()).sum()
    };
    assert_eq!(["win", "draw", "loss"].map(|value| of(three, value)), [492, 72, 601]);
    assert_eq!(three["sample"], false);
    let seven = count(&["--placed", "7"]);
    assert_eq!(seven, count(&["--placed", "7"]), "the same seed is the same sample");
    let seven = &seven["placed"][0];
    assert_eq!((&seven["sample"], &seven["positions"]), (&true.into(), &20.into()));
    assert!(std::fs::read_to_string(&figure).unwrap().starts_with("<svg xmlns"));
}
