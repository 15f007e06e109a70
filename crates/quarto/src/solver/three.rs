//! The last three cells in misère, looked up.
//!
//! Of three cells and three pieces only this matters: which piece is kept out of which cell as it is (nine bits), which pair
//! of pieces completes a line that misses two of the cells (nine bits), and whether all three complete a line that misses all
//! of them (one bit). So there are 2^19 endings, answered once for both sides.

use super::simd::extract;
use std::sync::OnceLock;

/// For each set of three cells: bit k of its byte is set if some line that misses exactly these cells is completed by pieces
/// that all have a value of pieces `p`, `q`, `r`, `p & q`, `p & r`, `q & r` or `p & q & r`, k = 7 down to 1.
const ONE: u64 = 0xe0;
const TWO: u64 = 0x1c;
const ALL: u64 = 0x02;

/// The bits of those that matter: a set of so many cells is filled by as many pieces.
const MATTERS: u64 = ONE << 8 | ONE << 16 | TWO << 24 | ONE << 32 | TWO << 40 | TWO << 48 | ALL << 56;

/// For each ending of three cells whether the giver wins, and whether the other does: two bits, so that all of them stay in
/// the processor's cache.
pub(super) struct ThreeCells(Box<[u8; ENDINGS / 4]>);

const ENDINGS: usize = 1 << MATTERS.count_ones();

impl ThreeCells {
    /// The answers, made when they are first needed: 64 at a time, since whoever needs them has a clock.
    pub(super) fn get() -> &'static ThreeCells {
        static ANSWERS: OnceLock<ThreeCells> = OnceLock::new();
        ANSWERS.get_or_init(|| {
            let mut answers = Box::new([0; ENDINGS / 4]);
            for (first, bytes) in (0..).step_by(64).zip(answers.chunks_exact_mut(16)) {
                let [giver, other] = answers_of_64(first);
                for lane in 0..64 {
                    bytes[lane / 4] |= ((giver >> lane & 1) as u8 | ((other >> lane & 1) as u8) << 1) << (lane % 4 * 2);
                }
            }
            ThreeCells(answers)
        })
    }

    /// Whether the giver wins (bit 0) and whether the other does (bit 1), for what is missing (a byte of values for each set of
    /// cells) and the values of the three pieces.
    #[inline(always)]
    pub(super) fn answers(&self, missing: u64, [p, q, r]: [u8; 3]) -> u8 {
        let mut bits = 0;
        for (k, values) in sets([p, q, r]).into_iter().enumerate() {
            bits |= filled(missing & (u64::from(values) * 0x0101_0101_0101_0101)) >> k;
        }
        self.answer(bits)
    }

    /// The same if what is missing was translated already: see [`said`](ThreeCells::said).
    #[inline(always)]
    pub(super) fn answer(&self, bits: u64) -> u8 {
        let index = extract(bits, MATTERS) as usize % ENDINGS;
        self.0[index / 4] >> (index % 4 * 2) & 3
    }

    /// What a byte of values says of three pieces: bit k is set, k = 7 down to 1, if it has a value of the k-th set of them.
    pub(super) fn said(byte: u8, pieces: [u8; 3]) -> u8 {
        let sets = sets(pieces).into_iter().enumerate();
        sets.fold(0, |said, (k, values)| said | u8::from(byte & values != 0) << (7 - k))
    }
}

/// The sets of three pieces, by the values that all pieces of a set have.
#[inline(always)]
fn sets([p, q, r]: [u8; 3]) -> [u8; 7] {
    [p, q, r, p & q, p & r, q & r, p & q & r]
}

/// The highest bit of each byte that is not 0.
#[inline(always)]
fn filled(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    (((word & LOW) + LOW) | word) & !LOW
}

/// What 64 indices in a row stand for, a bit each.
struct ThreeCellEndings {
    /// Piece y is kept out of cell c.
    out: [[u64; 3]; 3],
    /// Cells c and d, pieces y and z complete a line; symmetric in both pairs.
    pair: [[[[u64; 3]; 3]; 3]; 3],
    all: u64,
}

impl ThreeCellEndings {
    /// `first` is a multiple of 64.
    fn new(first: usize) -> Self {
        let mut endings = ThreeCellEndings {
            out: [[0; 3]; 3],
            pair: [[[[0; 3]; 3]; 3]; 3],
            all: 0,
        };
        let mut bit = 0;
        let mut next = || {
            bit += 1;
            match LANES.get(bit - 1) {
                Some(lanes) => *lanes,
                None => 0_u64.wrapping_sub((first >> (bit - 1) & 1) as u64),
            }
        };
        /// The low bits of 64 indices in a row.
        const LANES: [u64; 6] = [
            0xaaaa_aaaa_aaaa_aaaa,
            0xcccc_cccc_cccc_cccc,
            0xf0f0_f0f0_f0f0_f0f0,
            0xff00_ff00_ff00_ff00,
            0xffff_0000_ffff_0000,
            0xffff_ffff_0000_0000,
        ];
        const PAIRS: [(usize, usize); 3] = [(1, 2), (0, 2), (0, 1)];
        const SETS: [&[usize]; 7] = [&[0], &[1], &[0, 1], &[2], &[0, 2], &[1, 2], &[0, 1, 2]];
        for cells in SETS {
            match *cells {
                // In each byte the last piece or pair has the lowest bit.
                [cell] => (0..3).rev().for_each(|piece| endings.out[piece][cell] = next()),
                [c, d] => {
                    for (y, z) in PAIRS {
                        let complete = next();
                        for (y, z) in [(y, z), (z, y)] {
                            endings.pair[y][z][c][d] = complete;
                            endings.pair[y][z][d][c] = complete;
                        }
                    }
                }
                _ => endings.all = next(),
            }
        }
        endings
    }

