//! Who meets whom where that depends on the results: Swiss and knockout, stage by stage.
//!
//! A stage is a list of pairs of games that can all be played at once. What the next one is follows from the results alone, so a
//! tournament that was cut off finds its way again through what is recorded.

use crate::plan::Format;
use std::collections::HashSet;

/// A pair to be played: who meets, and in which round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// The smaller number of the two.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The round: all who meet in one begin from the same opening.
    pub round: u64,
}

/// Half points of a pair: two games, two each.
const WHOLE: u32 = 4;

/// The stages of a tournament.
pub(crate) enum StageSchedule {
    Swiss(Swiss),
    Knockout(Knockout),
}

impl StageSchedule {
    /// Of a format that has stages; none for those where it is clear from the beginning who meets.
    pub fn new(format: Format, players: usize, rounds: u64) -> Option<StageSchedule> {
        match format {
            Format::RoundRobin | Format::Gauntlet => None,
            Format::Swiss => Some(StageSchedule::Swiss(Swiss::new(players, rounds))),
            Format::Knockout => Some(StageSchedule::Knockout(Knockout::new(players, rounds))),
        }
    }

    /// The next stage, after what came out of the last one: the half points of each `first`, 0 to 4. Nothing at the end.
    pub fn next(&mut self, results: &[usize]) -> Vec<Drawn> {
        match self {
            StageSchedule::Swiss(swiss) => swiss.next(results),
            StageSchedule::Knockout(knockout) => knockout.next(results),
        }
    }

    /// Who has won a knockout.
    pub fn champion(&self) -> Option<usize> {
        match self {
            StageSchedule::Swiss(_) => None,
            StageSchedule::Knockout(knockout) => knockout.champion(),
        }
    }
}

/// In every round those meet who have done equally well and have not met before.
pub(crate) struct Swiss {
    rounds: u64,
    round: u64,
    points: Vec<u32>,
    met: HashSet<(usize, usize)>,
    /// Who has sat out a round.
    rested: Vec<bool>,
    stage: Vec<Drawn>,
}

impl Swiss {
    fn new(players: usize, rounds: u64) -> Self {
        Swiss {
            rounds,
            round: 0,
            points: vec![0; players],
            met: HashSet::new(),
            rested: vec![false; players],
            stage: Vec::new(),
        }
    }

    fn next(&mut self, results: &[usize]) -> Vec<Drawn> {
        for (drawn, &half_points) in self.stage.iter().zip(results) {
            self.points[drawn.first] += half_points as u32;
            self.points[drawn.second] += WHOLE - half_points as u32;
        }
        if self.round == self.rounds {
            self.stage.clear();
            return Vec::new();
        }
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by_key(|&player| (u32::MAX - self.points[player], player));
        if order.len() % 2 == 1 {
            // The last who has not rested yet rests, and gets what a won pair is worth.
            let at = order
                .iter()
                .rposition(|&player| !self.rested[player])
                .unwrap_or(order.len() - 1);
            let resting = order.remove(at);
            self.rested[resting] = true;
            self.points[resting] += WHOLE;
        }
        let pairs = paired(&order, &self.met);
        self.stage = pairs
            .into_iter()
            .map(|(a, b)| Drawn {
                first: a.min(b),
                second: a.max(b),
                round: self.round,
            })
            .collect();
        self.met
            .extend(self.stage.iter().map(|drawn| (drawn.first, drawn.second)));
        self.round += 1;
        self.stage.clone()
    }
}

/// Pairs those who stand next to each other, nobody twice with the same opponent. If that cannot be, or takes too long to find,
/// some meet again.
fn paired(order: &[usize], met: &HashSet<(usize, usize)>) -> Vec<(usize, usize)> {
    const STEPS: u32 = 100_000;
    fn place(left: &[usize], met: &HashSet<(usize, usize)>, steps: &mut u32, into: &mut Vec<(usize, usize)>) -> bool {
        let Some((&first, others)) = left.split_first() else {
            return true;
        };
        for (at, &other) in others.iter().enumerate() {
            if met.contains(&(first.min(other), first.max(other))) {
                continue;
            }
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            let mut rest = others.to_vec();
            rest.remove(at);
            into.push((first, other));
            if place(&rest, met, steps, into) {
                return true;
            }
            into.pop();
        }
        false
    }
    let (mut pairs, mut steps) = (Vec::new(), STEPS);
    if !place(order, met, &mut steps, &mut pairs) {
        pairs = order.chunks_exact(2).map(|two| (two[0], two[1])).collect();
    }
    pairs
}

