//! How positions are evaluated: which relations bottom-up, and which top-down, on demand.
//!
//! Bottom-up evaluation is fast where most of what follows from a position is needed. Where a relation is large and little of it is
//! needed, it and everything that depends on it is computed on demand instead. This cannot be known in advance, so every component
//! is evaluated bottom-up until a position shows that this is too expensive.

use crate::GdlError;
use crate::logic::{
    EvalScratch, FlatLiteral, Goal, JoinPlanner, RelId, RelationKind, RelationTable, Statics, Stratum, TabledAnswers,
    WorkBudget, answer, compile,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most rows that one position may need.
const MOST_ROWS: u64 = 20_000_000;
/// A component that looks at more rows than this is too expensive bottom-up. If the alternatives are more expensive still, the
/// limit is raised by the factor.
const EXPENSIVE: u64 = 1 << 16;
const EXPENSIVE_FACTOR: u64 = 16;
/// The limit when another strategy is tried, as a multiple of the limit that was exceeded.
const TRIAL: u64 = 8;
/// Rows of timeless relations that are kept from one position to the next.
const MOST_KEPT: usize = 1_000_000;

/// What can be asked about a position. Each relation has the set of questions it is needed for.
pub const TERMINAL: u8 = 1;
pub const LEGAL: u8 = 2;
pub const GOAL: u8 = 4;
pub const NEXT: u8 = 8;
pub const SEES: u8 = 16;

/// How positions are evaluated.
#[derive(Debug)]
pub struct Strategy {
    id: u64,
    /// The components that are computed on demand, and those that stay bottom-up with a raised limit, once for each time it
    /// was raised.
    asked: Vec<usize>,
    kept: Vec<usize>,
    layers: Vec<Layer>,
    goals: Vec<Goal>,
    /// The goals that answer questions, and which.
    answers: Vec<(u8, usize)>,
    /// The tables of the position and of what is played.
    inputs: Vec<RelId>,
    /// The relations that are computed on demand, and rows of them that are facts of the sheet.
    on_demand: Vec<RelId>,
    is_timeless: Vec<bool>,
    facts: Vec<(RelId, Vec<u32>)>,
    fresh: Vec<RelationTable>,
}

/// A component that is evaluated bottom-up.
#[derive(Debug)]
struct Layer {
    component: usize,
    stratum: Stratum,
    /// The questions it is needed for.
    need: u8,
    /// If it looks at more rows than this, it is too expensive.
    most_looks: u64,
    /// Rows that are facts of the sheet.
    facts: Vec<(RelId, Vec<u32>)>,
}

/// The memory in which a position is evaluated.
#[derive(Clone, Debug)]
pub struct ProverContext {
    strategy: u64,
    pub tables: Vec<RelationTable>,
    done: Vec<bool>,
    memory: TabledAnswers,
    work: EvalScratch,
    budget: WorkBudget,
    /// What it may take, if that is to be found out.
    pub trial: Option<u64>,
}

impl ProverContext {
    /// What the questions asked so far took.
    pub fn cost(&self) -> u64 {
        self.budget.spent()
    }

    /// Whether it was made for that strategy.
    pub fn is_of(&self, strategy: &Strategy) -> bool {
        self.strategy == strategy.id
    }
}

/// Why there is no answer.
pub enum Trouble {
    /// The component of that number is too expensive bottom-up.
    TooExpensive(usize),
    /// A trial of another strategy is too expensive.
    TrialTooExpensive,
    /// The sheet, or the time.
    Error(GdlError),
}

impl From<GdlError> for Trouble {
    fn from(error: GdlError) -> Self {
        Trouble::Error(error)
    }
}

impl Strategy {
    /// The strategy that works out these components on demand, and those bottom-up in any case.
    pub fn new(statics: &Statics, asked: &[usize], kept: &[usize]) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let program = &statics.program;
        let on_demand = closure(statics, asked);
        let known = |rel: RelId| statics.is_static[rel];
        let needs = needs(statics);
        let facts_of = |rels: &[RelId]| -> Vec<(RelId, Vec<u32>)> {
            let facts = program.facts.iter().filter(|(rel, _)| rels.contains(rel));
            facts.cloned().collect()
        };
        let mut fresh = statics.tables.clone();
        let mut layers = Vec::new();
        for (number, component) in statics.dynamic.iter().enumerate() {
            let need = component.rels.iter().fold(0, |need, &rel| need | needs[rel]);
            if need == 0 || component.rels.iter().any(|&rel| on_demand[rel]) {
                continue;
            }
            let mut planner = JoinPlanner {
                tables: &mut fresh,
                known: &known,
                goals: None,
            };
            layers.push(Layer {
                component: number,
                stratum: Stratum::new(component, &program.rules, &mut planner),
                need,
                most_looks: most_looks(kept, number),
                facts: facts_of(&component.rels),
            });
        }
        let wanted: Vec<RelId> = (0..program.rels.len())
            .filter(|&rel| on_demand[rel] && question(program.rels[rel].kind) != 0)
            .collect();
        let asks = wanted.iter().map(|&rel| question(program.rels[rel].kind));
        let rels: Vec<RelId> = (0..program.rels.len()).filter(|&rel| on_demand[rel]).collect();
        Strategy {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            asked: asked.to_vec(),
            kept: kept.to_vec(),
            layers,
            answers: asks.zip(0..).collect(),
            goals: compile(program, &on_demand, &wanted, &mut fresh, &known),
            inputs: program
                .rels_where(|kind| matches!(kind, RelationKind::True | RelationKind::Does))
                .collect(),
            facts: facts_of(&rels),
            on_demand: rels,
            is_timeless: statics.is_timeless.clone(),
            fresh,
        }
    }

    /// Everything on demand.
    pub fn on_demand(statics: &Statics) -> Strategy {
        let all: Vec<usize> = (0..statics.dynamic.len()).collect();
        Strategy::new(statics, &all, &[])
    }

    /// The same, but for a component that is computed on demand.
    pub fn without(&self, statics: &Statics, component: usize) -> Strategy {
        Strategy::new(statics, &[&self.asked[..], &[component]].concat(), &self.kept)
    }

    /// What the trial of another strategy may cost, where a component is too expensive with this one.
    pub fn trial(&self, component: usize) -> u64 {
        TRIAL.saturating_mul(most_looks(&self.kept, component))
    }

    /// The same, with a higher limit for a component that stays bottom-up.
    pub fn with(&self, statics: &Statics, component: usize) -> Strategy {
        Strategy::new(statics, &self.asked, &[&self.kept[..], &[component]].concat())
    }

    /// Memory to work in.
    pub fn context(&self) -> ProverContext {
        ProverContext {
            strategy: self.id,
            done: vec![true; self.layers.len()],
            tables: self.fresh.clone(),
            memory: TabledAnswers::new(&self.goals),
            work: EvalScratch::default(),
            budget: WorkBudget::new("a position", MOST_ROWS),
            trial: None,
        }
    }

    /// Forgets the last position and takes these facts.
    pub fn load<'a>(&self, context: &mut ProverContext, facts: impl Iterator<Item = (RelId, &'a [u32])>) {
        for (layer, done) in self.layers.iter().zip(&mut context.done) {
            if std::mem::take(done) {
                for &rel in &layer.stratum.rels {
                    context.tables[rel].clear();
                }
            }
        }
        self.forget(context);
        for &rel in &self.inputs {
            context.tables[rel].clear();
        }
        context.budget.refill();
        for (rel, row) in facts {
            context.tables[rel].insert(row);
        }
    }

    /// Forgets what was asked for on demand, but for what holds in every position.
    fn forget(&self, context: &mut ProverContext) {
        let goes = |rel: RelId, tables: &[RelationTable]| !self.is_timeless[rel] || tables[rel].len() > MOST_KEPT;
        for (number, goal) in self.goals.iter().enumerate() {
            if goes(goal.rel, &context.tables) {
                context.memory.forget(number);
            }
        }
        for &rel in &self.on_demand {
            if goes(rel, &context.tables) {
                context.tables[rel].clear();
            }
        }
        for (rel, row) in &self.facts {
            context.tables[*rel].insert(row);
        }
    }

    /// Works out everything that the questions need.
    pub fn ask(&self, context: &mut ProverContext, questions: u8) -> Result<(), Trouble> {
        let ProverContext {
            tables,
            done,
            memory,
            work,
            budget,
            trial,
            ..
        } = context;
        let left = |budget: &WorkBudget| trial.map(|most| most.saturating_sub(budget.spent()));
        for (layer, done) in self.layers.iter().zip(done) {
            if layer.need & questions == 0 || std::mem::replace(done, true) {
                continue;
            }
            for (rel, row) in &layer.facts {
                tables[*rel].insert(row);
            }
            if left(budget) == Some(0) {
                return Err(Trouble::TrialTooExpensive);
            }
            budget.allow_tries(Some(layer.most_looks));
            match layer.stratum.evaluate(tables, work, budget) {
                Err(GdlError::TooManyTries { .. }) if layer.most_looks < u64::MAX => {
                    return Err(Trouble::TooExpensive(layer.component));
                }
                evaluated => evaluated?,
            }
        }
        let tries = left(budget);
        budget.allow_tries(tries);
        for &(question, goal) in &self.answers {
            if question & questions != 0 {
                match answer(&self.goals, goal, &[], tables, memory, budget) {
                    Err(GdlError::TooManyTries { .. }) if trial.is_some() => return Err(Trouble::TrialTooExpensive),
                    answered => answered?,
                }
            }
        }
        Ok(())
    }
}

