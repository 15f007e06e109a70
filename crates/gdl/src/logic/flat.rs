//! Flattening: rules over nested terms become rules over rows of constants.
//!
//! Every relation is split by the skeletons its arguments can have: `(true (cell ?x ?y ?p))` becomes a table of three
//! columns, and a rule whose variable may stand for several skeletons becomes one rule for each. After this nothing in
//! the crate handles a nested term at run time. The skeletons are found by running the rules over skeletons instead of
//! terms; if that does not end, terms can grow without bound, and no machine could play the game.

use super::budget::WorkBudget;
use super::skeleton::{Skeleton, Skeletons};
use super::stratify::stratify;
use crate::GdlError;
use crate::sheet::{Atom, Hints, Literal, Rule, Sheet, Sym, Symbols, Term, TermKind, key};
use crate::trails::without_trails;
use std::collections::{HashMap, HashSet};

/// Terms nested so much deeper than any that is written in the sheet are taken to grow without bound.
const GROWTH: usize = 50;
/// Rows of more constants than this are taken to grow without bound, too; a table has no more columns.
const WIDEST: usize = 250;
/// So many tables mean the same.
const MOST_TABLES: usize = 20_000;

/// The number of a flat relation.
pub type RelId = usize;

/// A column of a literal or a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Col {
    /// A constant, as the number of its symbol.
    Const(u32),
    /// A variable of the rule.
    Var(u16),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FlatLiteral {
    /// A row is in the table.
    Is(RelId, Vec<Col>),
    /// A row is not in the table.
    Not(RelId, Vec<Col>),
    /// Two constants differ.
    Distinct(Col, Col),
}

/// A rule over rows of constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FlatRule {
    /// The table of the head.
    pub head: RelId,
    /// The head's row.
    pub cols: Vec<Col>,
    /// The conditions.
    pub body: Vec<FlatLiteral>,
    /// How many variables there are.
    pub vars: usize,
}

/// What a relation is to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationKind {
    /// The roles.
    Role,
    /// Facts of the first position; the twin is the table of `true`.
    Init(RelId),
    /// Facts of the position.
    True,
    /// What is played.
    Does,
    /// Facts of the next position; the twin is the table of `true`.
    Next(RelId),
    /// What may be played; the twin is the table of `does`.
    Legal(RelId),
    /// What a role gets.
    Goal,
    /// The game is over.
    Terminal,
    /// What a role is told after a move, in games with hidden information.
    Sees,
    /// A relation of the sheet's own.
    Own,
}

/// A flat relation.
#[derive(Clone, Debug)]
pub struct Rel {
    /// What it is to the game.
    pub kind: RelationKind,
    /// The skeletons of its arguments.
    pub skeletons: Vec<Skeleton>,
    /// How many columns its rows have.
    pub arity: usize,
}

/// A sheet, flattened.
#[derive(Clone, Debug)]
pub struct FlatProgram {
    /// What messages call the sheet.
    pub name: String,
    /// What the sheet says about its looks.
    pub hints: Hints,
    /// The names.
    pub symbols: Symbols,
    /// The skeletons.
    pub skeletons: Skeletons,
    /// The relations.
    pub rels: Vec<Rel>,
    /// The rules that have conditions.
    pub rules: Vec<FlatRule>,
    /// The rules that have none: rows that are always there.
    pub facts: Vec<(RelId, Vec<u32>)>,
}

impl FlatProgram {
    /// Flattens what a game needs of a sheet.
    pub fn new(sheet: &Sheet, budget: &mut WorkBudget) -> Result<FlatProgram, GdlError> {
        FlatProgram::of(sheet, needed(&sheet.rules).filter_map(without_same).collect(), budget)
    }

    /// The same, for who writes out every row: without trails that say nothing.
    pub fn to_ground(sheet: &Sheet, budget: &mut WorkBudget) -> Result<FlatProgram, GdlError> {
        let rules: Vec<Rule> = needed(&sheet.rules).filter_map(without_same).collect();
        match without_trails(&rules, budget) {
            Some(shorter) => FlatProgram::of(sheet, needed(&shorter).cloned().collect(), budget),
            None => FlatProgram::of(sheet, rules, budget),
        }
    }

