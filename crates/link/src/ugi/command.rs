//! How an engine is started.

use process::{Program, ResourceLimits};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;

/// A program, and what it is told when it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub folder: Option<PathBuf>,
    /// Variables of its environment.
    pub environment: BTreeMap<String, String>,
    /// What `setoption` tells it.
    pub options: BTreeMap<String, String>,
    /// How long it may take to start, and to be ready for a game.
    pub start: Duration,
    /// What it and all it starts may use.
    pub limits: ResourceLimits,
}

/// What is wrong with a command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// A quotation mark without a partner.
    #[error("a {0} is opened and never closed")]
    Quote(char),
    /// No command at all.
    #[error("expected a command")]
    Empty,
    /// No such program.
    #[error("there is no program `{0}`")]
    NoProgram(String),
}

impl EngineCommand {
    /// A program with arguments.
    pub fn new(program: impl Into<String>, arguments: Vec<String>) -> Self {
        EngineCommand {
            program: program.into(),
            arguments,
            folder: None,
            environment: BTreeMap::new(),
            options: BTreeMap::new(),
            start: Duration::from_secs(10),
            limits: ResourceLimits::default(),
        }
    }

    /// Reads a command line: words apart by spaces; quotation marks of either kind and backslashes keep spaces in.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let mut words = split(line)?.into_iter();
        let program = words.next().ok_or(CommandError::Empty)?;
        Ok(EngineCommand::new(program, words.collect()))
    }

    /// What is run.
    pub fn program(&self) -> Program {
        Program {
            program: self.program.clone(),
            arguments: self.arguments.clone(),
            folder: self.folder.clone(),
            environment: self.environment.clone(),
            port: None,
            without_cgroup: false,
            limits: self.limits,
        }
    }

    /// Whether the program is there: better to know before the first game than from a thousand forfeits.
    pub fn check(&self) -> Result<(), CommandError> {
        match self.found() {
            Some(_) => Ok(()),
            None => Err(CommandError::NoProgram(self.program.clone())),
        }
    }

    /// The program's file.
    pub(crate) fn found(&self) -> Option<PathBuf> {
        let program = Path::new(&self.program);
        let places: Vec<PathBuf> = if program.components().count() > 1 {
            // A path with folders in it is taken from where the engine runs, or from where we are.
            let folder = self.folder.as_ref().map(|folder| folder.join(program));
            folder.into_iter().chain([program.into()]).collect()
        } else {
            let path = self
                .environment
                .get("PATH")
                .map(Into::into)
                .or_else(|| std::env::var_os("PATH"))?;
            std::env::split_paths(&path)
                .map(|folder| folder.join(program))
                .collect()
        };
        places.into_iter().find(|place| place.is_file())
    }
}

fn split(line: &str) -> Result<Vec<String>, CommandError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (None, _) if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    match quote {
        None => Ok(words),
        Some(open) => Err(CommandError::Quote(open)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_split_as_a_shell_would() {
        let cases: [(&str, &[&str]); 5] = [
            (
                "python3 my.py --level=3,4 a:b",
                &["python3", "my.py", "--level=3,4", "a:b"],
            ),
            ("'two words' \"a \\\" b\" c\\ d", &["two words", "a \" b", "c d"]),
            ("a '' b", &["a", "", "b"]),
            ("a'b'\"c\"", &["abc"]),
            ("  ", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(split(line).unwrap(), expected, "{line}");
        }
        assert_eq!(split("a 'b"), Err(CommandError::Quote('\'')));
        assert_eq!(EngineCommand::parse(" "), Err(CommandError::Empty));
    }

    #[test]
    fn a_program_that_is_not_there_is_known_before_the_first_game() {
        assert!(EngineCommand::parse("sh -c true").unwrap().check().is_ok());
        let missing = EngineCommand::parse("no-such-program-anywhere x").unwrap().check();
        assert_eq!(
            missing.unwrap_err().to_string(),
            "there is no program `no-such-program-anywhere`"
        );
    }
}
