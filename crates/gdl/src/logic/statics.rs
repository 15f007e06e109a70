//! The static relations: those that do not depend on the position are computed once.

use super::budget::WorkBudget;
use super::engine::{Component, EvalScratch, Stratum, components};
use super::flat::{FlatLiteral, FlatProgram, RelId, RelationKind};
use super::goals::compile;
use super::plan::JoinPlanner;
use super::resolve::{TabledAnswers, answer};
use super::table::RelationTable;
use crate::error::{GdlError, MOST_ROLES};

/// How many rows may be looked at to fill the tables of all static relations. A relation that would need more than half of what is
/// left, and more than a few, is computed on demand, as if it depended on the position.
const MOST_LOOKS: u64 = 1 << 20;
const FEW_LOOKS: u64 = 1 << 14;

/// A program with its static relations filled.
#[derive(Clone, Debug)]
pub struct Statics {
    /// The rules.
    pub program: FlatProgram,
    /// A table a relation; those of static relations are full.
    pub tables: Vec<RelationTable>,
    /// Which relations are static and have their tables filled.
    pub is_static: Vec<bool>,
    /// Which relations do not depend on the position: those, and others whose tables would be too large.
    pub is_timeless: Vec<bool>,
    /// The components of the others, in the order of evaluation.
    pub dynamic: Vec<Component>,
    /// The roles, as symbols, in the order of the sheet.
    pub roles: Vec<u32>,
}

impl Statics {
    /// Computes the static relations.
    pub fn new(program: FlatProgram, budget: &mut WorkBudget) -> Result<Self, GdlError> {
        Statics::within(MOST_LOOKS, program, budget)
    }

    /// With at most so many looks at rows. Tests have hardly any table filled by that.
    pub fn within(mut looks: u64, program: FlatProgram, budget: &mut WorkBudget) -> Result<Self, GdlError> {
        let count = program.rels.len();
        let mut statics = Statics {
            tables: program.rels.iter().map(|rel| RelationTable::new(rel.arity)).collect(),
            is_static: vec![false; count],
            is_timeless: vec![false; count],
            dynamic: Vec::new(),
            roles: Vec::new(),
            program,
        };
        for (rel, row) in &statics.program.facts {
            statics.tables[*rel].insert(row);
        }
        let mut work = EvalScratch::default();
        for component in components(count, &statics.program.rules) {
            statics.is_timeless_now(&component);
            let fills = statics.depends_only_on(&component, &statics.is_static);
            if !fills || !statics.fill(&component, &mut looks, &mut work, budget)? {
                statics.dynamic.push(component);
            }
        }
        statics.begin(budget)?;
        statics.roles = statics.find_roles()?;
        Ok(statics)
    }

    /// Who plays and what is true at first must be known, and where that depends on tables that are too large it is asked for.
    fn begin(&mut self, budget: &mut WorkBudget) -> Result<(), GdlError> {
        let asked: Vec<bool> = self.is_static.iter().map(|is_static| !is_static).collect();
        let first = |kind: RelationKind| matches!(kind, RelationKind::Role | RelationKind::Init(_));
        let wanted: Vec<RelId> = self.program.rels_where(first).filter(|&rel| asked[rel]).collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut tables = self.tables.clone();
        let goals = compile(&self.program, &asked, &wanted, &mut tables, &|rel| !asked[rel]);
        let mut memory = TabledAnswers::new(&goals);
        for (number, rel) in wanted.into_iter().enumerate() {
            answer(&goals, number, &[], &mut tables, &mut memory, budget)?;
            self.tables[rel] = tables[rel].clone();
            self.is_static[rel] = true;
        }
        let is_static = &self.is_static;
        self.dynamic
            .retain(|component| component.rels.iter().any(|&rel| !is_static[rel]));
        Ok(())
    }

    /// Whether a component depends on these relations and on itself only.
    fn depends_only_on(&self, component: &Component, known: &[bool]) -> bool {
        let program = &self.program;
        let given = |rel: &RelId| matches!(program.rels[*rel].kind, RelationKind::True | RelationKind::Does);
        let knows = |rel: &RelId| known[*rel] || component.rels.contains(rel);
        !component.rels.iter().any(given)
            && component.rules.iter().all(|&number| {
                program.rules[number].body.iter().all(|lit| match lit {
                    FlatLiteral::Is(rel, _) | FlatLiteral::Not(rel, _) => knows(rel),
                    FlatLiteral::Distinct(..) => true,
                })
            })
    }

    fn is_timeless_now(&mut self, component: &Component) {
        if self.depends_only_on(component, &self.is_timeless) {
            component.rels.iter().for_each(|&rel| self.is_timeless[rel] = true);
        }
    }

    /// Fills the tables of a component, unless that takes too much.
    fn fill(
        &mut self,
        component: &Component,
        looks: &mut u64,
        work: &mut EvalScratch,
        budget: &mut WorkBudget,
    ) -> Result<bool, GdlError> {
        let Statics {
            program,
            tables,
            is_static,
            ..
        } = self;
        let known = |rel: RelId| is_static[rel];
        let mut planner = JoinPlanner {
            tables,
            known: &known,
            goals: None,
        };
        let stratum = Stratum::new(component, &program.rules, &mut planner);
        let before = budget.clone();
        let allowed = (*looks / 2).max(FEW_LOOKS.min(*looks));
        budget.allow_tries(Some(allowed));
        let filled = stratum.evaluate(tables, work, budget);
        budget.allow_tries(None);
        *looks = looks.saturating_sub(budget.spent() - before.spent());
        match filled {
            Ok(()) => component.rels.iter().for_each(|&rel| is_static[rel] = true),
            Err(GdlError::TooManyTries { .. }) => {
                budget.undo(&before);
                for &rel in &component.rels {
                    tables[rel] = RelationTable::new(program.rels[rel].arity);
                    let own = program.facts.iter().filter(|(fact, _)| *fact == rel);
                    own.for_each(|(_, row)| {
                        tables[rel].insert(row);
                    });
                }
                return Ok(false);
            }
            Err(error) => return Err(error),
        }
        Ok(true)
    }

    fn find_roles(&self) -> Result<Vec<u32>, GdlError> {
        let program = &self.program;
        let roles: Vec<u32> = program
            .rels_where(|kind| kind == RelationKind::Role)
            .filter(|&rel| program.rels[rel].arity == 1)
            .flat_map(|rel| self.tables[rel].rows().map(|row| row[0]).collect::<Vec<_>>())
            .collect();
        if roles.is_empty() {
            return Err(GdlError::NoRoles {
                name: program.name.clone(),
            });
        }
        if roles.len() > MOST_ROLES {
            return Err(GdlError::ManyRoles {
                name: program.name.clone(),
                roles: roles.len(),
            });
        }
        Ok(roles)
    }
}
