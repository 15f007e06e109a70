//! Random games: how many are wanted, and what came out.

use game::Instant;

/// How many random games are wanted.
#[derive(Clone, Copy, Debug)]
pub enum PlayoutLimit {
    /// Exactly so many.
    Games(u64),
    /// As many as end before this moment; none of a game without end.
    Until(Instant),
}

impl PlayoutLimit {
    /// Whether to start another game after `started` ones.
    pub(crate) fn wants_more(self, started: u64) -> bool {
        match self {
            PlayoutLimit::Games(games) => started < games,
            PlayoutLimit::Until(_) => !self.is_late(),
        }
    }

    /// Whether games that are not over by now are not wanted any more.
    #[inline]
    pub(crate) fn is_late(self) -> bool {
        matches!(self, PlayoutLimit::Until(end) if Instant::now() >= end)
    }
}

/// What came out of random games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playouts {
    /// How many games were played to the end.
    pub games: u64,
    /// How many joint moves were played, those of games that were left off when the time was up among them.
    pub steps: u64,
    /// For each role, how often it got 0, 1, … 100.
    pub goals: Vec<[u64; 101]>,
}

impl Playouts {
    pub(crate) fn new(roles: usize) -> Self {
        Playouts {
            games: 0,
            steps: 0,
            goals: vec![[0; 101]; roles],
        }
    }

    pub(crate) fn add(&mut self, steps: u64, goals: &[u8]) {
        self.games += 1;
        self.steps += steps;
        for (counts, &points) in self.goals.iter_mut().zip(goals) {
            counts[usize::from(points.min(100))] += 1;
        }
    }

    /// What role number `role` got on average.
    pub fn mean(&self, role: usize) -> f64 {
        let sum: u64 = self.goals[role]
            .iter()
            .zip(0..)
            .map(|(&count, points)| count * points)
            .sum();
        sum as f64 / self.games.max(1) as f64
    }
}

/// The results of random games from several positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    roles: usize,
    games: Vec<u64>,
    points: Vec<u64>,
}

impl Samples {
    pub(crate) fn new(roles: usize, positions: usize) -> Self {
        Samples {
            roles,
            games: vec![0; positions],
            points: vec![0; positions * roles],
        }
    }

    pub(crate) fn count(&mut self, position: usize) {
        self.games[position] += 1;
    }

    pub(crate) fn add(&mut self, position: usize, role: usize, points: u64) {
        self.points[position * self.roles + role] += points;
    }

    /// How many games from position number `position` were played to the end.
    pub fn games(&self, position: usize) -> u64 {
        self.games[position]
    }

    /// What role number `role` got from there on average, if any game was played to the end.
    pub fn mean(&self, position: usize, role: usize) -> Option<f64> {
        let games = self.games[position];
        (games > 0).then(|| self.points[position * self.roles + role] as f64 / games as f64)
    }
}
