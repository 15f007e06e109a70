//! The thread that thinks.

use super::UgiEvent;
use game::Game;
use player::{Clock, Observer, Player, PlayerFactory};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};

/// What it is asked for.
pub(super) enum ThinkTask<G: Game> {
    /// To make another player, if there is a factory, and to begin a game, if there is a seed.
    Prepare {
        factory: Option<PlayerFactory<G>>,
        seed: Option<u64>,
    },
    /// To find a move.
    Think { position: G, clock: Clock },
}

/// Does tasks until nobody has any more. A player that falls over is an answer, too.
pub(super) fn think<G: Game>(tasks: &Receiver<ThinkTask<G>>, events: &SyncSender<UgiEvent<G::Move>>) {
    let mut player: Option<Box<dyn Player<G>>> = None;
    while let Ok(task) = tasks.recv() {
        let event = match task {
            ThinkTask::Prepare { factory, seed } => {
                let prepared = catch_unwind(AssertUnwindSafe(|| {
                    if let Some(factory) = factory {
                        player = Some(factory.make());
                    }
                    if let (Some(player), Some(seed)) = (&mut player, seed) {
                        player.begin(seed);
                    }
                }));
                if prepared.is_err() {
                    player = None;
                }
                UgiEvent::Ready
            }
            ThinkTask::Think { position, mut clock } => {
                let heard = events.clone();
                clock.observer = Observer::new(move |analysis| {
                    // If nobody listens any more, the search will soon be stopped.
                    let _ = heard.send(UgiEvent::Info(analysis.clone()));
                });
                let answer = catch_unwind(AssertUnwindSafe(|| match &mut player {
                    Some(player) => player.choose(&position, &clock).map_err(|error| error.to_string()),
                    None => Err("the player could not be made".into()),
                }));
                UgiEvent::Done(answer.unwrap_or_else(|_| {
                    player = None;
                    Err("the player fell over".into())
                }))
            }
        };
        if events.send(event).is_err() {
            return;
        }
    }
}
