//! What a match counts. Tallies of parts of a match add up to the tally of the whole, in any order.

use crate::referee::{Ended, Verdict, VerdictKind};
use crate::stats::Z95;
use game::Seat;
use player::Replaced;
use std::time::Duration;

/// How long something took: often, in all, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    count: u64,
    total: Duration,
    most: Duration,
}

impl Times {
    /// Counts one more.
    #[inline]
    pub fn add(&mut self, time: Duration) {
        self.count += 1;
        self.total += time;
        self.most = self.most.max(time);
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &Times) {
        self.count += other.count;
        self.total += other.total;
        self.most = self.most.max(other.most);
    }

    /// How often.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// In all, in seconds.
    pub fn seconds(&self) -> f64 {
        self.total.as_secs_f64()
    }

    /// The mean in milliseconds; 0 if nothing was counted.
    pub fn mean_ms(&self) -> f64 {
        match self.count {
            0 => 0.0,
            n => self.total.as_secs_f64() * 1e3 / n as f64,
        }
    }

    /// The maximum in milliseconds.
    pub fn most_ms(&self) -> f64 {
        self.most.as_secs_f64() * 1e3
    }
}

/// The time of turns, placing and giving apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnTimes {
    /// Placing.
    pub place: Times,
    /// Giving.
    pub give: Times,
    /// Turns that were not the player's own.
    pub replaced: Replacements,
    /// Processor time, a game at a time, of programs outside.
    pub processor: Times,
}

/// Moves that the rules of a course replaced, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replacements {
    /// They came too late.
    pub late: u64,
    /// They were not legal.
    pub illegal: u64,
}

impl Replacements {
    /// Counts one.
    #[inline]
    pub fn add(&mut self, why: Replaced) {
        match why {
            Replaced::Late => self.late += 1,
            Replaced::Illegal => self.illegal += 1,
        }
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &Replacements) {
        self.late += other.late;
        self.illegal += other.illegal;
    }
}

/// Numbers of which the mean and the variance are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum: i64,
    squares: u64,
}

impl Moments {
    /// Counts one more.
    #[inline]
    pub fn add(&mut self, number: i64) {
        self.count += 1;
        self.sum += number;
        self.squares += number.unsigned_abs().pow(2);
    }

    /// The same with all numbers of another.
    pub fn plus(self, other: Moments) -> Moments {
        Moments {
            count: self.count + other.count,
            sum: self.sum + other.sum,
            squares: self.squares + other.squares,
        }
    }

    /// How many.
    #[inline]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean; 0 of nothing.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The variance of one number.
    pub fn variance(&self) -> f64 {
        (self.squares as f64 / self.count.max(1) as f64 - self.mean().powi(2)).max(0.0)
    }
}

/// The game's own points, where it counts any: in all games, of a player and of those it met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Points {
    /// Games that had points.
    pub games: u64,
    /// Its own.
    pub made: i64,
    /// The others'.
    pub allowed: i64,
}

impl Points {
    /// Counts a game as `seat` sees it.
    #[inline]
    pub fn add(&mut self, points: [i32; 2], seat: Seat) {
        self.games += 1;
        self.made += i64::from(points[seat.index() & 1]);
        self.allowed += i64::from(points[1 - (seat.index() & 1)]);
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &Points) {
        self.games += other.games;
        self.made += other.made;
        self.allowed += other.allowed;
    }

    /// By how much it is ahead, in all.
    pub fn difference(&self) -> i64 {
        self.made - self.allowed
    }
}

impl TurnTimes {
    /// The seconds on the clock.
    pub fn seconds(&self) -> f64 {
        self.place.seconds() + self.give.seconds()
    }

    /// Counts a turn.
    #[inline]
    pub fn add(&mut self, (place, give): (Option<Duration>, Option<Duration>)) {
        if let Some(time) = place {
            self.place.add(time);
        }
        if let Some(time) = give {
            self.give.add(time);
        }
    }

    /// Adds another count.
    pub fn merge(&mut self, other: &TurnTimes) {
        self.place.merge(&other.place);
        self.give.merge(&other.give);
        self.replaced.merge(&other.replaced);
        self.processor.merge(&other.processor);
    }
}

/// What somebody got, in all its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PayoffSum {
    games: u64,
    points: u64,
    squares: u64,
}

impl PayoffSum {
    #[inline]
    fn add(&mut self, points: u8) {
        self.games += 1;
        self.points += u64::from(points);
        self.squares += u64::from(points).pow(2);
    }

    fn merge(&mut self, other: &PayoffSum) {
        self.games += other.games;
        self.points += other.points;
        self.squares += other.squares;
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.games
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

/// One player's part of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerTally {
    /// Games won: with two seats.
    pub wins: u64,
    /// Games lost, forfeits included: with two seats.
    pub losses: u64,
    /// Games drawn: with two seats.
    pub draws: u64,
    /// Games lost by a fault: an illegal move, or none.
    pub forfeits: u64,
    /// Those of them in which it died or left.
    pub died: u64,
    /// What it got on each seat.
    pub seats: Vec<PayoffSum>,
    /// The game's own points.
    pub points: Points,
    /// The time its turns took.
    pub times: TurnTimes,
}

impl PlayerTally {
    /// What it got on all seats.
    pub fn payoffs(&self) -> PayoffSum {
        let mut all = PayoffSum::default();
        self.seats.iter().for_each(|seat| all.merge(seat));
        all
    }

