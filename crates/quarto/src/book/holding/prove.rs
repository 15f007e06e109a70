//! The proof that a player holds: for every position that the opponent can make of its turns, a turn that keeps at least a draw.
//!
//! Nearly every early position of the misère variants is a draw after most turns, so it is not worth much to look for the best ones: those are
//! chosen after which there is the least to prove. First turns are chosen by play-outs alone (`estimate`), until two turns before the
//! positions that are asked of the solver; there turns are tried until one holds (`unit`). If none does, earlier turns are chosen
//! again.
//!
//! Each position is asked with an empty table, small enough for the processor's caches: positions share so little that a large table
//! only makes it slow. So every answer, and the boards it took, is the same whatever was asked before, and with it the whole proof.

use super::HoldingBook;
use super::finding::{HoldFinding, held_by};
use super::team::{FloorEnd, ProofFloor};
use super::unit::{HoldFacts, HoldingUnit, ranked};
use super::ways::{HolderTurn, TurnTo, turns_to};
use crate::book::repertoire::walk;
use crate::solver::{NoAnswer, Solver};
use crate::symmetry::CanonicalKey;
use crate::{Position, Rules, Turn};
use game::{Game, Until};
use std::collections::{HashMap, HashSet};
use std::io;

/// The most memory that is of use to a thread. With 24 million boards of one turn's replies 16 MB took 1.2 s, 64 MB 1.3 s, 512 MB
/// 2.3 s and 4 GB 9.0 s, the boards the same.
pub const USEFUL_MEMORY: usize = 16 << 20;

/// How many times as many play-outs the first turns are worth.
const FIRST_TURNS: u32 = 8;

/// What a proof may use.
#[derive(Clone, Debug)]
pub struct ProofMeans {
    /// How many threads.
    pub threads: usize,
    /// Bytes of table for all of them together; each makes use of at most [`USEFUL_MEMORY`].
    pub memory: usize,
    /// When to give up.
    pub until: Until,
}

/// How far a proof is.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProofProgress {
    /// Positions in sight in which a turn is tried after the other.
    pub units: usize,
    /// Those of them that have none that is known to hold.
    pub open: usize,
    /// Positions that the solver has answered.
    pub asked: u64,
    /// Those of them that are lost.
    pub lost: u64,
    /// Boards that it took.
    pub nodes: u64,
}

/// Who keeps what a proof finds.
pub trait ProofKeeper: Sync {
    /// Keeps what was found. What follows from other findings comes after them.
    ///
    /// # Errors
    /// If it cannot be kept: that ends the proof.
    fn keep(&self, position: &Position, finding: HoldFinding) -> io::Result<()>;

    /// Is told now and then how far it is.
    fn progress(&self, progress: &ProofProgress);
}

/// How a proof ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldVerdict {
    /// The player to move holds in all positions.
    Holds,
    /// It loses this one.
    Loses(Position),
    /// Not answered: it was time to end.
    Stopped,
}

/// See the module.
pub struct HoldingProof {
    asked_at: u32,
    facts: HoldFacts,
    /// Ranked turns of early positions.
    early: HashMap<CanonicalKey, Vec<HolderTurn>>,
    progress: ProofProgress,
}

impl HoldingProof {
    /// A proof whose positions with so many pieces placed, or one fewer, are asked of the solver.
    pub fn new(asked_at: u32) -> Self {
        HoldingProof {
            asked_at,
            facts: HoldFacts::default(),
            early: HashMap::new(),
            progress: ProofProgress::default(),
        }
    }

    /// Learns what an earlier proof has found.
    pub fn learn(&mut self, position: &Position, finding: HoldFinding) {
        self.facts.known.insert(position.canonical_key(), finding);
    }

    /// How far it is.
    pub fn progress(&self) -> ProofProgress {
        self.progress
    }

