//! The exact solver: win, draw or loss, and how long it takes, from any position of any variant.
//!
//! [`Solver`] answers for positions and turns; underneath, everything is a yes-or-no question about a board:
//!
//! - `search` asks whether a side wins within so many rounds, with many threads as `sharing` says; `ending` does the same for the
//!   last seven cells, with `closing` for the last four, `misere` where completing a line loses, with `four` and `three` for the last;
//! - `board` and `ending` are the two forms of a board they work on, `simd` the vector operations of the first;
//! - `tables` is what it was given to look up;
//! - `within` asks with so many boards and no more;
//! - `key` makes an exact key of a board up to symmetry; `transposition` is the transposition table, and `huge_pages` its
//!   memory.

mod board;
mod closing;
mod context;
mod ending;
mod four;
mod huge_pages;
mod key;
mod misere;
mod search;
mod sharing;
mod simd;
mod tables;
mod three;
mod transposition;
mod within;

pub use board::MOST_LINES;

use crate::book::Book;
use crate::symmetry::CanonicalKey;
use crate::tablebase::Tablebase;
use crate::{Piece, Position, Rules, Turn};
use board::{Geometry, SolverBoard};
use context::SearchContext;
use ending::Rounds;
use game::Instant;
use game::{Game, Stop};
use search::{EVER, SearchThread};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a position is worth to the player to move, or a turn to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Lost against best play.
    Loss,
    /// Drawn with best play.
    Draw,
    /// Won with best play.
    Win,
}

impl Outcome {
    /// The same for the opponent.
    pub fn reversed(self) -> Self {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// "win", "draw" or "loss".
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
            Outcome::Win => "win",
        }
    }
}

/// An outcome and the number of placements until the end, if the winner wins as soon and the loser loses as late as
/// possible (the distance to the end).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Exact {
    /// Win, draw or loss.
    pub outcome: Outcome,
    /// Placements until the end.
    pub plies: u32,
}

impl Exact {
    /// The same for the opponent.
    pub fn reversed(self) -> Self {
        Exact {
            outcome: self.outcome.reversed(),
            plies: self.plies,
        }
    }

    /// Larger for what a player prefers: a win, soon; then a draw; then a loss, late.
    pub fn preference(self) -> i32 {
        match self.outcome {
            Outcome::Win => 100 - self.plies as i32,
            Outcome::Draw => 0,
            Outcome::Loss => self.plies as i32 - 100,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The stop sign was raised, or the time or the boards allowed were spent.
    Stopped,
    /// The game is over, so nobody is to move.
    Finished,
}

impl std::fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            NoAnswer::Stopped => "the solve was stopped",
            NoAnswer::Finished => "the game is over: there is nothing to solve",
        })
    }
}

impl std::error::Error for NoAnswer {}

/// Solves positions of one variant. What it finds stays in its transposition table and helps with the next position.
pub struct Solver {
    rules: &'static Rules,
    context: SearchContext,
    threads: usize,
    book: Option<&'static Book>,
    /// The current question, for progress displays: see [`asking`](Solver::asking).
    question: AtomicU32,
}

/// Boards with at least this many pieces are solved by one thread: starting others would take longer.
const ONE_THREAD_FROM: u32 = 6;

impl Solver {
    /// A solver with a table of at most `memory` bytes (but at least about a quarter of a megabyte) and so many threads.
    ///
    /// # Errors
    /// If the system has not so much memory.
    pub fn new(rules: &'static Rules, memory: usize, threads: usize) -> io::Result<Self> {
        let keys = key::Keys::new(rules);
        let table = transposition::TranspositionTable::new(memory, keys.bits())?;
        Ok(Solver {
            rules,
            context: SearchContext::new(Geometry::new(rules), keys, table),
            threads: threads.max(1),
            book: None,
            question: AtomicU32::new(0),
        })
    }

