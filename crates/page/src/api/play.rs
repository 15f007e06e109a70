//! What people do at tables.

use super::tables::{SharedApp, TableJson, TableResponse};
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::api_error::{ApiError, shortened};
use crate::app::App;
use crate::client::Client;
use crate::extract::{Body, Path};
#[cfg(feature = "describe")]
use crate::public_table::ClientTable;
use crate::record::beginning;
use crate::table::{Action, By, Placement, Table};
use arena::gametext::GameText;
use axum::extract::State;
use axum::http::StatusCode;
use games::describe::ToSchema;
use serde::Deserialize;
use std::sync::Arc;

/// Does something to a table and answers with it. What a rule sheet has to say may take a while, so its tables are not
/// touched on the threads that serve requests.
async fn change(
    app: Arc<App>,
    client: Client,
    id: String,
    deed: impl FnOnce(&mut Table) -> Result<(), ApiError> + Send + 'static,
) -> TableResponse {
    let live = app.tables.find(client, &id).await?;
    let slow = live.table().session().game().is_slow();
    let snapshot = match slow {
        true => {
            let tables = app.tables.clone();
            app.tables
                .slowly(client, move || tables.change(&live, client, deed))
                .await?
        }
        false => app.tables.change(&live, client, deed)?,
    };
    Ok(TableJson::new(StatusCode::OK, &snapshot, client))
}

/// Does what a client wants at a table, who saw that version of it.
async fn act(app: Arc<App>, client: Client, id: String, version: Option<u64>, action: Action) -> TableResponse {
    let by = By {
        person: client.person,
        version,
    };
    change(app, client, id, move |table| table.act(by, action)).await
}

/// A turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnRequest {
    /// The turn as it is written.
    #[schema(example = "a1.c")]
    turn: String,
    /// How many turns stand before it.
    ply: usize,
    /// The version of the table that you saw: if the game has changed since, nothing is done.
    version: Option<u64>,
}

/// Plays a turn for the person to move, whose seat must be yours. The same turn twice (a double click) is played once.
#[api_macros::path(
    post, path = "/api/tables/{id}/turns", tag = "tables", params(("id" = String, Path)), request_body = TurnRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn play(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<TurnRequest>,
) -> TableResponse {
    let (ply, turn) = (request.ply, request.turn);
    act(app, client, id, request.version, Action::Turn { ply, turn }).await
}

/// Where to sit down.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SitRequest {
    /// The seat, from 1; the first that is free if left out.
    seat: Option<usize>,
    /// What you want to be called.
    #[schema(example = "Anna")]
    name: Option<String>,
}

/// Takes a free seat. From then on only you move for it.
#[api_macros::path(
    post, path = "/api/tables/{id}/sit", tag = "tables", params(("id" = String, Path)), request_body = SitRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn sit(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<SitRequest>,
) -> TableResponse {
    let seat = match request.seat {
        Some(0) => return Err(ApiError::bad_request("seat: seats count from 1")),
        seat => seat.map(|seat| seat - 1),
    };
    let name = request.name;
    act(app, client, id, None, Action::Sit { seat, name }).await
}

/// Gives the game up.
#[api_macros::path(
    post, path = "/api/tables/{id}/resign", tag = "tables", params(("id" = String, Path)), request_body = VersionRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn resign(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<VersionRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Resign).await
}

/// Offers a draw. The others agree by `answer`, or by offering one themselves.
#[api_macros::path(
    post, path = "/api/tables/{id}/draw", tag = "tables", params(("id" = String, Path)), request_body = VersionRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn draw(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<VersionRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Draw).await
}

/// Yes or no.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerRequest {
    /// Whether you agree.
    agree: bool,
    /// The version of the table that you saw: if it has changed since, nothing is done.
    version: Option<u64>,
}

/// Says yes or no to what somebody asks for (`proposal`). Who asked takes it back by no.
#[api_macros::path(
    post, path = "/api/tables/{id}/answer", tag = "tables", params(("id" = String, Path)), request_body = AnswerRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn answer(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<AnswerRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Answer(request.agree)).await
}

/// How far.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StepsRequest {
    /// How many turns; to where a person was asked if left out.
    plies: Option<usize>,
    /// The version of the table that you saw: if it has changed since, nothing is done.
    version: Option<u64>,
}

