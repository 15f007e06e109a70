//! Grounding: from rules with variables to ground rules (clauses without variables).
//!
//! The rules are rewritten first, so that there are fewer clauses: factored, narrowed, split, and where that is not enough guarded by what is
//! asked for. Then everything that could ever hold is found; negations that depend on the position are assumed to be true for this.
//! Then each rule gives one clause for each way in which those rows satisfy its conditions. Conditions on static relations
//! and guards always hold then and are left out.

use super::demand::{DemandedRules, demand};
use super::factor::factor;
use super::join::AddedRelation;
use super::narrow::narrow;
use super::split::{SplitEffort, SplitRules, split, table_of};
use crate::GdlError;
use crate::logic::components;
use crate::logic::{
    Col, EvalScratch, FlatLiteral, FlatRule, JoinPlanner, JoinScratch, RelId, RelationKind, RelationTable, Sink,
    Statics, Stratum, WorkBudget,
};

/// A proposition: a row of a relation.
pub type Prop = u32;

/// The ground rules of a game.
pub struct GroundRules {
    /// The rows that could ever hold, one table for each relation; `next` and `legal` share those of `true` and `does`.
    pub tables: Vec<RelationTable>,
    /// The first proposition of each relation.
    first: Vec<Prop>,
    /// How many propositions there are.
    pub props: usize,
    /// The head of each clause.
    heads: Vec<Prop>,
    /// Where each clause's conditions begin in `lits`.
    starts: Vec<u32>,
    /// Conditions: twice the proposition, plus one if it must not hold.
    lits: Vec<u32>,
}

/// How much is done to have fewer clauses.
#[derive(Clone, Copy, Debug)]
pub struct GroundEffort {
    split: SplitEffort,
    /// When finding all that could hold takes more steps than this, large relations are guarded.
    steps: u64,
}

impl GroundEffort {
    /// What pays.
    pub const USUAL: GroundEffort = GroundEffort {
        split: SplitEffort::USUAL,
        steps: 4_000_000,
    };
    /// Whatever can be done, for tests.
    #[cfg(test)]
    pub const ALL: GroundEffort = GroundEffort {
        split: SplitEffort::ALL,
        steps: 0,
    };
}

/// A relation is large if it has this part of the steps or more.
const LARGE: u64 = 8;

impl GroundRules {
    /// Grounds a game within a budget. The rules of `statics` are narrowed.
    pub fn new(statics: &mut Statics, effort: GroundEffort, budget: &mut WorkBudget) -> Result<GroundRules, GdlError> {
        factor(statics, budget)?;
        let domains = narrow(statics, budget)?;
        let SplitRules { rules, added } = split(statics, &domains, effort.split, budget)?;
        let Reached { rules, tables, guards } = Reached::new(statics, rules, &added, effort.steps, budget)?;
        let is_guard = |rel: RelId| guards.get(rel) == Some(&true);
        let is_fixed = |rel: RelId| statics.is_static.get(rel) == Some(&true) || is_guard(rel);
        let mut first = Vec::with_capacity(tables.len());
        let mut props = 0u32;
        for rel in 0..tables.len() {
            first.push(props);
            if !is_guard(rel) {
                props += tables[table_of(statics, rel)].len() as u32;
            }
        }
        let mut ground = GroundRules {
            first,
            props: props as usize,
            heads: Vec::new(),
            starts: Vec::new(),
            lits: Vec::new(),
            tables,
        };
        ground.facts(statics);
        let mut scratch = JoinScratch::default();
        for rule in rules.iter().filter(|rule| !is_guard(rule.head)) {
            ground.instances(statics, rule, &is_fixed, &mut scratch, budget)?;
        }
        ground.starts.push(ground.lits.len() as u32);
        Ok(ground)
    }

    /// The proposition of a row of a relation.
    pub fn prop(&self, rel: RelId, row: u32) -> Prop {
        self.first[rel] + row
    }

    /// All clauses: head and conditions.
    pub fn clauses(&self) -> impl Iterator<Item = (Prop, &[u32])> {
        self.heads
            .iter()
            .zip(self.starts.windows(2))
            .map(|(&head, ends)| (head, &self.lits[ends[0] as usize..ends[1] as usize]))
    }

    /// Rows that hold whatever the position.
    fn facts(&mut self, statics: &Statics) {
        for rel in 0..statics.program.rels.len() {
            let kind = statics.program.rels[rel].kind;
            let played = matches!(
                kind,
                RelationKind::Next(_) | RelationKind::Legal(_) | RelationKind::Goal | RelationKind::Terminal
            );
            if statics.is_static[rel] && played {
                let own: Vec<Vec<u32>> = statics.tables[rel].rows().map(<[u32]>::to_vec).collect();
                for row in own {
                    self.always(statics, rel, &row);
                }
            }
        }
        for (rel, row) in &statics.program.facts {
            if !statics.is_static[*rel] {
                self.always(statics, *rel, row);
            }
        }
    }

