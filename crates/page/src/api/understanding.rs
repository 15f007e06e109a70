//! Understanding: the truth about a position, a hint with its reason, the mistakes of a game.

use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::choice_values::ChoiceValues;
use crate::client::Client;
use crate::extract::{Path, Query};
use crate::hint;
use crate::solver_pool::NumberedAnswer;
use crate::streams::{self, event};
use crate::table::Table;
use crate::tables::{LiveTable, clock_of};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use axum::response::sse::Event;
use futures_util::stream::{self, Stream};
use games::describe::{IntoParams, ToSchema};
use games::exact::{self, ExactPosition, Hint, Outcome, SolverQuestion, Worth};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;

/// Which position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PositionQuery {
    /// After how many turns; as many as stand if left out.
    ply: Option<usize>,
    /// Quarto: the cell where the piece in hand already stands, in the middle of a turn.
    place: Option<String>,
}

impl PositionQuery {
    /// The ply asked about, if the game has it.
    fn ply(&self, table: &Table) -> Result<usize, ApiError> {
        known_ply(table, self.ply.unwrap_or(table.ply()))
    }

    /// What is known exactly about the position asked about; `None` if nothing of its game is.
    fn exact(&self, live: &LiveTable) -> Result<Option<Box<dyn ExactPosition>>, ApiError> {
        let table = live.table();
        let exact = table.session().exact(self.ply(&table)?, self.place.as_deref());
        Ok(exact.transpose()?)
    }
}

/// A ply, if the game has it.
pub(super) fn known_ply(table: &Table, ply: usize) -> Result<usize, ApiError> {
    match ply > table.session().len() {
        true => Err(ApiError::not_found(format!(
            "the game has {} turns",
            table.session().len()
        ))),
        false => Ok(ply),
    }
}

pub(super) fn unsolved() -> ApiError {
    ApiError::unsupported("exact values are known only of Quarto and its variants")
}

/// Events that are made one by one by something that may have several at hand.
trait EventSource: Send + Sized + 'static {
    /// The next events; none at the end.
    fn next_events(&mut self) -> impl Future<Output = Vec<Event>> + Send;

    fn stream(self) -> impl Stream<Item = Event> + Send {
        stream::unfold((self, VecDeque::new()), |(mut source, mut ready)| async move {
            if ready.is_empty() {
                ready.extend(source.next_events().await);
            }
            ready.pop_front().map(|event| (event, (source, ready)))
        })
    }
}

/// How far something is.
#[derive(Serialize, ToSchema)]
pub(super) struct Progress {
    /// Values found.
    done: usize,
    /// Values there will be.
    of: usize,
    /// Questions of everybody that wait for the solver.
    waiting: usize,
}

/// How it ended.
#[derive(Serialize, ToSchema)]
pub(super) struct TruthEnd {
    /// Whether every value was found.
    complete: bool,
    /// "done", "time" or "over".
    reason: &'static str,
    /// How long it took.
    ms: u64,
}

/// What one choice is worth: `{"cell": "a1", …}` or `{"piece": "5", …}`.
#[derive(Serialize)]
struct ChoiceWorth<'a> {
    #[serde(flatten)]
    choice: BTreeMap<&'static str, &'a str>,
    #[serde(flatten)]
    worth: Worth,
}

struct TruthEvents {
    app: Arc<App>,
    values: ChoiceValues,
    found: Vec<Worth>,
    done: usize,
    began: Instant,
    ended: bool,
}

impl TruthEvents {
    /// The event that tells a value.
    fn choice_event(&self, number: usize, worth: Worth) -> Event {
        let choice = self.values.choice(number);
        let told = ChoiceWorth {
            choice: BTreeMap::from([(choice.kind, choice.name.as_str())]),
            worth,
        };
        event(choice.kind, &told)
    }

    /// The last events: what the position is worth, if all is known, and why it ended.
    fn end(&self) -> Vec<Event> {
        let mut events = Vec::new();
        let complete = self.found.len() == self.values.count();
        if complete && let Some(best) = Worth::best(self.found.iter().copied()) {
            events.push(event("value", &best));
        }
        let reason = match (self.values.count(), complete) {
            (0, _) => "over",
            (_, true) => "done",
            (_, false) => "time",
        };
        let ms = self.began.elapsed().as_millis() as u64;
        events.push(event("end", &TruthEnd { complete, reason, ms }));
        events
    }
}

