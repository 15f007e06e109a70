//! Alpha-beta whose moves are made side by side: all children of a position in one pass of the lanes ([`crate::offspring`]), which takes little
//! longer than making one of them.
//!
//! A position at the horizon is judged by what stands on the board and by how many moves there are, once no capture is left that pays: what is worth
//! something to one side and changes hands is followed to its end. It finds what plain alpha-beta finds with the same judge (a test compares
//! them), and makes some twenty times as many positions a second.

mod table;

use super::deep::{CHOICE, WIN};
use crate::offspring::{Birth, Generation, Nursery, RowLayout, Standing, bits, count};
use crate::{Move, Position};
use game::{Game, Rng, Until, below};
use player::Analysis;
use search::Value;
use std::cmp::Reverse;
use table::{Bound, FoundBound, LookaheadTable, NONE};

/// The most moves that are looked ahead, captures at the horizon not counted.
const DEEPEST: u32 = 100;
/// The most captures in a row that are followed at the horizon.
const CAPTURES: u32 = 8;
/// So many moves are made between two looks at the clock.
const LOOK: u64 = 256;
/// How far history counts at most.
const CEILING: u32 = 1 << 20;
/// A move that has answered on the same level is tried before all that only have a history.
const KILLER: u64 = 1 << 21;

/// What facts and choices are worth.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    /// What every fact is worth to the first role.
    pub weights: Vec<i32>,
    /// How many choices there are on average.
    pub branching: Value,
    /// From here on a change of the balance is a capture; none, if there is no material.
    pub noticed: Option<Value>,
}

/// What may be spent.
#[derive(Clone, Debug)]
pub struct LookaheadBudget {
    /// When to stop.
    pub until: Until,
    /// Positions left.
    pub nodes: u64,
    /// How many moves to look ahead at most.
    pub depth: u32,
}

/// Why there is no answer: the budget is spent.
struct Spent;

/// The children of one position.
#[derive(Debug, Default)]
struct LookaheadLevel {
    generation: Generation,
    /// The moves that led to them.
    moves: Vec<u32>,
    /// What stands on their boards, to the first role.
    balances: Vec<Value>,
    /// Those that are to be searched, and how soon.
    order: Vec<(u64, u32)>,
    killers: [u32; 2],
}

/// What is better for whoever moves.
#[derive(Clone, Copy)]
struct LookaheadWindow {
    alpha: Value,
    beta: Value,
}

/// The search, and what it remembers from move to move.
pub struct Lookahead {
    judge: Judge,
    nursery: Box<dyn Nursery>,
    levels: Vec<LookaheadLevel>,
    births: Vec<Birth>,
    table: LookaheadTable,
    /// How often each move has answered.
    history: Vec<u32>,
    /// Whether each move is a bare word: who has none but that waits for the other.
    waits: Vec<bool>,
    nodes: u64,
}

/// What a finished game is worth to the first role.
#[inline]
fn finished(standing: &Standing) -> Value {
    let [first, second] = standing.goals.map(Value::from);
    (first - second) * WIN / 100
}

/// The same seen by a role.
#[inline]
fn seen_by(role: usize, value: Value) -> Value {
    if role == 0 { value } else { -value }
}

fn balance(layout: &RowLayout, row: &[u64], weights: &[i32]) -> Value {
    let mut sum = 0;
    bits(row, 0..layout.bases, |fact| {
        sum += weights.get(fact).copied().unwrap_or(0)
    });
    sum
}

impl Lookahead {
    /// A search for the game of a position; none if its moves cannot be made side by side.
    pub fn new(start: &Position, judge: Judge) -> Option<Self> {
        let nursery = start.machine().nursery()?;
        let moves = nursery.layout().legal[1].end - nursery.layout().bases;
        let is_word = |mv: usize| start.machine().is_bare(Move(mv as u32));
        Some(Lookahead {
            judge,
            nursery,
            levels: Vec::new(),
            births: Vec::new(),
            table: LookaheadTable::default(),
            history: vec![0; moves],
            waits: (0..moves).map(is_word).collect(),
            nodes: 0,
        })
    }

