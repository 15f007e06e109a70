//! The prover: every position is worked out from the rules, bottom-up, as far as the question needs.
//!
//! It runs whatever the checker lets through, whatever the size of the ground game, and is the twin that the compiled
//! machine is tested against.

use crate::GdlError;
use crate::logic::{Budget, Kind, Lit, Planner, Program, RelId, Statics, Stratum, Table, Work};
use crate::machine::{self, Move, Rules, State, View};
use crate::playout::{Order, Playouts};
use game::{Rng, pick};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// Rows that one position may need before the sheet is taken to explode.
const MOST_ROWS: u64 = 20_000_000;

/// What may be asked about a position; a relation carries the set of questions it is needed for.
const TERMINAL: u8 = 1;
const LEGAL: u8 = 2;
const GOAL: u8 = 4;
const NEXT: u8 = 8;
const SEES: u8 = 16;

/// The machine that proves.
#[derive(Debug)]
pub struct Prover {
    statics: Statics,
    layers: Vec<Layer>,
    /// The tables of the position and of what is played.
    inputs: Vec<RelId>,
    initial: State,
    moves: RwLock<Moves>,
    pool: Mutex<Vec<Context>>,
    fresh: Context,
}

/// A component of the rules that depend on the position.
#[derive(Debug)]
struct Layer {
    stratum: Stratum,
    /// The questions it is needed for.
    need: u8,
    /// Rows that the sheet states outright.
    facts: Vec<(RelId, Vec<u32>)>,
}

/// The moves seen so far; table and row, role first.
#[derive(Debug, Default)]
struct Moves {
    numbers: HashMap<(RelId, Box<[u32]>), Move>,
    rows: Vec<(RelId, Box<[u32]>)>,
}

/// The memory in which a position is worked out.
#[derive(Clone, Debug)]
struct Context {
    tables: Vec<Table>,
    done: Vec<bool>,
    work: Work,
}

impl Prover {
    /// Compiles the rules to joins.
    pub fn new(statics: &Statics) -> Self {
        let mut statics = statics.clone();
        let program = &statics.program;
        let mut tables = std::mem::take(&mut statics.tables);
        let known = |rel: RelId| statics.is_static[rel];
        let mut planner = Planner {
            tables: &mut tables,
            known: &known,
        };
        let compiled: Vec<Stratum> = statics
            .dynamic
            .iter()
            .map(|component| Stratum::new(component, &program.rules, &mut planner))
            .collect();
        let needs = needs(&statics);
        let layers: Vec<Layer> = compiled
            .into_iter()
            .map(|stratum| Layer {
                need: stratum.rels.iter().fold(0, |need, &rel| need | needs[rel]),
                facts: program
                    .facts
                    .iter()
                    .filter(|(rel, _)| stratum.rels.contains(rel))
                    .cloned()
                    .collect(),
                stratum,
            })
            .filter(|layer| layer.need != 0)
            .collect();
        let fresh = Context {
            done: vec![true; layers.len()],
            tables,
            work: Work::new(Budget::new("a position", MOST_ROWS, None)),
        };
        let initial = collect(program, &fresh.tables, |kind| match kind {
            Kind::Init(twin) => Some(twin),
            _ => None,
        });
        Prover {
            initial,
            inputs: program
                .rels_where(|kind| matches!(kind, Kind::True | Kind::Does))
                .collect(),
            layers,
            moves: RwLock::default(),
            pool: Mutex::default(),
            fresh,
            statics,
        }
    }

    fn context(&self) -> Context {
        let pooled = lock(&self.pool).pop();
        pooled.unwrap_or_else(|| self.fresh.clone())
    }

    fn give_back(&self, context: Context) {
        lock(&self.pool).push(context);
    }

    /// Forgets the last position and takes this one.
    fn load(&self, context: &mut Context, state: &State) {
        for (layer, done) in self.layers.iter().zip(&mut context.done) {
            if std::mem::take(done) {
                for &rel in &layer.stratum.rels {
                    context.tables[rel].clear();
                }
            }
        }
        for &rel in &self.inputs {
            context.tables[rel].clear();
        }
        context.work.budget().refill();
        for (rel, row) in rows(self.program(), state) {
            context.tables[rel].insert(row);
        }
    }

    /// Works out everything that the questions need.
    fn ask(&self, context: &mut Context, questions: u8) -> Result<(), GdlError> {
        for (layer, done) in self.layers.iter().zip(&mut context.done) {
            if layer.need & questions != 0 && !*done {
                *done = true;
                for (rel, row) in &layer.facts {
                    context.tables[*rel].insert(row);
                }
                layer.stratum.evaluate(&mut context.tables, &mut context.work)?;
            }
        }
        Ok(())
    }

    fn holds_terminal(&self, context: &Context) -> bool {
        self.program()
            .rels_where(|kind| kind == Kind::Terminal)
            .any(|rel| context.tables[rel].len() > 0)
    }

