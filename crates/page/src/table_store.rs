//! Keeps the tables in the arena's database, so that a game outlives the server.
//!
//! Whoever changes a table leaves what must be kept with the store and goes on; one thread writes whatever has been left
//! since it last wrote, in one transaction. A table's latest state is therefore on disk within a moment, however many
//! there are, and no request ever waits for a disk. What is not yet written is read from where it lies.

use crate::table::{Person, StoredSeat, StoredTable};
use arena::store::{Store, StoreError};
use parking_lot::{Condvar, Mutex};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Tables of the page beside those of the arena. A sheet is kept once, however many tables play it.
const LAYOUT: &str = "
create table if not exists page_sheets (
    id   integer primary key,
    text text not null unique
);
create table if not exists page_tables (
    id      text primary key,
    game    text not null,
    sheet   integer references page_sheets,
    seats   text not null,         -- a word each
    start   text,                  -- null: the game's first position
    turns   text not null,
    ply     integer not null,
    version integer not null,
    paused  integer not null,
    pace    integer not null,
    updated integer not null,      -- seconds since 1970
    host    text,                  -- who opened it; null: nobody knows
    owners  text,                  -- whose the seats are, a word each, - for nobody's
    names   text,                  -- what the seats are called, as a list in JSON
    over    integer,               -- whether the game is over; null: nobody knows
    ended   text,                  -- how it ended if not by its rules, as JSON
    clock   text                   -- the clocks, as JSON
) without rowid;
create index if not exists page_tables_updated on page_tables (updated);
";

/// Columns that records of an earlier version lack.
const LATER: [(&str, &str); 6] = [
    ("host", "text"),
    ("owners", "text"),
    ("names", "text"),
    ("over", "integer"),
    ("ended", "text"),
    ("clock", "text"),
];

/// The store.
pub struct TableStore {
    shared: Arc<WriteQueue>,
    reader: Mutex<Connection>,
    writer: Option<JoinHandle<()>>,
}

struct WriteQueue {
    left: Mutex<Left>,
    changed: Condvar,
}

/// What waits to be written: `None` is a table to be forgotten.
#[derive(Default)]
struct Left {
    waiting: HashMap<String, Option<Arc<StoredTable>>>,
    writing: HashMap<String, Option<Arc<StoredTable>>>,
    closed: bool,
    failed: Option<String>,
}

/// A table in the list of those last touched.
pub struct Listed {
    /// Its name in links.
    pub id: String,
    /// The game.
    pub game: String,
    /// The pasted sheet.
    pub sheet: Option<String>,
    /// Who opened it.
    pub host: Option<Person>,
    /// Who sits where.
    pub seats: Vec<StoredSeat>,
    /// How many turns stand.
    pub ply: usize,
    /// Whether the game is over.
    pub over: bool,
    /// When it was changed last, UTC.
    pub updated: String,
}

impl TableStore {
    /// Opens the records, which are made if they are not there. Beyond `most` tables the longest untouched are forgotten.
    pub fn open(path: &Path, most: usize) -> Result<Self, StoreError> {
        // The arena makes its own tables first, and refuses what is not hers.
        drop(Store::open_beside(path, &["page_tables", "page_sheets"])?);
        let sqlite = |error| StoreError::Sqlite {
            path: path.into(),
            error,
        };
        let connect = || -> rusqlite::Result<Connection> {
            let mut connection = Connection::open(path)?;
            arena::store::share(&mut connection)?;
            Ok(connection)
        };
        let writer = connect().map_err(sqlite)?;
        writer.execute_batch(LAYOUT).map_err(sqlite)?;
        add_columns(&writer).map_err(sqlite)?;
        let reader = connect().map_err(sqlite)?;
        let shared = Arc::new(WriteQueue {
            left: Mutex::default(),
            changed: Condvar::new(),
        });
        let theirs = shared.clone();
        let writer = std::thread::Builder::new()
            .name("table store".into())
            .spawn(move || write_all(&theirs, writer, most))
            .map_err(|error| StoreError::Foreign {
                path: path.into(),
                why: format!("no thread to write them: {error}"),
            })?;
        Ok(TableStore {
            shared,
            reader: Mutex::new(reader),
            writer: Some(writer),
        })
    }

    /// Leaves a table to be written.
    pub fn keep(&self, kept: StoredTable) {
        self.leave(kept.id.clone(), Some(Arc::new(kept)));
    }

    /// Has a table forgotten.
    pub fn forget(&self, id: &str) {
        self.leave(id.into(), None);
    }

    fn leave(&self, id: String, what: Option<Arc<StoredTable>>) {
        self.shared.left.lock().waiting.insert(id, what);
        self.shared.changed.notify_one();
    }

