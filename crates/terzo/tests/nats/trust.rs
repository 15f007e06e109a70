//! What a worker does for others, and what it does not.

use crate::folder::Folder;
use crate::nats_server::NatsServer;
use crate::process::{LONG, Process, TERZO};
use std::path::Path;
use std::process::Command;

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
