//! The network laid out for many games at once: gates of at most eight inputs, in stretches of one kind.
//!
//! Every node is a plane of bits, a bit a game. Gates of the same kind that do not depend on each other stand together,
//! so that the machine goes through long stretches of the same few instructions. A kind is how many inputs a gate takes
//! as they are and how many inverted.

use crate::net::gates::Lit;
use crate::net::{Network, Region};
use std::ops::Range;

/// What a gate is needed for, and so when it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The end of the game and the legal moves, and whatever of the next position does not depend on the move.
    Position,
    /// Goals only.
    Goals,
    /// What depends on the move.
    Moves,
}

/// A stretch of gates of one kind.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// How many inputs are taken as they are.
    pub plain: u8,
    /// How many inputs are taken inverted.
    pub inverted: u8,
    /// The planes that the gates write.
    pub out: Range<usize>,
    /// Where the planes that they read begin in the list of inputs.
    pub inputs: usize,
}

/// Something to evaluate.
#[derive(Clone, Debug)]
pub enum Task {
    /// Gates, once.
    Once(Stretch),
    /// Gates again and again, until every loop is what feeds it: loop planes and what feeds them.
    Until(Vec<Stretch>, Vec<(u32, Lit)>),
}

/// A network as planes.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// How many planes there are. Plane 0 is empty; then the bases, then the inputs.
    pub planes: usize,
    /// The planes that gates read, stretch by stretch.
    pub reads: Vec<u32>,
    /// What to evaluate before the moves are chosen.
    pub position: Vec<Task>,
    /// What to evaluate when games are over.
    pub goals: Vec<Task>,
    /// What to evaluate after the moves are chosen.
    pub moves: Vec<Task>,
    /// What each base is next, by plane.
    pub next: Vec<Lit>,
    /// What is legal, by plane, a list a role.
    pub legal: Vec<Vec<Lit>>,
    /// Whether the game is over.
    pub terminal: Lit,
    /// Role, points and condition, the highest first.
    pub payoffs: Vec<(usize, u8, Lit)>,
}

/// A small gate: its plain and its inverted inputs, by nodes of the small network.
struct Small {
    plain: Vec<u32>,
    inverted: Vec<u32>,
    part: Part,
    level: u32,
    stage: usize,
}

impl Schedule {
    /// Lays a network out.
    pub fn new(network: &Network) -> Schedule {
        let parts = parts(network);
        let gates = &network.gates;
        let sources = gates.first_gate();
        // Small gates are numbered after the sources, in topological order; loops are sources that come late.
        let mut small: Vec<Option<Small>> = Vec::new();
        let mut number: Vec<u32> = (0..sources as u32).collect();
        let mut levels: Vec<u32> = vec![0; sources];
        for node in sources..gates.len() {
            let stage = stage_of(&network.regions, node);
            if gates.of(node).is_empty() {
                number.push((sources + small.len()) as u32);
                levels.push(0);
                small.push(None);
                continue;
            }
            let mut lits: Vec<Lit> = gates
                .of(node)
                .iter()
                .map(|lit| number[(lit >> 1) as usize] << 1 | (lit & 1))
                .collect();
            loop {
                let taken = lits.len().min(widest(lits.len()));
                // The inputs that are ready first go first: trees stay flat.
                lits.sort_unstable_by_key(|&lit| (levels[(lit >> 1) as usize], lit & 1, lit));
                let rest = lits.split_off(taken);
                let made = Small {
                    level: 1 + lits.iter().map(|&lit| levels[(lit >> 1) as usize]).max().unwrap_or(0),
                    plain: lits.iter().filter(|&lit| lit & 1 == 0).map(|lit| lit >> 1).collect(),
                    inverted: lits.iter().filter(|&lit| lit & 1 == 1).map(|lit| lit >> 1).collect(),
                    part: parts[node],
                    stage,
                };
                let id = (sources + small.len()) as u32;
                levels.push(made.level);
                small.push(Some(made));
                lits = rest;
                if lits.is_empty() {
                    number.push(id);
                    break;
                }
                lits.push(id << 1);
            }
        }
        layout(network, &small, &number, sources)
    }
}

/// How many of `n` inputs the next gate of a tree takes: eight while there are many.
fn widest(n: usize) -> usize {
    if n >= 8 { 8 } else { 4 }
}

/// Regions split the order into stages: before the first, the first, between, the second, …
fn stage_of(regions: &[Region], node: usize) -> usize {
    let before = regions.partition_point(|region| region.nodes.end <= node);
    let inside = regions.get(before).is_some_and(|region| region.nodes.contains(&node));
    2 * before + usize::from(inside)
}

