//! What a proof finds of a position, and how that is written.

use super::write_turn;
use crate::{Position, Turn};
use std::fmt;
use std::str::FromStr;

/// What is known of a position with the holder to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoldFinding {
    /// A turn that keeps at least a draw, as [`write_turn`] writes it, and how many boards it took to find out that there is one.
    Holds {
        /// The turn.
        turn: u8,
        /// The boards.
        nodes: u64,
    },
    /// The opponent wins.
    Lost,
}

impl fmt::Display for HoldFinding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            HoldFinding::Holds { turn, nodes } => write!(f, "{turn:02x} {nodes}"),
            HoldFinding::Lost => f.write_str("lost"),
        }
    }
}

impl FromStr for HoldFinding {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let held = || {
            let (turn, nodes) = text.split_once(' ')?;
            let turn = u8::from_str_radix(turn, 16).ok().filter(|_| turn.len() == 2)?;
            Some(HoldFinding::Holds {
                turn,
                nodes: nodes.parse().ok()?,
            })
        };
        match text {
            "lost" => Ok(HoldFinding::Lost),
            _ => held().ok_or_else(|| format!("expected a turn and a number, or `lost`, found {text:?}")),
        }
    }
}

/// That a turn holds, found with so many boards; `None` if it is not a whole turn.
pub(super) fn held_by(position: &Position, turn: Turn, nodes: u64) -> Option<HoldFinding> {
    let turn = write_turn(position, turn)?;
    Some(HoldFinding::Holds { turn, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_read_as_it_was_written_and_nothing_else_is() {
        for finding in [HoldFinding::Lost, HoldFinding::Holds { turn: 0x0f, nodes: 12 }] {
            assert_eq!(finding.to_string().parse(), Ok(finding));
        }
        for text in ["", "los", "f 12", "0f", "0f ", "0f x", "100 5", "-1 5", "lost 5"] {
            assert!(text.parse::<HoldFinding>().is_err(), "{text:?}");
        }
    }
}
