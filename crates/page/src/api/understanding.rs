//! Understanding: the truth about a position, a hint with its reason, the mistakes of a game.

use crate::app::App;
use crate::client::Client;
use crate::extract::{Path, Query};
use crate::hall::Place;
use crate::hint::{self, Hint};
use crate::oracle::{Question, Told};
use crate::refusal::{Refusal, Refused};
use crate::streams::{self, event};
use crate::truth::{Half, Truth, Worth, best, half_placed};
use crate::view::Family;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use axum::response::sse::Event;
use futures_util::stream::{self, Stream};
use game::{Game, Seat};
use quarto::review::{Judged, accuracy, mistakes};
use quarto::solver::Exact;
use quarto::{Position, Turn};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedReceiver;
use utoipa::{IntoParams, ToSchema};

/// Which position.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// After how many turns; as many as stand if left out.
    ply: Option<usize>,
    /// Quarto: the cell where the piece in hand already stands, in the middle of a turn.
    place: Option<String>,
}

/// The position asked about, if it is one of Quarto.
fn quarto_at(place: &Place, which: &Which) -> Result<(Position, Option<Position>), Refusal> {
    let table = place.table();
    let ply = which.ply.unwrap_or(table.ply());
    if ply > table.line().len() {
        return Err(Refusal::not_found(format!("the game has {} turns", table.line().len())));
    }
    let unsolved = || Refusal::unsupported("exact values are known only of Quarto and its variants");
    let position = table.line().quarto(ply).ok_or_else(unsolved)?;
    let half = which
        .place
        .as_deref()
        .map(|cell| half_placed(&position, cell))
        .transpose()?;
    Ok((position, half))
}

/// Events that are made one by one by something that may have several at hand.
trait Teller: Send + Sized + 'static {
    /// The next events; none at the end.
    fn tell(&mut self) -> impl Future<Output = Vec<Event>> + Send;

    fn stream(self) -> impl Stream<Item = Event> + Send {
        stream::unfold((self, VecDeque::new()), |(mut teller, mut ready)| async move {
            if ready.is_empty() {
                ready.extend(teller.tell().await);
            }
            ready.pop_front().map(|event| (event, (teller, ready)))
        })
    }
}

/// How far something is.
#[derive(Serialize, ToSchema)]
struct Progress {
    /// Values found.
    done: usize,
    /// Values there will be.
    of: usize,
    /// Questions of everybody that wait for the solver.
    waiting: usize,
}

/// How it ended.
#[derive(Serialize, ToSchema)]
struct TruthEnd {
    /// Whether every value was found.
    complete: bool,
    /// "done", "time" or "over".
    reason: &'static str,
    /// How long it took.
    ms: u64,
}

#[derive(Serialize)]
struct CellWorth {
    cell: String,
    #[serde(flatten)]
    worth: Worth,
}

#[derive(Serialize)]
struct PieceWorth {
    piece: String,
    #[serde(flatten)]
    worth: Worth,
}

struct TruthTeller {
    app: Arc<App>,
    truth: Truth,
    values: Vec<Exact>,
    done: usize,
    began: Instant,
    ended: bool,
}

impl Teller for TruthTeller {
    async fn tell(&mut self) -> Vec<Event> {
        if self.ended {
            return Vec::new();
        }
        let mut events = Vec::new();
        // Who waits for something hard sees that it is being worked on.
        match tokio::time::timeout(Duration::from_millis(500), self.truth.next()).await {
            Err(_) => (),
            Ok(Some(values)) => {
                for (half, exact) in values {
                    self.done += 1;
                    let Some(exact) = exact else { continue };
                    self.values.push(exact);
                    let worth = exact.into();
                    events.push(match half {
                        Half::Place(cell) => event(
                            "cell",
                            &CellWorth {
                                cell: cell.to_string(),
                                worth,
                            },
                        ),
                        Half::Give(piece) => event(
                            "piece",
                            &PieceWorth {
                                piece: piece.to_string(),
                                worth,
                            },
                        ),
                    });
                }
            }
            Ok(None) => {
                self.ended = true;
                let complete = self.values.len() == self.truth.count();
                if complete && let Some(best) = best(self.values.iter().copied()) {
                    events.push(event("value", &Worth::from(best)));
                }
                let reason = match (self.truth.count(), complete) {
                    (0, _) => "over",
                    (_, true) => "done",
                    (_, false) => "time",
                };
                let ms = self.began.elapsed().as_millis() as u64;
                events.push(event("end", &TruthEnd { complete, reason, ms }));
                return events;
            }
        }
        events.push(event(
            "progress",
            &Progress {
                done: self.done,
                of: self.truth.count(),
                waiting: self.app.oracle.load().1,
            },
        ));
        events
    }
}

