//! Rule sheets: reading and checking.

mod check;
mod diagnose;
mod hints;
mod names;
mod read;
mod rule;
mod strata;
mod symbol;

pub use diagnose::{Diagnostic, Severity, Span};
pub use hints::{BOARDS, Edges, Hints, MoveTemplate, PIECES, Pegs, WinningShape};
pub use read::{Expr, ExprKind, read};
pub use rule::{Atom, Literal, Rule, Term, TermKind};
pub(crate) use symbol::{Relation, key};
pub use symbol::{Sym, Symbols};

/// A longer text is no rule sheet: the largest known have some hundred thousand bytes.
pub const LONGEST: usize = 1 << 20;

/// A rule sheet that has been read and checked.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What to call it in messages: a file or a bundled name.
    pub name: String,
    /// Its names.
    pub symbols: Symbols,
    /// Its rules, alternatives multiplied out.
    pub rules: Vec<Rule>,
    /// What it says about its looks.
    pub hints: Hints,
    /// The warnings of the checker. The sheet can be played all the same.
    pub warnings: Vec<Diagnostic>,
}

/// All diagnostics of a text.
#[derive(Clone, Debug)]
pub struct SheetReport {
    /// What to call the text.
    pub name: String,
    /// The text.
    pub text: String,
    /// The diagnostics, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl SheetReport {
    /// How many errors and how many warnings.
    pub fn counts(&self) -> (usize, usize) {
        let errors = self
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .count();
        (errors, self.diagnostics.len() - errors)
    }

    /// All diagnostics with snippets.
    pub fn render(&self) -> String {
        let parts: Vec<String> = self
            .diagnostics
            .iter()
            .map(|d| d.render(&self.name, &self.text))
            .collect();
        parts.join("\n")
    }
}

impl Sheet {
    /// Reads and checks a sheet. `name` is what messages call it.
    pub fn read(name: &str, text: &str) -> (Option<Sheet>, SheetReport) {
        let mut symbols = Symbols::default();
        let mut diagnostics = Vec::new();
        if text.len() > LONGEST {
            let message = format!("{} bytes are no rule sheet; expected at most {LONGEST}", text.len());
            let report = SheetReport {
                name: name.to_string(),
                text: String::new(),
                diagnostics: vec![Diagnostic::missing(message)],
            };
            return (None, report);
        }
        let hints = Hints::read(text, &mut diagnostics);
        let exprs = read::read(text, &mut symbols, &mut diagnostics);
        let mut sheet = Sheet {
            name: name.to_string(),
            symbols,
            rules: Vec::new(),
            hints,
            warnings: Vec::new(),
        };
        // Once the parentheses are wrong, everything after them would be wrong too.
        if !check::fatal(&diagnostics) {
            sheet.rules = rule::rules(&exprs, &sheet.symbols, &mut diagnostics);
            if !check::fatal(&diagnostics) {
                check::check(&sheet, &mut diagnostics);
            }
        }
        sheet.warnings = diagnostics.clone();
        let sheet = (!check::fatal(&diagnostics)).then_some(sheet);
        let report = SheetReport {
            name: name.to_string(),
            text: text.to_string(),
            diagnostics,
        };
        (sheet, report)
    }
}
