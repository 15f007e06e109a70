//! The transpose of a square of 64 by 64 bits.

/// Exchanges rows and columns: bit `j` of word `i` goes to bit `i` of word `j`.
///
/// Squares of half the size are exchanged across the diagonal, then of a quarter, and so on to single bits.
#[inline(always)]
pub fn transpose(square: &mut [u64; 64]) {
    macro_rules! pass {
        ($size:literal, $mask:literal) => {
            let mut row = 0;
            while row < 64 {
                for at in row..row + $size {
                    let swap = ((square[at] >> $size) ^ square[at + $size]) & $mask;
                    square[at] ^= swap << $size;
                    square[at + $size] ^= swap;
                }
                row += 2 * $size;
            }
        };
    }
    pass!(32, 0x0000_0000_ffff_ffff);
    pass!(16, 0x0000_ffff_0000_ffff);
    pass!(8, 0x00ff_00ff_00ff_00ff);
    pass!(4, 0x0f0f_0f0f_0f0f_0f0f);
    pass!(2, 0x3333_3333_3333_3333);
    pass!(1, 0x5555_5555_5555_5555);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let mut square = [0u64; 64];
        let mut seed = 1u64;
        for word in &mut square {
            seed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (seed >> 29);
            *word = seed;
        }
        let before = square;
        transpose(&mut square);
        for (i, row) in before.iter().enumerate() {
            for (j, column) in square.iter().enumerate() {
                assert_eq!(row >> j & 1, column >> i & 1);
            }
        }
    }
}
