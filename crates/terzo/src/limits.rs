//! How much a command line may ask for. A slip of the finger must not bring the machine to its knees.

use arena::plan::MOST_THREADS;
use clap::builder::RangedU64ValueParser;
use std::time::Duration;

/// A number of threads; 0 means one a core.
pub fn threads() -> RangedU64ValueParser<usize> {
    up_to(MOST_THREADS as u64)
}

/// A number from 0 to `most`.
pub fn up_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=most)
}

/// A number from 1 to `most`: of what a figure is the mean of, there is one at least.
pub fn from_one_to(most: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=most)
}

/// Reads how long something may take.
pub fn time(text: &str) -> Result<Duration, String> {
    arena::terms::duration(text).ok_or_else(|| "expected a time such as 500ms, 10s or 2m".to_owned())
}
