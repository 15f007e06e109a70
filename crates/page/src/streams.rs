//! Streams of events, and how they end.

use crate::api_error::ApiError;
use crate::app::App;
use crate::client::Client;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, StreamExt};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// Answers with a stream of events that ends when it is at its end, when the client leaves, or when the server closes.
pub fn answer(
    app: &Arc<App>,
    client: Client,
    events: impl Stream<Item = Event> + Send + 'static,
) -> Result<Response, ApiError> {
    let ticket = app.stream_ticket(client)?;
    let mut closing = app.closing.subscribe();
    let closed = async move {
        // An error means that the server is gone already.
        let _ = closing.wait_for(|&closing| closing).await;
    };
    let events = events
        .map(move |event| {
            // The ticket goes with the stream.
            let _ = &ticket;
            Ok::<_, Infallible>(event)
        })
        .take_until(Box::pin(closed));
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Ok(Sse::new(events).keep_alive(alive).into_response())
}

/// An event with JSON in it.
pub fn event(name: &str, data: &impl serde::Serialize) -> Event {
    Event::default()
        .event(name)
        .data(serde_json::to_string(data).unwrap_or_default())
}
