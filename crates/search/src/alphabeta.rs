//! Alpha-beta with iterative deepening, a transposition table, killer moves and history: the root and the iterations.

use crate::meter::Meter;
use crate::order::History;
use crate::pvs::{NodeValue, Ply, PvSearch, Window};
use crate::transposition::TranspositionTable;
use crate::{Evaluator, Horizon, Limits, SeatScale, Value};
use game::{Game, Rng, below};
use player::{Analysis, Score};

/// How an [`AlphaBeta`] works.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The table has `2^table` pairs of entries; `None` is no table.
    pub table: Option<u32>,
    /// When every move loses: play the one that lost at the greatest depth, rather than any.
    pub hold_out: bool,
    /// How much deeper each iteration searches than the one before.
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
    table: Option<TranspositionTable<G::Move>>,
    history: History,
    plies: Vec<Ply<G::Move>>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A search with this evaluator.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        AlphaBeta {
            evaluator,
            settings,
            table: settings.table.map(TranspositionTable::new),
            history: History::new(),
            plies: Vec::new(),
        }
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Forgets earlier searches, so that the next visits the same nodes as a new one would.
    pub fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.history.clear();
        self.plies.iter_mut().for_each(Ply::clear_killers);
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
        if position.outcome().is_some() {
            return None;
        }
        let mut meter = Meter::start(limits);
        let unit = self.evaluator.unit();
        let Settings { hold_out, step, .. } = self.settings;
        let deepest = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let (mut tree, mut moves) = self.begin(position, deepest, &mut meter);
        let view = tree.view;
        if let Some(rng) = rng {
            shuffle(&mut moves, rng);
        }
        let mut root = Root::new(&moves)?;
        let step = step.max(1);
        // So that the last iteration is the deepest allowed, whatever the step.
        let mut depth = (deepest - 1) % step + 1;
        while depth <= deepest {
            let before = root.best.clone();
            root.iterate(&mut tree, position, depth);
            if hold_out && root.depth > 1 && root.answer.value == -view.win() && !tree.meter.stopped() {
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

    /// A search of a position to so many plies at the most, and the moves of its root.
    fn begin<'s>(&'s mut self, position: &G, deepest: u32, meter: &'s mut Meter) -> (PvSearch<'s, G, E>, Vec<G::Move>) {
        let mut moves = Vec::new();
        self.evaluator
            .moves(position, Horizon { ply: 0, depth: deepest }, &mut moves);
        self.plies.resize_with(deepest as usize + 1, Ply::default);
        let tree = PvSearch {
            evaluator: &self.evaluator,
            view: SeatScale::new(self.evaluator.scale(), position.mover()),
            table: self.table.as_mut(),
            history: &mut self.history,
            plies: &mut self.plies,
            meter,
        };
        (tree, moves)
    }

    /// All moves that [`search`](AlphaBeta::search) with chance and a limit of depth alone may find, each as likely as the others; where a
    /// move wins, all that win. Empty if the game is over.
    pub fn best_moves(&mut self, position: &G, deepest: u32) -> Vec<G::Move> {
        let mut best = Vec::new();
        if position.outcome().is_some() {
            return best;
        }
        let deepest = deepest.clamp(1, DEEPEST);
        let mut meter = Meter::start(&Limits::default());
        let step = self.settings.step.max(1);
        let (mut tree, mut moves) = self.begin(position, deepest, &mut meter);
        let mut depth = (deepest - 1) % step + 1;
        while depth <= deepest {
            // The best of the last depth first: the others then need only a null window.
            these_first(&mut moves, &best);
            best.clear();
            let (mut value, mut solved) = (-tree.view.win() - 1, true);
            let at = Horizon { ply: 0, depth };
            for &mv in &moves {
                let (floor, beta) = (value - 1, tree.view.win() + 1);
                let asked = if best.is_empty() { beta } else { value };
                let mut answer = tree.after_root(
                    position,
                    mv,
                    at,
                    Window {
                        alpha: floor,
                        beta: asked,
                    },
                );
                if answer.value > floor && asked < beta {
                    answer = tree.after_root(position, mv, at, Window { alpha: floor, beta });
                }
                solved &= answer.solved;
                if answer.value > value {
                    value = answer.value;
                    best.clear();
                }
                if answer.value == value {
                    best.push(mv);
                }
            }
            if solved || value >= tree.view.win() {
                break;
            }
            depth += step;
        }
        best
    }
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(rng, last as u32 + 1) as usize);
    }
}