    /// Flattens all of a sheet.
    pub fn whole(sheet: &Sheet, budget: &mut WorkBudget) -> Result<FlatProgram, GdlError> {
        FlatProgram::of(sheet, sheet.rules.iter().filter_map(without_same).collect(), budget)
    }

    fn of(sheet: &Sheet, rules: Vec<Rule>, budget: &mut WorkBudget) -> Result<FlatProgram, GdlError> {
        let mut flattener = Flattener {
            name: &sheet.name,
            symbols: &sheet.symbols,
            skeletons: Skeletons::default(),
            tables: HashMap::new(),
            rels: Vec::new(),
            out: Vec::new(),
            emitted: HashSet::new(),
            deepest: GROWTH + rules.iter().map(depth).max().unwrap_or(0),
            budget,
        };
        // All the facts first, in one go: they are many and depend on nothing.
        let (facts, rules): (Vec<_>, Vec<_>) = rules.into_iter().partition(|rule| rule.body.is_empty());
        flattener.pass(&facts)?;
        let facts_end = flattener.out.len();
        // Rules see more tables every round, until there are no more.
        loop {
            let before = flattener.rels.len();
            flattener.pass(&rules)?;
            if flattener.rels.len() == before {
                break;
            }
        }
        // A last round, with every table known. What was made before is dropped: a negation of a relation that had no table yet
        // was left out of it.
        flattener.out.truncate(facts_end);
        flattener.emitted = flattener.out.iter().cloned().collect();
        flattener.pass(&rules)?;
        let Flattener {
            skeletons,
            rels,
            out,
            budget,
            ..
        } = flattener;
        let mut program = FlatProgram {
            name: sheet.name.clone(),
            hints: sheet.hints.clone(),
            symbols: sheet.symbols.clone(),
            skeletons,
            rels,
            rules: Vec::new(),
            facts: Vec::new(),
        };
        for rule in out {
            let row: Option<Vec<u32>> = rule.cols.iter().map(|col| constant(*col)).collect();
            match row {
                Some(row) if rule.body.is_empty() => program.facts.push((rule.head, row)),
                _ => program.rules.push(rule),
            }
        }
        stratify(&mut program, budget)?;
        Ok(program)
    }

    /// The relations of a kind.
    pub fn rels_where(&self, wanted: impl Fn(RelationKind) -> bool) -> impl Iterator<Item = RelId> {
        (0..self.rels.len()).filter(move |&rel| wanted(self.rels[rel].kind))
    }
}

/// How deeply the terms of a rule are nested.
fn depth(rule: &Rule) -> usize {
    fn of(term: &Term) -> usize {
        match &term.kind {
            TermKind::Fun(_, args) => 1 + args.iter().map(of).max().unwrap_or(0),
            _ => 0,
        }
    }
    let body = rule.body.iter().flat_map(|literal| match literal {
        Literal::Is(atom) | Literal::Not(atom) => atom.args.iter().collect::<Vec<_>>(),
        Literal::Distinct(a, b) | Literal::Same(a, b) => vec![a, b],
    });
    rule.head.args.iter().chain(body).map(of).max().unwrap_or(0)
}

/// How many constants and variables a term has.
fn leaves(term: &Term) -> usize {
    match &term.kind {
        TermKind::Fun(_, args) => args.iter().map(leaves).sum(),
        _ => 1,
    }
}

fn constant(col: Col) -> Option<u32> {
    match col {
        Col::Const(value) => Some(value),
        Col::Var(_) => None,
    }
}

