//! What `general` can do is held against brute force.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod shared;
mod sheets;

use game::{Game, Payoff, Seat};
use gdl::Position;
use player::{Clock, Observer};
use sheets::{after, game_against_random, moves, player, start, worst_result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[test]
fn general_never_loses_tic_tac_toe_whatever_the_replies() {
    for spec in [
        "general:nodes=100,threads=1",
        "general:nodes=5000,threads=1,alphabeta=off",
        "general:nodes=5000,threads=1,alphabeta=off,playouts=mast",
        "general:nodes=5000,threads=2,alphabeta=off",
    ] {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let mut general = player(spec);
            let worst = worst_result(general.as_mut(), &start("tictactoe"), seat, &mut HashMap::new());
            assert!(worst >= 50, "{spec} on {seat}");
        }
    }
}

#[test]
fn who_listens_hears_how_the_search_goes_and_changes_nothing() {
    let position = start("connectfour");
    let choose = |spec: &str, observer: Observer| {
        let mut general = player(spec);
        general.begin(7);
        let clock = Clock {
            observer,
            ..Clock::unlimited()
        };
        general.choose(&position, &clock).unwrap()
    };
    // The tree alone tells nothing before a tenth of a second has passed, so it gets more than that.
    for spec in [
        "general:nodes=300,threads=1",
        "general:time=600ms,threads=1,alphabeta=off",
    ] {
        let told = Arc::new(Mutex::new(Vec::new()));
        let hear = Arc::clone(&told);
        let observer = Observer::new(move |analysis| hear.lock().unwrap().push(analysis.clone()));
        let listened = choose(spec, observer);
        let told = told.lock().unwrap();
        assert!(!told.is_empty(), "{spec}");
        assert!(
            told.iter()
                .all(|told| told.score.is_some() && told.depth.is_some() && !told.pv.is_empty()),
            "{told:?}"
        );
        assert!(listened.score.is_some());
        if spec.contains("nodes") {
            assert_eq!(choose(spec, Observer::nobody()).best, listened.best);
        }
    }
}

/// Connect four by other means than the sheet: the stones of both as columns of cells, solved by plain search.
mod four {
    use std::collections::HashMap;

    pub const COLUMNS: usize = 7;
    pub const ROWS: usize = 6;

    #[derive(Clone, PartialEq, Eq, Hash, Default)]
    pub struct Board {
        pub columns: [Vec<u8>; COLUMNS],
    }

    impl Board {
        pub fn stones(&self) -> usize {
            self.columns.iter().map(Vec::len).sum()
        }

        fn at(&self, column: i32, row: i32) -> Option<u8> {
            let column = self.columns.get(usize::try_from(column).ok()?)?;
            column.get(usize::try_from(row).ok()?).copied()
        }

        /// Drops a stone of whoever is to move; whether it makes four.
        pub fn drop(&mut self, column: usize) -> bool {
            let mover = (self.stones() % 2) as u8;
            let row = self.columns[column].len() as i32;
            self.columns[column].push(mover);
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| {
                let run = |sign: i32| {
                    let mine = |n: &i32| self.at(column as i32 + sign * n * dx, row + sign * n * dy) == Some(mover);
                    (1..4).take_while(mine).count()
                };
                run(1) + run(-1) >= 3
            })
        }

        /// 1 if who moves wins, 0 for a draw, -1 if the other does.
        pub fn value(&self, known: &mut HashMap<Board, i8>) -> i8 {
            if let Some(&value) = known.get(self) {
                return value;
            }
            let mut best = if self.stones() == COLUMNS * ROWS { 0 } else { -1 };
            for column in (0..COLUMNS).filter(|&column| self.columns[column].len() < ROWS) {
                let mut next = self.clone();
                let value = if next.drop(column) { 1 } else { -next.value(known) };
                best = best.max(value);
                if best == 1 {
                    break;
                }
            }
            known.insert(self.clone(), best);
            best
        }
    }
}

