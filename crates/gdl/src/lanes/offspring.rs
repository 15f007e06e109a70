//! The children of several positions in one pass: every lane makes a move of its own, and what it leads to is read back as a row.

use super::planes::{Plane, literal, run};
use super::schedule::{EvalStep, Schedule, Stretch};
use super::transpose::transpose;
use crate::offspring::{Birth, Generation, Nursery, RowLayout, Standing, bits};
use crate::propnet::gates::Lit;
use std::sync::Arc;

/// Gates that nobody needs are evaluated along with others if there are so few of them between: a stretch begun anew costs more.
const GAP: usize = 3;

/// The planes of `64 * W` moves.
#[derive(Clone, Debug)]
struct Cradle<const W: usize> {
    planes: Vec<Plane<W>>,
    next: Vec<Plane<W>>,
}

/// The lanes of a machine as a nursery.
#[derive(Debug)]
pub struct LaneNursery {
    schedule: Arc<Schedule>,
    layout: RowLayout,
    /// What of a position is evaluated to make a move, and what to know who may do what and whether it is the end.
    before: Vec<EvalStep>,
    after: Vec<EvalStep>,
    few: Cradle<1>,
    many: Cradle<4>,
}

impl LaneNursery {
    /// A nursery for a game of two; none for others.
    pub fn new(schedule: Arc<Schedule>) -> Option<Self> {
        let [first, second] = &schedule.legal[..] else {
            return None;
        };
        let layout = RowLayout::new(schedule.next.len(), [first.len(), second.len()]);
        let reads =
            |steps: &[EvalStep]| -> Vec<u32> { stretches(steps).flat_map(|s| inputs(&schedule, s)).copied().collect() };
        let planes = |lits: &[Lit]| -> Vec<u32> { lits.iter().map(|lit| lit >> 1).collect() };
        let ends: Vec<u32> = schedule.payoffs.iter().map(|payoff| payoff.2 >> 1).collect();
        let before = [reads(&schedule.moves), planes(&schedule.next)].concat();
        let legal = schedule.legal.iter().flat_map(|legal| planes(legal)).collect();
        let after = [legal, vec![schedule.terminal >> 1], reads(&schedule.goals), ends].concat();
        Some(LaneNursery {
            layout,
            before: needed(&schedule, &schedule.position, &before),
            after: needed(&schedule, &schedule.position, &after),
            few: Cradle::new(&schedule),
            many: Cradle::new(&schedule),
            schedule,
        })
    }
}

/// The stretches of some steps.
fn stretches(steps: &[EvalStep]) -> impl Iterator<Item = &Stretch> {
    steps.iter().flat_map(|step| match step {
        EvalStep::Once(stretch) => std::slice::from_ref(stretch),
        EvalStep::Until(stretches, _) => stretches,
    })
}

/// How many planes a gate of a stretch reads.
fn width(stretch: &Stretch) -> usize {
    usize::from(stretch.plain + stretch.inverted)
}

/// The planes that a stretch reads.
fn inputs<'a>(schedule: &'a Schedule, stretch: &Stretch) -> &'a [u32] {
    &schedule.reads[stretch.inputs..][..width(stretch) * stretch.out.len()]
}

/// What of some steps the planes of `wanted` depend on.
fn needed(schedule: &Schedule, steps: &[EvalStep], wanted: &[u32]) -> Vec<EvalStep> {
    let mut need = vec![false; schedule.planes];
    wanted.iter().for_each(|&plane| need[plane as usize] = true);
    let mut kept = Vec::new();
    for step in steps.iter().rev() {
        match step {
            EvalStep::Until(stretches, feeds) => {
                let loops = feeds.iter().any(|&(plane, _)| need[plane as usize]);
                if loops || stretches.iter().any(|s| need[s.out.clone()].contains(&true)) {
                    let fed = feeds.iter().map(|&(_, fed)| fed >> 1);
                    for plane in stretches.iter().flat_map(|s| inputs(schedule, s)).copied().chain(fed) {
                        need[plane as usize] = true;
                    }
                    kept.push(step.clone());
                }
            }
            EvalStep::Once(stretch) => {
                for part in parts(stretch, &need).into_iter().rev() {
                    for &plane in inputs(schedule, &part) {
                        need[plane as usize] = true;
                    }
                    kept.push(EvalStep::Once(part));
                }
            }
        }
    }
    kept.reverse();
    kept
}

