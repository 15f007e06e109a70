//! Join plans: rules compiled to a sequence of joins. Variables are slots, and the order of the conditions is fixed, so that it is
//! known which columns are bound at each step.

use super::budget::WorkBudget;
use super::flat::{Col, FlatLiteral, FlatRule, RelId};
use super::goals::Goals;
use super::table::RelationTable;
use crate::GdlError;
use std::ops::Range;

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Src {
    /// It is known.
    Const(u32),
    /// A variable of the rule.
    Slot(u16),
}

/// One step of a join.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Makes sure that the table of a relation that is computed on demand has all rows of a key.
    Ask { goal: usize, key: Box<[Src]> },
    /// All rows of a table, or those of a range.
    Scan {
        rel: RelId,
        fill: Fill,
        ranged: bool,
        literal: usize,
    },
    /// The rows of a table with a key.
    Probe {
        rel: RelId,
        index: usize,
        key: Box<[Src]>,
        fill: Fill,
        literal: usize,
    },
    /// A row is there.
    Member {
        rel: RelId,
        key: Box<[Src]>,
        literal: usize,
    },
    /// A row is not there.
    Absent { rel: RelId, key: Box<[Src]> },
    /// Two values differ.
    Distinct(Src, Src),
}

/// What a row gives to the slots, and what it must agree with.
#[derive(Clone, Debug, Default)]
pub(super) struct Fill {
    bind: Box<[(u8, u16)]>,
    check: Box<[(u8, Src)]>,
}

/// A compiled rule.
#[derive(Clone, Debug)]
pub struct JoinPlan {
    /// The table of the head.
    pub head: RelId,
    pub(super) cols: Box<[Src]>,
    pub(super) steps: Box<[Step]>,
    pub(super) slots: usize,
    /// From this step on nothing of the head is bound: one success is enough.
    pub(super) cut: usize,
}

/// The cost of asking for a relation on demand, in rows of a full table.
const DEMAND: f64 = 30.0;
/// How many values a column of such a relation is assumed to have.
const VALUES: f64 = 6.0;
/// How many rows a table is assumed to have before anything is known of it.
const UNKNOWN: f64 = 60.0;
/// The same, where all that is asked is whether something holds.
const TEST: f64 = 4.0;

/// How plans are made.
pub struct JoinPlanner<'a> {
    /// The tables, for their sizes and for the indexes that the plans need.
    pub tables: &'a mut [RelationTable],
    /// Which tables are full when the plan runs; of the others the size is unknown.
    pub known: &'a dyn Fn(RelId) -> bool,
    /// Which relations are computed on demand, and what is asked of them; none if there are no goals.
    pub goals: Option<&'a mut Goals>,
}

