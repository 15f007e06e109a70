//! The propnet laid out for many games at once: gates of at most eight inputs, in stretches of one kind.
//!
//! Every node is a plane of bits, one bit for each game. Gates of the same kind that do not depend on each other are put
//! together, so that the processor runs long stretches of the same few instructions. The kind of a gate is how many inputs
//! it takes as they are and how many inverted.

use crate::GdlError;
use crate::logic::WorkBudget;
use crate::propnet::gates::{FALSE, Gates, Lit};
use crate::propnet::{Propnet, Region};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// When a gate is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EvalPhase {
    /// The end of the game and the legal moves, and whatever of the next position does not depend on the move.
    Position,
    /// Goals only.
    Goals,
    /// Which moves win at once, only.
    Decisive,
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

/// One step of the evaluation.
#[derive(Clone, Debug)]
pub enum EvalStep {
    /// Gates, once.
    Once(Stretch),
    /// Gates again and again, until every loop is what feeds it: loop planes and what feeds them.
    Until(Vec<Stretch>, Vec<(u32, Lit)>),
}

/// The planes that each move sets: its own plane, if a gate reads it, and those of the disjunctions that contain it.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    starts: Vec<u32>,
    planes: Vec<u32>,
}

impl Marks {
    /// The planes that an input sets.
    #[inline(always)]
    pub fn of(&self, input: usize) -> &[u32] {
        &self.planes[self.starts[input] as usize..self.starts[input + 1] as usize]
    }
}

/// A propnet as planes.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// How many planes there are. Plane 0 is empty; then the bases, then the inputs.
    pub planes: usize,
    /// The planes that gates read, stretch by stretch.
    pub reads: Vec<u32>,
    /// What playing a move sets.
    pub marks: Marks,
    /// What to evaluate before the moves are chosen.
    pub position: Vec<EvalStep>,
    /// What to evaluate when games are over.
    pub goals: Vec<EvalStep>,
    /// What to evaluate to know which moves win at once, where the propnet has that.
    pub decisive: Vec<EvalStep>,
    /// What to evaluate after the moves are chosen.
    pub moves: Vec<EvalStep>,
    /// What each base is next, by plane.
    pub next: Vec<Lit>,
    /// What is legal, by plane, one list for each role.
    pub legal: Vec<Vec<Lit>>,
    /// The moves of each role that are likely to be its only one at times.
    pub idle: Vec<Vec<usize>>,
    /// Whether the game is over.
    pub terminal: Lit,
    /// Role, points and condition, the highest first.
    pub payoffs: Vec<(usize, u8, Lit)>,
    /// The moves of each role that may win at once, and when they do.
    pub wins: Vec<Vec<(u32, Lit)>>,
    /// The same move of another role.
    pub twins: Vec<Option<u32>>,
}

/// A small gate: its plain and its inverted inputs, by nodes of the small network.
struct SmallGate {
    plain: Vec<u32>,
    inverted: Vec<u32>,
    part: EvalPhase,
    level: u32,
    stage: usize,
}

impl Schedule {
    /// The first input of a role.
    pub fn first_input(&self, role: usize) -> usize {
        self.legal[..role].iter().map(Vec::len).sum()
    }

    /// Lays a propnet out.
    pub fn new(propnet: &Propnet, budget: &mut WorkBudget) -> Result<Schedule, GdlError> {
        let parts = parts(propnet, budget)?;
        let gates = &propnet.gates;
        let scatter = Scatter::new(gates, budget)?;
        let sources = gates.first_gate() + scatter.groups.len();
        // Small gates are numbered after the sources, in topological order; loops are sources that come late.
        let mut maker = GateBuilder {
            small: Vec::new(),
            levels: vec![0; sources],
            sources,
        };
        let mut number: Vec<Lit> = (0..gates.first_gate() as u32).map(|node| node << 1).collect();
        for (node, &part) in parts.iter().enumerate().skip(gates.first_gate()) {
            budget.look()?;
            if gates.of(node).is_empty() {
                number.push(maker.push(None) << 1);
                continue;
            }
            let group = scatter.of_gate.get(&node);
            let kept = gates
                .of(node)
                .iter()
                .filter(|&&lit| group.is_none() || !scatter.takes(lit));
            let mut lits: Vec<Lit> = kept.map(|lit| number[(lit >> 1) as usize] ^ (lit & 1)).collect();
            lits.extend(group.map(|group| ((gates.first_gate() + group) as u32) << 1 | 1));
            number.push(maker.tree(lits, part, stage_of(&propnet.regions, node)));
        }
        layout(propnet, &scatter, maker, &number, budget)
    }
}

