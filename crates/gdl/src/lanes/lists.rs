//! The legal moves of every game as a list of numbers, for roles that have many moves of which few are legal.
//!
//! Chess has thousands of moves and thirty of them are legal: to transpose all their planes means to move bits that are nearly all
//! off. Here only those that are on are looked at.

use super::planes::{Plane, literal};
use super::schedule::Schedule;
use crate::propnet::gates::Lit;

/// A game with more legal moves than this has no list. (No power of two, so that lists do not all lie in the same lines of the
/// cache.)
const ROOM: usize = 120;
/// Lists are tried for roles with so many moves.
const FEWEST: usize = 128;
/// They are given up where more than one in so many moves is legal: then transposing is quicker.
const SPARSE: usize = 12;

/// The lists of one role at a time.
#[derive(Clone, Debug)]
pub struct LegalLists<const W: usize> {
    /// Whether a role's moves are listed.
    listed: Vec<bool>,
    moves: Vec<[[u16; ROOM]; 64]>,
    counts: Vec<[u16; 64]>,
}

impl<const W: usize> LegalLists<W> {
    /// Empty lists.
    pub fn new(schedule: &Schedule) -> Self {
        let fits = |legal: &Vec<Lit>| (FEWEST..=usize::from(u16::MAX)).contains(&legal.len());
        let listed: Vec<bool> = schedule.legal.iter().map(fits).collect();
        let words = if listed.contains(&true) { W } else { 0 };
        LegalLists {
            listed,
            moves: vec![[[0; ROOM]; 64]; words],
            counts: vec![[0; 64]; words],
        }
    }

    /// Whether a role's moves are listed.
    pub fn has(&self, role: usize) -> bool {
        self.listed[role]
    }

    /// The games in which a role has a move other than the idle ones.
    #[inline(always)]
    pub fn busy(legal: &[Lit], idle: &[usize], planes: &[Plane<W>]) -> Plane<W> {
        let mut busy = [0; W];
        let mut from = 0;
        for &to in idle.iter().chain([&legal.len()]) {
            for &lit in &legal[from..to] {
                let holds = literal(planes, lit);
                for at in 0..W {
                    busy[at] |= holds[at];
                }
            }
            from = to + 1;
        }
        busy
    }

    /// Lists the moves of a role in the games that are open. False if some game has too many.
    #[inline(always)]
    pub fn gather(&mut self, role: usize, legal: &[Lit], planes: &[Plane<W>], open: &Plane<W>) -> bool {
        self.counts.iter_mut().for_each(|counts| counts.fill(0));
        for (number, &lit) in (0..).zip(legal) {
            let mut holds = literal(planes, lit);
            let mut any = 0;
            for at in 0..W {
                holds[at] &= open[at];
                any |= holds[at];
            }
            if any == 0 {
                continue;
            }
            for ((moves, counts), &word) in self.moves.iter_mut().zip(&mut self.counts).zip(&holds) {
                let mut left = word;
                while left != 0 {
                    let game = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let count = &mut counts[game];
                    let Some(place) = moves[game].get_mut(usize::from(*count)) else {
                        self.listed[role] = false;
                        return false;
                    };
                    *place = number;
                    *count += 1;
                }
            }
        }
        let games: u32 = open.iter().map(|word| word.count_ones()).sum();
        let all: usize = self.counts.iter().flatten().map(|&count| usize::from(count)).sum();
        self.listed[role] = all * SPARSE <= games as usize * legal.len();
        true
    }

    /// How many moves a game has.
    #[inline(always)]
    pub fn count(&self, word: usize, game: usize) -> u32 {
        self.counts[word][game].into()
    }

    /// A move of a game.
    #[inline(always)]
    pub fn nth(&self, word: usize, game: usize, nth: u32) -> usize {
        self.moves[word][game][nth as usize].into()
    }
}
