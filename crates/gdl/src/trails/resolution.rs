//! Resolution over terms, for the few questions that a proof asks of static relations. It answers right or not at all: what
//! takes too many steps, nests too deeply or compares what is not known ends with [`Unproved`].

use super::clause::{ClauseAtom, ClauseLiteral, ClauseTerm, TrailClause};
use crate::logic::WorkBudget;
use crate::sheet::Relation;
use std::collections::{HashMap, HashSet};

/// Work of all questions of a sheet, and of each, in parts of terms that are looked at: some tens of nanoseconds each.
const MOST_WORK: u64 = 10_000_000;
const MOST_EACH: u64 = 500_000;
/// How deeply a derivation may nest.
const DEEPEST: usize = 200;

/// Nothing could be proved: neither that it holds, nor that it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved;

/// Who answers.
pub struct Resolution<'a> {
    clauses: HashMap<Relation, Vec<&'a TrailClause>>,
    /// Relations that are facts and nothing else.
    facts: HashMap<Relation, HashSet<&'a ClauseAtom>>,
    /// What was found of ground conditions.
    known: HashMap<ClauseAtom, bool>,
    /// What every relation that was asked for is, all of it.
    listed: HashMap<Relation, Result<Vec<Vec<ClauseTerm>>, Unproved>>,
    work: u64,
    budget: &'a WorkBudget,
}

/// What the variables of one derivation stand for, and in which order they were bound.
#[derive(Default)]
struct Unifier {
    values: Vec<Option<ClauseTerm>>,
    bound: Vec<u32>,
}

/// What is asked: which terms are wanted of every solution, or whether there is one.
struct GoalSearch<'t> {
    wanted: &'t [ClauseTerm],
    first: bool,
    found: Vec<Vec<ClauseTerm>>,
}

impl<'a> Resolution<'a> {
    pub fn new(clauses: &'a [TrailClause], budget: &'a WorkBudget) -> Self {
        let mut by_head: HashMap<Relation, Vec<&TrailClause>> = HashMap::new();
        for clause in clauses {
            by_head.entry(clause.head.relation()).or_default().push(clause);
        }
        let is_fact =
            |clause: &&TrailClause| clause.body.is_empty() && clause.head.args.iter().all(ClauseTerm::is_ground);
        let facts = by_head
            .iter()
            .filter(|(_, clauses)| clauses.iter().all(is_fact))
            .map(|(relation, clauses)| (*relation, clauses.iter().map(|clause| &clause.head).collect()))
            .collect();
        Resolution {
            clauses: by_head,
            facts,
            known: HashMap::new(),
            listed: HashMap::new(),
            work: MOST_WORK,
            budget,
        }
    }

    /// What the terms `wanted` are in every solution of the conditions, each once.
    pub fn solve(
        &mut self,
        conditions: &[ClauseLiteral],
        vars: u32,
        wanted: &[ClauseTerm],
    ) -> Result<Vec<Vec<ClauseTerm>>, Unproved> {
        let mut search = GoalSearch {
            wanted,
            first: false,
            found: Vec::new(),
        };
        let mut bindings = Unifier::default();
        bindings.values.resize(vars as usize, None);
        let given = self.work.min(MOST_EACH);
        let kept = self.work - given;
        self.work = given;
        let derived = self.derive(conditions.to_vec(), &mut bindings, 0, &mut search);
        self.work += kept;
        derived?;
        let mut seen = HashSet::new();
        search.found.retain(|row| seen.insert(row.clone()));
        Ok(search.found)
    }

    /// All rows of a relation.
    pub fn rows(&mut self, relation: Relation) -> Result<Vec<Vec<ClauseTerm>>, Unproved> {
        if let Some(known) = self.listed.get(&relation) {
            return known.clone();
        }
        let args: Vec<ClauseTerm> = (0..relation.1 as u32).map(ClauseTerm::Var).collect();
        let atom = ClauseAtom {
            name: relation.0,
            args: args.clone(),
        };
        let rows = self.solve(&[ClauseLiteral::Is(atom)], relation.1 as u32, &args);
        let ground = |row: &Vec<ClauseTerm>| row.iter().all(ClauseTerm::is_ground);
        let rows = rows.and_then(|rows| rows.iter().all(ground).then_some(rows).ok_or(Unproved));
        self.listed.insert(relation, rows.clone());
        rows
    }

    fn spend(&mut self, work: u64) -> Result<(), Unproved> {
        let before = self.work;
        self.work = before.checked_sub(work).ok_or(Unproved)?;
        match before >> 16 == self.work >> 16 {
            true => Ok(()),
            false => self.budget.check_clock().map_err(|_| Unproved),
        }
    }

