//! The strong player: alpha-beta on a board made for it, with an evaluation fitted to its own games.
//!
//! - `board` plays and takes back moves; `weights` and `eval` evaluate a position; `features` is for fitting the weights;
//! - `book` is the opening book; `move_picker` is move ordering, `transposition` the transposition table, `search` the principal variation search;
//!   this file starts the threads and says what they found.

mod board;
mod book;
mod eval;
mod features;
mod learned;
mod move_picker;
mod search;
mod transposition;
mod weights;

pub use book::{Book, BookEntry, canonical};
pub use features::{Features, features};
pub use player::Limits;
pub use weights::{FEATURE_COUNT, WEIGHT_COUNT, Weights};

use crate::{Column, Position};
use board::SearchBoard;
use game::Game;
use game::Instant;
use player::{Analysis, Score};
use search::{Iteration, SearchContext, SearchThread};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use transposition::{Bound, TranspositionTable};

/// The search parameters that can be tuned. The player uses the default.
#[derive(Clone, Debug)]
pub struct SearchParameters {
    /// Reverse futility pruning: up to this depth a position whose evaluation is far above beta is not searched.
    pub reverse_futility_depth: i32,
    /// How far above, for each ply of depth, in hundredths of what the next line pays.
    pub reverse_futility_margin: i32,
    /// Null move pruning: a position that is still above beta after the mover passes is not searched.
    pub null_move: bool,
    /// Late move reductions, in hundredths.
    pub late_move_reduction: i32,
    /// Late move pruning: how many quiet moves are tried at depth 1. Each depth more tries three more; beyond depth 4 all
    /// are tried.
    pub late_move_count: i32,
}

impl Default for SearchParameters {
    fn default() -> Self {
        SearchParameters {
            reverse_futility_depth: 3,
            reverse_futility_margin: 60,
            null_move: true,
            late_move_reduction: 140,
            late_move_count: 6,
        }
    }
}

impl SearchParameters {
    /// How many quiet moves are tried at a depth before late move pruning skips the rest.
    #[inline]
    fn late_move_limit(&self, depth: i32) -> i32 {
        if depth > 4 {
            i32::MAX
        } else {
            self.late_move_count + 3 * (depth - 1)
        }
    }

    /// Late move reduction: how many plies shallower a move is searched at first when `tried` others came before it.
    #[inline]
    fn reduction(&self, depth: i32, tried: i32, is_pv: bool) -> i32 {
        // log2(depth) * log2(tried) / 2.3, in whole plies.
        let logs =
            (depth.ilog2() * 10 + ((depth as u32) << 3 >> depth.ilog2() & 7)) as i32 * (tried as u32).ilog2() as i32;
        let plies = logs * self.late_move_reduction / 2300 - i32::from(is_pv);
        plies.clamp(0, depth - 2)
    }
}

/// The player: a transposition table, which is kept from move to move, and a number of threads.
pub struct Strong {
    table: TranspositionTable,
    threads: usize,
    parameters: SearchParameters,
    weights: &'static Weights,
}

impl Strong {
    /// A player with a table of so many megabytes and so many threads, at least one.
    pub fn new(megabytes: usize, threads: usize) -> Self {
        Strong::tuned(megabytes, threads, SearchParameters::default(), Weights::standard())
    }

    /// The same with other search parameters and weights.
    pub fn tuned(megabytes: usize, threads: usize, parameters: SearchParameters, weights: &'static Weights) -> Self {
        Strong {
            table: TranspositionTable::new(megabytes),
            threads: threads.max(1),
            parameters,
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
        let shared = SearchContext {
            table: &self.table,
            parameters: &self.parameters,
            limits,
            start,
            stop: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let board = SearchBoard::new(position, self.weights);
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
                let mut worker = SearchThread::new(&shared, board.clone());
                scope.spawn(move || worker.iterative_deepening(helper, &|_, _| ()));
            }
            SearchThread::new(&shared, board.clone()).iterative_deepening(0, &|found, more| {
                if let Some(observer) = observer {
                    observer(analysis(found, more));
                }
            })
        });
        // The clock ran out before a single move was searched.
        let guess = || Iteration {
            depth: 0,
            value: board.margin() * eval::POINT,
            best: self.first_in_order(position).unwrap_or(first_legal),
        };
        Some(analysis(&found.unwrap_or_else(guess), 0))
    }

    /// The first move of the move ordering.
    fn first_in_order(&self, position: &Position) -> Option<Column> {
        let board = SearchBoard::new(position, self.weights);
        move_picker::MovePicker::new(&board, &move_picker::History::new(), None, 0)
            .next()
            .map(|mv| mv.column)
    }

    /// The principal variation: follows the transposition table from the best move on.
    fn pv(&self, position: &Position, best: Column, depth: u32) -> Vec<Column> {
        let mut pv = vec![best];
        let mut position = *position;
        position.drop_stone(best);
        while (pv.len() as u32) < depth && !position.is_over() {
            let entry = self.table.get(SearchBoard::new(&position, self.weights).key());
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
