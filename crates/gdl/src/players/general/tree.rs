//! What a tree search remembers: positions, how often each choice was tried, what it came to, and what is proved.
//!
//! A position is one node however it is reached. A node's worth is a vector, what each seat gets (0 to 1) on average.
//! Where one seat chooses, it climbs by UCT over the worth of the positions that its moves lead to; where several choose
//! at once, each climbs by UCT over what its own moves came to, whatever the others did (decoupled selection).
//!
//! Hundreds of walks are under way at once. One that has not come back counts as lost for whoever chose it (a virtual
//! loss), so that the others go elsewhere.
//!
//! A finished game is proved; so is a node whose only chooser has a proved win, or nothing but proved children. Proved
//! nodes are not searched again, and a chooser who has something proved is never credited with less ([`proof`]).

mod proof;
mod room;

use super::mast::Mast;
use crate::walk::WalkStart;
use crate::{Position, State};
use arrayvec::ArrayVec;
use game::{Game, MAX_SEATS, Rng, below};
use std::collections::HashMap;

/// What each seat gets, 0 to 1.
pub type SeatValues = ArrayVec<f32, MAX_SEATS>;

/// The choice of each seat, by number; of who has none, the first.
pub type Joint = ArrayVec<u16, MAX_SEATS>;

/// No node.
const NONE: u32 = u32::MAX;

/// The most nodes; then what was tried least is forgotten.
const CAPACITY: usize = 1_000_000;

/// How the tree grows.
#[derive(Clone, Copy, Debug)]
pub struct GrowthSettings {
    /// How eagerly what was tried little is tried again: the weight of exploration in UCT, for worths between 0 and 1.
    pub exploration: f32,
    /// How many games what a move came to anywhere counts for, where it leads to a new position.
    pub prior: f32,
    /// Of so many moves that are drawn random games make the best.
    pub draws: u32,
    /// Whether random games see one move ahead.
    pub looks_ahead: bool,
}

impl Default for GrowthSettings {
    fn default() -> Self {
        GrowthSettings {
            exploration: 0.3,
            prior: 4.0,
            draws: 3,
            looks_ahead: true,
        }
    }
}

/// The worth of a finished game.
pub fn finished(goals: &[u8]) -> SeatValues {
    goals.iter().map(|&points| f32::from(points) / 100.0).collect()
}

/// A choice of a seat.
#[derive(Clone, Debug)]
struct Arm {
    mv: u32,
    /// Where it leads, where one seat chooses.
    child: u32,
    visits: u32,
    /// Walks that are under way.
    flying: u32,
    /// What it came to for the seat.
    mean: f32,
    /// How much better it promised to be than the position, before it was tried.
    merit: f32,
    /// Whether it leads to something proved.
    proved: bool,
}

#[derive(Clone, Debug)]
struct Node {
    state: State,
    worth: SeatValues,
    /// Results that the worth is the mean of.
    results: u32,
    proved: bool,
    /// Where it is proved, and what seats get hangs on ties: the least and the most that each gets.
    range: Option<Box<[SeatValues; 2]>>,
    /// Whether the game is over here; what it came to is known as soon as one who went there comes back.
    over: bool,
    /// Whether it is proved since whoever is on turn wins at once, by a move that is not known here.
    decided: bool,
    /// The choices of every seat; none as long as it is a leaf.
    arms: Vec<Vec<Arm>>,
    /// Where joint choices lead, where several choose at once.
    joints: HashMap<Joint, u32>,
    /// The only seat that chooses, whose arms know where they lead; none if several choose at once.
    lead: Option<u8>,
    /// The best proved child for who chooses.
    floor: u32,
}

/// A way from the root to a leaf, or on to a position that is not in the tree yet.
#[derive(Clone, Debug, Default)]
pub struct Way {
    steps: Vec<(u32, Joint)>,
    /// Where it ends, if that is known.
    end: Option<u32>,
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
    /// Whether nothing more can be found out about it.
    pub proved: bool,
    /// If so, the least and the most that it gets the mover: they differ where that hangs on ties.
    pub range: [f32; 2],
    /// What it is worth to the others together.
    pub others: f32,
}

