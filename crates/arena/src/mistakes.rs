//! Mistakes against the truth: turns after which a position was worth less than before.
//!
//! Ratings compare players with each other; this compares them with perfect play. It needs somebody who knows the truth
//! about positions, which the game's own room may have and this one does not: hence [`Oracle`].

use crate::record::PairRecord;
use game::{Game, GameError, Seat};
use player::Oracle;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What is known of a player's turns in a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PhaseMistakes {
    /// Turns made.
    pub turns: u64,
    /// Turns of which the truth is known.
    pub judged: u64,
    /// Turns that threw something away.
    pub mistakes: u64,
}

/// A player's mistakes, phase by phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mistakes {
    /// Games looked at.
    pub games: u64,
    /// By phase.
    pub phases: BTreeMap<u32, PhaseMistakes>,
}

impl Mistakes {
    /// Adds another part of the games.
    pub fn merge(&mut self, other: &Mistakes) {
        self.games += other.games;
        for (&number, more) in &other.phases {
            let phase = self.phases.entry(number).or_default();
            phase.turns += more.turns;
            phase.judged += more.judged;
            phase.mistakes += more.mistakes;
        }
    }

    /// Known mistakes a game.
    pub fn per_game(&self) -> f64 {
        let all: u64 = self.phases.values().map(|phase| phase.mistakes).sum();
        all as f64 / self.games.max(1) as f64
    }

    /// The share of turns that were judged.
    pub fn judged(&self) -> f64 {
        let turns: u64 = self.phases.values().map(|phase| phase.turns).sum();
        let judged: u64 = self.phases.values().map(|phase| phase.judged).sum();
        judged as f64 / turns.max(1) as f64
    }
}

/// Looks at the games of a tournament on all cores, at about `most` pairs of them: whole rounds, evenly spread, so that
/// every meeting has its share.
pub fn judge_all<G: Game>(
    first: &G,
    pairs: &[PairRecord],
    most: usize,
    truth: &dyn Oracle<G>,
    players: usize,
) -> Result<Vec<Mistakes>, GameError> {
    let nobody = || vec![Mistakes::default(); players];
    let step = pairs.len().div_ceil(most.max(1)).max(1) as u64;
    pairs
        .par_iter()
        .filter(|pair| pair.round.is_multiple_of(step))
        .try_fold(nobody, |mut found, pair| {
            judge(first, pair, truth, &mut found)?;
            Ok(found)
        })
        .try_reduce(nobody, |mut all, part| {
            for (player, more) in all.iter_mut().zip(&part) {
                player.merge(more);
            }
            Ok(all)
        })
}

/// Looks at both games of a pair. `players[number]` takes what is found; `first` is the game's first position.
pub fn judge<G: Game>(
    first: &G,
    pair: &PairRecord,
    truth: &dyn Oracle<G>,
    players: &mut [Mistakes],
) -> Result<(), GameError> {
    let mut start = match &pair.start {
        Some(text) => first.parse(text)?,
        None => first.clone(),
    };
    for text in pair.opening.split_ascii_whitespace() {
        start.play(start.parse_move(text)?)?;
    }
    for (number, game) in pair.games.iter().enumerate() {
        for seat in [Seat::FIRST, Seat::SECOND] {
            if let Some(player) = players.get_mut(pair.sitting(number, seat)) {
                player.games += 1;
            }
        }
        let mut position = start.clone();
        // The value after a turn is the value before the next one: each is asked for once.
        let mut before = truth.value(&position);
        for text in game.turns.split_ascii_whitespace() {
            let mover = position.mover();
            let phase = truth.phase(&position);
            position.play(position.parse_move(text)?)?;
            let next = match position.outcome() {
                Some(_) => None,
                None => truth.value(&position),
            };
            let after = worth(&position, next, mover);
            if let Some(player) = players.get_mut(pair.sitting(number, mover)) {
                let entry = player.phases.entry(phase).or_default();
                entry.turns += 1;
                if let (Some(before), Some(after)) = (before, after) {
                    entry.judged += 1;
                    entry.mistakes += u64::from(after < before);
                }
            }
            before = next;
        }
    }
    Ok(())
}

