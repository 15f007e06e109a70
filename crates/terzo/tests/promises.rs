//! What the README promises of every command: it teaches with examples that work, takes `--json`, and its exit status tells who
//! is at fault.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use patience::{Lines, wait_for};
use run::{TERZO, TOURNAMENT, terzo};
use std::collections::VecDeque;
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Every command that does something, as words, with what its `--help` says.
fn commands(folder: &Folder) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    let mut open: VecDeque<Vec<String>> = [Vec::new()].into();
    while let Some(words) = open.pop_front() {
        let mut arguments: Vec<&str> = words.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = terzo(folder, &arguments).good().out;
        let listed = help.split("\nCommands:\n").nth(1).unwrap_or_default();
        for line in listed.lines().take_while(|line| !line.is_empty()) {
            // Descriptions are wrapped to lines that are further in.
            if let Some(name) = line.strip_prefix("  ").filter(|line| !line.starts_with(' ')) {
                let name = name.split_whitespace().next().unwrap();
                if name != "help" {
                    open.push_back([&words[..], &[name.to_owned()]].concat());
                }
            }
        }
        found.push((words, help));
    }
    found
}

/// The examples in a help text, lines that go on in the next one joined.
fn examples(help: &str) -> Vec<String> {
    let after = help
        .split_once("\nExample:\n")
        .or_else(|| help.split_once("\nExamples:\n"));
    let mut found: Vec<String> = Vec::new();
    for line in after
        .map_or("", |(_, after)| after)
        .lines()
        .take_while(|line| line.starts_with("  "))
    {
        assert!(line.len() <= 80, "too long to be copied from a terminal: {line}");
        let goes_on = |text: &String| text.ends_with('\\') || text.ends_with('|');
        match found.last_mut().filter(|text| goes_on(text)) {
            Some(text) => *text = format!("{} {}", text.trim_end_matches('\\'), line.trim()),
            None => found.push(line.trim().into()),
        }
    }
    found
}

#[test]
fn every_command_teaches_with_examples_and_takes_json() {
    let folder = Folder::new("help");
    let all = commands(&folder);
    assert!(all.len() > 25, "{}", all.len());
    for (words, help) in &all {
        if help.contains("\nCommands:\n") {
            continue;
        }
        assert!(!examples(help).is_empty(), "{words:?} has no example:\n{help}");
        // An engine speaks a protocol of its own.
        assert!(
            help.contains("--json") || words == &["ugi"],
            "{words:?} takes no --json:\n{help}"
        );
    }
}

/// A position that is solved at once.
const LATE: &str = ".081/7..e/..6./.43. f";

/// What the examples take for granted.
fn prepare(folder: &Folder) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::create_dir(folder.file("examples")).unwrap();
    std::fs::copy(root.join("examples/player.py"), folder.file("examples/player.py")).unwrap();
    std::fs::copy(root.join("crates/gdl/games/tictactoe.kif"), folder.file("mygame.kif")).unwrap();
    let table = root.join("fuzz/seeds/table/torus-2");
    std::fs::copy(table, folder.file("quarto-torus-2.table")).unwrap();
    let plan = "game = 'quarto'\nrounds = 5\nplayers = ['novice', 'random']\n";
    std::fs::write(folder.file("evening.toml"), plan).unwrap();
    std::fs::write(folder.file("game.txt"), "-.3 d2.e d1.9 a4.1 b3.7 d4.a d3.-\n").unwrap();
    std::fs::write(folder.file("positions.txt"), format!("{LATE}\n")).unwrap();
    for seed in ["1", "2", "3"] {
        let players = ["--players", "novice", "random", "--rounds", "15", "--seed", seed];
        terzo(folder, &[&["tournament", "--game", "quarto"][..], &players].concat()).good();
    }
    terzo(folder, &["ggp", "host", "tictactoe", "--players", "random", "random"]).good();
}

/// A process and all that it starts, ended together.
struct Group(Child);

