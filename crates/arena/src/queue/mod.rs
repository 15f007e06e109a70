//! Work in units, done by whoever is there: threads of this process ([`Local`]), or workers on any number of machines
//! (`nats`, with the feature of that name).
//!
//! A unit is a function of its number and text, so it may be done twice, by anybody, and gives the same. A queue promises
//! that every unit is done at least once; who folds the results counts each number once. That is all that is needed to lose
//! nothing: whatever dies, what it had in hand is done again.

mod local;
#[cfg(feature = "nats")]
pub mod nats;

pub use local::Local;

use crate::control::Control;
use game::Stop;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;
use thiserror::Error;

/// A piece of work that nobody divides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Unit {
    /// Its number, by which its result is known.
    pub number: u64,
    /// What else must be known to do it; empty where the number says it all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Unit {
    /// A unit whose number says it all.
    pub fn of_number(number: u64) -> Self {
        Unit {
            number,
            text: String::new(),
        }
    }

    /// A unit whose text says it all: it has the same number whenever it is asked for. Where a run asks in several stages, a late
    /// report of an earlier stage is then never taken for another unit of a later one.
    pub fn of_text(text: String) -> Self {
        let mut number = DefaultHasher::new();
        text.hash(&mut number);
        Unit {
            number: number.finish(),
            text,
        }
    }
}

/// What must be known to do any unit of some work, as text: who gets an order and a unit can do the unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, serde::Deserialize)]
pub struct Order {
    /// What kind of work it is.
    pub kind: String,
    /// The rest, as that kind of work writes it.
    pub text: String,
}

/// Work in units that have nothing to do with each other.
pub trait Work: Send + Sync + 'static {
    /// What comes out of a unit.
    type Done: Send + Serialize + DeserializeOwned + 'static;
    /// What a thread keeps from one unit to the next: players that were made, say.
    type ThreadState: 'static;

    /// What somebody else must know to do the same.
    fn order(&self) -> Order;

    /// What a thread begins with that works under a stop sign.
    fn thread_state(&self, stop: &Stop) -> Self::ThreadState;

    /// Does a unit, unless the sign is raised meanwhile.
    fn work(&self, unit: &Unit, state: &mut Self::ThreadState) -> Result<Self::Done, Halt>;
}

/// Why a unit was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Somebody asked for an end; another time it can be done.
    Stopped,
    /// It cannot be done at all.
    Failed(String),
}

/// Why work could not be finished.
#[derive(Debug, Error)]
pub enum QueueError {
    /// The system refused the threads.
    #[error("cannot start the threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A unit that cannot be done.
    #[error("unit {number}: {why}")]
    Failed {
        /// Which.
        number: u64,
        /// What is wrong with it.
        why: String,
    },
    /// The messages between machines.
    #[error("{0}")]
    Broker(String),
}

/// Takes results as they come, in any order, a number perhaps more than once, and sometimes none at all: a moment to look
/// at how it goes. Whoever breaks here ends the work.
pub type Fold<'a, D> = dyn FnMut(Vec<(u64, D)>) -> ControlFlow<()> + 'a;

/// Somewhere to have work done.
pub trait Queue<W: Work> {
    /// Does all units of `open`, unless it is stopped, and hands over what comes out.
    fn run(
        &mut self,
        work: &Arc<W>,
        open: &mut (dyn Iterator<Item = Unit> + Send),
        control: &Control,
        fold: &mut Fold<'_, W::Done>,
    ) -> Result<(), QueueError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_same_number_in_every_stage_and_no_other_text_has_it() {
        let unit = |text: &str| Unit::of_text(text.into());
        assert_eq!(unit("a"), unit("a"));
        let numbers: std::collections::HashSet<u64> = (0..10_000).map(|i| unit(&i.to_string()).number).collect();
        assert_eq!(numbers.len(), 10_000);
    }
}