/// The rules that the game can ever ask about.
fn needed(rules: &[Rule]) -> impl Iterator<Item = &Rule> {
    let mut by_head: HashMap<(Sym, usize), Vec<&Rule>> = HashMap::new();
    for rule in rules {
        by_head.entry(rule.head.relation()).or_default().push(rule);
    }
    let mut wanted: HashSet<(Sym, usize)> = HashSet::new();
    let mut stack = vec![
        (key::ROLE, 1),
        (key::INIT, 1),
        (key::LEGAL, 2),
        (key::NEXT, 1),
        (key::GOAL, 2),
        (key::TERMINAL, 0),
        (key::SEES, 2),
    ];
    while let Some(relation) = stack.pop() {
        if wanted.insert(relation) {
            for rule in by_head.get(&relation).map_or(&[][..], Vec::as_slice) {
                stack.extend(rule.body.iter().filter_map(|literal| match literal {
                    Literal::Is(atom) | Literal::Not(atom) => Some(atom.relation()),
                    _ => None,
                }));
            }
        }
    }
    rules.iter().filter(move |rule| wanted.contains(&rule.head.relation()))
}

/// The rule with every `(not (distinct a b))` solved by substitution; `None` if one cannot hold.
fn without_same(rule: &Rule) -> Option<Rule> {
    let mut rule = rule.clone();
    while let Some(at) = rule.body.iter().position(|l| matches!(l, Literal::Same(..))) {
        let Literal::Same(a, b) = rule.body.swap_remove(at) else {
            break;
        };
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            match (&a.kind, &b.kind) {
                (TermKind::Var(x), TermKind::Var(y)) if x == y => {}
                (TermKind::Var(x), _) => substitute(&mut rule, &mut pairs, *x, &b)?,
                (_, TermKind::Var(y)) => substitute(&mut rule, &mut pairs, *y, &a)?,
                (TermKind::Const(x), TermKind::Const(y)) if x == y => {}
                (TermKind::Fun(f, xs), TermKind::Fun(g, ys)) if f == g && xs.len() == ys.len() => {
                    pairs.extend(xs.iter().cloned().zip(ys.iter().cloned()));
                }
                _ => return None,
            }
        }
    }
    Some(rule)
}

fn substitute(rule: &mut Rule, pairs: &mut [(Term, Term)], var: Sym, by: &Term) -> Option<()> {
    let mut inside = false;
    by.each_var(&mut |name, _| inside |= name == var);
    if inside {
        return None;
    }
    fn within(term: &mut Term, var: Sym, by: &Term) {
        match &mut term.kind {
            TermKind::Var(name) if *name == var => term.kind = by.kind.clone(),
            TermKind::Fun(_, args) => args.iter_mut().for_each(|arg| within(arg, var, by)),
            _ => {}
        }
    }
    let args = rule
        .head
        .args
        .iter_mut()
        .chain(rule.body.iter_mut().flat_map(|literal| match literal {
            Literal::Is(atom) | Literal::Not(atom) => atom.args.iter_mut().collect::<Vec<_>>(),
            Literal::Distinct(a, b) | Literal::Same(a, b) => vec![a, b],
        }));
    args.chain(pairs.iter_mut().flat_map(|(a, b)| [a, b]))
        .for_each(|term| within(term, var, by));
    Some(())
}

/// What a variable stands for: its skeleton and the first of its flat variables.
type Bindings = Vec<(Sym, Skeleton, u16)>;

struct Flattener<'a> {
    name: &'a str,
    symbols: &'a Symbols,
    skeletons: Skeletons,
    /// The tables of each relation of the sheet.
    tables: HashMap<(Sym, usize), Vec<RelId>>,
    rels: Vec<Rel>,
    out: Vec<FlatRule>,
    emitted: HashSet<FlatRule>,
    /// Deeper terms are taken to grow without bound.
    deepest: usize,
    budget: &'a mut WorkBudget,
}