    /// Finds out whether the player to move holds in all of some positions with a piece in hand and as many pieces placed, and keeps a turn
    /// for every position that the turns lead to.
    ///
    /// # Errors
    /// If something cannot be kept, or there is no memory.
    pub fn prove(
        &mut self,
        roots: &[Position],
        means: &ProofMeans,
        keeper: &dyn ProofKeeper,
    ) -> io::Result<HoldVerdict> {
        let Some(first) = roots.first() else {
            return Ok(HoldVerdict::Holds);
        };
        let mut solvers = solvers(first.rules(), means)?;
        let roots: Vec<Position> = roots.iter().map(Position::canonical).collect();
        loop {
            let units = match self.expand(&roots, &solvers, &means.until, keeper)? {
                Expanded::Units(units) => units,
                Expanded::Lost(root) => return Ok(HoldVerdict::Loses(root)),
                Expanded::Stopped => return Ok(HoldVerdict::Stopped),
            };
            let open: Vec<HoldingUnit> = units
                .iter()
                .filter(|unit| !self.is_settled(unit))
                .map(HoldingUnit::new)
                .collect();
            (self.progress.units, self.progress.open) = (units.len(), open.len());
            keeper.progress(&self.progress);
            if open.is_empty() {
                self.keep_early(&roots, keeper)?;
                return Ok(HoldVerdict::Holds);
            }
            if !self.answer(open, &mut solvers, &means.until, keeper)? {
                return Ok(HoldVerdict::Stopped);
            }
        }
    }

    /// The book of the turns found for both seats, and how many positions it has by the number of pieces placed.
    ///
    /// # Errors
    /// What it is that is not known.
    pub fn book(&self, start: &Position, reach: u32) -> Result<(Vec<usize>, HoldingBook), String> {
        let (mut levels, mut entries) = (Vec::new(), Vec::new());
        walk(start, reach, |_, met| -> Result<Vec<Position>, String> {
            levels.push(met.len());
            let mut led = Vec::new();
            for position in met {
                let said = || format!("{}: no turn was found", position.print());
                let (turn, byte) = self.facts.held(position).ok_or_else(said)?;
                let mut after = *position;
                after.play_unchecked(turn);
                entries.push((*position, byte));
                led.push(after);
            }
            Ok(led)
        })?;
        let book = HoldingBook::new(reach, &entries).ok_or("two positions of the book are the same")?;
        Ok((levels, book))
    }

    /// Where the opponent can lead after the turn that is known to hold.
    fn after_held(&self, position: &Position) -> Option<Vec<TurnTo>> {
        let mut after = *position;
        after.play_unchecked(self.facts.held(position)?.0);
        after.playing().then(|| turns_to(&after))
    }

    /// Whether a turn is known that holds, and the turns after it.
    fn is_settled(&self, unit: &Position) -> bool {
        let all_held = |replies: Vec<TurnTo>| replies.iter().all(|reply| self.facts.held(&reply.position).is_some());
        self.after_held(unit).is_some_and(all_held)
    }

    /// The positions two turns before those that are asked, to which turns lead that are not known to lose.
    fn expand(
        &mut self,
        roots: &[Position],
        solvers: &[Solver],
        until: &Until,
        keeper: &dyn ProofKeeper,
    ) -> io::Result<Expanded> {
        let mut level = roots.to_vec();
        while level.first().is_some_and(|first| first.placed() + 4 <= self.asked_at) {
            if self.rank(&level, solvers, until).is_err() {
                return Ok(Expanded::Stopped);
            }
            let (mut seen, mut next) = (HashSet::new(), Vec::new());
            for position in &level {
                let Some(replies) = self.chosen(position) else {
                    // What leads here must be chosen again.
                    self.facts.known.insert(position.canonical_key(), HoldFinding::Lost);
                    keeper.keep(position, HoldFinding::Lost)?;
                    return match roots.contains(position) {
                        true => Ok(Expanded::Lost(*position)),
                        false => self.expand(roots, solvers, until, keeper),
                    };
                };
                next.extend(replies.iter().filter(|reply| seen.insert(reply.key)));
            }
            level = next.iter().map(|reply: &TurnTo| reply.position).collect();
        }
        let lost = roots.iter().find(|root| self.facts.is_lost(&root.canonical_key()));
        Ok(match lost {
            Some(root) => Expanded::Lost(*root),
            None => Expanded::Units(level),
        })
    }

    /// The replies to the turn chosen for an early position; `None` if all turns are known to lose.
    fn chosen(&self, position: &Position) -> Option<Vec<TurnTo>> {
        let open = |replies: &Vec<TurnTo>| !replies.iter().any(|reply| self.facts.is_lost(&reply.key));
        let ranked = || {
            let turns = self.early.get(&position.canonical_key())?;
            turns.iter().map(|turn| turn.replies.clone()).find(open)
        };
        self.after_held(position).filter(open).or_else(ranked)
    }

