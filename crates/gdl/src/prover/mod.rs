//! The prover: a state machine that derives every position from the rules, as far as the question needs.
//!
//! It runs every sheet that the checker accepts, however large the ground rules would be, and the compiled machine is tested
//! against it. Its [`strategy`] says which relations are evaluated bottom-up and which on demand, and changes when it turns out
//! to be too expensive.

mod strategy;

use crate::logic::{FlatProgram, RelId, RelationKind, RelationTable, Statics};
use crate::machine::{self, Move, State, StateMachine, StateView};
use crate::playout::{PlayoutLimit, Playouts};
use crate::{Deadline, GdlError};
use game::{Rng, pick};
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::sync::Arc;
use strategy::{GOAL, LEGAL, NEXT, ProverContext, SEES, Strategy, TERMINAL, Trouble};

/// The machine that proves.
#[derive(Debug)]
pub struct Prover {
    statics: Statics,
    initial: State,
    moves: RwLock<MoveNumbers>,
    view: QueryPlan,
    goals: QueryPlan,
    next: QueryPlan,
    sees: QueryPlan,
    turn: QueryPlan,
}

/// A kind of question, and how it is answered. What is good for one may be a thousand times too expensive for another, and it is
/// the questions asked that tell.
#[derive(Debug)]
struct QueryPlan {
    strategy: RwLock<Arc<Strategy>>,
    pool: Mutex<Vec<ProverContext>>,
}

impl QueryPlan {
    fn new(strategy: &Arc<Strategy>) -> Self {
        QueryPlan {
            strategy: RwLock::new(strategy.clone()),
            pool: Mutex::default(),
        }
    }
}

/// The moves seen so far; table and row, role first.
#[derive(Debug, Default)]
struct MoveNumbers {
    numbers: HashMap<(RelId, Box<[u32]>), Move>,
    rows: Vec<(RelId, Box<[u32]>)>,
}

impl Prover {
    /// Compiles the rules to joins.
    pub fn new(statics: Statics) -> Self {
        Prover::by_strategy(Strategy::new(&statics, &[], &[]), statics)
    }

    /// The same, everything on demand.
    pub fn on_demand(statics: Statics) -> Self {
        Prover::by_strategy(Strategy::on_demand(&statics), statics)
    }

    fn by_strategy(strategy: Strategy, statics: Statics) -> Self {
        let initial = collect(&statics.program, &statics.tables, |kind| match kind {
            RelationKind::Init(twin) => Some(twin),
            _ => None,
        });
        let strategy = Arc::new(strategy);
        Prover {
            initial,
            moves: RwLock::default(),
            view: QueryPlan::new(&strategy),
            goals: QueryPlan::new(&strategy),
            next: QueryPlan::new(&strategy),
            sees: QueryPlan::new(&strategy),
            turn: QueryPlan::new(&strategy),
            statics,
        }
    }

    /// Asks something about a position, with another strategy if this one is too expensive.
    fn with<T>(
        &self,
        question: &QueryPlan,
        state: &State,
        mut ask: impl FnMut(&Strategy, &mut ProverContext) -> Result<T, Trouble>,
    ) -> Result<T, GdlError> {
        loop {
            let strategy = question.strategy.read().clone();
            match self.by(question, &strategy, state, None, &mut ask) {
                Ok((answer, _)) => return Ok(answer),
                Err(Trouble::Error(error)) => return Err(error),
                // This ends: there are only so many components, and the limit of each can be raised only so often.
                Err(Trouble::TooExpensive(component)) => {
                    let better = self.reconsider(question, &strategy, component, state, &mut ask)?;
                    *question.strategy.write() = better;
                }
                Err(Trouble::TrialTooExpensive) => unreachable!("this was no trial"),
            }
        }
    }

    /// A better strategy than one in which a component is too expensive: that component on demand, or everything on demand,
    /// whichever costs less here. If both cost too much, the component stays bottom-up with a higher limit.
    fn reconsider<T>(
        &self,
        question: &QueryPlan,
        strategy: &Strategy,
        expensive: usize,
        state: &State,
        mut ask: impl FnMut(&Strategy, &mut ProverContext) -> Result<T, Trouble>,
    ) -> Result<Arc<Strategy>, GdlError> {
        let mut best: Option<(u64, Strategy)> = None;
        let mut open = vec![
            strategy.without(&self.statics, expensive),
            Strategy::on_demand(&self.statics),
        ];
        while let Some(trial) = open.pop() {
            let most = best.as_ref().map_or(strategy.trial(expensive), |(least, _)| *least);
            match self.by(question, &trial, state, Some(most), &mut ask) {
                Ok((_, cost)) if cost < most => best = Some((cost, trial)),
                Ok(_) | Err(Trouble::TrialTooExpensive) => {}
                Err(Trouble::TooExpensive(another)) => open.push(trial.without(&self.statics, another)),
                Err(Trouble::Error(error)) => return Err(error),
            }
        }
        let better = best.map_or_else(|| strategy.with(&self.statics, expensive), |(_, better)| better);
        Ok(Arc::new(better))
    }

