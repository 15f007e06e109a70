//! Tournaments: started, watched, and read.

use super::tables::SharedApp;
use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::client::Client;
use crate::extract::{Body, Path, Query};
use crate::limits::check_spec;
use crate::streams::{self, event};
use crate::tournaments::{NewTournament, Summary, TournamentStatus, WatchedGame};
use arena::export::{CSV_HEAD, csv_line, game_as_json};
use arena::gametext;
use arena::record::PairRecord;
use arena::store::Entry;
use axum::Json;
use axum::body::{Body as Bytes, Bytes as Chunk};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use game::Seat;
use games::describe::{IntoParams, ToSchema};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Reads or counts records on a thread that may wait for a disk.
async fn reading<T: Send + 'static>(
    app: &Arc<App>,
    client: Client,
    read: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let theirs = app.clone();
    app.tables.slowly(client, move || read(&theirs)).await
}

/// All tournaments.
#[derive(Serialize, ToSchema)]
pub struct List {
    /// The newest first.
    tournaments: Vec<Summary>,
}

/// All tournaments in the records.
#[api_macros::path(
    get, path = "/api/tournaments", operation_id = "list_tournaments", tag = "tournaments",
    responses((status = 200, body = List))
)]
pub async fn list(State(app): SharedApp, client: Client) -> Result<Json<List>, ApiError> {
    let tournaments = reading(&app, client, |app| app.tournaments.list()).await?;
    Ok(Json(List { tournaments }))
}

/// Starts a tournament; the same plan as an earlier one goes on with it.
#[api_macros::path(
    post, path = "/api/tournaments", tag = "tournaments", request_body = NewTournament,
    responses((status = 201, body = TournamentStatus), (status = "4XX", body = ErrorBody))
)]
pub async fn start(
    State(app): SharedApp,
    client: Client,
    Body(new): Body<NewTournament>,
) -> Result<(StatusCode, Json<Arc<TournamentStatus>>), ApiError> {
    let told = reading(&app, client, move |app| app.tournaments.start(&new)).await?;
    Ok((StatusCode::CREATED, Json(told)))
}

/// A tournament as it stands.
#[api_macros::path(
    get, path = "/api/tournaments/{id}", operation_id = "show_tournament", tag = "tournaments",
    params(("id" = i64, Path)),
    responses((status = 200, body = TournamentStatus), (status = "4XX", body = ErrorBody))
)]
pub async fn show(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<i64>,
) -> Result<Json<Arc<TournamentStatus>>, ApiError> {
    reading(&app, client, move |app| app.tournaments.show(id))
        .await
        .map(Json)
}

/// Games that are being played.
#[derive(Serialize, ToSchema)]
pub struct WatchedGames {
    /// The games, in the order of their pairs. Of one that nobody looked at before, nothing is told until its next turn.
    games: Vec<WatchedGame>,
}

/// The games of a tournament that this server is playing, as they stand.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/live", operation_id = "live_games", tag = "tournaments", params(("id" = i64, Path)),
    responses((status = 200, body = WatchedGames), (status = "4XX", body = ErrorBody))
)]
pub async fn live(State(app): SharedApp, client: Client, Path(id): Path<i64>) -> Result<Json<WatchedGames>, ApiError> {
    let games = reading(&app, client, move |app| app.tournaments.watched(id)).await?;
    Ok(Json(WatchedGames { games }))
}

/// Nothing to say.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Stops a tournament after the games that are running.
#[api_macros::path(
    post, path = "/api/tournaments/{id}/stop", tag = "tournaments", params(("id" = i64, Path)), request_body = Nothing,
    responses((status = 200, body = TournamentStatus), (status = "4XX", body = ErrorBody))
)]
pub async fn stop(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<i64>,
    Body(_): Body<Nothing>,
) -> Result<Json<Arc<TournamentStatus>>, ApiError> {
    reading(&app, client, move |app| app.tournaments.stop(id))
        .await
        .map(Json)
}

/// Goes on with a tournament that was stopped.
#[api_macros::path(
    post, path = "/api/tournaments/{id}/resume", operation_id = "resume_tournament", tag = "tournaments",
    params(("id" = i64, Path)), request_body = Nothing,
    responses((status = 200, body = TournamentStatus), (status = "4XX", body = ErrorBody))
)]
pub async fn resume(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<i64>,
    Body(_): Body<Nothing>,
) -> Result<Json<Arc<TournamentStatus>>, ApiError> {
    reading(&app, client, move |app| app.tournaments.resume(id))
        .await
        .map(Json)
}