    /// Lets it look up what the book of its variant knows, and the table that comes with it, if there are such.
    pub fn open_book(&mut self) {
        self.book = Book::of(self.rules);
        if let Some(table) = Tablebase::embedded(self.rules) {
            self.context.tables.add(table);
        }
    }

    /// Lets it look up what a table knows, also in the middle of a search.
    ///
    /// # Errors
    /// If the table is of another variant.
    pub fn add_table(&mut self, table: Arc<Tablebase>) -> Result<(), String> {
        if table.rules() != self.rules {
            let (of, rules) = (table.rules().name(), self.rules.name());
            return Err(format!("a table of {of} says nothing of {rules}"));
        }
        self.context.tables.add(table);
        Ok(())
    }

    /// The table that has every position with so many pieces placed, if it was given one.
    pub fn table(&self, placed: u32) -> Option<&Tablebase> {
        self.context.tables.with(placed).map(Deref::deref)
    }

    /// What the book or a table says of a position, without a search.
    pub fn known(&self, position: &Position) -> Option<Exact> {
        self.in_book(position).filter(|_| position.playing())
    }

    /// What the book or a table says.
    fn in_book(&self, position: &Position) -> Option<Exact> {
        let in_table = || self.context.tables.with(position.placed())?.exact(position);
        self.book.and_then(|book| book.exact(position)).or_else(in_table)
    }

    /// As much memory as a position with that many pieces can make good use of, in bytes.
    pub fn useful_memory(rules: &Rules, placed: u32) -> usize {
        match (rules.misere(), placed) {
            (true, 0..=5) => 1 << 30,
            (true, 6) => 256 << 20,
            (true, 7) | (false, 4) => 16 << 20,
            (true, 8) | (false, 5) => 4 << 20,
            // The empty board leaves 2 million entries with lines, 6 with squares. Larger than that, to have huge pages.
            (false, 0..=3) => 128 << 20,
            _ => 1 << 18,
        }
    }

    /// Grows the table to the size that is useful for a position, but at most to `most` bytes. The entries are kept. If the
    /// system refuses the memory, the table stays as it is.
    pub fn make_room_for(&mut self, position: &Position, most: usize) {
        // What is in the book needs no table, but the turns that lead out of it do.
        let searched = self.book.map_or(0, |book| book.depth() + 1).max(position.placed());
        let useful = Solver::useful_memory(self.rules, searched).min(most);
        if useful > self.memory() {
            let _ = self.context.table.grow(useful);
        }
    }

