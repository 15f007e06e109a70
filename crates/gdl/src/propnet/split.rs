//! Splitting rules into smaller ones before they are grounded.
//!
//! A rule is grounded once for every value of all its variables together. If a variable occurs in some conditions only
//! and not in the head, those conditions can be joined first, into a relation of their own, without that variable: the
//! sum of the two sizes is often far below their product. Hex's `connected` goes from half a million clauses to
//! thirteen thousand this way. Static relations are unfolded, replaced by their definitions, where that makes such a split
//! possible (the `set` of Quarto; the `different_cells` of chess, which are in different files or in different ranks).
//!
//! What is joined first may deny something of variables that only the rest of the rule knows (whether the king, wherever it is, is
//! safe after a move). Then it is worked out for all of their values that the rest could ever ask for, which a guard knows: a
//! relation that says what is grounded and is no condition.

use super::join::{AddedRelation, HOLE, Pieces, join};
use super::narrow::Domains;
use crate::GdlError;
use crate::logic::domain;
use crate::logic::{Col, FlatLiteral, FlatRule, RelId, RelationKind, Statics, WorkBudget};

/// A split must save at least this much of the estimated size.
const WORTH: f64 = 0.7;
/// Static relations with fewer rows than this are never unfolded.
const UNFOLD: usize = 256;
/// Nor are those with more definitions than this.
const MOST_DEFINITIONS: usize = 4;
/// Rules with more conditions than this are left as they are.
const LONGEST: usize = 60;

/// Rules after splitting.
pub struct SplitRules {
    /// The rules.
    pub rules: Vec<FlatRule>,
    /// The relations that were added, numbered after those of the program.
    pub added: Vec<AddedRelation>,
}

/// What a split must save, and how large a static relation must be to be unfolded.
#[derive(Clone, Copy, Debug)]
pub struct SplitEffort {
    worth: f64,
    unfold: usize,
}

impl SplitEffort {
    /// What pays.
    pub const USUAL: SplitEffort = SplitEffort {
        worth: WORTH,
        unfold: UNFOLD,
    };
    /// Whatever can be split, for tests.
    #[cfg(test)]
    pub const ALL: SplitEffort = SplitEffort {
        worth: f64::INFINITY,
        unfold: 0,
    };
}

/// Splits the rules of relations that depend on the position.
pub fn split(
    statics: &Statics,
    domains: &Domains,
    effort: SplitEffort,
    budget: &mut WorkBudget,
) -> Result<SplitRules, GdlError> {
    let size = |set| f64::from(domain::count(set).max(1));
    let splitter = Splitter {
        statics,
        sizes: domains.iter().map(|cols| cols.iter().map(size).collect()).collect(),
        effort,
    };
    let mut pieces = Vec::new();
    for rule in statics
        .program
        .rules
        .iter()
        .filter(|rule| !statics.is_static[rule.head])
    {
        budget.check_clock()?;
        pieces.extend(splitter.best(rule));
    }
    let (rules, added) = join(pieces, statics.program.rels.len());
    Ok(SplitRules { rules, added })
}

struct Splitter<'a> {
    statics: &'a Statics,
    sizes: Vec<Vec<f64>>,
    effort: SplitEffort,
}

