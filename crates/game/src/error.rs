//! What is said when a move or a text cannot be accepted.

use thiserror::Error;

/// Why a move, or a text that should be a move or a position, was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// A move was played in a finished game.
    #[error("cannot play {mv}: the game is over")]
    Finished {
        /// The move, as printed.
        mv: String,
    },
    /// A move that the rules do not allow here.
    #[error("cannot play {mv}: {why}")]
    Illegal {
        /// The move, as printed.
        mv: String,
        /// What the rules have against it.
        why: String,
    },
    /// A text that is not a move or a position.
    #[error("cannot read {what} {text:?}: {why}")]
    Notation {
        /// What was expected: "turn", "position", "cell", …
        what: &'static str,
        /// The text, shortened if it was long.
        text: String,
        /// What is wrong, and where.
        why: String,
    },
}

impl GameError {
    /// A notation error; keeps at most the first 60 characters of the text.
    pub fn notation(what: &'static str, text: &str, why: impl Into<String>) -> Self {
        const KEPT: usize = 60;
        let mut kept: String = text.chars().take(KEPT).collect();
        if kept.len() < text.len() {
            kept.push('…');
        }
        GameError::Notation {
            what,
            text: kept,
            why: why.into(),
        }
    }
}
