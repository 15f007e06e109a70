//! Engines that do everything at once that an engine must not do, and Terzo ended in the middle of it, however that is done.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "../../process/tests/support/marked.rs"]
mod marked;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use marked::Mark;
use patience::{PATIENCE, end, wait_for};
use run::{TERZO, finish};
use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What each engine does when it is asked for a move, and how its game ends if nobody ends Terzo before.
const ENGINES: [(&str, &str); 7] = [
    ("forks", "crash"),
    ("hides", "timeout"),
    ("deaf", "timeout"),
    ("hangs", "timeout"),
    ("hoards", "crash"),
    ("fills", "crash"),
    ("floods", "timeout"),
];

/// Where a file called `hold` lies, each goes on with what it does as long as its limits let it; without, it does it until it dies.
/// It writes a note when it is at it.
const SCRIPT: &str = r#"import os, signal, subprocess, sys, time
kind, hold = sys.argv[1], os.path.exists('hold')
def spin():
    while True: pass
def at_it():
    if hold: open(kind + '.note', 'w').close()
def forks():
    for child in range(3 if hold else 40):
        if os.fork() == 0: spin() if hold else time.sleep(1000)
    at_it()
    time.sleep(1000)
def hides():
    deaf = "trap '' TERM HUP INT QUIT; while :; do sleep 1; done"
    subprocess.Popen(['setsid', 'sh', '-c', deaf])
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: spin()
        os._exit(0)
    os.wait()
    at_it()
    time.sleep(1000)
def deaf():
    for name in ('TERM', 'HUP', 'INT', 'QUIT', 'ALRM', 'USR1'): signal.signal(getattr(signal, 'SIG' + name), signal.SIG_IGN)
    at_it()
    while True: time.sleep(1)
def hangs():
    at_it()
    time.sleep(1000)
def hoards():
    while True:
        try: everything = bytearray(3 << 30)
        except MemoryError:
            if not hold: raise
            at_it()
            time.sleep(0.01)
def fills():
    while True:
        try: open('full', 'ab').write(bytes(9 << 20))
        except OSError:
            if not hold: raise
            at_it()
            time.sleep(0.01)
def floods():
    while True:
        for line in range(1000): print('info nothing ' * 100)
        at_it()
for line in sys.stdin:
    word = line.split()[0] if line.split() else ''
    if word == 'quit': break
    elif word == 'go': globals()[kind]()
    elif word in ('ugi', 'isready'): print({'ugi': 'ugiok', 'isready': 'readyok'}[word], flush=True)
"#;

/// A clock that never runs out here.
const LONG: &str = "move=1000s";

/// The size of a file in a folder of an engine's own that it may write to.
const DISK: u64 = 4 << 20;

/// All of them against `random`, at the same time. Only who would hang for ever has a short clock, if there is one: who is to
/// die by its limits needs the time for that, on however busy a machine.
fn write_plan(folder: &Folder, shortest: &str) {
    let player = |(kind, verdict): &(&str, &str)| {
        let time = if *verdict == "timeout" { shortest } else { LONG };
        format!(
            "{{name = '{kind}', cmd = 'python3', args = ['engine.py', '{kind}'], dir = '.', start = '100s', time = '{time}'}}"
        )
    };
    let players: Vec<String> = ENGINES.iter().map(player).collect();
    let plan = format!(
        "game = 'quarto'\nformat = 'gauntlet'\nrounds = 1\ntime = '{LONG}'\nmargin = '1s'\nconcurrency = {}\n\
         limits = 'memory=256M,cpu=10000s,processes=16,files=64,disk={DISK},sandbox'\nplayers = ['random', {}]\n",
        ENGINES.len(),
        players.join(", ")
    );
    std::fs::write(folder.file("plan.toml"), plan).unwrap();
    std::fs::write(folder.file("engine.py"), SCRIPT).unwrap();
}

fn start(folder: &Folder, mark: &Mark) -> Child {
    // Whoever runs the tests in the background of a shell ignores some signals, and all inherit that.
    mark.put(&mut Command::new("env"))
        .args(["--default-signal=QUIT,INT", TERZO, "tournament", "plan.toml"])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(folder.file("errors")).unwrap())
        .spawn()
        .unwrap()
}

/// Ends Terzo with these signals while all engines are at it. Nothing of them is left, and their limits held.
fn nothing_is_left_after(name: &str, signals: &[&str]) {
    let (folder, mark) = (Folder::new(name), Mark::new(name));
    write_plan(&folder, LONG);
    File::create(folder.file("hold")).unwrap();
    let mut terzo = start(&folder, &mark);
    for (kind, _) in ENGINES {
        wait_for(kind, || {
            let errors = || std::fs::read_to_string(folder.file("errors")).unwrap();
            assert_eq!(terzo.try_wait().unwrap(), None, "{kind}: {}", errors());
            folder.file(&format!("{kind}.note")).exists().then_some(())
        });
    }
    assert!(mark.alive().len() > 2 * ENGINES.len(), "{:#?}", mark.alive());
    let began = Instant::now();
    for name in signals {
        let sent = Command::new("kill").arg(name).arg(terzo.id().to_string()).status();
        assert!(sent.unwrap().success(), "{name}");
        // The second is not lost in the first.
        std::thread::sleep(Duration::from_millis(10));
    }
    end(&mut terzo, "terzo");
    let ended = began.elapsed();
    let took = mark.until(|alive| alive == 0, PATIENCE);
    println!(
        "{name}: ended after {:.3} s, nothing left {:.3} s later",
        ended.as_secs_f64(),
        took.as_secs_f64()
    );
    let full = std::fs::metadata(folder.file("full")).unwrap().len();
    assert!(full <= DISK, "{full} bytes in a file");
}

#[test]
fn nothing_is_left_after_an_interrupt() {
    nothing_is_left_after("unruly-int", &["-INT"]);
}

#[test]
fn nothing_is_left_after_two_interrupts() {
    nothing_is_left_after("unruly-int-int", &["-INT", "-INT"]);
}

#[test]
fn nothing_is_left_after_a_request_to_terminate() {
    nothing_is_left_after("unruly-term", &["-TERM"]);
}

#[test]
fn nothing_is_left_after_a_quit() {
    nothing_is_left_after("unruly-quit", &["-QUIT"]);
}

#[test]
fn nothing_is_left_after_a_kill() {
    nothing_is_left_after("unruly-kill", &["-KILL"]);
}

#[test]
fn each_loses_by_the_right_verdict_and_nothing_is_left() {
    let (folder, mark) = (Folder::new("unruly"), Mark::new("unruly"));
    write_plan(&folder, "move=500ms");
    let mut command = Command::new(TERZO);
    let arguments = ["tournament", "plan.toml", "--json"];
    finish(mark.put(&mut command).args(arguments).current_dir(&folder.0)).good();
    assert_eq!(mark.alive(), [""; 0]);
    let export = ["records", "export", "--format", "jsonl"];
    let games = finish(Command::new(TERZO).args(export).current_dir(&folder.0))
        .good()
        .out;
    assert_eq!(games.lines().count(), 2 * ENGINES.len(), "{games}");
    for line in games.lines() {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        let seats = game["seats"].as_array().unwrap();
        let sits = |(kind, _): &(&str, &str)| seats.iter().any(|name| name == kind);
        let (kind, verdict) = ENGINES.into_iter().find(sits).unwrap();
        assert_eq!(game["verdict"], verdict, "{kind}: {game}");
    }
    assert!(std::fs::metadata(folder.file("full")).unwrap().len() <= DISK);
}
