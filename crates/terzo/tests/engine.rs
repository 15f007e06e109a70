//! For authors of engines: what `engine check` says, what a match shows of a failure, and limits that hold.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;
#[path = "support/run.rs"]
mod run;

use folder::Folder;
use run::{Ran, terzo};
use serde_json::Value;

const PLAYER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/player.py");

/// A program in Python that greets properly and does `go` when asked to.
fn engine(folder: &Folder, go: &str) -> String {
    let script = format!(
        "import os, sys, time\nfor line in sys.stdin:\n    word = line.split()[0] if line.split() else ''\n    if word == 'quit': break\n    \
         elif word == 'go':\n        {go}\n    elif word in ('ugi', 'isready'): print({{'ugi': 'ugiok', 'isready': 'readyok'}}[word], flush=True)\n"
    );
    std::fs::write(folder.file("engine.py"), script).unwrap();
    "engine:python3 engine.py".into()
}

#[test]
fn an_engine_is_checked_and_the_exit_status_tells_whether_it_can_be_relied_on() {
    let folder = Folder::new("check");
    let command = format!("python3 '{PLAYER}'");
    let patient = ["--time", "20s", "--margin", "20s", "--start", "100s", "--games", "4"];
    let limits = [
        "--sandbox",
        "--limits",
        "memory=1G,cpu=100s,processes=9,files=99,disk=9M",
        "--json",
    ];
    let well = terzo(
        &folder,
        &[&["engine", "check", &command], &patient[..], &limits].concat(),
    )
    .good();
    let told: Value = serde_json::from_str(&well.out).unwrap();
    assert_eq!((&told["games"], &told["game"]), (&4.into(), &"quarto".into()), "{told}");
    assert_ne!(told["severity"], "error", "{told}");

    let command = engine(&folder, "print('bestmove a1.3', flush=True)");
    let wrong = terzo(&folder, &[&["engine", "check", &command], &patient[..]].concat());
    assert_eq!(wrong.code, Some(1), "{}{}", wrong.out, wrong.err);
    for expected in [
        "error    legality",
        "`bestmove a1.3` is not legal in ..../..../..../.... -",
        "mend: compare your board",
        "> position startpos",
        "< bestmove a1.3",
    ] {
        assert!(wrong.out.contains(expected), "{expected}: {}", wrong.out);
    }
    assert!(wrong.err.contains("has 1 error"), "{}", wrong.err);
    assert_eq!(
        terzo(&folder, &["engine", "check", "sh -c true", "--game", "trio"]).code,
        Some(2)
    );
}

