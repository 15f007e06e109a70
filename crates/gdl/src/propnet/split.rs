//! Splitting rules into smaller ones before they are grounded.
//!
//! A rule is grounded once for every value of all its variables together. If a variable occurs in some conditions only
//! and not in the head, those conditions can be joined first, into a relation of their own, without that variable: the
//! sum of the two sizes is often far below their product. Hex's `connected` goes from half a million clauses to
//! thirteen thousand this way. Static relations that are themselves defined by one rule are unfolded where that makes
//! such a split possible (the `set` of Quarto).

use crate::GdlError;
use crate::logic::domain;
use crate::logic::{Col, FlatLiteral, FlatRule, RelId, RelationKind, Statics, WorkBudget};
use std::collections::HashMap;

/// A split must save at least this much of the estimated size.
const WORTH: f64 = 0.7;
/// Static relations with fewer rows than this are never unfolded.
const UNFOLD: usize = 256;
/// Rules with more conditions than this are left as they are.
const LONGEST: usize = 60;

/// Rules after splitting.
pub struct SplitRules {
    /// The rules.
    pub rules: Vec<FlatRule>,
    /// The arities of the relations that were added, numbered after those of the program.
    pub added: Vec<usize>,
}

/// Splits the rules of relations that depend on the position.
pub fn split(statics: &Statics, budget: &mut WorkBudget) -> Result<SplitRules, GdlError> {
    let dynamic: Vec<FlatRule> = statics
        .program
        .rules
        .iter()
        .filter(|rule| !statics.is_static[rule.head])
        .cloned()
        .collect();
    let mut splitter = Splitter {
        statics,
        sizes: sizes(statics, &dynamic, budget)?,
        first_added: statics.program.rels.len(),
        added: Vec::new(),
        known: HashMap::new(),
        out: Vec::new(),
    };
    for rule in &dynamic {
        budget.check_clock()?;
        let pieces = splitter.best(rule);
        splitter.install(pieces);
    }
    Ok(SplitRules {
        rules: splitter.out,
        added: splitter.added,
    })
}

/// For every relation, for every column, how many constants it can hold; 1 at least.
fn sizes(statics: &Statics, rules: &[FlatRule], budget: &mut WorkBudget) -> Result<Vec<Vec<f64>>, GdlError> {
    let rels = &statics.program.rels;
    let arities: Vec<usize> = rels.iter().map(|rel| rel.arity).collect();
    let tables = statics.tables.iter().enumerate();
    let given = tables.flat_map(|(rel, table)| table.rows().map(move |row| (rel, row)));
    let domains = domain::columns(&arities, |rel| rels[rel].kind, given, rules, budget)?;
    let size = |set| f64::from(domain::count(set).max(1));
    Ok(domains.iter().map(|cols| cols.iter().map(size).collect()).collect())
}

/// A rule in pieces. Literals of the last piece refer to earlier ones by numbers from `HOLE` on.
struct Pieces {
    rules: Vec<FlatRule>,
    cost: f64,
}

/// Relations of pieces that are not installed yet are numbered from here.
const HOLE: RelId = RelId::MAX / 2;

struct Splitter<'a> {
    statics: &'a Statics,
    sizes: Vec<Vec<f64>>,
    first_added: RelId,
    added: Vec<usize>,
    /// What each added relation means, so that equal ones are added once.
    known: HashMap<(Vec<FlatLiteral>, Vec<Col>), RelId>,
    out: Vec<FlatRule>,
}

