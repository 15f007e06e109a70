//! A match at a table of any number of seats: the players move up one seat from game to game, and the mean of what each
//! got is counted. A puzzle for one is a table of one seat.
//!
//! As in a [`contest`](crate::contest) every game is a function of the match's seed and its own number.

use crate::contest::{ContestError, Control, Plan};
use crate::referee::{self, PartTimes, Verdict, Witness};
use crate::stats::Z95;
use crate::tally::TurnTimes;
use game::{Game, Seat, mix};
use players::{Player, Recipe, Thought};
use rayon::ThreadPoolBuilder;
use std::sync::atomic::{AtomicU64, Ordering};

/// What somebody got, in all its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Payoffs {
    games: u64,
    points: u64,
    squares: u64,
}

impl Payoffs {
    fn add(&mut self, points: u8) {
        self.games += 1;
        self.points += u64::from(points);
        self.squares += u64::from(points).pow(2);
    }

    fn merge(&mut self, other: &Payoffs) {
        self.games += other.games;
        self.points += other.points;
        self.squares += other.squares;
    }

    /// The mean, 0 to 100; 0 before the first game.
    pub fn mean(&self) -> f64 {
        self.points as f64 / self.games.max(1) as f64
    }

    /// Half the width of the 95 % interval of the mean, if there are games enough for one.
    pub fn half_width(&self) -> Option<f64> {
        let n = self.games as f64;
        let variance = (self.squares as f64 - n * self.mean().powi(2)) / (n - 1.0);
        (self.games > 1).then(|| Z95 * (variance.max(0.0) / n).sqrt())
    }
}

/// One player's part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// What it got.
    pub payoffs: Payoffs,
    /// What it got on each seat.
    pub seats: Vec<Payoffs>,
    /// Games that it ended by a fault of its own.
    pub forfeits: u64,
    /// The time its turns took.
    pub times: TurnTimes,
}

/// A whole match, or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Turns in all of them.
    pub turns: u64,
    /// The players, in the order they were named.
    pub players: Vec<Score>,
    /// The first fault seen, for the report.
    pub first_fault: Option<String>,
}

impl Tally {
    fn new(players: usize) -> Self {
        let score = Score {
            seats: vec![Payoffs::default(); players],
            ..Score::default()
        };
        Tally {
            players: vec![score; players],
            ..Tally::default()
        }
    }

    /// Counts a game in which player `sitting[seat]` sat on each seat. Who ends a game by a fault gets nothing, and the
    /// others everything.
    fn count(&mut self, verdict: &Verdict, turns: u32, sitting: &[usize]) {
        self.games += 1;
        self.turns += u64::from(turns);
        for (seat, &player) in (0..).zip(sitting) {
            let points = match verdict {
                Verdict::Finished(payoffs) => payoffs.of(Seat::new(seat)).points(),
                Verdict::Forfeit { seat: guilty, .. } if guilty.index() == usize::from(seat) => 0,
                Verdict::Forfeit { .. } => 100,
                Verdict::Adjudicated => 50,
            };
            let score = &mut self.players[player];
            score.payoffs.add(points);
            score.seats[usize::from(seat)].add(points);
        }
        if let Verdict::Forfeit { seat, fault } = verdict {
            self.players[sitting[seat.index()]].forfeits += 1;
            self.first_fault.get_or_insert_with(|| fault.to_string());
        }
    }

    fn merge(mut self, other: Tally) -> Tally {
        self.games += other.games;
        self.turns += other.turns;
        for (score, more) in self.players.iter_mut().zip(&other.players) {
            score.payoffs.merge(&more.payoffs);
            score
                .seats
                .iter_mut()
                .zip(&more.seats)
                .for_each(|(seat, more)| seat.merge(more));
            score.forfeits += more.forfeits;
            score.times.merge(&more.times);
        }
        self.first_fault = self.first_fault.or(other.first_fault);
        self
    }

    /// Turns a game, on average; 0 before the first game.
    pub fn turns_avg(&self) -> f64 {
        self.turns as f64 / self.games.max(1) as f64
    }
}

/// Keeps the time of every player as it sits.
struct Timekeeper<'a> {
    scores: &'a mut [Score],
    sitting: &'a [usize],
}

impl<G: Game> Witness<G> for Timekeeper<'_> {
    fn turn(&mut self, _: &G, seat: Seat, _: &Thought<G::Move>, times: PartTimes) {
        self.scores[self.sitting[seat.index()]].times.add(times);
    }
}

