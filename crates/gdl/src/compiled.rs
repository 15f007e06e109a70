//! The compiled machine: the propositional network of the game, evaluated by differences for single positions and many
//! games at once for random play.

use crate::GdlError;
use crate::lanes::BitParallel;
use crate::logic::{FlatProgram, RelId, Statics, WorkBudget};
use crate::machine::{FactWeights, MachineKind, Move, State, StateMachine, StateView, Weigh};
use crate::offspring::Nursery;
use crate::playout::{PlayoutLimit, Playouts, Samples};
use crate::propnet::{DifferentialEvaluator, GroundEffort, GroundRules, Propnet, Timer, Wiring, simplify};
use crate::walk::Walker;
use game::{Rng, Until};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The state machine that evaluates the propnet.
#[derive(Debug)]
pub struct Compiled {
    program: FlatProgram,
    roles: Vec<u32>,
    propnet: Propnet,
    wiring: Arc<Wiring>,
    lanes: BitParallel,
    /// The lanes with conditions for moves that win at once, where there are such; made when somebody wants to look ahead.
    decisive: OnceLock<Option<BitParallel>>,
    /// The time, in microseconds, in which they could not be made.
    too_short: AtomicU64,
    pool: Mutex<Vec<DifferentialEvaluator>>,
    base_numbers: HashMap<(RelId, Vec<u32>), u32>,
    input_numbers: HashMap<(RelId, Vec<u32>), u32>,
    props: usize,
    /// Made when it is first asked for.
    timer: OnceLock<Option<Timer>>,
}

impl Compiled {
    /// Grounds the rules and builds the propnet, within a budget.
    pub fn new(statics: Statics, budget: &mut WorkBudget) -> Result<Self, GdlError> {
        Compiled::by(GroundEffort::USUAL, statics, budget)
    }

    /// The same with so much effort to have fewer ground rules.
    pub fn by(effort: GroundEffort, mut statics: Statics, budget: &mut WorkBudget) -> Result<Self, GdlError> {
        let ground = GroundRules::new(&mut statics, effort, budget)?;
        let propnet = Propnet::new(&statics, &ground, budget)?;
        let props = ground.props;
        drop(ground);
        let propnet = simplify(propnet, budget)?;
        let number = |rows: &[(RelId, Vec<u32>)]| rows.iter().cloned().zip(0..).collect();
        Ok(Compiled {
            program: statics.program,
            roles: statics.roles,
            wiring: Wiring::new(&propnet, budget)?,
            lanes: BitParallel::new(&propnet, budget)?,
            decisive: OnceLock::new(),
            too_short: AtomicU64::new(0),
            pool: Mutex::default(),
            base_numbers: number(&propnet.bases),
            input_numbers: number(&propnet.inputs),
            props,
            timer: OnceLock::new(),
            propnet,
        })
    }

    /// The propnet.
    #[cfg(test)]
    pub fn propnet(&self) -> &Propnet {
        &self.propnet
    }

    /// The lanes with conditions for moves that win at once; none if there are no such moves, or too many conditions.
    fn with_decisive_moves(&self, budget: &mut WorkBudget) -> Result<Option<BitParallel>, GdlError> {
        let propnet = self.propnet.with_decisive_moves(budget)?;
        propnet.map(|propnet| BitParallel::new(&propnet, budget)).transpose()
    }

    fn words(&self) -> usize {
        self.propnet.bases.len().div_ceil(32)
    }

    fn with<T>(&self, f: impl FnOnce(&mut DifferentialEvaluator) -> T) -> T {
        let pooled = self.pool.lock().pop();
        let mut single = pooled.unwrap_or_else(|| DifferentialEvaluator::new(&self.wiring));
        let result = f(&mut single);
        self.pool.lock().push(single);
        result
    }

    fn read_view(&self, single: &mut DifferentialEvaluator, state: &State) -> StateView {
        single.set(&state.0, &[]);
        let outputs = single.outputs();
        let slots = self.wiring.slots();
        let mut view = StateView {
            terminal: bit(outputs, slots.terminal),
            legal: vec![Vec::new(); self.roles.len()],
            goals: Vec::new(),
        };
        if view.terminal {
            view.goals = self.read_goals(outputs);
            return view;
        }
        for ((range, legal), inputs) in slots.legal.iter().zip(&mut view.legal).zip(&self.propnet.gates.roles) {
            let words = &outputs[range.start / 32..range.end.div_ceil(32)];
            legal.reserve_exact(words.iter().map(|word| word.count_ones() as usize).sum());
            for (at, &word) in words.iter().enumerate() {
                let mut word = word;
                while word != 0 {
                    legal.push(Move(inputs.start + at as u32 * 32 + word.trailing_zeros()));
                    word &= word - 1;
                }
            }
        }
        view
    }

    fn read_next(&self, single: &mut DifferentialEvaluator, state: &State, moves: &[Move]) -> State {
        let mut played = [0; crate::error::MOST_ROLES];
        let played = &mut played[..moves.len()];
        for (input, mv) in played.iter_mut().zip(moves) {
            *input = mv.0;
        }
        single.set(&state.0, played);
        let next = single.outputs()[..self.words()].into();
        single.take_back(played);
        State(next)
    }

    fn read_goals(&self, outputs: &[u32]) -> Vec<u8> {
        let mut goals = vec![0; self.roles.len()];
        let first = self.wiring.slots().goals;
        for (at, &(role, points, _)) in self.propnet.roots.goals.iter().enumerate() {
            if bit(outputs, first + at) {
                goals[role] = points.max(goals[role]);
            }
        }
        goals
    }
}

