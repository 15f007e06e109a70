//! How a game ends that the rules do not end: somebody gives up, runs out of time, or all agree to a draw.

use serde::{Deserialize, Serialize};

/// Why a game ended before its rules ended it. Seats count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// This seat gave up.
    Resigned(usize),
    /// The time of this seat was up.
    OutOfTime(usize),
    /// All agreed to a draw.
    Agreed,
}

impl Ending {
    /// Who lost by it.
    pub fn loser(self) -> Option<usize> {
        match self {
            Ending::Resigned(seat) | Ending::OutOfTime(seat) => Some(seat),
            Ending::Agreed => None,
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
            Ending::Resigned(seat) => Ending::Resigned(on(seat)),
            Ending::OutOfTime(seat) => Ending::OutOfTime(on(seat)),
            Ending::Agreed => Ending::Agreed,
        }
    }

    /// In words, with the seat's name in the game.
    pub fn in_words(self, roles: &[String]) -> String {
        let role = self.loser().and_then(|seat| roles.get(seat)).map_or("", String::as_str);
        match self {
            Ending::Resigned(_) => format!("{role} resigned"),
            Ending::OutOfTime(_) => format!("{role} ran out of time"),
            Ending::Agreed => "a draw by agreement".into(),
        }
    }
}
