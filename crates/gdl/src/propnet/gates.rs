//! Gates: an and-inverter graph with structural hashing, so that equal gates exist once.
//!
//! There is one kind of gate, the conjunction, and inversion is free: a literal is twice the number of a node, plus one
//! if it is inverted. A disjunction is the inverse of the conjunction of inverses.

use std::ops::Range;

/// Twice a node, plus one if inverted.
pub type Lit = u32;
/// The constant false.
pub const FALSE: Lit = 0;
/// The constant true.
pub const TRUE: Lit = 1;

const NONE: u32 = u32::MAX;

/// A growing propnet. Node 0 is the constant false, then come the bases (facts of the position), the inputs (moves, a
/// stretch a role), and then gates and loops (values that a recursive part feeds back to itself) as they are made.
#[derive(Clone, Debug)]
pub struct Gates {
    /// How many bases there are.
    pub bases: u32,
    /// The inputs of each role, counted from 0 over all roles.
    pub roles: Vec<Range<u32>>,
    /// Where the literals of each node begin in `lits`; sources have none.
    starts: Vec<u32>,
    lits: Vec<Lit>,
    /// Gates chained by hash.
    heads: Vec<u32>,
    next: Vec<u32>,
    scratch: Vec<Lit>,
}

impl Gates {
    /// A network of sources only.
    pub fn new(bases: u32, roles: Vec<Range<u32>>) -> Self {
        let inputs = roles.last().map_or(0, |last| last.end);
        let sources = 1 + (bases + inputs) as usize;
        Gates {
            bases,
            roles,
            starts: vec![0; sources + 1],
            lits: Vec::new(),
            heads: vec![NONE; 1024],
            next: vec![NONE; sources],
            scratch: Vec::new(),
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The literal of a base.
    pub fn base(&self, base: u32) -> Lit {
        (1 + base) << 1
    }

    /// The literal of an input.
    pub fn input(&self, input: u32) -> Lit {
        (1 + self.bases + input) << 1
    }

    /// The first node that is a gate or a loop.
    pub fn first_gate(&self) -> usize {
        1 + (self.bases + self.roles.last().map_or(0, |last| last.end)) as usize
    }

    /// The literals of a gate; a source has none.
    pub fn of(&self, node: usize) -> &[Lit] {
        &self.lits[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    /// How many inputs all gates have together.
    pub fn wires(&self) -> usize {
        self.lits.len()
    }

    /// A new source, to be fed back.
    pub fn new_loop(&mut self) -> Lit {
        self.push_node(NONE)
    }

    fn push_node(&mut self, next: u32) -> Lit {
        let node = self.len() as u32;
        self.starts.push(self.lits.len() as u32);
        self.next.push(next);
        node << 1
    }

    /// What holds if any of `lits` does.
    pub fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        self.and(lits.into_iter().map(|lit| lit ^ 1)) ^ 1
    }

    /// What holds if all of `lits` do: a known gate, a literal, a constant or a new gate.
    pub fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut own = std::mem::take(&mut self.scratch);
        own.clear();
        own.extend(lits);
        let lit = self.simplify(&mut own);
        self.scratch = own;
        lit
    }

    fn simplify(&mut self, own: &mut Vec<Lit>) -> Lit {
        self.open_denials(own);
        if !tidy(own) {
            return FALSE;
        }
        if !self.one_move_a_role(own) || !tidy(own) {
            return FALSE;
        }
        match own[..] {
            [] => TRUE,
            [one] => one,
            _ => self.find_or_make(own),
        }
    }

    /// A conjunction of denied inputs is opened, so that the next rule sees all of them.
    fn open_denials(&self, own: &mut Vec<Lit>) {
        let is_denied = |lit: &Lit| lit & 1 == 1 && self.role_of(*lit).is_some();
        let mut at = 0;
        while at < own.len() {
            let lit = own[at];
            let inner = if lit & 1 == 0 {
                self.of((lit >> 1) as usize)
            } else {
                &[]
            };
            if !inner.is_empty() && inner.iter().all(is_denied) {
                own.swap_remove(at);
                own.extend_from_slice(inner);
            } else {
                at += 1;
            }
        }
    }

    /// Every role plays exactly one move. So one move excludes the others of its role, and the negation of most moves is the
    /// disjunction of the rest. False if the literals contradict that.
    fn one_move_a_role(&mut self, own: &mut Vec<Lit>) -> bool {
        for role in 0..self.roles.len() {
            let (mut done, mut denied) = (0u32, 0u32);
            for &lit in own.iter() {
                if self.role_of(lit) == Some(role) {
                    *(if lit & 1 == 0 { &mut done } else { &mut denied }) += 1;
                }
            }
            match (done, denied) {
                (0, 0) | (1, 0) => {}
                (0, n) => {
                    let all = self.roles[role].clone();
                    if n * 2 <= all.len() as u32 {
                        continue;
                    }
                    let rest: Vec<Lit> = all
                        .map(|input| self.input(input))
                        .filter(|lit| own.binary_search(&(lit ^ 1)).is_err())
                        .collect();
                    own.retain(|&lit| self.role_of(lit) != Some(role));
                    let claimed = match rest[..] {
                        [] => return false,
                        [one] => one,
                        _ => {
                            let denials: Vec<Lit> = rest.iter().map(|lit| lit ^ 1).collect();
                            self.find_or_make(&denials) ^ 1
                        }
                    };
                    let at = own.partition_point(|&lit| lit < claimed);
                    own.insert(at, claimed);
                }
                (1, _) => own.retain(|&lit| lit & 1 == 0 || self.role_of(lit) != Some(role)),
                _ => return false,
            }
        }
        true
    }

    /// The role whose input a literal is about.
    fn role_of(&self, lit: Lit) -> Option<usize> {
        let input = (lit >> 1).checked_sub(1 + self.bases)?;
        self.roles.iter().position(|range| range.contains(&input))
    }

    fn find_or_make(&mut self, lits: &[Lit]) -> Lit {
        let hash = lits.iter().fold(0u64, |hash, &lit| {
            (hash.rotate_left(5) ^ u64::from(lit)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        });
        let mut bucket = (hash >> 32) as usize & (self.heads.len() - 1);
        let mut at = self.heads[bucket];
        while at != NONE {
            if self.of(at as usize) == lits {
                return at << 1;
            }
            at = self.next[at as usize];
        }
        if self.len() > self.heads.len() {
            self.rehash();
            bucket = (hash >> 32) as usize & (self.heads.len() - 1);
        }
        self.lits.extend_from_slice(lits);
        let lit = self.push_node(self.heads[bucket]);
        self.heads[bucket] = lit >> 1;
        lit
    }

    fn rehash(&mut self) {
        let size = self.heads.len() * 4;
        self.heads = vec![NONE; size];
        for node in 0..self.len() {
            if self.of(node).is_empty() {
                continue;
            }
            let hash = self.of(node).iter().fold(0u64, |hash, &lit| {
                (hash.rotate_left(5) ^ u64::from(lit)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            });
            let bucket = (hash >> 32) as usize & (size - 1);
            self.next[node] = self.heads[bucket];
            self.heads[bucket] = node as u32;
        }
    }
}

/// Sorts, drops doubles and what always holds; false if the literals contradict each other.
fn tidy(lits: &mut Vec<Lit>) -> bool {
    lits.sort_unstable();
    lits.dedup();
    if lits.first() == Some(&FALSE) {
        return false;
    }
    if lits.first() == Some(&TRUE) {
        lits.remove(0);
    }
    lits.windows(2).all(|pair| pair[0] ^ 1 != pair[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_conjunctions_are_one_gate_and_contradictions_are_false() {
        let mut gates = Gates::new(3, Vec::new());
        let [a, b, c] = [0, 1, 2].map(|base| gates.base(base));
        let ab = gates.and([a, b]);
        assert_eq!(gates.and([b, a, TRUE, a]), ab);
        assert_eq!(gates.and([a, b, a ^ 1]), FALSE);
        assert_eq!(gates.or([a, a ^ 1]), TRUE);
        assert_eq!(gates.or([c, FALSE]), c);
        assert_eq!(gates.and([]), TRUE);
    }

    #[test]
    fn a_role_does_exactly_one_thing() {
        let mut gates = Gates::new(1, vec![0..4, 4..6]);
        let input: Vec<Lit> = (0..6).map(|input| gates.input(input)).collect();
        assert_eq!(gates.and([input[0], input[1]]), FALSE);
        assert_eq!(gates.and([input[0], input[1] ^ 1]), input[0]);
        assert_eq!(gates.or([input[0], input[1], input[2], input[3]]), TRUE);
        assert_eq!(gates.or([input[0], input[1], input[2]]), input[3] ^ 1);
        let nested = gates.or([input[0], input[1]]);
        assert_eq!(gates.or([nested, input[2]]), input[3] ^ 1);
        assert_eq!(gates.or([input[4], input[5]]), TRUE);
    }
}