/// Which moves feed which disjunctions of moves.
///
/// A role plays exactly one of its moves, so a disjunction of moves is not computed from its many inputs: playing a move
/// sets the bit of every disjunction that contains it. Moves that are in too many disjunctions (a noop) stay inputs.
struct Scatter {
    first_input: u32,
    /// The inputs that are in too many disjunctions.
    heavy: Vec<bool>,
    groups: Vec<Vec<u32>>,
    of_gate: HashMap<usize, usize>,
}

/// A move in more disjunctions than this is gathered.
const HEAVY: u32 = 8;

impl Scatter {
    fn new(gates: &Gates, budget: &mut WorkBudget) -> Result<Self, GdlError> {
        let first_input = 1 + gates.bases;
        let inputs = gates.first_gate() as u32 - first_input;
        let denied = |node: usize| -> Vec<u32> {
            let own = gates.of(node).iter().filter(|&lit| lit & 1 == 1).map(|lit| lit >> 1);
            own.filter(|node| (first_input..first_input + inputs).contains(node))
                .map(|node| node - first_input)
                .collect()
        };
        let mut counts = vec![0; inputs as usize];
        let mut seen: HashSet<Vec<u32>> = HashSet::new();
        for node in gates.first_gate()..gates.len() {
            budget.look()?;
            let group = denied(node);
            if group.len() > 1 && !seen.contains(&group) {
                group.iter().for_each(|&input| counts[input as usize] += 1);
                seen.insert(group);
            }
        }
        let heavy: Vec<bool> = counts.iter().map(|&count| count > HEAVY).collect();
        let mut scatter = Scatter {
            first_input,
            groups: Vec::new(),
            of_gate: HashMap::new(),
            heavy,
        };
        let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
        for node in gates.first_gate()..gates.len() {
            budget.look()?;
            let mut group = denied(node);
            group.retain(|&input| !scatter.heavy[input as usize]);
            if group.len() < 2 {
                continue;
            }
            let at = *known.entry(group).or_insert_with_key(|group| {
                scatter.groups.push(group.clone());
                scatter.groups.len() - 1
            });
            scatter.of_gate.insert(node, at);
        }
        Ok(scatter)
    }

    /// Whether a literal of a gate with a group is in the group.
    fn takes(&self, lit: Lit) -> bool {
        let input = (lit >> 1).checked_sub(self.first_input);
        lit & 1 == 1 && input.and_then(|input| self.heavy.get(input as usize)) == Some(&false)
    }
}

/// Makes small gates.
struct GateBuilder {
    small: Vec<Option<SmallGate>>,
    levels: Vec<u32>,
    sources: usize,
}

impl GateBuilder {
    fn push(&mut self, small: Option<SmallGate>) -> u32 {
        let id = (self.sources + self.small.len()) as u32;
        self.levels.push(small.as_ref().map_or(0, |small| small.level));
        self.small.push(small);
        id
    }

    fn level(&self, lit: Lit) -> u32 {
        self.levels[(lit >> 1) as usize]
    }

    fn gate(&mut self, lits: &[Lit], part: EvalPhase, stage: usize) -> Lit {
        let small = SmallGate {
            level: 1 + lits.iter().map(|&lit| self.level(lit)).max().unwrap_or(0),
            plain: lits.iter().filter(|&lit| lit & 1 == 0).map(|lit| lit >> 1).collect(),
            inverted: lits.iter().filter(|&lit| lit & 1 == 1).map(|lit| lit >> 1).collect(),
            part,
            stage,
        };
        self.push(Some(small)) << 1
    }

