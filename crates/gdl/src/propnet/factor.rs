//! Rules that ask for static relations too large to be listed: what they ask is made a decision diagram ([`super::diagram`]), and the
//! rule is worked out one condition after the other, with the node of the diagram as all that is remembered of those before.
//!
//! "The marks of this row are a permutation" has 362,880 ground rules for each row of a sudoku; read cell by cell, with the set of marks
//! so far as the memory, it has 2,304.

use super::diagram::{DiagramColumn, DiagramNode, Diagrams, NEVER};
use crate::GdlError;
use crate::logic::domain::{self, ConstantSet};
use crate::logic::{Col, FlatLiteral, FlatRule, Rel, RelId, RelationKind, RelationTable, Statics, WorkBudget};
use std::collections::HashMap;

/// Replaces, as far as it can, what rules ask of static relations that have no table.
pub fn factor(statics: &mut Statics, budget: &mut WorkBudget) -> Result<(), GdlError> {
    let is_large: Vec<bool> = (0..statics.is_static.len())
        .map(|rel| statics.is_timeless[rel] && !statics.is_static[rel])
        .collect();
    let asks = |rule: &FlatRule| {
        rule.body
            .iter()
            .any(|lit| relation(lit).is_some_and(|rel| is_large[rel]))
    };
    let wanted = |rule: &FlatRule| !is_large[rule.head] && !statics.is_static[rule.head] && asks(rule);
    if !statics.program.rules.iter().any(wanted) {
        return Ok(());
    }
    let program = &statics.program;
    let arities: Vec<usize> = program.rels.iter().map(|rel| rel.arity).collect();
    let given = program.facts.iter().map(|(rel, row)| (*rel, &row[..]));
    let kinds = |rel: RelId| program.rels[rel].kind;
    let domains = domain::columns(&arities, kinds, given, &program.rules, budget)?;
    let mut factoring = Factoring {
        fresh: greatest(statics) + 1,
        first: program.rels.len(),
        is_large: &is_large,
        statics,
        domains,
        steps: HashMap::new(),
        added: Vec::new(),
        gave_up: false,
    };
    let mut rules: Vec<FlatRule> = Vec::new();
    for rule in &program.rules {
        let factored = if wanted(rule) && !factoring.gave_up {
            factoring.rule(rule, budget)?
        } else {
            None
        };
        match factored {
            Some(factored) => rules.extend(factored),
            None => rules.push(rule.clone()),
        }
    }
    let added = factoring.added;
    let own: Vec<bool> = (0..is_large.len())
        .map(|rel| is_large[rel] && kinds(rel) == RelationKind::Own)
        .collect();
    statics.program.rules = needed(rules, &own);
    for (arity, table) in added {
        statics.is_static.push(table.is_some());
        statics.is_timeless.push(table.is_some());
        statics.tables.push(table.unwrap_or_else(|| RelationTable::new(arity)));
        statics.program.rels.push(Rel {
            kind: RelationKind::Own,
            skeletons: Vec::new(),
            arity,
        });
    }
    Ok(())
}

/// The rules without those of large relations of the sheet's own that nobody asks for any more.
fn needed(mut rules: Vec<FlatRule>, is_large: &[bool]) -> Vec<FlatRule> {
    let mut kept: Vec<bool> = is_large.iter().map(|large| !large).collect();
    let keeps = |kept: &[bool], rel: RelId| kept.get(rel) != Some(&false);
    let mut grew = true;
    while std::mem::take(&mut grew) {
        for rule in rules.iter().filter(|rule| keeps(&kept, rule.head)).collect::<Vec<_>>() {
            for rel in rule.body.iter().filter_map(relation) {
                grew |= !keeps(&kept, rel);
                kept.get_mut(rel).into_iter().for_each(|kept| *kept = true);
            }
        }
    }
    rules.retain(|rule| keeps(&kept, rule.head));
    rules
}

/// The greatest constant there is.
fn greatest(statics: &Statics) -> u32 {
    let tables = statics.tables.iter().flat_map(RelationTable::rows).flatten().copied();
    let facts = statics.program.facts.iter().flat_map(|(_, row)| row).copied();
    let in_lit = |lit: &FlatLiteral| match lit {
        FlatLiteral::Is(_, cols) | FlatLiteral::Not(_, cols) => cols.clone(),
        FlatLiteral::Distinct(a, b) => vec![*a, *b],
    };
    let rules = statics.program.rules.iter();
    let cols = rules.flat_map(|rule| rule.body.iter().flat_map(in_lit).chain(rule.cols.iter().copied()));
    let constants = cols.filter_map(|col| match col {
        Col::Const(value) => Some(value),
        Col::Var(_) => None,
    });
    tables.chain(facts).chain(constants).max().unwrap_or(0)
}

fn relation(lit: &FlatLiteral) -> Option<RelId> {
    match lit {
        FlatLiteral::Is(rel, _) | FlatLiteral::Not(rel, _) => Some(*rel),
        FlatLiteral::Distinct(..) => None,
    }
}