impl Group {
    fn start(folder: &Folder, line: &str) -> Group {
        let binaries = Path::new(TERZO).parent().unwrap().display();
        let path = format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default());
        let child = Command::new("sh")
            .args(["-c", line])
            .current_dir(&folder.0)
            .env("PATH", path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.file("stderr")).unwrap())
            .process_group(0)
            .spawn()
            .unwrap();
        Group(child)
    }

    fn signal(&self, name: &str) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill")
            .args([name, "--", &group])
            .stderr(Stdio::null())
            .status();
    }

    /// Its exit status, if it ends within that time.
    fn ended(&mut self, patience: Duration) -> Option<Option<i32>> {
        let began = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return Some(status.code());
            }
            if began.elapsed() > patience {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal("-KILL");
        let _ = self.0.wait();
    }
}

/// Ports of the examples, and those that stand for them here: other tests, and other people, may have the usual ones.
fn elsewhere(line: &str, ports: &[(&str, u16)]) -> String {
    let mut line = line.to_owned();
    for (usual, ours) in ports {
        line = line.replace(usual, &ours.to_string());
    }
    line.replace(
        "nats-server -js",
        &format!("nats-server -a 127.0.0.1 -p {} -js", ports[0].1),
    )
}

/// Programs that not every machine has.
fn is_missing(line: &str) -> Option<&'static str> {
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let needed = [
        ("script", "--terminal"),
        ("jq", "jq "),
        ("nats-server", "nats"),
        ("python3", "python3"),
    ];
    let missing = needed
        .into_iter()
        .find(|(program, word)| line.contains(word) && !there(program));
    missing.map(|(program, _)| program)
}

/// Commands that wait for others before they do anything: who they wait for.
fn partner(line: &str, ports: &[(&str, u16)]) -> Option<String> {
    if line.starts_with("terzo stack4 join") {
        return Some(format!("terzo stack4 host --port {} --player random", ports[1].1));
    }
    (line.contains("--on nats://")).then(|| {
        let port = ports[0].1;
        format!("nats-server -a 127.0.0.1 -p {port} -js -sd nats & exec terzo worker --on nats://127.0.0.1:{port}")
    })
}

/// Runs an example, with the ports of a slot that no other has meanwhile. It must succeed; if it goes on for long, it must be in good order when it is interrupted.
fn run_example(line: &str, number: usize, slot: u16) -> Result<(), String> {
    if let Some(program) = is_missing(line) {
        assert!(
            std::env::var_os("CI").is_none() || program == "jq",
            "{program} is not installed"
        );
        eprintln!("skipped: there is no {program} for: {line}");
        return Ok(());
    }
    let folder = Folder::new(&format!("example-{number}"));
    prepare(&folder);
    let mut port = 15_000 + (std::process::id() as u16 % 1000) * 15 + slot * 5;
    let mut next = || {
        port += 1;
        port
    };
    let ports = ["4222", "8888", "9147", "9148", "9000"].map(|usual| (usual, next()));
    let line = match line.contains("--terminal") {
        // It needs one.
        true => format!("script -qec '{line}' /dev/null"),
        false => elsewhere(line, &ports),
    };
    let partner_folder = Folder::new(&format!("example-{number}-partner"));
    let _partner = partner(&line, &ports).map(|other| {
        let group = Group::start(&partner_folder, &other);
        let port = if other.contains("nats") { ports[0].1 } else { ports[1].1 };
        wait_for("the other side to listen", || {
            TcpStream::connect(("127.0.0.1", port)).ok()
        });
        group
    });
    let mut group = Group::start(&folder, &line);
    let mut code = group.ended(Duration::from_secs(6));
    if code.is_none() {
        group.signal("-INT");
        code = group.ended(Duration::from_secs(60));
    }
    let said = std::fs::read_to_string(folder.file("stderr")).unwrap_or_default();
    match code {
        // Ended by the signal, at once or in good order.
        Some(Some(0 | 130) | None) => Ok(()),
        // Where somebody listens already, nobody else can.
        Some(Some(1)) if said.contains("in use") => Ok(()),
        code => Err(format!("`{line}` ended with {code:?}: {said}")),
    }
}

