//! Stratification: no relation may depend on its own negation.
//!
//! Rules are evaluated relation by relation, and a relation must be complete before it is negated. In some sheets `(goal ?r 0)`
//! follows from the negation of `(goal ?r 100)`: the relation `goal` depends on its own negation, but no fact of it does. Such
//! relations are split by their constants, `goal` into `goal … 0` and `goal … 100`, and then the rules are stratified.

use super::budget::WorkBudget;
use super::domain::{self, ConstantSet};
use super::engine::{Component, components};
use super::flat::{Col, FlatLiteral, FlatProgram, FlatRule, Rel, RelId, RelationKind};
use crate::GdlError;
use std::collections::{BTreeMap, BTreeSet};

/// After so many rounds of splitting, a cycle is taken to be a real one.
const MOST_ROUNDS: usize = 4;

/// Splits relations until no relation depends on its own negation; an error if that does not help.
pub fn stratify(program: &mut FlatProgram, budget: &mut WorkBudget) -> Result<(), GdlError> {
    for _ in 0..MOST_ROUNDS {
        let cycles = cycles(program);
        if cycles.is_empty() {
            return Ok(());
        }
        let domains = domains(program, budget)?;
        let mut gone = BTreeSet::new();
        for cycle in cycles {
            if RelationSplit::new(program, &cycle, &domains).apply(budget)? {
                gone.extend(cycle.rules);
            }
        }
        if gone.is_empty() {
            break;
        }
        let mut number = 0;
        program.rules.retain(|_| {
            number += 1;
            !gone.contains(&(number - 1))
        });
    }
    match cycles(program).is_empty() {
        true => Ok(()),
        false => Err(GdlError::NegationCycle {
            name: program.name.clone(),
        }),
    }
}

/// The components in which a relation depends on its own negation.
fn cycles(program: &FlatProgram) -> Vec<Component> {
    let denies_itself = |component: &Component| {
        component.rules.iter().any(|&rule| {
            let body = &program.rules[rule].body;
            body.iter()
                .any(|lit| matches!(lit, FlatLiteral::Not(rel, _) if component.rels.contains(rel)))
        })
    };
    let components = components(program.rels.len(), &program.rules);
    components.into_iter().filter(denies_itself).collect()
}

fn domains(program: &FlatProgram, budget: &mut WorkBudget) -> Result<Vec<Vec<ConstantSet>>, GdlError> {
    let arities: Vec<usize> = program.rels.iter().map(|rel| rel.arity).collect();
    let given = program.facts.iter().map(|(rel, row)| (*rel, &row[..]));
    domain::columns(&arities, |rel| program.rels[rel].kind, given, &program.rules, budget)
}

/// The relations of a cycle in pieces, one for each choice of constants for some of its columns.
struct RelationSplit<'a> {
    program: &'a mut FlatProgram,
    domains: &'a [Vec<ConstantSet>],
    rules: Vec<usize>,
    /// Of each relation of the cycle the columns that are split.
    columns: BTreeMap<RelId, Vec<usize>>,
    pieces: BTreeMap<(RelId, Vec<u32>), RelId>,
}

impl<'a> RelationSplit<'a> {
    /// Splits by every column in which a rule of the cycle has a constant.
    fn new(program: &'a mut FlatProgram, cycle: &Component, domains: &'a [Vec<ConstantSet>]) -> Self {
        let mut columns: BTreeMap<RelId, Vec<usize>> = cycle.rels.iter().map(|&rel| (rel, Vec::new())).collect();
        for &number in &cycle.rules {
            let rule = &program.rules[number];
            let body = rule.body.iter().filter_map(|lit| match lit {
                FlatLiteral::Is(rel, cols) | FlatLiteral::Not(rel, cols) => Some((rel, cols)),
                FlatLiteral::Distinct(..) => None,
            });
            for (rel, cols) in body.chain([(&rule.head, &rule.cols)]) {
                let Some(known) = columns.get_mut(rel) else { continue };
                let constant = |at: &usize| matches!(cols[*at], Col::Const(_)) && !known.contains(at);
                let new: Vec<usize> = (0..cols.len()).filter(constant).collect();
                known.extend(new);
            }
        }
        columns.retain(|_, columns| !columns.is_empty());
        columns.values_mut().for_each(|columns| columns.sort_unstable());
        RelationSplit {
            program,
            domains,
            rules: cycle.rules.clone(),
            columns,
            pieces: BTreeMap::new(),
        }
    }

    /// Adds the rules of the pieces; the old ones must go. False if there is nothing to split by.
    fn apply(mut self, budget: &mut WorkBudget) -> Result<bool, GdlError> {
        if self.columns.is_empty() {
            return Ok(false);
        }
        let mut rules = Vec::new();
        for number in std::mem::take(&mut self.rules) {
            let rule = self.program.rules[number].clone();
            self.cases(rule, &mut rules, budget)?;
        }
        for at in 0..self.program.facts.len() {
            let (rel, row) = self.program.facts[at].clone();
            if self.columns.contains_key(&rel) {
                let cols: Vec<Col> = row.iter().map(|&value| Col::Const(value)).collect();
                let (piece, cols) = self.piece(rel, &cols);
                let rest = cols.iter().filter_map(|col| match col {
                    Col::Const(value) => Some(*value),
                    Col::Var(_) => None,
                });
                self.program.facts[at] = (piece, rest.collect());
            }
        }
        // Everywhere else the relation is the union of its pieces.
        for ((rel, constants), piece) in &self.pieces {
            let split = &self.columns[rel];
            let mut constants = constants.iter();
            let mut next = 0;
            let mut fresh = || {
                next += 1;
                Col::Var(next - 1)
            };
            let cols: Vec<Col> = (0..self.program.rels[*rel].arity)
                .map(|at| match split.contains(&at) {
                    true => constants.next().map_or(Col::Const(0), |&value| Col::Const(value)),
                    false => fresh(),
                })
                .collect();
            let rest = cols.iter().copied().filter(|col| matches!(col, Col::Var(_))).collect();
            rules.push(FlatRule {
                head: *rel,
                vars: usize::from(next),
                body: vec![FlatLiteral::Is(*piece, rest)],
                cols,
            });
        }
        self.program.rules.extend(rules);
        Ok(true)
    }

