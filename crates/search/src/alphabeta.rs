//! Alpha-beta with iterative deepening, a transposition table, killers and history: the root and the iterations.

use crate::meter::Meter;
use crate::order::History;
use crate::table::Table;
use crate::tree::{Answer, Ply, Tree, Window};
use crate::{Evaluator, Horizon, Limits, Value, View};
use game::{Game, Rng, below};
use player::{Analysis, Score};

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
        self.plies.iter_mut().for_each(Ply::forget);
    }

    /// Searches deeper and deeper until a limit stops it or the position is solved. Without any limit it solves.
    ///
    /// Of equally good moves it takes the first; with `rng` the moves are shuffled before, so that each of them is as
    /// likely as the others. (Once a winning move is found no other is looked at.)
    ///
    /// `None` only if the game is over.
    pub fn search(&mut self, position: &G, limits: &Limits, rng: Option<&mut Rng>) -> Option<Analysis<G::Move>> {
        self.search_observed(position, limits, rng, &mut |_| ())
    }

    /// The same, telling an observer what each depth has found.
    pub fn search_observed(
        &mut self,
        position: &G,
        limits: &Limits,
        rng: Option<&mut Rng>,
        observer: &mut dyn FnMut(Analysis<G::Move>),
    ) -> Option<Analysis<G::Move>> {
        let mut meter = Meter::start(limits);
        let view = View::new(self.evaluator.scale(), position.mover());
        let unit = self.evaluator.unit();
        if position.outcome().is_some() {
            return None;
        }
        let deepest = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let mut moves = Vec::new();
        self.evaluator
            .moves(position, Horizon { ply: 0, depth: deepest }, &mut moves);
        if let Some(rng) = rng {
            shuffle(&mut moves, rng);
        }
        let mut root = Root::new(&moves)?;
        self.plies.resize_with(deepest as usize + 1, Ply::default);
        let mut tree = Tree {
            evaluator: &self.evaluator,
            view,
            table: self.table.as_mut(),
            history: &mut self.history,
            plies: &mut self.plies,
            meter: &mut meter,
        };
        let step = self.settings.step.max(1);
        // So that the last iteration is the deepest allowed, whatever the step.
        let mut depth = (deepest - 1) % step + 1;
        while depth <= deepest {
            let before = root.best.clone();
            root.iterate(&mut tree, position, depth);
            if self.settings.hold_out && root.depth > 1 && root.answer.value == -view.win() && !tree.meter.stopped() {
                root.best = before;
            }
            if tree.meter.stopped() || root.answer.solved {
                break;
            }
            observer(root.analysis(&view, unit, tree.meter));
            depth += step;
        }
        Some(root.analysis(&view, unit, &meter))
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
    /// `None` if there is no move.
    fn new(moves: &'a [M]) -> Option<Self> {
        let &first = moves.first()?;
        Some(Root {
            moves,
            order: (0..moves.len()).collect(),
            values: vec![Value::MIN; moves.len()],
            best: Best {
                index: 0,
                line: vec![first],
            },
            answer: Answer {
                value: 0,
                solved: false,
            },
            depth: 0,
        })
    }

    /// What is known so far, with values in units of so many points.
    fn analysis(&self, view: &View, unit: f64, meter: &Meter) -> Analysis<M> {
        let Answer { value, solved } = self.answer;
        let shown = f64::from(value) / unit;
        let score = match solved && value.abs() == view.win() {
            true => Score::of_end(value > 0, self.depth),
            false => Score::of_units(shown),
        };
        Analysis {
            value: Some(shown),
            score: Some(score),
            solved,
            depth: Some(self.depth),
            nodes: Some(meter.nodes()),
            time: meter.elapsed(),
            pv: self.best.line.clone(),
            ..Analysis::of_move(self.moves[self.best.index])
        }
    }

    /// Finds the first of the best moves at `depth`. The moves are tried in the order of promise, and yet the answer is
    /// that of trying them as they stand: a move that stands before the best so far takes its place already when it is
    /// as good, one that stands behind only when it is better.
    ///
    /// When the meter stops the iteration, what it found until then counts: it began with the best move of the last one.
    fn iterate<G, E>(&mut self, tree: &mut Tree<G, E>, position: &G, depth: u32)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let lead = self.best.index;
        self.order.sort_by_key(|&i| (i != lead, -i64::from(self.values[i])));
        let win = tree.view.win();
        let at = Horizon { ply: 0, depth };
        let mut best: Option<(usize, Value)> = None;
        let mut solved = true;
        for &index in &self.order {
            let mv = self.moves[index];
            let floor = match best {
                None => -win - 1,
                Some((holder, value)) => value - Value::from(index < holder),
            };
            let open = Window {
                alpha: floor,
                beta: win,
            };
            let first_question = if best.is_none() { open } else { Window::above(floor) };
            let mut answer = tree.after(position, mv, at, first_question);
            if best.is_some() && answer.value > floor && answer.value < win && !tree.meter.stopped() {
                answer = tree.after(position, mv, at, open);
            }
            if tree.meter.stopped() {
                return;
            }
            self.values[index] = answer.value;
            solved &= answer.solved;
            if answer.value > floor {
                best = Some((index, answer.value));
                self.best.index = index;
                self.best.line.clear();
                self.best.line.push(mv);
                self.best.line.extend_from_slice(&tree.plies[1].line);
                self.depth = depth;
                self.answer = Answer {
                    value: answer.value,
                    solved: answer.solved && answer.value >= win,
                };
                if answer.value >= win {
                    return;
                }
            }
        }
        self.answer.solved = solved;
    }
}
