//! What must be stored of a table, so that it can be set up again.

use super::seats::{HUMAN, OPEN};
use super::{Clocks, Person, Sitter, Table, TableSeat, Termination, TimeControl};
use crate::api_error::ApiError;
use game::Instant;
use games::Session;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What makes a table the one it was.
#[derive(Clone)]
pub struct StoredTable {
    /// Its name in links.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The pasted sheet.
    pub sheet: Option<String>,
    /// Who opened it.
    pub host: Option<Person>,
    /// Who sits where.
    pub seats: Vec<StoredSeat>,
    /// The position it began from, if that is not the game's own first one.
    pub start: Option<String>,
    /// All turns, those taken back included.
    pub turns: Vec<String>,
    /// How many of them stand.
    pub ply: usize,
    /// Whether the game is over there.
    pub over: bool,
    /// Its version.
    pub version: u64,
    /// Whether programs wait.
    pub paused: bool,
    /// The least time between two turns of programs.
    pub pace_ms: u32,
    /// How it ended, if the rules did not end it.
    pub ended: Option<Termination>,
    /// The clocks.
    pub clock: Option<StoredClock>,
}

/// Clocks as they are stored. While a server is down they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredClock {
    base_ms: u64,
    increment_ms: u64,
    left_ms: Vec<u64>,
}

impl StoredClock {
    fn of(clocks: &Clocks) -> Self {
        let ms = |time: Duration| time.as_millis() as u64;
        let control = clocks.control();
        StoredClock {
            base_ms: ms(control.base),
            increment_ms: ms(control.increment),
            left_ms: clocks.left(Instant::now()).into_iter().map(ms).collect(),
        }
    }

    fn clocks(&self, seats: usize) -> Clocks {
        let control = TimeControl {
            base: Duration::from_millis(self.base_ms),
            increment: Duration::from_millis(self.increment_ms),
        };
        let mut left: Vec<Duration> = self.left_ms.iter().copied().map(Duration::from_millis).collect();
        left.resize(seats, control.base);
        Clocks::with_left(control, left)
    }
}

impl StoredTable {
    /// Whether somebody sits there, or opened it.
    pub fn is_of(&self, person: Person) -> bool {
        self.host == Some(person) || self.seats.iter().any(|seat| seat.owner == Some(person))
    }
}

/// A seat as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSeat {
    /// "human", "open", or a program's spec.
    pub player: String,
    /// The person there.
    pub owner: Option<Person>,
    /// What they are called.
    pub name: Option<String>,
}

impl StoredSeat {
    fn of(seat: &TableSeat) -> Self {
        StoredSeat {
            player: seat.sitter.as_str().into(),
            owner: seat.sitter.person(),
            name: seat.name.clone(),
        }
    }

    fn seat(&self) -> TableSeat {
        let sitter = match (self.player.as_str(), self.owner) {
            (HUMAN, Some(person)) => Sitter::Person(person),
            // Before seats belonged to somebody, people were stored without a name: whoever comes first has the seat.
            (HUMAN | OPEN, _) => Sitter::Open,
            (spec, _) => Sitter::Program(spec.into()),
        };
        TableSeat {
            sitter,
            name: self.name.clone(),
        }
    }
}

impl Table {
    /// A table as it was stored. `session` is its game at the first position.
    pub fn restore(stored: StoredTable, mut session: Box<dyn Session>) -> Result<Self, ApiError> {
        session.replace(stored.start.as_deref(), &stored.turns)?;
        let mut table = Table::new(stored.id, stored.game, stored.sheet, session, Person::WITHOUT_KEY);
        table.host = stored.host;
        table.seats = stored.seats.iter().map(StoredSeat::seat).collect();
        table
            .seats
            .resize(table.session.game().seats(), TableSeat::of(Sitter::Open));
        table.ply = stored.ply.min(table.session.len());
        (table.version, table.paused, table.pace_ms) = (stored.version, stored.paused, stored.pace_ms);
        // When the game changed is not stored: nobody saw it here before it was set up again.
        table.game_version = stored.version;
        table.ended = stored.ended;
        table.clocks = stored.clock.map(|clock| clock.clocks(table.seats.len()));
        table.run_clock(Instant::now());
        Ok(table)
    }

    /// What must be stored of it.
    pub fn to_stored(&self) -> StoredTable {
        StoredTable {
            id: self.id.clone(),
            game: self.game.clone(),
            sheet: self.sheet.clone(),
            host: self.host,
            seats: self.seats.iter().map(StoredSeat::of).collect(),
            start: (!self.session.begins_at_the_start()).then(|| self.session.start()),
            turns: self.session.turns(),
            ply: self.ply,
            over: self.over(),
            version: self.version,
            paused: self.paused,
            pace_ms: self.pace_ms,
            ended: self.ended,
            clock: self.clocks.as_ref().map(StoredClock::of),
        }
    }
}
