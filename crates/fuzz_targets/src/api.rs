//! The page: requests to its server, and keys at its board for terminals.

use crate::text;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use page::{App, Config, ServerLimits};
use serde_json::Value;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;
use tower_service::Service;

/// A server without a port, where nobody thinks for long.
struct Server {
    runtime: Runtime,
    router: Router,
}

static SERVER: LazyLock<Mutex<Server>> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("terzo-fuzz-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    let start = || -> Result<Server, Box<dyn std::error::Error>> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()?;
        let moment = Duration::from_millis(2);
        let config = Config {
            records: folder.join("terzo.db"),
            limits: ServerLimits {
                tables: 50,
                kept: 200,
                thought: moment,
                solving: moment,
                solver_memory: 1 << 20,
                thinkers: 2,
                solvers: 1,
                // Orders are read and refused.
                tournaments: 0,
                ..ServerLimits::default()
            },
            ..Config::default()
        };
        let app = runtime.block_on(async { App::open(config) })?;
        let router = page::router(app);
        Ok(Server { runtime, router })
    };
    match start() {
        Ok(server) => Mutex::new(server),
        Err(error) => panic!("{error}"),
    }
});

/// The most requests of one input.
const MOST: usize = 8;

/// The largest answer that is read.
const LARGEST: usize = 16 << 20;

/// How long a request may take: thoughts and grounding have limits of their own.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request a line: METHOD PATH BODY. `TABLE` in a path is the table opened last.
pub fn web_api(bytes: &[u8]) {
    let mut server = SERVER.lock().unwrap_or_else(PoisonError::into_inner);
    let mut table = "none".to_string();
    for line in text(bytes).lines().take(MOST) {
        let mut words = line.splitn(3, ' ');
        let method = words.next().unwrap_or_default();
        let path = words.next().unwrap_or_default().replace("TABLE", &table);
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(words.next().unwrap_or_default().to_string()));
        // What is no request never comes to the router.
        let Ok(request) = request else { continue };
        if let Some(id) = server.ask(request) {
            table = id;
        }
    }
}

impl Server {
    /// Asks, and looks at what comes; gives the name of a table that was opened.
    fn ask(&mut self, request: Request<Body>) -> Option<String> {
        let api = request.uri().path().starts_with("/api/");
        let told = format!("{} {}", request.method(), request.uri());
        let head = request.method() == axum::http::Method::HEAD;
        let answer = self.router.call(request);
        let (status, json) = self.runtime.block_on(async {
            let Ok(Ok(answer)) = tokio::time::timeout(PATIENCE, answer).await else {
                panic!("{told}: no answer")
            };
            let (parts, body) = answer.into_parts();
            let kind = parts.headers.get(header::CONTENT_TYPE);
            let is_json = kind.is_some_and(|kind| kind == "application/json");
            // Streams may have no end.
            if !is_json || head {
                return (parts.status, None);
            }
            let bytes = to_bytes(body, LARGEST).await.unwrap_or_default();
            match serde_json::from_slice::<Value>(&bytes) {
                Ok(value) => (parts.status, Some(value)),
                Err(error) => panic!("{told}: {error}"),
            }
        });
        // The one thing that may be the server's fault: too much is asked of it.
        let fault = status.is_server_error() && status != StatusCode::SERVICE_UNAVAILABLE;
        assert!(!fault, "{told}: {status}");
        if api && !head && status.is_client_error() {
            let code = json.as_ref().and_then(|json| json["error"]["code"].as_str());
            assert!(code.is_some(), "{told}: {status} without a reason");
        }
        let id = json.as_ref().filter(|_| status == StatusCode::CREATED)?["id"].as_str()?;
        Some(id.to_string())
    }
}

/// The first byte chooses the game and the size of the screen, the others are keys.
pub fn terminal(bytes: &[u8]) {
    let Some((&first, keys)) = bytes.split_first() else {
        return;
    };
    let games = ["quarto", "stack4", "tictactoe", "quarto-torus-misere"];
    let game = games[usize::from(first) % games.len()];
    let height = usize::from(first) / games.len();
    match page::terminal::rehearse(game, text(keys), height) {
        Ok(screen) => assert!(screen.len() <= height.max(6), "{screen:#?}"),
        Err(refusal) => panic!("{}", refusal.message()),
    }
}
