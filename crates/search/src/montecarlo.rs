//! Flat Monte Carlo: play many games after every move, choose the move that won most.

use crate::meter::Meter;
use crate::{Limits, Policy};
use game::{Game, Payoff, below, mix, rng};
use player::{Analysis, Cadence, Score};
use rayon::prelude::*;
use std::time::Duration;

/// Plays games after every move and counts.
#[derive(Clone, Copy, Debug)]
pub struct MonteCarlo<P> {
    /// How the games are played out.
    pub policy: P,
    /// Games for each move.
    pub playouts: u32,
    /// Whether to use all threads of the current rayon pool. Leave it off where games are already played in parallel:
    /// a thread that waits for its share would take up another game meanwhile, and its clock would run on.
    pub parallel: bool,
}

/// The results of the playouts of one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PlayoutCount {
    games: u64,
    wins: u64,
    points: u64,
}

impl PlayoutCount {
    fn plus(self, other: PlayoutCount) -> PlayoutCount {
        PlayoutCount {
            games: self.games + other.games,
            wins: self.wins + other.wins,
            points: self.points + other.points,
        }
    }

    /// Whether this move won more often, or as often and lost less. Compares shares, as a clock may have stopped one
    /// move's games before the other's; a move without games is the worst.
    fn beats(&self, other: &PlayoutCount) -> bool {
        let share = |part: u64, whole: u64| u128::from(part) * u128::from(whole);
        let wins = (share(self.wins, other.games), share(other.wins, self.games));
        let points = (share(self.points, other.games), share(other.points, self.games));
        match (self.games, other.games) {
            (0, _) => false,
            (_, 0) => true,
            _ => wins.0 > wins.1 || (wins.0 == wins.1 && points.0 > points.1),
        }
    }
}

/// Games of one move that are played with one generator. Small enough to spread over threads, and never split: so the
/// sums do not depend on the threads.
const BATCH: u32 = 64;

impl<P> MonteCarlo<P> {
    /// The move that leads to the most wins for the mover; of equals the one with more draws, then any, by the seed.
    /// The same seed gives the same answer on any number of threads, unless the clock cuts it short. `None` only if the game
    /// is over.
    pub fn search<G: Game>(&self, position: &G, limits: &Limits, seed: u64) -> Option<Analysis<G::Move>>
    where
        P: Policy<G>,
    {
        self.search_observed(position, limits, seed, None)
    }

    /// The same, telling an observer, if there is one, now and then how the moves have done so far.
    pub fn search_observed<G: Game>(
        &self,
        position: &G,
        limits: &Limits,
        seed: u64,
        observer: Option<&dyn Fn(Analysis<G::Move>)>,
    ) -> Option<Analysis<G::Move>>
    where
        P: Policy<G>,
    {
        let meter = Meter::start(limits);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let so_far = |counts: &[PlayoutCount]| {
            let best = best(counts, seed)?;
            let value = match counts[best] {
                PlayoutCount { games: 0, .. } => f64::from(Payoff::DRAW.points()),
                count => count.points as f64 / count.games as f64,
            };
            Some(Analysis {
                value: Some(value),
                score: Some(Score::of_payoff(value)),
                depth: Some(1),
                nodes: Some(counts.iter().map(|count| count.games).sum()),
                time: meter.elapsed(),
                pv: vec![moves[best]],
                ..Analysis::of_move(moves[best])
            })
        };
        let mut cadence = Cadence::new();
        let counts = self.play(position, &moves, limits, seed, &meter, &mut |counts| {
            if let Some(observer) = observer
                && cadence.is_due()
                && let Some(analysis) = so_far(counts)
            {
                observer(analysis);
            }
        });
        so_far(&counts)
    }

    /// Every move's games, in rounds of one batch a move so that all moves get the same share when the clock stops it.
    fn play<G: Game>(
        &self,
        position: &G,
        moves: &[G::Move],
        limits: &Limits,
        seed: u64,
        meter: &Meter,
        round_played: &mut dyn FnMut(&[PlayoutCount]),
    ) -> Vec<PlayoutCount>
    where
        P: Policy<G>,
    {
        let mut counts = vec![PlayoutCount::default(); moves.len()];
        let rounds = self.playouts.div_ceil(BATCH);
        // Without limits there is nothing to look at between rounds: one parallel sweep over all of them.
        let at_once = if limits.time.is_none() && limits.nodes.is_none() && !limits.stop.can_be_raised() {
            rounds.max(1)
        } else {
            1
        };
        let mut round = 0;
        let mut left = limits.nodes.unwrap_or(u64::MAX);
        while round < rounds && left > 0 {
            let remaining = limits.time.map(|time| time.saturating_sub(meter.elapsed()));
            if remaining == Some(Duration::ZERO) || limits.stop.is_raised() {
                break;
            }
            let share = left / moves.len().max(1) as u64;
            let extra = left % moves.len().max(1) as u64;
            let tasks = moves.len() * at_once as usize;
            let run = |task: usize| {
                let (index, number) = (task / at_once as usize, round + (task % at_once as usize) as u32);
                let games = BATCH.min(self.playouts - number * BATCH);
                let limits = Limits {
                    time: limits.time.map(|time| time.saturating_sub(meter.elapsed())),
                    nodes: Some(u64::from(games).min(share + u64::from((index as u64) < extra))),
                    depth: None,
                    stop: limits.stop.clone(),
                };
                self.batch(
                    position,
                    moves[index],
                    &limits,
                    mix(seed, &[index as u64, u64::from(number)]),
                )
            };
            let sums: Vec<PlayoutCount> = match self.parallel {
                true => (0..tasks).into_par_iter().map(run).collect(),
                false => (0..tasks).map(run).collect(),
            };
            for (task, sum) in sums.into_iter().enumerate() {
                let index = task / at_once as usize;
                counts[index] = counts[index].plus(sum);
                left -= sum.games.min(left);
            }
            round += at_once;
            round_played(&counts);
        }
        counts
    }

    /// One batch of games after `mv`, from the point of view of the player who made that move.
    fn batch<G: Game>(&self, position: &G, mv: G::Move, limits: &Limits, seed: u64) -> PlayoutCount
    where
        P: Policy<G>,
    {
        let mut meter = Meter::start(limits);
        let mut generator = rng(seed);
        let mut buffer = Vec::new();
        let mut next = position.clone();
        next.play_unchecked(mv);
        let mut count = PlayoutCount::default();
        while !meter.tick() {
            let payoff = self
                .policy
                .playout(&next, &mut buffer, &mut generator)
                .of(position.mover());
            count.games += 1;
            count.wins += u64::from(payoff == Payoff::WIN);
            count.points += u64::from(payoff.points());
        }
        count
    }
}

/// The move that has done best; of equals any, by the seed.
fn best(counts: &[PlayoutCount], seed: u64) -> Option<usize> {
    let mut best: Option<usize> = None;
    let mut generator = rng(mix(seed, &[u64::MAX]));
    let mut equals = 0;
    for (i, count) in counts.iter().enumerate() {
        match best {
            Some(champion) if counts[champion].beats(count) => {}
            Some(champion) if !count.beats(&counts[champion]) => {
                equals += 1;
                if below(&mut generator, equals) == 0 {
                    best = Some(i);
                }
            }
            _ => {
                best = Some(i);
                equals = 1;
            }
        }
    }
    best
}