/// Random games of connect four until few enough cells are empty for plain search; those that who moves wins, but not at
/// once.
fn won_positions(count: usize) -> Vec<(Vec<usize>, four::Board)> {
    let mut rng = game::rng(11);
    let mut won = Vec::new();
    let mut known = HashMap::new();
    while won.len() < count {
        let mut board = four::Board::default();
        let mut played = Vec::new();
        while board.stones() < 26 {
            let open: Vec<usize> = (0..four::COLUMNS)
                .filter(|&c| board.columns[c].len() < four::ROWS)
                .collect();
            let column = game::pick(&mut rng, &open).unwrap();
            played.push(column);
            if board.drop(column) {
                break;
            }
        }
        let quiet = (0..four::COLUMNS).all(|c| board.columns[c].len() == four::ROWS || !board.clone().drop(c));
        if board.stones() == 26 && quiet && board.value(&mut known) == 1 {
            won.push((played, board));
        }
    }
    won
}

fn dropped(position: &Position, column: usize) -> Position {
    let mv = position.parse_move(&format!("(drop,{})", column + 1)).unwrap();
    after(position, mv)
}

#[test]
fn general_wins_connect_four_from_won_positions_whatever_the_replies() {
    let start = start("connectfour");
    for (number, (played, _)) in won_positions(12).iter().enumerate() {
        let position = played
            .iter()
            .fold(start.clone(), |position, &column| dropped(&position, column));
        let seat = position.mover();
        for spec in [
            "general:nodes=300,threads=1",
            "general:nodes=30000,threads=1,alphabeta=off",
        ] {
            let worst = worst_result(player(spec).as_mut(), &position, seat, &mut HashMap::new());
            assert_eq!(worst, 100, "{spec}, position {number}: {played:?}");
        }
    }
}

/// The tree marks positions that are won at once as decided, and needs no move there until it is on turn in one of them itself.
#[test]
fn who_can_win_at_once_does_so_whatever_the_tree_knew_before() {
    for (name, games) in [("connectfour", 4), ("quarto", 2), ("turntables", 2)] {
        let mut wins = 0;
        for seed in 0..games {
            let mut general = player("general:nodes=400,threads=1,alphabeta=off");
            general.begin(seed);
            let mut rng = game::rng(seed);
            let mut position = start(name);
            while position.outcome().is_none() {
                // It thinks about every position, so its tree is kept; every other move is anybody's.
                let found = general.choose(&position, &Clock::unlimited()).unwrap();
                let won = |mv| {
                    let payoffs = after(&position, mv).outcome();
                    payoffs.is_some_and(|payoffs| payoffs.of(position.mover()) == Payoff::WIN)
                };
                let best = if moves(&position).into_iter().any(won) {
                    assert!(
                        won(found.best),
                        "{name}, game {seed}: {}",
                        position.print_move(found.best)
                    );
                    wins += 1;
                    // Not made, so that the game goes on as long as it can.
                    game::pick(&mut rng, &moves(&position)).unwrap()
                } else {
                    found.best
                };
                position = after(&position, best);
            }
        }
        assert!(wins > 0, "{name}");
    }
}

/// Lost for who is to move, in 13 to 17 moves; but all moves but one or two of seven lose at once, the last of them too. (Found by a search of bit
/// boards that is no part of the project.)
const LOST: [&str; 6] = [
    "74531331176512373",
    "7356154224422315346232",
    "1236611163613377175",
    "12674466611714766274",
    "33636657222712346766457",
    "5141532475564453511761",
];

#[test]
fn general_does_not_give_up_what_it_knows_to_be_lost() {
    let start = start("connectfour");
    for line in LOST {
        let columns = line.bytes().map(|column| usize::from(column - b'1'));
        let position = columns.fold(start.clone(), |position, column| dropped(&position, column));
        for spec in [
            "general:nodes=100000,threads=1,alphabeta=off",
            "general:time=500ms,threads=1",
        ] {
            let found = player(spec).choose(&position, &Clock::unlimited()).unwrap();
            let next = after(&position, found.best);
            let wins = |mv| after(&next, mv).outcome().is_some();
            assert!(
                !moves(&next).into_iter().any(wins),
                "{spec} after {line}: {} loses at once, said to be worth {:?}",
                position.print_move(found.best),
                found.value
            );
        }
    }
}