    /// Asks something about a position by a strategy; the answer and what it took.
    fn by<T>(
        &self,
        question: &QueryPlan,
        strategy: &Strategy,
        state: &State,
        trial: Option<u64>,
        mut ask: impl FnMut(&Strategy, &mut ProverContext) -> Result<T, Trouble>,
    ) -> Result<(T, u64), Trouble> {
        let mut pool = question.pool.lock();
        // Contexts of an earlier strategy are of no use.
        pool.retain(|context| context.is_of(strategy));
        let pooled = pool.pop();
        drop(pool);
        let mut context = pooled.unwrap_or_else(|| strategy.context());
        context.trial = trial;
        strategy.load(&mut context, rows(self.program(), state));
        // After an error it would have to be put in order again.
        let answer = ask(strategy, &mut context)?;
        let cost = context.cost();
        question.pool.lock().push(context);
        Ok((answer, cost))
    }

    fn holds_terminal(&self, context: &ProverContext) -> bool {
        self.program()
            .rels_where(|kind| kind == RelationKind::Terminal)
            .any(|rel| context.tables[rel].len() > 0)
    }

    fn read_goals(&self, context: &ProverContext) -> Vec<u8> {
        let program = self.program();
        let mut goals = vec![0; self.statics.roles.len()];
        for rel in program.rels_where(|kind| kind == RelationKind::Goal) {
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

    fn read_legal(&self, context: &ProverContext) -> Vec<Vec<Move>> {
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
    fn legal_rows<'a>(&self, context: &'a ProverContext) -> Vec<Vec<(RelId, &'a [u32])>> {
        let program = self.program();
        let mut found: Vec<Vec<(RelId, &[u32])>> = vec![Vec::new(); self.statics.roles.len()];
        for rel in 0..program.rels.len() {
            if let RelationKind::Legal(does) = program.rels[rel].kind {
                for row in context.tables[rel].rows() {
                    if let Some(seat) = self.statics.roles.iter().position(|role| row.first() == Some(role)) {
                        found[seat].push((does, row));
                    }
                }
            }
        }
        found
    }

    /// One random joint move; or what each role gets, if the game is over.
    fn turn(&self, state: &State, rng: &mut Rng) -> Result<Result<State, Vec<u8>>, GdlError> {
        let (turn, drawn) = self.with(&self.turn, state, |strategy, context| {
            // A question may be asked twice, and is then answered the same way.
            let mut rng = rng.clone();
            strategy.ask(context, TERMINAL)?;
            if !self.holds_terminal(context) {
                strategy.ask(context, LEGAL)?;
                let legal = self.legal_rows(context);
                let joint: Option<Vec<(RelId, Vec<u32>)>> = legal
                    .iter()
                    .map(|rows| pick(&mut rng, rows).map(|(rel, row)| (rel, row.to_vec())))
                    .collect();
                // A role that cannot move ends the game, whatever the sheet says.
                if let Some(joint) = joint {
                    for (rel, row) in &joint {
                        context.tables[*rel].insert(row);
                    }
                    strategy.ask(context, NEXT)?;
                    return Ok((Ok(self.collect_next(context)), rng));
                }
            }
            strategy.ask(context, GOAL)?;
            Ok((Err(self.read_goals(context)), rng))
        })?;
        *rng = drawn;
        Ok(turn)
    }

    fn collect_next(&self, context: &ProverContext) -> State {
        collect(self.program(), &context.tables, |kind| match kind {
            RelationKind::Next(twin) => Some(twin),
            _ => None,
        })
    }

    /// The number of a move, new or known.
    fn number(&self, rel: RelId, row: &[u32]) -> Move {
        let key = (rel, row.into());
        if let Some(&mv) = self.moves.read().numbers.get(&key) {
            return mv;
        }
        let mut moves = self.moves.write();
        let new = Move(moves.rows.len() as u32);
        let mv = *moves.numbers.entry(key.clone()).or_insert(new);
        if mv == new {
            moves.rows.push(key);
        }
        mv
    }

    /// Notes what is played.
    fn make(&self, context: &mut ProverContext, moves: &[Move]) {
        let known = self.moves.read();
        for mv in moves {
            let (rel, row) = &known.rows[mv.0 as usize];
            context.tables[*rel].insert(row);
        }
    }
}

impl StateMachine for Prover {
    fn kind(&self) -> machine::MachineKind {
        machine::MachineKind::Prover
    }

    fn size(&self) -> (usize, usize) {
        (self.program().rels.len(), self.program().rules.len())
    }

    fn program(&self) -> &FlatProgram {
        &self.statics.program
    }

    fn role_symbols(&self) -> &[u32] {
        &self.statics.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn view(&self, state: &State) -> Result<StateView, GdlError> {
        self.with(&self.view, state, |strategy, context| {
            strategy.ask(context, TERMINAL)?;
            let mut view = StateView {
                terminal: self.holds_terminal(context),
                ..StateView::default()
            };
            if view.terminal {
                strategy.ask(context, GOAL)?;
                view.goals = self.read_goals(context);
                view.legal = vec![Vec::new(); self.statics.roles.len()];
            } else {
                strategy.ask(context, LEGAL)?;
                view.legal = self.read_legal(context);
            }
            Ok(view)
        })
    }

    fn goals(&self, state: &State) -> Result<Vec<u8>, GdlError> {
        self.with(&self.goals, state, |strategy, context| {
            strategy.ask(context, GOAL)?;
            Ok(self.read_goals(context))
        })
    }

    fn next(&self, state: &State, moves: &[Move]) -> Result<State, GdlError> {
        self.with(&self.next, state, |strategy, context| {
            self.make(context, moves);
            strategy.ask(context, NEXT)?;
            Ok(self.collect_next(context))
        })
    }

    fn sees(&self, state: &State, moves: &[Move]) -> Result<Vec<Vec<String>>, GdlError> {
        let program = self.program();
        self.with(&self.sees, state, |strategy, context| {
            self.make(context, moves);
            strategy.ask(context, SEES)?;
            let mut told = vec![Vec::new(); self.statics.roles.len()];
            for rel in program.rels_where(|kind| kind == RelationKind::Sees) {
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

    fn playouts(&self, state: &State, order: PlayoutLimit, rng: &mut Rng) -> Result<Playouts, GdlError> {
        let mut out = Playouts::new(self.statics.roles.len());
        let bound = Deadline::current();
        'games: while order.wants_more(out.games) {
            let (mut state, mut steps) = (state.clone(), 0);
            let goals = loop {
                if order.is_late() || bound.is_over() {
                    out.steps += steps;
                    break 'games;
                }
                match self.turn(&state, rng)? {
                    Ok(next) => state = next,
                    Err(goals) => break goals,
                }
                steps += 1;
            };
            out.add(steps, &goals);
        }
        Ok(out)
    }

    fn rows(&self, state: &State) -> Vec<(usize, Vec<u32>)> {
        rows(self.program(), state)
            .map(|(rel, row)| (rel, row.to_vec()))
            .collect()
    }

    fn possible(&self) -> Vec<(usize, Vec<u32>)> {
        StateMachine::rows(self, &self.initial())
    }

    fn state_of(&self, rows: &[(usize, Vec<u32>)]) -> Result<State, usize> {
        let mut sorted: Vec<(RelId, &[u32])> = rows.iter().map(|(rel, row)| (*rel, &row[..])).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Ok(encode(&sorted))
    }

    fn move_row(&self, mv: Move) -> (usize, Vec<u32>) {
        let moves = self.moves.read();
        let (rel, row) = &moves.rows[mv.0 as usize];
        (*rel, row.to_vec())
    }

    fn move_of(&self, rel: usize, row: &[u32]) -> Option<Move> {
        Some(self.number(rel, row))
    }
}

/// The points that a symbol means; what is not a number is nothing.
pub(crate) fn points_of(program: &FlatProgram, symbol: u32) -> u8 {
    let text = program.symbols.text(crate::sheet::Sym(symbol));
    text.parse::<u8>().map_or(0, |points| points.min(100))
}

/// The rows of some tables, under the names of their twins, as a position.
fn collect(program: &FlatProgram, tables: &[RelationTable], twin: impl Fn(RelationKind) -> Option<RelId>) -> State {
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

fn rows<'a>(program: &'a FlatProgram, state: &'a State) -> impl Iterator<Item = (RelId, &'a [u32])> {
    let mut words = &state.0[..];
    std::iter::from_fn(move || {
        let (&rel, rest) = words.split_first()?;
        let (row, rest) = rest.split_at(program.rels[rel as usize].arity);
        words = rest;
        Some((rel as usize, row))
    })
}

#[cfg(test)]
#[path = "../../tests/shared/mod.rs"]
mod shared;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sheet;
    use crate::logic::WorkBudget;

    /// Rows that a turn may look at where thousands are enough, and a bad strategy needs half a million.
    const FEW: u64 = 100_000;

    #[test]
    fn what_follows_from_a_move_is_cheap_although_what_is_legal_is_asked_on_demand() {
        let Some(shared) = shared::gdl() else { return };
        for name in ["chess", "slaughter"] {
            let file = shared.join(format!("hard/games/{name}.kif"));
            let sheet = Sheet::load(&file.display().to_string()).unwrap();
            let mut budget = WorkBudget::new("test", 20_000_000);
            let program = FlatProgram::new(&sheet, &mut budget).unwrap();
            let prover = Prover::new(Statics::new(program, &mut budget).unwrap());
            let (mut state, mut rng) = (prover.initial(), game::rng(3));
            for turn in 0..4 {
                let view = prover.view(&state).unwrap();
                let joint: Vec<Move> = view.legal.iter().filter_map(|legal| pick(&mut rng, legal)).collect();
                state = prover.next(&state, &joint).unwrap();
                // The first turn finds out how; the last question is still in the pool.
                let cost = prover.next.pool.lock().last().map_or(u64::MAX, ProverContext::cost);
                assert!(cost < FEW, "{name}, turn {turn}: {cost}");
            }
        }
    }
}
