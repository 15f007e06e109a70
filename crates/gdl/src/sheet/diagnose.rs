//! Diagnostics of a sheet, in the style of a good compiler.

use std::fmt::Write;

/// A stretch of the text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// From `start` to before `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The sheet cannot be played.
    Error,
    /// The sheet can be played, and means perhaps not what its author meant.
    Warning,
}

/// One thing to say about a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where, if it has a place.
    pub span: Option<Span>,
    /// What is said under the snippet: usually what was expected.
    pub label: String,
    /// What could be done about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, Some(span), message.into())
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, Some(span), message.into())
    }

    /// An error of the sheet as a whole.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, None, message.into())
    }

    /// A warning of the sheet as a whole.
    pub fn remark(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, None, message.into())
    }

    /// The most diagnostics of a sheet. Nobody reads more, and megabytes of invalid text must not take long.
    pub(super) const MOST: usize = 1000;

    fn new(severity: Severity, span: Option<Span>, message: String) -> Self {
        Diagnostic {
            severity,
            message,
            span,
            label: String::new(),
            help: None,
        }
    }

    /// Adds what is said under the snippet.
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Adds what could be done about it.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Its line and column in the text of the sheet, if it has a place.
    pub fn place(&self, text: &str) -> Option<(usize, usize)> {
        let place = LineColumn::of(text, self.span?.start);
        Some((place.line, place.column))
    }

    /// The diagnostic with file, line, column, snippet and caret.
    pub fn render(&self, file: &str, text: &str) -> String {
        let kind = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut out = format!("{kind}: {}\n", self.message);
        // Writing into a String cannot fail, so the results are dropped.
        let mut margin = 0;
        match self.span {
            Some(span) => {
                let place = LineColumn::of(text, span.start);
                let number = place.line.to_string();
                margin = number.len();
                let (shown, indent) = place.window();
                let width = text[span.start..span.end.min(text.len())]
                    .lines()
                    .next()
                    .map_or(1, |first| first.chars().count().max(1));
                let _ = writeln!(out, "{:margin$}--> {file}:{}:{}", "", place.line, place.column);
                let _ = writeln!(out, "{:margin$} |", "");
                let _ = writeln!(out, "{number} | {}", shown.trim_end());
                let width = width.min(shown.chars().count().saturating_sub(indent).max(1));
                let marks = format!("{:indent$}{:^<width$}", "", "");
                let _ = writeln!(out, "{:margin$} | {} {}", "", marks, self.label);
            }
            None => {
                let _ = writeln!(out, "{:margin$}--> {file}", "");
                if !self.label.is_empty() {
                    let _ = writeln!(out, "{:margin$} = {}", "", self.label);
                }
            }
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{:margin$} = help: {help}", "");
        }
        let lines: Vec<&str> = out.lines().map(str::trim_end).collect();
        lines.join("\n") + "\n"
    }
}

/// A place as an editor counts it.
struct LineColumn<'a> {
    line: usize,
    column: usize,
    snippet: &'a str,
}

impl<'a> LineColumn<'a> {
    /// The line, or of a long line what surrounds the place; and how far in the place is.
    fn window(&self) -> (String, usize) {
        const BEFORE: usize = 60;
        const WIDEST: usize = 140;
        let line = self.snippet.replace('\t', " ");
        let (column, length) = (self.column - 1, line.chars().count());
        if length <= WIDEST {
            return (line, column);
        }
        let skipped = column.saturating_sub(BEFORE);
        let mut shown: String = line.chars().skip(skipped).take(WIDEST).collect();
        if skipped + WIDEST < length {
            shown.push('…');
        }
        match skipped {
            0 => (shown, column),
            _ => (format!("…{shown}"), column - skipped + 1),
        }
    }

    fn of(text: &'a str, offset: usize) -> Self {
        let offset = offset.min(text.len());
        let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = text[begin..].find('\n').map_or(text.len(), |at| begin + at);
        LineColumn {
            line: text[..begin].matches('\n').count() + 1,
            column: text[begin..offset].chars().count() + 1,
            snippet: &text[begin..end],
        }
    }
}
