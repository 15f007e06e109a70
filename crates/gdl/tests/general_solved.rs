//! `general` against perfect play: what is won or drawn from the start it does not lose.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod bits;

use bits::{Four, Through};
use game::{Game, Seat};
use gdl::{BuildLimits, Machine, Move, Position, Sheet, Solver, Watch};
use player::Clock;

/// A bundled game on a smaller board.
fn smaller(name: &str, changes: &[(&str, &str)]) -> Position {
    let mut text = Sheet::text(name).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{name} has no {from}");
        text = text.replace(from, to);
    }
    let sheet = Sheet::parse(name, &text).unwrap();
    Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
}

/// Who knows what every move gets the mover.
trait Oracle: Send {
    /// A position, and the numbers in the moves that led to it.
    fn value(&mut self, position: &Position, line: &[Vec<usize>]) -> u8;
}

/// The numbers in a move.
fn numbers(position: &Position, mv: Move) -> Vec<usize> {
    let text = position.print_move(mv);
    let words = text.split(|c: char| !c.is_ascii_digit());
    words.filter_map(|word| word.parse().ok()).collect()
}

/// What `general` gets on a seat against somebody who only makes best moves, and of those any. `line` has led to the start.
fn against_perfection(
    spec: &str,
    start: &Position,
    line: &[Vec<usize>],
    seat: Seat,
    oracle: &mut dyn Oracle,
    seed: u64,
) -> u8 {
    let mut general = gdl::players::factory(spec).unwrap().make();
    general.begin(seed);
    let mut rng = game::rng(seed);
    let mut position = start.clone();
    let mut line = line.to_vec();
    loop {
        if let Some(payoffs) = position.outcome() {
            return payoffs.of(seat).points();
        }
        let mv = if position.mover() == seat {
            general.choose(&position, &Clock::unlimited()).unwrap().best
        } else {
            let moves = values(&position, &line, oracle);
            let most = moves.iter().map(|&(_, value)| value).max().unwrap();
            let best: Vec<_> = moves.into_iter().filter(|&(_, value)| value == most).collect();
            game::pick(&mut rng, &best).unwrap().0
        };
        line.push(numbers(&position, mv));
        position.play(mv).unwrap();
    }
}

/// Every legal move and what it gets the mover.
fn values(position: &Position, line: &[Vec<usize>], oracle: &mut dyn Oracle) -> Vec<(Move, u8)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut line = line.to_vec();
    let value = |mv: Move| {
        let mut next = position.clone();
        line.push(numbers(position, mv));
        next.play(mv).unwrap();
        let value = match next.outcome() {
            Some(payoffs) => payoffs.of(position.mover()).points(),
            None => 100 - oracle.value(&next, &line),
        };
        line.pop();
        (mv, value)
    };
    moves.into_iter().map(value).collect()
}

/// `general` gets on every seat what the game is worth there.
fn keeps_the_value(name: &str, start: &Position, oracle: &mut dyn Oracle, worth: u8, spec: &str, games: u64) {
    assert_eq!(oracle.value(start, &[]), worth, "{name}");
    for (seat, expected) in [(Seat::FIRST, worth), (Seat::SECOND, 100 - worth)] {
        // Where nothing is to be had nothing can be lost.
        for seed in 0..if expected > 0 { games } else { 0 } {
            let got = against_perfection(spec, start, &[], seat, oracle, seed);
            assert!(
                got >= expected,
                "{name} on {seat}, game {seed}: {got} instead of {expected}"
            );
        }
    }
}

impl Oracle for Solver {
    fn value(&mut self, position: &Position, _: &[Vec<usize>]) -> u8 {
        Solver::value(self, position).unwrap()
    }
}

#[test]
fn general_keeps_what_tic_tac_toe_and_nim_are_worth() {
    for (name, worth) in [("tictactoe", 50), ("nim", 100)] {
        let start = smaller(name, &[]);
        let mut solver = Solver::new(&start, 1 << 30, Watch::default()).unwrap();
        keeps_the_value(name, &start, &mut solver, worth, "general:nodes=4000,threads=1", 4);
    }
}

#[derive(Default)]
struct FourOracle<const C: usize, const R: usize>(bits::KnownFours<C, R>);

impl<const C: usize, const R: usize> Oracle for FourOracle<C, R> {
    fn value(&mut self, _: &Position, line: &[Vec<usize>]) -> u8 {
        let mut board = Four::<C, R>::default();
        for column in line {
            board.drop(column[0] - 1);
        }
        (50 + 50 * i32::from(board.value(&mut self.0))) as u8
    }
}

