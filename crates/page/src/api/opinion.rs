//! Opinions on request.

use crate::api::understanding::known_ply;
use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::client::Client;
use crate::extract::{Path, Query};
use crate::opinion::{Opinion, Subject, THOUGHT};
use crate::tables::clock_of;
use axum::Json;
use axum::extract::State;
use games::describe::IntoParams;
use serde::Deserialize;
use std::sync::Arc;

/// Which position.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct OpinionQuery {
    /// After how many turns; as many as stand if left out.
    ply: Option<usize>,
}

/// The opinion of the strongest player on a position, for games of two.
#[api_macros::path(
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
    let (subject, think) = {
        let table = live.table();
        let ply = known_ply(&table, query.ply.unwrap_or(table.ply()))?;
        Subject::of(table.session(), ply)?
    };
    let thought =
        move || think(&clock_of(THOUGHT)).map_err(|error| ApiError::unavailable(format!("no opinion: {error}")));
    let said = app.tables.slowly(client, thought).await?;
    Ok(Json(subject.opinion(live.table().session(), said)))
}
