//! The few vector (SIMD) operations of the solver: eight sets of lines at once, a rearrangement of the bytes of the sixteen
//! cells, every second byte (or pair, or four) of two words, and bits moved together.
//!
//! Each exists up to three times: with the processor's instructions where the build has them (see `.cargo/config.toml`), with
//! those of WebAssembly, and in plain Rust. The first needs `unsafe` for one reason only: the compiler does not use the features
//! of the whole build when it checks a call. Every such call is behind a `cfg` for the feature it needs, takes and returns
//! values, and touches no memory. All are tested against the plain ones; those of a browser by `scripts/test-static`, which
//! holds its answers against the native ones.

#![allow(unsafe_code)]

#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"),
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
pub(super) use plain::{Lanes, Mask, Shuffle, after_each, extract, part_pair};
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
pub(super) use vector::{Lanes, Mask, Shuffle, after_each, extract, part_pair};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use {
    plain::{Mask, after_each, extract},
    web::{Lanes, Shuffle, part_pair},
};

/// How many lanes there are: lane `attribute + 4 * value`.
pub(super) const LANES: usize = 8;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
mod vector {
    use std::arch::x86_64::*;

    /// Eight sets of lines, one for each value of each attribute.
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes(__m256i);

    // SAFETY of all that follows: this module is compiled only for processors with AVX2 and BMI2.
    impl Lanes {
        pub(crate) fn new(lanes: [u32; 8]) -> Self {
            let [a, b, c, d, e, f, g, h] = lanes.map(|lane| lane as i32);
            Lanes(unsafe { _mm256_setr_epi32(a, b, c, d, e, f, g, h) })
        }

        #[inline(always)]
        pub(crate) fn all(lane: u32) -> Self {
            Lanes(unsafe { _mm256_set1_epi32(lane as i32) })
        }

        #[inline(always)]
        pub(crate) fn and(self, other: Lanes) -> Lanes {
            Lanes(unsafe { _mm256_and_si256(self.0, other.0) })
        }

        #[inline(always)]
        pub(crate) fn or(self, other: Lanes) -> Lanes {
            Lanes(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        /// The lanes of `self` where `mask` is 0.
        #[inline(always)]
        pub(crate) fn unless(self, mask: Lanes) -> Lanes {
            Lanes(unsafe { _mm256_andnot_si256(mask.0, self.0) })
        }

        /// The lanes with their lowest bit taken off.
        #[inline(always)]
        pub(crate) fn without_lowest(self) -> Lanes {
            Lanes(unsafe { _mm256_and_si256(self.0, _mm256_add_epi32(self.0, _mm256_set1_epi32(-1))) })
        }

        /// All ones in the lanes that are 0, and 0 elsewhere.
        #[inline(always)]
        pub(crate) fn empty(self) -> Lanes {
            Lanes(unsafe { _mm256_cmpeq_epi32(self.0, _mm256_setzero_si256()) })
        }

        /// The lanes one by one.
        #[inline(always)]
        pub(crate) fn to_array(self) -> [u32; 8] {
            let word = |word: i64| [word as u32, (word >> 32) as u32];
            let [[a, b], [c, d], [e, f], [g, h]] = unsafe {
                [
                    word(_mm256_extract_epi64::<0>(self.0)),
                    word(_mm256_extract_epi64::<1>(self.0)),
                    word(_mm256_extract_epi64::<2>(self.0)),
                    word(_mm256_extract_epi64::<3>(self.0)),
                ]
            };
            [a, b, c, d, e, f, g, h]
        }

        /// A bit for each lane in which bit `bit` is set.
        #[inline(always)]
        pub(crate) fn column(self, bit: u32) -> u8 {
            // movemask collects the sign bits: bring the bit there.
            unsafe {
                let up = _mm_cvtsi32_si128((31 - (bit & 31)) as i32);
                _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sll_epi32(self.0, up))) as u8
            }
        }

