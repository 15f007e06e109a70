//! One player against others in many games: a match of each game with each of them, all played as one.

use crate::contest::{Contest, ContestError, Meeting};
use crate::control::Control;
use crate::tally::Tally;
use crate::unrecorded::{MatchError, MatchPlan};
use rayon::ThreadPoolBuilder;
use stats::pairs::Pentanomial;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What one of the matches came to. The player whose gauntlet it is comes first.
#[derive(Clone, Debug)]
pub struct GauntletMatch {
    /// All games.
    pub tally: Tally,
    /// Pairs of games, where two play, by its half points.
    pub pairs: Pentanomial,
}

impl GauntletMatch {
    fn new(players: usize) -> Self {
        GauntletMatch {
            tally: Tally::new(players),
            pairs: Pentanomial::default(),
        }
    }

    /// Counts a unit.
    fn count(&mut self, unit: Tally) {
        let whole_pair = unit.players.len() == 2 && unit.games == 2;
        if let Some(first) = unit.players.first().filter(|_| whole_pair) {
            let half_points = (first.payoffs().mean() / 25.0).round() as usize;
            self.pairs[half_points.min(4)] += 1;
        }
        self.tally = std::mem::replace(&mut self.tally, Tally::new(0)).merge(unit);
    }
}

/// Plays as many games of every contest as the plan says. First a unit of each, then another of each, so that what is ended
/// early has judged by all games alike. No player lives longer than a unit. Whenever one is played, `told` hears how all
/// matches stand.
///
/// # Errors
///
/// A game and its players do not fit, or the system refuses the threads.
pub fn play(
    contests: &[Arc<dyn Contest>],
    plan: &MatchPlan,
    control: &Control,
    told: impl Fn(&[GauntletMatch]) + Sync,
) -> Result<Vec<GauntletMatch>, MatchError> {
    for contest in contests {
        let (seats, players) = (contest.seats(), contest.players());
        if seats != players {
            return Err(ContestError::Players { seats, players }.into());
        }
    }
    let seats = |which: usize| contests[which].seats() as u64;
    let most = |which: usize| plan.games.div_ceil(seats(which));
    let rounds = (0..contests.len()).map(most).max().unwrap_or(0);
    let units: Vec<(usize, u64)> = (0..rounds)
        .flat_map(|unit| (0..contests.len()).map(move |which| (which, unit)))
        .filter(|&(which, unit)| unit < most(which))
        .collect();
    let pool = ThreadPoolBuilder::new().num_threads(plan.jobs).build()?;
    let next = AtomicUsize::new(0);
    let empty = contests.iter().map(|contest| GauntletMatch::new(contest.players()));
    let done: Mutex<Vec<GauntletMatch>> = Mutex::new(empty.collect());
    let lock = || done.lock().unwrap_or_else(PoisonError::into_inner);
    pool.broadcast(|_| {
        while let Some(&(which, unit)) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
            if control.enough.is_raised() {
                break;
            }
            let games = (plan.games - unit * seats(which)).min(seats(which));
            let mut tally = Tally::new(contests[which].players());
            let mut here = contests[which].clone().thread_players(&plan.terms, &control.stop);
            if !here.count(&Meeting::new(plan.seed, &[(0, 1)], unit), games, &mut tally) {
                break;
            }
            control.played.fetch_add(games, Ordering::Relaxed);
            let mut done = lock();
            done[which].count(tally);
            told(&done);
        }
    });
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::TypedContest;
    use crate::opening::Openings;
    use crate::terms::Terms;

    fn contest(game: &str, specs: &[&str]) -> Arc<dyn Contest> {
        let factories = specs.iter().map(|spec| gdl::players::factory(spec).unwrap());
        let start = gdl::Position::of_sheet(game).unwrap();
        Arc::new(TypedContest::new(start, factories.collect(), Openings::Plies(0)))
    }

    #[test]
    fn every_game_is_played_as_often_whatever_its_seats_and_on_any_number_of_threads() {
        let contests = [
            contest("tictactoe", &["montecarlo:playouts=20", "random"]),
            contest("trio", &["montecarlo:playouts=20", "random", "random"]),
            contest("lights", &["random"]),
        ];
        let played = |jobs| {
            let plan = MatchPlan {
                games: 7,
                seed: 1,
                jobs,
                terms: Terms::default(),
            };
            let heard = AtomicUsize::new(0);
            let told = |so_far: &[GauntletMatch]| {
                let games: u64 = so_far.iter().map(|one| one.tally.games).sum();
                heard.fetch_max(games as usize, Ordering::Relaxed);
            };
            let done = play(&contests, &plan, &Control::default(), told).unwrap();
            assert_eq!(heard.into_inner(), 21);
            done
        };
        let payoffs = |all: &[GauntletMatch]| -> Vec<f64> {
            let mean = |one: &GauntletMatch| one.tally.players[0].payoffs().mean();
            all.iter().map(mean).collect()
        };
        let alone = played(1);
        for (one, contest) in alone.iter().zip(&contests) {
            assert_eq!(one.tally.games, 7);
            // The seventh game is no pair, and pairs are of two.
            let pairs = if contest.seats() == 2 { 3 } else { 0 };
            assert_eq!(one.pairs.iter().sum::<u64>(), pairs);
        }
        assert!(payoffs(&alone)[0] > 50.0, "{:?}", payoffs(&alone));
        assert_eq!(payoffs(&played(3)), payoffs(&alone));
    }

    #[test]
    fn players_must_fit_the_seats() {
        let plan = MatchPlan {
            games: 1,
            seed: 1,
            jobs: 1,
            terms: Terms::default(),
        };
        let two = [contest("trio", &["random", "random"])];
        assert!(play(&two, &plan, &Control::default(), |_| ()).is_err());
    }
}