    fn always(&mut self, statics: &Statics, rel: RelId, row: &[u32]) {
        if let Some(at) = self.tables[table_of(statics, rel)].find(row) {
            self.heads.push(self.prop(rel, at));
            self.starts.push(self.lits.len() as u32);
        }
    }

    /// The clauses of one rule.
    fn instances(
        &mut self,
        statics: &Statics,
        rule: &FlatRule,
        is_static: &dyn Fn(RelId) -> bool,
        scratch: &mut JoinScratch,
        budget: &mut WorkBudget,
    ) -> Result<(), GdlError> {
        let mapped = over_tables(statics, rule, is_static);
        // Conditions that depend on the position: the positive ones by their place in the joined rule.
        let positive: Vec<(usize, RelId)> = mapped
            .body
            .iter()
            .zip(joined(rule, is_static))
            .enumerate()
            .filter_map(|(at, (_, lit))| match lit {
                FlatLiteral::Is(rel, _) if !is_static(*rel) => Some((at, *rel)),
                _ => None,
            })
            .collect();
        let negative: Vec<(RelId, RelId, &[Col])> = rule
            .body
            .iter()
            .filter_map(|lit| match lit {
                FlatLiteral::Not(rel, cols) if !is_static(*rel) => Some((*rel, table_of(statics, *rel), &cols[..])),
                _ => None,
            })
            .collect();
        let plan = {
            let mut planner = JoinPlanner {
                tables: &mut self.tables,
                known: &|_| true,
                goals: None,
            };
            planner.plan(&mapped, None)
        };
        let mut clauses = Clauses {
            heads: Vec::new(),
            lengths: Vec::new(),
            lits: Vec::new(),
            first: &self.first,
            tables: &self.tables,
            head: rule.head,
            head_table: mapped.head,
            positive,
            negative,
            key: Vec::new(),
            budget,
        };
        plan.run(&self.tables, 0..0, scratch, &mut clauses)?;
        let Clauses {
            heads, lengths, lits, ..
        } = clauses;
        let mut at = self.lits.len() as u32;
        for length in lengths {
            self.starts.push(at);
            at += length;
        }
        self.heads.extend(heads);
        self.lits.extend(lits);
        Ok(())
    }
}

/// The conditions that take part in the join: all but negations that depend on the position.
fn joined<'a>(rule: &'a FlatRule, is_static: &'a dyn Fn(RelId) -> bool) -> impl Iterator<Item = &'a FlatLiteral> {
    rule.body
        .iter()
        .filter(|lit| !matches!(lit, FlatLiteral::Not(rel, _) if !is_static(*rel)))
}

/// The rule as it is joined, over tables instead of relations.
fn over_tables(statics: &Statics, rule: &FlatRule, is_static: &dyn Fn(RelId) -> bool) -> FlatRule {
    let body = joined(rule, is_static)
        .map(|lit| match lit {
            FlatLiteral::Is(rel, cols) if !is_static(*rel) => FlatLiteral::Is(table_of(statics, *rel), cols.clone()),
            lit => lit.clone(),
        })
        .collect();
    FlatRule {
        head: table_of(statics, rule.head),
        body,
        cols: rule.cols.clone(),
        vars: rule.vars,
    }
}

/// Everything that could ever hold, by rules of which some relations may be guarded.
struct Reached {
    rules: Vec<FlatRule>,
    tables: Vec<RelationTable>,
    /// Which relations are guards.
    guards: Vec<bool>,
}