        /// How many bits are set in all lanes.
        #[inline(always)]
        pub(crate) fn count(self) -> i32 {
            unsafe {
                (_mm256_extract_epi64::<0>(self.0).count_ones()
                    + _mm256_extract_epi64::<1>(self.0).count_ones()
                    + _mm256_extract_epi64::<2>(self.0).count_ones()
                    + _mm256_extract_epi64::<3>(self.0).count_ones()) as i32
            }
        }

        /// A bit for each lane that is not 0.
        #[inline(always)]
        pub(crate) fn filled(self) -> u8 {
            !(unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.empty().0)) } as u8)
        }
    }

    /// A rearrangement of sixteen bytes.
    #[derive(Clone, Copy)]
    pub(crate) struct Shuffle(__m128i);

    impl Shuffle {
        /// Byte i of the result comes from byte `from[i]`.
        pub(crate) fn new(from: [u8; 16]) -> Self {
            let packed = u128::from_le_bytes(from);
            Shuffle(unsafe { _mm_set_epi64x((packed >> 64) as i64, packed as i64) })
        }

        /// The sets of bytes, rearranged, with bit 0, 1, 2 and 3 set.
        #[inline(always)]
        pub(crate) fn bit_planes(self, bytes: u128) -> [u16; 4] {
            unsafe {
                let moved = _mm_shuffle_epi8(_mm_set_epi64x((bytes >> 64) as i64, bytes as i64), self.0);
                // movemask collects the sign bits: bring bit i there.
                [
                    _mm_movemask_epi8(_mm_slli_epi16::<7>(moved)) as u16,
                    _mm_movemask_epi8(_mm_slli_epi16::<6>(moved)) as u16,
                    _mm_movemask_epi8(_mm_slli_epi16::<5>(moved)) as u16,
                    _mm_movemask_epi8(_mm_slli_epi16::<4>(moved)) as u16,
                ]
            }
        }
    }

    /// The bits of `value` at the places set in `mask`, moved together at the low end.
    #[inline(always)]
    pub(crate) fn extract(value: u64, mask: u64) -> u64 {
        unsafe { _pext_u64(value, mask) }
    }

    /// Sixteen places of which some are wanted.
    #[derive(Clone, Copy)]
    pub(crate) struct Mask(u64);

    impl Mask {
        pub(crate) fn new(wanted: u16) -> Self {
            Mask(u64::from(wanted) * 0x0001_0001_0001_0001)
        }

        /// The wanted bits of four sets of sixteen, moved together.
        #[inline(always)]
        pub(crate) fn extract_four(self, sets: u64) -> u64 {
            extract(sets, self.0)
        }
    }

    /// Of the sixteen bytes of two words: those whose number lacks bit `bit`, 0 to 2, and those that have it.
    #[inline(always)]
    pub(crate) fn part_pair([low, high]: [u64; 2], bit: usize) -> (u64, u64) {
        const WITHOUT: [u64; 3] = [0x00ff_00ff_00ff_00ff, 0x0000_ffff_0000_ffff, 0x0000_0000_ffff_ffff];
        let both = |mask| extract(low, mask) | extract(high, mask) << 32;
        (both(WITHOUT[bit]), both(!WITHOUT[bit]))
    }

    /// The sixteen bytes of two words, reduced by each of four steps to eight: step i joins to each byte whose number lacks bit i what
    /// `mask` leaves of the one whose number has it. Then every byte becomes what `low` says of its low four bits, and `high` of the others.
    #[inline(always)]
    pub(crate) fn after_each(words: [u64; 2], mask: u8, [low, high]: [u128; 2]) -> [u64; 4] {
        unsafe {
            let both = |half: u128| _mm256_broadcastsi128_si256(_mm_set_epi64x((half >> 64) as i64, half as i64));
            let bytes = _mm256_broadcastsi128_si256(_mm_set_epi64x(words[1] as i64, words[0] as i64));
            #[rustfmt::skip]
            let lacking = _mm256_setr_epi8(
                0, 2, 4, 6, 8, 10, 12, 14, 0, 1, 4, 5, 8, 9, 12, 13,
                0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7,
            );
            #[rustfmt::skip]
            let having = _mm256_setr_epi8(
                1, 3, 5, 7, 9, 11, 13, 15, 2, 3, 6, 7, 10, 11, 14, 15,
                4, 5, 6, 7, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15,
            );
            let left = _mm256_and_si256(_mm256_shuffle_epi8(bytes, having), _mm256_set1_epi8(mask as i8));
            let joined = _mm256_or_si256(_mm256_shuffle_epi8(bytes, lacking), left);
            let four_bits = _mm256_set1_epi8(15);
            let said = _mm256_or_si256(
                _mm256_shuffle_epi8(both(low), _mm256_and_si256(joined, four_bits)),
                _mm256_shuffle_epi8(both(high), _mm256_and_si256(_mm256_srli_epi16::<4>(joined), four_bits)),
            );
            [
                _mm256_extract_epi64::<0>(said) as u64,
                _mm256_extract_epi64::<1>(said) as u64,
                _mm256_extract_epi64::<2>(said) as u64,
                _mm256_extract_epi64::<3>(said) as u64,
            ]
        }
    }
}

