//! Makes the propnet smaller: nodes that never change become constants (constant propagation), nodes that nothing reads are
//! removed, and gates with a single reader are merged into it.

use super::build::{Propnet, Region, Roots};
use super::gates::{FALSE, Gates, Lit, TRUE};
use crate::GdlError;
use crate::logic::WorkBudget;
use std::collections::HashMap;

/// More gate evaluations than this are not spent on finding constants.
const MOST_EVALUATIONS: usize = 400_000_000;

/// A smaller propnet of the same game.
pub fn simplify(propnet: Propnet, budget: &mut WorkBudget) -> Result<Propnet, GdlError> {
    let values = reachable_values(&propnet, budget)?;
    compact(&rebuild(&propnet, Some(&values), &[], budget)?, budget)
}

/// The same with gates merged into their only reader. What was merged is still there, and nothing reads it.
fn compact(propnet: &Propnet, budget: &mut WorkBudget) -> Result<Propnet, GdlError> {
    rebuild(propnet, None, &fan_out(propnet), budget)
}

/// The same without what nothing reads, before or after merging.
pub fn prune(propnet: &Propnet, budget: &mut WorkBudget) -> Result<Propnet, GdlError> {
    rebuild(&compact(propnet, budget)?, None, &[], budget)
}

/// A value that a node has in every position that can be reached, or not known.
const NO: u8 = 0;
const YES: u8 = 1;
const ANY: u8 = 2;

/// What every node can be, from the first position on: values spread until nothing changes.
fn reachable_values(propnet: &Propnet, budget: &mut WorkBudget) -> Result<Vec<u8>, GdlError> {
    let gates = &propnet.gates;
    let mut values = vec![NO; gates.len()];
    let first_base = 1;
    let first_input = first_base + propnet.bases.len();
    for (base, &holds) in propnet.initial.iter().enumerate() {
        values[first_base + base] = u8::from(holds);
    }
    for region in &propnet.regions {
        for &(node, _) in &region.loops {
            values[node as usize] = ANY;
        }
    }
    let mut spent = 0;
    loop {
        // Twice, since what is legal decides what can be done.
        evaluate(gates, &mut values, budget)?;
        for (input, &legal) in propnet.roots.legal.iter().enumerate() {
            if value(&values, legal) != NO {
                values[first_input + input] = ANY;
            }
        }
        evaluate(gates, &mut values, budget)?;
        spent += 2 * gates.wires();
        let mut changed = false;
        for (base, &next) in propnet.roots.next.iter().enumerate() {
            let now = &mut values[first_base + base];
            if *now != ANY && value(&values, next) != values[first_base + base] {
                values[first_base + base] = ANY;
                changed = true;
            }
        }
        if !changed {
            return Ok(values);
        }
        if spent > MOST_EVALUATIONS {
            values[1..gates.first_gate()].fill(ANY);
            evaluate(gates, &mut values, budget)?;
            return Ok(values);
        }
    }
}

fn value(values: &[u8], lit: Lit) -> u8 {
    match values[(lit >> 1) as usize] {
        ANY => ANY,
        known => known ^ (lit & 1) as u8,
    }
}

fn evaluate(gates: &Gates, values: &mut [u8], budget: &mut WorkBudget) -> Result<(), GdlError> {
    for node in gates.first_gate()..gates.len() {
        budget.look()?;
        let lits = gates.of(node);
        if lits.is_empty() {
            continue;
        }
        let mut result = YES;
        for &lit in lits {
            match value(values, lit) {
                NO => {
                    result = NO;
                    break;
                }
                ANY => result = ANY,
                _ => {}
            }
        }
        values[node] = result;
    }
    Ok(())
}

/// How many gates and outputs read each node.
fn fan_out(propnet: &Propnet) -> Vec<u32> {
    let mut readers = vec![0; propnet.gates.len()];
    for node in 0..propnet.gates.len() {
        for lit in propnet.gates.of(node) {
            readers[(lit >> 1) as usize] += 1;
        }
    }
    for lit in propnet.outputs() {
        // Never merged away: an output needs the node itself.
        readers[(lit >> 1) as usize] += 2;
    }
    readers
}

