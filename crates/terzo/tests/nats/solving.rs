//! Positions, books and tables that are solved elsewhere.

use crate::deadline::Deadline;
use crate::folder::Folder;
use crate::long_solve;
use crate::nats_server::NatsServer;
use crate::process::{LONG, Process, TERZO};
use std::process::Command;

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

    for (what, name) in [("--depth=1", "book"), ("--placed=2", "table")] {
        let build = |place: &str, more: &[&str]| {
            let file = folder.file(&format!("{place}.{name}"));
            let mut command = Command::new(TERZO);
            command.args(["book", "build", "quarto-torus", what, "--memory", "64M", "-o"]);
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