#[test]
fn a_match_shows_the_traceback_and_writes_every_conversation_down() {
    let folder = Folder::new("traceback");
    let player = engine(&folder, "sys.exit(1 // 0)");
    let arguments = [
        "match", "quarto", &player, "random", "-n", "4", "--jobs", "1", "--log", "talk",
    ];
    let told = terzo(&folder, &arguments).good();
    assert!(
        told.out
            .contains("4 games were forfeited; the first: crashed: exit status: 1"),
        "{}",
        told.out
    );
    assert!(told.out.contains("ZeroDivisionError"), "{}", told.out);
    let mut files: Vec<String> = std::fs::read_dir(folder.file("talk"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let expected = ["0-game-1", "0-game-2", "1-game-1", "1-game-2"].map(|name| format!("pair-00000{name}.log"));
    assert_eq!(files, expected);
    for file in files {
        let text = std::fs::read_to_string(folder.file("talk").join(&file)).unwrap();
        for expected in [
            "> engine:python3 engine.py: go ",
            "! engine:python3 engine.py: ZeroDivisionError",
            "# result seat ",
        ] {
            assert!(text.contains(expected), "{file}: {text}");
        }
    }
    // A folder that cannot be made is known before the first game.
    let refused = terzo(
        &folder,
        &["match", "quarto", "random", "random", "--log", "engine.py/x"],
    );
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("cannot write engine.py/x"), "{}", refused.err);
}

#[test]
fn each_engine_is_told_its_own_options_and_crowding_is_warned_of() {
    let folder = Folder::new("options");
    let script = "import sys\nfor line in sys.stdin:\n    open('heard-' + sys.argv[1], 'a').write(line)\n    word = line.split()[0] if line.split() else ''\n    \
                  if word == 'quit': break\n    answers = {'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove none'}\n    \
                  if word in answers: print(answers[word], flush=True)\n";
    std::fs::write(folder.file("engine.py"), script).unwrap();
    let player = |name: &str, level: u32| {
        format!("{{name = '{name}', cmd = 'python3', args = ['engine.py', '{name}'], options = {{Level = '{level}'}}}}")
    };
    let plan = format!(
        "game = 'quarto'\nrounds = 1\ntime = 'move=60s'\nconcurrency = 256\nplayers = [{}, {}]\n",
        player("one", 3),
        player("two", 9)
    );
    std::fs::write(folder.file("plan.toml"), plan).unwrap();
    let told = terzo(&folder, &["tournament", "plan.toml"]).good();
    assert!(told.err.contains("256 games at once on "), "{}", told.err);
    for (name, level) in [("one", 3), ("two", 9)] {
        let heard = std::fs::read_to_string(folder.file(&format!("heard-{name}"))).unwrap();
        let options: Vec<&str> = heard.lines().filter(|line| line.contains(" Level ")).collect();
        assert!(!options.is_empty(), "{name}: {heard}");
        assert!(
            options
                .iter()
                .all(|line| *line == format!("setoption name Level value {level}")),
            "{name}: {heard}"
        );
    }
}

#[test]
fn who_does_not_flush_is_told_so() {
    let folder = Folder::new("flush");
    let script = "import os, sys\nsys.stdout = os.fdopen(1, 'w', 1 << 16)\nfor line in sys.stdin:\n    if line.startswith('ugi'): print('ugiok')\n";
    std::fs::write(folder.file("engine.py"), script).unwrap();
    let plan =
        "game = 'quarto'\nrounds = 1\nplayers = [{cmd = 'python3', args = ['engine.py'], start = '300ms'}, 'random']\n";
    std::fs::write(folder.file("plan.toml"), plan).unwrap();
    let told = terzo(&folder, &["tournament", "plan.toml"]).good();
    assert!(told.err.contains("flush=True"), "{}", told.err);
}

#[test]
fn limits_hold_and_the_verdict_says_which() {
    let cases = [
        ("memory=256M", "x = bytearray(3 << 30)", "MemoryError"),
        (
            "memory=256M",
            "x = [bytearray(os.urandom(1 << 20)) for i in range(3000) if not time.sleep(0.001)]",
            "", // Refused by the system or killed by the supervisor, whichever is first.
        ),
        (
            "processes=8",
            "[os.fork() for i in range(6)]; time.sleep(1000)",
            "had more processes than the 8 allowed",
        ),
        (
            "cpu=300ms",
            "exec('while True: pass')",
            "out of time: took more processor time than the 300ms allowed for a game",
        ),
        ("disk=1M", "open('full', 'wb').write(bytes(9 << 20))", "File too large"),
        (
            "files=50",
            "[open('/dev/null') for i in range(99)]; files = [open('/dev/null') for i in range(99)]",
            "Too many open files",
        ),
    ];
    for (limits, go, expected) in cases {
        let folder = Folder::new("limits");
        let player = engine(&folder, go);
        let arguments = [
            "match", "quarto", &player, "random", "-n", "1", "--jobs", "1", "--limits", limits,
        ];
        let told = terzo(&folder, &arguments).good();
        assert!(told.out.contains("1 games were forfeited"), "{go}: {}", told.out);
        assert!(told.out.contains(expected), "{go}: {}", told.out);
    }
}

#[test]
fn in_a_sandbox_an_engine_writes_in_the_folder_of_its_plan_and_nowhere_else() {
    let folder = Folder::new("sandbox");
    engine(&folder, "open('inside', 'w'); open('../outside', 'w')");
    std::fs::create_dir(folder.file("bots")).unwrap();
    std::fs::rename(folder.file("engine.py"), folder.file("bots/engine.py")).unwrap();
    let plan = "game = 'quarto'\nrounds = 1\nlimits = 'sandbox'\nplayers = [{cmd = 'python3', args = ['engine.py'], dir = 'bots'}, 'random']\n";
    std::fs::write(folder.file("plan.toml"), plan).unwrap();
    let told = terzo(&folder, &["tournament", "plan.toml", "--log", "talk"]).good();
    assert!(folder.file("bots/inside").exists());
    if told.err.contains("the sandbox of an engine has a gap") {
        return eprintln!("skipped: {}", told.err);
    }
    assert!(!folder.file("outside").exists());
    let said = std::fs::read_to_string(folder.file("talk/pair-000000-game-1.log")).unwrap();
    assert!(said.contains("Permission denied: '../outside'"), "{said}");
}

#[test]
fn the_processor_time_of_a_program_and_of_what_it_starts_is_recorded_exported_and_reported() {
    let folder = Folder::new("processor");
    // A tenth of a second of work a turn, however long that takes, done by a child of the program that was started.
    engine(
        &folder,
        "until = time.process_time() + 0.1; exec('while time.process_time() < until: pass'); print('bestmove -.0', flush=True)",
    );
    let plan = "game = 'quarto'\nrounds = 1\nmax-turns = 1\ntime = 'move=60s'\nplayers = ['engine:sh -c \"python3 engine.py; true\"', 'novice']\n";
    std::fs::write(folder.file("plan.toml"), plan).unwrap();
    let told = terzo(&folder, &["tournament", "plan.toml"]).good();
    assert!(told.out.contains("processor seconds"), "{}", told.out);
    let exported = terzo(&folder, &["records", "export"]).good();
    let games: Vec<Value> = exported
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let taken = games[0]["processor_ns"][0].as_u64().unwrap();
    assert!(taken >= 80_000_000, "{}", games[0]);
    assert!(games[0]["processor_ns"][1].is_null(), "{}", games[0]);
    // In the second game nobody asked the program for a turn.
    let idle = games[1]["processor_ns"][1].as_u64().unwrap();
    assert!(idle < taken, "{}", games[1]);
    let json = terzo(&folder, &["records", "show", "1", "--json"]).good();
    let results: Value = serde_json::from_str(&json.out).unwrap();
    let seconds = results["players"][0]["processor_seconds"].as_f64().unwrap();
    assert!(seconds >= 0.08, "{results}");
    assert!(results["players"][1]["processor_seconds"].is_null(), "{results}");
}

/// A program of the course that does something before its first move, and then takes the last column with room.
fn course_program(folder: &Folder, first: &str) -> &'static str {
    let script = format!(
        "import os,socket,struct,sys,time
s=socket.create_connection(('127.0.0.1',int(sys.argv[1])))
s.sendall(struct.pack('<i',7))
done=False
while True:
    b=b''
    while len(b)<876:
        c=s.recv(876-len(b))
        if not c: sys.exit()
        b+=c
    w=struct.unpack('<219i',b)
    if w[0]==0: sys.exit()
    if not done:
        done=True
        {first}
    top=w[2+5*36:2+6*36]
    r,c=divmod([i for i in range(36) if top[i]==0][-1],6)
    s.sendall(struct.pack('<4i',1,w[1],r,c))
"
    );
    std::fs::write(folder.file("agent.py"), script).unwrap();
    "course:python3 agent.py {port}"
}

