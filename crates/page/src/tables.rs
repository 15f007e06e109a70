//! All tables: those in memory, those in the records, and the programs that think for them.

use crate::api_error::{ApiError, shortened};
use crate::catalogue::{self, Catalogue};
use crate::client::Client;
use crate::limits::ServerLimits;
use crate::pool::{Pool, PoolJob, Size};
use crate::public_table::Snapshot;
use crate::quota::Rate;
use crate::table::{StoredTable, Table};
use crate::table_store::TableStore;
use arena::store::StoreError;
use games::sheets::PASTED;
use games::{AnyGame, Thinker};
use parking_lot::{Mutex, MutexGuard};
use player::Analysis;
use player::Clock;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// All tables.
pub struct Tables {
    live_tables: Mutex<HashMap<String, Arc<LiveTable>>>,
    store: TableStore,
    thinkers: Pool<()>,
    catalogue: Arc<Catalogue>,
    limits: ServerLimits,
    opened: Instant,
    /// Who opens tables how fast.
    opening: Rate,
    runtime: Handle,
}

/// Said where a client has more programs thinking than it may.
const CROWDED: &str = "too many programs are thinking for you already";

/// A table in memory, and who follows it.
pub struct LiveTable {
    table: Mutex<Table>,
    changes: watch::Sender<TableChange>,
    /// When somebody last came by, in milliseconds since the server was started.
    touched: AtomicU64,
    /// Who came by last: on whose behalf programs think.
    client: Mutex<Client>,
    /// What ends the game when somebody's time is up.
    alarm: Mutex<Option<AbortHandle>>,
}

/// What is told to those who follow a table.
#[derive(Clone)]
pub enum TableChange {
    /// The table.
    Table(Arc<Snapshot>),
    /// It is no more.
    Gone,
}

impl LiveTable {
    /// The table; not to be held across anything slow.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock()
    }

    /// What those who follow the table hear: what it is now, then what it becomes.
    pub fn follow(&self) -> watch::Receiver<TableChange> {
        self.changes.subscribe()
    }

    fn publish(&self, table: &Table) -> Arc<Snapshot> {
        let snapshot = Arc::new(Snapshot::of(table, None));
        self.changes.send_replace(TableChange::Table(snapshot.clone()));
        snapshot
    }
}

/// A name nobody can guess: sixty bits, twelve letters and digits.
pub fn unguessable() -> Result<String, ApiError> {
    let bits = getrandom::u64().map_err(|error| ApiError::unavailable(format!("no chance to draw from: {error}")))?;
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    Ok((0..12)
        .map(|i| char::from(LETTERS[(bits >> (5 * i) & 31) as usize]))
        .collect())
}

impl Tables {
    /// The tables over the records in a file. Waiting is done on `runtime`.
    pub fn open(path: &Path, limits: ServerLimits, runtime: Handle) -> Result<Self, StoreError> {
        let store = TableStore::open(path, limits.kept)?;
        let size = Size {
            threads: limits.thinkers,
            share: limits.thinkers.div_ceil(4).max(1),
            waiting: limits.tables,
        };
        let thinkers = Pool::new("thinker", size, || ()).map_err(|error| StoreError::Foreign {
            path: path.into(),
            why: format!("no threads to think on: {error}"),
        })?;
        Ok(Tables {
            live_tables: Mutex::default(),
            store,
            thinkers,
            catalogue: Arc::default(),
            limits,
            opened: Instant::now(),
            opening: Rate::default(),
            runtime,
        })
    }

    /// Where tables are kept when nobody needs them in memory.
    pub fn store(&self) -> &TableStore {
        &self.store
    }

    /// The games.
    pub fn catalogue(&self) -> &Arc<Catalogue> {
        &self.catalogue
    }

    /// Where programs think.
    pub fn thinkers(&self) -> &Pool<()> {
        &self.thinkers
    }

    /// How many tables are in memory.
    pub fn count(&self) -> usize {
        self.live_tables.lock().len()
    }

