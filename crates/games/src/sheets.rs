//! Rule sheets that people paste: checked, built once, and shared by those who play them.

use crate::any::{AnyGame, GameEntry};
use crate::builtin::beside_quarto;
use crate::describe::ToSchema;
use ::gdl::sheet::{self, Severity};
use ::gdl::{BuildLimits, Machine, Position, Sheet};
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The name of a game from a pasted sheet.
pub const PASTED: &str = "gdl";

/// What a pasted sheet is called in messages.
const NAME: &str = "sheet";

/// What grounding a pasted sheet may cost; past it the prover plays it.
const LIMITS: BuildLimits = BuildLimits {
    time: Duration::from_secs(4),
    steps: 4_000_000,
    stop: ::game::Stop::never(),
};

/// The sheets built last.
#[derive(Default)]
pub struct Sheets {
    built: Mutex<VecDeque<(String, Arc<dyn AnyGame>)>>,
}

const MOST_BUILT: usize = 16;

/// One thing to say about a rule sheet. Lines and columns count from 1; they are missing if it concerns the sheet as a
/// whole.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = Remark)]
pub struct Diagnostic {
    /// "error" or "warning".
    pub severity: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where it begins.
    pub line: Option<usize>,
    /// Where it begins.
    pub column: Option<usize>,
    /// Where it ends.
    pub end_line: Option<usize>,
    /// Where it ends.
    pub end_column: Option<usize>,
    /// The line.
    pub snippet: Option<String>,
    /// What to say at the place.
    pub label: String,
    /// What could be done about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error of a sheet as a whole.
    fn of_sheet(error: &::gdl::GdlError) -> Self {
        Diagnostic {
            severity: "error",
            message: error.to_string(),
            line: None,
            column: None,
            end_line: None,
            end_column: None,
            snippet: None,
            label: String::new(),
            help: None,
        }
    }

    fn of_text(text: &str, said: &sheet::Diagnostic) -> Self {
        let [start, end] = match said.span {
            Some(span) => [Some(place(text, span.start)), Some(place(text, span.end))],
            None => [None, None],
        };
        Diagnostic {
            severity: match said.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: said.message.clone(),
            line: start.map(|place| place.0),
            column: start.map(|place| place.1),
            end_line: end.map(|place| place.0),
            end_column: end.map(|place| place.1),
            snippet: start.and_then(|(line, _)| Some(text.lines().nth(line - 1)?.chars().take(400).collect())),
            label: said.label.clone(),
            help: said.help.clone(),
        }
    }
}

/// A sheet that cannot be played.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{message}")]
pub struct SheetError {
    /// Why, in a sentence.
    pub message: String,
    /// What is wrong, place by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the checker says about a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Checked {
    /// Whether it can be played.
    pub ok: bool,
    /// How many errors.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// The roles, if it can be played.
    pub roles: Vec<String>,
    /// What there is to say, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// The text of a bundled sheet, by the name of its game.
pub fn bundled(name: &str) -> Option<&'static str> {
    (beside_quarto()?.bundled)(name.strip_prefix("gdl:").unwrap_or(name))
}

/// What a sheet says of itself: its first line, if that is a comment, without the full stop.
pub fn title(text: &str) -> Option<&str> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let comment = first.strip_prefix(';')?.trim_start_matches(';').trim();
    Some(comment.trim_end_matches('.')).filter(|said| !said.is_empty())
}

impl Sheets {
    /// The game of a sheet. May take seconds: not for a thread that serves requests.
    ///
    /// # Errors
    ///
    /// The sheet is wrong, or its game cannot be played.
    pub fn game(&self, text: &str) -> Result<Arc<dyn AnyGame>, SheetError> {
        let lock = || self.built.lock();
        if let Some((_, game)) = lock().iter().find(|(known, _)| known == text) {
            return Ok(game.clone());
        }
        let none = || SheetError {
            message: "games from rules are not played here".into(),
            diagnostics: Vec::new(),
        };
        let game = (beside_quarto().ok_or_else(none)?.pasted)(text)?;
        let mut built = lock();
        if built.len() >= MOST_BUILT {
            built.pop_front();
        }
        built.push_back((text.into(), game.clone()));
        Ok(game)
    }

