//! What never changes: the relations that do not depend on the position, computed once.

use super::budget::Budget;
use super::engine::{Component, Stratum, Work, components};
use super::flat::{Kind, Lit, Program, RelId};
use super::plan::Planner;
use super::table::Table;
use crate::error::{GdlError, MOST_ROLES};

/// A row, at most this often, for one sheet's static relations.
const MOST_ROWS: u64 = 20_000_000;

/// A program with its static relations filled.
#[derive(Clone, Debug)]
pub struct Statics {
    /// The rules.
    pub program: Program,
    /// A table a relation; those of static relations are full.
    pub tables: Vec<Table>,
    /// Which relations are static.
    pub is_static: Vec<bool>,
    /// The components of the others, in the order of evaluation.
    pub dynamic: Vec<Component>,
    /// The roles, as symbols, in the order of the sheet.
    pub roles: Vec<u32>,
}

impl Statics {
    /// Computes the static relations.
    pub fn new(program: Program) -> Result<Self, GdlError> {
        let count = program.rels.len();
        let mut tables: Vec<Table> = program.rels.iter().map(|rel| Table::new(rel.arity)).collect();
        for (rel, row) in &program.facts {
            tables[*rel].insert(row);
        }
        let components = components(count, &program.rules);
        let mut is_static = vec![false; count];
        let mut dynamic = Vec::new();
        let mut work = Work::new(Budget::new("the static relations", MOST_ROWS, None));
        for component in components {
            let depends = component
                .rels
                .iter()
                .any(|&rel| matches!(program.rels[rel].kind, Kind::True | Kind::Does))
                || component.rules.iter().any(|&number| {
                    program.rules[number].body.iter().any(|lit| match lit {
                        Lit::Is(rel, _) | Lit::Not(rel, _) => !is_static[*rel] && !component.rels.contains(rel),
                        Lit::Distinct(..) => false,
                    })
                });
            if depends {
                dynamic.push(component);
                continue;
            }
            component.rels.iter().for_each(|&rel| is_static[rel] = true);
            let known = |rel: RelId| is_static[rel];
            let mut planner = Planner {
                tables: &mut tables,
                known: &known,
            };
            let stratum = Stratum::new(&component, &program.rules, &mut planner);
            stratum.evaluate(&mut tables, &mut work)?;
        }
        let roles: Vec<u32> = program
            .rels_where(|kind| kind == Kind::Role)
            .filter(|&rel| program.rels[rel].arity == 1)
            .flat_map(|rel| tables[rel].rows().map(|row| row[0]).collect::<Vec<_>>())
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
        Ok(Statics {
            program,
            tables,
            is_static,
            dynamic,
            roles,
        })
    }
}