/// A tournament as it goes: events `tournament`, and `end` when it is over.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/events", operation_id = "tournament_events", tag = "tournaments",
    params(("id" = i64, Path)),
    responses((status = 200, body = TournamentStatus, content_type = "text/event-stream"), (status = "4XX", body = ErrorBody))
)]
pub async fn events(State(app): SharedApp, client: Client, Path(id): Path<i64>) -> Result<Response, ApiError> {
    // Followed before it is looked at: an end in between is heard.
    let follow = app.tournaments.follow(id);
    let first = reading(&app, client, move |app| app.tournaments.show(id)).await?;
    enum Next {
        Tell(Arc<TournamentStatus>),
        Wait,
        End,
        Nothing,
    }
    let begin = (Next::Tell(first), follow);
    let events = stream::unfold(begin, |(next, mut follow)| async move {
        let told = match next {
            Next::Tell(told) => told,
            Next::Wait => {
                let follow = follow.as_mut()?;
                follow.changed().await.ok()?;
                follow.borrow_and_update().clone()
            }
            Next::End => return Some((event("end", &serde_json::json!({})), (Next::Nothing, follow))),
            Next::Nothing => return None,
        };
        let next = if told.is_running() && follow.is_some() {
            Next::Wait
        } else {
            Next::End
        };
        Some((event("tournament", &*told), (next, follow)))
    });
    streams::answer(&app, client, events)
}

/// Which part of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Pagination {
    /// How many to leave out.
    offset: Option<u64>,
    /// How many to show, at most 200; 50 if left out.
    limit: Option<u64>,
}

/// Games of a tournament.
#[derive(Serialize, ToSchema)]
pub struct GameList {
    /// Games recorded.
    total: u64,
    /// Those asked for.
    games: Vec<GameLine>,
}

/// A recorded game in a list.
#[derive(Serialize, ToSchema)]
struct GameLine {
    /// The pair.
    pair: u64,
    /// Which game of the pair, 1 or 2.
    game: usize,
    /// Who sat where.
    seats: [String; 2],
    /// The seat that won.
    winner: Option<usize>,
    /// How it ended.
    verdict: &'static str,
    /// Turns, the opening's included.
    turns: usize,
}

fn seats(entry: &Entry, pair: &PairRecord, game: usize) -> [String; 2] {
    [Seat::FIRST, Seat::SECOND].map(|seat| {
        let player = entry.players.get(pair.sitting(game, seat));
        player.map_or_else(|| "?".into(), |(name, _)| name.clone())
    })
}

fn turns(pair: &PairRecord, game: usize) -> Vec<String> {
    let opening = pair.opening.split_ascii_whitespace();
    opening
        .chain(pair.games[game].turns.split_ascii_whitespace())
        .map(String::from)
        .collect()
}

/// The recorded games of a tournament.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/games", operation_id = "tournament_games", tag = "tournaments",
    params(("id" = i64, Path), Pagination),
    responses((status = 200, body = GameList), (status = "4XX", body = ErrorBody))
)]
pub async fn games(
    State(app): SharedApp,
    client: Client,
    Path(id): Path<i64>,
    Query(part): Query<Pagination>,
) -> Result<Json<GameList>, ApiError> {
    let (offset, limit) = (part.offset.unwrap_or(0), part.limit.unwrap_or(50).min(200));
    reading(&app, client, move |app| {
        let entry = app.tournaments.entry(id)?;
        let store = app.tournaments.records()?;
        // Two games a pair.
        let pairs = store
            .some_pairs(id, offset / 2, limit / 2 + 2)
            .map_err(ApiError::unavailable)?;
        let lines = pairs.iter().flat_map(|pair| (0..2).map(move |game| (pair, game)));
        let games = lines
            .skip((offset % 2) as usize)
            .take(limit as usize)
            .map(|(pair, game)| GameLine {
                pair: pair.number,
                game: game + 1,
                seats: seats(&entry, pair, game),
                winner: pair.games[game].winner.map(|seat| seat.index() + 1),
                verdict: pair.games[game].kind.word(),
                turns: turns(pair, game).len(),
            })
            .collect();
        Ok(Json(GameList {
            total: 2 * entry.pairs,
            games,
        }))
    })
    .await
}

/// A recorded game.
#[derive(Serialize, ToSchema)]
pub struct RecordedGame {
    /// The game's name.
    game: String,
    /// Who sat where.
    seats: [String; 2],
    /// The specs of those who can also play at a table here.
    players: [Option<String>; 2],
    /// The seat that won.
    winner: Option<usize>,
    /// How it ended.
    verdict: &'static str,
    /// The position it began from, if that is not the game's own first one.
    start: Option<String>,
    /// The turns.
    turns: Vec<String>,
    /// The game as text, to be opened as a table.
    text: String,
}

