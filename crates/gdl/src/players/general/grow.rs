//! Growing the tree: walk down, find out about the leaf, add it up; on as many threads as there are.
//!
//! A leaf gets all its children at once, and a batch of random games is played from them side by side, so that every
//! child has a worth before it is first visited. A machine that cannot do that plays one game from the leaf instead,
//! choosing by MAST, and children are made when they are first visited.

use super::mast::{self, Mast, Playout};
use super::tree::{Expansion, GrowthSettings, Joint, SeatValues, Tree, Way, after, finished};
use crate::{Move, Position, State};
use game::{Game, Rng, Until, below, mix, rng};
use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The most joint choices that are looked at when a leaf grows.
const MOST_CHILDREN: usize = 256;

/// How leaves are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judging {
    /// By batches of so many random games from all children together, at least one from each.
    Batches(usize),
    /// By one game at a time, played by MAST.
    Mast,
}

/// What the walkers share.
#[derive(Debug)]
pub struct Grower {
    /// The tree.
    pub tree: Mutex<Tree>,
    /// What moves came to, for [`Judging::Mast`].
    pub mast: Mutex<Mast>,
    /// The best game played out so far, from the root, for whoever plays alone.
    pub best: Mutex<Option<(f32, Vec<Move>)>>,
    /// How leaves are judged.
    pub judging: Judging,
}

/// When to stop.
#[derive(Debug)]
pub struct GrowthLimit {
    /// The moment, or somebody's sign.
    pub until: Until,
    /// Walks left.
    pub walks: AtomicU64,
    /// Set by whoever knows that no more is needed.
    pub done: AtomicBool,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct WalkCount {
    /// Walks.
    pub walks: u64,
    /// The longest of them.
    pub deepest: u32,
}

pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

impl GrowthLimit {
    /// Takes a walk, if there is one left and time for it.
    fn another(&self, walk: Duration) -> bool {
        let deadline = self.until.deadline;
        let late = deadline.is_some_and(|deadline| Instant::now() + walk >= deadline) || self.until.stop.is_raised();
        let left = |walks: u64| walks.checked_sub(1);
        !self.done.load(Ordering::Relaxed)
            && !late
            && self
                .walks
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left)
                .is_ok()
    }
}

impl Grower {
    /// A new tree.
    pub fn new(judging: Judging, settings: GrowthSettings) -> Self {
        Grower {
            tree: Mutex::new(Tree::new(settings)),
            mast: Mutex::default(),
            best: Mutex::default(),
            judging,
        }
    }

    /// Grows until it is time to stop or the root is proved. Call it on as many threads as there are.
    pub fn grow(&self, stop: &GrowthLimit, seed: u64) -> WalkCount {
        let mut effort = WalkCount::default();
        let mut rng = rng(mix(seed, &[1]));
        // What a walk takes, the slowest remembered longest.
        let mut takes = Duration::ZERO;
        while stop.another(takes) {
            let began = Instant::now();
            let (position, way) = {
                let mut tree = lock(&self.tree);
                if tree.is_proved() {
                    stop.done.store(true, Ordering::Relaxed);
                    break;
                }
                tree.descend()
            };
            let found = match (&way.known, self.judging) {
                (Some(_), _) => None,
                (None, Judging::Batches(games)) if way.grows => batch(&position, games, &stop.until, &mut rng),
                (None, Judging::Batches(games)) => leaf_only(&position, games, &stop.until, &mut rng),
                (None, Judging::Mast) => self.play(&position, &way, &stop.until, &mut rng),
            };
            effort.deepest = effort.deepest.max(way.len());
            effort.walks += 1;
            lock(&self.tree).back_up(&way, found);
            takes = began.elapsed().max(takes.mul_f64(0.95));
        }
        effort
    }

    /// One game by MAST.
    fn play(&self, position: &Position, way: &Way, until: &Until, rng: &mut Rng) -> Option<Expansion> {
        let playout = mast::play(&self.mast, position, until, rng)?;
        let mut mast = lock(&self.mast);
        mast.learn(&playout);
        let promise = |seat: game::Seat| {
            let legal = &position.view().legal[seat.index()];
            let mean = |&mv| mast.mean(mv).unwrap_or(playout.worth[seat.index()]);
            legal.iter().map(mean).collect()
        };
        let promise = position.asked().map(promise).collect();
        drop(mast);
        if position.seats() == 1 {
            self.remember(way, &playout);
        }
        Some(Expansion {
            children: Vec::new(),
            promise,
            worth: Some(playout.worth),
        })
    }

