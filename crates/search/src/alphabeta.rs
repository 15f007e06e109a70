//! Alpha-beta with iterative deepening, a transposition table, killers and history.

use crate::limits::Meter;
use crate::order::History;
use crate::table::{Bound, Table};
use crate::{Evaluator, Found, Horizon, Limits, Value, View};
use game::{Game, Rng, below};
use std::mem;

/// How an [`AlphaBeta`] works.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The table has `2^table` pairs of entries; `None` is no table.
    pub table: Option<u32>,
    /// When every move loses: play the one that lost at the greatest depth, rather than any.
    pub hold_out: bool,
    /// How much deeper each iteration looks than the one before.
    pub step: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            table: Some(16),
            hold_out: false,
            step: 1,
        }
    }
}

/// The most moves that can be looked ahead.
const DEEPEST: u32 = 250;

/// A search that finds exactly what [`negamax`](crate::negamax) finds at the same depth, sooner.
///
/// The table, killers and history live from one search to the next; no value depends on them.
pub struct AlphaBeta<G: Game, E> {
    evaluator: E,
    settings: Settings,
    table: Option<Table<G::Move>>,
    history: History,
    plies: Vec<Ply<G::Move>>,
}

/// What a level of the tree owns, so that no node allocates.
struct Ply<M> {
    moves: Vec<M>,
    scores: Vec<i32>,
    killers: [Option<M>; 2],
    line: Vec<M>,
}

impl<M> Default for Ply<M> {
    fn default() -> Self {
        Ply {
            moves: Vec::new(),
            scores: Vec::new(),
            killers: [None, None],
            line: Vec::new(),
        }
    }
}

/// A value and whether it rests on finished games alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    value: Value,
    solved: bool,
}

/// One search of a fixed depth through an [`AlphaBeta`]'s tables.
struct Iteration<'a, G: Game, E> {
    evaluator: &'a E,
    view: View,
    salt: u64,
    table: Option<&'a mut Table<G::Move>>,
    history: &'a mut History,
    plies: &'a mut Vec<Ply<G::Move>>,
    meter: &'a mut Meter,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A search with this evaluator.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        AlphaBeta {
            evaluator,
            settings,
            table: settings.table.map(Table::new),
            history: History::new(),
            plies: Vec::new(),
        }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Forgets everything learnt in earlier searches, so that the next counts the same nodes as on a new one.
    pub fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.history.clear();
        self.plies.iter_mut().for_each(|ply| ply.killers = [None, None]);
    }

    /// Searches deeper and deeper until a limit stops it or the position is solved. Without any limit it solves.
    ///
    /// Of equally good moves it takes the first; with `rng` the moves are shuffled before, so that each of them is as
    /// likely as the others. (Once a winning move is found no other is looked at.)
    pub fn search(&mut self, position: &G, limits: &Limits, rng: Option<&mut Rng>) -> Found<G::Move> {
        let mut meter = Meter::start(limits);
        let view = View::new(self.evaluator.scale(), position.mover());
        if let Some(payoffs) = position.outcome() {
            let value = f64::from(view.finished(&payoffs, position.mover())) / self.evaluator.unit();
            return answer(None, value, true, 0, &meter, Vec::new());
        }
        let deepest = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let horizon = Horizon { ply: 0, depth: deepest };
        let mut moves = Vec::new();
        self.evaluator.moves(position, horizon, &mut moves);
        if let Some(rng) = rng {
            shuffle(&mut moves, rng);
        }
        let step = self.settings.step.max(1);
        let mut root = Root::new(&moves);
        // So that the last iteration is the deepest allowed, whatever the step.
        let mut depth = (deepest - 1) % step + 1;
        self.plies.resize_with(deepest as usize + 1, Ply::default);
        while depth <= deepest {
            let mut iteration = Iteration {
                evaluator: &self.evaluator,
                view,
                salt: view.salt(),
                table: self.table.as_mut(),
                history: &mut self.history,
                plies: &mut self.plies,
                meter: &mut meter,
            };
            let before = root.best.clone();
            iteration.root(position, depth, &mut root);
            let lost = root.answer.value == -view.win();
            if lost && self.settings.hold_out && root.depth > 1 && !meter.stopped() {
                root.best = before;
            }
            if meter.stopped() || root.answer.solved {
                break;
            }
            depth += step;
        }
        let value = f64::from(root.answer.value) / self.evaluator.unit();
        let line = mem::take(&mut root.best.line);
        let best = moves.get(root.best.index).copied();
        answer(best, value, root.answer.solved, root.depth, &meter, line)
    }
}