    /// Does something slow for a client, in its turn.
    pub async fn slowly<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        match self.thinkers.run(client, |()| work()).await {
            Ok(Some(result)) => result,
            Ok(None) => Err(ApiError::unavailable("this could not be worked out")),
            Err(_) => Err(ApiError::busy("too much is waiting for you already")),
        }
    }

    /// The game of a name or of a pasted sheet.
    pub async fn game(&self, client: Client, name: &str, sheet: Option<&str>) -> Result<Arc<dyn AnyGame>, ApiError> {
        let catalogue = self.catalogue.clone();
        match sheet.map(String::from) {
            Some(sheet) => self.slowly(client, move || catalogue.pasted(&sheet)).await,
            None if name == PASTED => Err(ApiError::bad_request("game `gdl` needs a `sheet`")),
            None => match catalogue.at_hand(name) {
                Some(game) => Ok(game),
                None => {
                    let name = name.to_string();
                    self.slowly(client, move || catalogue.game(&name)).await
                }
            },
        }
    }

    /// Adds a table.
    pub fn add(self: &Arc<Self>, client: Client, table: Table) -> Result<Arc<LiveTable>, ApiError> {
        if self.store.backlog() > self.limits.tables {
            return Err(ApiError::busy("more tables are opened than can be written down"));
        }
        if !self.opening.allows(client.address, self.limits.tables_a_minute) {
            return Err(ApiError::busy(
                "you open more tables than anybody can play at; wait a minute",
            ));
        }
        let live = self.seat(client, table);
        self.change(&live, client, |table| {
            // A new table is a change, too.
            table.note_silence();
            Ok(())
        })?;
        self.store.keep(live.table().to_stored());
        Ok(live)
    }

    fn seat(&self, client: Client, table: Table) -> Arc<LiveTable> {
        let id = table.id.clone();
        let (changes, _) = watch::channel(TableChange::Gone);
        let live = Arc::new(LiveTable {
            changes,
            touched: AtomicU64::new(self.now()),
            client: Mutex::new(client),
            alarm: Mutex::default(),
            table: Mutex::new(table),
        });
        let mut live_tables = self.live_tables.lock();
        // Somebody else may have brought it in meanwhile.
        let live = live_tables.entry(id).or_insert(live).clone();
        if live_tables.len() > self.limits.tables {
            self.clear(&mut live_tables);
        }
        live
    }

    fn now(&self) -> u64 {
        self.opened.elapsed().as_millis() as u64
    }

    /// Sends the longest untouched tenth of the tables back into the records, where they already are. A table that
    /// somebody follows, or that a thread is busy with, stays.
    fn clear(&self, live_tables: &mut HashMap<String, Arc<LiveTable>>) {
        let free = |live: &Arc<LiveTable>| Arc::strong_count(live) == 1 && live.changes.receiver_count() == 0;
        let mut idle: Vec<(u64, String)> = live_tables
            .iter()
            .filter(|(_, live)| free(live))
            .map(|(id, live)| (live.touched.load(Ordering::Relaxed), id.clone()))
            .collect();
        idle.sort_unstable();
        for (_, id) in idle.into_iter().take(self.limits.tables.div_ceil(10)) {
            live_tables.remove(&id);
        }
    }

    /// A table by its name, brought in from the records if it is not in memory.
    pub async fn find(self: &Arc<Self>, client: Client, id: &str) -> Result<Arc<LiveTable>, ApiError> {
        if let Some(live) = self.live_tables.lock().get(id) {
            live.touched.store(self.now(), Ordering::Relaxed);
            return Ok(live.clone());
        }
        let missing = || ApiError::not_found(format!("there is no table `{}`", shortened(id)));
        let kept = self
            .store
            .find(id)
            .map_err(ApiError::unavailable)?
            .ok_or_else(missing)?;
        let game = self.game(client, &kept.game, kept.sheet.as_deref()).await?;
        let slow = game.is_slow();
        let again = move |kept: StoredTable| {
            Table::restore(kept, catalogue::begin(game))
                .map_err(|error| ApiError::not_found(format!("the table cannot be set up again: {}", error.message())))
        };
        let table = match slow {
            true => self.slowly(client, move || again(kept)).await?,
            false => again(kept)?,
        };
        let live = self.seat(client, table);
        let table = live.table();
        self.set_alarm(&live, &table);
        live.publish(&table);
        drop(table);
        Ok(live)
    }

    /// Does something to a table, has it kept if it changed, asks a program if one is to move, and tells everybody.
    pub fn change(
        self: &Arc<Self>,
        live: &Arc<LiveTable>,
        client: Client,
        act: impl FnOnce(&mut Table) -> Result<(), ApiError>,
    ) -> Result<Arc<Snapshot>, ApiError> {
        let mut table = live.table();
        self.look_at_clock(live, &mut table);
        let before = table.version();
        act(&mut table)?;
        *live.client.lock() = client;
        if table.version() != before {
            self.store.keep(table.to_stored());
        }
        self.drive(live, &mut table);
        self.set_alarm(live, &table);
        Ok(live.publish(&table))
    }

    /// Ends the game if somebody's time is up, whatever is asked for next.
    fn look_at_clock(&self, live: &LiveTable, table: &mut Table) {
        if table.tick(Instant::now()) {
            self.store.keep(table.to_stored());
            live.publish(table);
        }
    }

    /// Has the game ended when the time of who is to move is up. A table that has left memory by then has clocks that stand.
    fn set_alarm(self: &Arc<Self>, live: &Arc<LiveTable>, table: &Table) {
        let set = table.deadline().map(|deadline| {
            let (tables, live) = (self.clone(), Arc::downgrade(live));
            let ring = async move {
                tokio::time::sleep_until(deadline.into()).await;
                if let Some(live) = live.upgrade() {
                    tables.look_at_clock(&live, &mut live.table());
                }
            };
            self.runtime.spawn(ring).abort_handle()
        });
        if let Some(before) = std::mem::replace(&mut *live.alarm.lock(), set) {
            before.abort();
        }
    }

    /// Forgets a table, if it is somebody's to forget.
    pub fn forget(&self, live: &LiveTable, client: Client, id: &str) -> Result<(), ApiError> {
        {
            let mut table = live.table();
            table.seating().check_in_charge(client.person)?;
            // A thought that is being had for it would bring it back into the records.
            table.pause(true);
        }
        self.live_tables.lock().remove(id);
        self.store.forget(id);
        // Nor may its clock.
        if let Some(alarm) = live.alarm.lock().take() {
            alarm.abort();
        }
        live.changes.send_replace(TableChange::Gone);
        Ok(())
    }

    /// Lets programs go on at a table that somebody now follows.
    pub fn look_after(self: &Arc<Self>, live: &Arc<LiveTable>) {
        let mut table = live.table();
        if self.drive(live, &mut table) {
            live.publish(&table);
        }
    }

    /// Asks the program that is to move, if one is. Where only programs play, they play for who watches.
    fn drive(self: &Arc<Self>, live: &Arc<LiveTable>, table: &mut Table) -> bool {
        let watched = live.changes.receiver_count() > 0;
        let Some(spec) = table.wants().filter(|_| table.has_human() || watched).map(String::from) else {
            return false;
        };
        let version = table.version();
        let seed = game::mix(version, &[table.ply() as u64, hash(&table.id)]);
        let thinker = table.session().thinker(table.ply(), &spec, seed);
        table.note_thinking(true);
        let thinker = match thinker {
            Ok(thinker) => thinker,
            Err(error) => {
                table.answer(version, Err(error.to_string()));
                return true;
            }
        };
        let client = *live.client.lock();
        let (tables, seat) = (self.clone(), live.clone());
        let job = PoolJob::new(move |()| tables.think(&seat, version, thinker));
        match table.pace_ms() {
            0 => {
                if self.thinkers.ask(client, job).is_err() {
                    table.answer(version, Err(CROWDED.into()));
                }
            }
            ms => {
                let (tables, seat) = (self.clone(), live.clone());
                self.runtime.spawn(async move {
                    tokio::time::sleep(Duration::from_millis(ms.into())).await;
                    if tables.thinkers.ask(client, job).is_err() {
                        tables.answer(&seat, version, Err(CROWDED.into()));
                    }
                });
            }
        }
        true
    }

    /// Has a thought on this thread, unless it came too late.
    fn think(self: Arc<Self>, live: &Arc<LiveTable>, version: u64, thinker: Thinker) {
        {
            let mut table = live.table();
            if table.version() != version {
                return;
            }
            if !table.has_human() && live.changes.receiver_count() == 0 {
                table.note_silence();
                return;
            }
            table.note_thinking(false);
        }
        let clock = clock_of(self.limits.thought);
        let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| thinker(&clock)));
        let said = match thought {
            Ok(Ok(said)) => Ok(said),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the player failed".into()),
        };
        self.answer(live, version, said);
    }

    fn answer(self: &Arc<Self>, live: &Arc<LiveTable>, version: u64, said: Result<Analysis<String>, String>) {
        let mut table = live.table();
        if table.answer(version, said) {
            self.store.keep(table.to_stored());
            self.drive(live, &mut table);
            self.set_alarm(live, &table);
            live.publish(&table);
        }
    }
}

/// A clock that starts now.
pub fn clock_of(time: Duration) -> Clock {
    Clock {
        time: Some(time),
        ..Clock::started_at(Instant::now())
    }
}

fn hash(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}
