//! One Ctrl-C or SIGTERM ends whatever is running, within two seconds.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/core_wait.rs"]
mod core_wait;
#[path = "support/folder.rs"]
mod folder;

use core_wait::CoreWait;
use folder::Folder;
use std::fs::File;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// What the issue promises.
const LIMIT: Duration = Duration::from_secs(2);

/// Longer than a start takes, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A game that has no end, of two who move in turn.
const ENDLESS: &str = "(role a) (role b) (init (control a)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 0)
(<= (legal ?r go) (true (control ?r))) (<= (legal ?r stay) (true (control ?r)))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
(<= terminal (true (n 3))) (goal a 50) (goal b 50)";

/// Engines that hang in ways of their own.
const HANGS_AT_ONCE: &str = "engine:sh -c 'sleep 1000'";
const HANGS_IN_GO: &str = "engine:sh -c 'while read -r l; do case $l in ugi) echo ugiok;; isready) echo readyok;; go*) sleep 1000;; esac; done'";
const DEAF: &str =
    "engine:sh -c 'trap \"\" TERM INT HUP; echo ugiok; echo readyok; echo readyok; while :; do sleep 1; done'";

struct Case {
    name: &'static str,
    arguments: Vec<String>,
}

fn case(name: &'static str, arguments: &[&str]) -> Case {
    let arguments = arguments.iter().map(|word| (*word).into()).collect();
    Case { name, arguments }
}

