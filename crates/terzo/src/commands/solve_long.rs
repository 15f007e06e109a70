//! A position in parts: `terzo solve --journal`, and `--on` for a single position.
//!
//! The question is split where it takes too long (`quarto::proof`), and what is found goes to a journal at once. Threads of
//! this process take one part after the other, each when it is free, because an answer decides what is asked next; the same
//! parts go to workers elsewhere through the arena's queue.

use super::on::On;
use super::solve_journal::{SolveJournal, read_question, write_finding, write_question};
use super::solving::{Ask, Solving};
use super::truth::SolverArgs;
use crate::{interrupt, progress};
use anyhow::{Context, bail};
use arena::control::Control;
use arena::queue::{Unit, Work};
use game::{Game, Stop};
use parking_lot::{Condvar, Mutex};
use quarto::Position;
use quarto::proof::{ProofTree, Question, QuestionResult};
use quarto::solver::{NoAnswer, Outcome, Solver};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How a position is solved in parts.
pub struct LongSolve<'a> {
    pub game: &'a str,
    pub position: &'a Position,
    /// Where findings are kept; nowhere if they go to nobody after this process.
    pub journal: Option<&'a Path>,
    /// How many boards a part may take before it is split.
    pub part: u64,
    pub means: &'a SolverArgs,
    pub on: &'a On,
}

/// What came of it.
pub struct LongAnswer {
    pub outcome: Outcome,
    pub answers: u64,
    /// How many of the answers an earlier solve had left.
    kept: u64,
    pub nodes: u64,
    took: Duration,
}

impl LongAnswer {
    pub fn as_json(&self, position: &Position) -> Value {
        json!({
            "position": position.print(), "value": self.outcome.name(), "answers": self.answers, "kept": self.kept,
            "nodes": self.nodes, "seconds": self.took.as_secs_f64(),
        })
    }

    /// What it took, in words.
    pub fn effort(&self) -> String {
        format!(
            "{} answers, {} of them kept from before; {} nodes in all, {:.3} s now",
            self.answers,
            self.kept,
            self.nodes,
            self.took.as_secs_f64()
        )
    }
}

