//! The perfect player against the truth and against the others.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Seat, Stop, below, rng};
use player::{Clock, Player};
use quarto::book::Book;
use quarto::book::holding::HoldingBook;
use quarto::players::factory;
use quarto::policy::{self, Novice};
use quarto::solver::{Outcome, Solver};
use quarto::{Position, Rules};
use std::time::{Duration, Instant};

fn player(spec: &str) -> Box<dyn Player<Position>> {
    factory(spec).unwrap().make()
}

/// An unfinished position with `placed` pieces and one in hand.
fn position_with(rules: &'static Rules, placed: u32, rng: &mut game::Rng) -> Position {
    loop {
        let mut position = Position::new(rules);
        while let Some(turn) = policy::turn(&Novice, &position, rng) {
            if position.placed() == placed && position.hand().is_some() {
                return position;
            }
            position.play_unchecked(turn);
        }
    }
}

/// The winner of a game between two players.
fn game(start: &Position, mut seats: [&mut dyn Player<Position>; 2], seed: u64) -> Option<Seat> {
    for (seat, player) in (0..).zip(&mut seats) {
        player.begin(game::mix(seed, &[seat]));
    }
    let mut position = *start;
    while position.playing() {
        let seat = position.mover().index();
        let analysis = seats[seat].choose(&position, &Clock::unlimited()).unwrap();
        position.play(analysis.best).unwrap();
    }
    position.outcome().and_then(|payoffs| payoffs.winner())
}

#[test]
fn it_never_leaves_the_value_of_the_position_and_hurries_when_it_wins() {
    let mut rng = rng(1);
    for rules in Rules::all() {
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        for spec in ["perfect", "perfect:traps=off"] {
            let mut player = player(spec);
            player.begin(1);
            for _ in 0..15 {
                let placed = 8 + below(&mut rng, 7);
                let position = position_with(rules, placed, &mut rng);
                let best = solver.exact(&position).unwrap();
                let analysis = player.choose(&position, &Clock::unlimited()).unwrap();
                let turns = solver.turns_exactly(&position).unwrap();
                let (_, value) = turns.iter().find(|(turn, _)| *turn == analysis.best).unwrap();
                assert_eq!(
                    value.preference(),
                    best.preference(),
                    "{spec} played {} in {position:?}",
                    analysis.best
                );
            }
        }
    }
}

#[test]
fn with_the_book_it_keeps_the_value_from_the_first_turn_on() {
    let mut rng = rng(2);
    for rules in Rules::all().filter(|rules| Book::of(rules).is_some()) {
        let mut solver = Solver::new(rules, 16 << 20, 1).unwrap();
        solver.open_book();
        let mut player = player("perfect");
        player.begin(2);
        for placed in 0..=4 {
            let position = position_with(rules, placed, &mut rng);
            let analysis = player.choose(&position, &Clock::unlimited()).unwrap();
            let mut after = position;
            after.play(analysis.best).unwrap();
            let reached = solver.outcome(&after).unwrap().reversed();
            assert_eq!(
                reached,
                solver.outcome(&position).unwrap(),
                "{} in {position:?}",
                analysis.best
            );
        }
    }
}

#[test]
fn it_loses_to_nobody_and_beats_the_beginners() {
    for rules in Rules::all().filter(|rules| Book::of(rules).is_some()) {
        let (start, name) = (Position::new(rules), rules.name());
        let mut perfect = player("perfect:time=3ms");
        for other in ["random", "novice", "minimax:depth=2,eval=terzo"] {
            let mut opponent = player(other);
            let mut wins = 0;
            for seed in 0..10 {
                let first = seed % 2 == 0;
                let seats: [&mut dyn Player<Position>; 2] = match first {
                    true => [perfect.as_mut(), opponent.as_mut()],
                    false => [opponent.as_mut(), perfect.as_mut()],
                };
                let own = if first { Seat::FIRST } else { Seat::SECOND };
                let winner = game(&start, seats, seed);
                assert_ne!(winner, Some(own.other()), "lost to {other} at {name}, seed {seed}");
                wins += u32::from(winner == Some(own));
            }
            assert!(wins >= 5, "{wins} of 10 against {other} at {name}");
        }
    }
}

