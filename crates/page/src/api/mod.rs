//! The JSON API: what the page itself uses, described by the file it is generated into.

mod description;
mod games;
mod gdl;
mod opinion;
mod play;
mod qr;
mod tables;
mod teaching;
mod tournament_study;
mod tournaments;
mod understanding;

use crate::api_error::ApiError;
use crate::app::App;
use crate::compression::compress;
use crate::extract::wants_page;
use crate::guard::guard;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use description::Description;
use std::sync::Arc;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes, and their description.
fn api() -> (Router<Arc<App>>, OpenApi) {
    let (router, mut description) = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(games::games))
        .routes(routes!(games::previews))
        .routes(routes!(games::sheet))
        .routes(routes!(teaching::puzzles))
        .routes(routes!(teaching::try_puzzle))
        .routes(routes!(games::status))
        .routes(routes!(games::access))
        .routes(routes!(qr::qr))
        .routes(routes!(tables::create, tables::list))
        .routes(routes!(tables::show, play::settle, tables::forget))
        .routes(routes!(tables::at))
        .routes(routes!(tables::events))
        .routes(routes!(tables::record))
        .routes(routes!(play::play))
        .routes(routes!(play::sit))
        .routes(routes!(play::resign))
        .routes(routes!(play::draw))
        .routes(routes!(play::answer))
        .routes(routes!(play::undo))
        .routes(routes!(play::redo))
        .routes(routes!(play::go_to))
        .routes(routes!(play::pause))
        .routes(routes!(play::resume))
        .routes(routes!(play::restart))
        .routes(routes!(play::swap))
        .routes(routes!(play::replace))
        .routes(routes!(understanding::truth))
        .routes(routes!(understanding::analysis))
        .routes(routes!(understanding::hint))
        .routes(routes!(opinion::opinion))
        .routes(routes!(teaching::consequence))
        .routes(routes!(teaching::opening))
        .routes(routes!(gdl::check))
        .routes(routes!(tournaments::list, tournaments::start))
        .routes(routes!(tournaments::show))
        .routes(routes!(tournaments::stop))
        .routes(routes!(tournaments::resume))
        .routes(routes!(tournaments::events))
        .routes(routes!(tournaments::live))
        .routes(routes!(tournaments::games))
        .routes(routes!(tournaments::game))
        .routes(routes!(tournaments::jsonl))
        .routes(routes!(tournaments::csv))
        .routes(routes!(tournament_study::curve))
        .routes(routes!(tournament_study::mistakes))
        .split_for_parts();
    description::require_nullable(&mut description);
    (router, description)
}

/// The description of the API, as JSON.
pub fn openapi() -> String {
    api().1.to_pretty_json().unwrap_or_default() + "\n"
}

/// Everything the server answers.
pub fn router(app: Arc<App>) -> Router {
    let (api, description) = api();
    let description: Arc<str> = description.to_pretty_json().unwrap_or_default().into();
    let describe = move || {
        let description = description.to_string();
        async move { ([(header::CONTENT_TYPE, "application/json")], description) }
    };
    api.route("/api/openapi.json", get(describe))
        .method_not_allowed_fallback(|| async { ApiError::method_not_allowed("this cannot be asked that way") })
        .fallback(page)
        .layer(DefaultBodyLimit::max(app.limits.body))
        .layer(middleware::from_fn(compress))
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// The page's own files, for everything that is not the API.
async fn page(State(app): State<Arc<App>>, request: Request) -> Response {
    let path = request.uri().path();
    // The API's own page is for people; all else there is for programs.
    let described = path == "/api" && wants_page(request.headers());
    if !described && (path == "/api" || path.starts_with("/api/")) {
        return ApiError::not_found("there is no such thing in the API; /api/openapi.json describes it")
            .into_response();
    }
    match *request.method() {
        Method::GET | Method::HEAD => app.assets.serve(path, request.headers()),
        _ => ApiError::method_not_allowed("pages are read").into_response(),
    }
}