fn vars(lit: &FlatLiteral) -> Vec<u16> {
    let of = |cols: &[Col]| {
        let var = |col: &Col| match col {
            Col::Var(var) => Some(*var),
            Col::Const(_) => None,
        };
        cols.iter().filter_map(var).collect()
    };
    match lit {
        FlatLiteral::Is(_, cols) | FlatLiteral::Not(_, cols) => of(cols),
        FlatLiteral::Distinct(a, b) => of(&[*a, *b]),
    }
}

struct Factoring<'a> {
    statics: &'a Statics,
    /// The static relations that have no table.
    is_large: &'a [bool],
    domains: Vec<Vec<ConstantSet>>,
    /// The first constant that nobody uses: nodes are numbered from there.
    fresh: u32,
    /// The number of the first relation that is added.
    first: RelId,
    /// The relations of steps, by their rows.
    steps: HashMap<Vec<Vec<u32>>, RelId>,
    /// What is added: arity, and the rows if it is static.
    added: Vec<(usize, Option<RelationTable>)>,
    /// A diagram was too large: then others will be, and each takes its time.
    gave_up: bool,
}

impl Factoring<'_> {
    /// The rules that stand for a rule; nothing if there is no diagram for what it asks.
    fn rule(&mut self, rule: &FlatRule, budget: &mut WorkBudget) -> Result<Option<Vec<FlatRule>>, GdlError> {
        let large = |lit: &&FlatLiteral| relation(lit).is_some_and(|rel| self.is_large[rel]);
        let (asked, others): (Vec<&FlatLiteral>, Vec<&FlatLiteral>) = rule.body.iter().partition(large);
        let stages = self.stages(&asked, &others);
        let order: Vec<u16> = stages.iter().flatten().copied().collect();
        let domains = order.iter().map(|&var| self.values(rule, var)).collect();
        let mut diagrams = Diagrams::new(self.statics, domains);
        let mut root = diagrams.anything(budget)?;
        for lit in asked {
            let (FlatLiteral::Is(rel, cols) | FlatLiteral::Not(rel, cols)) = lit else {
                continue;
            };
            let place = |col: &Col| match col {
                Col::Const(value) => Some(DiagramColumn::Value(*value)),
                Col::Var(var) => order.iter().position(|known| known == var).map(DiagramColumn::Level),
            };
            let Some(places) = cols.iter().map(place).collect::<Option<Vec<DiagramColumn>>>() else {
                return Ok(None);
            };
            let Some(mut node) = diagrams.holds(*rel, &places, 0, budget)? else {
                self.gave_up |= diagrams.is_too_large();
                return Ok(None);
            };
            if matches!(lit, FlatLiteral::Not(..)) {
                node = diagrams.not(node, budget)?;
            }
            root = diagrams.combine(true, root, node, budget)?;
        }
        if diagrams.is_too_large() {
            self.gave_up = true;
            return Ok(None);
        }
        if root == NEVER {
            return Ok(Some(Vec::new()));
        }
        self.chain(rule, &others, &stages, &diagrams, root, budget).map(Some)
    }

    /// The variables of what is asked, by the condition that gives them: one of the position if there is any.
    fn stages(&self, asked: &[&FlatLiteral], others: &[&FlatLiteral]) -> Vec<Vec<u16>> {
        let mut left: Vec<u16> = Vec::new();
        for var in asked.iter().flat_map(|lit| vars(lit)) {
            if !left.contains(&var) {
                left.push(var);
            }
        }
        let mut stages: Vec<Vec<u16>> = Vec::new();
        for lit in others {
            if let FlatLiteral::Is(rel, _) = lit
                && !self.statics.is_static[*rel]
            {
                let own = vars(lit);
                let given: Vec<u16> = left.iter().copied().filter(|var| own.contains(var)).collect();
                left.retain(|var| !given.contains(var));
                stages.extend((!given.is_empty()).then_some(given));
            }
        }
        match stages.last_mut() {
            Some(last) => last.extend(left),
            None => stages.push(left),
        }
        stages
    }

    /// What a variable of a rule can be.
    fn values(&self, rule: &FlatRule, var: u16) -> Vec<u32> {
        let mut all: Option<ConstantSet> = None;
        for lit in &rule.body {
            let FlatLiteral::Is(rel, cols) = lit else { continue };
            for (col, domain) in cols.iter().zip(&self.domains[*rel]) {
                if *col == Col::Var(var) {
                    let all = all.get_or_insert_with(|| domain.clone());
                    domain::intersect(all, domain);
                }
            }
        }
        all.iter().flat_map(domain::members).collect()
    }

    /// A rule for every stage, each from the one before.
    fn chain(
        &mut self,
        rule: &FlatRule,
        others: &[&FlatLiteral],
        stages: &[Vec<u16>],
        diagrams: &Diagrams,
        root: DiagramNode,
        budget: &mut WorkBudget,
    ) -> Result<Vec<FlatRule>, GdlError> {
        let mut placed = place(others, stages);
        let mut rules = Vec::new();
        let mut nodes = vec![root];
        let mut before: Option<FlatLiteral> = None;
        for (number, own) in stages.iter().enumerate() {
            let is_last = number + 1 == stages.len();
            let memory = |number: usize| Col::Var((rule.vars + number) as u16);
            // The step from node to node, by the values of the stage. There is one node at first and at last, which need not be named.
            let mut next = Vec::new();
            let mut rows = Vec::new();
            for (from, &node) in (self.fresh..).zip(&nodes) {
                let named = if number > 0 { vec![from] } else { Vec::new() };
                self.paths(diagrams, node, own.len(), named, is_last, &mut next, &mut rows, budget)?;
            }
            let mut step: Vec<Col> = Vec::new();
            step.extend((number > 0).then(|| memory(number - 1)));
            step.extend(own.iter().map(|&var| Col::Var(var)));
            step.extend((!is_last).then(|| memory(number)));
            let mut body: Vec<FlatLiteral> = before.take().into_iter().collect();
            body.append(&mut placed[number]);
            body.push(FlatLiteral::Is(self.step(rows, step.len()), step));
            nodes = next;
            let (head, cols) = if is_last {
                (rule.head, rule.cols.clone())
            } else {
                let mut cols = carried(rule, &body, &placed[number + 1..], &stages[number + 1..]);
                cols.push(memory(number));
                let head = self.first + self.added.len();
                self.added.push((cols.len(), None));
                before = Some(FlatLiteral::Is(head, cols.clone()));
                (head, cols)
            };
            rules.push(FlatRule {
                head,
                cols,
                body,
                vars: rule.vars + stages.len(),
            });
        }
        Ok(rules)
    }

    /// The rows of all ways from a node through so many variables.
    #[allow(clippy::too_many_arguments, reason = "a recursion that fills two lists")]
    fn paths(
        &self,
        diagrams: &Diagrams,
        node: DiagramNode,
        left: usize,
        row: Vec<u32>,
        is_last: bool,
        next: &mut Vec<DiagramNode>,
        rows: &mut Vec<Vec<u32>>,
        budget: &mut WorkBudget,
    ) -> Result<(), GdlError> {
        if left > 0 {
            for &(value, child) in diagrams.edges(node) {
                let row = [&row[..], &[value]].concat();
                self.paths(diagrams, child, left - 1, row, is_last, next, rows, budget)?;
            }
            return Ok(());
        }
        budget.spend()?;
        let mut row = row;
        if !is_last {
            let known = next.iter().position(|&known| known == node);
            let at = known.unwrap_or_else(|| {
                next.push(node);
                next.len() - 1
            });
            row.push(self.fresh + at as u32);
        }
        rows.push(row);
        Ok(())
    }

    /// The relation of a step.
    fn step(&mut self, rows: Vec<Vec<u32>>, arity: usize) -> RelId {
        let next = self.first + self.added.len();
        let mut table = RelationTable::new(arity);
        rows.iter().for_each(|row| {
            table.insert(row);
        });
        let rel = *self.steps.entry(rows).or_insert(next);
        if rel == next {
            self.added.push((arity, Some(table)));
        }
        rel
    }
}

