//! Alpha-beta below the root.

use crate::meter::Meter;
use crate::order::History;
use crate::table::{Bound, Table};
use crate::{Evaluator, Horizon, Value, View};
use game::Game;
use std::mem;

/// What a level of the tree owns, so that no node allocates.
pub(crate) struct Ply<M> {
    moves: Vec<M>,
    scores: Vec<i32>,
    killers: [Option<M>; 2],
    /// What is expected from this level on.
    pub line: Vec<M>,
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

impl<M: Copy + PartialEq> Ply<M> {
    pub fn forget(&mut self) {
        self.killers = [None, None];
    }

    /// Makes `mv` and what is expected after it the level's line.
    fn lead(&mut self, mv: M, after: &[M]) {
        self.line.clear();
        self.line.push(mv);
        self.line.extend_from_slice(after);
    }

    /// Brings the most promising of the moves from `at` on to `at`: a cutoff rarely needs more than a few of them sorted.
    #[inline]
    fn pull_forward(&mut self, at: usize) -> M {
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

    fn remember(&mut self, killer: M) {
        if self.killers[0] != Some(killer) {
            self.killers = [Some(killer), self.killers[0]];
        }
    }
}

/// A value and whether it rests on finished games alone. One that does holds at every greater depth, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub value: Value,
    pub solved: bool,
}

impl Answer {
    fn solved(value: Value) -> Self {
        Answer { value, solved: true }
    }

    fn guess(value: Value) -> Self {
        Answer { value, solved: false }
    }
}

/// The values that matter: above `alpha`, below `beta`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The question whether a value is above `floor`, and nothing else.
    pub fn above(floor: Value) -> Self {
        Window {
            alpha: floor,
            beta: floor + 1,
        }
    }

    fn of_the_other_seat(self) -> Self {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// One search of a fixed depth, with the tables that outlive it.
pub(crate) struct Tree<'a, G: Game, E> {
    pub evaluator: &'a E,
    pub view: View,
    pub table: Option<&'a mut Table<G::Move>>,
    pub history: &'a mut History,
    pub plies: &'a mut [Ply<G::Move>],
    pub meter: &'a mut Meter,
}

impl<G: Game, E: Evaluator<G>> Tree<'_, G, E> {
    /// What playing `mv` is worth to the mover of `position`, as [`Self::node`] promises.
    #[inline]
    pub fn after(&mut self, position: &G, mv: G::Move, at: Horizon, window: Window) -> Answer {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let at = Horizon {
            ply: at.ply + 1,
            depth: at.depth - 1,
        };
        if next.mover() == position.mover() {
            return self.node(&next, at, window);
        }
        let answer = self.node(&next, at, window.of_the_other_seat());
        Answer {
            value: -answer.value,
            ..answer
        }
    }

    /// If the true value is at most `alpha`, an upper bound of it that is at most `alpha`; if it is at least `beta`, a
    /// lower bound that is at least `beta`; else the value. Nonsense once the meter has stopped.
    fn node(&mut self, position: &G, at: Horizon, window: Window) -> Answer {
        let ply = at.ply as usize;
        self.plies[ply].line.clear();
        if self.meter.tick() {
            return Answer::guess(0);
        }
        // Nothing is worth more than a win or less than a loss, so some questions answer themselves.
        let win = self.view.win();
        if window.alpha >= win {
            return Answer::solved(win);
        }
        if window.beta <= -win {
            return Answer::solved(-win);
        }
        if let Some(payoffs) = position.outcome() {
            return Answer::solved(self.view.finished(&payoffs, position.mover()));
        }
        if at.depth == 0 {
            return Answer::guess(self.evaluator.evaluate(position));
        }
        if at.depth == 1
            && let Some(last) = self.evaluator.last_ply(position, &self.view, window.beta)
        {
            self.plies[ply].line.push(last.best);
            return Answer {
                value: last.value,
                solved: last.solved,
            };
        }
        if let Some(mv) = self.evaluator.winning_move(position) {
            self.plies[ply].line.push(mv);
            return Answer::solved(win);
        }
        let key = position.key() ^ self.view.salt();
        let mut table_move = None;
        if let Some(entry) = self.table.as_ref().and_then(|table| table.get(key)) {
            let decides = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window.beta,
                Bound::Upper => entry.value <= window.alpha,
            };
            table_move = entry.best;
            if decides && entry.serves(at.depth as u8) {
                let answer = Answer {
                    value: entry.value,
                    solved: entry.solved,
                };
                self.plies[ply]
                    .line
                    .extend(table_move.filter(|&mv| position.is_legal(mv)));
                return answer;
            }
        }
        // The level's buffers are borrowed for the node's life and then given back.
        let mut level = mem::take(&mut self.plies[ply]);
        self.evaluator.moves(position, at, &mut level.moves);
        self.score(position, &mut level, table_move);
        let answer = self.branches(position, at, window, &mut level, key);
        self.plies[ply] = level;
        answer
    }

    /// The body of [`Self::node`]: tries the moves, keeps the best, writes the table.
    fn branches(&mut self, position: &G, at: Horizon, window: Window, level: &mut Ply<G::Move>, key: u64) -> Answer {
        let Window { mut alpha, beta } = window;
        let beta = beta.min(self.view.win());
        let below = at.ply as usize + 1;
        let mut best = Answer::solved(Value::MIN);
        let mut best_move = None;
        for number in 0..level.moves.len() {
            let mv = level.pull_forward(number);
            // The first move is expected to be the best: of the others, first ask only whether they are better.
            let open = Window { alpha, beta };
            let plain = number == 0 || at.depth <= 2 || beta - alpha == 1;
            let mut answer = self.after(position, mv, at, if plain { open } else { Window::above(alpha) });
            if !plain && answer.value > alpha && answer.value < beta && !self.meter.stopped() {
                answer = self.after(position, mv, at, open);
            }
            if self.meter.stopped() {
                return answer;
            }
            if answer.value >= beta {
                self.history.reward(&mv, at.depth);
                level.remember(mv);
                level.lead(mv, &self.plies[below].line);
                self.put(key, answer, Some(mv), at, Bound::Lower);
                return answer;
            }
            best.solved &= answer.solved;
            if answer.value > best.value {
                best.value = answer.value;
                best_move = Some(mv);
                if answer.value > alpha {
                    alpha = answer.value;
                    level.lead(mv, &self.plies[below].line);
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

    fn put(&mut self, key: u64, answer: Answer, best: Option<G::Move>, at: Horizon, bound: Bound) {
        if let Some(table) = self.table.as_mut() {
            table.put(key, answer.value, best, at.depth as u8, bound, answer.solved);
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
}
