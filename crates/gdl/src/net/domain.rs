//! Which constants a column can hold, seen column by column: cheap, and good enough to estimate the size of a join.

use crate::logic::{Col, FlatRule, Kind, Lit, Statics};

/// A set of constants.
type Set = Vec<u64>;

/// For every relation, for every column, how many constants it can hold; 1 at least.
pub fn sizes(statics: &Statics, rules: &[FlatRule]) -> Vec<Vec<f64>> {
    let program = &statics.program;
    let words = constants(statics, rules).div_ceil(64);
    let mut domains: Vec<Vec<Set>> = program.rels.iter().map(|rel| vec![vec![0; words]; rel.arity]).collect();
    for (rel, table) in statics.tables.iter().enumerate() {
        let twin = match program.rels[rel].kind {
            Kind::Init(twin) | Kind::Next(twin) | Kind::Legal(twin) => twin,
            _ => rel,
        };
        for row in table.rows() {
            for (col, &value) in row.iter().enumerate() {
                insert(&mut domains[rel][col], value);
                insert(&mut domains[twin][col], value);
            }
        }
    }
    let mut grew = true;
    while std::mem::take(&mut grew) {
        for rule in rules {
            grew |= widen(rule, &mut domains, words, program.rels[rule.head].kind);
        }
    }
    let count = |set: &Set| set.iter().map(|word| word.count_ones()).sum::<u32>().max(1);
    domains
        .iter()
        .map(|cols| cols.iter().map(|set| f64::from(count(set))).collect())
        .collect()
}

/// One more than the greatest constant.
fn constants(statics: &Statics, rules: &[FlatRule]) -> usize {
    let in_tables = statics
        .tables
        .iter()
        .flat_map(|table| table.rows().flatten().copied().max());
    let in_rules = rules.iter().flat_map(|rule| {
        rule.cols.iter().filter_map(|col| match col {
            Col::Const(value) => Some(*value),
            Col::Var(_) => None,
        })
    });
    in_tables.chain(in_rules).max().map_or(1, |max| max as usize + 1)
}

fn insert(set: &mut Set, value: u32) {
    if let Some(word) = set.get_mut(value as usize / 64) {
        *word |= 1 << (value % 64);
    }
}

/// Adds to the head's columns what the rule can put there; whether that was anything new.
fn widen(rule: &FlatRule, domains: &mut [Vec<Set>], words: usize, kind: Kind) -> bool {
    let mut vars: Vec<Set> = vec![vec![!0; words]; rule.vars];
    for lit in &rule.body {
        if let Lit::Is(rel, cols) = lit {
            for (col, domain) in cols.iter().zip(&domains[*rel]) {
                match col {
                    Col::Var(var) => vars[*var as usize].iter_mut().zip(domain).for_each(|(a, b)| *a &= b),
                    Col::Const(value) => {
                        let there = domain
                            .get(*value as usize / 64)
                            .is_some_and(|word| word >> (value % 64) & 1 == 1);
                        if !there {
                            return false;
                        }
                    }
                }
            }
        }
    }
    if vars.iter().any(|set| set.iter().all(|&word| word == 0)) {
        return false;
    }
    let twin = match kind {
        Kind::Next(twin) | Kind::Legal(twin) => twin,
        _ => rule.head,
    };
    let mut grew = false;
    for target in [rule.head, twin] {
        for (col, domain) in rule.cols.iter().zip(&mut domains[target]) {
            let mut one = vec![0; words];
            let set = match col {
                Col::Var(var) => &vars[*var as usize],
                Col::Const(value) => {
                    insert(&mut one, *value);
                    &one
                }
            };
            for (word, new) in domain.iter_mut().zip(set) {
                grew |= *word | new != *word;
                *word |= new;
            }
        }
    }
    grew
}