/// Copies what is read. With `values`, constants are put in; with `readers`, gates with one reader are merged into it.
fn rebuild(
    old: &Propnet,
    values: Option<&[u8]>,
    readers: &[u32],
    budget: &mut WorkBudget,
) -> Result<Propnet, GdlError> {
    let fixed_value = |lit: Lit| match values.map(|values| value(values, lit)) {
        Some(NO) => Some(FALSE),
        Some(YES) => Some(TRUE),
        _ => None,
    };
    let first_base = 1;
    let first_input = first_base + old.bases.len();
    // Which bases and inputs remain.
    let bases: Vec<usize> = (0..old.bases.len())
        .filter(|&base| fixed_value(((first_base + base) as u32) << 1).is_none())
        .collect();
    let mut roles = Vec::new();
    let mut inputs: Vec<usize> = Vec::new();
    for range in &old.gates.roles {
        let start = inputs.len() as u32;
        let alive = |input: &u32| fixed_value((first_input as u32 + input) << 1) != Some(FALSE);
        inputs.extend(range.clone().filter(alive).map(|input| input as usize));
        roles.push(start..inputs.len() as u32);
    }
    let mut gates = Gates::new(bases.len() as u32, roles);
    let mut map: Vec<Lit> = vec![FALSE; old.gates.len()];
    for (node, lit) in (0..).zip(&mut map) {
        *lit = fixed_value(node << 1).unwrap_or(FALSE);
    }
    for (new, &base) in bases.iter().enumerate() {
        map[first_base + base] = gates.base(new as u32);
    }
    for (new, &input) in inputs.iter().enumerate() {
        map[first_input + input] = gates.input(new as u32);
    }
    let live = live(old, |lit| fixed_value(lit).is_some());
    let settled = settled(old);
    let mut regions: Vec<Region> = Vec::with_capacity(old.regions.len());
    // The regions are in order and do not overlap, so only the next one to begin and the next one to end must be checked.
    let (mut begun, mut ended) = (0, 0);
    let mut lits = Vec::new();
    for node in old.gates.first_gate()..old.gates.len() {
        budget.look()?;
        if old.regions.get(ended).is_some_and(|region| region.nodes.end == node) {
            regions[ended].nodes.end = gates.len();
            ended += 1;
        }
        if old.regions.get(begun).is_some_and(|region| region.nodes.start == node) {
            regions.push(Region {
                nodes: gates.len()..gates.len(),
                loops: Vec::new(),
            });
            begun += 1;
        }
        if !live[node] || fixed_value((node as u32) << 1).is_some() {
            continue;
        }
        if old.gates.of(node).is_empty() {
            map[node] = match settled.get(&node) {
                Some(&fed) => map[(fed >> 1) as usize] ^ (fed & 1),
                None => gates.new_loop(),
            };
            continue;
        }
        lits.clear();
        flatten(old, node, readers, &map, &mut lits);
        map[node] = gates.and(lits.iter().copied());
    }
    if let Some(region) = regions.get_mut(ended) {
        region.nodes.end = gates.len();
    }
    let mapped = |lit: Lit| map[(lit >> 1) as usize] ^ (lit & 1);
    for (region, old) in regions.iter_mut().zip(&old.regions) {
        region.loops = old
            .loops
            .iter()
            .filter(|(node, _)| live[*node as usize] && !settled.contains_key(&(*node as usize)))
            .map(|&(node, fed)| (map[node as usize] >> 1, mapped(fed)))
            .collect();
    }
    regions.retain(|region| !region.loops.is_empty());
    let held = |base: &usize| fixed_value(((first_base + base) as u32) << 1) == Some(TRUE);
    let fixed = (0..old.bases.len()).filter(held).map(|base| old.bases[base].clone());
    Ok(Propnet {
        roots: Roots {
            next: bases.iter().map(|&base| mapped(old.roots.next[base])).collect(),
            legal: inputs.iter().map(|&input| mapped(old.roots.legal[input])).collect(),
            terminal: mapped(old.roots.terminal),
            goals: old
                .roots
                .goals
                .iter()
                .map(|&(role, points, lit)| (role, points, mapped(lit)))
                .filter(|&(_, _, lit)| lit != FALSE)
                .collect(),
            decisive: match old.roots.decisive[..] {
                [] => Vec::new(),
                _ => inputs.iter().map(|&input| mapped(old.roots.decisive[input])).collect(),
            },
        },
        regions,
        initial: bases.iter().map(|&base| old.initial[base]).collect(),
        fixed: old.fixed.iter().cloned().chain(fixed).collect(),
        bases: bases.iter().map(|&base| old.bases[base].clone()).collect(),
        inputs: inputs.iter().map(|&input| old.inputs[input].clone()).collect(),
        gates,
    })
}

/// The loops that are not needed: what feeds them comes before the recursive part and does not depend on it, or is the loop
/// itself, which is then always false.
fn settled(propnet: &Propnet) -> HashMap<usize, Lit> {
    let mut settled = HashMap::new();
    for region in &propnet.regions {
        for &(node, fed) in &region.loops {
            if ((fed >> 1) as usize) < region.nodes.start {
                settled.insert(node as usize, fed);
            } else if fed == node << 1 {
                settled.insert(node as usize, FALSE);
            }
        }
    }
    settled
}

/// The new literals of an old gate, with the gates that only it reads opened.
fn flatten(old: &Propnet, node: usize, readers: &[u32], map: &[Lit], lits: &mut Vec<Lit>) {
    for &lit in old.gates.of(node) {
        let inner = (lit >> 1) as usize;
        if lit & 1 == 0 && readers.get(inner) == Some(&1) && !old.gates.of(inner).is_empty() {
            flatten(old, inner, readers, map, lits);
        } else {
            lits.push(map[inner] ^ (lit & 1));
        }
    }
}

/// What the outputs depend on.
fn live(propnet: &Propnet, is_constant: impl Fn(Lit) -> bool) -> Vec<bool> {
    let mut live = vec![false; propnet.gates.len()];
    let mut fed = vec![None; propnet.gates.len()];
    for (node, lit) in propnet.regions.iter().flat_map(|region| region.loops.iter().copied()) {
        fed[node as usize] = Some(lit);
    }
    let roots = &propnet.roots;
    let mut stack: Vec<Lit> = vec![roots.terminal];
    stack.extend(&roots.next);
    stack.extend(&roots.legal);
    stack.extend(roots.goals.iter().map(|goal| goal.2));
    stack.extend(&roots.decisive);
    while let Some(lit) = stack.pop() {
        let node = (lit >> 1) as usize;
        if is_constant(lit) || std::mem::replace(&mut live[node], true) {
            continue;
        }
        stack.extend(propnet.gates.of(node));
        stack.extend(fed[node]);
    }
    live
}
