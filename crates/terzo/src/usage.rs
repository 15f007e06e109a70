//! Errors that are the user's words, not the work: exit status 2.

use std::fmt;

/// What is wrong with the words.
#[derive(Debug)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Returns a usage error, as `bail!` returns any.
macro_rules! usage {
    ($($words:tt)*) => {
        return Err($crate::usage::UsageError(format!($($words)*)).into())
    };
}

pub(crate) use usage;