fn bit(words: &[u32], at: usize) -> bool {
    words[at / 32] >> (at % 32) & 1 == 1
}

impl StateMachine for Compiled {
    fn kind(&self) -> MachineKind {
        MachineKind::Compiled
    }

    fn size(&self) -> (usize, usize) {
        let gates = &self.propnet.gates;
        (self.props, gates.len() - gates.first_gate())
    }

    fn program(&self) -> &FlatProgram {
        &self.program
    }

    fn role_symbols(&self) -> &[u32] {
        &self.roles
    }

    fn initial(&self) -> State {
        let mut words = vec![0; self.words()];
        for (base, _) in self.propnet.initial.iter().enumerate().filter(|(_, holds)| **holds) {
            words[base / 32] |= 1 << (base % 32);
        }
        State(words.into())
    }

    fn view(&self, state: &State) -> Result<StateView, GdlError> {
        Ok(self.with(|single| self.read_view(single, state)))
    }

    fn goals(&self, state: &State) -> Result<Vec<u8>, GdlError> {
        Ok(self.with(|single| {
            single.set(&state.0, &[]);
            self.read_goals(single.outputs())
        }))
    }

    fn next(&self, state: &State, moves: &[Move]) -> Result<State, GdlError> {
        Ok(self.with(|single| self.read_next(single, state, moves)))
    }

    fn step(&self, state: &State, moves: &[Move]) -> Result<(State, StateView), GdlError> {
        Ok(self.with(|single| {
            let next = self.read_next(single, state, moves);
            let view = self.read_view(single, &next);
            (next, view)
        }))
    }

    fn playouts(&self, state: &State, order: PlayoutLimit, rng: &mut Rng) -> Result<Playouts, GdlError> {
        Ok(self.lanes.playouts(&state.0, order, rng))
    }

    fn sample(&self, states: &[&State], each: u64, until: &Until, rng: &mut Rng) -> Result<Samples, GdlError> {
        Ok(self.lanes.sample(states, each, until, rng))
    }

    fn walk(&self, walker: &mut dyn Walker, until: &Until, rng: &mut Rng) {
        let decisive = self.decisive.get().and_then(Option::as_ref);
        let lanes = decisive.filter(|_| walker.looks_ahead());
        lanes.unwrap_or(&self.lanes).walk(walker, until, rng);
    }

    fn learn_decisive_moves(&self, until: &Until) {
        if self.decisive.get().is_some() {
            return;
        }
        let mut budget = WorkBudget::new("the conditions for moves that win at once", u64::MAX);
        let left = until
            .deadline
            .map(|end| end.saturating_duration_since(game::Instant::now()));
        if let Some(left) = left {
            // What was too much in some time is not tried again in hardly more.
            if left.as_micros() < 2 * u128::from(self.too_short.load(Ordering::Relaxed)) {
                return;
            }
            budget = budget.within(left, until.stop.clone());
        }
        match self.with_decisive_moves(&mut budget) {
            Ok(lanes) => drop(self.decisive.set(lanes)),
            Err(_) if until.stop.is_raised() => (),
            Err(_) => {
                if let Some(left) = left {
                    self.too_short.store(left.as_micros() as u64, Ordering::Relaxed);
                }
            }
        }
    }

    fn nursery(&self) -> Option<Box<dyn Nursery>> {
        self.lanes.nursery()
    }

    fn weights(&self, of: Weigh) -> FactWeights {
        let bases = self.propnet.bases.iter().map(|(table, row)| of(*table, row)).collect();
        FactWeights { of, bases }
    }

    fn weigh(&self, weights: &FactWeights, state: &State) -> i32 {
        let mut sum = 0;
        for (at, &word) in state.0.iter().enumerate() {
            let mut bases = word;
            while bases != 0 {
                sum += weights.bases[at * 32 + bases.trailing_zeros() as usize];
                bases &= bases - 1;
            }
        }
        sum
    }

    fn timer(&self) -> Option<&Timer> {
        self.timer.get_or_init(|| Timer::new(&self.propnet)).as_ref()
    }

    fn wanted(&self) -> Vec<(u32, bool)> {
        self.propnet.wanted()
    }

    fn rows(&self, state: &State) -> Vec<(usize, Vec<u32>)> {
        let holds = |base: &usize| bit(&state.0, *base);
        let bases = (0..self.propnet.bases.len())
            .filter(holds)
            .map(|base| self.propnet.bases[base].clone());
        self.propnet.fixed.iter().cloned().chain(bases).collect()
    }

    fn possible(&self) -> Vec<(usize, Vec<u32>)> {
        self.propnet.bases.clone()
    }

    fn state_of(&self, rows: &[(usize, Vec<u32>)]) -> Result<State, usize> {
        let mut words = vec![0; self.words()];
        for (at, row) in rows.iter().enumerate() {
            match self.base_numbers.get(row) {
                Some(&base) => words[base as usize / 32] |= 1 << (base % 32),
                None if self.propnet.fixed.contains(row) => {}
                None => return Err(at),
            }
        }
        Ok(State(words.into()))
    }

    fn move_count(&self) -> Option<usize> {
        Some(self.propnet.inputs.len())
    }

    fn move_row(&self, mv: Move) -> (usize, Vec<u32>) {
        self.propnet.inputs[mv.0 as usize].clone()
    }

    fn move_of(&self, rel: usize, row: &[u32]) -> Option<Move> {
        self.input_numbers.get(&(rel, row.to_vec())).map(|&input| Move(input))
    }
}
