//! The records, in SQLite.
//!
//! One row is one pair, so a pair is there wholly or not at all; the database keeps a log of its own (WAL), so a process
//! killed at any moment leaves it sound. A pair's key is made of its tournament and its number there: none can be
//! written twice. For people with SQL the view `games` shows one row a game.

mod pairs;
mod reading;
mod sharing;

use crate::claim::TournamentClaim;
use pairs::{NUMBER_BITS, range};
use rusqlite::{Connection, OptionalExtension, params};
pub use sharing::share;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The version of the layout below.
const VERSION: i64 = 1;

const LAYOUT: &str = "
create table tournaments (
    id      integer primary key,
    key     text not null unique,  -- what makes it this tournament: the same key goes on with it
    name    text not null,
    game    text not null,
    plan    text not null,         -- TOML
    started text not null default (datetime('now')),
    stopped text                   -- what ended it before its last round
);
create table players (
    tournament integer not null references tournaments,
    number     integer not null,
    name       text not null,
    spec       text not null,
    primary key (tournament, number)
) without rowid;
create table pairs (
    id       integer primary key,  -- tournament << 40 | number
    first    integer not null,     -- the player on seat 1 of game 1
    second   integer not null,
    round    integer not null,
    seed     integer not null,
    start    text,                 -- null: the game's first position
    opening  text,                 -- turns before the players were asked
    verdict1 text not null, winner1 integer, detail1 text, turns1 text not null, times1 text not null, says1 text, log1 text,
    verdict2 text not null, winner2 integer, detail2 text, turns2 text not null, times2 text not null, says2 text, log2 text
);
create view games as
    select id >> 40 as tournament, id & 0xffffffffff as pair, round, 1 as game, first as seat1, second as seat2, seed, start,
           opening, verdict1 as verdict, winner1 as winner, detail1 as detail, turns1 as turns, times1 as times,
           says1 as says, log1 as log from pairs
    union all
    select id >> 40, id & 0xffffffffff, round, 2, second, first, seed, start,
           opening, verdict2, winner2, detail2, turns2, times2, says2, log2 from pairs;
";

/// The tables of these records.
const TABLES: [&str; 6] = [
    "tournaments",
    "players",
    "pairs",
    "matches",
    "match_roles",
    "match_turns",
];

/// Asks for what nobody of us put there: a trigger would run with every row that is written, and a view in the place of a table
/// may have rows without end. `others` are tables that another room keeps in the same file.
fn strange(others: &[&str]) -> String {
    let names: Vec<String> = TABLES.iter().chain(others).map(|name| format!("'{name}'")).collect();
    format!(
        "select 'a ' || type || ' `' || name || '` that no version of this program makes' from sqlite_schema
         where type = 'trigger' or type = 'view' and name in ({})",
        names.join(", ")
    )
}

/// The records in a file.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Where a copy is, if this reads one.
    _scratch: Option<reading::Scratch>,
}

/// A tournament in the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// The game.
    pub game: String,
    /// The plan as TOML.
    pub plan: String,
    /// When it was started, UTC.
    pub started: String,
    /// What ended it early, if something did.
    pub stopped: Option<String>,
    /// Names and specs of the players.
    pub players: Vec<(String, String)>,
    /// Pairs recorded.
    pub pairs: u64,
}

/// What is wrong with the records.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite has something against it.
    #[error("records in {path}: {error}")]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What.
        error: rusqlite::Error,
    },
    /// Another program's database, or a later version's.
    #[error("records in {path}: {why}")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        why: String,
    },
    /// Another process plays this tournament.
    #[error(
        "records in {path}: tournament {tournament} is being played by process {process}; wait for it, end it, or begin \
         another one with --seed or --db"
    )]
    Claimed {
        /// The file.
        path: PathBuf,
        /// Which tournament.
        tournament: i64,
        /// Its number, as the system knows it.
        process: String,
    },
    /// There is no file of records.
    #[error("records in {path}: no such file")]
    NoFile {
        /// Where it should be.
        path: PathBuf,
    },
    /// There is no such thing in it.
    #[error("records in {path}: no {what}")]
    Missing {
        /// The file.
        path: PathBuf,
        /// What was looked for.
        what: String,
    },
}