    /// What went wrong the last time something was written.
    pub fn trouble(&self) -> Option<String> {
        self.shared.left.lock().failed.clone()
    }

    /// How many changes wait to be written.
    pub fn backlog(&self) -> usize {
        self.shared.left.lock().waiting.len()
    }

    /// Waits until all that was left is written, but not for ever.
    pub fn flush(&self, patience: Duration) {
        let late = Instant::now() + patience;
        let written = |left: &Left| left.waiting.is_empty() && left.writing.is_empty();
        while !written(&self.shared.left.lock()) && Instant::now() < late {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// A table as it was left.
    pub fn find(&self, id: &str) -> rusqlite::Result<Option<StoredTable>> {
        {
            let left = self.shared.left.lock();
            if let Some(found) = left.waiting.get(id).or_else(|| left.writing.get(id)) {
                return Ok(found.as_deref().cloned());
            }
        }
        let connection = self.reader.lock();
        let mut query = connection.prepare_cached(
            "select t.game, s.text, t.seats, t.start, t.turns, t.ply, t.version, t.paused, t.pace,
                    t.host, t.owners, t.names, t.over, t.ended, t.clock
             from page_tables t left join page_sheets s on s.id = t.sheet where t.id = ?",
        )?;
        query
            .query_row([id], |row| {
                Ok(StoredTable {
                    id: id.into(),
                    game: row.get(0)?,
                    sheet: row.get(1)?,
                    host: person(row.get(9)?),
                    seats: seats(row.get(2)?, row.get(10)?, row.get(11)?),
                    start: row.get(3)?,
                    turns: words(&row.get::<_, String>(4)?).map(String::from).collect(),
                    ply: row.get::<_, i64>(5)?.max(0) as usize,
                    version: row.get::<_, i64>(6)?.max(0) as u64,
                    paused: row.get(7)?,
                    pace_ms: row.get(8)?,
                    over: row.get::<_, Option<bool>>(12)?.unwrap_or(false),
                    ended: from_json(row.get(13)?),
                    clock: from_json(row.get(14)?),
                })
            })
            .optional()
    }

    /// The tables touched last, the newest first: of everybody, or those where somebody sits or which they opened.
    pub fn latest(&self, most: usize, of: Option<Person>) -> rusqlite::Result<Vec<Listed>> {
        // What is not yet written is newer than what is, and what is to be forgotten is no more.
        let unwritten = {
            let left = self.shared.left.lock();
            let mut unwritten = left.writing.clone();
            unwritten.extend(left.waiting.iter().map(|(id, what)| (id.clone(), what.clone())));
            unwritten
        };
        let connection = self.reader.lock();
        let now: String = connection.query_row("select datetime('now')", [], |row| row.get(0))?;
        let fresh = unwritten
            .values()
            .flatten()
            .filter(|kept| of.is_none_or(|of| kept.is_of(of)));
        let mut latest: Vec<Listed> = fresh.map(|kept| Listed::of(kept, &now)).collect();
        let mut query = connection.prepare_cached(
            "select t.id, t.game, s.text, t.host, t.seats, t.owners, t.names, t.ply, t.over,
                    datetime(t.updated, 'unixepoch')
             from page_tables t left join page_sheets s on s.id = t.sheet
             where ?1 is null or t.host = ?1 or instr(' ' || t.owners || ' ', ' ' || ?1 || ' ') > 0
             order by t.updated desc, t.id",
        )?;
        let mut rows = query.query([of.map(|person| person.to_string())])?;
        while let Some(row) = rows.next()?.filter(|_| latest.len() < most) {
            let id: String = row.get(0)?;
            if unwritten.contains_key(&id) {
                continue;
            }
            latest.push(Listed {
                id,
                game: row.get(1)?,
                sheet: row.get(2)?,
                host: person(row.get(3)?),
                seats: seats(row.get(4)?, row.get(5)?, row.get(6)?),
                ply: row.get::<_, i64>(7)?.max(0) as usize,
                over: row.get::<_, Option<bool>>(8)?.unwrap_or(false),
                updated: row.get(9)?,
            });
        }
        latest.truncate(most);
        Ok(latest)
    }
}

impl Listed {
    fn of(kept: &StoredTable, updated: &str) -> Self {
        Listed {
            id: kept.id.clone(),
            game: kept.game.clone(),
            sheet: kept.sheet.clone(),
            host: kept.host,
            seats: kept.seats.clone(),
            ply: kept.ply,
            over: kept.over,
            updated: updated.into(),
        }
    }
}

impl Drop for TableStore {
    /// Everything that was left is written before the store goes.
    fn drop(&mut self) {
        self.shared.left.lock().closed = true;
        self.shared.changed.notify_one();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// Adds what the records of an earlier version lack.
fn add_columns(connection: &Connection) -> rusqlite::Result<()> {
    for (name, kind) in LATER {
        let known: bool = connection.query_row(
            "select count(*) from pragma_table_info('page_tables') where name = ?",
            [name],
            |row| row.get(0),
        )?;
        if !known {
            connection.execute_batch(&format!("alter table page_tables add column {name} {kind}"))?;
        }
    }
    Ok(())
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

fn person(text: Option<String>) -> Option<Person> {
    Person::parse(&text?)
}

/// What was written as JSON; nothing if it cannot be read.
fn from_json<T: serde::de::DeserializeOwned>(text: Option<String>) -> Option<T> {
    serde_json::from_str(&text?).ok()
}

fn to_json<T: serde::Serialize>(value: &Option<T>) -> Option<String> {
    serde_json::to_string(value.as_ref()?).ok()
}

/// Stands for a seat that is nobody's.
const NOBODY: &str = "-";

/// The seats, from their three columns. The last two are missing in what an earlier version wrote.
fn seats(players: String, owners: Option<String>, names: Option<String>) -> Vec<StoredSeat> {
    let owners = owners.unwrap_or_default();
    let mut owners = words(&owners).map(Person::parse);
    let names: Vec<Option<String>> = names
        .and_then(|names| serde_json::from_str(&names).ok())
        .unwrap_or_default();
    let mut names = names.into_iter();
    words(&players)
        .map(|player| StoredSeat {
            player: player.into(),
            owner: owners.next().flatten(),
            name: names.next().flatten(),
        })
        .collect()
}

/// How many times the writer writes between two looks at how many tables there are.
const SWEEP_EVERY: u32 = 1000;

fn write_all(shared: &WriteQueue, mut connection: Connection, most: usize) {
    let mut writes = 0;
    let mut left = shared.left.lock();
    loop {
        if left.waiting.is_empty() {
            if left.closed {
                return;
            }
            shared.changed.wait(&mut left);
            continue;
        }
        left.writing = std::mem::take(&mut left.waiting);
        let batch = left.writing.clone();
        drop(left);
        let sweep = writes % SWEEP_EVERY == 0;
        let written = write(&mut connection, &batch, sweep.then_some(most));
        writes += 1;
        left = shared.left.lock();
        left.writing.clear();
        left.failed = written.err().map(|error| error.to_string());
        if left.failed.is_some() && !left.closed {
            // A full disk, say. What could not be written is tried again with the next change, unless a newer state came.
            for (id, what) in batch {
                left.waiting.entry(id).or_insert(what);
            }
            shared.changed.wait_for(&mut left, Duration::from_secs(1));
        }
    }
}

fn write(
    connection: &mut Connection,
    batch: &HashMap<String, Option<Arc<StoredTable>>>,
    sweep: Option<usize>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    {
        let mut insert = transaction.prepare_cached(
            "insert or replace into page_tables
             (id, game, sheet, seats, start, turns, ply, version, paused, pace, host, owners, names, over,
              ended, clock, updated)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, cast(strftime('%s', 'now') as integer))",
        )?;
        let mut delete = transaction.prepare_cached("delete from page_tables where id = ?")?;
        for (id, what) in batch {
            let Some(kept) = what else {
                delete.execute([id])?;
                continue;
            };
            let sheet: Option<i64> = match &kept.sheet {
                None => None,
                Some(text) => {
                    transaction.execute("insert or ignore into page_sheets (text) values (?)", [text])?;
                    Some(transaction.query_row("select id from page_sheets where text = ?", [text], |row| row.get(0))?)
                }
            };
            let owner = |seat: &StoredSeat| seat.owner.map_or(NOBODY.into(), |person| person.to_string());
            let owners: Vec<String> = kept.seats.iter().map(owner).collect();
            let players: Vec<&str> = kept.seats.iter().map(|seat| seat.player.as_str()).collect();
            let names: Vec<Option<&str>> = kept.seats.iter().map(|seat| seat.name.as_deref()).collect();
            insert.execute(params![
                kept.id,
                kept.game,
                sheet,
                players.join(" "),
                kept.start,
                kept.turns.join(" "),
                kept.ply as i64,
                kept.version as i64,
                kept.paused,
                kept.pace_ms,
                kept.host.map(|person| person.to_string()),
                owners.join(" "),
                serde_json::to_string(&names).unwrap_or_default(),
                kept.over,
                to_json(&kept.ended),
                to_json(&kept.clock),
            ])?;
        }
    }
    if let Some(most) = sweep {
        transaction.execute(
            "delete from page_tables where id in
             (select id from page_tables order by updated desc limit -1 offset ?)",
            [most as i64],
        )?;
        transaction.execute(
            "delete from page_sheets where id not in (select sheet from page_tables where sheet is not null)",
            [],
        )?;
    }
    transaction.commit()
}
