//! How a game ends that the rules do not end: somebody gives up, runs out of time, or all agree to a draw.

use serde::{Deserialize, Serialize};

/// Why a game ended before its rules ended it. Seats count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// This seat gave up.
    Resigned(usize),
    /// The time of this seat was up.
    OutOfTime(usize),
    /// All agreed to a draw.
    Agreed,
}

impl Termination {
    /// Who lost by it.
    pub fn loser(self) -> Option<usize> {
        match self {
            Termination::Resigned(seat) | Termination::OutOfTime(seat) => Some(seat),
            Termination::Agreed => None,
        }
    }

    /// What every seat gets.
    pub fn payoffs(self, seats: usize) -> Vec<u8> {
        let payoff = |seat| match self.loser() {
            None => 50,
            Some(loser) if loser == seat => 0,
            Some(_) => 100,
        };
        (0..seats).map(payoff).collect()
    }

    /// The same where everybody has moved one seat on.
    pub fn rotated(self, seats: usize) -> Self {
        let on = |seat: usize| (seat + 1) % seats.max(1);
        match self {
            Termination::Resigned(seat) => Termination::Resigned(on(seat)),
            Termination::OutOfTime(seat) => Termination::OutOfTime(on(seat)),
            Termination::Agreed => Termination::Agreed,
        }
    }

    /// In words, with the seat's name in the game.
    pub fn in_words(self, roles: &[String]) -> String {
        let role = self.loser().and_then(|seat| roles.get(seat)).map_or("", String::as_str);
        match self {
            Termination::Resigned(_) => format!("{role} resigned"),
            Termination::OutOfTime(_) => format!("{role} ran out of time"),
            Termination::Agreed => "a draw by agreement".into(),
        }
    }
}
