//! What was said between a referee and a program.

use game::Instant;

/// Who said a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The referee, to the program.
    Referee,
    /// The program, to the referee.
    Program,
    /// The program, to nobody: its standard error.
    Stderr,
}

impl Speaker {
    /// How a log marks it.
    pub const fn sign(self) -> char {
        match self {
            Speaker::Referee => '>',
            Speaker::Program => '<',
            Speaker::Stderr => '!',
        }
    }
}

/// A line of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationLine {
    /// When it was sent, or read.
    pub at: Instant,
    /// Whose it is.
    pub speaker: Speaker,
    /// What it says.
    pub text: String,
}
