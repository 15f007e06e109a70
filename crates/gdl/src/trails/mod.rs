//! Trails: arguments that remember where a derivation has been, so that it goes nowhere twice.
//!
//! ```text
//! (<= (connected ?x ?z ?been) (add ?x ?been ?now) (linked ?x ?y) (connected ?y ?z ?now))
//! ```
//!
//! Where `add` fails of what is in the list already, `?been` keeps the rules from going round in circles, which programs that
//! search from the goal need. It says nothing else, but to write out such rules takes a proposition for every path. So a trail is
//! dropped where it can be proved that `connected` holds with it if and only if it holds without.
//!
//! **What is proved.** Take a recursion in which every rule has at most one condition on the recursion, so that a derivation is a
//! walk from node to node, a node being a relation with its arguments but the trail. Its conditions are *guards*, which are about the
//! trail, static, and know of the others only by one term, the *key*; and the *rest*, which the trail is not in.
//!
//! - With the trail implies without it: there are fewer conditions.
//! - Without it implies with it: take the shortest derivation without guards. No node is in it twice, or it could be cut short.
//!   If nodes of one walk that differ have keys that differ ([`keys`]), no key is in it twice either. If the guards have a solution
//!   whenever the key is new, whatever keys came before ([`walk::pass`]), the walk is a derivation with the trail.
//! - WalkKeys came before in any order, and there are too many orders to try. But if the rules of the guards stay the same rules when two
//!   keys change places ([`walk::alike`]), what holds of one order holds of all of them, and one is tried.
//!
//! The relation then has the same rows in every position, so it may be denied, too. What cannot be proved stays as it is written.

mod clause;
mod keys;
mod resolution;
mod shape;
mod walk;

#[cfg(test)]
mod tests;

use crate::logic::{WorkBudget, graph};
use crate::sheet::{self, Relation, Rule, Symbols, TermKind, key};
use clause::{ClauseLiteral, TrailClause};
use keys::KeyFinder;
use resolution::{Resolution, Unproved};
use shape::{TrailGrowth, TrailProgram, Trails, WalkStep, choices, steps};
use std::collections::{HashMap, HashSet};

/// How deep within the trail that a walk begins with its key is looked for.
const DEEPEST_KEY: usize = 4;

/// The rules without any trail that can be proved to say nothing, if there is one.
pub fn without_trails(rules: &[Rule], budget: &WorkBudget) -> Option<Vec<Rule>> {
    // A trail is a nested term.
    let nested = |atom: &sheet::Atom| {
        !Symbols::is_keyword(atom.name) && atom.args.iter().any(|arg| matches!(arg.kind, TermKind::Fun(..)))
    };
    if !rules.iter().any(|rule| nested(&rule.head)) && !rules.iter().flat_map(atoms).any(nested) {
        return None;
    }
    let mut shorter: Option<Vec<Rule>> = None;
    while let Some(next) = without_one(shorter.as_deref().unwrap_or(rules), budget) {
        shorter = Some(next);
    }
    shorter
}

fn atoms(rule: &Rule) -> impl Iterator<Item = &sheet::Atom> {
    rule.body.iter().filter_map(|literal| match literal {
        sheet::Literal::Is(atom) | sheet::Literal::Not(atom) => Some(atom),
        _ => None,
    })
}

/// The rules without the trail of one recursion.
fn without_one(rules: &[Rule], budget: &WorkBudget) -> Option<Vec<Rule>> {
    let program = TrailProgram::new(rules.iter().map(TrailClause::of).collect::<Option<_>>()?);
    let mut resolution = Resolution::new(&program.clauses, budget);
    for recursion in &program.recursions {
        for trails in choices(recursion) {
            for growth in [TrailGrowth::Down, TrailGrowth::Up] {
                if let Ok(guards) = proved(&program, &trails, growth, &mut resolution) {
                    return dropped(rules, &trails, &guards);
                }
            }
        }
    }
    None
}

/// The guards that say nothing, by the numbers of their rules and their places there.
fn proved<'a>(
    program: &'a TrailProgram,
    trails: &Trails,
    growth: TrailGrowth,
    resolution: &mut Resolution<'a>,
) -> Result<HashMap<usize, Vec<usize>>, Unproved> {
    let mut proof = Err(Unproved);
    for inside in 0..DEEPEST_KEY {
        let steps = steps(program, trails, growth, inside).ok_or(Unproved)?;
        proof = prove(program, trails, &steps, resolution).map(|()| guards(program, &steps));
        let begins_empty = |step: &WalkStep| step.source.is_some() || step.key.is_none();
        if proof.is_ok() || steps.iter().all(begins_empty) {
            break;
        }
    }
    proof
}