    /// Looks further and further ahead until the budget is spent or all is certain, always by an even number of moves: the mover's choices are counted
    /// at the horizon, and they shall be our own. Of equals it takes the first, in an order that `rng` draws.
    pub fn search(
        &mut self,
        root: &Position,
        budget: &mut LookaheadBudget,
        rng: Option<&mut Rng>,
        tell: &mut dyn FnMut(Analysis<Move>),
    ) -> Option<Analysis<Move>> {
        let role = root.mover().index();
        let mut moves = root.view().legal.get(role)?.clone();
        let &first = moves.first()?;
        if let Some(rng) = rng {
            for last in (1..moves.len()).rev() {
                moves.swap(last, below(rng, last as u32 + 1) as usize);
            }
        }
        self.nodes = 0;
        let mut best = Analysis {
            value: Some(0.0),
            depth: Some(0),
            ..Analysis::of_move(first)
        };
        self.stand(root);
        let deepest = budget.depth.clamp(1, DEEPEST);
        let mut values = vec![0; moves.len()];
        let mut depth = (deepest - 1) % 2 + 1;
        while depth <= deepest {
            let before = best.clone();
            let ended = self.iterate(root, &mut moves, &mut values, depth, budget, &mut best);
            best.nodes = Some(self.nodes);
            let lost = best.value == Some(f64::from(-WIN));
            // Who loses in any case holds out for as long as it has seen.
            if lost && before.depth > Some(0) {
                (best.best, best.pv) = (before.best, before.pv);
            }
            if ended.is_err() || best.solved {
                break;
            }
            tell(best.clone());
            depth += 2;
        }
        Some(best)
    }

    /// Forgets what was found.
    #[cfg(test)]
    fn forget(&mut self) {
        self.table = LookaheadTable::default();
    }

    /// Makes a position the root.
    fn stand(&mut self, root: &Position) {
        self.levels
            .resize_with(self.levels.len().max(2), LookaheadLevel::default);
        self.table.make_room();
        let layout = self.nursery.layout();
        let top = &mut self.levels[0];
        layout.write(&root.state().0, &root.view().legal, &mut top.generation.rows);
        let chooses = |role: usize| root.mover().index() == role;
        top.generation.standings.clear();
        top.generation.standings.push(Standing {
            chooses: [chooses(0), chooses(1)],
            ..Standing::default()
        });
        top.balances.clear();
        top.balances
            .push(balance(layout, &top.generation.rows, &self.judge.weights));
    }

    /// Looks a number of moves ahead. What was found counts even if it does not come to its end: the best move of before was the first.
    fn iterate(
        &mut self,
        root: &Position,
        moves: &mut [Move],
        values: &mut [Value],
        depth: u32,
        budget: &mut LookaheadBudget,
        best: &mut Analysis<Move>,
    ) -> Result<(), Spent> {
        let role = root.mover().index();
        let last_best = best.best;
        let mut order: Vec<usize> = (0..moves.len()).collect();
        order.sort_by_key(|&at| (moves[at] != last_best, Reverse(values[at])));
        let sorted: Vec<(Move, Value)> = order.iter().map(|&at| (moves[at], values[at])).collect();
        for (at, &(mv, value)) in sorted.iter().enumerate() {
            (moves[at], values[at]) = (mv, value);
        }
        self.bear(0, 0, budget)?;
        let mut alpha = -WIN - 1;
        let mut solved = true;
        for at in 0..moves.len() {
            let Some(child) = self.levels[1].moves.iter().position(|&mv| mv == moves[at].0) else {
                continue;
            };
            let first = alpha < -WIN;
            let full = LookaheadWindow { alpha, beta: WIN };
            let narrow = LookaheadWindow { alpha, beta: alpha + 1 };
            let mut found = self.after(1, child, role, depth - 1, if first { full } else { narrow }, budget)?;
            if !first && found.value > alpha && found.value < WIN {
                found = self.after(1, child, role, depth - 1, full, budget)?;
            }
            values[at] = found.value;
            solved &= found.solved;
            if found.value > alpha {
                alpha = found.value;
                let won = found.solved && found.value >= WIN;
                *best = Analysis {
                    value: Some(f64::from(found.value)),
                    depth: Some(depth),
                    solved: won,
                    pv: self.line(root, moves[at], depth),
                    ..Analysis::of_move(moves[at])
                };
                if won {
                    return Ok(());
                }
            }
        }
        best.solved = solved;
        Ok(())
    }

