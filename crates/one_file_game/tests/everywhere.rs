//! The game of the page is played wherever games are played.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use arena::control::Control;
use arena::plan::{Entrant, Format, OpeningPlan, Plan};
use arena::queue::Local;
use arena::store::Store;
use arena::terms::Terms;
use arena::tournament::{self, Pairs};
use arena::unrecorded::{self, MatchPlan};
use game::conformance::{self, Effort};
use game::{Game, perft, rng};
use games::view::View;
use games::{AnyGame, ContestSetup, Watch};
use one_file_game::{ConnectFour, Lines, NAME, register};
use player::Clock;
use search::{AlphaBeta, Evaluator, Limits, Settings, negamax};
use std::io::Cursor;
use std::sync::{Arc, Mutex};

fn connect4() -> Arc<dyn AnyGame> {
    register();
    games::find(NAME).unwrap_or_else(|error| panic!("{error}")).game
}

fn specs(specs: [&str; 2]) -> ContestSetup {
    ContestSetup::of_specs(&specs.map(String::from))
}

#[test]
fn the_page_keeps_to_a_hundred_and_fifty_lines() {
    let page = include_str!("../../../docs/add-a-game.md");
    let code = page.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    assert!(code.lines().count() <= 150, "{}", code.lines().count());
}

#[test]
fn it_is_a_game() {
    let columns: Vec<u8> = (0..8).collect();
    conformance::check(&ConnectFour::default(), &columns, Effort::default());
    for wrong in [
        "",
        "x",
        "......./......./......./......./......./o......",
        "x....../......./......./......./......./.......",
    ] {
        assert!(ConnectFour::default().parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn it_has_as_many_games_as_are_published() {
    // The numbers of connect four that everybody finds; the rule sheet `connectfour` gives the same.
    let counts = [1, 7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234];
    for (depth, count) in (0..).zip(counts) {
        assert_eq!(perft(&ConnectFour::default(), depth), count, "{depth}");
    }
    assert_eq!(connect4().perft(None, 4), Ok(2401));
}

#[test]
fn its_evaluator_is_searched_as_plain_negamax_does() {
    let mut position = ConnectFour::default();
    for column in [3, 3, 2, 4, 4, 1, 5] {
        position.play(column).unwrap();
        let found = AlphaBeta::new(Lines, Settings::default())
            .search(&position, &Limits::depth(4), None)
            .unwrap();
        let plain = negamax(&position, &Lines, 4);
        assert_eq!(
            found.value,
            Some(f64::from(plain) / Lines.unit()),
            "{}",
            position.print()
        );
    }
}

#[test]
fn it_plays_matches_and_the_better_player_wins() {
    let contest = connect4().contest(&specs(["alphabeta:depth=4", "random"])).unwrap();
    let plan = MatchPlan {
        games: 40,
        seed: 1,
        jobs: 2,
        terms: Terms::default(),
    };
    let tally = unrecorded::play(&contest, &plan, &Control::default()).unwrap();
    assert_eq!(tally.games, 40);
    assert!(tally.players[0].wins >= 36, "{tally:?}");
    assert_eq!(tally.first_fault, None);
}

#[test]
fn it_plays_recorded_tournaments() {
    let plan = Plan {
        name: NAME.into(),
        game: NAME.into(),
        players: ["random", "mcts:playouts=50"].map(Entrant::of_spec).into(),
        rounds: 5,
        format: Format::RoundRobin,
        seed: 1,
        terms: Terms::default(),
        openings: OpeningPlan::Plies(2),
        sprt: None,
        concurrency: 1,
    };
    let contest = connect4().contest(&ContestSetup::of_plan(&plan)).unwrap();
    let pairs = Arc::new(Pairs::new(plan, contest).unwrap());
    let mut store = Store::in_memory().unwrap();
    let outcome = tournament::run(
        &pairs,
        &mut Local { threads: 1 },
        &mut store,
        &Control::default(),
        &mut |_| (),
    )
    .unwrap();
    assert_eq!((outcome.played, outcome.failure), (5, None));
}

/// What an engine says, to be read when it has ended.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn it_is_an_engine() {
    let input = "ugi\nposition startpos moves 4 4\nquery legalmoves\ngo depth 2\nquit\n";
    let output = Output::default();
    let (input, said) = (Box::new(Cursor::new(input)), Box::new(output.clone()));
    connect4().serve_ugi(Some("alphabeta"), input, said).unwrap();
    let said = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    for line in ["id name terzo alphabeta", "response 1 2 3 4 5 6 7", "bestmove "] {
        assert!(said.contains(line), "{said}");
    }
}

#[test]
fn a_session_shows_it_as_a_grid() {
    let mut session = connect4().session();
    for (ply, turn) in ["4", "4", "3"].into_iter().enumerate() {
        session.play(ply, turn).unwrap();
    }
    let moment = session.moment(3);
    let View::Plain(view) = &moment.view else {
        panic!("{:?}", moment.view);
    };
    let board = view.board.as_ref().unwrap();
    assert_eq!((board.rows.len(), board.rows[5].join(".")), (6, "..x.x...".into()));
    assert_eq!(board.rows[4][3], "o");
    assert_eq!(board.moves.len(), 7);
    assert!(view.text.ends_with(". . x x . . .\n"), "{}", view.text);
    let said = session.thinker(3, "mcts:playouts=20", 1).unwrap()(&Clock::unlimited()).unwrap();
    assert!(moment.legal.contains(&said.best));
}

/// What the mover gets, by looking at everything.
fn plainly(position: &ConnectFour) -> u8 {
    if let Some(payoffs) = position.outcome() {
        return payoffs.of(position.mover()).points();
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let worth = moves.into_iter().map(|mv| {
        let mut after = *position;
        after.play_unchecked(mv);
        100 - plainly(&after)
    });
    worth.max().unwrap()
}

#[test]
fn a_session_solves_what_is_nearly_over_and_says_what_is_too_large() {
    let mut session = connect4().session();
    let (mut chance, mut buffer, mut solved) = (rng(5), Vec::new(), 0);
    while solved < 20 {
        let mut position = ConnectFour::default();
        for _ in 0..32 {
            if let Some(mv) = position.random_move(&mut chance, &mut buffer) {
                position.play_unchecked(mv);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        session.replace(Some(&position.print()), &[]).unwrap();
        let found = session.solve(0, 1 << 24, Watch::default()).unwrap();
        assert_eq!(found.value, plainly(&position), "{}", position.print());
        assert_eq!(found.moves.iter().map(|(_, value)| *value).max(), Some(found.value));
        solved += 1;
    }
    session.replace(None, &[]).unwrap();
    let too_large = session.solve(0, 1 << 16, Watch::default()).unwrap_err();
    assert!(too_large.to_string().contains("too large"), "{too_large}");
}
