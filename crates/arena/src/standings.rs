//! What the pairs of a tournament add up to.

use crate::record::PairRecord;
use crate::referee::VerdictKind;
use crate::stats::pairs::{Estimate, Pentanomial};
use crate::stats::ratings::{self, PairResults};
use crate::tally::{Moments, Points, TurnTimes};
use game::Seat;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl WinDrawLoss {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half of one for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    fn count(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    fn plus(self, other: WinDrawLoss) -> WinDrawLoss {
        WinDrawLoss {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

/// One player's part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Its results on each seat.
    pub seats: [WinDrawLoss; 2],
    /// Turns in its games, its own and its opponents'.
    pub turns: u64,
    /// The same game by game, on each seat.
    pub lengths: [Moments; 2],
    /// The game's own points that it was ahead by, game by game, on each seat.
    pub leads: [Moments; 2],
    /// The game's own points that it made, game by game, on each seat.
    pub made: [Moments; 2],
    /// The games it lost by a fault, by kind (in the order of [`VerdictKind::ALL`]).
    pub forfeits: [u64; 8],
    /// The time its turns took, and how many were replaced.
    pub times: TurnTimes,
    /// The game's own points.
    pub points: Points,
}

impl Standing {
    /// Games that it lost because it died or left.
    pub fn died(&self) -> u64 {
        self.forfeits[VerdictKind::Crash as usize] + self.forfeits[VerdictKind::Disconnect as usize]
    }

    /// Its results on both seats.
    pub fn score(&self) -> WinDrawLoss {
        self.seats[0].plus(self.seats[1])
    }

    /// The turns in its games on a seat, or on both.
    pub fn length(&self, seat: Option<usize>) -> Moments {
        on(&self.lengths, seat)
    }

    /// The processor time of its games in seconds, if it is a program outside and the system told.
    pub fn processor_seconds(&self) -> Option<f64> {
        let processor = &self.times.processor;
        (processor.count() > 0).then(|| processor.seconds())
    }

    /// The seconds it thought.
    pub fn seconds(&self) -> f64 {
        self.times.seconds()
    }
}

/// What was counted on a seat, or on both.
pub fn on(seats: &[Moments; 2], seat: Option<usize>) -> Moments {
    match seat {
        Some(seat) => seats[seat & 1],
        None => seats[0].plus(seats[1]),
    }
}

/// Two players against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duel {
    /// The player whose results are counted.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The first's half points, pair by pair.
    pub pairs: Pentanomial,
    /// The first's results on each seat.
    pub seats: [WinDrawLoss; 2],
    /// Turns in all their games.
    pub turns: u64,
}

impl Duel {
    fn new((first, second): (usize, usize)) -> Self {
        Duel {
            first,
            second,
            pairs: [0; 5],
            seats: [WinDrawLoss::default(); 2],
            turns: 0,
        }
    }

    /// The first's results on both seats.
    pub fn score(&self) -> WinDrawLoss {
        self.seats[0].plus(self.seats[1])
    }
}

/// The whole table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The players by number.
    pub players: Vec<Standing>,
    /// Who meets whom.
    pub duels: Vec<Duel>,
    /// Pairs counted.
    pub pairs: u64,
}

impl Standings {
    /// An empty table for so many players and these meetings.
    pub fn new(players: usize, meetings: &[(usize, usize)]) -> Self {
        Standings {
            players: vec![Standing::default(); players],
            duels: meetings.iter().map(|&meeting| Duel::new(meeting)).collect(),
            pairs: 0,
        }
    }

    /// Counts a pair. One between players who do not meet here is left out.
    pub fn count(&mut self, pair: &PairRecord) {
        // Numbers run through the meetings round by round, so the place in the table is known; where results decide who meets, it is
        // looked for.
        let index = (pair.number % self.duels.len().max(1) as u64) as usize;
        let these = |duel: &Duel| (duel.first, duel.second) == (pair.first, pair.second);
        let known = self.duels.get(index).is_some_and(these);
        if let Some(index) = if known {
            Some(index)
        } else {
            self.duels.iter().position(these)
        } {
            self.count_in(index, pair);
        }
    }

    /// Counts a pair of any tournament; `numbers` says which players of this table its players are.
    pub fn count_from(&mut self, mut pair: PairRecord, numbers: &[usize]) {
        let (Some(&first), Some(&second)) = (numbers.get(pair.first), numbers.get(pair.second)) else {
            return;
        };
        (pair.first, pair.second) = (first, second);
        let met = |first, second| move |duel: &Duel| (duel.first, duel.second) == (first, second);
        let index = match self.duels.iter().position(met(first, second)) {
            Some(index) => index,
            None => match self.duels.iter().position(met(second, first)) {
                // Seen from the other side: who sat second in the first game sat first in the second.
                Some(index) => {
                    (pair.first, pair.second) = (second, first);
                    pair.games.reverse();
                    index
                }
                None => {
                    self.duels.push(Duel::new((first, second)));
                    self.duels.len() - 1
                }
            },
        };
        self.count_in(index, &pair);
    }

    fn count_in(&mut self, index: usize, pair: &PairRecord) {
        let Some(duel) = self.duels.get_mut(index) else {
            return;
        };
        if (duel.first, duel.second) != (pair.first, pair.second) {
            return;
        }
        self.pairs += 1;
        duel.pairs[pair.half_points()] += 1;
        for (number, game) in pair.games.iter().enumerate() {
            duel.turns += u64::from(game.turn_count);
            for seat in [Seat::FIRST, Seat::SECOND] {
                let player = pair.sitting(number, seat);
                let half_points = game.half_points(seat);
                if player == duel.first {
                    duel.seats[seat.index()].count(half_points);
                }
                let Some(standing) = self.players.get_mut(player) else {
                    continue;
                };
                standing.seats[seat.index()].count(half_points);
                standing.turns += u64::from(game.turn_count);
                standing.lengths[seat.index()].add(i64::from(game.turn_count));
                standing.times.merge(&game.clocks[seat.index()]);
                if let Some(points) = game.points() {
                    standing.points.add(points, seat);
                    let [own, others] = [seat, seat.other()].map(|seat| i64::from(points[seat.index()]));
                    standing.leads[seat.index()].add(own - others);
                    standing.made[seat.index()].add(own);
                }
                if game.kind.is_forfeit() && half_points == 0 {
                    standing.forfeits[game.kind as usize] += 1;
                }
            }
        }
    }

    /// The Elo of all players together, with intervals.
    pub fn ratings(&self) -> Vec<Estimate> {
        let meetings: Vec<PairResults> = self
            .duels
            .iter()
            .map(|duel| PairResults {
                first: duel.first,
                second: duel.second,
                counts: duel.pairs,
            })
            .collect();
        ratings::ratings(self.players.len(), &meetings)
    }

    /// The players' numbers, best first.
    pub fn order(&self) -> Vec<usize> {
        let ratings = self.ratings();
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        let difference = |player: usize| self.players[player].points.difference();
        // Who is rated the same is told apart by the game's own points.
        order.sort_by(|&a, &b| {
            let better = ratings[b].value.total_cmp(&ratings[a].value);
            better.then(difference(b).cmp(&difference(a)))
        });
        order
    }

    /// The seconds all players thought.
    pub fn seconds(&self) -> f64 {
        self.players.iter().map(Standing::seconds).sum()
    }

    /// Games counted.
    pub fn games(&self) -> u64 {
        2 * self.pairs
    }

    /// The first player's results in the duel of these two, if they meet; the pair of numbers may be in either order.
    pub fn duel(&self, a: usize, b: usize) -> Option<(Duel, WinDrawLoss)> {
        self.duels.iter().find_map(|duel| match (duel.first, duel.second) {
            pair if pair == (a, b) => Some((*duel, duel.score())),
            pair if pair == (b, a) => {
                let score = duel.score();
                let turned = WinDrawLoss {
                    wins: score.losses,
                    draws: score.draws,
                    losses: score.wins,
                };
                Some((*duel, turned))
            }
            _ => None,
        })
    }

    /// How many games ended in each kind of forfeit.
    pub fn forfeits(&self) -> Vec<(VerdictKind, u64)> {
        VerdictKind::ALL
            .into_iter()
            .map(|kind| (kind, self.players.iter().map(|p| p.forfeits[kind as usize]).sum()))
            .filter(|&(_, count)| count > 0)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameRecord;

    fn game(kind: VerdictKind, winner: Option<Seat>) -> GameRecord {
        GameRecord {
            kind,
            winner,
            detail: String::new(),
            turns: String::new(),
            times: String::new(),
            says: String::new(),
            log: String::new(),
            turn_count: 8,
            clocks: [TurnTimes::default(); 2],
        }
    }

    #[test]
    fn a_pair_is_counted_for_both_players_and_both_seats() {
        let mut standings = Standings::new(2, &[(0, 1)]);
        standings.count(&PairRecord {
            number: 0,
            first: 0,
            second: 1,
            round: 0,
            seed: 1,
            start: None,
            opening: String::new(),
            games: [
                game(VerdictKind::Win, Some(Seat::FIRST)),
                game(VerdictKind::Crash, Some(Seat::FIRST)),
            ],
        });
        // Player 0 won on seat 1, then crashed on seat 2.
        assert_eq!(standings.duels[0].pairs, [0, 0, 1, 0, 0]);
        assert_eq!(
            standings.players[0].seats.map(|score| (score.wins, score.losses)),
            [(1, 0), (0, 1)]
        );
        assert_eq!(
            standings.players[1].seats.map(|score| (score.wins, score.losses)),
            [(1, 0), (0, 1)]
        );
        assert_eq!(standings.players[0].forfeits[VerdictKind::Crash as usize], 1);
        assert_eq!(standings.players[1].forfeits, [0; 8]);
        assert_eq!(standings.forfeits(), [(VerdictKind::Crash, 1)]);
        assert_eq!(standings.players[0].turns, 16);
        let length = standings.players[0].length(None);
        assert_eq!((length.count(), length.mean(), length.variance()), (2, 8.0, 0.0));
        assert_eq!(standings.players[0].length(Some(1)).count(), 1);
    }
}
