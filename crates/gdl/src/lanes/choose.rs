//! Random moves for many games at once.
//!
//! The legal moves stand in planes, a move a plane; choosing wants them game by game. Squares of 64 moves by 64 games
//! are transposed, so that each game's legal moves are the bits of a few words; a random one of those bits is the move.
//! Whoever can only wait is served before, in all games at once.

use super::planes::{Plane, literal};
use super::schedule::Schedule;
use super::transpose::transpose;
use crate::net::gates::Lit;
use game::{Rng, below};

/// No move.
const NONE: u32 = u32::MAX;

/// What was chosen.
#[derive(Clone, Debug)]
pub struct Chosen<const W: usize> {
    /// For each role and game, the input, where it was chosen game by game.
    inputs: Vec<[[u32; 64]; W]>,
    /// For each move that is often the only one: the games in which it was.
    forced: Vec<Plane<W>>,
    /// For one role: each game's legal moves, 64 a word; games of one word together.
    masks: Vec<[u64; 64]>,
}

impl<const W: usize> Chosen<W> {
    /// Nothing chosen yet.
    pub fn new(schedule: &Schedule) -> Self {
        let widest = schedule.legal.iter().map(|legal| legal.len().div_ceil(64)).max().unwrap_or(0);
        Chosen {
            inputs: vec![[[NONE; 64]; W]; schedule.legal.len()],
            forced: vec![[0; W]; schedule.idle.iter().map(Vec::len).sum()],
            masks: vec![[0; 64]; widest],
        }
    }

    /// Takes back the last choices and chooses for every game in `running`. The games in which a role has no move.
    #[inline(always)]
    pub fn choose(
        &mut self,
        schedule: &Schedule,
        planes: &mut [Plane<W>],
        running: &Plane<W>,
        rng: &mut Rng,
        select: impl Fn(u64, u32) -> u32 + Copy,
    ) -> Plane<W> {
        // Everything is taken back before anything is set: roles share disjunctions.
        self.take_back(schedule, planes);
        let mut stuck = [0; W];
        let mut first = 0;
        let mut forced = &mut self.forced[..];
        for (role, legal) in schedule.legal.iter().enumerate() {
            let idle = &schedule.idle[role];
            let (own, others) = forced.split_at_mut(idle.len());
            forced = others;
            let open = self_evident(schedule, planes, running, first, legal, idle, own);
            for word in 0..W {
                if open[word] != 0 {
                    gather(legal, planes, open[word], &mut self.masks, word);
                    let masks = &self.masks[..legal.len().div_ceil(64)];
                    let chosen = &mut self.inputs[role][word];
                    stuck[word] |= pick(schedule, planes, open[word], masks, first, chosen, word, rng, select);
                }
            }
            first += legal.len();
        }
        stuck
    }

    /// Clears what the last choices set.
    #[inline(always)]
    fn take_back(&mut self, schedule: &Schedule, planes: &mut [Plane<W>]) {
        let mut first = 0;
        let mut forced = self.forced.iter();
        for (role, legal) in schedule.legal.iter().enumerate() {
            for (&input, games) in schedule.idle[role].iter().zip(&mut forced) {
                for &mark in schedule.marks.of(first + input) {
                    let plane = &mut planes[mark as usize];
                    for at in 0..W {
                        plane[at] &= !games[at];
                    }
                }
            }
            for (word, chosen) in self.inputs[role].iter_mut().enumerate() {
                for (game, input) in chosen.iter_mut().enumerate() {
                    if *input != NONE {
                        for &mark in schedule.marks.of(*input as usize) {
                            planes[mark as usize][word] &= !(1 << game);
                        }
                        *input = NONE;
                    }
                }
            }
            first += legal.len();
        }
    }
}

/// Plays, in all games at once, the moves that are the only ones of their role, if they are among those that often
/// are. The games that remain to be decided.
#[inline(always)]
fn self_evident<const W: usize>(
    schedule: &Schedule,
    planes: &mut [Plane<W>],
    running: &Plane<W>,
    first: usize,
    legal: &[Lit],
    idle: &[usize],
    forced: &mut [Plane<W>],
) -> Plane<W> {
    let mut open = *running;
    for (&input, plane) in idle.iter().zip(forced) {
        let mut other = [0; W];
        for lits in [&legal[..input], &legal[input + 1..]] {
            for &lit in lits {
                let holds = literal(planes, lit);
                for at in 0..W {
                    other[at] |= holds[at];
                }
            }
        }
        let holds = literal(planes, legal[input]);
        *plane = std::array::from_fn(|at| running[at] & holds[at] & !other[at]);
        for &mark in schedule.marks.of(first + input) {
            let marked = &mut planes[mark as usize];
            for at in 0..W {
                marked[at] |= plane[at];
            }
        }
        for at in 0..W {
            open[at] &= !plane[at];
        }
    }
    open
}

/// Each game's legal moves as bits.
#[inline(always)]
fn gather<const W: usize>(legal: &[Lit], planes: &[Plane<W>], games: u64, masks: &mut [[u64; 64]], word: usize) {
    for (block, mask) in legal.chunks(64).zip(masks) {
        let mut any = 0;
        for (bits, &lit) in mask.iter_mut().zip(block) {
            *bits = planes[(lit >> 1) as usize][word] ^ (u64::from(lit) & 1).wrapping_neg();
            any |= *bits;
        }
        mask[block.len()..].fill(0);
        if any & games == 0 {
            mask.fill(0);
        } else {
            transpose(mask);
        }
    }
}

/// Picks a random bit of each game's masks. The games that have none.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn pick<const W: usize>(
    schedule: &Schedule,
    planes: &mut [Plane<W>],
    games: u64,
    masks: &[[u64; 64]],
    first: usize,
    chosen: &mut [u32; 64],
    word: usize,
    rng: &mut Rng,
    select: impl Fn(u64, u32) -> u32,
) -> u64 {
    let mut stuck = 0;
    let mut left = games;
    while left != 0 {
        let game = left.trailing_zeros() as usize;
        left &= left - 1;
        let count: u32 = masks.iter().map(|mask| mask[game].count_ones()).sum();
        if count == 0 {
            stuck |= 1 << game;
            continue;
        }
        let mut nth = below(rng, count);
        let mut block = 0;
        while nth >= masks[block][game].count_ones() {
            nth -= masks[block][game].count_ones();
            block += 1;
        }
        let input = first + block * 64 + select(masks[block][game], nth) as usize;
        chosen[game] = input as u32;
        for &plane in schedule.marks.of(input) {
            planes[plane as usize][word] |= 1 << game;
        }
    }
    stuck
}

/// The place of bit number `n` of `mask`, counted from 0 among those that are set.
#[inline(always)]
pub fn select(mask: u64, n: u32) -> u32 {
    let mut mask = mask;
    for _ in 0..n {
        mask &= mask - 1;
    }
    mask.trailing_zeros()
}
