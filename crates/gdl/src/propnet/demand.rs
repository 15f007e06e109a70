//! Demand: of relations that are too large to be derived as a whole, only those rows are derived that some rule asks for (magic
//! sets).
//!
//! Each such relation gets a guard: the values of some of its columns that are asked for, as a relation. Its rules begin with the
//! guard, and wherever a rule asks for the relation, what it asks with is a rule for the guard. Guards do not depend on the
//! position, as negations that do are taken to hold and facts to be possible: they only say what is grounded.

use crate::GdlError;
use crate::logic::{Col, FlatLiteral, FlatRule, RelId, WorkBudget};
use std::collections::{BTreeMap, HashSet};

/// Rules with guards.
#[derive(Debug)]
pub struct DemandedRules {
    /// The rules, and those of the guards.
    pub rules: Vec<FlatRule>,
    /// The arities of the guards, numbered after all relations.
    pub guards: Vec<usize>,
    /// What is asked for whatever the position.
    pub facts: Vec<(RelId, Vec<u32>)>,
}

/// Guards the relations in `large`, as far as rules ask for them with known values; `None` if that is none of them. Guards are
/// numbered from `first`.
pub fn demand(
    rules: &[FlatRule],
    large: &[RelId],
    first: RelId,
    is_static: &dyn Fn(RelId) -> bool,
    budget: &WorkBudget,
) -> Result<Option<DemandedRules>, GdlError> {
    let mut columns: BTreeMap<RelId, Vec<usize>> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| large.contains(&rule.head)) {
        columns.insert(rule.head, (0..rule.cols.len()).collect());
    }
    let mut demand = Demand { columns, is_static };
    demand.bind(rules, budget)?;
    if demand.columns.is_empty() {
        return Ok(None);
    }
    Ok(Some(demand.guarded(rules, first)))
}

struct Demand<'a> {
    /// The relations that are guarded, and the columns of which all that is asked is known.
    columns: BTreeMap<RelId, Vec<usize>>,
    is_static: &'a dyn Fn(RelId) -> bool,
}

/// Where a rule asks for a guarded relation: the condition, and those that are known before it.
struct Call {
    literal: usize,
    before: Vec<usize>,
}

