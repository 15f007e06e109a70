//! All tables: those in memory, those in the records, and the programs that think for them.

use crate::catalogue::Catalogue;
use crate::client::Client;
use crate::house::House;
use crate::keeper::Keeper;
use crate::pool::{Job, Pool, Size};
use crate::quota::Rate;
use crate::refusal::{Refusal, shortened};
use crate::shown::Snapshot;
use crate::table::{Kept, Table};
use arena::store::StoreError;
use games::sheets::PASTED;
use games::{AnyGame, Said, Thinker};
use player::Clock;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// Everything that is being played.
pub struct Hall {
    places: Mutex<HashMap<String, Arc<Place>>>,
    keeper: Keeper,
    thinkers: Pool<()>,
    catalogue: Arc<Catalogue>,
    house: House,
    opened: Instant,
    /// Who opens tables how fast.
    opening: Rate,
    runtime: Handle,
}

/// Said where a client has more programs thinking than it may.
const CROWDED: &str = "too many programs are thinking for you already";

/// A table in memory, and who follows it.
pub struct Place {
    table: Mutex<Table>,
    news: watch::Sender<News>,
    /// When somebody last came by, in milliseconds since the hall was opened.
    touched: AtomicU64,
    /// Who came by last: on whose behalf programs think.
    client: Mutex<Client>,
}

/// What is told to those who follow a table.
#[derive(Clone)]
pub enum News {
    /// The table.
    Table(Arc<Snapshot>),
    /// It is no more.
    Gone,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Place {
    /// The table; not to be held across anything slow.
    pub fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    /// What those who follow the table hear: what it is now, then what it becomes.
    pub fn follow(&self) -> watch::Receiver<News> {
        self.news.subscribe()
    }

    fn publish(&self, table: &Table) -> Arc<Snapshot> {
        let snapshot = Arc::new(Snapshot::of(table, None));
        self.news.send_replace(News::Table(snapshot.clone()));
        snapshot
    }
}

/// A name nobody can guess: sixty bits, twelve letters and digits.
pub fn unguessable() -> Result<String, Refusal> {
    let bits = getrandom::u64().map_err(|error| Refusal::unavailable(format!("no chance to draw from: {error}")))?;
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    Ok((0..12)
        .map(|i| char::from(LETTERS[(bits >> (5 * i) & 31) as usize]))
        .collect())
}

impl Hall {
    /// Opens the hall over the records in a file. Waiting is done on `runtime`.
    pub fn open(path: &Path, house: House, runtime: Handle) -> Result<Self, StoreError> {
        let keeper = Keeper::open(path, house.kept)?;
        let size = Size {
            threads: house.thinkers,
            share: house.thinkers.div_ceil(4).max(1),
            waiting: house.tables,
        };
        let thinkers = Pool::new("thinker", size, || ()).map_err(|error| StoreError::Foreign {
            path: path.into(),
            why: format!("no threads to think on: {error}"),
        })?;
        Ok(Hall {
            places: Mutex::default(),
            keeper,
            thinkers,
            catalogue: Arc::default(),
            house,
            opened: Instant::now(),
            opening: Rate::default(),
            runtime,
        })
    }

    /// The keeper of the records.
    pub fn keeper(&self) -> &Keeper {
        &self.keeper
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
    pub fn tables(&self) -> usize {
        lock(&self.places).len()
    }

    /// Does something slow for a client, in its turn.
    pub async fn slowly<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        match self.thinkers.run(client, |()| work()).await {
            Ok(Some(result)) => result,
            Ok(None) => Err(Refusal::unavailable("this could not be worked out")),
            Err(_) => Err(Refusal::busy("too much is waiting for you already")),
        }
    }

    /// The game of a name or of a pasted sheet.
    pub async fn game(&self, client: Client, name: &str, sheet: Option<&str>) -> Result<Arc<dyn AnyGame>, Refusal> {
        let catalogue = self.catalogue.clone();
        match sheet.map(String::from) {
            Some(sheet) => self.slowly(client, move || catalogue.pasted(&sheet)).await,
            None if name == PASTED => Err(Refusal::bad_request("game `gdl` needs a `sheet`")),
            None => match catalogue.at_hand(name) {
                Some(game) => Ok(game),
                None => {
                    let name = name.to_string();
                    self.slowly(client, move || catalogue.game(&name)).await
                }
            },
        }
    }

    /// Puts a table into the hall.
    pub fn add(self: &Arc<Self>, client: Client, table: Table) -> Result<Arc<Place>, Refusal> {
        if self.keeper.backlog() > self.house.tables {
            return Err(Refusal::busy("more tables are opened than can be written down"));
        }
        if !self.opening.allows(client.address, self.house.tables_a_minute) {
            return Err(Refusal::busy(
                "you open more tables than anybody can play at; wait a minute",
            ));
        }
        let place = self.seat(client, table);
        self.change(&place, client, |table| {
            // A new table is a change, too.
            table.note_silence();
            Ok(())
        })?;
        self.keeper.keep(place.table().keep());
        Ok(place)
    }

    fn seat(&self, client: Client, table: Table) -> Arc<Place> {
        let id = table.id.clone();
        let (news, _) = watch::channel(News::Gone);
        let place = Arc::new(Place {
            news,
            touched: AtomicU64::new(self.now()),
            client: Mutex::new(client),
            table: Mutex::new(table),
        });
        let mut places = lock(&self.places);
        // Somebody else may have brought it in meanwhile.
        let place = places.entry(id).or_insert(place).clone();
        if places.len() > self.house.tables {
            self.clear(&mut places);
        }
        place
    }

