//! Lines and points without history: what a board alone can tell.

use crate::Cells;
use crate::geometry::LINE;
use crate::position::line_value;

/// How many lines a set of stones holds, each counted from its four cells.
pub fn count_lines(stones: Cells) -> u32 {
    LINE.iter()
        .filter(|line| line.cells.iter().all(|&cell| stones.has(cell)))
        .count() as u32
}

/// Whether Black's and White's lines can have been made in an order that gave each of them these points: whether
/// some choice of Black's ranks among all ranks sums to Black's points and leaves White's.
pub(crate) fn possible(lines: [u32; 2], points: [u32; 2]) -> bool {
    let all = lines[0] + lines[1];
    let total: u32 = (1..=all).map(line_value).sum();
    let [Ok(black), Ok(white)] = points.map(usize::try_from) else {
        return false;
    };
    if black > total as usize || white > total as usize || black + white != total as usize {
        return false;
    }
    // reachable[n][p]: some n of the ranks seen so far are worth p points.
    let mut reachable = vec![vec![false; black + 1]; lines[0] as usize + 1];
    reachable[0][0] = true;
    for value in (1..=all).map(|rank| line_value(rank) as usize) {
        for taken in (1..reachable.len()).rev() {
            for sum in value..=black {
                reachable[taken][sum] |= reachable[taken - 1][sum - value];
            }
        }
    }
    reachable[lines[0] as usize][black]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_must_share_out_the_lines() {
        assert!(possible([0, 0], [0, 0]));
        assert!(possible([1, 1], [100, 50]) && possible([1, 1], [50, 100]));
        assert!(!possible([1, 1], [150, 0]) && !possible([2, 0], [100, 50]) && possible([2, 0], [150, 0]));
        assert!(possible([1, 2], [33, 150]) && !possible([1, 2], [83, 100]));
        assert!(!possible([0, 0], [u32::MAX, 1]));
    }
}
