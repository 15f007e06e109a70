//! Games by other means than their sheets: boards as bits, solved by plain search.

#![allow(dead_code, reason = "every test file that includes this uses a part of it")]

use std::collections::HashMap;

/// Connect four of `C` columns of `R` cells. A column has a bit for each cell and one above them, so that no line goes round
/// a corner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Four<const C: usize, const R: usize> {
    /// The stones of who moves, and those of both.
    own: u64,
    all: u64,
}

/// The least and the most that positions are worth, as far as somebody looked.
pub type KnownFours<const C: usize, const R: usize> = HashMap<Four<C, R>, (i8, i8)>;

impl<const C: usize, const R: usize> Four<C, R> {
    pub fn stones(&self) -> usize {
        self.all.count_ones() as usize
    }

    /// Whether a column has room.
    pub fn is_open(&self, column: usize) -> bool {
        self.all >> (column * (R + 1) + R - 1) & 1 == 0
    }

    /// Drops a stone of whoever moves; whether it makes four.
    pub fn drop(&mut self, column: usize) -> bool {
        let stone = (self.all + (1 << (column * (R + 1)))) & !self.all & ((1 << R) - 1) << (column * (R + 1));
        let made = self.own | stone;
        *self = Four {
            own: self.own ^ self.all,
            all: self.all | stone,
        };
        [1, R, R + 1, R + 2].into_iter().any(|step| {
            let two = made & made >> step;
            two & two >> (2 * step) != 0
        })
    }

    /// 1 if who moves wins, 0 for a draw, -1 if the other does.
    pub fn value(&self, known: &mut KnownFours<C, R>) -> i8 {
        self.search(-1, 1, known)
    }

    /// The value if it lies between the two; else a bound of it on the same side.
    fn search(&self, alpha: i8, beta: i8, known: &mut KnownFours<C, R>) -> i8 {
        if self.stones() == C * R {
            return 0;
        }
        // The middle first: most lines go through it.
        let inside_out = |n: usize| match n % 2 {
            0 => C / 2 + n / 2,
            _ => C / 2 - n.div_ceil(2),
        };
        let after = |column: usize| {
            let mut next = *self;
            (next.drop(column), next)
        };
        let columns = || (0..C).map(inside_out).filter(|&column| self.is_open(column));
        if columns().any(|column| after(column).0) {
            return 1;
        }
        let (least, most) = known.get(self).copied().unwrap_or((-1, 1));
        let (floor, beta) = (alpha.max(least), beta.min(most));
        if floor >= beta {
            return floor;
        }
        let mut best = -1;
        for column in columns() {
            best = best.max(-after(column).1.search(-beta, -floor.max(best), known));
            if best >= beta {
                break;
            }
        }
        let bounds = match best {
            best if best >= beta => (best, most),
            best if best <= floor => (least, best),
            best => (best, best),
        };
        known.insert(*self, bounds);
        best
    }
}

/// Breakthrough of `C` columns and `R` rows, seen by who moves: its own men go up. A row has a bit for each column and one
/// that stays empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Through<const C: usize, const R: usize> {
    own: u64,
    other: u64,
}

/// Whether who moves wins, where somebody looked.
pub type KnownThroughs<const C: usize, const R: usize> = HashMap<Through<C, R>, bool>;

impl<const C: usize, const R: usize> Through<C, R> {
    /// The bit of a cell.
    pub fn cell(column: usize, row: usize) -> usize {
        row * (C + 1) + column
    }

    fn row(men: u64, row: usize) -> u64 {
        men >> (row * (C + 1)) & ((1 << C) - 1)
    }

    pub fn start() -> Self {
        let rows = |rows: [usize; 2]| rows.iter().fold(0, |men, row| men | ((1 << C) - 1) << (row * (C + 1)));
        Through {
            own: rows([0, 1]),
            other: rows([R - 2, R - 1]),
        }
    }

    /// The position after a move, seen by the other; `None` if that wins.
    pub fn after(self, from: usize, to: usize) -> Option<Self> {
        let (own, other) = (self.own & !(1 << from) | 1 << to, self.other & !(1 << to));
        let turned = |men: u64| (0..R).fold(0, |sum, row| sum | Self::row(men, row) << ((R - 1 - row) * (C + 1)));
        (to < Self::cell(0, R - 1) && other != 0).then(|| Through {
            own: turned(other),
            other: turned(own),
        })
    }

    /// All moves, captures and those far ahead first.
    fn moves(self) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        for from in (0..Self::cell(0, R - 1)).filter(|at| self.own >> at & 1 == 1) {
            for to in from + C..=from + C + 2 {
                let taken = if to == from + C + 1 {
                    self.own | self.other
                } else {
                    self.own
                };
                if to % (C + 1) < C && taken >> to & 1 == 0 {
                    moves.push((from, to));
                }
            }
        }
        moves.sort_by_key(|&(_, to)| std::cmp::Reverse((self.other >> to & 1, to)));
        moves
    }

    /// Whether who moves wins.
    pub fn wins(self, known: &mut KnownThroughs<C, R>) -> bool {
        // One step before the last row nobody is stopped.
        if Self::row(self.own, R - 2) != 0 {
            return true;
        }
        if let Some(&wins) = known.get(&self) {
            return wins;
        }
        let mut moves = self.moves().into_iter();
        let wins = moves.any(|(from, to)| self.after(from, to).is_none_or(|next| !next.wins(known)));
        known.insert(self, wins);
        wins
    }
}
