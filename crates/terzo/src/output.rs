//! Writing to standard output: text for people, one JSON object for programs.

use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Writes text; a reader that went away is an error that `main` forgives. Names in it may be anybody's, so what a terminal would
/// take for an order is shown and not obeyed.
pub fn print(text: &str) -> anyhow::Result<()> {
    write(&visible(text))
}

/// Writes text with a drawing in it: where there are colours they are ours, and nothing else in it is anybody's.
pub fn print_coloured(text: &str) -> anyhow::Result<()> {
    match colour() {
        true => write(text),
        false => print(text),
    }
}

fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Says something beside the output; that nobody may be listening is no reason to stop.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "terzo: {}", visible(text));
}

/// The text with every control character but the ends of lines and tabulators written out.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(hidden) {
        return text.into();
    }
    let mut shown = String::new();
    for c in text.chars() {
        match hidden(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown.into()
}

/// Writes one JSON object and a line end.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    write(&(serde_json::to_string(value)? + "\n"))
}

/// Whether standard output takes colour.
pub fn colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Whether the error is only that nobody reads on, as in `terzo games | head -1`.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_shown_instead() {
        assert_eq!(visible("a\tb\nc é"), "a\tb\nc é");
        assert_eq!(visible("\u{1b}[2Jx\r\u{9b}1m"), "\\u{1b}[2Jx\\r\\u{9b}1m");
    }
}
