//! Many people at once: clients play against a program over real sockets, and the time from a turn to the reply on the
//! table's stream is measured.
//!
//! ```sh
//! cargo run --release -p page --example load -- 200 2 1000 perfect:level=5
//! ```
//!
//! Arguments: how many clients, games each, milliseconds a person takes for a turn on average, the program.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "../tests/api/common.rs"]
mod common;

use common::{Folder, Server};
use serde_json::json;
use std::sync::Mutex;
use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (clients, games, pause) = (number(200), number(2), number(1000));
    let player = arguments.next().unwrap_or("perfect:level=5".into());
    let folder = Folder::new();
    let server = Server::start(&folder.records());
    let replies = Mutex::new(Vec::new());
    let began = Instant::now();
    std::thread::scope(|scope| {
        for client in 0..clients {
            let (server, replies, player) = (&server, &replies, &player);
            scope.spawn(move || {
                for game in 0..games {
                    let times = play(server, player, client * 1000 + game, pause);
                    replies.lock().unwrap().extend(times);
                }
            });
        }
    });
    let mut replies = replies.into_inner().unwrap();
    replies.sort();
    let at = |share: f64| replies[((replies.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!(
        "{clients} clients, {games} games each against {player}, {pause} ms a turn: {} replies in {:.1} s",
        replies.len(),
        began.elapsed().as_secs_f64()
    );
    println!(
        "reply in ms: median {:.1}, 90 % {:.1}, 99 % {:.1}, most {:.1}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status
            .lines()
            .find(|line| line.starts_with("VmHWM"))
            .unwrap_or_default();
        println!("memory of server and clients together: {peak}");
    }
}

/// Plays a game of random turns, and returns how long each reply took.
fn play(server: &Server, player: &str, seed: u64, pause: u64) -> Vec<Duration> {
    let mut rng = game::rng(seed);
    let mut client = server.client();
    // Not everybody arrives at the same moment.
    let wait =
        |rng: &mut game::Rng| std::thread::sleep(Duration::from_millis(game::below(rng, 2 * pause as u32 + 1).into()));
    wait(&mut rng);
    let id = client.table(&json!({"game": "quarto", "seats": ["human", player]}).to_string());
    let mut events = server.client().stream(&format!("/api/tables/{id}/events"));
    let mut times = Vec::new();
    let mut table = events.next().expect("the table").1;
    while table["outcome"].is_null() {
        wait(&mut rng);
        let legal = table["legal"].as_array().expect("turns");
        let turn = &legal[game::below(&mut rng, legal.len() as u32) as usize];
        let asked = Instant::now();
        let answer = client.post(
            &format!("/api/tables/{id}/turns"),
            &json!({"turn": turn, "ply": table["ply"]}).to_string(),
        );
        assert_eq!(answer.status, 200, "{}", answer.text());
        let ply = table["ply"].as_u64();
        // The person's own turn, then the program's; or the end.
        table = loop {
            let (_, next) = events.next().expect("the stream goes on");
            if !next["outcome"].is_null() || next["to_move"] == "human" && next["ply"].as_u64() > ply {
                break next;
            }
        };
        times.push(asked.elapsed());
    }
    times
}
