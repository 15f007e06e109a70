//! Monte Carlo tree search (UCT) with a solver: proved values are kept in the tree (MCTS-Solver).
//!
//! A node whose game is over is proved; a node with a child that wins for its mover is won; a node whose children are
//! all proved is worth the best of them. Proved nodes are never searched again, so that in an endgame every playout
//! works towards the whole proof. A mover who has one proved child is never credited with less than it is worth.

use crate::meter::Meter;
use crate::{Limits, Policy};
use game::{Game, Payoff, Payoffs, Rng, Seat, below, mix, rng};
use player::{Analysis, Score};
use rayon::prelude::*;

/// How a tree search works.
#[derive(Clone, Copy, Debug)]
pub struct TreeSettings {
    /// The weight of exploration in UCT, for results between 0 and 1.
    pub exploration: f64,
    /// Playouts from a leaf before it gets children.
    pub patience: u32,
    /// Trees grown side by side with seeds of their own and added up at the root. The answer depends on this number,
    /// not on how many threads there are.
    pub trees: u32,
    /// Whether the trees grow on all threads of the current rayon pool; if not, one after the other, each with its share
    /// of the clock. Leave it off where games are already played in parallel.
    pub parallel: bool,
    /// The most nodes of all trees together; then leaves stay leaves.
    pub capacity: u32,
}

impl Default for TreeSettings {
    fn default() -> Self {
        TreeSettings {
            exploration: 0.35,
            patience: 4,
            trees: 1,
            parallel: false,
            capacity: 4_000_000,
        }
    }
}

/// Monte Carlo tree search with playouts by `policy`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mcts<P> {
    /// How the games are played out.
    pub policy: P,
    /// How the tree grows.
    pub settings: TreeSettings,
}

const WIN: u8 = Payoff::WIN.points();

/// A position in the tree, seen by the seat that moved into it.
struct Node<M> {
    mv: Option<M>,
    first_child: u32,
    children: u32,
    visits: u32,
    /// The sum of the payoffs.
    points: u64,
    /// The payoff, once it is certain.
    proved: Option<u8>,
    /// The best payoff that one of the children gives for certain, to the seat that moves here.
    floor: u8,
}

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Self {
        Node {
            mv,
            first_child: 0,
            children: 0,
            visits: 0,
            points: 0,
            proved: None,
            floor: 0,
        }
    }
}

/// What is known of a root move, from one tree or from several.
#[derive(Clone, Copy, Debug, Default)]
struct RootMove {
    visits: u64,
    points: u64,
    proved: Option<u8>,
}

impl RootMove {
    fn mean(&self) -> f64 {
        match self.proved {
            Some(points) => f64::from(points),
            None if self.visits == 0 => 0.0,
            None => self.points as f64 / self.visits as f64,
        }
    }
}

struct Tree<G: Game> {
    nodes: Vec<Node<G::Move>>,
    root: G,
    capacity: usize,
    deepest: u32,
    playouts: u64,
    /// The nodes of the current playout, each with the seat that moved into it; emptied by the backpropagation.
    path: Vec<(u32, Seat)>,
    buffer: Vec<G::Move>,
}

impl<P> Mcts<P> {
    /// Grows the tree until a limit stops it or the root is proved; `limits.nodes` counts playouts. With the same seed
    /// and without a clock the answer is always the same. With neither limit it proves the root, or never ends. `None` only if
    /// the game is over.
    pub fn search<G: Game>(&self, position: &G, limits: &Limits, seed: u64) -> Option<Analysis<G::Move>>
    where
        P: Policy<G>,
    {
        self.search_observed(position, limits, seed, None)
    }

