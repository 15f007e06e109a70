//! Facts that change with time alone: a step counter, which only ends the game.
//!
//! Neither the legal moves nor their effects depend on these facts, so positions that differ in nothing else need to be
//! searched only once. How the counter runs is known in advance, and so is the latest end of the game.

use super::Propnet;
use super::gates::{FALSE, Lit};
use crate::machine::State;
use std::collections::HashSet;

/// Counters that run longer than this are not followed.
const LONGEST: usize = 4096;
/// Nor is anything that takes more passes over the network than this.
const MOST_PASSES: usize = 64;

/// The facts that change with time alone, at every time of the game.
#[derive(Debug)]
pub struct Timer {
    /// Everything but these facts.
    rest: Box<[u32]>,
    /// These facts, from the first position to the last.
    at: Vec<Box<[u32]>>,
    goals_change: bool,
}

impl Timer {
    /// The timer of a game: facts that do not depend on moves or on other facts, on which no move depends, and which end the
    /// game at some time whatever was played. Before that time the end of the game does not depend on them.
    pub fn new(propnet: &Propnet) -> Option<Timer> {
        let moved = moved(propnet)?;
        let needed = needed(propnet, &moved);
        let bases = propnet.bases.len();
        let counts: Vec<bool> = (0..bases).map(|base| !moved[base] && !needed[base]).collect();
        if !counts.contains(&true) {
            return None;
        }
        let mut known: Vec<Option<bool>> = (0..bases)
            .map(|base| (!moved[base]).then(|| propnet.initial[base]))
            .collect();
        let mut timer = Timer {
            rest: words(bases, |base| !counts[base]),
            at: Vec::new(),
            goals_change: false,
        };
        let mut times = HashSet::new();
        let mut first = None;
        while timer.at.len() < LONGEST {
            let now = words(bases, |base| counts[base] && known[base] == Some(true));
            // If the same facts come back, they do not tell the time.
            if !times.insert(now.clone()) {
                return None;
            }
            timer.at.push(now);
            let values = values(propnet, &known);
            if value(&values, propnet.roots.terminal) == Some(true) {
                return Some(timer).filter(|timer| timer.last() > 1);
            }
            let end = open(propnet, &values, [propnet.roots.terminal])?;
            let goals = open(propnet, &values, propnet.roots.goals.iter().map(|goal| goal.2));
            let (first_end, first_goals) = first.get_or_insert_with(|| (end.clone(), goals.clone()));
            if *first_end != end {
                return None;
            }
            timer.goals_change |= goals.is_none() || *first_goals != goals;
            known = (0..bases)
                .map(|base| (!moved[base]).then(|| value(&values, propnet.roots.next[base]) == Some(true)))
                .collect();
        }
        None
    }

    /// The time at which the game is over whatever was played; the first position is at time 0.
    pub fn last(&self) -> usize {
        self.at.len() - 1
    }

    /// Whether the goals depend on the time, even before the last moment.
    pub fn goals_change(&self) -> bool {
        self.goals_change
    }

    /// The time of a position, if it has one.
    pub fn time_of(&self, state: &State) -> Option<usize> {
        let same = |at: &[u32]| {
            let mut words = state.0.iter().zip(&self.rest).zip(at);
            words.all(|((word, rest), at)| word & !rest == *at)
        };
        self.at.iter().position(|at| same(at))
    }

    /// The same position at another time, up to the last.
    pub fn at(&self, state: &State, time: usize) -> State {
        let at = &self.at[time.min(self.last())];
        let words = state.0.iter().zip(&self.rest).zip(at);
        State(words.map(|((word, rest), at)| word & rest | at).collect())
    }
}

fn words(bases: usize, holds: impl Fn(usize) -> bool) -> Box<[u32]> {
    let mut words = vec![0; bases.div_ceil(32)];
    for base in (0..bases).filter(|&base| holds(base)) {
        words[base / 32] |= 1 << (base % 32);
    }
    words.into()
}

