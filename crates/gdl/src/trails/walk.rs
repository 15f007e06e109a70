//! Whether the guards let every walk pass that never has the same key twice.

use super::clause::{ClauseAtom, ClauseLiteral, ClauseTerm, TrailClause};
use super::resolution::{Resolution, Unproved};
use super::shape::{TrailProgram, WalkStep};
use crate::sheet::Relation;
use crate::sheet::{Sym, key};
use std::collections::{HashMap, HashSet};

/// More trails than this are not looked at.
const MOST_TRAILS: usize = 1 << 13;
/// Guards that depend on more relations one by one are not looked at.
const MOST_RELATIONS: usize = 100;

/// Keys, and which terms are none but look like them.
struct WalkKeys<'a> {
    all: &'a [ClauseTerm],
    numbers: HashMap<&'a ClauseTerm, usize>,
    /// Keys that are no constants are this function of constants.
    function: Option<(Sym, usize)>,
}

/// Who asks whether relations stay as they are when keys change places.
struct Exchange<'a, 'r> {
    program: &'a TrailProgram,
    keys: WalkKeys<'r>,
    resolution: &'r mut Resolution<'a>,
    /// Relations that do, if all of these do.
    trusted: Vec<Relation>,
}

/// Fails unless keys are the same as each other to the guards: whatever holds of some keys holds, too, when two keys change places.
pub fn alike<'a>(
    program: &'a TrailProgram,
    steps: &[WalkStep],
    keys: &[ClauseTerm],
    resolution: &mut Resolution<'a>,
) -> Result<(), Unproved> {
    let keys = WalkKeys::new(keys).ok_or(Unproved)?;
    for step in steps {
        let bare = |term: &ClauseTerm| without(term, step.key.as_ref()).any(&mut |part| keys.knows(part));
        let mut terms = step
            .guards()
            .flat_map(ClauseLiteral::terms)
            .chain(step.target.map(|node| node.trail()));
        if terms.any(bare) {
            return Err(Unproved);
        }
    }
    let mut exchange = Exchange {
        program,
        keys,
        resolution,
        trusted: Vec::new(),
    };
    let mut asked = steps
        .iter()
        .flat_map(|step| step.guards().filter_map(ClauseLiteral::atom));
    match asked.all(|atom| exchange.changes_nothing(atom.relation(), 0)) {
        true => Ok(()),
        false => Err(Unproved),
    }
}

/// The term with a constant that is no key in place of the key, which may be written as `(f ?x ?y)`.
fn without(term: &ClauseTerm, key: Option<&ClauseTerm>) -> ClauseTerm {
    term.map(&|part| (Some(part) == key).then_some(ClauseTerm::Const(key::IF)))
}

fn shape(term: &ClauseTerm) -> Option<(Sym, usize)> {
    match term {
        ClauseTerm::Fun(name, args) => Some((*name, args.len())),
        _ => None,
    }
}

impl<'a> WalkKeys<'a> {
    /// Nothing if keys are of several kinds, or functions of functions.
    fn new(all: &'a [ClauseTerm]) -> Option<Self> {
        let function = shape(all.first()?);
        let flat = |term: &ClauseTerm| match term {
            ClauseTerm::Fun(_, args) => args.iter().all(|arg| matches!(arg, ClauseTerm::Const(_))),
            term => matches!(term, ClauseTerm::Const(_)),
        };
        let one_kind = all.iter().all(|key| shape(key) == function && flat(key));
        one_kind.then(|| WalkKeys {
            all,
            numbers: all.iter().zip(0..).collect(),
            function,
        })
    }

    /// Whether a term is a key, or may be taken for one.
    fn knows(&self, term: &ClauseTerm) -> bool {
        self.numbers.contains_key(term) || self.takes_apart(term)
    }

    /// Whether a term looks into keys, or is no key but looks like one: keys must be exchanged as a whole.
    fn takes_apart(&self, term: &ClauseTerm) -> bool {
        self.function.is_some() && shape(term) == self.function && !self.numbers.contains_key(term)
    }

