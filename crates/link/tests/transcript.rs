//! The protocol as a runner meets it, line by line.

use link::recipe;
use link::ugi::serve;
use quarto::{Position, Rules};
use std::io::Cursor;

fn talk(player: &str, input: &str) -> Vec<String> {
    let recipe = recipe::<Position>(player).unwrap();
    let mut output = Vec::new();
    serve(
        Position::new(Rules::standard()),
        &recipe,
        Cursor::new(input.to_owned()),
        &mut output,
    )
    .unwrap();
    String::from_utf8(output).unwrap().lines().map(String::from).collect()
}

#[test]
fn a_runner_is_answered_line_by_line() {
    let transcript = [
        (
            "ugi",
            "id name terzo novice|id author the Terzo project|option name Seed type spin default 1 min 0 max 9223372036854775807|ugiok",
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
            "setoption name Hash value 3",
            "info string error: there is one option, Seed: expected `setoption name Seed value N`",
        ),
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
    let lines = talk("novice", "go colour red\nquit\n");
    assert!(lines[0].contains("`go` does not know `colour`"), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("bestmove -."), "{lines:?}");
}

#[test]
fn the_same_seed_is_the_same_game() {
    let go = "setoption name Seed value 5\nuginewgame\nposition startpos\ngo\nposition fen 0.../..../...f/.... 5\ngo\nquit\n";
    let moves =
        |lines: Vec<String>| -> Vec<String> { lines.into_iter().filter(|l| l.starts_with("bestmove")).collect() };
    assert_eq!(moves(talk("random", go)), moves(talk("random", go)));
}
