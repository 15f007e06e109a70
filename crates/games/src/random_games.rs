//! Random games from many positions, on all cores: the same for the same seed, whatever the number of threads.

use crate::playable::Playable;
use crate::truth::for_each;
use ::game::{Rng, Until, mix, rng};

/// Games of one position that are played with one generator.
const GAMES: u64 = 4096;
/// Positions whose games are played together: compiled rules play hundreds of games at once.
const POSITIONS: usize = 16;

/// What came of random games from a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomGames {
    /// Games that ended.
    pub games: u64,
    /// What each seat got in all of them.
    pub points: Vec<u64>,
}

impl RandomGames {
    /// None yet.
    pub fn new(seats: usize) -> Self {
        RandomGames {
            games: 0,
            points: vec![0; seats],
        }
    }

    fn merge(&mut self, more: &RandomGames) {
        self.games += more.games;
        self.points
            .iter_mut()
            .zip(&more.points)
            .for_each(|(sum, more)| *sum += more);
    }
}

/// Plays so many random games from each position, until it is time to end.
pub(crate) fn play<G: Playable>(
    positions: &[&G],
    each: u64,
    seed: u64,
    threads: usize,
    until: &Until,
) -> Vec<RandomGames> {
    let parts = each.div_ceil(GAMES);
    let units: Vec<(usize, u64)> = (0..positions.len().div_ceil(POSITIONS))
        .flat_map(|block| (0..parts).map(move |part| (block, part)))
        .collect();
    let answers = for_each(&units, threads, |&(block, part)| {
        let first = block * POSITIONS;
        let some = &positions[first..positions.len().min(first + POSITIONS)];
        let games = GAMES.min(each - part * GAMES);
        G::random_games(some, games, until, &mut rng(mix(seed, &[block as u64, part])))
    });
    let mut all: Vec<RandomGames> = positions.iter().map(|p| RandomGames::new(p.seats())).collect();
    for (&(block, _), answer) in units.iter().zip(&answers) {
        let sums = all[block * POSITIONS..].iter_mut();
        sums.zip(answer).for_each(|(sum, more)| sum.merge(more));
    }
    all
}

/// Random games of any game, one after the other.
pub(crate) fn one_by_one<G: Playable>(positions: &[&G], each: u64, until: &Until, rng: &mut Rng) -> Vec<RandomGames> {
    let mut buffer = Vec::new();
    let mut from = |start: &G| {
        let mut count = RandomGames::new(start.seats());
        while count.games < each && !until.is_over() {
            let mut position = start.clone();
            while let Some(mv) = position.random_move(rng, &mut buffer) {
                position.play_unchecked(mv);
            }
            let Some(payoffs) = position.outcome() else { break };
            count.games += 1;
            let points = count.points.iter_mut().zip(payoffs.all());
            points.for_each(|(sum, payoff)| *sum += u64::from(payoff.points()));
        }
        count
    };
    positions.iter().map(|start| from(start)).collect()
}

#[cfg(test)]
mod tests {
    use crate::find;
    use game::Until;

    #[test]
    fn random_games_are_those_of_their_seed_on_any_number_of_threads() {
        for name in ["quarto", "stack4", "tictactoe"] {
            let game = find(name).unwrap().game;
            let first = game.first();
            let positions = vec![first.as_ref(); 20];
            let play = |seed, threads| {
                game.random_games(&positions, 100, seed, threads, &Until::never())
                    .unwrap()
            };
            assert_eq!(play(1, 1), play(1, 3), "{name}");
            assert_ne!(play(1, 1), play(2, 1), "{name}");
            assert!(play(1, 2).iter().all(|count| count.games == 100), "{name}");
        }
    }
}
