//! Random games, many at once. As soon as a game is over, a new one takes its place.

use super::choose::{ChosenMoves, select};
use super::offspring::LaneNursery;
use super::planes::{Plane, literal, run};
use super::sample::{SampleRequest, play_each};
use super::schedule::{EvalStep, Schedule};
use super::walk::walk_all;
use crate::logic::WorkBudget;
use crate::machine::State;
use crate::offspring::Nursery;
use crate::playout::{PlayoutLimit, Playouts, Samples};
use crate::propnet::Propnet;
use crate::walk::{Habits, Walker};
use crate::{Deadline, GdlError};
use game::{Rng, Until};
use std::sync::Arc;

/// A propnet laid out for bit-parallel playouts: each bit of a word is a game of its own.
#[derive(Clone, Debug)]
pub struct BitParallel {
    pub(super) schedule: Arc<Schedule>,
    pub(super) roles: usize,
    /// How much more evaluating the goals costs than a step.
    goal_cost: f64,
}

impl BitParallel {
    /// Lays a propnet out.
    pub fn new(propnet: &Propnet, budget: &mut WorkBudget) -> Result<Self, GdlError> {
        let schedule = Schedule::new(propnet, budget)?;
        let gates = |tasks: &[EvalStep]| -> usize {
            tasks
                .iter()
                .map(|task| match task {
                    EvalStep::Once(stretch) => stretch.out.len(),
                    EvalStep::Until(stretches, _) => stretches.iter().map(|s| 4 * s.out.len()).sum(),
                })
                .sum()
        };
        let step = gates(&schedule.position) + gates(&schedule.moves) + 100;
        Ok(BitParallel {
            goal_cost: gates(&schedule.goals) as f64 / step as f64,
            roles: propnet.gates.roles.len(),
            schedule: Arc::new(schedule),
        })
    }

    /// Random games from a position (one bit for each base) to the end.
    pub fn playouts(&self, state: &[u32], order: PlayoutLimit, rng: &mut Rng) -> Playouts {
        kernel::playouts(self, state, order, rng)
    }

    /// Random games from each of several positions, `each` of every one, as far as there is time.
    pub fn sample(&self, states: &[&State], each: u64, until: &Until, rng: &mut Rng) -> Samples {
        kernel::sample(self, &SampleRequest { states, each, until }, rng)
    }

    /// Random games that `walker` sends out, until it sends no more or the time is up.
    pub fn walk(&self, walker: &mut dyn Walker, until: &Until, rng: &mut Rng) {
        kernel::walk(self, walker, until, rng);
    }

    /// Who makes the children of several positions side by side, in a game of two.
    pub fn nursery(&self) -> Option<Box<dyn Nursery>> {
        Some(Box::new(LaneNursery::new(self.schedule.clone())?))
    }

    /// How many finished games, of `size` places, make counting them worth its cost, if a game lasts `length` moves.
    #[inline(always)]
    pub(super) fn enough(&self, size: u64, length: f64) -> u64 {
        let enough = (size as f64 * (2.0 * self.goal_cost / length).sqrt()).max(1.0) as u64;
        enough.min(size / 2)
    }
}

/// The same code, compiled for several instruction sets. Calling a version made for a feature is `unsafe` only because the
/// processor might lack the feature, and each call is behind a check for it.
///
/// How many games are under way at once decides which numbers each of them draws. Work that only a clock ends takes as many as the processor
/// has bits for; work that is counted takes [`COUNTED`] words on every processor, so that a seed gives the same games everywhere, unless
/// a clock cuts them short.
#[allow(unsafe_code)]
mod kernel {
    use super::*;

    /// The words of a plane where work is counted: what AVX2 takes at once.
    pub const COUNTED: usize = 4;

    /// Whether as many games as possible are wanted, and the processor has room for eight words.
    #[cfg(target_arch = "x86_64")]
    fn is_wide(clocked: bool) -> bool {
        clocked && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("bmi2")
    }

