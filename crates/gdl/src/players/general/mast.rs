//! Games played out move by move, preferring what has worked anywhere (MAST), for machines that cannot play hundreds of
//! games at once.

use super::grow::lock;
use super::tree::{SeatValues, finished};
use crate::{Move, Position};
use game::{Game, Rng, Seat, Until, below, pick};
use parking_lot::Mutex;
use std::collections::HashMap;

/// How often a move is made at random, in hundredths.
const RANDOM: u32 = 40;

/// What every move came to on average, wherever it was played.
#[derive(Debug, Default)]
pub struct Mast {
    moves: HashMap<Move, (f32, u32)>,
}

/// A game played out.
#[derive(Debug)]
pub struct Playout {
    /// What each seat got.
    pub worth: SeatValues,
    /// Who chose what.
    pub chosen: Vec<(Seat, Move)>,
}

impl Mast {
    /// What a move came to, if it was played before.
    pub fn mean(&self, mv: Move) -> Option<f32> {
        self.moves.get(&mv).map(|&(mean, _)| mean)
    }

    /// Counts a game.
    pub fn learn(&mut self, playout: &Playout) {
        for (seat, mv) in &playout.chosen {
            let (mean, count) = self.moves.entry(*mv).or_default();
            *count += 1;
            *mean += (playout.worth[seat.index()] - *mean) / *count as f32;
        }
    }

    /// The next choice: what has worked best so far, and sometimes anything. What was never played comes first.
    fn choose(&self, legal: &[Move], rng: &mut Rng) -> Option<Move> {
        if below(rng, 100) < RANDOM {
            return pick(rng, legal);
        }
        let skip = below(rng, legal.len().max(1) as u32) as usize;
        // Begun anywhere, so that of equals each may be the first.
        let around = legal.iter().cycle().skip(skip).take(legal.len());
        around.copied().max_by(|&a, &b| {
            let mean = |mv| self.mean(mv).unwrap_or(1.0);
            mean(a).total_cmp(&mean(b))
        })
    }
}

/// Plays a game to its end; `None` if the time is up before.
pub fn play(mast: &Mutex<Mast>, from: &Position, until: &Until, rng: &mut Rng) -> Option<Playout> {
    let mut position = from.public();
    let mut legal = Vec::new();
    let mut chosen = Vec::new();
    loop {
        if let Some(payoffs) = position.outcome() {
            let worth = finished(&payoffs);
            return Some(Playout { worth, chosen });
        }
        if until.is_over() {
            return None;
        }
        position.legal_moves(&mut legal);
        let mv = lock(mast).choose(&legal, rng)?;
        chosen.push((position.mover(), mv));
        position.play_unchecked(mv);
    }
}
