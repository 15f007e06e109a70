//! Random moves for many games at once.
//!
//! The legal moves stand in planes, a move a plane; choosing wants them game by game. Squares of 64 moves by 64 games
//! are transposed, so that each game's legal moves are the bits of a few words; a random one of those bits is the move.

use super::planes::Plane;
use super::schedule::Schedule;
use super::transpose::transpose;
use game::Rng;
use rand::Rng as _;

/// What was chosen: for each role and game, the input's plane; 0 for none.
#[derive(Clone, Debug)]
pub struct Chosen<const W: usize> {
    inputs: Vec<[[u32; 64]; W]>,
    /// For one role: each game's legal moves, 64 a word; games of one word together.
    masks: Vec<[u64; 64]>,
}

impl<const W: usize> Chosen<W> {
    /// Nothing chosen yet.
    pub fn new(schedule: &Schedule) -> Self {
        let widest = schedule.legal.iter().map(|legal| legal.len().div_ceil(64)).max().unwrap_or(0);
        Chosen {
            inputs: vec![[[0; 64]; W]; schedule.legal.len()],
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
        let mut stuck = [0; W];
        let mut first_input = 1 + schedule.next.len();
        for (role, legal) in schedule.legal.iter().enumerate() {
            for word in 0..W {
                for &plane in &self.inputs[role][word] {
                    planes[plane as usize][word] = 0;
                }
                let games = running[word];
                if games == 0 {
                    self.inputs[role][word] = [0; 64];
                    continue;
                }
                for (block, mask) in legal.chunks(64).zip(&mut self.masks) {
                    let mut any = 0;
                    for (bits, &lit) in mask.iter_mut().zip(block) {
                        let plane = planes[(lit >> 1) as usize][word];
                        *bits = plane ^ (lit as u64 & 1).wrapping_neg();
                        any |= *bits;
                    }
                    mask[block.len()..].fill(0);
                    if any & games != 0 {
                        transpose(mask);
                    } else {
                        mask.fill(0);
                    }
                }
                let blocks = legal.len().div_ceil(64);
                let masks = &self.masks[..blocks];
                let chosen = &mut self.inputs[role][word];
                let mut left = games;
                chosen.fill(0);
                while left != 0 {
                    let game = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let count: u32 = masks.iter().map(|mask| mask[game].count_ones()).sum();
                    if count == 0 {
                        stuck[word] |= 1 << game;
                        continue;
                    }
                    let mut pick = if count == 1 {
                        0
                    } else {
                        ((u64::from(rng.next_u32()) * u64::from(count)) >> 32) as u32
                    };
                    let mut block = 0;
                    while pick >= masks[block][game].count_ones() {
                        pick -= masks[block][game].count_ones();
                        block += 1;
                    }
                    let input = first_input + block * 64 + select(masks[block][game], pick) as usize;
                    chosen[game] = input as u32;
                    planes[input][word] |= 1 << game;
                }
            }
            first_input += legal.len();
        }
        // Plane 0 stood in for "nothing" and must stay empty.
        planes[0] = [0; W];
        stuck
    }
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
