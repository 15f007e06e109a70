//! Streams of events: how many there may be, and how they end.

use crate::app::App;
use crate::client::{Address, Client};
use crate::refusal::Refusal;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, StreamExt};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The streams that are open, by address.
#[derive(Default)]
pub struct Streams {
    open: Mutex<(usize, HashMap<Address, usize>)>,
}

/// A place among the streams; given back when dropped.
pub struct Ticket {
    streams: Arc<Streams>,
    address: Address,
}

impl Streams {
    /// How many are open.
    pub fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// A place for one more stream of a client, if there is one. On this machine only the whole counts.
    pub fn ticket(self: &Arc<Self>, client: Client, all: usize, each: usize) -> Result<Ticket, Refusal> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.0 >= all {
            return Err(Refusal::busy("too many streams are open; try again in a while"));
        }
        let own = open.1.entry(client.address).or_default();
        if *own >= each && !client.address.is_loopback() {
            return Err(Refusal::busy("too many streams are open at your address; close some"));
        }
        *own += 1;
        open.0 += 1;
        Ok(Ticket {
            streams: self.clone(),
            address: client.address,
        })
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.0 -= 1;
        if let Some(own) = open.1.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                open.1.remove(&self.address);
            }
        }
    }
}

/// Answers with a stream of events that ends when it is at its end, when the client leaves, or when the server closes.
pub fn answer(app: &Arc<App>, client: Client, events: impl Stream<Item = Event> + Send + 'static) -> Result<Response, Refusal> {
    let ticket = app.streams.ticket(client, app.house.streams, app.house.streams_each)?;
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
    Event::default().event(name).data(serde_json::to_string(data).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_bounded_and_a_closed_one_makes_room() {
        let streams = Arc::new(Streams::default());
        let far = Client::new([10, 0, 0, 1].into(), None);
        let other = Client::new([10, 0, 0, 2].into(), None);
        let first = streams.ticket(far, 3, 1).unwrap();
        assert!(streams.ticket(far, 3, 1).is_err());
        let _second = streams.ticket(other, 3, 1).unwrap();
        drop(first);
        let _again = streams.ticket(far, 3, 1).unwrap();
        let _local = [0; 1].map(|_| streams.ticket(Client::number(1), 3, 1).unwrap());
        assert_eq!(streams.count(), 3);
        assert!(streams.ticket(Client::number(1), 3, 1).is_err());
    }
}
