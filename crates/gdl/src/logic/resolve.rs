//! Goal-directed evaluation: only what is asked for is worked out, and nothing twice (tabled resolution).
//!
//! A goal with the values of its given columns is a question. Its answers are rows of the relation's table; beside the table
//! stands which questions have all their answers. A question is worked out rule by rule, depth first; a condition on a relation that
//! is worked out on demand is a question of its own, which is answered before the rule goes on.
//!
//! Questions may lead back to themselves. Then the answers found so far are taken, and the first of the questions that
//! depend on each other, the leader, is worked out again until nothing new is found (linear tabling; which questions those are is
//! found as Tarjan finds strongly connected components). Rules are stratified, so what is denied never leads back.
//!
//! The stack of open questions is our own: rule sheets may nest deeply.

use super::budget::Budget;
use super::flat::Col;
use super::goals::Goal;
use super::plan::{Src, Step, value};
use super::table::Table;
use crate::GdlError;

/// How far a question has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    /// Nothing was done about it, or nothing that counts.
    New,
    /// It is on the stack, at this height.
    Open(u32),
    /// All rules were tried, with the answers that were known then to the question at this height, or to one above it.
    Partial(u32),
    /// It has all its answers.
    Complete,
}

/// An open question.
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
    /// The lowest question on the stack that it depends on.
    lowest: u32,
    /// Whether a question above it depends on it.
    is_leader: bool,
    /// How many answers there were when it began, or last began again.
    answers: u64,
    /// Where the partial questions that came after it begin.
    partial: u32,
}

/// What is known of the questions about one position.
#[derive(Clone, Debug)]
pub struct Memory {
    /// For each goal its questions, and how far each has got.
    keys: Vec<Table>,
    marks: Vec<Vec<Mark>>,
    frames: Vec<Frame>,
    slots: Vec<u32>,
    cursors: Vec<u32>,
    /// Partial questions.
    partial: Vec<(u32, u32)>,
    /// How many answers were found.
    answers: u64,
    key: Vec<u32>,
    row: Vec<u32>,
}

/// What became of an open question.
enum Event {
    /// Another must be answered first.
    Call { goal: u32, key: u32 },
    /// It has an answer, and there can be no other.
    Proved,
    /// All rules were tried.
    Exhausted,
}

impl Memory {
    /// Nothing known yet.
    pub fn new(goals: &[Goal]) -> Self {
        Memory {
            keys: goals.iter().map(|goal| Table::new(goal.given.len())).collect(),
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

    /// Forgets the questions of a goal.
    pub fn forget(&mut self, goal: usize) {
        self.keys[goal].clear();
        self.marks[goal].clear();
    }

    /// The number of the question of a goal whose key stands in `self.key`.
    fn question(&mut self, goal: usize) -> u32 {
        if let Some(known) = self.keys[goal].find(&self.key) {
            return known;
        }
        self.keys[goal].insert(&self.key);
        self.marks[goal].push(Mark::New);
        self.marks[goal].len() as u32 - 1
    }

    fn mark(&mut self, goal: u32, key: u32) -> &mut Mark {
        &mut self.marks[goal as usize][key as usize]
    }
}

/// Adds to the tables all rows of a goal whose given columns are `key`. After an error the memory is of no use.
pub fn answer(
    goals: &[Goal],
    goal: usize,
    key: &[u32],
    tables: &mut [Table],
    memory: &mut Memory,
    budget: &mut Budget,
) -> Result<(), GdlError> {
    memory.key.clear();
    memory.key.extend_from_slice(key);
    let key = memory.question(goal);
    if memory.marks[goal][key as usize] == Mark::Complete {
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
            Event::Call { goal, key } => resolver.open(goal, key)?,
            Event::Proved => resolver.close(top, true),
            Event::Exhausted => resolver.close(top, false),
        }
    }
    Ok(())
}

struct Resolver<'a> {
    goals: &'a [Goal],
    tables: &'a mut [Table],
    memory: &'a mut Memory,
    budget: &'a mut Budget,
}

