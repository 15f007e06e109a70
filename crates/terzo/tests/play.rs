//! `terzo play` as a process: it prints its address, serves, and ends cleanly when it is asked to.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/patience.rs"]
mod patience;

use patience::{Finish, Lines, PATIENCE, end};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// A page's server, and what it printed.
struct Server {
    process: Child,
    printed: Vec<String>,
    folder: PathBuf,
}

impl Server {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let folder = std::env::temp_dir().join(format!("terzo-play-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut process = Command::new(TERZO)
            .args(["play", "stack4", "--no-open", "--port", "0", "--db"])
            .arg(folder.join("terzo.db"))
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = Lines::of(process.stdout.take().unwrap());
        let printed = std::iter::repeat_with(|| lines.next())
            .take_while(|line| !line.starts_with("Ctrl-C"))
            .collect();
        Server {
            process,
            printed,
            folder,
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Asks for an address, as a browser's first request does.
fn get(address: &str) -> String {
    let (host, path) = address.split_once('/').unwrap();
    let mut connection = TcpStream::connect(host).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        connection,
        "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
#[cfg(unix)]
fn the_page_is_served_at_the_printed_address_until_the_process_is_told_to_end() {
    let mut server = Server::start("here", &[]);
    assert_eq!(server.printed.len(), 1, "{:?}", server.printed);
    let address = server.printed[0].strip_prefix("Terzo is at http://").unwrap();
    assert!(
        address.starts_with("127.0.0.1:") && address.ends_with("/?game=stack4"),
        "{address}"
    );
    let answer = get(address);
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.contains("<html"),
        "{answer}"
    );
    let told = Command::new("kill")
        .args(["-INT", &server.process.id().to_string()])
        .status()
        .unwrap();
    assert!(told.success());
    assert_eq!(end(&mut server.process, "the page").code(), Some(0));
}

#[test]
fn a_server_for_others_prints_addresses_that_lead_to_it_with_token_and_game() {
    let server = Server::start("others", &["--listen", "0.0.0.0"]);
    assert!(
        server.printed[0].starts_with("Terzo is at http://127.0.0.1:"),
        "{:?}",
        server.printed
    );
    for line in &server.printed {
        let (_, address) = line.split_once("http://").unwrap();
        let answer = get(address);
        assert!(answer.starts_with("HTTP/1.1 303"), "{line}: {answer}");
        assert!(answer.contains("location: /?game=stack4\r\n"), "{line}: {answer}");
    }
}

#[test]
fn a_game_that_does_not_exist_and_a_port_that_is_taken_are_told() {
    let failed = |arguments: &[&str]| {
        let output = Command::new(TERZO).arg("play").args(arguments).finish();
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, message) = failed(&["quatro"]);
    assert_eq!(code, Some(2));
    assert!(message.contains("did you mean `quarto`?"), "{message}");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (code, message) = failed(&["--no-open", "--port", &port]);
    assert_eq!(code, Some(1));
    assert!(
        message.contains(&format!("cannot listen at 127.0.0.1:{port}")),
        "{message}"
    );
}

/// Asks with an empty body, as the page's own buttons do.
fn post(host: &str, path: &str) -> String {
    let mut connection = TcpStream::connect(host).unwrap();
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    write!(
        connection,
        "POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{{}}"
    )
    .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_tournament_of_programs_goes_on_from_the_page_if_the_owner_lets_it() {
    let engine = concat!(
        "engine:python3 '",
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/player.py'"
    );
    let pairs = |host: &str| {
        let answer = get(&format!("{host}/api/tournaments/1"));
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let body: serde_json::Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        body["pairs"].as_u64().unwrap_or_else(|| panic!("{answer}"))
    };
    for (name, options, allowed) in [("engines", &["--engines"][..], true), ("no-engines", &[], false)] {
        let server = Server::start(name, options);
        let records = server.folder.join("terzo.db");
        // Begun elsewhere, and interrupted there after its first pairs.
        let mut elsewhere = Command::new(TERZO)
            .args([
                "tournament",
                "--game",
                "quarto",
                "--rounds",
                "100000",
                "--concurrency",
                "1",
            ])
            .args(["--players", "novice", engine, "--db"])
            .arg(&records)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let address = server.printed[0].strip_prefix("Terzo is at http://").unwrap();
        let host = address.split_once('/').unwrap().0;
        let deadline = std::time::Instant::now() + PATIENCE;
        let wait_for = |what: &str, done: &dyn Fn() -> bool| {
            while !done() {
                assert!(std::time::Instant::now() < deadline, "{what}");
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        };
        let begun = || {
            let store = arena::store::Store::existing(&records);
            store
                .and_then(|store| store.entry(Some(1)))
                .is_ok_and(|entry| entry.pairs > 0)
        };
        wait_for("it does not begin", &begun);
        let told = Command::new("kill")
            .args(["-TERM", &elsewhere.id().to_string()])
            .status();
        assert!(told.unwrap().success());
        end(&mut elsewhere, "the tournament");
        let before = pairs(host);
        let answer = post(host, "/api/tournaments/1/resume");
        if !allowed {
            assert!(answer.contains("cannot be started from the page"), "{answer}");
            continue;
        }
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        wait_for("it does not go on", &|| pairs(host) > before);
        post(host, "/api/tournaments/1/stop");
    }
}