impl Splitter<'_> {
    /// The cheapest way found: as it is, or with a static relation unfolded.
    fn best(&self, rule: &FlatRule) -> Vec<Pieces> {
        let (one, mut least) = self.pieces(rule.clone());
        let mut best = vec![one];
        if rule.body.len() > LONGEST {
            return best;
        }
        for at in 0..rule.body.len() {
            let Some(unfolded) = self.unfold(rule, at) else {
                continue;
            };
            let (other, costs): (Vec<Pieces>, Vec<f64>) = unfolded.into_iter().map(|rule| self.pieces(rule)).unzip();
            let cost: f64 = costs.iter().sum();
            if cost < least * self.effort.worth {
                (best, least) = (other, cost);
            }
        }
        best
    }

    /// The rule with condition number `at` replaced by its definition: one rule for each that there is.
    fn unfold(&self, rule: &FlatRule, at: usize) -> Option<Vec<FlatRule>> {
        let FlatLiteral::Is(rel, args) = &rule.body[at] else {
            return None;
        };
        let program = &self.statics.program;
        if !self.statics.is_static[*rel] || self.statics.tables[*rel].len() < self.effort.unfold {
            return None;
        }
        let definitions: Vec<&FlatRule> = program.rules.iter().filter(|rule| rule.head == *rel).collect();
        if !(1..=MOST_DEFINITIONS).contains(&definitions.len()) || program.facts.iter().any(|(fact, _)| fact == rel) {
            return None;
        }
        definitions
            .into_iter()
            .map(|definition| unfolded(rule, at, args, definition))
            .collect()
    }

    /// Splits greedily as long as it pays; the pieces, and what they cost together.
    fn pieces(&self, mut rule: FlatRule) -> (Pieces, f64) {
        let sizes = self.var_sizes(&rule);
        let mut pieces = Pieces::default();
        // How many rows each piece has.
        let mut rows: Vec<f64> = Vec::new();
        let mut cost = 0.0;
        while rule.body.len() <= LONGEST {
            let whole = self.estimate(&sizes, &rows, &rule.body);
            let head = vars_of(&rule.cols);
            let mut best: Option<(f64, Elimination)> = None;
            for var in (0..rule.vars as u16).filter(|var| !head.contains(var)) {
                let next = HOLE + pieces.rules.len();
                let Some(way) = eliminate(&rule, var, next, &self.statics.is_static) else {
                    continue;
                };
                let mut rows = rows.clone();
                let mut both = self.more(&sizes, &mut rows, &way);
                both += self.estimate(&sizes, &rows, &way.outer.body);
                if both < whole * self.effort.worth && best.as_ref().is_none_or(|(least, _)| both < *least) {
                    best = Some((both, way));
                }
            }
            let Some((_, way)) = best else {
                break;
            };
            cost += self.more(&sizes, &mut rows, &way);
            if let Some(guard) = way.guard {
                pieces.guards.push(guard.head);
                pieces.rules.push(guard);
            }
            pieces.rules.push(way.inner);
            rule = way.outer;
        }
        cost += self.estimate(&sizes, &rows, &rule.body);
        pieces.rules.push(rule);
        (pieces, cost)
    }

    /// What is inside costs, and how many rows it has.
    fn more(&self, sizes: &[f64], rows: &mut Vec<f64>, way: &Elimination) -> f64 {
        let mut cost = 0.0;
        for rule in way.guard.iter().chain([&way.inner]) {
            let found = self.estimate(sizes, rows, &rule.body);
            let most: f64 = vars_of(&rule.cols).iter().map(|&var| sizes[var as usize]).product();
            rows.push(found.min(most));
            cost += found;
        }
        cost
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

    /// How many ground instances a body has, roughly: all values of its variables, less what static relations and pieces, of so many
    /// rows, exclude.
    fn estimate(&self, sizes: &[f64], pieces: &[f64], body: &[FlatLiteral]) -> f64 {
        let mut present: Vec<u16> = body
            .iter()
            .filter(|lit| matches!(lit, FlatLiteral::Is(..)))
            .flat_map(lit_vars)
            .collect();
        present.sort_unstable();
        present.dedup();
        let mut estimate: f64 = present.iter().map(|&var| sizes[var as usize]).product();
        for lit in body {
            let FlatLiteral::Is(rel, cols) = lit else { continue };
            let rows = match self.statics.is_static.get(*rel) {
                Some(true) => self.statics.tables[*rel].len() as f64,
                Some(false) => continue,
                None => pieces[*rel - HOLE],
            };
            let possible: f64 = cols
                .iter()
                .enumerate()
                .map(|(at, col)| match col {
                    Col::Const(_) => self.sizes.get(*rel).map_or(1.0, |sizes| sizes[at]),
                    Col::Var(var) => sizes[*var as usize],
                })
                .product();
            estimate *= (rows / possible.max(1.0)).min(1.0);
        }
        estimate
    }
}

/// A rule with condition number `at`, of these arguments, replaced by a definition of its relation.
fn unfolded(rule: &FlatRule, at: usize, args: &[Col], definition: &FlatRule) -> Option<FlatRule> {
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
        let lit = match lit {
            FlatLiteral::Is(rel, _) if *rel == definition.head => return None,
            FlatLiteral::Is(rel, cols) => FlatLiteral::Is(*rel, cols.iter().map(&mut rename).collect()),
            FlatLiteral::Not(rel, cols) => FlatLiteral::Not(*rel, cols.iter().map(&mut rename).collect()),
            FlatLiteral::Distinct(a, b) => FlatLiteral::Distinct(rename(a), rename(b)),
        };
        if !body.contains(&lit) {
            body.push(lit);
        }
    }
    Some(FlatRule {
        head: rule.head,
        cols: rule.cols.clone(),
        body,
        vars,
    })
}

/// The variables of columns.
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

/// A rule without one of its variables.
struct Elimination {
    /// Which values of other variables must be looked at inside, as far as no condition there says: as a relation and its rule.
    guard: Option<FlatRule>,
    /// The conditions on the variable.
    inner: FlatRule,
    /// The others.
    outer: FlatRule,
}