    /// The cases of a rule: one for each choice of values for the variables that stand in split columns.
    fn cases(&mut self, rule: FlatRule, out: &mut Vec<FlatRule>, budget: &mut WorkBudget) -> Result<(), GdlError> {
        let open = self.open_variable(&rule);
        let Some((var, values)) = open else {
            budget.spend()?;
            let case = self.in_pieces(rule);
            out.extend(case);
            return Ok(());
        };
        for value in values {
            if let Some(case) = with_value(&rule, var, value) {
                self.cases(case, out, budget)?;
            }
        }
        Ok(())
    }

    /// A variable in a split column, and what it can be.
    fn open_variable(&self, rule: &FlatRule) -> Option<(u16, Vec<u32>)> {
        let body = rule.body.iter().filter_map(|lit| match lit {
            FlatLiteral::Is(rel, cols) | FlatLiteral::Not(rel, cols) => Some((rel, cols)),
            FlatLiteral::Distinct(..) => None,
        });
        let var = body.chain([(&rule.head, &rule.cols)]).find_map(|(rel, cols)| {
            self.columns.get(rel)?.iter().find_map(|&at| match cols[at] {
                Col::Var(var) => Some(var),
                Col::Const(_) => None,
            })
        })?;
        Some((var, self.values(rule, var)))
    }

    /// What a variable can be, by the conditions that must hold.
    fn values(&self, rule: &FlatRule, var: u16) -> Vec<u32> {
        let holds = rule.body.iter().filter_map(|lit| match lit {
            FlatLiteral::Is(rel, cols) => Some((*rel, cols)),
            _ => None,
        });
        let places = holds.flat_map(|(rel, cols)| {
            let own = (0..cols.len()).filter(move |&at| cols[at] == Col::Var(var));
            own.map(move |at| &self.domains[rel][at])
        });
        let common = places.cloned().reduce(|mut a, b| {
            a.iter_mut().zip(&b).for_each(|(a, b)| *a &= b);
            a
        });
        common.map_or_else(Vec::new, |set| domain::members(&set).collect())
    }

    /// A rule whose split columns are all constants, over pieces.
    fn in_pieces(&mut self, mut rule: FlatRule) -> Option<FlatRule> {
        let mut body = Vec::new();
        for lit in rule.body {
            body.push(match lit {
                FlatLiteral::Is(rel, cols) => {
                    let (rel, cols) = self.piece(rel, &cols);
                    FlatLiteral::Is(rel, cols)
                }
                FlatLiteral::Not(rel, cols) => {
                    let (rel, cols) = self.piece(rel, &cols);
                    FlatLiteral::Not(rel, cols)
                }
                FlatLiteral::Distinct(Col::Const(a), Col::Const(b)) if a == b => return None,
                FlatLiteral::Distinct(Col::Const(_), Col::Const(_)) => continue,
                lit => lit,
            });
        }
        rule.body = body;
        (rule.head, rule.cols) = self.piece(rule.head, &rule.cols);
        Some(rule)
    }

    /// The piece of a relation for some columns, and the columns that are left.
    fn piece(&mut self, rel: RelId, cols: &[Col]) -> (RelId, Vec<Col>) {
        let Some(split) = self.columns.get(&rel) else {
            return (rel, cols.to_vec());
        };
        let constants = split.iter().filter_map(|&at| match cols[at] {
            Col::Const(value) => Some(value),
            Col::Var(_) => None,
        });
        let key = (rel, constants.collect());
        let rest: Vec<Col> = (0..cols.len())
            .filter(|at| !split.contains(at))
            .map(|at| cols[at])
            .collect();
        let rels = &mut self.program.rels;
        let piece = *self.pieces.entry(key).or_insert_with(|| {
            rels.push(Rel {
                kind: RelationKind::Own,
                skeletons: Vec::new(),
                arity: rest.len(),
            });
            rels.len() - 1
        });
        (piece, rest)
    }
}

/// A rule with a value for a variable; `None` if it cannot hold then.
fn with_value(rule: &FlatRule, var: u16, value: u32) -> Option<FlatRule> {
    let put = |col: &Col| if *col == Col::Var(var) { Col::Const(value) } else { *col };
    let mut body = Vec::with_capacity(rule.body.len());
    for lit in &rule.body {
        body.push(match lit {
            FlatLiteral::Is(rel, cols) => FlatLiteral::Is(*rel, cols.iter().map(put).collect()),
            FlatLiteral::Not(rel, cols) => FlatLiteral::Not(*rel, cols.iter().map(put).collect()),
            FlatLiteral::Distinct(a, b) => match (put(a), put(b)) {
                (Col::Const(a), Col::Const(b)) if a == b => return None,
                (Col::Const(_), Col::Const(_)) => continue,
                (a, b) => FlatLiteral::Distinct(a, b),
            },
        });
    }
    Some(FlatRule {
        head: rule.head,
        cols: rule.cols.iter().map(put).collect(),
        body,
        vars: rule.vars,
    })
}
