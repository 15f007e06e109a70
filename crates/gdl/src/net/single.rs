//! One position at a time, by differences: only what a changed fact or move can change is evaluated again.
//!
//! Every gate counts its literals that do not hold. A node that changes moves the counts of its readers; a gate whose
//! count reaches or leaves zero is put on the list. The list is worked off in topological order, so that no gate
//! changes twice.

use super::gates::Lit;
use super::network::{Network, Region};
use std::ops::Range;
use std::sync::Arc;

/// Where each answer stands among the output bits; every group begins a word.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// What each base is after the move.
    pub next: Range<usize>,
    /// What may be played, a group a role.
    pub legal: Vec<Range<usize>>,
    /// Whether the game is over.
    pub terminal: usize,
    /// The goals, in the order of the network.
    pub goals: usize,
}

/// The part of the evaluator that never changes.
#[derive(Debug)]
pub struct Wiring {
    nodes: usize,
    bases: usize,
    /// Where each node's readers begin in `readers`.
    starts: Vec<u32>,
    /// Twice the reader, plus one if it reads the inverse. Readers from `nodes` on are output bits.
    readers: Vec<u32>,
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
    outputs: Vec<u32>,
    /// The gates to look at, a bit each, and a bit for each word of those.
    dirty: Vec<u64>,
    dirty_words: Vec<u64>,
}

/// An evaluator.
#[derive(Clone, Debug)]
pub struct Single {
    wiring: Arc<Wiring>,
    /// The bases as they were set last.
    state: Vec<u32>,
    values: Values,
}

impl Wiring {
    /// Wires a network and evaluates it with all bases and inputs off.
    pub fn new(network: &Network) -> Arc<Wiring> {
        let gates = &network.gates;
        let nodes = gates.len();
        let mut slots = Slots::default();
        // Which literal each output bit shows.
        let mut shown: Vec<Lit> = network.roots.next.clone();
        slots.next = 0..shown.len();
        for role in &gates.roles {
            shown.resize(shown.len().next_multiple_of(32), 0);
            let start = shown.len();
            shown.extend(&network.roots.legal[role.start as usize..role.end as usize]);
            slots.legal.push(start..shown.len());
        }
        shown.resize(shown.len().next_multiple_of(32), 0);
        slots.terminal = shown.len();
        shown.push(network.roots.terminal);
        slots.goals = shown.len();
        shown.extend(network.roots.goals.iter().map(|goal| goal.2));
        let reads = (0..nodes).flat_map(|node| gates.of(node).iter().map(move |&lit| (lit, node)));
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
        for (lit, reader) in reads.chain(shows) {
            let at = &mut fill[(lit >> 1) as usize];
            readers[*at as usize] = (reader as u32) << 1 | (lit & 1);
            *at += 1;
        }
        let region_lits = network
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
            missing: (0..nodes).map(|node| gates.of(node).len() as u32).collect(),
            outputs: vec![0; shown.len().div_ceil(32)],
            dirty: vec![0; nodes.div_ceil(64)],
            dirty_words: vec![0; nodes.div_ceil(64).div_ceil(64)],
        };
        // With everything off, exactly the inverted literals hold.
        for node in gates.first_gate()..nodes {
            let denied = gates.of(node).iter().filter(|&&lit| lit & 1 == 1).count() as u32;
            values.missing[node] -= denied;
            if values.missing[node] == 0 && !gates.of(node).is_empty() {
                values.mark(node);
            }
        }
        for (slot, lit) in shown.iter().enumerate() {
            values.outputs[slot / 32] |= (lit & 1) << (slot % 32);
        }
        let mut wiring = Wiring {
            nodes,
            bases: network.bases.len(),
            starts,
            readers,
            regions: network.regions.clone(),
            region_lits,
            slots,
            fresh: Box::new(values.clone()),
        };
        for region in 0..wiring.regions.len() {
            values.mark(wiring.regions[region].nodes.start);
        }
        values.settle(&wiring);
        *wiring.fresh = values;
        Arc::new(wiring)
    }

    /// Where the answers stand.
    pub fn slots(&self) -> &Slots {
        &self.slots
    }
}

impl Values {
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
    }

    #[inline]
    fn tell(&mut self, wiring: &Wiring, reader: u32, holds: bool) {
        let to = (reader >> 1) as usize;
        if to >= wiring.nodes {
            let slot = to - wiring.nodes;
            self.outputs[slot / 32] ^= 1 << (slot % 32);
            return;
        }
        let missing = &mut self.missing[to];
        let was = *missing;
        *missing = if holds ^ (reader & 1 == 1) { was - 1 } else { was + 1 };
        if was == 0 || *missing == 0 {
            self.mark(to);
        }
    }

    /// Works off the list.
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
                    if (self.missing[node] == 0) != self.holds[node] {
                        self.flip(wiring, node);
                    }
                }
                self.dirty_words[top] &= !(1 << (word % 64));
            }
        }
    }

    /// Evaluates a recursive part anew, from nothing, until it rests; then tells the readers outside.
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
                    if !region.nodes.contains(&((reader >> 1) as usize)) {
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

impl Single {
    /// A new evaluator.
    pub fn new(wiring: &Arc<Wiring>) -> Self {
        Single {
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
