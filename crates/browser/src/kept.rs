//! A table as the browser keeps it: everything that sets it up again, in JSON.

use page::table::{Person, StoredSeat, StoredTable};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A table that is kept.
#[derive(Serialize, Deserialize)]
pub struct KeptTable {
    id: String,
    pub game: String,
    pub sheet: Option<String>,
    /// What a pasted sheet says of itself, for lists.
    title: Option<String>,
    seats: Vec<KeptSeat>,
    start: Option<String>,
    turns: Vec<String>,
    ply: usize,
    over: bool,
    version: u64,
    paused: bool,
    pace_ms: u32,
    ended: Value,
    clock: Value,
}

/// A seat. In a browser there is one person: whoever sits here is they.
#[derive(Serialize, Deserialize)]
struct KeptSeat {
    player: String,
    name: Option<String>,
}

/// The one person there is.
pub const SOMEBODY: Person = Person::WITHOUT_KEY;

/// How a person is written where a program could stand.
const HUMAN: &str = "human";

impl KeptTable {
    /// What is kept of a table.
    pub fn of(table: StoredTable, title: Option<String>) -> Self {
        let seat = |seat: StoredSeat| KeptSeat {
            player: seat.player,
            name: seat.name,
        };
        KeptTable {
            id: table.id,
            game: table.game,
            sheet: table.sheet,
            title,
            seats: table.seats.into_iter().map(seat).collect(),
            start: table.start,
            turns: table.turns,
            ply: table.ply,
            over: table.over,
            version: table.version,
            paused: table.paused,
            pace_ms: table.pace_ms,
            // Both are made of numbers and texts: nothing there can fail to be written.
            ended: serde_json::to_value(table.ended).unwrap_or_default(),
            clock: serde_json::to_value(&table.clock).unwrap_or_default(),
        }
    }

    /// The table again.
    pub fn stored(self) -> Result<StoredTable, serde_json::Error> {
        let seat = |seat: KeptSeat| StoredSeat {
            owner: (seat.player == HUMAN).then_some(SOMEBODY),
            player: seat.player,
            name: seat.name,
        };
        Ok(StoredTable {
            id: self.id,
            game: self.game,
            sheet: self.sheet,
            host: Some(SOMEBODY),
            seats: self.seats.into_iter().map(seat).collect(),
            start: self.start,
            turns: self.turns,
            ply: self.ply,
            over: self.over,
            version: self.version,
            paused: self.paused,
            pace_ms: self.pace_ms,
            ended: serde_json::from_value(self.ended)?,
            clock: serde_json::from_value(self.clock)?,
        })
    }
}
