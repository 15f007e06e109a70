//! Rules without their places in the text and with numbered variables, so that two that say the same are equal.

use crate::sheet::{self, Rule, Sym, TermKind};
use std::collections::HashSet;
use std::rc::Rc;

/// A relation: its name and how many arguments it takes.
pub type Relation = (Sym, usize);

/// A term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Var(u32),
    Const(Sym),
    Fun(Sym, Rc<[Term]>),
}

/// A relation of terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    pub name: Sym,
    pub args: Vec<Term>,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    Is(Atom),
    Not(Atom),
    Distinct(Term, Term),
}

/// A rule. Its conditions are in the order of the sheet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clause {
    pub head: Atom,
    pub body: Vec<Literal>,
    pub vars: u32,
}

impl Term {
    /// Calls `f` with every variable, as often as it is there.
    pub fn each_var(&self, f: &mut impl FnMut(u32)) {
        match self {
            Term::Var(var) => f(*var),
            Term::Const(_) => {}
            Term::Fun(_, args) => args.iter().for_each(|arg| arg.each_var(f)),
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
            Term::Fun(_, args) => 1 + args.iter().map(Term::size).sum::<u64>(),
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
    pub fn map(&self, f: &impl Fn(&Term) -> Option<Term>) -> Term {
        match (f(self), self) {
            (Some(other), _) => other,
            (None, Term::Fun(name, args)) => Term::Fun(*name, args.iter().map(|arg| arg.map(f)).collect()),
            (None, _) => self.clone(),
        }
    }

    /// Whether `f` holds of the term or of a part of it; a part that it holds of is not looked into.
    pub fn any(&self, f: &mut impl FnMut(&Term) -> bool) -> bool {
        f(self)
            || match self {
                Term::Fun(_, args) => args.iter().any(|arg| arg.any(f)),
                _ => false,
            }
    }
}

impl Atom {
    pub fn relation(&self) -> Relation {
        (self.name, self.args.len())
    }

    pub fn map(&self, f: &impl Fn(&Term) -> Option<Term>) -> Atom {
        Atom {
            name: self.name,
            args: self.args.iter().map(|arg| arg.map(f)).collect(),
        }
    }
}

impl Literal {
    /// The relation that it asks for, unless it compares.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Is(atom) | Literal::Not(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    pub fn terms(&self) -> Vec<&Term> {
        match self {
            Literal::Is(atom) | Literal::Not(atom) => atom.args.iter().collect(),
            Literal::Distinct(a, b) => vec![a, b],
        }
    }

    pub fn has_var(&self, wanted: impl Fn(u32) -> bool + Copy) -> bool {
        self.terms().iter().any(|term| term.has_var(wanted))
    }

    pub fn map(&self, f: &impl Fn(&Term) -> Option<Term>) -> Literal {
        match self {
            Literal::Is(atom) => Literal::Is(atom.map(f)),
            Literal::Not(atom) => Literal::Not(atom.map(f)),
            Literal::Distinct(a, b) => Literal::Distinct(a.map(f), b.map(f)),
        }
    }
}

impl Clause {
    /// The rule, unless a `(not (distinct …))` is left in it.
    pub fn of(rule: &Rule) -> Option<Clause> {
        let mut names = Vec::new();
        let head = atom(&rule.head, &mut names);
        let literal = |literal: &sheet::Literal| match literal {
            sheet::Literal::Is(is) => Some(Literal::Is(atom(is, &mut names))),
            sheet::Literal::Not(not) => Some(Literal::Not(atom(not, &mut names))),
            sheet::Literal::Distinct(a, b) => Some(Literal::Distinct(term(a, &mut names), term(b, &mut names))),
            sheet::Literal::Same(..) => None,
        };
        let body = rule.body.iter().map(literal).collect::<Option<_>>()?;
        Some(Clause {
            head,
            body,
            vars: names.len() as u32,
        })
    }

    pub fn map(&self, f: &impl Fn(&Term) -> Option<Term>) -> Clause {
        Clause {
            head: self.head.map(f),
            body: self.body.iter().map(|literal| literal.map(f)).collect(),
            vars: self.vars,
        }
    }

    /// Every term of the head and of the conditions.
    pub fn terms(&self) -> impl Iterator<Item = &Term> {
        self.head.args.iter().chain(self.body.iter().flat_map(Literal::terms))
    }
}

fn atom(atom: &sheet::Atom, names: &mut Vec<Sym>) -> Atom {
    Atom {
        name: atom.name,
        args: atom.args.iter().map(|arg| term(arg, names)).collect(),
    }
}

fn term(of: &sheet::Term, names: &mut Vec<Sym>) -> Term {
    match &of.kind {
        TermKind::Const(sym) => Term::Const(*sym),
        TermKind::Fun(name, args) => Term::Fun(*name, args.iter().map(|arg| term(arg, names)).collect()),
        TermKind::Var(name) => {
            let known = names.iter().position(|known| known == name);
            Term::Var(known.unwrap_or_else(|| {
                names.push(*name);
                names.len() - 1
            }) as u32)
        }
    }
}