    /// The same, telling an observer, if there is one, now and then what the first tree thinks.
    pub fn search_observed<G: Game>(
        &self,
        position: &G,
        limits: &Limits,
        seed: u64,
        observer: Option<&(dyn Fn(Analysis<G::Move>) + Sync)>,
    ) -> Option<Analysis<G::Move>>
    where
        P: Policy<G>,
    {
        let meter = Meter::start(limits);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if position.outcome().is_some() {
            return None;
        }
        let count = u64::from(self.settings.trees.max(1));
        let grow = |number: u64| {
            // The clock that is left, or an equal share of it for this tree and those that follow.
            let left = limits.time.map(|time| time.saturating_sub(meter.elapsed()));
            let waiting = if self.settings.parallel {
                1
            } else {
                (count - number) as u32
            };
            let limits = Limits {
                nodes: limits.nodes.map(|nodes| (nodes + count - 1 - number) / count),
                time: left.map(|left| left / waiting),
                depth: limits.depth,
                stop: limits.stop.clone(),
            };
            self.grow(position, &limits, mix(seed, &[number]), |tree| {
                if let Some(observer) = observer.filter(|_| number == 0)
                    && let Some(analysis) = conclude(std::slice::from_ref(tree), &moves, &meter)
                {
                    observer(analysis);
                }
            })
        };
        let trees: Vec<Tree<G>> = match self.settings.parallel {
            true => (0..count).into_par_iter().map(grow).collect(),
            false => (0..count).map(grow).collect(),
        };
        conclude(&trees, &moves, &meter)
    }

    fn grow<G: Game>(&self, position: &G, limits: &Limits, seed: u64, observer: impl Fn(&Tree<G>)) -> Tree<G>
    where
        P: Policy<G>,
    {
        let mut meter = Meter::start(limits);
        let mut generator = rng(seed);
        let mut tree = Tree::new(position, self.settings.capacity / self.settings.trees.max(1));
        let deepest = limits.depth.unwrap_or(u32::MAX);
        let mut next_report = FIRST_REPORT;
        while tree.nodes[0].proved.is_none() && tree.deepest < deepest && !meter.tick() {
            tree.playout(&self.policy, &self.settings, &mut generator);
            if tree.playouts >= next_report {
                next_report += next_report / 2;
                observer(&tree);
            }
        }
        tree
    }
}

/// After so many playouts an observer is told of the tree for the first time, and then whenever it has grown by half.
const FIRST_REPORT: u64 = 1024;

/// The common result of the trees of one position. `None` only if there is no move.
fn conclude<G: Game>(trees: &[Tree<G>], moves: &[G::Move], meter: &Meter) -> Option<Analysis<G::Move>> {
    let root_moves = add_up(trees, moves);
    let best = choose(&root_moves)?;
    let value = root_moves[best].mean();
    let mut pv = vec![moves[best]];
    if let Some(tree) = trees.iter().max_by_key(|tree| tree.visits_of(moves[best])) {
        tree.pv_after(moves[best], &mut pv);
    }
    Some(Analysis {
        value: Some(value),
        // Not so many moves to the end, even where it is proved: a tree's depth is its longest path.
        score: Some(Score::of_payoff(value)),
        solved: root_moves[best].proved == Some(WIN) || root_moves.iter().all(|arm| arm.proved.is_some()),
        depth: Some(trees.iter().map(|tree| tree.deepest).max().unwrap_or(0).max(1)),
        nodes: Some(trees.iter().map(|tree| tree.playouts).sum()),
        time: meter.elapsed(),
        pv,
        ..Analysis::of_move(moves[best])
    })
}

fn add_up<G: Game>(trees: &[Tree<G>], moves: &[G::Move]) -> Vec<RootMove> {
    let mut root_moves = vec![RootMove::default(); moves.len()];
    for tree in trees {
        for child in tree.children(0) {
            if let Some(i) = moves.iter().position(|&mv| child.mv == Some(mv)) {
                root_moves[i].visits += u64::from(child.visits);
                root_moves[i].points += child.points;
                root_moves[i].proved = root_moves[i].proved.or(child.proved);
            }
        }
    }
    root_moves
}

