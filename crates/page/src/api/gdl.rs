//! Rule sheets: what is wrong with them, and where.

use crate::api_error::ApiError;
#[cfg(feature = "describe")]
use crate::api_error::ErrorBody;
use crate::app::App;
use crate::client::Client;
use crate::extract::Body;
use axum::Json;
use axum::extract::State;
use games::describe::ToSchema;
use games::sheets::Checked;
use serde::Deserialize;
use std::sync::Arc;

/// A rule sheet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetRequest {
    /// The rules.
    sheet: String,
}

/// Checks a rule sheet.
#[api_macros::path(
    post, path = "/api/gdl/check", tag = "games", request_body = SheetRequest,
    responses((status = 200, body = Checked), (status = "4XX", body = ErrorBody))
)]
pub async fn check(
    State(app): State<Arc<App>>,
    client: Client,
    Body(request): Body<SheetRequest>,
) -> Result<Json<Checked>, ApiError> {
    let catalogue = app.tables.catalogue().clone();
    app.tables
        .slowly(client, move || Ok(Json(catalogue.check(&request.sheet))))
        .await
}