/// Connect four of five columns of so many cells.
fn small_connect_four(rows: &str) -> Position {
    let changes = [
        ("(column 6) (column 7)", ""),
        (rows, ""),
        ("(after 5 6) (after 6 7)", ""),
    ];
    smaller("connectfour", &changes)
}

#[test]
fn general_keeps_what_connect_four_on_five_by_four_is_worth() {
    let start = small_connect_four("(row 5) (row 6)");
    let mut oracle = FourOracle::<5, 4>::default();
    let spec = "general:nodes=20000,threads=1";
    keeps_the_value("connect four 5x4", &start, &mut oracle, 50, spec, 2);
}

#[test]
fn general_keeps_what_connect_four_on_five_by_five_is_worth() {
    let start = small_connect_four("(row 6)");
    let mut oracle = FourOracle::<5, 5>::default();
    let spec = "general:nodes=60000,threads=1";
    keeps_the_value("connect four 5x5", &start, &mut oracle, 50, spec, 2);
}

/// A position after so many random stones, and the line that led there; none if the game was over before.
fn after_random_stones(start: &Position, stones: usize, rng: &mut game::Rng) -> Option<(Position, Vec<Vec<usize>>)> {
    let (mut position, mut line) = (start.clone(), Vec::new());
    while line.len() < stones {
        let mv = position.random_move(rng, &mut Vec::new())?;
        line.push(numbers(&position, mv));
        position.play(mv).unwrap();
    }
    position.outcome().is_none().then_some((position, line))
}

/// Few walks are enough where little is left.
#[test]
fn general_keeps_what_connect_four_on_five_by_five_is_worth_from_the_tenth_stone_on() {
    const STONES: usize = 10;
    let start = small_connect_four("(row 6)");
    let mut oracle = FourOracle::<5, 5>::default();
    let mut rng = game::rng(5);
    let mut games = 0;
    while games < 12 {
        let Some((position, line)) = after_random_stones(&start, STONES, &mut rng) else {
            continue;
        };
        let worth = oracle.value(&position, &line);
        if worth > 0 {
            let spec = "general:nodes=2000,threads=1";
            let got = against_perfection(spec, &position, &line, position.mover(), &mut oracle, games);
            assert!(got >= worth, "game {games}, {line:?}: {got} instead of {worth}");
            games += 1;
        }
    }
}

/// How many moves of random positions with so many stones keep the value, where some moves do and at least two do not.
fn kept(spec: &str, stones: usize, positions: usize) -> usize {
    let start = small_connect_four("(row 6)");
    let mut oracle = FourOracle::<5, 5>::default();
    let mut rng = game::rng(7);
    let (mut asked, mut kept) = (0, 0);
    while asked < positions {
        let Some((position, line)) = after_random_stones(&start, stones, &mut rng) else {
            continue;
        };
        let values = values(&position, &line, &mut oracle);
        let most = values.iter().map(|&(_, value)| value).max().unwrap();
        if values.iter().filter(|&&(_, value)| value < most).count() < 2 {
            continue;
        }
        let mut general = gdl::players::factory(spec).unwrap().make();
        general.begin(asked as u64);
        let best = general.choose(&position, &Clock::unlimited()).unwrap().best;
        kept += usize::from(values.contains(&(best, most)));
        asked += 1;
    }
    kept
}

#[test]
fn random_games_that_see_one_move_ahead_keep_more_values_than_as_many_that_do_not() {
    const POSITIONS: usize = 150;
    let kept = |spec: &str| {
        kept(
            &format!("general:threads=1,alphabeta=off,nodes=300,{spec}"),
            6,
            POSITIONS,
        )
    };
    let [ahead, plain] = [kept("playouts=lanes"), kept("playouts=plain")];
    println!("of {POSITIONS}: {ahead} ahead, {plain} plain");
    assert!(ahead > plain + 5, "of {POSITIONS}: {ahead} ahead, {plain} plain");
}

#[derive(Default)]
struct ThroughOracle<const C: usize, const R: usize>(bits::KnownThroughs<C, R>);

impl<const C: usize, const R: usize> Oracle for ThroughOracle<C, R> {
    fn value(&mut self, _: &Position, line: &[Vec<usize>]) -> u8 {
        let mut board = Through::<C, R>::start();
        for (turn, mv) in line.iter().enumerate() {
            let row = |row: usize| if turn % 2 == 0 { row - 1 } else { R - row };
            let cell = |at: usize| Through::<C, R>::cell(mv[at] - 1, row(mv[at + 1]));
            board = board.after(cell(0), cell(2)).unwrap();
        }
        if board.wins(&mut self.0) { 100 } else { 0 }
    }
}

