//! Where a tournament is played.

use super::Live;
use super::told::{Run, State, ended, running, tell};
use crate::catalogue;
use crate::refusal::Refusal;
use arena::plan::{OpeningPlan, Plan};
use arena::queue::Local;
use arena::store::{Entry, Store};
use arena::tournament::{self, Pairs};
use games::{ContestSetup, EntrantError};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often those who watch are told.
const PULSE: Duration = Duration::from_millis(250);

/// The pairs of a plan, if it can be played here.
pub(super) fn pairs(plan: &Plan) -> Result<Pairs, Refusal> {
    catalogue::check_listed(&plan.game)?;
    let game = games::find(&plan.game)?.game;
    if game.seats() != 2 {
        return Err(Refusal::bad_tournament(format!(
            "tournaments are for games with two seats, and this one has {}",
            game.seats()
        )));
    }
    if let OpeningPlan::File(path) = &plan.openings {
        return Err(Refusal::bad_tournament(format!(
            "its games begin from the positions in {}, which the page does not read: resume it with `terzo tournament`",
            path.display()
        )));
    }
    let contest = game
        .contest(&ContestSetup::of_plan(plan))
        .map_err(|error| match error {
            EntrantError::Spec(error) => Refusal::unknown_player(error),
            error => Refusal::bad_tournament(error),
        })?;
    Pairs::new(plan.clone(), contest).map_err(Refusal::bad_tournament)
}

/// What a tournament is played with.
pub(super) struct Stage {
    pub(super) plan: Plan,
    pub(super) pairs: Arc<Pairs>,
    pub(super) store: Store,
    pub(super) entry: Entry,
    pub(super) live: Arc<Live>,
}

impl Stage {
    /// Plays it, and tells those who watch.
    pub(super) fn run(mut self) {
        let Stage {
            plan,
            pairs,
            entry,
            live,
            store,
        } = &mut self;
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
        let outcome = tournament::run(pairs, &mut queue, store, &control, &mut watch);
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
