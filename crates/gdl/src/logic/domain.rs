//! Which constants each column can hold, computed column by column: cheap, and good enough to estimate the size of a join.

use super::budget::WorkBudget;
use super::flat::{Col, FlatLiteral, FlatRule, RelId, RelationKind};
use crate::GdlError;

/// A set of constants, a bit each.
pub type ConstantSet = Vec<u64>;

/// For every relation, for every column, the constants it can hold, if these rows are given and these rules hold. `kinds` says what
/// each relation is; of those that come after (none of them given) it is their sheet's own.
pub fn columns<'a>(
    arities: &[usize],
    kinds: impl Fn(RelId) -> RelationKind,
    given: impl Iterator<Item = (RelId, &'a [u32])> + Clone,
    rules: &[FlatRule],
    budget: &mut WorkBudget,
) -> Result<Vec<Vec<ConstantSet>>, GdlError> {
    let words = (greatest(given.clone(), rules) as usize + 1).div_ceil(64);
    let mut domains: Vec<Vec<ConstantSet>> = arities.iter().map(|&arity| vec![vec![0; words]; arity]).collect();
    for (rel, row) in given {
        let twin = match kinds(rel) {
            RelationKind::Init(twin) | RelationKind::Next(twin) | RelationKind::Legal(twin) => twin,
            _ => rel,
        };
        for (col, &value) in row.iter().enumerate() {
            insert(&mut domains[rel][col], value);
            insert(&mut domains[twin][col], value);
        }
    }
    let mut grew = true;
    while std::mem::take(&mut grew) {
        for rule in rules {
            budget.check_clock()?;
            grew |= widen(rule, &mut domains, words, kinds(rule.head));
        }
    }
    Ok(domains)
}

/// How many constants a set has.
pub fn count(set: &ConstantSet) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// The constants of a set.
pub fn members(set: &ConstantSet) -> impl Iterator<Item = u32> + '_ {
    let bits = |(at, &word): (usize, &u64)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| at as u32 * 64 + bit)
    };
    set.iter().enumerate().flat_map(bits)
}

/// The greatest constant that a head can get.
fn greatest<'a>(given: impl Iterator<Item = (RelId, &'a [u32])>, rules: &[FlatRule]) -> u32 {
    let in_rows = given.filter_map(|(_, row)| row.iter().copied().max());
    let in_rules = rules.iter().flat_map(|rule| {
        rule.cols.iter().filter_map(|col| match col {
            Col::Const(value) => Some(*value),
            Col::Var(_) => None,
        })
    });
    in_rows.chain(in_rules).max().unwrap_or(0)
}

/// Adds a constant, if the set has room for it; whether it is new.
pub fn insert(set: &mut ConstantSet, value: u32) -> bool {
    let Some(word) = set.get_mut(value as usize / 64) else {
        return false;
    };
    let before = std::mem::replace(word, *word | 1 << (value % 64));
    before != *word
}

/// Adds the constants of another set; whether any is new.
pub fn unite(set: &mut ConstantSet, other: &ConstantSet) -> bool {
    let mut grew = false;
    for (word, new) in set.iter_mut().zip(other) {
        grew |= *word | new != *word;
        *word |= new;
    }
    grew
}

/// Leaves what another set has, too.
pub fn intersect(set: &mut ConstantSet, other: &ConstantSet) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

/// Whether a set has a constant.
pub fn contains(set: &ConstantSet, value: u32) -> bool {
    let word = set.get(value as usize / 64);
    word.is_some_and(|word| word >> (value % 64) & 1 == 1)
}

/// Adds to the head's columns what the rule can put there; whether that was anything new.
fn widen(rule: &FlatRule, domains: &mut [Vec<ConstantSet>], words: usize, kind: RelationKind) -> bool {
    let mut vars: Vec<ConstantSet> = vec![vec![!0; words]; rule.vars];
    for lit in &rule.body {
        if let FlatLiteral::Is(rel, cols) = lit {
            for (col, domain) in cols.iter().zip(&domains[*rel]) {
                match col {
                    Col::Var(var) => intersect(&mut vars[*var as usize], domain),
                    Col::Const(value) if !contains(domain, *value) => return false,
                    Col::Const(_) => {}
                }
            }
        }
    }
    if vars.iter().any(|set| set.iter().all(|&word| word == 0)) {
        return false;
    }
    let twin = match kind {
        RelationKind::Init(twin) | RelationKind::Next(twin) | RelationKind::Legal(twin) => twin,
        _ => rule.head,
    };
    let mut grew = false;
    for target in [rule.head, twin] {
        for (col, domain) in rule.cols.iter().zip(&mut domains[target]) {
            grew |= match col {
                Col::Const(value) => insert(domain, *value),
                Col::Var(var) => unite(domain, &vars[*var as usize]),
            };
        }
    }
    grew
}
