//! Tournaments that are started from the page: played by the arena on threads of their own, told as they go.

use crate::house::{House, check_spec};
use crate::line::shortened;
use crate::refusal::Refusal;
use arena::contest::Control;
use arena::pair::Openings;
use arena::plan::{Entrant, Format, OpeningPlan, Plan, named_apart};
use arena::standings::Standings;
use arena::store::{Entry, Store};
use arena::terms::{Terms, TimeControl, duration};
use arena::tournament;
use players::{Playable, WithGame, recipe, with_game};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use utoipa::ToSchema;

/// How often those who watch are told.
const PULSE: Duration = Duration::from_millis(250);

/// How long a turn may take where the plan does not say.
const LONGEST_TURN: Duration = Duration::from_secs(5);

/// The most players, rounds and turns of a tournament that the page may start.
const MOST_PLAYERS: usize = 16;
const MOST_ROUNDS: u64 = 10_000;
const MOST_TURNS: u32 = 1000;

/// What is to be played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTournament {
    /// The game.
    #[schema(example = "quarto")]
    pub game: String,
    /// Who plays, by spec.
    #[schema(example = json!(["novice", "random"]))]
    pub players: Vec<String>,
    /// How many pairs each two who meet play.
    #[schema(example = 20)]
    pub rounds: u64,
    /// What to call it.
    pub name: Option<String>,
    /// What all chance is drawn from; 1 if left out.
    pub seed: Option<u64>,
    /// Who meets whom: "round-robin" (if left out) or "gauntlet".
    #[schema(value_type = Option<String>)]
    pub format: Option<Format>,
    /// So many random turns begin each pair.
    pub opening_plies: Option<u32>,
    /// The time for a turn, such as "100ms".
    pub time: Option<String>,
}

/// A tournament in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Summary {
    /// Its number in the records.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// The game.
    pub game: String,
    /// Who plays.
    pub players: Vec<String>,
    /// Pairs played.
    pub pairs: u64,
    /// Pairs that will be.
    pub total: Option<u64>,
    /// When it was started, UTC.
    pub started: String,
    /// How it is.
    pub state: State,
}

/// How a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Being played by this server.
    Running,
    /// Not all of it is played.
    Stopped,
    /// All of it is.
    Finished,
}

/// A tournament as it stands.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Told {
    #[serde(flatten)]
    summary: Summary,
    /// Pairs of each two who meet.
    rounds: u64,
    /// Games played.
    games: u64,
    /// Games a second since it was started or taken up again.
    rate: f64,
    /// For how long.
    seconds: f64,
    /// The players, best first.
    standings: Vec<Place>,
    /// Two and two.
    duels: Vec<Duel>,
    /// The pairs being played.
    running: Vec<Running>,
    /// Why it ended, if not by itself.
    problem: Option<String>,
}

/// A player's place.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Standing)]
struct Place {
    number: usize,
    name: String,
    spec: String,
    /// The rating, its mean over the players being 0.
    elo: f64,
    /// Where its 95 % interval begins.
    low: f64,
    /// Where it ends.
    high: f64,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    ms_per_turn: f64,
    forfeits: u64,
}

/// Two players against each other: the first's results.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Duel {
    first: usize,
    second: usize,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// A pair being played.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RunningPair)]
struct Running {
    pair: u64,
    players: [String; 2],
}

/// All tournaments.
pub struct Tournaments {
    path: PathBuf,
    most: usize,
    threads: usize,
    live: Arc<Mutex<HashMap<i64, Arc<Live>>>>,
}