impl Splitter<'_> {
    /// The cheapest way found: as it is, or with a static relation unfolded.
    fn best(&self, rule: &FlatRule) -> Pieces {
        let mut best = self.pieces(rule.clone());
        if rule.body.len() > LONGEST {
            return best;
        }
        for at in 0..rule.body.len() {
            if let Some(unfolded) = self.unfold(rule, at) {
                let other = self.pieces(unfolded);
                if other.cost < best.cost * WORTH {
                    best = other;
                }
            }
        }
        best
    }

    /// The rule with condition number `at` replaced by its definition.
    fn unfold(&self, rule: &FlatRule, at: usize) -> Option<FlatRule> {
        let FlatLiteral::Is(rel, args) = &rule.body[at] else {
            return None;
        };
        let program = &self.statics.program;
        if !self.statics.is_static[*rel] || self.statics.tables[*rel].len() < UNFOLD {
            return None;
        }
        let mut definitions = program.rules.iter().filter(|rule| rule.head == *rel);
        let definition = definitions.next()?;
        if definitions.next().is_some() || program.facts.iter().any(|(fact, _)| fact == rel) {
            return None;
        }
        // The head's variables become the arguments, the others are new.
        let mut names: Vec<Option<Col>> = vec![None; definition.vars];
        for (col, arg) in definition.cols.iter().zip(args) {
            match col {
                Col::Var(var) if names[*var as usize].is_none() => names[*var as usize] = Some(*arg),
                _ => return None,
            }
        }
        let mut vars = rule.vars;
        let mut rename = |col: &Col| match col {
            Col::Const(_) => *col,
            Col::Var(var) => *names[*var as usize].get_or_insert_with(|| {
                vars += 1;
                Col::Var(vars as u16 - 1)
            }),
        };
        let mut body = rule.body.clone();
        body.swap_remove(at);
        for lit in &definition.body {
            body.push(match lit {
                FlatLiteral::Is(rel, _) if *rel == definition.head => return None,
                FlatLiteral::Is(rel, cols) => FlatLiteral::Is(*rel, cols.iter().map(&mut rename).collect()),
                FlatLiteral::Not(rel, cols) => FlatLiteral::Not(*rel, cols.iter().map(&mut rename).collect()),
                FlatLiteral::Distinct(a, b) => FlatLiteral::Distinct(rename(a), rename(b)),
            });
        }
        Some(FlatRule {
            head: rule.head,
            cols: rule.cols.clone(),
            body,
            vars,
        })
    }

    /// Splits greedily as long as it pays.
    fn pieces(&self, mut rule: FlatRule) -> Pieces {
        let sizes = self.var_sizes(&rule);
        let mut rules = Vec::new();
        let mut cost = 0.0;
        while rule.body.len() <= LONGEST {
            let whole = self.estimate(&sizes, &rule.body);
            let head = vars_of(&rule.cols);
            let mut best: Option<(f64, f64, FlatRule, FlatRule)> = None;
            for var in (0..rule.vars as u16).filter(|var| !head.contains(var)) {
                let Some((inner, outer)) = eliminate(&rule, var, HOLE + rules.len(), &self.statics.is_static) else {
                    continue;
                };
                let inner_cost = self.estimate(&sizes, &inner.body);
                let both = inner_cost + self.estimate(&sizes, &outer.body);
                if both < whole * WORTH && best.as_ref().is_none_or(|(least, ..)| both < *least) {
                    best = Some((both, inner_cost, inner, outer));
                }
            }
            let Some((_, inner_cost, inner, outer)) = best else {
                break;
            };
            cost += inner_cost;
            rules.push(inner);
            rule = outer;
        }
        cost += self.estimate(&sizes, &rule.body);
        rules.push(rule);
        Pieces { rules, cost }
    }

    /// How many values each variable can have.
    fn var_sizes(&self, rule: &FlatRule) -> Vec<f64> {
        let mut sizes = vec![f64::INFINITY; rule.vars];
        for lit in &rule.body {
            if let FlatLiteral::Is(rel, cols) = lit {
                for (col, &domain) in cols.iter().zip(&self.sizes[*rel]) {
                    if let Col::Var(var) = col {
                        let size = &mut sizes[*var as usize];
                        *size = size.min(domain);
                    }
                }
            }
        }
        sizes
    }

    /// How many ground instances a body has, roughly: all values of its variables, less what static relations exclude.
    fn estimate(&self, sizes: &[f64], body: &[FlatLiteral]) -> f64 {
        let mut present: Vec<u16> = body
            .iter()
            .filter(|lit| matches!(lit, FlatLiteral::Is(..)))
            .flat_map(lit_vars)
            .collect();
        present.sort_unstable();
        present.dedup();
        let mut estimate: f64 = present.iter().map(|&var| sizes[var as usize]).product();
        for lit in body {
            if let FlatLiteral::Is(rel, cols) = lit
                && self.statics.is_static.get(*rel) == Some(&true)
            {
                let possible: f64 = cols
                    .iter()
                    .zip(&self.sizes[*rel])
                    .map(|(col, &domain)| match col {
                        Col::Const(_) => domain,
                        Col::Var(var) => sizes[*var as usize],
                    })
                    .product();
                estimate *= (self.statics.tables[*rel].len() as f64 / possible.max(1.0)).min(1.0);
            }
        }
        estimate
    }

    /// Gives the pieces their relations.
    fn install(&mut self, pieces: Pieces) {
        let mut given: Vec<RelId> = Vec::new();
        let last = pieces.rules.len() - 1;
        for (at, rule) in pieces.rules.into_iter().enumerate() {
            let mut rule = compact(rule);
            for lit in &mut rule.body {
                if let FlatLiteral::Is(rel, _) = lit
                    && *rel >= HOLE
                {
                    *rel = given[*rel - HOLE];
                }
            }
            if at == last {
                self.out.push(rule);
                break;
            }
            let meaning = (rule.body.clone(), rule.cols.clone());
            if let Some(&rel) = self.known.get(&meaning) {
                given.push(rel);
                continue;
            }
            let rel = self.first_added + self.added.len();
            self.added.push(rule.cols.len());
            self.known.insert(meaning, rel);
            given.push(rel);
            rule.head = rel;
            self.out.push(rule);
        }
    }
}

