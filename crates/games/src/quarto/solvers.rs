//! What a thread that solves keeps.

use crate::exact::Unanswered;
use ::game::Instant;
use quarto::Rules;
use quarto::solver::{NoAnswer, Solver};

/// The solvers of one thread, with their tables: one for each of the variants asked about last.
pub struct Solvers {
    kept: Vec<Solver>,
    memory: usize,
}

/// Variants that are kept.
const MOST: usize = 2;

impl Solvers {
    /// No solver yet; each will have so many bytes for its table.
    pub fn new(memory: usize) -> Self {
        Solvers {
            kept: Vec::new(),
            memory,
        }
    }

    /// How many boards they have looked at.
    pub fn nodes(&self) -> u64 {
        self.kept.iter().map(Solver::nodes).sum()
    }

    /// Asks the solver of a variant something, until a deadline.
    pub(crate) fn ask<T>(
        &mut self,
        rules: &'static Rules,
        deadline: Instant,
        question: impl FnOnce(&Solver) -> Result<T, NoAnswer>,
    ) -> Result<T, Unanswered> {
        let solver = self.solver(rules)?;
        solver.set_deadline(Some(deadline));
        let answer = question(solver);
        solver.set_deadline(None);
        answer.map_err(|why| match why {
            NoAnswer::Stopped => Unanswered::Stopped,
            NoAnswer::Finished => Unanswered::Never,
        })
    }

    fn solver(&mut self, rules: &'static Rules) -> Result<&Solver, Unanswered> {
        let solver = match self.kept.iter().position(|solver| solver.rules() == rules) {
            Some(at) => self.kept.remove(at),
            None => {
                // A machine without room for a table has no solver.
                let mut solver = Solver::new(rules, self.memory, 1).map_err(|_| Unanswered::Never)?;
                solver.open_book();
                solver
            }
        };
        self.kept.truncate(MOST - 1);
        self.kept.insert(0, solver);
        Ok(&self.kept[0])
    }
}