/// A tournament that this server plays, or has played last.
pub struct Live {
    control: Arc<Control>,
    news: watch::Sender<Arc<Told>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl NewTournament {
    /// The plan of it, within what the page may ask for.
    fn plan(&self, threads: usize) -> Result<Plan, Refusal> {
        let wrong = |why: String| Refusal::bad_tournament(why);
        if !(2..=MOST_PLAYERS).contains(&self.players.len()) {
            return Err(wrong(format!("players: expected 2 to {MOST_PLAYERS}")));
        }
        if !(1..=MOST_ROUNDS).contains(&self.rounds) {
            return Err(wrong(format!("rounds: expected 1 to {MOST_ROUNDS}")));
        }
        for spec in &self.players {
            check_spec(spec)?;
        }
        let time = match &self.time {
            None => LONGEST_TURN,
            Some(text) => duration(text)
                .filter(|time| !time.is_zero() && *time <= LONGEST_TURN)
                .ok_or_else(|| wrong("time: expected a time for a turn such as 100ms, at most 5s".into()))?,
        };
        let plies = self.opening_plies.unwrap_or(0);
        if plies > 100 {
            return Err(wrong("opening_plies: expected at most 100".into()));
        }
        // The plan is kept as TOML, which has no larger numbers.
        if self.seed.is_some_and(|seed| i64::try_from(seed).is_err()) {
            return Err(wrong("seed: expected a number below 2^63".into()));
        }
        let name = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let plan = Plan {
            name: shortened(name.unwrap_or(&self.game)),
            game: self.game.clone(),
            players: named_apart(self.players.iter().map(|spec| Entrant::of_spec(spec)).collect()),
            rounds: self.rounds,
            format: self.format.unwrap_or_default(),
            seed: self.seed.unwrap_or(1),
            terms: Terms {
                control: TimeControl::Move(time),
                // The machine serves a page meanwhile: nobody loses because of that.
                margin: Duration::from_secs(10),
                max_turns: Some(MOST_TURNS),
                ..Terms::default()
            },
            openings: match plies {
                0 => OpeningPlan::Start,
                plies => OpeningPlan::Plies(plies),
            },
            sprt: None,
            concurrency: threads,
        };
        plan.check().map_err(wrong)?;
        Ok(plan)
    }
}

impl Tournaments {
    /// The tournaments in the records.
    pub fn new(path: &Path, house: &House) -> Self {
        Tournaments {
            path: path.into(),
            most: house.tournaments,
            // The other threads are for those who play on the page.
            threads: house.solvers,
            live: Arc::default(),
        }
    }

    fn store(&self) -> Result<Store, Refusal> {
        Store::open(&self.path).map_err(Refusal::unavailable)
    }

    fn running(&self) -> usize {
        let live = lock(&self.live);
        live.values().filter(|live| live.is_running()).count()
    }

    /// Starts a tournament. The same plan as an earlier one goes on with it.
    pub fn start(&self, new: &NewTournament) -> Result<Arc<Told>, Refusal> {
        let plan = new.plan(self.threads)?;
        if !players::games().iter().any(|game| game.name == plan.game) {
            return Err(Refusal::unknown_game(format!(
                "unknown game `{}`",
                shortened(&plan.game)
            )));
        }
        self.play(plan)
    }

    /// Goes on with a tournament that was stopped.
    pub fn resume(&self, id: i64) -> Result<Arc<Told>, Refusal> {
        let entry = self.entry(id)?;
        let mut plan = plan_of(&entry)?;
        for player in &plan.players {
            check_spec(&player.spec())?;
        }
        plan.concurrency = self.threads;
        self.play(plan)
    }