impl Resolver<'_> {
    /// Puts a question on the stack.
    fn open(&mut self, goal: u32, key: u32) -> Result<(), GdlError> {
        self.budget.spend()?;
        let memory = &mut *self.memory;
        let height = memory.frames.len() as u32;
        let (slots, cursors) = (memory.slots.len(), memory.cursors.len());
        let needs = &self.goals[goal as usize];
        memory.slots.resize(slots + needs.slots, 0);
        memory.cursors.resize(cursors + needs.steps, 0);
        *memory.mark(goal, key) = Mark::Open(height);
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

    /// Takes the uppermost question from the stack, or lets it begin again.
    fn close(&mut self, top: usize, proved: bool) {
        let memory = &mut *self.memory;
        let frame = memory.frames[top];
        let height = top as u32;
        if !proved && frame.lowest < height {
            // The leader is further down: whoever depends on this one depends on that.
            memory.frames.pop();
            *memory.mark(frame.goal, frame.key) = Mark::Partial(frame.lowest);
            self.release(&frame, |leader| Mark::Partial(leader.min(frame.lowest)));
            let memory = &mut *self.memory;
            memory.partial.push((frame.goal, frame.key));
            if let Some(parent) = memory.frames.last_mut() {
                parent.lowest = parent.lowest.min(frame.lowest);
            }
        } else if !proved && frame.is_leader && memory.answers > frame.answers {
            // What was taken for all answers of some question may not have been all.
            let own = &mut memory.frames[top];
            own.answers = memory.answers;
            (own.clause, own.at, own.forward) = (0, 0, true);
            return self.release(&frame, |leader| {
                if leader < height {
                    Mark::Partial(leader)
                } else {
                    Mark::New
                }
            });
        } else {
            memory.frames.pop();
            *memory.mark(frame.goal, frame.key) = Mark::Complete;
            // A proof ends before all was tried, so nothing is known of those that depended on it.
            let done = if proved { Mark::New } else { Mark::Complete };
            self.release(
                &frame,
                |leader| if leader < height { Mark::Partial(leader) } else { done },
            );
        }
        self.memory.slots.truncate(frame.slots as usize);
        self.memory.cursors.truncate(frame.cursors as usize);
    }

    /// Marks the partial questions that came after a question anew, by their leaders, and forgets those that are partial no longer.
    fn release(&mut self, frame: &Frame, mark_by: impl Fn(u32) -> Mark) {
        let memory = &mut *self.memory;
        let begin = frame.partial as usize;
        let mut kept = begin;
        for at in begin..memory.partial.len() {
            let (goal, key) = memory.partial[at];
            let mark = &mut memory.marks[goal as usize][key as usize];
            if let Mark::Partial(leader) = *mark {
                *mark = mark_by(leader);
                if matches!(*mark, Mark::Partial(_)) {
                    memory.partial[kept] = (goal, key);
                    kept += 1;
                }
            }
        }
        memory.partial.truncate(kept);
    }

    /// Goes on with the uppermost question until something happens to it.
    fn advance(&mut self, top: usize) -> Result<Event, GdlError> {
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
                        return Ok(Event::Proved);
                    }
                    frame.at = clause.plan.cut as u32;
                    frame.forward = false;
                    continue;
                };
                if let Step::Ask { goal, key } = step {
                    self.load(&frame, key);
                    let key = self.memory.question(*goal);
                    match self.memory.marks[*goal][key as usize] {
                        Mark::Complete => {}
                        Mark::Partial(leader) => frame.lowest = frame.lowest.min(leader),
                        Mark::Open(height) => {
                            frame.lowest = frame.lowest.min(height);
                            match height as usize == top {
                                true => frame.is_leader = true,
                                false => self.memory.frames[height as usize].is_leader = true,
                            }
                        }
                        Mark::New => {
                            // It comes back to this step.
                            self.memory.frames[top] = frame;
                            let goal = *goal as u32;
                            return Ok(Event::Call { goal, key });
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
        Ok(Event::Exhausted)
    }

    /// Gives the variables of a rule's head the values that the question gives; whether they fit.
    fn enter(&mut self, frame: &Frame, cols: &[Col]) -> bool {
        let Memory { keys, slots, .. } = &mut *self.memory;
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

    /// Takes `row`, or the first after it in its chain that fits. The key stands in the memory.
    fn probe_from(&mut self, frame: &Frame, step: &Step, mut row: Option<u32>) -> Result<bool, GdlError> {
        let Step::Probe { rel, index, fill, .. } = step else {
            return Ok(false);
        };
        let table = &self.tables[*rel];
        let Memory {
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
        let Memory {
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
        let Memory { slots, key: words, .. } = &mut *self.memory;
        let slots = &slots[frame.slots as usize..];
        words.clear();
        words.extend(key.iter().map(|src| value(*src, slots)));
    }
}
