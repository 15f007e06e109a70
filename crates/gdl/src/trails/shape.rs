//! What a recursion looks like once one argument of each of its relations is taken for a trail: which conditions are only about the
//! trail, and which key a step adds to it.

use super::clause::{ClauseAtom, ClauseLiteral, ClauseTerm, TrailClause};
use crate::sheet::Relation;
use std::collections::{HashMap, HashSet};

/// More combinations of arguments than this are not tried in one recursion.
const MOST_CHOICES: usize = 400;

/// The rules, and what depends on what.
pub struct TrailProgram {
    pub clauses: Vec<TrailClause>,
    /// Relations that depend on no position and no move.
    pub statics: HashSet<Relation>,
    /// The relations of each recursion that depends on the position.
    pub recursions: Vec<Vec<Relation>>,
}

/// Which way the trail grows along a derivation: from what is asked to the facts it is derived from, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrailGrowth {
    Down,
    Up,
}

/// Which argument of each relation of a recursion is the trail.
pub type Trails = HashMap<Relation, usize>;

/// A relation of the recursion with its arguments; the trail is one of them.
#[derive(Clone, Copy, Debug)]
pub struct Node<'a> {
    pub atom: &'a ClauseAtom,
    pub trail: usize,
}

/// A rule as a step of a walk from node to node. The first step of a walk has no source, the last no target.
#[derive(Debug)]
pub struct WalkStep<'a> {
    pub clause: &'a TrailClause,
    pub source: Option<Node<'a>>,
    pub target: Option<Node<'a>>,
    /// The conditions that are only about the trail, by their numbers in the body.
    pub guards: Vec<usize>,
    /// What the step adds to the trail: the only thing by which the guards and the rest of the rule know of each other.
    pub key: Option<ClauseTerm>,
}

impl<'a> Node<'a> {
    pub fn trail(&self) -> &'a ClauseTerm {
        &self.atom.args[self.trail]
    }

    /// The arguments but the trail.
    pub fn place(&self) -> impl Iterator<Item = &'a ClauseTerm> {
        let trail = self.trail;
        let args = self.atom.args.iter().enumerate();
        args.filter(move |(at, _)| *at != trail).map(|(_, arg)| arg)
    }
}

impl WalkStep<'_> {
    pub fn guards(&self) -> impl Iterator<Item = &ClauseLiteral> {
        self.guards.iter().map(|&at| &self.clause.body[at])
    }

    /// The conditions but the guards.
    pub fn rest(&self) -> impl Iterator<Item = &ClauseLiteral> {
        let body = self.clause.body.iter().enumerate();
        body.filter(|(at, _)| !self.guards.contains(at))
            .map(|(_, literal)| literal)
    }
}

/// Every choice of one argument for each relation.
pub fn choices(recursion: &[Relation]) -> Vec<Trails> {
    let mut choices = vec![Trails::new()];
    for relation in recursion {
        if choices.len() * relation.1 > MOST_CHOICES {
            return Vec::new();
        }
        let with = |choice: &Trails, at| {
            choice
                .iter()
                .map(|(&rel, &at)| (rel, at))
                .chain([(*relation, at)])
                .collect()
        };
        choices = choices
            .iter()
            .flat_map(|choice| (0..relation.1).map(move |at| with(choice, at)))
            .collect();
    }
    choices
}

/// All steps of a recursion, and the rules that ask for it from outside; nothing if the rules have another shape.
///
/// Which part of the first trail is a key is not to be seen: in `(list (at ?x ?y) nil)` it may be the list, what is in it, or a part of that.
/// `inside` says how deep it is looked for.
pub fn steps<'a>(
    program: &'a TrailProgram,
    trails: &Trails,
    growth: TrailGrowth,
    inside: usize,
) -> Option<Vec<WalkStep<'a>>> {
    let mut steps = Vec::new();
    let node = |atom: &'a ClauseAtom| trails.get(&atom.relation()).map(|&trail| Node { atom, trail });
    for clause in &program.clauses {
        let head = node(&clause.head);
        let asked: Vec<(&ClauseLiteral, Node)> = clause
            .body
            .iter()
            .filter_map(|literal| Some((literal, node(literal.atom()?)?)))
            .collect();
        match (head, growth) {
            (None, TrailGrowth::Down) => {
                for (_, target) in asked {
                    steps.push(WalkStep::first(clause, target, inside)?);
                }
            }
            // Whatever the trail is in the end will do.
            (None, TrailGrowth::Up) => {
                for (literal, source) in asked {
                    let ClauseTerm::Var(trail) = source.trail() else {
                        return None;
                    };
                    let mut times = 0;
                    clause
                        .terms()
                        .for_each(|term| term.each_var(&mut |var| times += usize::from(var == *trail)));
                    if times != 1 || matches!(literal, ClauseLiteral::Not(_)) {
                        return None;
                    }
                }
            }
            (Some(head), _) => {
                let asked = match &asked[..] {
                    [] => None,
                    [(ClauseLiteral::Is(_), node)] => Some(*node),
                    _ => return None,
                };
                let (source, target) = match growth {
                    TrailGrowth::Down => (Some(head), asked),
                    TrailGrowth::Up => (asked, Some(head)),
                };
                steps.push(match (source, target) {
                    (Some(source), target) => WalkStep::of(program, clause, source, target)?,
                    (None, Some(target)) => WalkStep::first(clause, target, inside)?,
                    (None, None) => return None,
                });
            }
        }
    }
    Some(steps)
}

