//! The strong player's board. Playing and taking back a move updates only the lines through one cell, and what move
//! ordering and evaluation need is always up to date.

use super::weights::{CLASS_OF, Tapered, Weights};
use crate::geometry::{CELL_NUMBERS, COLUMNS, Cell, Column, LAYERS, LINE, LINES, THROUGH};
use crate::position::{GAME_LENGTH, line_value};
use crate::{Cells, Position};
use game::Seat;

/// How a line is filled: black stones + 5 × white stones.
type Filling = u8;
/// Fillings there are.
pub(super) const FILLINGS: usize = 25;
/// What a stone of each seat adds to a filling.
const STONE: [Filling; 2] = [1, 5];

/// A position in search.
#[derive(Clone)]
pub(super) struct SearchBoard {
    weights: &'static Weights,
    fillings: [Filling; LINES],
    /// How many lines each seat would complete by a stone on a cell. Kept as it was when the cell is taken, so that
    /// taking back finds it again.
    completes: [[u8; CELL_NUMBERS]; 2],
    /// The cells where that is not zero, taken ones too.
    threats: [Cells; 2],
    heights: [u8; COLUMNS],
    taken: Cells,
    margin: i32,
    lines: u32,
    moves: u32,
    hash: u64,
    line_score: Tapered,
}

/// What [`SearchBoard::take_back`] needs beside the column.
#[derive(Clone, Copy)]
pub(super) struct Undo {
    margin: i32,
    lines: u32,
    hash: u64,
    line_score: Tapered,
}

impl SearchBoard {
    pub(super) fn new(position: &Position, weights: &'static Weights) -> Self {
        let mut board = SearchBoard {
            weights,
            fillings: [0; LINES],
            completes: [[0; CELL_NUMBERS]; 2],
            threats: [Cells::EMPTY; 2],
            heights: [0; COLUMNS],
            taken: Cells::EMPTY,
            margin: 0,
            lines: 0,
            moves: 0,
            hash: 0,
            line_score: Tapered::default(),
        };
        // The order in which the stones came is not known and does not matter to anything but the points.
        for layer in 0..LAYERS {
            for column in Column::all().filter(|&column| position.height(column) > layer) {
                let seat = usize::from(!position.stones(Seat::FIRST).has(column.cell(layer)));
                board.put(column.cell(layer), seat);
                board.heights[column.index()] += 1;
            }
        }
        let [black, white] = position.score();
        board.margin = black as i32 - white as i32;
        board.lines = position.lines();
        board.moves = position.moves();
        board
    }

    /// Drops a stone of the mover on a column with room.
    #[inline]
    pub(super) fn play(&mut self, column: Column) -> Undo {
        let undo = Undo {
            margin: self.margin,
            lines: self.lines,
            hash: self.hash,
            line_score: self.line_score,
        };
        let cell = self.next_cell(column);
        let mover = self.mover();
        let sign = if mover == 0 { 1 } else { -1 };
        for _ in 0..self.completes[mover][cell.index()] {
            self.lines += 1;
            self.margin += sign * line_value(self.lines) as i32;
        }
        self.put(cell, mover);
        self.heights[column.index()] += 1;
        self.moves += 1;
        undo
    }

    /// Takes back the stone that [`play`](SearchBoard::play) dropped.
    #[inline]
    pub(super) fn take_back(&mut self, column: Column, undo: Undo) {
        self.moves -= 1;
        self.heights[column.index()] -= 1;
        let cell = self.next_cell(column);
        let mover = self.mover();
        let three = 3 * STONE[mover];
        for &line in THROUGH[cell.index()].lines() {
            let filling = &mut self.fillings[usize::from(line)];
            let was_three = *filling == three;
            *filling -= STONE[mover];
            if was_three {
                let open = open_cell(usize::from(line), self.taken);
                let count = &mut self.completes[mover][open.index()];
                *count -= 1;
                if *count == 0 {
                    self.threats[mover] = self.threats[mover] & !Cells::EMPTY.with(open);
                }
            }
        }
        self.taken = self.taken & !Cells::EMPTY.with(cell);
        self.margin = undo.margin;
        self.lines = undo.lines;
        self.hash = undo.hash;
        self.line_score = undo.line_score;
    }

    /// A null move: the mover passes. Only the search does this; the rules have no pass.
    #[inline]
    pub(super) fn null_move(&mut self) {
        self.moves += 1;
    }

    /// Takes a null move back.
    #[inline]
    pub(super) fn take_back_null_move(&mut self) {
        self.moves -= 1;
    }

    fn put(&mut self, cell: Cell, seat: usize) {
        let stone = STONE[seat];
        self.taken = self.taken.with(cell);
        self.hash ^= zobrist_key(cell, seat);
        let mut line_score = self.line_score;
        for &line in THROUGH[cell.index()].lines() {
            let line = usize::from(line);
            let old = self.fillings[line];
            let new = old + stone;
            self.fillings[line] = new;
            let worth = &self.weights.lines[usize::from(CLASS_OF[line])];
            line_score.replace(worth[usize::from(old)], worth[usize::from(new)]);
            if new == 3 * stone {
                let open = open_cell(line, self.taken);
                self.completes[seat][open.index()] += 1;
                self.threats[seat] = self.threats[seat].with(open);
            }
        }
        self.line_score = line_score;
    }