impl JoinPlanner<'_> {
    /// Compiles a rule. With `first`, that condition leads and is read from a range of rows.
    pub fn plan(&mut self, rule: &FlatRule, first: Option<usize>) -> JoinPlan {
        let mut bound = vec![false; rule.vars];
        self.plan_from(rule, first, &mut bound)
    }

    /// Compiles a rule for when the columns `given` of its head are known.
    pub fn plan_goal(&mut self, rule: &FlatRule, given: &[u8]) -> JoinPlan {
        let mut bound = vec![false; rule.vars];
        for &col in given {
            if let Col::Var(var) = rule.cols[col as usize] {
                bound[var as usize] = true;
            }
        }
        self.plan_from(rule, None, &mut bound)
    }

    fn plan_from(&mut self, rule: &FlatRule, first: Option<usize>, bound: &mut [bool]) -> JoinPlan {
        let mut left: Vec<usize> = (0..rule.body.len()).collect();
        let mut steps = Vec::new();
        if let Some(at) = first {
            left.retain(|&l| l != at);
            if let FlatLiteral::Is(rel, cols) = &rule.body[at] {
                let fill = fill(cols, bound, &[]);
                steps.push(Step::Scan {
                    rel: *rel,
                    fill,
                    ranged: true,
                    literal: at,
                });
            }
        }
        while !left.is_empty() {
            let best = (0..left.len())
                .min_by(|&a, &b| {
                    let cost = |l: usize| self.cost(&rule.body[left[l]], bound);
                    cost(a).total_cmp(&cost(b))
                })
                .unwrap_or(0);
            let literal = left.remove(best);
            self.step(&rule.body[literal], literal, bound, &mut steps);
        }
        let cols: Box<[Src]> = rule.cols.iter().map(|col| src(*col)).collect();
        let in_head = |slot: u16| cols.iter().any(|col| matches!(col, Src::Slot(s) if *s == slot));
        let cut = steps
            .iter()
            .rposition(|step| match step {
                Step::Scan { fill, .. } | Step::Probe { fill, .. } => fill.bind.iter().any(|&(_, slot)| in_head(slot)),
                _ => false,
            })
            .map_or(0, |at| at + 1);
        JoinPlan {
            head: rule.head,
            cols,
            steps: steps.into(),
            slots: rule.vars,
            cut,
        }
    }

    /// How many rows a condition is likely to give: tests come first, then what is most bound.
    fn cost(&self, lit: &FlatLiteral, bound: &[bool]) -> f64 {
        let is_bound = |col: &Col| match col {
            Col::Const(_) => true,
            Col::Var(var) => bound[*var as usize],
        };
        match lit {
            FlatLiteral::Distinct(a, b) if is_bound(a) && is_bound(b) => -1.0,
            FlatLiteral::Not(_, cols) if cols.iter().all(is_bound) => -0.5,
            FlatLiteral::Distinct(..) | FlatLiteral::Not(..) => f64::INFINITY,
            FlatLiteral::Is(rel, cols) => {
                let free = cols.iter().filter(|col| !is_bound(col)).count();
                let asked = self.goals.as_ref().is_some_and(|goals| goals.is_asked(*rel));
                if free == 0 {
                    return if asked { TEST } else { 0.0 };
                }
                if asked {
                    // Relations on demand come late, when most of their columns are bound. How many rows must be computed is not known,
                    // but it grows with every free column.
                    return DEMAND * VALUES.powi(free as i32);
                }
                let size = match (self.known)(*rel) {
                    true => self.tables[*rel].len() as f64,
                    false => UNKNOWN,
                };
                // Every bound column is assumed to divide the rows evenly.
                size.max(1.0).powf(free as f64 / cols.len() as f64) + 1e-3 * free as f64
            }
        }
    }

    fn step(&mut self, lit: &FlatLiteral, literal: usize, bound: &mut [bool], steps: &mut Vec<Step>) {
        match lit {
            FlatLiteral::Distinct(a, b) => steps.push(Step::Distinct(src(*a), src(*b))),
            FlatLiteral::Not(rel, cols) => {
                let key: Box<[Src]> = cols.iter().map(|col| src(*col)).collect();
                let all: Vec<u8> = (0..cols.len() as u8).collect();
                steps.extend(self.ask(*rel, &all, &key));
                steps.push(Step::Absent { rel: *rel, key });
            }
            FlatLiteral::Is(rel, cols) => {
                let keyed: Vec<u8> = (0..cols.len())
                    .filter(|&at| match cols[at] {
                        Col::Const(_) => true,
                        Col::Var(var) => bound[var as usize],
                    })
                    .map(|at| at as u8)
                    .collect();
                let key: Box<[Src]> = keyed.iter().map(|&at| src(cols[at as usize])).collect();
                let rel = *rel;
                steps.extend(self.ask(rel, &keyed, &key));
                if keyed.len() == cols.len() {
                    return steps.push(Step::Member { rel, key, literal });
                }
                let fill = fill(cols, bound, &keyed);
                if keyed.is_empty() {
                    return steps.push(Step::Scan {
                        rel,
                        fill,
                        ranged: false,
                        literal,
                    });
                }
                let index = self.tables[rel].index_on(&keyed);
                steps.push(Step::Probe {
                    rel,
                    index,
                    key,
                    fill,
                    literal,
                });
            }
        }
    }

    /// What must be asked before the table of a relation is read, if it is computed on demand.
    fn ask(&mut self, rel: RelId, keyed: &[u8], key: &[Src]) -> Option<Step> {
        let goals = self.goals.as_mut().filter(|goals| goals.is_asked(rel))?;
        Some(Step::Ask {
            goal: goals.number(rel, keyed),
            key: key.into(),
        })
    }
}

fn src(col: Col) -> Src {
    match col {
        Col::Const(value) => Src::Const(value),
        Col::Var(var) => Src::Slot(var),
    }
}

/// What the columns that are not keyed bind and check.
fn fill(cols: &[Col], bound: &mut [bool], keyed: &[u8]) -> Fill {
    let mut bind = Vec::new();
    let mut check = Vec::new();
    for (at, col) in cols.iter().enumerate() {
        let at = at as u8;
        if keyed.contains(&at) {
            continue;
        }
        match *col {
            Col::Var(var) if !bound[var as usize] => {
                bound[var as usize] = true;
                bind.push((at, var));
            }
            col => check.push((at, src(col))),
        }
    }
    Fill {
        bind: bind.into(),
        check: check.into(),
    }
}

