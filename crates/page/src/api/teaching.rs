//! Teaching: puzzles, openings, and where a turn leads.

use super::understanding::{known_ply, unsolved};
use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::client::Client;
use crate::extract::{Path, Query};
use crate::public_game::ExploredPosition;
use crate::public_puzzle::PuzzleTry;
use axum::Json;
use axum::extract::State;
use games::AnyGame;
use games::describe::IntoParams;
use games::exact::{Consequence, SolverQuestion};
use games::puzzles::{PuzzleQuestion, PuzzleSet};
use serde::Deserialize;
use std::sync::Arc;

/// A listed game. The first time it is asked for, it may take a moment.
async fn find(app: &Arc<App>, name: String) -> Result<Arc<dyn AnyGame>, ApiError> {
    let app = app.clone();
    let find = move || app.tables.catalogue().game(&name);
    tokio::task::spawn_blocking(find).await.map_err(ApiError::unavailable)?
}

/// The answer to one question, if the solvers find it in time.
async fn answer<T: Send + 'static>(app: &App, client: Client, question: SolverQuestion<T>) -> Result<T, ApiError> {
    let mut answers = app.solvers.ask(client, vec![question], app.limits.solving)?;
    match answers.recv().await {
        Some((_, Some(answer))) => Ok(answer),
        _ => Err(ApiError::unavailable("this takes longer than a page may ask for")),
    }
}

/// The puzzles of a game, all at once: who has them needs nobody to solve them.
#[api_macros::path(
    get, path = "/api/puzzles/{game}", tag = "understanding", params(("game" = String, Path)),
    responses((status = 200, body = PuzzleSet), (status = "4XX", body = ErrorBody))
)]
pub async fn puzzles(State(app): State<Arc<App>>, Path(game): Path<String>) -> Result<Json<PuzzleSet>, ApiError> {
    let found = find(&app, game).await?.puzzles();
    found
        .map(Json)
        .ok_or_else(|| ApiError::not_found("there are no puzzles of that game"))
}

/// What is tried.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TryQuery {
    /// The turns so far, separated by spaces, those of the other among them; the last is what is tried.
    turns: Option<String>,
    /// Whether the solution from there is wanted instead of a verdict.
    #[serde(default)]
    solution: bool,
}

/// What came of a try of a puzzle, and how the game goes on: for games whose puzzles the page cannot judge itself.
#[api_macros::path(
    get, path = "/api/puzzles/{game}/{number}", tag = "understanding", params(("game" = String, Path), ("number" = usize, Path), TryQuery),
    responses((status = 200, body = PuzzleTry), (status = "4XX", body = ErrorBody), (status = 503, body = ErrorBody))
)]
pub async fn try_puzzle(
    State(app): State<Arc<App>>,
    client: Client,
    Path((game, number)): Path<(String, usize)>,
    Query(query): Query<TryQuery>,
) -> Result<Json<PuzzleTry>, ApiError> {
    let game = find(&app, game).await?;
    let turns = query.turns.unwrap_or_default();
    let turns: Vec<String> = turns.split_whitespace().map(String::from).collect();
    let asked = if query.solution {
        PuzzleQuestion::Solution
    } else {
        PuzzleQuestion::Verdict
    };
    let work = move || PuzzleTry::of(&game, number, &turns, asked);
    app.tables.slowly(client, work).await.map(Json)
}

/// Which turn.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TurnQuery {
    /// After how many turns.
    ply: usize,
    /// The turn that is or might be played there.
    turn: String,
}

/// What a turn leads to: its value, and how the game goes on to the end if it wins or loses.
#[api_macros::path(
    get, path = "/api/tables/{id}/consequence", tag = "understanding", params(("id" = String, Path), TurnQuery),
    responses((status = 200, body = Consequence), (status = "4XX", body = ErrorBody), (status = 503, body = ErrorBody))
)]
pub async fn consequence(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<TurnQuery>,
) -> Result<Json<Consequence>, ApiError> {
    let live = app.tables.find(client, &id).await?;
    let question = {
        let table = live.table();
        let ply = known_ply(&table, query.ply)?;
        let asked = table.session().consequence(ply, &query.turn);
        asked.ok_or_else(unsolved)??
    };
    answer(&app, client, question).await.map(Json)
}

/// So many pairs of recorded games are looked at.
const MOST_RECORDS: u64 = 10_000;

/// How a game went so far.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OpeningQuery {
    /// The turns so far, separated by spaces; none if left out.
    turns: Option<String>,
}

/// What the turns after some others are worth, for who explores openings.
#[api_macros::path(
    get, path = "/api/openings/{game}", tag = "understanding", params(("game" = String, Path), OpeningQuery),
    responses((status = 200, body = ExploredPosition), (status = "4XX", body = ErrorBody), (status = 503, body = ErrorBody))
)]
pub async fn opening(
    State(app): State<Arc<App>>,
    client: Client,
    Path(game): Path<String>,
    Query(query): Query<OpeningQuery>,
) -> Result<Json<ExploredPosition>, ApiError> {
    let game = find(&app, game).await?;
    if !game.is_solvable() {
        return Err(unsolved());
    }
    let turns = query.turns.unwrap_or_default();
    let turns: Vec<String> = turns.split_whitespace().map(String::from).collect();
    let mut session = game.clone().session();
    session.replace(None, &turns)?;
    let ply = session.len();
    let branches = match session.mover(ply) {
        Some(_) => answer(&app, client, session.branches(ply).ok_or_else(unsolved)?).await?,
        None => Vec::new(),
    };
    let options: Vec<String> = branches.iter().map(|branch| branch.turn.clone()).collect();
    let theirs = app.clone();
    let count = move || {
        let games = theirs.tournaments.played(game.name(), MOST_RECORDS)?;
        game.choices(&turns, &options, &games).map_err(ApiError::bad_turn)
    };
    Ok(Json(ExploredPosition {
        view: session.moment(ply).view,
        branches,
        recorded: app.tables.slowly(client, count).await?,
    }))
}
