//! One message to every player at once, and what came back before the clock ended.

use super::{Contestant, MoveFault, shorten};
use crate::http::post;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a waiting manager looks up.
const LOOK_UP: Duration = Duration::from_millis(100);

/// What a player said, or why it said nothing, and after how long.
pub(super) struct Heard {
    pub answer: Result<String, MoveFault>,
    pub took: Duration,
}

/// Sends each player its message and waits until all have answered, the clock ends or `enough` says so. `None` for
/// those who are not asked.
pub(super) fn ask_all(
    contestants: &[Contestant],
    message: impl Fn(usize) -> String,
    clock: Duration,
    enough: impl Fn() -> bool,
) -> Vec<Option<Heard>> {
    let asked = Instant::now();
    let deadline = asked + clock;
    let (send, answers) = mpsc::channel();
    let mut heard: Vec<Option<Heard>> = Vec::new();
    let mut missing = 0;
    for (number, contestant) in contestants.iter().enumerate() {
        let Contestant::At { name, address } = contestant else {
            heard.push(None);
            continue;
        };
        // A player that nobody waits for any more is left to its own deadline.
        let (send, name, address, text) = (send.clone(), name.clone(), *address, message(number));
        let asking = std::thread::Builder::new().spawn(move || {
            let answer = post(address, &name, &text, deadline).map_err(|error| match error.is_late() {
                true => MoveFault::Late,
                false => MoveFault::Unreachable(shorten(&error.to_string())),
            });
            let _ = send.send((number, answer, asked.elapsed()));
        });
        let (answer, took) = match asking {
            Ok(_) => {
                missing += 1;
                (Err(MoveFault::Late), clock)
            }
            Err(error) => (Err(MoveFault::Unreachable(error.to_string())), Duration::ZERO),
        };
        heard.push(Some(Heard { answer, took }));
    }
    while missing > 0 && !enough() {
        let left = deadline.saturating_duration_since(Instant::now());
        match answers.recv_timeout(left.min(LOOK_UP)) {
            Ok((number, answer, took)) => {
                heard[number] = Some(Heard { answer, took });
                missing -= 1;
            }
            Err(RecvTimeoutError::Timeout) if left.is_zero() => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    heard
}
