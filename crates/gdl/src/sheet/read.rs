//! From text to expressions, each with its place in the text.

use super::diagnose::{Diagnostic, Span};
use super::symbol::{Sym, Symbols};

/// Deeper nesting than this is refused: real rule sheets stay below ten.
const DEEPEST: usize = 100;

/// A KIF expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// Where it is in the text.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A word.
    Word(Sym),
    /// A variable, its question mark included in the name.
    Var(Sym),
    /// A parenthesised list.
    List(Vec<Expr>),
}

/// Reads all expressions of `text`. What is wrong goes to `diagnostics`; reading goes on after it.
pub fn read(text: &str, symbols: &mut Symbols, diagnostics: &mut Vec<Diagnostic>) -> Vec<Expr> {
    let mut done = Vec::new();
    // The lists that are still open: where each began, and what it holds so far.
    let mut open: Vec<(usize, Vec<Expr>)> = Vec::new();
    // The first form that began in column one inside another: where a forgotten parenthesis shows.
    let mut suspect = None;
    for token in (Tokens { text, at: 0 }) {
        if diagnostics.len() >= Diagnostic::MOST {
            break;
        }
        match &text[token.start..token.end] {
            "(" => {
                if open.len() == DEEPEST {
                    diagnostics.push(
                        Diagnostic::error(Span::new(token.start, token.end), "parentheses are nested too deeply")
                            .label(format!("expected at most {DEEPEST} levels")),
                    );
                    return done;
                }
                let column_one = token.start == 0 || text.as_bytes()[token.start - 1] == b'\n';
                if column_one && !open.is_empty() && text[token.start + 1..].trim_start().starts_with("<=") {
                    suspect = suspect.or(open.first().map(|&(start, _)| (start, token.start)));
                }
                open.push((token.start, Vec::new()));
            }
            ")" => match open.pop() {
                Some((start, items)) => {
                    let list = Expr {
                        span: Span::new(start, token.end),
                        kind: ExprKind::List(items),
                    };
                    open.last_mut().map_or(&mut done, |(_, items)| items).push(list);
                }
                None => diagnostics.push(
                    Diagnostic::error(Span::new(token.start, token.end), "a closing parenthesis too many")
                        .label("nothing is open here")
                        .help("remove it, or look for an opening parenthesis missing above"),
                ),
            },
            word if word.contains(char::is_control) => diagnostics.push(
                Diagnostic::error(Span::new(token.start, token.end), "a control character in a word")
                    .label("expected letters, digits and signs that can be seen"),
            ),
            word => {
                let sym = symbols.intern(word);
                let kind = if word.starts_with('?') {
                    ExprKind::Var(sym)
                } else {
                    ExprKind::Word(sym)
                };
                let span = Span::new(token.start, token.end);
                open.last_mut()
                    .map_or(&mut done, |(_, items)| items)
                    .push(Expr { span, kind });
            }
        }
    }
    if let Some(&(outermost, _)) = open.first() {
        diagnostics.push(unclosed(open.len(), outermost, suspect, text));
    }
    done
}

fn unclosed(missing: usize, outermost: usize, suspect: Option<(usize, usize)>, text: &str) -> Diagnostic {
    let count = match missing {
        1 => "a closing parenthesis is missing".to_string(),
        n => format!("{n} closing parentheses are missing"),
    };
    let (start, help) = match suspect {
        Some((start, next)) => {
            let line = text[..next].matches('\n').count() + 1;
            (
                start,
                format!("it is still open where a new rule begins in line {line}"),
            )
        }
        None => (outermost, "it is still open at the end of the text".to_string()),
    };
    Diagnostic::error(Span::new(start, start + 1), count)
        .label("the form that begins here is never closed")
        .help(help)
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

struct Token {
    start: usize,
    end: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let bytes = self.text.as_bytes();
        let ends_word = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
        loop {
            let rest = &self.text[self.at..];
            let c = rest.chars().next()?;
            if c == ';' {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if c.is_whitespace() || c == '\u{feff}' {
                self.at += c.len_utf8();
            } else {
                break;
            }
        }
        let start = self.at;
        self.at = match bytes[start] {
            b'(' | b')' => start + 1,
            _ => start + self.text[start..].find(ends_word).unwrap_or(self.text.len() - start),
        };
        Some(Token { start, end: self.at })
    }
}