#[test]
fn general_puts_the_lights_out() {
    let start = start("lights");
    for spec in ["general:nodes=2000,threads=1", "general:time=5s"] {
        assert_eq!(game_against_random(spec, &start, Seat::FIRST, 1), 100, "{spec}");
    }
}

/// Five by five, fifteen presses and more away: far beyond what a search sees, but the moves are switches.
#[test]
fn general_puts_the_lights_of_others_out() {
    let Some(folder) = shared::gdl() else {
        return;
    };
    let sheet = folder.join("hard/games/lightsOut.kif");
    let sheet = gdl::Sheet::load(sheet.to_str().unwrap()).unwrap();
    let machine = gdl::Machine::compiled(&sheet, gdl::BuildLimits::default()).unwrap();
    let start = Position::new(machine).unwrap();
    assert_eq!(
        game_against_random("general:nodes=100,threads=1", &start, Seat::FIRST, 1),
        100
    );
}

#[test]
fn general_wins_at_trio_and_in_the_duel_against_random_players() {
    // Random players get a third of the points at trio and half of them in the duel.
    for (name, games, least) in [("trio", 6, 80), ("duel", 30, 60)] {
        let start = start(name);
        let mut sum = 0;
        for game in 0..games {
            let seat = Seat::new((game % start.seats() as u64) as u8);
            sum += u64::from(game_against_random("general:nodes=4000,threads=1", &start, seat, game));
        }
        assert!(sum / games >= least, "{name}: {}", sum / games);
    }
}

#[test]
fn general_plays_every_bundled_game_to_its_end_by_the_rules() {
    for name in gdl::bundled::names() {
        let start = start(name);
        for seat in 0..start.seats() as u8 {
            game_against_random("general:time=15ms,threads=2", &start, Seat::new(seat), 3);
        }
    }
}

#[test]
fn what_others_have_chosen_at_the_same_time_is_not_looked_at() {
    let start = start("duel");
    let answers: Vec<_> = moves(&start)
        .into_iter()
        .map(|mv| {
            let asked = after(&start, mv);
            assert_eq!(asked.mover(), Seat::SECOND);
            let analysis = player("general:nodes=2000,threads=1").choose(&asked, &Clock::unlimited());
            // All but how long it took.
            player::Analysis {
                time: Duration::ZERO,
                ..analysis.unwrap()
            }
        })
        .collect();
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
}

/// A game in which we may ask for 60 or leave it to the other, to whom both of its moves are worth the same.
fn indifference(theirs: u8, moves: [&str; 2]) -> Position {
    let [first, second] = moves;
    let text = format!(
        "(role me) (role other) (init (turn me))
         (<= (legal me ask) (true (turn me))) (<= (legal me leave) (true (turn me))) (<= (legal me noop) (true (turn other)))
         (<= (legal other {first}) (true (turn other))) (<= (legal other {second}) (true (turn other)))
         (<= (legal other noop) (true (turn me)))
         (<= (next (end asked)) (does me ask)) (<= (next (turn other)) (does me leave))
         (<= (next (end given)) (does other give)) (<= (next (end taken)) (does other take))
         (<= terminal (true (end ?how)))
         (<= (goal me 60) (true (end asked))) (<= (goal other 30) (true (end asked)))
         (<= (goal me 100) (true (end given))) (<= (goal me 0) (true (end taken)))
         (<= (goal other {theirs}) (not (true (end asked))))"
    );
    let sheet = gdl::Sheet::parse("indifference", &text).unwrap();
    Position::new(gdl::Machine::compiled(&sheet, gdl::BuildLimits::default()).unwrap()).unwrap()
}

