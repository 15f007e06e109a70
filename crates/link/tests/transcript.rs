//! The protocol as a runner meets it, line by line.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::Game;
use link::ugi::serve;
use quarto::players::{factory, roster};
use quarto::{Position, Rules};
use std::collections::VecDeque;
use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn talk(player: &str, input: &str) -> Vec<String> {
    let factory = factory(player).unwrap();
    let mut output = Vec::new();
    serve(
        Position::new(Rules::standard()),
        roster(),
        &factory,
        Cursor::new(input.to_owned()),
        &mut output,
    )
    .unwrap();
    String::from_utf8(output).unwrap().lines().map(String::from).collect()
}

/// What the engine has said, for a runner to look at while it goes on.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Said {
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().map(String::from).collect()
    }

    fn moves(&self) -> usize {
        self.lines().iter().filter(|line| line.starts_with("bestmove")).count()
    }
}

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A runner that waits for a move after every `go`.
struct Runner {
    lines: VecDeque<String>,
    asked: usize,
    said: Said,
}

impl Read for Runner {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let deadline = Instant::now() + Duration::from_secs(20);
        while self.said.moves() < self.asked {
            assert!(Instant::now() < deadline, "no move: {:?}", self.said.lines());
            std::thread::sleep(Duration::from_millis(1));
        }
        let line = self.lines.pop_front().map_or(String::new(), |line| line + "\n");
        self.asked += usize::from(line.starts_with("go"));
        into[..line.len()].copy_from_slice(line.as_bytes());
        Ok(line.len())
    }
}

/// The same conversation with a runner that waits.
fn talk_in_turn(player: &str, input: &str) -> Vec<String> {
    let factory = factory(player).unwrap();
    let said = Said::default();
    let runner = Runner {
        lines: input.lines().map(String::from).collect(),
        asked: 0,
        said: said.clone(),
    };
    let start = Position::new(Rules::standard());
    serve(start, roster(), &factory, BufReader::new(runner), said.clone()).unwrap();
    said.lines()
}

#[test]
fn a_runner_is_answered_line_by_line() {
    let transcript = [
        (
            "ugi",
            "id name terzo novice|id author the Terzo project|option name Seed type spin default -1 min -1 max 9223372036854775807|option name Hash type spin default 64 min 1 max 65536|option name Threads type spin default 1 min 1 max 256|ugiok",
        ),
        ("isready", "readyok"),
        ("setoption name Seed value 7", ""),
        ("uginewgame", ""),
        ("isready", "readyok"),
        ("position startpos", ""),
        ("isready", "readyok"),
        ("query p1turn", "response true"),
        ("query gameover", "response false"),
        ("query result", "response none"),
        ("query fen", "response ..../..../..../.... -"),
        ("position startpos moves -.3", ""),
        ("query p1turn", "response false"),
        ("position startpos moves -.3 a1.4", ""),
        ("query p1turn", "response true"),
        ("query fen", "response 3.../..../..../.... 4"),
        ("position fen 0123/..../..../.... -", ""),
        ("query gameover", "response true"),
        ("query result", "response p1win"),
        ("position fen 012./..../..../.... 3 moves d1.-", ""),
        ("query result", "response p1win"),
        ("position fen 012./..../..../.... 3", ""),
        ("query p1turn", "response true"),
        ("position startpos", ""),
        (
            "query legalmoves",
            "response -.0 -.1 -.2 -.3 -.4 -.5 -.6 -.7 -.8 -.9 -.a -.b -.c -.d -.e -.f",
        ),
        ("query weather", "response unsupported"),
        ("", ""),
        ("stop", ""),
        ("xyzzy", "info string error: unknown command `xyzzy`"),
        (
            "position fen 0123",
            "info string error: cannot read position \"0123\": expected four rows and the piece in hand, as in `0.../..../...f/.... 5`",
        ),
        (
            "position startpos moves a1.3",
            "info string error: cannot play a1.3: no piece is in hand",
        ),
        (
            "setoption name Colour value red",
            "info string error: there is no option `Colour`: expected one of Seed, Hash, Threads",
        ),
        ("setoption name Hash value 3", ""),
        ("quit", ""),
    ];
    let input: String = transcript.iter().map(|(said, _)| format!("{said}\n")).collect();
    let expected: Vec<&str> = transcript
        .iter()
        .flat_map(|(_, answer)| answer.split('|'))
        .filter(|line| !line.is_empty())
        .collect();
    let got = talk("novice", &input);
    for (got, expected) in got.iter().zip(&expected) {
        // What exactly is wrong with a position is the game's to say.
        let same = got == expected || (got.contains("error: cannot") && expected.contains("error: cannot"));
        assert!(same, "{got}\ninstead of\n{expected}");
    }
    assert_eq!(got.len(), expected.len(), "{got:#?}");
}

