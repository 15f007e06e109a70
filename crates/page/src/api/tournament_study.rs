//! What a tournament teaches: how its ratings came about, and how far its players are from perfect play.

use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::client::Client;
use crate::extract::Path;
use crate::tournaments::Tournaments;
use arena::record::PairRecord;
use arena::standings::Standings;
use axum::Json;
use axum::extract::State;
use games::describe::ToSchema;
use serde::Serialize;
use std::sync::Arc;

/// More points than that cannot be told apart in a curve.
const MOST_POINTS: u64 = 60;

/// As many pairs are judged: enough for a tenth of a mistake, and done in seconds.
const JUDGED_PAIRS: usize = 60;

/// Ratings as pairs were played.
#[derive(Serialize, ToSchema)]
pub struct RatingCurve {
    /// What the players are called, by number.
    players: Vec<String>,
    /// The latest last.
    points: Vec<CurvePoint>,
}

/// The ratings after so many pairs.
#[derive(Serialize, ToSchema)]
struct CurvePoint {
    /// Pairs counted, in the order of their numbers.
    pairs: u64,
    /// The rating of each player, by number.
    elo: Vec<f64>,
}

/// How the ratings of a tournament came about.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/curve", operation_id = "rating_curve", tag = "tournaments",
    params(("id" = i64, Path)),
    responses((status = 200, body = RatingCurve), (status = "4XX", body = ErrorBody))
)]
pub async fn curve(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<i64>,
) -> Result<Json<RatingCurve>, ApiError> {
    let theirs = app.clone();
    let read = move || curve_of(&theirs.tournaments, id);
    app.tables.slowly(client, read).await.map(Json)
}

fn curve_of(tournaments: &Tournaments, id: i64) -> Result<RatingCurve, ApiError> {
    let entry = tournaments.entry(id)?;
    let plan = tournaments.plan(&entry)?;
    let mut standings = Standings::new(plan.players.len(), &plan.meetings());
    let step = entry.pairs.div_ceil(MOST_POINTS).max(1);
    let mut points = Vec::new();
    let count = |pair: PairRecord| {
        standings.count(&pair);
        if standings.pairs.is_multiple_of(step) {
            points.push(CurvePoint {
                pairs: standings.pairs,
                elo: standings.ratings().iter().map(|rating| rating.value).collect(),
            });
        }
    };
    (tournaments.records()?.each_pair(id, count)).map_err(ApiError::unavailable)?;
    Ok(RatingCurve {
        players: plan.players.iter().map(|player| player.name.clone()).collect(),
        points,
    })
}

/// How the players of a tournament compare with perfect play.
#[derive(Serialize, ToSchema)]
pub struct TournamentMistakes {
    /// By number.
    players: Vec<PlayerMistakes>,
}

/// A player's mistakes: turns that gave away a win or a draw.
#[derive(Serialize, ToSchema)]
struct PlayerMistakes {
    /// What it is called.
    name: String,
    /// Games that were judged.
    games: u64,
    /// Mistakes a game; null where no game was judged.
    per_game: Option<f64>,
    /// The share of its turns of which the truth is known.
    judged: f64,
}

/// What the players of a tournament give away a game, judged by the exact truth: for games that are solved. A sample of the
/// games, spread over the rounds.
#[api_macros::path(
    get, path = "/api/tournaments/{id}/mistakes", operation_id = "tournament_mistakes", tag = "tournaments",
    params(("id" = i64, Path)),
    responses((status = 200, body = TournamentMistakes), (status = "4XX", body = ErrorBody))
)]
pub async fn mistakes(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<i64>,
) -> Result<Json<TournamentMistakes>, ApiError> {
    let theirs = app.clone();
    let read = move || mistakes_of(&theirs, id);
    app.tables.slowly(client, read).await.map(Json)
}

fn mistakes_of(app: &App, id: i64) -> Result<TournamentMistakes, ApiError> {
    let entry = app.tournaments.entry(id)?;
    let game = app.tables.catalogue().game(&entry.game)?;
    let mut pairs = Vec::new();
    let keep = |pair| pairs.push(pair);
    (app.tournaments.records()?.each_pair(id, keep)).map_err(ApiError::unavailable)?;
    let found = game
        .mistakes(&pairs, JUDGED_PAIRS, entry.players.len())
        .ok_or_else(|| ApiError::unsupported("nobody knows what positions of this game are worth"))?
        .map_err(ApiError::unavailable)?;
    let named = entry.players.iter().map(|(name, _)| name.clone()).zip(found);
    let player = |(name, found): (String, arena::mistakes::Mistakes)| PlayerMistakes {
        name,
        games: found.games,
        per_game: (found.games > 0).then(|| found.per_game()),
        judged: found.judged(),
    };
    Ok(TournamentMistakes {
        players: named.map(player).collect(),
    })
}