    /// The conjunction of any number of literals: eights of one kind while there are many, at last a four.
    fn tree(&mut self, mut lits: Vec<Lit>, part: EvalPhase, stage: usize) -> Lit {
        loop {
            if let [only] = lits[..] {
                return only;
            }
            lits.sort_unstable_by_key(|&lit| (lit & 1, self.level(lit), lit));
            if lits.len() <= 4 {
                return self.gate(&lits, part, stage);
            }
            let (plain, inverted) = lits.split_at(lits.partition_point(|&lit| lit & 1 == 0));
            let mut made: Vec<Lit> = Vec::new();
            let mut left: Vec<Lit> = Vec::new();
            for side in [plain, inverted] {
                let eights = side.chunks_exact(8);
                left.extend(eights.remainder());
                for eight in eights {
                    made.push(self.gate(eight, part, stage));
                }
            }
            if made.is_empty() {
                left.sort_unstable_by_key(|&lit| (self.level(lit), lit & 1, lit));
                let four: Vec<Lit> = left.drain(..4).collect();
                made.push(self.gate(&four, part, stage));
            }
            made.append(&mut left);
            lits = made;
        }
    }
}

/// Regions split the order into stages: before the first, the first, between, the second, …
fn stage_of(regions: &[Region], node: usize) -> usize {
    let before = regions.partition_point(|region| region.nodes.end <= node);
    let inside = regions.get(before).is_some_and(|region| region.nodes.contains(&node));
    2 * before + usize::from(inside)
}

/// When each node is evaluated.
fn parts(propnet: &Propnet, budget: &mut WorkBudget) -> Result<Vec<EvalPhase>, GdlError> {
    let gates = &propnet.gates;
    let mut moves = vec![false; gates.len()];
    moves[1 + propnet.bases.len()..gates.first_gate()].fill(true);
    let mut regions = propnet.regions.iter().peekable();
    for node in gates.first_gate()..gates.len() {
        budget.look()?;
        moves[node] = gates.of(node).iter().any(|lit| moves[(lit >> 1) as usize]);
        // A recursive part is evaluated whole. Nothing before its end reads what is in it, but for itself.
        if let Some(region) = regions.next_if(|region| region.nodes.end == node + 1) {
            let any = moves[region.nodes.clone()].contains(&true);
            moves[region.nodes.clone()].fill(any);
        }
    }
    let roots = &propnet.roots;
    let mut used = vec![false; gates.len()];
    let played = [roots.terminal].into_iter().chain(roots.next.iter().copied());
    reach(propnet, played.chain(roots.legal.iter().copied()), &mut used, budget)?;
    let (mut counted, mut decisive) = (used.clone(), used.clone());
    reach(propnet, roots.goals.iter().map(|goal| goal.2), &mut counted, budget)?;
    reach(propnet, roots.decisive.iter().copied(), &mut decisive, budget)?;
    let part = |node: usize| match (moves[node], used[node]) {
        (true, _) => EvalPhase::Moves,
        (false, true) => EvalPhase::Position,
        // Either may be asked for without the other.
        (false, false) if counted[node] && decisive[node] => EvalPhase::Position,
        (false, false) if decisive[node] => EvalPhase::Decisive,
        (false, false) => EvalPhase::Goals,
    };
    Ok((0..gates.len()).map(part).collect())
}

/// Marks what some literals depend on; of a recursive part all of it.
fn reach(
    propnet: &Propnet,
    lits: impl Iterator<Item = Lit>,
    used: &mut [bool],
    budget: &mut WorkBudget,
) -> Result<(), GdlError> {
    let mut whole = vec![false; propnet.regions.len()];
    let mut stack: Vec<usize> = lits.map(|lit| (lit >> 1) as usize).collect();
    while let Some(node) = stack.pop() {
        budget.look()?;
        if std::mem::replace(&mut used[node], true) {
            continue;
        }
        stack.extend(propnet.gates.of(node).iter().map(|lit| (lit >> 1) as usize));
        let stage = stage_of(&propnet.regions, node);
        if stage % 2 == 1 && !std::mem::replace(&mut whole[stage / 2], true) {
            stack.extend(propnet.regions[stage / 2].nodes.clone());
        }
    }
    Ok(())
}