#[test]
fn every_way_to_say_go_is_answered_with_one_move_of_one_word() {
    for go in [
        "go",
        "go movetime 50",
        "go p1time 1000 p2time 1000 p1inc 0 p2inc 0",
        "go p1time -5 p2time 10 p1inc 1 p2inc 1",
        "go depth 2",
        "go nodes 100",
        "go infinite\nisready\nstop",
    ] {
        let lines = talk(
            "novice",
            &format!("uginewgame\nposition fen 012./..../..../.... 3\n{go}\nquit\n"),
        );
        let moves: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(moves, ["bestmove d1.-"], "{go}: {lines:?}");
    }
    let lines = talk("novice", "position fen 0123/..../..../.... -\ngo movetime 10\nquit\n");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove none"));
}

#[test]
fn what_is_not_understood_is_refused_and_never_answered_with_a_move() {
    let lines = talk("novice", "go colour red\nquit\n");
    assert!(lines[0].contains("`go` does not know `colour`"), "{lines:?}");
    assert_eq!(lines[1..], ["bestmove none"]);
    // After a position that cannot be read there is none, not even the one before.
    let lines = talk(
        "novice",
        "position fen 012./..../..../.... 3\nposition fen what\ngo\nquery fen\nposition startpos moves -.1 a1.1\ngo\nquit\n",
    );
    let moves: Vec<&String> = lines.iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(moves, ["bestmove none", "bestmove none"], "{lines:?}");
    assert!(lines[1].contains("there is no position"), "{lines:?}");
    assert!(lines.contains(&"response unsupported".to_string()), "{lines:?}");
}

/// The moves of some games, each asked for twice.
fn moves_of_games(settings: &str, games: usize) -> Vec<String> {
    let game = "uginewgame\nposition startpos\ngo\nposition fen 0.../..../...f/.... 5\ngo\n";
    let lines = talk("random", &format!("{settings}{}quit\n", game.repeat(games)));
    let moves: Vec<String> = lines.into_iter().filter(|line| line.starts_with("bestmove")).collect();
    assert_eq!(moves.len(), 2 * games);
    moves.chunks(2).map(|moves| moves.join(" ")).collect()
}

#[test]
fn every_game_has_a_seed_of_its_own_unless_one_is_set() {
    let distinct = |mut games: Vec<String>| {
        games.sort();
        games.dedup();
        games.len()
    };
    // 16 gifts and 182 turns: two of twenty games are hardly ever the same.
    assert!(distinct(moves_of_games("", 20)) >= 18);
    assert_ne!(moves_of_games("", 5), moves_of_games("", 5));
    let set = "setoption name Seed value 5\n";
    assert_eq!(moves_of_games(set, 3), moves_of_games(set, 3));
    assert_eq!(distinct(moves_of_games(set, 3)), 1);
    assert!(
        distinct(moves_of_games(
            "setoption name Seed value 5\nsetoption name Seed value -1\n",
            20
        )) >= 18
    );
}

