//! A static function (also called retrieval structure or Bloomier filter; built like an xor filter): it maps keys to a
//! few bits in 1.23 times that many bits a key, and does not store the keys.
//!
//! Each key has three slots; its value is the exclusive or of their contents. To fill the slots, keys that are alone in
//! some slot are removed until none is left (peeling), then they are put back in reverse order: each has a slot that no
//! key put back earlier uses. With 1.23 slots a key this nearly always succeeds; if not, another seed does. For a key that
//! it was not made for, the function returns anything.

use game::mix;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StaticFunction {
    seed: u64,
    /// Slots in each of three equal parts.
    part: u32,
    /// Bits of a slot: 1, 2, 4 or 8.
    width: u8,
    /// The slots, as many a byte as fit.
    slots: Vec<u8>,
}

impl StaticFunction {
    /// A function with the given values of `width` bits for the given keys, which must differ. `None` if they do not.
    pub(crate) fn new(entries: &[(u64, u8)], width: u8) -> Option<Self> {
        let part = ((entries.len() as f64 * 1.23 / 3.0) as u32 + 16).next_multiple_of(2);
        (0..64).find_map(|seed| Self::try_seed(entries, width, part, seed))
    }

    fn try_seed(entries: &[(u64, u8)], width: u8, part: u32, seed: u64) -> Option<Self> {
        let size = 3 * part as usize;
        // For each slot how many keys are in it, and the exclusive or of their numbers: of one key, its number.
        let mut count = vec![0u32; size];
        let mut keys = vec![0u32; size];
        for (number, (key, _)) in (0u32..).zip(entries) {
            for slot in slots_of(*key, seed, part) {
                count[slot] += 1;
                keys[slot] ^= number;
            }
        }
        let mut alone: Vec<usize> = (0..size).filter(|&slot| count[slot] == 1).collect();
        let mut order = Vec::with_capacity(entries.len());
        while let Some(slot) = alone.pop() {
            if count[slot] != 1 {
                continue;
            }
            let number = keys[slot];
            order.push((number, slot));
            for other in slots_of(entries[number as usize].0, seed, part) {
                count[other] -= 1;
                keys[other] ^= number;
                if count[other] == 1 {
                    alone.push(other);
                }
            }
        }
        if order.len() != entries.len() {
            return None;
        }
        let mut function = StaticFunction {
            seed,
            part,
            width,
            slots: vec![0; Self::bytes(part, width) as usize],
        };
        for (number, slot) in order.into_iter().rev() {
            let (key, value) = entries[number as usize];
            let fix = function.get(key) ^ value & function.mask();
            let (byte, shift) = function.bits_of(slot);
            function.slots[byte] ^= fix << shift;
        }
        Some(function)
    }

    /// Appends it to a file.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.part.to_le_bytes());
        bytes.extend(&self.slots);
    }

    /// A function at the beginning of `bytes`, and what follows it.
    pub(crate) fn read(bytes: &[u8], width: u8) -> Option<(StaticFunction, &[u8])> {
        let (seed, rest) = bytes.split_first_chunk()?;
        let (part, rest) = rest.split_first_chunk()?;
        let part = u32::from_le_bytes(*part);
        let (slots, rest) = rest.split_at_checked(usize::try_from(Self::bytes(part, width)).ok()?)?;
        let function = StaticFunction {
            seed: u64::from_le_bytes(*seed),
            part,
            width,
            slots: slots.to_vec(),
        };
        Some((function, rest))
    }

    /// The bytes that all slots take.
    fn bytes(part: u32, width: u8) -> u64 {
        (3 * u64::from(part) * u64::from(width)).div_ceil(8)
    }

    fn mask(&self) -> u8 {
        u8::MAX >> (8 - self.width)
    }

    /// The byte of a slot, and the number of its lowest bit there.
    fn bits_of(&self, slot: usize) -> (usize, usize) {
        let bit = slot * usize::from(self.width);
        (bit / 8, bit % 8)
    }

    /// The value of a key it was made for.
    pub(crate) fn get(&self, key: u64) -> u8 {
        slots_of(key, self.seed, self.part).into_iter().fold(0, |value, slot| {
            let (byte, shift) = self.bits_of(slot);
            value ^ self.slots.get(byte).copied().unwrap_or(0) >> shift & self.mask()
        })
    }
}

/// Three slots, one in each part.
fn slots_of(key: u64, seed: u64, part: u32) -> [usize; 3] {
    let hash = mix(seed, &[key]);
    let again = mix(hash, &[1]);
    let scale = |bits: u64| (((bits & 0xffff_ffff) * u64::from(part)) >> 32) as usize;
    let part = part as usize;
    [scale(hash), part + scale(hash >> 32), 2 * part + scale(again)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_the_value_it_was_given() {
        for size in [0u64, 1, 2, 10, 1000, 50_000] {
            let entries: Vec<(u64, u8)> = (0..size).map(|i| (mix(i, &[7]), (i * i % 16) as u8)).collect();
            for width in [1, 2, 4, 8] {
                let function = StaticFunction::new(&entries, width).unwrap();
                let kept = |&(key, value): &(u64, u8)| function.get(key) == value & function.mask();
                assert!(entries.iter().all(kept), "{size} keys, {width} bits");
            }
        }
    }

    #[test]
    fn it_takes_five_bits_a_key() {
        let entries: Vec<(u64, u8)> = (0..100_000).map(|i| (mix(i, &[]), 3)).collect();
        let bits = 8 * StaticFunction::new(&entries, 4).unwrap().slots.len();
        assert!(bits < 500_000, "{bits}");
    }

    #[test]
    fn a_key_given_twice_is_refused() {
        assert_eq!(StaticFunction::new(&[(1, 2), (1, 3)], 4), None);
    }
}
