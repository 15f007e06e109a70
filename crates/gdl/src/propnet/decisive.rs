//! Decisive moves: a condition on the position alone for every move that wins at once.
//!
//! Whether a move wins at once is a question about the position after it. What that position is and whether the game is over there are gates,
//! so the move is put into them as a constant: what every fact will be becomes a gate over the facts of now, the end and the full score
//! become gates over those, and what does not depend on the move is what it was. The game is not over yet and the move is
//! legal, so whatever follows from that is a constant, too. Mostly little is left: of all lines of a board those through one cell.

use super::build::Propnet;
use super::gates::{FALSE, Lit, TRUE};
use super::simplify::prune;
use crate::GdlError;
use crate::logic::WorkBudget;

/// Gates with more inputs than this, all together, are not put together to find the conditions.
const MOST_WORK: usize = 12_000_000;
/// Conditions that take so many times the gates of the game are not worth it, unless they take fewer than a few.
const MOST_GROWTH: usize = 6;
const FEW_GATES: usize = 20_000;

/// The full score.
const WIN: u8 = 100;

/// What is known of nodes.
struct Knowledge {
    /// By node: the constant that it is, if it is known.
    constants: Vec<Option<Lit>>,
    learnt: Vec<usize>,
}

impl Knowledge {
    fn new(nodes: usize) -> Self {
        Knowledge {
            constants: vec![None; nodes],
            learnt: Vec::new(),
        }
    }

    /// Learns a literal, and what follows: all that a conjunction which holds is made of holds.
    fn learn(&mut self, propnet: &Propnet, lit: Lit) {
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            let node = (lit >> 1) as usize;
            if self.constants[node].is_none() {
                self.constants[node] = Some(TRUE ^ (lit & 1));
                self.learnt.push(node);
                if lit & 1 == 0 {
                    stack.extend(propnet.gates.of(node));
                }
            }
        }
    }

    /// Forgets all but what was learnt first.
    fn forget(&mut self, all_but: usize) {
        for node in self.learnt.drain(all_but..) {
            self.constants[node] = None;
        }
    }

    /// What a literal is now. Of nodes that were made later nothing is known.
    fn apply(&self, lit: Lit) -> Lit {
        match self.constants.get((lit >> 1) as usize) {
            Some(&Some(constant)) => constant ^ (lit & 1),
            _ => lit,
        }
    }
}

/// The value of a literal where nodes have values.
fn of(values: &[Lit], lit: Lit) -> Lit {
    values[(lit >> 1) as usize] ^ (lit & 1)
}

/// Puts moves into a network and looks at the position after them.
struct Foresight<'a> {
    propnet: &'a Propnet,
    /// The network that grows by what is found.
    made: Propnet,
    /// Gates that the next position needs and that depend on the moves.
    moves: Vec<usize>,
    /// Facts that the end and the full scores are made of, and the gates between.
    facts: Vec<usize>,
    ends: Vec<usize>,
    /// The inputs of these gates, which are put together anew for every pair of moves.
    wires: usize,
    known: Knowledge,
    /// How much was known before any move was looked at: that the game is not over.
    not_over: usize,
    /// What each node is once the moves are put in, and what it is in the position after them.
    now: Vec<Lit>,
    then: Vec<Lit>,
}

/// The node of the first fact.
const FIRST_FACT: usize = 1;

impl<'a> Foresight<'a> {
    /// To look at what follows from `asked` after so many pairs of moves; none if that takes too much work, or if what is asked is no question
    /// about a position.
    fn new(propnet: &'a Propnet, asked: impl Iterator<Item = Lit>, pairs: usize) -> Option<Self> {
        let dependent = propnet.depends_on_moves();
        let cone = propnet.cone(asked);
        if cone.iter().any(|&node| dependent[node]) {
            return None;
        }
        let is_fact = |node: &usize| (FIRST_FACT..FIRST_FACT + propnet.bases.len()).contains(node);
        let is_gate = |node: &usize| *node >= propnet.gates.first_gate();
        let facts: Vec<usize> = cone.iter().copied().filter(is_fact).collect();
        let next = propnet.cone(facts.iter().map(|&node| propnet.roots.next[node - FIRST_FACT]));
        let mut known = Knowledge::new(propnet.gates.len());
        known.learn(propnet, propnet.roots.terminal ^ 1);
        let moves: Vec<usize> = next
            .into_iter()
            .filter(|node| is_gate(node) && dependent[*node])
            .collect();
        let ends: Vec<usize> = cone.into_iter().filter(is_gate).collect();
        let wires = moves
            .iter()
            .chain(&ends)
            .map(|&node| propnet.gates.of(node).len())
            .sum();
        if pairs * wires > MOST_WORK {
            return None;
        }
        Some(Foresight {
            made: propnet.clone(),
            moves,
            facts,
            ends,
            wires,
            not_over: known.learnt.len(),
            known,
            now: (0..propnet.gates.len() as u32).map(|node| node << 1).collect(),
            then: vec![FALSE; propnet.gates.len()],
            propnet,
        })
    }