#[test]
fn a_player_tells_how_its_search_goes_in_whole_numbers() {
    let lines = talk_in_turn("alphabeta", "position fen 01../2.../.4../.... 5\ngo depth 3\nisready\n");
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    assert!(!infos.is_empty(), "{lines:?}");
    for info in infos {
        let words: Vec<&str> = info.split(' ').collect();
        for key in ["depth", "nodes", "nps", "time"] {
            let at = words.iter().position(|word| *word == key).unwrap();
            assert!(words[at + 1].parse::<u64>().is_ok(), "{info}");
        }
        let at = words.iter().position(|word| *word == "score").unwrap();
        assert!(
            ["cp", "mate"].contains(&words[at + 1]) && words[at + 2].parse::<i32>().is_ok(),
            "{info}"
        );
        assert!(words.contains(&"pv"), "{info}");
    }
    let won = talk_in_turn("minimax", "position fen 012./..../..../.... 3\ngo\nquit\n");
    assert!(won.iter().any(|line| line.contains("score mate 1")), "{won:?}");
}

#[test]
fn a_players_own_options_are_told_and_set() {
    let lines = talk_in_turn(
        "minimax:depth=2",
        "ugi\nsetoption name Depth value 1\nsetoption name eval value zero\nsetoption name depth value many\nposition fen 01../2.../.4../.... 5\ngo\nquit\n",
    );
    assert!(
        lines.contains(&"option name depth type string default 2".to_string()),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"option name eval type string default absolute".to_string()),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.contains("error: option `depth=many`")),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.contains("depth 1 score cp 0 ")),
        "{lines:?}"
    );
}

#[test]
fn games_that_everybody_knows_are_spoken_of_as_everybody_does() {
    let talk = |name: &str, input: &str| -> Vec<String> {
        let start = gdl::Position::of_sheet(name).unwrap();
        let factory = gdl::players::factory("random").unwrap();
        let mut output = Vec::new();
        serve(
            start,
            gdl::players::roster(),
            &factory,
            Cursor::new(input.to_owned()),
            &mut output,
        )
        .unwrap();
        String::from_utf8(output).unwrap().lines().map(String::from).collect()
    };
    let chess = talk(
        "chess",
        "position startpos moves e2e4 e7e5 g1f3\nquery p1turn\nquery legalmoves\ngo\nquit\n",
    );
    assert_eq!(chess[0], "response false");
    assert!(chess[1].contains(" b8c6 "), "{chess:?}");
    let best = chess.last().unwrap().strip_prefix("bestmove ").unwrap();
    assert!(chess[1].split(' ').any(|word| word == best), "{chess:?}");
    // Whoever cannot move in reversi is on turn all the same, and says so.
    let (moves, position) = until_white_must_pass();
    let passing = format!(
        "position startpos moves {moves}\nquery p1turn\nquery legalmoves\ngo\nposition startpos moves {moves} pass\nquery p1turn\nquit\n"
    );
    let reversi = talk("reversi", &passing);
    assert_eq!(reversi[..2], ["response false", "response pass"], "{reversi:?}");
    assert_eq!(
        reversi[reversi.len() - 2..],
        ["bestmove pass", "response true"],
        "{reversi:?}"
    );
    assert!(position.print().contains("(control white)"), "{}", position.print());
}

/// A game of reversi, as others write it, up to where White has to pass and Black will go on.
fn until_white_must_pass() -> (String, gdl::Position) {
    let (mut chance, mut buffer) = (game::rng(5), Vec::new());
    loop {
        let mut position = gdl::Position::of_sheet("reversi").unwrap();
        let mut moves: Vec<String> = Vec::new();
        while let Some(mv) = position.random_move(&mut chance, &mut buffer) {
            let own = position.print_move(mv);
            if own == "pass" && moves.len() % 2 == 1 {
                let mut after = position.clone();
                after.play_unchecked(mv);
                if after.outcome().is_none() {
                    return (moves.join(" "), position);
                }
            }
            let square: Vec<&str> = own.trim_matches(['(', ')']).split(',').collect();
            moves.push(match square[..] {
                ["put", column, row] => format!("{}{row}", char::from(b'a' - 1 + column.parse::<u8>().unwrap())),
                _ => own,
            });
            position.play_unchecked(mv);
        }
    }
}