/// Limits, what a program does that they forbid, and what is said of it.
const BEYOND_LIMITS: [(&str, &str, &str); 3] = [
    (
        "cpu=300ms",
        "exec('while True: pass')",
        "out of time: took more processor time than the 300ms allowed for a game",
    ),
    (
        "processes=8",
        "[os.fork() for i in range(6)]; time.sleep(1000)",
        "had more processes than the 8 allowed",
    ),
    ("memory=256M", "x = bytearray(3 << 30)", "crashed"),
];

/// `stack4 host` with a program that it starts, against `random`.
fn host(folder: &Folder, player: &str, options: &[&str]) -> Ran {
    let program = player.strip_prefix("course:").unwrap();
    let arguments = [
        "stack4",
        "host",
        "--port",
        "0",
        "--player",
        "random",
        "--program",
        program,
        "--time",
        "100000",
        "--games",
        "2",
    ];
    terzo(folder, &[&arguments[..], options].concat())
}

#[test]
fn limits_hold_for_programs_that_a_host_starts() {
    for (limits, first, expected) in BEYOND_LIMITS {
        let folder = Folder::new("host-limits");
        let player = course_program(&folder, first);
        let told = host(&folder, player, &["--limits", limits, "--json"]).good().json();
        for game in told["games"].as_array().unwrap() {
            assert_eq!(game["winner"], "random", "{first}: {told}");
            assert!(game["gone"][0].is_null(), "{first}: {told}");
            assert!(game["gone"][1].as_str().unwrap().contains(expected), "{first}: {told}");
        }
    }
    let folder = Folder::new("host-limits");
    let player = course_program(&folder, "sys.exit(3)");
    let told = host(&folder, player, &[]).good().out;
    assert!(told.contains("random wins, moves of team 7 replaced"), "{told}");
    assert!(told.contains("team 7: crashed: exit status: 3"), "{told}");
    let waiting = terzo(&folder, &["stack4", "host", "--port", "0", "--limits", "cpu=1s"]);
    assert_eq!(waiting.code, Some(2), "{}", waiting.err);
    assert!(waiting.err.contains("name one with --program"), "{}", waiting.err);
}

