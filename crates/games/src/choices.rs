//! What recorded games chose at a position, and how they fared.

use crate::describe::ToSchema;
use crate::playable::Playable;
#[cfg(not(target_arch = "wasm32"))]
use arena::store::{Store, StoreError};
use game::{GameError, Seat};
use serde::Serialize;

/// A game that was played: its turns, and who won it.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// The turns from the first position.
    pub turns: String,
    /// Who won; nobody if it was a draw.
    pub winner: Option<Seat>,
}

/// The recorded games of a game, of so many pairs at most, the newest tournaments first. Those that were set up by hand are not among
/// them.
///
/// # Errors
///
/// The records cannot be read.
#[cfg(not(target_arch = "wasm32"))]
pub fn recorded(store: &Store, game: &str, most: u64) -> Result<Vec<PlayedGame>, StoreError> {
    let mut played = Vec::new();
    let mut left = most;
    for entry in store.entries()?.iter().rev().filter(|entry| entry.game == game) {
        let pairs = store.some_pairs(entry.id, 0, left)?;
        left = left.saturating_sub(pairs.len() as u64);
        for pair in pairs.iter().filter(|pair| pair.start.is_none()) {
            played.extend(pair.games.iter().map(|game| PlayedGame {
                turns: format!("{} {}", pair.opening, game.turns),
                winner: game.winner,
            }));
        }
        if left == 0 {
            break;
        }
    }
    Ok(played)
}

/// A class of turns that symmetry makes equal, and what games came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Choice)]
pub struct RecordedChoice {
    /// One of the turns.
    pub turn: String,
    /// Games that chose it.
    pub games: u64,
    /// Games that its maker won.
    pub wins: u64,
    /// Games that were drawn.
    pub draws: u64,
    /// Games that its maker lost.
    pub losses: u64,
}

/// How often games chose each of some options that came to a position, or to one that symmetry makes equal, after as many turns.
/// Games that cannot be read or did not get there are not counted.
pub(crate) fn choices<G: Playable>(
    first: &G,
    turns: &[String],
    options: &[String],
    games: &[PlayedGame],
) -> Result<Vec<RecordedChoice>, GameError> {
    let mut here = first.clone();
    for turn in turns {
        here.play(here.parse_move(turn)?)?;
    }
    let (class, mover) = (here.symmetry_class(), here.mover());
    let mut found = Vec::new();
    for turn in options {
        let mut after = here.clone();
        after.play(here.parse_move(turn)?)?;
        let turn = turn.clone();
        let choice = RecordedChoice {
            turn,
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
        };
        found.push((after.symmetry_class(), choice));
    }
    for game in games {
        let Some(after) = follow(first, game, turns.len(), &class) else {
            continue;
        };
        let after = after.symmetry_class();
        if let Some((_, choice)) = found.iter_mut().find(|(known, _)| *known == after) {
            choice.games += 1;
            match game.winner {
                None => choice.draws += 1,
                Some(seat) if seat == mover => choice.wins += 1,
                Some(_) => choice.losses += 1,
            }
        }
    }
    Ok(found.into_iter().map(|(_, choice)| choice).collect())
}

/// Where a game went from a class of positions after so many turns.
fn follow<G: Playable>(first: &G, game: &PlayedGame, ply: usize, class: &str) -> Option<G> {
    let mut position = first.clone();
    let mut turns = game.turns.split_ascii_whitespace();
    for _ in 0..ply {
        position.play(position.parse_move(turns.next()?).ok()?).ok()?;
    }
    if position.symmetry_class() != class {
        return None;
    }
    position.play(position.parse_move(turns.next()?).ok()?).ok()?;
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(turns: &str, winner: Option<Seat>) -> PlayedGame {
        PlayedGame {
            turns: turns.into(),
            winner,
        }
    }

    #[test]
    fn games_that_symmetry_makes_equal_count_together_and_for_who_chose() {
        let first = quarto::Position::new(quarto::Rules::standard());
        let games = [
            // A corner, then a corner again: the same by symmetry.
            game("-.0 a1.1", Some(Seat::SECOND)),
            game("-.f d4.e", None),
            game("-.3 b1.2", Some(Seat::FIRST)),
            game("-.3", None),
            game("rubbish", None),
        ];
        let asked = |turns: &[&str], options: &[&str]| {
            let texts = |all: &[&str]| -> Vec<String> { all.iter().map(|text| text.to_string()).collect() };
            let counts = choices(&first, &texts(turns), &texts(options), &games);
            counts.map(|all| {
                all.iter()
                    .map(|one| [one.games, one.wins, one.draws, one.losses])
                    .collect::<Vec<_>>()
            })
        };
        // All first gifts are the same.
        assert_eq!(asked(&[], &["-.7"]).unwrap(), [[4, 1, 2, 1]]);
        assert_eq!(
            asked(&["-.0"], &["d1.2", "b1.8", "a1.f"]).unwrap(),
            [[2, 1, 1, 0], [1, 0, 0, 1], [0; 4]]
        );
        assert!(asked(&["x"], &[]).is_err());
    }
}
