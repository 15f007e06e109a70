//! Rules, as the sheet states them: heads and bodies with places, `or` multiplied out, `not` pushed inward.

use super::diagnose::{Diagnostic, Span};
use super::read::{Expr, ExprKind};
use super::symbol::{Sym, Symbols, key};
use std::collections::HashSet;

/// A rule whose alternatives (`or`) multiply out to more rules than this is refused.
const MOST_CASES: usize = 4096;
/// A sheet that multiplies out to more conditions than this is refused: chess has four thousand.
const MOST_CONDITIONS: usize = 500_000;
/// A rule with more variables, or a term with more arguments, is refused: real sheets have some thirty and some ten.
const MOST_NAMES: usize = 255;

/// A term of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Where it is in the text.
    pub span: Span,
    /// What it is.
    pub kind: TermKind,
}

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A variable.
    Var(Sym),
    /// A constant.
    Const(Sym),
    /// A function of terms, at least one.
    Fun(Sym, Vec<Term>),
}

/// A relation of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Where it is in the text.
    pub span: Span,
    /// The relation's name.
    pub name: Sym,
    /// What it relates.
    pub args: Vec<Term>,
}

impl Atom {
    /// Name and number of arguments: what makes two relations the same.
    pub fn relation(&self) -> (Sym, usize) {
        (self.name, self.args.len())
    }
}

/// A condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// Holds.
    Is(Atom),
    /// Does not hold.
    Not(Atom),
    /// Two terms differ.
    Distinct(Term, Term),
    /// Two terms are the same: what `(not (distinct …))` says.
    Same(Term, Term),
}

/// A head and the conditions under which it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Where it is in the text.
    pub span: Span,
    /// What follows.
    pub head: Atom,
    /// From what.
    pub body: Vec<Literal>,
}

/// Makes rules of expressions. What cannot be a rule goes to `diagnostics`.
pub fn rules(exprs: &[Expr], symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) -> Vec<Rule> {
    let mut reader = RuleReader {
        symbols,
        diagnostics,
        conditions: 0,
    };
    let mut rules = Vec::new();
    for expr in exprs {
        reader.rule(expr, &mut rules);
        if reader.diagnostics.len() >= Diagnostic::MOST || reader.conditions > MOST_CONDITIONS {
            break;
        }
    }
    rules
}

struct RuleReader<'a> {
    symbols: &'a Symbols,
    diagnostics: &'a mut Vec<Diagnostic>,
    /// Of all rules so far.
    conditions: usize,
}

