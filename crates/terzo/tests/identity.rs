//! Which tournament is which: changed programs are other players, and nobody plays what somebody else is playing.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use patience::wait_for;
use run::{TERZO, TOURNAMENT, terzo};
use rusqlite::Connection;
use std::process::{Command, Stdio};

/// An engine that answers with a novice, and a line by which its versions differ.
fn write_engine(folder: &Folder, version: &str) {
    let script = format!("# {version}\nexec '{TERZO}' ugi quarto --player novice\n");
    std::fs::write(folder.file("mine.sh"), script).unwrap();
}

const PLAY: [&str; 8] = [
    "tournament",
    "--game",
    "quarto",
    "--players",
    "random",
    "engine:sh mine.sh",
    "--rounds",
    "3",
];

fn keys(folder: &Folder) -> Vec<String> {
    let connection = Connection::open(folder.file("terzo.db")).unwrap();
    let mut query = connection.prepare("select key from tournaments order by id").unwrap();
    let rows = query.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_changed_program_begins_a_new_tournament_and_is_told_apart() {
    let folder = Folder::new("changed");
    write_engine(&folder, "one");
    let first = terzo(&folder, &PLAY).good();
    assert!(!first.err.contains("terzo:"), "{}", first.err);
    // The same again: there is nothing to play, and that is said.
    let again = terzo(&folder, &[&PLAY[..], &["--json"]].concat()).good();
    assert_eq!((&again.json()["id"], &again.json()["played"]), (&1.into(), &0.into()));
    assert!(again.err.contains("nothing new to play: all 3 pairs"), "{}", again.err);
    write_engine(&folder, "two");
    let changed = terzo(&folder, &[&PLAY[..], &["--json"]].concat()).good();
    assert_eq!(
        (&changed.json()["id"], &changed.json()["played"]),
        (&2.into(), &3.into())
    );
    assert!(
        changed.err.contains("not what tournament 1 was played with")
            && changed.err.contains("engine:sh mine.sh: mine.sh was ")
            && !changed.err.contains("sh: sh was"),
        "{}",
        changed.err
    );
    // Changed back, the old one goes on.
    write_engine(&folder, "one");
    let back = terzo(&folder, &[&PLAY[..7], &["4", "--json"]].concat()).good();
    assert_eq!((&back.json()["id"], &back.json()["played"]), (&1.into(), &1.into()));
    // Somebody who knows better may say so.
    write_engine(&folder, "three");
    let same = terzo(&folder, &[&PLAY[..7], &["5", "--same-engines", "--json"]].concat()).good();
    assert_eq!((&same.json()["id"], &same.json()["played"]), (&2.into(), &2.into()));
    assert!(same.err.contains("taken for the same"), "{}", same.err);
}

#[test]
fn a_declared_version_counts_instead_of_the_files() {
    let folder = Folder::new("declared");
    let plan = |version: &str| {
        let text = format!(
            "game = 'quarto'\nrounds = 2\nplayers = ['random', {{ name = 'mine', cmd = 'sh', args = ['mine.sh'], version = '{version}' }}]"
        );
        std::fs::write(folder.file("plan.toml"), text).unwrap();
    };
    let play = || terzo(&folder, &["tournament", "plan.toml", "--json"]).good();
    write_engine(&folder, "one");
    plan("1.0");
    assert_eq!(play().json()["played"], 2);
    write_engine(&folder, "another file, the same version");
    assert_eq!(play().json()["played"], 0);
    plan("1.1");
    let next = play();
    assert_eq!((&next.json()["id"], &next.json()["played"]), (&2.into(), &2.into()));
    assert!(next.err.contains("mine: version was 1.0 and is 1.1"), "{}", next.err);
}

#[test]
fn a_rule_sheet_is_known_by_what_it_says() {
    let folder = Folder::new("sheet");
    let sheet = gdl::bundled::text("tictactoe").unwrap();
    std::fs::write(folder.file("mine.kif"), sheet).unwrap();
    let play = || {
        let players = ["--players", "random", "random", "--rounds", "2", "--json"];
        terzo(
            &folder,
            &[&["tournament", "--game", "gdl:mine.kif"][..], &players].concat(),
        )
        .good()
    };
    assert_eq!(play().json()["id"], 1);
    assert_eq!(play().json()["id"], 1);
    std::fs::write(folder.file("mine.kif"), format!("{sheet}\n; other rules\n")).unwrap();
    let other = play();
    assert_eq!(other.json()["id"], 2);
    assert!(other.err.contains("rules: mine.kif was "), "{}", other.err);
}

#[test]
fn records_of_an_earlier_version_go_on() {
    let folder = Folder::new("earlier");
    terzo(&folder, &TOURNAMENT).good();
    // Where no program plays, the key is what it always was: the plan alone.
    assert!(!keys(&folder)[0].contains("identity"), "{:?}", keys(&folder));
    write_engine(&folder, "one");
    terzo(&folder, &PLAY).good();
    let whole = keys(&folder).remove(1);
    let (plan, _) = whole.split_once("\n# identity\n").unwrap();
    let connection = Connection::open(folder.file("terzo.db")).unwrap();
    connection
        .execute("update tournaments set key = ? where id = 2", [plan])
        .unwrap();
    drop(connection);
    let next = terzo(&folder, &[&PLAY[..7], &["5", "--json"]].concat()).good();
    assert_eq!((&next.json()["id"], &next.json()["played"]), (&2.into(), &2.into()));
    assert!(
        next.err.contains("recorded before programs were told apart"),
        "{}",
        next.err
    );
    assert_eq!(keys(&folder)[1], whole);
    let quiet = terzo(&folder, &[&PLAY[..7], &["6"]].concat()).good();
    assert!(!quiet.err.contains("terzo:"), "{}", quiet.err);
}

#[test]
fn a_program_that_changes_while_it_plays_is_noticed() {
    let folder = Folder::new("meanwhile");
    write_engine(&folder, "one");
    // It changes itself.
    let script = format!("echo '# changed' >> \"$0\"\nexec '{TERZO}' ugi quarto --player novice\n");
    std::fs::write(folder.file("mine.sh"), script).unwrap();
    let ran = terzo(&folder, &PLAY).good();
    assert!(ran.err.contains("since this run began"), "{}", ran.err);
}

#[test]
fn two_processes_do_not_play_the_same_tournament() {
    let folder = Folder::new("claimed");
    let arguments = ["tournament", "--game", "quarto", "--players", "random", "novice"];
    let mut first = Command::new(TERZO)
        .args(arguments)
        .args(["--rounds", "100000000"])
        .current_dir(&folder.0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The file is there before it is locked; who has written its number into it has the lock.
    wait_for("the first to begin", || {
        assert_eq!(first.try_wait().unwrap(), None, "the first has ended");
        let owner = std::fs::read_to_string(folder.file("terzo.db-1.lock")).ok()?;
        owner.ends_with('\n').then_some(())
    });
    let second = terzo(&folder, &arguments);
    let other = terzo(&folder, &[&arguments[..], &["--seed", "2", "--rounds", "2"]].concat());
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.code, Some(1));
    let named = format!("tournament 1 is being played by process {}", first.id());
    assert!(second.err.contains(&named), "{}", second.err);
    other.good();
    // Whoever was killed holds nothing any more.
    let third = terzo(&folder, &[&arguments[..], &["--rounds", "1", "--json"]].concat()).good();
    assert_eq!(third.json()["id"], 1);
    assert!(!folder.file("terzo.db-1.lock").exists());
}

#[test]
fn a_test_names_forfeits_and_a_failure_can_stop_it() {
    let folder = Folder::new("failures");
    let crash = "engine:sh -c 'while read -r l; do case $l in ugi) echo ugiok;; isready) echo readyok;; go*) exit 3;; esac; done'";
    let arguments = [
        "tournament",
        "--game",
        "quarto",
        "--players",
        "random",
        crash,
        "--rounds",
        "400",
    ];
    let test = ["--sprt", "elo0=0", "elo1=10", "--concurrency", "1"];
    let ran = terzo(&folder, &[&arguments[..], &test].concat()).good();
    assert!(
        ran.out.contains("forfeited games as losses") && ran.out.contains("crash"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("mend the players"), "{}", ran.err);
    assert!(ran.err.contains("the first failure: pair 0, game 1"), "{}", ran.err);
    let stop = ["--on-failure", "stop", "--seed", "2", "--json"];
    let ran = terzo(&folder, &[&arguments[..], &["--concurrency", "1"], &stop].concat());
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("stopped by a failure: pair 0, game 1"), "{}", ran.err);
    let played = ran.json()["played"].as_u64().unwrap();
    assert!((1..100).contains(&played), "{played}");
}