#[test]
fn the_same_seed_is_the_same_game_whatever_was_played_before() {
    let rules = Rules::standard();
    let record = |perfect: &mut dyn Player<Position>, seed: u64| {
        let mut opponent = player("minimax:depth=3,eval=absolute");
        perfect.begin(seed);
        opponent.begin(seed);
        let mut position = Position::new(rules);
        let mut turns = Vec::new();
        while position.playing() {
            let turn = match position.mover() {
                Seat::FIRST => perfect.choose(&position, &Clock::unlimited()),
                _ => opponent.choose(&position, &Clock::unlimited()),
            };
            turns.push(turn.unwrap().best);
            position.play(turns[turns.len() - 1]).unwrap();
        }
        turns
    };
    let mut used = player("perfect");
    for seed in 0..4 {
        assert_eq!(
            record(used.as_mut(), seed),
            record(player("perfect").as_mut(), seed),
            "seed {seed}"
        );
    }
}

#[test]
fn from_level_three_on_it_takes_a_win_and_gives_none() {
    let start = Position::new(Rules::standard());
    let won = start.parse("012./..../.f../.... 3").unwrap();
    let risky = start.parse("016./..../.f../.... -").unwrap();
    for level in 3..=10 {
        let mut player = player(&format!("perfect:level={level}"));
        for seed in 0..5 {
            player.begin(seed);
            let turn = player.choose(&won, &Clock::unlimited()).unwrap().best;
            assert_eq!(turn.to_string(), "d1.-", "level {level}");
            let turn = player.choose(&risky, &Clock::unlimited()).unwrap().best;
            let gift = turn.give.unwrap();
            assert!(gift.number() >= 8, "level {level} gave {gift}");
        }
    }
}

#[test]
fn a_level_that_sees_as_far_as_the_end_makes_no_mistake_there() {
    let mut rng = rng(4);
    let rules = Rules::standard();
    let solver = Solver::new(rules, 1 << 20, 1).unwrap();
    let mut player = player("perfect:level=9");
    for _ in 0..30 {
        let position = position_with(rules, 9, &mut rng);
        let turn = player.choose(&position, &Clock::unlimited()).unwrap().best;
        let turns = solver.turns(&position).unwrap();
        let best = turns.iter().map(|(_, outcome)| *outcome).max();
        let reached = turns
            .iter()
            .find(|(candidate, _)| *candidate == turn)
            .map(|(_, outcome)| *outcome);
        assert_eq!(reached, best, "{turn} in {position:?}");
        assert_ne!(best, None::<Outcome>);
    }
}

/// The variants that are solved and have a book that a player can keep to, and what the empty board is worth to the first placer.
fn solved() -> Vec<(&'static Rules, Outcome)> {
    let proved = [
        ("quarto", Outcome::Draw),
        ("quarto-squares", Outcome::Draw),
        ("quarto-squares-only", Outcome::Draw),
        ("quarto-torus", Outcome::Win),
    ];
    proved
        .map(|(name, worth)| (Rules::named(name).unwrap(), worth))
        .to_vec()
}

/// A clock that has run out: what is found under it would be found on any machine, however busy.
fn no_time() -> Clock {
    Clock {
        time: Some(Duration::ZERO),
        ..Clock::unlimited()
    }
}

#[test]
fn solved_variants_are_played_perfectly_without_any_time() {
    for (rules, _) in solved() {
        let name = rules.name();
        let mut solver = Solver::new(rules, 64 << 20, 1).unwrap();
        solver.open_book();
        for (seed, other) in ["random", "novice", "novice", "minimax:depth=2,eval=terzo"]
            .into_iter()
            .enumerate()
        {
            let (mut perfect, mut opponent) = (player("perfect"), player(other));
            perfect.begin(seed as u64);
            opponent.begin(seed as u64);
            let own = [Seat::FIRST, Seat::SECOND][seed % 2];
            let mut position = Position::new(rules);
            while position.playing() {
                if position.mover() != own {
                    let turn = opponent.choose(&position, &Clock::unlimited()).unwrap().best;
                    position.play(turn).unwrap();
                    continue;
                }
                let analysis = perfect.choose(&position, &no_time()).unwrap();
                let worth = solver.outcome(&position).unwrap();
                let before = position;
                position.play(analysis.best).unwrap();
                let reached = match position.outcome() {
                    None => solver.outcome(&position).unwrap().reversed(),
                    Some(end) => match end.winner() {
                        None => Outcome::Draw,
                        Some(seat) if seat == own => Outcome::Win,
                        Some(_) => Outcome::Loss,
                    },
                };
                assert_eq!(
                    reached, worth,
                    "{name}: {} in {before:?} against {other}",
                    analysis.best
                );
            }
        }
    }
}

/// The variants that are proved a draw and have a book that holds it, without values.
fn held() -> Vec<&'static Rules> {
    let held: Vec<_> = Rules::all().filter(|rules| HoldingBook::of(rules).is_some()).collect();
    assert!(held == Rules::all().filter(|rules| rules.misere()).collect::<Vec<_>>());
    held
}

