//! A class of sixteen programs in four languages, half of them broken: one command, right standings, a folder for everybody.

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
use run::{Ran, TERZO, finish};
use std::path::Path;
use std::process::Command;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A program in Python that greets properly and does `go` when asked to.
fn broken(go: &str) -> String {
    format!(
        "import os, signal, subprocess, sys, time\nfor line in sys.stdin:\n    word = line.split()[0] if line.split() else ''\n    if word == 'quit': break\n    \
         elif word == 'go':\n        {go}\n    elif word in ('ugi', 'isready'): print({{'ugi': 'ugiok', 'isready': 'readyok'}}[word], flush=True)\n"
    )
}

/// What is broken in those who can be greeted, and what their reports say of it.
const BROKEN: [(&str, &str, &str); 6] = [
    (
        "forks",
        "[os.fork() or time.sleep(1000) for i in range(40)]; time.sleep(1000)",
        "by crash",
    ),
    (
        "hides",
        "subprocess.Popen(['setsid', 'sh', '-c', \"trap '' TERM HUP INT; while :; do sleep 1; done\"]); signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)",
        "by timeout",
    ),
    ("hoards", "x = bytearray(3 << 30)", "MemoryError"),
    (
        "fills",
        // A hole is as large as what would fill it, and takes no time to write.
        "full = open('full', 'wb', 0); full.seek(300 << 20); full.write(b'.')",
        "File too large",
    ),
    (
        "floods",
        "exec('while True: print(\"info nothing \" * 1000)')",
        "by timeout",
    ),
    ("nonsense", "print('bestmove', 'z9.zz', flush=True)", "by illegal"),
];

/// Those who cannot even be greeted, and why.
const MUTE: [(&str, &str, &str); 2] = [
    ("hangs", "import time\ntime.sleep(1000)\n", "it never said `ugiok`"),
    (
        "unflushed",
        "import os, sys\nsys.stdout = os.fdopen(1, 'w', 1 << 16)\nfor line in sys.stdin:\n    if line.startswith('ugi'): print('ugiok')\n    if line.startswith('isready'): print('readyok')\n",
        "flush=True",
    ),
];

const GOOD: [&str; 8] = ["alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"];

fn has(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|told| told.status.success())
}

fn write_class(folder: &Path) {
    let copy = |name: &str, to: &str| {
        let to = folder.join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(Path::new(EXAMPLES).join(name), to).unwrap();
    };
    std::fs::create_dir_all(folder).unwrap();
    copy("player.py", "alice.py");
    copy("player.sh", "bob.sh");
    copy("agent.cpp", "carol/agent.cpp");
    match has("java") {
        true => copy("Agent.java", "dave/Agent.java"),
        false => copy("player.py", "dave/agent.py"),
    }
    copy("player.py", "erin/main.py");
    for (name, player) in [("frank", "minimax:depth=2"), ("grace", "novice"), ("heidi", "random")] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        let table = format!("cmd = '{TERZO}'\nargs = ['ugi', 'quarto', '--player', '{player}']\n");
        std::fs::write(folder.join(name).join("engine.toml"), table).unwrap();
    }
    for (name, go, _) in BROKEN {
        std::fs::write(folder.join(format!("{name}.py")), broken(go)).unwrap();
    }
    for (name, text, _) in MUTE {
        std::fs::write(folder.join(format!("{name}.py")), text).unwrap();
    }
}

/// A clock for programs some of which are waited for in vain.
const BRISK: [&str; 6] = ["--time", "move=500ms", "--margin", "500ms", "--start", "20s"];

fn class(folder: &Folder, mark: &Mark, clock: [&str; 6], more: &[&str]) -> Ran {
    let mut command = Command::new(TERZO);
    let words = [
        "class",
        "programs",
        "--output",
        "results",
        "--rounds",
        "1",
        "--concurrency",
        "2",
    ];
    let words = words.iter().chain(&clock).chain(&["--mistakes", "20"]);
    finish(mark.put(&mut command).args(words).args(more).current_dir(&folder.0))
}