#[test]
fn nobody_is_counted_on_to_be_kind_where_it_is_all_the_same_to_them() {
    for theirs in [40, 100] {
        for moves in [["give", "take"], ["take", "give"]] {
            let start = indifference(theirs, moves);
            for spec in [
                "general:nodes=1000,threads=1",
                "general:nodes=1000,threads=1,playouts=mast",
            ] {
                let analysis = player(spec).choose(&start, &Clock::unlimited()).unwrap();
                assert_eq!(start.print_move(analysis.best), "ask", "{spec}, {theirs}, {moves:?}");
            }
        }
    }
}

#[test]
fn a_move_comes_in_time() {
    for name in ["chess", "connectfour", "trio", "lights"] {
        let start = start(name);
        let mut general = player("general");
        for milliseconds in [0, 1, 30, 150] {
            let time = Duration::from_millis(milliseconds);
            let clock = Clock {
                time: Some(time),
                ..Clock::started_at(Instant::now())
            };
            let analysis = general.choose(&start, &clock).unwrap();
            let took = clock.elapsed();
            assert!(start.is_legal(analysis.best));
            // The machine that tests may be busy; what is tested is that no search forgets the clock.
            assert!(took < time + Duration::from_secs(1), "{name}: {took:?} of {time:?}");
        }
    }
}

#[test]
fn the_same_seed_and_nodes_give_the_same_game_on_one_thread() {
    let start = start("breakthrough");
    let game = || {
        let mut general = player("general:nodes=200,threads=1");
        let mut position = start.clone();
        let mut line = Vec::new();
        for _ in 0..12 {
            let mv = general.choose(&position, &Clock::unlimited()).unwrap().best;
            line.push(mv);
            position = after(&position, mv);
        }
        line
    };
    assert_eq!(game(), game());
}

#[test]
fn without_a_compiled_machine_it_plays_as_well_as_it_can() {
    let sheet = gdl::Sheet::load("tictactoe").unwrap();
    let start = Position::new(gdl::Machine::prover(&sheet).unwrap()).unwrap();
    let mut lost = 0;
    for game in 0..6 {
        let seat = Seat::new(game % 2);
        let got = game_against_random("general:nodes=200,threads=1", &start, seat, game.into());
        lost += u32::from(got == Payoff::LOSS.points());
    }
    assert_eq!(lost, 0);
}

#[test]
fn players_from_sheets_think_until_they_are_stopped_and_end_when_they_are() {
    const THOUGHT: Duration = Duration::from_millis(1500);
    for (game, spec) in [
        ("chess", "general"),
        ("connectfour", "loisel"),
        ("connectfour", "montecarlo"),
    ] {
        let stop = game::Stop::new();
        let clock = Clock {
            infinite: true,
            stop: stop.clone(),
            ..Clock::unlimited()
        };
        let (done, ended) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let chosen = player(spec).choose(&start(game), &clock);
            let _ = done.send(chosen.is_ok());
        });
        let early = ended.recv_timeout(THOUGHT);
        assert!(early.is_err(), "{spec} did not wait for the sign");
        stop.raise();
        assert_eq!(
            ended.recv_timeout(Duration::from_secs(20)),
            Ok(true),
            "{spec} did not end"
        );
    }
}

#[test]
fn who_slips_makes_that_share_of_the_moves_without_thinking() {
    let mut position = start("tictactoe");
    for text in ["(mark,1,1)", "(mark,2,1)", "(mark,1,2)", "(mark,3,3)"] {
        position.play(position.parse_move(text).unwrap()).unwrap();
    }
    // Only one move wins; whoever does not think finds it once in five times.
    let found = |slip: u32| {
        let mut general = player(&format!("general:nodes=50,threads=1,slip={slip}"));
        let wins = (0..200).filter(|&seed| {
            general.begin(seed);
            let chosen = general.choose(&position, &Clock::unlimited()).unwrap();
            position.print_move(chosen.best) == "(mark,1,3)"
        });
        wins.count()
    };
    assert_eq!(found(0), 200);
    let (half, all) = (found(50), found(100));
    assert!(
        (95..145).contains(&half) && (20..65).contains(&all),
        "{half} and {all} of 200"
    );
}