fn vars_of(cols: &[Col]) -> Vec<u16> {
    cols.iter()
        .filter_map(|col| match col {
            Col::Var(var) => Some(*var),
            Col::Const(_) => None,
        })
        .collect()
}

fn lit_vars(lit: &FlatLiteral) -> Vec<u16> {
    match lit {
        FlatLiteral::Is(_, cols) | FlatLiteral::Not(_, cols) => vars_of(cols),
        FlatLiteral::Distinct(a, b) => vars_of(&[*a, *b]),
    }
}

/// The conditions on `var` as a rule for relation `hole`, and the rule that uses it. `None` if nothing would be left.
fn eliminate(rule: &FlatRule, var: u16, hole: RelId, is_static: &[bool]) -> Option<(FlatRule, FlatRule)> {
    let touches = |lit: &FlatLiteral| lit_vars(lit).contains(&var);
    let mut inside: Vec<u16> = Vec::new();
    for lit in rule
        .body
        .iter()
        .filter(|lit| matches!(lit, FlatLiteral::Is(..)) && touches(lit))
    {
        inside.extend(lit_vars(lit));
    }
    inside.sort_unstable();
    inside.dedup();
    if inside.is_empty() {
        return None;
    }
    let within = |lit: &FlatLiteral| lit_vars(lit).iter().all(|var| inside.contains(var));
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    for lit in &rule.body {
        let filter = match lit {
            FlatLiteral::Is(rel, _) => is_static.get(*rel) == Some(&true) && within(lit),
            FlatLiteral::Not(..) => false,
            FlatLiteral::Distinct(..) => within(lit),
        };
        if touches(lit) || filter {
            if !within(lit) {
                return None;
            }
            inner.push(lit.clone());
        } else {
            outer.push(lit.clone());
        }
    }
    let dynamic = |lit: &FlatLiteral| matches!(lit, FlatLiteral::Is(rel, _) | FlatLiteral::Not(rel, _) if is_static.get(*rel) != Some(&true));
    if !inner.iter().any(dynamic) || outer.is_empty() {
        return None;
    }
    let mut wanted = vars_of(&rule.cols);
    outer.iter().for_each(|lit| wanted.extend(lit_vars(lit)));
    let cols: Vec<Col> = inside
        .iter()
        .filter(|var| wanted.contains(var))
        .map(|&var| Col::Var(var))
        .collect();
    outer.push(FlatLiteral::Is(hole, cols.clone()));
    Some((
        FlatRule {
            head: hole,
            cols,
            body: inner,
            vars: rule.vars,
        },
        FlatRule {
            body: outer,
            ..rule.clone()
        },
    ))
}

/// The rule with its variables numbered in the order in which they occur.
fn compact(mut rule: FlatRule) -> FlatRule {
    let mut numbers: HashMap<u16, u16> = HashMap::new();
    let mut rename = |col: &mut Col| {
        if let Col::Var(var) = col {
            let next = numbers.len() as u16;
            *var = *numbers.entry(*var).or_insert(next);
        }
    };
    for lit in &mut rule.body {
        match lit {
            FlatLiteral::Is(_, cols) | FlatLiteral::Not(_, cols) => cols.iter_mut().for_each(&mut rename),
            FlatLiteral::Distinct(a, b) => [a, b].into_iter().for_each(&mut rename),
        }
    }
    rule.cols.iter_mut().for_each(&mut rename);
    rule.vars = numbers.len();
    rule
}

/// The table that a relation's rows are kept in: what may come next is what may be true, and what is legal may be done.
pub fn table_of(statics: &Statics, rel: RelId) -> RelId {
    match statics.program.rels.get(rel).map(|rel| rel.kind) {
        Some(RelationKind::Next(twin) | RelationKind::Legal(twin)) => twin,
        _ => rel,
    }
}