impl LongSolve<'_> {
    pub fn run(&self) -> anyhow::Result<LongAnswer> {
        if !self.position.playing() {
            return Err(NoAnswer::Finished.into());
        }
        self.on.check()?;
        let began = Instant::now();
        let start = self.position.start();
        let mut journal = match self.journal {
            Some(path) => SolveJournal::open(self.game, &start, path)?,
            None => SolveJournal::in_memory(&start),
        };
        let kept = journal.answers;
        let outcome = self.find_outcome(&mut journal)?;
        Ok(LongAnswer {
            outcome,
            answers: journal.answers,
            kept,
            nodes: journal.nodes,
            took: began.elapsed(),
        })
    }

    fn find_outcome(&self, journal: &mut SolveJournal) -> anyhow::Result<Outcome> {
        let solver = self.solver()?;
        for at_least in [Outcome::Win, Outcome::Draw] {
            let question = Question {
                position: *self.position,
                at_least,
            };
            if self.prove(question, journal, &solver)?.answer() == Some(true) {
                return Ok(at_least);
            }
        }
        Ok(Outcome::Loss)
    }

    /// Answers a question; the tree has the answers that this one was made of.
    fn prove(&self, question: Question, journal: &mut SolveJournal, solver: &Arc<Solver>) -> anyhow::Result<ProofTree> {
        let tree = ProofTree::new(question, &|question| journal.known(question));
        let mut study = Study { tree, journal };
        self.answer(&mut study, solver)?;
        Ok(study.tree)
    }

    /// What solves here, or what stands for those who do so elsewhere.
    fn solver(&self) -> anyhow::Result<Arc<Solver>> {
        let rules = self.position.rules();
        if self.on.elsewhere() {
            return Ok(Arc::new(
                Solver::new(rules, 1 << 16, 1).context("no memory for a solver")?,
            ));
        }
        let useful = Solver::useful_memory(rules, self.position.placed());
        let mut solver = self.means.bare(rules, useful, 1)?;
        self.means.open_book(&mut solver)?;
        Ok(Arc::new(solver))
    }

    /// Answers the question of a tree.
    fn answer(&self, study: &mut Study, solver: &Arc<Solver>) -> anyhow::Result<()> {
        let sign = interrupt::sign()?;
        loop {
            if study.tree.answer().is_some() {
                return Ok(());
            }
            match self.on.elsewhere() {
                true => self.ask_elsewhere(study, solver, &sign)?,
                false => self.ask_here(study, solver, &sign)?,
            }
            if sign.is_raised() && study.tree.answer().is_none() {
                match self.journal {
                    Some(path) => bail!(
                        "stopped; {} keeps what was found, the same command goes on",
                        path.display()
                    ),
                    None => bail!("stopped after {} answers", study.journal.answers),
                }
            }
        }
    }

    /// Threads of this process.
    fn ask_here(&self, study: &mut Study, solver: &Solver, sign: &Stop) -> anyhow::Result<()> {
        let stop = sign.child();
        solver.set_stop(stop.clone());
        let mut watch = StudyProgress::new(study, None);
        let bench = SharedStudy {
            study: Mutex::new(study),
            changed: Condvar::new(),
            solver,
            stop,
            part: self.part,
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.means.threads())
                .map(|_| scope.spawn(|| bench.work()))
                .collect();
            while !threads.iter().all(|thread| thread.is_finished()) {
                std::thread::sleep(Duration::from_millis(10));
                watch.show(|| bench.study.lock().told());
            }
            let ended = threads.into_iter().map(|thread| match thread.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect::<anyhow::Result<Vec<()>>>()
        })?;
        watch.clear();
        Ok(())
    }

    /// Workers elsewhere, as long as there is something to ask without waiting for an answer.
    fn ask_elsewhere(&self, study: &mut Study, solver: &Arc<Solver>, sign: &Stop) -> anyhow::Result<()> {
        let work = Arc::new(Solving::new(self.game, Ask::Part, self.means.book(), solver.clone())?);
        let mut hired = self.on.hire(0, &["solve", &self.run_name(), &work.order().text])?;
        let control = Control::under(sign);
        let mut watch = StudyProgress::new(study, hired.crew.take());
        study.tree.forget_asked();
        let study = Mutex::new(study);
        let mut units = StudyUnits {
            study: &study,
            part: self.part,
        };
        let mut failed = Ok(());
        let ended = hired.queue.run(&work, &mut units, &control, &mut |results| {
            let mut study = study.lock();
            for line in results.iter().flat_map(|(_, lines)| lines) {
                if failed.is_ok() {
                    failed = study.note(line);
                }
            }
            watch.show(|| study.told());
            match failed {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        watch.clear();
        failed?;
        Ok(ended?)
    }

    /// What makes it this solve and no other: begun again with the same journal it goes on, without one it does not.
    fn run_name(&self) -> String {
        match self.journal {
            Some(path) => std::path::absolute(path)
                .unwrap_or_else(|_| PathBuf::from(path))
                .display()
                .to_string(),
            None => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                format!("{} {}", std::process::id(), now.as_nanos())
            }
        }
    }
}

/// A tree, and where its findings are kept.
struct Study<'a> {
    tree: ProofTree,
    journal: &'a mut SolveJournal,
}

impl Study<'_> {
    /// Keeps what a line tells, if it is new.
    fn note(&mut self, line: &str) -> anyhow::Result<()> {
        let noted = self.journal.note(line).context("cannot write the journal")?;
        if let Some((question, finding)) = noted {
            let journal = &self.journal;
            self.tree.learn(&question, finding, &|question| journal.known(question));
        }
        Ok(())
    }

    /// How it stands: answers so far, and how many more it takes at least.
    fn told(&self) -> (u64, usize, u64) {
        (self.journal.answers, self.tree.least_left(), self.journal.nodes)
    }
}

