//! Narrowing: what nobody can ask of a relation is not derived.
//!
//! From the rules for moves, next positions, goals and the end it is found, column by column, which constants can ever be asked of a
//! relation of the sheet's own, and which it can give then. Where its rules would give others as well (all sixteen coordinates of a
//! chess board where only the eight files are asked for), they get one condition more. Rows that are asked for are derived as before.

use crate::GdlError;
use crate::logic::domain::{self, ConstantSet};
use crate::logic::{Col, FlatLiteral, FlatRule, Rel, RelId, RelationKind, RelationTable, Statics, WorkBudget};
use std::collections::HashMap;

/// For every relation, for every column, the constants it can hold.
pub type Domains = Vec<Vec<ConstantSet>>;

/// Static relations with more rows than this are not looked at row by row.
const MOST_ROWS: usize = 1 << 14;
/// Nor is any after so many rows: that is what it is worth.
const MOST_LOOKS: usize = 1 << 18;

/// Narrows the rules of relations that depend on the position; what every column can hold then.
pub fn narrow(statics: &mut Statics, budget: &mut WorkBudget) -> Result<Domains, GdlError> {
    let mut analysis = Narrowing::new(statics);
    analysis.spread(budget)?;
    let conditions = analysis.conditions(budget)?;
    let mut domains = analysis.given;
    let mut filters: HashMap<ConstantSet, RelId> = HashMap::new();
    for (number, var, set) in conditions {
        let filter = *filters.entry(set).or_insert_with_key(|set| {
            domains.push(vec![set.clone()]);
            add_filter(statics, set)
        });
        let condition = FlatLiteral::Is(filter, vec![Col::Var(var)]);
        statics.program.rules[number].body.push(condition);
    }
    Ok(domains)
}

/// A relation of one column with these constants.
fn add_filter(statics: &mut Statics, set: &ConstantSet) -> RelId {
    let mut table = RelationTable::new(1);
    domain::members(set).for_each(|value| {
        table.insert(&[value]);
    });
    statics.tables.push(table);
    statics.is_static.push(true);
    statics.is_timeless.push(true);
    statics.program.rels.push(Rel {
        kind: RelationKind::Own,
        skeletons: Vec::new(),
        arity: 1,
    });
    statics.program.rels.len() - 1
}

/// A rule of a relation that depends on the position.
struct NarrowRule<'a> {
    number: usize,
    rule: &'a FlatRule,
    /// The conditions that must hold, as they are asked: those that nothing is asked of first.
    order: Vec<(RelId, &'a [Col])>,
    /// When it was last looked at; 0 if never.
    seen: u32,
}

struct Narrowing<'a> {
    statics: &'a Statics,
    rules: Vec<NarrowRule<'a>>,
    /// How many words a set has.
    words: usize,
    /// What relations can give.
    given: Domains,
    /// What can be asked of them.
    asked: Domains,
    /// When one of the two last grew.
    grown: Vec<u32>,
    /// How many rows of static relations may still be looked at.
    looks: usize,
}

impl<'a> Narrowing<'a> {
    fn new(statics: &'a Statics) -> Self {
        let program = &statics.program;
        let dynamic = |(_, rule): &(usize, &FlatRule)| !statics.is_static[rule.head];
        let rules: Vec<NarrowRule> = program
            .rules
            .iter()
            .enumerate()
            .filter(dynamic)
            .map(|(number, rule)| NarrowRule {
                number,
                rule,
                order: order(statics, rule),
                seen: 0,
            })
            .collect();
        let constants = rules
            .iter()
            .flat_map(|rule| rule.rule.cols.iter())
            .filter_map(|col| match col {
                Col::Const(value) => Some(*value),
                Col::Var(_) => None,
            });
        let tables = statics.tables.iter();
        let greatest = tables
            .flat_map(RelationTable::rows)
            .flatten()
            .copied()
            .chain(constants)
            .max();
        let words = (greatest.unwrap_or(0) as usize + 1).div_ceil(64);
        let empty: Domains = program.rels.iter().map(|rel| vec![vec![0; words]; rel.arity]).collect();
        let mut given = empty.clone();
        for (rel, table) in statics.tables.iter().enumerate() {
            let twin = match program.rels[rel].kind {
                RelationKind::Init(twin) | RelationKind::Next(twin) | RelationKind::Legal(twin) => twin,
                _ => rel,
            };
            for row in table.rows() {
                for (col, &value) in row.iter().enumerate() {
                    domain::insert(&mut given[rel][col], value);
                    domain::insert(&mut given[twin][col], value);
                }
            }
        }
        Narrowing {
            grown: vec![1; program.rels.len()],
            looks: MOST_LOOKS,
            asked: empty,
            given,
            words,
            rules,
            statics,
        }
    }

