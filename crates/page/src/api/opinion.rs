//! What the strongest player thinks where nobody knows the truth.

use crate::api::understanding::known_ply;
use crate::api_error::{ApiError, ErrorBody};
use crate::app::App;
use crate::client::Client;
use crate::extract::{Path, Query};
use crate::tables::clock_of;
use axum::Json;
use axum::extract::State;
use player::Score;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

/// How long it thinks about one position.
const THOUGHT: Duration = Duration::from_millis(400);

/// Which position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OpinionQuery {
    /// After how many turns; as many as stand if left out.
    ply: Option<usize>,
}

/// What the strongest player thinks of a position: an opinion, not the truth.
#[derive(Serialize, ToSchema)]
pub struct Opinion {
    /// Who thinks so.
    player: String,
    /// Who is to move, from 1.
    mover: usize,
    /// The turn that it would make.
    turn: String,
    /// The same as people write it.
    written: String,
    /// What it expects for who is to move: 1 is a win, 0 a loss; null where it did not think, having no choice or no time.
    expects: Option<f64>,
    /// Whether it has seen a forced win or loss.
    forced: bool,
    /// How it thinks the game goes on, its own turn first.
    line: Vec<String>,
}

/// The opinion of the strongest player on a position, for games of two.
#[utoipa::path(
    get, path = "/api/tables/{id}/opinion", tag = "understanding", params(("id" = String, Path), OpinionQuery),
    responses((status = 200, body = Opinion), (status = "4XX", body = ErrorBody))
)]
pub async fn opinion(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Query(query): Query<OpinionQuery>,
) -> Result<Json<Opinion>, ApiError> {
    let live = app.tables.find(client, &id).await?;
    let (think, player, ply, mover) = {
        let table = live.table();
        let ply = known_ply(&table, query.ply.unwrap_or(table.ply()))?;
        let session = table.session();
        if session.game().seats() != 2 || session.choosers(ply).len() > 1 {
            return Err(ApiError::unsupported("opinions are for two who move in turn"));
        }
        let mover = session
            .mover(ply)
            .ok_or_else(|| ApiError::game_over("the game is over"))?;
        let player = session.strongest();
        (session.thinker(ply, &player, 1)?, player, ply, mover)
    };
    let thought =
        move || think(&clock_of(THOUGHT)).map_err(|error| ApiError::unavailable(format!("no opinion: {error}")));
    let said = app.tables.slowly(client, thought).await?;
    let table = live.table();
    let session = table.session();
    let moment = session.moment(ply);
    let at = moment.legal.iter().position(|turn| *turn == said.best);
    let written = at.and_then(|at| moment.legal_written.get(at).cloned());
    // Where there was no time to look at anything there is no opinion either.
    let looked = said.nodes.is_some_and(|nodes| nodes > 0);
    let expects = said.score.filter(|_| looked).map(|score| session.expectation(score));
    Ok(Json(Opinion {
        player,
        mover: mover + 1,
        written: written.unwrap_or_else(|| said.best.clone()),
        turn: said.best,
        expects,
        forced: matches!(said.score, Some(Score::Mate(_))),
        line: said.pv,
    }))
}
