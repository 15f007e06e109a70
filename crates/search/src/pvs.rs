//! Principal variation search: alpha-beta below the root.

use crate::meter::Meter;
use crate::order::History;
use crate::transposition::{Bound, TranspositionTable};
use crate::{Evaluator, Horizon, SeatScale, Value};
use game::Game;
use std::mem;

/// The buffers of one ply, so that no node allocates.
pub(crate) struct Ply<M> {
    moves: Vec<M>,
    scores: Vec<i32>,
    killers: [Option<M>; 2],
    /// The principal variation from this ply on.
    pub pv: Vec<M>,
}

impl<M> Default for Ply<M> {
    fn default() -> Self {
        Ply {
            moves: Vec::new(),
            scores: Vec::new(),
            killers: [None, None],
            pv: Vec::new(),
        }
    }
}

impl<M: Copy + PartialEq> Ply<M> {
    pub fn clear_killers(&mut self) {
        self.killers = [None, None];
    }

    /// Makes `mv` and the variation after it the principal variation of this ply.
    fn set_pv(&mut self, mv: M, after: &[M]) {
        self.pv.clear();
        self.pv.push(mv);
        self.pv.extend_from_slice(after);
    }

    /// Move ordering by selection: brings the move with the highest score from `at` on to `at`. A cutoff rarely needs more
    /// than the first few moves, so sorting all of them would be wasted.
    #[inline]
    fn pick_best(&mut self, at: usize) -> M {
        let mut top = at;
        for i in at + 1..self.scores.len() {
            if self.scores[i] > self.scores[top] {
                top = i;
            }
        }
        self.moves.swap(at, top);
        self.scores.swap(at, top);
        self.moves[at]
    }

    fn add_killer(&mut self, killer: M) {
        if self.killers[0] != Some(killer) {
            self.killers = [Some(killer), self.killers[0]];
        }
    }
}

/// A value and whether it depends on finished games alone. One that does holds at every greater depth, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeValue {
    pub value: Value,
    pub solved: bool,
}

impl NodeValue {
    fn solved(value: Value) -> Self {
        NodeValue { value, solved: true }
    }

    fn estimate(value: Value) -> Self {
        NodeValue { value, solved: false }
    }
}

/// The search window: values above `alpha` and below `beta` are exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// A null window: it only tells whether a value is above `floor`.
    pub fn null(floor: Value) -> Self {
        Window {
            alpha: floor,
            beta: floor + 1,
        }
    }

    fn negated(self) -> Self {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// One iteration (a search to a fixed depth), with what is kept between iterations.
pub(crate) struct PvSearch<'a, G: Game, E> {
    pub evaluator: &'a E,
    pub view: SeatScale,
    pub table: Option<&'a mut TranspositionTable<G::Move>>,
    pub history: &'a mut History,
    pub plies: &'a mut [Ply<G::Move>],
    pub meter: &'a mut Meter,
}

