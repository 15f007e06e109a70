//! Inputs made of other inputs: small, deterministic, and blind. A fuzzer that watches the program finds more; this one
//! needs no special compiler and is the same on every machine.

use game::{Rng, below, rng};

/// Numbers at which readers break.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "99",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "NaN",
];

/// The longest input.
const LONGEST: usize = 4096;

/// Makes inputs.
pub struct Mutator<'a> {
    seeds: &'a [Vec<u8>],
    rng: Rng,
}

impl<'a> Mutator<'a> {
    /// Inputs made of these, of which there must be one; all chance is drawn from `seed`.
    pub fn new(seeds: &'a [Vec<u8>], seed: u64) -> Self {
        assert!(!seeds.is_empty(), "nothing to make inputs of");
        Mutator { seeds, rng: rng(seed) }
    }

    fn below(&mut self, n: usize) -> usize {
        below(&mut self.rng, n.max(1) as u32) as usize
    }

    /// Some stretch of a text of that length, more often short than long.
    fn stretch(&mut self, length: usize) -> std::ops::Range<usize> {
        let from = self.below(length + 1);
        let most = 1 << self.below(9);
        let size = self.below(most + 1).min(length - from);
        from..from + size
    }

    fn seed(&mut self) -> &'a [u8] {
        let seeds = self.seeds;
        &seeds[self.below(seeds.len())]
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.seed().to_vec();
        for _ in 0..1 + self.below(4) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let place = self.stretch(input.len());
        match self.below(9) {
            0 => drop(input.drain(place)),
            1 => input.truncate(place.start),
            2 => {
                let bit = 1 << self.below(8);
                if let Some(byte) = input.get_mut(place.start) {
                    *byte ^= bit;
                }
            }
            3 => {
                let byte = self.below(256) as u8;
                input.insert(place.start, byte);
            }
            4 => {
                // The same again, sometimes very often.
                let piece = input[place.clone()].to_vec();
                let times = 1 << self.below(8);
                let room = LONGEST.saturating_sub(input.len()) / piece.len().max(1);
                input.splice(place.end..place.end, piece.repeat(times.min(room)));
            }
            5 => {
                let other = self.seed();
                let piece = other[self.stretch(other.len())].to_vec();
                input.splice(place, piece);
            }
            6 => {
                let piece = input[place].to_vec();
                let to = self.below(input.len() + 1);
                input.splice(to..to, piece);
            }
            7 => {
                let number = NUMBERS[self.below(NUMBERS.len())];
                input.splice(self.digits(input), number.bytes());
            }
            _ => {
                let byte = self.below(256) as u8;
                input[place].fill(byte);
            }
        }
    }

    /// Where a number stands, or some empty place.
    fn digits(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let from = self.below(input.len() + 1);
        let digit = |at: usize| input[at].is_ascii_digit();
        let start = (from..input.len()).find(|&at| digit(at)).unwrap_or(from);
        let end = (start..input.len()).find(|&at| !digit(at)).unwrap_or(input.len());
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn inputs_are_many_and_bounded_and_the_same_for_the_same_seed() {
        let seeds = vec![b"depth=3,eval=absolute".to_vec(), Vec::new()];
        let inputs = |seed| {
            let mut mutator = Mutator::new(&seeds, seed);
            (0..2000).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        let some = inputs(1);
        assert_eq!(some, inputs(1));
        assert_ne!(some, inputs(2));
        assert!(some.iter().all(|input| input.len() <= LONGEST));
        assert!(some.iter().collect::<HashSet<_>>().len() > 1000);
        assert!(some.iter().any(|input| input.starts_with(b"depth=9223372036854775807")));
    }
}