    /// Finds the solutions of the goals; whether enough were found.
    fn derive(
        &mut self,
        mut goals: Vec<ClauseLiteral>,
        bindings: &mut Unifier,
        depth: usize,
        search: &mut GoalSearch,
    ) -> Result<bool, Unproved> {
        self.spend(1)?;
        if depth > DEEPEST {
            return Err(Unproved);
        }
        // What is ground is tested; of the others the one that knows most is resolved.
        let mut best: Option<(usize, usize)> = None;
        let mut at = 0;
        while let Some(goal) = goals.get(at) {
            let goal = goal.map(&|term| bindings.value(term));
            self.spend(goal.terms().iter().map(|term| term.size()).sum())?;
            if !goal.has_var(|_| true) {
                if !self.holds(&goal, depth)? {
                    return Ok(false);
                }
                goals.remove(at);
                continue;
            }
            if let ClauseLiteral::Is(atom) = &goal {
                let known = atom.args.iter().filter(|arg| arg.is_ground()).count();
                if best.is_none_or(|(most, _)| known > most) {
                    best = Some((known, at));
                }
            }
            goals[at] = goal;
            at += 1;
        }
        let Some((_, at)) = best else {
            if !goals.is_empty() {
                return Err(Unproved);
            }
            let row = search.wanted.iter().map(|term| term.map(&|term| bindings.value(term)));
            search.found.push(row.collect());
            return Ok(search.first);
        };
        let ClauseLiteral::Is(atom) = goals.remove(at) else {
            return Err(Unproved);
        };
        let clauses = self.clauses.get(&atom.relation()).cloned().unwrap_or_default();
        for clause in clauses {
            self.spend(1)?;
            let (vars, bound) = (bindings.values.len(), bindings.bound.len());
            bindings.values.resize(vars + clause.vars as usize, None);
            let own = |term: &ClauseTerm| match term {
                ClauseTerm::Var(var) => Some(ClauseTerm::Var(var + vars as u32)),
                _ => None,
            };
            let mut pairs = atom.args.iter().zip(&clause.head.args);
            if pairs.all(|(arg, head)| bindings.unify(arg, &head.map(&own))) {
                let body = clause.body.iter().map(|literal| literal.map(&own));
                let goals = body.chain(goals.iter().cloned()).collect();
                if self.derive(goals, bindings, depth + 1, search)? {
                    return Ok(true);
                }
            }
            bindings.undo(vars, bound);
        }
        Ok(false)
    }

    /// Whether a ground condition holds.
    fn holds(&mut self, condition: &ClauseLiteral, depth: usize) -> Result<bool, Unproved> {
        let (atom, wanted) = match condition {
            ClauseLiteral::Distinct(a, b) => return Ok(a != b),
            ClauseLiteral::Is(atom) => (atom, true),
            ClauseLiteral::Not(atom) => (atom, false),
        };
        if let Some(facts) = self.facts.get(&atom.relation()) {
            return Ok(facts.contains(atom) == wanted);
        }
        if let Some(&known) = self.known.get(atom) {
            return Ok(known == wanted);
        }
        let mut search = GoalSearch {
            wanted: &[],
            first: true,
            found: Vec::new(),
        };
        // Of a goal that is ground, `derive` would ask here again.
        let mut holds = false;
        for clause in self.clauses.get(&atom.relation()).cloned().unwrap_or_default() {
            self.spend(1)?;
            let mut bindings = Unifier::default();
            bindings.values.resize(clause.vars as usize, None);
            let mut pairs = clause.head.args.iter().zip(&atom.args);
            if pairs.all(|(head, arg)| bindings.unify(head, arg))
                && self.derive(clause.body.clone(), &mut bindings, depth + 1, &mut search)?
            {
                holds = true;
                break;
            }
        }
        self.known.insert(atom.clone(), holds);
        Ok(holds == wanted)
    }
}

impl Unifier {
    /// What a variable stands for, all the way down; nothing if that is not known, or if the term is none.
    fn value(&self, term: &ClauseTerm) -> Option<ClauseTerm> {
        match term {
            ClauseTerm::Var(var) => {
                let value = self.values.get(*var as usize)?.as_ref()?;
                Some(value.map(&|term| self.value(term)))
            }
            _ => None,
        }
    }

    /// Makes two terms equal, if that is possible; if not, some variables may be bound all the same.
    fn unify(&mut self, a: &ClauseTerm, b: &ClauseTerm) -> bool {
        let a = a.map(&|term| self.value(term));
        let b = b.map(&|term| self.value(term));
        match (&a, &b) {
            (ClauseTerm::Var(x), ClauseTerm::Var(y)) if x == y => true,
            (ClauseTerm::Var(x), other) | (other, ClauseTerm::Var(x)) => {
                let free = !other.has_var(|var| var == *x);
                if free {
                    self.values[*x as usize] = Some(other.clone());
                    self.bound.push(*x);
                }
                free
            }
            (ClauseTerm::Const(x), ClauseTerm::Const(y)) => x == y,
            (ClauseTerm::Fun(f, xs), ClauseTerm::Fun(g, ys)) => {
                f == g && xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(|(x, y)| self.unify(x, y))
            }
            _ => false,
        }
    }

    /// Forgets what was bound, and which variables were added, since then.
    fn undo(&mut self, vars: usize, bound: usize) {
        for var in self.bound.drain(bound..) {
            self.values[var as usize] = None;
        }
        self.values.truncate(vars);
    }
}