    /// What the checker has to say. May take seconds.
    pub fn check(&self, text: &str) -> Checked {
        let mut diagnostics = beside_quarto().map(|others| (others.check)(text)).unwrap_or_default();
        let wrong = |all: &[Diagnostic]| all.iter().filter(|said| said.severity == "error").count();
        let mut roles = Vec::new();
        match self.game(text) {
            Ok(game) => roles = game.roles(),
            // A sheet without a wrong line may still be one that cannot be played.
            Err(error) if wrong(&diagnostics) == 0 => diagnostics.extend(error.diagnostics),
            Err(_) => (),
        }
        let errors = wrong(&diagnostics);
        Checked {
            ok: errors == 0,
            errors,
            warnings: diagnostics.len() - errors,
            roles,
            diagnostics,
        }
    }
}

/// The game of a sheet, newly built.
pub(crate) fn pasted(text: &str) -> Result<Arc<dyn AnyGame>, SheetError> {
    let entry = GameEntry::new(PASTED, title(text).unwrap_or("a pasted game"), start(text)?);
    Ok(Arc::new(entry))
}

/// What the checker says about a sheet, place by place.
pub(crate) fn report(text: &str) -> Vec<Diagnostic> {
    let (_, report) = Sheet::read(NAME, text);
    diagnostics(text, &report.diagnostics)
}

/// The first position of a sheet's game.
fn start(text: &str) -> Result<Position, SheetError> {
    let (sheet, report) = Sheet::read(NAME, text);
    let Some(sheet) = sheet else {
        return Err(SheetError {
            message: format!("the sheet has {} error(s)", report.counts().0),
            diagnostics: diagnostics(text, &report.diagnostics),
        });
    };
    let built = Machine::best(&sheet, LIMITS).and_then(|(machine, _)| Position::new(machine));
    built.map_err(|error| SheetError {
        message: error.to_string(),
        diagnostics: vec![Diagnostic::of_sheet(&error)],
    })
}

fn diagnostics(text: &str, said: &[sheet::Diagnostic]) -> Vec<Diagnostic> {
    said.iter().map(|said| Diagnostic::of_text(text, said)).collect()
}

/// Line and column, both from 1, of a byte of the text.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_called_what_its_first_line_says() {
        assert_eq!(
            title("\n;;; Duel: both decide at once.\n(role a)"),
            Some("Duel: both decide at once")
        );
        for nameless in ["", "(role x) ; x", ";;;\n; later", "\u{feff}"] {
            assert_eq!(title(nameless), None, "{nameless}");
        }
    }

    #[test]
    fn an_error_is_shown_at_its_place() {
        let sheet = "(role x)\n(init (cell 1))\n(<= terminal (true (cell ?n))\n";
        let checked = Sheets::default().check(sheet);
        assert!(!checked.ok && checked.errors >= 1);
        let first = &checked.diagnostics[0];
        assert_eq!((first.severity, first.line), ("error", Some(3)), "{first:?}");
        assert_eq!(first.snippet.as_deref(), Some("(<= terminal (true (cell ?n))"));
    }

    #[test]
    fn a_good_sheet_is_built_once_and_tells_its_roles() {
        let sheets = Sheets::default();
        let text = bundled("gdl:trio").unwrap();
        let checked = sheets.check(text);
        assert!(checked.ok, "{checked:?}");
        assert_eq!(checked.roles.len(), 3);
        assert!(Arc::ptr_eq(&sheets.game(text).unwrap(), &sheets.game(text).unwrap()));
    }

    #[test]
    fn nonsense_and_a_sheet_without_a_game_are_refused_in_words() {
        let sheets = Sheets::default();
        for text in ["", ")))", "hello world", "(role x)"] {
            assert!(
                sheets.game(text).is_err_and(|error| !error.diagnostics.is_empty()),
                "{text}"
            );
            assert!(!sheets.check(text).ok, "{text}");
        }
    }
}