impl RuleReader<'_> {
    fn rule(&mut self, expr: &Expr, rules: &mut Vec<Rule>) {
        let (head, body) = match &expr.kind {
            ExprKind::List(items) if items.first().is_some_and(|it| it.kind == ExprKind::Word(key::IF)) => {
                match items.get(1) {
                    Some(head) => (head, &items[2..]),
                    None => return self.error(expr.span, "a rule without a head", "expected (<= head condition …)"),
                }
            }
            ExprKind::Word(key::IF) => {
                return self.error(
                    expr.span,
                    "`<=` outside of parentheses",
                    "expected (<= head condition …)",
                );
            }
            _ => (expr, &[][..]),
        };
        let Some(head) = self.atom(head, "head of a rule") else {
            return;
        };
        if [key::TRUE, key::DOES, key::DISTINCT, key::NOT, key::OR, key::AND].contains(&head.name) {
            let name = self.symbols.text(head.name);
            return self.error(
                head.span,
                &format!("`{name}` cannot be the head of a rule"),
                "expected a relation that the sheet may define",
            );
        }
        let mut cases = vec![Vec::new()];
        for condition in body {
            let Some(alternatives) = self.condition(condition, true) else {
                return;
            };
            match product(cases, &alternatives) {
                Some(more) => cases = more,
                None => {
                    return self.error(
                        expr.span,
                        "the alternatives of this rule multiply out beyond measure",
                        &format!("expected at most {MOST_CASES} combinations; give some `or` a relation of its own"),
                    );
                }
            }
        }
        self.conditions += count(&cases);
        if self.conditions > MOST_CONDITIONS {
            return self.error(
                expr.span,
                "the alternatives of this sheet multiply out beyond measure",
                &format!("expected at most {MOST_CONDITIONS} conditions up to here"),
            );
        }
        let span = expr.span;
        let mut names = HashSet::new();
        variables(expr, &mut names);
        if names.len() > MOST_NAMES {
            return self.error(
                span,
                "this rule has too many variables",
                &format!("expected at most {MOST_NAMES}"),
            );
        }
        rules.extend(cases.into_iter().map(|body| Rule {
            span,
            head: head.clone(),
            body,
        }));
    }

    /// A condition as alternatives of conjunctions; `positive` tells whether it stands under an even number of `not`s.
    fn condition(&mut self, expr: &Expr, positive: bool) -> Option<Vec<Vec<Literal>>> {
        let (name, args) = match &expr.kind {
            ExprKind::List(items) => match items.split_first() {
                Some((first, args)) => match first.kind {
                    ExprKind::Word(name) => (Some(name), args),
                    _ => (None, args),
                },
                None => (None, &[][..]),
            },
            _ => (None, &[][..]),
        };
        match name {
            Some(key::NOT) => match args {
                [inner] => self.condition(inner, !positive),
                _ => self.refuse(
                    expr.span,
                    "`not` of anything but one condition",
                    "expected (not condition)",
                ),
            },
            Some(key::OR | key::AND) if args.is_empty() => self.refuse(
                expr.span,
                "an empty list of alternatives",
                "expected at least one condition",
            ),
            Some(name @ (key::OR | key::AND)) => {
                let either = (name == key::OR) == positive;
                let mut cases = if either { Vec::new() } else { vec![Vec::new()] };
                for arg in args {
                    let mut part = self.condition(arg, positive)?;
                    let more = match either {
                        true => {
                            cases.append(&mut part);
                            (cases.len() <= MOST_CASES && count(&cases) <= MOST_CONDITIONS).then_some(cases)
                        }
                        false => product(cases, &part),
                    };
                    match more {
                        Some(more) => cases = more,
                        None => {
                            return self.refuse(
                                expr.span,
                                "this condition multiplies out beyond measure",
                                &format!("expected at most {MOST_CASES} combinations"),
                            );
                        }
                    }
                }
                Some(cases)
            }
            Some(key::DISTINCT) => match args {
                [a, b] => {
                    let (a, b) = (self.term(a)?, self.term(b)?);
                    let literal = if positive {
                        Literal::Distinct(a, b)
                    } else {
                        Literal::Same(a, b)
                    };
                    Some(vec![vec![literal]])
                }
                _ => self.refuse(
                    expr.span,
                    "`distinct` of anything but two terms",
                    "expected (distinct term term)",
                ),
            },
            _ => {
                let atom = self.atom(expr, "condition")?;
                let literal = if positive {
                    Literal::Is(atom)
                } else {
                    Literal::Not(atom)
                };
                Some(vec![vec![literal]])
            }
        }
    }

    fn atom(&mut self, expr: &Expr, place: &str) -> Option<Atom> {
        let span = expr.span;
        match &expr.kind {
            &ExprKind::Word(name) => self.shaped(Atom {
                span,
                name,
                args: Vec::new(),
            }),
            ExprKind::Var(_) => self.refuse(
                span,
                &format!("a variable as {place}"),
                "expected a relation, as in (name term …)",
            ),
            ExprKind::List(items) => match items.split_first() {
                Some((first, args)) => {
                    let ExprKind::Word(name) = first.kind else {
                        return self.refuse(first.span, &format!("a {place} without a name"), "expected a name here");
                    };
                    if name == key::IF {
                        return self.refuse(
                            first.span,
                            "a rule inside a rule",
                            "expected a relation; is a closing parenthesis missing above?",
                        );
                    }
                    if args.len() > MOST_NAMES {
                        return self.refuse(
                            span,
                            "a relation with too many arguments",
                            &format!("expected at most {MOST_NAMES}"),
                        );
                    }
                    let args = args.iter().map(|arg| self.term(arg)).collect::<Option<_>>()?;
                    self.shaped(Atom { span, name, args })
                }
                None => self.refuse(span, &format!("an empty {place}"), "expected (name term …)"),
            },
        }
    }

    /// Keywords take a fixed number of arguments.
    fn shaped(&mut self, atom: Atom) -> Option<Atom> {
        let (wanted, shape) = match atom.name {
            key::ROLE => (1, "(role name)"),
            key::INIT => (1, "(init fact)"),
            key::TRUE => (1, "(true fact)"),
            key::NEXT => (1, "(next fact)"),
            key::BASE => (1, "(base fact)"),
            key::DOES => (2, "(does role move)"),
            key::LEGAL => (2, "(legal role move)"),
            key::INPUT => (2, "(input role move)"),
            key::GOAL => (2, "(goal role points)"),
            key::TERMINAL => (0, "terminal"),
            _ => return Some(atom),
        };
        if atom.args.len() == wanted {
            return Some(atom);
        }
        let name = self.symbols.text(atom.name).to_lowercase();
        let found = atom.args.len();
        let noun = if found == 1 { "argument" } else { "arguments" };
        self.refuse(
            atom.span,
            &format!("`{name}` with {found} {noun}"),
            &format!("expected {shape}"),
        )
    }

    fn term(&mut self, expr: &Expr) -> Option<Term> {
        let kind = match &expr.kind {
            &ExprKind::Word(name) => TermKind::Const(name),
            &ExprKind::Var(name) => TermKind::Var(name),
            ExprKind::List(items) => match items.split_first() {
                Some((_, args)) if args.len() > MOST_NAMES => {
                    return self.refuse(
                        expr.span,
                        "a term with too many arguments",
                        &format!("expected at most {MOST_NAMES}"),
                    );
                }
                Some((first, args)) => {
                    let ExprKind::Word(name) = first.kind else {
                        return self.refuse(first.span, "a term without a name", "expected a name here");
                    };
                    if args.is_empty() {
                        TermKind::Const(name)
                    } else {
                        TermKind::Fun(name, args.iter().map(|arg| self.term(arg)).collect::<Option<_>>()?)
                    }
                }
                None => {
                    return self.refuse(
                        expr.span,
                        "an empty term",
                        "expected a name, a variable or (name term …)",
                    );
                }
            },
        };
        Some(Term { span: expr.span, kind })
    }

    fn error(&mut self, span: Span, message: &str, label: &str) {
        self.diagnostics.push(Diagnostic::error(span, message).label(label));
    }

    fn refuse<T>(&mut self, span: Span, message: &str, label: &str) -> Option<T> {
        self.error(span, message, label);
        None
    }
}