/// The same for browsers: the 128-bit vectors of WebAssembly, two for eight lanes. There these calls are safe: a module with an instruction that the host does not know is refused as a whole.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod web {
    use std::arch::wasm32::*;

    #[derive(Clone, Copy)]
    pub(crate) struct Lanes(v128, v128);

    impl Lanes {
        pub(crate) fn new(lanes: [u32; 8]) -> Self {
            let [a, b, c, d, e, f, g, h] = lanes;
            Lanes(u32x4(a, b, c, d), u32x4(e, f, g, h))
        }

        #[inline(always)]
        pub(crate) fn all(lane: u32) -> Self {
            Lanes(u32x4_splat(lane), u32x4_splat(lane))
        }

        #[inline(always)]
        pub(crate) fn and(self, other: Lanes) -> Lanes {
            Lanes(v128_and(self.0, other.0), v128_and(self.1, other.1))
        }

        #[inline(always)]
        pub(crate) fn or(self, other: Lanes) -> Lanes {
            Lanes(v128_or(self.0, other.0), v128_or(self.1, other.1))
        }

        #[inline(always)]
        pub(crate) fn unless(self, mask: Lanes) -> Lanes {
            Lanes(v128_andnot(self.0, mask.0), v128_andnot(self.1, mask.1))
        }

        #[inline(always)]
        pub(crate) fn without_lowest(self) -> Lanes {
            let less = |half| v128_and(half, u32x4_sub(half, u32x4_splat(1)));
            Lanes(less(self.0), less(self.1))
        }

        #[inline(always)]
        pub(crate) fn empty(self) -> Lanes {
            let zero = u32x4_splat(0);
            Lanes(u32x4_eq(self.0, zero), u32x4_eq(self.1, zero))
        }

        #[inline(always)]
        pub(crate) fn to_array(self) -> [u32; 8] {
            [
                u32x4_extract_lane::<0>(self.0),
                u32x4_extract_lane::<1>(self.0),
                u32x4_extract_lane::<2>(self.0),
                u32x4_extract_lane::<3>(self.0),
                u32x4_extract_lane::<0>(self.1),
                u32x4_extract_lane::<1>(self.1),
                u32x4_extract_lane::<2>(self.1),
                u32x4_extract_lane::<3>(self.1),
            ]
        }

        #[inline(always)]
        pub(crate) fn column(self, bit: u32) -> u8 {
            // A bitmask collects the sign bits: bring the bit there.
            let up = 31 - (bit & 31);
            u32x4_bitmask(u32x4_shl(self.0, up)) | u32x4_bitmask(u32x4_shl(self.1, up)) << 4
        }

        #[inline(always)]
        pub(crate) fn count(self) -> i32 {
            // No byte of either half has more than eight bits: sums of both stay below 256.
            let bits = u8x16_add(u8x16_popcnt(self.0), u8x16_popcnt(self.1));
            let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(bits));
            (u32x4_extract_lane::<0>(sums)
                + u32x4_extract_lane::<1>(sums)
                + u32x4_extract_lane::<2>(sums)
                + u32x4_extract_lane::<3>(sums)) as i32
        }

        #[inline(always)]
        pub(crate) fn filled(self) -> u8 {
            let empty = self.empty();
            !(u32x4_bitmask(empty.0) | u32x4_bitmask(empty.1) << 4)
        }
    }

    #[derive(Clone, Copy)]
    pub(crate) struct Shuffle(v128);

    impl Shuffle {
        pub(crate) fn new(from: [u8; 16]) -> Self {
            let packed = u128::from_le_bytes(from);
            Shuffle(u64x2(packed as u64, (packed >> 64) as u64))
        }

        #[inline(always)]
        pub(crate) fn bit_planes(self, bytes: u128) -> [u16; 4] {
            let moved = u8x16_swizzle(u64x2(bytes as u64, (bytes >> 64) as u64), self.0);
            [7, 6, 5, 4].map(|up| u8x16_bitmask(u8x16_shl(moved, up)))
        }
    }

    #[inline(always)]
    pub(crate) fn part_pair([low, high]: [u64; 2], bit: usize) -> (u64, u64) {
        let words = u64x2(low, high);
        let parted = match bit {
            0 => u8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15>(words, words),
            1 => u16x8_shuffle::<0, 2, 4, 6, 1, 3, 5, 7>(words, words),
            _ => u32x4_shuffle::<0, 2, 1, 3>(words, words),
        };
        (u64x2_extract_lane::<0>(parted), u64x2_extract_lane::<1>(parted))
    }
}

