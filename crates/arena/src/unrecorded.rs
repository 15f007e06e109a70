//! A match: a tournament of as many players as there are seats that is not recorded, only counted.
//!
//! Every unit is a function of the match's seed and its own number, so the same seed gives the same games on any number of
//! threads; only the clocks differ. Units, seeds and seats are those of a [contest](crate::contest), so the games are those of a
//! tournament of the same players.

use crate::contest::{Contest, ContestError, Meeting};
use crate::control::Control;
use crate::tally::Tally;
use crate::terms::Terms;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// How many games. If they are no whole number of units, the last unit is cut short.
    pub games: u64,
    /// What all chance is drawn from.
    pub seed: u64,
    /// How many threads; 0 for one a core.
    pub jobs: usize,
    /// What every game is played on.
    pub terms: Terms,
}

/// Why a match could not be played.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The game and its players do not fit.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The system refused the threads.
    #[error("cannot start the threads of a match")]
    Threads(#[from] ThreadPoolBuildError),
}

/// Plays a match, a player a seat.
pub fn play(contest: &Arc<dyn Contest>, plan: &MatchPlan, control: &Control) -> Result<Tally, MatchError> {
    let (seats, players) = (contest.seats(), contest.players());
    if players != seats {
        return Err(ContestError::Players { seats, players }.into());
    }
    let pool = ThreadPoolBuilder::new().num_threads(plan.jobs).build()?;
    let next = AtomicU64::new(0);
    let parts = pool.broadcast(|_| {
        let mut here = contest.clone().thread_players(&plan.terms, &control.stop);
        let mut tally = Tally::new(players);
        while !control.enough.is_raised() {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            let games = plan
                .games
                .saturating_sub(unit.saturating_mul(seats as u64))
                .min(seats as u64);
            if games == 0 {
                break;
            }
            if !here.count(&Meeting::new(plan.seed, &[(0, 1)], unit), games, &mut tally) {
                break;
            }
            control.played.fetch_add(games, Ordering::Relaxed);
        }
        tally
    });
    Ok(parts.into_iter().fold(Tally::new(players), Tally::merge))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::TypedContest;
    use crate::live::LiveGames;
    use crate::opening::Openings;
    use crate::stats::wilson;
    use crate::tally::TurnTimes;
    use quarto::{Position, Rules};

    fn plan(games: u64, jobs: usize) -> MatchPlan {
        MatchPlan {
            games,
            seed: 1,
            jobs,
            terms: Terms::default(),
        }
    }

    fn quarto(specs: [&str; 2], games: u64, jobs: usize) -> Tally {
        let factories = specs.map(|spec| quarto::players::factory(spec).unwrap());
        let start = Position::new(Rules::standard());
        let contest = TypedContest::new(start, factories.into(), Openings::Plies(0));
        play(&(Arc::new(contest) as _), &plan(games, jobs), &Control::default()).unwrap()
    }

    fn sheet(name: &str, specs: &[&str], games: u64, jobs: usize) -> Result<Tally, MatchError> {
        let factories = specs.iter().map(|spec| gdl::players::factory(spec).unwrap());
        let start = gdl::Position::of_sheet(name).unwrap();
        let contest = TypedContest::new(start, factories.collect(), Openings::Plies(0));
        play(&(Arc::new(contest) as _), &plan(games, jobs), &Control::default())
    }

    fn without_times(mut tally: Tally) -> Tally {
        for player in &mut tally.players {
            player.times = TurnTimes::default();
        }
        tally
    }

    #[test]
    fn the_same_seed_gives_the_same_match_on_any_number_of_threads() {
        let alone = without_times(quarto(["novice", "random"], 501, 1));
        for jobs in [2, 3, 8] {
            let together = without_times(quarto(["novice", "random"], 501, jobs));
            assert_eq!(together, alone, "{jobs} threads");
        }
        assert_eq!(alone.games, 501);
        let [alone, together] = [1, 3].map(|jobs| without_times(sheet("trio", &["random"; 3], 20, jobs).unwrap()));
        assert_eq!(alone, together);
    }

    #[test]
    fn a_match_is_the_games_of_a_tournament_from_the_same_seed() {
        let factories = ["novice", "random"].map(|spec| quarto::players::factory(spec).unwrap());
        let start = Position::new(Rules::standard());
        let contest: Arc<dyn Contest> = Arc::new(TypedContest::new(start, factories.into(), Openings::Plies(0)));
        let (terms, stop) = (Terms::default(), game::Stop::never());
        let (mut counting, mut recording) = (
            contest.clone().thread_players(&terms, &stop),
            contest.thread_players(&terms, &stop),
        );
        for unit in 0..200 {
            let meeting = Meeting::new(7, &[(0, 1)], unit);
            let mut tally = Tally::new(2);
            assert!(counting.count(&meeting, 2, &mut tally));
            let record = recording.record(&meeting, &LiveGames::default()).unwrap();
            let turns: u32 = record.games.iter().map(|game| game.turn_count).sum();
            assert_eq!(tally.turns, u64::from(turns), "{unit}");
            let half_points = 2 * tally.players[0].wins + tally.players[0].draws;
            assert_eq!(half_points, record.half_points() as u64, "{unit}");
        }
    }

    #[test]
    fn every_game_has_a_result_for_both_players_and_for_a_seat() {
        let tally = quarto(["novice", "random"], 1000, 0);
        let [novice, random] = tally.players.as_slice() else {
            panic!("two players");
        };
        assert_eq!(novice.wins + novice.losses + novice.draws, 1000);
        assert_eq!((novice.wins, novice.losses), (random.losses, random.wins));
        assert_eq!(tally.seat_wins.iter().sum::<u64>() + tally.draws(), 1000);
        assert_eq!(novice.forfeits + random.forfeits, 0);
        assert_eq!(novice.payoffs().games(), 1000);
    }

    #[test]
    fn a_player_against_itself_wins_half_of_the_decided_games() {
        let tally = quarto(["random", "random"], 20_000, 0);
        let decided = tally.games - tally.draws();
        let (low, high) = wilson(tally.players[0].wins, decided);
        assert!(low < 0.51 && high > 0.49, "{low} {high}");
    }

    #[test]
    fn the_novice_beats_the_random_player_as_the_reports_say() {
        // 976 of 1000 (report 000) and 488 of 500 (report 004).
        let tally = quarto(["novice", "random"], 4000, 0);
        let (low, high) = wilson(tally.players[0].wins, tally.games);
        assert!(low < 0.985 && high > 0.965, "{low} {high}");
    }

    #[test]
    fn a_stopped_match_keeps_what_was_played() {
        let control = Control::default();
        control.stop.raise();
        let random = quarto::players::factory("random").unwrap();
        let start = Position::new(Rules::standard());
        let contest = TypedContest::new(start, vec![random.clone(), random], Openings::Plies(0));
        let tally = play(&(Arc::new(contest) as _), &plan(1000, 1), &control).unwrap();
        assert_eq!(tally.games, 0);
    }

    #[test]
    fn turns_are_timed_though_not_all_of_them() {
        let tally = quarto(["random", "novice"], 6400, 1);
        for player in &tally.players {
            let timed = player.times.place.count();
            assert!(timed > 0 && timed < tally.turns / 8, "{timed} of {}", tally.turns);
        }
    }

    #[test]
    fn everybody_sits_everywhere_and_the_better_player_gets_more() {
        let specs = ["random", "montecarlo:playouts=32", "random"];
        let tally = sheet("trio", &specs, 30, 1).unwrap();
        assert_eq!(tally.games, 30);
        for player in &tally.players {
            assert_eq!(player.payoffs().games(), 30);
            assert!(player.seats.iter().all(|seat| seat.games() == 10));
            assert_eq!(player.forfeits, 0);
        }
        let means: Vec<f64> = tally.players.iter().map(|player| player.payoffs().mean()).collect();
        assert!(means[1] > 60.0 && means[0] < 40.0 && means[2] < 40.0, "{means:?}");
        assert!(tally.players[1].times.place.seconds() > tally.players[0].times.place.seconds());
    }

    #[test]
    fn a_puzzle_is_a_match_for_one_and_empty_seats_are_refused() {
        let tally = sheet("lights", &["general:nodes=2000"], 1, 1).unwrap();
        assert_eq!((tally.players[0].payoffs().mean(), tally.turns), (100.0, 4));
        let error = sheet("trio", &["random"; 2], 1, 1).unwrap_err().to_string();
        assert!(error.contains("3 seats"), "{error}");
    }
}