    fn read_goals(&self, context: &Context) -> Vec<u8> {
        let program = self.program();
        let mut goals = vec![0; self.statics.roles.len()];
        for rel in program.rels_where(|kind| kind == Kind::Goal) {
            for row in context.tables[rel].rows() {
                if let [role, points] = *row
                    && let Some(seat) = self.statics.roles.iter().position(|&r| r == role)
                {
                    goals[seat] = goals[seat].max(points_of(program, points));
                }
            }
        }
        goals
    }

    fn read_legal(&self, context: &Context) -> Vec<Vec<Move>> {
        let mut found = self.legal_rows(context);
        for rows in &mut found {
            rows.sort_unstable();
        }
        found
            .iter()
            .map(|rows| rows.iter().map(|(rel, row)| self.number(*rel, row)).collect())
            .collect()
    }

    /// What each role may do, as tables of `does` and rows.
    fn legal_rows<'a>(&self, context: &'a Context) -> Vec<Vec<(RelId, &'a [u32])>> {
        let program = self.program();
        let mut found: Vec<Vec<(RelId, &[u32])>> = vec![Vec::new(); self.statics.roles.len()];
        for rel in 0..program.rels.len() {
            if let Kind::Legal(does) = program.rels[rel].kind {
                for row in context.tables[rel].rows() {
                    if let Some(seat) = self.statics.roles.iter().position(|role| row.first() == Some(role)) {
                        found[seat].push((does, row));
                    }
                }
            }
        }
        found
    }

    /// One random game from `state` to its end; how many moves it took and what each role got.
    /// A random game; counted only if it ends in time.
    fn playout(
        &self,
        context: &mut Context,
        state: &State,
        order: Order,
        rng: &mut Rng,
        out: &mut Playouts,
    ) -> Result<(), GdlError> {
        self.load(context, state);
        let mut length = 0;
        loop {
            if order.is_late() {
                out.steps += length;
                return Ok(());
            }
            self.ask(context, TERMINAL)?;
            if self.holds_terminal(context) {
                break;
            }
            self.ask(context, LEGAL)?;
            let legal = self.legal_rows(context);
            let joint: Option<Vec<(RelId, Vec<u32>)>> = legal
                .iter()
                .map(|rows| pick(rng, rows).map(|(rel, row)| (rel, row.to_vec())))
                .collect();
            // A role that cannot move ends the game, whatever the sheet says.
            let Some(joint) = joint else { break };
            for (rel, row) in &joint {
                context.tables[*rel].insert(row);
            }
            self.ask(context, NEXT)?;
            let state = self.collect_next(context);
            self.load(context, &state);
            length += 1;
        }
        self.ask(context, GOAL)?;
        out.add(length, &self.read_goals(context));
        Ok(())
    }

    fn collect_next(&self, context: &Context) -> State {
        collect(self.program(), &context.tables, |kind| match kind {
            Kind::Next(twin) => Some(twin),
            _ => None,
        })
    }

    /// The number of a move, new or known.
    fn number(&self, rel: RelId, row: &[u32]) -> Move {
        let key = (rel, row.into());
        if let Some(&mv) = self
            .moves
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .numbers
            .get(&key)
        {
            return mv;
        }
        let mut moves = self.moves.write().unwrap_or_else(PoisonError::into_inner);
        let new = Move(moves.rows.len() as u32);
        let mv = *moves.numbers.entry(key.clone()).or_insert(new);
        if mv == new {
            moves.rows.push(key);
        }
        mv
    }

    /// Notes what is played.
    fn make(&self, context: &mut Context, moves: &[Move]) {
        let known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        for mv in moves {
            let (rel, row) = &known.rows[mv.0 as usize];
            context.tables[*rel].insert(row);
        }
    }

    fn with<T>(&self, state: &State, f: impl FnOnce(&mut Context) -> Result<T, GdlError>) -> Result<T, GdlError> {
        let mut context = self.context();
        self.load(&mut context, state);
        let result = f(&mut context);
        self.give_back(context);
        result
    }
}

impl Rules for Prover {
    fn kind(&self) -> machine::Kind {
        machine::Kind::Prover
    }

    fn size(&self) -> (usize, usize) {
        (self.program().rels.len(), self.program().rules.len())
    }

    fn program(&self) -> &Program {
        &self.statics.program
    }