#[test]
fn every_example_of_every_help_works() {
    let folder = Folder::new("examples");
    let mut all: Vec<String> = commands(&folder).iter().flat_map(|(_, help)| examples(help)).collect();
    all.sort();
    all.dedup();
    assert!(all.len() > 50, "{}", all.len());
    let (open, failed) = (Mutex::new(all.into_iter().enumerate()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for slot in 0..3 {
            let (open, failed) = (&open, &failed);
            scope.spawn(move || {
                loop {
                    let Some((number, line)) = open.lock().unwrap().next() else {
                        return;
                    };
                    let result = run_example(&line, number, slot);
                    failed.lock().unwrap().extend(result.err());
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn the_exit_status_tells_whose_fault_it_is() {
    let folder = Folder::new("status");
    std::fs::write(folder.file("bad.txt"), "# nothing\n").unwrap();
    std::fs::write(folder.file("broken.kif"), "(role").unwrap();
    let tournament = |more: [&'static str; 2]| [&TOURNAMENT[..6], &more].concat();
    let usage: [&[&str]; 16] = [
        &["reproduce", "--share", "0"],
        &["reproduce", "no-such-table"],
        &["replay", "--turns", "-.0 a1.1", "--at", "9"],
        &["replay", "--turns", "xyzzy"],
        &["solve", "stack4", "--distance"],
        &["solve", "quarto", "--on", "http://x"],
        &["solve", "tictactoe", "--distance"],
        &["analyse", "quarto", ""],
        &["analyse", "quarto", "-.0 a1.0"],
        &["book", "verify", "stack4"],
        &["tournament", "--game", "trio", "--players", "random", "random"],
        &tournament(["--on", "http://x"]),
        &tournament(["--positions", "bad.txt"]),
        &["ggp", "host", "tictactoe", "--players", "random"],
        &["gdl", "bench", "broken.kif"],
        &["worker", "--on", "nonsense://x"],
    ];
    for arguments in usage {
        let ran = terzo(&folder, arguments);
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (Some(2), ""),
            "{arguments:?}: {}",
            ran.err
        );
        assert!(ran.err.starts_with("terzo: "), "{arguments:?}: {}", ran.err);
    }
    let failure: [&[&str]; 5] = [
        &["records", "list"],
        &["replay", "no-such-file"],
        &["tournament", "no-such-plan.toml"],
        &["gdl", "check", "broken.kif"],
        &["stack4", "join", "--port", "1", "--wait", "0"],
    ];
    for arguments in failure {
        let ran = terzo(&folder, arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.err);
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn json_is_one_object_and_nothing_else() {
    let folder = Folder::new("json");
    prepare(&folder);
    let cases: [&[&str]; 17] = [
        &["match", "quarto", "novice", "random", "-n", "10"],
        &["match", "trio", "random", "random", "random", "-n", "3"],
        &["tournament", "evening.toml"],
        &["records", "list"],
        &["records", "show"],
        &["records", "show", "--pair", "1"],
        &["records", "match"],
        &["records", "export"],
        &["replay", "game.txt"],
        &["reproduce", "--list"],
        &["perft", "quarto", "1"],
        &["show", "quarto"],
        &["solve", "quarto", LATE],
        &["solve", "tictactoe"],
        &["analyse", "quarto", "-.3 d2.e d1.9 a4.1 b3.7 d4.a d3.-"],
        &["gdl", "check", "tictactoe", "mygame.kif"],
        &["games"],
    ];
    for arguments in cases {
        let ran = terzo(&folder, &[arguments, &["--json"]].concat()).good();
        assert!(ran.json().is_object(), "{arguments:?}");
    }
    std::fs::write(folder.file("broken.kif"), "(role a)\n (nonsense").unwrap();
    let checked = terzo(&folder, &["gdl", "check", "tictactoe", "broken.kif", "--json"]);
    assert_eq!(checked.code, Some(1), "{}", checked.err);
    let sheets = checked.json()["sheets"].take();
    assert_eq!(
        (&sheets[0]["errors"], &sheets[1]["diagnostics"][0]["line"]),
        (&0.into(), &2.into()),
        "{sheets}"
    );
    let exported = terzo(&folder, &["records", "export", "--json"]).good().json();
    assert_eq!(exported["games"].as_array().unwrap().len(), 30);
    // A server says where it is, and serves.
    let mut play = Command::new(TERZO)
        .args(["play", "--no-open", "--port", "0", "--json"])
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let line = Lines::of(play.stdout.take().unwrap()).next();
    play.kill().unwrap();
    play.wait().unwrap();
    let said: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert!(said["url"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{said}");
}
