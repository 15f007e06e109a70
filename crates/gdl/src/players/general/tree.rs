//! What a tree search remembers: positions, how often each choice was tried, what it came to, and what is proved.
//!
//! A position is one node however it is reached. A node's worth is a vector, what each seat gets (0 to 1) on average.
//! Where one seat chooses, it climbs by UCT over the worth of the positions that its moves lead to; where several choose
//! at once, each climbs by UCT over what its own moves came to, whatever the others did (decoupled selection).
//!
//! A finished game is proved; so is a node whose only chooser has a proved win, or nothing but proved children. Proved
//! nodes are not searched again, and a chooser who has something proved is never credited with less.
//!
//! Whoever has several best choices may take any of them. Where that makes a difference to us, we count on the worst; and a win of
//! another is no proof of what we get, unless what some win the others lose.

use crate::{Move, Position};
use arrayvec::ArrayVec;
use game::{Game, MAX_SEATS, Payoffs, Rng, below};
use std::collections::HashMap;

/// What each seat gets, 0 to 1.
pub type SeatValues = ArrayVec<f32, MAX_SEATS>;

/// The choice of each seat that is asked, by number.
pub type Joint = ArrayVec<u16, MAX_SEATS>;

/// No node yet.
const NONE: u32 = u32::MAX;

/// The most nodes; then leaves stay leaves.
const CAPACITY: usize = 1_000_000;

/// How the tree grows.
#[derive(Clone, Copy, Debug)]
pub struct GrowthSettings {
    /// How eagerly what was tried little is tried again: the weight of exploration in UCT, for worths between 0 and 1.
    pub exploration: f32,
    /// How far a new node's worth leans from the mean of its children (0) to the best of them for who chooses (1).
    pub leaning: f32,
}

impl Default for GrowthSettings {
    fn default() -> Self {
        GrowthSettings {
            exploration: 0.15,
            leaning: 0.3,
        }
    }
}

/// The worth of a finished game.
pub fn finished(payoffs: &Payoffs) -> SeatValues {
    payoffs
        .all()
        .iter()
        .map(|payoff| f32::from(payoff.points()) / 100.0)
        .collect()
}

/// A choice of a seat.
#[derive(Clone, Debug)]
struct Arm {
    visits: u32,
    /// What it came to for the seat, where several choose at once; what it promises before it was tried.
    mean: f32,
    /// Where it leads, where one seat chooses.
    child: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Growth {
    /// Nothing but a worth.
    Leaf,
    /// Somebody is about to give it arms.
    Busy,
    /// It has arms.
    Grown,
}

#[derive(Clone, Debug)]
struct Node {
    position: Position,
    worth: SeatValues,
    /// Results that the worth is the mean of.
    results: u32,
    visits: u32,
    proved: bool,
    growth: Growth,
    /// For each seat that is asked its choices.
    arms: Vec<Vec<Arm>>,
    /// Where joint choices lead, where several choose at once.
    joints: HashMap<Joint, u32>,
    /// The best proved child for who chooses.
    floor: u32,
}

/// What a leaf turned out to be: its children, each with a worth, and its own worth where it has none.
#[derive(Debug, Default)]
pub struct Expansion {
    /// Choices, where they lead, what that is worth.
    pub children: Vec<(Joint, Position, SeatValues)>,
    /// What the choices of the seats promise, where they have not been tried: a list a seat, or nothing.
    pub promise: Vec<Vec<f32>>,
    /// The worth of the leaf, if it was found without children.
    pub worth: Option<SeatValues>,
}

/// A way from the root to a leaf.
#[derive(Debug, Default)]
pub struct Way {
    steps: Vec<(u32, Joint)>,
    leaf: u32,
    /// Whether this walk is to give the leaf its arms.
    pub grows: bool,
    /// The leaf's worth, if there is nothing to find out about it.
    pub known: Option<SeatValues>,
}

impl Way {
    /// How long it is.
    pub fn len(&self) -> u32 {
        self.steps.len() as u32
    }
}

/// A root move in the final account.
#[derive(Clone, Copy, Debug)]
pub struct RootMove {
    /// Its number among the legal moves.
    pub index: usize,
    /// How often it was tried.
    pub visits: u32,
    /// What it is worth to the mover.
    pub mean: f32,
    /// Whether that is certain.
    pub proved: bool,
}

/// For whom a tree is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Perspective {
    /// Our seat.
    pub me: usize,
    /// Whether whoever wins leaves nothing to the others.
    pub winner_takes_all: bool,
}