fn prove<'a>(
    program: &'a TrailProgram,
    trails: &Trails,
    steps: &[WalkStep<'a>],
    resolution: &mut Resolution<'a>,
) -> Result<(), Unproved> {
    if steps.iter().all(|step| step.key.is_none()) {
        return Err(Unproved);
    }
    let keys = KeyFinder {
        program,
        trails,
        steps,
        resolution,
    }
    .find()?;
    walk::alike(program, steps, &keys, resolution)?;
    walk::pass(steps, &keys, resolution)
}

fn guards(program: &TrailProgram, steps: &[WalkStep]) -> HashMap<usize, Vec<usize>> {
    let number = |clause: &TrailClause| program.clauses.iter().position(|own| std::ptr::eq(own, clause));
    let guards = steps.iter().filter(|step| !step.guards.is_empty());
    guards
        .filter_map(|step| Some((number(step.clause)?, step.guards.clone())))
        .collect()
}

/// The rules without guards and with the name of the relation for a trail; nothing if they would not be safe.
fn dropped(rules: &[Rule], trails: &Trails, guards: &HashMap<usize, Vec<usize>>) -> Option<Vec<Rule>> {
    let drop_trail = |atom: &mut sheet::Atom| {
        if let Some(&trail) = trails.get(&atom.relation()) {
            atom.args[trail].kind = TermKind::Const(atom.name);
        }
    };
    let mut out = rules.to_vec();
    for (number, rule) in out.iter_mut().enumerate() {
        let own = guards.get(&number).map_or(&[][..], Vec::as_slice);
        let body = std::mem::take(&mut rule.body).into_iter().enumerate();
        rule.body = body
            .filter(|(at, _)| !own.contains(at))
            .map(|(_, literal)| literal)
            .collect();
        drop_trail(&mut rule.head);
        for literal in &mut rule.body {
            if let sheet::Literal::Is(atom) | sheet::Literal::Not(atom) = literal {
                drop_trail(atom);
            }
        }
    }
    out.iter().all(is_safe).then_some(out)
}

/// Whether every variable is in a positive condition.
fn is_safe(rule: &Rule) -> bool {
    let Some(clause) = TrailClause::of(rule) else {
        return false;
    };
    let mut bound = HashSet::new();
    for literal in &clause.body {
        if let ClauseLiteral::Is(atom) = literal {
            atom.args.iter().for_each(|arg| arg.add_vars(&mut bound));
        }
    }
    (0..clause.vars).all(|var| bound.contains(&var))
}

impl TrailProgram {
    fn new(clauses: Vec<TrailClause>) -> TrailProgram {
        let mut numbers: HashMap<Relation, usize> = HashMap::new();
        let mut relations = Vec::new();
        for clause in &clauses {
            for atom in [&clause.head]
                .into_iter()
                .chain(clause.body.iter().filter_map(ClauseLiteral::atom))
            {
                numbers.entry(atom.relation()).or_insert_with(|| {
                    relations.push(atom.relation());
                    relations.len() - 1
                });
            }
        }
        let mut edges = vec![Vec::new(); relations.len()];
        for clause in &clauses {
            let asked = clause.body.iter().filter_map(ClauseLiteral::atom);
            edges[numbers[&clause.head.relation()]].extend(asked.map(|atom| numbers[&atom.relation()] as u32));
        }
        let mut program = TrailProgram {
            clauses,
            statics: HashSet::new(),
            recursions: Vec::new(),
        };
        // Each component comes after those it depends on.
        for component in graph::components(relations.len(), |node| &edges[node]) {
            let inside: Vec<Relation> = component.iter().map(|&node| relations[node as usize]).collect();
            let mut asked = component.iter().flat_map(|&node| &edges[node as usize]);
            let recursive = asked.clone().any(|to| component.contains(to));
            let given = |relation: &Relation| matches!(relation.0, key::TRUE | key::DOES);
            if !inside.iter().any(given)
                && asked.all(|to| component.contains(to) || program.statics.contains(&relations[*to as usize]))
            {
                // What is static is asked, by its own rules.
                program.statics.extend(&inside);
            } else if recursive && !inside.iter().any(|relation| Symbols::is_keyword(relation.0)) {
                program.recursions.push(inside);
            }
        }
        program
    }
}