/// The root moves and what earlier iterations found about them.
struct Root<'a, M> {
    moves: &'a [M],
    /// The move ordering: indices into `moves`, the best of the last iteration first.
    order: Vec<usize>,
    values: Vec<Value>,
    best: BestRootMove<M>,
    answer: NodeValue,
    depth: u32,
}

#[derive(Clone)]
struct BestRootMove<M> {
    index: usize,
    pv: Vec<M>,
}

impl<'a, M: Copy> Root<'a, M> {
    /// `None` if there is no move.
    fn new(moves: &'a [M]) -> Option<Self> {
        let &first = moves.first()?;
        Some(Root {
            moves,
            order: (0..moves.len()).collect(),
            values: vec![Value::MIN; moves.len()],
            best: BestRootMove {
                index: 0,
                pv: vec![first],
            },
            answer: NodeValue {
                value: 0,
                solved: false,
            },
            depth: 0,
        })
    }

    /// What is known so far, with values in units of so many points.
    fn analysis(&self, view: &SeatScale, unit: f64, meter: &Meter) -> Analysis<M> {
        let NodeValue { value, solved } = self.answer;
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
            pv: self.best.pv.clone(),
            ..Analysis::of_move(self.moves[self.best.index])
        }
    }

    /// One iteration: finds the first of the best moves at `depth`. The result does not depend on the move ordering: among
    /// equal moves the one that comes first in `moves` wins. So a move before the best so far replaces it when it is as
    /// good, and a move behind it only when it is better.
    ///
    /// When the meter stops the iteration, what it found until then counts: the iteration began with the best move of the
    /// last one.
    fn iterate<G, E>(&mut self, tree: &mut PvSearch<G, E>, position: &G, depth: u32)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let last_best = self.best.index;
        best_first(&mut self.order, last_best, &self.values);
        let win = tree.view.win();
        let at = Horizon { ply: 0, depth };
        let mut best: Option<(usize, Value)> = None;
        let mut solved = true;
        for &index in &self.order {
            let mv = self.moves[index];
            let floor = match best {
                None => -win - 1,
                Some((best, value)) => value - Value::from(index < best),
            };
            let full = Window {
                alpha: floor,
                beta: win,
            };
            let first_window = if best.is_none() { full } else { Window::null(floor) };
            let mut answer = tree.after_root(position, mv, at, first_window);
            if best.is_some() && answer.value > floor && answer.value < win && !tree.meter.stopped() {
                answer = tree.after_root(position, mv, at, full);
            }
            if tree.meter.stopped() {
                return;
            }
            self.values[index] = answer.value;
            solved &= answer.solved;
            if answer.value > floor {
                best = Some((index, answer.value));
                self.best.index = index;
                self.best.pv.clear();
                self.best.pv.push(mv);
                self.best.pv.extend_from_slice(&tree.plies[1].pv);
                self.depth = depth;
                self.answer = NodeValue {
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

/// Sorts root moves: some before all others. A function of its own, as the next one: sorting is much code, and becomes so once for
/// each kind of move, not once for each game and evaluator.
fn these_first<M: PartialEq>(moves: &mut [M], first: &[M]) {
    moves.sort_by_key(|mv| !first.contains(mv));
}

/// Sorts the numbers of root moves by their values, the best of the last depth before all.
fn best_first(order: &mut [usize], last_best: usize, values: &[Value]) {
    order.sort_by_key(|&i| (i != last_best, -i64::from(values[i])));
}
