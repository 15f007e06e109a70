//! `terzo play` as a process: it prints its address, serves, and ends cleanly when it is asked to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

#[test]
#[cfg(unix)]
fn the_page_is_served_at_the_printed_address_until_the_process_is_told_to_end() {
    let folder = std::env::temp_dir().join(format!("terzo-play-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut server = Command::new(TERZO)
        .args(["play", "stack4", "--no-open", "--port", "0", "--db"])
        .arg(folder.join("terzo.db"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let address = line.trim().strip_prefix("Terzo is at http://").unwrap();
    let (host, query) = address.split_once('/').unwrap();
    assert_eq!(query, "?game=stack4");
    let mut connection = TcpStream::connect(host).unwrap();
    write!(
        connection,
        "GET / HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.contains("<html"),
        "{answer}"
    );
    let told = Command::new("kill")
        .args(["-INT", &server.id().to_string()])
        .status()
        .unwrap();
    assert!(told.success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_game_that_does_not_exist_and_a_port_that_is_taken_are_told() {
    let failed = |arguments: &[&str]| {
        let output = Command::new(TERZO).arg("play").args(arguments).output().unwrap();
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
