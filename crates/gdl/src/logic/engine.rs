//! Bottom-up evaluation: components of mutually recursive relations one after the other, each by semi-naive rounds.

use super::budget::WorkBudget;
use super::flat::{FlatLiteral, FlatRule, RelId};
use super::plan::{JoinPlan, JoinPlanner, JoinScratch, Sink};
use super::table::RelationTable;
use crate::GdlError;

/// Relations that depend on each other, after everything they depend on.
#[derive(Clone, Debug)]
pub struct Component {
    /// The relations.
    pub rels: Vec<RelId>,
    /// The numbers of the rules that define them.
    pub rules: Vec<usize>,
}

/// The components of `rules` over `rels` relations, in the order of evaluation.
pub fn components(rels: usize, rules: &[FlatRule]) -> Vec<Component> {
    let mut edges = vec![Vec::new(); rels];
    let mut by_head = vec![Vec::new(); rels];
    for (number, rule) in rules.iter().enumerate() {
        by_head[rule.head].push(number);
        for lit in &rule.body {
            if let FlatLiteral::Is(rel, _) | FlatLiteral::Not(rel, _) = lit {
                edges[rule.head].push(*rel as u32);
            }
        }
    }
    super::graph::components(rels, |node| &edges[node])
        .into_iter()
        .map(|component| {
            let rels: Vec<RelId> = component.into_iter().map(|rel| rel as usize).collect();
            let rules = rels.iter().flat_map(|&rel| by_head[rel].iter().copied()).collect();
            Component { rels, rules }
        })
        .collect()
}

/// A component, compiled.
#[derive(Clone, Debug)]
pub struct Stratum {
    /// The relations.
    pub rels: Vec<RelId>,
    /// Rules that do not depend on the component itself.
    once: Vec<JoinPlan>,
    /// Rules that do, one plan for each condition that does, with the relation whose new rows lead.
    rounds: Vec<(JoinPlan, RelId)>,
}

impl Stratum {
    /// Compiles the rules of a component.
    pub fn new(component: &Component, rules: &[FlatRule], planner: &mut JoinPlanner) -> Self {
        let mut stratum = Stratum {
            rels: component.rels.clone(),
            once: Vec::new(),
            rounds: Vec::new(),
        };
        for rule in component.rules.iter().map(|&number| &rules[number]) {
            let recursive: Vec<(usize, RelId)> = rule
                .body
                .iter()
                .enumerate()
                .filter_map(|(at, lit)| match lit {
                    FlatLiteral::Is(rel, _) if component.rels.contains(rel) => Some((at, *rel)),
                    _ => None,
                })
                .collect();
            if recursive.is_empty() {
                stratum.once.push(planner.plan(rule, None));
            }
            for (at, rel) in recursive {
                stratum.rounds.push((planner.plan(rule, Some(at)), rel));
            }
        }
        stratum
    }

    /// Fills the tables of the component.
    pub fn evaluate(
        &self,
        tables: &mut [RelationTable],
        work: &mut EvalScratch,
        budget: &mut WorkBudget,
    ) -> Result<(), GdlError> {
        for plan in &self.once {
            work.run(plan, tables, 0..0, budget)?;
        }
        if self.rounds.is_empty() {
            return Ok(());
        }
        let mut seen = vec![0; self.rels.len()];
        loop {
            let now: Vec<usize> = self.rels.iter().map(|&rel| tables[rel].len()).collect();
            if now == seen {
                return Ok(());
            }
            for (plan, lead) in &self.rounds {
                let at = self.rels.iter().position(|rel| rel == lead).unwrap_or(0);
                if seen[at] < now[at] {
                    work.run(plan, tables, seen[at]..now[at], budget)?;
                }
            }
            seen = now;
        }
    }
}

/// Buffers of the evaluation, kept to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct EvalScratch {
    scratch: JoinScratch,
    data: Vec<u32>,
    /// The relation of the last plan, and how many rows it gave.
    last: (RelId, usize),
}

/// The rows that a plan finds.
struct Rows<'a> {
    data: &'a mut Vec<u32>,
    count: usize,
    budget: &'a mut WorkBudget,
}

impl EvalScratch {
    /// The relation that rows were last found for, and how many: after an error, those that were found when it happened.
    pub fn last(&self) -> (RelId, usize) {
        self.last
    }

    /// Runs a plan and adds its rows to its head's table.
    fn run(
        &mut self,
        plan: &JoinPlan,
        tables: &mut [RelationTable],
        range: std::ops::Range<usize>,
        budget: &mut WorkBudget,
    ) -> Result<(), GdlError> {
        self.data.clear();
        let mut rows = Rows {
            data: &mut self.data,
            count: 0,
            budget,
        };
        let ended = plan.run(tables, range, &mut self.scratch, &mut rows);
        let count = rows.count;
        self.last = (plan.head, count);
        ended?;
        let head = &mut tables[plan.head];
        match head.arity() {
            0 if count > 0 => {
                head.insert(&[]);
            }
            0 => {}
            arity => self.data.chunks_exact(arity).for_each(|row| {
                head.insert(row);
            }),
        }
        Ok(())
    }
}

impl Sink for Rows<'_> {
    const EVERY_WAY: bool = false;

    fn take(&mut self, row: &[u32], _: &[u32], _: &[u32]) -> Result<(), GdlError> {
        self.count += 1;
        self.data.extend_from_slice(row);
        self.budget.spend()
    }

    fn budget(&mut self) -> &mut WorkBudget {
        self.budget
    }
}
