//! What there is to play, and how the server is.

use crate::app::App;
use crate::extract::Path;
use crate::refusal::{Refusal, Refused};
use crate::view::{self, Family};
use axum::Json;
use axum::extract::State;
use player::{Playable, WithGame};
use serde::Serialize;
use std::sync::{Arc, OnceLock};
use utoipa::ToSchema;

/// All games.
#[derive(Clone, Serialize, ToSchema)]
pub struct Games {
    /// In the order a newcomer should read them.
    games: Vec<GameInfo>,
}

/// A game.
#[derive(Clone, Serialize, ToSchema)]
struct GameInfo {
    /// The name that tables are made with.
    name: &'static str,
    /// Says which view to expect.
    family: Family,
    /// One line for people.
    summary: &'static str,
    /// How many seats.
    seats: usize,
    /// What the seats are called.
    roles: Vec<String>,
    /// Whether exact values can be had.
    solvable: bool,
    /// Whether who completes a line loses.
    misere: bool,
    /// Who plays it, the weakest first.
    players: Vec<PlayerInfo>,
}

/// A kind of player.
#[derive(Clone, Serialize, ToSchema)]
struct PlayerInfo {
    /// The name that begins its spec.
    name: &'static str,
    /// One line for people.
    summary: &'static str,
    /// What can be set.
    options: Vec<OptionInfo>,
}

/// An option of a player: `NAME:KEY=VALUE,…`.
#[derive(Clone, Serialize, ToSchema)]
struct OptionInfo {
    /// The key.
    key: &'static str,
    /// What is taken if it is not given.
    default: &'static str,
    /// What it does.
    help: &'static str,
}

/// Looks at a game of any type.
struct Look {
    name: &'static str,
    summary: &'static str,
}

impl WithGame for Look {
    type Output = GameInfo;

    fn run<G: Playable>(self, start: G) -> GameInfo {
        let quarto = view::known_as::<quarto::Position, G>(&start);
        GameInfo {
            name: self.name,
            family: view::family(&start),
            summary: self.summary,
            seats: start.seats(),
            roles: view::roles(&start),
            solvable: quarto.is_some(),
            misere: quarto.is_some_and(|position| position.rules().misere()),
            players: G::roster()
                .into_iter()
                .map(|kind| PlayerInfo {
                    name: kind.name,
                    summary: kind.summary,
                    options: kind
                        .options
                        .iter()
                        .map(|option| OptionInfo {
                            key: option.key,
                            default: option.default,
                            help: option.help,
                        })
                        .collect(),
                })
                .collect(),
        }
    }
}

/// All games and their players; worked out once.
fn all() -> &'static Games {
    static ALL: OnceLock<Games> = OnceLock::new();
    ALL.get_or_init(|| {
        let look = |game: players::GameEntry| {
            let look = Look {
                name: game.name,
                summary: game.summary,
            };
            players::with_game(game.name, look).ok()
        };
        Games {
            games: players::games().into_iter().filter_map(look).collect(),
        }
    })
}

/// The games, and who plays them.
#[utoipa::path(get, path = "/api/games", tag = "games", responses((status = 200, body = Games)))]
pub async fn games() -> Result<Json<&'static Games>, Refusal> {
    // Rule sheets must be built to know their roles; that takes a moment, once.
    tokio::task::spawn_blocking(all)
        .await
        .map(Json)
        .map_err(Refusal::unavailable)
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
#[utoipa::path(
    get, path = "/api/gdl/sheets/{name}", tag = "games", params(("name" = String, Path)),
    responses((status = 200, body = SheetText), (status = 404, body = Refused))
)]
pub async fn sheet(Path(name): Path<String>) -> Result<Json<SheetText>, Refusal> {
    let known = name.strip_prefix("gdl:").unwrap_or(&name);
    match gdl::bundled::text(known) {
        Some(text) => Ok(Json(SheetText { name, text })),
        None => Err(Refusal::not_found("no rule sheet of that name is bundled")),
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
#[utoipa::path(get, path = "/api/status", tag = "games", responses((status = 200, body = Status)))]
pub async fn status(State(app): State<Arc<App>>) -> Json<Status> {
    Json(Status {
        version: env!("CARGO_PKG_VERSION"),
        tables: app.hall.tables(),
        streams: app.streams.count(),
        thinkers: Load::of(app.hall.thinkers().load()),
        solver: Load::of(app.oracle.load()),
        trouble: app.hall.keeper().trouble(),
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
#[utoipa::path(get, path = "/api/access", tag = "games", responses((status = 200, body = Access)))]
pub async fn access(State(app): State<Arc<App>>) -> Json<Access> {
    Json(Access {
        addresses: app.addresses.clone(),
        token: app.token.clone(),
    })
}
