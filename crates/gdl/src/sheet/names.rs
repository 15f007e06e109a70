//! Names that look like mistakes: misspelt keywords, relations without a definition, arities that differ by accident.

use super::diagnose::{Diagnostic, Span};
use super::rule::{Atom, Literal, Rule};
use super::symbol::{KEYWORDS, Relation, Sym, Symbols, key};
use std::collections::HashMap;

/// Where a relation is defined first and used first.
#[derive(Default)]
struct Seen {
    defined: Option<Span>,
    used: Option<Span>,
}

/// No suggestion is made for longer names, or if there are more names than this: it would take too long.
const LONGEST: usize = 40;
const MOST_COMPARED: usize = 2000;

/// Warns of names that look like mistakes.
pub fn check(rules: &[Rule], symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: HashMap<Relation, Seen> = HashMap::new();
    let mut order: Vec<Relation> = Vec::new();
    let mut note = |atom: &Atom, defines: bool| {
        let relation = atom.relation();
        let seen = seen.entry(relation).or_insert_with(|| {
            order.push(relation);
            Seen::default()
        });
        let first = if defines { &mut seen.defined } else { &mut seen.used };
        first.get_or_insert(atom.span);
    };
    for rule in rules {
        note(&rule.head, true);
        for literal in &rule.body {
            if let Literal::Is(atom) | Literal::Not(atom) = literal {
                note(atom, false);
            }
        }
    }
    let full = diagnostics.len() + Diagnostic::MOST;
    for &(name, arity) in &order {
        if diagnostics.len() >= full {
            break;
        }
        if Symbols::is_keyword(name) {
            misplaced(name, &seen[&(name, arity)], symbols, diagnostics);
            continue;
        }
        let text = symbols.text(name);
        match seen[&(name, arity)] {
            Seen {
                defined: Some(span),
                used: None,
            } => {
                if let Some(keyword) = misspelt(text) {
                    diagnostics.push(
                        Diagnostic::warning(span, format!("`{text}` is defined and never used"))
                            .label(format!("did you mean the keyword `{keyword}`?")),
                    );
                }
            }
            Seen {
                defined: None,
                used: Some(span),
            } => {
                let warning = Diagnostic::warning(
                    span,
                    format!("no rule defines `{text}` with {}, so it never holds", arguments(arity)),
                );
                let others: Vec<String> = order
                    .iter()
                    .take(MOST_COMPARED)
                    .filter(|r| r.0 == name && r.1 != arity && seen[r].defined.is_some())
                    .map(|r| r.1.to_string())
                    .collect();
                diagnostics.push(match (others.is_empty(), misspelt(text)) {
                    (false, _) => warning.label(format!(
                        "it is defined with {} arguments; is one missing or too many?",
                        others.join(" or ")
                    )),
                    (true, Some(keyword)) => warning.label(format!("did you mean the keyword `{keyword}`?")),
                    (true, None) => match nearest(text, arity, &order, &seen, symbols) {
                        Some(near) => warning.label(format!("did you mean `{near}`?")),
                        None => warning.label("expected a relation that some rule or fact defines"),
                    },
                });
            }
            Seen { .. } => {}
        }
    }
}

/// Keywords whose place is the other side of the arrow.
fn misplaced(name: Sym, seen: &Seen, symbols: &Symbols, diagnostics: &mut Vec<Diagnostic>) {
    let (Some(span), true) = (seen.used, [key::NEXT, key::INIT, key::SEES].contains(&name)) else {
        return;
    };
    let text = symbols.text(name);
    diagnostics.push(
        Diagnostic::warning(span, format!("`{text}` as a condition"))
            .label("the language has it in heads only; is `true` meant?"),
    );
}

fn arguments(arity: usize) -> String {
    match arity {
        0 => "no arguments".into(),
        1 => "1 argument".into(),
        n => format!("{n} arguments"),
    }
}

/// The keyword that `text` misspells by one letter or by two neighbours exchanged.
fn misspelt(text: &str) -> Option<&'static str> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.to_lowercase();
    KEYWORDS
        .iter()
        .copied()
        .filter(|keyword| keyword.len() > 3)
        .find(|keyword| strsim::osa_distance(&text, keyword) == 1)
}

/// The defined relation of the same arity whose name is nearest.
fn nearest<'a>(
    text: &str,
    arity: usize,
    order: &[Relation],
    seen: &HashMap<Relation, Seen>,
    symbols: &'a Symbols,
) -> Option<&'a str> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text.to_lowercase();
    order
        .iter()
        .take(MOST_COMPARED)
        .filter(|r| r.1 == arity && seen[r].defined.is_some())
        .map(|r| symbols.text(r.0))
        .filter(|name| name.len() <= LONGEST)
        .map(|name| (strsim::osa_distance(&text, &name.to_lowercase()), name))
        .filter(|&(distance, name)| distance <= 2 && distance * 3 <= name.len())
        .min()
        .map(|(_, name)| name)
}