    /// Makes two moves, of which it is known that they are legal.
    fn play(&mut self, inputs: [usize; 2], budget: &mut WorkBudget) -> Result<(), GdlError> {
        for _ in 0..self.wires {
            budget.look()?;
        }
        let Foresight {
            propnet,
            known,
            now,
            then,
            ..
        } = self;
        let gates = &propnet.gates;
        known.forget(self.not_over);
        let first_input = FIRST_FACT + propnet.bases.len();
        now[first_input..gates.first_gate()].fill(FALSE);
        for input in inputs {
            known.learn(propnet, propnet.roots.legal[input]);
            now[first_input + input] = TRUE;
        }
        for &node in &self.moves {
            let lits = gates.of(node).iter().map(|&lit| known.apply(of(now, lit)));
            now[node] = self.made.gates.and(lits);
        }
        for &node in &self.facts {
            then[node] = known.apply(of(now, propnet.roots.next[node - FIRST_FACT]));
        }
        for &node in &self.ends {
            let lits = gates.of(node).iter().map(|&lit| known.apply(of(then, lit)));
            then[node] = self.made.gates.and(lits);
        }
        Ok(())
    }

    /// What a literal is in the position after the moves, by the facts of now.
    fn after(&self, lit: Lit) -> Lit {
        self.known.apply(of(&self.then, lit))
    }
}

impl Propnet {
    /// The same network with a condition for every move that may win at once (`roots.decisive`), for a game of two; none if there is no such
    /// move, or if the conditions would be too many gates.
    pub fn with_decisive_moves(&self, budget: &mut WorkBudget) -> Result<Option<Propnet>, GdlError> {
        if self.gates.roles.len() != 2 || !self.regions.is_empty() {
            return Ok(None);
        }
        let roots = &self.roots;
        let wins = |role: usize| {
            roots
                .goals
                .iter()
                .filter(move |goal| goal.0 == role && goal.1 == WIN)
                .map(|goal| goal.2)
        };
        let asked = wins(0).chain(wins(1)).chain([roots.terminal]);
        let roles = &self.gates.roles;
        let waits = [0, 1].map(|role| self.idle(role));
        let pairs: usize = (0..2)
            .map(|role: usize| roles[role].len() * waits[1 - role].len())
            .sum();
        let Some(mut foresight) = Foresight::new(self, asked, pairs).filter(|_| pairs > 0) else {
            return Ok(None);
        };
        let mut decisive = vec![FALSE; self.inputs.len()];
        for role in 0..2 {
            let [own, others] = [role, 1 - role].map(|role| roles[role].start as usize);
            let acts = (0..roles[role].len()).filter(|at| !waits[role].contains(at));
            for input in acts.map(|at| own + at) {
                let mut ways = Vec::new();
                for wait in waits[1 - role].iter().map(|&wait| others + wait) {
                    foresight.play([input, wait], budget)?;
                    let over = foresight.after(roots.terminal);
                    let won: Vec<Lit> = wins(role).map(|lit| foresight.after(lit)).collect();
                    let gates = &mut foresight.made.gates;
                    let won = gates.or(won);
                    ways.push(gates.and([over, won, roots.legal[input], roots.legal[wait]]));
                }
                decisive[input] = foresight.made.gates.or(ways);
            }
        }
        if decisive.iter().all(|&lit| lit == FALSE) {
            return Ok(None);
        }
        let mut made = foresight.made;
        made.roots.decisive = decisive;
        let made = prune(&made, budget)?;
        let size = |propnet: &Propnet| propnet.gates.len() - propnet.gates.first_gate();
        let most = size(self) * MOST_GROWTH + FEW_GATES;
        Ok(Some(made).filter(|made| size(made) <= most))
    }

    /// Which nodes depend on what is played.
    fn depends_on_moves(&self) -> Vec<bool> {
        let mut dependent = vec![false; self.gates.len()];
        dependent[1 + self.bases.len()..self.gates.first_gate()].fill(true);
        for node in self.gates.first_gate()..self.gates.len() {
            dependent[node] = self.gates.of(node).iter().any(|lit| dependent[(lit >> 1) as usize]);
        }
        dependent
    }

    /// The nodes that some literals depend on, in order.
    fn cone(&self, lits: impl Iterator<Item = Lit>) -> Vec<usize> {
        let mut seen = vec![false; self.gates.len()];
        let mut stack: Vec<usize> = lits.map(|lit| (lit >> 1) as usize).collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                stack.extend(self.gates.of(node).iter().map(|lit| (lit >> 1) as usize));
            }
        }
        (0..seen.len()).filter(|&node| seen[node]).collect()
    }
}
