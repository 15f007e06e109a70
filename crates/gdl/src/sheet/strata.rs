//! The dependency graph of the relations: no relation may depend on its own negation (stratification), and the first position
//! and the legal moves must not depend on what is played.

use super::diagnose::{Diagnostic, Span};
use super::rule::{Literal, Rule};
use super::symbol::{Relation, Symbols, key};
use crate::logic::graph::components;
use std::collections::{HashMap, HashSet, VecDeque};

struct DependencyEdge {
    to: Relation,
    span: Span,
    negative: bool,
}

/// Checks the dependencies of the relations. The cycles of negations are returned: not all of them keep a sheet from being played.
pub fn check(rules: &[Rule], symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) -> Vec<NegationCycle> {
    let mut edges: HashMap<Relation, Vec<DependencyEdge>> = HashMap::new();
    let mut order = Vec::new();
    let mut known = HashSet::new();
    for rule in rules {
        let from = rule.head.relation();
        let out = edges.entry(from).or_insert_with(|| {
            order.push(from);
            Vec::new()
        });
        for literal in &rule.body {
            let (atom, negative) = match literal {
                Literal::Is(atom) => (atom, false),
                Literal::Not(atom) => (atom, true),
                _ => continue,
            };
            let to = atom.relation();
            if known.insert((from, to, negative)) {
                let span = atom.span;
                out.push(DependencyEdge { to, span, negative });
            }
        }
    }
    forbidden(&edges, symbols, diagnostics);
    cycles(&order, &edges, symbols)
}

/// A negation that leads back to the head of its rule.
pub struct NegationCycle {
    name: String,
    span: Span,
    way: String,
}

impl NegationCycle {
    /// What is wrong, where it is a cycle.
    pub fn error(&self) -> Diagnostic {
        let message = format!(
            "`{}` depends on its own negation: the rules are not stratified",
            self.name
        );
        Diagnostic::error(self.span, message)
            .label("this `not` closes a circle")
            .help(format!("the circle is {}", self.way))
    }

    /// What is to be said where it only looks like one.
    pub fn warning(&self) -> Diagnostic {
        let message = format!(
            "`{}` depends on its own negation, though never for the same constants",
            self.name
        );
        Diagnostic::warning(self.span, message)
            .label("other systems may refuse this `not`")
            .help(format!(
                "the circle is {}; a relation of its own would break it",
                self.way
            ))
    }
}

/// Each `not` whose relation leads back to the head of its rule.
fn cycles(order: &[Relation], edges: &HashMap<Relation, Vec<DependencyEdge>>, symbols: &Symbols) -> Vec<NegationCycle> {
    let cycle = components_of(order, edges);
    let mut found = Vec::new();
    for from in order {
        for edge in edges[from].iter().filter(|edge| edge.negative) {
            if found.len() >= Diagnostic::MOST || cycle.get(from) != cycle.get(&edge.to) {
                continue;
            }
            if let Some(path) = path(edge.to, *from, edges) {
                let mut names = vec![symbols.text(from.0)];
                names.extend(path.iter().map(|relation| symbols.text(relation.0)));
                found.push(NegationCycle {
                    name: names[0].to_string(),
                    span: edge.span,
                    way: names.join(" → "),
                });
            }
        }
    }
    found
}

/// A number for each relation with rules: two have the same if and only if each depends on the other.
fn components_of(order: &[Relation], edges: &HashMap<Relation, Vec<DependencyEdge>>) -> HashMap<Relation, usize> {
    let numbers: HashMap<Relation, u32> = order.iter().copied().zip(0..).collect();
    let next: Vec<Vec<u32>> = order
        .iter()
        .map(|from| {
            edges[from]
                .iter()
                .filter_map(|edge| numbers.get(&edge.to).copied())
                .collect()
        })
        .collect();
    let components = components(order.len(), |node| &next[node]);
    let numbered = components.iter().enumerate();
    numbered
        .flat_map(|(number, component)| component.iter().map(move |&node| (order[node as usize], number)))
        .collect()
}

/// What must not depend on what.
fn forbidden(edges: &HashMap<Relation, Vec<DependencyEdge>>, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    let before_play = [(key::ROLE, 1), (key::INIT, 1)];
    let in_play = [(key::LEGAL, 2), (key::TERMINAL, 0), (key::GOAL, 2)];
    let state = [(key::TRUE, 1), (key::DOES, 2)];
    let moves = [(key::DOES, 2)];
    let pairs = before_play
        .iter()
        .map(|from| (from, &state[..]))
        .chain(in_play.iter().map(|from| (from, &moves[..])));
    for (from, targets) in pairs {
        for target in targets {
            let Some(edge) = first_step(*from, *target, edges) else {
                continue;
            };
            let (a, b) = (symbols.text(from.0), symbols.text(target.0));
            diagnostics.push(
                Diagnostic::error(edge, format!("`{a}` depends on `{b}`"))
                    .label(format!("expected conditions that do not lead to `{b}`")),
            );
        }
    }
}

fn first_step(from: Relation, target: Relation, edges: &HashMap<Relation, Vec<DependencyEdge>>) -> Option<Span> {
    let out = edges.get(&from)?;
    let step = out.iter().find(|edge| path(edge.to, target, edges).is_some())?;
    Some(step.span)
}

/// The shortest way from one relation to another, both included.
fn path(from: Relation, to: Relation, edges: &HashMap<Relation, Vec<DependencyEdge>>) -> Option<Vec<Relation>> {
    let mut came: HashMap<Relation, Relation> = HashMap::new();
    let mut seen = HashSet::from([from]);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == to {
            let mut path = vec![at];
            while let Some(&previous) = came.get(path.last()?) {
                path.push(previous);
            }
            path.reverse();
            return Some(path);
        }
        for edge in edges.get(&at).map_or(&[][..], Vec::as_slice) {
            if seen.insert(edge.to) {
                came.insert(edge.to, at);
                queue.push_back(edge.to);
            }
        }
    }
    None
}