/// A proved win; else the most visited of the unproved, unless something proved is better than its mean.
fn choose(root_moves: &[RootMove]) -> Option<usize> {
    let all = 0..root_moves.len();
    let proved = all
        .clone()
        .filter(|&i| root_moves[i].proved.is_some())
        .max_by_key(|&i| root_moves[i].proved);
    let open = all
        .filter(|&i| root_moves[i].proved.is_none())
        .max_by_key(|&i| root_moves[i].visits);
    match (proved, open) {
        (Some(sure), Some(open))
            if root_moves[sure].proved == Some(WIN) || root_moves[sure].mean() > root_moves[open].mean() =>
        {
            // A proved loss is never better than a move that is not proved.
            Some(if root_moves[sure].proved == Some(0) { open } else { sure })
        }
        (_, Some(open)) => Some(open),
        (sure, None) => sure,
    }
}

impl<G: Game> Tree<G> {
    fn new(root: &G, capacity: u32) -> Self {
        Tree {
            nodes: vec![Node::new(None)],
            root: root.clone(),
            capacity: capacity as usize,
            deepest: 0,
            playouts: 0,
            path: Vec::new(),
            buffer: Vec::new(),
        }
    }

    fn children(&self, node: u32) -> &[Node<G::Move>] {
        let node = &self.nodes[node as usize];
        &self.nodes[node.first_child as usize..][..node.children as usize]
    }

    fn visits_of(&self, mv: G::Move) -> u32 {
        self.children(0)
            .iter()
            .find(|child| child.mv == Some(mv))
            .map_or(0, |child| child.visits)
    }

    /// Appends the principal variation after the root move `mv`.
    fn pv_after(&self, mv: G::Move, pv: &mut Vec<G::Move>) {
        let mut wanted = Some(mv);
        let mut at = 0u32;
        while let Some(mv) = wanted {
            let first = self.nodes[at as usize].first_child;
            let Some(i) = self.children(at).iter().position(|child| child.mv == Some(mv)) else {
                return;
            };
            at = first + i as u32;
            // A proved win, or the most visited child.
            let best = self
                .children(at)
                .iter()
                .max_by_key(|child| (child.proved == Some(WIN), child.visits))
                .filter(|child| child.visits > 0 || child.proved == Some(WIN));
            wanted = best.and_then(|child| child.mv);
            pv.extend(wanted);
        }
    }

    /// Selection, expansion, one playout, backpropagation.
    fn playout<P: Policy<G>>(&mut self, policy: &P, settings: &TreeSettings, rng: &mut Rng) {
        let mut position = self.root.clone();
        let mut at = 0u32;
        let mut into = position.mover();
        self.path.clear();
        self.path.push((at, into));
        let first_seat_points = loop {
            if self.nodes[at as usize].children == 0 {
                if let Some(payoffs) = position.outcome() {
                    self.nodes[at as usize].proved = Some(payoffs.of(into).points());
                    break first_seat(&payoffs);
                }
                if (at != 0 && self.nodes[at as usize].visits < settings.patience) || !self.expand(at, &position, rng) {
                    break first_seat(&policy.playout(&position, &mut self.buffer, rng));
                }
            }
            let Some(child) = self.select(at, settings.exploration) else {
                // The children prove this node: the backpropagation will notice it and correct the result.
                break 0;
            };
            into = position.mover();
            if let Some(mv) = self.nodes[child as usize].mv {
                position.play_unchecked(mv);
            }
            at = child;
            self.path.push((at, into));
        };
        self.playouts += 1;
        self.deepest = self.deepest.max(self.path.len() as u32 - 1);
        self.backpropagate(first_seat_points, position.mover());
    }

