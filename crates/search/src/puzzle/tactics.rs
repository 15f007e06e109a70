//! Proving that a goal is reached in so many turns: every move of one side, every reply of the other.

use crate::{Unsolved, Watch};
use game::{Game, Seat};
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;

/// Whether a seat has reached its goal by a move that led from the first position to the second, or never will; `None` while that
/// is open.
pub type GoalTest<G> = fn(&G, &G, Seat) -> Option<bool>;

/// The goal of most games: to win.
pub fn by_outcome<G: Game>(_: &G, after: &G, seat: Seat) -> Option<bool> {
    Some(after.outcome()?.winner() == Some(seat))
}

/// A proof search. What it has proved it keeps.
#[derive(Debug)]
pub struct Tactics<G: Game> {
    goal: GoalTest<G>,
    known: FxHashMap<(G, Seat, u32), bool>,
    /// The move that last refuted something with so many turns left: probably it refutes the next one, too.
    refutation: Vec<Option<G::Move>>,
    watch: Watch,
}

/// More turns than any proof takes.
const MOST_TURNS: u32 = 64;

impl<G: Game> Tactics<G> {
    /// A search for a goal.
    pub fn new(goal: GoalTest<G>, watch: Watch) -> Self {
        Tactics {
            goal,
            known: FxHashMap::default(),
            refutation: vec![None; MOST_TURNS as usize + 1],
            watch,
        }
    }

    /// Whether a seat reaches its goal within so many moves of its own, whatever the others do.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] if somebody wants it to stop.
    pub fn wins(&mut self, position: &G, seat: Seat, turns: u32) -> Result<bool, Unsolved> {
        let turns = turns.min(MOST_TURNS);
        let mine = position.mover() == seat;
        if mine && turns == 0 {
            return Ok(false);
        }
        let key = (position.clone(), seat, turns);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.watch.stop.is_raised() {
            return Err(Unsolved::Stopped);
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let refutation = self.refutation[turns as usize];
        if let Some(at) = moves.iter().position(|&mv| !mine && Some(mv) == refutation) {
            moves.swap(0, at);
        }
        // Who moves wants the opposite of who replies.
        let mut wins = !mine && !moves.is_empty();
        for mv in moves {
            if self.wins_by(position, mv, seat, turns)? == mine {
                wins = mine;
                if !mine {
                    self.refutation[turns as usize] = Some(mv);
                }
                break;
            }
        }
        // The last look is as cheap as the table.
        if turns > 0 {
            self.known.insert(key, wins);
        }
        Ok(wins)
    }

    /// The same, if that move is made first.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] if somebody wants it to stop.
    pub fn wins_by(&mut self, position: &G, mv: G::Move, seat: Seat, turns: u32) -> Result<bool, Unsolved> {
        self.watch.nodes.fetch_add(1, Ordering::Relaxed);
        let mut after = position.clone();
        after.play_unchecked(mv);
        let own = u32::from(position.mover() == seat);
        match (self.goal)(position, &after, seat) {
            Some(reached) => Ok(reached && own <= turns),
            None if own > turns => Ok(false),
            None => self.wins(&after, seat, turns - own),
        }
    }

    /// The fewest moves of its own in which a seat reaches its goal, if so many are enough.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] if somebody wants it to stop.
    pub fn distance(&mut self, position: &G, seat: Seat, most: u32) -> Result<Option<u32>, Unsolved> {
        for turns in 0..=most {
            if self.wins(position, seat, turns)? {
                return Ok(Some(turns));
            }
        }
        Ok(None)
    }

    /// The same after a move of anybody.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] if somebody wants it to stop.
    pub fn distance_by(&mut self, position: &G, mv: G::Move, seat: Seat, most: u32) -> Result<Option<u32>, Unsolved> {
        for turns in 0..=most {
            if self.wins_by(position, mv, seat, turns)? {
                return Ok(Some(turns));
            }
        }
        Ok(None)
    }

    /// The move that is best for who moves where a seat can reach its goal within so many turns: the quickest way there, or the
    /// longest defence. `None` where it cannot, or nobody moves.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] if somebody wants it to stop.
    pub fn best(&mut self, position: &G, seat: Seat, most: u32) -> Result<Option<G::Move>, Unsolved> {
        let mine = position.mover() == seat;
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = None;
        for mv in moves {
            let turns = self.distance_by(position, mv, seat, most)?;
            let better = match (turns, best) {
                (Some(_), None) => true,
                (Some(turns), Some((_, known))) if mine => turns < known,
                (Some(turns), Some((_, known))) => turns > known,
                // A reply that holds is better than any that does not.
                (None, _) if !mine => return Ok(None),
                (None, _) => false,
            };
            if let (true, Some(turns)) = (better, turns) {
                best = Some((mv, turns));
            }
        }
        Ok(best.map(|(mv, _)| mv))
    }

    /// The moves to a goal that a seat reaches within so many turns, the other side holding out as long as it can.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] if somebody wants it to stop.
    pub fn line(&mut self, position: &G, seat: Seat, most: u32) -> Result<Vec<G::Move>, Unsolved> {
        let (mut position, mut line, mut left) = (position.clone(), Vec::new(), most);
        while let Some(mv) = self.best(&position, seat, left)? {
            let before = position.clone();
            left -= u32::from(position.mover() == seat);
            position.play_unchecked(mv);
            line.push(mv);
            if (self.goal)(&before, &position, seat).is_some() {
                break;
            }
        }
        Ok(line)
    }
}