    /// 0 if Black is to move, 1 if White.
    #[inline]
    pub(super) fn mover(&self) -> usize {
        (self.moves & 1) as usize
    }

    #[inline]
    pub(super) fn next_cell(&self, column: Column) -> Cell {
        column.cell(usize::from(self.heights[column.index()]))
    }

    /// The cells that a stone could come to now.
    #[inline]
    pub(super) fn reachable(&self) -> Cells {
        (self.taken.raised() | Cells::BOTTOM) & !self.taken
    }

    /// The empty cells where a stone of this seat would complete a line.
    #[inline]
    pub(super) fn threats(&self, seat: usize) -> Cells {
        self.threats[seat] & !self.taken
    }

    /// How many lines a stone of this seat on an empty cell would complete.
    #[inline]
    pub(super) fn completes(&self, seat: usize, cell: Cell) -> u32 {
        self.completes[seat][cell.index()].into()
    }

    /// Moves left in the game.
    #[inline]
    pub(super) fn left(&self) -> u32 {
        GAME_LENGTH - self.moves
    }

    /// Lines made so far.
    #[inline]
    pub(super) fn lines(&self) -> u32 {
        self.lines
    }

    /// Points of the mover minus points of the other.
    #[inline]
    pub(super) fn margin(&self) -> i32 {
        if self.mover() == 0 { self.margin } else { -self.margin }
    }

    /// The sum of the weights of the open lines, Black's minus White's.
    #[inline]
    pub(super) fn line_score(&self) -> Tapered {
        self.line_score
    }

    /// The weights it evaluates with.
    #[inline]
    pub(super) fn weights(&self) -> &'static Weights {
        self.weights
    }

    /// The Zobrist key of the stones and the mover (a null move changes it). The points are not in it: the rest of the
    /// game depends on the stones alone, and the transposition table stores values of the rest of the game.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.hash ^ u64::from(self.moves & 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The lines with stones of one seat only: line, seat, stones.
    pub(super) fn open_lines(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let lines = self.fillings.iter().enumerate();
        lines.filter_map(|(line, &filling)| match filling {
            1..=3 => Some((line, 0, filling.into())),
            5 | 10 | 15 => Some((line, 1, usize::from(filling / 5))),
            _ => None,
        })
    }
}

/// The one empty cell of a line that holds three stones.
#[inline]
fn open_cell(line: usize, taken: Cells) -> Cell {
    let [a, b, c, d] = LINE[line].cells;
    if !taken.has(a) {
        a
    } else if !taken.has(b) {
        b
    } else if !taken.has(c) {
        c
    } else {
        d
    }
}

/// The Zobrist key of a stone on a cell.
#[inline]
fn zobrist_key(cell: Cell, seat: usize) -> u64 {
    static KEYS: [[u64; CELL_NUMBERS]; 2] = zobrist_keys();
    KEYS[seat][cell.index()]
}

const fn zobrist_keys() -> [[u64; CELL_NUMBERS]; 2] {
    let mut keys = [[0; CELL_NUMBERS]; 2];
    let mut state: u64 = 0x5eed_57ac_4f0c_0de5;
    let mut i = 0;
    while i < 2 * CELL_NUMBERS {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / CELL_NUMBERS][i % CELL_NUMBERS] = x ^ (x >> 31);
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Game, rng};

    fn same(a: &SearchBoard, b: &SearchBoard) -> bool {
        let reach = |board: &SearchBoard| (board.reachable(), board.threats(0), board.threats(1));
        a.fillings == b.fillings
            && a.key() == b.key()
            && a.line_score == b.line_score
            && a.margin == b.margin
            && reach(a) == reach(b)
    }

    #[test]
    fn play_agrees_with_the_rules_and_take_back_undoes_it() {
        let mut rng = rng(5);
        let mut columns = Vec::new();
        for _ in 0..50 {
            let mut position = Position::new();
            let mut board = SearchBoard::new(&position, Weights::standard());
            while !position.is_over() {
                position.legal_moves(&mut columns);
                for &column in &columns {
                    let before = board.clone();
                    let undo = board.play(column);
                    let mut next = position;
                    next.drop_stone(column);
                    assert!(
                        same(&board, &SearchBoard::new(&next, Weights::standard())),
                        "{column} at {}",
                        position.print()
                    );
                    assert_eq!(board.lines(), next.lines());
                    board.take_back(column, undo);
                    assert!(
                        same(&board, &before) && board.completes == before.completes,
                        "{}",
                        position.print()
                    );
                }
                position.drop_random(&mut rng);
                board = SearchBoard::new(&position, Weights::standard());
            }
        }
    }

    #[test]
    fn completes_counts_the_lines_that_a_stone_would_make() {
        let position = crate::replay("20 41 21 11 22 44 24 52").unwrap();
        let board = SearchBoard::new(&position, Weights::standard());
        let cell = Column::at(2, 3).unwrap().cell(0);
        assert_eq!((board.completes(0, cell), board.completes(1, cell)), (2, 0));
        assert_eq!(board.threats(0).iter().collect::<Vec<_>>(), [cell]);
    }
}
