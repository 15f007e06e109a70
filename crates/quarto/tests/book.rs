//! The books that come with the program, against the solver without them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Rng, pick, rng};
use quarto::book::Book;
use quarto::policy::{self, Novice, Random, TurnPolicy};
use quarto::solver::{Outcome, Solver};
use quarto::{Position, Rules};

fn books() -> impl Iterator<Item = (&'static Rules, &'static Book)> {
    Rules::all().filter_map(|rules| Some((rules, Book::of(rules)?)))
}

/// The books that go on beyond their depth.
fn repertoires() -> impl Iterator<Item = (&'static Rules, &'static Book)> {
    books().filter(|(_, book)| book.reach() > book.depth())
}

/// A reply that does not lose at once, if there is one.
fn reply(position: &Position, rng: &mut Rng) -> Option<Position> {
    let mut after = *position;
    after.play_unchecked(policy::turn(&Novice, position, rng)?);
    Some(after)
}

#[test]
fn every_solved_variant_has_a_book_that_knows_the_proved_value_of_the_empty_board() {
    let proved = [
        ("quarto", "draw", 16),
        ("quarto-squares", "draw", 16),
        ("quarto-squares-only", "draw", 16),
        ("quarto-torus", "loss", 13),
    ];
    let known: Vec<_> = books()
        .map(|(rules, book)| {
            let value = book.exact(&Position::new(rules)).unwrap();
            (rules.name(), value.outcome.name(), value.plies)
        })
        .collect();
    assert_eq!(known, proved);
}

#[test]
fn who_follows_the_repertoire_meets_only_positions_whose_value_is_in_the_book() {
    let mut rng = rng(1);
    for (rules, book) in repertoires() {
        let solver = Solver::new(rules, 16 << 20, 1).unwrap();
        let mut met = 0;
        for game in 0..60 {
            let start = Position::new(rules);
            let mut position = start.giving(Random.give(&start, &mut rng));
            if game % 2 == 1 {
                position = reply(&position, &mut rng).unwrap();
            }
            while position.playing() && position.placed() <= book.reach() {
                let value = book.known(&position);
                assert!(value.is_some(), "{position:?}");
                if position.placed() > book.depth() {
                    assert_eq!(value, solver.exact(&position).ok(), "{position:?}");
                    met += 1;
                }
                let Some(after) = pick(&mut rng, &book.choices(&position)) else {
                    break;
                };
                let Some(next) = reply(&after, &mut rng) else { break };
                position = next;
            }
        }
        assert!(met > 20, "{}: only {met} positions beyond the depth", rules.name());
    }
}

#[test]
fn what_the_repertoire_does_not_meet_is_not_known() {
    let mut rng = rng(2);
    for (rules, book) in repertoires() {
        let solver = Solver::new(rules, 16 << 20, 1).unwrap();
        let (mut asked, mut known) = (0, 0);
        while asked < 200 {
            let mut position = Position::new(rules);
            while position.playing() && position.placed() < book.reach() {
                position = reply(&position, &mut rng).unwrap();
            }
            let piece = position.hand().filter(|_| position.playing());
            if piece.is_none_or(|piece| !position.completing_cells(piece).is_empty()) {
                continue;
            }
            asked += 1;
            if let Some(value) = book.known(&position) {
                known += 1;
                assert_eq!(Ok(value), solver.exact(&position), "{position:?}");
            }
        }
        assert!(known < 60, "{}: {known} of 200", rules.name());
    }
}

#[test]
fn the_turn_of_the_book_keeps_the_value() {
    let mut rng = rng(3);
    for (rules, book) in repertoires() {
        let solver = Solver::new(rules, 16 << 20, 1).unwrap();
        for _ in 0..20 {
            let start = Position::new(rules);
            let mut position = start.giving(Random.give(&start, &mut rng));
            while position.playing() && position.placed() <= book.reach() {
                if let Some(turn) = book.turn(&position) {
                    let mut after = position;
                    after.play(turn).unwrap();
                    let reached = match after.outcome() {
                        Some(end) => end.winner().map_or(Outcome::Draw, |_| Outcome::Win),
                        None => solver.outcome(&after).unwrap().reversed(),
                    };
                    assert_eq!(
                        reached,
                        book.known(&position).unwrap().outcome,
                        "{turn} in {position:?}"
                    );
                }
                let Some(after) = pick(&mut rng, &book.choices(&position)) else {
                    break;
                };
                let Some(next) = reply(&after, &mut rng) else { break };
                position = next;
            }
        }
    }
}