/// Which bases depend on moves, now or later. Everything that depends on a recursive part is counted, too.
fn moved(propnet: &Propnet) -> Option<Vec<bool>> {
    let gates = &propnet.gates;
    let bases = propnet.bases.len();
    let mut moved = vec![true; gates.len()];
    moved[..=bases].fill(false);
    for _ in 0..MOST_PASSES {
        for node in gates.first_gate()..gates.len() {
            let lits = gates.of(node);
            moved[node] = lits.is_empty() || lits.iter().any(|lit| moved[(lit >> 1) as usize]);
        }
        let mut news = false;
        for (base, next) in propnet.roots.next.iter().enumerate() {
            if moved[(next >> 1) as usize] && !moved[1 + base] {
                moved[1 + base] = true;
                news = true;
            }
        }
        if !news {
            return Some(moved[1..=bases].to_vec());
        }
    }
    None
}

/// Which bases the legal moves or their effects depend on. A dependency through `terminal` does not count: in a game that
/// is over nobody asks for moves.
fn needed(propnet: &Propnet, moved: &[bool]) -> Vec<bool> {
    let gates = &propnet.gates;
    let bases = propnet.bases.len();
    let feeds = propnet.regions.iter().flat_map(|region| &region.loops);
    let mut needed = vec![false; gates.len()];
    let mut open: Vec<Lit> = propnet.roots.legal.clone();
    open.extend(
        (0..bases)
            .filter(|&base| moved[base])
            .map(|base| propnet.roots.next[base]),
    );
    open.extend(feeds.map(|(_, feed)| feed));
    while let Some(lit) = open.pop() {
        let node = (lit >> 1) as usize;
        if lit >> 1 == propnet.roots.terminal >> 1 || std::mem::replace(&mut needed[node], true) {
            continue;
        }
        open.extend(gates.of(node));
        if (1..=bases).contains(&node) {
            open.push(propnet.roots.next[node - 1]);
        }
    }
    needed[1..=bases].to_vec()
}

/// The value of every node, as far as it follows from the bases that are known.
fn values(propnet: &Propnet, known: &[Option<bool>]) -> Vec<Option<bool>> {
    let gates = &propnet.gates;
    let mut values = vec![None; gates.len()];
    values[0] = Some(FALSE != 0);
    values[1..=known.len()].copy_from_slice(known);
    for node in gates.first_gate()..gates.len() {
        let lits = gates.of(node);
        let mut all = (!lits.is_empty()).then_some(true);
        for &lit in lits {
            match value(&values, lit) {
                Some(true) => {}
                Some(false) => {
                    all = Some(false);
                    break;
                }
                None => all = None,
            }
        }
        values[node] = all;
    }
    values
}

fn value(values: &[Option<bool>], lit: Lit) -> Option<bool> {
    values[(lit >> 1) as usize].map(|holds| holds != (lit & 1 == 1))
}

/// What is left of some literals when all known values are put in: as long as this is the same, the literals depend on the
/// rest in the same way. None if they depend on a recursive part.
fn open(propnet: &Propnet, values: &[Option<bool>], lits: impl IntoIterator<Item = Lit>) -> Option<Vec<Lit>> {
    let gates = &propnet.gates;
    let mut left = Vec::new();
    let mut seen = vec![false; gates.len()];
    let mut stack = Vec::new();
    for lit in lits {
        left.push(value(values, lit).map_or(lit, Lit::from));
        stack.push(lit);
        while let Some(lit) = stack.pop() {
            let node = (lit >> 1) as usize;
            if values[node].is_some() || std::mem::replace(&mut seen[node], true) || node < gates.first_gate() {
                continue;
            }
            if gates.of(node).is_empty() {
                return None;
            }
            left.push(lit >> 1);
            let unknown = gates.of(node).iter().filter(|&&lit| value(values, lit).is_none());
            left.extend(unknown.clone());
            left.push(Lit::MAX);
            stack.extend(unknown);
        }
    }
    Some(left)
}
