//! Rules without their places in the text and with numbered variables, so that two that say the same are equal.

use crate::sheet::{self, Relation, Rule, Sym, TermKind};
use std::collections::HashSet;
use std::rc::Rc;

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClauseTerm {
    Var(u32),
    Const(Sym),
    Fun(Sym, Rc<[ClauseTerm]>),
}

/// A relation of terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClauseAtom {
    pub name: Sym,
    pub args: Vec<ClauseTerm>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClauseLiteral {
    Is(ClauseAtom),
    Not(ClauseAtom),
    Distinct(ClauseTerm, ClauseTerm),
}

/// A rule. Its conditions are in the order of the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TrailClause {
    pub head: ClauseAtom,
    pub body: Vec<ClauseLiteral>,
    pub vars: u32,
}

impl ClauseTerm {
    /// Calls `f` with every variable, as often as it is there.
    pub fn each_var(&self, f: &mut impl FnMut(u32)) {
        match self {
            ClauseTerm::Var(var) => f(*var),
            ClauseTerm::Const(_) => {}
            ClauseTerm::Fun(_, args) => args.iter().for_each(|arg| arg.each_var(f)),
        }
    }

    /// Adds the variables to a set.
    pub fn add_vars(&self, to: &mut HashSet<u32>) {
        self.each_var(&mut |var| {
            to.insert(var);
        });
    }

    /// How many parts it has.
    pub fn size(&self) -> u64 {
        match self {
            ClauseTerm::Fun(_, args) => 1 + args.iter().map(ClauseTerm::size).sum::<u64>(),
            _ => 1,
        }
    }

    pub fn has_var(&self, wanted: impl Fn(u32) -> bool) -> bool {
        let mut has = false;
        self.each_var(&mut |var| has |= wanted(var));
        has
    }

    pub fn is_ground(&self) -> bool {
        !self.has_var(|_| true)
    }

    /// The term with what `f` makes of it or, where it makes nothing, of its parts.
    pub fn map(&self, f: &impl Fn(&ClauseTerm) -> Option<ClauseTerm>) -> ClauseTerm {
        match (f(self), self) {
            (Some(other), _) => other,
            (None, ClauseTerm::Fun(name, args)) => ClauseTerm::Fun(*name, args.iter().map(|arg| arg.map(f)).collect()),
            (None, _) => self.clone(),
        }
    }

    /// Whether `f` holds of the term or of a part of it; a part that it holds of is not looked into.
    pub fn any(&self, f: &mut impl FnMut(&ClauseTerm) -> bool) -> bool {
        f(self)
            || match self {
                ClauseTerm::Fun(_, args) => args.iter().any(|arg| arg.any(f)),
                _ => false,
            }
    }
}

impl ClauseAtom {
    pub fn relation(&self) -> Relation {
        (self.name, self.args.len())
    }

    pub fn map(&self, f: &impl Fn(&ClauseTerm) -> Option<ClauseTerm>) -> ClauseAtom {
        ClauseAtom {
            name: self.name,
            args: self.args.iter().map(|arg| arg.map(f)).collect(),
        }
    }
}

impl ClauseLiteral {
    /// The relation that it asks for, unless it compares.
    pub fn atom(&self) -> Option<&ClauseAtom> {
        match self {
            ClauseLiteral::Is(atom) | ClauseLiteral::Not(atom) => Some(atom),
            ClauseLiteral::Distinct(..) => None,
        }
    }

    pub fn terms(&self) -> Vec<&ClauseTerm> {
        match self {
            ClauseLiteral::Is(atom) | ClauseLiteral::Not(atom) => atom.args.iter().collect(),
            ClauseLiteral::Distinct(a, b) => vec![a, b],
        }
    }

    pub fn has_var(&self, wanted: impl Fn(u32) -> bool + Copy) -> bool {
        self.terms().iter().any(|term| term.has_var(wanted))
    }

    pub fn map(&self, f: &impl Fn(&ClauseTerm) -> Option<ClauseTerm>) -> ClauseLiteral {
        match self {
            ClauseLiteral::Is(atom) => ClauseLiteral::Is(atom.map(f)),
            ClauseLiteral::Not(atom) => ClauseLiteral::Not(atom.map(f)),
            ClauseLiteral::Distinct(a, b) => ClauseLiteral::Distinct(a.map(f), b.map(f)),
        }
    }
}

impl TrailClause {
    /// The rule, unless a `(not (distinct …))` is left in it.
    pub fn of(rule: &Rule) -> Option<TrailClause> {
        let mut names = Vec::new();
        let head = atom(&rule.head, &mut names);
        let literal = |literal: &sheet::Literal| match literal {
            sheet::Literal::Is(is) => Some(ClauseLiteral::Is(atom(is, &mut names))),
            sheet::Literal::Not(not) => Some(ClauseLiteral::Not(atom(not, &mut names))),
            sheet::Literal::Distinct(a, b) => Some(ClauseLiteral::Distinct(term(a, &mut names), term(b, &mut names))),
            sheet::Literal::Same(..) => None,
        };
        let body = rule.body.iter().map(literal).collect::<Option<_>>()?;
        Some(TrailClause {
            head,
            body,
            vars: names.len() as u32,
        })
    }

    pub fn map(&self, f: &impl Fn(&ClauseTerm) -> Option<ClauseTerm>) -> TrailClause {
        TrailClause {
            head: self.head.map(f),
            body: self.body.iter().map(|literal| literal.map(f)).collect(),
            vars: self.vars,
        }
    }

    /// Every term of the head and of the conditions.
    pub fn terms(&self) -> impl Iterator<Item = &ClauseTerm> {
        self.head
            .args
            .iter()
            .chain(self.body.iter().flat_map(ClauseLiteral::terms))
    }
}

fn atom(atom: &sheet::Atom, names: &mut Vec<Sym>) -> ClauseAtom {
    ClauseAtom {
        name: atom.name,
        args: atom.args.iter().map(|arg| term(arg, names)).collect(),
    }
}

fn term(of: &sheet::Term, names: &mut Vec<Sym>) -> ClauseTerm {
    match &of.kind {
        TermKind::Const(sym) => ClauseTerm::Const(*sym),
        TermKind::Fun(name, args) => ClauseTerm::Fun(*name, args.iter().map(|arg| term(arg, names)).collect()),
        TermKind::Var(name) => {
            let known = names.iter().position(|known| known == name);
            ClauseTerm::Var(known.unwrap_or_else(|| {
                names.push(*name);
                names.len() - 1
            }) as u32)
        }
    }
}