    /// Whether some rules are the same rules when any two keys change places.
    fn are_alike_in(&self, clauses: &[&TrailClause]) -> bool {
        let known: HashSet<&TrailClause> = clauses.iter().copied().collect();
        clauses.iter().all(|clause| {
            let mut named: HashSet<usize> = HashSet::new();
            let mut apart = false;
            for term in clause.terms() {
                apart |= term.any(&mut |part| {
                    named.extend(self.numbers.get(part));
                    self.takes_apart(part)
                });
            }
            // Exchanges of neighbours make every order.
            let exchanges: HashSet<usize> = named
                .iter()
                .flat_map(|&key: &usize| [key.saturating_sub(1), key])
                .collect();
            let exchanged = |a: &ClauseTerm, b: &ClauseTerm| {
                clause.map(&|term: &ClauseTerm| match term {
                    term if term == a => Some(b.clone()),
                    term if term == b => Some(a.clone()),
                    _ => None,
                })
            };
            let is_known = |key: usize| match self.all.get(key..key + 2) {
                Some([a, b]) => known.contains(&exchanged(a, b)),
                _ => true,
            };
            !apart && exchanges.into_iter().all(is_known)
        })
    }
}

impl Exchange<'_, '_> {
    /// Whether a relation stays as it is when keys change places: by its rules and those it depends on, or by its rows.
    fn changes_nothing(&mut self, relation: Relation, depth: usize) -> bool {
        if depth > MOST_RELATIONS {
            return false;
        }
        if self.trusted.contains(&relation) {
            return true;
        }
        let before = self.trusted.len();
        self.trusted.push(relation);
        let program = self.program;
        let clauses: Vec<&TrailClause> = program
            .clauses
            .iter()
            .filter(|own| own.head.relation() == relation)
            .collect();
        let mut asked = clauses
            .iter()
            .flat_map(|clause| clause.body.iter().filter_map(ClauseLiteral::atom));
        if self.keys.are_alike_in(&clauses) && asked.all(|atom| self.changes_nothing(atom.relation(), depth + 1)) {
            return true;
        }
        // Who was trusted because of this relation is not any more.
        self.trusted.truncate(before);
        let Ok(rows) = self.resolution.rows(relation) else {
            return false;
        };
        let fact = |args: Vec<ClauseTerm>| TrailClause {
            head: ClauseAtom { name: relation.0, args },
            body: Vec::new(),
            vars: 0,
        };
        let facts: Vec<TrailClause> = rows.into_iter().map(fact).collect();
        let alike = self.keys.are_alike_in(&facts.iter().collect::<Vec<_>>());
        if alike {
            self.trusted.push(relation);
        }
        alike
    }
}

/// Fails unless the guards of every step have a solution whenever its key is new: keys are alike, so the first of those that are
/// left stands for all of them.
pub fn pass(steps: &[WalkStep], keys: &[ClauseTerm], resolution: &mut Resolution) -> Result<(), Unproved> {
    // Where a walk is, its trail, and how many keys are in it.
    let mut seen: HashSet<(Relation, ClauseTerm, usize)> = HashSet::new();
    let mut open = Vec::new();
    for step in steps.iter().filter(|step| step.source.is_none()) {
        take(step, None, 0, keys, resolution, &mut open)?;
    }
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        if seen.len() > MOST_TRAILS {
            return Err(Unproved);
        }
        let (relation, trail, used) = state;
        let own = |step: &&WalkStep| step.source.is_some_and(|node| node.atom.relation() == relation);
        for step in steps.iter().filter(own) {
            take(step, Some(&trail), used, keys, resolution, &mut open)?;
        }
    }
    Ok(())
}

/// Takes a step with the next key, if there is one; the walks that it leads to go to `open`.
fn take(
    step: &WalkStep,
    trail: Option<&ClauseTerm>,
    used: usize,
    keys: &[ClauseTerm],
    resolution: &mut Resolution,
    open: &mut Vec<(Relation, ClauseTerm, usize)>,
) -> Result<(), Unproved> {
    let next = match step.key {
        // With all keys used, no walk goes on by this step.
        Some(_) if used == keys.len() => return Ok(()),
        Some(_) => keys.get(used),
        None => None,
    };
    let source = step.source.map(|node| node.trail());
    let set = |term: &ClauseTerm| match next {
        Some(next) if Some(term) == step.key.as_ref() => Some(next.clone()),
        _ if Some(term) == source => trail.cloned(),
        _ => None,
    };
    let guards: Vec<ClauseLiteral> = step.guards().map(|guard| guard.map(&set)).collect();
    let wanted: Vec<ClauseTerm> = step.target.iter().map(|node| node.trail().map(&set)).collect();
    let rows = resolution.solve(&guards, step.clause.vars, &wanted)?;
    if rows.is_empty() {
        return Err(Unproved);
    }
    for row in rows {
        match (&row[..], step.target) {
            ([trail], Some(node)) if trail.is_ground() => {
                open.push((node.atom.relation(), trail.clone(), used + usize::from(next.is_some())));
            }
            (_, None) => {}
            _ => return Err(Unproved),
        }
    }
    Ok(())
}