    /// The moves that are expected after a first one.
    fn line(&self, root: &Position, first: Move, depth: u32) -> Vec<Move> {
        let layout = self.nursery.layout();
        let (mut line, mut position, mut row) = (vec![first], root.clone(), Vec::new());
        position.play_unchecked(first);
        while line.len() < depth as usize && position.outcome().is_none() {
            layout.write(&position.state().0, &position.view().legal, &mut row);
            let known = self.table.get(layout.key(&row));
            let legal = position.view().legal.get(position.mover().index());
            let next = legal.and_then(|legal| legal.iter().find(|mv| Some(mv.0) == known.map(|known| known.mv)));
            let Some(&next) = next else { break };
            line.push(next);
            position.play_unchecked(next);
        }
        line
    }

    /// Whose move it is.
    #[inline]
    fn mover(&self, level: usize, at: usize) -> usize {
        let generation = &self.levels[level].generation;
        match generation.standings[at].chooses {
            [_, true] => 1,
            [true, _] => 0,
            _ => self.mover_without_choice(generation.row(self.nursery.layout(), at)),
        }
    }

    #[cold]
    fn mover_without_choice(&self, row: &[u64]) -> usize {
        let mut waits = true;
        self.nursery
            .layout()
            .moves(row, 0, |mv| waits = self.waits[mv as usize]);
        usize::from(waits)
    }

    /// Makes the children of a position.
    fn bear(&mut self, level: usize, at: usize, budget: &mut LookaheadBudget) -> Result<(), Spent> {
        if self.levels.len() < level + 2 {
            self.levels.push(LookaheadLevel::default());
        }
        let role = self.mover(level, at);
        let (above, below) = self.levels.split_at_mut(level + 1);
        let (parents, next) = (&above[level].generation, &mut below[0]);
        let layout = self.nursery.layout();
        let row = parents.row(layout, at);
        let mut joint = [NONE; 2];
        // Who has no choice has one move.
        layout.moves(row, 1 - role, |mv| joint[1 - role] = mv);
        self.births.clear();
        next.moves.clear();
        layout.moves(row, role, |mv| {
            joint[role] = mv;
            next.moves.push(mv);
            self.births.push(Birth {
                parent: at as u32,
                joint,
            });
        });
        let count = self.births.len() as u64;
        let before = self.nodes;
        self.nodes += count;
        budget.nodes = budget.nodes.checked_sub(count).ok_or(Spent)?;
        if before / LOOK != self.nodes / LOOK && budget.until.is_over() {
            return Err(Spent);
        }
        self.nursery.bear(parents, &self.births, &mut next.generation);
        let layout = self.nursery.layout();
        next.balances.clear();
        for child in 0..self.births.len() {
            let row = next.generation.row(layout, child);
            next.balances.push(balance(layout, row, &self.judge.weights));
        }
        Ok(())
    }