    /// Gives a leaf its children, in random order; those whose game is over are proved at once. False if the tree is full.
    fn expand(&mut self, at: u32, position: &G, rng: &mut Rng) -> bool {
        position.legal_moves(&mut self.buffer);
        // The root always gets its children: without them there is no move to play.
        if at != 0 && self.nodes.len() + self.buffer.len() > self.capacity {
            return false;
        }
        for last in (1..self.buffer.len()).rev() {
            self.buffer.swap(last, below(rng, last as u32 + 1) as usize);
        }
        let first = self.nodes.len() as u32;
        let mut floor = 0;
        for &mv in &self.buffer {
            let mut child = Node::new(Some(mv));
            let mut next = position.clone();
            next.play_unchecked(mv);
            child.proved = next.outcome().map(|payoffs| payoffs.of(position.mover()).points());
            floor = floor.max(child.proved.unwrap_or(0));
            self.nodes.push(child);
        }
        let node = &mut self.nodes[at as usize];
        node.first_child = first;
        node.children = self.buffer.len() as u32;
        node.floor = floor;
        true
    }

    /// The unproved child with the greatest upper confidence bound; `None` if the node itself can be proved. A child
    /// never tried counts as good as its parent has been.
    fn select(&self, at: u32, exploration: f64) -> Option<u32> {
        let node = &self.nodes[at as usize];
        if node.floor == WIN {
            return None;
        }
        let children = self.children(at);
        let tried: (u64, u64) = children.iter().fold((0, 0), |(points, visits), child| {
            (points + child.points, visits + u64::from(child.visits))
        });
        let parent_mean = if tried.1 == 0 {
            0.5
        } else {
            tried.0 as f64 / (tried.1 as f64 * 100.0)
        };
        let width = exploration * ((tried.1 + 1) as f64).ln().sqrt();
        let mut best = None;
        let mut best_bound = f64::NEG_INFINITY;
        for (i, child) in children.iter().enumerate() {
            if child.proved.is_some() {
                continue;
            }
            let visits = f64::from(child.visits);
            let mean = if child.visits == 0 {
                parent_mean
            } else {
                child.points as f64 / (visits * 100.0)
            };
            let bound = mean + width / (visits + 1.0).sqrt();
            if bound > best_bound {
                best_bound = bound;
                best = Some(node.first_child + i as u32);
            }
        }
        best
    }

    /// Adds the result along the path, and marks what is now proved. `mover` is the mover at the end of the path.
    fn backpropagate(&mut self, mut first_seat_points: u8, mut mover: Seat) {
        // Whether the node below was just proved: only then can the nodes above become proved.
        let mut newly_proved = true;
        while let Some((at, into)) = self.path.pop() {
            if newly_proved {
                newly_proved = self.prove(at, into == mover);
            }
            let node = &mut self.nodes[at as usize];
            // The mover here gets at least what a proved child gives, and exactly the proved value once there is one.
            let sure = match node.proved {
                Some(points) if into == Seat::FIRST => (points, points),
                Some(points) => (WIN - points, WIN - points),
                None if mover == Seat::FIRST => (node.floor, WIN),
                None => (0, WIN - node.floor),
            };
            first_seat_points = first_seat_points.clamp(sure.0, sure.1);
            node.visits = node.visits.saturating_add(1);
            node.points += u64::from(if into == Seat::FIRST {
                first_seat_points
            } else {
                WIN - first_seat_points
            });
            mover = into;
        }
    }

    /// Looks whether the children prove the node; `same` if the seat that moves here also moved into it. True if the
    /// node is proved.
    fn prove(&mut self, at: u32, same: bool) -> bool {
        let mut floor = 0;
        let mut all = true;
        for child in self.children(at) {
            floor = floor.max(child.proved.unwrap_or(0));
            all &= child.proved.is_some();
        }
        let node = &mut self.nodes[at as usize];
        node.floor = floor;
        if node.children > 0 && (all || floor == WIN) {
            node.proved = Some(if same { floor } else { WIN - floor });
        }
        node.proved.is_some()
    }
}

/// The first seat's share of 100 points, also in games whose payoffs do not add up to 100.
fn first_seat(payoffs: &Payoffs) -> u8 {
    let (first, second) = (payoffs.of(Seat::FIRST).points(), payoffs.of(Seat::SECOND).points());
    (WIN + first - second) / 2
}