    fn merge(&mut self, more: &PlayerTally) {
        self.wins += more.wins;
        self.losses += more.losses;
        self.draws += more.draws;
        self.forfeits += more.forfeits;
        self.died += more.died;
        self.points.merge(&more.points);
        self.times.merge(&more.times);
        let seats = self.seats.iter_mut().zip(&more.seats);
        seats.for_each(|(seat, more)| seat.merge(more));
    }
}

/// A whole match of as many players as there are seats, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Turns in all of them.
    pub turns: u64,
    /// The players, in the order they were named.
    pub players: Vec<PlayerTally>,
    /// Wins of the seats, whoever sat there: with two seats.
    pub seat_wins: [u64; 2],
    /// The first fault seen, for the report.
    pub first_fault: Option<String>,
    /// What the player whose fault it was wrote to standard error.
    pub first_stderr: Option<String>,
}

impl Tally {
    /// Nothing counted yet, of so many players.
    pub fn new(players: usize) -> Self {
        let one = PlayerTally {
            seats: vec![PayoffSum::default(); players],
            ..PlayerTally::default()
        };
        Tally {
            games: 0,
            turns: 0,
            players: vec![one; players],
            seat_wins: [0; 2],
            first_fault: None,
            first_stderr: None,
        }
    }

    /// Who sits on a seat after everybody has moved up so many: fewer than there are seats.
    #[inline]
    fn sitting(&self, seat: usize, up: usize) -> usize {
        // Asked every turn: a division would be felt.
        match seat.checked_sub(up) {
            Some(player) => player,
            None => seat + self.players.len() - up,
        }
    }

    /// Counts a game in which everybody had moved up so many seats. Who ends a game by a fault gets nothing, and the others
    /// everything.
    #[inline]
    pub fn count(&mut self, ended: &Ended, up: usize) {
        let verdict = &ended.verdict;
        self.games += 1;
        self.turns += u64::from(ended.turns);
        for seat in 0..self.players.len() {
            let payoff = match verdict {
                Verdict::Finished(payoffs) => payoffs.of(Seat::new(seat as u8)).points(),
                Verdict::Forfeit { seat: guilty, .. } if guilty.index() == seat => 0,
                Verdict::Forfeit { .. } => 100,
                Verdict::Adjudicated(called) => match called.winner() {
                    None => 50,
                    Some(winner) if winner.index() == seat => 100,
                    Some(_) => 0,
                },
            };
            let player = self.sitting(seat, up);
            self.players[player].seats[seat].add(payoff);
        }
        if let Verdict::Forfeit { seat, fault } = verdict {
            let guilty = self.sitting(seat.index(), up);
            let guilty = &mut self.players[guilty];
            guilty.forfeits += 1;
            guilty.died += u64::from(matches!(verdict.kind(), VerdictKind::Crash | VerdictKind::Disconnect));
            self.first_fault.get_or_insert_with(|| fault.to_string());
        }
        if self.players.len() == 2 {
            self.count_of_two(ended, up);
        }
    }

    /// Keeps what a player wrote to standard error when it lost by the first fault.
    pub(crate) fn note_stderr(&mut self, text: &str) {
        if self.first_stderr.is_none() {
            self.first_stderr = Some(text.trim_end().into());
        }
    }

    #[inline]
    fn count_of_two(&mut self, ended: &Ended, up: usize) {
        if let Some(points) = ended.points {
            for seat in [Seat::FIRST, Seat::SECOND] {
                let player = self.sitting(seat.index(), up);
                self.players[player].points.add(points, seat);
            }
        }
        match ended.verdict.winner() {
            None => self.players.iter_mut().for_each(|score| score.draws += 1),
            Some(winner) => {
                self.seat_wins[winner.index()] += 1;
                let (won, lost) = (winner.index(), winner.other().index());
                let (won, lost) = (self.sitting(won, up), self.sitting(lost, up));
                self.players[won].wins += 1;
                self.players[lost].losses += 1;
            }
        }
    }

    /// Adds another part of the match.
    pub fn merge(mut self, other: Tally) -> Tally {
        self.games += other.games;
        self.turns += other.turns;
        let players = self.players.iter_mut().zip(&other.players);
        players.for_each(|(player, more)| player.merge(more));
        for (wins, more) in self.seat_wins.iter_mut().zip(other.seat_wins) {
            *wins += more;
        }
        if self.first_fault.is_none() {
            (self.first_fault, self.first_stderr) = (other.first_fault, other.first_stderr);
        }
        self
    }

    /// Drawn games, with two seats.
    pub fn draws(&self) -> u64 {
        self.players.first().map_or(0, |player| player.draws)
    }

    /// Turns a game, on average; 0 before the first game.
    pub fn turns_avg(&self) -> f64 {
        self.turns as f64 / self.games.max(1) as f64
    }

    /// The clocks of the players, after everybody has moved up so many seats.
    #[inline]
    pub(crate) fn clocks(&mut self, up: usize) -> SeatedClocks<'_> {
        SeatedClocks { tally: self, up }
    }
}

/// The clocks of the players as they sit.
pub(crate) struct SeatedClocks<'a> {
    tally: &'a mut Tally,
    up: usize,
}

impl SeatedClocks<'_> {
    /// The clock of who sits there.
    #[inline]
    pub fn of(&mut self, seat: Seat) -> &mut TurnTimes {
        let player = self.tally.sitting(seat.index(), self.up);
        &mut self.tally.players[player].times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_mean_is_that_of_its_standard_error() {
        let mut payoffs = PayoffSum::default();
        [0, 100, 50, 50].into_iter().for_each(|points| payoffs.add(points));
        assert_eq!(payoffs.mean(), 50.0);
        // Variance 5000 / 3, standard error sqrt(5000 / 12).
        assert!((payoffs.half_width().unwrap() - 1.959_964 * (5000.0f64 / 12.0).sqrt()).abs() < 1e-3);
    }
}
