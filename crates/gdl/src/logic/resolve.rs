//! Top-down (goal-directed) evaluation with tabling: only what is asked for is computed, and nothing twice.
//!
//! A goal with values for its given columns is a subgoal. Its answers are rows of the relation's table; a status says which
//! subgoals have all their answers. A subgoal is computed rule by rule, depth first. A condition on a relation that is
//! computed on demand is a subgoal of its own, which is answered before the rule goes on.
//!
//! A subgoal may depend on itself. Then the answers found so far are used, and the first of the subgoals that depend on each
//! other, the leader, is computed again until nothing new is found (linear tabling; the groups of subgoals are found with
//! Tarjan's algorithm for strongly connected components). The rules are stratified, so a negation never depends on itself.
//!
//! The stack of open subgoals is explicit, not the call stack: rule sheets may nest deeply.

use super::budget::WorkBudget;
use super::flat::Col;
use super::goals::Goal;
use super::plan::{Src, Step, value};
use super::table::RelationTable;
use crate::GdlError;

/// How far the computation of a subgoal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SubgoalStatus {
    /// Nothing was done about it, or nothing that counts.
    New,
    /// It is on the stack, at this height.
    Open(u32),
    /// All rules were tried, with the answers that were known then to the subgoal at this height, or to one above it.
    Partial(u32),
    /// It has all its answers.
    Complete,
}

/// An open subgoal.
#[derive(Clone, Copy, Debug)]
struct Frame {
    goal: u32,
    /// The number of its key.
    key: u32,
    /// The rule and the step in it; steps are gone through forward, and backward to try the next row.
    clause: u32,
    at: u32,
    forward: bool,
    /// Where its variables, and the rows that its steps are at, begin.
    slots: u32,
    cursors: u32,
    /// The lowest subgoal on the stack that it depends on.
    lowest: u32,
    /// Whether a subgoal above it depends on it.
    is_leader: bool,
    /// How many answers there were when it began, or last began again.
    answers: u64,
    /// Where the partial subgoals that came after it begin.
    partial: u32,
}

/// The tables of subgoals and answers of one position.
#[derive(Clone, Debug)]
pub struct TabledAnswers {
    /// For each goal its subgoals, and how far each has got.
    keys: Vec<RelationTable>,
    marks: Vec<Vec<SubgoalStatus>>,
    frames: Vec<Frame>,
    slots: Vec<u32>,
    cursors: Vec<u32>,
    /// Partial subgoals.
    partial: Vec<(u32, u32)>,
    /// How many answers were found.
    answers: u64,
    key: Vec<u32>,
    row: Vec<u32>,
}

/// What happened to an open subgoal.
enum SubgoalEvent {
    /// Another must be answered first.
    Call { goal: u32, key: u32 },
    /// It has an answer, and there can be no other.
    Proved,
    /// All rules were tried.
    Exhausted,
}

impl TabledAnswers {
    /// Nothing known yet.
    pub fn new(goals: &[Goal]) -> Self {
        TabledAnswers {
            keys: goals.iter().map(|goal| RelationTable::new(goal.given.len())).collect(),
            marks: vec![Vec::new(); goals.len()],
            frames: Vec::new(),
            slots: Vec::new(),
            cursors: Vec::new(),
            partial: Vec::new(),
            answers: 0,
            key: Vec::new(),
            row: Vec::new(),
        }
    }

    /// Forgets the subgoals of a goal.
    pub fn forget(&mut self, goal: usize) {
        self.keys[goal].clear();
        self.marks[goal].clear();
    }

    /// The number of the subgoal of a goal whose key is in `self.key`.
    fn subgoal(&mut self, goal: usize) -> u32 {
        if let Some(known) = self.keys[goal].find(&self.key) {
            return known;
        }
        self.keys[goal].insert(&self.key);
        self.marks[goal].push(SubgoalStatus::New);
        self.marks[goal].len() as u32 - 1
    }