impl Reached {
    /// Tries the rules as they are with so many steps first. If these do not do, the relations that are large by then are guarded,
    /// until that does not help any more.
    fn new(
        statics: &Statics,
        rules: Vec<FlatRule>,
        added: &[AddedRelation],
        steps: u64,
        budget: &mut WorkBudget,
    ) -> Result<Reached, GdlError> {
        let is_static = |rel: RelId| statics.is_static.get(rel) == Some(&true);
        let first = statics.program.rels.len() + added.len();
        let mut guards = vec![false; statics.program.rels.len()];
        guards.extend(added.iter().map(|added| added.is_guard));
        let own = |rel: RelId| {
            statics
                .program
                .rels
                .get(rel)
                .is_none_or(|rel| rel.kind == RelationKind::Own)
        };
        let mut large: Vec<RelId> = Vec::new();
        let mut guarded: Option<DemandedRules> = None;
        let mut given = steps;
        loop {
            let mut tables = start(statics, added);
            let mut used = &rules;
            if let Some(guarded) = &guarded {
                tables.extend(guarded.guards.iter().map(|&arity| RelationTable::new(arity)));
                guarded.facts.iter().for_each(|(guard, row)| {
                    tables[*guard].insert(row);
                });
                used = &guarded.rules;
            }
            let mut part = budget.part(given);
            let tried = part.steps_left();
            let mut work = EvalScratch::default();
            let filled = fill(statics, used, &mut tables, &mut work, &mut part);
            match filled {
                Err(GdlError::Memory { .. }) if given == steps => {}
                Err(error) => return Err(error),
                Ok(()) => {
                    budget.pay(&part, given);
                    guards.resize(tables.len(), true);
                    let rules = guarded.map_or(rules, |guarded| guarded.rules);
                    return Ok(Reached { rules, tables, guards });
                }
            }
            let (last, found) = work.last();
            let known = large.len();
            for rel in (0..first).filter(|&rel| own(rel) && !is_static(rel)) {
                let rows = tables[rel].len() + if rel == last { found } else { 0 };
                if rows as u64 >= tried / LARGE && !large.contains(&rel) {
                    large.push(rel);
                }
            }
            let more = demand(&rules, &large, first, &is_static, budget)?.filter(|_| large.len() > known);
            given = if more.is_some() { steps } else { u64::MAX };
            guarded = more.or(guarded);
        }
    }
}

/// The tables before anything is derived: what is true at first, and the facts of the sheet.
fn start(statics: &Statics, added: &[AddedRelation]) -> Vec<RelationTable> {
    let mut tables = statics.tables.clone();
    tables.extend(added.iter().map(|added| RelationTable::new(added.arity)));
    for (rel, info) in statics.program.rels.iter().enumerate() {
        if let RelationKind::Init(twin) | RelationKind::Next(twin) | RelationKind::Legal(twin) = info.kind {
            let rows: Vec<Vec<u32>> = tables[rel].rows().map(<[u32]>::to_vec).collect();
            for row in rows {
                tables[twin].insert(&row);
            }
        }
    }
    tables
}

/// Fills the tables with everything that could ever hold.
fn fill(
    statics: &Statics,
    rules: &[FlatRule],
    tables: &mut [RelationTable],
    work: &mut EvalScratch,
    budget: &mut WorkBudget,
) -> Result<(), GdlError> {
    let is_static = |rel: RelId| statics.is_static.get(rel) == Some(&true);
    let mapped: Vec<FlatRule> = rules
        .iter()
        .map(|rule| over_tables(statics, rule, &is_static))
        .collect();
    for component in components(tables.len(), &mapped) {
        if component.rules.is_empty() {
            continue;
        }
        let mut planner = JoinPlanner {
            tables,
            known: &is_static,
            goals: None,
        };
        let stratum = Stratum::new(&component, &mapped, &mut planner);
        stratum.evaluate(tables, work, budget)?;
    }
    Ok(())
}

/// Collects the clauses of a rule.
struct Clauses<'a> {
    heads: Vec<Prop>,
    lengths: Vec<u32>,
    lits: Vec<u32>,
    first: &'a [Prop],
    tables: &'a [RelationTable],
    head: RelId,
    head_table: RelId,
    positive: Vec<(usize, RelId)>,
    negative: Vec<(RelId, RelId, &'a [Col])>,
    key: Vec<u32>,
    budget: &'a mut WorkBudget,
}

impl Sink for Clauses<'_> {
    const EVERY_WAY: bool = true;

    fn take(&mut self, row: &[u32], matched: &[u32], slots: &[u32]) -> Result<(), GdlError> {
        self.budget.spend()?;
        let Some(head) = self.tables[self.head_table].find(row) else {
            return Ok(());
        };
        let before = self.lits.len();
        for &(at, rel) in &self.positive {
            self.lits.push((self.first[rel] + matched[at]) << 1);
        }
        for (rel, table, cols) in &self.negative {
            self.key.clear();
            self.key.extend(cols.iter().map(|col| match col {
                Col::Const(value) => *value,
                Col::Var(var) => slots[*var as usize],
            }));
            // What can never hold need not be denied.
            if let Some(row) = self.tables[*table].find(&self.key) {
                self.lits.push((self.first[*rel] + row) << 1 | 1);
            }
        }
        self.heads.push(self.first[self.head] + head);
        self.lengths.push((self.lits.len() - before) as u32);
        Ok(())
    }

    fn budget(&mut self) -> &mut WorkBudget {
        self.budget
    }
}
