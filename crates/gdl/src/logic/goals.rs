//! The goals of top-down evaluation: a goal is a relation and which of its columns are given (its binding pattern).

use super::flat::{Col, FlatProgram, RelId};
use super::plan::{JoinPlan, JoinPlanner};
use super::table::RelationTable;
use std::collections::HashMap;

/// The goals that occur, numbered as they are met.
#[derive(Clone, Debug)]
pub struct Goals {
    /// Which relations are computed on demand.
    asked: Vec<bool>,
    numbers: HashMap<(RelId, Box<[u8]>), usize>,
    list: Vec<(RelId, Box<[u8]>)>,
}

impl Goals {
    /// No goals yet, of these relations.
    pub fn new(asked: Vec<bool>) -> Self {
        Goals {
            asked,
            numbers: HashMap::new(),
            list: Vec::new(),
        }
    }

    /// Whether a relation is computed on demand.
    pub fn is_asked(&self, rel: RelId) -> bool {
        self.asked[rel]
    }

    /// The number of a goal.
    pub fn number(&mut self, rel: RelId, given: &[u8]) -> usize {
        let key = (rel, given.into());
        let next = self.list.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.list.push((rel, given.into()));
        }
        number
    }
}

/// A goal and the rules that lead to it.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The relation.
    pub rel: RelId,
    /// The columns that are given.
    pub given: Box<[u8]>,
    /// Whether all are: then the first success is the last.
    pub is_test: bool,
    /// The rules for it.
    pub(super) clauses: Vec<Clause>,
    /// The most variables and the most steps that one of them has.
    pub(super) slots: usize,
    pub(super) steps: usize,
}

/// A rule that leads to a goal.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// What the given columns must be or become.
    pub enter: Box<[Col]>,
    pub plan: JoinPlan,
}

/// Compiles the goals that `wanted` relations lead to when nothing of them is given. The first goals are theirs, in order.
pub fn compile(
    program: &FlatProgram,
    asked: &[bool],
    wanted: &[RelId],
    tables: &mut [RelationTable],
    known: &dyn Fn(RelId) -> bool,
) -> Vec<Goal> {
    let mut by_head: Vec<Vec<usize>> = vec![Vec::new(); program.rels.len()];
    for (number, rule) in program.rules.iter().enumerate() {
        by_head[rule.head].push(number);
    }
    let mut goals = Goals::new(asked.to_vec());
    for &rel in wanted {
        goals.number(rel, &[]);
    }
    let mut compiled: Vec<Goal> = Vec::new();
    while let Some((rel, given)) = goals.list.get(compiled.len()).cloned() {
        let clauses: Vec<Clause> = by_head[rel]
            .iter()
            .map(|&number| {
                let rule = &program.rules[number];
                let mut planner = JoinPlanner {
                    tables,
                    known,
                    goals: Some(&mut goals),
                };
                Clause {
                    enter: given.iter().map(|&col| rule.cols[col as usize]).collect(),
                    plan: planner.plan_goal(rule, &given),
                }
            })
            .collect();
        compiled.push(Goal {
            rel,
            is_test: given.len() == program.rels[rel].arity,
            slots: clauses.iter().map(|clause| clause.plan.slots).max().unwrap_or(0),
            steps: clauses.iter().map(|clause| clause.plan.steps.len()).max().unwrap_or(0),
            given,
            clauses,
        });
    }
    compiled
}
