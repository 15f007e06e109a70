//! General game playing as a user meets it: a player and a manager as two processes, and the records.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/patience.rs"]
mod patience;
#[path = "support/words.rs"]
mod words;

use patience::{Finish, Lines, end, wait_for};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use words::{json, terzo};

/// A player in a process of its own, ended with this value.
struct Player {
    child: Child,
    address: String,
}

impl Player {
    fn start(options: &str) -> Player {
        let mut child = terzo(&format!("ggp player --port 0 {options}"))
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let said = Lines::of(child.stderr.take().unwrap()).next();
        let address = said.trim().rsplit(' ').next().unwrap().to_owned();
        Player { child, address }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A file of records that is taken away with this value.
struct Records(PathBuf);

impl Records {
    fn new(name: &str) -> Records {
        Records(std::env::temp_dir().join(format!("terzo-ggp-{name}-{}.db", std::process::id())))
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(self.0.with_extension(format!("db{end}")));
        }
    }
}

#[test]
fn two_players_meet_and_every_turn_is_in_the_records() {
    let records = Records::new("meet");
    let db = records.0.display();
    let [a, b] = [
        "--player random --name A",
        "--player montecarlo:playouts=64 --name B --margin 200",
    ]
    .map(Player::start);
    let players = format!("{} {}", a.address, b.address);
    let report = json(&format!(
        "ggp host tictactoe --players {players} --start 5 --play 2 --matches 2 --json --db {db}"
    ));
    let matches = report["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 2);
    for (number, played) in matches.iter().enumerate() {
        assert_eq!(played["ended"], "finished", "{played}");
        assert_eq!(played["replaced"], 0, "{played}");
        // They change roles.
        let first = if number == 0 { &a.address } else { &b.address };
        assert_eq!(played["roles"][0]["player"], first.as_str());
        assert_eq!(played["roles"][0]["role"], "x");
        let goals: u64 = [0, 1].map(|role| played["goals"][role].as_u64().unwrap()).iter().sum();
        assert_eq!(goals, 100, "{played}");
        assert!(played["turns"].as_array().unwrap().len() >= 5);
        let shown = json(&format!("records match {} --json --db {db}", number + 1));
        assert_eq!(&shown, played);
    }
    let list = json(&format!("records list --json --db {db}"));
    assert_eq!(list["matches"].as_array().unwrap().len(), 2);
    let sheet = terzo(&format!("records match --sheet --db {db}")).finish();
    assert!(String::from_utf8_lossy(&sheet.stdout).contains("(role x)"));
}

#[test]
fn a_manager_that_is_interrupted_or_killed_has_lost_nothing() {
    let records = Records::new("kill");
    let db = records.0.display();
    // Nobody plays x: every turn of this match takes the whole clock of a second.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    for (signal, expected) in [("-INT", Some("stopped by the user")), ("-KILL", None)] {
        let mut host = terzo(&format!(
            "ggp host tictactoe --players {address} random --start 1 --play 1 --db {db}"
        ))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
        wait_for("the first turn", || {
            assert!(
                host.try_wait().unwrap().is_none(),
                "the manager left before its first turn"
            );
            let shown = terzo(&format!("records match --json --db {db}")).finish();
            let shown: Value = serde_json::from_slice(&shown.stdout).ok()?;
            let playing = shown["ended"].is_null() && shown["turns"].as_array().is_some_and(|turns| !turns.is_empty());
            playing.then_some(())
        });
        let id = host.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        end(&mut host, "the manager");
        let shown = json(&format!("records match --json --db {db}"));
        assert_eq!(shown["ended"].as_str(), expected, "{shown}");
        assert!(!shown["turns"].as_array().unwrap().is_empty(), "{shown}");
        assert_eq!(shown["roles"][0]["not_ready"], "late");
        assert_eq!(shown["turns"][0][0]["fault"], "late");
    }
}

#[test]
fn what_is_wrong_with_the_players_is_said_before_anything_is_played() {
    for (arguments, expected) in [
        (
            "ggp host tictactoe --players random",
            "tictactoe needs 2 players, for x, o; --players names 1",
        ),
        (
            "ggp host tictactoe --players random nowhere:x",
            "expected HOST:PORT or random",
        ),
        ("ggp host nosuch.kif --players random", "nosuch.kif"),
        ("ggp player --player nobody", "unknown player `nobody`"),
    ] {
        let output = terzo(arguments).finish();
        assert!(!output.status.success(), "{arguments}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(expected), "{arguments}: {errors}");
    }
}

#[test]
fn a_player_answers_a_plain_request() {
    let player = Player::start("--player random --name Plain");
    let mut stream = TcpStream::connect(&player.address).unwrap();
    stream.set_read_timeout(Some(patience::PATIENCE)).unwrap();
    stream
        .write_all(
            b"POST / HTTP/1.0\r\nAccept: text/delim\r\nContent-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )",
        )
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.ends_with("( ( name Plain ) ( status available ) ( species terzo ) )"),
        "{answer}"
    );
}