/// Who loses is out. The first players of the list are set so that they meet as late as possible.
pub(crate) struct Knockout {
    /// How many pairs decide who goes on.
    pairs: u64,
    round: u64,
    /// Who is still in, in the order of the bracket; nobody where there were too few players.
    bracket: Vec<Option<usize>>,
    ties: Vec<Tie>,
    stage: Vec<Drawn>,
}

/// Two of whom one goes on.
struct Tie {
    first: usize,
    second: usize,
    /// Half points of the first above half.
    balance: i64,
    played: u64,
}

/// So many pairs more are played where two are level; then the one who was set higher goes on.
const MORE: u64 = 4;

impl Knockout {
    fn new(players: usize, pairs: u64) -> Self {
        // The bracket doubles: beside each the one who completes the sum.
        let mut seeds = vec![0];
        while seeds.len() < players {
            let sum = 2 * seeds.len() - 1;
            seeds = seeds.iter().flat_map(|&seed| [seed, sum - seed]).collect();
        }
        Knockout {
            pairs,
            round: 0,
            bracket: seeds.into_iter().map(|seed| (seed < players).then_some(seed)).collect(),
            ties: Vec::new(),
            stage: Vec::new(),
        }
    }

    fn champion(&self) -> Option<usize> {
        match self.bracket[..] {
            [winner] => winner,
            _ => None,
        }
    }

    fn next(&mut self, results: &[usize]) -> Vec<Drawn> {
        for (drawn, &half_points) in self.stage.iter().zip(results) {
            let of_these = |tie: &&mut Tie| (tie.first, tie.second) == (drawn.first, drawn.second);
            if let Some(tie) = self.ties.iter_mut().find(of_these) {
                tie.balance += half_points as i64 - i64::from(WHOLE / 2);
                tie.played += 1;
            }
        }
        let level = |tie: &&Tie| tie.balance == 0 && tie.played < self.pairs + MORE;
        let mut again: Vec<Drawn> = self.ties.iter().filter(level).map(|tie| self.drawn(tie, 0)).collect();
        if again.is_empty() {
            self.advance();
            let ties = &self.ties;
            again = (0..self.pairs)
                .flat_map(|more| ties.iter().map(move |tie| (tie, more)))
                .map(|(tie, more)| self.drawn(tie, more))
                .collect();
        }
        self.round = again.last().map_or(self.round, |drawn| drawn.round + 1);
        self.stage.clone_from(&again);
        again
    }

    fn drawn(&self, tie: &Tie, more: u64) -> Drawn {
        Drawn {
            first: tie.first,
            second: tie.second,
            round: self.round + more,
        }
    }

