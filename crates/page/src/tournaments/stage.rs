//! Where a tournament is played, once its game's type is known.

use super::Live;
use super::told::{Run, State, ended, running, tell};
use crate::refusal::Refusal;
use arena::opening::Openings;
use arena::plan::{OpeningPlan, Plan};
use arena::queue::Local;
use arena::store::{Entry, Store};
use arena::tournament::{self, Pairs};
use player::{Playable, WithGame, factory};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often those who watch are told.
const PULSE: Duration = Duration::from_millis(250);

/// Asks whether a plan can be played at all.
pub(super) struct Prepare<'a>(pub(super) &'a Plan);

impl WithGame for Prepare<'_> {
    type Output = Result<(), Refusal>;

    fn run<G: Playable>(self, start: G) -> Self::Output {
        if start.seats() != 2 {
            return Err(Refusal::bad_tournament(format!(
                "tournaments are for games with two seats, and this one has {}",
                start.seats()
            )));
        }
        for player in &self.0.players {
            factory::<G>(&player.spec()).map_err(Refusal::unknown_player)?;
        }
        Ok(())
    }
}

/// What a tournament is played with.
pub(super) struct Stage {
    pub(super) plan: Plan,
    pub(super) store: Store,
    pub(super) entry: Entry,
    pub(super) live: Arc<Live>,
}

impl WithGame for Stage {
    type Output = ();

    fn run<G: Playable>(mut self, start: G) {
        let factories: Result<Vec<_>, _> = self
            .plan
            .players
            .iter()
            .map(|player| factory::<G>(&player.spec()))
            .collect();
        let Ok(factories) = factories else {
            return;
        };
        let openings = match self.plan.openings {
            OpeningPlan::Plies(plies) => Openings::Plies(plies),
            _ => Openings::Plies(0),
        };
        let Stage {
            plan,
            entry,
            live,
            store,
        } = &mut self;
        let pairs = match Pairs::new(start, plan.clone(), factories, openings) {
            Ok(pairs) => Arc::new(pairs),
            Err(error) => return live.broke_off(error.to_string()),
        };
        let mut queue = Local {
            threads: plan.concurrency,
        };
        let mut run = Run::new();
        let mut told = Instant::now() - PULSE;
        let mut watch = |progress: &tournament::Progress| {
            run.pairs = progress.played;
            if told.elapsed() >= PULSE {
                told = Instant::now();
                let mut news = tell(entry, plan, progress.standings, run, State::Running, None);
                news.running = live
                    .control
                    .playing()
                    .into_iter()
                    .map(|pair| running(plan, pair))
                    .collect();
                live.news.send_replace(Arc::new(news));
            }
        };
        let control = live.control.clone();
        let outcome = tournament::run(&pairs, &mut queue, store, &control, &mut watch);
        match outcome {
            Ok(outcome) => {
                let state = ended(plan, outcome.standings.pairs);
                live.news
                    .send_replace(Arc::new(tell(entry, plan, &outcome.standings, run, state, None)));
            }
            Err(error) => live.broke_off(error.to_string()),
        }
    }
}
