//! The threads of a proof: each takes the next step of the unit that the fewest others work on, so that in the end, when few units are open, they
//! share these.

use super::find::find;
use super::finding::{HoldFinding, held_by};
use super::prove::{ProofKeeper, ProofProgress};
use super::unit::{HoldFacts, HoldStep, HoldingUnit, ranked, weighed};
use super::ways::TurnTo;
use crate::Position;
use crate::solver::{Outcome, Solver};
use game::{Game, Until};
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a thread without work waits before it looks again whether it is to end.
const NAP: Duration = Duration::from_millis(20);

/// Why the threads end before all units are answered.
pub(super) enum FloorEnd {
    Failed(io::Error),
    Stopped,
    /// A unit is lost, so other ones are needed.
    UnitLost,
}

/// What the threads work on together.
pub(super) struct ProofFloor {
    pub(super) units: Vec<HoldingUnit>,
    pub(super) facts: HoldFacts,
    pub(super) progress: ProofProgress,
    pub(super) end: Option<FloorEnd>,
}

/// The threads at work.
struct ProofTeam<'a> {
    floor: Mutex<ProofFloor>,
    changed: Condvar,
    until: &'a Until,
    keeper: &'a dyn ProofKeeper,
}

impl ProofTeam<'_> {
    fn lock(&self) -> MutexGuard<'_, ProofFloor> {
        self.floor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What one thread does until there is nothing left.
    fn work(&self, solver: &mut Solver) {
        while let Some((at, step)) = self.take() {
            let before = solver.nodes();
            let done = match step {
                HoldStep::Rank => self.rank(at, solver),
                HoldStep::Weigh(turn) => self.weigh(at, turn, solver),
                HoldStep::Ask(reply, budget) => self.ask(at, &reply, budget, solver),
                HoldStep::Wait | HoldStep::Done(_) => Ok(()),
            };
            let mut floor = self.lock();
            floor.progress.nodes += solver.nodes() - before;
            floor.units[at].busy -= 1;
            match done {
                Ok(()) => (),
                Err(_) if self.until.is_over() => floor.end = floor.end.take().or(Some(FloorEnd::Stopped)),
                Err(error) => floor.end = Some(FloorEnd::Failed(error)),
            }
            drop(floor);
            self.changed.notify_all();
        }
    }

    /// Something to do for a unit; `None` if there is nothing left.
    fn take(&self) -> Option<(usize, HoldStep)> {
        let mut floor = self.lock();
        loop {
            if self.until.is_over() {
                floor.end = floor.end.take().or(Some(FloorEnd::Stopped));
            }
            if floor.end.is_some() || floor.units.iter().all(|unit| unit.done) {
                return None;
            }
            match floor.step(self.keeper) {
                Ok(Some(step)) => return Some(step),
                Ok(None) => (),
                Err(error) => floor.end = Some(FloorEnd::Failed(error)),
            }
            if floor.end.is_none() && !floor.units.iter().all(|unit| unit.done) {
                let waited = self.changed.wait_timeout(floor, NAP);
                floor = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    fn rank(&self, at: usize, solver: &Solver) -> io::Result<()> {
        let position = self.lock().units[at].position;
        let mut turns = ranked(solver, &position, 1, self.until).map_err(io::Error::other)?;
        let mut floor = self.lock();
        // Of a turn that is known to hold not everything that follows may be known.
        if let Some((held, _)) = floor.facts.held(&position) {
            let mut after = position;
            after.play_unchecked(held);
            let after = after.canonical();
            turns.sort_by_key(|turn| turn.after != after);
        }
        floor.units[at].take_turns(turns);
        Ok(())
    }

    fn weigh(&self, at: usize, turn: usize, solver: &Solver) -> io::Result<()> {
        let (replies, refuting) = {
            let floor = self.lock();
            (floor.units[at].replies(turn), floor.units[at].refuting.clone())
        };
        let replies = weighed(solver, replies, &refuting, self.until).map_err(io::Error::other)?;
        self.lock().units[at].take_replies(turn, replies);
        Ok(())
    }

    /// Asks whether the holder holds in a position, with at most so many boards.
    fn ask(&self, at: usize, reply: &TurnTo, budget: u64, solver: &mut Solver) -> io::Result<()> {
        let found = found(solver, &reply.position, budget);
        let mut floor = self.lock();
        floor.facts.asking.remove(&reply.key);
        match found? {
            None => {
                floor.facts.long.insert(reply.key, budget);
            }
            Some(finding) => {
                floor.progress.asked += 1;
                if finding == HoldFinding::Lost {
                    floor.progress.lost += 1;
                    floor.units[at].refuting.push(reply.turn);
                }
                floor.facts.known.insert(reply.key, finding);
                self.keeper.keep(&reply.position, finding)?;
            }
        }
        Ok(())
    }
}

/// What is found of a position with at most so many boards, and an empty table.
fn found(solver: &mut Solver, position: &Position, budget: u64) -> io::Result<Option<HoldFinding>> {
    solver.forget()?;
    let asked = solver.at_least_within(position, Outcome::Draw, budget);
    let (answer, nodes) = asked.map_err(io::Error::other)?;
    let turn = match answer {
        None => return Ok(None),
        Some(false) => return Ok(Some(HoldFinding::Lost)),
        Some(true) => find(solver, position).map_err(io::Error::other)?,
    };
    let finding = turn.and_then(|turn| held_by(position, turn, nodes));
    let finding =
        finding.ok_or_else(|| io::Error::other(format!("{}: no turn holds, although one does", position.print())))?;
    Ok(Some(finding))
}

impl ProofFloor {
    /// Has the units answered, a thread for each solver, until all are or it must end.
    pub(super) fn answered(self, solvers: &mut [Solver], until: &Until, keeper: &dyn ProofKeeper) -> Self {
        let team = ProofTeam {
            floor: Mutex::new(self),
            changed: Condvar::new(),
            until,
            keeper,
        };
        std::thread::scope(|scope| {
            for solver in solvers {
                scope.spawn(|| team.work(solver));
            }
        });
        let mut floor = team.floor.into_inner().unwrap_or_else(PoisonError::into_inner);
        floor.facts.asking.clear();
        floor
    }

    /// The next step of the unit that the fewest threads work on; units that are answered by that are kept.
    fn step(&mut self, keeper: &dyn ProofKeeper) -> io::Result<Option<(usize, HoldStep)>> {
        let mut order: Vec<usize> = (0..self.units.len()).filter(|at| !self.units[*at].done).collect();
        order.sort_by_key(|at| self.units[*at].busy);
        for at in order {
            let unit = &mut self.units[at];
            match unit.next(&self.facts) {
                HoldStep::Wait => (),
                // One thread is enough for what must be done before there is something to ask.
                HoldStep::Rank | HoldStep::Weigh(_) if unit.busy > 0 => (),
                HoldStep::Done(turn) => {
                    unit.done = true;
                    let finding = match turn {
                        Some(turn) => held_by(&unit.position, turn, 0),
                        None => Some(HoldFinding::Lost),
                    };
                    let finding = finding.ok_or_else(|| io::Error::other("a turn that is none"))?;
                    self.facts.known.insert(unit.key, finding);
                    keeper.keep(&unit.position, finding)?;
                    self.progress.open -= 1;
                    keeper.progress(&self.progress);
                    if turn.is_none() {
                        self.end = Some(FloorEnd::UnitLost);
                        return Ok(None);
                    }
                }
                step => {
                    unit.busy += 1;
                    if let HoldStep::Ask(reply, _) = &step {
                        self.facts.asking.insert(reply.key);
                    }
                    return Ok(Some((at, step)));
                }
            }
        }
        Ok(None)
    }
}
