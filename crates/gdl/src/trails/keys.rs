//! Whether two nodes of one walk never have the same key, and which keys there are.

use super::clause::{ClauseLiteral, ClauseTerm, TrailClause};
use super::resolution::{Resolution, Unproved};
use super::shape::{Node, TrailProgram, Trails, WalkStep};
use crate::sheet::Relation;
use std::collections::{HashMap, HashSet};

/// More keys than this are not looked at.
const MOST_KEYS: usize = 1 << 12;

/// Who knows what the variables of a rule can be.
pub struct KeyFinder<'a, 'r> {
    pub program: &'a TrailProgram,
    pub trails: &'r Trails,
    pub steps: &'r [WalkStep<'a>],
    pub resolution: &'r mut Resolution<'a>,
}

impl<'a> KeyFinder<'a, '_> {
    /// All keys that the steps can add, if they belong to the nodes: those a step comes from, or those it leads to. Then nodes of
    /// one walk that differ have keys that differ.
    pub fn find(&mut self) -> Result<Vec<ClauseTerm>, Unproved> {
        match self.keys_of(|step| step.source) {
            Ok(keys) => Ok(keys),
            Err(Unproved) => self.keys_of(|step| step.target),
        }
    }

    fn keys_of(&mut self, node_of: impl Fn(&WalkStep<'a>) -> Option<Node<'a>>) -> Result<Vec<ClauseTerm>, Unproved> {
        let mut owner = None;
        let mut places: HashMap<ClauseTerm, Vec<ClauseTerm>> = HashMap::new();
        for step in self.steps {
            let Some(key) = &step.key else { continue };
            let node = node_of(step).ok_or(Unproved)?;
            let relation = node.atom.relation();
            if *owner.get_or_insert(relation) != relation {
                return Err(Unproved);
            }
            // Where a walk comes by the relation again, only these are different.
            let changing = (0..relation.1)
                .filter(|&at| at != node.trail && !self.stays(relation, at))
                .map(|at| node.atom.args[at].clone());
            let wanted: Vec<ClauseTerm> = [key.clone()].into_iter().chain(changing).collect();
            for mut row in self.rows(step, &wanted)? {
                let place = row.split_off(1);
                let [key] = &row[..] else { return Err(Unproved) };
                match places.get(key) {
                    Some(known) if *known != place => return Err(Unproved),
                    Some(_) => {}
                    None => {
                        places.insert(key.clone(), place);
                    }
                }
            }
            if places.len() > MOST_KEYS {
                return Err(Unproved);
            }
        }
        match places.is_empty() {
            true => Err(Unproved),
            false => Ok(places.into_keys().collect()),
        }
    }

    /// Whether the argument number `at` of a relation is the same whenever a derivation comes by that relation again.
    fn stays(&self, relation: Relation, at: usize) -> bool {
        // Of each relation of the recursion the arguments that are certainly that one.
        let all = self.trails.iter().map(|(&rel, &trail)| match rel == relation {
            true => (rel, HashSet::from([at])),
            false => (rel, (0..rel.1).filter(|&at| at != trail).collect()),
        });
        let mut same: HashMap<Relation, HashSet<usize>> = all.collect();
        let mut changes = true;
        while std::mem::take(&mut changes) {
            for clause in &self.program.clauses {
                let Some(from) = same.get(&clause.head.relation()).cloned() else {
                    continue;
                };
                for atom in clause.body.iter().filter_map(ClauseLiteral::atom) {
                    let Some(to) = same.get_mut(&atom.relation()) else {
                        continue;
                    };
                    let before = to.len();
                    to.retain(|&arg| {
                        let is_it = |&at: &usize| clause.head.args[at] == atom.args[arg];
                        from.iter().any(is_it)
                    });
                    changes |= to.len() < before;
                }
            }
        }
        same[&relation].contains(&at)
    }

    /// What some terms of a step can be, or more than that.
    fn rows(&mut self, step: &WalkStep<'a>, wanted: &[ClauseTerm]) -> Result<Vec<Vec<ClauseTerm>>, Unproved> {
        let mut vars: HashSet<u32> = HashSet::new();
        wanted.iter().for_each(|term| term.add_vars(&mut vars));
        let program = self.program;
        for literal in step.rest() {
            let ClauseLiteral::Is(atom) = literal else { continue };
            if program.statics.contains(&atom.relation()) && vars.iter().all(|&var| literal.has_var(|own| own == var)) {
                return self
                    .resolution
                    .solve(std::slice::from_ref(literal), step.clause.vars, wanted);
            }
        }
        // One by one, what belongs to what is known only if the key says it all.
        let mut known: Vec<u32> = Vec::new();
        wanted[0].each_var(&mut |var| known.push(var));
        if vars.iter().any(|var| !known.contains(var)) {
            return Err(Unproved);
        }
        known.sort_unstable();
        known.dedup();
        let mut rows: Vec<Vec<(u32, ClauseTerm)>> = vec![Vec::new()];
        for var in known {
            let values = self.values(step.clause, var, &mut Vec::new())?;
            if rows.len() * values.len() > MOST_KEYS {
                return Err(Unproved);
            }
            let with = |row: &Vec<(u32, ClauseTerm)>, value: &ClauseTerm| [&row[..], &[(var, value.clone())]].concat();
            rows = rows
                .iter()
                .flat_map(|row| values.iter().map(move |value| with(row, value)))
                .collect();
        }
        let of = |row: &[(u32, ClauseTerm)], term: &ClauseTerm| {
            term.map(&|term| match term {
                ClauseTerm::Var(var) => row.iter().find(|(own, _)| own == var).map(|(_, value)| value.clone()),
                _ => None,
            })
        };
        Ok(rows
            .iter()
            .map(|row| wanted.iter().map(|term| of(row, term)).collect())
            .collect())
    }

    /// The positive conditions of a rule but its guards, without which its conclusions must be counted.
    fn conditions(&self, clause: &'a TrailClause) -> Vec<&'a ClauseLiteral> {
        let own: Vec<&WalkStep> = self
            .steps
            .iter()
            .filter(|step| std::ptr::eq(step.clause, clause))
            .collect();
        let is_guard = |at: usize| own.iter().any(|step| step.guards.contains(&at));
        let body = clause.body.iter().enumerate();
        body.filter(|(at, _)| !is_guard(*at))
            .map(|(_, literal)| literal)
            .collect()
    }

    /// What a variable can be by a rule, or more than that.
    fn values(
        &mut self,
        clause: &'a TrailClause,
        var: u32,
        open: &mut Vec<(Relation, usize)>,
    ) -> Result<HashSet<ClauseTerm>, Unproved> {
        let program = self.program;
        let conditions = self.conditions(clause);
        for &literal in &conditions {
            let ClauseLiteral::Is(atom) = literal else { continue };
            if program.statics.contains(&atom.relation()) && literal.has_var(|own| own == var) {
                let wanted = [ClauseTerm::Var(var)];
                let rows = self
                    .resolution
                    .solve(std::slice::from_ref(literal), clause.vars, &wanted)?;
                return Ok(rows.into_iter().flatten().collect());
            }
        }
        for &literal in &conditions {
            let ClauseLiteral::Is(atom) = literal else { continue };
            for at in (0..atom.args.len()).filter(|&at| atom.args[at] == ClauseTerm::Var(var)) {
                if let Ok(values) = self.column(atom.relation(), at, open) {
                    return Ok(values);
                }
            }
        }
        Err(Unproved)
    }

    /// What an argument of a relation can be, by its rules, or more than that.
    fn column(
        &mut self,
        relation: Relation,
        at: usize,
        open: &mut Vec<(Relation, usize)>,
    ) -> Result<HashSet<ClauseTerm>, Unproved> {
        // What is given, not concluded; and what is just being asked.
        if crate::sheet::Symbols::is_keyword(relation.0) || open.contains(&(relation, at)) {
            return Err(Unproved);
        }
        open.push((relation, at));
        let program = self.program;
        let mut values = HashSet::new();
        let mut known = Ok(());
        for clause in program
            .clauses
            .iter()
            .filter(|clause| clause.head.relation() == relation)
        {
            match &clause.head.args[at] {
                ClauseTerm::Var(var) => match self.values(clause, *var, open) {
                    Ok(more) => values.extend(more),
                    Err(error) => known = Err(error),
                },
                term if term.is_ground() => {
                    values.insert(term.clone());
                }
                _ => known = Err(Unproved),
            }
            if known.is_err() || values.len() > MOST_KEYS {
                break;
            }
        }
        open.pop();
        known.map(|()| values)
    }
}
