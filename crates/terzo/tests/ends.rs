//! Whatever an engine starts, and however Terzo ends: a moment later nothing of it runs.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "../../process/tests/support/marked.rs"]
mod marked;
#[path = "support/patience.rs"]
mod patience;

use folder::Folder;
use marked::Mark;
use patience::{PATIENCE, end};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// Children that nobody wants: one that spins, one in a session of its own, one without a parent, one that is deaf.
const CHILDREN: &str = "sh -c 'while :; do :; done' &
setsid sh -c 'while :; do :; done' &
(setsid sleep 1000 &) &
setsid sh -c \"trap '' TERM HUP INT QUIT; while :; do sleep 1; done\" &
";

/// What the children are at least, with their parent.
const FAMILY: usize = 5;

/// An engine that has children, and does `go` when asked to.
fn engine(folder: &Folder, go: &str) -> String {
    let script = format!(
        "{CHILDREN}while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) {go};; quit) exit;; esac; done"
    );
    std::fs::write(folder.file("engine.sh"), script).unwrap();
    "engine:sh engine.sh".into()
}

fn start(folder: &Folder, mark: &Mark, arguments: &[&str]) -> Child {
    // Whoever runs the tests in the background of a shell ignores SIGQUIT, and all inherit that.
    let mut command = Command::new("env");
    mark.put(&mut command)
        .args(["--default-signal=QUIT", TERZO])
        .args(arguments)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn finish(child: &mut Child) -> ExitStatus {
    end(child, "terzo")
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").arg(name).arg(child.id().to_string()).status();
    assert!(sent.unwrap().success(), "{name}");
}

/// Starts a match with a hanging engine that has children, and ends it with these signals.
fn nothing_is_left_after(name: &str, signals: &[&str]) {
    nothing_is_left_of(name, signals, &[]);
}

/// The same, of a match with more options.
fn nothing_is_left_of(name: &str, signals: &[&str], options: &[&str]) {
    let (folder, mark) = (Folder::new(name), Mark::new(name));
    let player = engine(&folder, "sleep 1000");
    let arguments = [&["match", "quarto", &player, "random", "--jobs", "2"], options].concat();
    let mut terzo = start(&folder, &mark, &arguments);
    // Terzo itself, and two families.
    mark.until(|alive| alive > 2 * FAMILY, PATIENCE);
    for name in signals {
        signal(&terzo, name);
        // The second is not lost in the first.
        std::thread::sleep(Duration::from_millis(100));
    }
    finish(&mut terzo);
    let took = mark.until(|alive| alive == 0, PATIENCE);
    eprintln!("{name}: nothing left {:.3} s after the end", took.as_secs_f64());
}

#[test]
fn nothing_is_left_after_two_interrupts() {
    nothing_is_left_after("int-int", &["-INT", "-INT"]);
}

#[test]
fn nothing_is_left_after_two_requests_to_terminate() {
    nothing_is_left_after("term-term", &["-TERM", "-TERM"]);
}

#[test]
fn nothing_is_left_after_a_quit() {
    nothing_is_left_after("quit", &["-QUIT"]);
}

#[test]
fn nothing_is_left_after_a_hangup() {
    nothing_is_left_after("hup", &["-HUP", "-HUP"]);
}

#[test]
fn nothing_is_left_after_a_kill() {
    nothing_is_left_after("kill", &["-KILL"]);
}

/// Limits that a hanging family keeps within, so that only the signals end it.
const LIMITED: [&str; 3] = [
    "--sandbox",
    "--limits",
    "memory=2G,cpu=10000s,processes=64,files=64,disk=1G",
];

#[test]
fn nothing_is_left_of_engines_with_limits() {
    nothing_is_left_of("limited-int", &["-INT"], &LIMITED);
    nothing_is_left_of("limited-int-int", &["-INT", "-INT"], &LIMITED);
    nothing_is_left_of("limited-term", &["-TERM"], &LIMITED);
    nothing_is_left_of("limited-quit", &["-QUIT"], &LIMITED);
    nothing_is_left_of("limited-kill", &["-KILL"], &LIMITED);
}

#[test]
fn an_engine_that_leaves_when_asked_takes_its_children_with_it() {
    let (folder, mark) = (Folder::new("obeys"), Mark::new("obeys"));
    let player = engine(&folder, "echo bestmove a1.a");
    let mut terzo = start(
        &folder,
        &mark,
        &["match", "quarto", &player, "random", "-n", "4", "--jobs", "1"],
    );
    assert!(finish(&mut terzo).success());
    // Not a moment later: Terzo has seen to it before it ended.
    assert_eq!(mark.alive(), [""; 0]);
}

#[test]
fn an_engine_that_dies_in_a_game_takes_its_children_with_it() {
    let (folder, mark) = (Folder::new("dies"), Mark::new("dies"));
    let player = engine(&folder, "exit 3");
    let mut terzo = start(
        &folder,
        &mark,
        &["match", "quarto", &player, "random", "-n", "6", "--jobs", "1"],
    );
    assert!(finish(&mut terzo).success());
    assert_eq!(mark.alive(), [""; 0]);
}

#[test]
fn programs_of_the_course_take_their_children_with_them() {
    let (folder, mark) = (Folder::new("course"), Mark::new("course"));
    let agent = format!("{CHILDREN}'{TERZO}' stack4 join --port $1 --player random\n");
    std::fs::write(folder.file("agent.sh"), agent).unwrap();
    let arguments = ["match", "stack4", "course:sh agent.sh {port}", "random", "--jobs", "1"];
    let mut terzo = start(&folder, &mark, &[&arguments[..], &["-n", "2"]].concat());
    assert!(finish(&mut terzo).success());
    assert_eq!(mark.alive(), [""; 0]);

    let mut terzo = start(&folder, &mark, &[&arguments[..], &["-n", "1000000"]].concat());
    mark.until(|alive| alive > FAMILY, PATIENCE);
    signal(&terzo, "-KILL");
    finish(&mut terzo);
    mark.until(|alive| alive == 0, PATIENCE);
}
