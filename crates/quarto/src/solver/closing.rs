//! The last four and the last three cells of the normal game, without a search: every order in which they can be filled is looked at at once.
//!
//! The question is the other's, who wins if every safe gift has a placement after which it wins as the giver. On four cells that is one
//! formula in the bytes of `ending`. Of four cells let c be the one filled first and d the second:
//!
//! ```text
//! a gift q on c leaves     single(e) | pair(c, e) & q           on each e of the other three
//! then r on d leaves       that of e | that of d and e & r      on the last two, so the two pieces left complete something there, each
//!                                                               somewhere, if they have a value of it; and r must complete nothing
//! ```
//!
//! So a byte for each c and d says it for all gifts and cells. Three cells are the same one placement later: a byte for each first and each
//! second cell. Both exist twice, with the processor's vectors and in plain Rust; `unsafe` is here for the reason given in `simd`: the
//! calls are behind a `cfg` for the features they need, take and return values, and touch no memory. Tests hold the two against each other
//! and against a search.

#![allow(unsafe_code)]

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use plain::{other_wins_four, other_wins_three};
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use vector::{other_wins_four, other_wins_three};

/// The values of a few pieces, a byte each.
#[inline(always)]
pub(super) fn values_in_bytes(mut pieces: u16) -> u32 {
    let mut bytes = 0;
    let mut at = 0;
    while pieces != 0 {
        let piece = pieces.trailing_zeros();
        pieces &= pieces - 1;
        bytes |= (piece << 4 | piece ^ 15) << at;
        at += 8;
    }
    bytes
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod vector {
    use std::arch::x86_64::*;

    /// For each first of four cells (in fours) and each second one (within them; the fourth place repeats the first) a set of cells: the first
    /// one, the second one, and the two that are left, each or not.
    const fn of_four(first: bool, second: bool, last: [bool; 2]) -> [u8; 16] {
        let mut sets = [0; 16];
        let mut place = 0;
        while place < 16 {
            let (cell, nth) = (place / 4, place % 4 % 3);
            let other = [nth, (nth + 1) % 3, (nth + 2) % 3];
            sets[place] = (first as u8) << cell
                | (second as u8) << ((cell + 1 + other[0]) % 4)
                | (last[0] as u8) << ((cell + 1 + other[1]) % 4)
                | (last[1] as u8) << ((cell + 1 + other[2]) % 4);
            place += 1;
        }
        sets
    }

    /// For each first of three cells (in pairs; the fourth repeats the first) and each last one, twice over: a set of them.
    const fn of_three(first: bool, second: bool, last: bool) -> [u8; 16] {
        let mut sets = [0; 16];
        let mut place = 0;
        while place < 16 {
            let (cell, nth) = (place / 2 % 4 % 3, place % 2);
            sets[place] = (first as u8) << cell
                | (second as u8) << ((cell + 1 + nth) % 3)
                | (last as u8) << ((cell + 2 - nth) % 3);
            place += 1;
        }
        sets
    }

    // SAFETY of all that follows: this module is compiled only for processors with AVX2.

    /// Byte i of each half becomes the byte of that half whose number is `from[i]`.
    #[inline(always)]
    fn take(bytes: __m256i, from: &[u8; 16]) -> __m256i {
        unsafe {
            let from = _mm256_broadcastsi128_si256(std::mem::transmute::<[u8; 16], __m128i>(*from));
            _mm256_shuffle_epi8(bytes, from)
        }
    }

    /// Byte `lanes[i]` of a word, all over lane i.
    #[inline(always)]
    fn spread(word: u64, lanes: [i64; 4]) -> __m256i {
        unsafe {
            let [a, b, c, d] = lanes.map(|lane| lane * 0x0101_0101_0101_0101);
            _mm256_shuffle_epi8(_mm256_set1_epi64x(word as i64), _mm256_setr_epi64x(a, b, c, d))
        }
    }

    /// What [`super::plain::other_wins_four`] says, two gifts at a time, a half of a vector each.
    #[inline(always)]
    pub(in crate::solver) fn other_wins_four(missing: [u64; 2], values: u32, gifts: u8) -> bool {
        const LAST: [[u8; 16]; 2] = [
            of_four(false, false, [true, false]),
            of_four(false, false, [false, true]),
        ];
        const FIRST_LAST: [[u8; 16]; 2] = [of_four(true, false, [true, false]), of_four(true, false, [false, true])];
        const SECOND_LAST: [[u8; 16]; 2] = [of_four(false, true, [true, false]), of_four(false, true, [false, true])];
        const ALL_BUT_ONE: [[u8; 16]; 2] = [of_four(true, true, [true, false]), of_four(true, true, [false, true])];
        const SECOND: [u8; 16] = of_four(false, true, [false, false]);
        const FIRST_SECOND: [u8; 16] = of_four(true, true, [false, false]);
        unsafe {
            let or = |a, b| _mm256_or_si256(a, b);
            let and = |a, b| _mm256_and_si256(a, b);
            let lacks = |a, b| _mm256_cmpeq_epi8(_mm256_and_si256(a, b), _mm256_setzero_si256());
            let bytes = _mm256_broadcastsi128_si256(_mm_set_epi64x(missing[1] as i64, missing[0] as i64));
            let either = |sets: &[[u8; 16]; 2]| or(take(bytes, &sets[0]), take(bytes, &sets[1]));
            let (last, first_last) = (either(&LAST), either(&FIRST_LAST));
            let (second_last, all_but_one) = (either(&SECOND_LAST), either(&ALL_BUT_ONE));
            let (second, first_second) = (take(bytes, &SECOND), take(bytes, &FIRST_SECOND));
            let mut gifts = gifts;
            while gifts != 0 {
                let one = gifts.trailing_zeros();
                gifts &= gifts - 1;
                // Of one that is left the same again.
                let another = if gifts == 0 { one } else { gifts.trailing_zeros() };
                gifts &= gifts.wrapping_sub(1);
                // The gift, then the three other pieces.
                let first_of = |number: u32| u64::from(values.rotate_right(8 * number));
                let pieces = first_of(one) | first_of(another) << 32;
                let gift = spread(pieces, [0, 0, 4, 4]);
                let hot = or(last, and(first_last, gift));
                let with_second = or(second_last, and(all_but_one, gift));
                let at_second = or(second, and(first_second, gift));
                let others = [[1, 1, 5, 5], [2, 2, 6, 6], [3, 3, 7, 7]].map(|lanes| spread(pieces, lanes));
                let answer = |given: usize| {
                    let (piece, left) = (others[given], [others[(given + 1) % 3], others[(given + 2) % 3]]);
                    let hot = or(hot, and(with_second, piece));
                    let fails = or(or(lacks(hot, left[0]), lacks(hot, left[1])), and(at_second, piece));
                    _mm256_cmpeq_epi32(fails, _mm256_setzero_si256())
                };
                let wins = _mm256_movemask_epi8(or(or(answer(0), answer(1)), answer(2))) as u32;
                if wins as u16 == 0 || wins >> 16 == 0 {
                    return false;
                }
            }
            true
        }
    }

    /// What [`super::plain::other_wins_three`] says, a gift in each lane, the first one twice.
    #[inline(always)]
    pub(in crate::solver) fn other_wins_three(missing: u64, values: u32) -> bool {
        const LAST: [u8; 16] = of_three(false, false, true);
        const FIRST_LAST: [u8; 16] = of_three(true, false, true);
        const SECOND_LAST: [u8; 16] = of_three(false, true, true);
        unsafe {
            let or = |a, b| _mm256_or_si256(a, b);
            let and = |a, b| _mm256_and_si256(a, b);
            let zero = _mm256_setzero_si256();
            let bytes = _mm256_set1_epi64x(missing as i64);
            let pieces = [[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2]].map(|lanes| spread(u64::from(values), lanes));
            let [gift, one, another] = pieces;
            let hot = or(take(bytes, &LAST), and(take(bytes, &FIRST_LAST), gift));
            let with_second = or(take(bytes, &SECOND_LAST), and(take(bytes, &[7; 16]), gift));
            let answer = |piece, left| {
                let lacks = _mm256_cmpeq_epi8(and(or(hot, and(with_second, piece)), left), zero);
                _mm256_cmpeq_epi16(or(lacks, and(hot, piece)), zero)
            };
            let wins = or(answer(one, another), answer(another, one));
            // A gift that completes something is not given.
            let completes = and(
                or(take(bytes, &[1; 16]), or(take(bytes, &[2; 16]), take(bytes, &[4; 16]))),
                gift,
            );
            let lost = _mm256_cmpeq_epi64(or(wins, completes), zero);
            _mm256_testz_si256(lost, lost) != 0
        }
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod plain {
    use super::super::simd::part_pair;

    /// The values of piece `number`, all over a word.
    fn spread(values: u32, number: usize) -> u64 {
        u64::from(values >> (8 * number) & 0xff) * 0x0101_0101_0101_0101
    }

    /// Whether the other wins on four cells that miss so much, with four pieces of these values left and in two rounds or more: whether each
    /// of the gifts (a bit each), which complete nothing, has a placement after which it wins as the giver.
    pub(in crate::solver) fn other_wins_four(missing: [u64; 2], values: u32, gifts: u8) -> bool {
        let mut gifts = (0..4).filter(|gift| gifts >> gift & 1 != 0);
        gifts.all(|gift| {
            let has = spread(values, gift);
            // The others, without the gift.
            let left = values.rotate_right(8 * gift as u32) >> 8;
            (0..4).any(|cell| {
                let (without, with) = match cell {
                    3 => (missing[0], missing[1]),
                    _ => part_pair(missing, cell),
                };
                giver_wins_three(without | with & has, left)
            })
        })
    }

    /// Whether the giver wins on three cells with three pieces left: one completes nothing, and wherever it goes both others complete something.
    fn giver_wins_three(missing: u64, values: u32) -> bool {
        let byte = |cells: u32| missing >> (8 * cells) & 0xff;
        let value = |number: usize| u64::from(values >> (8 * (number % 3)) & 0xff);
        let hot = byte(1) | byte(2) | byte(4);
        (0..3).any(|piece| {
            let (given, one, another) = (value(piece), value(piece + 1), value(piece + 2));
            let completes_both = |at: [u32; 2], with: [u32; 2]| {
                let hot = byte(at[0]) | byte(at[1]) | (byte(with[0]) | byte(with[1])) & given;
                hot & one != 0 && hot & another != 0
            };
            hot & given == 0
                && completes_both([2, 4], [3, 5])
                && completes_both([1, 4], [3, 6])
                && completes_both([1, 2], [5, 6])
        })
    }

    /// Whether the other wins on three cells that miss so much, with three pieces of these values left and in two rounds or more.
    pub(in crate::solver) fn other_wins_three(missing: u64, values: u32) -> bool {
        let hot = (missing >> 8 | missing >> 16 | missing >> 32) & 0xff;
        let value = |number: usize| u64::from(values >> (8 * (number % 3)) & 0xff);
        (0..3).all(|gift| {
            let completes = hot & value(gift) != 0;
            completes
                || (0..3).any(|cell| {
                    let (without, with) = part_pair([missing, 0], cell);
                    let left = without | with & spread(values, gift);
                    giver_wins_two(left, value(gift + 1), value(gift + 2))
                        || giver_wins_two(left, value(gift + 2), value(gift + 1))
                })
        })
    }

    /// Whether a piece that is given on two cells completes nothing, and the last one something wherever it went.
    fn giver_wins_two(missing: u64, given: u64, last: u64) -> bool {
        let byte = |cells: u32| missing >> (8 * cells) & 0xff;
        let completes = |cell: u32| (byte(cell) | byte(3) & given) & last != 0;
        (byte(1) | byte(2)) & given == 0 && completes(1) && completes(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::mix;

    /// Bytes with few bits, the first of them empty: no line is complete.
    fn missing(seed: u64) -> [u64; 2] {
        // A third of them fuller than the rest.
        let thin = |k: u64| {
            if seed.is_multiple_of(3) {
                !0
            } else {
                mix(seed, &[k + 4])
            }
        };
        let word = |k: u64| mix(seed, &[k]) & mix(seed, &[k + 2]) & thin(k);
        [word(0) & !0xff, word(1)]
    }

    /// Four different pieces.
    fn pieces(seed: u64) -> [u16; 4] {
        let mut left: Vec<u16> = (0..16).collect();
        std::array::from_fn(|i| left.remove((mix(seed, &[9, i as u64]) % left.len() as u64) as usize))
    }

    /// Byte by byte, by the rules alone: whether the giver, or else the other, wins on so many cells.
    fn wins(giver: bool, missing: &[u8], left: &[u16]) -> bool {
        let cells = missing.len().ilog2();
        let value = |piece: u16| (piece << 4 | piece ^ 15) as u8;
        let completes = |piece: u16| (0..cells).any(|cell| missing[1 << cell] & value(piece) != 0);
        let mut gifts = left.iter().filter(|piece| !completes(**piece)).copied();
        let after = |piece: u16, cell: u32| -> bool {
            let rest: Vec<u16> = left.iter().filter(|other| **other != piece).copied().collect();
            let sets = (0..missing.len()).filter(|set| set >> cell & 1 == 0);
            let missing: Vec<u8> = sets
                .map(|set| missing[set] | missing[set | 1 << cell] & value(piece))
                .collect();
            wins(!giver, &missing, &rest)
        };
        match giver {
            true => cells > 0 && gifts.any(|piece| (0..cells).all(|cell| after(piece, cell))),
            false => cells > 0 && gifts.all(|piece| (0..cells).any(|cell| after(piece, cell))),
        }
    }

    #[test]
    fn the_last_cells_are_answered_as_by_a_search_with_vectors_and_without() {
        let mut won = [0; 2];
        for seed in 0..40_000 {
            let (missing, pieces) = (missing(seed), pieces(seed));
            let bytes = missing.map(u64::to_le_bytes).concat();
            let set = |pieces: &[u16]| pieces.iter().fold(0, |set, piece| set | 1 << piece);
            let mut sorted = pieces;
            sorted.sort_unstable();
            let values = values_in_bytes(set(&pieces));
            let hot = [1, 2, 4, 8].iter().fold(0, |hot, cell| hot | bytes[*cell]);
            let safe = |number: &usize| hot & (values >> (8 * number)) as u8 == 0;
            let gifts = (0..4).filter(safe).fold(0, |set, number| set | 1 << number);
            let expected = wins(false, &bytes, &sorted);
            assert_eq!(other_wins_four(missing, values, gifts), expected, "{seed}");
            assert_eq!(plain::other_wins_four(missing, values, gifts), expected, "{seed}");
            won[0] += u32::from(expected && gifts != 0);
            let values = values_in_bytes(set(&pieces[..3]));
            let expected = wins(false, &bytes[..8], &pieces[..3]);
            assert_eq!(other_wins_three(missing[0], values), expected, "{seed}");
            assert_eq!(plain::other_wins_three(missing[0], values), expected, "{seed}");
            won[1] += u32::from(expected && (0..3).any(|number| bytes[1] | bytes[2] | bytes[4] == 0 || safe(&number)));
        }
        assert!(won[0] > 300 && won[1] > 300, "{won:?}");
    }
}