/// What a position is worth to `seat`, if its value to its own mover is `value`.
fn worth<G: Game>(position: &G, value: Option<i8>, seat: Seat) -> Option<i8> {
    match position.outcome() {
        Some(payoffs) => Some(match payoffs.winner() {
            None => 0,
            Some(winner) if winner == seat => 1,
            Some(_) => -1,
        }),
        None if position.mover() == seat => value,
        None => value.map(|value| -value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameRecord;
    use crate::referee::VerdictKind;
    use crate::tally::TurnTimes;
    use quarto::{Position, Rules};

    /// Plain search to the end, for boards that are nearly full.
    struct Brute;

    impl Oracle<Position> for Brute {
        fn value(&self, position: &Position) -> Option<i8> {
            (position.placed() >= 12).then(|| brute(position))
        }

        fn phase(&self, position: &Position) -> u32 {
            position.placed()
        }
    }

    fn brute(position: &Position) -> i8 {
        if let Some(payoffs) = position.outcome() {
            return match payoffs.winner() {
                None => 0,
                Some(winner) if winner == position.mover() => 1,
                Some(_) => -1,
            };
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let value = |&mv: &_| {
            let mut next = *position;
            next.play_unchecked(mv);
            -brute(&next)
        };
        moves.iter().map(value).max().unwrap_or(0)
    }

    #[test]
    fn a_sample_has_every_meeting_in_it() {
        let game = GameRecord {
            kind: VerdictKind::Draw,
            winner: None,
            detail: String::new(),
            turns: "-.0".into(),
            times: String::new(),
            says: String::new(),
            log: String::new(),
            turn_count: 1,
            clocks: [TurnTimes::default(); 2],
        };
        let meetings = [(0, 1), (0, 2), (1, 2)];
        let pairs: Vec<PairRecord> = (0..60)
            .map(|number| PairRecord {
                number,
                first: meetings[number as usize % 3].0,
                second: meetings[number as usize % 3].1,
                round: number / 3,
                seed: 0,
                start: None,
                opening: String::new(),
                games: [game.clone(), game.clone()],
            })
            .collect();
        let start = Position::new(Rules::standard());
        let found = judge_all(&start, &pairs, 20, &Brute, 3).unwrap();
        assert!(found.iter().all(|player| player.games == 28), "{found:?}");
    }

    #[test]
    fn a_win_left_lying_and_a_win_given_away_are_mistakes() {
        let start = Position::new(Rules::standard());
        // Random games from the twelfth piece on: every mistake found must be one by brute force, and there are some.
        let mut players = vec![Mistakes::default(), Mistakes::default()];
        for seed in 0..60 {
            let mut chance = game::rng(seed);
            let mut position = start;
            let mut buffer = Vec::new();
            let mut turns = Vec::new();
            while position.outcome().is_none() {
                let Some(mv) = position.random_move(&mut chance, &mut buffer) else {
                    break;
                };
                turns.push(mv.to_string());
                position.play_unchecked(mv);
            }
            let game = GameRecord {
                kind: VerdictKind::Draw,
                winner: None,
                detail: String::new(),
                turns: turns.join(" "),
                times: String::new(),
                says: String::new(),
                log: String::new(),
                turn_count: turns.len() as u32,
                clocks: [TurnTimes::default(); 2],
            };
            let pair = PairRecord {
                number: 0,
                first: 0,
                second: 1,
                round: 0,
                seed,
                start: None,
                opening: String::new(),
                games: [game.clone(), game],
            };
            judge(&start, &pair, &Brute, &mut players).unwrap();
        }
        for player in &players {
            assert_eq!(player.games, 120);
            let late: u64 = player.phases.range(12..).map(|(_, phase)| phase.mistakes).sum();
            let early: u64 = player.phases.range(..11).map(|(_, phase)| phase.judged).sum();
            assert!(late > 0 && early == 0, "{player:?}");
            assert!(player.judged() > 0.0 && player.judged() < 1.0);
        }
        // Both games of a pair are the same here, seats swapped: so are the mistakes.
        assert_eq!(players[0].phases, players[1].phases);
    }
}
