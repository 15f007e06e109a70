//! Evaluating planes: one instruction for as many games as a register has bits.

use super::schedule::{EvalStep, Schedule, Stretch};
use crate::propnet::gates::Lit;

/// One bit a game.
pub type Plane<const W: usize> = [u64; W];

/// The plane that a literal means.
#[inline(always)]
pub fn literal<const W: usize>(planes: &[Plane<W>], lit: Lit) -> Plane<W> {
    let flip = (lit as u64 & 1).wrapping_neg();
    planes[(lit >> 1) as usize].map(|word| word ^ flip)
}

/// Whether a literal holds in one game.
#[inline(always)]
pub fn holds<const W: usize>(planes: &[Plane<W>], lit: Lit, place: usize) -> bool {
    (planes[(lit >> 1) as usize][place / 64] >> (place % 64)) as u32 & 1 != lit & 1
}

/// Evaluates tasks in order.
#[inline(always)]
pub fn run<const W: usize>(schedule: &Schedule, tasks: &[EvalStep], planes: &mut [Plane<W>]) {
    for task in tasks {
        match task {
            EvalStep::Once(stretch) => evaluate(schedule, stretch, planes),
            EvalStep::Until(stretches, loops) => until(schedule, stretches, loops, planes),
        }
    }
}

/// Evaluates a recursive part from nothing to its fixed point in every game.
#[inline(never)]
fn until<const W: usize>(schedule: &Schedule, stretches: &[Stretch], loops: &[(u32, Lit)], planes: &mut [Plane<W>]) {
    for &(plane, _) in loops {
        planes[plane as usize] = [0; W];
    }
    loop {
        for stretch in stretches {
            evaluate(schedule, stretch, planes);
        }
        let mut changed = 0;
        for &(plane, fed) in loops {
            let now = literal(planes, fed);
            let was = std::mem::replace(&mut planes[plane as usize], now);
            changed |= (0..W).fold(0, |changed, at| changed | (now[at] ^ was[at]));
        }
        if changed == 0 {
            return;
        }
    }
}

/// Evaluates one stretch.
#[inline(always)]
fn evaluate<const W: usize>(schedule: &Schedule, stretch: &Stretch, planes: &mut [Plane<W>]) {
    macro_rules! kinds {
        ($($plain:literal $inverted:literal),*) => {
            match (stretch.plain, stretch.inverted) {
                $(($plain, $inverted) => gates::<W, $plain, $inverted, { $plain + $inverted }>(schedule, stretch, planes),)*
                _ => any_gates(schedule, stretch, planes),
            }
        };
    }
    kinds!(2 0, 1 1, 0 2, 3 0, 2 1, 1 2, 0 3, 4 0, 3 1, 2 2, 1 3, 0 4, 8 0, 0 8);
}

/// Gates of `P` plain and `I` inverted inputs, `N` together.
#[inline(always)]
fn gates<const W: usize, const P: usize, const I: usize, const N: usize>(
    schedule: &Schedule,
    stretch: &Stretch,
    planes: &mut [Plane<W>],
) {
    let (read, write) = planes.split_at_mut(stretch.out.start);
    let write = &mut write[..stretch.out.len()];
    let inputs = &schedule.reads[stretch.inputs..stretch.inputs + N * stretch.out.len()];
    for (out, from) in write.iter_mut().zip(inputs.as_chunks::<N>().0) {
        let mut all = [!0; W];
        for &plane in &from[..P] {
            let plane = &read[plane as usize];
            for at in 0..W {
                all[at] &= plane[at];
            }
        }
        if I > 0 {
            let mut any = [0; W];
            for &plane in &from[P..] {
                let plane = &read[plane as usize];
                for at in 0..W {
                    any[at] |= plane[at];
                }
            }
            for at in 0..W {
                all[at] &= !any[at];
            }
        }
        *out = all;
    }
}

/// Gates of the rarer kinds.
#[inline(never)]
fn any_gates<const W: usize>(schedule: &Schedule, stretch: &Stretch, planes: &mut [Plane<W>]) {
    let (plain, width) = (stretch.plain as usize, (stretch.plain + stretch.inverted) as usize);
    let (read, write) = planes.split_at_mut(stretch.out.start);
    let inputs = &schedule.reads[stretch.inputs..stretch.inputs + width * stretch.out.len()];
    for (out, from) in write.iter_mut().zip(inputs.chunks_exact(width)) {
        let mut all = [!0; W];
        for &plane in &from[..plain] {
            let plane = &read[plane as usize];
            for at in 0..W {
                all[at] &= plane[at];
            }
        }
        for &plane in &from[plain..] {
            let plane = &read[plane as usize];
            for at in 0..W {
                all[at] &= !plane[at];
            }
        }
        *out = all;
    }
}