/// The parts of a stretch that are needed, with gaps that are worth filling.
fn parts(stretch: &Stretch, need: &[bool]) -> Vec<Stretch> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for plane in stretch.out.clone().filter(|&plane| need[plane]) {
        match runs.last_mut() {
            Some(last) if plane <= last.end + GAP => last.end = plane + 1,
            _ => runs.push(plane..plane + 1),
        }
    }
    let part = |out: std::ops::Range<usize>| Stretch {
        inputs: stretch.inputs + width(stretch) * (out.start - stretch.out.start),
        out,
        ..stretch.clone()
    };
    runs.into_iter().map(part).collect()
}

impl Nursery for LaneNursery {
    fn layout(&self) -> &RowLayout {
        &self.layout
    }

    fn bear(&mut self, parents: &Generation, births: &[Birth], into: &mut Generation) {
        into.rows.clear();
        into.rows.resize(births.len() * self.layout.words, 0);
        into.standings.clear();
        into.standings.resize(births.len(), Standing::default());
        let plan = PassPlan {
            schedule: &self.schedule,
            layout: &self.layout,
            before: &self.before,
            after: &self.after,
        };
        let mut first = 0;
        while first < births.len() {
            let left = births.len() - first;
            first += if left <= 64 {
                kernel::pass(&plan, &mut self.few, parents, &births[first..], first, into);
                left
            } else {
                let part = left.min(256);
                kernel::pass(
                    &plan,
                    &mut self.many,
                    parents,
                    &births[first..first + part],
                    first,
                    into,
                );
                part
            };
        }
    }
}

/// The same code for several instruction sets. `unsafe` is needed for one reason only, as in [`super::play`]: the compiler does not know
/// that the features were asked for.
#[allow(unsafe_code)]
mod kernel {
    use super::*;

    pub fn pass<const W: usize>(
        plan: &PassPlan,
        cradle: &mut Cradle<W>,
        parents: &Generation,
        births: &[Birth],
        first: usize,
        into: &mut Generation,
    ) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") {
            // SAFETY: the features were just found.
            return unsafe { pass_avx2(plan, cradle, parents, births, first, into) };
        }
        bear(plan, cradle, parents, births, first, into);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1")]
    fn pass_avx2<const W: usize>(
        plan: &PassPlan,
        cradle: &mut Cradle<W>,
        parents: &Generation,
        births: &[Birth],
        first: usize,
        into: &mut Generation,
    ) {
        bear(plan, cradle, parents, births, first, into);
    }
}

/// What does not change from pass to pass.
struct PassPlan<'a> {
    schedule: &'a Schedule,
    layout: &'a RowLayout,
    before: &'a [EvalStep],
    after: &'a [EvalStep],
}

/// One pass: at most `64 * W` births, which are those of `into` from `first` on.
#[inline(always)]
fn bear<const W: usize>(
    plan: &PassPlan,
    cradle: &mut Cradle<W>,
    parents: &Generation,
    births: &[Birth],
    first: usize,
    into: &mut Generation,
) {
    cradle.play(plan, parents, births);
    let lanes = between::<W>(0, births.len());
    let standings = &mut into.standings[first..][..births.len()];
    cradle.judge(plan, &lanes, standings);
    cradle.read(
        plan.schedule,
        plan.layout.words,
        births.len(),
        &mut into.rows[first * plan.layout.words..],
    );
}

/// The lanes from one to another.
#[inline(always)]
fn between<const W: usize>(from: usize, to: usize) -> Plane<W> {
    let below = |n: usize, word: usize| match n.saturating_sub(64 * word) {
        0 => 0,
        n if n >= 64 => !0,
        n => (1u64 << n) - 1,
    };
    std::array::from_fn(|word| below(to, word) & !below(from, word))
}

