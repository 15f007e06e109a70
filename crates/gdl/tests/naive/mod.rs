//! The rules taken at their word: everything that follows is derived again and again until nothing new does. Slow, short, and
//! without anything in common with the machines but the reader.
//!
//! Negation is that of the well-founded model: what may hold is derived from what surely holds and the other way round, until
//! both rest. Where the rules are stratified, and where they are only locally, the two are then the same.

use gdl::Sheet;
use gdl::sheet::{Atom, Literal, Rule, Sym, Term, TermKind};
use std::collections::{BTreeMap, BTreeSet};

/// A ground term or atom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ground(Sym, Vec<Ground>);

type Facts = BTreeSet<Ground>;
type Bindings = BTreeMap<Sym, Ground>;

/// More facts than this are too many for a test.
const MOST: usize = 2000;

/// What the rules say of a position.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub terminal: bool,
    /// Of the only role, sorted.
    pub legal: Vec<String>,
    pub goal: u8,
}

/// A game for one role, played by the letter.
pub struct Naive<'a> {
    sheet: &'a Sheet,
    facts: Facts,
}

impl<'a> Naive<'a> {
    /// The game at its beginning; nothing if there is too much to derive.
    pub fn new(sheet: &'a Sheet) -> Option<Self> {
        let mut game = Naive {
            sheet,
            facts: Facts::new(),
        };
        let model = game.model(None)?;
        game.facts = game.of(&model, "init");
        Some(game)
    }

    /// The facts of the position, sorted.
    pub fn state(&self) -> Vec<String> {
        sorted(self.facts.iter().map(|fact| self.print(fact)))
    }

    /// What the rules say of the position.
    pub fn said(&self) -> Option<Said> {
        let model = self.model(None)?;
        let named = |name: &str| -> Vec<&Ground> { model.iter().filter(|atom| self.is(atom.0, name)).collect() };
        let goals = named("goal")
            .into_iter()
            .filter_map(|goal| self.print(&goal.1[1]).parse().ok());
        Some(Said {
            terminal: !named("terminal").is_empty(),
            legal: sorted(named("legal").into_iter().map(|legal| self.print(&legal.1[1]))),
            goal: goals.max().unwrap_or(0),
        })
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: &str) -> Option<()> {
        let model = self.model(None)?;
        let legal = model
            .iter()
            .find(|atom| self.is(atom.0, "legal") && self.print(&atom.1[1]) == mv)?;
        let after = self.model(Some(&legal.1))?;
        self.facts = self.of(&after, "next");
        Some(())
    }

    /// The arguments of the atoms of that name.
    fn of(&self, model: &Facts, name: &str) -> Facts {
        let atoms = model.iter().filter(|atom| self.is(atom.0, name));
        atoms.map(|atom| atom.1[0].clone()).collect()
    }

    fn is(&self, sym: Sym, name: &str) -> bool {
        self.sheet.symbols.find(name) == Some(sym)
    }

    fn print(&self, term: &Ground) -> String {
        let name = self.sheet.symbols.text(term.0);
        if term.1.is_empty() {
            return name.to_string();
        }
        let args: Vec<String> = term.1.iter().map(|arg| self.print(arg)).collect();
        format!("({name} {})", args.join(" "))
    }

    /// Everything that holds here.
    fn model(&self, done: Option<&[Ground]>) -> Option<Facts> {
        let keyword = |name: &str| self.sheet.symbols.find(name).unwrap();
        let mut given: Facts = self
            .facts
            .iter()
            .map(|fact| Ground(keyword("true"), vec![fact.clone()]))
            .collect();
        given.extend(done.map(|done| Ground(keyword("does"), done.to_vec())));
        let mut surely = given.clone();
        loop {
            let perhaps = self.closure(&given, &surely)?;
            let next = self.closure(&given, &perhaps)?;
            if next == surely {
                return Some(surely);
            }
            surely = next;
        }
    }