    /// Finds what can be asked and what can be given, until neither grows.
    fn spread(&mut self, budget: &mut WorkBudget) -> Result<(), GdlError> {
        let mut now = 1;
        let mut before = 0;
        while before != now {
            before = now;
            for at in 0..self.rules.len() {
                let NarrowRule { rule, seen, .. } = self.rules[at];
                let newer = |rel: RelId| self.grown[rel] > seen;
                let depends = |lit: &FlatLiteral| matches!(lit, FlatLiteral::Is(rel, _) if newer(*rel));
                if newer(rule.head) || rule.body.iter().any(depends) {
                    budget.check_clock()?;
                    self.rules[at].seen = now;
                    self.look(at, &mut now, budget)?;
                }
            }
        }
        Ok(())
    }

    /// What a rule asks and gives, as far as is known.
    fn look(&mut self, at: usize, now: &mut u32, budget: &mut WorkBudget) -> Result<(), GdlError> {
        let rule = self.rules[at].rule;
        let mut vars: Vec<ConstantSet> = vec![vec![!0; self.words]; rule.vars];
        if is_narrow(self.statics, rule.head) && !restrict(&rule.cols, &self.asked[rule.head], &mut vars) {
            return Ok(());
        }
        for number in 0..self.rules[at].order.len() {
            let (rel, cols) = self.rules[at].order[number];
            if is_narrow(self.statics, rel) {
                note(cols, &vars, &mut self.asked[rel], &mut self.grown[rel], now);
            }
            if !self.hold(rel, cols, &mut vars, budget)? {
                return Ok(());
            }
        }
        for lit in &rule.body {
            if let FlatLiteral::Not(rel, cols) = lit
                && is_narrow(self.statics, *rel)
            {
                note(cols, &vars, &mut self.asked[*rel], &mut self.grown[*rel], now);
            }
        }
        let twin = match self.statics.program.rels[rule.head].kind {
            RelationKind::Next(twin) | RelationKind::Legal(twin) => twin,
            _ => rule.head,
        };
        for target in [rule.head, twin] {
            note(&rule.cols, &vars, &mut self.given[target], &mut self.grown[target], now);
        }
        Ok(())
    }

    /// Leaves of the variables what a condition that must hold allows; false if that is nothing for one of them.
    fn hold(
        &mut self,
        rel: RelId,
        cols: &[Col],
        vars: &mut [ConstantSet],
        budget: &mut WorkBudget,
    ) -> Result<bool, GdlError> {
        let statics = self.statics;
        let table = &statics.tables[rel];
        let narrowed = |(col, given): (&Col, &ConstantSet)| match col {
            Col::Var(var) => given
                .iter()
                .zip(&vars[*var as usize])
                .any(|(given, own)| given & !own != 0),
            Col::Const(_) => true,
        };
        let by_row = self.statics.is_static[rel]
            && cols.len() > 1
            && table.len() <= MOST_ROWS.min(self.looks)
            && cols.iter().zip(&self.given[rel]).any(narrowed);
        if !by_row {
            return Ok(restrict(cols, &self.given[rel], vars));
        }
        self.looks -= table.len();
        let mut left = vec![vec![0; self.words]; cols.len()];
        for row in table.rows() {
            budget.look()?;
            let fits = row.iter().zip(cols).all(|(&value, col)| match col {
                Col::Const(own) => *own == value,
                Col::Var(var) => domain::contains(&vars[*var as usize], value),
            });
            if fits {
                row.iter().zip(&mut left).for_each(|(&value, set)| {
                    domain::insert(set, value);
                });
            }
        }
        Ok(restrict(cols, &left, vars))
    }

