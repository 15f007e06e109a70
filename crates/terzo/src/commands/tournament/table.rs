//! What a plan needs to be played, and playing it.

use super::super::on::On;
use crate::commands::match_::at_once;
use crate::output::say;
use crate::{files, interrupt, progress};
use arena::control::Control;
use arena::gamelog::GameLog;
use arena::identity::Recorded;
use arena::plan::{OpeningPlan, Plan};
use arena::store::Store;
use arena::tournament::{self, Pairs, TournamentOutcome};
use games::{AnyGame, ContestSetup};
use player::Spec;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most bytes of a file of positions.
const MOST_POSITIONS: u64 = 64 << 20;

/// All that a plan needs to be played: its players and its openings, found before anything is begun. Positions to begin from
/// are read from the plan's file, if they are not there already.
pub fn pairs(game: &dyn AnyGame, plan: &Plan, positions: Option<Vec<String>>) -> anyhow::Result<Pairs> {
    logged_pairs(game, plan, positions, None)
}

/// The same, with conversations written down if there is a folder for them.
pub fn logged_pairs(
    game: &dyn AnyGame,
    plan: &Plan,
    positions: Option<Vec<String>>,
    log: Option<Arc<GameLog>>,
) -> anyhow::Result<Pairs> {
    let mut setup = ContestSetup::of_plan(plan).logging(log);
    if let Some(positions) = positions {
        setup = setup.from_positions("the positions", positions);
    } else if let OpeningPlan::File(file) = &plan.openings {
        let text = files::read(&file.path, MOST_POSITIONS)?;
        let lines = file.arranged(&text, plan.seed)?;
        setup = setup.from_positions(&file.path.display().to_string(), lines);
    }
    let pairs = Pairs::new(plan.clone(), game.contest(&setup)?)?;
    // A rule sheet in a file is known by what it says, not by its name.
    Ok(match game.rules_file() {
        Some((file, digest)) => pairs.with(&format!("rules: {file}"), &digest),
        None => pairs,
    })
}

/// Says how what is to be played stands to what is recorded, and goes on with a recorded tournament of other programs if the
/// user takes them for the same.
pub fn compare_with_records(pairs: &Pairs, store: &mut Store, same: bool) -> anyhow::Result<()> {
    match pairs.recorded(store)? {
        Recorded::Nothing | Recorded::Same(_) => (),
        Recorded::Unidentified(id) => {
            say(&format!(
                "tournament {id} was recorded before programs were told apart by their files; it goes on, and the programs \
                 are taken to be those that played it"
            ));
            store.adopt(id, &pairs.key())?;
        }
        Recorded::Changed { id, differences } => {
            say(&format!("not what tournament {id} was played with:"));
            differences
                .iter()
                .for_each(|difference| say(&format!("  {difference}")));
            if same {
                say(&format!("taken for the same, as you say: tournament {id} goes on"));
                store.adopt(id, &pairs.key())?;
            } else {
                say(&format!(
                    "so a new tournament begins; with --same-engines tournament {id} would go on"
                ));
            }
        }
    }
    Ok(())
}

/// What to do when a player loses a game by a fault of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum OnFailure {
    /// Play on: it has lost that game
    #[default]
    Continue,
    /// End the tournament with the games that are running
    Stop,
}

/// What ends a tournament early, and how it is told while it runs.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// What to do when a player fails.
    pub on_failure: OnFailure,
    /// After this time no other pair is begun.
    pub at_most: Option<Duration>,
    /// How often to write a line where there is no terminal; never if left out.
    pub interim: Option<Duration>,
}

/// Has played what is missing, with a live display.
pub fn play(pairs: Pairs, store: &mut Store, on: &On, habits: &RunOptions) -> anyhow::Result<TournamentOutcome> {
    let began = Instant::now();
    let control = Control::under(&interrupt::sign()?);
    let plan = pairs.plan();
    let names: Vec<String> = plan.players.iter().map(|player| player.name.clone()).collect();
    // What is reported while nobody listens is for these records and no others.
    let specs: Vec<Spec> = plan
        .players
        .iter()
        .filter_map(|player| player.spec().parse().ok())
        .collect();
    let threads = at_once(&specs, plan.concurrency)?;
    let mut hired = on.hire(threads, &["tournament", &store.identity()?, &pairs.key()])?;
    let mut board = progress::TournamentDisplay::new(names, hired.crew, habits.interim);
    let outcome = tournament::run(
        &Arc::new(pairs),
        hired.queue.as_mut(),
        store,
        &control,
        &mut |progress| {
            board.show(progress);
            if habits.on_failure == OnFailure::Stop && progress.failure.is_some() {
                control.enough.raise();
            }
            if habits.at_most.is_some_and(|time| began.elapsed() >= time) {
                control.enough.raise();
            }
        },
    );
    board.clear();
    Ok(outcome?)
}
