//! Engines that behave, and engines that do not.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::Game;
use link::ugi::{EngineCommand, engine_factory};
use player::{Clock, Player, PlayerError, Spec};
use quarto::players::factory;
use quarto::{Position, Rules};
use std::path::Path;
use std::time::Duration;

type Engine = link::ugi::Engine<Position>;

fn start() -> Position {
    Position::new(Rules::standard())
}

/// An engine in shell that greets properly and then does `go` when asked to.
fn shell(go: &str) -> Engine {
    let script = format!(
        "while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; go*) {go};; quit) exit;; esac; done"
    );
    engine(&script, Duration::from_secs(10))
}

/// The tests are not their own supervisors.
fn supervise() {
    process::supervise_with(Path::new(env!("CARGO_BIN_EXE_link-supervisor")));
}

fn engine(script: &str, start: Duration) -> Engine {
    supervise();
    let mut command = EngineCommand::new("sh", vec!["-c".into(), script.into()]);
    command.start = start;
    Engine::new(command)
}

fn ask(engine: &mut Engine, clock: &Clock) -> Result<String, PlayerError> {
    let start = start();
    engine
        .choose(&start, clock)
        .map(|analysis| start.print_move(analysis.best))
}

fn begin(engine: &mut Engine) {
    Player::<Position>::begin(engine, 1);
}

fn stderr_log(engine: &mut Engine) -> String {
    Player::<Position>::stderr_log(engine)
}

fn patient(ms: u64) -> Clock {
    Clock {
        patience: Some(Duration::from_millis(ms)),
        ..Clock::unlimited()
    }
}

/// Children of this process that nobody has waited for.
fn zombies() -> Vec<String> {
    let me = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        let after_name: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        if after_name.first() == Some(&"Z") && after_name.get(1) == Some(&me.as_str()) {
            found.push(stat);
        }
    }
    found
}

#[test]
fn an_engine_that_answers_is_a_player() {
    let mut engine = shell("echo info depth 2 score cp 7 nodes 9; echo bestmove -.3");
    begin(&mut engine);
    let analysis = engine.choose(&start(), &patient(5000)).unwrap();
    assert_eq!(start().print_move(analysis.best), "-.3");
    assert_eq!(
        (analysis.depth, analysis.value, analysis.nodes),
        (Some(2), Some(7.0), Some(9))
    );
}

#[test]
fn an_engine_is_told_the_game_from_its_start_asked_whether_it_is_ready_and_given_a_limit() {
    let script = "while read -r line; do echo \"$line\" >&2; case $line in ugi) echo ugiok;; isready) echo readyok;; \
                  go*) echo bestmove $move;; quit) exit;; esac; done";
    let mut engine = engine(&format!("move=-.3; {script}"), Duration::from_secs(10));
    begin(&mut engine);
    let (mut position, clock) = (start(), patient(20_000));
    let first = engine.choose(&position, &clock).unwrap().best;
    // The referee tells everybody each move as it is played.
    for turn in [first, position_after(&position, "-.3").parse_move("a1.4").unwrap()] {
        engine.moved(&position, turn);
        position.play(turn).unwrap();
    }
    let timed = Clock {
        time: Some(Duration::from_millis(250)),
        ..clock
    };
    // It says the same again, which is no turn here: only what it is told matters.
    let _ = engine.choose(&position, &timed);
    let fresh = start().parse("0.../..../...f/.... 5").unwrap();
    let _ = engine.choose(&fresh, &patient(20_000));
    let expected = "ugi|uginewgame|isready|position startpos|isready|go movetime 1000|\
                    position startpos moves -.3 a1.4|isready|go movetime 250|\
                    position fen 0.../..../...f/.... 5|isready|go movetime 1000";
    let said = heard(&mut engine, "...f/.... 5|isready|go movetime 1000");
    assert_eq!(said, expected);
}

fn position_after(position: &Position, turn: &str) -> Position {
    let mut after = *position;
    after.play(after.parse_move(turn).unwrap()).unwrap();
    after
}