fn answer<M>(best: Option<M>, value: f64, solved: bool, depth: u32, meter: &Meter, line: Vec<M>) -> Found<M> {
    Found {
        best,
        value,
        solved,
        depth,
        nodes: meter.nodes(),
        time: meter.elapsed(),
        line,
    }
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last as u32 + 1) as usize);
    }
}

/// The root's moves and what is known of them from one iteration to the next.
struct Root<'a, M> {
    moves: &'a [M],
    /// The order in which the moves are tried: indices into `moves`, the most promising first.
    order: Vec<usize>,
    values: Vec<Value>,
    best: Best<M>,
    answer: Answer,
    depth: u32,
}

#[derive(Clone)]
struct Best<M> {
    index: usize,
    line: Vec<M>,
}

impl<'a, M: Copy> Root<'a, M> {
    fn new(moves: &'a [M]) -> Self {
        Root {
            moves,
            order: (0..moves.len()).collect(),
            values: vec![Value::MIN; moves.len()],
            best: Best {
                index: 0,
                line: moves.first().copied().into_iter().collect(),
            },
            answer: Answer {
                value: 0,
                solved: false,
            },
            depth: 0,
        }
    }
}

impl<G: Game, E: Evaluator<G>> Iteration<'_, G, E> {
    /// Finds the first of the best moves at `depth`. The moves are tried in the order of promise, and yet the answer is
    /// that of trying them as they stand: a move that stands before the best so far takes its place already when it is
    /// as good, one that stands behind only when it is better.
    fn root(&mut self, position: &G, depth: u32, root: &mut Root<G::Move>) {
        let lead = root.best.index;
        root.order.sort_by_key(|&i| (i != lead, -i64::from(root.values[i])));
        let win = self.view.win();
        let mut best: Option<(usize, Value)> = None;
        let mut solved = true;
        for at in 0..root.order.len() {
            let index = root.order[at];
            let mv = root.moves[index];
            let floor = match best {
                None => -win - 1,
                Some((holder, value)) => value - Value::from(index < holder),
            };
            let mut answer = self.after(
                position,
                mv,
                depth,
                0,
                floor,
                if best.is_none() { win } else { floor + 1 },
            );
            if best.is_some() && answer.value > floor && answer.value < win && !self.meter.stopped() {
                answer = self.after(position, mv, depth, 0, floor, win);
            }
            if self.meter.stopped() {
                return;
            }
            root.values[index] = answer.value;
            solved &= answer.solved;
            if answer.value > floor {
                best = Some((index, answer.value));
                root.best.index = index;
                root.best.line.clear();
                root.best.line.push(mv);
                root.best.line.extend_from_slice(&self.plies[1].line);
                root.answer.value = answer.value;
                root.answer.solved = false;
                root.depth = depth;
                if answer.value >= win {
                    root.answer.solved = answer.solved;
                    return;
                }
            }
        }
        root.answer.solved = solved;
    }

    /// What playing `mv` is worth to the mover of `position`, as [`Self::node`] promises.
    #[inline]
    fn after(&mut self, position: &G, mv: G::Move, depth: u32, ply: usize, alpha: Value, beta: Value) -> Answer {
        let mut next = position.clone();
        next.play_unchecked(mv);
        if next.mover() == position.mover() {
            self.node(&next, depth - 1, ply + 1, alpha, beta)
        } else {
            let answer = self.node(&next, depth - 1, ply + 1, -beta, -alpha);
            Answer {
                value: -answer.value,
                ..answer
            }
        }
    }

    /// If the true value is at most `alpha`, an upper bound of it that is at most `alpha`; if it is at least `beta`, a
    /// lower bound that is at least `beta`; else the value. Nonsense once the meter has stopped.
    fn node(&mut self, position: &G, depth: u32, ply: usize, alpha: Value, beta: Value) -> Answer {
        self.plies[ply].line.clear();
        if self.meter.tick() {
            return Answer {
                value: 0,
                solved: false,
            };
        }
        // Nothing is worth more than a win or less than a loss, so some questions answer themselves.
        let win = self.view.win();
        if alpha >= win || beta <= -win {
            return Answer {
                value: if alpha >= win { win } else { -win },
                solved: true,
            };
        }
        if let Some(payoffs) = position.outcome() {
            return Answer {
                value: self.view.finished(&payoffs, position.mover()),
                solved: true,
            };
        }
        if depth == 0 {
            return Answer {
                value: self.evaluator.evaluate(position),
                solved: false,
            };
        }
        if depth == 1
            && let Some(last) = self.evaluator.last_ply(position, &self.view, beta)
        {
            self.plies[ply].line.push(last.best);
            return Answer {
                value: last.value,
                solved: last.solved,
            };
        }
        if let Some(mv) = self.evaluator.winning_move(position) {
            self.plies[ply].line.push(mv);
            return Answer {
                value: win,
                solved: true,
            };
        }
        let key = position.key() ^ self.salt;
        let mut table_move = None;
        if let Some(entry) = self.table.as_ref().and_then(|table| table.get(key)) {
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            };
            if decides && entry.serves(depth as u8) {
                self.plies[ply]
                    .line
                    .extend(entry.best.filter(|&mv| position.is_legal(mv)));
                return Answer {
                    value: entry.value,
                    solved: entry.solved,
                };
            }
            table_move = entry.best;
        }
        // The level's buffers are borrowed for the node's life and then given back.
        let mut level = mem::take(&mut self.plies[ply]);
        let answer = self.branches(position, depth, ply, alpha, beta, &mut level, table_move, key);
        self.plies[ply] = level;
        answer
    }

    /// The body of [`Self::node`]: tries the moves, keeps the best, writes the table.
    #[allow(clippy::too_many_arguments)]
    fn branches(
        &mut self,
        position: &G,
        depth: u32,
        ply: usize,
        mut alpha: Value,
        beta: Value,
        level: &mut Ply<G::Move>,
        table_move: Option<G::Move>,
        key: u64,
    ) -> Answer {
        let low = alpha;
        let beta = beta.min(self.view.win());
        let horizon = Horizon { ply: ply as u32, depth };
        self.evaluator.moves(position, horizon, &mut level.moves);
        self.score(position, level, table_move);
        let mut best = Answer {
            value: Value::MIN,
            solved: true,
        };
        let mut best_move = None;
        for at in 0..level.moves.len() {
            pull_forward(&mut level.moves, &mut level.scores, at);
            let mv = level.moves[at];
            let mut answer;
            if at == 0 || depth <= 2 || beta - alpha == 1 {
                answer = self.after(position, mv, depth, ply, alpha, beta);
            } else {
                // The first move is expected to be the best: first ask only whether this one is better.
                answer = self.after(position, mv, depth, ply, alpha, alpha + 1);
                if answer.value > alpha && answer.value < beta && !self.meter.stopped() {
                    answer = self.after(position, mv, depth, ply, alpha, beta);
                }
            }
            if self.meter.stopped() {
                return answer;
            }
            if answer.value >= beta {
                self.reward(level, mv, depth);
                self.put(key, answer.value, Some(mv), depth, Bound::Lower, answer.solved);
                level.line.clear();
                level.line.push(mv);
                level.line.extend_from_slice(&self.plies[ply + 1].line);
                return answer;
            }
            best.solved &= answer.solved;
            if answer.value > best.value {
                best.value = answer.value;
                best_move = Some(mv);
                if answer.value > alpha {
                    alpha = answer.value;
                    level.line.clear();
                    level.line.push(mv);
                    level.line.extend_from_slice(&self.plies[ply + 1].line);
                }
            }
        }
        let bound = if best.value > low { Bound::Exact } else { Bound::Upper };
        self.put(key, best.value, best_move, depth, bound, best.solved);
        best
    }

    fn put(&mut self, key: u64, value: Value, best: Option<G::Move>, depth: u32, bound: Bound, solved: bool) {
        if let Some(table) = self.table.as_mut() {
            table.put(key, value, best, depth as u8, bound, solved);
        }
    }

    fn score(&self, position: &G, level: &mut Ply<G::Move>, table_move: Option<G::Move>) {
        const TABLE: i32 = i32::MAX;
        const KILLERS: [i32; 2] = [1 << 29, 1 << 28];
        level.scores.clear();
        for &mv in &level.moves {
            level.scores.push(if Some(mv) == table_move {
                TABLE
            } else if Some(mv) == level.killers[0] {
                KILLERS[0]
            } else if Some(mv) == level.killers[1] {
                KILLERS[1]
            } else {
                self.history.of(&mv) as i32 + self.evaluator.promise(position, mv)
            });
        }
    }

    fn reward(&mut self, level: &mut Ply<G::Move>, mv: G::Move, depth: u32) {
        self.history.reward(&mv, depth);
        if level.killers[0] != Some(mv) {
            level.killers = [Some(mv), level.killers[0]];
        }
    }
}

/// Brings the most promising of the moves from `at` on to `at`: a cutoff rarely needs more than a few of them sorted.
#[inline]
fn pull_forward<M>(moves: &mut [M], scores: &mut [i32], at: usize) {
    let mut top = at;
    for i in at + 1..scores.len() {
        if scores[i] > scores[top] {
            top = i;
        }
    }
    moves.swap(at, top);
    scores.swap(at, top);
}
