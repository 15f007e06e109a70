//! What a match counts. Tallies of parts of a match add up to the tally of the whole, in any order.

use crate::referee::{Ended, Kind, Verdict};
use game::Seat;
use players::Replaced;
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
    }
}

/// One player's part of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games lost, forfeits included.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by a fault: an illegal move, or none.
    pub forfeits: u64,
    /// Those of them in which it died or left.
    pub died: u64,
    /// The game's own points.
    pub points: Points,
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
    /// The two players.
    pub players: [Score; 2],
    /// Wins of the two seats, whoever sat there.
    pub seat_wins: [u64; 2],
    /// The first fault seen, for the report.
    pub first_fault: Option<String>,
}

impl Tally {
    /// Counts a game in which player `sitting[seat]` sat on each seat.
    pub fn count(&mut self, ended: &Ended, sitting: [usize; 2]) {
        let verdict = &ended.verdict;
        self.games += 1;
        self.turns += u64::from(ended.turns);
        if let Some(points) = ended.points {
            for seat in [Seat::FIRST, Seat::SECOND] {
                self.players[sitting[seat.index()]].points.add(points, seat);
            }
        }
        match verdict.winner() {
            None => self.players.iter_mut().for_each(|score| score.draws += 1),
            Some(winner) => {
                self.seat_wins[winner.index()] += 1;
                self.players[sitting[winner.index()]].wins += 1;
                self.players[sitting[winner.other().index()]].losses += 1;
            }
        }
        if let Verdict::Forfeit { seat, fault } = verdict {
            let guilty = &mut self.players[sitting[seat.index()]];
            guilty.forfeits += 1;
            guilty.died += u64::from(matches!(verdict.kind(), Kind::Crash | Kind::Disconnect));
            self.first_fault.get_or_insert_with(|| fault.to_string());
        }
    }

    /// Adds another part of the match.
    pub fn merge(mut self, other: Tally) -> Tally {
        self.games += other.games;
        self.turns += other.turns;
        for (score, more) in self.players.iter_mut().zip(&other.players) {
            score.wins += more.wins;
            score.losses += more.losses;
            score.draws += more.draws;
            score.forfeits += more.forfeits;
            score.died += more.died;
            score.points.merge(&more.points);
            score.times.merge(&more.times);
        }
        for (wins, more) in self.seat_wins.iter_mut().zip(other.seat_wins) {
            *wins += more;
        }
        self.first_fault = self.first_fault.or(other.first_fault);
        self
    }

    /// Drawn games.
    pub fn draws(&self) -> u64 {
        self.players[0].draws
    }

    /// Turns a game, on average; 0 before the first game.
    pub fn turns_avg(&self) -> f64 {
        self.turns as f64 / self.games.max(1) as f64
    }

    /// The clocks of the players as they sit.
    pub(crate) fn clocks(&mut self, sitting: [usize; 2]) -> [&mut TurnTimes; 2] {
        let [first, second] = &mut self.players;
        match sitting[Seat::FIRST.index()] {
            0 => [&mut first.times, &mut second.times],
            _ => [&mut second.times, &mut first.times],
        }
    }
}
