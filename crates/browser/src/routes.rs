//! The requests that concern one table, as the page's modules send them: the same paths and bodies as the server's.

use crate::kept::SOMEBODY;
use page::ApiError;
use page::record::beginning;
use page::table::{Action, By, Placement, Table, TimeControl};
use serde::Deserialize;

/// All that the body of a request may say; which parts count depends on the path.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RequestBody {
    pub game: Option<String>,
    pub sheet: Option<String>,
    pub position: Option<String>,
    pub turns: Option<Vec<String>>,
    pub text: Option<String>,
    pub paused: Option<bool>,
    pub pace_ms: Option<u32>,
    pub names: Option<Vec<Option<String>>>,
    pub seats: Option<Vec<Option<String>>>,
    pub clock: Option<ClockBody>,
    turn: Option<String>,
    ply: Option<usize>,
    version: Option<u64>,
    seat: Option<usize>,
    name: Option<String>,
    agree: Option<bool>,
    plies: Option<usize>,
}

/// How much time every person has.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockBody {
    base_ms: u64,
    increment_ms: u64,
}

impl ClockBody {
    /// The time, within what the server allows, too.
    pub fn control(&self) -> Result<TimeControl, ApiError> {
        TimeControl::requested(self.base_ms, self.increment_ms)
    }
}

impl RequestBody {
    /// Who is to sit where.
    pub fn placements(&self) -> Option<Vec<Option<Placement>>> {
        let seats = self.seats.as_ref()?;
        Some(seats.iter().map(|seat| seat.as_deref().map(Placement::read)).collect())
    }

    /// Does what is asked for at a table: `word` is the end of the path, empty for the table itself.
    pub fn act(self, table: &mut Table, word: &str) -> Result<(), ApiError> {
        let by = By {
            person: SOMEBODY,
            version: self.version,
        };
        let missing = |what: &str| ApiError::bad_request(format!("expected `{what}`"));
        let action = match word {
            "turns" => Action::Turn {
                ply: self.ply.ok_or_else(|| missing("ply"))?,
                turn: self.turn.ok_or_else(|| missing("turn"))?,
            },
            "sit" => Action::Sit {
                seat: self.seat.map(|seat| seat.saturating_sub(1)),
                name: self.name,
            },
            "resign" => Action::Resign,
            "draw" => Action::Draw,
            "answer" => Action::Answer(self.agree.ok_or_else(|| missing("agree"))?),
            "undo" => Action::Undo(self.plies),
            "redo" => Action::Redo(self.plies),
            "goto" => Action::GoTo(self.ply.ok_or_else(|| missing("ply"))?),
            "pause" => Action::Pause(true),
            "resume" => Action::Pause(false),
            "restart" => Action::Restart,
            "swap" => Action::Swap,
            "" => Action::Settle {
                seats: self.placements(),
                names: self.names,
                pace_ms: self.pace_ms,
            },
            "game" => {
                check_same_game(table, self.text.as_deref())?;
                let (position, turns) = beginning(table.session(), self.text, self.position, self.turns)?;
                Action::Setup { position, turns }
            }
            _ => return Err(ApiError::not_found("there is no such thing in the API")),
        };
        table.act(by, action)
    }
}

/// A pasted record of another game is for another table.
fn check_same_game(table: &Table, text: Option<&str>) -> Result<(), ApiError> {
    match text.and_then(|text| game::GameText::parse(text).game) {
        Some(other) if other != table.game => Err(ApiError::bad_record(format!(
            "this is a game of {}: open a new table with it",
            page::shortened(&other)
        ))),
        _ => Ok(()),
    }
}
