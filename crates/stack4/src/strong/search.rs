//! Principal variation search with iterative deepening, one worker a thread.
//!
//! A worker whose depth reaches the end of the game prunes nothing on a guess, so its value is exact.

use super::board::Board;
use super::eval::{POINT, evaluate, next_line};
use super::moves::{History, Moves};
use super::table::{Bound, Entry, Table};
use super::{Knobs, Limits};
use crate::Column;
use crate::position::line_value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Larger than any margin in units.
const INFINITE: i32 = i16::MAX as i32;
/// Plies in a line of play: never more than a game's moves, and a pass or two.
pub(super) const MOST_PLIES: usize = 80;
/// How often, in nodes, the clock is read: about every third of a millisecond.
const CLOCK_INTERVAL: u64 = 1024;

/// What all workers of one search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    pub(super) knobs: &'a Knobs,
    pub(super) limits: &'a Limits,
    pub(super) start: Instant,
    pub(super) stop: AtomicBool,
    pub(super) nodes: AtomicU64,
}

/// What a finished depth found.
#[derive(Clone, Debug)]
pub(super) struct Iteration {
    pub(super) depth: u32,
    pub(super) value: i32,
    pub(super) best: Column,
}

/// The search was told to stop.
struct Stopped;

type Searched = Result<i32, Stopped>;

pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    board: Board,
    history: History,
    nodes: u64,
    /// The best move at the root in the depth under way, once one is searched.
    at_root: Option<(Column, i32)>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, board: Board) -> Self {
        Worker {
            shared,
            board,
            history: History::new(),
            nodes: 0,
            at_root: None,
        }
    }

    /// Deepens until told to stop or until the end of the game is reached; helpers start at another depth, so that
    /// they do not all walk the same tree in step. Returns the last depth's result; of a depth that was cut short, if
    /// a move was found better than, or the same as, the best before it. The observer hears of every depth that
    /// was finished, and of nodes that are not yet added up.
    pub(super) fn run(&mut self, helper: usize, observer: &dyn Fn(&Iteration, u64)) -> Option<Iteration> {
        let mut found: Option<Iteration> = None;
        let deepest = self
            .board
            .left()
            .min(self.shared.limits.depth.unwrap_or(u32::MAX))
            .max(1);
        let first = 1 + (helper as u32 & 1);
        for depth in first.min(deepest)..=deepest {
            self.at_root = None;
            let result = self.widen(depth as i32, found.as_ref().map(|found| found.value));
            if let Some((best, value)) = self.at_root {
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

    /// Searches the root in a window around the last value, which is widened until it holds the new one.
    fn widen(&mut self, depth: i32, last: Option<i32>) -> Searched {
        let Some(last) = last.filter(|_| depth >= 4) else {
            return self.root(depth, -INFINITE, INFINITE);
        };
        let mut reach = next_line(&self.board) / 4 + 1;
        let (mut alpha, mut beta) = (last - reach, last + reach);
        loop {
            let value = self.root(depth, alpha.max(-INFINITE), beta.min(INFINITE))?;
            reach *= 4;
            if value <= alpha {
                alpha = value - reach;
            } else if value >= beta {
                beta = value + reach;
            } else {
                return Ok(value);
            }
        }
    }

    fn root(&mut self, depth: i32, alpha: i32, beta: i32) -> Searched {
        self.search(depth, 0, alpha, beta, false)
    }

    /// The value of the position to its mover, in units. If the true value (at this depth) is at most alpha, the
    /// result is at most alpha and at least the true value; if it is at least beta, the result is at least beta.
    fn search(&mut self, depth: i32, ply: usize, mut alpha: i32, beta: i32, may_pass: bool) -> Searched {
        self.tick()?;
        let left = self.board.left() as i32;
        // At the root the last move itself is wanted, not only its value.
        if left == 0 || left == 1 && ply > 0 {
            return Ok(self.last_move());
        }
        if depth <= 0 || ply + 1 >= MOST_PLIES {
            return self.quiet(alpha, beta, ply);
        }
        let exact = depth >= left;
        let in_window = beta - alpha > 1;
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

        let knobs = self.shared.knobs;
        let other = 1 - self.board.mover();
        let attacked = !(self.board.threats(other) & self.board.reachable()).is_empty();
        if !exact && !in_window && !attacked {
            let stand = evaluate(&self.board);
            let line = next_line(&self.board);
            if depth <= knobs.shallow && stand - depth * line * knobs.shallow_margin / 100 >= beta {
                return Ok(stand);
            }
            if knobs.pass && may_pass && depth >= 3 && left > depth + 2 && stand >= beta {
                self.board.pass();
                let value = self.search(depth - 3 - depth / 4, ply + 1, -beta, -beta + 1, false);
                self.board.take_back_pass();
                let value = -value?;
                if value >= beta {
                    return Ok(value);
                }
            }
        }

        let mut moves = Moves::new(&self.board, &self.history, entry.and_then(|entry| entry.best), ply);
        let first_alpha = alpha;
        let mut best = -INFINITE;
        let mut best_column = None;
        let mut tried = 0;
        while let Some(mv) = moves.next() {
            if !exact && !in_window && !attacked && mv.is_quiet && tried >= knobs.enough(depth) {
                continue;
            }
            let before = self.board.play(mv.column);
            let reduction = if exact || tried < 2 || !mv.is_quiet || depth < 3 {
                0
            } else {
                knobs.reduction(depth, tried, in_window)
            };
            let value = self.child(depth - 1, reduction, ply, alpha, beta, tried == 0);
            self.board.take_back(mv.column, before);
            let value = value?;
            tried += 1;
            if value > best {
                best = value;
                best_column = Some(mv.column);
                if ply == 0 && (value > alpha || tried == 1) {
                    self.at_root = Some((mv.column, value));
                }
                if value > alpha {
                    alpha = value;
                    if value >= beta {
                        if mv.is_quiet {
                            self.history
                                .cut(&self.board, mv.column, moves.tried_before(), ply, depth);
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
            Entry {
                value: best - made,
                depth,
                bound,
                best: best_column,
            },
        );
        Ok(best)
    }

    /// Searches the position after a move: the first one with the full window, the others with an empty one around
    /// alpha, at first shallower by the reduction.
    fn child(&mut self, depth: i32, reduction: i32, ply: usize, alpha: i32, beta: i32, first: bool) -> Searched {
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

    /// Plays on with completing moves only, until there are none: the evaluation does not see what the mover takes.
    fn quiet(&mut self, mut alpha: i32, beta: i32, ply: usize) -> Searched {
        self.tick()?;
        if self.board.left() <= 1 {
            return Ok(self.last_move());
        }
        let mut best = evaluate(&self.board);
        if best >= beta || ply + 1 >= MOST_PLIES {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let open = self.board.threats(self.board.mover()) & self.board.reachable();
        for cell in open.iter() {
            let before = self.board.play(cell.column());
            let value = self.quiet(-beta, -alpha, ply + 1);
            self.board.take_back(cell.column(), before);
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
            self.look_up()?;
        }
        Ok(())
    }

    /// Adds up the nodes and looks at the clock.
    #[cold]
    fn look_up(&mut self) -> Result<(), Stopped> {
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