/// When each node is evaluated.
fn parts(network: &Network) -> Vec<Part> {
    let gates = &network.gates;
    let mut moves = vec![false; gates.len()];
    moves[1 + network.bases.len()..gates.first_gate()].fill(true);
    for node in gates.first_gate()..gates.len() {
        moves[node] = gates.of(node).iter().any(|lit| moves[(lit >> 1) as usize]);
    }
    // A recursive part is evaluated whole.
    for region in &network.regions {
        if region.nodes.clone().any(|node| moves[node]) {
            moves[region.nodes.clone()].fill(true);
            for node in region.nodes.end..gates.len() {
                moves[node] |= gates.of(node).iter().any(|lit| moves[(lit >> 1) as usize]);
            }
        }
    }
    let roots = &network.roots;
    let mut used = vec![false; gates.len()];
    let played = [roots.terminal].into_iter().chain(roots.next.iter().copied());
    reach(network, played.chain(roots.legal.iter().copied()), &mut used);
    (0..gates.len())
        .map(|node| match (moves[node], used[node]) {
            (true, _) => Part::Moves,
            (false, true) => Part::Position,
            (false, false) => Part::Goals,
        })
        .collect()
}

fn reach(network: &Network, lits: impl Iterator<Item = Lit>, used: &mut [bool]) {
    let region_of = |node: usize| network.regions.iter().find(|region| region.nodes.contains(&node));
    let mut stack: Vec<usize> = lits.map(|lit| (lit >> 1) as usize).collect();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut used[node], true) {
            continue;
        }
        stack.extend(network.gates.of(node).iter().map(|lit| (lit >> 1) as usize));
        if let Some(region) = region_of(node) {
            stack.extend(region.nodes.clone());
        }
    }
}

/// Gives every small gate its plane.
fn layout(network: &Network, small: &[Option<Small>], number: &[u32], sources: usize) -> Schedule {
    let mut plane: Vec<u32> = (0..(sources + small.len()) as u32).collect();
    let mut planes = sources;
    // Loops first: they are read before anything of their region is written.
    for (at, gate) in small.iter().enumerate() {
        if gate.is_none() {
            plane[sources + at] = planes as u32;
            planes += 1;
        }
    }
    let mut schedule = Schedule {
        planes: 0,
        reads: Vec::new(),
        position: Vec::new(),
        goals: Vec::new(),
        moves: Vec::new(),
        next: Vec::new(),
        legal: Vec::new(),
        terminal: 0,
        payoffs: Vec::new(),
    };
    // The stage of every task that repeats, in order.
    let mut repeated: Vec<usize> = Vec::new();
    for part in [Part::Position, Part::Goals, Part::Moves] {
        let mut order: Vec<usize> = (0..small.len())
            .filter(|&at| small[at].as_ref().is_some_and(|gate| gate.part == part))
            .collect();
        let key = |at: usize| {
            small[at].as_ref().map(|gate| {
                let kind = (gate.plain.len(), gate.inverted.len());
                (gate.stage, gate.level, kind)
            })
        };
        order.sort_by_key(|&at| key(at));
        let mut tasks: Vec<Task> = Vec::new();
        for run in order.chunk_by(|&a, &b| key(a) == key(b)) {
            let Some(first) = run.first().and_then(|&at| small[at].as_ref()) else {
                continue;
            };
            let stretch = Stretch {
                plain: first.plain.len() as u8,
                inverted: first.inverted.len() as u8,
                out: planes..planes + run.len(),
                inputs: schedule.reads.len(),
            };
            for &at in run {
                plane[sources + at] = planes as u32;
                planes += 1;
                if let Some(gate) = &small[at] {
                    let inputs = gate.plain.iter().chain(&gate.inverted);
                    schedule.reads.extend(inputs.map(|&input| plane[input as usize]));
                }
            }
            if first.stage % 2 == 0 {
                tasks.push(Task::Once(stretch));
                continue;
            }
            match tasks.last_mut() {
                Some(Task::Until(stretches, _)) if repeated.last() == Some(&first.stage) => stretches.push(stretch),
                _ => {
                    tasks.push(Task::Until(vec![stretch], Vec::new()));
                    repeated.push(first.stage);
                }
            }
        }
        match part {
            Part::Position => schedule.position = tasks,
            Part::Goals => schedule.goals = tasks,
            Part::Moves => schedule.moves = tasks,
        }
    }
    let of = |lit: Lit| plane[number[(lit >> 1) as usize] as usize] << 1 | (lit & 1);
    // Which loops belong to which task, now that every plane is known.
    let tasks = [&mut schedule.position, &mut schedule.goals, &mut schedule.moves];
    let feeds = tasks.into_iter().flatten().filter_map(|task| match task {
        Task::Until(_, feeds) => Some(feeds),
        Task::Once(_) => None,
    });
    for (feeds, stage) in feeds.zip(repeated) {
        let loops = &network.regions[stage / 2].loops;
        *feeds = loops.iter().map(|&(node, fed)| (of(node << 1) >> 1, of(fed))).collect();
    }
    let roots = &network.roots;
    schedule.planes = planes;
    schedule.next = roots.next.iter().map(|&lit| of(lit)).collect();
    schedule.legal = network
        .gates
        .roles
        .iter()
        .map(|role| role.clone().map(|input| of(roots.legal[input as usize])).collect())
        .collect();
    schedule.terminal = of(roots.terminal);
    schedule.payoffs = roots.goals.iter().map(|&(role, points, lit)| (role, points, of(lit))).collect();
    schedule
}