#[cfg(any(
    test,
    not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))
))]
// In a browser only what has no vectors is taken from here.
#[cfg_attr(target_arch = "wasm32", allow(dead_code))]
mod plain {
    #[derive(Clone, Copy)]
    pub(crate) struct Lanes([u32; 8]);

    impl Lanes {
        pub(crate) fn new(lanes: [u32; 8]) -> Self {
            Lanes(lanes)
        }

        #[inline(always)]
        pub(crate) fn all(lane: u32) -> Self {
            Lanes([lane; 8])
        }

        #[inline(always)]
        fn with(self, other: Lanes, f: impl Fn(u32, u32) -> u32) -> Lanes {
            Lanes(std::array::from_fn(|i| f(self.0[i], other.0[i])))
        }

        #[inline(always)]
        pub(crate) fn and(self, other: Lanes) -> Lanes {
            self.with(other, |a, b| a & b)
        }

        #[inline(always)]
        pub(crate) fn or(self, other: Lanes) -> Lanes {
            self.with(other, |a, b| a | b)
        }

        #[inline(always)]
        pub(crate) fn unless(self, mask: Lanes) -> Lanes {
            self.with(mask, |a, b| a & !b)
        }

        #[inline(always)]
        pub(crate) fn without_lowest(self) -> Lanes {
            Lanes(self.0.map(|a| a & a.wrapping_sub(1)))
        }

        #[inline(always)]
        pub(crate) fn empty(self) -> Lanes {
            Lanes(self.0.map(|a| if a == 0 { !0 } else { 0 }))
        }

        #[inline(always)]
        pub(crate) fn to_array(self) -> [u32; 8] {
            self.0
        }

        #[inline(always)]
        pub(crate) fn column(self, bit: u32) -> u8 {
            (0..8).fold(0, |bits, i| bits | ((self.0[i] >> (bit & 31) & 1) as u8) << i)
        }

