//! Move ordering: the move from the transposition table, moves that complete lines, moves that block lines, killer moves,
//! the others by history, and last those that let the opponent complete a line right above.

use super::board::SearchBoard;
use super::search::MAX_PLY;
use crate::geometry::{CELL_NUMBERS, COLUMNS, Column, LAYERS, THROUGH};

/// A move with its move ordering score.
#[derive(Clone, Copy)]
pub(super) struct ScoredMove {
    pub(super) column: Column,
    /// It neither completes nor blocks a line.
    pub(super) is_quiet: bool,
    score: i32,
}

/// Gives the moves of a position one after the other, the highest ordering score first.
pub(super) struct MovePicker {
    list: [ScoredMove; COLUMNS],
    count: usize,
    next: usize,
}

// A move ordering score is the sum of those that apply.
const HASH_MOVE: i32 = 1 << 28;
const COMPLETES: i32 = 1 << 22;
const BLOCKS: i32 = 1 << 20;
const KILLER: i32 = 1 << 18;
const OPENS: i32 = -(1 << 19);
const WASTES: i32 = -(1 << 17);
const HISTORY_MAX: i32 = 1 << 14;

impl MovePicker {
    #[inline]
    pub(super) fn new(board: &SearchBoard, history: &History, hash_move: Option<Column>, ply: usize) -> Self {
        let mover = board.mover();
        let other = 1 - mover;
        let (mine, theirs) = (board.threats(mover), board.threats(other));
        let nothing = ScoredMove {
            column: FIRST,
            is_quiet: true,
            score: 0,
        };
        let mut moves = MovePicker {
            list: [nothing; COLUMNS],
            count: 0,
            next: 0,
        };
        for column in Column::all() {
            let cell = board.next_cell(column);
            if cell.layer() >= LAYERS {
                continue;
            }
            let made = if mine.has(cell) {
                board.completes(mover, cell) as i32
            } else {
                0
            };
            let blocked = if theirs.has(cell) {
                board.completes(other, cell) as i32
            } else {
                0
            };
            let is_quiet = made + blocked == 0;
            let mut score = made * COMPLETES + blocked * BLOCKS + history.score(mover, cell.index());
            if cell.layer() + 1 < LAYERS {
                let above = column.cell(cell.layer() + 1);
                if theirs.has(above) {
                    score += OPENS * board.completes(other, above) as i32;
                } else if mine.has(above) {
                    score += WASTES;
                }
            }
            if hash_move == Some(column) {
                score += HASH_MOVE;
            } else if is_quiet && history.killers[ply].contains(&(cell.index() as u8)) {
                score += KILLER;
            }
            moves.list[moves.count] = ScoredMove {
                column,
                is_quiet,
                score,
            };
            moves.count += 1;
        }
        moves
    }

    /// The quiet moves that were tried before the last one.
    pub(super) fn tried_before(&self) -> impl Iterator<Item = Column> {
        let tried = &self.list[..self.next.saturating_sub(1)];
        tried.iter().filter(|mv| mv.is_quiet).map(|mv| mv.column)
    }
}

const FIRST: Column = match Column::new(0) {
    Some(column) => column,
    None => panic!("there is a column 0"),
};

impl Iterator for MovePicker {
    type Item = ScoredMove;

    #[inline]
    fn next(&mut self) -> Option<ScoredMove> {
        if self.next >= self.count {
            return None;
        }
        let mut best = self.next;
        for i in self.next + 1..self.count {
            if self.list[i].score > self.list[best].score {
                best = i;
            }
        }
        self.list.swap(self.next, best);
        self.next += 1;
        Some(self.list[self.next - 1])
    }
}

/// The history heuristic and the killer moves: quiet moves that caused beta cutoffs before.
pub(super) struct History {
    scores: [[i32; CELL_NUMBERS]; 2],
    killers: [[u8; 2]; MAX_PLY],
}

impl History {
    pub(super) fn new() -> Self {
        // Before the first cutoff, cells with many lines through them go first.
        let lines: [i32; CELL_NUMBERS] = std::array::from_fn(|cell| THROUGH[cell].lines().len() as i32 * 64);
        History {
            scores: [lines; 2],
            killers: [[u8::MAX; 2]; MAX_PLY],
        }
    }

    #[inline]
    fn score(&self, seat: usize, cell: usize) -> i32 {
        self.scores[seat][cell]
    }

    /// Rewards a quiet move that caused a beta cutoff, and lowers the scores of those tried before it.
    pub(super) fn reward(
        &mut self,
        board: &SearchBoard,
        column: Column,
        before: impl Iterator<Item = Column>,
        ply: usize,
        depth: i32,
    ) {
        let seat = board.mover();
        let bonus = (depth * depth * 8).min(HISTORY_MAX / 8);
        let mut add = |column: Column, bonus: i32| {
            let entry = &mut self.scores[seat][board.next_cell(column).index()];
            // Stays within ±HISTORY_MAX: large entries move less.
            *entry += bonus - *entry * bonus.abs() / HISTORY_MAX;
        };
        add(column, bonus);
        before.for_each(|column| add(column, -bonus));
        let cell = board.next_cell(column).index() as u8;
        if self.killers[ply][0] != cell {
            self.killers[ply] = [cell, self.killers[ply][0]];
        }
    }
}
