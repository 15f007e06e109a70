//! A question that takes long, split into questions that do not: a proof-number search over positions.
//!
//! The question is whether the player to move gets at least a certain outcome. A position whose question takes too long is
//! split into what it can lead to, as far as it must; the others are answered by whoever can answer them ([`crate::solver`]
//! on some thread, or somebody elsewhere). Half turns are told apart: after a placement the same player gives, after a gift
//! the other one places, so a position splits into at most sixteen.
//!
//! | | the mover gets at least that | proof | disproof |
//! |---|---|---|---|
//! | must give | if some gift leaves the other with less | least disproof of a gift | sum of proofs |
//! | must place | if some placement does | least proof of a placement | sum of disproofs |
//!
//! What is asked next belongs to the smallest proof (or disproof) that is in sight: all of it is needed unless that proof
//! fails. Only if all of it is being answered already, somebody guesses further.

use crate::solver::Outcome;
use crate::symmetry::CanonicalKey;
use crate::{Cell, Piece, Position};
use game::Game;
use std::collections::{HashMap, HashSet};

/// Whether the player to move gets at least this outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position, with or without a piece in hand.
    pub position: Position,
    /// [`Outcome::Win`] or [`Outcome::Draw`].
    pub at_least: Outcome,
}

/// What is known of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionResult {
    /// The answer.
    Answer(bool),
    /// It takes too long to be answered at once.
    TooLong,
}

/// A proof number that nothing can reach: the question is answered the other way.
const NEVER: u64 = u64::MAX;

/// Larger numbers say nothing: positions that are reached in several ways are counted several times.
const MOST: u64 = 1 << 48;

/// The numbers of a question: how many boards must at least be answered for a yes, and for a no.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Numbers {
    yes: u64,
    no: u64,
}

impl Numbers {
    const fn of_answer(yes: bool) -> Self {
        match yes {
            true => Numbers { yes: 0, no: NEVER },
            false => Numbers { yes: NEVER, no: 0 },
        }
    }

    fn answer(self) -> Option<bool> {
        match self {
            Numbers { yes: 0, .. } => Some(true),
            Numbers { no: 0, .. } => Some(false),
            _ => None,
        }
    }

    fn of(self, yes: bool) -> u64 {
        if yes { self.yes } else { self.no }
    }
}

struct ProofNode {
    position: Position,
    numbers: Numbers,
    /// Empty until it is split.
    children: Vec<u32>,
    parents: Vec<u32>,
    split: bool,
    asked: bool,
}

/// The tree of a question. Positions that symmetry makes equal are one node.
pub struct ProofTree {
    root: Question,
    nodes: Vec<ProofNode>,
    by_key: HashMap<CanonicalKey, u32>,
}

impl ProofTree {
    /// The tree of a question about a position that is not finished, grown by what is known already.
    pub fn new(root: Question, known: &dyn Fn(&Question) -> Option<QuestionResult>) -> Self {
        let mut tree = ProofTree {
            root,
            nodes: Vec::new(),
            by_key: HashMap::new(),
        };
        tree.add(&root.position);
        tree.look_up(vec![0], known);
        tree
    }

    /// The answer to the whole question, if it is known.
    pub fn answer(&self) -> Option<bool> {
        self.nodes[0].numbers.answer()
    }

    /// A question that is worth answering and was not given out; `None` if there is none now.
    pub fn next_question(&mut self) -> Option<Question> {
        let goal = self.goal()?;
        let found = self
            .find(goal, true)
            .or_else(|| self.find(goal, false))
            .or_else(|| self.find(!goal, false))?;
        self.nodes[found as usize].asked = true;
        Some(self.question(found))
    }