/// The tree.
#[derive(Debug)]
pub struct Tree {
    settings: GrowthSettings,
    /// What the proofs in it are from.
    view: Option<Perspective>,
    nodes: Vec<Node>,
    index: HashMap<Position, u32>,
    root: u32,
}

impl Tree {
    /// A tree without a root.
    pub fn new(settings: GrowthSettings) -> Self {
        Tree {
            settings,
            view: None,
            nodes: Vec::new(),
            index: HashMap::new(),
            root: 0,
        }
    }

    /// Makes a public state the root. What cannot be reached from it is forgotten, and everything if others' ties were broken for
    /// somebody else.
    pub fn plant(&mut self, position: &Position, view: Perspective) {
        // Where two want opposite things, what is the same to one is the same to the other.
        let opposed = view.winner_takes_all && position.seats() == 2;
        let before = self.view.replace(view);
        let same = before == Some(view) || (opposed && before.is_some_and(|before| before.winner_takes_all));
        match self.index.get(position) {
            Some(&root) if same => self.keep(root),
            _ => {
                self.nodes.clear();
                self.index.clear();
                self.root = self.add(position, None);
            }
        }
    }

    /// Keeps what can be reached from a node.
    fn keep(&mut self, root: u32) {
        let mut numbers = vec![NONE; self.nodes.len()];
        let mut order = vec![root];
        numbers[root as usize] = 0;
        let mut at = 0;
        while let Some(&old) = order.get(at) {
            let node = &self.nodes[old as usize];
            let arms = node.arms.iter().flatten().map(|arm| arm.child);
            for child in arms.chain(node.joints.values().copied()) {
                if child != NONE && numbers[child as usize] == NONE {
                    numbers[child as usize] = order.len() as u32;
                    order.push(child);
                }
            }
            at += 1;
        }
        let renumber = |child: &mut u32| {
            if *child != NONE {
                *child = numbers[*child as usize];
            }
        };
        let mut old: Vec<Option<Node>> = std::mem::take(&mut self.nodes).into_iter().map(Some).collect();
        self.nodes = order.iter().filter_map(|&number| old[number as usize].take()).collect();
        for node in &mut self.nodes {
            node.arms.iter_mut().flatten().for_each(|arm| renumber(&mut arm.child));
            node.joints.values_mut().for_each(renumber);
            renumber(&mut node.floor);
        }
        self.index = (0..)
            .zip(&self.nodes)
            .map(|(at, node)| (node.position.clone(), at))
            .collect();
        self.root = 0;
    }