    /// The variant it solves.
    pub fn rules(&self) -> &'static Rules {
        self.rules
    }

    /// Forgets everything, as if new.
    ///
    /// # Errors
    /// If the system has not so much memory.
    pub fn forget(&mut self) -> io::Result<()> {
        self.context.table.forget()
    }

    /// The size of the table in bytes.
    pub fn memory(&self) -> usize {
        self.context.table.bytes()
    }

    /// Boards searched so far.
    pub fn nodes(&self) -> u64 {
        self.context.nodes.0.load(Ordering::Relaxed)
    }

    /// The current question in words: how many pieces are placed, who is to win, in how many rounds.
    pub fn asking(&self) -> String {
        let question = self.question.load(Ordering::Relaxed);
        let (placed, rounds, giver) = (question >> 8, question >> 1 & 0x7f, question & 1 != 0);
        let who = if giver { "giver" } else { "placer" };
        let ever = if rounds == EVER {
            "ever".into()
        } else {
            format!("within {rounds} rounds")
        };
        format!("{placed} placed: does the {who} win {ever}?")
    }

    /// Questions asked from now on are given up within a few milliseconds when this sign is raised.
    pub fn set_stop(&self, stop: Stop) {
        self.context.set_stop(stop);
    }

    /// From this moment on it gives up questions that take long; `None` for never.
    pub fn set_deadline(&self, deadline: Option<Instant>) {
        let micros = deadline.map_or(0, |at| {
            at.saturating_duration_since(self.context.born).as_micros().max(1) as u64
        });
        self.context.deadline.store(micros, Ordering::Relaxed);
    }

    /// Gives up questions that take long once so many more boards are searched; `None` for never. Unlike a deadline this is
    /// reproducible on any machine, with one thread and an empty table.
    pub fn set_allowance(&self, boards: Option<u64>) {
        let limit = boards.map_or(u64::MAX, |boards| self.nodes().saturating_add(boards));
        self.context.limit.store(limit, Ordering::Relaxed);
    }

    /// What the position is worth to the player to move.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn outcome(&self, position: &Position) -> Result<Outcome, NoAnswer> {
        if let Some(exact) = self.in_book(position) {
            return Ok(exact.outcome);
        }
        let board = self.board(position)?;
        match position.hand() {
            None => self.board_outcome(&board),
            Some(piece) => self.hand_outcome(&board, piece),
        }
    }

    /// What the position is worth to the player to move, and how long it takes.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn exact(&self, position: &Position) -> Result<Exact, NoAnswer> {
        if let Some(exact) = self.in_book(position) {
            return Ok(exact);
        }
        let board = self.board(position)?;
        match position.hand() {
            None => self.board_exact(&board),
            Some(piece) => self.hand_exact(&board, piece),
        }
    }

    /// Whether the player to move wins (`outcome` Win) or at least draws (`outcome` Draw): half of what
    /// [`outcome`](Solver::outcome) asks.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn at_least(&self, position: &Position, outcome: Outcome) -> Result<bool, NoAnswer> {
        if let Some(exact) = self.in_book(position) {
            return Ok(exact.outcome >= outcome);
        }
        let board = self.board(position)?;
        match (outcome, position.hand()) {
            (Outcome::Loss, _) => Ok(true),
            (Outcome::Win, None) => self.ask(true, &board, EVER),
            (Outcome::Draw, None) => Ok(!self.ask(false, &board, EVER)?),
            (_, Some(piece)) => Ok(self.hand_at_least(&board, piece, outcome)?),
        }
    }

    /// Whether the player to move wins within so many placements.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn wins_within(&self, position: &Position, plies: u32) -> Result<bool, NoAnswer> {
        if let Some(exact) = self.in_book(position) {
            return Ok(exact.outcome == Outcome::Win && exact.plies <= plies);
        }
        let board = self.board(position)?;
        let Some(piece) = position.hand() else {
            return self.ask(true, &board, self.rounds(true, plies));
        };
        let (boards, completes) = self.placements(&board, piece);
        if plies == 0 || completes && !self.rules.misere() {
            return Ok(plies > 0);
        }
        let rounds = self.rounds(true, plies - 1);
        for board in boards {
            if self.ask(true, &board, rounds)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the player to move loses within so many placements, whatever it does.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn loses_within(&self, position: &Position, plies: u32) -> Result<bool, NoAnswer> {
        if let Some(exact) = self.in_book(position) {
            return Ok(exact.outcome == Outcome::Loss && exact.plies <= plies);
        }
        let board = self.board(position)?;
        let Some(piece) = position.hand() else {
            return self.ask(false, &board, self.rounds(false, plies));
        };
        let (boards, completes) = self.placements(&board, piece);
        if plies == 0 || completes && !self.rules.misere() {
            return Ok(false);
        }
        let rounds = self.rounds(false, plies - 1);
        for board in boards {
            if !self.ask(false, &board, rounds)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many whole rounds fit into so many placements.
    fn rounds(&self, giver: bool, plies: u32) -> u32 {
        let rounds = if giver == self.rules.misere() {
            plies.div_ceil(2)
        } else {
            plies / 2
        };
        rounds.min(EVER)
    }

    /// What each legal turn is worth to the player who makes it.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn turns(&self, position: &Position) -> Result<Vec<(Turn, Outcome)>, NoAnswer> {
        self.each_turn(position, |solver, position| match position.outcome() {
            Some(payoffs) => Ok(ended(position, payoffs.winner()).outcome),
            None => Ok(solver.outcome(position)?.reversed()),
        })
    }

    /// What each legal turn is worth to the player who makes it, and how many placements until the end, its own included.
    ///
    /// # Errors
    /// [`NoAnswer`] if the solver was stopped, or the game is over.
    pub fn turns_exactly(&self, position: &Position) -> Result<Vec<(Turn, Exact)>, NoAnswer> {
        let placing = u32::from(position.hand().is_some());
        self.each_turn(position, |solver, after| {
            let exact = match after.outcome() {
                Some(payoffs) => ended(after, payoffs.winner()),
                None => solver.exact(after)?.reversed(),
            };
            Ok(Exact {
                plies: exact.plies + placing,
                ..exact
            })
        })
    }

    /// A value for each legal turn; turns that symmetry makes equal are asked once.
    fn each_turn<T: Copy>(
        &self,
        position: &Position,
        value: impl Fn(&Self, &Position) -> Result<T, NoAnswer>,
    ) -> Result<Vec<(Turn, T)>, NoAnswer> {
        let mut turns = Vec::new();
        position.legal_moves(&mut turns);
        let mut known: HashMap<CanonicalKey, T> = HashMap::new();
        turns
            .into_iter()
            .map(|turn| {
                let mut after = *position;
                after.play_unchecked(turn);
                let value = match known.entry(after.canonical_key()) {
                    Entry::Occupied(entry) => *entry.get(),
                    Entry::Vacant(entry) => *entry.insert(value(self, &after)?),
                };
                Ok((turn, value))
            })
            .collect()
    }

    fn board(&self, position: &Position) -> Result<SolverBoard, NoAnswer> {
        match position.playing() {
            true => Ok(self.context.geometry.board(position)),
            false => Err(NoAnswer::Finished),
        }
    }

    /// For the giver.
    fn board_outcome(&self, board: &SolverBoard) -> Result<Outcome, NoAnswer> {
        if self.ask(true, board, EVER)? {
            return Ok(Outcome::Win);
        }
        Ok(if self.ask(false, board, EVER)? {
            Outcome::Loss
        } else {
            Outcome::Draw
        })
    }

    /// For the giver.
    fn board_exact(&self, board: &SolverBoard) -> Result<Exact, NoAnswer> {
        let outcome = self.board_outcome(board)?;
        let giver = match outcome {
            Outcome::Draw => {
                let plies = 16 - board.placed();
                return Ok(Exact { outcome, plies });
            }
            Outcome::Win => true,
            Outcome::Loss => false,
        };
        let mut rounds = 1;
        while rounds < EVER && !self.ask(giver, board, rounds)? {
            rounds += 1;
        }
        let plies = match self.rules.misere() {
            true => Rounds::<true>::placements(giver, rounds),
            false => Rounds::<false>::placements(giver, rounds),
        };
        Ok(Exact { outcome, plies })
    }

    /// The boards after `piece` was placed without completing a line, and whether it can complete one. As in the search,
    /// those where the fewest pieces stay safe come first.
    fn placements(&self, board: &SolverBoard, piece: Piece) -> (Vec<SolverBoard>, bool) {
        let geometry = &self.context.geometry;
        let piece = u32::from(piece.number());
        let completing = geometry.completing(board, piece);
        let mut boards: Vec<SolverBoard> = search::bits(!board.occupied & !completing)
            .map(|cell| geometry.place(board, piece, cell))
            .collect();
        boards.sort_by_key(|board| 8 * geometry.safe(board).count_ones() as i32 + board.alive_count());
        (boards, completing != 0)
    }

    /// For the player who must place `piece`.
    fn hand_outcome(&self, board: &SolverBoard, piece: Piece) -> Result<Outcome, NoAnswer> {
        for outcome in [Outcome::Win, Outcome::Draw] {
            if self.hand_at_least(board, piece, outcome)? {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Loss)
    }

    fn hand_at_least(&self, board: &SolverBoard, piece: Piece, outcome: Outcome) -> Result<bool, NoAnswer> {
        let (boards, completes) = self.placements(board, piece);
        if completes && !self.rules.misere() {
            return Ok(true);
        }
        for board in boards {
            let good = match outcome {
                Outcome::Loss => true,
                Outcome::Draw => !self.ask(false, &board, EVER)?,
                Outcome::Win => self.ask(true, &board, EVER)?,
            };
            if good {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// For the player who must place `piece`.
    fn hand_exact(&self, board: &SolverBoard, piece: Piece) -> Result<Exact, NoAnswer> {
        let (boards, completes) = self.placements(board, piece);
        let now = |outcome| Exact { outcome, plies: 1 };
        if completes && !self.rules.misere() {
            return Ok(now(Outcome::Win));
        }
        let mut best: Option<Exact> = completes.then(|| now(Outcome::Loss));
        // Settle the outcome first: distances are asked only of placements that reach it.
        let outcome = self.hand_outcome(board, piece)?;
        for board in boards {
            let reaches = match outcome {
                Outcome::Win => self.ask(true, &board, EVER)?,
                Outcome::Draw => !self.ask(false, &board, EVER)?,
                Outcome::Loss => true,
            };
            if reaches {
                let exact = self.board_exact(&board)?;
                let exact = Exact {
                    plies: exact.plies + 1,
                    ..exact
                };
                if best.is_none_or(|best| best.preference() < exact.preference()) {
                    best = Some(exact);
                }
                if outcome == Outcome::Draw {
                    break;
                }
            }
        }
        best.ok_or(NoAnswer::Finished)
    }

    /// Whether the giver (or else the other) wins within `rounds`, with all threads where that pays.
    fn ask(&self, giver: bool, board: &SolverBoard, rounds: u32) -> Result<bool, NoAnswer> {
        match self.rules.misere() {
            true => self.ask_threads::<true>(giver, board, rounds),
            false => self.ask_threads::<false>(giver, board, rounds),
        }
    }

    fn ask_threads<const MISERE: bool>(&self, giver: bool, board: &SolverBoard, rounds: u32) -> Result<bool, NoAnswer> {
        let context = &self.context;
        // Who asks about many boards meets most of them again: nothing is shared between threads for that but the table.
        if let Some(answer) = SearchThread::<MISERE>::glance(context, giver, board, rounds) {
            return Ok(answer);
        }
        let question = board.placed() << 8 | rounds << 1 | u32::from(giver);
        self.question.store(question, Ordering::Relaxed);
        context.answered.store(false, Ordering::Relaxed);
        if self.threads == 1 || board.placed() >= ONE_THREAD_FROM {
            let answer = SearchThread::<MISERE>::new(context, true).ask(giver, board, rounds);
            return answer.ok_or(NoAnswer::Stopped);
        }
        let answers = std::thread::scope(|scope| {
            let work = || {
                let answer = SearchThread::<MISERE>::new(context, false).ask(giver, board, rounds);
                if answer.is_some() {
                    context.answered.store(true, Ordering::Relaxed);
                }
                answer
            };
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join()).collect::<Vec<_>>()
        });
        answers.into_iter().flatten().flatten().next().ok_or(NoAnswer::Stopped)
    }
}

/// The value of a finished position to the player who made the last turn.
pub(crate) fn ended(position: &Position, winner: Option<game::Seat>) -> Exact {
    // Nothing was given, so the maker of the last turn is still the mover.
    let outcome = match winner {
        None => Outcome::Draw,
        Some(seat) if seat == position.mover() => Outcome::Win,
        Some(_) => Outcome::Loss,
    };
    Exact { outcome, plies: 0 }
}
