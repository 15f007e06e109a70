//! Engines that are right, and engines with one thing wrong: what their authors are told.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::Stop;
use link::ugi::{EngineCommand, FindingSeverity, Inspection, InspectionSettings, inspect};
use quarto::{Position, Rules};
use std::path::Path;
use std::time::Duration;

fn settings() -> InspectionSettings {
    InspectionSettings {
        games: 4,
        time: Duration::from_secs(5),
        margin: Duration::from_secs(20),
        stop: Stop::never(),
    }
}

fn check(mut command: EngineCommand, start: Duration) -> Inspection {
    process::supervise_with(Path::new(env!("CARGO_BIN_EXE_link-supervisor")));
    command.start = start;
    inspect(&Position::new(Rules::standard()), &command, &settings())
}

fn shell(script: &str, start: Duration) -> Inspection {
    check(EngineCommand::new("sh", vec!["-c".into(), script.into()]), start)
}

/// The first error: what it is about, what is said of it, and the advice.
fn first_error(found: &Inspection) -> (&'static str, String) {
    let error = found
        .findings
        .iter()
        .find(|finding| finding.severity == FindingSeverity::Error);
    let error = error.unwrap_or_else(|| panic!("no error: {found:#?}"));
    (error.topic, format!("{} | {}", error.what, error.advice))
}

const LONG: Duration = Duration::from_secs(60);
/// What a shell needs to say a word, on however busy a machine.
const SILENCE: Duration = Duration::from_secs(5);

#[test]
fn the_example_in_shell_has_nothing_wrong_but_that_it_cannot_be_stopped() {
    let player = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/player.sh");
    let found = check(EngineCommand::new("sh", vec![player.into()]), LONG);
    assert!(found.severity() < FindingSeverity::Error, "{found:#?}");
    assert_eq!(found.games, 4);
    assert!(
        found.moves > 8 && found.memory.is_some_and(|bytes| bytes > 0),
        "{found:#?}"
    );
    let topics: Vec<_> = found.findings.iter().map(|finding| finding.topic).collect();
    assert_eq!(
        topics,
        ["start", "legality", "time", "memory", "stop", "robustness", "quit"]
    );
}

#[test]
fn what_is_wrong_before_the_first_game_is_named_with_its_cure() {
    let cases = [
        ("while read -r line; do :; done", "start", "flush its output"),
        (
            "printf ugiok; while read -r line; do :; done",
            "start",
            "\"ugiok\" without an end of line",
        ),
        ("echo uciok; while read -r line; do :; done", "start", "it speaks UCI"),
        ("echo UGIOK; while read -r line; do :; done", "start", "small letters"),
        (
            "echo ready: ugiok; while read -r line; do :; done",
            "start",
            "stands alone on its line",
        ),
        (
            "echo ugiok; echo what; while read -r line; do :; done",
            "ready",
            "it said \"what\" instead",
        ),
        ("echo Traceback: line 3 >&2; exit 7", "start", "exit status: 7"),
        ("exec >&-; while read -r line; do :; done", "start", "closed its output"),
    ];
    // Silence is waited for to its end: all of them at once.
    std::thread::scope(|scope| {
        for (script, topic, expected) in cases {
            scope.spawn(move || {
                let (about, said) = first_error(&shell(script, SILENCE));
                assert_eq!(about, topic, "{script}: {said}");
                assert!(said.contains(expected), "{script}: {said}");
            });
        }
    });
    let found = shell("echo Traceback: line 3 >&2; exit 7", LONG);
    let stderr = found.findings.iter().find(|finding| finding.topic == "stderr").unwrap();
    assert!(stderr.what.contains("Traceback: line 3"), "{stderr:?}");
    let found = check(EngineCommand::new("/no/such/program", Vec::new()), LONG);
    assert!(first_error(&found).1.contains("cannot be started"), "{found:#?}");
}

/// An engine that greets properly and then does `go` when asked to.
fn playing(go: &str) -> Inspection {
    let script = format!(
        "while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) {go};; quit) exit;; esac; done"
    );
    shell(&script, LONG)
}

#[test]
fn what_is_wrong_in_a_game_is_named_with_its_place() {
    let cases = [
        (
            "echo bestmove a1.3",
            "legality",
            "`bestmove a1.3` is not legal in ..../..../..../.... -",
        ),
        ("echo bestmove hello", "legality", "which is not a move"),
        ("echo bestmove hello", "legality", "legal ones here are -.0"),
        ("exit 3", "crash", "crashed: exit status: 3"),
        ("exit 0", "crash", "disconnected"),
        ("echo oops >&2; kill -SEGV $$", "crash", "SIGSEGV"),
    ];
    for (go, topic, expected) in cases {
        let found = playing(go);
        let (about, said) = first_error(&found);
        assert_eq!(about, topic, "{go}: {said}");
        assert!(said.contains(expected) && said.contains("game 1"), "{go}: {said}");
        let error = found
            .findings
            .iter()
            .find(|finding| finding.severity == FindingSeverity::Error)
            .unwrap();
        let heard = error
            .conversation
            .iter()
            .any(|line| line.text.starts_with("go movetime"));
        assert!(heard, "{go}: {error:#?}");
    }
}

#[test]
fn an_engine_beyond_its_limits_is_told_so() {
    let mut command = EngineCommand::new(
        "sh",
        vec![
            "-c".into(),
            "while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; \
             go*) while :; do :; done;; quit) exit;; esac; done"
                .into(),
        ],
    );
    command.limits = "cpu=200ms".parse().unwrap();
    let (topic, said) = first_error(&check(command, LONG));
    assert_eq!(topic, "time");
    assert!(said.contains("more processor time than the 200ms allowed"), "{said}");
}
