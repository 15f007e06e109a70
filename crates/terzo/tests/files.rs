//! Files as users have them: folders that are not there or cannot be written, files without end, names full of tricks.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use run::{TERZO, TOURNAMENT, finish, terzo};
use std::path::Path;
use std::process::Command;

#[test]
fn an_output_that_cannot_be_written_is_known_before_the_first_game() {
    let folder = Folder::new("outputs");
    let report = [&TOURNAMENT[..7], &["100000000", "--report", "no/such/report"]].concat();
    // Either would play for hours.
    for arguments in [&report[..], &["reproduce", "--output", "no/such/file.md"]] {
        let ran = terzo(&folder, arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{arguments:?}");
        assert!(ran.err.contains("cannot write no/such/"), "{}", ran.err);
    }
}

#[test]
fn results_are_printed_whatever_happens_to_the_files() {
    let folder = Folder::new("full");
    // A disk that is full when it is written to.
    std::os::unix::fs::symlink("/dev/full", folder.file("report.md")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.file("out.md")).unwrap();
    let ran = terzo(&folder, &[&TOURNAMENT[..], &["--report", "report"]].concat());
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("## Standings") && ran.err.contains("report.md"),
        "{}{}",
        ran.out,
        ran.err
    );
    let ran = terzo(&folder, &["reproduce", "000-random", "--quick", "--output", "out.md"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.out.contains("| the report |") && ran.err.contains("out.md"),
        "{}{}",
        ran.out,
        ran.err
    );
}

#[test]
fn records_in_a_folder_that_cannot_be_written_can_be_read() {
    let folder = Folder::new("readonly");
    terzo(&folder, &TOURNAMENT).good();
    let asked: [&[&str]; 4] = [
        &["records", "list"],
        &["records", "show", "--json"],
        &["records", "show", "--pair", "1"],
        &["records", "export"],
    ];
    let before: Vec<String> = asked
        .iter()
        .map(|arguments| terzo(&folder, arguments).good().out)
        .collect();
    let inside = format!(
        "mount --bind '{0}' '{0}' && mount -o remount,bind,ro '{0}' && cd '{0}' && ! touch x 2>/dev/null && exec \"$@\"",
        folder.0.display()
    );
    let able = finish(Command::new("unshare").args(["-rm", "sh", "-c", &inside, "sh", "true"]));
    if able.code != Some(0) {
        eprintln!("skipped: no folder can be made read-only here: {}", able.err);
        return;
    }
    for (arguments, before) in asked.iter().zip(before) {
        let mut command = Command::new("unshare");
        let ran = finish(command.args(["-rm", "sh", "-c", &inside, "sh", TERZO]).args(*arguments)).good();
        assert_eq!(ran.out, before, "{arguments:?}");
    }
    let mut command = Command::new("unshare");
    let ran = finish(
        command
            .args(["-rm", "sh", "-c", &inside, "sh", TERZO])
            .args(TOURNAMENT)
            .args(["--seed", "2"]),
    );
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("records in terzo.db"), "{}", ran.err);
}

#[test]
fn files_without_end_are_read_to_a_limit() {
    let folder = Folder::new("endless");
    let cases: [(&[&str], &str); 6] = [
        (&["tournament", "/dev/zero"], "bytes"),
        (&["replay", "/dev/zero"], "bytes"),
        (&["gdl", "check", "/dev/zero"], "bytes"),
        (&["match", "gdl:/dev/zero", "random", "random"], "bytes"),
        (&[&TOURNAMENT[..], &["--positions", "/dev/zero"]].concat(), "bytes"),
        (
            &["book", "verify", "quarto", "--table", "/dev/zero"],
            "expected a table",
        ),
    ];
    for (arguments, expected) in cases {
        // With less than a gigabyte to live in.
        let mut command = Command::new("sh");
        let ran = finish(
            command
                .args(["-c", "ulimit -v 800000; exec \"$@\"", "sh", TERZO])
                .args(arguments)
                .current_dir(&folder.0),
        );
        assert!(
            matches!(ran.code, Some(1 | 2)),
            "{arguments:?}: {:?} {}",
            ran.code,
            ran.err
        );
        assert!(
            ran.err.contains("/dev/zero") && ran.err.contains(expected),
            "{arguments:?}: {}",
            ran.err
        );
    }
}

#[test]
fn a_limit_on_the_size_of_files_gets_a_message() {
    let folder = Folder::new("limit");
    let mut command = Command::new("sh");
    let ran = finish(
        command
            .args(["-c", "ulimit -f 200; exec \"$@\"", "sh", TERZO])
            .args(&TOURNAMENT[..7])
            .arg("100000")
            .current_dir(&folder.0),
    );
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("ulimit -f"), "{}", ran.err);
}

#[test]
fn what_a_terminal_would_obey_is_never_printed() {
    let folder = Folder::new("escapes");
    let evil = "\u{1b}[2J\u{1b}]0;owned\u{7}";
    terzo(&folder, &TOURNAMENT).good();
    let connection = rusqlite::Connection::open(folder.file("terzo.db")).unwrap();
    connection
        .execute("update tournaments set name = ?, game = game", [evil])
        .unwrap();
    connection
        .execute("update players set name = name || ?", [evil])
        .unwrap();
    drop(connection);
    let name = format!("x{evil}.kif");
    let sheet = folder.file(&name);
    std::fs::write(&sheet, format!("(role a{evil}) (nonsense")).unwrap();
    let cases: [&[&str]; 8] = [
        &["records", "list"],
        &["records", "show"],
        &["records", "show", "--pair", "1"],
        &["records", "export", "--format", "text"],
        &["records", "export", "--format", "csv"],
        &["gdl", "check", &name],
        &["match", &format!("gdl:{name}"), "random", "random"],
        &["match", "quarto", &format!("nov{evil}"), "random"],
    ];
    for arguments in cases {
        let ran = terzo(&folder, arguments);
        for text in [&ran.out, &ran.err] {
            assert!(
                !text.contains('\u{1b}') && !text.contains('\u{7}'),
                "{arguments:?}: {text:?}"
            );
        }
        assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{arguments:?}");
    }
    // A plan may not even say it.
    let plan = "game = 'quarto'\nplayers = ['random', { name = \"a\\u001b[2J\", spec = 'novice' }]";
    std::fs::write(folder.file("plan.toml"), plan).unwrap();
    let ran = terzo(&folder, &["tournament", "plan.toml"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn a_book_that_cannot_be_written_is_known_at_once() {
    let folder = Folder::new("book");
    let ran = terzo(&folder, &["book", "build", "quarto", "-o", "no/such.book"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("no/such.book"), "{}", ran.err);
    assert!(!Path::new(&folder.file("no")).exists());
}