/// Plays a match from `start`, a player a seat.
pub fn play<G: Game>(start: &G, recipes: &[Recipe<G>], plan: &Plan, control: &Control) -> Result<Tally, ContestError> {
    let seats = start.seats();
    if recipes.len() != seats {
        return Err(ContestError::Players {
            seats,
            players: recipes.len(),
        });
    }
    let pool = ThreadPoolBuilder::new().num_threads(plan.jobs).build()?;
    let next = AtomicU64::new(0);
    let parts = pool.broadcast(|_| {
        let mut players: Vec<Box<dyn Player<G>>> = recipes.iter().map(Recipe::make).collect();
        players.iter_mut().for_each(|player| player.heed(&control.stop));
        let mut tally = Tally::new(seats);
        while !control.enough.is_raised() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plan.games {
                break;
            }
            if !play_one(start, &mut players, number, plan, control, &mut tally) {
                break;
            }
            control.played.fetch_add(1, Ordering::Relaxed);
        }
        tally
    });
    Ok(parts.into_iter().fold(Tally::new(seats), Tally::merge))
}

/// Plays a game and counts it; false if it was stopped.
fn play_one<G: Game>(
    start: &G,
    players: &mut [Box<dyn Player<G>>],
    number: u64,
    plan: &Plan,
    control: &Control,
    tally: &mut Tally,
) -> bool {
    let seed = mix(plan.seed, &[number]);
    for (index, player) in (0..).zip(players.iter_mut()) {
        player.begin(mix(seed, &[index]));
    }
    // Everybody moves up one seat: player 0 sits on seat `up`.
    let up = (number % players.len() as u64) as usize;
    let sitting: Vec<usize> = (0..players.len())
        .map(|seat| (seat + players.len() - up) % players.len())
        .collect();
    let mut seats: Vec<&mut dyn Player<G>> = players.iter_mut().map(|player| player.as_mut() as _).collect();
    seats.rotate_right(up);
    let mut times = Timekeeper {
        scores: &mut tally.players,
        sitting: &sitting,
    };
    let ended = referee::play(start, &mut seats, &plan.terms, &control.stop, &mut times);
    if let Some(ended) = &ended {
        tally.count(&ended.verdict, ended.turns, &sitting);
    }
    ended.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::Terms;
    use gdl::{BuildLimits, Machine, Position, Sheet};

    fn start(name: &str) -> Position {
        let sheet = Sheet::load(name).unwrap();
        Position::new(Machine::compiled(&sheet, BuildLimits::default()).unwrap()).unwrap()
    }

    fn table(name: &str, specs: &[&str], games: u64, jobs: usize) -> Result<Tally, ContestError> {
        let recipes: Vec<_> = specs
            .iter()
            .map(|spec| players::recipe::<Position>(spec).unwrap())
            .collect();
        let plan = Plan {
            games,
            seed: 1,
            jobs,
            terms: Terms::default(),
        };
        play(&start(name), &recipes, &plan, &Control::default())
    }

    #[test]
    fn everybody_sits_everywhere_and_the_better_player_gets_more() {
        let specs = ["random", "montecarlo:playouts=32", "random"];
        let tally = table("trio", &specs, 30, 1).unwrap();
        assert_eq!(tally.games, 30);
        for score in &tally.players {
            assert_eq!(score.payoffs.games, 30);
            assert!(score.seats.iter().all(|seat| seat.games == 10));
            assert_eq!(score.forfeits, 0);
        }
        let means: Vec<f64> = tally.players.iter().map(|score| score.payoffs.mean()).collect();
        assert!(means[1] > 60.0 && means[0] < 40.0 && means[2] < 40.0, "{means:?}");
        assert!(tally.players[1].times.place.seconds() > tally.players[0].times.place.seconds());
    }

    #[test]
    fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
        let without_times = |mut tally: Tally| {
            tally
                .players
                .iter_mut()
                .for_each(|score| score.times = TurnTimes::default());
            tally
        };
        let [alone, together] = [1, 3].map(|jobs| without_times(table("trio", &["random"; 3], 20, jobs).unwrap()));
        assert_eq!(alone, together);
    }

    #[test]
    fn a_puzzle_is_a_table_for_one_and_empty_seats_are_refused() {
        let tally = table("lights", &["general:nodes=500"], 1, 1).unwrap();
        assert_eq!((tally.players[0].payoffs.mean(), tally.turns), (100.0, 4));
        let error = table("trio", &["random"; 2], 1, 1).unwrap_err().to_string();
        assert!(error.contains("3 seats"), "{error}");
    }

    #[test]
    fn the_interval_of_a_mean_is_that_of_its_standard_error() {
        let mut payoffs = Payoffs::default();
        [0, 100, 50, 50].into_iter().for_each(|points| payoffs.add(points));
        assert_eq!(payoffs.mean(), 50.0);
        // Variance 5000 / 3, standard error sqrt(5000 / 12).
        assert!((payoffs.half_width().unwrap() - 1.959_964 * (5000.0f64 / 12.0).sqrt()).abs() < 1e-3);
    }
}