    /// Keeps the best game of whoever plays alone.
    fn remember(&self, way: &Way, playout: &Playout) {
        let mut best = lock(&self.best);
        if best.as_ref().is_none_or(|(worth, _)| playout.worth[0] > *worth) {
            let tree = lock(&self.tree);
            let moves = tree.moves_along(way).chain(playout.chosen.iter().map(|&(_, mv)| mv));
            *best = Some((playout.worth[0], moves.collect()));
        }
    }
}

/// A batch of random games from a leaf that stays one, or that somebody else gives its children.
fn leaf_only(position: &Position, games: usize, until: &Until, rng: &mut Rng) -> Option<Expansion> {
    let samples = position
        .machine()
        .sample(&[position.state()], games as u64, until, rng)
        .ok()?;
    let worth = (0..position.seats())
        .map(|seat| samples.mean(0, seat).map(share))
        .collect::<Option<SeatValues>>();
    Some(Expansion {
        worth: Some(worth?),
        ..Expansion::default()
    })
}

fn share(points: f64) -> f32 {
    (points / 100.0) as f32
}

/// All children of a leaf, or some of very many, and a batch of random games from them.
fn batch(position: &Position, games: usize, until: &Until, rng: &mut Rng) -> Option<Expansion> {
    let joints = joints(position, rng);
    let mut children: Vec<(Joint, Position, SeatValues)> = Vec::with_capacity(joints.len());
    for joint in joints {
        if until.is_over() {
            return None;
        }
        let next = after(position, &joint);
        let worth = next.outcome().map(|payoffs| finished(&payoffs)).unwrap_or_default();
        children.push((joint, next, worth));
    }
    let open: Vec<usize> = (0..children.len()).filter(|&at| children[at].2.is_empty()).collect();
    if open.is_empty() {
        return Some(Expansion {
            children,
            ..Expansion::default()
        });
    }
    // A win that is there needs no games to be seen.
    if let Some(mover) = only(position.asked().map(|seat| seat.index()))
        && children.iter().any(|child| child.2.get(mover) == Some(&1.0))
    {
        children.retain(|child| !child.2.is_empty());
        return Some(Expansion {
            children,
            ..Expansion::default()
        });
    }
    let states: Vec<&State> = open.iter().map(|&at| children[at].1.state()).collect();
    let each = (games / states.len()).max(1) as u64;
    let samples = position.machine().sample(&states, each, until, rng).ok()?;
    let worths: Option<Vec<SeatValues>> = (0..open.len())
        .map(|at| {
            let seats = 0..position.seats();
            seats.map(|seat| samples.mean(at, seat).map(share)).collect()
        })
        .collect();
    for (at, worth) in open.into_iter().zip(worths?) {
        children[at].2 = worth;
    }
    Some(Expansion {
        children,
        ..Expansion::default()
    })
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// All joint choices, or if they are very many a random selection in which every choice of everybody occurs.
fn joints(position: &Position, rng: &mut Rng) -> Vec<Joint> {
    let counts: Vec<usize> = position
        .asked()
        .map(|seat| position.view().legal[seat.index()].len())
        .collect();
    let all = counts.iter().try_fold(1usize, |all, &count| all.checked_mul(count));
    if let Some(all) = all.filter(|&all| counts.len() == 1 || all <= MOST_CHILDREN) {
        let joint = |mut number: usize| {
            let digit = |&count: &usize| {
                let digit = number % count;
                number /= count;
                digit as u16
            };
            counts.iter().map(digit).collect()
        };
        return (0..all).map(joint).collect();
    }
    let most = counts.iter().copied().max().unwrap_or(1).max(MOST_CHILDREN);
    let mut joints: Vec<Joint> = (0..most)
        .map(|number| {
            let choice = |&count: &usize| match number < count {
                true => number as u16,
                false => below(rng, count as u32) as u16,
            };
            counts.iter().map(choice).collect()
        })
        .collect();
    joints.sort_unstable();
    joints.dedup();
    joints
}