#[test]
#[ignore = "a minute or two: sixteen programs, and those that hang are waited for"]
fn sixteen_programs_half_of_them_broken_get_standings_and_a_folder_each() {
    let (folder, mark) = (Folder::new("class"), Mark::new("class"));
    write_class(&folder.file("programs"));
    let told = class(&folder, &mark, BRISK, &["--json"]).good();
    assert_eq!(mark.alive(), [""; 0]);
    let all = told.json();
    let students = all["students"].as_array().unwrap();
    assert_eq!(students.len(), 16, "{all}");
    let report = |name: &str| {
        let path = folder.file("results").join("students").join(name).join("report.md");
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    // Who can be greeted plays, and who cannot keeps nobody from playing.
    for student in students {
        let name = student["name"].as_str().unwrap();
        let mute = MUTE.iter().find(|(mute, ..)| *mute == name);
        assert_eq!(student["absent"].is_string(), mute.is_some(), "{student}");
        if let Some((_, _, why)) = mute {
            let text = report(name);
            assert!(text.contains("It did not play") && text.contains(why), "{name}: {text}");
        }
    }
    let standings = std::fs::read_to_string(folder.file("results/standings.md")).unwrap();
    assert!(
        standings.contains("Did not play:") && standings.contains("- hangs: it never said"),
        "{standings}"
    );
    for (name, _, why) in BROKEN {
        let text = report(name);
        assert!(text.contains("Games lost by a fault of its own"), "{name}: {text}");
        let log = std::fs::read_dir(folder.file("results").join("students").join(name).join("log")).unwrap();
        let said: String = log
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        assert!(text.contains(why) || said.contains(why), "{name}: {text}");
    }
    // Whoever plays by the rules stands above whoever does not.
    let place = |name: &str| {
        let text = report(name);
        let place = text.split("Place ").nth(1).unwrap().split(' ').next().unwrap();
        place.parse::<usize>().unwrap()
    };
    let worst = GOOD.iter().map(|name| place(name)).max().unwrap();
    assert_eq!(worst, GOOD.len(), "{standings}");
    for name in GOOD {
        let text = report(name);
        assert!(
            text.contains("## Advice") && text.contains("## Mistakes against the truth"),
            "{name}: {text}"
        );
        assert!(text.contains("s of processor time in 26 games"), "{name}: {text}");
        let games = std::fs::read_dir(folder.file("results").join("students").join(name).join("games")).unwrap();
        assert_eq!(games.count(), 2 * 13, "{name}");
    }
}

#[test]
fn a_students_folder_tells_the_processor_time_beside_the_time_on_the_clock() {
    let (folder, mark) = (Folder::new("class-time"), Mark::new("class-time"));
    std::fs::create_dir(folder.file("programs")).unwrap();
    // It works for a moment when it starts, so its time cannot be too little to be counted.
    let player = std::fs::read_to_string(Path::new(EXAMPLES).join("player.py")).unwrap();
    let work = "import time\nuntil = time.process_time() + 0.2\nwhile time.process_time() < until: pass\n";
    std::fs::write(folder.file("programs/alice.py"), work.to_owned() + &player).unwrap();
    let patient = ["--time", "move=20s", "--margin", "20s", "--start", "200s"];
    class(&folder, &mark, patient, &["--with", "random", "--limits", "cpu=60s"]).good();
    let report = std::fs::read_to_string(folder.file("results/students/alice/report.md")).unwrap();
    let seconds = |before: &str, after: &str| {
        let told = report.split(after).next().unwrap().rsplit(before).next().unwrap();
        told.trim()
            .parse::<f64>()
            .unwrap_or_else(|error| panic!("{error}: {report}"))
    };
    let in_all = seconds("most.", "s of processor time in 2 games");
    assert!(in_all >= 0.2, "{report}");
    assert!(
        report.contains("| against | won | drawn | lost | processor seconds |"),
        "{report}"
    );
    assert_eq!(seconds("|", "|\n\n## Time"), in_all, "{report}");
    assert!(report.contains("s on the clock in "), "{report}");
    assert!(
        report.contains("of the 20000 ms that it has: there is time"),
        "{report}"
    );
}

#[test]
fn a_folder_without_programs_and_a_program_that_does_not_compile_are_named() {
    let (folder, mark) = (Folder::new("class-small"), Mark::new("class-small"));
    std::fs::create_dir(folder.file("programs")).unwrap();
    let none = class(&folder, &mark, BRISK, &[]);
    assert_eq!(none.code, Some(1));
    assert!(
        none.err.contains("expected a file or a folder for each student"),
        "{}",
        none.err
    );
    std::fs::write(folder.file("programs/wrong.cpp"), "int main() { return nothing; }\n").unwrap();
    std::fs::create_dir(folder.file("programs/empty")).unwrap();
    let alone = class(&folder, &mark, BRISK, &["--with", "random"]);
    assert_eq!(alone.code, Some(2));
    assert!(alone.err.contains("it takes two"), "{}", alone.err);
    let played = class(&folder, &mark, BRISK, &["--with", "random", "novice"]).good();
    assert!(played.out.contains("- wrong: it does not compile"), "{}", played.out);
    assert!(played.out.contains("- empty: no program found"), "{}", played.out);
    // The same command finds nothing left to play, and tells the same standings.
    let again = class(&folder, &mark, BRISK, &["--with", "random", "novice", "--json"])
        .good()
        .json();
    assert_eq!(again["results"]["played"], 0, "{again}");
    let report = std::fs::read_to_string(folder.file("results/students/wrong/report.md")).unwrap();
    assert!(report.contains("nothing"), "{report}");
}