impl<'a> WalkStep<'a> {
    /// A walk begins; `inside` its trail is a key, or nowhere.
    fn first(clause: &'a TrailClause, target: Node<'a>, inside: usize) -> Option<WalkStep<'a>> {
        let mut key = (!target.trail().is_ground()).then(|| target.trail());
        for _ in 0..inside {
            let Some(ClauseTerm::Fun(_, args)) = key else { break };
            let mut open = args.iter().filter(|arg| !arg.is_ground());
            key = open.next();
            if open.next().is_some() {
                return None;
            }
        }
        Some(WalkStep {
            clause,
            source: None,
            target: Some(target),
            guards: Vec::new(),
            key: key.cloned(),
        })
    }

    fn of(
        program: &TrailProgram,
        clause: &'a TrailClause,
        source: Node<'a>,
        target: Option<Node<'a>>,
    ) -> Option<WalkStep<'a>> {
        // What only the trail is made of.
        let mut own: HashSet<u32> = HashSet::new();
        match source.trail() {
            trail @ ClauseTerm::Var(_) => trail.add_vars(&mut own),
            _ => return None,
        }
        if let Some(trail @ ClauseTerm::Var(_)) = target.map(|node| node.trail()) {
            trail.add_vars(&mut own);
        }
        let nodes = [Some(source), target];
        let is_node = |literal: &ClauseLiteral| {
            let atom = literal.atom();
            atom.is_some_and(|atom| nodes.iter().flatten().any(|node| std::ptr::eq(node.atom, atom)))
        };
        let mut guards: Vec<usize>;
        loop {
            let (guarded, rest): (Vec<usize>, Vec<usize>) = (0..clause.body.len())
                .filter(|&at| !is_node(&clause.body[at]))
                .partition(|&at| clause.body[at].has_var(|var| own.contains(&var)));
            let mut elsewhere: HashSet<u32> = HashSet::new();
            let places = nodes.iter().flatten().flat_map(Node::place);
            let terms = rest.iter().flat_map(|&at| clause.body[at].terms());
            terms.chain(places).for_each(|term| term.add_vars(&mut elsewhere));
            if own.iter().any(|var| elsewhere.contains(var)) {
                return None;
            }
            let before = own.len();
            let mut about = HashSet::new();
            let terms = guarded.iter().flat_map(|&at| clause.body[at].terms());
            terms.for_each(|term| term.add_vars(&mut about));
            own.extend(about.difference(&elsewhere));
            guards = guarded;
            if own.len() == before {
                break;
            }
        }
        let mut keys: Vec<&ClauseTerm> = Vec::new();
        let terms = guards.iter().flat_map(|&at| clause.body[at].terms());
        for term in terms.chain(target.map(|node| node.trail())) {
            shared(term, &own, &mut keys);
        }
        let is_static = |at: &usize| match clause.body[*at].atom() {
            Some(atom) => program.statics.contains(&atom.relation()),
            None => true,
        };
        let one = keys.windows(2).all(|pair| pair[0] == pair[1]);
        (one && guards.iter().all(is_static)).then(|| WalkStep {
            clause,
            source: Some(source),
            target,
            key: keys.first().map(|&key| key.clone()),
            guards,
        })
    }
}

/// The largest parts of a term that have variables, but none of the trail's own.
fn shared<'t>(term: &'t ClauseTerm, own: &HashSet<u32>, out: &mut Vec<&'t ClauseTerm>) {
    match term {
        _ if term.is_ground() => {}
        _ if !term.has_var(|var| own.contains(&var)) => out.push(term),
        ClauseTerm::Fun(_, args) => args.iter().for_each(|arg| shared(arg, own, out)),
        _ => {}
    }
}
