//! The propositional network of a game, made from its ground rules.

use super::gates::{FALSE, Gates, Lit};
use super::ground::{GroundRules, Prop};
use crate::GdlError;
use crate::logic::{RelId, RelationKind, Statics, WorkBudget, graph};
use crate::prover::points_of;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The outputs of the propnet.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// What each base is after the move.
    pub next: Vec<Lit>,
    /// Whether each input may be played.
    pub legal: Vec<Lit>,
    /// Whether the game is over.
    pub terminal: Lit,
    /// What a role gets, if the literal holds.
    pub goals: Vec<(usize, u8, Lit)>,
    /// Whether each input may be played and wins at once, where that was asked for (see [`super::decisive`]).
    pub decisive: Vec<Lit>,
}

/// A recursive part: nodes that are evaluated again and again until a fixed point, where every loop equals what feeds it.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its nodes.
    pub nodes: Range<usize>,
    /// Loop nodes and what feeds each.
    pub loops: Vec<(u32, Lit)>,
}

/// A propositional network.
#[derive(Clone, Debug)]
pub struct Propnet {
    /// The gates.
    pub gates: Gates,
    /// What is asked.
    pub roots: Roots,
    /// The recursive parts, in order.
    pub regions: Vec<Region>,
    /// The bases that hold at first.
    pub initial: Vec<bool>,
    /// The fact of each base: table and row.
    pub bases: Vec<(RelId, Vec<u32>)>,
    /// Facts that always hold.
    pub fixed: Vec<(RelId, Vec<u32>)>,
    /// The move of each input: table and row, role first.
    pub inputs: Vec<(RelId, Vec<u32>)>,
}

impl Propnet {
    /// Makes the network of a ground game.
    pub fn new(statics: &Statics, ground: &GroundRules, budget: &mut WorkBudget) -> Result<Propnet, GdlError> {
        let program = &statics.program;
        let mut known: Vec<Option<Lit>> = vec![None; ground.props];
        // Bases and inputs, in the order in which the prover would list them.
        let mut bases: Vec<(RelId, Vec<u32>)> = Vec::new();
        for rel in program.rels_where(|kind| kind == RelationKind::True) {
            bases.extend(ground.tables[rel].rows().map(|row| (rel, row.to_vec())));
        }
        bases.sort_unstable();
        let mut inputs: Vec<(RelId, Vec<u32>)> = Vec::new();
        let mut roles: Vec<Range<u32>> = Vec::new();
        for role in &statics.roles {
            let start = inputs.len();
            for rel in program.rels_where(|kind| kind == RelationKind::Does) {
                let own = ground.tables[rel].rows().filter(|row| row.first() == Some(role));
                inputs.extend(own.map(|row| (rel, row.to_vec())));
            }
            inputs[start..].sort_unstable();
            roles.push(start as u32..inputs.len() as u32);
        }
        let gates = Gates::new(bases.len() as u32, roles);
        for rel in program.rels_where(|kind| matches!(kind, RelationKind::True | RelationKind::Does)) {
            for row in 0..ground.tables[rel].len() as u32 {
                known[ground.prop(rel, row) as usize] = Some(FALSE);
            }
        }
        for (number, (rel, row)) in bases.iter().enumerate() {
            if let Some(at) = ground.tables[*rel].find(row) {
                known[ground.prop(*rel, at) as usize] = Some(gates.base(number as u32));
            }
        }
        for (number, (rel, row)) in inputs.iter().enumerate() {
            if let Some(at) = ground.tables[*rel].find(row) {
                known[ground.prop(*rel, at) as usize] = Some(gates.input(number as u32));
            }
        }
        let mut builder = Builder {
            gates,
            known,
            clauses: ByHead::new(ground),
            regions: Vec::new(),
        };
        builder.build(budget)?;
        let Builder {
            gates, known, regions, ..
        } = builder;
        let roots = roots(statics, ground, &known, &bases, &inputs);
        let first: HashSet<(RelId, Vec<u32>)> = program
            .rels
            .iter()
            .enumerate()
            .filter_map(|(rel, info)| match info.kind {
                RelationKind::Init(twin) => Some((rel, twin)),
                _ => None,
            })
            .flat_map(|(rel, twin)| statics.tables[rel].rows().map(move |row| (twin, row.to_vec())))
            .collect();
        let initial = bases.iter().map(|base| first.contains(base)).collect();
        Ok(Propnet {
            gates,
            roots,
            regions,
            initial,
            bases,
            fixed: Vec::new(),
            inputs,
        })
    }

