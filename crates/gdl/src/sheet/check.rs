//! The checks of a sheet before it is played.
//!
//! An error means that no machine can play the sheet. A warning is for what real sheets do and can still be played with.

use super::Sheet;
use super::diagnose::{Diagnostic, Severity, Span};
use super::names;
use super::rule::{Literal, Rule, Term, TermKind};
use super::strata;
use super::symbol::{Sym, Symbols, key};
use crate::logic::{FlatProgram, WorkBudget};
use std::collections::HashSet;

/// Checks a sheet and says what is wrong, in the order of the text.
pub fn check(sheet: &Sheet, diagnostics: &mut Vec<Diagnostic>) {
    let Sheet { rules, symbols, .. } = sheet;
    let before = diagnostics.len();
    for rule in rules {
        safety(rule, symbols, diagnostics);
        goal_range(rule, symbols, diagnostics);
        if diagnostics.len() >= Diagnostic::MOST {
            break;
        }
    }
    presence(rules, symbols, diagnostics);
    names::check(rules, symbols, diagnostics);
    let cycles = strata::check(rules, symbols, diagnostics);
    // A cycle of relations may still be none of facts: only the flat rules tell.
    let played = !cycles.is_empty() && !fatal(diagnostics) && is_stratified(sheet);
    diagnostics.extend(
        cycles
            .iter()
            .map(|cycle| if played { cycle.warning() } else { cycle.error() }),
    );
    // A rule that was multiplied out says everything once a case.
    let mut kept: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics.drain(before..) {
        if !kept.contains(&diagnostic) {
            kept.push(diagnostic);
        }
    }
    diagnostics.append(&mut kept);
    diagnostics.sort_by_key(|d| (d.span.map_or(usize::MAX, |span| span.start), d.severity));
}

/// Steps that may be spent on finding out whether the rules are stratified.
const MOST_STEPS: u64 = 1_000_000;

fn is_stratified(sheet: &Sheet) -> bool {
    let mut budget = WorkBudget::new("checking", MOST_STEPS);
    budget.allow_tries(Some(MOST_STEPS));
    FlatProgram::whole(sheet, &mut budget).is_ok()
}

/// Whether anything found is an error.
pub fn fatal(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// Every variable of a head, of a negated condition and of `distinct` must occur in a positive condition.
fn safety(rule: &Rule, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    let mut bound: HashSet<Sym> = HashSet::new();
    for literal in &rule.body {
        if let Literal::Is(atom) = literal {
            for arg in &atom.args {
                arg.each_var(&mut |var, _| {
                    bound.insert(var);
                });
            }
        }
    }
    // `(not (distinct ?x t))` hands a value on from whichever side has one.
    let mut grew = true;
    while std::mem::take(&mut grew) {
        for literal in &rule.body {
            if let Literal::Same(a, b) = literal {
                for (from, to) in [(a, b), (b, a)] {
                    if unbound(from, &bound).is_none() {
                        to.each_var(&mut |var, _| grew |= bound.insert(var));
                    }
                }
            }
        }
    }
    let mut complain = |terms: &[&Term], place: &str| {
        for term in terms {
            if let Some((var, span)) = unbound(term, &bound) {
                let name = symbols.text(var);
                diagnostics.push(
                    Diagnostic::error(span, format!("the variable {name} is not safe {place}"))
                        .label("no positive condition of this rule gives it a value")
                        .help(format!(
                            "add a condition that lists the values of {name}, or check its spelling"
                        )),
                );
                return;
            }
        }
    };
    complain(&rule.head.args.iter().collect::<Vec<_>>(), "in the head of a rule");
    for literal in &rule.body {
        match literal {
            Literal::Is(_) => {}
            Literal::Not(atom) => complain(&atom.args.iter().collect::<Vec<_>>(), "under `not`"),
            Literal::Distinct(a, b) => complain(&[a, b], "in `distinct`"),
            Literal::Same(a, b) => complain(&[a, b], "in `(not (distinct …))`"),
        }
    }
}

fn unbound(term: &Term, bound: &HashSet<Sym>) -> Option<(Sym, Span)> {
    let mut found = None;
    term.each_var(&mut |var, span| {
        if !bound.contains(&var) {
            found = found.or(Some((var, span)));
        }
    });
    found
}

fn goal_range(rule: &Rule, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    if rule.head.name != key::GOAL {
        return;
    }
    if let Some(Term {
        span,
        kind: TermKind::Const(points),
    }) = rule.head.args.get(1)
    {
        let text = symbols.text(*points);
        match text.parse::<i64>() {
            Ok(0..=100) => {}
            Ok(_) => diagnostics
                .push(Diagnostic::error(*span, format!("a goal of {text} is out of range")).label("expected 0 to 100")),
            Err(_) => diagnostics.push(
                Diagnostic::error(*span, format!("the goal `{text}` is not a number")).label("expected 0 to 100"),
            ),
        }
    }
}

/// A game needs roles, moves, an end and what it is worth.
fn presence(rules: &[Rule], symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    let defined: HashSet<Sym> = rules.iter().map(|rule| rule.head.name).collect();
    for (keyword, shape, what) in [
        (key::ROLE, "(role name)", "nobody plays this game"),
        (key::LEGAL, "(<= (legal role move) …)", "nobody may ever move"),
        (
            key::NEXT,
            "(<= (next fact) …)",
            "nothing is ever true after the first move",
        ),
        (key::TERMINAL, "(<= terminal …)", "the game never ends"),
        (key::GOAL, "(<= (goal role points) …)", "nobody ever gets anything"),
    ] {
        if !defined.contains(&keyword) {
            let name = symbols.text(keyword).to_lowercase();
            let mut diagnostic = Diagnostic::missing(format!("no rule defines `{name}`: {what}"));
            diagnostic.label = format!("expected at least one {shape}");
            diagnostics.push(diagnostic);
        }
    }
}
