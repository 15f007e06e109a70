//! Ctrl-C, whatever they are at.

use crate::core_wait::CoreWait;
use crate::deadline::Deadline;
use crate::folder::Folder;
use crate::nats_server::NatsServer;
use crate::process::{Process, TERZO};
use std::process::Command;
use std::time::{Duration, Instant};

/// Waits until a worker has said that it is at work.
fn greeting(worker: &mut Process) {
    let (said, heard) = std::sync::mpsc::channel();
    let errors = worker.0.stderr.take().unwrap();
    std::thread::spawn(move || {
        for line in std::io::BufRead::lines(std::io::BufReader::new(errors)).map_while(Result::ok) {
            let _ = said.send(line);
        }
    });
    let line = heard.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(line.contains("at once through"), "{line}");
}

/// What is promised.
const LIMIT: Duration = Duration::from_secs(2);

/// Sends a signal and waits for the end; says whether it succeeded, and after how long, what it waited for a core left out.
fn interrupted(mut process: Process) -> (bool, Duration) {
    let id = process.0.id();
    let sent = Command::new("kill").args(["-INT", &id.to_string()]).status();
    assert!(sent.unwrap().success());
    let (began, mut core) = (Instant::now(), CoreWait::of(id));
    Deadline::after(10 * LIMIT).wait("terzo to end", || {
        core.look();
        (!process.alive()).then_some(())
    });
    let took = began.elapsed().saturating_sub(core.most());
    let (success, _, errors) = process.end(LIMIT);
    // Where it had a core it needs no force.
    let forced = errors.contains("does not stop by itself");
    assert!(!forced || took < LIMIT / 2, "{errors}");
    (success, took)
}

#[test]
fn a_worker_and_who_wants_the_work_end_within_two_seconds_whatever_they_are_at() {
    let Some(mut server) = NatsServer::start("interrupt") else {
        return;
    };
    let folder = Folder::new("nats-interrupt");
    let mut worst = Duration::ZERO;
    for away in [false, true] {
        // Nobody will live to see the end of this pair.
        let coordinator = Process::start(
            Command::new(TERZO)
                .args([
                    "tournament",
                    "--game",
                    "quarto",
                    "--players",
                    "minimax:depth=16",
                    "minimax:depth=15",
                    "--on",
                    &server.url(),
                    "--db",
                ])
                .arg(folder.file("deep.db")),
        );
        let mut worker = Process::worker(&server.url(), "deep", &[]);
        greeting(&mut worker);
        std::thread::sleep(Duration::from_secs(1));
        if away {
            server.kill();
        }
        for (name, process, good) in [("worker", worker, true), ("coordinator", coordinator, false)] {
            let (success, took) = interrupted(process);
            assert!(took < LIMIT, "{name} took {took:?}, server away: {away}");
            assert_eq!(success, good, "{name}");
            worst = worst.max(took);
        }
    }
    println!("worst {:.3} s", worst.as_secs_f64());
}
