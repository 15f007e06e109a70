//! A tournament is the same wherever it is played.

use crate::folder::Folder;
use crate::nats_server::NatsServer;
use crate::played::{games, tournament};
use crate::process::{LONG, Process, TERZO};
use std::path::Path;
use std::process::Command;

#[test]
fn over_three_workers_it_is_the_same_tournament_game_for_game() {
    let Some(server) = NatsServer::start("three") else {
        return;
    };
    let folder = Folder::new("on-three");
    let (here, there) = (folder.file("here.db"), folder.file("there.db"));
    Process::start(&mut tournament("40", &here)).finish(LONG);
    let workers: Vec<Process> = ["a", "b", "c"]
        .map(|name| Process::worker(&server.url(), name, &[]))
        .into();
    let output = Process::start(tournament("40", &there).args(["--on", &server.url()])).finish(LONG);
    assert!(output.contains("\"played\":120"), "{output}");
    assert_eq!(games(&there), games(&here));
    // Begun again, there is nothing left to do.
    let output = Process::start(tournament("40", &there).args(["--on", &server.url()])).finish(LONG);
    assert!(output.contains("\"played\":0"), "{output}");
    drop(workers);
}

#[test]
fn swiss_over_workers_pairs_the_same_players_as_at_home() {
    let Some(server) = NatsServer::start("swiss") else {
        return;
    };
    let folder = Folder::new("on-swiss");
    let (here, there) = (folder.file("here.db"), folder.file("there.db"));
    let swiss = |db: &Path, rounds: &str| {
        let mut command = Command::new(TERZO);
        command
            .args([
                "tournament",
                "--game",
                "quarto",
                "--format",
                "swiss",
                "--rounds",
                rounds,
            ])
            .args(["--plies", "2", "--seed", "5", "--json", "--players", "random", "novice"])
            .args(["minimax:depth=1", "minimax:depth=2", "montecarlo:playouts=20"])
            .arg("--db")
            .arg(db);
        command
    };
    Process::start(&mut swiss(&here, "4")).finish(LONG);
    let _workers: Vec<Process> = ["one", "two"]
        .into_iter()
        .map(|name| Process::worker(&server.url(), name, &[]))
        .collect();
    // Who meets in a round depends on the rounds before, wherever those were played: half of them now, the rest later.
    for rounds in ["2", "4"] {
        Process::start(swiss(&there, rounds).args(["--on", &server.url()])).finish(LONG);
    }
    assert_eq!(games(&there), games(&here));
    // Five players: in each round two pairs meet, and one rests.
    assert_eq!(games(&there).len(), 8);
}
