//! Programs that fork, hide and run away, and what is left of them: nothing.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/marked.rs"]
mod marked;

use marked::Mark;
use process::{Program, ProgramStreams, Supervised, supervise_with};
use rustix::event::{PollFd, PollFlags, poll};
use std::io::{PipeReader, Read, pipe};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

/// Where waiting ends, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program in shell, its output, and the mark that all it starts carries.
struct Test {
    supervised: Supervised,
    output: PipeReader,
    mark: Mark,
}

fn null() -> OwnedFd {
    std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")
        .unwrap()
        .into()
}

fn start(name: &str, script: &str) -> Test {
    start_in(name, script, false)
}

fn start_in(name: &str, script: &str, without_cgroup: bool) -> Test {
    supervise_with(Path::new(env!("CARGO_BIN_EXE_supervisor")));
    let mark = Mark::new(name);
    let program = Program {
        program: "sh".into(),
        arguments: vec!["-c".into(), script.into()],
        folder: None,
        environment: [mark.variable()].into(),
        without_cgroup,
        ..Program::default()
    };
    let (output, theirs) = pipe().unwrap();
    let streams = ProgramStreams {
        input: null(),
        output: theirs.into(),
        errors: null(),
    };
    Test {
        supervised: Supervised::start(&program, streams).unwrap(),
        output,
        mark,
    }
}

impl Test {
    /// Waits until the program has said this.
    fn hear(&mut self, expected: &str) -> String {
        let (deadline, mut text) = (Instant::now() + PATIENCE, String::new());
        while !text.ends_with(expected) {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut watched = [PollFd::new(&self.output, PollFlags::IN)];
            let ready = poll(&mut watched, Some(&left.try_into().unwrap())).unwrap();
            assert!(ready > 0, "{expected:?} expected, heard {text:?}");
            let mut byte = [0];
            assert_eq!(
                self.output.read(&mut byte).unwrap(),
                1,
                "{expected:?} expected, heard {text:?}"
            );
            text.push(byte[0].into());
        }
        text
    }

    /// Processes that carry the mark, zombies not counted.
    fn alive(&self) -> Vec<String> {
        self.mark.alive()
    }

    fn until_alive(&self, count: usize) {
        self.mark.until(|alive| alive == count, PATIENCE);
    }
}

/// Ways to have a child that runs on for ever. Each says `x` when it does.
const RUNAWAYS: [(&str, &str); 5] = [
    ("plain", "sh -c 'echo x; while :; do :; done' &"),
    ("session", "setsid sh -c 'echo x; while :; do :; done' &"),
    ("orphan", "(setsid sh -c 'echo x; while :; do :; done' &) &"),
    (
        "deaf",
        "setsid sh -c \"trap '' TERM HUP INT QUIT; echo x; while :; do sleep 1; done\" &",
    ),
    (
        "grandchild",
        "setsid sh -c \"setsid sh -c 'echo x; sleep 1000' & echo; sleep 1000\" &",
    ),
];

/// Each of them with a cgroup, where there can be one, and without.
fn runaways() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    RUNAWAYS
        .into_iter()
        .flat_map(|(name, script)| [false, true].map(|without| (name, script, without)))
}

#[test]
fn children_end_with_their_leader_when_it_leaves_by_itself() {
    for (name, runaway, without_cgroup) in runaways() {
        let script = format!("{runaway} sleep 0.2; exit 3");
        let mut test = start_in(&format!("leaves-{name}"), &script, without_cgroup);
        let status = test.supervised.ended(PATIENCE).unwrap();
        assert_eq!(status.code(), Some(3), "{name}");
        // Nobody has asked for anything: that the leader has ended is enough.
        test.until_alive(0);
    }
}

#[test]
fn children_end_when_we_want_it_and_before_we_go_on() {
    for (name, runaway, without_cgroup) in runaways() {
        let script = format!("{runaway} sleep 1000");
        let mut test = start_in(&format!("killed-{name}"), &script, without_cgroup);
        test.hear("x\n");
        assert!(test.alive().len() >= 2, "{name}: {:?}", test.alive());
        test.supervised.kill();
        assert_eq!(test.alive(), [""; 0], "{name}");
        assert_eq!(
            test.supervised.ended(Duration::ZERO).unwrap().to_string(),
            "signal: 9 (SIGKILL)"
        );
    }
}