/// What each cell, or each piece, is worth: events `cell`, `piece`, `progress`, `value` of the position, and `end`.
#[utoipa::path(
    get, path = "/api/tables/{id}/truth", tag = "understanding", params(("id" = String, Path), Which),
    responses((status = 200, body = Worth, content_type = "text/event-stream"), (status = "4XX", body = Refused))
)]
pub async fn truth(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Query(which): Query<Which>,
) -> Result<Response, Refusal> {
    let place = app.hall.find(client, &id).await?;
    let (position, half) = quarto_at(&place, &which)?;
    let truth = Truth::ask(&app.oracle, client, &half.unwrap_or(position), app.house.solving)?;
    let teller = TruthTeller {
        app: app.clone(),
        truth,
        values: Vec::new(),
        done: 0,
        began: Instant::now(),
        ended: false,
    };
    streams::answer(&app, client, teller.stream())
}

/// A turn and the truth about it.
#[derive(Serialize, ToSchema)]
pub struct JudgedTurn {
    /// Turns before it.
    ply: usize,
    /// Who made it.
    seat: usize,
    /// The turn.
    turn: String,
    /// What it was worth to who made it.
    #[serde(flatten)]
    worth: Worth,
    /// What the best turn was worth.
    best_value: &'static str,
    /// Placements until the end after the best turn.
    best_plies: u32,
    /// Some of the best turns.
    best: Vec<String>,
    /// Whether it gave away a win or a draw.
    mistake: bool,
    /// What the position after it is worth to seat 1: 1, 0 or -1.
    value_for_seat1: i8,
}

/// The sum of an analysis.
#[derive(Serialize, ToSchema)]
struct AnalysisEnd {
    /// Whether every turn was judged.
    complete: bool,
    /// "done" or "time".
    reason: &'static str,
    /// How many turns each seat made.
    turns: [usize; 2],
    /// How many of them were judged before time ran out. Nothing is known of the others.
    judged: [usize; 2],
    /// The share of each seat's turns that kept the value; null unless all of them were judged, and for a seat without one.
    accuracy: [Option<f64>; 2],
    /// How many of the judged turns of each seat gave something away.
    mistakes: [usize; 2],
}

struct AnalysisTeller {
    app: Arc<App>,
    told: UnboundedReceiver<Told<Option<Judged>>>,
    /// Who made each turn.
    movers: Vec<Seat>,
    done: usize,
    judged: Vec<Judged>,
    ended: bool,
}

impl Teller for AnalysisTeller {
    async fn tell(&mut self) -> Vec<Event> {
        if self.ended {
            return Vec::new();
        }
        let mut events = Vec::new();
        match tokio::time::timeout(Duration::from_millis(500), self.told.recv()).await {
            Err(_) => (),
            Ok(Some((question, answer))) => {
                self.done += 1;
                if let Some(Some(judged)) = answer {
                    // Questions go from the last turn backwards.
                    events.push(event("turn", &judged_turn(self.movers.len() - 1 - question, &judged)));
                    self.judged.push(judged);
                }
            }
            Ok(None) => {
                self.ended = true;
                events.push(event("end", &self.sum()));
                return events;
            }
        }
        events.push(event(
            "progress",
            &Progress {
                done: self.done,
                of: self.movers.len(),
                waiting: self.app.oracle.load().1,
            },
        ));
        events
    }
}

impl AnalysisTeller {
    /// What can be said of each seat: nothing of a turn that was not judged.
    fn sum(&self) -> AnalysisEnd {
        let seats = [Seat::FIRST, Seat::SECOND];
        let turns = seats.map(|seat| self.movers.iter().filter(|&&mover| mover == seat).count());
        let judged = seats.map(|seat| self.judged.iter().filter(|judged| judged.seat == seat).count());
        let complete = turns == judged;
        let whole = |seat: Seat| turns[seat.index()] == judged[seat.index()];
        AnalysisEnd {
            complete,
            reason: if complete { "done" } else { "time" },
            turns,
            judged,
            accuracy: seats.map(|seat| accuracy(&self.judged, seat).filter(|_| whole(seat))),
            mistakes: seats.map(|seat| mistakes(&self.judged, seat)),
        }
    }
}

fn judged_turn(ply: usize, judged: &Judged) -> JudgedTurn {
    JudgedTurn {
        ply,
        seat: judged.seat.index() + 1,
        turn: judged.turn.to_string(),
        worth: judged.was.into(),
        best_value: judged.best.outcome.name(),
        best_plies: judged.best.plies,
        best: judged.better.iter().take(5).map(Turn::to_string).collect(),
        mistake: judged.mistake(),
        value_for_seat1: judged.for_first_seat(),
    }
}

