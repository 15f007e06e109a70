//! The strong player: alpha-beta on a board made for it, with an evaluation fitted to its own games.
//!
//! - `board` plays and takes back; `weights` and `eval` say what a position is worth;
//! - `moves` orders, `table` remembers, `search` searches; this file starts the threads and says what they found.

mod board;
mod eval;
mod learned;
mod lesson;
mod moves;
mod search;
mod table;
mod weights;

pub use lesson::lesson;
pub use player::Limits;
pub use weights::{NUMBERS, Weights};

use crate::{Column, Position};
use board::Board;
use game::Game;
use player::{Analysis, Score};
use search::{Iteration, Shared, Worker};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;
use table::{Bound, Table};

/// What may be tuned in the search. The default is what plays.
#[derive(Clone, Debug)]
pub struct Knobs {
    /// Up to this depth a position that stands far above beta is not searched.
    pub shallow: i32,
    /// How far above, in hundredths of the next line a depth.
    pub shallow_margin: i32,
    /// Whether to try passing: who stands well even so need not be searched.
    pub pass: bool,
    /// Reductions of late moves, in hundredths.
    pub reduce: i32,
    /// Quiet moves tried at depth 1; three more each depth. Beyond depth 4 all are.
    pub enough: i32,
}

impl Default for Knobs {
    fn default() -> Self {
        Knobs {
            shallow: 3,
            shallow_margin: 60,
            pass: true,
            reduce: 140,
            enough: 6,
        }
    }
}

impl Knobs {
    #[inline]
    fn enough(&self, depth: i32) -> i32 {
        if depth > 4 {
            i32::MAX
        } else {
            self.enough + 3 * (depth - 1)
        }
    }

    /// How much shallower the move after `tried` others is searched first.
    #[inline]
    fn reduction(&self, depth: i32, tried: i32, in_window: bool) -> i32 {
        // log2(depth) * log2(tried) / 2.3, in whole plies.
        let logs =
            (depth.ilog2() * 10 + ((depth as u32) << 3 >> depth.ilog2() & 7)) as i32 * (tried as u32).ilog2() as i32;
        let plies = logs * self.reduce / 2300 - i32::from(in_window);
        plies.clamp(0, depth - 2)
    }
}

/// The player: a table that outlives the moves of a game, and a number of threads.
pub struct Strong {
    table: Table,
    threads: usize,
    knobs: Knobs,
    weights: &'static Weights,
}

impl Strong {
    /// A player with a table of so many megabytes and so many threads, at least one.
    pub fn new(megabytes: usize, threads: usize) -> Self {
        Strong::tuned(megabytes, threads, Knobs::default(), Weights::standard())
    }

    /// The same with other knobs and weights.
    pub fn tuned(megabytes: usize, threads: usize, knobs: Knobs, weights: &'static Weights) -> Self {
        Strong {
            table: Table::new(megabytes),
            threads: threads.max(1),
            knobs,
            weights,
        }
    }

    /// Forgets what it learned in the last game.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Searches on so many threads from now on, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// Searches a position. `None` if the game is over. Without any limit it searches to the end of the game.
    ///
    /// The value is the points by which the mover is expected to lead at the end. Nodes are those of all threads together, looked at
    /// every 1024; on one thread the same position then gives the same move. The depth does not count extensions and reductions.
    pub fn search(&mut self, position: &Position, limits: &Limits) -> Option<Analysis<Column>> {
        self.search_observed(position, limits, None)
    }

    /// The same, telling an observer, if there is one, what each depth has found.
    pub fn search_observed(
        &mut self,
        position: &Position,
        limits: &Limits,
        observer: Option<&dyn Fn(Analysis<Column>)>,
    ) -> Option<Analysis<Column>> {
        let first_legal = Column::all().find(|&column| position.is_legal(column))?;
        self.table.new_search();
        let start = Instant::now();
        let shared = Shared {
            table: &self.table,
            knobs: &self.knobs,
            limits,
            start,
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let board = Board::new(position, self.weights);
        let analysis = |found: &Iteration, more: u64| {
            let value = f64::from(found.value) / f64::from(eval::POINT);
            Analysis {
                value: Some(value),
                score: Some(Score::of_units(value)),
                solved: found.depth >= board.left(),
                depth: Some(found.depth),
                nodes: Some(shared.nodes.load(Relaxed) + more),
                time: start.elapsed(),
                pv: self.pv(position, found.best, found.depth),
                ..Analysis::of_move(found.best)
            }
        };
        let found = std::thread::scope(|scope| {
            for helper in 1..self.threads {
                let mut worker = Worker::new(&shared, board.clone());
                scope.spawn(move || worker.run(helper, &|_, _| ()));
            }
            Worker::new(&shared, board.clone()).run(0, &|found, more| {
                if let Some(observer) = observer {
                    observer(analysis(found, more));
                }
            })
        });
        // The clock ran out before a single move was searched.
        let guess = || Iteration {
            depth: 0,
            value: board.margin() * eval::POINT,
            best: self.guess(position).unwrap_or(first_legal),
        };
        Some(analysis(&found.unwrap_or_else(guess), 0))
    }

    /// The move that the ordering likes best.
    fn guess(&self, position: &Position) -> Option<Column> {
        let board = Board::new(position, self.weights);
        moves::Moves::new(&board, &moves::History::new(), None, 0)
            .next()
            .map(|mv| mv.column)
    }

    /// Follows the table from the best move on.
    fn pv(&self, position: &Position, best: Column, depth: u32) -> Vec<Column> {
        let mut pv = vec![best];
        let mut position = *position;
        position.drop_stone(best);
        while (pv.len() as u32) < depth && !position.is_over() {
            let entry = self.table.get(Board::new(&position, self.weights).key());
            let next = entry
                .filter(|entry| entry.bound == Bound::Exact)
                .and_then(|entry| entry.best);
            let Some(column) = next.filter(|&column| position.is_legal(column)) else {
                break;
            };
            pv.push(column);
            position.drop_stone(column);
        }
        pv
    }
}