impl RootMove {
    /// Whether what it gets is certain, and hangs on nobody's ties.
    pub fn is_certain(&self) -> bool {
        self.proved && self.range[0] == self.range[1]
    }
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
    /// Nodes by a hash of their states.
    index: HashMap<u64, u32>,
    root: u32,
    arm_count: usize,
    /// Numbers of nodes that were forgotten.
    free: Vec<u32>,
    /// The most nodes.
    capacity: usize,
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
            arm_count: 0,
            free: Vec::new(),
            capacity: CAPACITY,
        }
    }

    /// Makes a public state the root. What cannot be reached from it is forgotten, and everything if others' ties were broken for
    /// somebody else.
    pub fn plant(&mut self, position: &Position, view: Perspective) {
        // Where two want opposite things, what is the same to one is the same to the other.
        let opposed = view.winner_takes_all && position.seats() == 2;
        let before = self.view.replace(view);
        let same = before == Some(view) || (opposed && before.is_some_and(|before| before.winner_takes_all));
        match self.find(position.state()) {
            Some(root) if same => self.keep(root),
            _ => {
                self.nodes.clear();
                self.index.clear();
                self.free.clear();
                self.arm_count = 0;
                let even = std::iter::repeat_n(0.5, position.seats()).collect();
                self.root = self.add(position.state().clone(), even, false);
            }
        }
        let moves = |seat: &Vec<crate::Move>| seat.iter().map(|mv| mv.0).collect();
        let legal: Vec<Vec<u32>> = position.view().legal.iter().map(moves).collect();
        // That it is won at once was enough to know as long as others were on turn; now the move is wanted.
        let root = &mut self.nodes[self.root as usize];
        if std::mem::take(&mut root.decided) {
            root.proved = false;
        }
        self.open(self.root, &legal, None);
    }

    fn find(&self, state: &State) -> Option<u32> {
        let found = *self.index.get(&hash(&state.0))?;
        (self.nodes[found as usize].state == *state).then_some(found)
    }

    fn add(&mut self, state: State, worth: SeatValues, over: bool) -> u32 {
        let number = self.free.pop().unwrap_or(self.nodes.len() as u32);
        self.index.insert(hash(&state.0), number);
        let node = Node {
            state,
            worth,
            // What is promised counts as a result.
            results: 1,
            proved: false,
            range: None,
            over,
            decided: false,
            arms: Vec::new(),
            joints: HashMap::new(),
            lead: None,
            floor: NONE,
        };
        match self.nodes.get_mut(number as usize) {
            Some(place) => *place = node,
            None => self.nodes.push(node),
        }
        number
    }

    /// Whether the root's worth is certain.
    pub fn is_proved(&self) -> bool {
        self.nodes[self.root as usize].proved
    }

    /// The moves that seat 1 made along a way.
    pub fn moves_along<'a>(&'a self, way: &'a Way) -> impl Iterator<Item = u32> + 'a {
        way.steps.iter().filter_map(|(at, joint)| {
            let arms = self.nodes[*at as usize].arms.first()?;
            Some(arms.get(usize::from(*joint.first()?))?.mv)
        })
    }

    /// Walks down to a leaf, or to a move that was not tried before, and says where a random game is to begin. If it ends where
    /// there is nothing to find out, its worth instead.
    pub fn descend(&mut self, way: &mut Way, start: &mut WalkStart) -> Option<SeatValues> {
        // Rule sheets must not let games run in circles; one that does shall not hold us up for ever.
        const LONGEST: usize = 10_000;
        way.steps.clear();
        let mut at = self.root;
        loop {
            let node = &self.nodes[at as usize];
            way.end = Some(at);
            if node.proved || way.steps.len() >= LONGEST {
                return Some(node.worth.clone());
            }
            start.joint.clear();
            if node.arms.is_empty() {
                start.state.clear();
                start.state.extend_from_slice(&node.state.0);
                return None;
            }
            let Some(joint) = self.select(at) else {
                // All its children were proved on other ways.
                self.prove(at);
                return Some(self.nodes[at as usize].worth.clone());
            };
            let node = &mut self.nodes[at as usize];
            for (arms, &number) in node.arms.iter_mut().zip(&joint) {
                let arm = &mut arms[usize::from(number)];
                arm.flying += 1;
                start.joint.push(arm.mv);
            }
            let child = node.child(&joint);
            way.steps.push((at, joint));
            if child == NONE {
                way.end = None;
                start.state.clear();
                start.state.extend_from_slice(&node.state.0);
                return None;
            }
            at = child;
        }
    }

    /// The choice of every seat; `None` if the only chooser has none but proved ones left.
    fn select(&self, at: u32) -> Option<Joint> {
        let node = &self.nodes[at as usize];
        let GrowthSettings { exploration, prior, .. } = self.settings;
        let choose = |(seat, arms): (u8, &Vec<Arm>)| {
            if arms.len() == 1 && node.lead != Some(seat) {
                return Some(0);
            }
            let tried: u32 = arms.iter().map(|arm| arm.visits + arm.flying).sum();
            let width = exploration * ((tried + 1) as f32).ln().sqrt();
            let worth = node.worth[usize::from(seat)];
            let (mut best, mut best_bound) = (None, f32::NEG_INFINITY);
            for (number, arm) in (0..).zip(arms).filter(|(_, arm)| !arm.proved) {
                let tries = (arm.visits + arm.flying) as f32;
                let promised = (worth + arm.merit) * prior;
                let mean = (arm.mean * arm.visits as f32 + promised) / (tries + prior);
                let bound = mean + width / (tries + 1.0).sqrt();
                if bound > best_bound {
                    (best, best_bound) = (Some(number), bound);
                }
            }
            best
        };
        (0..).zip(&node.arms).map(choose).collect()
    }

    /// Where the last move of a way has led; and the seat that is on turn there and wins at once, of two of whom one wins all.
    pub fn arrive(&mut self, way: &mut Way, state: &[u32], over: bool, winner: Option<usize>) {
        let Some((at, joint)) = way.steps.last() else {
            return;
        };
        let state = State(state.into());
        let child = match self.find(&state) {
            Some(known) => known,
            None => {
                if self.is_full() {
                    self.make_room();
                }
                // It may be full of what walks under way need.
                if self.is_full() {
                    return;
                }
                let worth = self.nodes[*at as usize].worth.clone();
                self.add(state, worth, over)
            }
        };
        self.nodes[*at as usize].link(joint, child);
        way.end = Some(child);
        let node = &mut self.nodes[child as usize];
        if let Some(winner) = winner.filter(|_| !node.proved) {
            (node.proved, node.decided) = (true, true);
            for (seat, worth) in node.worth.iter_mut().enumerate() {
                *worth = f32::from(u8::from(seat == winner));
            }
        }
    }

    /// What is legal at the end of a way.
    pub fn opened(&mut self, way: &Way, legal: &[Vec<u32>], mast: &Mast) {
        if let Some(leaf) = way.end {
            self.open(leaf, legal, Some(mast));
        }
    }

    /// Gives a leaf its arms.
    fn open(&mut self, at: u32, legal: &[Vec<u32>], mast: Option<&Mast>) {
        let node = &mut self.nodes[at as usize];
        if !node.arms.is_empty() {
            return;
        }
        // A role that cannot move ends the game, whatever the sheet says.
        if legal.iter().any(Vec::is_empty) {
            node.over = true;
            return;
        }
        let choosers: ArrayVec<u8, MAX_SEATS> = (0..)
            .zip(legal)
            .filter(|(_, moves)| moves.len() > 1)
            .map(|(seat, _)| seat)
            .collect();
        node.lead = match choosers[..] {
            [] => Some(0),
            [only] => Some(only),
            _ => None,
        };
        let arm = |seat: usize, mv: u32| Arm {
            mv,
            child: NONE,
            visits: 0,
            flying: 0,
            mean: 0.0,
            merit: mast.map_or(0.0, |mast| mast.merit(seat, mv)),
            proved: false,
        };
        let arms = |(seat, moves): (usize, &Vec<u32>)| moves.iter().map(|&mv| arm(seat, mv)).collect();
        node.arms = legal.iter().enumerate().map(arms).collect();
        self.arm_count += legal.iter().map(Vec::len).sum::<usize>();
    }

    /// Adds up all the way what came of it.
    pub fn back_up(&mut self, way: &Way, mut worth: SeatValues) {
        if let Some(end) = way.end {
            let node = &mut self.nodes[end as usize];
            if node.over && !node.proved {
                node.proved = true;
                node.worth.clone_from(&worth);
            }
            // What is known of a position counts, whatever came of it this time.
            if node.proved {
                worth.clone_from(&node.worth);
            }
            node.add(&worth);
        }
        let mut child = way.end;
        for (at, joint) in way.steps.iter().rev() {
            if child.is_some_and(|child| self.nodes[child as usize].proved) {
                self.prove(*at);
            }
            let node = &self.nodes[*at as usize];
            if node.proved {
                worth.clone_from(&node.worth);
            } else if let Some(mover) = node.lead.filter(|_| node.floor != NONE) {
                let floor = &self.nodes[node.floor as usize].worth;
                if floor[usize::from(mover)] > worth[usize::from(mover)] {
                    worth.clone_from(floor);
                }
            }
            let below = child.map(|child| self.nodes[child as usize].worth.clone());
            let node = &mut self.nodes[*at as usize];
            node.add(&worth);
            let lead = node.lead.map(usize::from);
            for (seat, (arms, &number)) in node.arms.iter_mut().zip(joint).enumerate() {
                let arm = &mut arms[usize::from(number)];
                arm.flying -= 1;
                arm.visits += 1;
                match &below {
                    Some(below) if lead == Some(seat) => arm.mean = below[seat],
                    _ => arm.mean += (worth[seat] - arm.mean) / arm.visits as f32,
                }
            }
            child = Some(*at);
        }
    }

    /// Takes a walk back of which nothing came.
    pub fn give_up(&mut self, way: &Way) {
        for (at, joint) in &way.steps {
            for (arms, &number) in self.nodes[*at as usize].arms.iter_mut().zip(joint) {
                arms[usize::from(number)].flying -= 1;
            }
        }
    }

    /// What is known of the moves of `seat` at the root.
    pub fn choices(&self, seat: usize) -> Vec<RootMove> {
        let node = &self.nodes[self.root as usize];
        let Some(arms) = node.arms.get(seat) else {
            return Vec::new();
        };
        let choice = |(index, arm): (usize, &Arm)| {
            let child = self.nodes.get(arm.child as usize);
            RootMove {
                index,
                visits: arm.visits,
                mean: child.map_or(arm.mean, |child| child.worth[seat]),
                proved: child.is_some_and(|child| child.proved),
                range: child.map_or([0.0, 1.0], |child| [child.least()[seat], child.most()[seat]]),
                others: child.map_or(0.0, |child| child.worth.iter().sum::<f32>() - child.worth[seat]),
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
    /// The least that each seat gets, where it is proved.
    fn least(&self) -> &SeatValues {
        self.range.as_ref().map_or(&self.worth, |range| &range[0])
    }

    /// The most that each seat gets, where it is proved.
    fn most(&self) -> &SeatValues {
        self.range.as_ref().map_or(&self.worth, |range| &range[1])
    }

    /// Where a joint choice leads, if that is known.
    fn child(&self, joint: &Joint) -> u32 {
        match self.lead.map(usize::from) {
            Some(lead) => self.arms[lead][usize::from(joint[lead])].child,
            None => self.joints.get(joint).copied().unwrap_or(NONE),
        }
    }

    fn link(&mut self, joint: &Joint, child: u32) {
        match self.lead.map(usize::from) {
            Some(lead) => self.arms[lead][usize::from(joint[lead])].child = child,
            None => {
                self.joints.insert(joint.clone(), child);
            }
        }
    }

    fn add(&mut self, worth: &SeatValues) {
        if self.proved {
            return;
        }
        self.results += 1;
        for (own, new) in self.worth.iter_mut().zip(worth) {
            *own += (new - *own) / self.results as f32;
        }
    }
}

/// A hash of a state: two words at a time through a multiplication that keeps both halves.
fn hash(state: &[u32]) -> u64 {
    let mut hash = 0x243f_6a88_85a3_08d3u64 ^ state.len() as u64;
    for pair in state.chunks(2) {
        let word = u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15;
        hash = (product as u64) ^ (product >> 64) as u64;
    }
    hash ^ (hash >> 29)
}
