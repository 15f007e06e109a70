//! The last four cells in misère: a piece tried on all of them at once.
//!
//! What is left after a placement are three cells, which are looked up (`three`). Which bits of a byte of values matter there depends on
//! the three pieces left, so each three of them have a table of what each half of a byte says; the bytes of all four boards are then
//! made and translated together (`simd`).

use super::board::Geometry;
use super::simd::after_each;
use super::three::ThreeCells;
use std::sync::OnceLock;

/// How many sets of three pieces there are.
const THREES: usize = 560;

/// See the module.
pub(super) struct FourCells {
    three: &'static ThreeCells,
    /// For each three pieces what the low and the high half of a byte of values say.
    halves: Box<[[u128; 2]; THREES]>,
}

/// On which of four cells a piece leaves a board that the giver wins, and on which one that the other wins: a bit for each cell.
#[derive(Clone, Copy)]
pub(super) struct Winning {
    pub(super) giver: u8,
    pub(super) other: u8,
}

impl FourCells {
    /// The tables, made when they are first needed.
    pub(super) fn get() -> &'static FourCells {
        static TABLES: OnceLock<FourCells> = OnceLock::new();
        TABLES.get_or_init(|| {
            let mut halves = Box::new([[0; 2]; THREES]);
            for r in 0..16 {
                for q in 0..r {
                    for p in 0..q {
                        let values = [p, q, r].map(Geometry::values_of_piece);
                        let said = |half: u8, shift: u32| {
                            let byte = ThreeCells::said(half << shift, values);
                            u128::from(byte) << (8 * half)
                        };
                        let half = |shift| (0..16).fold(0, |all, half| all | said(half, shift));
                        halves[number(1 << p | 1 << q | 1 << r)] = [half(0), half(4)];
                    }
                }
            }
            FourCells {
                three: ThreeCells::get(),
                halves,
            }
        })
    }

    /// Who wins after a piece with these values went to each of four cells that miss so much, with three pieces left.
    #[inline(always)]
    pub(super) fn winning(&self, missing: [u64; 2], values: u8, left: u16) -> Winning {
        let words = after_each(missing, values, self.halves[number(left)]);
        let mut winning = Winning { giver: 0, other: 0 };
        for (cell, word) in words.into_iter().enumerate() {
            let answer = self.three.answer(word);
            winning.giver |= (answer & 1) << cell;
            winning.other |= (answer >> 1) << cell;
        }
        winning
    }
}

/// The number of a set of three pieces among all of them.
#[inline(always)]
fn number(three: u16) -> usize {
    /// How many sets of two, and of three, of so many pieces.
    const TWO: [u16; 16] = choose::<2>();
    const THREE: [u16; 16] = choose::<3>();
    let second = three & three.wrapping_sub(1);
    let third = second & second.wrapping_sub(1);
    let [p, q, r] = [three, second, third].map(|set| (set.trailing_zeros() & 15) as usize);
    (usize::from(THREE[r]) + usize::from(TWO[q]) + p).min(THREES - 1)
}

const fn choose<const K: u16>() -> [u16; 16] {
    let mut sets = [0; 16];
    let mut of = 0;
    while of < 16 {
        let n = of as u16;
        sets[of] = match (K, n) {
            (2, 0) | (3, 0 | 1) => 0,
            (2, _) => n * (n - 1) / 2,
            _ => n * (n - 1) * (n - 2) / 6,
        };
        of += 1;
    }
    sets
}
