//! Why a sheet cannot be played.

use thiserror::Error;

/// As many as a game may have seats.
pub(crate) const MOST_ROLES: usize = 16;

/// Why a sheet cannot be read, built or played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GdlError {
    /// The checker found errors; the report says which and where.
    #[error("{name}: {errors} error(s)\n\n{report}")]
    Sheet {
        /// The sheet.
        name: String,
        /// How many.
        errors: usize,
        /// The diagnostics with snippets.
        report: String,
    },
    /// A file could not be read.
    #[error("cannot read {name}: {why}")]
    File {
        /// The file.
        name: String,
        /// What the system says.
        why: String,
    },
    /// A variable without a value, in a sheet that was not checked.
    #[error("{name}: the variable {var} has no value")]
    Unsafe {
        /// The sheet.
        name: String,
        /// The variable.
        var: String,
    },
    /// Terms that a rule makes ever larger.
    #[error("{name}: the terms of `{relation}` grow without bound; recursion must not wrap terms ever deeper")]
    Unbounded {
        /// The sheet.
        name: String,
        /// The relation.
        relation: String,
    },
    /// More constants in a row than a table has columns.
    #[error("{name}: a fact of `{relation}` holds {constants} constants; expected at most {most}")]
    Wide {
        /// The sheet.
        name: String,
        /// The relation.
        relation: String,
        /// How many it holds as it is written.
        constants: usize,
        /// How many it may hold.
        most: usize,
    },
    /// A relation depends on its own negation.
    #[error("{name}: a relation depends on its own negation; the rules are not stratified")]
    NegationCycle {
        /// The sheet.
        name: String,
    },
    /// There are no roles.
    #[error("{name}: the sheet has no roles; expected at least one (role name)")]
    NoRoles {
        /// The sheet.
        name: String,
    },
    /// There are more roles than seats.
    #[error("{name}: {roles} roles; expected at most {}", MOST_ROLES)]
    ManyRoles {
        /// The sheet.
        name: String,
        /// How many.
        roles: usize,
    },
    /// A budget of memory ran out.
    #[error("{what} took more than {steps} steps: the sheet explodes")]
    Memory {
        /// What was computed.
        what: &'static str,
        /// How many steps were allowed.
        steps: u64,
    },
    /// A join tried too many combinations.
    #[error("{what} tried more than {tries} combinations of facts: the conditions of some rule are too hard to match")]
    TooManyTries {
        /// What was computed.
        what: &'static str,
        /// How many were allowed.
        tries: u64,
    },
    /// A budget of time ran out.
    #[error("{what} took longer than {} s", format_seconds(*milliseconds))]
    Time {
        /// What was computed.
        what: &'static str,
        /// How long it was allowed to take.
        milliseconds: u64,
    },
    /// The result was not needed any more.
    #[error("{what} was stopped")]
    Stopped {
        /// What was computed.
        what: &'static str,
    },
    /// A move, fact or role that the game does not have.
    #[error("{0}")]
    Unknown(String),
}

fn format_seconds(milliseconds: u64) -> String {
    format!("{:.1}", milliseconds as f64 / 1000.0)
}