    /// Everything that follows if exactly `against` makes negations fail.
    fn closure(&self, given: &Facts, against: &Facts) -> Option<Facts> {
        let mut facts = given.clone();
        loop {
            let mut new = Facts::new();
            for rule in &self.sheet.rules {
                derive(
                    rule,
                    &rule.body.iter().collect::<Vec<_>>(),
                    &Bindings::new(),
                    &facts,
                    against,
                    &mut new,
                );
            }
            let before = facts.len();
            facts.extend(new);
            if facts.len() == before {
                return Some(facts);
            }
            if facts.len() > MOST {
                return None;
            }
        }
    }
}

/// Takes the next condition that can be decided: one that holds binds, the others wait until all they say is bound.
fn derive(rule: &Rule, left: &[&Literal], bound: &Bindings, facts: &Facts, against: &Facts, new: &mut Facts) {
    let ready = |literal: &Literal| match literal {
        Literal::Is(_) => true,
        Literal::Not(atom) => ground_atom(atom, bound).is_some(),
        Literal::Distinct(a, b) => ground(a, bound).is_some() && ground(b, bound).is_some(),
        Literal::Same(a, b) => ground(a, bound).is_some() || ground(b, bound).is_some(),
    };
    // What binds comes first, so that the rest is decided.
    let Some(at) = left.iter().position(|literal| ready(literal)) else {
        if let (true, Some(head)) = (left.is_empty(), ground_atom(&rule.head, bound)) {
            new.insert(head);
        }
        return;
    };
    let mut rest = left.to_vec();
    let holds = match rest.remove(at) {
        Literal::Is(atom) => {
            for fact in facts
                .iter()
                .filter(|fact| fact.0 == atom.name && fact.1.len() == atom.args.len())
            {
                let mut more = bound.clone();
                if atom
                    .args
                    .iter()
                    .zip(&fact.1)
                    .all(|(arg, value)| fits(arg, value, &mut more))
                {
                    derive(rule, &rest, &more, facts, against, new);
                }
            }
            return;
        }
        Literal::Not(atom) => ground_atom(atom, bound).is_some_and(|atom| !against.contains(&atom)),
        Literal::Distinct(a, b) => ground(a, bound) != ground(b, bound),
        Literal::Same(a, b) => {
            let mut more = bound.clone();
            let (known, other) = if ground(a, bound).is_some() { (a, b) } else { (b, a) };
            if ground(known, bound).is_some_and(|value| fits(other, &value, &mut more)) {
                derive(rule, &rest, &more, facts, against, new);
            }
            return;
        }
    };
    if holds {
        derive(rule, &rest, bound, facts, against, new);
    }
}

fn ground(term: &Term, bound: &Bindings) -> Option<Ground> {
    match &term.kind {
        TermKind::Var(name) => bound.get(name).cloned(),
        TermKind::Const(name) => Some(Ground(*name, Vec::new())),
        TermKind::Fun(name, args) => {
            let args = args.iter().map(|arg| ground(arg, bound)).collect::<Option<_>>()?;
            Some(Ground(*name, args))
        }
    }
}

fn ground_atom(atom: &Atom, bound: &Bindings) -> Option<Ground> {
    let args = atom.args.iter().map(|arg| ground(arg, bound)).collect::<Option<_>>()?;
    Some(Ground(atom.name, args))
}

fn fits(term: &Term, value: &Ground, bound: &mut Bindings) -> bool {
    match &term.kind {
        TermKind::Var(name) => bound.entry(*name).or_insert_with(|| value.clone()) == value,
        TermKind::Const(name) => *name == value.0 && value.1.is_empty(),
        TermKind::Fun(name, args) => {
            *name == value.0
                && args.len() == value.1.len()
                && args.iter().zip(&value.1).all(|(arg, value)| fits(arg, value, bound))
        }
    }
}

fn sorted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut texts: Vec<String> = texts.collect();
    texts.sort();
    texts.dedup();
    texts
}