/// Breakthrough on a board of so many columns and rows.
fn small_breakthrough(columns: usize, rows: usize) -> Position {
    let lines = |from: usize, to: usize| -> String { (from..=to).map(|line| format!("(line {line}) ")).collect() };
    let home = |row: usize| format!("(home black {row}) (home black {})", row + 1);
    smaller(
        "breakthrough",
        &[
            (lines(1, 8).trim(), &lines(1, columns)),
            ("(beside ?a ?b) (after ?a ?b)", "(beside ?a ?b) (after ?a ?b) (line ?b)"),
            ("(beside ?a ?b) (after ?b ?a)", "(beside ?a ?b) (after ?b ?a) (line ?a)"),
            ("(home black 7) (home black 8)", &home(rows - 1)),
            ("(last white 8)", &format!("(last white {rows})")),
        ],
    )
}

#[test]
fn general_keeps_what_a_small_breakthrough_is_worth() {
    let spec = "general:nodes=5000,threads=1";
    let (square, long) = (small_breakthrough(4, 4), small_breakthrough(4, 5));
    let mut oracle = ThroughOracle::<4, 4>::default();
    keeps_the_value("breakthrough 4x4", &square, &mut oracle, 0, spec, 3);
    let mut oracle = ThroughOracle::<4, 5>::default();
    keeps_the_value("breakthrough 4x5", &long, &mut oracle, 0, spec, 3);
}

/// Plays on a clock, two games at once, as many as `TERZO_GAMES` says, and prints what came of it: `TERZO_GAMES=10 cargo test --release -p terzo-gdl --test general_solved --
/// --ignored --nocapture --test-threads 1`. It depends on the machine, so it is no test of every day.
fn on_a_clock(name: &str, start: &Position, oracle: impl Fn() -> Box<dyn Oracle> + Sync, worth: u8) {
    let Ok(games) = std::env::var("TERZO_GAMES").map(|games| games.parse::<u64>().unwrap()) else {
        println!("{name}: not played, since TERZO_GAMES does not say how often");
        return;
    };
    let spec = std::env::var("TERZO_PLAYER").unwrap_or_else(|_| "general:time=1s,threads=1".into());
    let first: u64 = std::env::var("TERZO_SEED").map_or(0, |seed| seed.parse().unwrap());
    let lost: usize = std::thread::scope(|scope| {
        let seats = [(Seat::FIRST, worth), (Seat::SECOND, 100 - worth)];
        let (oracle, spec) = (&oracle, &spec);
        let play = move |(seat, expected): (Seat, u8)| {
            let mut oracle = oracle();
            let play = |seed| against_perfection(spec, start, &[], seat, &mut *oracle, seed);
            let got: Vec<u8> = (first..first + if expected > 0 { games } else { 0 })
                .map(play)
                .collect();
            println!("{name}, {spec} on {seat}, worth {expected}: {got:?}");
            got.iter().filter(|&&points| points < expected).count()
        };
        let others = scope.spawn(move || play(seats[1]));
        play(seats[0]) + others.join().unwrap()
    });
    assert_eq!(lost, 0, "{name}");
}

#[test]
#[ignore = "plays where TERZO_GAMES says how often: takes minutes, and a quiet machine"]
fn clock_tic_tac_toe_and_nim() {
    for (name, worth) in [("tictactoe", 50), ("nim", 100)] {
        let start = smaller(name, &[]);
        let oracle = || -> Box<dyn Oracle> { Box::new(Solver::new(&start, 1 << 28, Watch::default()).unwrap()) };
        on_a_clock(name, &start, oracle, worth);
    }
}

#[test]
#[ignore = "plays where TERZO_GAMES says how often: takes minutes, and a quiet machine"]
fn clock_connect_four() {
    let start = small_connect_four("(row 6)");
    on_a_clock("connect four 5x5", &start, || Box::<FourOracle<5, 5>>::default(), 50);
}

#[test]
#[ignore = "plays where TERZO_GAMES says how often: takes minutes, and a quiet machine"]
fn clock_breakthrough() {
    let start = small_breakthrough(4, 4);
    on_a_clock("breakthrough 4x4", &start, || Box::<ThroughOracle<4, 4>>::default(), 0);
    let start = small_breakthrough(4, 5);
    on_a_clock("breakthrough 4x5", &start, || Box::<ThroughOracle<4, 5>>::default(), 0);
    let start = small_breakthrough(3, 6);
    on_a_clock(
        "breakthrough 3x6",
        &start,
        || Box::<ThroughOracle<3, 6>>::default(),
        100,
    );
}