#[test]
fn a_host_counts_processor_time_anew_with_every_game() {
    let folder = Folder::new("host-games");
    // At the first board of each game it works for two thirds of what a game allows.
    let work = "pass
    if sum(1 for stone in w[2:218] if stone in (1, 2)) < 2:
        until = time.process_time() + 1
        while time.process_time() < until: pass";
    let player = course_program(&folder, work);
    let told = host(&folder, player, &["--limits", "cpu=1500ms", "--json"])
        .good()
        .json();
    let games = told["games"].as_array().unwrap();
    assert_eq!(games.len(), 2, "{told}");
    for game in games {
        assert!(game["gone"][1].is_null(), "{told}");
        assert_eq!(game["replaced"][1]["died"], 0, "{told}");
    }
}

#[test]
fn limits_hold_for_programs_of_the_course_too() {
    for (limits, first, expected) in BEYOND_LIMITS {
        let folder = Folder::new("course-limits");
        let player = course_program(&folder, first);
        let arguments = [
            "match",
            "stack4",
            player,
            "random",
            "-n",
            "1",
            "--jobs",
            "1",
            "--time",
            "move=100s",
            "--limits",
            limits,
        ];
        let told = terzo(&folder, &arguments).good();
        assert!(told.out.contains("1 games were forfeited"), "{first}: {}", told.out);
        assert!(told.out.contains(expected), "{first}: {}", told.out);
    }
}

#[test]
fn in_a_sandbox_a_program_of_the_course_reaches_its_server_and_nothing_else() {
    let folder = Folder::new("course-sandbox");
    let elsewhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let first = format!(
        "for act in (lambda: open('outside', 'w'), lambda: socket.create_connection(('127.0.0.1', {}), 5)):
            try: act()
            except OSError: pass
            else: sys.exit(3)",
        elsewhere.local_addr().unwrap().port()
    );
    let player = course_program(&folder, &first);
    let play = |options: &[&str]| {
        let arguments = [
            "match", "stack4", player, "random", "-n", "2", "--time", "move=60s", "--json",
        ];
        terzo(&folder, &[&arguments[..], options].concat()).good()
    };
    let forfeits = |told: &str| serde_json::from_str::<Value>(told).unwrap()["players"][0]["forfeits"].clone();
    // Without a sandbox it can do both, and leaves.
    assert_eq!(forfeits(&play(&[]).out), 2);
    std::fs::remove_file(folder.file("outside")).unwrap();
    let told = play(&["--sandbox"]);
    if told.err.contains("the sandbox of an engine has a gap") {
        return eprintln!("skipped: {}", told.err);
    }
    assert_eq!(forfeits(&told.out), 0, "{} {}", told.out, told.err);
    assert!(!folder.file("outside").exists());
    // The same for a host that starts it.
    let died = |options: &[&str]| {
        let told = host(&folder, player, options).good().json();
        told["games"][0]["gone"][1].is_string()
    };
    assert!(!died(&["--sandbox", "--json"]));
    assert!(!folder.file("outside").exists());
    assert!(died(&["--json"]));
}