/// Calls `f` with every lane of a plane.
#[inline(always)]
fn lanes_of<const W: usize>(plane: &Plane<W>, mut f: impl FnMut(usize)) {
    for (at, &word) in plane.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            f(at * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

impl<const W: usize> Cradle<W> {
    fn new(schedule: &Schedule) -> Self {
        Cradle {
            planes: vec![[0; W]; schedule.planes],
            next: vec![[0; W]; schedule.next.len()],
        }
    }

    /// Makes every lane its parent, lets it play, and makes it what comes of that.
    #[inline(always)]
    fn play(&mut self, plan: &PassPlan, parents: &Generation, births: &[Birth]) {
        let schedule = plan.schedule;
        let bases = plan.layout.bases;
        self.planes[1..=bases].fill([0; W]);
        let mut from = 0;
        for family in births.chunk_by(|a, b| a.parent == b.parent) {
            let lanes = between::<W>(from, from + family.len());
            let row = parents.row(plan.layout, family[0].parent as usize);
            bits(row, 0..bases, |base| set(&mut self.planes[1 + base], &lanes));
            for role in 0..2 {
                let mv = family[0].joint[role];
                if family.iter().all(|birth| birth.joint[role] == mv) {
                    for &mark in schedule.marks.of(mv as usize) {
                        set(&mut self.planes[mark as usize], &lanes);
                    }
                    continue;
                }
                for (lane, birth) in (from..).zip(family) {
                    for &mark in schedule.marks.of(birth.joint[role] as usize) {
                        self.planes[mark as usize][lane / 64] |= 1 << (lane % 64);
                    }
                }
            }
            from += family.len();
        }
        run(schedule, plan.before, &mut self.planes);
        run(schedule, &schedule.moves, &mut self.planes);
        for (plane, &lit) in self.next.iter_mut().zip(&schedule.next) {
            *plane = literal(&self.planes, lit);
        }
        self.planes[1..=bases].copy_from_slice(&self.next);
        for birth in births {
            for &mv in &birth.joint {
                for &mark in schedule.marks.of(mv as usize) {
                    self.planes[mark as usize] = [0; W];
                }
            }
        }
        run(schedule, plan.after, &mut self.planes);
    }

    /// Who has a choice, where it is the end, and what it came to.
    #[inline(always)]
    fn judge(&mut self, plan: &PassPlan, lanes: &Plane<W>, standings: &mut [Standing]) {
        let schedule = plan.schedule;
        let mut over = literal(&self.planes, schedule.terminal);
        for (role, legal) in schedule.legal.iter().enumerate() {
            let (mut any, mut several) = ([0; W], [0; W]);
            for &lit in legal {
                let holds = literal(&self.planes, lit);
                for at in 0..W {
                    several[at] |= any[at] & holds[at];
                    any[at] |= holds[at];
                }
            }
            // A role that cannot move ends the game, whatever the sheet says.
            for at in 0..W {
                over[at] |= !any[at];
                several[at] &= lanes[at];
            }
            lanes_of(&several, |lane| standings[lane].chooses[role] = true);
        }
        for at in 0..W {
            over[at] &= lanes[at];
        }
        if over == [0; W] {
            return;
        }
        run(schedule, &schedule.goals, &mut self.planes);
        lanes_of(&over, |lane| standings[lane].over = true);
        for &(role, points, lit) in &schedule.payoffs {
            let mut holds = literal(&self.planes, lit);
            for at in 0..W {
                holds[at] &= over[at];
            }
            lanes_of(&holds, |lane| {
                let goal = &mut standings[lane].goals[role];
                *goal = points.max(*goal);
            });
        }
    }

    /// Writes every lane as a row.
    #[inline(always)]
    fn read(&self, schedule: &Schedule, words: usize, count: usize, rows: &mut [u64]) {
        let bases = (0..schedule.next.len() as u32).map(|base| (1 + base) << 1);
        let mut lits = bases.chain(schedule.legal.iter().flatten().copied());
        let mut squares = [[0u64; 64]; W];
        for word in 0..words {
            let mut any = 0;
            for at in 0..64 {
                let plane = lits.next().map_or([0; W], |lit| literal(&self.planes, lit));
                for (square, bits) in squares.iter_mut().zip(plane) {
                    square[at] = bits;
                    any |= bits;
                }
            }
            if any == 0 {
                continue;
            }
            for (games, square) in (0..count).step_by(64).zip(&mut squares) {
                transpose(square);
                for (lane, &bits) in (games..count).zip(square.iter()) {
                    rows[lane * words + word] = bits;
                }
            }
        }
    }
}

#[inline(always)]
fn set<const W: usize>(plane: &mut Plane<W>, lanes: &Plane<W>) {
    for at in 0..W {
        plane[at] |= lanes[at];
    }
}

#[cfg(test)]
mod tests {
    use crate::offspring::{Birth, Generation, RowLayout};
    use crate::{BuildLimits, Machine, Sheet, State, StateView};

    /// The positions of some random games, but for those that are over.
    fn positions(machine: &Machine, count: usize) -> Vec<(State, StateView)> {
        let mut rng = game::rng(4);
        let mut found = Vec::new();
        let mut state = machine.initial();
        while found.len() < count {
            let view = machine.view(&state).unwrap();
            let joint: Option<Vec<_>> = view.legal.iter().map(|legal| game::pick(&mut rng, legal)).collect();
            match joint {
                Some(joint) if !view.terminal => {
                    let next = machine.next(&state, &joint).unwrap();
                    found.push((std::mem::replace(&mut state, next), view));
                }
                _ => state = machine.initial(),
            }
        }
        found
    }

    /// A row as the evaluator of single positions has it.
    fn row(layout: &RowLayout, state: &State, view: &StateView) -> Vec<u64> {
        let mut row = Vec::new();
        layout.write(&state.0, &view.legal, &mut row);
        row
    }

    #[test]
    fn children_made_side_by_side_are_what_single_moves_lead_to() {
        // With roles that choose at once, many moves, recursive rules, ends without a move.
        for name in [
            "tictactoe",
            "nim",
            "connectfour",
            "breakthrough",
            "hex",
            "reversi",
            "amazons",
            "duel",
            "checkers",
        ] {
            let machine = Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap();
            let mut nursery = machine.nursery().unwrap();
            let layout = nursery.layout().clone();
            let positions = positions(&machine, 60);
            let mut parents = Generation::default();
            for (state, view) in &positions {
                parents.rows.extend(row(&layout, state, view));
            }
            // From one pass of few to several of many.
            for families in [1, 2, 7, 60] {
                let mut births = Vec::new();
                for (parent, (_, view)) in (0..).zip(&positions[60 - families..]) {
                    let parent = parent + 60 - families as u32;
                    let other = view.legal[1][parent as usize % view.legal[1].len()];
                    let joint = |mv: &crate::Move| [mv.0, other.0];
                    births.extend(view.legal[0].iter().map(|mv| Birth {
                        parent,
                        joint: joint(mv),
                    }));
                    let other = view.legal[0][parent as usize % view.legal[0].len()];
                    let joint = |mv: &crate::Move| [other.0, mv.0];
                    births.extend(view.legal[1].iter().map(|mv| Birth {
                        parent,
                        joint: joint(mv),
                    }));
                }
                let mut children = Generation::default();
                nursery.bear(&parents, &births, &mut children);
                for (at, birth) in births.iter().enumerate() {
                    let joint = birth.joint.map(crate::Move);
                    let (state, view) = machine.step(&positions[birth.parent as usize].0, &joint).unwrap();
                    let standing = children.standings[at];
                    let over = view.terminal || view.legal.iter().any(Vec::is_empty);
                    assert_eq!(standing.over, over, "{name}, birth {at} of {families}");
                    if over {
                        assert_eq!(
                            standing.goals.to_vec(),
                            machine.goals(&state).unwrap(),
                            "{name}, birth {at}"
                        );
                        continue;
                    }
                    let chooses: Vec<bool> = view.legal.iter().map(|legal| legal.len() > 1).collect();
                    assert_eq!(standing.chooses.to_vec(), chooses, "{name}, birth {at}");
                    assert_eq!(
                        children.row(&layout, at),
                        row(&layout, &state, &view),
                        "{name}, birth {at}"
                    );
                    let mut moves = Vec::new();
                    (0..2).for_each(|role| layout.moves(children.row(&layout, at), role, |mv| moves.push(mv)));
                    assert_eq!(moves, view.legal.concat().iter().map(|mv| mv.0).collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn only_games_of_two_have_a_nursery() {
        for (name, has) in [("trio", false), ("connectfour", true)] {
            let machine = Machine::compiled(&Sheet::load(name).unwrap(), BuildLimits::default()).unwrap();
            assert_eq!(machine.nursery().is_some(), has, "{name}");
        }
    }
}