impl EventSource for TruthEvents {
    async fn next_events(&mut self) -> Vec<Event> {
        if self.ended {
            return Vec::new();
        }
        let mut events = Vec::new();
        // Who waits for something hard sees that it is being worked on.
        match tokio::time::timeout(Duration::from_millis(500), self.values.next()).await {
            Err(_) => (),
            Ok(Some(values)) => {
                for (number, worth) in values {
                    self.done += 1;
                    let Some(worth) = worth else { continue };
                    self.found.push(worth);
                    events.push(self.choice_event(number, worth));
                }
            }
            Ok(None) => {
                self.ended = true;
                return self.end();
            }
        }
        events.push(event(
            "progress",
            &Progress {
                done: self.done,
                of: self.values.count(),
                waiting: self.app.solvers.load().1,
            },
        ));
        events
    }
}

/// What each cell, or each piece, is worth: events `cell`, `piece`, `progress`, `value` of the position, and `end`.
#[api_macros::path(
    get, path = "/api/tables/{id}/truth", tag = "understanding", params(("id" = String, Path), PositionQuery),
    responses((status = 200, body = Worth, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody))
)]
pub async fn truth(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<PositionQuery>,
) -> Result<Response, ApiError> {
    let live = app.tables.find(client, &id).await?;
    let position = query.exact(&live)?.ok_or_else(unsolved)?;
    let events = TruthEvents {
        app: app.clone(),
        values: ChoiceValues::ask(&app.solvers, client, position.as_ref(), app.limits.solving)?,
        found: Vec::new(),
        done: 0,
        began: Instant::now(),
        ended: false,
    };
    streams::answer(&app, client, events.stream())
}

/// A turn and the truth about it.
#[derive(Serialize, ToSchema)]
pub struct JudgedTurn {
    /// Turns before it.
    ply: usize,
    /// Who made it.
    seat: usize,
    /// The turn.
    turn: String,
    /// What it was worth to who made it.
    #[serde(flatten)]
    worth: Worth,
    /// What the best turn was worth.
    best_value: Outcome,
    /// Placements until the end after the best turn.
    best_plies: u32,
    /// Some of the best turns.
    best: Vec<String>,
    /// Whether it gave away a win or a draw.
    mistake: bool,
    /// What the position after it is worth to seat 1: 1, 0 or -1.
    value_for_seat1: i8,
}

/// The sum of an analysis.
#[derive(Serialize, ToSchema)]
pub(super) struct AnalysisEnd {
    /// Whether every turn was judged.
    complete: bool,
    /// "done" or "time".
    reason: &'static str,
    /// How many turns each seat made.
    turns: [usize; 2],
    /// How many of them were judged before time ran out. Nothing is known of the others.
    judged: [usize; 2],
    /// The share of each seat's turns that kept the value; null unless all of them were judged, and for a seat without one.
    accuracy: [Option<f64>; 2],
    /// How many of the judged turns of each seat gave something away.
    mistakes: [usize; 2],
}

struct AnalysisEvents {
    app: Arc<App>,
    answers: UnboundedReceiver<NumberedAnswer<Option<exact::JudgedTurn>>>,
    /// The plies of the turns, in the order of their questions, and who made each, from 0.
    asked: Vec<(usize, usize)>,
    done: usize,
    judged: Vec<exact::JudgedTurn>,
    ended: bool,
}

impl EventSource for AnalysisEvents {
    async fn next_events(&mut self) -> Vec<Event> {
        if self.ended {
            return Vec::new();
        }
        let mut events = Vec::new();
        match tokio::time::timeout(Duration::from_millis(500), self.answers.recv()).await {
            Err(_) => (),
            Ok(Some((question, answer))) => {
                self.done += 1;
                if let Some(Some(judged)) = answer {
                    events.push(event("turn", &JudgedTurn::of(self.asked[question].0, &judged)));
                    self.judged.push(judged);
                }
            }
            Ok(None) => {
                self.ended = true;
                events.push(event("end", &self.sum()));
                return events;
            }
        }
        events.push(event(
            "progress",
            &Progress {
                done: self.done,
                of: self.asked.len(),
                waiting: self.app.solvers.load().1,
            },
        ));
        events
    }
}

