//! The JSON API: what the page itself uses, described by the file it is generated into.

#[cfg(feature = "describe")]
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
use api_macros::routes;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
#[cfg(feature = "describe")]
pub use description::openapi;
use flate2::read::GzDecoder;
use std::io::Read;
use std::sync::Arc;

/// The description of the API, packed: `docs/openapi.json`, which is made from the handlers, and held to them by a test.
const DESCRIPTION: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));

/// Every route, for a router, in the order of the description; who says how a route is made of handlers comes along.
macro_rules! every_route {
    ($router:expr, $routes:ident) => {
        $router
            .routes($routes!(games::games))
            .routes($routes!(games::previews))
            .routes($routes!(games::sheet))
            .routes($routes!(teaching::puzzles))
            .routes($routes!(teaching::try_puzzle))
            .routes($routes!(games::status))
            .routes($routes!(games::access))
            .routes($routes!(qr::qr))
            .routes($routes!(tables::create, tables::list))
            .routes($routes!(tables::show, play::settle, tables::forget))
            .routes($routes!(tables::at))
            .routes($routes!(tables::events))
            .routes($routes!(tables::record))
            .routes($routes!(play::play))
            .routes($routes!(play::sit))
            .routes($routes!(play::resign))
            .routes($routes!(play::draw))
            .routes($routes!(play::answer))
            .routes($routes!(play::undo))
            .routes($routes!(play::redo))
            .routes($routes!(play::go_to))
            .routes($routes!(play::pause))
            .routes($routes!(play::resume))
            .routes($routes!(play::restart))
            .routes($routes!(play::swap))
            .routes($routes!(play::replace))
            .routes($routes!(understanding::truth))
            .routes($routes!(understanding::analysis))
            .routes($routes!(understanding::hint))
            .routes($routes!(opinion::opinion))
            .routes($routes!(teaching::consequence))
            .routes($routes!(teaching::opening))
            .routes($routes!(gdl::check))
            .routes($routes!(tournaments::list, tournaments::start))
            .routes($routes!(tournaments::show))
            .routes($routes!(tournaments::stop))
            .routes($routes!(tournaments::resume))
            .routes($routes!(tournaments::events))
            .routes($routes!(tournaments::live))
            .routes($routes!(tournaments::games))
            .routes($routes!(tournaments::game))
            .routes($routes!(tournaments::jsonl))
            .routes($routes!(tournaments::csv))
            .routes($routes!(tournament_study::curve))
            .routes($routes!(tournament_study::mistakes))
    };
}
#[cfg(feature = "describe")]
use every_route;

/// A router that takes a path together with its handlers.
struct Routes(Router<Arc<App>>);

impl Routes {
    fn routes(self, (path, handlers): (&str, MethodRouter<Arc<App>>)) -> Self {
        Routes(self.0.route(path, handlers))
    }
}

/// Everything the server answers.
pub fn router(app: Arc<App>) -> Router {
    let describe = || async {
        let mut description = String::new();
        match GzDecoder::new(DESCRIPTION).read_to_string(&mut description) {
            Ok(_) => ([(header::CONTENT_TYPE, "application/json")], description).into_response(),
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    };
    let api = every_route!(Routes(Router::new()), routes).0;
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