    /// Lets the winners go on, until there is somebody to play or one is left.
    fn advance(&mut self) {
        if !self.ties.is_empty() {
            let mut ties = self
                .ties
                .drain(..)
                .map(|tie| if tie.balance < 0 { tie.second } else { tie.first });
            self.bracket = self
                .bracket
                .chunks(2)
                .map(|two| match two {
                    [Some(_), Some(_)] => ties.next(),
                    two => two.iter().find_map(|&player| player),
                })
                .collect();
        }
        while self.bracket.len() > 1 {
            self.ties = self
                .bracket
                .chunks(2)
                .filter_map(|two| match two {
                    [Some(one), Some(other)] => Some(Tie {
                        first: *one.min(other),
                        second: *one.max(other),
                        balance: 0,
                        played: 0,
                    }),
                    _ => None,
                })
                .collect();
            if !self.ties.is_empty() {
                return;
            }
            self.bracket = self
                .bracket
                .chunks(2)
                .map(|two| two.iter().find_map(|&player| player))
                .collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a schedule where the player with the smaller number always wins both games, or the larger if `upset`.
    fn stages(schedule: &mut StageSchedule, upset: bool) -> Vec<Vec<Drawn>> {
        let (mut all, mut results) = (Vec::new(), Vec::new());
        for _ in 0..100 {
            let stage = schedule.next(&results);
            if stage.is_empty() {
                return all;
            }
            results = vec![if upset { 0 } else { WHOLE as usize }; stage.len()];
            all.push(stage);
        }
        panic!("no end");
    }

    #[test]
    fn a_swiss_tournament_pairs_equals_and_nobody_twice() {
        for players in [2, 5, 8, 13, 16] {
            let rounds = u64::from(usize::BITS - (players - 1usize).leading_zeros());
            let mut schedule = StageSchedule::new(Format::Swiss, players, rounds).unwrap();
            let all = stages(&mut schedule, false);
            assert_eq!(all.len() as u64, rounds);
            let mut met = HashSet::new();
            for stage in &all {
                assert_eq!(stage.len(), players / 2);
                let mut seen = HashSet::new();
                for drawn in stage {
                    assert!(
                        drawn.first < drawn.second && met.insert((drawn.first, drawn.second)),
                        "{players}: {all:?}"
                    );
                    assert!(
                        seen.insert(drawn.first) && seen.insert(drawn.second),
                        "{players}: {all:?}"
                    );
                }
            }
        }
        // Of eight, after two rounds the two who won everything meet.
        let all = stages(&mut StageSchedule::new(Format::Swiss, 8, 3).unwrap(), false);
        assert!(
            all[2].contains(&Drawn {
                first: 0,
                second: 2,
                round: 2
            }) || all[2][0].first == 0,
            "{all:?}"
        );
    }

    #[test]
    fn more_rounds_than_opponents_let_some_meet_again() {
        let all = stages(&mut StageSchedule::new(Format::Swiss, 4, 5).unwrap(), false);
        assert!(all.len() == 5 && all.iter().all(|stage| stage.len() == 2), "{all:?}");
    }

    #[test]
    fn nobody_rests_twice_while_others_have_not() {
        let all = stages(&mut StageSchedule::new(Format::Swiss, 5, 5).unwrap(), false);
        let mut played = [0; 5];
        for drawn in all.iter().flatten() {
            played[drawn.first] += 1;
            played[drawn.second] += 1;
        }
        assert_eq!(played, [4; 5], "{all:?}");
    }

    #[test]
    fn in_a_knockout_the_first_two_meet_last_and_the_better_one_wins() {
        for players in [2, 3, 6, 8, 11] {
            for upset in [false, true] {
                let mut schedule = StageSchedule::new(Format::Knockout, players, 1).unwrap();
                let all = stages(&mut schedule, upset);
                let pairs: usize = all.iter().map(Vec::len).sum();
                assert_eq!(pairs, players - 1, "everybody but one loses once: {all:?}");
                if !upset {
                    assert_eq!(schedule.champion(), Some(0));
                    let last = all.last().unwrap();
                    assert_eq!((last[0].first, last[0].second), (0, 1), "{all:?}");
                }
            }
        }
    }

    #[test]
    fn who_are_level_play_on_and_then_the_higher_set_goes_on() {
        let mut schedule = StageSchedule::new(Format::Knockout, 2, 2).unwrap();
        let first = schedule.next(&[]);
        assert_eq!(first.iter().map(|drawn| drawn.round).collect::<Vec<_>>(), [0, 1]);
        // 3 and 1 of 4 are level together.
        assert_eq!(schedule.next(&[3, 1]).len(), 1);
        assert_eq!(schedule.next(&[1]), [], "the second was better once");
        assert_eq!(schedule.champion(), Some(1));
        let mut schedule = StageSchedule::new(Format::Knockout, 2, 1).unwrap();
        let mut stages = 0;
        while !schedule.next(&[2]).is_empty() {
            stages += 1;
        }
        assert_eq!((stages, schedule.champion()), (1 + MORE, Some(0)));
    }
}