/// What the threads of this process share.
struct SharedStudy<'a, 'b> {
    study: Mutex<&'a mut Study<'b>>,
    /// Something was found, or it is over.
    changed: Condvar,
    solver: &'a Solver,
    stop: Stop,
    part: u64,
}

impl SharedStudy<'_, '_> {
    /// Answers parts until the whole is answered or the sign is raised.
    fn work(&self) -> anyhow::Result<()> {
        while let Some(question) = self.next() {
            let answered = self
                .solver
                .at_least_within(&question.position, question.at_least, self.part);
            let (answer, nodes) = match answered {
                Ok(found) => found,
                Err(NoAnswer::Stopped) => break,
                Err(error) => return Err(error.into()),
            };
            let finding = answer.map_or(QuestionResult::TooLong, QuestionResult::Answer);
            let mut study = self.study.lock();
            let noted = study.note(&write_finding(&question, finding, nodes));
            if noted.is_err() || study.tree.answer().is_some() {
                // The others need not go on.
                self.stop.raise();
            }
            drop(study);
            self.changed.notify_all();
            noted?;
        }
        Ok(())
    }

    /// The next question, waited for if all there are have been given out.
    fn next(&self) -> Option<Question> {
        /// How soon a raised sign is seen.
        const LOOK: Duration = Duration::from_millis(50);
        let mut study = self.study.lock();
        loop {
            if self.stop.is_raised() || study.tree.answer().is_some() {
                return None;
            }
            if let Some(question) = study.tree.next_question() {
                return Some(question);
            }
            self.changed.wait_for(&mut study, LOOK);
        }
    }
}

/// The questions of a tree as units for others.
struct StudyUnits<'a, 'b, 'c> {
    study: &'a Mutex<&'b mut Study<'c>>,
    part: u64,
}

impl Iterator for StudyUnits<'_, '_, '_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let question = self.study.lock().tree.next_question()?;
        Some(Unit::of_text(write_question(&question, self.part)))
    }

    /// No more than what is surely needed is a share that others may take at once.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.study.lock().tree.least_left()))
    }
}

/// A line that tells how it goes.
struct StudyProgress {
    display: progress::Crewed,
    began: Instant,
    before: (u64, u64),
}

impl StudyProgress {
    fn new(study: &Study, crew: Option<Box<dyn Fn() -> String>>) -> Self {
        StudyProgress {
            display: progress::Crewed::new(crew),
            began: Instant::now(),
            before: (study.journal.answers, study.journal.nodes),
        }
    }

    fn show(&mut self, told: impl FnOnce() -> (u64, usize, u64)) {
        let (began, before) = (self.began, self.before);
        self.display.show(|| {
            let (answers, left, nodes) = told();
            let seconds = began.elapsed().as_secs_f64().max(1e-3);
            let rate = (answers - before.0) as f64 / seconds;
            format!(
                "{answers} answers, at least {left} more: {} or longer; {:.1} M nodes a second, {seconds:.0} s",
                if rate > 0.0 {
                    progress::spoken(left as f64 / rate)
                } else {
                    "unknown".into()
                },
                (nodes - before.1) as f64 / 1e6 / seconds
            )
        });
    }

    fn clear(&self) {
        self.display.clear();
    }
}

/// Answers a part for somebody else.
pub fn answer_part(solver: &Solver, start: &Position, text: &str) -> Result<Option<String>, NoAnswer> {
    let Some((question, boards)) = read_question(start, text) else {
        return Ok(None);
    };
    let (answer, nodes) = solver.at_least_within(&question.position, question.at_least, boards)?;
    let finding = answer.map_or(QuestionResult::TooLong, QuestionResult::Answer);
    Ok(Some(write_finding(&question, finding, nodes)))
}
