//! The exact values of all that can be chosen next, as the solvers find them.

use crate::api_error::ApiError;
use crate::client::Client;
use crate::solver_pool::{NumberedAnswer, SolverPool};
use games::exact::{Choice, ExactPosition, Worth};
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;

/// The values on their way.
pub struct ChoiceValues {
    choices: Vec<Choice>,
    /// Which choices each question answers for.
    groups: Vec<Vec<usize>>,
    /// Known at sight.
    known: Vec<(usize, Worth)>,
    answers: UnboundedReceiver<NumberedAnswer<Worth>>,
}

impl ChoiceValues {
    /// Asks the solvers about everything that can be chosen next.
    pub fn ask(
        solvers: &SolverPool,
        client: Client,
        position: &dyn ExactPosition,
        time: Duration,
    ) -> Result<Self, ApiError> {
        let all = position.choices();
        let (questions, groups) = all.questions.into_iter().unzip();
        Ok(ChoiceValues {
            choices: all.choices,
            groups,
            known: all.known,
            answers: solvers.ask(client, questions, time)?,
        })
    }

    /// How many values there will be.
    pub fn count(&self) -> usize {
        self.choices.len()
    }

    /// A choice by its number.
    pub fn choice(&self, number: usize) -> &Choice {
        &self.choices[number]
    }

    /// The next values, of choices by number that are equal by symmetry; `None` at the end. A value that was not found in time
    /// is missing.
    pub async fn next(&mut self) -> Option<Vec<(usize, Option<Worth>)>> {
        if !self.known.is_empty() {
            let known = std::mem::take(&mut self.known);
            return Some(known.into_iter().map(|(number, worth)| (number, Some(worth))).collect());
        }
        let (question, answer) = self.answers.recv().await?;
        Some(self.groups[question].iter().map(|&number| (number, answer)).collect())
    }

    /// The values of all choices, in their order, if all were found in time.
    pub async fn all(mut self) -> Option<Vec<Worth>> {
        let mut all = vec![None; self.count()];
        while let Some(values) = self.next().await {
            for (number, value) in values {
                all[number] = Some(value?);
            }
        }
        all.into_iter().collect()
    }
}
