//! The counts of the project's fact sheet: turn trees, boards up to symmetry, and random play.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use game::{Game, Seat, perft, perft_each, rng};
use quarto::symmetry::CanonicalKey;
use quarto::{Piece, Position, Rules, policy};
use std::collections::HashSet;

fn empty_board(name: &str) -> Position {
    Position::new(Rules::named(name).unwrap())
}

#[test]
fn turn_trees_have_the_published_sizes_to_depth_four() {
    let known = [1, 16, 3840, 806_400, 146_764_800];
    for name in ["quarto", "quarto-squares"] {
        for (depth, &leaves) in known.iter().enumerate() {
            assert_eq!(
                perft(&empty_board(name), depth as u32),
                leaves,
                "{name} at depth {depth}"
            );
        }
        assert_eq!(perft_each(&empty_board(name), 3), known[3]);
    }
}

/// 23 billion leaves: `scripts/test` runs it with `--ignored`.
#[test]
#[ignore = "takes half a minute"]
fn turn_trees_have_the_published_sizes_at_depth_five() {
    assert_eq!(perft(&empty_board("quarto"), 5), 22_861_347_840);
    assert_eq!(perft(&empty_board("quarto-squares"), 5), 22_830_782_976);
}

/// Unfinished boards up to symmetry with 1, 2, … pieces, without and with a piece in hand.
fn boards_up_to_symmetry(name: &str, most: usize) -> Vec<(usize, usize)> {
    let mut boards = vec![empty_board(name)];
    let mut counts = Vec::new();
    for _ in 0..most {
        let mut seen: HashSet<CanonicalKey> = HashSet::new();
        let mut next = Vec::new();
        for board in &boards {
            for piece in board.left() {
                let given = board.giving(piece);
                for cell in given.empty() {
                    let placed = given.placing(cell);
                    if !placed.completed() && seen.insert(placed.canonical_key()) {
                        next.push(placed.canonical());
                    }
                }
            }
        }
        let in_hand: HashSet<CanonicalKey> = next
            .iter()
            .flat_map(|board| {
                board
                    .left()
                    .into_iter()
                    .map(|piece| board.giving(piece).canonical_key())
            })
            .collect();
        counts.push((next.len(), in_hand.len()));
        boards = next;
    }
    counts
}

#[test]
fn boards_up_to_symmetry_are_as_many_as_published_with_lines() {
    assert_eq!(
        boards_up_to_symmetry("quarto", 5),
        [(2, 8), (40, 148), (454, 3382), (10_346, 91_558), (214_800, 2_125_230)]
    );
}

#[test]
fn boards_up_to_symmetry_are_as_many_as_published_with_squares() {
    let boards: Vec<usize> = boards_up_to_symmetry("quarto-squares", 4)
        .into_iter()
        .map(|(boards, _)| boards)
        .collect();
    assert_eq!(boards, [3, 84, 1586, 39_055]);
}

#[test]
fn the_canonical_form_is_the_same_for_every_image_and_is_its_own_canonical_form() {
    let mut rng = rng(3);
    for rules in Rules::all() {
        for _ in 0..300 {
            let mut position = Position::new(rules);
            for _ in 0..game::below(&mut rng, 14) {
                if let Some(turn) = policy::turn(&policy::Random, &position, &mut rng) {
                    position.play_unchecked(turn);
                }
            }
            if position.outcome().is_some() {
                continue;
            }
            let canonical = position.canonical();
            assert_eq!(canonical.canonical(), canonical);
            assert_eq!(canonical.canonical_key(), position.canonical_key());
            for _ in 0..20 {
                let symmetry = game::below(&mut rng, position.symmetries() as u32) as usize;
                assert_eq!(
                    position.transform(symmetry).canonical(),
                    canonical,
                    "{position:?} by {symmetry}"
                );
            }
        }
    }
}

/// Wins of the first placer, of the second, and draws, in `games` random games.
fn random_play(name: &str, games: u32) -> [u32; 3] {
    let mut rng = rng(20);
    let mut counts = [0; 3];
    for _ in 0..games {
        let mut position = empty_board(name);
        while let Some(turn) = policy::turn(&policy::Random, &position, &mut rng) {
            position.play_unchecked(turn);
        }
        // Seat 2 places first: seat 1 opens by giving.
        match position.outcome().unwrap().winner() {
            Some(Seat::SECOND) => counts[0] += 1,
            Some(_) => counts[1] += 1,
            None => counts[2] += 1,
        }
    }
    counts
}

#[test]
fn random_play_shares_the_wins_as_counted_before() {
    const GAMES: u32 = 400_000;
    let close = |count: u32, share: f64| {
        let n = f64::from(GAMES);
        // Four standard errors, of this sample and of the published one with two million games.
        let error = (share * (1.0 - share) * (1.0 / n + 1.0 / 2e6)).sqrt();
        let seen = f64::from(count) / n;
        assert!(
            (seen - share).abs() < 4.0 * error,
            "{seen} is not {share} within {error}"
        );
    };
    let [first, second, draws] = random_play("quarto", GAMES);
    close(first, 0.4845);
    close(second, 0.4957);
    close(draws, 0.0197);
    let [_, _, draws] = random_play("quarto-squares", GAMES);
    close(draws, 0.0031);
}

#[test]
fn a_piece_is_safe_exactly_when_it_completes_nothing_anywhere() {
    let mut rng = rng(4);
    for rules in Rules::all() {
        for _ in 0..2000 {
            let mut position = Position::new(rules);
            while let Some(turn) = policy::turn(&policy::Random, &position, &mut rng) {
                for piece in Piece::all() {
                    let completing = !position.completing_cells(piece).is_empty();
                    assert_eq!(position.completing_pieces().contains(piece), completing);
                }
                position.play_unchecked(turn);
            }
        }
    }
}