fn start(folder: &Folder, case: &Case) -> Child {
    // Whoever runs the tests in the background of a shell ignores Ctrl-C, and all inherit that.
    Command::new("env")
        .args(["--default-signal=INT", TERZO])
        .args(&case.arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        // Files, not pipes: whatever an engine leaves behind must not keep us waiting.
        .stdout(File::create(folder.file("said")).unwrap())
        .stderr(File::create(folder.file("errors")).unwrap())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// What it wrote.
fn text(folder: &Folder, name: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(folder.file(name)).unwrap()).into_owned()
}

/// Waits for the end, or ends it. How long that took, what it waited for a core left out.
fn ended(mut child: Child, name: &str) -> (Duration, ExitStatus) {
    let (began, mut core) = (Instant::now(), CoreWait::of(child.id()));
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return (began.elapsed().saturating_sub(core.most()), status);
        }
        if began.elapsed() > 10 * LIMIT {
            child.kill().unwrap();
            panic!("{name} does not end");
        }
        core.look();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Starts each command, lets it get into its work, sends a signal, and tells how long the end took on average and at worst.
fn all_end_in_time(folder: &Folder, cases: &[Case]) {
    let mut times = Vec::new();
    for case in cases {
        for sent in ["-INT", "-TERM"] {
            let mut child = start(folder, case);
            std::thread::sleep(Duration::from_millis(700));
            if let Some(status) = child.try_wait().unwrap() {
                panic!("{} was over too soon: {status}, {}", case.name, text(folder, "errors"));
            }
            signal(&child, sent);
            let (took, _) = ended(child, case.name);
            let errors = text(folder, "errors");
            // Where it had a core it needs no force.
            let forced = errors.contains("does not stop by itself");
            assert!(!forced || took < LIMIT / 2, "{}: {errors}", case.name);
            assert!(took < LIMIT, "{} took {took:?} after {sent}: {errors}", case.name);
            times.push((took, case.name, sent));
        }
    }
    let mean = times.iter().map(|(took, ..)| took.as_secs_f64()).sum::<f64>() / times.len() as f64;
    let (worst, name, sent) = times.iter().max().unwrap();
    println!(
        "{} ends: mean {mean:.3} s, worst {:.3} s ({name}, {sent})",
        times.len(),
        worst.as_secs_f64()
    );
}

#[test]
fn a_match_ends_whoever_is_thinking() {
    let folder = Folder::new("interrupt-match");
    std::fs::write(folder.file("endless.kif"), ENDLESS).unwrap();
    all_end_in_time(
        &folder,
        &[
            case(
                "deep minimax",
                &["match", "quarto", "minimax:depth=16", "minimax:depth=16"],
            ),
            case(
                "long Monte Carlo",
                &["match", "quarto", "montecarlo:playouts=10000000", "novice"],
            ),
            case(
                "long tree search",
                &["match", "quarto", "mcts:playouts=1000000000", "novice"],
            ),
            case("strong", &["match", "stack4", "strong:time=1000s", "run3"]),
            case("endless sheet", &["match", "gdl:endless.kif", "random", "random"]),
            case("hung engine", &["match", "quarto", "novice", HANGS_IN_GO]),
            case(
                "engine that never starts",
                &["match", "quarto", "novice", HANGS_AT_ONCE],
            ),
            case("engine deaf to signals", &["match", "quarto", "novice", DEAF]),
            case(
                "hung program of the course",
                &["match", "stack4", "course:sh -c 'sleep 1000' {port}", "random"],
            ),
        ],
    );
}

#[test]
fn a_tournament_ends_whoever_is_thinking_and_keeps_what_was_played() {
    let folder = Folder::new("interrupt-tournament");
    let hung: Vec<String> = (0..12).map(|i| format!("{HANGS_IN_GO} {i}")).collect();
    let mut many = vec![
        "tournament",
        "--game",
        "quarto",
        "--db",
        "hung.db",
        "--concurrency",
        "8",
        "--players",
        "novice",
    ];
    many.extend(hung.iter().map(String::as_str));
    let perfect = [
        "tournament",
        "--game",
        "quarto-squares",
        "--db",
        "perfect.db",
        "--players",
        "perfect",
        "novice",
    ];
    all_end_in_time(
        &folder,
        &[
            case("a dozen hung engines", &many),
            case("perfect players", &[&perfect[..], &["--rounds", "1000"]].concat()),
            case("reproduce", &["reproduce", "004", "--db", "reproduce.db"]),
        ],
    );
    let quick = case(
        "quick players",
        &[
            "tournament",
            "--game",
            "quarto",
            "--db",
            "quick.db",
            "--players",
            "novice",
            "random",
            "--rounds",
            "100000000",
            "--interim",
            "10ms",
        ],
    );
    let mut child = start(&folder, &quick);
    // However busy the machine is: pairs were played when the signal comes.
    let began = Instant::now();
    while !text(&folder, "errors").contains(" pairs, ") {
        let early = child.try_wait().unwrap();
        assert!(
            early.is_none() && began.elapsed() < PATIENCE,
            "{early:?}, {}",
            text(&folder, "errors")
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "-INT");
    let (_, status) = ended(child, quick.name);
    assert_eq!(status.code(), Some(130));
    let said = text(&folder, "said");
    assert!(said.contains("novice") && said.contains("quick.db"), "{said}");
}

#[test]
fn solvers_end_in_the_middle_of_a_position() {
    let folder = Folder::new("interrupt-solve");
    all_end_in_time(
        &folder,
        &[
            case("solve", &["solve", "quarto-squares", "--no-book"]),
            case("solve a sheet", &["solve", "connectfour"]),
            case("analyse", &["analyse", "quarto-torus-misere", "-.0 a1.f b2.3 c3.5"]),
            case("book build", &["book", "build", "quarto", "-o", "quarto.book"]),
            case("book verify", &["book", "verify", "quarto", "--sample", "100000"]),
            case(
                "response",
                &[
                    "response",
                    "quarto",
                    "minimax:depth=3,eval=absolute",
                    "--from",
                    "5",
                    "-n",
                    "2000",
                ],
            ),
        ],
    );
}

#[test]
fn a_measurement_keeps_its_seconds_and_a_match_its_turns_in_a_game_without_end() {
    let folder = Folder::new("interrupt-endless");
    std::fs::write(folder.file("endless.kif"), ENDLESS).unwrap();
    for machine in ["prover", "compiled"] {
        let bench = case(
            "gdl bench",
            &["gdl", "bench", "endless.kif", "--seconds", "0.3", "--machine", machine],
        );
        let (_, status) = ended(start(&folder, &bench), bench.name);
        assert!(status.success(), "{}", text(&folder, "errors"));
        let said = text(&folder, "said");
        assert!(
            said.contains("no game came to its end") && !said.contains(" 0 states"),
            "{said}"
        );
    }
    let short = [
        "match",
        "gdl:endless.kif",
        "random",
        "random",
        "-n",
        "10",
        "--max-turns",
        "7",
        "--json",
    ];
    let short = case("match", &short);
    let (_, status) = ended(start(&folder, &short), short.name);
    assert!(status.success(), "{}", text(&folder, "errors"));
    let said = text(&folder, "said");
    assert!(
        said.contains("\"turns_avg\":7.0") && said.contains("\"draws\":10"),
        "{said}"
    );
}

#[test]
fn whatever_counts_measures_or_serves_ends_at_once() {
    let folder = Folder::new("interrupt-other");
    std::fs::write(folder.file("endless.kif"), ENDLESS).unwrap();
    // It takes calls and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let host = [
        "ggp",
        "host",
        "endless.kif",
        "--players",
        &address,
        "random",
        "--start",
        "100",
    ];
    all_end_in_time(
        &folder,
        &[
            case("perft", &["perft", "quarto", "12"]),
            case("gdl bench", &["gdl", "bench", "endless.kif", "--seconds", "1000"]),
            case("ugi", &["ugi", "quarto"]),
            case("play", &["play", "--no-open", "--port", "0"]),
            case("stack4 host", &["stack4", "host", "--port", "0"]),
            case("ggp player", &["ggp", "player", "--port", "0"]),
            case("ggp host", &host),
        ],
    );
}
