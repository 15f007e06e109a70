//! The bundled sheets play the games they say they play: published counts, theory, and the suite of every game.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Seat, conformance, perft};
use gdl::{BuildLimits, Machine, PlayoutLimit, Position, Sheet};

fn position(name: &str) -> Position {
    let sheet = Sheet::load(name).unwrap();
    assert_eq!(sheet.warnings, [], "{name} is written without a fault");
    Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
}

fn counts(name: &str, expected: &[u64]) {
    let start = position(name);
    for (depth, &count) in (1..).zip(expected) {
        assert_eq!(perft(&start, depth), count, "{name} at depth {depth}");
    }
}

#[test]
fn tic_tac_toe_has_as_many_games_as_it_has() {
    counts("tictactoe", &[9, 72, 504, 3024, 15120, 54720, 148_176]);
}

#[test]
fn connect_four_fills_its_columns() {
    // 7^6, and then the columns of six begin to be full.
    counts("connectfour", &[7, 49, 343, 2401, 16807, 117_649]);
}

#[test]
fn breakthrough_moves_as_published() {
    counts("breakthrough", &[22, 484, 11132]);
}

#[test]
fn checkers_moves_as_published() {
    counts("checkers", &[7, 49, 302, 1469, 7361]);
}

#[test]
fn reversi_moves_as_published() {
    counts("reversi", &[4, 12, 56, 244, 1396, 8200]);
}

#[test]
fn chess_moves_as_published() {
    counts("chess", &[20, 400, 8902]);
}

/// The facts of a chess position in the usual notation.
fn chess(fen: &str) -> Position {
    let mut fields = fen.split(' ');
    let mut facts = Vec::new();
    for (row, rank) in fields.next().unwrap().split('/').zip((1..=8).rev()) {
        let mut files = 'a'..='h';
        for c in row.chars() {
            if let Some(empty) = c.to_digit(10) {
                files.nth(empty as usize - 1);
                continue;
            }
            let colour = if c.is_uppercase() { "white" } else { "black" };
            let kind = match c.to_ascii_lowercase() {
                'p' => "pawn",
                'n' => "knight",
                'b' => "bishop",
                'r' => "rook",
                'q' => "queen",
                _ => "king",
            };
            facts.push(format!("(cell {} {rank} {colour} {kind})", files.next().unwrap()));
        }
    }
    let white = fields.next() == Some("w");
    facts.push(format!("(control {})", if white { "white" } else { "black" }));
    for c in fields.next().unwrap().chars().filter(|c| c.is_alphabetic()) {
        let colour = if c.is_uppercase() { "white" } else { "black" };
        let side = if c.eq_ignore_ascii_case(&'k') { "short" } else { "long" };
        facts.push(format!("(castle {colour} {side})"));
    }
    if let Some(file) = fields.next().unwrap().chars().next().filter(|&c| c != '-') {
        facts.push(format!("(passed {file})"));
    }
    facts.push("(step 1)".into());
    position("chess").parse(&facts.join(" ")).unwrap()
}

#[test]
fn chess_knows_castling_promotion_pins_and_taking_in_passing() {
    for (fen, expected) in [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            [48, 2039],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486]),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
            [46, 2079],
        ),
    ] {
        let position = chess(fen);
        for (depth, count) in (1..).zip(expected) {
            assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
        }
    }
}

#[test]
#[ignore = "half a minute; scripts/test runs it"]
fn chess_moves_as_published_deeper() {
    for (fen, depth, count) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 4, 197_281),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            3,
            97_862,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4, 43_238),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 3, 9467),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 3, 62_379),
    ] {
        assert_eq!(perft(&chess(fen), depth), count, "{fen} at depth {depth}");
    }
}

#[test]
fn chess_ends_in_mate_stalemate_and_with_bare_kings() {
    for (fen, white, black) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -", 0, 100),
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", 50, 50),
        ("8/8/4k3/8/8/4K3/8/8 w - -", 50, 50),
    ] {
        let outcome = chess(fen).outcome().unwrap();
        assert_eq!(
            (outcome.of(Seat::FIRST).points(), outcome.of(Seat::SECOND).points()),
            (white, black),
            "{fen}"
        );
    }
}

/// What the mover gets with best play.
fn solve(position: &Position) -> u8 {
    if let Some(outcome) = position.outcome() {
        return outcome.of(position.mover()).points();
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mover = position.mover();
    moves
        .iter()
        .map(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            match next.outcome() {
                Some(outcome) => outcome.of(mover).points(),
                None => 100 - solve(&next),
            }
        })
        .max()
        .unwrap_or(0)
}

