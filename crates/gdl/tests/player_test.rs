//! Positions of a public player test (the tester of ggp-base) that `general` once failed: free for all of two, in which each counts its
//! own captures and nobody loses what the other wins.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]
#![allow(
    clippy::mutable_key_type,
    reason = "what a position caches of its game is no part of its hash"
)]

mod shared;

use game::{Game, Seat};
use gdl::{BuildLimits, Machine, Move, Position, Sheet};
use player::Clock;
use std::collections::HashMap;

/// The facts of a position and the moves that pass.
const CASES: [(&str, &[&str]); 4] = [
    (
        "(cell 5 3 blue) (step 25) (cell 2 2 red) (cell 5 5 blue) (capture blue 4) (cell 1 4 red) (cell 7 4 blue) (capture red 4) \
         (cell 3 5 red) (control red)",
        &["(move,1,4,3,3)"],
    ),
    (
        "(cell 2 2 red) (control red) (cell 3 5 red) (cell 1 4 red) (step 25) (cell 2 6 red) (cell 7 4 blue) (capture red 3) \
         (capture blue 5) (cell 3 3 blue)",
        &["(move,2,2,3,3)"],
    ),
    (
        "(capture blue 0) (cell 2 2 red) (cell 4 5 blue) (control red) (cell 1 4 red) (cell 5 3 blue) (cell 3 3 red) (cell 2 6 red) \
         (cell 7 4 blue) (step 7) (capture red 0)",
        &["(move,1,4,3,5)", "(move,2,2,4,3)"],
    ),
    (
        "(cell 1 4 red) (cell 5 5 blue) (capture red 0) (cell 3 3 red) (cell 7 4 blue) (control red) (step 3) (capture blue 0)",
        &["(move,1,4,3,5)"],
    ),
];

fn free_for_all() -> Option<Position> {
    let sheet = shared::gdl()?.join("games/2pffa.kif");
    let sheet = Sheet::load(sheet.to_str().unwrap()).unwrap();
    Some(Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap())
}

/// The least and the most that each seat gets if everybody takes what may be best, and nobody knows which of equals another takes:
/// the first seat what is surely best, the second whatever is not surely worse.
type Ranges = [[u8; 2]; 2];

fn ranges(position: &Position, known: &mut HashMap<Position, Ranges>) -> Ranges {
    if let Some(payoffs) = position.outcome() {
        return [Seat::FIRST, Seat::SECOND].map(|seat| [payoffs.of(seat).points(); 2]);
    }
    if let Some(&found) = known.get(position) {
        return found;
    }
    let mover = position.mover().index();
    let each: Vec<Ranges> = after_each(position)
        .iter()
        .map(|(_, next)| ranges(next, known))
        .collect();
    let sure = each.iter().map(|one| one[mover][0]).max().unwrap();
    // The first seat is ours: it takes what is sure. The other may hope.
    let may = |one: &&Ranges| one[mover][usize::from(mover == 1)] >= sure;
    let mut found = [0, 1].map(|seat| {
        let least = each.iter().filter(may).map(|one| one[seat][0]).min().unwrap();
        let most = each.iter().filter(may).map(|one| one[seat][1]).max().unwrap();
        [least, most]
    });
    found[mover][0] = sure;
    known.insert(position.clone(), found);
    found
}

fn after_each(position: &Position) -> Vec<(Move, Position)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let play = |mv: Move| {
        let mut next = position.clone();
        next.play(mv).unwrap();
        (mv, next)
    };
    moves.into_iter().map(play).collect()
}

/// The two positions that can be searched to the end: six moves are left. In the first one every move surely gets 40 and may get 60, by
/// what the others do who do not care; in the second one the move that passes is the only one that surely gets 40.
#[test]
fn general_plays_what_an_exact_search_finds_no_better_than() {
    let Some(start) = free_for_all() else {
        return;
    };
    for (number, (facts, passing)) in CASES[..2].iter().enumerate() {
        let position = start.parse(facts).unwrap();
        let mut known = HashMap::new();
        let moves: Vec<(Move, Ranges)> = after_each(&position)
            .into_iter()
            .map(|(mv, next)| (mv, ranges(&next, &mut known)))
            .collect();
        let best = moves.iter().map(|(_, ranges)| ranges[0]).max().unwrap();
        assert_eq!(best, [[40, 60], [40, 50]][number]);
        let is_best = |mv: &str| {
            let mut own = moves.iter().filter(|(own, _)| position.print_move(*own) == mv);
            own.all(|(_, ranges)| ranges[0] == best)
        };
        assert!(passing.iter().all(|mv| is_best(mv)), "position {number}");
        for spec in [
            "general:nodes=400000,threads=1",
            "general:nodes=400000,threads=1,playouts=mast",
        ] {
            let mut general = gdl::players::factory(spec).unwrap().make();
            general.begin(1);
            let analysis = general.choose(&position, &Clock::unlimited()).unwrap();
            let mv = position.print_move(analysis.best);
            assert!(is_best(&mv), "{spec}, position {number}: {mv}");
            // What hangs on somebody's ties is not called proved, and the least of it is what is told.
            assert!(!analysis.solved, "{spec}, position {number}");
            let told = analysis.value.unwrap();
            assert!(
                (told - f64::from(best[0])).abs() < 0.01,
                "{spec}, position {number}: {told}"
            );
        }
    }
}

/// Twenty-four and twenty-eight moves before the end nobody knows what is best; these are what the test's author expects.
#[test]
fn general_passes_the_position_that_has_three_of_its_own_pieces_in_play() {
    let Some(start) = free_for_all() else {
        return;
    };
    let (facts, passing) = CASES[2];
    let position = start.parse(facts).unwrap();
    let mut general = gdl::players::factory("general:nodes=300000,threads=1").unwrap().make();
    general.begin(1);
    let analysis = general.choose(&position, &Clock::unlimited()).unwrap();
    assert!(passing.contains(&position.print_move(analysis.best).as_str()));
}