/// One recorded game.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/games/{pair}/{game}", tag = "tournaments",
    params(("id" = i64, Path), ("pair" = u64, Path), ("game" = usize, Path, minimum = 1, maximum = 2)),
    responses((status = 200, body = RecordedGame), (status = "4XX", body = ErrorBody))
)]
pub async fn game(
    State(app): SharedApp,
    client: Client,
    Path((id, number, game)): Path<(i64, u64, usize)>,
) -> Result<Json<RecordedGame>, ApiError> {
    if !(1..=2).contains(&game) || number >= 1 << 40 {
        return Err(ApiError::not_found("a pair has games 1 and 2"));
    }
    reading(&app, client, move |app| {
        let entry = app.tournaments.entry(id)?;
        let store = app.tournaments.records()?;
        let pair = store.pair(id, number).map_err(ApiError::not_found)?;
        let names: Vec<String> = entry.players.iter().map(|(name, _)| name.clone()).collect();
        let record = &pair.games[game - 1];
        Ok(Json(RecordedGame {
            seats: seats(&entry, &pair, game - 1),
            players: [Seat::FIRST, Seat::SECOND].map(|seat| {
                let spec = entry.players.get(pair.sitting(game - 1, seat)).map(|(_, spec)| spec);
                spec.filter(|spec| check_spec(spec).is_ok()).cloned()
            }),
            winner: record.winner.map(|seat| seat.index() + 1),
            verdict: record.kind.word(),
            start: pair.start.clone(),
            turns: turns(&pair, game - 1),
            text: gametext::write(&entry.game, &pair, game - 1, &names),
            game: entry.game,
        }))
    })
    .await
}

/// All games as one JSON object a line.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/records.jsonl", tag = "tournaments", params(("id" = i64, Path)),
    responses((status = 200, body = String, content_type = "application/x-ndjson"), (status = "4XX", body = ErrorBody))
)]
pub async fn jsonl(State(app): SharedApp, client: Client, Path(id): Path<i64>) -> Result<Response, ApiError> {
    let line = |entry: &Entry, pair: &PairRecord, game| game_as_json(entry, pair, game).to_string() + "\n";
    download(&app, client, id, "jsonl", "application/x-ndjson", String::new(), line).await
}

/// All games as a table.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/records.csv", tag = "tournaments", params(("id" = i64, Path)),
    responses((status = 200, body = String, content_type = "text/csv"), (status = "4XX", body = ErrorBody))
)]
pub async fn csv(State(app): SharedApp, client: Client, Path(id): Path<i64>) -> Result<Response, ApiError> {
    download(
        &app,
        client,
        id,
        "csv",
        "text/csv; charset=utf-8",
        format!("{CSV_HEAD}\n"),
        csv_line,
    )
    .await
}

/// Sends records as they are read, so that they need never be in memory together.
async fn download(
    app: &Arc<App>,
    client: Client,
    id: i64,
    ending: &str,
    kind: &'static str,
    head: String,
    line: fn(&Entry, &PairRecord, usize) -> String,
) -> Result<Response, ApiError> {
    let ticket = app.stream_ticket(client)?;
    let (entry, store) = reading(app, client, move |app| {
        Ok((app.tournaments.entry(id)?, app.tournaments.records()?))
    })
    .await?;
    let (sender, receiver) = mpsc::channel::<Chunk>(8);
    tokio::task::spawn_blocking(move || {
        const ENOUGH: usize = 64 << 10;
        let mut text = head;
        let mut gone = false;
        let read = store.each_pair(id, |pair| {
            if gone {
                return;
            }
            for game in 0..2 {
                text += &line(&entry, &pair, game);
            }
            if text.len() >= ENOUGH {
                gone = sender.blocking_send(std::mem::take(&mut text).into()).is_err();
            }
        });
        if read.is_ok() && !gone {
            let _ = sender.blocking_send(text.into());
        }
    });
    let chunks = stream::unfold((receiver, ticket), |(mut receiver, ticket)| async move {
        let chunk = receiver.recv().await?;
        Some((Ok::<_, Infallible>(chunk), (receiver, ticket)))
    });
    let name = format!("attachment; filename=\"tournament-{id}.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_string()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, Bytes::from_stream(chunks)).into_response())
}