    /// What a child is worth to the role that chose it.
    fn after(
        &mut self,
        level: usize,
        at: usize,
        role: usize,
        depth: u32,
        window: LookaheadWindow,
        budget: &mut LookaheadBudget,
    ) -> Result<FoundBound, Spent> {
        let standing = self.levels[level].generation.standings[at];
        if standing.over {
            return Ok(FoundBound {
                value: seen_by(role, finished(&standing)),
                solved: true,
            });
        }
        if self.mover(level, at) == role {
            return self.node(level, at, depth, window, budget);
        }
        let turned = LookaheadWindow {
            alpha: -window.beta,
            beta: -window.alpha,
        };
        let found = self.node(level, at, depth, turned, budget)?;
        Ok(FoundBound {
            value: -found.value,
            ..found
        })
    }

    /// What a position that is not over is worth to its mover.
    fn node(
        &mut self,
        level: usize,
        at: usize,
        depth: u32,
        window: LookaheadWindow,
        budget: &mut LookaheadBudget,
    ) -> Result<FoundBound, Spent> {
        let standing = self.levels[level].generation.standings[at];
        // Nothing is worth more than a win or less than a loss.
        if window.alpha >= WIN || window.beta <= -WIN {
            let value = if window.alpha >= WIN { WIN } else { -WIN };
            return Ok(FoundBound { value, solved: true });
        }
        if depth == 0 || standing.chooses == [true, true] {
            let value = self.quiet(level, at, window, CAPTURES, budget)?;
            return Ok(FoundBound { value, solved: false });
        }
        let key = self.key(level, at);
        let known = self.table.get(key);
        if let Some(known) = known
            && let Some(found) = known.decides(depth, window.alpha, window.beta)
        {
            return Ok(found);
        }
        self.bear(level, at, budget)?;
        let role = self.mover(level, at);
        let mut order = std::mem::take(&mut self.levels[level + 1].order);
        let best_known = known.map_or(NONE, |known| known.mv);
        let searched = match self.rank(level + 1, role, best_known, &mut order) {
            Some(mv) => {
                let won = FoundBound {
                    value: WIN,
                    solved: true,
                };
                self.table.put(key, won, mv, depth, Bound::Lower);
                Ok(won)
            }
            None => self.among(level, key, role, depth, window, &mut order, budget),
        };
        self.levels[level + 1].order = order;
        searched
    }

    /// Sorts the children of a position for its mover; a move that wins at once instead, if there is one.
    fn rank(&self, level: usize, role: usize, best: u32, order: &mut Vec<(u64, u32)>) -> Option<u32> {
        let LookaheadLevel {
            generation,
            moves,
            balances,
            killers,
            ..
        } = &self.levels[level];
        order.clear();
        let coarse = self.judge.noticed.unwrap_or(Value::MAX);
        for (at, &mv) in moves.iter().enumerate() {
            let standing = &generation.standings[at];
            if standing.over && seen_by(role, finished(standing)) >= WIN {
                return Some(mv);
            }
            let steps = i64::from(seen_by(role, balances[at]).div_euclid(coarse)) + (1 << 20);
            let mut rank = (steps as u64) << 32 | u64::from(self.history.get(mv as usize).copied().unwrap_or(0));
            if killers.contains(&mv) {
                rank += KILLER;
            }
            if mv == best {
                rank = u64::MAX;
            }
            order.push((rank, at as u32));
        }
        order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        None
    }

    /// The best of the children of a position.
    #[allow(clippy::too_many_arguments, reason = "what a node knows of itself, passed on once")]
    fn among(
        &mut self,
        level: usize,
        key: u64,
        role: usize,
        depth: u32,
        window: LookaheadWindow,
        order: &mut [(u64, u32)],
        budget: &mut LookaheadBudget,
    ) -> Result<FoundBound, Spent> {
        let LookaheadWindow { mut alpha, beta } = window;
        let beta = beta.min(WIN);
        let mut best = FoundBound {
            value: Value::MIN,
            solved: true,
        };
        let mut best_move = NONE;
        for (number, &(_, at)) in order.iter().enumerate() {
            let at = at as usize;
            let mv = self.levels[level + 1].moves[at];
            let full = LookaheadWindow { alpha, beta };
            let narrow = LookaheadWindow { alpha, beta: alpha + 1 };
            let plain = number == 0 || beta - alpha == 1;
            let mut found = self.after(
                level + 1,
                at,
                role,
                depth - 1,
                if plain { full } else { narrow },
                budget,
            )?;
            if !plain && found.value > alpha && found.value < beta {
                found = self.after(level + 1, at, role, depth - 1, full, budget)?;
            }
            if found.value >= beta {
                self.praise(level + 1, mv, depth);
                self.table.put(key, found, mv, depth, Bound::Lower);
                return Ok(found);
            }
            best.solved &= found.solved;
            if found.value > best.value {
                best.value = found.value;
                best_move = mv;
                alpha = alpha.max(found.value);
            }
        }
        let bound = if best.value > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.table.put(key, best, best_move, depth, bound);
        Ok(best)
    }

