//! Tables: games being played.

use crate::app::App;
use crate::client::Client;
use crate::extract::{Body, Path};
use crate::hall::{News, Place, json_of, unguessable};
use crate::line;
use crate::refusal::{Refusal, Refused};
use crate::shown::Shown;
use crate::streams;
use crate::table::{Sitter, Table};
use crate::view::Family;
use arena::gametext::GameText;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

type Shared = State<Arc<App>>;

/// A table, already written as JSON.
pub struct TableJson(StatusCode, Arc<str>);

impl IntoResponse for TableJson {
    fn into_response(self) -> Response {
        (self.0, [(header::CONTENT_TYPE, "application/json")], self.1.to_string()).into_response()
    }
}

type Answer = Result<TableJson, Refusal>;

/// A new table.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTable {
    /// The game's name, `gdl` for a pasted sheet; may be left out if `text` says it.
    #[schema(example = "quarto")]
    game: Option<String>,
    /// A rule sheet.
    sheet: Option<String>,
    /// Who sits where: "human" or a player's spec; all human if left out.
    #[schema(example = json!(["human", "perfect:level=5"]))]
    seats: Option<Vec<String>>,
    /// The position to begin from.
    position: Option<String>,
    /// Turns already played.
    turns: Option<Vec<String>>,
    /// A game record, turns or a position as pasted.
    text: Option<String>,
    /// How long a program's turn takes at least.
    pace_ms: Option<u32>,
}

/// Opens a table.
#[utoipa::path(
    post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn create(State(app): Shared, client: Client, Body(new): Body<NewTable>) -> Answer {
    let told = new.text.as_deref().and_then(|text| GameText::parse(text).game);
    let game = match (&new.sheet, told.or(new.game)) {
        (Some(_), _) => crate::hall::PASTED.to_string(),
        (None, Some(game)) => game,
        (None, None) => return Err(Refusal::bad_request("expected a `game`; /api/games lists them")),
    };
    let mut line = app.hall.line(client, &game, new.sheet.as_deref()).await?;
    let (id, sheet) = (unguessable()?, new.sheet);
    let seats: Option<Vec<_>> = new
        .seats
        .map(|seats| seats.iter().map(|text| Some(Sitter::read(text))).collect());
    let set_up = move || {
        match (new.text, new.position, new.turns) {
            (Some(text), None, None) => {
                let (position, turns) = line::pasted(&text, line.as_ref())?;
                line.replace(position.as_deref(), &turns)?;
            }
            (Some(_), _, _) => return Err(Refusal::bad_request("expected either `text` or `position` and `turns`")),
            (None, None, None) => (),
            (None, position, turns) => line.replace(position.as_deref(), &turns.unwrap_or_default())?,
        }
        let mut table = Table::new(id, game, sheet, line);
        if let Some(seats) = seats {
            table.seat(&seats)?;
        }
        if let Some(pace) = new.pace_ms {
            table.set_pace(pace);
        }
        Ok(table)
    };
    let table = tokio::task::spawn_blocking(set_up)
        .await
        .map_err(Refusal::unavailable)??;
    let place = app.hall.add(client, table)?;
    let json = json_of(&place.table().shown(None));
    Ok(TableJson(StatusCode::CREATED, json.into()))
}

/// The tables touched last.
#[derive(Serialize, ToSchema)]
pub struct Tables {
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
    /// Who sits where.
    seats: Vec<String>,
    /// How many turns stand.
    ply: usize,
    /// When it was changed last, UTC.
    updated: String,
}

/// The tables touched last.
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = Tables)))]
pub async fn list(State(app): Shared) -> Result<Json<Tables>, Refusal> {
    // On a server for many, whose table it is, is nobody else's business.
    if app.token.is_some() {
        return Ok(Json(Tables { tables: Vec::new() }));
    }
    let tables = app.hall.keeper().latest(50).map_err(Refusal::unavailable)?;
    let line = |listed: crate::keeper::Listed| TableLine {
        id: listed.id,
        game: listed.game,
        seats: listed.seats,
        ply: listed.ply,
        updated: listed.updated,
    };
    Ok(Json(Tables {
        tables: tables.into_iter().map(line).collect(),
    }))
}

/// Does something to a table and answers with it. What a rule sheet has to say may take a while, so its tables are not
/// touched on the threads that serve requests.
async fn act(
    app: Arc<App>,
    client: Client,
    id: String,
    deed: impl FnOnce(&mut Table) -> Result<(), Refusal> + Send + 'static,
) -> Answer {
    let place = app.hall.find(client, &id).await?;
    let slow = place.table().line().family() == Family::Gdl;
    let json = match slow {
        true => {
            let hall = app.hall.clone();
            app.hall
                .slowly(client, move || hall.change(&place, client, deed))
                .await?
        }
        false => app.hall.change(&place, client, deed)?,
    };
    Ok(TableJson(StatusCode::OK, json))
}