#[test]
fn nim_is_won_exactly_when_the_nim_sum_is_not_zero() {
    let start = position("nim");
    for heaps in [
        [1, 2, 3, 0],
        [0, 0, 0, 1],
        [2, 2, 0, 0],
        [1, 1, 1, 0],
        [3, 2, 1, 1],
        [1, 2, 2, 1],
        [0, 4, 4, 0],
    ] {
        let facts: Vec<String> = ["a", "b", "c", "d"]
            .iter()
            .zip(heaps)
            .map(|(name, stones)| format!("(heap {name} {stones})"))
            .collect();
        let position = start.parse(&format!("{} (control first)", facts.join(" "))).unwrap();
        let sum = heaps.iter().fold(0, |sum, stones| sum ^ stones);
        assert_eq!(solve(&position), if sum == 0 { 0 } else { 100 }, "{heaps:?}");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    assert_eq!(solve(&position("tictactoe").start()), 50);
}

#[test]
fn hex_has_exactly_one_winner() {
    let out = position("hex")
        .playouts(PlayoutLimit::Games(5000), &mut game::rng(1))
        .unwrap();
    assert_eq!(out.games, 5000);
    assert_eq!(out.goals[0][100] + out.goals[1][100], 5000);
    assert_eq!(out.goals[0][100], out.goals[1][0]);
}

#[test]
fn the_lights_go_out_after_the_four_presses_of_the_header() {
    let mut position = position("lights");
    for press in ["(press,2,2)", "(press,4,4)", "(press,3,3)", "(press,2,4)"] {
        assert_eq!(position.outcome(), None);
        position.play(position.parse_move(press).unwrap()).unwrap();
    }
    assert_eq!(position.outcome().unwrap().of(Seat::FIRST).points(), 100);
}

#[test]
fn in_the_duel_both_choose_at_the_same_state() {
    let mut position = position("duel");
    let state = position.state().clone();
    assert_eq!(position.mover(), Seat::FIRST);
    position.play(position.parse_move("LOAD").unwrap()).unwrap();
    assert_eq!((position.mover(), position.state()), (Seat::SECOND, &state));
    position.play(position.parse_move("duck").unwrap()).unwrap();
    assert_ne!(position.state(), &state);
    // The first shoots while the second loads.
    position.play(position.parse_move("shoot").unwrap()).unwrap();
    position.play(position.parse_move("load").unwrap()).unwrap();
    let outcome = position.outcome().unwrap();
    assert_eq!(outcome.of(Seat::FIRST).points(), 100);
}

#[test]
fn quarto_begins_with_sixteen_gifts_and_sixteen_places() {
    counts("quarto", &[16, 256, 3840, 57600]);
}

#[test]
fn every_bundled_game_keeps_the_promises_of_a_game() {
    for name in gdl::bundled::names() {
        let start = position(name);
        let mut universe = Vec::new();
        start.legal_moves(&mut universe);
        let games = if name == "chess" { 1 } else { 4 };
        let effort = conformance::Effort {
            games,
            ..conformance::Effort::default()
        };
        conformance::check(&start, &universe, effort);
    }
}

#[test]
fn a_proved_game_keeps_the_promises_of_a_game() {
    for name in ["tictactoe", "duel", "trio"] {
        let machine = Machine::prover(&Sheet::load(name).unwrap()).unwrap();
        let effort = conformance::Effort {
            games: 3,
            ..conformance::Effort::default()
        };
        conformance::check(&Position::new(machine).unwrap(), &[], effort);
    }
}

#[test]
fn positions_and_moves_that_cannot_be_are_explained() {
    let start = position("tictactoe");
    for text in [
        "(cell 1 1 z)",
        "(cell 1 1",
        ")",
        "(cell 1 1 b) / (mark,1,1)",
        "(nothing)",
    ] {
        assert!(start.parse(text).is_err(), "{text}");
    }
    let error = start.parse_move("(mark,4,4)").unwrap_err().to_string();
    assert!(error.contains("never a move of x"), "{error}");
    let mut next = start.clone();
    next.play(start.parse_move("(mark,2,2)").unwrap()).unwrap();
    let again = next
        .play(next.parse_move("(mark,2,2)").unwrap())
        .unwrap_err()
        .to_string();
    assert!(again.contains("the rules allow o here"), "{again}");
}
