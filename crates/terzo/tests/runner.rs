//! A runner that is not ours: `terzo ugi` as an engine, by what it says and how soon it says it.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const TERZO: &str = env!("CARGO_BIN_EXE_terzo");

/// Nothing that is asked for takes longer than this, on whatever machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// An engine, and when it said what.
struct Engine {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
}

impl Engine {
    fn start(game: &str, player: &str) -> Self {
        let mut child = Command::new(TERZO)
            .args(["ugi", game, "--player", player])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (said, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if said.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take().unwrap();
        let name = format!("{player} at {game}");
        let mut engine = Engine {
            name,
            child,
            input,
            lines,
        };
        engine.say("ugi");
        engine.wait_for("ugiok");
        engine.say("isready");
        engine.wait_for("readyok");
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The next line that begins like this, when it came, and what came before.
    fn wait_for(&mut self, start: &str) -> (Instant, String, Vec<String>) {
        let mut before = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok((when, line)) if line.starts_with(start) => return (when, line, before),
                Ok((_, line)) => before.push(line),
                Err(error) => panic!("no `{start}` of {}: {error}; {before:?}", self.name),
            }
        }
    }

    /// Says `quit` and waits for the end; how long it took.
    fn quit(mut self) -> Duration {
        let began = Instant::now();
        self.say("quit");
        while self.child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < PATIENCE, "it does not quit");
            std::thread::sleep(Duration::from_millis(1));
        }
        began.elapsed()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Players whose searches have no end by themselves, with a position that is far from any.
const PLAYERS: [(&str, &str); 10] = [
    ("quarto", "alphabeta"),
    ("quarto", "minimax:depth=16"),
    ("quarto", "mcts"),
    ("quarto", "mcts:trees=2"),
    ("quarto", "montecarlo"),
    ("stack4", "strong"),
    ("stack4", "mcts"),
    ("connectfour", "general"),
    ("connectfour", "montecarlo"),
    ("chess", "loisel"),
];

#[test]
fn stop_and_quit_are_heard_while_a_player_thinks() {
    for (game, player) in PLAYERS {
        let mut engine = Engine::start(game, player);
        for go in ["go infinite", "go movetime 100000"] {
            engine.say("uginewgame");
            engine.say("position startpos");
            engine.say("isready");
            engine.wait_for("readyok");
            engine.say(go);
            std::thread::sleep(Duration::from_millis(300));
            engine.say("isready");
            let (_, _, before) = engine.wait_for("readyok");
            assert!(
                !before.iter().any(|line| line.starts_with("bestmove")),
                "{game} {player} {go}: {before:?}"
            );
            let began = Instant::now();
            engine.say("stop");
            let (when, answer, _) = engine.wait_for("bestmove");
            assert!(answer != "bestmove none", "{game} {player} {go}");
            // What it should be is measured by an example; here it is only far from the clock.
            assert!(when - began < Duration::from_secs(2), "{game} {player} {go}");
        }
        engine.say("go infinite");
        std::thread::sleep(Duration::from_millis(100));
        assert!(engine.quit() < Duration::from_secs(2), "{game} {player}");
    }
}

/// More players, whose searches are of other kinds.
const MORE_PLAYERS: [(&str, &str); 7] = [
    ("quarto", "minimax:depth=16,unit=half"),
    ("quarto", "minimax:opening=montecarlo,playouts=10000000"),
    ("quarto-misere", "perfect"),
    ("reversi", "general"),
    ("reversi", "montecarlo"),
    ("connectfour", "loisel"),
    ("connectfour", "loisel:stage=minimax,depth=8"),
];

#[test]
fn every_player_that_searches_tells_how_it_goes_while_it_does() {
    for (game, player) in PLAYERS.into_iter().chain(MORE_PLAYERS) {
        let mut engine = Engine::start(game, player);
        engine.say("position startpos");
        engine.say("go infinite");
        // Nothing has stopped it, and none of these searches has an end: what is told is told on the way.
        let (_, first, _) = engine.wait_for("info");
        engine.say("isready");
        let (_, _, mut told) = engine.wait_for("readyok");
        engine.say("stop");
        let (_, best, last) = engine.wait_for("bestmove");
        assert!(best != "bestmove none", "{game} {player}");
        told.extend(last);
        told.push(first);
        for line in told {
            assert_whole(&line, &format!("{game} {player}"));
        }
    }
}

