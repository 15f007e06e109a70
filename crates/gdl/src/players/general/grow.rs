//! Growing the tree: hundreds of walks at once, on as many threads as there are.
//!
//! A walk goes down to a leaf, or to a move that was not tried before, and a random game goes on from there in a lane of
//! the compiled machine. The first position of that game becomes a node; when the game is over, its result is added up
//! along the walk, and the next walk takes the lane. A machine without lanes plays the games one by one.

use super::mast::{Mast, walk_singly};
use super::tree::{GrowthSettings, SeatValues, Tree, Way, finished};
use crate::walk::{Habits, WalkStart, Walker};
use crate::{Deadline, Machine, Move};
use game::{Until, mix, rng};
use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How random games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judging {
    /// Hundreds at once.
    Lanes,
    /// One by one.
    Singly,
}

/// What the walkers share.
#[derive(Debug)]
pub struct Grower {
    /// The tree.
    pub tree: Mutex<Tree>,
    /// What moves came to.
    mast: Mutex<Mast>,
    /// Of so many moves that are drawn random games make the best.
    draws: u32,
    /// Whether random games see one move ahead.
    pub looks_ahead: AtomicBool,
    /// The best game played out so far, from the root, for whoever plays alone.
    pub best: Mutex<Option<(f32, Vec<Move>)>>,
    /// How random games are played.
    pub judging: Judging,
}

/// When to stop.
#[derive(Debug)]
pub struct GrowthLimit {
    /// The moment, or somebody's sign.
    pub until: Until,
    /// Walks left.
    pub walks: AtomicU64,
    /// The most walks that a thread has under way at once.
    pub at_once: usize,
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
    /// So many walks, if they are counted. Few of few are under way at once: what is under way counts as lost, and a tree of which half
    /// is under way knows nothing.
    pub fn new(until: Until, walks: Option<u64>) -> Self {
        GrowthLimit {
            until,
            walks: AtomicU64::new(walks.unwrap_or(u64::MAX)),
            at_once: walks.map_or(usize::MAX, |walks| (walks / 256).clamp(16, 256) as usize),
            done: AtomicBool::new(false),
        }
    }

    /// Whether walks are counted.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "all walks have one width there")
    )]
    fn is_counted(&self) -> bool {
        self.at_once < usize::MAX
    }

    /// Whether another walk may begin.
    fn another(&self) -> bool {
        let left = |walks: u64| walks.checked_sub(1);
        !self.is_done()
            && self
                .walks
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left)
                .is_ok()
    }

    fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }
}

impl Grower {
    /// A new tree.
    pub fn new(judging: Judging, settings: GrowthSettings) -> Self {
        Grower {
            tree: Mutex::new(Tree::new(settings)),
            mast: Mutex::default(),
            draws: settings.draws,
            looks_ahead: AtomicBool::new(settings.looks_ahead),
            best: Mutex::default(),
            judging,
        }
    }

    /// Grows until it is time to stop or the root is proved. Call it on as many threads as there are.
    pub fn grow(&self, machine: &Machine, stop: &GrowthLimit, seed: u64) -> WalkCount {
        let mut rng = rng(mix(seed, &[1]));
        let mut walks = Walks {
            grower: self,
            stop,
            mast: lock(&self.mast).clone(),
            alone: machine.role_count() == 1,
            under_way: Vec::new(),
            out_of_walks: false,
            effort: WalkCount::default(),
        };
        let bound = Deadline::current();
        while !walks.out_of_walks && !walks.is_done() && !stop.until.is_over() && !bound.is_over() {
            match self.judging {
                Judging::Lanes => machine.walk(&mut walks, &stop.until, &mut rng),
                Judging::Singly => walk_singly(machine, &mut walks, &stop.until, &mut rng),
            }
            walks.give_up();
        }
        // What this thread has learnt is as good as what another has.
        *lock(&self.mast) = walks.mast;
        walks.effort
    }
}

/// The walks of one thread.
struct Walks<'a> {
    grower: &'a Grower,
    stop: &'a GrowthLimit,
    mast: Mast,
    alone: bool,
    /// By place; whether somebody is on the way.
    under_way: Vec<(Way, bool)>,
    out_of_walks: bool,
    effort: WalkCount,
}

/// So many walks in a row may end where everything is known before a random game is asked for again.
const PATIENCE: u32 = 64;

impl Walker for Walks<'_> {
    fn send(&mut self, place: usize, start: &mut WalkStart) -> bool {
        if place >= self.under_way.len() {
            self.under_way.resize_with(place + 1, Default::default);
        }
        if place >= self.stop.at_once {
            return false;
        }
        let (way, sent) = &mut self.under_way[place];
        let mut tree = lock(&self.grower.tree);
        for _ in 0..PATIENCE {
            if tree.is_proved() {
                self.stop.done.store(true, Ordering::Relaxed);
                return false;
            }
            if !self.stop.another() {
                self.out_of_walks = true;
                return false;
            }
            let known = tree.descend(way, start);
            self.effort.walks += 1;
            self.effort.deepest = self.effort.deepest.max(way.len());
            match known {
                Some(worth) => tree.back_up(way, worth),
                None => {
                    *sent = true;
                    return true;
                }
            }
        }
        false
    }

    fn arrived(&mut self, place: usize, state: &[u32], over: bool, winner: Option<usize>) {
        lock(&self.grower.tree).arrive(&mut self.under_way[place].0, state, over, winner);
    }

    fn opened(&mut self, place: usize, legal: &[Vec<u32>]) {
        lock(&self.grower.tree).opened(&self.under_way[place].0, legal, &self.mast);
    }

    fn ended(&mut self, place: usize, goals: &[u8], played: &[(u8, u32)]) {
        let worth = finished(goals);
        self.mast.learn(&worth, played);
        let (way, sent) = &mut self.under_way[place];
        *sent = false;
        let mut tree = lock(&self.grower.tree);
        if self.alone {
            remember(&self.grower.best, &tree, way, &worth, played);
        }
        tree.back_up(way, worth);
    }

    fn looks_ahead(&self) -> bool {
        self.grower.looks_ahead.load(Ordering::Relaxed)
    }

    fn sees_nothing_ahead(&self) {
        self.grower.looks_ahead.store(false, Ordering::Relaxed);
    }

    fn habits(&self) -> Habits<'_> {
        Habits {
            means: self.mast.means(),
            draws: self.grower.draws,
        }
    }

    fn is_counted(&self) -> bool {
        self.stop.is_counted()
    }

    fn is_done(&self) -> bool {
        self.stop.is_done()
    }
}

impl Walks<'_> {
    /// Takes back what was under way.
    fn give_up(&mut self) {
        let mut tree = lock(&self.grower.tree);
        for (way, sent) in &mut self.under_way {
            if std::mem::take(sent) {
                tree.give_up(way);
            }
        }
    }
}

/// Keeps the best game of whoever plays alone.
fn remember(best: &Mutex<Option<(f32, Vec<Move>)>>, tree: &Tree, way: &Way, worth: &SeatValues, played: &[(u8, u32)]) {
    let mut best = lock(best);
    if best.as_ref().is_none_or(|(most, _)| worth[0] > *most) {
        let moves = tree.moves_along(way).chain(played.iter().map(|&(_, mv)| mv));
        *best = Some((worth[0], moves.map(Move).collect()));
    }
}