async fn look(app: &Arc<App>, client: Client, id: &str, ply: Option<usize>) -> Answer {
    let place = app.hall.find(client, id).await?;
    let slow = place.table().line().family() == Family::Gdl;
    let shown = move |place: Arc<Place>| {
        let table = place.table();
        if ply.is_some_and(|ply| ply > table.line().len()) {
            return Err(Refusal::not_found(format!("the game has {} turns", table.line().len())));
        }
        Ok(json_of(&table.shown(ply)))
    };
    let json = match slow {
        true => app.hall.slowly(client, move || shown(place)).await?,
        false => shown(place)?,
    };
    Ok(TableJson(StatusCode::OK, json.into()))
}

/// A table.
#[utoipa::path(
    get, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)),
    responses((status = 200, body = Shown), (status = 404, body = Refused))
)]
pub async fn show(State(app): Shared, client: Client, Path(id): Path<String>) -> Answer {
    look(&app, client, &id, None).await
}

/// A table as it stood after so many turns.
#[utoipa::path(
    get, path = "/api/tables/{id}/at/{ply}", tag = "tables", params(("id" = String, Path), ("ply" = usize, Path)),
    responses((status = 200, body = Shown), (status = 404, body = Refused))
)]
pub async fn at(State(app): Shared, client: Client, Path((id, ply)): Path<(String, usize)>) -> Answer {
    look(&app, client, &id, Some(ply)).await
}

/// Forgets a table.
#[utoipa::path(
    delete, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = Refused))
)]
pub async fn forget(State(app): Shared, client: Client, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    let place = app.hall.find(client, &id).await?;
    app.hall.forget(&place, &id);
    Ok(StatusCode::NO_CONTENT)
}

/// The game as text that can be pasted again.
#[utoipa::path(
    get, path = "/api/tables/{id}/record", tag = "tables", params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = Refused))
)]
pub async fn record(State(app): Shared, client: Client, Path(id): Path<String>) -> Result<String, Refusal> {
    let place = app.hall.find(client, &id).await?;
    let record = place.table().record();
    Ok(record)
}

/// The table now and after every change: events `table`, and `gone` at the end of a table that was forgotten.
#[utoipa::path(
    get, path = "/api/tables/{id}/events", tag = "tables", params(("id" = String, Path)),
    responses((status = 200, body = Shown, content_type = "text/event-stream"), (status = 404, body = Refused), (status = 429, body = Refused))
)]
pub async fn events(State(app): Shared, client: Client, Path(id): Path<String>) -> Result<Response, Refusal> {
    let place = app.hall.find(client, &id).await?;
    let mut news = place.follow();
    news.mark_changed();
    app.hall.look_after(&place);
    // The table must not leave memory while somebody follows it.
    let following = (news, Some(place));
    let events = stream::unfold(following, |(mut news, place)| async move {
        let place = place?;
        news.changed().await.ok()?;
        let latest = news.borrow_and_update().clone();
        Some(match latest {
            News::Table(version, json) => {
                let event = Event::default().event("table").id(version.to_string()).data(&*json);
                (event, (news, Some(place)))
            }
            News::Gone => (Event::default().event("gone").data("{}"), (news, None::<Arc<Place>>)),
        })
    });
    streams::answer(&app, client, events)
}

/// A turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnAsked {
    /// The turn as it is written.
    #[schema(example = "a1.c")]
    turn: String,
    /// How many turns stand before it.
    ply: usize,
}

/// Plays a turn for the person to move. The same turn twice (a double click) is played once.
#[utoipa::path(
    post, path = "/api/tables/{id}/turns", tag = "tables", params(("id" = String, Path)), request_body = TurnAsked,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn play(State(app): Shared, client: Client, Path(id): Path<String>, Body(asked): Body<TurnAsked>) -> Answer {
    act(app, client, id, move |table| table.play(asked.ply, &asked.turn)).await
}

/// How far.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Plies {
    /// How many turns; to where a person was asked if left out.
    plies: Option<usize>,
}

/// Takes turns back.
#[utoipa::path(
    post, path = "/api/tables/{id}/undo", tag = "tables", params(("id" = String, Path)), request_body = Plies,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn undo(State(app): Shared, client: Client, Path(id): Path<String>, Body(asked): Body<Plies>) -> Answer {
    act(app, client, id, move |table| table.undo(asked.plies)).await
}

