//! Tables: games being played.

use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::catalogue;
use crate::client::Client;
use crate::extract::{Body, Path};
#[cfg(feature = "describe")]
use crate::public_table::ClientTable;
use crate::public_table::Snapshot;
use crate::record::beginning;
use crate::streams;
use crate::table::{Action, By, Placement, Seating, Table, TimeControl};
use crate::tables::{LiveTable, TableChange, unguessable};
use arena::gametext::GameText;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use games::describe::ToSchema;
use games::sheets::PASTED;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub(super) type SharedApp = State<Arc<App>>;

/// A table, already written as JSON.
pub struct TableJson(StatusCode, String);

impl TableJson {
    /// The table as who asks sees it.
    pub(super) fn new(status: StatusCode, table: &Snapshot, client: Client) -> Self {
        TableJson(status, table.json(client.person))
    }
}

impl IntoResponse for TableJson {
    fn into_response(self) -> Response {
        (self.0, [(header::CONTENT_TYPE, "application/json")], self.1).into_response()
    }
}

pub(super) type TableResponse = Result<TableJson, ApiError>;

/// A new table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// The game's name, `gdl` for a pasted sheet; may be left out if `text` says it.
    #[schema(example = "quarto")]
    game: Option<String>,
    /// A rule sheet.
    sheet: Option<String>,
    /// Who sits where: "human" for who asks, "open" for whoever sits down first, or a player's spec. All seats are yours if
    /// this is left out.
    #[schema(example = json!(["human", "perfect:level=5"]))]
    seats: Option<Vec<String>>,
    /// What the seats are called: who played a recorded game, say.
    names: Option<Vec<Option<String>>>,
    /// The position to begin from.
    position: Option<String>,
    /// Turns already played.
    turns: Option<Vec<String>>,
    /// A game record, turns or a position as pasted.
    text: Option<String>,
    /// How long a program's turn takes at least.
    pace_ms: Option<u32>,
    /// Whether programs wait for `resume`.
    paused: Option<bool>,
    /// How much time every person has; no clock if left out.
    clock: Option<ClockRequest>,
}

/// How much time every person has. The clocks start with the second turn, once all seats are taken.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockRequest {
    /// For the whole game: a second to a day.
    #[schema(minimum = 1000, maximum = 86400000)]
    base_ms: u64,
    /// What each turn adds: at most an hour.
    #[schema(maximum = 3600000)]
    increment_ms: u64,
}

impl ClockRequest {
    fn control(&self) -> Result<TimeControl, ApiError> {
        TimeControl::requested(self.base_ms, self.increment_ms)
    }
}

/// Opens a table.
#[api_macros::path(
    post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn create(State(app): SharedApp, client: Client, Body(new): Body<NewTable>) -> TableResponse {
    let told = new.text.as_deref().and_then(|text| GameText::parse(text).game);
    let game = match (&new.sheet, told.or(new.game)) {
        (Some(_), _) => PASTED.to_string(),
        (None, Some(game)) => game,
        (None, None) => return Err(ApiError::bad_request("expected a `game`; /api/games lists them")),
    };
    let found = app.tables.game(client, &game, new.sheet.as_deref()).await?;
    let clock = new.clock.as_ref().map(ClockRequest::control).transpose()?;
    let (id, sheet) = (unguessable()?, new.sheet);
    let set_up = move || -> Result<Table, ApiError> {
        let mut session = catalogue::begin(found);
        let (position, turns) = beginning(session.as_ref(), new.text, new.position, new.turns)?;
        if position.is_some() || !turns.is_empty() {
            session.replace(position.as_deref(), &turns)?;
        }
        let mut table = Table::new(id, game, sheet, session, client.person);
        let by = By::person(client.person);
        if let Some(seats) = new.seats {
            let seats = seats.iter().map(|text| Some(Placement::read(text)));
            table.act(by, Action::seats(seats.collect()))?;
        }
        table.name_seats(&new.names.unwrap_or_default());
        if let Some(pace) = new.pace_ms {
            table.set_pace(pace);
        }
        table.pause(new.paused.unwrap_or(false));
        if let Some(control) = clock {
            table.set_clocks(control);
        }
        Ok(table)
    };
    let table = tokio::task::spawn_blocking(set_up)
        .await
        .map_err(ApiError::unavailable)??;
    let live = app.tables.add(client, table)?;
    let snapshot = Snapshot::of(&live.table(), None);
    Ok(TableJson::new(StatusCode::CREATED, &snapshot, client))
}

/// The tables touched last.
#[derive(Serialize, ToSchema)]
pub struct TableList {
    /// The newest first.
    tables: Vec<TableLine>,
}

/// A table in a list.
#[derive(Serialize, ToSchema)]
struct TableLine {
    /// Its name in links.
    id: String,
    /// The game.
    game: String,
    /// What a pasted sheet says of itself.
    title: Option<String>,
    /// Who sits where.
    seats: Vec<SeatLine>,
    /// How many turns stand.
    ply: usize,
    /// Whether the game is over.
    over: bool,
    /// Whether you may change or forget it.
    in_charge: bool,
    /// When it was changed last, UTC.
    updated: String,
}