    fn play(&self, plan: Plan) -> Result<Arc<Told>, Refusal> {
        let game = plan.game.clone();
        with_game(&game, Prepare(&plan)).map_err(Refusal::unknown_game)??;
        let mut store = self.store()?;
        let players: Vec<(String, String)> = plan.players.iter().map(|p| (p.name.clone(), p.spec())).collect();
        let mut live = lock(&self.live);
        if live.values().filter(|live| live.is_running()).count() >= self.most {
            return Err(Refusal::busy(format!("{} tournaments are running already", self.most)));
        }
        let id = store
            .tournament(&plan.key(), &plan.name, &plan.game, &plan.to_toml(), &players)
            .map_err(Refusal::unavailable)?;
        if live.get(&id).is_some_and(|live| live.is_running()) {
            return Err(Refusal::busy("this very tournament is running already"));
        }
        let entry = store.entry(Some(id)).map_err(Refusal::unavailable)?;
        let mut standings = Standings::new(plan.players.len(), &plan.meetings());
        store
            .each_pair(id, |pair| standings.count(&pair))
            .map_err(Refusal::unavailable)?;
        let told = Arc::new(tell(&entry, &plan, &standings, Run::new(), State::Running, None));
        let started = Arc::new(Live {
            control: Arc::default(),
            news: watch::Sender::new(told.clone()),
        });
        live.insert(id, started.clone());
        drop(live);
        let stage = Stage {
            plan,
            store,
            entry,
            live: started,
        };
        std::thread::Builder::new()
            .name(format!("tournament {id}"))
            .spawn(move || {
                let live = stage.live.clone();
                let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| with_game(&game, stage)));
                if !matches!(done, Ok(Ok(()))) {
                    live.news.send_modify(|told| {
                        let mut last = Told::clone(told);
                        last.summary.state = State::Stopped;
                        last.problem = Some("it could not be played on".into());
                        *told = Arc::new(last);
                    });
                }
            })
            .map_err(Refusal::unavailable)?;
        Ok(told)
    }

    /// Stops a tournament after the games that are running.
    pub fn stop(&self, id: i64) -> Result<Arc<Told>, Refusal> {
        let live = lock(&self.live).get(&id).cloned();
        match live {
            Some(live) => {
                live.control.stop.store(true, Ordering::Relaxed);
                Ok(live.news.borrow().clone())
            }
            None => self.show(id),
        }
    }

    /// Stops all, and waits a little for them to end.
    pub fn close(&self, patience: Duration) {
        for live in lock(&self.live).values() {
            live.control.stop.store(true, Ordering::Relaxed);
        }
        let late = Instant::now() + patience;
        while self.running() > 0 && Instant::now() < late {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// A tournament of the records.
    pub fn entry(&self, id: i64) -> Result<Entry, Refusal> {
        let missing = || Refusal::not_found(format!("there is no tournament {id}"));
        let entries = self.store()?.entries().map_err(Refusal::unavailable)?;
        entries.into_iter().find(|entry| entry.id == id).ok_or_else(missing)
    }

    /// The records, to be read.
    pub fn records(&self) -> Result<Store, Refusal> {
        self.store()
    }

    /// A tournament as it stands. Counts its games: not for a thread that serves requests.
    pub fn show(&self, id: i64) -> Result<Arc<Told>, Refusal> {
        if let Some(live) = lock(&self.live).get(&id) {
            return Ok(live.news.borrow().clone());
        }
        let entry = self.entry(id)?;
        let plan = plan_of(&entry)?;
        let mut standings = Standings::new(plan.players.len(), &plan.meetings());
        let store = self.store()?;
        store
            .each_pair(id, |pair| standings.count(&pair))
            .map_err(Refusal::unavailable)?;
        let state = ended(&plan, standings.pairs);
        Ok(Arc::new(tell(
            &entry,
            &plan,
            &standings,
            Run::over(),
            state,
            entry.stopped.clone(),
        )))
    }

    /// What those who watch a tournament hear, if this server plays it.
    pub fn follow(&self, id: i64) -> Option<watch::Receiver<Arc<Told>>> {
        lock(&self.live).get(&id).map(|live| live.news.subscribe())
    }

    /// All tournaments, the newest first.
    pub fn list(&self) -> Result<Vec<Summary>, Refusal> {
        let entries = self.store()?.entries().map_err(Refusal::unavailable)?;
        let live = lock(&self.live);
        let summary = |entry: Entry| match live.get(&entry.id) {
            Some(live) => live.news.borrow().summary.clone(),
            None => {
                let plan = plan_of(&entry).ok();
                let state = plan.as_ref().map_or(State::Stopped, |plan| ended(plan, entry.pairs));
                summary_of(&entry, plan.map(|plan| total(&plan)), entry.pairs, state)
            }
        };
        Ok(entries.into_iter().rev().map(summary).collect())
    }
}

impl Live {
    fn is_running(&self) -> bool {
        self.news.borrow().summary.state == State::Running
    }
}

impl Told {
    /// Whether more will come.
    pub fn is_running(&self) -> bool {
        self.summary.state == State::Running
    }
}

fn plan_of(entry: &Entry) -> Result<Plan, Refusal> {
    Plan::from_toml(&entry.plan, &format!("tournament {}", entry.id), Path::new("")).map_err(Refusal::unavailable)
}

fn total(plan: &Plan) -> u64 {
    plan.rounds * plan.meetings().len() as u64
}

fn ended(plan: &Plan, pairs: u64) -> State {
    match pairs >= total(plan) {
        true => State::Finished,
        false => State::Stopped,
    }
}

/// Asks whether a plan can be played at all.
struct Prepare<'a>(&'a Plan);

impl WithGame for Prepare<'_> {
    type Output = Result<(), Refusal>;

    fn run<G: Playable>(self, start: G) -> Self::Output {
        if start.seats() != 2 {
            return Err(Refusal::bad_tournament(format!(
                "tournaments are for games with two seats, and this one has {}",
                start.seats()
            )));
        }
        for player in &self.0.players {
            recipe::<G>(&player.spec()).map_err(Refusal::unknown_player)?;
        }
        Ok(())
    }
}