    fn mark(&mut self, goal: u32, key: u32) -> &mut SubgoalStatus {
        &mut self.marks[goal as usize][key as usize]
    }
}

/// Adds to the tables all rows of a goal whose given columns are `key`. After an error the tables must not be used again.
pub fn answer(
    goals: &[Goal],
    goal: usize,
    key: &[u32],
    tables: &mut [RelationTable],
    memory: &mut TabledAnswers,
    budget: &mut WorkBudget,
) -> Result<(), GdlError> {
    memory.key.clear();
    memory.key.extend_from_slice(key);
    let key = memory.subgoal(goal);
    if memory.marks[goal][key as usize] == SubgoalStatus::Complete {
        return Ok(());
    }
    let mut resolver = Resolver {
        goals,
        tables,
        memory,
        budget,
    };
    resolver.open(goal as u32, key)?;
    while let Some(top) = resolver.memory.frames.len().checked_sub(1) {
        match resolver.advance(top)? {
            SubgoalEvent::Call { goal, key } => resolver.open(goal, key)?,
            SubgoalEvent::Proved => resolver.close(top, true),
            SubgoalEvent::Exhausted => resolver.close(top, false),
        }
    }
    Ok(())
}

struct Resolver<'a> {
    goals: &'a [Goal],
    tables: &'a mut [RelationTable],
    memory: &'a mut TabledAnswers,
    budget: &'a mut WorkBudget,
}

