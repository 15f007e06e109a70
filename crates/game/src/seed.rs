//! Chance that can be replayed: every random choice is a function of a seed.

use rand::{Rng as _, SeedableRng};

/// The generator used everywhere. Named, not `SmallRng`, so that a record's seed means the same game next year.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator for a seed.
#[inline]
pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// Mixes a seed with the number of a game, seat, thread, … into a seed of its own (the finaliser of SplitMix64, once
/// a part). Different parts give independent seeds; the order matters.
#[inline]
pub fn mix(seed: u64, parts: &[u64]) -> u64 {
    parts.iter().fold(finalise(seed), |seed, &part| {
        finalise(seed ^ finalise(part.wrapping_add(0x9e37_79b9_7f4a_7c15)))
    })
}

fn finalise(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A number below `n`, which must not be 0.
///
/// A multiply and a shift. The bias is at most n / 2^32: for the few hundred choices of a game it cannot be seen in
/// any experiment this laboratory could run.
#[inline]
pub fn below(rng: &mut Rng, n: u32) -> u32 {
    debug_assert!(n > 0);
    ((u64::from(rng.next_u32()) * u64::from(n)) >> 32) as u32
}

/// One of `items`, or `None` if there are none.
#[inline]
pub fn pick<T: Copy>(rng: &mut Rng, items: &[T]) -> Option<T> {
    if items.is_empty() {
        return None;
    }
    Some(items[below(rng, items.len() as u32) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_seeds_differ_in_every_part_and_in_order() {
        let seeds = [
            mix(1, &[]),
            mix(1, &[0]),
            mix(1, &[1]),
            mix(2, &[1]),
            mix(1, &[1, 2]),
            mix(1, &[2, 1]),
        ];
        for (i, a) in seeds.iter().enumerate() {
            for b in &seeds[i + 1..] {
                assert_ne!(a, b);
            }
        }
    }

    #[test]
    fn below_reaches_every_number_evenly() {
        let mut rng = rng(7);
        let mut seen = [0u32; 10];
        for _ in 0..100_000 {
            seen[below(&mut rng, 10) as usize] += 1;
        }
        // 10,000 expected each, standard deviation 95.
        assert!(seen.iter().all(|&n| (9_500..10_500).contains(&n)), "{seen:?}");
    }
}
