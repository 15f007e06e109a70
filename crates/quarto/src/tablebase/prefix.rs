//! Codes of four bits in as few bits as their frequencies allow (a Huffman code), read bit by bit from a static function of one bit: bit n of a
//! key's code is the function's value of the key and n. What is frequent takes a bit, what is rare a few more.

use crate::book::static_function::StaticFunction;
use game::mix;

/// How many codes there are.
const SYMBOLS: usize = 16;

/// The longest code word: lengths are kept in four bits.
const LONGEST: usize = SYMBOLS - 1;

/// See the module.
pub(super) struct PrefixCodes {
    lengths: [u8; SYMBOLS],
    /// The codes that occur, the shortest words first: in that order words of one length are numbers that follow each other.
    order: Vec<u8>,
    function: StaticFunction,
}

impl PrefixCodes {
    /// Packs codes by key. `None` if a key is there twice, or fewer than two codes occur.
    pub(super) fn new(entries: &[(u64, u8)]) -> Option<Self> {
        let mut counts = [0; SYMBOLS];
        for (_, code) in entries {
            counts[usize::from(code & 15)] += 1;
        }
        let lengths = word_lengths(&counts)?;
        let order = in_order(&lengths);
        let words = words(&lengths, &order);
        let mut bits = Vec::new();
        for &(key, code) in entries {
            let (word, length) = (words[usize::from(code & 15)], lengths[usize::from(code & 15)]);
            bits.extend((0..length).map(|bit| (key_of_bit(key, bit), (word >> (length - 1 - bit)) as u8 & 1)));
        }
        Some(PrefixCodes {
            lengths,
            order,
            function: StaticFunction::new(&bits, 1)?,
        })
    }

    /// The code of a key it was made for.
    pub(super) fn get(&self, key: u64) -> u8 {
        // Words of a length are numbers from `first` on.
        let (mut word, mut first, mut before) = (0, 0, 0);
        for length in 1..=LONGEST as u8 {
            word = word << 1 | usize::from(self.function.get(key_of_bit(key, length - 1)));
            first <<= 1;
            let count = self.lengths.iter().filter(|of| **of == length).count();
            if word < first + count {
                return self.order.get(before + word - first).copied().unwrap_or_default();
            }
            first += count;
            before += count;
        }
        0
    }

    /// Appends it to a file.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.lengths.chunks(2).map(|pair| pair[0] | pair[1] << 4));
        self.function.write(bytes);
    }

    /// The codes at the beginning of `bytes`, and what follows them.
    pub(super) fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (packed, rest) = bytes.split_first_chunk::<{ SYMBOLS / 2 }>()?;
        let lengths: [u8; SYMBOLS] = std::array::from_fn(|i| packed[i / 2] >> (4 * (i % 2)) & 15);
        // Whatever is read ends in a word: the words of all lengths fill the tree.
        let filled: u32 = lengths
            .iter()
            .filter(|length| **length > 0)
            .map(|length| 1 << (LONGEST as u8 - length))
            .sum();
        (filled == 1 << LONGEST).then_some(())?;
        let (function, rest) = StaticFunction::read(rest, 1)?;
        let order = in_order(&lengths);
        Some((
            PrefixCodes {
                lengths,
                order,
                function,
            },
            rest,
        ))
    }
}

/// What all words together take for codes that are so frequent, in bits; `None` if fewer than two codes occur.
pub(super) fn expected_bits(counts: &[usize; SYMBOLS]) -> Option<usize> {
    let lengths = word_lengths(counts)?;
    Some(
        counts
            .iter()
            .zip(lengths)
            .map(|(count, length)| count * usize::from(length))
            .sum(),
    )
}

fn key_of_bit(key: u64, bit: u8) -> u64 {
    mix(key, &[0x70, u64::from(bit)])
}

/// The lengths of the words, 0 for codes that do not occur: the two rarest groups are joined until there is one.
fn word_lengths(counts: &[usize; SYMBOLS]) -> Option<[u8; SYMBOLS]> {
    let occurring = (0..SYMBOLS).filter(|symbol| counts[*symbol] > 0);
    let mut groups: Vec<(usize, u16)> = occurring.map(|symbol| (counts[symbol], 1 << symbol)).collect();
    if groups.len() < 2 {
        return None;
    }
    let mut lengths = [0; SYMBOLS];
    while groups.len() > 1 {
        groups.sort_unstable_by(|a, b| b.cmp(a));
        let (rarest, next) = (groups.pop()?, groups.pop()?);
        let joined = (rarest.0 + next.0, rarest.1 | next.1);
        for (symbol, length) in lengths.iter_mut().enumerate() {
            *length += (joined.1 >> symbol & 1) as u8;
        }
        groups.push(joined);
    }
    Some(lengths)
}

/// The codes that occur, the shortest words first.
fn in_order(lengths: &[u8; SYMBOLS]) -> Vec<u8> {
    let mut order: Vec<u8> = (0..SYMBOLS as u8)
        .filter(|symbol| lengths[usize::from(*symbol)] > 0)
        .collect();
    order.sort_by_key(|symbol| lengths[usize::from(*symbol)]);
    order
}

/// The word of each code.
fn words(lengths: &[u8; SYMBOLS], order: &[u8]) -> [u32; SYMBOLS] {
    let mut words = [0; SYMBOLS];
    let (mut next, mut last) = (0, 0);
    for symbol in order.iter().map(|symbol| usize::from(*symbol)) {
        next <<= lengths[symbol] - last;
        last = lengths[symbol];
        words[symbol] = next;
        next += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_its_code_and_rare_ones_pay_for_frequent_ones() {
        // From two codes to sixteen, each half as frequent as the one before, and all alike.
        for symbols in 2..=16u64 {
            for alike in [false, true] {
                let code = |i: u64| match alike {
                    true => (i % symbols) as u8,
                    false => u64::from(i.trailing_zeros()).min(symbols - 1) as u8,
                };
                let entries: Vec<(u64, u8)> = (1..=70_000).map(|i| (mix(i, &[5]), code(i))).collect();
                let codes = PrefixCodes::new(&entries).unwrap();
                assert!(entries.iter().all(|&(key, code)| codes.get(key) == code), "{symbols}");
                let mut bytes = Vec::new();
                codes.write(&mut bytes);
                let most = if alike { 5.0 } else { 2.5 };
                assert!(
                    8.0 * (bytes.len() as f64) < most * 70_000.0,
                    "{symbols}: {}",
                    bytes.len()
                );
                bytes.push(7);
                let (read, rest) = PrefixCodes::read(&bytes).unwrap();
                assert_eq!(rest, [7]);
                assert!(entries.iter().all(|&(key, code)| read.get(key) == code));
            }
        }
    }

    #[test]
    fn one_code_alone_a_key_given_twice_and_lengths_that_are_no_code_are_refused() {
        assert!(PrefixCodes::new(&[(1, 3), (2, 3)]).is_none());
        assert!(PrefixCodes::new(&[(1, 3), (1, 4)]).is_none());
        assert!(PrefixCodes::read(&[0; 100]).is_none());
        assert!(PrefixCodes::read(&[0x11; 100]).is_none());
        assert!(PrefixCodes::read(&[1; 7]).is_none());
    }
}
