//! What there is to play, and how the server is.

use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::extract::Path;
use crate::public_game::{GameInfo, Preview};
use axum::Json;
use axum::extract::State;
use games::describe::ToSchema;
use serde::Serialize;
use std::sync::Arc;

/// All games.
#[derive(Clone, Serialize, ToSchema)]
pub struct Games {
    /// In the order a newcomer should read them.
    games: Vec<GameInfo>,
}

/// The games, and who plays them.
#[api_macros::path(get, path = "/api/games", tag = "games", responses((status = 200, body = Games)))]
pub async fn games(State(app): State<Arc<App>>) -> Result<Json<Games>, ApiError> {
    let list = move || {
        let found = games::all().into_iter();
        let found = found.filter_map(|game| app.tables.catalogue().game(&game.name).ok());
        found.map(|game| GameInfo::of(game.as_ref())).collect()
    };
    // Rule sheets must be built to know their roles; that takes a moment, once.
    let games = tokio::task::spawn_blocking(list).await.map_err(ApiError::unavailable)?;
    Ok(Json(Games { games }))
}

/// Pictures of games.
#[derive(Serialize, ToSchema)]
pub struct Previews {
    /// One a game, in the order of the games.
    previews: Vec<Preview>,
}

/// A picture of every game, for who chooses one.
#[api_macros::path(get, path = "/api/games/previews", tag = "games", responses((status = 200, body = Previews)))]
pub async fn previews(State(app): State<Arc<App>>) -> Result<Json<Previews>, ApiError> {
    let draw = move || {
        let found = games::all().into_iter();
        let found = found.filter_map(|game| app.tables.catalogue().game(&game.name).ok());
        found.map(|game| Preview::of(game.as_ref())).collect()
    };
    let previews = tokio::task::spawn_blocking(draw).await.map_err(ApiError::unavailable)?;
    Ok(Json(Previews { previews }))
}

/// A bundled rule sheet.
#[derive(Serialize, ToSchema)]
pub struct SheetText {
    /// Its name.
    name: String,
    /// The rules.
    text: &'static str,
}

/// The text of a bundled rule sheet, to be read and edited.
#[api_macros::path(
    get, path = "/api/gdl/sheets/{name}", tag = "games", params(("name" = String, Path)),
    responses((status = 200, body = SheetText), (status = 404, body = ErrorBody))
)]
pub async fn sheet(Path(name): Path<String>) -> Result<Json<SheetText>, ApiError> {
    match games::sheets::bundled(&name) {
        Some(text) => Ok(Json(SheetText { name, text })),
        None => Err(ApiError::not_found("no rule sheet of that name is bundled")),
    }
}

/// How the server is.
#[derive(Serialize, ToSchema)]
pub struct Status {
    /// Its version.
    version: &'static str,
    /// Tables in memory.
    tables: usize,
    /// Open streams.
    streams: usize,
    /// Programs that think.
    thinkers: Load,
    /// Questions to the solver.
    solver: Load,
    /// What went wrong the last time a table was written down.
    trouble: Option<String>,
}

/// How busy some threads are.
#[derive(Serialize, ToSchema)]
struct Load {
    /// Jobs that run.
    running: usize,
    /// Jobs that wait.
    waiting: usize,
}

impl Load {
    fn of((running, waiting): (usize, usize)) -> Self {
        Load { running, waiting }
    }
}

/// How busy the server is.
#[api_macros::path(get, path = "/api/status", tag = "games", responses((status = 200, body = Status)))]
pub async fn status(State(app): State<Arc<App>>) -> Json<Status> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        tables: app.tables.count(),
        streams: app.streams.count(),
        thinkers: Load::of(app.tables.thinkers().load()),
        solver: Load::of(app.solvers.load()),
        trouble: app.tables.store().trouble(),
    })
}

/// What others need to come here.
#[derive(Serialize, ToSchema)]
pub struct Access {
    /// Where they can reach the server, the best first; nowhere if only this machine can.
    addresses: Vec<String>,
    /// What a link must carry: `?token=…`. None on a server of this machine alone.
    token: Option<String>,
}

/// What a link for somebody else is made of.
#[api_macros::path(get, path = "/api/access", tag = "games", responses((status = 200, body = Access)))]
pub async fn access(State(app): State<Arc<App>>) -> Json<Access> {
    Json(Access {
        addresses: app.addresses.clone(),
        token: app.token.clone(),
    })
}