/// How many conditions some cases have in all.
fn count(cases: &[Vec<Literal>]) -> usize {
    cases.iter().map(Vec::len).sum()
}

/// Every case with every alternative; `None` if there are too many.
fn product(mut cases: Vec<Vec<Literal>>, alternatives: &[Vec<Literal>]) -> Option<Vec<Vec<Literal>>> {
    let conditions = count(&cases) * alternatives.len() + count(alternatives) * cases.len();
    if cases.len() * alternatives.len() > MOST_CASES || conditions > MOST_CONDITIONS {
        return None;
    }
    if let [only] = alternatives {
        for case in &mut cases {
            case.extend_from_slice(only);
        }
        return Some(cases);
    }
    let combined = cases
        .iter()
        .flat_map(|case| alternatives.iter().map(move |more| [&case[..], more].concat()));
    Some(combined.collect())
}

fn variables(expr: &Expr, names: &mut HashSet<Sym>) {
    match &expr.kind {
        ExprKind::Word(_) => {}
        ExprKind::Var(name) => {
            names.insert(*name);
        }
        ExprKind::List(items) => items.iter().for_each(|item| variables(item, names)),
    }
}

impl Term {
    /// Calls `f` with every variable of the term and its place.
    pub fn each_var(&self, f: &mut impl FnMut(Sym, Span)) {
        match &self.kind {
            TermKind::Var(name) => f(*name, self.span),
            TermKind::Const(_) => {}
            TermKind::Fun(_, args) => args.iter().for_each(|arg| arg.each_var(f)),
        }
    }
}