impl Resolver<'_> {
    /// Puts a subgoal on the stack.
    fn open(&mut self, goal: u32, key: u32) -> Result<(), GdlError> {
        self.budget.spend()?;
        let memory = &mut *self.memory;
        let height = memory.frames.len() as u32;
        let (slots, cursors) = (memory.slots.len(), memory.cursors.len());
        let needs = &self.goals[goal as usize];
        memory.slots.resize(slots + needs.slots, 0);
        memory.cursors.resize(cursors + needs.steps, 0);
        *memory.mark(goal, key) = SubgoalStatus::Open(height);
        memory.frames.push(Frame {
            goal,
            key,
            clause: 0,
            at: 0,
            forward: true,
            slots: slots as u32,
            cursors: cursors as u32,
            lowest: height,
            is_leader: false,
            answers: memory.answers,
            partial: memory.partial.len() as u32,
        });
        Ok(())
    }

    /// Takes the uppermost subgoal from the stack, or lets it begin again.
    fn close(&mut self, top: usize, proved: bool) {
        let memory = &mut *self.memory;
        let frame = memory.frames[top];
        let height = top as u32;
        if !proved && frame.lowest < height {
            // The leader is further down: what depends on this subgoal depends on the leader.
            memory.frames.pop();
            *memory.mark(frame.goal, frame.key) = SubgoalStatus::Partial(frame.lowest);
            self.release(&frame, |leader| SubgoalStatus::Partial(leader.min(frame.lowest)));
            let memory = &mut *self.memory;
            memory.partial.push((frame.goal, frame.key));
            if let Some(parent) = memory.frames.last_mut() {
                parent.lowest = parent.lowest.min(frame.lowest);
            }
        } else if !proved && frame.is_leader && memory.answers > frame.answers {
            // Some subgoal may have been computed with an incomplete list of answers.
            let own = &mut memory.frames[top];
            own.answers = memory.answers;
            (own.clause, own.at, own.forward) = (0, 0, true);
            return self.release(&frame, |leader| {
                if leader < height {
                    SubgoalStatus::Partial(leader)
                } else {
                    SubgoalStatus::New
                }
            });
        } else {
            memory.frames.pop();
            *memory.mark(frame.goal, frame.key) = SubgoalStatus::Complete;
            // A proof ends before all rules were tried, so the subgoals that depended on it must be computed again.
            let done = if proved {
                SubgoalStatus::New
            } else {
                SubgoalStatus::Complete
            };
            self.release(&frame, |leader| {
                if leader < height {
                    SubgoalStatus::Partial(leader)
                } else {
                    done
                }
            });
        }
        self.memory.slots.truncate(frame.slots as usize);
        self.memory.cursors.truncate(frame.cursors as usize);
    }

    /// Gives the partial subgoals that came after a subgoal a new status, by their leaders, and drops those that are no longer partial.
    fn release(&mut self, frame: &Frame, mark_by: impl Fn(u32) -> SubgoalStatus) {
        let memory = &mut *self.memory;
        let begin = frame.partial as usize;
        let mut kept = begin;
        for at in begin..memory.partial.len() {
            let (goal, key) = memory.partial[at];
            let mark = &mut memory.marks[goal as usize][key as usize];
            if let SubgoalStatus::Partial(leader) = *mark {
                *mark = mark_by(leader);
                if matches!(*mark, SubgoalStatus::Partial(_)) {
                    memory.partial[kept] = (goal, key);
                    kept += 1;
                }
            }
        }
        memory.partial.truncate(kept);
    }

    /// Goes on with the uppermost subgoal until something happens to it.
    fn advance(&mut self, top: usize) -> Result<SubgoalEvent, GdlError> {
        let mut frame = self.memory.frames[top];
        let goal = &self.goals[frame.goal as usize];
        while let Some(clause) = goal.clauses.get(frame.clause as usize) {
            let steps = &clause.plan.steps;
            if frame.at == 0 && frame.forward && !self.enter(&frame, &clause.enter) {
                frame.clause += 1;
                continue;
            }
            loop {
                if !frame.forward {
                    if frame.at == 0 {
                        break;
                    }
                    frame.at -= 1;
                    if self.retry(&frame, &steps[frame.at as usize])? {
                        frame.at += 1;
                        frame.forward = true;
                    }
                    continue;
                }
                let Some(step) = steps.get(frame.at as usize) else {
                    self.conclude(&frame, clause.plan.head, &clause.plan.cols)?;
                    if goal.is_test {
                        return Ok(SubgoalEvent::Proved);
                    }
                    frame.at = clause.plan.cut as u32;
                    frame.forward = false;
                    continue;
                };
                if let Step::Ask { goal, key } = step {
                    self.load(&frame, key);
                    let key = self.memory.subgoal(*goal);
                    match self.memory.marks[*goal][key as usize] {
                        SubgoalStatus::Complete => {}
                        SubgoalStatus::Partial(leader) => frame.lowest = frame.lowest.min(leader),
                        SubgoalStatus::Open(height) => {
                            frame.lowest = frame.lowest.min(height);
                            match height as usize == top {
                                true => frame.is_leader = true,
                                false => self.memory.frames[height as usize].is_leader = true,
                            }
                        }
                        SubgoalStatus::New => {
                            // It comes back to this step.
                            self.memory.frames[top] = frame;
                            let goal = *goal as u32;
                            return Ok(SubgoalEvent::Call { goal, key });
                        }
                    }
                    frame.at += 1;
                } else if self.first(&frame, step)? {
                    frame.at += 1;
                } else {
                    frame.forward = false;
                }
            }
            frame.clause += 1;
            frame.forward = true;
        }
        self.memory.frames[top] = frame;
        Ok(SubgoalEvent::Exhausted)
    }

    /// Gives the variables of a rule's head the values that the subgoal gives; whether they fit.
    fn enter(&mut self, frame: &Frame, cols: &[Col]) -> bool {
        let TabledAnswers { keys, slots, .. } = &mut *self.memory;
        let key = keys[frame.goal as usize].row(frame.key as usize);
        let slots = &mut slots[frame.slots as usize..];
        let mut given = cols.iter().zip(key).enumerate();
        given.all(|(at, (col, &word))| match *col {
            Col::Const(constant) => constant == word,
            Col::Var(var) => {
                let known = cols[..at].contains(col);
                known && slots[var as usize] == word || {
                    slots[var as usize] = word;
                    !known
                }
            }
        })
    }

    /// Whether a step succeeds; of one that has several rows the first is taken.
    fn first(&mut self, frame: &Frame, step: &Step) -> Result<bool, GdlError> {
        Ok(match step {
            Step::Ask { .. } => true,
            Step::Distinct(a, b) => {
                let slots = &self.memory.slots[frame.slots as usize..];
                value(*a, slots) != value(*b, slots)
            }
            Step::Absent { rel, key } => {
                self.load(frame, key);
                self.tables[*rel].find(&self.memory.key).is_none()
            }
            Step::Member { rel, key, .. } => {
                self.load(frame, key);
                self.tables[*rel].find(&self.memory.key).is_some()
            }
            Step::Scan { .. } => self.scan_from(frame, step, 0)?,
            Step::Probe { rel, index, key, .. } => {
                self.load(frame, key);
                let row = self.tables[*rel].first_of(*index, &self.memory.key);
                self.probe_from(frame, step, row)?
            }
        })
    }

    /// Whether a step that has succeeded succeeds with another row.
    fn retry(&mut self, frame: &Frame, step: &Step) -> Result<bool, GdlError> {
        match step {
            Step::Scan { .. } => {
                let row = self.memory.cursors[(frame.cursors + frame.at) as usize];
                self.scan_from(frame, step, row + 1)
            }
            Step::Probe { rel, index, key, .. } => {
                self.load(frame, key);
                let row = self.memory.cursors[(frame.cursors + frame.at) as usize];
                let next = self.tables[*rel].next_of(*index, &self.memory.key, row);
                self.probe_from(frame, step, next)
            }
            _ => Ok(false),
        }
    }

    /// Takes the first row from `row` on that fits.
    fn scan_from(&mut self, frame: &Frame, step: &Step, mut row: u32) -> Result<bool, GdlError> {
        let Step::Scan { rel, fill, .. } = step else {
            return Ok(false);
        };
        let table = &self.tables[*rel];
        let slots = &mut self.memory.slots[frame.slots as usize..];
        while (row as usize) < table.len() {
            self.budget.look()?;
            if fill.apply(table.row(row as usize), slots) {
                self.memory.cursors[(frame.cursors + frame.at) as usize] = row;
                return Ok(true);
            }
            row += 1;
        }
        Ok(false)
    }

    /// Takes `row`, or the first after it in its chain that fits. The key is in `self.memory.key`.
    fn probe_from(&mut self, frame: &Frame, step: &Step, mut row: Option<u32>) -> Result<bool, GdlError> {
        let Step::Probe { rel, index, fill, .. } = step else {
            return Ok(false);
        };
        let table = &self.tables[*rel];
        let TabledAnswers {
            slots, cursors, key, ..
        } = &mut *self.memory;
        let slots = &mut slots[frame.slots as usize..];
        while let Some(number) = row {
            self.budget.look()?;
            if fill.apply(table.row(number as usize), slots) {
                cursors[(frame.cursors + frame.at) as usize] = number;
                return Ok(true);
            }
            row = table.next_of(*index, key, number);
        }
        Ok(false)
    }

    /// Adds the row of the head.
    fn conclude(&mut self, frame: &Frame, head: usize, cols: &[Src]) -> Result<(), GdlError> {
        let TabledAnswers {
            slots, row, answers, ..
        } = &mut *self.memory;
        let slots = &slots[frame.slots as usize..];
        row.clear();
        row.extend(cols.iter().map(|col| value(*col, slots)));
        if self.tables[head].insert(row) {
            *answers += 1;
            self.budget.spend()?;
        }
        Ok(())
    }

    /// Puts the values of a key into the memory.
    fn load(&mut self, frame: &Frame, key: &[Src]) {
        let TabledAnswers { slots, key: words, .. } = &mut *self.memory;
        let slots = &slots[frame.slots as usize..];
        words.clear();
        words.extend(key.iter().map(|src| value(*src, slots)));
    }
}
