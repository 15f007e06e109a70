//! What is said, as JSON; an order is said as it is.

use crate::queue::Unit;
use serde::{Deserialize, Serialize};

/// Some units of a run.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    pub run: String,
    /// Unique in the run; a job that is done twice is reported under the same name.
    pub name: String,
    pub units: Vec<Unit>,
}

/// What came out of a job, or of some of its units.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnitReport<D> {
    /// Which job.
    pub job: String,
    /// Who did it.
    pub worker: String,
    /// How long these units took.
    pub seconds: f64,
    /// The results by number.
    pub results: Vec<(u64, D)>,
    /// A unit that cannot be done, and why.
    pub failed: Option<(u64, String)>,
}

/// A worker says that it is there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Presence {
    pub name: String,
    pub version: String,
    pub speed: u64,
    pub threads: usize,
    /// Units done so far.
    pub done: u64,
    /// It goes, and says so.
    pub leaving: bool,
}

/// Who wants work done refuses a worker.
#[derive(Serialize, Deserialize)]
pub(super) struct Refusal {
    pub run: String,
    /// The version that would be welcome.
    pub wanted: String,
}
