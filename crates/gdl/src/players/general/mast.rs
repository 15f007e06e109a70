//! What moves came to wherever they were played (MAST), and games played out move by move by that, for machines that cannot
//! play hundreds of games at once.

use super::tree::SeatValues;
use crate::walk::{Habits, WalkStart, Walker};
use crate::{GdlError, Machine, Move, State, StateView};
use game::{Rng, Until, below};

/// How often a move is made at random where games are played one by one, in hundredths.
const RANDOM: u32 = 40;
/// Older games than so many are forgotten little by little.
const MEMORY: u32 = 4000;
/// So many games at the average are imagined of every move.
const IMAGINED: f32 = 20.0;

/// What every move came to on average, wherever it was played.
#[derive(Clone, Debug, Default)]
pub struct Mast {
    /// By move; what was never played is as good as can be.
    means: Vec<f32>,
    counts: Vec<u32>,
    /// What every seat got on average.
    seats: Vec<(f32, u32)>,
}

impl Mast {
    /// What moves came to, by their numbers.
    pub fn means(&self) -> &[f32] {
        &self.means
    }

    /// How much better a move was for a seat than the seat's games were on average.
    pub fn merit(&self, seat: usize, mv: u32) -> f32 {
        let (Some(&count), Some(&(average, _))) = (self.counts.get(mv as usize), self.seats.get(seat)) else {
            return 0.0;
        };
        let count = count as f32;
        (self.means[mv as usize] - average) * count / (count + IMAGINED)
    }

    /// Counts a game.
    pub fn learn(&mut self, worth: &SeatValues, played: &[(u8, u32)]) {
        self.seats.resize(worth.len(), (0.0, 0));
        for (own, &new) in self.seats.iter_mut().zip(worth) {
            count(&mut own.0, &mut own.1, new);
        }
        for &(seat, mv) in played {
            let mv = mv as usize;
            if mv >= self.means.len() {
                self.means.resize(mv + 1, 1.0);
                self.counts.resize(mv + 1, 0);
            }
            count(&mut self.means[mv], &mut self.counts[mv], worth[usize::from(seat)]);
        }
    }
}

fn count(mean: &mut f32, count: &mut u32, new: f32) {
    *count = (*count + 1).min(MEMORY);
    *mean += (new - *mean) / *count as f32;
}

/// Plays what `walker` sends out, one game after the other.
pub fn walk_singly(machine: &Machine, walker: &mut dyn Walker, until: &Until, rng: &mut Rng) {
    let mut start = WalkStart::default();
    let mut played = Vec::new();
    while !walker.is_done() && !until.is_over() && walker.send(0, &mut start) {
        played.clear();
        match one_game(machine, &start, walker, until, &mut played, rng) {
            Ok(Some(goals)) => walker.ended(0, &goals, &played),
            Ok(None) => return,
            // What cannot be played is worth nothing to anybody.
            Err(_) if !until.is_over() => walker.ended(0, &vec![0; machine.role_count()], &[]),
            Err(_) => return,
        }
    }
}

/// Plays a game to its end; `None` if the time is up before.
fn one_game(
    machine: &Machine,
    start: &WalkStart,
    walker: &mut dyn Walker,
    until: &Until,
    played: &mut Vec<(u8, u32)>,
    rng: &mut Rng,
) -> Result<Option<Vec<u8>>, GdlError> {
    let begin = State(start.state.as_slice().into());
    let (mut state, mut view) = if start.joint.is_empty() {
        let view = machine.view(&begin)?;
        if !view.terminal {
            let moves = |moves: &Vec<Move>| moves.iter().map(|mv| mv.0).collect();
            walker.opened(0, &view.legal.iter().map(moves).collect::<Vec<_>>());
        }
        (begin, view)
    } else {
        let joint: Vec<Move> = start.joint.iter().map(|&mv| Move(mv)).collect();
        let (state, view) = machine.step(&begin, &joint)?;
        walker.arrived(0, &state.0, view.terminal, None);
        (state, view)
    };
    let mut joint = Vec::new();
    while !view.terminal && !view.legal.iter().any(Vec::is_empty) {
        if until.is_over() {
            return Ok(None);
        }
        choose(&view, walker.habits(), &mut joint, rng);
        played.extend((0..).zip(&joint).map(|(seat, mv): (u8, &Move)| (seat, mv.0)));
        (state, view) = machine.step(&state, &joint)?;
    }
    let goals = if view.terminal {
        view.goals
    } else {
        machine.goals(&state)?
    };
    Ok(Some(goals))
}

/// The next joint move: of everybody what has worked best so far, and sometimes anything.
fn choose(view: &StateView, habits: Habits, joint: &mut Vec<Move>, rng: &mut Rng) {
    joint.clear();
    for legal in &view.legal {
        let first = below(rng, legal.len() as u32) as usize;
        let mut best = legal[first];
        if legal.len() > 1 && below(rng, 100) >= RANDOM {
            let habit = |mv: Move| habits.of(mv.0 as usize);
            // Begun anywhere, so that of equals each may be the first.
            for &mv in legal[first + 1..].iter().chain(&legal[..first]) {
                if habit(mv) > habit(best) {
                    best = mv;
                }
            }
        }
        joint.push(best);
    }
}