    fn now(&self) -> u64 {
        self.opened.elapsed().as_millis() as u64
    }

    /// Sends the longest untouched tenth of the tables back into the records, where they already are. A table that
    /// somebody follows, or that a thread is busy with, stays.
    fn clear(&self, places: &mut HashMap<String, Arc<Place>>) {
        let free = |place: &Arc<Place>| Arc::strong_count(place) == 1 && place.news.receiver_count() == 0;
        let mut idle: Vec<(u64, String)> = places
            .iter()
            .filter(|(_, place)| free(place))
            .map(|(id, place)| (place.touched.load(Ordering::Relaxed), id.clone()))
            .collect();
        idle.sort_unstable();
        for (_, id) in idle.into_iter().take(self.house.tables.div_ceil(10)) {
            places.remove(&id);
        }
    }

    /// A table by its name, brought in from the records if it is not in memory.
    pub async fn find(self: &Arc<Self>, client: Client, id: &str) -> Result<Arc<Place>, Refusal> {
        if let Some(place) = lock(&self.places).get(id) {
            place.touched.store(self.now(), Ordering::Relaxed);
            return Ok(place.clone());
        }
        let missing = || Refusal::not_found(format!("there is no table `{}`", shortened(id)));
        let kept = self
            .keeper
            .find(id)
            .map_err(Refusal::unavailable)?
            .ok_or_else(missing)?;
        let game = self.game(client, &kept.game, kept.sheet.as_deref()).await?;
        let slow = game.is_slow();
        let again = move |kept: Kept| {
            Table::again(kept, game.session()).map_err(|refusal| {
                Refusal::not_found(format!("the table cannot be set up again: {}", refusal.message()))
            })
        };
        let table = match slow {
            true => self.slowly(client, move || again(kept)).await?,
            false => again(kept)?,
        };
        let place = self.seat(client, table);
        let table = place.table();
        place.publish(&table);
        drop(table);
        Ok(place)
    }

    /// Does something to a table, has it kept if it changed, asks a program if one is to move, and tells everybody.
    pub fn change(
        self: &Arc<Self>,
        place: &Arc<Place>,
        client: Client,
        act: impl FnOnce(&mut Table) -> Result<(), Refusal>,
    ) -> Result<Arc<Snapshot>, Refusal> {
        let mut table = place.table();
        let before = table.version();
        act(&mut table)?;
        *lock(&place.client) = client;
        if table.version() != before {
            self.keeper.keep(table.keep());
        }
        self.drive(place, &mut table);
        Ok(place.publish(&table))
    }

    /// Forgets a table, if it is somebody's to forget.
    pub fn forget(&self, place: &Place, client: Client, id: &str) -> Result<(), Refusal> {
        {
            let mut table = place.table();
            table.seating().check_in_charge(client.person)?;
            // A thought that is being had for it would bring it back into the records.
            table.pause(true);
        }
        lock(&self.places).remove(id);
        self.keeper.forget(id);
        place.news.send_replace(News::Gone);
        Ok(())
    }

    /// Lets programs go on at a table that somebody now follows.
    pub fn look_after(self: &Arc<Self>, place: &Arc<Place>) {
        let mut table = place.table();
        if self.drive(place, &mut table) {
            place.publish(&table);
        }
    }

    /// Asks the program that is to move, if one is. Where only programs play, they play for who watches.
    fn drive(self: &Arc<Self>, place: &Arc<Place>, table: &mut Table) -> bool {
        let watched = place.news.receiver_count() > 0;
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
        let client = *lock(&place.client);
        let (hall, seat) = (self.clone(), place.clone());
        let job = Job::new(move |()| hall.think(&seat, version, thinker));
        match table.pace_ms() {
            0 => {
                if self.thinkers.ask(client, job).is_err() {
                    table.answer(version, Err(CROWDED.into()));
                }
            }
            ms => {
                let (hall, seat) = (self.clone(), place.clone());
                self.runtime.spawn(async move {
                    tokio::time::sleep(Duration::from_millis(ms.into())).await;
                    if hall.thinkers.ask(client, job).is_err() {
                        hall.answer(&seat, version, Err(CROWDED.into()));
                    }
                });
            }
        }
        true
    }

    /// Has a thought on this thread, unless it came too late.
    fn think(self: Arc<Self>, place: &Arc<Place>, version: u64, thinker: Thinker) {
        {
            let mut table = place.table();
            if table.version() != version {
                return;
            }
            if !table.has_human() && place.news.receiver_count() == 0 {
                table.note_silence();
                return;
            }
            table.note_thinking(false);
        }
        let clock = clock_of(self.house.thought);
        let thought = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| thinker(&clock)));
        let said = match thought {
            Ok(Ok(said)) => Ok(said),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the player failed".into()),
        };
        self.answer(place, version, said);
    }

    fn answer(self: &Arc<Self>, place: &Arc<Place>, version: u64, said: Result<Said, String>) {
        let mut table = place.table();
        if table.answer(version, said) {
            self.keeper.keep(table.keep());
            self.drive(place, &mut table);
            place.publish(&table);
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
