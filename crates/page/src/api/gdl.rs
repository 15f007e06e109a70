//! Rule sheets: what is wrong with them, and where.

use crate::app::App;
use crate::client::Client;
use crate::extract::Body;
use crate::refusal::{Refusal, Refused};
use axum::Json;
use axum::extract::State;
use games::sheets::Checked;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A rule sheet.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SheetAsked {
    /// The rules.
    sheet: String,
}

/// Checks a rule sheet.
#[utoipa::path(
    post, path = "/api/gdl/check", tag = "games", request_body = SheetAsked,
    responses((status = 200, body = Checked), (status = "4XX", body = Refused))
)]
pub async fn check(
    State(app): State<Arc<App>>,
    client: Client,
    Body(asked): Body<SheetAsked>,
) -> Result<Json<Checked>, Refusal> {
    let catalogue = app.hall.catalogue().clone();
    app.hall
        .slowly(client, move || Ok(Json(catalogue.check(&asked.sheet))))
        .await
}
