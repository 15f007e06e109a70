//! A match: many games between two players, in pairs with the seats swapped.
//!
//! Every pair is a function of the match's seed and its own number, so the same seed gives the same games on any number
//! of threads; only the clocks differ.

use crate::referee;
use crate::tally::Tally;
use crate::terms::Terms;
use game::{Game, Seat, Stop, mix};
use players::{Player, Recipe};
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games. The last of an odd number has no partner.
    pub games: u64,
    /// What all chance is drawn from.
    pub seed: u64,
    /// How many threads; 0 for one a core.
    pub jobs: usize,
    /// What every game is played on.
    pub terms: Terms,
}

/// What others may see of, and say to, a running match.
#[derive(Debug)]
pub struct Control {
    /// Games played so far.
    pub played: AtomicU64,
    /// Raised, it ends the match at once: games that are running are dropped, for they can be played again.
    pub stop: Stop,
    /// Raised, it lets the running games end and begins no other. It is raised with `stop`.
    pub enough: Stop,
    /// The pair that each thread of a tournament plays, plus one; 0 for none. Threads beyond these are not seen.
    playing: [AtomicU64; 16],
}

impl Default for Control {
    fn default() -> Self {
        Control::under(&Stop::never())
    }
}

impl Control {
    /// A match that ends with whatever `stop` ends.
    pub fn under(stop: &Stop) -> Self {
        let stop = stop.child();
        Control {
            played: AtomicU64::new(0),
            enough: stop.child(),
            stop,
            playing: Default::default(),
        }
    }

    /// Notes which pair a thread plays.
    pub(crate) fn note(&self, thread: usize, pair: Option<u64>) {
        if let Some(place) = self.playing.get(thread) {
            place.store(pair.map_or(0, |pair| pair + 1), Ordering::Relaxed);
        }
    }

    /// The numbers of the pairs that are being played.
    pub fn playing(&self) -> Vec<u64> {
        let pairs = self.playing.iter().map(|place| place.load(Ordering::Relaxed));
        pairs.filter_map(|pair| pair.checked_sub(1)).collect()
    }
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum ContestError {
    /// Pairs are for two.
    #[error("this is for games with two seats, and this one has {0}")]
    Seats(usize),
    /// Everybody needs a seat, and every seat somebody.
    #[error("the game has {seats} seats and needs as many players; {players} were named")]
    Players {
        /// The seats.
        seats: usize,
        /// The players.
        players: usize,
    },
    /// The system refused the threads.
    #[error("cannot start the threads of a match: {0}")]
    Threads(#[from] ThreadPoolBuildError),
}

/// Plays a match from `start`.
pub fn play<G: Game>(
    start: &G,
    players: [&Recipe<G>; 2],
    plan: &Plan,
    control: &Control,
) -> Result<Tally, ContestError> {
    if start.seats() != 2 {
        return Err(ContestError::Seats(start.seats()));
    }
    let pool = ThreadPoolBuilder::new().num_threads(plan.jobs).build()?;
    let next_pair = AtomicU64::new(0);
    let parts = pool.broadcast(|_| {
        let mut players = players.map(Recipe::make);
        players.iter_mut().for_each(|player| player.heed(&control.stop));
        let mut tally = Tally::default();
        while !control.enough.is_raised() {
            let pair = next_pair.fetch_add(1, Ordering::Relaxed);
            let games = plan.games.saturating_sub(pair.saturating_mul(2)).min(2);
            if games == 0 {
                break;
            }
            for game in 0..games {
                let seed = mix(plan.seed, &[pair, game]);
                if !play_one(start, &mut players, seed, game == 1, plan, control, &mut tally) {
                    return tally;
                }
            }
            control.played.fetch_add(games, Ordering::Relaxed);
        }
        tally
    });
    Ok(parts.into_iter().fold(Tally::default(), Tally::merge))
}

/// Plays a game and counts it; false if it was stopped.
fn play_one<G: Game>(
    start: &G,
    players: &mut [Box<dyn Player<G>>; 2],
    seed: u64,
    swapped: bool,
    plan: &Plan,
    control: &Control,
    tally: &mut Tally,
) -> bool {
    let sitting = if swapped { [1, 0] } else { [0, 1] };
    for (index, player) in players.iter_mut().enumerate() {
        player.begin(mix(seed, &[index as u64]));
    }
    let [first, second] = players;
    let mut seats: [&mut dyn Player<G>; 2] = match sitting[Seat::FIRST.index()] {
        0 => [first.as_mut(), second.as_mut()],
        _ => [second.as_mut(), first.as_mut()],
    };
    let ended = referee::play(
        start,
        &mut seats,
        &plan.terms,
        &control.stop,
        &mut tally.clocks(sitting),
    );
    if let Some(ended) = &ended {
        tally.count(ended, sitting);
    }
    ended.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::wilson;
    use crate::tally::TurnTimes;
    use quarto::{Position, Rules};

    fn contest(first: &str, second: &str, games: u64, jobs: usize) -> Tally {
        let [first, second] = [first, second].map(|spec| players::recipe::<Position>(spec).unwrap());
        let plan = Plan {
            games,
            seed: 1,
            jobs,
            terms: Terms::default(),
        };
        let start = Position::new(Rules::standard());
        play(&start, [&first, &second], &plan, &Control::default()).unwrap()
    }

    fn without_times(mut tally: Tally) -> Tally {
        for player in &mut tally.players {
            player.times = TurnTimes::default();
        }
        tally
    }

    #[test]
    fn the_same_seed_gives_the_same_match_on_any_number_of_threads() {
        let alone = without_times(contest("novice", "random", 501, 1));
        for jobs in [2, 3, 8] {
            assert_eq!(
                without_times(contest("novice", "random", 501, jobs)),
                alone,
                "{jobs} threads"
            );
        }
        assert_eq!(alone.games, 501);
    }

    #[test]
    fn every_game_has_a_result_for_both_players_and_for_a_seat() {
        let tally = contest("novice", "random", 1000, 0);
        let [novice, random] = &tally.players;
        assert_eq!(novice.wins + novice.losses + novice.draws, 1000);
        assert_eq!((novice.wins, novice.losses), (random.losses, random.wins));
        assert_eq!(tally.seat_wins.iter().sum::<u64>() + tally.draws(), 1000);
        assert_eq!(novice.forfeits + random.forfeits, 0);
    }

    #[test]
    fn a_player_against_itself_wins_half_of_the_decided_games() {
        let tally = contest("random", "random", 20_000, 0);
        let decided = tally.games - tally.draws();
        let (low, high) = wilson(tally.players[0].wins, decided);
        assert!(low < 0.51 && high > 0.49, "{low} {high}");
    }

    #[test]
    fn the_novice_beats_the_random_player_as_the_reports_say() {
        // 976 of 1000 (report 000) and 488 of 500 (report 004).
        let tally = contest("novice", "random", 4000, 0);
        let (low, high) = wilson(tally.players[0].wins, tally.games);
        assert!(low < 0.985 && high > 0.965, "{low} {high}");
    }

    #[test]
    fn a_stopped_match_keeps_what_was_played() {
        let control = Control::default();
        control.stop.raise();
        let recipe = players::recipe::<Position>("random").unwrap();
        let plan = Plan {
            games: 1000,
            seed: 1,
            jobs: 1,
            terms: Terms::default(),
        };
        let start = Position::new(Rules::standard());
        let tally = play(&start, [&recipe, &recipe], &plan, &control).unwrap();
        assert_eq!(tally.games, 0);
    }
}