/// Gives every small gate its plane.
fn layout(
    propnet: &Propnet,
    scatter: &Scatter,
    maker: GateBuilder,
    number: &[Lit],
    budget: &mut WorkBudget,
) -> Result<Schedule, GdlError> {
    let GateBuilder { small, sources, .. } = maker;
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
        marks: Marks::default(),
        position: Vec::new(),
        goals: Vec::new(),
        decisive: Vec::new(),
        moves: Vec::new(),
        next: Vec::new(),
        legal: Vec::new(),
        idle: Vec::new(),
        terminal: 0,
        payoffs: Vec::new(),
        wins: Vec::new(),
        twins: Vec::new(),
    };
    // The stage of every task that repeats, in order.
    let mut repeated: Vec<usize> = Vec::new();
    for part in [
        EvalPhase::Position,
        EvalPhase::Goals,
        EvalPhase::Decisive,
        EvalPhase::Moves,
    ] {
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
        let mut tasks: Vec<EvalStep> = Vec::new();
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
                budget.look()?;
                plane[sources + at] = planes as u32;
                planes += 1;
                if let Some(gate) = &small[at] {
                    let inputs = gate.plain.iter().chain(&gate.inverted);
                    schedule.reads.extend(inputs.map(|&input| plane[input as usize]));
                }
            }
            if first.stage % 2 == 0 {
                tasks.push(EvalStep::Once(stretch));
                continue;
            }
            match tasks.last_mut() {
                Some(EvalStep::Until(stretches, _)) if repeated.last() == Some(&first.stage) => stretches.push(stretch),
                _ => {
                    tasks.push(EvalStep::Until(vec![stretch], Vec::new()));
                    repeated.push(first.stage);
                }
            }
        }
        match part {
            EvalPhase::Position => schedule.position = tasks,
            EvalPhase::Goals => schedule.goals = tasks,
            EvalPhase::Decisive => schedule.decisive = tasks,
            EvalPhase::Moves => schedule.moves = tasks,
        }
    }
    let of = |lit: Lit| {
        let own = number[(lit >> 1) as usize] ^ (lit & 1);
        plane[(own >> 1) as usize] << 1 | (own & 1)
    };
    // Which loops belong to which task, now that every plane is known.
    let tasks = [
        &mut schedule.position,
        &mut schedule.goals,
        &mut schedule.decisive,
        &mut schedule.moves,
    ];
    let feeds = tasks.into_iter().flatten().filter_map(|task| match task {
        EvalStep::Until(_, feeds) => Some(feeds),
        EvalStep::Once(_) => None,
    });
    for (feeds, stage) in feeds.zip(repeated) {
        let loops = &propnet.regions[stage / 2].loops;
        *feeds = loops.iter().map(|&(node, fed)| (of(node << 1) >> 1, of(fed))).collect();
    }
    let roots = &propnet.roots;
    schedule.marks = marks(propnet, scatter, &schedule.reads);
    schedule.planes = planes;
    schedule.next = roots.next.iter().map(|&lit| of(lit)).collect();
    schedule.legal = propnet
        .gates
        .roles
        .iter()
        .map(|role| role.clone().map(|input| of(roots.legal[input as usize])).collect())
        .collect();
    schedule.idle = (0..propnet.gates.roles.len()).map(|role| propnet.idle(role)).collect();
    schedule.twins = propnet.twins();
    schedule.wins = match roots.decisive[..] {
        [] => Vec::new(),
        _ => {
            let may = |input: &u32| roots.decisive[*input as usize] != FALSE;
            let wins = |input: u32| (input, of(roots.decisive[input as usize]));
            let roles = propnet.gates.roles.iter();
            roles.map(|role| role.clone().filter(may).map(wins).collect()).collect()
        }
    };
    schedule.terminal = of(roots.terminal);
    schedule.payoffs = roots
        .goals
        .iter()
        .map(|&(role, points, lit)| (role, points, of(lit)))
        .collect();
    Ok(schedule)
}

/// What each input sets.
fn marks(propnet: &Propnet, scatter: &Scatter, reads: &[u32]) -> Marks {
    let first_group = propnet.gates.first_gate();
    let read: HashSet<u32> = reads.iter().copied().collect();
    let roots: HashSet<u32> = propnet.outputs().map(|lit| lit >> 1).collect();
    let mut own: Vec<Vec<u32>> = (0..propnet.inputs.len() as u32)
        .map(|input| scatter.first_input + input)
        .map(|plane| {
            if read.contains(&plane) || roots.contains(&plane) {
                vec![plane]
            } else {
                Vec::new()
            }
        })
        .collect();
    for (group, inputs) in scatter.groups.iter().enumerate() {
        for &input in inputs {
            own[input as usize].push((first_group + group) as u32);
        }
    }
    let mut marks = Marks::default();
    for planes in own {
        marks.starts.push(marks.planes.len() as u32);
        marks.planes.extend(planes);
    }
    marks.starts.push(marks.planes.len() as u32);
    marks
}