/// The conditions by the stage at which they are looked at: that of the last variable they give or need.
fn place(others: &[&FlatLiteral], stages: &[Vec<u16>]) -> Vec<Vec<FlatLiteral>> {
    let mut placed: Vec<Vec<FlatLiteral>> = vec![Vec::new(); stages.len()];
    let mut known: Vec<Vec<u16>> = stages.to_vec();
    let holds = |lit: &FlatLiteral| matches!(lit, FlatLiteral::Is(..));
    for lit in others.iter().filter(|lit| holds(lit)) {
        let own = vars(lit);
        let stage = stages
            .iter()
            .rposition(|stage| stage.iter().any(|var| own.contains(var)));
        let stage = stage.unwrap_or(0);
        known[stage].extend(own);
        placed[stage].push((*lit).clone());
    }
    for lit in others.iter().filter(|lit| !holds(lit)) {
        let knows = |var: &u16| known.iter().position(|known| known.contains(var)).unwrap_or(0);
        let stage = vars(lit).iter().map(knows).max().unwrap_or(0);
        placed[stage].push((*lit).clone());
    }
    placed
}

/// The variables that are known after a stage and needed later.
fn carried(rule: &FlatRule, body: &[FlatLiteral], later: &[Vec<FlatLiteral>], stages: &[Vec<u16>]) -> Vec<Col> {
    let mut wanted: Vec<Col> = rule.cols.clone();
    wanted.extend(later.iter().flatten().flat_map(vars).map(Col::Var));
    wanted.extend(stages.iter().flatten().map(|&var| Col::Var(var)));
    let mut cols: Vec<Col> = Vec::new();
    for col in body.iter().flat_map(vars).map(Col::Var) {
        if wanted.contains(&col) && !cols.contains(&col) {
            cols.push(col);
        }
    }
    cols
}
