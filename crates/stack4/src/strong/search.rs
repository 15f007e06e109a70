//! Principal variation search with iterative deepening, on several threads that share a transposition table (lazy SMP).
//!
//! Around it: aspiration windows, reverse futility pruning, null move pruning, late move pruning and reductions, and a
//! quiescence search. When the depth reaches the end of the game, nothing is pruned that could matter, so the value is
//! exact.

use super::board::SearchBoard;
use super::eval::{POINT, evaluate, next_line};
use super::move_picker::{History, MovePicker};
use super::transposition::{Bound, TableEntry, TranspositionTable};
use super::{Limits, SearchParameters};
use crate::Column;
use crate::position::line_value;
use game::Instant;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Larger than any margin in units.
const INFINITE: i32 = i16::MAX as i32;
/// The longest path from the root: never more than the moves of a game and a few null moves.
pub(super) const MAX_PLY: usize = 80;
/// How often, in nodes, the clock is read: about every third of a millisecond.
const CLOCK_INTERVAL: u64 = 1024;

/// What all threads of one search share.
pub(super) struct SearchContext<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) parameters: &'a SearchParameters,
    pub(super) limits: &'a Limits,
    pub(super) start: Instant,
    pub(super) stop: AtomicBool,
    pub(super) nodes: AtomicU64,
}

/// What one iteration (one depth) of iterative deepening found.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    pub(super) depth: u32,
    pub(super) value: i32,
    pub(super) best: Column,
}

/// The search was stopped by a limit or from outside.
struct Stopped;

type SearchResult = Result<i32, Stopped>;

pub(super) struct SearchThread<'a> {
    shared: &'a SearchContext<'a>,
    board: SearchBoard,
    history: History,
    nodes: u64,
    /// The best root move of the current iteration and its value, once one is searched.
    root_best: Option<(Column, i32)>,
}

impl<'a> SearchThread<'a> {
    pub(super) fn new(shared: &'a SearchContext<'a>, board: SearchBoard) -> Self {
        SearchThread {
            shared,
            board,
            history: History::new(),
            nodes: 0,
            root_best: None,
        }
    }

    /// Iterative deepening, until a limit stops it or the end of the game is reached. Helper threads start at another
    /// depth, so that they do not all search the same tree at the same time. Returns the last iteration. An iteration
    /// that was stopped counts too, as soon as its first move was searched: that move was the best of the iteration
    /// before. The observer is told of every finished iteration, and of the nodes that are not yet in the common count.
    pub(super) fn iterative_deepening(
        &mut self,
        helper: usize,
        observer: &dyn Fn(&Iteration, u64),
    ) -> Option<Iteration> {
        let mut found: Option<Iteration> = None;
        let deepest = self
            .board
            .left()
            .min(self.shared.limits.depth.unwrap_or(u32::MAX))
            .max(1);
        let first = 1 + (helper as u32 & 1);
        for depth in first.min(deepest)..=deepest {
            self.root_best = None;
            let result = self.aspiration_window(depth as i32, found.as_ref().map(|found| found.value));
            if let Some((best, value)) = self.root_best {
                let value = *result.as_ref().unwrap_or(&value);
                found = Some(Iteration {
                    depth: if result.is_ok() { depth } else { depth - 1 },
                    value,
                    best,
                });
            }
            if result.is_err() {
                break;
            }
            if let Some(found) = &found {
                observer(found, self.nodes % CLOCK_INTERVAL);
            }
        }
        self.shared.nodes.fetch_add(self.nodes % CLOCK_INTERVAL, Relaxed);
        if helper == 0 {
            self.shared.stop.store(true, Relaxed);
        }
        found
    }

    /// Searches the root with an aspiration window: a window around the last value, widened until the new value is inside.
    fn aspiration_window(&mut self, depth: i32, last: Option<i32>) -> SearchResult {
        let Some(last) = last.filter(|_| depth >= 4) else {
            return self.root(depth, -INFINITE, INFINITE);
        };
        let mut delta = next_line(&self.board) / 4 + 1;
        let (mut alpha, mut beta) = (last - delta, last + delta);
        loop {
            let value = self.root(depth, alpha.max(-INFINITE), beta.min(INFINITE))?;
            delta *= 4;
            if value <= alpha {
                alpha = value - delta;
            } else if value >= beta {
                beta = value + delta;
            } else {
                return Ok(value);
            }
        }
    }

    fn root(&mut self, depth: i32, alpha: i32, beta: i32) -> SearchResult {
        self.search(depth, 0, alpha, beta, false)
    }

    /// The value of the position to its mover, in units. If the true value (at this depth) is at most alpha, the
    /// result is at most alpha and at least the true value; if it is at least beta, the result is at least beta.
    fn search(&mut self, depth: i32, ply: usize, mut alpha: i32, beta: i32, null_move_allowed: bool) -> SearchResult {
        self.tick()?;
        let left = self.board.left() as i32;
        // At the root the last move itself is wanted, not only its value.
        if left == 0 || left == 1 && ply > 0 {
            return Ok(self.last_move());
        }
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiescence(alpha, beta, ply);
        }
        // The search reaches the end of the game: no pruning, no reductions.
        let exact = depth >= left;
        let is_pv = beta - alpha > 1;
        let made = self.board.margin() * POINT;
        let key = self.board.key();
        let entry = self.shared.table.get(key);
        if let Some(entry) = entry.filter(|entry| ply > 0 && i32::from(entry.depth) >= depth) {
            let value = entry.value + made;
            match entry.bound {
                Bound::Exact => return Ok(value),
                Bound::Lower if value >= beta => return Ok(value),
                Bound::Upper if value <= alpha => return Ok(value),
                _ => {}
            }
        }

