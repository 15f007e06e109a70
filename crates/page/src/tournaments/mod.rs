//! Tournaments that are started from the page: played by the arena on threads of their own, told as they go.

mod request;
mod runner;
mod status;

pub use request::NewTournament;
pub use status::{Summary, TournamentStatus, WatchedGame};

use crate::api_error::ApiError;
use crate::limits::{ServerLimits, check_spec};
use arena::control::Control;
use arena::live::LiveGame;
use arena::plan::Plan;
use arena::standings::Standings;
use arena::store::{Entry, Store};
use arena::tournament::Pairs;
use games::PlayedGame;
use parking_lot::Mutex;
use runner::Runner;
use status::{Run, TournamentState, ended, status_of, summary_of, total};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// All tournaments.
pub struct Tournaments {
    path: PathBuf,
    most: usize,
    threads: usize,
    engines: bool,
    live: Arc<Mutex<HashMap<i64, Arc<RunningTournament>>>>,
}

/// A tournament that this server plays, or has played last.
pub struct RunningTournament {
    control: Arc<Control>,
    pairs: Arc<Pairs>,
    status: watch::Sender<Arc<TournamentStatus>>,
}

impl Tournaments {
    /// The tournaments in the records.
    pub fn new(path: &Path, limits: &ServerLimits) -> Self {
        Tournaments {
            path: path.into(),
            most: limits.tournaments,
            // The other threads are for those who play on the page.
            threads: limits.solvers,
            engines: limits.engines,
            live: Arc::default(),
        }
    }

    fn store(&self) -> Result<Store, ApiError> {
        Store::open(&self.path).map_err(ApiError::unavailable)
    }

    fn running(&self) -> usize {
        running_of(&self.live.lock())
    }

    /// Starts a tournament. The same plan as an earlier one goes on with it.
    pub fn start(&self, new: &NewTournament) -> Result<Arc<TournamentStatus>, ApiError> {
        let plan = new.plan(self.threads)?;
        self.play(plan)
    }

    /// Goes on with a tournament that was stopped. Who has programs in one wrote the records, so it is theirs to say whether the page
    /// may start these.
    pub fn resume(&self, id: i64) -> Result<Arc<TournamentStatus>, ApiError> {
        let entry = self.entry(id)?;
        let mut plan = plan_of(&entry)?;
        if !self.engines {
            for player in &plan.players {
                check_spec(&player.spec())?;
            }
        }
        plan.concurrency = self.threads;
        self.play(plan)
    }