/// What is done with every solution of a join.
pub trait Sink {
    /// Takes the head's row and the number of the row that each condition was matched with.
    fn take(&mut self, row: &[u32], matched: &[u32], slots: &[u32]) -> Result<(), GdlError>;
    /// What may be spent on looking.
    fn budget(&mut self) -> &mut WorkBudget;
    /// Whether different ways to the same head matter.
    const EVERY_WAY: bool;
}

/// Buffers of the joins, kept to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct JoinScratch {
    slots: Vec<u32>,
    matched: Vec<u32>,
    row: Vec<u32>,
    key: Vec<u32>,
}

impl JoinPlan {
    /// Finds every solution. `range` is for the leading condition.
    pub fn run<S: Sink>(
        &self,
        tables: &[RelationTable],
        range: Range<usize>,
        scratch: &mut JoinScratch,
        sink: &mut S,
    ) -> Result<(), GdlError> {
        scratch.slots.clear();
        scratch.slots.resize(self.slots, 0);
        scratch.matched.clear();
        scratch.matched.resize(self.steps.len(), 0);
        self.from(0, tables, &range, scratch, sink)?;
        Ok(())
    }

    /// Runs the steps from number `at` on; whether there was a solution.
    fn from<S: Sink>(
        &self,
        at: usize,
        tables: &[RelationTable],
        range: &Range<usize>,
        scratch: &mut JoinScratch,
        sink: &mut S,
    ) -> Result<bool, GdlError> {
        let Some(step) = self.steps.get(at) else {
            let JoinScratch {
                slots, matched, row, ..
            } = scratch;
            row.clear();
            row.extend(self.cols.iter().map(|col| value(*col, slots)));
            sink.take(row, matched, slots)?;
            return Ok(true);
        };
        // Once a row of the head is found, further ways to it do not matter.
        let once = !S::EVERY_WAY && at >= self.cut;
        let mut found = false;
        match step {
            Step::Ask { .. } => unreachable!("only goals are asked for"),
            Step::Distinct(a, b) => {
                if value(*a, &scratch.slots) != value(*b, &scratch.slots) {
                    found = self.from(at + 1, tables, range, scratch, sink)?;
                }
            }
            Step::Absent { rel, key } => {
                if load(key, scratch, |key| tables[*rel].find(key)).is_none() {
                    found = self.from(at + 1, tables, range, scratch, sink)?;
                }
            }
            Step::Member { rel, key, literal } => {
                if let Some(row) = load(key, scratch, |key| tables[*rel].find(key)) {
                    scratch.matched[*literal] = row;
                    found = self.from(at + 1, tables, range, scratch, sink)?;
                }
            }
            Step::Scan {
                rel,
                fill,
                ranged,
                literal,
            } => {
                let table = &tables[*rel];
                let rows = if *ranged { range.clone() } else { 0..table.len() };
                for row in rows {
                    sink.budget().look()?;
                    if fill.apply(table.row(row), &mut scratch.slots) {
                        scratch.matched[*literal] = row as u32;
                        found |= self.from(at + 1, tables, range, scratch, sink)?;
                        if found && once {
                            break;
                        }
                    }
                }
            }
            Step::Probe {
                rel,
                index,
                key,
                fill,
                literal,
            } => {
                let table = &tables[*rel];
                let mut buffer = [0u32; 16];
                let mut long = Vec::new();
                let words = if key.len() <= buffer.len() {
                    &mut buffer[..key.len()]
                } else {
                    long.resize(key.len(), 0);
                    &mut long[..]
                };
                for (word, src) in words.iter_mut().zip(key) {
                    *word = value(*src, &scratch.slots);
                }
                for row in table.chain(*index, words) {
                    sink.budget().look()?;
                    if fill.apply(table.row(row as usize), &mut scratch.slots) {
                        scratch.matched[*literal] = row;
                        found |= self.from(at + 1, tables, range, scratch, sink)?;
                        if found && once {
                            break;
                        }
                    }
                }
            }
        }
        Ok(found)
    }
}

impl Fill {
    #[inline]
    pub(super) fn apply(&self, row: &[u32], slots: &mut [u32]) -> bool {
        for &(col, slot) in &self.bind {
            slots[slot as usize] = row[col as usize];
        }
        self.check
            .iter()
            .all(|&(col, src)| row[col as usize] == value(src, slots))
    }
}

#[inline]
pub(super) fn value(src: Src, slots: &[u32]) -> u32 {
    match src {
        Src::Const(value) => value,
        Src::Slot(slot) => slots[slot as usize],
    }
}

#[inline]
fn load<T>(key: &[Src], scratch: &mut JoinScratch, f: impl FnOnce(&[u32]) -> T) -> T {
    let JoinScratch { slots, key: buffer, .. } = scratch;
    buffer.clear();
    buffer.extend(key.iter().map(|src| value(*src, slots)));
    f(buffer)
}