    /// What is left after piece p went to cell c: whether piece y is kept out of cell d.
    fn out_after(&self, (p, c): (usize, usize), y: usize, d: usize) -> u64 {
        self.out[y][d] | self.pair[p][y][c][d]
    }
}

fn others(of: usize) -> [usize; 2] {
    [(of + 1) % 3, (of + 2) % 3]
}

/// For 64 indices whether the giver wins, and whether the other does.
fn answers_of_64(first: usize) -> [u64; 2] {
    let endings = ThreeCellEndings::new(first);
    // With two cells, the giver wins if a piece can go to neither; the other, if it can answer both gifts.
    let giver_of_two = |p: usize, c: usize| {
        let [a, b] = others(c);
        let out = |y, d| endings.out_after((p, c), y, d);
        others(p).into_iter().fold(0, |any, y| any | out(y, a) & out(y, b))
    };
    let other_of_two = |p: usize, c: usize| {
        let [a, b] = others(c);
        let [q, r] = others(p);
        let out = |y, d| endings.out_after((p, c), y, d);
        let together = endings.pair[q][r][a][b] | endings.all;
        let answers = |y, z| {
            [(a, b), (b, a)]
                .into_iter()
                .fold(0, |any, (d, e)| any | !out(y, d) & (out(z, e) | together))
        };
        answers(q, r) & answers(r, q)
    };
    // A piece may go where it is not kept out.
    let out = &endings.out;
    let giver = (0..3).fold(0, |any, p| {
        any | (0..3).fold(u64::MAX, |all, c| all & (out[p][c] | other_of_two(p, c)))
    });
    let other = (0..3).fold(u64::MAX, |all, p| {
        all & (0..3).fold(0, |any, c| any | !out[p][c] & giver_of_two(p, c))
    });
    [giver, other]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an index stands for, read one by one.
    #[derive(Clone, Copy)]
    struct ThreeCellEnding {
        /// Piece y is kept out of cell c.
        out: [[bool; 3]; 3],
        /// Cells c and d, pieces y and z complete a line; symmetric in both pairs.
        pair: [[[[bool; 3]; 3]; 3]; 3],
        all: bool,
    }

    impl ThreeCellEnding {
        fn new(index: usize) -> Self {
            let mut ending = ThreeCellEnding {
                out: [[false; 3]; 3],
                pair: [[[[false; 3]; 3]; 3]; 3],
                all: false,
            };
            let mut bit = 0;
            let mut next = || {
                bit += 1;
                index >> (bit - 1) & 1 != 0
            };
            const PAIRS: [(usize, usize); 3] = [(1, 2), (0, 2), (0, 1)];
            const SETS: [&[usize]; 7] = [&[0], &[1], &[0, 1], &[2], &[0, 2], &[1, 2], &[0, 1, 2]];
            for cells in SETS {
                match *cells {
                    // In each byte the last piece or pair has the lowest bit.
                    [cell] => (0..3).rev().for_each(|piece| ending.out[piece][cell] = next()),
                    [c, d] => {
                        for (y, z) in PAIRS {
                            let complete = next();
                            for (y, z) in [(y, z), (z, y)] {
                                ending.pair[y][z][c][d] = complete;
                                ending.pair[y][z][d][c] = complete;
                            }
                        }
                    }
                    _ => ending.all = next(),
                }
            }
            ending
        }

        /// What is left after piece p went to cell c: whether piece y is kept out of cell d.
        fn out_after(&self, (p, c): (usize, usize), y: usize, d: usize) -> bool {
            self.out[y][d] || self.pair[p][y][c][d]
        }
    }

    /// The rules themselves, one ending after the other.
    fn answer(index: usize) -> u8 {
        let ending = ThreeCellEnding::new(index);
        let allowed = |p: usize| (0..3).filter(move |c| !ending.out[p][*c]);
        // With two cells, the giver wins if a piece can go to neither; the other, if it can answer both gifts.
        let giver_of_two = |p: usize, c: usize| {
            let [a, b] = others(c);
            let out = |y, d| ending.out_after((p, c), y, d);
            others(p).into_iter().any(|y| out(y, a) && out(y, b))
        };
        let other_of_two = |p: usize, c: usize| {
            let [a, b] = others(c);
            let [q, r] = others(p);
            let out = |y, d| ending.out_after((p, c), y, d);
            let together = ending.pair[q][r][a][b] || ending.all;
            let answers = |y, z| {
                [(a, b), (b, a)]
                    .into_iter()
                    .any(|(d, e)| !out(y, d) && (out(z, e) || together))
            };
            answers(q, r) && answers(r, q)
        };
        let giver = (0..3).any(|p| allowed(p).all(|c| other_of_two(p, c)));
        let other = (0..3).all(|p| allowed(p).any(|c| giver_of_two(p, c)));
        u8::from(giver) | u8::from(other) << 1
    }

    #[test]
    fn all_endings_are_answered_as_one_by_one() {
        let made = ThreeCells::get();
        for index in 0..ENDINGS {
            assert_eq!(made.0[index / 4] >> (index % 4 * 2) & 3, answer(index), "{index}");
        }
    }
}
