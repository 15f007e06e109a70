//! Workers, servers and coordinators die.

use crate::deadline::Deadline;
use crate::folder::Folder;
use crate::nats_server::NatsServer;
use crate::played::{games, pairs_so_far, tournament};
use crate::process::{LONG, Process};

#[test]
fn whatever_dies_no_pair_is_lost_or_doubled() {
    let Some(mut server) = NatsServer::start("mortal") else {
        return;
    };
    let folder = Folder::new("on-mortal");
    let (here, there) = (folder.file("here.db"), folder.file("there.db"));
    let url = server.url();
    let mut workers: Vec<Process> = ["a", "b", "c"].map(|name| Process::worker(&url, name, &[])).into();
    // More rounds than anybody will see the end of: whatever happens to it happens in the middle.
    let coordinate = |rounds: &str| Process::start(tournament(rounds, &there).args(["--on", &url]));
    let mut coordinator = coordinate("1000000");
    let deadline = Deadline::after(LONG);
    let progress = |pairs: u64, coordinator: &mut Process| {
        let goal = pairs_so_far(&there) + pairs;
        deadline.wait("the tournament to go on", || {
            assert!(
                coordinator.alive(),
                "the coordinator has ended: {}",
                coordinator.last_words()
            );
            (pairs_so_far(&there) >= goal).then_some(())
        });
    };
    progress(20, &mut coordinator);
    for accident in "wscwscw".chars() {
        match accident {
            'w' => {
                workers.remove(0);
                workers.push(Process::worker(&url, &format!("w{}", pairs_so_far(&there)), &[]));
            }
            's' => server.revive(),
            _ => {
                drop(coordinator);
                coordinator = coordinate("1000000");
            }
        }
        progress(15, &mut coordinator);
    }
    drop(coordinator);
    // What was in hand when it died is missing, and nothing else: those rounds are played to their end.
    coordinate("60").finish(LONG);
    Process::start(&mut tournament("60", &here)).finish(LONG);
    let mut played = games(&there);
    played.truncate(180);
    assert_eq!(played, games(&here));
}
