//! Work over other machines as a user meets it: real processes, a real NATS server, and all of them mortal.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]
#![cfg(feature = "nats")]

#[path = "../../arena/tests/support/deadline.rs"]
mod deadline;
#[path = "support/folder.rs"]
mod folder;
#[path = "support/long_solve.rs"]
mod long_solve;
#[path = "../../arena/tests/support/nats_server.rs"]
mod nats_server;

use arena::store::Store;
use async_nats::HeaderMap;
use async_nats::jetstream::{self, stream::Stream};
use deadline::Deadline;
use folder::Folder;
use futures_util::StreamExt;
use nats_server::NatsServer;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// Enough for some seconds of work, and the same every time: nobody looks at the clock.
const PLAN: [&str; 10] = [
    "--game",
    "quarto",
    "--players",
    "novice",
    "minimax:depth=2,opening=novice,switch=5",
    "montecarlo:playouts=150",
    "--plies",
    "2",
    "--seed",
    "9",
];

/// A process that is killed with its owner.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Self {
        let command = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Process(command.spawn().unwrap())
    }

    fn worker(url: &str, name: &str, more: &[&str]) -> Self {
        Process::start(
            Command::new(TERZO)
                .args(["worker", "--on", url, "--jobs", "1", "--memory", "16M", "--name", name])
                .args(more),
        )
    }

    /// Waits until it ends by itself; it must succeed.
    fn finish(self, patience: Duration) -> String {
        let (ended, output, errors) = self.end(patience);
        assert!(ended, "{errors}");
        output
    }

    fn end(mut self, patience: Duration) -> (bool, String, String) {
        let status = Deadline::after(patience).wait("terzo to end", || self.0.try_wait().unwrap());
        let text = |pipe: Option<&mut dyn std::io::Read>| {
            let mut text = String::new();
            let _ = pipe.map(|pipe| pipe.read_to_string(&mut text));
            text
        };
        let output = text(self.0.stdout.as_mut().map(|pipe| pipe as _));
        let errors = text(self.0.stderr.as_mut().map(|pipe| pipe as _));
        (status.success(), output, errors)
    }

    fn alive(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// What it said before it ended.
    fn last_words(&mut self) -> String {
        let mut words = String::new();
        if let Some(pipe) = &mut self.0.stderr {
            let _ = std::io::Read::read_to_string(pipe, &mut words);
        }
        words
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn tournament(rounds: &str, db: &Path) -> Command {
    let mut command = Command::new(TERZO);
    command
        .arg("tournament")
        .args(PLAN)
        .args(["--rounds", rounds, "--json", "--db"])
        .arg(db);
    command
}

/// All that was played: everything but the clocks.
fn games(db: &Path) -> Vec<String> {
    let store = Store::existing(db).unwrap();
    let mut games = Vec::new();
    store
        .each_pair(1, |pair| {
            let [a, b] = &pair.games;
            games.push(format!(
                "{} {} {} {} {} {:?} | {} {:?} {} | {} {:?} {}",
                pair.number,
                pair.first,
                pair.second,
                pair.round,
                pair.opening,
                pair.start,
                a.turns,
                a.winner,
                a.detail,
                b.turns,
                b.winner,
                b.detail
            ));
        })
        .unwrap();
    assert_eq!(store.integrity().unwrap(), Vec::<String>::new());
    games
}

fn pairs_so_far(db: &Path) -> u64 {
    let entry = Store::existing(db).and_then(|store| store.entry(Some(1)));
    entry.map_or(0, |entry| entry.pairs)
}

const LONG: Duration = Duration::from_secs(600);

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

#[test]
fn jobs_and_reports_that_come_twice_count_once() {
    let Some(server) = NatsServer::start("twice") else {
        return;
    };
    let folder = Folder::new("on-twice");
    let (here, there) = (folder.file("here.db"), folder.file("there.db"));
    Process::start(&mut tournament("40", &here)).finish(LONG);
    let mut coordinator = Process::start(tournament("40", &there).args(["--on", &server.url()]));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let copied = runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let context = jetstream::new(client.clone());
        let deadline = Deadline::after(LONG);
        let streams = loop {
            deadline.check(|| "the streams are not made".into());
            let (jobs, reports) = (
                context.get_stream("TERZO_JOBS").await,
                context.get_stream("TERZO_REPORTS").await,
            );
            match (jobs, reports) {
                (Ok(jobs), Ok(reports)) => break [jobs, reports],
                _ => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        };
        let [jobs, reports] = streams;
        // Whoever hears of a report when it is written does not miss one that is taken away at once.
        let subject = reports.cached_info().config.subjects[0].clone();
        let mut reports = client.subscribe(subject).await.unwrap();
        // The first jobs are copied before anybody could take them.
        let (mut seen, mut copied) = (0, [0; 2]);
        while copied[0] == 0 {
            deadline.check(|| "no job is written".into());
            copied[0] += copy_stored(&context, &jobs, &mut seen).await;
        }
        let _workers = ["a", "b"].map(|name| Process::worker(&server.url(), name, &[]));
        while coordinator.alive() {
            deadline.check(|| format!("the tournament does not end; copied {copied:?}"));
            copied[0] += copy_stored(&context, &jobs, &mut seen).await;
            while let Ok(Some(report)) = tokio::time::timeout(Duration::from_millis(1), reports.next()).await {
                let headers = report.headers.unwrap_or_default();
                copied[1] += copy(&context, report.subject.to_string(), &headers, report.payload).await;
            }
        }
        copied
    });
    coordinator.finish(LONG);
    assert!(copied[0] > 0 && copied[1] > 0, "{copied:?}");
    assert_eq!(games(&there), games(&here));
}

/// Writes every new message of a stream once more.
async fn copy_stored(context: &jetstream::Context, stream: &Stream, seen: &mut u64) -> u64 {
    let mut copied = 0;
    let Ok(info) = stream.get_info().await else { return 0 };
    while *seen < info.state.last_sequence {
        *seen += 1;
        if let Ok(message) = stream.get_raw_message(*seen).await {
            copied += copy(context, message.subject.to_string(), &message.headers, message.payload).await;
        }
    }
    copied
}

/// Writes a message once more, without the id by which the server would know it, unless it is such a copy.
async fn copy(context: &jetstream::Context, subject: String, headers: &HeaderMap, payload: impl Into<Vec<u8>>) -> u64 {
    if headers.get("Copy").is_some() {
        return 0;
    }
    let mut headers = HeaderMap::new();
    headers.insert("Copy", "yes");
    match context
        .publish_with_headers(subject, headers, payload.into().into())
        .await
    {
        Ok(stored) => stored.await.is_ok().into(),
        Err(_) => 0,
    }
}

#[test]
fn a_batch_and_a_book_are_the_same_from_elsewhere() {
    let Some(server) = NatsServer::start("solve") else {
        return;
    };
    let folder = Folder::new("on-solve");
    let url = server.url();
    let _workers = ["a", "b"].map(|name| Process::worker(&url, name, &[]));
    let positions = folder.file("positions.txt");
    let lines: Vec<String> = (0..40)
        .map(|i| {
            format!(
                "{:x}.../.{:x}../..{:x}d/{:x}0.. f",
                1 + i % 4,
                5 + i % 3,
                8 + i % 2,
                10 + i % 3
            )
        })
        .collect();
    std::fs::write(&positions, format!("# some\n\n{}\n", lines.join("\n"))).unwrap();
    let solve = |more: &[&str]| {
        let output = Process::start(
            Command::new(TERZO)
                .args(["solve", "quarto", "--json", "--batch"])
                .arg(&positions)
                .args(more),
        )
        .finish(LONG);
        let answers = output.lines().map(|line| {
            let mut answer: serde_json::Value = serde_json::from_str(line).unwrap();
            let object = answer.as_object_mut().unwrap();
            object.retain(|key, _| key != "nodes" && key != "seconds");
            answer
        });
        answers.collect::<Vec<_>>()
    };
    let here = solve(&[]);
    assert_eq!(here.len(), 40);
    assert_eq!(solve(&["--on", &url]), here);

    for (what, name) in [("--depth", "book"), ("--placed", "table")] {
        let build = |place: &str, more: &[&str]| {
            let file = folder.file(&format!("{place}.{name}"));
            let mut command = Command::new(TERZO);
            command.args(["book", "build", "quarto-torus", what, "2", "--memory", "64M", "-o"]);
            Process::start(command.arg(&file).args(more)).finish(LONG);
            std::fs::read(file).unwrap()
        };
        assert!(build("there", &["--on", &url]) == build("here", &[]), "{name}");
    }

    // What is wrong with a line is said with its place, after all before it were answered.
    std::fs::write(&positions, format!("{}\nnonsense\n", lines[0])).unwrap();
    let mut command = Command::new(TERZO);
    let command = command
        .args(["solve", "quarto", "--on", &url, "--batch"])
        .arg(&positions);
    let (ended, output, errors) = Process::start(command).end(LONG);
    assert!(
        !ended && output.lines().count() == 1 && errors.contains("line 2"),
        "{output} {errors}"
    );
}

#[test]
fn one_position_solved_elsewhere_has_its_value_whoever_dies_meanwhile() {
    let Some(server) = NatsServer::start("long-solve") else {
        return;
    };
    let folder = Folder::new("on-long-solve");
    let url = server.url();
    let journal = folder.file("torus.journal");
    let solve = || {
        let mut command = long_solve::in_parts(TERZO, &journal, "50000");
        command.args(["--on", &url]);
        Process::start(&mut command)
    };
    // Whole lines: the last one may be half written.
    let answers = || {
        std::fs::read_to_string(&journal)
            .unwrap_or_default()
            .matches('\n')
            .count()
    };
    let await_more = |more: usize, what: &str| {
        let enough = answers() + more;
        Deadline::after(LONG).wait(what, || (answers() >= enough).then_some(()));
    };
    let mut workers = vec![Process::worker(&url, "a", &[]), Process::worker(&url, "b", &[])];
    let first = solve();
    await_more(5, "the first answers");
    workers.remove(0);
    workers.push(Process::worker(&url, "c", &[]));
    await_more(5, "answers after a worker died");
    drop(first);
    let kept = std::fs::read_to_string(&journal).unwrap();
    let kept = &kept[..=kept.rfind('\n').unwrap()];
    workers.remove(0);
    let second = solve();
    let answer: serde_json::Value = serde_json::from_str(&second.finish(LONG)).unwrap();
    assert_eq!(answer["value"], "loss", "{answer}");
    assert!(std::fs::read_to_string(&journal).unwrap().starts_with(kept) && kept.lines().count() >= 10);
}

#[test]
fn a_worker_with_another_program_of_the_same_name_does_not_play() {
    let Some(server) = NatsServer::start("versions") else {
        return;
    };
    let url = server.url();
    let (here, there) = (Folder::new("on-versions-here"), Folder::new("on-versions-there"));
    let write = |folder: &Folder, version: &str| {
        let script = format!("# {version}\nexec '{TERZO}' ugi quarto --player novice\n");
        std::fs::write(folder.file("mine.sh"), script).unwrap();
    };
    write(&here, "one");
    write(&there, "two");
    let work = || {
        let mut command = Command::new(TERZO);
        command.args([
            "worker",
            "--on",
            &url,
            "--jobs",
            "1",
            "--memory",
            "16M",
            "--engines",
            "--name",
            "other",
        ]);
        Process::start(command.current_dir(&there.0))
    };
    let play = || {
        let mut command = Command::new(TERZO);
        let players = [
            "--players",
            "random",
            "engine:sh mine.sh",
            "--rounds",
            "2",
            "--on",
            &url,
        ];
        command.args(["tournament", "--game", "quarto"]).args(players);
        Process::start(command.current_dir(&here.0)).end(LONG)
    };
    let worker = work();
    let (ended, _, errors) = play();
    assert!(
        !ended && errors.contains("mine.sh was") && errors.contains("worker other"),
        "{errors}"
    );
    drop(worker);
    write(&there, "one");
    let _worker = work();
    let (ended, _, errors) = play();
    assert!(ended, "{errors}");
}

#[test]
fn a_worker_starts_no_programs_and_opens_no_files_unless_it_was_told_to() {
    let Some(server) = NatsServer::start("wary") else {
        return;
    };
    let folder = Folder::new("on-wary");
    let url = server.url();
    let _worker = Process::worker(&url, "wary", &[]);
    let engine = format!("engine:{TERZO} ugi quarto --player novice");
    let play = |game: &str, player: &str, db: &str| {
        let mut command = Command::new(TERZO);
        command.args([
            "tournament",
            "--game",
            game,
            "--players",
            player,
            "random",
            "--rounds",
            "2",
            "--on",
            &url,
            "--db",
        ]);
        Process::start(command.arg(folder.file(db))).end(LONG)
    };
    let (ended, _, errors) = play("quarto", &engine, "a.db");
    assert!(
        !ended && errors.contains("--engines") && errors.contains("worker wary"),
        "{errors}"
    );
    let sheet = folder.file("mine.kif");
    std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../gdl/games/tictactoe.kif"),
        &sheet,
    )
    .unwrap();
    let (ended, _, errors) = play(&format!("gdl:{}", sheet.display()), "random", "b.db");
    assert!(!ended && errors.contains("only bundled rule sheets"), "{errors}");
    drop(_worker);
    let _bold = Process::worker(&url, "bold", &["--engines"]);
    let (ended, _, errors) = play("quarto", &engine, "c.db");
    assert!(ended, "{errors}");
    let (ended, _, errors) = play("tictactoe", "random", "d.db");
    assert!(ended, "{errors}");
}

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

/// Sends a signal and waits for the end; says whether it succeeded, and after how long.
fn interrupted(process: Process) -> (bool, Duration) {
    let sent = Command::new("kill")
        .args(["-INT", &process.0.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    let began = Instant::now();
    let (success, _, errors) = process.end(Duration::from_secs(20));
    assert!(!errors.contains("does not stop by itself"), "{errors}");
    (success, began.elapsed())
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
            assert!(
                took < Duration::from_secs(2),
                "{name} took {took:?}, server away: {away}"
            );
            assert_eq!(success, good, "{name}");
            worst = worst.max(took);
        }
    }
    println!("worst {:.3} s", worst.as_secs_f64());
}