/// The conditions on `var` as a rule for relation `hole`, or the one after it if there is a guard, and the rule that uses it. `None` if
/// nothing would be left.
fn eliminate(rule: &FlatRule, var: u16, hole: RelId, is_static: &[bool]) -> Option<Elimination> {
    let touches = |lit: &FlatLiteral| lit_vars(lit).contains(&var);
    let holds = |lit: &FlatLiteral| matches!(lit, FlatLiteral::Is(..));
    let is_static = |lit: &FlatLiteral| matches!(lit, FlatLiteral::Is(rel, _) if is_static.get(*rel) == Some(&true));
    let mut inside: Vec<u16> = Vec::new();
    for lit in rule.body.iter().filter(|lit| holds(lit) && touches(lit)) {
        inside.extend(lit_vars(lit));
    }
    if inside.is_empty() {
        return None;
    }
    // Values that a comparison or a denial needs beside these come from a static condition, if there is one for them alone, or from a
    // guard.
    let mut missing: Vec<u16> = Vec::new();
    for other in rule.body.iter().filter(|lit| touches(lit)).flat_map(lit_vars) {
        let gives = |lit: &FlatLiteral| {
            let vars = lit_vars(lit);
            let known = |var: &u16| *var == other || inside.contains(var);
            is_static(lit) && vars.contains(&other) && vars.iter().all(known)
        };
        if !inside.contains(&other) {
            if !rule.body.iter().any(gives) {
                missing.push(other);
            }
            inside.push(other);
        }
    }
    let guard = match missing[..] {
        [] => None,
        _ => Some(guard(rule, &missing, &inside, hole)?),
    };
    let within = |lit: &FlatLiteral| lit_vars(lit).iter().all(|var| inside.contains(var));
    let (mut inner, mut outer) = (Vec::new(), Vec::new());
    inner.extend(guard.iter().map(|guard| FlatLiteral::Is(hole, guard.cols.clone())));
    for lit in &rule.body {
        let filter = match lit {
            FlatLiteral::Is(..) => is_static(lit) && within(lit),
            FlatLiteral::Not(..) => false,
            FlatLiteral::Distinct(..) => within(lit),
        };
        if touches(lit) || filter {
            inner.push(lit.clone());
        } else {
            outer.push(lit.clone());
        }
    }
    let moves = |lit: &FlatLiteral| !matches!(lit, FlatLiteral::Distinct(..)) && !is_static(lit);
    if !inner.iter().any(moves) || outer.is_empty() {
        return None;
    }
    let mut wanted = vars_of(&rule.cols);
    outer.iter().for_each(|lit| wanted.extend(lit_vars(lit)));
    // In the order in which they occur, so that equal pieces of different rules look alike.
    let mut cols: Vec<Col> = Vec::new();
    for var in inner.iter().flat_map(lit_vars).map(Col::Var) {
        if wanted.iter().any(|&wanted| Col::Var(wanted) == var) && !cols.contains(&var) {
            cols.push(var);
        }
    }
    let head = hole + usize::from(guard.is_some());
    outer.push(FlatLiteral::Is(head, cols.clone()));
    Some(Elimination {
        inner: FlatRule {
            head,
            cols,
            body: inner,
            vars: rule.vars,
        },
        outer: FlatRule {
            body: outer,
            ..rule.clone()
        },
        guard,
    })
}

/// A rule that says which values the missing variables can have together, and others that are inside: by conditions that have them.
/// `None` if these are no fewer than the conditions themselves give.
fn guard(rule: &FlatRule, missing: &[u16], inside: &[u16], hole: RelId) -> Option<FlatRule> {
    let mut left: Vec<u16> = missing.to_vec();
    let mut body: Vec<FlatLiteral> = Vec::new();
    while !left.is_empty() {
        let covers = |lit: &&FlatLiteral| lit_vars(lit).iter().filter(|var| left.contains(var)).count();
        let holding = rule.body.iter().filter(|lit| matches!(lit, FlatLiteral::Is(..)));
        let best = holding.rev().max_by_key(covers).filter(|lit| covers(lit) > 0)?;
        left.retain(|var| !lit_vars(best).contains(var));
        body.push(best.clone());
    }
    let mut cols: Vec<Col> = Vec::new();
    for var in body.iter().flat_map(lit_vars) {
        if inside.contains(&var) && !cols.contains(&Col::Var(var)) {
            cols.push(Col::Var(var));
        }
    }
    Some(FlatRule {
        head: hole,
        cols,
        body,
        vars: rule.vars,
    })
}

/// The table that a relation's rows are kept in: what may come next is what may be true, and what is legal may be done.
pub fn table_of(statics: &Statics, rel: RelId) -> RelId {
    match statics.program.rels.get(rel).map(|rel| rel.kind) {
        Some(RelationKind::Next(twin) | RelationKind::Legal(twin)) => twin,
        _ => rel,
    }
}