/// What a tournament is played with.
struct Stage {
    plan: Plan,
    store: Store,
    entry: Entry,
    live: Arc<Live>,
}

/// This server's part in a tournament.
#[derive(Clone, Copy)]
struct Run {
    began: Option<Instant>,
    pairs: u64,
}

impl Run {
    fn new() -> Self {
        Run {
            began: Some(Instant::now()),
            pairs: 0,
        }
    }

    fn over() -> Self {
        Run { began: None, pairs: 0 }
    }
}

impl WithGame for Stage {
    type Output = ();

    fn run<G: Playable>(mut self, start: G) {
        let recipes: Result<Vec<_>, _> = self
            .plan
            .players
            .iter()
            .map(|player| recipe::<G>(&player.spec()))
            .collect();
        let Ok(recipes) = recipes else {
            return;
        };
        let openings = match self.plan.openings {
            OpeningPlan::Plies(plies) => Openings::Plies(plies),
            _ => Openings::Plies(0),
        };
        let Stage {
            plan,
            entry,
            live,
            store,
        } = &mut self;
        let mut run = Run::new();
        let mut told = Instant::now() - PULSE;
        let mut watch = |progress: &tournament::Progress| {
            run.pairs = progress.played;
            if told.elapsed() >= PULSE {
                told = Instant::now();
                let mut news = tell(entry, plan, progress.standings, run, State::Running, None);
                news.running = live
                    .control
                    .playing()
                    .into_iter()
                    .map(|pair| running(plan, pair))
                    .collect();
                live.news.send_replace(Arc::new(news));
            }
        };
        let control = live.control.clone();
        let outcome = tournament::run(&start, plan, &recipes, &openings, store, &control, &mut watch);
        match outcome {
            Ok(outcome) => {
                let state = ended(plan, outcome.standings.pairs);
                live.news
                    .send_replace(Arc::new(tell(entry, plan, &outcome.standings, run, state, None)));
            }
            Err(error) => live.news.send_modify(|told| {
                let mut last = Told::clone(told);
                last.summary.state = State::Stopped;
                last.problem = Some(error.to_string());
                *told = Arc::new(last);
            }),
        }
    }
}

fn running(plan: &Plan, pair: u64) -> Running {
    let meetings = plan.meetings();
    let (first, second) = meetings[(pair % meetings.len() as u64) as usize];
    Running {
        pair,
        players: [first, second].map(|player| plan.players[player].name.clone()),
    }
}

fn summary_of(entry: &Entry, total: Option<u64>, pairs: u64, state: State) -> Summary {
    Summary {
        id: entry.id,
        name: entry.name.clone(),
        game: entry.game.clone(),
        players: entry.players.iter().map(|(name, _)| name.clone()).collect(),
        pairs,
        total,
        started: entry.started.clone(),
        state,
    }
}

fn tell(entry: &Entry, plan: &Plan, standings: &Standings, run: Run, state: State, problem: Option<String>) -> Told {
    let ratings = standings.ratings();
    let seconds = run.began.map_or(0.0, |began| began.elapsed().as_secs_f64());
    let place = |number: usize| {
        let (standing, rating) = (&standings.players[number], &ratings[number]);
        let score = standing.score();
        let turns = standing.turns as f64 / 2.0;
        Place {
            number,
            name: plan.players[number].name.clone(),
            spec: plan.players[number].spec(),
            elo: rating.value,
            low: rating.low,
            high: rating.high,
            games: score.games(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            points: score.points(),
            ms_per_turn: if turns > 0.0 {
                1000.0 * standing.seconds() / turns
            } else {
                0.0
            },
            forfeits: standing.forfeits.iter().sum(),
        }
    };
    let duel = |duel: &arena::standings::Duel| {
        let score = duel.score();
        Duel {
            first: duel.first,
            second: duel.second,
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
        }
    };
    Told {
        summary: summary_of(entry, Some(total(plan)), standings.pairs, state),
        rounds: plan.rounds,
        games: standings.games(),
        rate: if seconds > 0.0 {
            2.0 * run.pairs as f64 / seconds
        } else {
            0.0
        },
        seconds,
        standings: standings.order().into_iter().map(place).collect(),
        duels: standings.duels.iter().map(duel).collect(),
        running: Vec::new(),
        problem,
    }
}