/// Plays turns again that were taken back.
#[utoipa::path(
    post, path = "/api/tables/{id}/redo", tag = "tables", params(("id" = String, Path)), request_body = Plies,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn redo(State(app): Shared, client: Client, Path(id): Path<String>, Body(asked): Body<Plies>) -> Answer {
    act(app, client, id, move |table| table.redo(asked.plies)).await
}

/// Where to.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GoTo {
    /// How many turns are to stand.
    ply: usize,
}

/// Goes to a ply of the game; programs wait there.
#[utoipa::path(
    post, path = "/api/tables/{id}/goto", tag = "tables", params(("id" = String, Path)), request_body = GoTo,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn go_to(State(app): Shared, client: Client, Path(id): Path<String>, Body(asked): Body<GoTo>) -> Answer {
    act(app, client, id, move |table| table.go_to(asked.ply)).await
}

/// Nothing to say.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Programs wait.
#[utoipa::path(
    post, path = "/api/tables/{id}/pause", tag = "tables", params(("id" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn pause(State(app): Shared, client: Client, Path(id): Path<String>, Body(_): Body<Nothing>) -> Answer {
    act(app, client, id, |table| {
        table.pause(true);
        Ok(())
    })
    .await
}

/// Programs play on.
#[utoipa::path(
    post, path = "/api/tables/{id}/resume", tag = "tables", params(("id" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn resume(State(app): Shared, client: Client, Path(id): Path<String>, Body(_): Body<Nothing>) -> Answer {
    act(app, client, id, |table| {
        table.pause(false);
        Ok(())
    })
    .await
}

/// The same game from its start.
#[utoipa::path(
    post, path = "/api/tables/{id}/restart", tag = "tables", params(("id" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn restart(State(app): Shared, client: Client, Path(id): Path<String>, Body(_): Body<Nothing>) -> Answer {
    act(app, client, id, Table::restart).await
}

/// Everybody moves one seat on.
#[utoipa::path(
    post, path = "/api/tables/{id}/swap", tag = "tables", params(("id" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn swap(State(app): Shared, client: Client, Path(id): Path<String>, Body(_): Body<Nothing>) -> Answer {
    act(app, client, id, |table| {
        table.swap();
        Ok(())
    })
    .await
}

/// Who is to sit where, and how fast programs play.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Settle {
    /// "human", a player's spec, or null for who sits there already.
    seats: Option<Vec<Option<String>>>,
    /// How long a program's turn takes at least.
    pace_ms: Option<u32>,
}

/// Changes who sits where, at any time.
#[utoipa::path(
    patch, path = "/api/tables/{id}", tag = "tables", params(("id" = String, Path)), request_body = Settle,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn settle(State(app): Shared, client: Client, Path(id): Path<String>, Body(asked): Body<Settle>) -> Answer {
    act(app, client, id, move |table| {
        if let Some(seats) = asked.seats {
            let sitters: Vec<Option<Sitter>> = seats.iter().map(|seat| seat.as_deref().map(Sitter::read)).collect();
            table.seat(&sitters)?;
        }
        if let Some(pace) = asked.pace_ms {
            table.set_pace(pace);
        }
        Ok(())
    })
    .await
}

/// Another game of the same kind.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherGame {
    /// The position to begin from; the game's own first one if left out.
    position: Option<String>,
    /// The turns.
    turns: Option<Vec<String>>,
    /// A record, turns or a position as pasted, instead of the two.
    text: Option<String>,
}

/// Sets up a position, or another game of the same kind.
#[utoipa::path(
    put, path = "/api/tables/{id}/game", tag = "tables", params(("id" = String, Path)), request_body = OtherGame,
    responses((status = 200, body = Shown), (status = "4XX", body = Refused))
)]
pub async fn replace(
    State(app): Shared,
    client: Client,
    Path(id): Path<String>,
    Body(asked): Body<OtherGame>,
) -> Answer {
    act(app, client, id, move |table| {
        match (asked.text, asked.position, asked.turns) {
            (Some(text), None, None) => {
                let told = GameText::parse(&text).game;
                if let Some(other) = told.filter(|told| *told != table.game) {
                    let other = line::shortened(&other);
                    return Err(Refusal::bad_record(format!(
                        "this is a game of {other}: open a new table with it"
                    )));
                }
                let (position, turns) = line::pasted(&text, table.line())?;
                table.replace(position.as_deref(), &turns)
            }
            (Some(_), _, _) => Err(Refusal::bad_request("expected either `text` or `position` and `turns`")),
            (None, position, turns) => table.replace(position.as_deref(), &turns.unwrap_or_default()),
        }
    })
    .await
}