    /// The bases that must hold, or must not, where the first role gets 100, as far as a conjunction asks for them.
    pub fn wanted(&self) -> Vec<(u32, bool)> {
        let mut full = self.roots.goals.iter().filter(|goal| (goal.0, goal.1) == (0, 100));
        let (Some(&(_, _, lit)), None) = (full.next(), full.next()) else {
            return Vec::new();
        };
        let (mut wanted, mut open) = (Vec::new(), vec![lit]);
        while let Some(lit) = open.pop() {
            let node = lit >> 1;
            if (1..=self.gates.bases).contains(&node) {
                wanted.push((node - 1, lit & 1 == 0));
            } else if lit & 1 == 0 {
                open.extend_from_slice(self.gates.of(node as usize));
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// All literals that the outside reads.
    pub fn outputs(&self) -> impl Iterator<Item = Lit> {
        let roots = &self.roots;
        let goals = roots.goals.iter().map(|goal| goal.2);
        let loops = self.regions.iter().flat_map(|region| region.loops.iter().map(|l| l.1));
        [roots.terminal]
            .into_iter()
            .chain(roots.next.iter().copied())
            .chain(roots.legal.iter().copied())
            .chain(goals)
            .chain(loops)
            .chain(roots.decisive.iter().copied())
    }

    /// The same move of another role, by input.
    pub fn twins(&self) -> Vec<Option<u32>> {
        let unnamed = |input: u32| {
            let (table, row) = &self.inputs[input as usize];
            (*table, row.get(1..).unwrap_or_default())
        };
        let mut owners: HashMap<(RelId, &[u32]), Vec<u32>> = HashMap::new();
        for input in 0..self.inputs.len() as u32 {
            owners.entry(unnamed(input)).or_default().push(input);
        }
        let other = |input: u32| owners[&unnamed(input)].iter().copied().find(|&other| other != input);
        (0..self.inputs.len() as u32).map(other).collect()
    }

    /// The moves of kinds of which a role has few, counted from its first: waiting, passing, castling.
    pub fn idle(&self, role: usize) -> Vec<usize> {
        const FEW: usize = 4;
        let range = &self.gates.roles[role];
        let inputs = &self.inputs[range.start as usize..range.end as usize];
        let mut counts: HashMap<usize, usize> = HashMap::new();
        inputs.iter().for_each(|input| *counts.entry(input.0).or_default() += 1);
        let rare = |input: &usize| counts[&inputs[*input].0] <= FEW;
        let found: Vec<usize> = (0..inputs.len()).filter(rare).collect();
        if found.len() <= FEW { found } else { Vec::new() }
    }
}

/// The clauses, by the proposition they are for.
struct ByHead {
    /// Where each proposition's clauses begin in `order`.
    starts: Vec<u32>,
    /// Where each clause's conditions begin in `lits`, and the end; clauses of one head together.
    clauses: Vec<Range<u32>>,
    lits: Vec<u32>,
}

impl ByHead {
    fn new(ground: &GroundRules) -> Self {
        let mut starts = vec![0u32; ground.props + 1];
        for (head, _) in ground.clauses() {
            starts[head as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut fill = starts.clone();
        let mut clauses = vec![0..0; *starts.last().unwrap_or(&0) as usize];
        let mut lits = Vec::with_capacity(ground.clauses().map(|(_, lits)| lits.len()).sum());
        for (head, conditions) in ground.clauses() {
            let at = &mut fill[head as usize];
            let begin = lits.len() as u32;
            lits.extend_from_slice(conditions);
            clauses[*at as usize] = begin..lits.len() as u32;
            *at += 1;
        }
        // The conditions of one head together, too, so that they can be read as edges.
        let mut sorted = Vec::with_capacity(lits.len());
        for clause in &mut clauses {
            let begin = sorted.len() as u32;
            sorted.extend_from_slice(&lits[clause.start as usize..clause.end as usize]);
            *clause = begin..sorted.len() as u32;
        }
        ByHead {
            starts,
            clauses,
            lits: sorted,
        }
    }

    fn of(&self, prop: Prop) -> &[Range<u32>] {
        &self.clauses[self.starts[prop as usize] as usize..self.starts[prop as usize + 1] as usize]
    }

    /// All conditions of all clauses of a proposition.
    fn all_lits(&self, prop: usize) -> Range<usize> {
        match self.of(prop as u32) {
            [] => 0..0,
            [first, .., last] => first.start as usize..last.end as usize,
            [only] => only.start as usize..only.end as usize,
        }
    }
}

struct Builder {
    gates: Gates,
    /// The literal of each proposition that is built.
    known: Vec<Option<Lit>>,
    clauses: ByHead,
    regions: Vec<Region>,
}

impl Builder {
    fn build(&mut self, budget: &mut WorkBudget) -> Result<(), GdlError> {
        let edges: Vec<u32> = self.clauses.lits.iter().map(|lit| lit >> 1).collect();
        let components = graph::components(self.known.len(), |prop| match self.known[prop] {
            Some(_) => &[],
            None => &edges[self.clauses.all_lits(prop)],
        });
        for component in components {
            match component[..] {
                [only] if !edges[self.clauses.all_lits(only as usize)].contains(&only) => {
                    budget.spend()?;
                    self.straight(only);
                }
                _ => self.recursive(&component, budget)?,
            }
        }
        Ok(())
    }

    /// A proposition all of whose conditions are built.
    fn straight(&mut self, prop: Prop) {
        if self.known[prop as usize].is_some() {
            return;
        }
        let mut ways = Vec::new();
        for clause in 0..self.clauses.of(prop).len() {
            let range = self.clauses.of(prop)[clause].clone();
            let lits = &self.clauses.lits[range.start as usize..range.end as usize];
            // A way to a proposition through itself is no way.
            if lits.contains(&(prop << 1)) {
                continue;
            }
            let known = &self.known;
            ways.push(
                self.gates.and(
                    lits.iter()
                        .map(|lit| known[(lit >> 1) as usize].unwrap_or(FALSE) ^ (lit & 1)),
                ),
            );
        }
        self.known[prop as usize] = Some(self.gates.or(ways));
    }

    /// Propositions that depend on each other: depth first, and whatever is met while it is still open becomes a loop.
    fn recursive(&mut self, component: &[Prop], budget: &mut WorkBudget) -> Result<(), GdlError> {
        let begin = self.gates.len();
        let mut open: HashMap<Prop, Option<Lit>> = HashMap::new();
        let mut loops: Vec<(u32, Prop)> = Vec::new();
        for &root in component {
            let mut path: Vec<(Prop, usize)> = Vec::new();
            if self.known[root as usize].is_none() {
                path.push((root, 0));
                open.insert(root, None);
            }
            while let Some(&mut (prop, ref mut followed)) = path.last_mut() {
                let lits = &self.clauses.lits[self.clauses.all_lits(prop as usize)];
                let Some(&lit) = lits.get(*followed) else {
                    path.pop();
                    budget.spend()?;
                    // Neighbours that are still open are loops; its own loop has served.
                    self.known[prop as usize] = None;
                    self.straight(prop);
                    if let Some(Some(placeholder)) = open.remove(&prop) {
                        loops.push((placeholder >> 1, prop));
                    }
                    continue;
                };
                *followed += 1;
                let to = lit >> 1;
                if to == prop {
                    continue;
                }
                match open.get_mut(&to) {
                    Some(placeholder @ None) => {
                        let new = self.gates.new_loop();
                        *placeholder = Some(new);
                        self.known[to as usize] = Some(new);
                    }
                    Some(Some(_)) => {}
                    None if self.known[to as usize].is_none() => {
                        path.push((to, 0));
                        open.insert(to, None);
                    }
                    None => {}
                }
            }
        }
        let loops = loops
            .into_iter()
            .map(|(node, prop)| (node, self.known[prop as usize].unwrap_or(FALSE)))
            .collect::<Vec<_>>();
        if !loops.is_empty() {
            self.regions.push(Region {
                nodes: begin..self.gates.len(),
                loops,
            });
        }
        Ok(())
    }
}

fn roots(
    statics: &Statics,
    ground: &GroundRules,
    known: &[Option<Lit>],
    bases: &[(RelId, Vec<u32>)],
    inputs: &[(RelId, Vec<u32>)],
) -> Roots {
    let program = &statics.program;
    let literal = |rel: RelId, row: u32| known[ground.prop(rel, row) as usize].unwrap_or(FALSE);
    // Of each table of `true` and `does`, the relation of `next` and `legal` that shares it.
    let mut twin: Vec<Option<RelId>> = vec![None; program.rels.len()];
    for (rel, info) in program.rels.iter().enumerate() {
        if let RelationKind::Next(shared) | RelationKind::Legal(shared) = info.kind {
            twin[shared] = Some(rel);
        }
    }
    let twins = |rows: &[(RelId, Vec<u32>)]| -> Vec<Lit> {
        rows.iter()
            .map(|(rel, row)| match (twin[*rel], ground.tables[*rel].find(row)) {
                (Some(own), Some(at)) => literal(own, at),
                _ => FALSE,
            })
            .collect()
    };
    let mut goals = Vec::new();
    let mut terminal = FALSE;
    for (rel, info) in program.rels.iter().enumerate() {
        match info.kind {
            RelationKind::Goal if info.arity == 2 => {
                for (at, row) in ground.tables[rel].rows().enumerate() {
                    if let Some(role) = statics.roles.iter().position(|&role| role == row[0]) {
                        goals.push((role, points_of(program, row[1]), literal(rel, at as u32)));
                    }
                }
            }
            RelationKind::Terminal if ground.tables[rel].len() > 0 => terminal = literal(rel, 0),
            _ => {}
        }
    }
    // The highest first, as where several hold the highest counts.
    goals.sort_by_key(|&(role, points, _)| (role, std::cmp::Reverse(points)));
    Roots {
        next: twins(bases),
        legal: twins(inputs),
        terminal,
        goals,
        decisive: Vec::new(),
    }
}