    /// A move was the answer at a level.
    fn praise(&mut self, level: usize, mv: u32, depth: u32) {
        let killers = &mut self.levels[level].killers;
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        if let Some(count) = self.history.get_mut(mv as usize) {
            *count += depth * depth;
            if *count > CEILING {
                self.history.iter_mut().for_each(|count| *count /= 2);
            }
        }
    }

    #[inline]
    fn key(&self, level: usize, at: usize) -> u64 {
        let layout = self.nursery.layout();
        layout.key(self.levels[level].generation.row(layout, at))
    }

    /// What a position that is not over seems to be worth to its mover.
    fn seems(&self, level: usize, at: usize) -> Value {
        let LookaheadLevel {
            generation, balances, ..
        } = &self.levels[level];
        let layout = self.nursery.layout();
        let role = self.mover(level, at);
        let choices = count(generation.row(layout, at), layout.legal[role].clone()) as Value;
        let value = seen_by(role, balances[at]) + CHOICE * (choices - self.judge.branching);
        value.clamp(1 - WIN, WIN - 1)
    }

    /// The same, once its mover has made the captures that pay, if there is any.
    fn quiet(
        &mut self,
        level: usize,
        at: usize,
        window: LookaheadWindow,
        left: u32,
        budget: &mut LookaheadBudget,
    ) -> Result<Value, Spent> {
        let mut best = self.seems(level, at);
        let standing = self.levels[level].generation.standings[at];
        let Some(noticed) = self.judge.noticed else {
            return Ok(best);
        };
        if best >= window.beta || left == 0 || standing.chooses == [true, true] {
            return Ok(best);
        }
        let role = self.mover(level, at);
        let before = seen_by(role, self.levels[level].balances[at]);
        self.bear(level, at, budget)?;
        let below = level + 1;
        let mut order = std::mem::take(&mut self.levels[below].order);
        order.clear();
        for (child, &balance) in self.levels[below].balances.iter().enumerate() {
            let gain = seen_by(role, balance) - before;
            let over = self.levels[below].generation.standings[child].over;
            if gain >= noticed || over {
                order.push(((i64::from(gain) + (1 << 32)) as u64, child as u32));
            }
        }
        order.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut alpha = window.alpha;
        for &(_, child) in &order {
            let child = child as usize;
            alpha = alpha.max(best);
            let standing = self.levels[below].generation.standings[child];
            let value = if standing.over {
                seen_by(role, finished(&standing))
            } else if self.mover(below, child) == role {
                let same = LookaheadWindow { alpha, ..window };
                self.quiet(below, child, same, left - 1, budget)?
            } else {
                let turned = LookaheadWindow {
                    alpha: -window.beta,
                    beta: -alpha,
                };
                -self.quiet(below, child, turned, left - 1, budget)?
            };
            best = best.max(value);
            if best >= window.beta {
                break;
            }
        }
        self.levels[below].order = order;
        // A game that is over at the horizon is not certain: the mover need not have come here.
        Ok(best.clamp(1 - WIN, WIN - 1))
    }
}

#[cfg(test)]
mod tests;