    /// Nobody answers what was given out any more: it may be given out again.
    pub fn forget_asked(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.asked = false);
    }

    /// Takes in what was found about a question. Nothing happens if it was never asked here.
    pub fn learn(
        &mut self,
        question: &Question,
        finding: QuestionResult,
        known: &dyn Fn(&Question) -> Option<QuestionResult>,
    ) {
        let Some(&node) = self.by_key.get(&question.position.canonical_key()) else {
            return;
        };
        if question.at_least != self.at_least(&question.position) || self.numbers(node).answer().is_some() {
            return;
        }
        match finding {
            QuestionResult::Answer(yes) => {
                self.nodes[node as usize].numbers = Numbers::of_answer(yes);
                self.update_parents(node);
            }
            QuestionResult::TooLong => {
                let children = self.split(node);
                self.look_up(children, known);
                self.update(node);
            }
        }
    }

    /// How many questions must at least be answered until the whole is, if every one of them is answered as it is hoped and
    /// none takes too long.
    pub fn least_left(&self) -> usize {
        let Some(goal) = self.goal() else { return 0 };
        let (mut left, mut seen) = (0, HashSet::new());
        let mut open = vec![(0, goal)];
        while let Some((node, goal)) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            if !self.nodes[node as usize].split {
                left += 1;
                continue;
            }
            open.extend(self.ways(node, goal, true));
        }
        left
    }

    /// Whether a yes or a no is nearer.
    fn goal(&self) -> Option<bool> {
        let numbers = self.nodes[0].numbers;
        match numbers.answer() {
            Some(_) => None,
            None => Some(numbers.yes <= numbers.no),
        }
    }

    fn numbers(&self, node: u32) -> Numbers {
        self.nodes[node as usize].numbers
    }

    fn question(&self, node: u32) -> Question {
        let position = self.nodes[node as usize].position;
        Question {
            position,
            at_least: self.at_least(&position),
        }
    }

    /// What is asked for the mover of a position: of the other player it is asked whether it can prevent the rest.
    fn at_least(&self, position: &Position) -> Outcome {
        match (position.mover() == self.root.position.mover(), self.root.at_least) {
            (true, at_least) => at_least,
            (false, Outcome::Win) => Outcome::Draw,
            (false, _) => Outcome::Win,
        }
    }

    /// The node of a position, made if there is none.
    fn add(&mut self, position: &Position) -> u32 {
        let next = self.nodes.len() as u32;
        let node = *self.by_key.entry(position.canonical_key()).or_insert(next);
        if node == next {
            let ways = match position.hand() {
                Some(_) => position.empty().len(),
                None => position.left().len(),
            };
            let numbers = match position.outcome() {
                None => Numbers {
                    yes: 1,
                    no: u64::from(ways),
                },
                Some(payoffs) => {
                    // Nothing was given, so the maker of the last placement is still the mover.
                    let outcome = match payoffs.winner() {
                        None => Outcome::Draw,
                        Some(seat) if seat == position.mover() => Outcome::Win,
                        Some(_) => Outcome::Loss,
                    };
                    Numbers::of_answer(outcome >= self.at_least(position))
                }
            };
            self.nodes.push(ProofNode {
                position: *position,
                numbers,
                children: Vec::new(),
                parents: Vec::new(),
                split: false,
                asked: false,
            });
        }
        node
    }

    /// Takes in what is known of nodes, and of what they lead to if they are known to take too long.
    fn look_up(&mut self, nodes: Vec<u32>, known: &dyn Fn(&Question) -> Option<QuestionResult>) {
        let mut open = nodes;
        let mut split = Vec::new();
        while let Some(node) = open.pop() {
            let there = &self.nodes[node as usize];
            if there.split || there.numbers.answer().is_some() {
                continue;
            }
            match known(&self.question(node)) {
                None => (),
                Some(QuestionResult::Answer(yes)) => {
                    self.nodes[node as usize].numbers = Numbers::of_answer(yes);
                    self.update_parents(node);
                }
                Some(QuestionResult::TooLong) => {
                    open.extend(self.split(node));
                    split.push(node);
                }
            }
        }
        // Children were split after their parents.
        split.into_iter().rev().for_each(|node| self.update(node));
    }

    /// Makes the children of a node.
    fn split(&mut self, node: u32) -> Vec<u32> {
        if self.nodes[node as usize].split {
            return Vec::new();
        }
        let position = self.nodes[node as usize].position;
        let after: Vec<Position> = match position.hand() {
            Some(_) => position
                .empty()
                .into_iter()
                .map(|cell: Cell| position.placing(cell))
                .collect(),
            None => position
                .left()
                .into_iter()
                .map(|piece: Piece| position.giving(piece))
                .collect(),
        };
        let mut children: Vec<u32> = Vec::with_capacity(after.len());
        for position in after {
            let child = self.add(&position);
            if !children.contains(&child) {
                children.push(child);
                self.nodes[child as usize].parents.push(node);
            }
        }
        let here = &mut self.nodes[node as usize];
        here.split = true;
        here.children.clone_from(&children);
        children
    }

    /// Whether a gift is made at a node: then the child's question is the other player's.
    fn gives(&self, node: u32) -> bool {
        self.nodes[node as usize].position.hand().is_none()
    }

    fn update_parents(&mut self, node: u32) {
        for i in 0..self.nodes[node as usize].parents.len() {
            self.update(self.nodes[node as usize].parents[i]);
        }
    }

    /// Computes the numbers of a node again, and those of all that depend on them.
    fn update(&mut self, node: u32) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let here = &self.nodes[node as usize];
            if !here.split {
                continue;
            }
            let turned = self.gives(node);
            let mut numbers = Numbers { yes: NEVER, no: 0 };
            for &child in &here.children {
                let child = self.numbers(child);
                let (yes, no) = (child.of(!turned), child.of(turned));
                numbers.yes = numbers.yes.min(yes);
                numbers.no = match (numbers.no, no) {
                    (NEVER, _) | (_, NEVER) => NEVER,
                    (sum, no) => (sum + no).min(MOST),
                };
            }
            if numbers != here.numbers {
                open.extend(&here.parents);
                self.nodes[node as usize].numbers = numbers;
            }
        }
    }

    /// Where to go on from a split node towards a yes or a no: one way for a yes, which needs no other (or, if that is not
    /// `enough`, all in their order), and all of them for a no. The most promising come last.
    fn ways(&self, node: u32, goal: bool, enough: bool) -> Vec<(u32, bool)> {
        let turned = self.gives(node);
        let open = |child: &&u32| self.numbers(**child).answer().is_none();
        let mut children: Vec<u32> = self.nodes[node as usize]
            .children
            .iter()
            .filter(open)
            .copied()
            .collect();
        children.sort_by_key(|child| std::cmp::Reverse(self.numbers(*child).of(!turned)));
        if goal && enough {
            children.drain(..children.len().saturating_sub(1));
        }
        children.into_iter().map(|child| (child, goal != turned)).collect()
    }

    /// A question on the way to the goal that nobody was asked yet.
    fn find(&self, goal: bool, enough: bool) -> Option<u32> {
        let mut seen = HashSet::new();
        let mut open = vec![(0, goal)];
        while let Some((node, goal)) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            let here = &self.nodes[node as usize];
            match here.split {
                true => open.extend(self.ways(node, goal, enough)),
                false if here.asked => (),
                false => return Some(node),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::policy::{Random, turn};
    use crate::solver::Solver;
    use game::rng;

    fn positions(rules: &'static Rules, placed: u32, count: usize) -> Vec<Position> {
        let mut rng = rng(u64::from(placed));
        let mut found = Vec::new();
        while found.len() < count {
            let mut position = Position::new(rules);
            while let Some(turn) = turn(&Random, &position, &mut rng) {
                position.play_unchecked(turn);
                if position.placed() == placed && position.playing() {
                    found.push(position);
                    break;
                }
            }
        }
        found
    }

    /// Answers a whole question, `together` at a time, splitting everything with fewer than `full` pieces placed.
    fn answer(solver: &Solver, root: Question, full: u32, together: usize) -> (bool, Vec<(Question, QuestionResult)>) {
        let mut tree = ProofTree::new(root, &|_| None);
        let mut found = Vec::new();
        while tree.answer().is_none() {
            let questions: Vec<Question> = (0..together).map_while(|_| tree.next_question()).collect();
            assert!(!questions.is_empty() && tree.least_left() > 0);
            for question in questions {
                let finding = match question.position.placed() < full {
                    true => QuestionResult::TooLong,
                    false => QuestionResult::Answer(solver.at_least(&question.position, question.at_least).unwrap()),
                };
                found.push((question, finding));
                tree.learn(&question, finding, &|_| None);
            }
        }
        (tree.answer().unwrap(), found)
    }

    #[test]
    fn a_question_that_is_split_has_the_same_answer_whoever_answers_its_parts_and_how_many_at_once() {
        for rules in Rules::all() {
            let solver = Solver::new(rules, 1 << 20, 1).unwrap();
            for position in positions(rules, 10, 6) {
                for at_least in [Outcome::Win, Outcome::Draw] {
                    let root = Question { position, at_least };
                    let whole = solver.at_least(&position, at_least).unwrap();
                    for together in [1, 7] {
                        assert_eq!(answer(&solver, root, 12, together).0, whole, "{root:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_tree_grown_again_from_what_was_found_is_answered_and_from_half_of_it_needs_only_the_rest() {
        let rules = Rules::named("quarto-misere").unwrap();
        let solver = Solver::new(rules, 1 << 20, 1).unwrap();
        let position = positions(rules, 9, 1)[0];
        let root = Question {
            position,
            at_least: Outcome::Draw,
        };
        let (whole, found) = answer(&solver, root, 11, 3);
        let grown = |found: &[(Question, QuestionResult)]| {
            ProofTree::new(root, &|question| {
                let same = |(other, _): &&(Question, QuestionResult)| {
                    other.at_least == question.at_least
                        && other.position.canonical_key() == question.position.canonical_key()
                };
                found.iter().find(same).map(|(_, finding)| *finding)
            })
        };
        assert_eq!(grown(&found).answer(), Some(whole));
        let mut tree = grown(&found[..found.len() / 2]);
        assert_eq!(tree.answer(), None);
        let next = tree.next_question().unwrap();
        let asked_before = |(question, _): &(Question, QuestionResult)| {
            question.position.canonical_key() == next.position.canonical_key()
        };
        assert!(!found[..found.len() / 2].iter().any(asked_before));
    }

    #[test]
    fn no_question_is_given_out_twice_until_it_is_forgotten() {
        let rules = Rules::named("quarto-misere").unwrap();
        let root = Question {
            position: positions(rules, 9, 1)[0],
            at_least: Outcome::Draw,
        };
        let mut tree = ProofTree::new(root, &|question| {
            (question.position.placed() < 11).then_some(QuestionResult::TooLong)
        });
        let mut keys = HashSet::new();
        while let Some(question) = tree.next_question() {
            assert!(keys.insert(question.position.canonical_key()));
        }
        assert!(keys.len() > 20, "{}", keys.len());
        tree.forget_asked();
        assert!(tree.next_question().is_some());
    }
}
