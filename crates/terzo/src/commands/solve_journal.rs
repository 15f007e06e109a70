//! What a long solve has found so far, in a file: `terzo solve --journal`.

use super::line_journal::LineJournal;
use anyhow::bail;
use game::Game;
use quarto::Position;
use quarto::proof::{Question, QuestionResult};
use quarto::solver::Outcome;
use quarto::symmetry::CanonicalKey;
use std::collections::HashMap;
use std::path::Path;

/// A longer line is none of ours.
const LONGEST_LINE: usize = 1 << 10;

/// What the first line begins with; the game follows.
const TITLE: &str = "terzo solve journal";

/// A line for a question and what was found: the position, the outcome asked for, yes, no or split, and the boards it took.
pub fn write_finding(question: &Question, finding: QuestionResult, nodes: u64) -> String {
    let found = match finding {
        QuestionResult::Answer(true) => "yes",
        QuestionResult::Answer(false) => "no",
        QuestionResult::TooLong => "split",
    };
    format!(
        "{}\t{}\t{found}\t{nodes}",
        question.position.print(),
        question.at_least.name()
    )
}

/// A line that asks a question, to be answered with so many boards.
pub fn write_question(question: &Question, boards: u64) -> String {
    format!("{}\t{}\t{boards}", question.position.print(), question.at_least.name())
}

/// Reads such a line.
pub fn read_question(start: &Position, line: &str) -> Option<(Question, u64)> {
    match line.split('\t').collect::<Vec<_>>()[..] {
        [position, outcome, boards] => Some((question(start, position, outcome)?, boards.parse().ok()?)),
        _ => None,
    }
}

fn read_finding(start: &Position, line: &str) -> Option<(Question, QuestionResult, u64)> {
    let [position, outcome, found, nodes] = line.split('\t').collect::<Vec<_>>()[..] else {
        return None;
    };
    let finding = match found {
        "yes" => QuestionResult::Answer(true),
        "no" => QuestionResult::Answer(false),
        "split" => QuestionResult::TooLong,
        _ => return None,
    };
    Some((question(start, position, outcome)?, finding, nodes.parse().ok()?))
}

fn question(start: &Position, position: &str, outcome: &str) -> Option<Question> {
    let at_least = [Outcome::Win, Outcome::Draw]
        .into_iter()
        .find(|at_least| at_least.name() == outcome)?;
    let position = start.parse(position).ok()?;
    Some(Question { position, at_least })
}

/// What was found, and the file that keeps it, if there is one.
pub struct SolveJournal {
    start: Position,
    file: Option<LineJournal>,
    found: HashMap<(CanonicalKey, Outcome), QuestionResult>,
    /// Questions answered.
    pub answers: u64,
    /// Boards searched, those of questions that took too long included.
    pub nodes: u64,
}

impl SolveJournal {
    /// One that is kept nowhere.
    pub fn in_memory(start: &Position) -> Self {
        SolveJournal {
            start: *start,
            file: None,
            found: HashMap::new(),
            answers: 0,
            nodes: 0,
        }
    }

    /// Opens or makes the journal of a game. A last line that was cut short is taken away.
    pub fn open(game: &str, start: &Position, path: &Path) -> anyhow::Result<Self> {
        let mut journal = SolveJournal::in_memory(start);
        let file = LineJournal::open(path, TITLE, game, LONGEST_LINE, |line| {
            let Some((question, finding, nodes)) = read_finding(start, line) else {
                bail!("expected a position, win or draw, yes, no or split, and a number, found {line:?}");
            };
            journal.learn(&question, finding, nodes);
            Ok(())
        })?;
        journal.file = Some(file);
        Ok(journal)
    }

    /// Takes in a line. Says what it tells, if that is new and can be read, after it was written down.
    pub fn note(&mut self, line: &str) -> std::io::Result<Option<(Question, QuestionResult)>> {
        let Some((question, finding, nodes)) = read_finding(&self.start, line) else {
            return Ok(None);
        };
        if self.found.contains_key(&key(&question)) {
            return Ok(None);
        }
        if let Some(file) = &mut self.file {
            file.write(line)?;
        }
        self.learn(&question, finding, nodes);
        Ok(Some((question, finding)))
    }

    fn learn(&mut self, question: &Question, finding: QuestionResult, nodes: u64) {
        self.found.insert(key(question), finding);
        self.answers += u64::from(finding != QuestionResult::TooLong);
        self.nodes += nodes;
    }

    /// What is known of a question: what was found, or what follows from the other question about the same position.
    pub fn known(&self, question: &Question) -> Option<QuestionResult> {
        let (position, at_least) = key(question);
        let about = |outcome| self.found.get(&(position, outcome)).copied();
        let follows = match at_least {
            Outcome::Win => about(Outcome::Draw).filter(|finding| *finding == QuestionResult::Answer(false)),
            _ => about(Outcome::Win).filter(|finding| *finding == QuestionResult::Answer(true)),
        };
        follows.or_else(|| about(at_least))
    }
}

fn key(question: &Question) -> (CanonicalKey, Outcome) {
    (question.position.canonical_key(), question.at_least)
}