/// Everything that a runner shows is there, in whole numbers.
fn assert_whole(info: &str, who: &str) {
    let words: Vec<&str> = info.split(' ').collect();
    let after = |key: &str| {
        let at = words.iter().position(|word| *word == key);
        &words[at.unwrap_or_else(|| panic!("{who}: no {key} in `{info}`")) + 1..]
    };
    for key in ["depth", "nodes", "nps", "time"] {
        assert!(after(key)[0].parse::<u64>().is_ok(), "{who}: {info}");
    }
    let score = after("score");
    let named = ["cp", "mate"].contains(&score[0]);
    assert!(named && score[1].parse::<i32>().is_ok(), "{who}: {info}");
    assert!(!after("pv").is_empty(), "{who}: {info}");
}

#[test]
fn the_runners_clock_replaces_what_a_player_does_by_default() {
    for (game, player, least) in [
        ("quarto", "alphabeta", 350),
        ("quarto", "mcts", 350),
        ("quarto", "montecarlo", 350),
        ("stack4", "strong", 1300),
        ("connectfour", "montecarlo", 350),
    ] {
        let mut engine = Engine::start(game, player);
        engine.say("position startpos");
        let began = Instant::now();
        engine.say(&format!("go movetime {}", least * 5 / 4));
        let (when, ..) = engine.wait_for("bestmove");
        let took = when - began;
        assert!(took >= Duration::from_millis(least), "{game} {player}: {took:?}");
        // Options that were given are kept.
        engine.say("setoption name time value 10ms");
        engine.say("go infinite");
        std::thread::sleep(Duration::from_millis(50));
        engine.say("stop");
        engine.wait_for("bestmove");
    }
}

#[test]
fn depth_and_nodes_end_the_search_of_every_player() {
    for (game, player) in [
        ("quarto", "random"),
        ("quarto", "novice"),
        ("quarto", "montecarlo"),
        ("quarto", "minimax"),
        ("quarto", "mcts"),
        ("quarto", "alphabeta"),
        ("quarto", "perfect"),
        ("stack4", "run3"),
        ("stack4", "strong"),
        ("stack4", "mcts"),
        ("tictactoe", "montecarlo"),
        ("tictactoe", "loisel"),
        ("tictactoe", "general"),
    ] {
        let mut engine = Engine::start(game, player);
        engine.say("position startpos");
        for go in ["go depth 2", "go nodes 500", "go depth 1 nodes 10"] {
            engine.say(go);
            let (_, answer, before) = engine.wait_for("bestmove");
            assert!(answer != "bestmove none", "{game} {player} {go}: {before:?}");
            assert!(
                !before.iter().any(|line| line.contains("error")),
                "{game} {player} {go}: {before:?}"
            );
        }
    }
}

#[test]
fn a_match_has_as_many_games_as_it_has_games_and_repeats_where_the_seed_is_set() {
    let games = |settings: &[&str], count: usize| -> Vec<String> {
        let mut engines = [
            Engine::start("quarto", "novice"),
            Engine::start("quarto", "mcts:playouts=50"),
        ];
        for engine in &mut engines {
            settings.iter().for_each(|setting| engine.say(setting));
        }
        let one = |engines: &mut [Engine; 2]| {
            let mut moves: Vec<String> = Vec::new();
            for engine in engines.iter_mut() {
                engine.say("isready");
                engine.wait_for("readyok");
                engine.say("uginewgame");
            }
            loop {
                let engine = &mut engines[moves.len() % 2];
                engine.say("isready");
                engine.wait_for("readyok");
                let list = if moves.is_empty() {
                    String::new()
                } else {
                    format!(" moves {}", moves.join(" "))
                };
                engine.say(&format!("position startpos{list}"));
                engine.say("query gameover");
                if engine.wait_for("response").1 == "response true" {
                    return moves.join(" ");
                }
                engine.say("go movetime 1000");
                moves.push(engine.wait_for("bestmove ").1["bestmove ".len()..].to_string());
            }
        };
        (0..count).map(|_| one(&mut engines)).collect()
    };
    let mut free = games(&[], 20);
    free.sort();
    free.dedup();
    assert_eq!(free.len(), 20);
    let set = ["setoption name Seed value 11"];
    assert_eq!(games(&set, 2), games(&set, 2));
}

#[test]
fn games_that_the_protocol_excludes_are_refused() {
    for (game, why) in [
        ("trio", "UGI is for games with two seats, and this one has 3"),
        ("lights", "UGI is for games with two seats, and this one has 1"),
        ("duel", "in this one they choose at once"),
    ] {
        for arguments in [
            vec!["ugi", game, "--player", "random"],
            vec!["match", game, "random", "engine:cat", "-n", "2"],
        ] {
            let output = Command::new(TERZO)
                .args(&arguments)
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
            assert!(errors.contains(why), "{arguments:?}: {errors}");
        }
    }
}
