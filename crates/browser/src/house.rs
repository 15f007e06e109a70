//! The tables, and what is done at them.

use crate::kept::{KeptTable, SOMEBODY};
use crate::read;
use crate::routes::RequestBody;
use game::{GameText, Instant, mix};
use games::AnyGame;
use games::sheets::PASTED;
use page::ApiError;
use page::catalogue::{self, Catalogue};
use page::public_table::Snapshot;
use page::record::beginning;
use page::table::{Action, By, Table};
use player::Analysis;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The tables in memory, and the games they play.
#[derive(Default)]
pub struct House {
    tables: HashMap<String, Table>,
    catalogue: Catalogue,
}

/// A request of the page's modules.
#[derive(Deserialize)]
struct Request {
    method: String,
    /// Without a query: nothing here has one.
    path: String,
    #[serde(default)]
    body: RequestBody,
    /// For a table that is to be opened: what it will be called.
    #[serde(default)]
    id: String,
    /// Whether somebody follows the table.
    #[serde(default)]
    watched: bool,
}

/// A program's thought, as a thinker tells it.
#[derive(Deserialize)]
struct Said {
    best: String,
    value: Option<f64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    ms: f64,
    pv: Vec<String>,
}

/// What concerns a thought.
#[derive(Deserialize)]
struct ThoughtOf {
    id: String,
    version: u64,
    #[serde(default)]
    watched: bool,
    said: Option<Said>,
    failed: Option<String>,
}

/// What a thinker is asked: a game, where it stands, and who is to think.
#[derive(Serialize)]
struct ThinkRequest<'a> {
    op: &'static str,
    game: &'a str,
    sheet: Option<&'a str>,
    start: Option<String>,
    turns: Vec<String>,
    ply: usize,
    spec: &'a str,
    /// As text: JavaScript's numbers are too small for it.
    seed: String,
}

impl House {
    /// Answers a question.
    pub fn answer(&mut self, op: &str, question: Value) -> Result<Value, ApiError> {
        match op {
            "request" => self.request(read(question)?),
            "open" => self.open(question),
            "start" => self.start(&read(question)?),
            "answer" => self.hear(read(question)?),
            "tick" => {
                let (id, watched) = named(&question)?;
                if let Some(table) = self.tables.get_mut(&id) {
                    table.tick(Instant::now());
                }
                self.after(200, &id, watched)
            }
            "watch" => {
                let (id, watched) = named(&question)?;
                self.after(200, &id, watched)
            }
            _ => {
                let (id, _) = named(&question)?;
                self.tables.remove(&id);
                Ok(json!({ "status": 204 }))
            }
        }
    }

    fn request(&mut self, request: Request) -> Result<Value, ApiError> {
        let parts: Vec<&str> = request.path.trim_start_matches("/api/").split('/').collect();
        match (request.method.as_str(), parts.as_slice()) {
            ("POST", ["tables"]) => self.create(request.id, request.body, request.watched),
            ("GET", ["tables", id]) => self.look(id, None),
            ("GET", ["tables", id, "at", ply]) => {
                let ply = ply
                    .parse()
                    .map_err(|_| ApiError::bad_request("expected a number of turns"))?;
                self.look(id, Some(ply))
            }
            ("GET", ["tables", id, "record"]) => Ok(json!({ "status": 200, "body": self.table(id)?.record() })),
            ("GET", ["gdl", "sheets", name]) => {
                let name = decoded(name);
                let text = games::sheets::bundled(&name);
                let text = text.ok_or_else(|| ApiError::not_found("no rule sheet of that name is bundled"))?;
                Ok(json!({ "status": 200, "body": json!({ "name": name, "text": text }).to_string() }))
            }
            ("POST" | "PUT" | "PATCH", ["tables", id, rest @ ..]) => {
                let table = self.tables.get_mut(*id).ok_or_else(|| missing(id))?;
                table.tick(Instant::now());
                request.body.act(table, &rest.join("/"))?;
                self.after(200, id, request.watched)
            }
            _ => Err(ApiError::not_found("there is no such thing in the API")),
        }
    }

    fn table(&self, id: &str) -> Result<&Table, ApiError> {
        self.tables.get(id).ok_or_else(|| missing(id))
    }

    fn game(&self, name: &str, sheet: Option<&str>) -> Result<Arc<dyn AnyGame>, ApiError> {
        match sheet {
            Some(sheet) => self.catalogue.pasted(sheet),
            None if name == PASTED => Err(ApiError::bad_request("game `gdl` needs a `sheet`")),
            None => self.catalogue.game(name),
        }
    }

    fn create(&mut self, id: String, body: RequestBody, watched: bool) -> Result<Value, ApiError> {
        let told = body.text.as_deref().and_then(|text| GameText::parse(text).game);
        let game = match (&body.sheet, told.or(body.game.clone())) {
            (Some(_), _) => PASTED.to_string(),
            (None, Some(game)) => game,
            (None, None) => return Err(ApiError::bad_request("expected a `game`; /api/games lists them")),
        };
        let placements = body.placements();
        let clock = body.clock.as_ref().map(|clock| clock.control()).transpose()?;
        let mut session = catalogue::begin(self.game(&game, body.sheet.as_deref())?);
        let (position, turns) = beginning(session.as_ref(), body.text, body.position, body.turns)?;
        if position.is_some() || !turns.is_empty() {
            session.replace(position.as_deref(), &turns)?;
        }
        let mut table = Table::new(id.clone(), game, body.sheet, session, SOMEBODY);
        if let Some(seats) = placements {
            table.act(By::person(SOMEBODY), Action::seats(seats))?;
        }
        table.name_seats(&body.names.unwrap_or_default());
        if let Some(pace) = body.pace_ms {
            table.set_pace(pace);
        }
        table.pause(body.paused.unwrap_or(false));
        if let Some(control) = clock {
            table.set_clocks(control);
        }
        self.tables.insert(id.clone(), table);
        self.after(201, &id, watched)
    }

