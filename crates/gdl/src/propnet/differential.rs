//! The evaluator of single positions (differential propagation): only what depends on a changed fact or move is evaluated
//! again.
//!
//! Every gate counts its literals that are false. A node that changes updates the counts of its readers; a gate whose count
//! reaches or leaves zero is put on a list. The list is processed in topological order, so that no gate changes twice.
//!
//! Some nodes have thousands of readers: for example, every legal move depends on whose turn it is. Such a node is not
//! counted. It is a guard: the readers for which all other literals are true wait in a list, and only those are updated when
//! the guard changes (similar to watched literals in SAT solvers).

use super::build::{Propnet, Region};
use super::gates::Lit;
use crate::GdlError;
use crate::logic::WorkBudget;
use std::ops::Range;
use std::sync::Arc;

/// Where each output is among the output bits; every group begins at a new word.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// What each base is after the move.
    pub next: Range<usize>,
    /// What may be played, one group for each role.
    pub legal: Vec<Range<usize>>,
    /// Whether the game is over.
    pub terminal: usize,
    /// The goals, in the order of the network.
    pub goals: usize,
}

/// A node with more readers than this guards them.
const CROWD: u32 = 48;
/// No guard.
const NONE: u32 = u32::MAX;
/// The mark of a reader inside a recursive part.
const RECURSIVE: u32 = 1 << 31;

/// The part of the evaluator that never changes.
#[derive(Debug)]
pub struct Wiring {
    nodes: usize,
    bases: usize,
    /// Where each node's readers begin in `readers`.
    starts: Vec<u32>,
    /// Twice the reader, plus one if it reads the inverse; [`RECURSIVE`] is added if it is part of a recursive part. Readers
    /// from `nodes` on are output bits.
    readers: Vec<u32>,
    /// The guard of each gate, if it has one.
    guard: Vec<u32>,
    /// The literal that each guard is.
    guard_lits: Vec<Lit>,
    /// The guards that each node is: as it is, and inverted.
    guards_of: Vec<[u32; 2]>,
    regions: Vec<Region>,
    /// For the recursive parts: the literals of their gates.
    region_lits: Vec<Vec<(u32, Vec<Lit>)>>,
    slots: Slots,
    fresh: Box<Values>,
}

/// What changes.
#[derive(Clone, Debug)]
struct Values {
    holds: Vec<bool>,
    /// How many literals of each gate do not hold.
    missing: Vec<u32>,
    /// For each guard the gates that lack nothing else, and the place of each gate in that list.
    waiting: Vec<Vec<u32>>,
    place: Vec<u32>,
    outputs: Vec<u32>,
    /// The gates to look at, a bit each, and a bit for each word of those.
    dirty: Vec<u64>,
    dirty_words: Vec<u64>,
}

/// An evaluator.
#[derive(Clone, Debug)]
pub struct DifferentialEvaluator {
    wiring: Arc<Wiring>,
    /// The bases as they were set last.
    state: Vec<u32>,
    values: Values,
}