impl Store {
    /// Opens the records in a file, which is made if it is not there.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Store::open_beside(path, &[])
    }

    /// The same, where somebody else keeps these tables in the same file.
    pub fn open_beside(path: &Path, others: &[&str]) -> Result<Self, StoreError> {
        let connection = Connection::open(path).map_err(|error| sqlite(path, error))?;
        Store::prepare(connection, path, others)
    }

    /// Opens records that must be there. Where they cannot be written they can be read.
    pub fn existing(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::NoFile { path: path.into() });
        }
        match Store::open(path) {
            Err(error) if reading::is_read_only(&error) => reading::open(path),
            opened => opened,
        }
    }

    /// Records that are forgotten with the process.
    pub fn in_memory() -> Result<Self, StoreError> {
        let path = Path::new("memory");
        let connection = Connection::open_in_memory().map_err(|error| sqlite(path, error))?;
        Store::prepare(connection, path, &[])
    }

    fn prepare(mut connection: Connection, path: &Path, others: &[&str]) -> Result<Self, StoreError> {
        let prepare = |connection: &mut Connection| -> rusqlite::Result<Option<String>> {
            // The file may be anybody's: what its schema says is not run, and its pages are looked at before they are used.
            connection.pragma_update(None, "trusted_schema", false)?;
            connection.pragma_update(None, "cell_size_check", true)?;
            share(connection)?;
            let transaction = connection.transaction()?;
            let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
            let tables: i64 = transaction.query_row("select count(*) from sqlite_schema", [], |row| row.get(0))?;
            let strange: Option<String> = transaction
                .query_row(&strange(others), [], |row| row.get(0))
                .optional()?;
            match (version, tables) {
                (VERSION, _) if strange.is_some() => return Ok(strange),
                (VERSION, _) => (),
                (0, 0) => {
                    transaction.execute_batch(LAYOUT)?;
                    transaction.pragma_update(None, "user_version", VERSION)?;
                }
                (0, _) => return Ok(Some("a database of another program".into())),
                (other, _) => return Ok(Some(format!("layout {other}; this program knows layout {VERSION}"))),
            }
            transaction.execute_batch(crate::matches::LAYOUT)?;
            transaction.commit()?;
            Ok(None)
        };
        match prepare(&mut connection).map_err(|error| sqlite(path, error))? {
            None => Ok(Store {
                connection,
                path: path.into(),
                _scratch: None,
            }),
            Some(why) => Err(StoreError::Foreign { path: path.into(), why }),
        }
    }

    fn wrap(&self, error: rusqlite::Error) -> StoreError {
        sqlite(&self.path, error)
    }

    /// Does some writing in one transaction.
    pub(crate) fn write<T>(
        &mut self,
        work: impl FnOnce(&rusqlite::Transaction) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let path = &self.path;
        let write = || {
            let transaction = self.connection.transaction()?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        write().map_err(|error| sqlite(path, error))
    }

    /// Does some reading.
    pub(crate) fn read<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| self.wrap(error))
    }

    /// There is no such thing here.
    pub(crate) fn missing(&self, what: String) -> StoreError {
        StoreError::Missing {
            path: self.path.clone(),
            what,
        }
    }

    /// The tournament of that key: the one that is there, or a new one.
    pub fn tournament(
        &mut self,
        key: &str,
        name: &str,
        game: &str,
        plan: &str,
        players: &[(String, String)],
    ) -> Result<i64, StoreError> {
        let mut enter = || -> rusqlite::Result<i64> {
            let transaction = self
                .connection
                .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            let found: Option<i64> = transaction
                .query_row("select id from tournaments where key = ?", [key], |row| row.get(0))
                .optional()?;
            let id = match found {
                Some(id) => {
                    transaction.execute(
                        "update tournaments set plan = ?, stopped = null where id = ?",
                        params![plan, id],
                    )?;
                    id
                }
                None => {
                    transaction.execute(
                        "insert into tournaments (key, name, game, plan) values (?, ?, ?, ?)",
                        [key, name, game, plan],
                    )?;
                    let id = transaction.last_insert_rowid();
                    for (number, (name, spec)) in players.iter().enumerate() {
                        transaction.execute(
                            "insert into players values (?, ?, ?, ?)",
                            params![id, number as i64, name, spec],
                        )?;
                    }
                    id
                }
            };
            transaction.commit()?;
            Ok(id)
        };
        let entered = enter();
        entered.map_err(|error| self.wrap(error))
    }

    /// The right to play a tournament; records that are nowhere need none.
    pub(crate) fn claim(&self, tournament: i64) -> Result<Option<TournamentClaim>, StoreError> {
        match self.connection.path() {
            None | Some("") => Ok(None),
            Some(_) => TournamentClaim::on(&self.path, tournament).map(Some),
        }
    }

    /// A name of these records that no others have.
    pub fn identity(&mut self) -> Result<String, StoreError> {
        self.write(|transaction| {
            transaction.execute_batch(
                "create table if not exists identity (name text not null);
                 insert into identity select lower(hex(randomblob(16))) where not exists (select * from identity);",
            )?;
            transaction.query_row("select name from identity", [], |row| row.get(0))
        })
    }

    /// Notes what ended a tournament early.
    pub fn note_stop(&self, tournament: i64, why: &str) -> Result<(), StoreError> {
        self.connection
            .execute(
                "update tournaments set stopped = ? where id = ?",
                params![why, tournament],
            )
            .map_err(|error| self.wrap(error))?;
        Ok(())
    }

    /// All tournaments, the oldest first.
    pub fn entries(&self) -> Result<Vec<Entry>, StoreError> {
        let read = || -> rusqlite::Result<Vec<Entry>> {
            let mut query = self
                .connection
                .prepare("select id, name, game, plan, started, stopped from tournaments order by id")?;
            let mut entries = query
                .query_map([], |row| {
                    Ok(Entry {
                        id: row.get(0)?,
                        name: row.get(1)?,
                        game: row.get(2)?,
                        plan: row.get(3)?,
                        started: row.get(4)?,
                        stopped: row.get(5)?,
                        players: Vec::new(),
                        pairs: 0,
                    })
                })?
                .collect::<Result<Vec<Entry>, _>>()?;
            let mut players = self
                .connection
                .prepare("select name, spec from players where tournament = ? order by number")?;
            let mut count = self
                .connection
                .prepare("select count(*) from pairs where id >= ? and id < ?")?;
            // A number that leaves no room for its pairs is none of ours.
            entries.retain(|entry| (0..1 << (63 - NUMBER_BITS)).contains(&entry.id));
            for entry in &mut entries {
                entry.players = players
                    .query_map([entry.id], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect::<Result<_, _>>()?;
                let pairs: i64 = count.query_row(range(entry.id), |row| row.get(0))?;
                entry.pairs = pairs as u64;
            }
            Ok(entries)
        };
        read().map_err(|error| self.wrap(error))
    }

    /// One tournament; the latest if no number is given.
    pub fn entry(&self, id: Option<i64>) -> Result<Entry, StoreError> {
        let mut entries = self.entries()?;
        let place = match id {
            Some(id) => entries.iter().position(|entry| entry.id == id),
            None => entries.len().checked_sub(1),
        };
        match place {
            Some(place) => Ok(entries.swap_remove(place)),
            None => Err(StoreError::Missing {
                path: self.path.clone(),
                what: match id {
                    Some(id) => format!("tournament {id}"),
                    None => "tournament yet".into(),
                },
            }),
        }
    }

    /// What SQLite's own check of the file says; empty if it is sound.
    pub fn integrity(&self) -> Result<Vec<String>, StoreError> {
        let check = || -> rusqlite::Result<Vec<String>> {
            let mut query = self.connection.prepare("pragma integrity_check")?;
            query.query_map([], |row| row.get(0))?.collect()
        };
        let lines: Vec<String> = check().map_err(|error| self.wrap(error))?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

fn sqlite(path: &Path, error: rusqlite::Error) -> StoreError {
    StoreError::Sqlite {
        path: path.into(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_with_a_trigger_or_a_view_instead_of_a_table_is_refused() {
        let changes = [
            ("create trigger t after insert on pairs begin delete from pairs; end", "a trigger `t`"),
            (
                "drop table players; create view players as with recursive n(x) as (select 1 union all select x + 1 from n)
                 select 1 as tournament, x as number, 'a' as name, 'b' as spec from n",
                "a view `players`",
            ),
        ];
        for (number, (change, expected)) in changes.into_iter().enumerate() {
            let path = std::env::temp_dir().join(format!("terzo-strange-{}-{number}.db", std::process::id()));
            drop(Store::open(&path).unwrap());
            let connection = Connection::open(&path).unwrap();
            connection.execute_batch(change).unwrap();
            drop(connection);
            let message = Store::existing(&path).err().unwrap().to_string();
            assert!(message.contains(expected), "{message}");
            let _ = std::fs::remove_file(&path);
        }
    }

    #[test]
    fn a_database_of_another_program_is_left_alone() {
        let path = std::env::temp_dir().join(format!("terzo-foreign-{}.db", std::process::id()));
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("create table if not exists mine (x)").unwrap();
        let message = Store::open(&path).err().unwrap().to_string();
        assert!(message.contains("another program"), "{message}");
        drop(connection);
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(path.with_extension(format!("db{end}")));
        }
    }
}