#[test]
fn who_is_dropped_is_ended() {
    let mut test = start("dropped", "setsid sleep 1000 & echo x; sleep 1000");
    test.hear("x\n");
    // The mark stays: it would end them itself.
    drop(test.supervised);
    assert_eq!(test.mark.alive(), [""; 0]);
}

#[test]
fn a_storm_of_children_is_ended() {
    // Four who have one child after another, each in a session of its own that outlives its parent.
    let storm = "setsid sh -c 'while :; do setsid sleep 1000 & sleep 0.01; done' &";
    for without_cgroup in [false, true] {
        let script = format!("{storm} {storm} {storm} {storm} echo x; sleep 1000");
        let mut test = start_in("storm", &script, without_cgroup);
        test.hear("x\n");
        let began = Instant::now();
        while test.alive().len() < 40 {
            assert!(began.elapsed() < PATIENCE, "{:?}", test.alive());
        }
        test.supervised.kill();
        assert_eq!(test.alive(), [""; 0]);
    }
}

#[test]
fn a_program_dies_with_its_supervisor() {
    let mut test = start("orphaned", "sleep 1000 & echo $PPID; sleep 1000");
    let supervisor = test.hear("\n");
    let killed = std::process::Command::new("kill")
        .args(["-9", supervisor.trim()])
        .status();
    assert!(killed.unwrap().success());
    // The leader by the system's signal; what is in its group when we notice.
    assert_eq!(test.supervised.ended(PATIENCE), None);
    test.supervised.kill();
    test.until_alive(0);
}

#[test]
fn a_supervisor_that_was_stopped_is_woken_up() {
    let mut test = start("stopped", "setsid sleep 1000 & echo x; kill -STOP $PPID; sleep 1000");
    test.hear("x\n");
    std::thread::sleep(Duration::from_millis(100));
    test.supervised.kill();
    test.until_alive(0);
}

#[test]
fn how_a_program_ended_is_told_and_how_it_failed_to_begin() {
    for (script, expected) in [
        ("exit 0", "exit status: 0"),
        ("exit 7", "exit status: 7"),
        ("kill -SEGV $$", "signal: 11 (SIGSEGV)"),
    ] {
        let mut test = start("status", script);
        let status = test.supervised.ended(PATIENCE).unwrap().to_string();
        assert!(status.starts_with(expected), "{script}: {status}");
    }
    let mut test = start("patience", "sleep 1000");
    assert_eq!(test.supervised.ended(Duration::from_millis(20)), None);

    let try_it = |program: &str| {
        let program = Program {
            program: program.into(),
            ..Program::default()
        };
        let streams = ProgramStreams {
            input: null(),
            output: null(),
            errors: null(),
        };
        Supervised::start(&program, streams).unwrap_err().kind()
    };
    assert_eq!(try_it("no-such-program-anywhere"), std::io::ErrorKind::NotFound);
    assert_eq!(try_it("/etc/passwd"), std::io::ErrorKind::PermissionDenied);
}

#[test]
fn no_zombie_and_no_supervisor_is_left() {
    let children = |of: u32| {
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
            if parent == Some(of.to_string().as_str()) {
                found.push(entry.file_name().into_string().unwrap());
            }
        }
        found
    };
    let mut test = start("zombie", "true & echo $PPID; exit 0");
    let supervisor = test.hear("\n");
    assert!(children(std::process::id()).contains(&supervisor.trim().to_owned()));
    drop(test);
    assert!(!children(std::process::id()).contains(&supervisor.trim().to_owned()));
}

#[test]
fn a_program_lives_in_a_cgroup_of_its_own_where_there_can_be_one() {
    let mut test = start("cgroup", "cat /proc/self/cgroup; echo end; sleep 1000");
    let text = test.hear("end\n");
    let own = std::fs::read_to_string("/proc/self/cgroup").unwrap();
    let path = |text: &str| text.lines().find_map(|line| line.strip_prefix("0::").map(String::from));
    let (Some(own), Some(theirs)) = (path(&own), path(&text)) else {
        eprintln!("skipped: no cgroups of version 2 here");
        return;
    };
    if own == theirs {
        eprintln!("skipped: the system lets us have no cgroup");
        return;
    }
    assert!(theirs.contains("terzo-engine-"), "{theirs}");
    test.supervised.kill();
    assert_eq!(test.alive(), [""; 0]);
}