impl Demand<'_> {
    /// Leaves the columns that every rule knows when it asks. Relations of which nothing is known are not guarded.
    fn bind(&mut self, rules: &[FlatRule], budget: &WorkBudget) -> Result<(), GdlError> {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for rule in rules {
                budget.check_clock()?;
                for call in self.calls(rule) {
                    let (rel, cols) = atom(&rule.body[call.literal]);
                    let known = self.known(rule, &call.before);
                    let Some(columns) = self.columns.get_mut(&rel) else {
                        continue;
                    };
                    let before = columns.len();
                    columns.retain(|&col| match cols[col] {
                        Col::Const(_) => true,
                        Col::Var(var) => known.contains(&var),
                    });
                    changed |= columns.len() != before;
                }
            }
            let guarded = self.columns.len();
            self.columns.retain(|_, columns| !columns.is_empty());
            changed |= self.columns.len() != guarded;
        }
        Ok(())
    }

    /// Where a rule asks for guarded relations. What is not guarded is there anyway, so it comes first as far as it hangs together
    /// with what is known; guarded relations follow in the order in which most of them is known.
    fn calls(&self, rule: &FlatRule) -> Vec<Call> {
        let mut known = self.known(rule, &[]);
        let guarded = |at: usize| self.columns.contains_key(&atom(&rule.body[at]).0);
        let holds = |at: &usize| matches!(rule.body[*at], FlatLiteral::Is(..));
        let (mut asked, mut free): (Vec<usize>, Vec<usize>) =
            (0..rule.body.len()).filter(holds).partition(|&at| guarded(at));
        let mut calls = Vec::new();
        let mut before: Vec<usize> = Vec::new();
        let alone = known.is_empty();
        loop {
            let joins = |at: &usize| alone || vars(&rule.body[*at]).iter().any(|var| known.contains(var));
            let next = if let Some(at) = free.iter().position(joins) {
                free.remove(at)
            } else if !asked.is_empty() {
                let share = |&at: &usize| {
                    let (_, cols) = atom(&rule.body[at]);
                    let bound = cols.iter().filter(|col| match col {
                        Col::Const(_) => true,
                        Col::Var(var) => known.contains(var),
                    });
                    bound.count() * 1000 / cols.len().max(1)
                };
                let best = (0..asked.len()).rev().max_by_key(|&at| share(&asked[at])).unwrap_or(0);
                let literal = asked.remove(best);
                calls.push(Call {
                    literal,
                    before: before.clone(),
                });
                literal
            } else {
                break;
            };
            before.push(next);
            known.extend(vars(&rule.body[next]));
        }
        before.extend(free);
        for (literal, lit) in rule.body.iter().enumerate() {
            if let FlatLiteral::Not(rel, _) = lit
                && self.columns.contains_key(rel)
            {
                calls.push(Call {
                    literal,
                    before: before.clone(),
                });
            }
        }
        calls
    }

    /// The variables that are known from the guard of a rule's head and from these conditions.
    fn known(&self, rule: &FlatRule, before: &[usize]) -> HashSet<u16> {
        let guard = self.guard_cols(rule.head, &rule.cols);
        let guard = guard.iter().filter_map(variable);
        guard
            .chain(before.iter().flat_map(|&at| vars(&rule.body[at])))
            .collect()
    }

    /// The columns of a relation that its guard has; none without a guard.
    fn guard_cols(&self, rel: RelId, cols: &[Col]) -> Vec<Col> {
        let columns = self.columns.get(&rel).into_iter().flatten();
        columns.map(|&col| cols[col]).collect()
    }

    fn guarded(&self, rules: &[FlatRule], first: RelId) -> DemandedRules {
        let numbers: BTreeMap<RelId, RelId> = self.columns.keys().copied().zip(first..).collect();
        let guard = |rel: RelId, cols: &[Col]| {
            let number = numbers.get(&rel)?;
            Some(FlatLiteral::Is(*number, self.guard_cols(rel, cols)))
        };
        let mut out = DemandedRules {
            rules: Vec::new(),
            guards: self.columns.values().map(Vec::len).collect(),
            facts: Vec::new(),
        };
        let mut asked: HashSet<FlatRule> = HashSet::new();
        for rule in rules {
            let own = guard(rule.head, &rule.cols);
            for call in self.calls(rule) {
                let (rel, cols) = atom(&rule.body[call.literal]);
                let (Some(&head), cols) = (numbers.get(&rel), self.guard_cols(rel, cols)) else {
                    continue;
                };
                let row: Option<Vec<u32>> = cols.iter().map(constant).collect();
                if let Some(row) = row {
                    out.facts.push((head, row));
                    continue;
                }
                let before = call.before.iter().map(|&at| &rule.body[at]);
                let body = self.asking(rule, &cols, own.iter().chain(before));
                let asks = FlatRule {
                    head,
                    body,
                    cols,
                    vars: rule.vars,
                };
                let idle = asks.body.contains(&FlatLiteral::Is(asks.head, asks.cols.clone()));
                if !idle && asked.insert(asks.clone()) {
                    out.rules.push(asks);
                }
            }
            let mut rule = rule.clone();
            if let Some(own) = own {
                rule.body.insert(0, own);
            }
            out.rules.push(rule);
        }
        out
    }

    /// The conditions of a rule for a guard: of those that come before, what hangs together with what is asked, and comparisons.
    fn asking<'b>(
        &self,
        rule: &FlatRule,
        cols: &[Col],
        before: impl Iterator<Item = &'b FlatLiteral>,
    ) -> Vec<FlatLiteral> {
        let mut known: HashSet<u16> = cols.iter().filter_map(variable).collect();
        let mut left: Vec<&FlatLiteral> = before.collect();
        let mut body: Vec<FlatLiteral> = Vec::new();
        while let Some(at) = left
            .iter()
            .position(|lit| vars(lit).iter().any(|var| known.contains(var)))
        {
            let lit = left.remove(at);
            known.extend(vars(lit));
            body.push(lit.clone());
        }
        let tests = rule.body.iter().filter(|lit| match lit {
            FlatLiteral::Is(..) => false,
            FlatLiteral::Not(rel, _) => (self.is_static)(*rel) && vars(lit).iter().all(|var| known.contains(var)),
            FlatLiteral::Distinct(..) => vars(lit).iter().all(|var| known.contains(var)),
        });
        body.extend(tests.cloned());
        body
    }
}

/// The relation and the columns of a condition; comparisons have none.
fn atom(lit: &FlatLiteral) -> (RelId, &[Col]) {
    match lit {
        FlatLiteral::Is(rel, cols) | FlatLiteral::Not(rel, cols) => (*rel, cols),
        FlatLiteral::Distinct(..) => (RelId::MAX, &[]),
    }
}

fn variable(col: &Col) -> Option<u16> {
    match col {
        Col::Var(var) => Some(*var),
        Col::Const(_) => None,
    }
}

fn constant(col: &Col) -> Option<u32> {
    match col {
        Col::Const(value) => Some(*value),
        Col::Var(_) => None,
    }
}

fn vars(lit: &FlatLiteral) -> Vec<u16> {
    match lit {
        FlatLiteral::Is(_, cols) | FlatLiteral::Not(_, cols) => cols.iter().filter_map(variable).collect(),
        FlatLiteral::Distinct(a, b) => [a, b].into_iter().filter_map(variable).collect(),
    }
}