    /// Sets a kept table up again.
    fn open(&mut self, question: Value) -> Result<Value, ApiError> {
        let kept: KeptTable = read(question.get("kept").cloned().unwrap_or_default())?;
        let game = self.game(&kept.game, kept.sheet.as_deref())?;
        let stored = kept.stored().map_err(ApiError::bad_request)?;
        let table = Table::restore(stored, catalogue::begin(game))
            .map_err(|error| ApiError::not_found(format!("the table cannot be set up again: {}", error.message())))?;
        let id = table.id.clone();
        // Whose turn it is, is looked at when somebody follows the table, or does something there.
        let told = told(&table, 200, None);
        self.tables.insert(id, table);
        Ok(told)
    }

    fn look(&self, id: &str, ply: Option<usize>) -> Result<Value, ApiError> {
        let table = self.table(id)?;
        let turns = table.session().len();
        if ply.is_some_and(|ply| ply > turns) {
            return Err(ApiError::not_found(format!("the game has {turns} turns")));
        }
        Ok(json!({ "status": 200, "body": Snapshot::of(table, ply).json(SOMEBODY) }))
    }

    /// A program begins to think, unless the table has changed since it was asked.
    fn start(&mut self, thought: &ThoughtOf) -> Result<Value, ApiError> {
        let table = self.tables.get_mut(&thought.id).ok_or_else(|| missing(&thought.id))?;
        if table.version() != thought.version {
            return Err(ApiError::stale_version("the table has changed"));
        }
        if !table.has_human() && !thought.watched {
            table.note_silence();
            return Err(ApiError::stale_version("nobody watches"));
        }
        table.note_thinking(false);
        self.look(&thought.id, None)
    }

    /// Hears what a program said.
    fn hear(&mut self, thought: ThoughtOf) -> Result<Value, ApiError> {
        let table = self.tables.get_mut(&thought.id).ok_or_else(|| missing(&thought.id))?;
        let said = match (thought.said, thought.failed) {
            (Some(said), _) => Ok(said.analysis()),
            (None, failed) => Err(failed.unwrap_or_else(|| "the player failed".into())),
        };
        if !table.answer(thought.version, said) {
            return Err(ApiError::stale_version("the table has changed"));
        }
        self.after(200, &thought.id, thought.watched)
    }

    /// The table as it now is, and the program that is to be asked.
    fn after(&mut self, status: u16, id: &str, watched: bool) -> Result<Value, ApiError> {
        let table = self.tables.get_mut(id).ok_or_else(|| missing(id))?;
        let task = task(table, watched);
        Ok(told(table, status, task))
    }
}

/// A table as it is, and what is to follow: what to keep, whom to ask, and when a clock runs out.
fn told(table: &Table, status: u16, task: Option<String>) -> Value {
    let deadline = table.deadline().map(|at| at.saturating_duration_since(Instant::now()));
    json!({
        "status": status,
        "body": Snapshot::of(table, None).json(SOMEBODY),
        "id": table.id,
        "version": table.version(),
        "kept": KeptTable::of(table.to_stored(), table.title()),
        "task": task,
        "pace_ms": table.pace_ms(),
        "deadline_ms": deadline.map(|left| left.as_millis() as u64),
    })
}

/// What is asked of the program that is to move, if one is and nobody thinks yet. Where only programs play, they play for who watches.
fn task(table: &mut Table, watched: bool) -> Option<String> {
    let spec = table.wants().filter(|_| table.has_human() || watched)?.to_string();
    let version = table.version();
    let (seed, session) = (seed(&table.id, version, table.ply()), table.session());
    // Whoever cannot be asked says so at once.
    if let Err(error) = session.thinker(table.ply(), &spec, seed).map(drop) {
        table.note_thinking(true);
        table.answer(version, Err(error.to_string()));
        return None;
    }
    let task = serde_json::to_string(&ThinkRequest {
        op: "think",
        game: &table.game,
        sheet: table.sheet.as_deref(),
        start: (!session.begins_at_the_start()).then(|| session.start()),
        turns: session.turns(),
        ply: table.ply(),
        spec: &spec,
        seed: seed.to_string(),
    });
    table.note_thinking(true);
    task.ok()
}

/// What all chance of a thought is drawn from.
fn seed(id: &str, version: u64, ply: usize) -> u64 {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    hasher.write(id.as_bytes());
    mix(version, &[ply as u64, hasher.finish()])
}

impl Said {
    fn analysis(self) -> Analysis<String> {
        Analysis {
            value: self.value,
            depth: self.depth,
            nodes: self.nodes,
            time: Duration::try_from_secs_f64(self.ms / 1000.0).unwrap_or_default(),
            pv: self.pv,
            ..Analysis::of_move(self.best)
        }
    }
}

/// The table that a question names, and whether somebody follows it.
fn named(question: &Value) -> Result<(String, bool), ApiError> {
    let id = question.get("id").and_then(Value::as_str);
    let watched = question.get("watched").and_then(Value::as_bool).unwrap_or(false);
    id.map(|id| (id.to_string(), watched))
        .ok_or_else(|| ApiError::bad_request("expected `id`"))
}

fn missing(id: &str) -> ApiError {
    ApiError::not_found(format!("there is no table `{}`", page::shortened(id)))
}

/// A part of a path as it was meant: only names of games stand there, in which a colon may be written as `%3A`.
fn decoded(part: &str) -> String {
    part.replace("%3A", ":").replace("%3a", ":")
}