/// The relations that are computed on demand if these components are: they, those whose tables are too large although they do not
/// depend on the position, and all that depends on any of them.
fn closure(statics: &Statics, asked: &[usize]) -> Vec<bool> {
    let rules = &statics.program.rules;
    let mut on_demand = vec![false; statics.program.rels.len()];
    for (number, component) in statics.dynamic.iter().enumerate() {
        let large = |rel: &RelId| statics.is_timeless[*rel] && !statics.is_static[*rel];
        let depends = component.rules.iter().any(|&rule| {
            rules[rule].body.iter().any(|lit| match lit {
                FlatLiteral::Is(rel, _) | FlatLiteral::Not(rel, _) => on_demand[*rel],
                FlatLiteral::Distinct(..) => false,
            })
        });
        if asked.contains(&number) || depends || component.rels.iter().any(large) {
            component.rels.iter().for_each(|&rel| on_demand[rel] = true);
        }
    }
    on_demand
}

/// The limit of a component that was found too expensive as often as it is in `kept`.
fn most_looks(kept: &[usize], component: usize) -> u64 {
    let times = kept.iter().filter(|&&kept| kept == component).count();
    EXPENSIVE_FACTOR
        .checked_pow(times as u32)
        .and_then(|times| EXPENSIVE.checked_mul(times))
        .unwrap_or(u64::MAX)
}

/// The question that a relation answers.
fn question(kind: RelationKind) -> u8 {
    match kind {
        RelationKind::Terminal => TERMINAL,
        RelationKind::Legal(_) => LEGAL,
        RelationKind::Goal => GOAL,
        RelationKind::Next(_) => NEXT,
        RelationKind::Sees => SEES,
        _ => 0,
    }
}

/// For every relation, the questions it is needed for.
fn needs(statics: &Statics) -> Vec<u8> {
    let program = &statics.program;
    let mut needs: Vec<u8> = program.rels.iter().map(|rel| question(rel.kind)).collect();
    loop {
        let before = needs.clone();
        for rule in &program.rules {
            for lit in &rule.body {
                if let FlatLiteral::Is(rel, _) | FlatLiteral::Not(rel, _) = lit {
                    needs[*rel] |= needs[rule.head];
                }
            }
        }
        if needs == before {
            return needs;
        }
    }
}
