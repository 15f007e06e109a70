//! Where a tournament is played.

use super::RunningTournament;
use super::status::{Run, TournamentState, ended, running, status_of};
use crate::api_error::ApiError;
use crate::catalogue;
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
pub(super) fn pairs(plan: &Plan) -> Result<Pairs, ApiError> {
    catalogue::check_listed(&plan.game)?;
    let game = games::find(&plan.game)?.game;
    if game.seats() != 2 {
        return Err(ApiError::bad_tournament(format!(
            "tournaments are for games with two seats, and this one has {}",
            game.seats()
        )));
    }
    if let OpeningPlan::File(file) = &plan.openings {
        return Err(ApiError::bad_tournament(format!(
            "its games begin from the positions in {}, which the page does not read: resume it with `terzo tournament`",
            file.path.display()
        )));
    }
    let contest = game
        .contest(&ContestSetup::of_plan(plan))
        .map_err(|error| match error {
            EntrantError::Spec(error) => ApiError::unknown_player(error),
            error => ApiError::bad_tournament(error),
        })?;
    Pairs::new(plan.clone(), contest).map_err(ApiError::bad_tournament)
}

/// What a tournament is played with.
pub(super) struct Runner {
    pub(super) plan: Plan,
    pub(super) pairs: Arc<Pairs>,
    pub(super) store: Store,
    pub(super) entry: Entry,
    pub(super) live: Arc<RunningTournament>,
}

impl Runner {
    /// Plays it, and tells those who watch.
    pub(super) fn run(mut self) {
        let Runner {
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
        let mut watch = |progress: &tournament::TournamentProgress| {
            run.pairs = progress.played;
            if told.elapsed() >= PULSE {
                told = Instant::now();
                let mut status = status_of(entry, plan, progress.standings, run, TournamentState::Running, None);
                status.running = live
                    .control
                    .playing()
                    .into_iter()
                    .filter_map(|pair| running(pairs, pair))
                    .collect();
                live.status.send_replace(Arc::new(status));
            }
        };
        let control = live.control.clone();
        let outcome = tournament::run(pairs, &mut queue, store, &control, &mut watch);
        match outcome {
            Ok(outcome) => {
                let state = ended(plan, outcome.standings.pairs);
                live.status
                    .send_replace(Arc::new(status_of(entry, plan, &outcome.standings, run, state, None)));
            }
            Err(error) => live.broke_off(error.to_string()),
        }
    }
}