/// Every turn of the game judged, from the last backwards: events `turn`, `progress` and `end`.
#[utoipa::path(
    get, path = "/api/tables/{id}/analysis", tag = "understanding", params(("id" = String, Path)),
    responses((status = 200, body = JudgedTurn, content_type = "text/event-stream"), (status = "4XX", body = Refused))
)]
pub async fn analysis(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let place = app.hall.find(client, &id).await?;
    let mut questions: Vec<Question<Option<Judged>>> = Vec::new();
    let mut movers = Vec::new();
    let rules = {
        let table = place.table();
        let turns = table.line().turns();
        let unsolved = || Refusal::unsupported("exact values are known only of Quarto and its variants");
        let rules = table.line().quarto(0).ok_or_else(unsolved)?.rules();
        for (ply, turn) in turns.iter().enumerate().rev() {
            let position = table.line().quarto(ply).ok_or_else(unsolved)?;
            let turn = position.parse_move(turn).map_err(Refusal::unavailable)?;
            movers.push(position.mover());
            questions.push(Box::new(move |solver| Judged::new(solver, &position, turn)));
        }
        rules
    };
    let teller = AnalysisTeller {
        app: app.clone(),
        // A game has many positions, so its analysis may take longer than one look.
        told: app.oracle.ask(client, rules, questions, 2 * app.house.solving)?,
        movers,
        done: 0,
        judged: Vec::new(),
        ended: false,
    };
    streams::answer(&app, client, teller.stream())
}

/// How long a hint may take.
const HINT: Duration = Duration::from_secs(3);

/// A turn to play, and why.
#[utoipa::path(
    get, path = "/api/tables/{id}/hint", tag = "understanding", params(("id" = String, Path), Which),
    responses((status = 200, body = Hint), (status = "4XX", body = Refused))
)]
pub async fn hint(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Query(which): Query<Which>,
) -> Result<Json<Hint>, Refusal> {
    let place = app.hall.find(client, &id).await?;
    let family = place.table().line().family();
    if family == Family::Quarto {
        let (position, half) = quarto_at(&place, &which)?;
        return quarto_hint(&app, client, &place, &which, position, half)
            .await
            .map(Json);
    }
    searched_hint(&app, client, &place, which.ply).await.map(Json)
}

async fn quarto_hint(
    app: &App,
    client: Client,
    place: &Place,
    which: &Which,
    position: Position,
    half: Option<Position>,
) -> Result<Hint, Refusal> {
    match hint::quarto(&app.oracle, client, &position, half.as_ref(), HINT).await? {
        Some(hint) => Ok(hint),
        None => guessed_hint(app, client, place, which.ply, &position).await,
    }
}

/// A hint of the perfect player where the truth takes too long: a variant without a book, early in the game.
async fn guessed_hint(
    app: &App,
    client: Client,
    place: &Place,
    ply: Option<usize>,
    position: &Position,
) -> Result<Hint, Refusal> {
    let said = thought(app, client, place, ply, "perfect").await?;
    let turn = position.parse_move(&said.turn).map_err(Refusal::unavailable)?;
    Ok(Hint::of_turn(turn, None, hint::why(position, turn, None, &[])))
}

/// A hint of the game's strongest player.
async fn searched_hint(app: &App, client: Client, place: &Place, ply: Option<usize>) -> Result<Hint, Refusal> {
    let (player, stack) = {
        let table = place.table();
        let at = ply.unwrap_or(table.ply());
        (table.line().strongest(), table.line().stack4(at))
    };
    let said = thought(app, client, place, ply, &player).await?;
    Ok(hint::searched(&player, &said, stack.as_ref()))
}

/// What a player would do.
async fn thought(
    app: &App,
    client: Client,
    place: &Place,
    ply: Option<usize>,
    player: &str,
) -> Result<crate::line::Said, Refusal> {
    let task = {
        let table = place.table();
        let ply = ply.unwrap_or(table.ply());
        if ply > table.line().len() {
            return Err(Refusal::not_found(format!("the game has {} turns", table.line().len())));
        }
        if table.line().mover(ply).is_none() {
            return Err(Refusal::game_over("the game is over"));
        }
        table
            .line()
            .task(ply, &table.bench_name(), player, 1, Duration::from_millis(700))?
    };
    let bench = app.hall.bench().clone();
    let think = move || task(&bench).map_err(|error| Refusal::unavailable(format!("no hint: {error}")));
    app.hall.slowly(client, think).await
}