    /// The node of a position, made if there is none.
    fn add(&mut self, position: &Position, worth: Option<SeatValues>) -> u32 {
        if let Some(&known) = self.index.get(position) {
            return known;
        }
        let outcome = position.outcome();
        let unknown = || std::iter::repeat_n(0.5, position.seats()).collect();
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            proved: outcome.is_some(),
            worth: outcome
                .map(|payoffs| finished(&payoffs))
                .or(worth)
                .unwrap_or_else(unknown),
            results: 0,
            visits: 0,
            growth: Growth::Leaf,
            arms: Vec::new(),
            joints: HashMap::new(),
            floor: NONE,
            position: position.clone(),
        });
        self.index.insert(position.clone(), number);
        number
    }

    /// Whether the root's worth is certain.
    pub fn is_proved(&self) -> bool {
        self.nodes[self.root as usize].proved
    }

    /// The moves that seat 1 made along a way.
    pub fn moves_along<'a>(&'a self, way: &'a Way) -> impl Iterator<Item = Move> + 'a {
        way.steps.iter().filter_map(|(at, joint)| {
            let legal = self.nodes[*at as usize].position.view().legal.first()?;
            legal.get(usize::from(*joint.first()?)).copied()
        })
    }

    /// Walks down to a leaf. Every step counts as a visit at once, so that others who walk meanwhile go elsewhere.
    pub fn descend(&mut self) -> (Position, Way) {
        let mut way = Way::default();
        let mut at = self.root;
        // Rule sheets must not let games run in circles; one that does shall not hold us up for ever.
        const LONGEST: usize = 10_000;
        loop {
            self.nodes[at as usize].visits += 1;
            let node = &self.nodes[at as usize];
            if node.growth == Growth::Grown && !node.proved && way.steps.len() < LONGEST {
                if let Some(joint) = self.select(at) {
                    let child = self.follow(at, &joint);
                    way.steps.push((at, joint));
                    at = child;
                    continue;
                }
                // All its children were proved on other ways.
                self.prove(at);
            }
            let full = self.nodes.len() >= CAPACITY;
            let node = &mut self.nodes[at as usize];
            way.leaf = at;
            match node.growth {
                _ if node.proved => way.known = Some(node.worth.clone()),
                Growth::Leaf if !full || at == self.root => {
                    node.growth = Growth::Busy;
                    way.grows = true;
                }
                Growth::Grown => way.known = Some(node.worth.clone()),
                Growth::Leaf | Growth::Busy => {}
            }
            return (node.position.clone(), way);
        }
    }

    /// The choice of every seat that is asked; `None` if the only chooser has none but proved ones left.
    fn select(&self, at: u32) -> Option<Joint> {
        let node = &self.nodes[at as usize];
        let alone = node.arms.len() == 1;
        node.position
            .asked()
            .zip(&node.arms)
            .map(|(seat, arms)| {
                let tried: u32 = arms.iter().map(|arm| arm.visits).sum();
                let width = self.settings.exploration * ((tried + 1) as f32).ln().sqrt();
                let mut best = None;
                let mut best_bound = f32::NEG_INFINITY;
                for (number, arm) in (0..).zip(arms) {
                    let mut mean = arm.mean;
                    if alone && arm.child != NONE {
                        let child = &self.nodes[arm.child as usize];
                        if child.proved {
                            continue;
                        }
                        mean = child.worth[seat.index()];
                    }
                    let bound = mean + width / ((arm.visits + 1) as f32).sqrt();
                    if bound > best_bound {
                        best_bound = bound;
                        best = Some(number);
                    }
                }
                best
            })
            .collect()
    }

    /// The child after a choice, made if there is none; the choice counts as tried.
    fn follow(&mut self, at: u32, joint: &Joint) -> u32 {
        let node = &mut self.nodes[at as usize];
        for (arms, &number) in node.arms.iter_mut().zip(joint) {
            arms[usize::from(number)].visits += 1;
        }
        let known = match joint.as_slice() {
            [one] => node.arms[0][usize::from(*one)].child,
            _ => node.joints.get(joint).copied().unwrap_or(NONE),
        };
        if known != NONE {
            return known;
        }
        let (next, worth) = (after(&node.position, joint), node.worth.clone());
        let child = self.add(&next, Some(worth));
        self.link(at, joint, child);
        child
    }

    fn link(&mut self, at: u32, joint: &Joint, child: u32) {
        let node = &mut self.nodes[at as usize];
        match joint.as_slice() {
            [one] => node.arms[0][usize::from(*one)].child = child,
            _ => {
                node.joints.insert(joint.clone(), child);
            }
        }
    }

    /// Gives the leaf of a way what was found out about it, and adds the result up all the way.
    pub fn back_up(&mut self, way: &Way, found: Option<Expansion>) {
        let worth = match (found, &way.known) {
            (Some(found), _) if way.grows => self.grow(way.leaf, found),
            (Some(found), _) => found
                .worth
                .or_else(|| mean(found.children.iter().map(|child| &child.2))),
            (None, known) => known.clone(),
        };
        let Some(mut worth) = worth else {
            return self.give_up(way);
        };
        self.nodes[way.leaf as usize].add(&worth);
        let mut child = way.leaf;
        for (at, joint) in way.steps.iter().rev() {
            if self.nodes[child as usize].proved {
                self.prove(*at);
            }
            let node = &mut self.nodes[*at as usize];
            if node.proved {
                worth = node.worth.clone();
            } else if let Some(mover) = node.chooser().filter(|_| node.floor != NONE) {
                let floor = &self.nodes[self.nodes[*at as usize].floor as usize].worth;
                if floor[mover] > worth[mover] {
                    worth = floor.clone();
                }
            }
            let node = &mut self.nodes[*at as usize];
            node.add(&worth);
            if joint.len() > 1 {
                for ((seat, arms), &number) in node.position.asked().zip(&mut node.arms).zip(joint) {
                    let arm = &mut arms[usize::from(number)];
                    arm.mean += (worth[seat.index()] - arm.mean) / (arm.visits + 1) as f32;
                }
            }
            child = *at;
        }
    }

    /// Takes a walk back whose leaf nobody could say anything about.
    fn give_up(&mut self, way: &Way) {
        let leaf = &mut self.nodes[way.leaf as usize];
        leaf.visits -= 1;
        if way.grows {
            leaf.growth = Growth::Leaf;
        }
        for (at, joint) in &way.steps {
            let node = &mut self.nodes[*at as usize];
            node.visits -= 1;
            for (arms, &number) in node.arms.iter_mut().zip(joint) {
                arms[usize::from(number)].visits -= 1;
            }
        }
    }

    /// Gives a leaf its arms and children. Its worth, if anything was found out.
    fn grow(&mut self, at: u32, found: Expansion) -> Option<SeatValues> {
        if found.children.is_empty() && found.worth.is_none() {
            return None;
        }
        let node = &mut self.nodes[at as usize];
        let view = node.position.view();
        let middle = node.worth.clone();
        let mut arms: Vec<Vec<Arm>> = Vec::new();
        for (number, seat) in node.position.asked().enumerate() {
            let promise = found.promise.get(number);
            let arm = |choice: usize| Arm {
                visits: 0,
                mean: promise.map_or(middle[seat.index()], |promise| promise[choice]),
                child: NONE,
            };
            arms.push((0..view.legal[seat.index()].len()).map(arm).collect());
        }
        node.arms = arms;
        node.growth = Growth::Grown;
        let several = node.arms.len() > 1;
        let seats: Vec<usize> = node.position.asked().map(|seat| seat.index()).collect();
        let mut counts: Vec<Vec<f32>> = node.arms.iter().map(|arms| vec![0.0; arms.len()]).collect();
        let mut worths = Vec::with_capacity(found.children.len());
        for (joint, position, worth) in found.children {
            let child = self.add(&position, Some(worth));
            self.link(at, &joint, child);
            let worth = self.nodes[child as usize].worth.clone();
            if several {
                // Before it is tried, a choice is worth what it came to beside the choices of the others.
                let arms = &mut self.nodes[at as usize].arms;
                for (which, &number) in joint.iter().enumerate() {
                    let (count, arm) = (
                        &mut counts[which][usize::from(number)],
                        &mut arms[which][usize::from(number)],
                    );
                    *count += 1.0;
                    arm.mean += (worth[seats[which]] - arm.mean) / *count;
                }
            }
            worths.push(worth);
        }
        if let Some(worth) = found.worth {
            return Some(worth);
        }
        let mut own = mean(worths.iter())?;
        if let [mover] = seats[..] {
            self.prove(at);
            if self.nodes[at as usize].proved {
                return Some(self.nodes[at as usize].worth.clone());
            }
            let best = worths.iter().max_by(|a, b| a[mover].total_cmp(&b[mover]))?;
            for (own, best) in own.iter_mut().zip(best) {
                *own += self.settings.leaning * (best - *own);
            }
        }
        Some(own)
    }

    /// Proves a node, if its children do.
    fn prove(&mut self, at: u32) {
        let node = &self.nodes[at as usize];
        let Some(mover) = node.chooser().filter(|_| !node.proved) else {
            return;
        };
        let (mut floor, mut all) = (NONE, true);
        for arm in &node.arms[0] {
            let Some(child) = self.nodes.get(arm.child as usize).filter(|child| child.proved) else {
                all = false;
                continue;
            };
            if floor == NONE || self.prefers(mover, &child.worth, &self.nodes[floor as usize].worth) {
                floor = arm.child;
            }
        }
        let worth = (floor != NONE).then(|| self.nodes[floor as usize].worth.clone());
        let node = &mut self.nodes[at as usize];
        node.floor = floor;
        // Of several wins another may choose any.
        let wins = self.view.is_none_or(|view| view.winner_takes_all || view.me == mover);
        if let Some(worth) = worth.filter(|worth| all || (wins && worth[mover] >= 1.0)) {
            node.proved = true;
            node.worth = worth;
        }
    }

    /// Whether a chooser takes one worth rather than another; what is the same to it, it may do to harm us.
    fn prefers(&self, mover: usize, one: &SeatValues, other: &SeatValues) -> bool {
        let harm = |worth: &SeatValues| self.view.map_or(0.0, |view| -worth[view.me]);
        one[mover] > other[mover] || (one[mover] == other[mover] && harm(one) > harm(other))
    }

    /// What is known of the moves of `seat` at the root.
    pub fn choices(&self, seat: usize) -> Vec<RootMove> {
        let node = &self.nodes[self.root as usize];
        let Some(which) = node.position.asked().position(|asked| asked.index() == seat) else {
            return Vec::new();
        };
        let Some(arms) = node.arms.get(which) else {
            return Vec::new();
        };
        let alone = node.arms.len() == 1;
        let choice = |(index, arm): (usize, &Arm)| {
            let child = self.nodes.get(arm.child as usize).filter(|_| alone);
            RootMove {
                index,
                visits: arm.visits,
                mean: child.map_or(arm.mean, |child| child.worth[seat]),
                proved: child.is_some_and(|child| child.proved),
            }
        };
        arms.iter().enumerate().map(choice).collect()
    }

    /// Draws a number in proportion to weights.
    pub fn draw(weights: &[u32], rng: &mut Rng) -> usize {
        let mut left = below(rng, weights.iter().sum::<u32>().max(1));
        for (at, &weight) in weights.iter().enumerate() {
            if left < weight {
                return at;
            }
            left -= weight;
        }
        0
    }
}