        #[inline(always)]
        pub(crate) fn count(self) -> i32 {
            self.0.iter().map(|lane| lane.count_ones() as i32).sum()
        }

        #[inline(always)]
        pub(crate) fn filled(self) -> u8 {
            (0..8).fold(0, |bits, i| bits | u8::from(self.0[i] != 0) << i)
        }
    }

    #[derive(Clone, Copy)]
    pub(crate) struct Shuffle([u8; 16]);

    impl Shuffle {
        pub(crate) fn new(from: [u8; 16]) -> Self {
            Shuffle(from)
        }

        #[inline(always)]
        pub(crate) fn bit_planes(self, bytes: u128) -> [u16; 4] {
            let bytes = bytes.to_le_bytes();
            let moved = self.0.map(|from| bytes[from as usize & 15]);
            std::array::from_fn(|bit| (0..16).fold(0, |set, i| set | u16::from(moved[i] >> bit & 1) << i))
        }
    }

    #[inline(always)]
    pub(crate) fn extract(value: u64, mut mask: u64) -> u64 {
        let mut packed = 0;
        let mut at = 0;
        while mask != 0 {
            packed |= (value >> mask.trailing_zeros() & 1) << at;
            mask &= mask - 1;
            at += 1;
        }
        packed
    }

    /// Each step moves some bits of all four sets down by 1, 2, 4 or 8 places: those whose way has that part.
    #[derive(Clone, Copy)]
    pub(crate) struct Mask {
        wanted: u64,
        moves: [u64; 4],
        count: u32,
    }

    impl Mask {
        pub(crate) fn new(wanted: u16) -> Self {
            let four = |set: u16| u64::from(set) * 0x0001_0001_0001_0001;
            // A bit's way down is the number of unwanted places below it.
            let way = |place: &u32| (!wanted & ((1 << place) - 1)).count_ones();
            let moves = std::array::from_fn(|step| {
                let moving = (0..16).filter(|place| wanted >> place & 1 != 0 && way(place) >> step & 1 != 0);
                // Earlier steps have taken it some of its way.
                let gone = |place: u32| way(&place) & ((1 << step) - 1);
                four(moving.fold(0, |set, place| set | 1 << (place - gone(place))))
            });
            Mask {
                wanted: four(wanted),
                moves,
                count: wanted.count_ones(),
            }
        }

        #[inline(always)]
        pub(crate) fn extract_four(self, sets: u64) -> u64 {
            let mut sets = sets & self.wanted;
            for (step, moving) in self.moves.into_iter().enumerate() {
                let moving = sets & moving;
                sets = sets ^ moving | moving >> (1 << step);
            }
            let set = |number: u32| (sets >> (16 * number) & 0xffff) << (number * self.count);
            set(0) | set(1) | set(2) | set(3)
        }
    }

    #[inline(always)]
    pub(crate) fn part_pair([low, high]: [u64; 2], bit: usize) -> (u64, u64) {
        let pack = |word: u64| match bit {
            0 => {
                let word = word & 0x00ff_00ff_00ff_00ff;
                let word = (word | word >> 8) & 0x0000_ffff_0000_ffff;
                (word | word >> 16) & 0xffff_ffff
            }
            1 => {
                let word = word & 0x0000_ffff_0000_ffff;
                (word | word >> 16) & 0xffff_ffff
            }
            _ => word & 0xffff_ffff,
        };
        let up = 8 << bit;
        (pack(low) | pack(high) << 32, pack(low >> up) | pack(high >> up) << 32)
    }

