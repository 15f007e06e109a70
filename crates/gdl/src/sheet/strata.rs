//! Which relation depends on which: negation must not go round in a circle, and the first position and the legal moves
//! must not depend on what is played.

use super::diagnose::{Diagnostic, Span};
use super::rule::{Literal, Rule};
use super::symbol::{Sym, Symbols, key};
use crate::logic::graph::components;
use std::collections::{HashMap, HashSet, VecDeque};

type Relation = (Sym, usize);

struct Edge {
    to: Relation,
    span: Span,
    negative: bool,
}

/// Checks the dependencies of the relations.
pub fn check(rules: &[Rule], symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    let mut edges: HashMap<Relation, Vec<Edge>> = HashMap::new();
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
                out.push(Edge { to, span, negative });
            }
        }
    }
    circles(&order, &edges, symbols, diagnostics);
    forbidden(&edges, symbols, diagnostics);
}

/// Reports each `not` whose relation leads back to the head it stands under.
fn circles(
    order: &[Relation],
    edges: &HashMap<Relation, Vec<Edge>>,
    symbols: &Symbols,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let circle = circles_of(order, edges);
    let full = diagnostics.len() + Diagnostic::MOST;
    for from in order {
        for edge in edges[from].iter().filter(|edge| edge.negative) {
            if diagnostics.len() >= full || circle.get(from) != circle.get(&edge.to) {
                continue;
            }
            if let Some(path) = path(edge.to, *from, edges) {
                let mut names = vec![symbols.text(from.0)];
                names.extend(path.iter().map(|relation| symbols.text(relation.0)));
                let name = symbols.text(from.0);
                diagnostics.push(
                    Diagnostic::error(
                        edge.span,
                        format!("`{name}` depends on its own negation: the rules are not stratified"),
                    )
                    .label("this `not` closes a circle")
                    .help(format!("the circle is {}", names.join(" → "))),
                );
            }
        }
    }
}

/// A number for each relation with rules: two have the same if and only if each depends on the other.
fn circles_of(order: &[Relation], edges: &HashMap<Relation, Vec<Edge>>) -> HashMap<Relation, usize> {
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
fn forbidden(edges: &HashMap<Relation, Vec<Edge>>, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
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

fn first_step(from: Relation, target: Relation, edges: &HashMap<Relation, Vec<Edge>>) -> Option<Span> {
    let out = edges.get(&from)?;
    let step = out.iter().find(|edge| path(edge.to, target, edges).is_some())?;
    Some(step.span)
}

/// The shortest way from one relation to another, both included.
fn path(from: Relation, to: Relation, edges: &HashMap<Relation, Vec<Edge>>) -> Option<Vec<Relation>> {
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