impl<G: Game, E: Evaluator<G>> PvSearch<'_, G, E> {
    /// [`after`](Self::after) for the root, where many ask: one copy of the code is enough there.
    #[inline(never)]
    pub fn after_root(&mut self, position: &G, mv: G::Move, at: Horizon, window: Window) -> NodeValue {
        self.after(position, mv, at, window)
    }

    /// What playing `mv` is worth to the mover of `position`, as [`Self::node`] promises.
    #[inline]
    pub fn after(&mut self, position: &G, mv: G::Move, at: Horizon, window: Window) -> NodeValue {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let at = Horizon {
            ply: at.ply + 1,
            depth: at.depth - 1,
        };
        if next.mover() == position.mover() {
            return self.node(&next, at, window);
        }
        let answer = self.node(&next, at, window.negated());
        NodeValue {
            value: -answer.value,
            ..answer
        }
    }

    /// If the true value is at most `alpha`, an upper bound of it that is at most `alpha`; if it is at least `beta`, a
    /// lower bound that is at least `beta`; else the value. Meaningless once the meter has stopped.
    fn node(&mut self, position: &G, at: Horizon, window: Window) -> NodeValue {
        let ply = at.ply as usize;
        self.plies[ply].pv.clear();
        if self.meter.tick() {
            return NodeValue::estimate(0);
        }
        // Nothing is worth more than a win or less than a loss, so some windows are decided at once.
        let win = self.view.win();
        if window.alpha >= win {
            return NodeValue::solved(win);
        }
        if window.beta <= -win {
            return NodeValue::solved(-win);
        }
        if let Some(payoffs) = position.outcome() {
            return NodeValue::solved(self.view.finished(&payoffs, position.mover()));
        }
        if at.depth == 0 {
            return NodeValue::estimate(self.evaluator.evaluate(position));
        }
        if at.depth == 1
            && let Some(last) = self.evaluator.last_ply(position, &self.view, window.beta)
        {
            self.plies[ply].pv.push(last.best);
            return NodeValue {
                value: last.value,
                solved: last.solved,
            };
        }
        if let Some(mv) = self.evaluator.winning_move(position) {
            self.plies[ply].pv.push(mv);
            return NodeValue::solved(win);
        }
        let key = position.key() ^ self.view.salt();
        let mut hash_move = None;
        if let Some(entry) = self.table.as_ref().and_then(|table| table.get(key)) {
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window.beta,
                Bound::Upper => entry.value <= window.alpha,
            };
            hash_move = entry.best;
            if decides && entry.serves(at.depth as u8) {
                let answer = NodeValue {
                    value: entry.value,
                    solved: entry.solved,
                };
                self.plies[ply].pv.extend(hash_move.filter(|&mv| position.is_legal(mv)));
                return answer;
            }
        }
        // The buffers are taken for this node and then given back.
        let mut ply_buffers = mem::take(&mut self.plies[ply]);
        self.evaluator.moves(position, at, &mut ply_buffers.moves);
        self.score_moves(position, &mut ply_buffers, hash_move);
        let answer = self.search_moves(position, at, window, &mut ply_buffers, key);
        self.plies[ply] = ply_buffers;
        answer
    }

    /// The body of [`Self::node`]: tries the moves, keeps the best, writes the table.
    fn search_moves(
        &mut self,
        position: &G,
        at: Horizon,
        window: Window,
        ply_buffers: &mut Ply<G::Move>,
        key: u64,
    ) -> NodeValue {
        let Window { mut alpha, beta } = window;
        let beta = beta.min(self.view.win());
        let below = at.ply as usize + 1;
        let mut best = NodeValue::solved(Value::MIN);
        let mut best_move = None;
        for number in 0..ply_buffers.moves.len() {
            let mv = ply_buffers.pick_best(number);
            // The first move is expected to be the best. The others get a null window first, and the full window only when
            // they turn out better.
            let full = Window { alpha, beta };
            let plain = number == 0 || at.depth <= 2 || beta - alpha == 1;
            let mut answer = self.after(position, mv, at, if plain { full } else { Window::null(alpha) });
            if !plain && answer.value > alpha && answer.value < beta && !self.meter.stopped() {
                answer = self.after(position, mv, at, full);
            }
            if self.meter.stopped() {
                return answer;
            }
            if answer.value >= beta {
                self.history.reward(&mv, at.depth);
                ply_buffers.add_killer(mv);
                ply_buffers.set_pv(mv, &self.plies[below].pv);
                self.put(key, answer, Some(mv), at, Bound::Lower);
                return answer;
            }
            best.solved &= answer.solved;
            if answer.value > best.value {
                best.value = answer.value;
                best_move = Some(mv);
                if answer.value > alpha {
                    alpha = answer.value;
                    ply_buffers.set_pv(mv, &self.plies[below].pv);
                }
            }
        }
        let exact = best.value > window.alpha;
        self.put(
            key,
            best,
            best_move,
            at,
            if exact { Bound::Exact } else { Bound::Upper },
        );
        best
    }

    fn put(&mut self, key: u64, answer: NodeValue, best: Option<G::Move>, at: Horizon, bound: Bound) {
        if let Some(table) = self.table.as_mut() {
            table.put(key, answer.value, best, at.depth as u8, bound, answer.solved);
        }
    }

    /// The move ordering scores: the move of the transposition table, killer moves, then history and the evaluator's score.
    fn score_moves(&self, position: &G, ply_buffers: &mut Ply<G::Move>, hash_move: Option<G::Move>) {
        const HASH_MOVE: i32 = i32::MAX;
        const KILLERS: [i32; 2] = [1 << 29, 1 << 28];
        ply_buffers.scores.clear();
        for &mv in &ply_buffers.moves {
            ply_buffers.scores.push(if Some(mv) == hash_move {
                HASH_MOVE
            } else if Some(mv) == ply_buffers.killers[0] {
                KILLERS[0]
            } else if Some(mv) == ply_buffers.killers[1] {
                KILLERS[1]
            } else {
                self.history.score(&mv) as i32 + self.evaluator.promise(position, mv)
            });
        }
    }
}