/// Takes turns back. Where several choose at the same time, all of them choose again. Where others play, too, this and all
/// else that changes the game but by a turn only asks them for it (`proposal`).
#[api_macros::path(
    post, path = "/api/tables/{id}/undo", tag = "tables", params(("id" = String, Path)), request_body = StepsRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn undo(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<StepsRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Undo(request.plies)).await
}

/// Plays turns again that were taken back.
#[api_macros::path(
    post, path = "/api/tables/{id}/redo", tag = "tables", params(("id" = String, Path)), request_body = StepsRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn redo(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<StepsRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Redo(request.plies)).await
}

/// Where to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GoToRequest {
    /// How many turns are to stand.
    ply: usize,
    /// The version of the table that you saw: if it has changed since, nothing is done.
    version: Option<u64>,
}

/// Goes to a ply of the game; programs wait there.
#[api_macros::path(
    post, path = "/api/tables/{id}/goto", tag = "tables", params(("id" = String, Path)), request_body = GoToRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn go_to(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<GoToRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::GoTo(request.ply)).await
}

/// What the table must still be for something to be done.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VersionRequest {
    /// The version of the table that you saw: if it has changed since, nothing is done.
    version: Option<u64>,
}

/// Programs wait.
#[api_macros::path(
    post, path = "/api/tables/{id}/pause", tag = "tables", params(("id" = String, Path)), request_body = VersionRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn pause(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<VersionRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Pause(true)).await
}

/// Programs play on.
#[api_macros::path(
    post, path = "/api/tables/{id}/resume", tag = "tables", params(("id" = String, Path)), request_body = VersionRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn resume(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<VersionRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Pause(false)).await
}

/// The same game from its start.
#[api_macros::path(
    post, path = "/api/tables/{id}/restart", tag = "tables", params(("id" = String, Path)), request_body = VersionRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn restart(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<VersionRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Restart).await
}

/// Everybody moves one seat on.
#[api_macros::path(
    post, path = "/api/tables/{id}/swap", tag = "tables", params(("id" = String, Path)), request_body = VersionRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn swap(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<VersionRequest>,
) -> TableResponse {
    act(app, client, id, request.version, Action::Swap).await
}

/// Who is to sit where, and how fast programs play.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatsRequest {
    /// "human" for who asks, "open" for whoever sits down first, a player's spec, or null for who sits there already.
    seats: Option<Vec<Option<String>>>,
    /// What your own seats are called, null for those that stay as they are.
    names: Option<Vec<Option<String>>>,
    /// How long a program's turn takes at least.
    pace_ms: Option<u32>,
    /// The version of the table that you saw: if it has changed since, nothing is done.
    version: Option<u64>,
}

/// Changes who sits where, at any time. Seats of other people stay theirs.
#[api_macros::path(
    patch, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)), request_body = SeatsRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn settle(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<SeatsRequest>,
) -> TableResponse {
    let place = |seats: Vec<Option<String>>| seats.iter().map(|seat| seat.as_deref().map(Placement::read)).collect();
    let action = Action::Settle {
        seats: request.seats.map(place),
        names: request.names,
        pace_ms: request.pace_ms,
    };
    act(app, client, id, request.version, action).await
}

/// Another game of the same kind.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetupRequest {
    /// The position to begin from; the game's own first one if left out.
    position: Option<String>,
    /// The turns.
    turns: Option<Vec<String>>,
    /// A record, turns or a position as pasted, instead of the two.
    text: Option<String>,
    /// The version of the table that you saw: if it has changed since, nothing is done.
    version: Option<u64>,
}

/// Sets up a position, or another game of the same kind.
#[api_macros::path(
    put, path = "/api/tables/{id}/game", tag = "tables", params(("id" = String, Path)), request_body = SetupRequest,
    responses((status = 200, body = ClientTable), (status = "4XX", body = ErrorBody))
)]
pub async fn replace(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<String>,
    Body(request): Body<SetupRequest>,
) -> TableResponse {
    let by = By {
        person: client.person,
        version: request.version,
    };
    change(app, client, id, move |table| {
        let told = request.text.as_deref().and_then(|text| GameText::parse(text).game);
        if let Some(other) = told.filter(|told| *told != table.game) {
            let other = shortened(&other);
            return Err(ApiError::bad_record(format!(
                "this is a game of {other}: open a new table with it"
            )));
        }
        let (position, turns) = beginning(table.session(), request.text, request.position, request.turns)?;
        table.act(by, Action::Setup { position, turns })
    })
    .await
}