        let parameters = self.shared.parameters;
        let other = 1 - self.board.mover();
        let attacked = !(self.board.threats(other) & self.board.reachable()).is_empty();
        if !exact && !is_pv && !attacked {
            let static_eval = evaluate(&self.board);
            let line = next_line(&self.board);
            // Reverse futility pruning.
            if depth <= parameters.reverse_futility_depth
                && static_eval - depth * line * parameters.reverse_futility_margin / 100 >= beta
            {
                return Ok(static_eval);
            }
            // Null move pruning.
            if parameters.null_move && null_move_allowed && depth >= 3 && left > depth + 2 && static_eval >= beta {
                self.board.null_move();
                let value = self.search(depth - 3 - depth / 4, ply + 1, -beta, -beta + 1, false);
                self.board.take_back_null_move();
                let value = -value?;
                if value >= beta {
                    return Ok(value);
                }
            }
        }

        let mut moves = MovePicker::new(&self.board, &self.history, entry.and_then(|entry| entry.best), ply);
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_column = None;
        let mut tried = 0;
        while let Some(mv) = moves.next() {
            // Late move pruning.
            if !exact && !is_pv && !attacked && mv.is_quiet && tried >= parameters.late_move_limit(depth) {
                continue;
            }
            let undo = self.board.play(mv.column);
            let reduction = if exact || tried < 2 || !mv.is_quiet || depth < 3 {
                0
            } else {
                parameters.reduction(depth, tried, is_pv)
            };
            let value = self.child(depth - 1, reduction, ply, alpha, beta, tried == 0);
            self.board.take_back(mv.column, undo);
            let value = value?;
            tried += 1;
            if value > best {
                best = value;
                best_column = Some(mv.column);
                if ply == 0 && (value > alpha || tried == 1) {
                    self.root_best = Some((mv.column, value));
                }
                if value > alpha {
                    alpha = value;
                    if value >= beta {
                        if mv.is_quiet {
                            self.history
                                .reward(&self.board, mv.column, moves.tried_before(), ply, depth);
                        }
                        break;
                    }
                }
            }
        }
        // Where every move failed low, none of them is known to be best.
        let best_column = if best > first_alpha {
            best_column
        } else {
            entry.and_then(|entry| entry.best)
        };
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = depth.min(255) as u8;
        self.shared.table.put(
            key,
            TableEntry {
                value: best - made,
                depth,
                bound,
                best: best_column,
            },
        );
        Ok(best)
    }

    /// Searches the position after a move. The first move gets the full window. The others get a null window at alpha, at
    /// first with the late move reduction, and are searched again without it when they turn out better.
    fn child(&mut self, depth: i32, reduction: i32, ply: usize, alpha: i32, beta: i32, first: bool) -> SearchResult {
        if !first {
            let mut value = -self.search(depth - reduction, ply + 1, -alpha - 1, -alpha, true)?;
            if value > alpha && reduction > 0 {
                value = -self.search(depth, ply + 1, -alpha - 1, -alpha, true)?;
            }
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.search(depth, ply + 1, -beta, -alpha, true)?)
    }

    /// Quiescence search: only moves that complete a line, until there are none. The evaluation does not see what the
    /// mover can complete.
    fn quiescence(&mut self, mut alpha: i32, beta: i32, ply: usize) -> SearchResult {
        self.tick()?;
        if self.board.left() <= 1 {
            return Ok(self.last_move());
        }
        let mut best = evaluate(&self.board);
        if best >= beta || ply + 1 >= MAX_PLY {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let open = self.board.threats(self.board.mover()) & self.board.reachable();
        for cell in open.iter() {
            let undo = self.board.play(cell.column());
            let value = self.quiescence(-beta, -alpha, ply + 1);
            self.board.take_back(cell.column(), undo);
            let value = -value?;
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// The value with at most one move left: the mover takes the most lines that one stone can complete.
    fn last_move(&self) -> i32 {
        let mover = self.board.mover();
        let mut margin = self.board.margin();
        if self.board.left() == 1 {
            let open = self.board.threats(mover) & self.board.reachable();
            let most = open
                .iter()
                .map(|cell| self.board.completes(mover, cell))
                .max()
                .unwrap_or(0);
            margin += (1..=most)
                .map(|i| line_value(self.board.lines() + i) as i32)
                .sum::<i32>();
        }
        margin * POINT
    }

    #[inline]
    fn tick(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.check_limits()?;
        }
        Ok(())
    }

    /// Adds this thread's nodes to the common count and checks the limits.
    #[cold]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        let nodes = self.shared.nodes.fetch_add(CLOCK_INTERVAL, Relaxed) + CLOCK_INTERVAL;
        let limits = self.shared.limits;
        let late = limits.time.is_some_and(|time| self.shared.start.elapsed() >= time);
        if late || limits.stop.is_raised() || limits.nodes.is_some_and(|most| nodes >= most) {
            self.shared.stop.store(true, Relaxed);
        }
        if self.shared.stop.load(Relaxed) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }
}