/// What an engine that repeats everything was told, up to the end that is waited for.
fn heard(engine: &mut Engine, end: &str) -> String {
    let mut all = String::new();
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    loop {
        all += &stderr_log(engine);
        let said = all.lines().collect::<Vec<_>>().join("|");
        if said.ends_with(end) || std::time::Instant::now() > deadline {
            return said;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_engine_that_thinks_until_it_is_stopped_is_stopped_before_a_stall_is_called() {
    let script = "while read -r line; do case $line in ugi) echo ugiok;; isready) echo readyok;; stop) echo bestmove -.5;; \
                  quit) exit;; esac; done";
    let mut engine = engine(script, Duration::from_secs(10));
    begin(&mut engine);
    assert_eq!(ask(&mut engine, &patient(3000)).unwrap(), "-.5");
    // With a clock, half of what it may be late is left for its answer.
    let timed = Clock {
        time: Some(Duration::from_millis(100)),
        ..patient(4000)
    };
    assert_eq!(ask(&mut engine, &timed).unwrap(), "-.5");
}

#[test]
fn a_winning_turn_may_name_a_gift() {
    let mut engine = shell("echo bestmove d1.8");
    begin(&mut engine);
    let won = start().parse("012./..../..../.... 3").unwrap();
    let analysis = engine.choose(&won, &patient(20_000)).unwrap();
    assert_eq!(won.print_move(analysis.best), "d1.-");
    let open = start().parse("0.2./..../..../.... 3").unwrap();
    let analysis = engine.choose(&open, &patient(20_000)).unwrap();
    assert_eq!(open.print_move(analysis.best), "d1.8");
}

#[test]
fn every_way_to_fail_has_its_own_name() {
    type Check = fn(&PlayerError) -> bool;
    let cases: [(&str, Check); 9] = [
        ("exit 3", |e| matches!(e, PlayerError::Crash(why) if why.contains('3'))),
        (
            "kill -SEGV $$",
            |e| matches!(e, PlayerError::Crash(why) if why.contains("signal")),
        ),
        // It dies slowly, as on a busy machine.
        (
            "exec >&-; sleep 2; exit 3",
            |e| matches!(e, PlayerError::Crash(why) if why.contains('3')),
        ),
        ("exit 0", |e| matches!(e, PlayerError::Disconnect(_))),
        ("exec >&-; sleep 100", |e| matches!(e, PlayerError::Disconnect(_))),
        ("sleep 100", |e| matches!(e, PlayerError::Stall(_))),
        ("yes", |e| matches!(e, PlayerError::Stall(_))),
        ("echo bestmove xyzzy", |e| matches!(e, PlayerError::NotAMove { .. })),
        ("echo bestmove", |e| matches!(e, PlayerError::NotAMove { .. })),
    ];
    for (go, check) in cases {
        let mut engine = shell(go);
        begin(&mut engine);
        let error = ask(&mut engine, &patient(300)).unwrap_err();
        assert!(check(&error), "{go}: {error:?}");
    }
    assert_eq!(zombies(), Vec::<String>::new());
}

#[test]
fn silence_on_a_clock_is_a_timeout() {
    let mut engine = shell("sleep 100");
    begin(&mut engine);
    let mut clock = patient(200);
    clock.time = Some(Duration::from_millis(100));
    assert!(matches!(ask(&mut engine, &clock), Err(PlayerError::Timeout(_))));
}

#[test]
fn an_engine_that_died_is_started_again_and_its_last_words_are_kept() {
    let mut engine = shell("echo going down >&2; exit 1");
    for _ in 0..3 {
        begin(&mut engine);
        assert!(matches!(ask(&mut engine, &patient(5000)), Err(PlayerError::Crash(_))));
        assert_eq!(stderr_log(&mut engine).trim(), "going down");
    }
}

#[test]
fn an_engine_that_cannot_start_says_so_and_one_that_is_slow_is_waited_for() {
    let mut gone = engine("exit 7", Duration::from_secs(5));
    begin(&mut gone);
    assert!(matches!(ask(&mut gone, &patient(1000)), Err(PlayerError::Crash(_))));
    let mut mute = engine("sleep 100", Duration::from_millis(200));
    begin(&mut mute);
    assert!(matches!(ask(&mut mute, &patient(1000)), Err(PlayerError::Stall(_))));
    let mut slow = engine(
        "sleep 0.5; while read -r l; do case $l in ugi) echo ugiok;; isready) echo readyok;; go*) echo bestmove -.1;; esac; done",
        Duration::from_secs(20),
    );
    begin(&mut slow);
    assert_eq!(ask(&mut slow, &patient(5000)).unwrap(), "-.1");
}

#[test]
fn noise_is_passed_over_however_much_there_is() {
    let noise = "head -c 300000 /dev/zero | tr '\\0' x; echo; head -c 200000 /dev/zero >&2; printf '\\377\\n'; echo bestmove -.2";
    let mut engine = shell(noise);
    begin(&mut engine);
    assert_eq!(ask(&mut engine, &patient(20_000)).unwrap(), "-.2");
    assert!(stderr_log(&mut engine).len() <= 3 * 8 * 1024);
}

#[test]
fn an_engine_that_shouts_and_never_listens_costs_no_memory() {
    let megabytes = || {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        let resident: usize = pages.split_whitespace().nth(1).unwrap().parse().unwrap();
        (resident * 4096) >> 20
    };
    let mut command = EngineCommand::new("sh", vec!["-c".into(), "echo ugiok; exec yes".into()]);
    command.start = Duration::from_secs(1);
    // More than a pipe holds: we are still speaking when the noise begins.
    command.options.insert("Long".into(), "x".repeat(1 << 20));
    let before = megabytes();
    supervise();
    let mut engine = Engine::new(command);
    begin(&mut engine);
    assert!(megabytes() < before + 100, "{before} MB became {} MB", megabytes());
    let answer = ask(&mut engine, &patient(100));
    assert!(matches!(answer, Err(PlayerError::Stall(_))), "{answer:?}");
}

#[test]
fn an_engine_is_known_by_its_spec_and_an_unknown_program_is_refused() {
    let made = |line: &str| engine_factory::<Position>(Spec::engine(line), EngineCommand::parse(line).unwrap());
    let spec = made("sh -c 'echo a,b=c:d'").unwrap().spec;
    assert_eq!(spec.to_string(), "engine:sh -c 'echo a,b=c:d'");
    let error = made("no-such-program-anywhere --x").err().unwrap().to_string();
    assert!(
        error.contains("there is no program `no-such-program-anywhere`"),
        "{error}"
    );
}

/// The players that students copy, in whole games against our novice.
#[test]
fn the_example_players_play_whole_games_by_the_rules() {
    supervise();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let compiled = std::env::temp_dir().join(format!("terzo-agent-{}", std::process::id()));
    let compiler = std::process::Command::new("c++")
        .arg("-o")
        .arg(&compiled)
        .arg(format!("{folder}/agent.cpp"))
        .status();
    match compiler {
        Ok(status) => assert!(status.success()),
        Err(error) => eprintln!("skipped: there is no c++: {error}"),
    }
    let commands = [
        (format!("python3 {folder}/player.py"), "player.py"),
        (format!("sh {folder}/player.sh"), "player.sh"),
        (compiled.display().to_string(), "agent.cpp"),
        (format!("java {folder}/Agent.java"), "Agent.java"),
    ];
    for (command, source) in commands {
        let lines = std::fs::read_to_string(format!("{folder}/{source}")).unwrap();
        assert!(lines.lines().count() < 80, "{command}");
        let mut parsed = EngineCommand::parse(&command).unwrap();
        // A Java machine takes its time, and is not installed for this.
        parsed.start = Duration::from_secs(100);
        if parsed.check().is_err() && (parsed.program == "java" || std::env::var_os("CI").is_none()) {
            eprintln!("skipped: there is no {}", parsed.program);
            continue;
        }
        let mut example = Engine::new(parsed);
        let mut novice = factory("novice").unwrap().make();
        for seed in 0..2 {
            begin(&mut example);
            novice.begin(seed);
            let mut position = start();
            let mut turns = 0;
            while position.outcome().is_none() {
                let players: [&mut dyn Player<Position>; 2] = [&mut example, novice.as_mut()];
                let sits = (turns + seed as usize) % 2;
                let analysis = players[sits].choose(&position, &patient(20_000));
                position
                    .play(analysis.unwrap_or_else(|error| panic!("{command}: {error}")).best)
                    .unwrap();
                turns += 1;
            }
        }
    }
    let _ = std::fs::remove_file(&compiled);
}