impl Flattener<'_> {
    fn pass(&mut self, rules: &[Rule]) -> Result<(), GdlError> {
        for rule in rules {
            self.expand(rule, 0, &mut Vec::new(), 0, &mut Vec::new())?;
        }
        Ok(())
    }

    /// Goes through the positive conditions from number `at` on, with every table each could mean.
    fn expand(
        &mut self,
        rule: &Rule,
        at: usize,
        bound: &mut Bindings,
        vars: u16,
        body: &mut Vec<FlatLiteral>,
    ) -> Result<(), GdlError> {
        self.budget.look()?;
        let Some(literal) = rule.body.get(at) else {
            return self.emit(rule, bound, vars, body);
        };
        let Literal::Is(atom) = literal else {
            return self.expand(rule, at + 1, bound, vars, body);
        };
        let mut number = 0;
        while let Some(&rel) = self.tables.get(&atom.relation()).and_then(|tables| tables.get(number)) {
            number += 1;
            let skeletons = self.rels[rel].skeletons.clone();
            let (mut next, known) = (vars, bound.len());
            let mut cols = Vec::new();
            let fits = atom
                .args
                .iter()
                .zip(&skeletons)
                .all(|(arg, &skeleton)| self.fit(arg, skeleton, bound, &mut next, &mut cols));
            if fits {
                body.push(FlatLiteral::Is(rel, cols));
                self.expand(rule, at + 1, bound, next, body)?;
                body.pop();
            }
            bound.truncate(known);
        }
        Ok(())
    }

    /// Whether a term can have a skeleton; its columns.
    fn fit(&self, term: &Term, skeleton: Skeleton, bound: &mut Bindings, next: &mut u16, cols: &mut Vec<Col>) -> bool {
        match &term.kind {
            TermKind::Const(sym) => {
                cols.push(Col::Const(sym.0));
                skeleton == Skeleton::CONST
            }
            TermKind::Var(name) => {
                let leaves = self.skeletons.leaves(skeleton) as u16;
                let first = match bound.iter().find(|(var, ..)| var == name) {
                    Some(&(_, known, _)) if known != skeleton => return false,
                    Some(&(_, _, first)) => first,
                    None => {
                        bound.push((*name, skeleton, *next));
                        *next += leaves;
                        *next - leaves
                    }
                };
                cols.extend((first..first + leaves).map(Col::Var));
                true
            }
            TermKind::Fun(name, args) => match self.skeletons.open(skeleton) {
                Some((f, skeletons)) if f == *name && skeletons.len() == args.len() => args
                    .iter()
                    .zip(skeletons)
                    .all(|(arg, &skeleton)| self.fit(arg, skeleton, bound, next, cols)),
                _ => false,
            },
        }
    }

    /// Writes the rule for one choice of tables.
    fn emit(&mut self, rule: &Rule, bound: &Bindings, vars: u16, body: &[FlatLiteral]) -> Result<(), GdlError> {
        let mut body = body.to_vec();
        // Two nested terms differ if any of their constants does: each way is a rule.
        let mut differences: Vec<Vec<FlatLiteral>> = Vec::new();
        for literal in &rule.body {
            match literal {
                Literal::Is(_) => {}
                Literal::Not(atom) => {
                    let (skeletons, cols) = self.row(&atom.args, bound)?;
                    let known = self.tables.get(&atom.relation()).into_iter().flatten();
                    if let Some(&rel) = known.into_iter().find(|&&rel| self.rels[rel].skeletons == skeletons) {
                        body.push(FlatLiteral::Not(rel, cols));
                    }
                }
                Literal::Distinct(a, b) => {
                    let (skeleton_a, cols_a) = self.row(std::slice::from_ref(a), bound)?;
                    let (skeleton_b, cols_b) = self.row(std::slice::from_ref(b), bound)?;
                    let differ = |(a, b): &(&Col, &Col)| matches!((a, b), (Col::Const(a), Col::Const(b)) if a != b);
                    if skeleton_a != skeleton_b || cols_a.iter().zip(&cols_b).any(|pair| differ(&pair)) {
                        continue;
                    }
                    let ways: Vec<FlatLiteral> = cols_a
                        .iter()
                        .zip(&cols_b)
                        .filter(|(a, b)| a != b)
                        .map(|(a, b)| FlatLiteral::Distinct(*a, *b))
                        .collect();
                    match &ways[..] {
                        [] => return Ok(()),
                        [one] => body.push(one.clone()),
                        _ => differences.push(ways),
                    }
                }
                Literal::Same(..) => unreachable!("solved before flattening"),
            }
        }
        let (skeletons, cols) = self.row(&rule.head.args, bound)?;
        let head = self.table(&rule.head, skeletons)?;
        let mut cases = vec![body];
        for ways in differences {
            cases = cases
                .iter()
                .flat_map(|case| {
                    ways.iter()
                        .map(move |way| [&case[..], std::slice::from_ref(way)].concat())
                })
                .collect();
        }
        for body in cases {
            let rule = FlatRule {
                head,
                cols: cols.clone(),
                body,
                vars: vars.into(),
            };
            if self.emitted.insert(rule.clone()) {
                self.budget.spend()?;
                self.out.push(rule);
            }
        }
        Ok(())
    }

    /// Skeletons and columns of terms whose variables are all bound.
    fn row(&mut self, terms: &[Term], bound: &Bindings) -> Result<(Vec<Skeleton>, Vec<Col>), GdlError> {
        let mut cols = Vec::new();
        let skeletons = terms
            .iter()
            .map(|term| self.skeleton_of(term, bound, &mut cols))
            .collect::<Result<_, _>>()?;
        Ok((skeletons, cols))
    }

    fn skeleton_of(&mut self, term: &Term, bound: &Bindings, cols: &mut Vec<Col>) -> Result<Skeleton, GdlError> {
        match &term.kind {
            TermKind::Const(sym) => {
                cols.push(Col::Const(sym.0));
                Ok(Skeleton::CONST)
            }
            TermKind::Var(name) => match bound.iter().find(|(var, ..)| var == name) {
                Some(&(_, skeleton, first)) => {
                    cols.extend((first..first + self.skeletons.leaves(skeleton) as u16).map(Col::Var));
                    Ok(skeleton)
                }
                // The checker refuses such sheets; a sheet that was not checked ends here.
                None => Err(GdlError::Unsafe {
                    name: self.name.into(),
                    var: self.symbols.text(*name).into(),
                }),
            },
            TermKind::Fun(name, args) => {
                let args = args
                    .iter()
                    .map(|arg| self.skeleton_of(arg, bound, cols))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(self.skeletons.fun(*name, args))
            }
        }
    }

    /// The table of a relation for skeletons, new or known, with its twin.
    fn table(&mut self, atom: &Atom, skeletons: Vec<Skeleton>) -> Result<RelId, GdlError> {
        let relation = atom.relation();
        let wide = skeletons
            .iter()
            .map(|&skeleton| self.skeletons.leaves(skeleton))
            .sum::<usize>()
            > WIDEST;
        let written: usize = atom.args.iter().map(leaves).sum();
        if written > WIDEST {
            return Err(GdlError::Wide {
                name: self.name.into(),
                relation: self.symbols.text(atom.name).into(),
                constants: written,
                most: WIDEST,
            });
        }
        let deep = wide
            || skeletons
                .iter()
                .any(|&skeleton| self.skeletons.depth(skeleton) > self.deepest);
        if deep || self.rels.len() > MOST_TABLES {
            return Err(GdlError::Unbounded {
                name: self.name.into(),
                relation: self.symbols.text(atom.name).into(),
            });
        }
        let kind = match atom.name {
            key::ROLE => RelationKind::Role,
            key::INIT => RelationKind::Init(self.add((key::TRUE, 1), RelationKind::True, &skeletons)),
            key::NEXT => RelationKind::Next(self.add((key::TRUE, 1), RelationKind::True, &skeletons)),
            key::LEGAL => RelationKind::Legal(self.add((key::DOES, 2), RelationKind::Does, &skeletons)),
            key::GOAL => RelationKind::Goal,
            key::TERMINAL => RelationKind::Terminal,
            key::SEES => RelationKind::Sees,
            _ => RelationKind::Own,
        };
        Ok(self.add(relation, kind, &skeletons))
    }

    fn add(&mut self, relation: (Sym, usize), kind: RelationKind, skeletons: &[Skeleton]) -> RelId {
        let tables = self.tables.entry(relation).or_default();
        if let Some(&rel) = tables.iter().find(|&&rel| self.rels[rel].skeletons == skeletons) {
            return rel;
        }
        let rel = self.rels.len();
        tables.push(rel);
        self.rels.push(Rel {
            kind,
            skeletons: skeletons.to_vec(),
            arity: skeletons.iter().map(|&skeleton| self.skeletons.leaves(skeleton)).sum(),
        });
        rel
    }
}
