//! Rule sheets that people paste: checked, built once, and shared by the tables that play them.

use crate::refusal::{Refusal, Remark};
use gdl::{BuildLimits, Machine, Position, Sheet};
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use utoipa::ToSchema;

/// What a pasted sheet is called in messages.
const NAME: &str = "sheet";

/// What grounding a pasted sheet may cost; past it the prover plays it.
const LIMITS: BuildLimits = BuildLimits {
    time: Duration::from_secs(4),
    steps: 4_000_000,
    stop: game::Stop::never(),
};

/// The sheets built last.
#[derive(Default)]
pub struct Sheets {
    built: Mutex<VecDeque<(String, Position)>>,
}

const MOST_BUILT: usize = 16;

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
    pub diagnostics: Vec<Remark>,
}

/// What a sheet says of itself: its first line, if that is a comment, without the full stop.
pub fn title(text: &str) -> String {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty());
    let comment = first.and_then(|line| line.strip_prefix(';'));
    let said = comment.map(|comment| comment.trim_start_matches(';').trim().trim_end_matches('.'));
    match said {
        Some(said) if !said.is_empty() => crate::line::shortened(said),
        _ => "a pasted game".into(),
    }
}

impl Sheets {
    /// The first position of a sheet's game. May take seconds: not for a thread that serves requests.
    pub fn start(&self, text: &str) -> Result<Position, Refusal> {
        let lock = || self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, start)) = lock().iter().find(|(known, _)| known == text) {
            return Ok(start.clone());
        }
        let (sheet, report) = Sheet::read(NAME, text);
        let Some(sheet) = sheet else {
            let (errors, _) = report.counts();
            let remarks = remarks(text, &report.diagnostics);
            return Err(Refusal::bad_sheet(format!("the sheet has {errors} error(s)")).with_remarks(remarks));
        };
        let build = || -> Result<Position, gdl::GdlError> {
            let (machine, _) = Machine::best(&sheet, LIMITS)?;
            Position::new(machine)
        };
        let start = build().map_err(|error| {
            let remark = Remark {
                severity: "error",
                message: error.to_string(),
                line: None,
                column: None,
                end_line: None,
                end_column: None,
                snippet: None,
                label: String::new(),
                help: None,
            };
            Refusal::bad_sheet(error).with_remarks(vec![remark])
        })?;
        let mut built = lock();
        if built.len() >= MOST_BUILT {
            built.pop_front();
        }
        built.push_back((text.into(), start.clone()));
        Ok(start)
    }

    /// What the checker has to say. May take seconds.
    pub fn check(&self, text: &str) -> Checked {
        let (_, report) = Sheet::read(NAME, text);
        let mut diagnostics = remarks(text, &report.diagnostics);
        let mut roles = Vec::new();
        match self.start(text) {
            Ok(start) => roles.extend(start.machine().roles().into_iter().map(String::from)),
            // A sheet without a wrong line may still be one that cannot be played.
            Err(refusal) if report.counts().0 == 0 => diagnostics.extend(refusal.into_remarks()),
            Err(_) => (),
        }
        let errors = diagnostics.iter().filter(|remark| remark.severity == "error").count();
        Checked {
            ok: errors == 0,
            errors,
            warnings: diagnostics.len() - errors,
            roles,
            diagnostics,
        }
    }
}

fn remarks(text: &str, diagnostics: &[gdl::sheet::Diagnostic]) -> Vec<Remark> {
    let remark = |diagnostic: &gdl::sheet::Diagnostic| {
        let [start, end] = match diagnostic.span {
            Some(span) => [Some(place(text, span.start)), Some(place(text, span.end))],
            None => [None, None],
        };
        Remark {
            severity: match diagnostic.severity {
                gdl::sheet::Severity::Error => "error",
                gdl::sheet::Severity::Warning => "warning",
            },
            message: diagnostic.message.clone(),
            line: start.map(|place| place.0),
            column: start.map(|place| place.1),
            end_line: end.map(|place| place.0),
            end_column: end.map(|place| place.1),
            snippet: start.and_then(|(line, _)| Some(text.lines().nth(line - 1)?.chars().take(400).collect())),
            label: diagnostic.label.clone(),
            help: diagnostic.help.clone(),
        }
    };
    diagnostics.iter().map(remark).collect()
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
            "Duel: both decide at once"
        );
        for nameless in ["", "(role x) ; x", ";;;\n; later", "\u{feff}"] {
            assert_eq!(title(nameless), "a pasted game", "{nameless}");
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
        let text = gdl::bundled::text("trio").unwrap();
        let checked = sheets.check(text);
        assert!(checked.ok, "{checked:?}");
        assert_eq!(checked.roles.len(), 3);
        assert_eq!(sheets.start(text).unwrap(), sheets.start(text).unwrap());
    }

    #[test]
    fn nonsense_and_a_sheet_without_a_game_are_refused_in_words() {
        let sheets = Sheets::default();
        for text in ["", ")))", "hello world", "(role x)"] {
            assert_eq!(sheets.start(text).unwrap_err().code(), "bad_sheet", "{text}");
            assert!(!sheets.check(text).ok, "{text}");
        }
    }
}