impl Node {
    /// The only seat that chooses here, if there is only one.
    fn chooser(&self) -> Option<usize> {
        let mut asked = self.position.asked();
        let first = asked.next()?;
        asked.next().is_none().then_some(first.index())
    }

    fn add(&mut self, worth: &SeatValues) {
        if self.proved {
            return;
        }
        // The first result replaces what was only promised.
        self.results += 1;
        for (own, new) in self.worth.iter_mut().zip(worth) {
            *own += (new - *own) / self.results as f32;
        }
    }
}

/// The position after a joint choice.
pub fn after(position: &Position, joint: &Joint) -> Position {
    let mut next = position.clone();
    for (seat, &number) in position.asked().zip(joint) {
        next.play_unchecked(position.view().legal[seat.index()][usize::from(number)]);
    }
    next
}

/// The mean of several worths.
fn mean<'a>(worths: impl Iterator<Item = &'a SeatValues>) -> Option<SeatValues> {
    let mut sum: Option<SeatValues> = None;
    let mut count = 0.0f32;
    for worth in worths {
        count += 1.0;
        match &mut sum {
            None => sum = Some(worth.clone()),
            Some(sum) => sum.iter_mut().zip(worth).for_each(|(sum, new)| *sum += new),
        }
    }
    if let Some(sum) = &mut sum {
        sum.iter_mut().for_each(|sum| *sum /= count);
    }
    sum
}