    pub fn playouts(lanes: &BitParallel, state: &[u32], order: PlayoutLimit, rng: &mut Rng) -> Playouts {
        #[cfg(target_arch = "x86_64")]
        {
            if is_wide(matches!(order, PlayoutLimit::Until(_))) {
                // SAFETY: the features were just found.
                return unsafe { avx512(lanes, state, order, rng) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                // SAFETY: the features were just found.
                return unsafe { avx2(lanes, state, order, rng) };
            }
        }
        play::<COUNTED>(lanes, state, order, rng, select)
    }

    pub fn sample(lanes: &BitParallel, wanted: &SampleRequest, rng: &mut Rng) -> Samples {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                // SAFETY: the features were just found.
                return unsafe { sample_avx2(lanes, wanted, rng) };
            }
        }
        play_each::<COUNTED>(lanes, wanted, rng, select)
    }

    pub fn walk(lanes: &BitParallel, walker: &mut dyn Walker, until: &Until, rng: &mut Rng) {
        #[cfg(target_arch = "x86_64")]
        {
            if is_wide(!walker.is_counted()) {
                // SAFETY: the features were just found.
                return unsafe { walk_avx512(lanes, walker, until, rng) };
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") {
                // SAFETY: the features were just found.
                return unsafe { walk_avx2(lanes, walker, until, rng) };
            }
        }
        walk_all::<COUNTED>(lanes, walker, until, rng, select);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,bmi1,bmi2,popcnt")]
    fn walk_avx512(lanes: &BitParallel, walker: &mut dyn Walker, until: &Until, rng: &mut Rng) {
        walk_all::<8>(lanes, walker, until, rng, |mask, n| {
            core::arch::x86_64::_pdep_u64(1 << n, mask).trailing_zeros()
        });
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn walk_avx2(lanes: &BitParallel, walker: &mut dyn Walker, until: &Until, rng: &mut Rng) {
        walk_all::<COUNTED>(lanes, walker, until, rng, |mask, n| {
            core::arch::x86_64::_pdep_u64(1 << n, mask).trailing_zeros()
        });
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn sample_avx2(lanes: &BitParallel, wanted: &SampleRequest, rng: &mut Rng) -> Samples {
        play_each::<COUNTED>(lanes, wanted, rng, |mask, n| {
            core::arch::x86_64::_pdep_u64(1 << n, mask).trailing_zeros()
        })
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,bmi1,bmi2,popcnt")]
    fn avx512(lanes: &BitParallel, state: &[u32], order: PlayoutLimit, rng: &mut Rng) -> Playouts {
        play::<8>(lanes, state, order, rng, |mask, n| {
            core::arch::x86_64::_pdep_u64(1 << n, mask).trailing_zeros()
        })
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn avx2(lanes: &BitParallel, state: &[u32], order: PlayoutLimit, rng: &mut Rng) -> Playouts {
        play::<COUNTED>(lanes, state, order, rng, |mask, n| {
            core::arch::x86_64::_pdep_u64(1 << n, mask).trailing_zeros()
        })
    }
}

/// Plays `64 * W` games at once.
#[inline(always)]
fn play<const W: usize>(
    lanes: &BitParallel,
    state: &[u32],
    order: PlayoutLimit,
    rng: &mut Rng,
    select: impl Fn(u64, u32) -> u32 + Copy,
) -> Playouts {
    let schedule = &lanes.schedule;
    let mut out = Playouts::new(lanes.roles);
    let mut planes: Vec<Plane<W>> = vec![[0; W]; schedule.planes];
    let mut next: Vec<Plane<W>> = vec![[0; W]; schedule.next.len()];
    let mut chosen = ChosenMoves::<W>::new(schedule);
    let starts = |base: usize| u64::from(state[base / 32] >> (base % 32) & 1).wrapping_neg();
    for base in 0..schedule.next.len() {
        planes[1 + base] = [starts(base); W];
    }
    let size = 64 * W as u64;
    let mut begun = match order {
        PlayoutLimit::Games(games) => games.min(size),
        PlayoutLimit::Until(_) => size,
    };
    // The games in play; some of them may be over and wait to be counted.
    let mut alive: Plane<W> = std::array::from_fn(|at| first_bits(begun.saturating_sub(64 * at as u64)));
    let mut stuck = [0; W];
    let mut length = 50.0;
    let bound = Deadline::current();
    while count(&alive) > 0 && !order.is_late() && !bound.is_over() {
        run(schedule, &schedule.position, &mut planes);
        let terminal = literal(&planes, schedule.terminal);
        let over: Plane<W> = std::array::from_fn(|at| alive[at] & (terminal[at] | stuck[at]));
        let waiting = count(&over);
        let playing = count(&alive) - waiting;
        let mut fresh = [0; W];
        if waiting > 0 && (waiting >= lanes.enough(size, length) || playing == 0) {
            run(schedule, &schedule.goals, &mut planes);
            harvest(schedule, &planes, &over, &mut out);
            length = (out.steps as f64 / out.games as f64).max(1.0);
            for at in 0..W {
                stuck[at] &= !over[at];
                let places = over[at];
                let wanted = match order {
                    PlayoutLimit::Games(games) => (games - begun).min(places.count_ones().into()),
                    PlayoutLimit::Until(_) => places.count_ones().into(),
                };
                fresh[at] = lowest(places, wanted);
                begun += wanted;
                alive[at] &= !places | fresh[at];
            }
        }
        let running: Plane<W> = std::array::from_fn(|at| alive[at] & !over[at]);
        let no_move = chosen.choose(schedule, &mut planes, &running, rng, select, Habits::NONE);
        run(schedule, &schedule.moves, &mut planes);
        for at in 0..W {
            stuck[at] |= no_move[at];
        }
        let moved: Plane<W> = std::array::from_fn(|at| running[at] & !no_move[at]);
        out.steps += count(&moved);
        for (plane, &lit) in next.iter_mut().zip(&schedule.next) {
            *plane = literal(&planes, lit);
        }
        for (base, (old, new)) in planes[1..].iter_mut().zip(&next).enumerate() {
            let start = starts(base);
            for at in 0..W {
                let kept = !(moved[at] | fresh[at]);
                old[at] = old[at] & kept | new[at] & moved[at] | start & fresh[at];
            }
        }
    }
    out
}

/// Counts the goals of the games in `over`.
#[inline(always)]
fn harvest<const W: usize>(schedule: &Schedule, planes: &[Plane<W>], over: &Plane<W>, out: &mut Playouts) {
    let mut left = vec![*over; out.goals.len()];
    for &(role, points, lit) in &schedule.payoffs {
        let holds = literal(planes, lit);
        for at in 0..W {
            let got = left[role][at] & holds[at];
            left[role][at] &= !got;
            out.goals[role][usize::from(points)] += u64::from(got.count_ones());
        }
    }
    // A role without a goal gets nothing.
    for (counts, left) in out.goals.iter_mut().zip(&left) {
        counts[0] += count(left);
    }
    out.games += count(over);
}

#[inline(always)]
pub(super) fn count<const W: usize>(plane: &Plane<W>) -> u64 {
    plane.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The `n` lowest of all bits.
pub(super) fn first_bits(n: u64) -> u64 {
    if n >= 64 { !0 } else { (1 << n) - 1 }
}

/// The `n` lowest of the bits of `mask`.
fn lowest(mask: u64, n: u64) -> u64 {
    let mut rest = mask;
    for _ in 0..n {
        rest &= rest.wrapping_sub(1);
    }
    mask & !rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::Compiled;
    use crate::machine::StateMachine;
    use crate::{BuildLimits, Sheet, State};

    /// Evaluates random positions side by side and compares every output plane with the differential evaluator.
    fn planes_agree(name: &str) {
        const W: usize = 2;
        let sheet = Sheet::load(name).unwrap();
        let machine = Compiled::build(&sheet, BuildLimits::default()).unwrap();
        let schedule = Schedule::new(machine.propnet(), &mut WorkBudget::new("test", u64::MAX)).unwrap();
        let states = random_states(&machine, 64 * W);
        let mut planes: Vec<Plane<W>> = vec![[0; W]; schedule.planes];
        for (game, state) in states.iter().enumerate() {
            for base in 0..schedule.next.len() {
                let holds = u64::from(state.0[base / 32] >> (base % 32) & 1);
                planes[1 + base][game / 64] |= holds << (game % 64);
            }
        }
        run(&schedule, &schedule.position, &mut planes);
        run(&schedule, &schedule.goals, &mut planes);
        let bit = |plane: Plane<W>, game: usize| plane[game / 64] >> (game % 64) & 1 == 1;
        let mut joints = Vec::new();
        for (game, state) in states.iter().enumerate() {
            let view = machine.view(state).unwrap();
            let at = format!("{name}, game {game}");
            assert_eq!(bit(literal(&planes, schedule.terminal), game), view.terminal, "{at}");
            let mut goals = vec![0; schedule.legal.len()];
            for &(role, points, lit) in &schedule.payoffs {
                if bit(literal(&planes, lit), game) {
                    goals[role] = points.max(goals[role]);
                }
            }
            assert_eq!(goals, machine.goals(state).unwrap(), "{at}");
            if view.terminal {
                joints.push(None);
                continue;
            }
            let mut joint = Vec::new();
            let mut first = 0;
            for (legal, expected) in schedule.legal.iter().zip(&view.legal) {
                let found: Vec<u32> = (first..)
                    .zip(legal)
                    .filter(|(_, lit)| bit(literal(&planes, **lit), game))
                    .map(|(input, _)| input)
                    .collect();
                assert_eq!(found, expected.iter().map(|mv| mv.0).collect::<Vec<_>>(), "{at}");
                joint.push(expected[game % expected.len()]);
                first += legal.len() as u32;
            }
            joints.push(Some(joint));
        }
        for (game, joint) in joints.iter().enumerate() {
            for mv in joint.iter().flatten() {
                for &mark in schedule.marks.of(mv.0 as usize) {
                    planes[mark as usize][game / 64] |= 1 << (game % 64);
                }
            }
        }
        run(&schedule, &schedule.moves, &mut planes);
        for (game, (state, joint)) in states.iter().zip(&joints).enumerate() {
            let Some(joint) = joint else { continue };
            let next = machine.next(state, joint).unwrap();
            for (base, &lit) in schedule.next.iter().enumerate() {
                let expected = next.0[base / 32] >> (base % 32) & 1 == 1;
                assert_eq!(
                    bit(literal(&planes, lit), game),
                    expected,
                    "{name}, game {game}, base {base}"
                );
            }
        }
    }

    fn random_states(machine: &Compiled, count: usize) -> Vec<State> {
        let mut rng = game::rng(3);
        let mut states = vec![machine.initial()];
        while let Some(state) = states.last().filter(|_| states.len() < count) {
            let view = machine.view(state).unwrap();
            let joint: Option<Vec<_>> = view.legal.iter().map(|legal| game::pick(&mut rng, legal)).collect();
            states.push(match joint {
                Some(joint) if !view.terminal => machine.next(state, &joint).unwrap(),
                _ => machine.initial(),
            });
        }
        states
    }

    #[test]
    fn many_games_at_once_are_what_each_is_alone() {
        crate::bundled::names().for_each(planes_agree);
    }

    #[test]
    fn exactly_the_ordered_number_of_games_is_played() {
        let sheet = Sheet::load("nim").unwrap();
        let machine = Compiled::build(&sheet, BuildLimits::default()).unwrap();
        for games in [0, 1, 63, 64, 65, 1000] {
            let out = machine
                .playouts(&machine.initial(), PlayoutLimit::Games(games), &mut game::rng(1))
                .unwrap();
            assert_eq!(out.games, games);
            assert!(out.goals.iter().all(|counts| counts.iter().sum::<u64>() == games));
        }
    }

    #[test]
    fn games_that_are_counted_are_the_same_on_every_processor() {
        let machine = Compiled::build(&Sheet::load("connectfour").unwrap(), BuildLimits::default()).unwrap();
        let lanes = &BitParallel::new(machine.propnet(), &mut WorkBudget::new("test", u64::MAX)).unwrap();
        let start = machine.initial();
        let plain = play::<{ kernel::COUNTED }>(lanes, &start.0, PlayoutLimit::Games(1000), &mut game::rng(1), select);
        let ours = lanes.playouts(&start.0, PlayoutLimit::Games(1000), &mut game::rng(1));
        assert_eq!(ours, plain);
        // A clock that is there, but far away, changes nothing.
        let until = Until::moment(game::Instant::now() + std::time::Duration::from_secs(3600));
        let wanted = SampleRequest {
            states: &[&start],
            each: 1000,
            until: &until,
        };
        let plain = play_each::<{ kernel::COUNTED }>(lanes, &wanted, &mut game::rng(1), select);
        let ours = lanes.sample(&[&start], 1000, &until, &mut game::rng(1));
        assert_eq!((ours.games(0), ours.mean(0, 0)), (plain.games(0), plain.mean(0, 0)));
    }
}
