//! What a build of a book has solved so far, in a file beside it.

use crate::commands::solving::read_line;
use anyhow::Context;
use link::ugi::lines_within;
use quarto::Position;
use quarto::book::edge::{self, EdgeQuestion};
use quarto::solver::Exact;
use quarto::symmetry::CanonicalKey;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, ErrorKind, Write};
use std::path::PathBuf;

/// A longer line is none of ours.
const LONGEST_LINE: usize = 1 << 10;

/// A line each: a position, its value; at the edge also whether going there keeps that value. Every answer is written at
/// once.
pub struct BookJournal {
    start: Position,
    pub path: PathBuf,
    file: File,
    values: HashMap<CanonicalKey, Exact>,
    pub edge: HashMap<EdgeQuestion, bool>,
}

impl BookJournal {
    /// Reads what an earlier build has left. A last line that was cut short is ignored.
    pub fn open(start: &Position, path: PathBuf) -> anyhow::Result<Self> {
        let known = match File::open(&path) {
            Ok(file) => Some(BufReader::new(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let mut journal = BookJournal {
            start: *start,
            file: file.with_context(|| format!("cannot write {}", path.display()))?,
            path,
            values: HashMap::new(),
            edge: HashMap::new(),
        };
        for line in known.into_iter().flat_map(|file| lines_within(file, LONGEST_LINE)) {
            let line = line.with_context(|| format!("cannot read {}", journal.path.display()))?;
            journal.learn(&line);
        }
        Ok(journal)
    }

    /// Takes a line in, unless it cannot be read. Says whether it was new.
    fn learn(&mut self, line: &str) -> bool {
        match read_line(&self.start, line) {
            Some((position, value, None)) => self.values.insert(position.canonical_key(), value).is_none(),
            Some((after, value, Some(yes))) => match EdgeQuestion::new(&after, value) {
                Some(question) => self.edge.insert(question, yes).is_none(),
                None => false,
            },
            None => false,
        }
    }

    /// Takes a line in and writes it down.
    pub fn note(&mut self, line: &str) -> std::io::Result<()> {
        match self.learn(line) {
            true => self.file.write_all(format!("{line}\n").as_bytes()),
            false => Ok(()),
        }
    }

    /// The value of a position, if it is known.
    pub fn value(&self, position: &Position) -> Option<Exact> {
        self.values.get(&position.canonical_key()).copied()
    }

    /// What the edge needs to know of a position: questions and their answers. `None` if one of them is not known yet.
    pub fn answers(&self, position: &Position, value: Exact) -> Option<Vec<(EdgeQuestion, bool)>> {
        let mut answers = Vec::new();
        let known = |after: &Position, value: Exact| -> Result<bool, ()> {
            let question = EdgeQuestion::new(after, value).ok_or(())?;
            let yes = *self.edge.get(&question).ok_or(())?;
            answers.push((question, yes));
            Ok(yes)
        };
        edge::ask(position, value, known).ok()?;
        Some(answers)
    }

    /// Where a position leads that has that value, if everything that the edge needs to know of it is known.
    pub fn way(&self, position: &Position, value: Exact) -> Option<Position> {
        let yes = |question| self.edge.get(&question) == Some(&true);
        edge::way_by(position, value, yes).map(|(_, after)| after)
    }
}