impl AnalysisEvents {
    /// What can be said of each seat: nothing of a turn that was not judged.
    fn sum(&self) -> AnalysisEnd {
        let turns = [0, 1].map(|seat| self.asked.iter().filter(|(_, mover)| *mover == seat).count());
        let of = |seat: usize| self.judged.iter().filter(move |judged| judged.seat.index() == seat);
        let judged = [0, 1].map(|seat| of(seat).count());
        let mistakes = [0, 1].map(|seat| of(seat).filter(|judged| judged.is_mistake()).count());
        let accuracy = |seat: usize| {
            let whole = turns[seat] > 0 && turns[seat] == judged[seat];
            whole.then(|| (turns[seat] - mistakes[seat]) as f64 / turns[seat] as f64)
        };
        let complete = turns == judged;
        AnalysisEnd {
            complete,
            reason: if complete { "done" } else { "time" },
            turns,
            judged,
            accuracy: [0, 1].map(accuracy),
            mistakes,
        }
    }
}

impl JudgedTurn {
    fn of(ply: usize, judged: &exact::JudgedTurn) -> Self {
        JudgedTurn {
            ply,
            seat: judged.seat.index() + 1,
            turn: judged.turn.clone(),
            worth: judged.was,
            best_value: judged.best.value,
            best_plies: judged.best.plies,
            best: judged.better.iter().take(5).cloned().collect(),
            mistake: judged.is_mistake(),
            value_for_seat1: judged.for_first_seat(),
        }
    }
}

/// Every turn of the game judged, from the last backwards: events `turn`, `progress` and `end`.
#[api_macros::path(
    get, path = "/api/tables/{id}/analysis", tag = "understanding", params(("id" = String, Path)),
    responses((status = 200, body = JudgedTurn, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody))
)]
pub async fn analysis(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let live = app.tables.find(client, &id).await?;
    let mut questions: Vec<SolverQuestion<Option<exact::JudgedTurn>>> = Vec::new();
    let mut asked = Vec::new();
    {
        let table = live.table();
        let session = table.session();
        if !session.game().is_solvable() {
            return Err(unsolved());
        }
        // From the last turn backwards: late positions are solved fast, and what was learnt there answers earlier questions.
        for ply in (0..session.len()).rev() {
            questions.push(session.judge(ply).ok_or_else(unsolved)?);
            asked.push((ply, session.mover(ply).unwrap_or_default()));
        }
    }
    let events = AnalysisEvents {
        app: app.clone(),
        // A game has many positions, so its analysis may take longer than one look.
        answers: app.solvers.ask(client, questions, 2 * app.limits.solving)?,
        asked,
        done: 0,
        judged: Vec::new(),
        ended: false,
    };
    streams::answer(&app, client, events.stream())
}

/// How long a hint may take where it is proved, and where a player is asked.
const PROOF: Duration = Duration::from_secs(3);
const THOUGHT: Duration = Duration::from_millis(700);

/// A turn to play, and why.
#[api_macros::path(
    get, path = "/api/tables/{id}/hint", tag = "understanding", params(("id" = String, Path), PositionQuery),
    responses((status = 200, body = Hint), (status = "4XX", body = ErrorBody))
)]
pub async fn hint(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<PositionQuery>,
) -> Result<Json<Hint>, ApiError> {
    let live = app.tables.find(client, &id).await?;
    if let Some(position) = query.exact(&live)?
        && let Some(hint) = hint::proved(&app.solvers, client, position, PROOF).await?
    {
        return Ok(Json(hint));
    }
    // Nothing is known exactly, or that takes too long: a variant without a book, early in the game.
    searched_hint(&app, client, &live, &query).await.map(Json)
}

/// A hint of the game's strongest player.
async fn searched_hint(app: &App, client: Client, live: &LiveTable, query: &PositionQuery) -> Result<Hint, ApiError> {
    let adviser = {
        let table = live.table();
        let (ply, session) = (query.ply(&table)?, table.session());
        if session.mover(ply).is_none() {
            return Err(ApiError::game_over("the game is over"));
        }
        session.adviser(ply, &session.strongest(), 1)?
    };
    let advise =
        move || adviser(&clock_of(THOUGHT)).map_err(|error| ApiError::unavailable(format!("no hint: {error}")));
    app.tables.slowly(client, advise).await
}