impl Wiring {
    /// Wires a network and evaluates it with all bases and inputs off.
    pub fn new(propnet: &Propnet, budget: &mut WorkBudget) -> Result<Arc<Wiring>, GdlError> {
        budget.check_clock()?;
        let gates = &propnet.gates;
        let nodes = gates.len();
        let mut slots = Slots::default();
        // Which literal each output bit shows.
        let mut shown: Vec<Lit> = propnet.roots.next.clone();
        slots.next = 0..shown.len();
        for role in &gates.roles {
            shown.resize(shown.len().next_multiple_of(32), 0);
            let start = shown.len();
            shown.extend(&propnet.roots.legal[role.start as usize..role.end as usize]);
            slots.legal.push(start..shown.len());
        }
        shown.resize(shown.len().next_multiple_of(32), 0);
        slots.terminal = shown.len();
        shown.push(propnet.roots.terminal);
        slots.goals = shown.len();
        shown.extend(propnet.roots.goals.iter().map(|goal| goal.2));
        let (guard, guard_lits) = guards(propnet);
        let mut guards_of = vec![[NONE; 2]; nodes];
        for (number, lit) in (0..).zip(&guard_lits) {
            guards_of[(lit >> 1) as usize][(lit & 1) as usize] = number;
        }
        let guarded = |node: usize, lit: Lit| guard_lits.get(guard[node] as usize) == Some(&lit);
        // A loop may be fed from before its recursive part; then it reads that as a gate would.
        let fed = propnet.regions.iter().flat_map(|region| {
            let before = |fed: Lit| ((fed >> 1) as usize) < region.nodes.start;
            region.loops.iter().filter(move |&&(_, fed)| before(fed))
        });
        let reads = (0..nodes)
            .flat_map(|node| gates.of(node).iter().map(move |&lit| (lit, node)))
            .filter(|&(lit, node)| !guarded(node, lit))
            .chain(fed.clone().map(|&(node, fed)| (fed, node as usize)));
        let shows = shown.iter().enumerate().map(|(slot, &lit)| (lit, nodes + slot));
        let mut starts = vec![0u32; nodes + 1];
        for (lit, _) in reads.clone().chain(shows.clone()) {
            starts[(lit >> 1) as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut fill = starts.clone();
        let mut readers = vec![0; starts[nodes] as usize];
        let inside = inside(propnet);
        for (lit, reader) in reads.chain(shows) {
            budget.look()?;
            let at = &mut fill[(lit >> 1) as usize];
            let mark = if inside.get(reader) == Some(&true) {
                RECURSIVE
            } else {
                0
            };
            readers[*at as usize] = mark | (reader as u32) << 1 | (lit & 1);
            *at += 1;
        }
        let region_lits = propnet
            .regions
            .iter()
            .map(|region| {
                region
                    .nodes
                    .clone()
                    .filter(|&node| !gates.of(node).is_empty())
                    .map(|node| (node as u32, gates.of(node).to_vec()))
                    .collect()
            })
            .collect();
        let mut values = Values {
            holds: vec![false; nodes],
            missing: (0..nodes)
                .map(|node| gates.of(node).len() as u32 - u32::from(guard[node] != NONE))
                .collect(),
            waiting: vec![Vec::new(); guard_lits.len()],
            place: vec![0; nodes],
            outputs: vec![0; shown.len().div_ceil(32)],
            dirty: vec![0; nodes.div_ceil(64)],
            dirty_words: vec![0; nodes.div_ceil(64).div_ceil(64)],
        };
        // With everything off, exactly the inverted literals hold.
        for (node, &guard) in guard.iter().enumerate().skip(gates.first_gate()) {
            budget.look()?;
            let denied = |lit: &&Lit| **lit & 1 == 1 && !guarded(node, **lit);
            values.missing[node] -= gates.of(node).iter().filter(denied).count() as u32;
            if values.missing[node] == 0 && !gates.of(node).is_empty() {
                if guard != NONE {
                    values.wait(guard as usize, node);
                }
                values.mark(node);
            }
        }
        for &(node, fed) in fed {
            values.missing[node as usize] = 1 - (fed & 1);
        }
        for (slot, lit) in shown.iter().enumerate() {
            values.outputs[slot / 32] |= (lit & 1) << (slot % 32);
        }
        let mut wiring = Wiring {
            nodes,
            bases: propnet.bases.len(),
            starts,
            readers,
            guard,
            guard_lits,
            guards_of,
            regions: propnet.regions.clone(),
            region_lits,
            slots,
            fresh: Box::new(values.clone()),
        };
        for region in 0..wiring.regions.len() {
            values.mark(wiring.regions[region].nodes.start);
        }
        budget.check_clock()?;
        values.settle(&wiring);
        *wiring.fresh = values;
        Ok(Arc::new(wiring))
    }

    /// Where the outputs are.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }
}

/// Which nodes are part of a recursive part.
fn inside(propnet: &Propnet) -> Vec<bool> {
    let mut inside = vec![false; propnet.gates.len()];
    for region in &propnet.regions {
        inside[region.nodes.clone()].fill(true);
    }
    inside
}

/// The guard of each gate, and what the guards are: of each gate's literals the most read one, if it is read by a crowd.
/// Recursive parts neither guard nor are guarded.
fn guards(propnet: &Propnet) -> (Vec<u32>, Vec<Lit>) {
    let gates = &propnet.gates;
    let inside = inside(propnet);
    let mut read = vec![0; 2 * gates.len()];
    for node in 0..gates.len() {
        gates.of(node).iter().for_each(|&lit| read[lit as usize] += 1);
    }
    let mut numbers = vec![NONE; 2 * gates.len()];
    let mut lits = Vec::new();
    let guard = (0..gates.len())
        .map(|node| {
            let outside = |lit: &&Lit| !inside[(**lit >> 1) as usize];
            let most = gates
                .of(node)
                .iter()
                .filter(outside)
                .max_by_key(|&&lit| read[lit as usize]);
            match most {
                Some(&lit) if !inside[node] && read[lit as usize] > CROWD => {
                    let number = &mut numbers[lit as usize];
                    if *number == NONE {
                        *number = lits.len() as u32;
                        lits.push(lit);
                    }
                    *number
                }
                _ => NONE,
            }
        })
        .collect();
    (guard, lits)
}

impl Values {
    /// Puts a gate among those that only its guard holds back.
    #[inline]
    fn wait(&mut self, guard: usize, node: usize) {
        self.place[node] = self.waiting[guard].len() as u32;
        self.waiting[guard].push(node as u32);
    }

    /// Takes it out again.
    #[inline]
    fn leave(&mut self, guard: usize, node: usize) {
        let place = self.place[node] as usize;
        let list = &mut self.waiting[guard];
        list.swap_remove(place);
        if let Some(&moved) = list.get(place) {
            self.place[moved as usize] = place as u32;
        }
    }

    #[inline]
    fn mark(&mut self, node: usize) {
        self.dirty[node / 64] |= 1 << (node % 64);
        self.dirty_words[node / 4096] |= 1 << (node / 64 % 64);
    }

    /// Changes a node and tells its readers.
    #[inline]
    fn flip(&mut self, wiring: &Wiring, node: usize) {
        let holds = !self.holds[node];
        self.holds[node] = holds;
        for &reader in &wiring.readers[wiring.starts[node] as usize..wiring.starts[node + 1] as usize] {
            self.tell(wiring, reader, holds);
        }
        for guard in wiring.guards_of[node] {
            if guard != NONE {
                for at in 0..self.waiting[guard as usize].len() {
                    self.mark(self.waiting[guard as usize][at] as usize);
                }
            }
        }
    }

    #[inline]
    fn tell(&mut self, wiring: &Wiring, reader: u32, holds: bool) {
        let to = ((reader & !RECURSIVE) >> 1) as usize;
        if to >= wiring.nodes {
            let slot = to - wiring.nodes;
            self.outputs[slot / 32] ^= 1 << (slot % 32);
            return;
        }
        let missing = &mut self.missing[to];
        let was = *missing;
        *missing = if holds ^ (reader & 1 == 1) { was - 1 } else { was + 1 };
        if was == 0 || *missing == 0 {
            let guard = wiring.guard[to];
            if guard != NONE {
                if was == 0 {
                    self.leave(guard as usize, to);
                } else {
                    self.wait(guard as usize, to);
                }
                // While the guard holds it back, nothing about it changes.
                if !self.literal(wiring.guard_lits[guard as usize]) && !self.holds[to] {
                    return;
                }
            }
            self.mark(to);
        } else if reader & RECURSIVE != 0 && *missing < was {
            // A disjunction is an inverted conjunction of inverses: one of its alternatives became false and others are still true.
            // Those may depend on the disjunction itself, so the whole part must be evaluated again.
            self.mark(to);
        }
    }

    /// Whether a gate holds, by its count and its guard.
    #[inline]
    fn ready(&self, wiring: &Wiring, node: usize) -> bool {
        let guard = wiring.guard[node];
        self.missing[node] == 0 && (guard == NONE || self.literal(wiring.guard_lits[guard as usize]))
    }

    /// Processes the list until nothing changes.
    fn settle(&mut self, wiring: &Wiring) {
        let mut region = 0;
        for top in 0..self.dirty_words.len() {
            while self.dirty_words[top] != 0 {
                let word = top * 64 + self.dirty_words[top].trailing_zeros() as usize;
                while self.dirty[word] != 0 {
                    let node = word * 64 + self.dirty[word].trailing_zeros() as usize;
                    while wiring.regions.get(region).is_some_and(|r| r.nodes.end <= node) {
                        region += 1;
                    }
                    if wiring.regions.get(region).is_some_and(|r| r.nodes.contains(&node)) {
                        self.recurse(wiring, region);
                        continue;
                    }
                    self.dirty[word] &= self.dirty[word] - 1;
                    if self.ready(wiring, node) != self.holds[node] {
                        self.flip(wiring, node);
                    }
                }
                self.dirty_words[top] &= !(1 << (word % 64));
            }
        }
    }

    /// Evaluates a recursive part again, from nothing to its fixed point, and then updates the readers outside.
    fn recurse(&mut self, wiring: &Wiring, number: usize) {
        let region = &wiring.regions[number];
        let gates = &wiring.region_lits[number];
        let before: Vec<bool> = self.holds[region.nodes.clone()].to_vec();
        for &(node, _) in &region.loops {
            self.holds[node as usize] = false;
        }
        loop {
            for (node, lits) in gates {
                let missing = lits.iter().filter(|&&lit| !self.literal(lit)).count() as u32;
                self.missing[*node as usize] = missing;
                self.holds[*node as usize] = missing == 0;
            }
            let mut rests = true;
            for &(node, fed) in &region.loops {
                let now = self.literal(fed);
                rests &= now == self.holds[node as usize];
                self.holds[node as usize] = now;
            }
            if rests {
                break;
            }
        }
        for node in region.nodes.clone() {
            self.dirty[node / 64] &= !(1 << (node % 64));
            let holds = self.holds[node];
            if holds != before[node - region.nodes.start] {
                for &reader in &wiring.readers[wiring.starts[node] as usize..wiring.starts[node + 1] as usize] {
                    if !region.nodes.contains(&(((reader & !RECURSIVE) >> 1) as usize)) {
                        self.tell(wiring, reader, holds);
                    }
                }
            }
        }
    }

    fn literal(&self, lit: Lit) -> bool {
        self.holds[(lit >> 1) as usize] ^ (lit & 1 == 1)
    }
}

impl DifferentialEvaluator {
    /// A new evaluator.
    pub fn new(wiring: &Arc<Wiring>) -> Self {
        DifferentialEvaluator {
            values: (*wiring.fresh).clone(),
            state: vec![0; wiring.bases.div_ceil(32)],
            wiring: wiring.clone(),
        }
    }

    /// Makes the bases what `state` says (a bit each) and plays moves.
    pub fn set(&mut self, state: &[u32], played: &[u32]) {
        for (at, &bits) in state.iter().enumerate() {
            let mut changed = bits ^ std::mem::replace(&mut self.state[at], bits);
            while changed != 0 {
                let base = at * 32 + changed.trailing_zeros() as usize;
                changed &= changed - 1;
                self.values.flip(&self.wiring, 1 + base);
            }
        }
        let first_input = 1 + self.wiring.bases;
        for input in played {
            self.values.flip(&self.wiring, first_input + *input as usize);
        }
        self.values.settle(&self.wiring);
    }

    /// Takes moves back that were played in `set`.
    pub fn take_back(&mut self, played: &[u32]) {
        for input in played {
            self.values.flip(&self.wiring, 1 + self.wiring.bases + *input as usize);
        }
    }

    /// The output bits.
    pub fn outputs(&self) -> &[u32] {
        &self.values.outputs
    }
}