    /// Ranks the turns of early positions, on all threads.
    fn rank(&mut self, level: &[Position], solvers: &[Solver], until: &Until) -> Result<(), NoAnswer> {
        let new = |position: &&Position| {
            let known = self.early.contains_key(&position.canonical_key());
            !known && self.facts.held(position).is_none()
        };
        let new: Vec<Position> = level.iter().filter(new).copied().collect();
        let share = |at: usize| {
            let (new, solver) = (&new, &solvers[at]);
            move || -> Result<Vec<(CanonicalKey, Vec<HolderTurn>)>, NoAnswer> {
                let own = new.iter().skip(at).step_by(solvers.len());
                own.map(|position| Ok((position.canonical_key(), ranked(solver, position, FIRST_TURNS, until)?)))
                    .collect()
            }
        };
        let shares = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..solvers.len()).map(|at| scope.spawn(share(at))).collect();
            let joined = threads.into_iter().map(|thread| match thread.join() {
                Ok(share) => share,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.collect::<Result<Vec<_>, NoAnswer>>()
        })?;
        self.early.extend(shares.into_iter().flatten());
        Ok(())
    }

    /// Keeps the turns of early positions, once all they lead to is known to hold.
    fn keep_early(&mut self, roots: &[Position], keeper: &dyn ProofKeeper) -> io::Result<()> {
        let (mut level, mut early) = (roots.to_vec(), Vec::new());
        while level.first().is_some_and(|first| first.placed() + 4 <= self.asked_at) {
            let (mut seen, mut next) = (HashSet::new(), Vec::new());
            for position in &level {
                let Some(replies) = self.chosen(position) else { continue };
                let turns = self.early.get(&position.canonical_key());
                let same = |turn: &&HolderTurn| {
                    turn.replies
                        .iter()
                        .map(|reply| reply.key)
                        .eq(replies.iter().map(|reply| reply.key))
                };
                let turn = turns.and_then(|turns| turns.iter().find(same));
                if let Some(turn) = turn.filter(|_| self.facts.held(position).is_none()) {
                    early.push((*position, turn.turn));
                }
                next.extend(
                    replies
                        .iter()
                        .filter(|reply| seen.insert(reply.key))
                        .map(|reply| reply.position),
                );
            }
            level = next;
        }
        // The last first: what follows comes after what it follows from.
        for (position, turn) in early.into_iter().rev() {
            self.keep_turn(&position, turn, keeper)?;
        }
        Ok(())
    }

    fn keep_turn(&mut self, position: &Position, turn: Turn, keeper: &dyn ProofKeeper) -> io::Result<()> {
        if let Some(finding) = held_by(position, turn, 0) {
            self.facts.known.insert(position.canonical_key(), finding);
            keeper.keep(position, finding)?;
        }
        Ok(())
    }

    /// Answers units on all threads until one is lost; `false` if it was time to end.
    fn answer(
        &mut self,
        units: Vec<HoldingUnit>,
        solvers: &mut [Solver],
        until: &Until,
        keeper: &dyn ProofKeeper,
    ) -> io::Result<bool> {
        let floor = ProofFloor {
            units,
            facts: std::mem::take(&mut self.facts),
            progress: self.progress,
            end: None,
        };
        let floor = floor.answered(solvers, until, keeper);
        (self.facts, self.progress) = (floor.facts, floor.progress);
        match floor.end {
            Some(FloorEnd::Failed(error)) => Err(error),
            Some(FloorEnd::Stopped) => Ok(false),
            Some(FloorEnd::UnitLost) | None => Ok(true),
        }
    }
}

/// What was found on the way to the positions where turns are tried.
enum Expanded {
    Units(Vec<Position>),
    Lost(Position),
    Stopped,
}

fn solvers(rules: &'static Rules, means: &ProofMeans) -> io::Result<Vec<Solver>> {
    let threads = means.threads.max(1);
    let memory = (means.memory / threads).min(USEFUL_MEMORY);
    let solver = |_| {
        let solver = Solver::new(rules, memory, 1)?;
        solver.set_stop(means.until.stop.clone());
        solver.set_deadline(means.until.deadline);
        Ok(solver)
    };
    (0..threads).map(solver).collect()
}

#[cfg(test)]
mod tests;