#[test]
fn where_a_book_only_holds_it_loses_to_nobody_without_any_time() {
    let others = [
        "random",
        "novice",
        "novice",
        "minimax:depth=2,eval=terzo",
        "perfect:level=9",
    ];
    for (rules, (seed, other)) in held()
        .into_iter()
        .flat_map(|rules| others.iter().enumerate().map(move |other| (rules, other)))
    {
        for own in [Seat::FIRST, Seat::SECOND] {
            let (mut perfect, mut opponent) = (player("perfect"), player(other));
            perfect.begin(seed as u64);
            opponent.begin(seed as u64);
            let mut position = Position::new(rules);
            while position.playing() {
                let turn = match position.mover() == own {
                    true => perfect.choose(&position, &no_time()),
                    false => opponent.choose(&position, &Clock::unlimited()),
                };
                position.play(turn.unwrap().best).unwrap();
            }
            let winner = position.outcome().unwrap().winner();
            assert!(
                winner.is_none_or(|seat| seat == own),
                "{own}: lost to {other}: {position:?}"
            );
        }
    }
}

#[test]
fn two_perfect_players_without_any_time_reach_the_proved_result() {
    for (rules, worth) in solved()
        .into_iter()
        .chain(held().into_iter().map(|rules| (rules, Outcome::Draw)))
    {
        let name = rules.name();
        let mut players = [player("perfect"), player("perfect")];
        for seed in 0..5 {
            let mut position = Position::new(rules);
            for (seat, player) in (0..).zip(&mut players) {
                player.begin(game::mix(seed, &[seat]));
            }
            while position.playing() {
                let analysis = players[position.mover().index()].choose(&position, &no_time());
                position.play(analysis.unwrap().best).unwrap();
            }
            let winner = position.outcome().unwrap().winner();
            let proved = (worth == Outcome::Win).then_some(Seat::SECOND);
            assert_eq!(winner, proved, "{name}, seed {seed}: {position:?}");
        }
    }
}

/// How long a player takes for a turn: the least of some tries, since a busy machine makes any one of them long.
fn least_time(spec: &str, position: &Position, clock: impl Fn() -> Clock) -> Duration {
    let mut player = player(spec);
    let mut ask = |seed| {
        player.begin(seed);
        let began = Instant::now();
        player.choose(position, &clock()).unwrap();
        began.elapsed()
    };
    (0..3).map(&mut ask).min().unwrap()
}

#[test]
fn the_clock_is_kept_in_every_variant_and_at_every_level() {
    let mut rng = rng(3);
    for rules in Rules::all() {
        for placed in [0, 2, 5, 8] {
            let position = position_with(rules, placed, &mut rng);
            for spec in ["perfect", "perfect:level=9", "perfect:level=5"] {
                let clock = || Clock {
                    time: Some(Duration::from_millis(1)),
                    ..Clock::unlimited()
                };
                let took = least_time(spec, &position, clock);
                assert!(
                    took < Duration::from_millis(250),
                    "{spec} took {took:?} in {position:?}"
                );
            }
        }
    }
}

#[test]
fn the_boards_that_a_clock_allows_are_kept_in_every_variant() {
    let mut rng = rng(4);
    for rules in Rules::all() {
        for placed in [0, 2, 4, 5] {
            let position = position_with(rules, placed, &mut rng);
            let clock = Clock {
                nodes: Some(50_000),
                ..Clock::unlimited()
            };
            let mut player = player("perfect");
            player.begin(1);
            // The solver looks at what it has spent every few thousand boards.
            let nodes = player.choose(&position, &clock).unwrap().nodes.unwrap_or(0);
            assert!(nodes <= 75_000, "{nodes} boards in {position:?}");
        }
    }
}

#[test]
fn a_raised_sign_ends_any_thought_with_a_legal_turn() {
    let mut rng = rng(8);
    for rules in Rules::all() {
        for placed in [3, 7] {
            let position = position_with(rules, placed, &mut rng);
            let stop = Stop::new();
            let clock = Clock {
                time: Some(Duration::from_secs(3600)),
                stop: stop.clone(),
                ..Clock::unlimited()
            };
            let mut player = player("perfect:effort=1000000000");
            let analysis = std::thread::scope(|scope| {
                let thinking = scope.spawn(|| player.choose(&position, &clock).unwrap());
                std::thread::sleep(Duration::from_millis(20));
                stop.raise();
                thinking.join().unwrap()
            });
            assert!(position.is_legal(analysis.best));
            assert!(clock.elapsed() < Duration::from_secs(10), "{position:?}");
        }
    }
}