    fn role_symbols(&self) -> &[u32] {
        &self.statics.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn view(&self, state: &State) -> Result<View, GdlError> {
        self.with(state, |context| {
            self.ask(context, TERMINAL)?;
            let mut view = View {
                terminal: self.holds_terminal(context),
                ..View::default()
            };
            if view.terminal {
                self.ask(context, GOAL)?;
                view.goals = self.read_goals(context);
                view.legal = vec![Vec::new(); self.statics.roles.len()];
            } else {
                self.ask(context, LEGAL)?;
                view.legal = self.read_legal(context);
            }
            Ok(view)
        })
    }

    fn goals(&self, state: &State) -> Result<Vec<u8>, GdlError> {
        self.with(state, |context| {
            self.ask(context, GOAL)?;
            Ok(self.read_goals(context))
        })
    }

    fn next(&self, state: &State, moves: &[Move]) -> Result<State, GdlError> {
        self.with(state, |context| {
            self.make(context, moves);
            self.ask(context, NEXT)?;
            Ok(self.collect_next(context))
        })
    }

    fn sees(&self, state: &State, moves: &[Move]) -> Result<Vec<Vec<String>>, GdlError> {
        let program = self.program();
        self.with(state, |context| {
            self.make(context, moves);
            self.ask(context, SEES)?;
            let mut told = vec![Vec::new(); self.statics.roles.len()];
            for rel in program.rels_where(|kind| kind == Kind::Sees) {
                for row in context.tables[rel].rows() {
                    if let Some(role) = self.statics.roles.iter().position(|role| row.first() == Some(role)) {
                        told[role].push(program.print_arg(rel, 1, row));
                    }
                }
            }
            told.iter_mut().for_each(|told| told.sort());
            Ok(told)
        })
    }

    fn playouts(&self, state: &State, order: Order, rng: &mut Rng) -> Result<Playouts, GdlError> {
        let mut context = self.context();
        let mut out = Playouts::new(self.statics.roles.len());
        while order.wants_more(out.games) {
            self.playout(&mut context, state, order, rng, &mut out)?;
        }
        self.give_back(context);
        Ok(out)
    }

    fn rows(&self, state: &State) -> Vec<(usize, Vec<u32>)> {
        rows(self.program(), state)
            .map(|(rel, row)| (rel, row.to_vec()))
            .collect()
    }

    fn possible(&self) -> Vec<(usize, Vec<u32>)> {
        Rules::rows(self, &self.initial())
    }

    fn state_of(&self, rows: &[(usize, Vec<u32>)]) -> Result<State, usize> {
        let mut sorted: Vec<(RelId, &[u32])> = rows.iter().map(|(rel, row)| (*rel, &row[..])).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Ok(encode(&sorted))
    }

    fn move_row(&self, mv: Move) -> (usize, Vec<u32>) {
        let moves = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let (rel, row) = &moves.rows[mv.0 as usize];
        (*rel, row.to_vec())
    }

    fn move_of(&self, rel: usize, row: &[u32]) -> Option<Move> {
        Some(self.number(rel, row))
    }
}

/// For every relation, the questions it is needed for.
fn needs(statics: &Statics) -> Vec<u8> {
    let program = &statics.program;
    let mut needs: Vec<u8> = program
        .rels
        .iter()
        .map(|rel| match rel.kind {
            Kind::Terminal => TERMINAL,
            Kind::Legal(_) => LEGAL,
            Kind::Goal => GOAL,
            Kind::Next(_) => NEXT,
            Kind::Sees => SEES,
            _ => 0,
        })
        .collect();
    loop {
        let before = needs.clone();
        for rule in &program.rules {
            for lit in &rule.body {
                if let Lit::Is(rel, _) | Lit::Not(rel, _) = lit {
                    needs[*rel] |= needs[rule.head];
                }
            }
        }
        if needs == before {
            return needs;
        }
    }
}

/// The points that a symbol means; what is not a number is nothing.
pub(crate) fn points_of(program: &Program, symbol: u32) -> u8 {
    let text = program.symbols.text(crate::sheet::Sym(symbol));
    text.parse::<u8>().map_or(0, |points| points.min(100))
}

/// The rows of some tables, under the names of their twins, as a position.
fn collect(program: &Program, tables: &[Table], twin: impl Fn(Kind) -> Option<RelId>) -> State {
    let mut rows: Vec<(RelId, &[u32])> = Vec::new();
    for (rel, info) in program.rels.iter().enumerate() {
        if let Some(twin) = twin(info.kind) {
            rows.extend(tables[rel].rows().map(|row| (twin, row)));
        }
    }
    rows.sort_unstable();
    encode(&rows)
}

/// Sorted rows, one after the other, each after the number of its table.
fn encode(rows: &[(RelId, &[u32])]) -> State {
    let mut words = Vec::with_capacity(rows.iter().map(|(_, row)| row.len() + 1).sum());
    for (rel, row) in rows {
        words.push(*rel as u32);
        words.extend_from_slice(row);
    }
    State(words.into())
}

fn rows<'a>(program: &'a Program, state: &'a State) -> impl Iterator<Item = (RelId, &'a [u32])> {
    let mut words = &state.0[..];
    std::iter::from_fn(move || {
        let (&rel, rest) = words.split_first()?;
        let (row, rest) = rest.split_at(program.rels[rel as usize].arity);
        words = rest;
        Some((rel as usize, row))
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