/// A seat in a list.
#[derive(Serialize, ToSchema)]
struct SeatLine {
    /// "human", "open", or a player's spec.
    player: String,
    /// What they are called, if that is told.
    name: Option<String>,
    /// Whether it is yours.
    yours: bool,
}

/// The tables touched last: on a server for many, only yours.
#[api_macros::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = TableList)))]
pub async fn list(State(app): SharedApp, client: Client) -> Result<Json<TableList>, ApiError> {
    // On a server for many, whose table it is, is nobody else's business.
    let of = app.token.is_some().then_some(client.person);
    // To find somebody's among many, all are looked at: not on a thread that serves requests.
    let read = move || app.tables.store().latest(50, of).map_err(ApiError::unavailable);
    let tables = tokio::task::spawn_blocking(read)
        .await
        .map_err(ApiError::unavailable)??;
    let line = |listed: crate::table_store::Listed| {
        let seating = Seating {
            owners: listed.seats.iter().map(|seat| seat.owner).collect(),
            host: listed.host,
        };
        let seats = listed.seats.into_iter().map(|seat| SeatLine {
            yours: seat.owner == Some(client.person),
            player: seat.player,
            name: seat.name,
        });
        TableLine {
            id: listed.id,
            game: listed.game,
            title: listed.sheet.as_deref().map(catalogue::title),
            seats: seats.collect(),
            ply: listed.ply,
            over: listed.over,
            in_charge: seating.in_charge(client.person),
            updated: listed.updated,
        }
    };
    Ok(Json(TableList {
        tables: tables.into_iter().map(line).collect(),
    }))
}

async fn look(app: &Arc<App>, client: Client, id: &str, ply: Option<usize>) -> TableResponse {
    let live = app.tables.find(client, id).await?;
    let slow = live.table().session().game().is_slow();
    let shown = move |live: Arc<LiveTable>| {
        let table = live.table();
        if ply.is_some_and(|ply| ply > table.session().len()) {
            return Err(ApiError::not_found(format!(
                "the game has {} turns",
                table.session().len()
            )));
        }
        Ok(Snapshot::of(&table, ply))
    };
    let snapshot = match slow {
        true => app.tables.slowly(client, move || shown(live)).await?,
        false => shown(live)?,
    };
    Ok(TableJson::new(StatusCode::OK, &snapshot, client))
}

/// A table.
#[api_macros::path(
    get, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)),
    responses((status = 200, body = ClientTable), (status = 404, body = ErrorBody))
)]
pub async fn show(State(app): SharedApp, client: Client, Path(id): Path<String>) -> TableResponse {
    look(&app, client, &id, None).await
}

/// A table as it stood after so many turns.
#[api_macros::path(
    get, path = "/api/tables/{id}/at/{ply}", tag = "tables", params(("id" = String, Path), ("ply" = usize, Path)),
    responses((status = 200, body = ClientTable), (status = 404, body = ErrorBody))
)]
pub async fn at(State(app): SharedApp, client: Client, Path((id, ply)): Path<(String, usize)>) -> TableResponse {
    look(&app, client, &id, Some(ply)).await
}

/// Forgets a table.
#[api_macros::path(
    delete, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)),
    responses((status = 204), (status = 403, body = ErrorBody), (status = 404, body = ErrorBody))
)]
pub async fn forget(State(app): SharedApp, client: Client, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    let live = app.tables.find(client, &id).await?;
    app.tables.forget(&live, client, &id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The game as text that can be pasted again.
#[api_macros::path(
    get, path = "/api/tables/{id}/record", tag = "tables", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = ErrorBody))
)]
pub async fn record(State(app): SharedApp, client: Client, Path(id): Path<String>) -> Result<String, ApiError> {
    let live = app.tables.find(client, &id).await?;
    let record = live.table().record();
    Ok(record)
}

/// The table now and after every change: events `table`, and `gone` at the end of a table that was forgotten.
#[api_macros::path(
    get, path = "/api/tables/{id}/events", tag = "tables", params(("id" = String, Path)),
    responses((status = 200, body = ClientTable, content_type = "text/event-stream"), (status = 404, body = ErrorBody), (status = 429, body = ErrorBody))
)]
pub async fn events(State(app): SharedApp, client: Client, Path(id): Path<String>) -> Result<Response, ApiError> {
    let live = app.tables.find(client, &id).await?;
    let mut changes = live.follow();
    changes.mark_changed();
    app.tables.look_after(&live);
    // The table must not leave memory while somebody follows it.
    let following = (changes, Some(live));
    let events = stream::unfold(following, move |(mut changes, live)| async move {
        let live = live?;
        changes.changed().await.ok()?;
        let latest = changes.borrow_and_update().clone();
        Some(match latest {
            TableChange::Table(table) => {
                let event = Event::default().event("table").id(table.version().to_string());
                (event.data(table.json(client.person)), (changes, Some(live)))
            }
            TableChange::Gone => (
                Event::default().event("gone").data("{}"),
                (changes, None::<Arc<LiveTable>>),
            ),
        })
    });
    streams::answer(&app, client, events)
}