    #[inline(always)]
    pub(crate) fn after_each(words: [u64; 2], mask: u8, [low, high]: [u128; 2]) -> [u64; 4] {
        let mask = u64::from(mask) * 0x0101_0101_0101_0101;
        let (low, high) = (low.to_le_bytes(), high.to_le_bytes());
        let say = |byte: u8| low[usize::from(byte & 15)] | high[usize::from(byte >> 4)];
        std::array::from_fn(|step| {
            let (lacking, having) = match step {
                3 => (words[0], words[1]),
                _ => part_pair(words, step),
            };
            u64::from_le_bytes((lacking | having & mask).to_le_bytes().map(say))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::mix;

    #[test]
    fn lanes_are_independent() {
        let lanes = Lanes::new([0, 1, 2, 3, 0x8000_0000, 0, 7, 0]);
        assert_eq!(lanes.filled(), 0b0101_1110);
        assert_eq!(lanes.without_lowest().filled(), 0b0100_1000);
        assert_eq!(lanes.and(Lanes::all(1)).filled(), 0b0100_1010);
        assert_eq!(lanes.or(Lanes::new([0, 0, 0, 0, 0, 9, 0, 0])).filled(), 0b0111_1110);
        assert_eq!(Lanes::all(5).unless(lanes.empty()).filled(), lanes.filled());
    }

    #[test]
    fn both_versions_do_the_same() {
        for i in 0..2000 {
            let word = |k: u64| mix(i, &[k]);
            // Few bits, so that empty lanes occur.
            let lanes =
                |k: u64| std::array::from_fn(|lane| (word(k + lane as u64) & word(k + 9) & word(k + 10)) as u32 & 7);
            let chain = |a: [u32; 8], b: [u32; 8]| {
                let (va, vb) = (Lanes::new(a), Lanes::new(b));
                let (pa, pb) = (plain::Lanes::new(a), plain::Lanes::new(b));
                assert_eq!(va.and(vb).filled(), pa.and(pb).filled());
                assert_eq!(va.or(vb.without_lowest()).filled(), pa.or(pb.without_lowest()).filled());
                let reach = |bits| Lanes::all(bits).unless(va.empty()).and(vb).filled();
                let plain_reach = |bits| plain::Lanes::all(bits).unless(pa.empty()).and(pb).filled();
                assert_eq!(reach(5), plain_reach(5));
                assert_eq!(va.to_array(), pa.to_array());
                assert_eq!(va.count(), pa.count());
                assert!((0..32).all(|bit| va.column(bit) == pa.column(bit)));
            };
            chain(lanes(0), lanes(100));
            let bytes = u128::from(word(50)) << 64 | u128::from(word(51));
            let from = std::array::from_fn(|at| (word(60 + at as u64) & 15) as u8);
            assert_eq!(
                Shuffle::new(from).bit_planes(bytes),
                plain::Shuffle::new(from).bit_planes(bytes)
            );
            assert_eq!(extract(word(52), word(53)), plain::extract(word(52), word(53)));
            let wanted = word(54) as u16;
            let four = plain::extract(word(55), u64::from(wanted) * 0x0001_0001_0001_0001);
            assert_eq!(Mask::new(wanted).extract_four(word(55)), four);
            assert_eq!(plain::Mask::new(wanted).extract_four(word(55)), four);
            for bit in 0..3 {
                let words = [word(56), word(57)];
                assert_eq!(part_pair(words, bit), plain::part_pair(words, bit));
                // Byte by byte.
                let bytes = words.map(u64::to_le_bytes).concat();
                let chosen = |has: bool| {
                    let bytes = bytes.iter().enumerate().filter(|(at, _)| (at >> bit & 1 != 0) == has);
                    bytes.rev().fold(0, |word, (_, byte)| word << 8 | u64::from(*byte))
                };
                assert_eq!(part_pair(words, bit), (chosen(false), chosen(true)));
            }
            let said = [word(58), word(59)].map(|half| u128::from(half) << 64 | u128::from(word(half % 7)));
            let (words, mask) = ([word(56), word(57)], word(61) as u8);
            assert_eq!(after_each(words, mask, said), plain::after_each(words, mask, said));
        }
    }
}