    fn play(&self, plan: Plan) -> Result<Arc<TournamentStatus>, ApiError> {
        let pairs = Arc::new(runner::pairs(&plan)?);
        let mut store = self.store()?;
        let players: Vec<(String, String)> = plan.players.iter().map(|p| (p.name.clone(), p.spec())).collect();
        let mut live = self.live.lock();
        if running_of(&live) >= self.most {
            return Err(ApiError::busy(format!("{} tournaments are running already", self.most)));
        }
        let id = store
            .tournament(&pairs.key(), &plan.name, &plan.game, &plan.to_toml(), &players)
            .map_err(ApiError::unavailable)?;
        if live.get(&id).is_some_and(|live| live.is_running()) {
            return Err(ApiError::busy("this very tournament is running already"));
        }
        let entry = store.entry(Some(id)).map_err(ApiError::unavailable)?;
        let standings = standings_of(&plan, &store, id)?;
        let told = Arc::new(status_of(
            &entry,
            &plan,
            &standings,
            Run::new(),
            TournamentState::Running,
            None,
        ));
        let started = Arc::new(RunningTournament {
            control: Arc::default(),
            pairs: pairs.clone(),
            status: watch::Sender::new(told.clone()),
        });
        live.insert(id, started.clone());
        drop(live);
        let runner = Runner {
            plan,
            pairs,
            store,
            entry,
            live: started,
        };
        std::thread::Builder::new()
            .name(format!("tournament {id}"))
            .spawn(move || {
                let live = runner.live.clone();
                let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| runner.run()));
                if done.is_err() {
                    live.broke_off("it could not be played on".into());
                }
            })
            .map_err(ApiError::unavailable)?;
        Ok(told)
    }

    /// Stops a tournament after the games that are running.
    pub fn stop(&self, id: i64) -> Result<Arc<TournamentStatus>, ApiError> {
        let live = self.live.lock().get(&id).cloned();
        match live {
            Some(live) => {
                live.control.enough.raise();
                Ok(live.status.borrow().clone())
            }
            None => self.show(id),
        }
    }

    /// Stops all, and waits a little for them to end.
    pub fn close(&self, patience: Duration) {
        for live in self.live.lock().values() {
            live.control.stop.raise();
        }
        let late = Instant::now() + patience;
        while self.running() > 0 && Instant::now() < late {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// A tournament of the records.
    pub fn entry(&self, id: i64) -> Result<Entry, ApiError> {
        let missing = || ApiError::not_found(format!("there is no tournament {id}"));
        let entries = self.store()?.entries().map_err(ApiError::unavailable)?;
        entries.into_iter().find(|entry| entry.id == id).ok_or_else(missing)
    }

    /// What was to be played in it.
    pub fn plan(&self, entry: &Entry) -> Result<Plan, ApiError> {
        plan_of(entry)
    }

    /// The recorded games of a game, of so many pairs at most, the newest tournaments first. Those that were set up by hand are not
    /// among them.
    pub fn played(&self, game: &str, most: u64) -> Result<Vec<PlayedGame>, ApiError> {
        games::recorded(&self.store()?, game, most).map_err(ApiError::unavailable)
    }

    /// The games of a tournament that are being played here, as they stand.
    pub fn watched(&self, id: i64) -> Result<Vec<WatchedGame>, ApiError> {
        let live = self.live.lock().get(&id).cloned();
        let Some(live) = live else {
            return self.entry(id).map(|_| Vec::new());
        };
        let plan = live.pairs.plan();
        let game = games::find(&plan.game)?.game;
        let name = |player: usize| plan.players.get(player).map(|player| player.name.clone());
        let watched = |live: LiveGame| {
            let mut session = game.clone().session();
            let turns: Vec<String> = live.turns.split_whitespace().map(String::from).collect();
            // A game that cannot be shown is played all the same.
            session.replace(live.start.as_deref(), &turns).ok()?;
            Some(WatchedGame {
                pair: live.pair,
                game: live.game + 1,
                players: live.players.map(|player| name(player).unwrap_or_default()),
                turns: turns.len(),
                last: session.written().pop(),
                view: session.moment(turns.len()).view,
            })
        };
        Ok(live.pairs.live().look().into_iter().filter_map(watched).collect())
    }

    /// The records, to be read.
    pub fn records(&self) -> Result<Store, ApiError> {
        self.store()
    }

    /// A tournament as it stands. Counts its games: not for a thread that serves requests.
    pub fn show(&self, id: i64) -> Result<Arc<TournamentStatus>, ApiError> {
        if let Some(live) = self.live.lock().get(&id) {
            return Ok(live.status.borrow().clone());
        }
        let entry = self.entry(id)?;
        let plan = plan_of(&entry)?;
        let standings = standings_of(&plan, &self.store()?, id)?;
        let state = ended(&plan, standings.pairs);
        Ok(Arc::new(status_of(
            &entry,
            &plan,
            &standings,
            Run::over(),
            state,
            entry.stopped.clone(),
        )))
    }

    /// What those who watch a tournament hear, if this server plays it.
    pub fn follow(&self, id: i64) -> Option<watch::Receiver<Arc<TournamentStatus>>> {
        self.live.lock().get(&id).map(|live| live.status.subscribe())
    }

    /// All tournaments, the newest first.
    pub fn list(&self) -> Result<Vec<Summary>, ApiError> {
        let entries = self.store()?.entries().map_err(ApiError::unavailable)?;
        let live = self.live.lock();
        let summary = |entry: Entry| match live.get(&entry.id) {
            Some(live) => live.status.borrow().summary.clone(),
            None => {
                let plan = plan_of(&entry).ok();
                let state = plan
                    .as_ref()
                    .map_or(TournamentState::Stopped, |plan| ended(plan, entry.pairs));
                summary_of(&entry, plan.map(|plan| total(&plan)), entry.pairs, state)
            }
        };
        Ok(entries.into_iter().rev().map(summary).collect())
    }
}

impl RunningTournament {
    fn is_running(&self) -> bool {
        self.status.borrow().is_running()
    }

    /// Tells those who watch that it ended before its end, and why.
    fn broke_off(&self, why: String) {
        self.status.send_modify(|told| {
            let mut last = TournamentStatus::clone(told);
            last.summary.state = TournamentState::Stopped;
            last.problem = Some(why);
            *told = Arc::new(last);
        });
    }
}

fn running_of(live: &HashMap<i64, Arc<RunningTournament>>) -> usize {
    live.values().filter(|live| live.is_running()).count()
}

fn plan_of(entry: &Entry) -> Result<Plan, ApiError> {
    Plan::from_toml(&entry.plan, &format!("tournament {}", entry.id), Path::new("")).map_err(ApiError::unavailable)
}

/// What the recorded pairs of a tournament come to.
fn standings_of(plan: &Plan, store: &Store, id: i64) -> Result<Standings, ApiError> {
    let mut standings = Standings::new(plan.players.len(), &plan.meetings());
    store
        .each_pair(id, |pair| standings.count(&pair))
        .map_err(ApiError::unavailable)?;
    Ok(standings)
}