    /// The conditions that rules need so that they give no more than is asked: rule, variable, what it may be.
    fn conditions(&mut self, budget: &mut WorkBudget) -> Result<Vec<(usize, u16, ConstantSet)>, GdlError> {
        let mut conditions = Vec::new();
        for at in 0..self.rules.len() {
            let NarrowRule { number, rule, .. } = self.rules[at];
            if !is_narrow(self.statics, rule.head) {
                continue;
            }
            let mut vars: Vec<ConstantSet> = vec![vec![!0; self.words]; rule.vars];
            let mut holds = true;
            for number in 0..self.rules[at].order.len() {
                let (rel, cols) = self.rules[at].order[number];
                holds = holds && self.hold(rel, cols, &mut vars, budget)?;
            }
            for (col, asked) in rule.cols.iter().zip(&self.asked[rule.head]) {
                if let Col::Var(var) = col {
                    let mut both = vars[*var as usize].clone();
                    domain::intersect(&mut both, asked);
                    if both != vars[*var as usize] {
                        conditions.push((number, *var, both.clone()));
                        vars[*var as usize] = both;
                    }
                }
            }
        }
        Ok(conditions)
    }
}

/// Whether only what is asked of a relation must be known.
fn is_narrow(statics: &Statics, rel: RelId) -> bool {
    !statics.is_static[rel] && statics.program.rels[rel].kind == RelationKind::Own
}

/// The conditions that must hold in the order in which they are asked. What one is asked with may only come from those before it,
/// or two might wait for each other.
fn order<'a>(statics: &Statics, rule: &'a FlatRule) -> Vec<(RelId, &'a [Col])> {
    let holds = rule.body.iter().filter_map(|lit| match lit {
        FlatLiteral::Is(rel, cols) => Some((*rel, &cols[..])),
        _ => None,
    });
    let (mut asked, mut order): (Vec<_>, Vec<_>) = holds.partition(|(rel, _)| is_narrow(statics, *rel));
    let mut known: Vec<Col> = order.iter().flat_map(|(_, cols)| cols.iter().copied()).collect();
    if is_narrow(statics, rule.head) {
        known.extend(&rule.cols);
    }
    while !asked.is_empty() {
        let share = |&at: &usize| {
            let (_, cols): (RelId, &[Col]) = asked[at];
            let bound = cols
                .iter()
                .filter(|col| matches!(col, Col::Const(_)) || known.contains(col));
            (bound.count() * 1000 / cols.len().max(1), usize::MAX - at)
        };
        let next = asked.remove((0..asked.len()).max_by_key(share).unwrap_or(0));
        known.extend(next.1);
        order.push(next);
    }
    order
}

/// Leaves of the variables what the columns have; false if that is nothing, or a column lacks its constant.
fn restrict(cols: &[Col], sets: &[ConstantSet], vars: &mut [ConstantSet]) -> bool {
    cols.iter().zip(sets).all(|(col, set)| match col {
        Col::Const(value) => domain::contains(set, *value),
        Col::Var(var) => {
            let own = &mut vars[*var as usize];
            domain::intersect(own, set);
            own.iter().any(|&word| word != 0)
        }
    })
}

/// Adds to columns what variables and constants can be there, and notes when that was anything new.
fn note(cols: &[Col], vars: &[ConstantSet], sets: &mut [ConstantSet], grown: &mut u32, now: &mut u32) {
    for (col, set) in cols.iter().zip(sets) {
        let grew = match col {
            Col::Const(value) => domain::insert(set, *value),
            Col::Var(var) => domain::unite(set, &vars[*var as usize]),
        };
        if grew {
            *now += 1;
            *grown = *now;
        }
    }
}
