//! What a plan needs to be played, and playing it.

use super::super::on::On;
use crate::commands::match_::at_once;
use crate::output::say;
use crate::usage::usage;
use crate::{files, interrupt, progress};
use anyhow::Context;
use arena::control::Control;
use arena::identity::Recorded;
use arena::opening::Openings;
use arena::plan::{Contender, Entrant, OpeningPlan, Plan};
use arena::store::Store;
use arena::terms::duration;
use arena::tournament::{self, Outcome, Pairs};
use link::ugi;
use player::{Playable, PlayerFactory, Spec};
use std::path::Path;
use std::sync::Arc;

/// The most bytes of a file of positions.
const MOST_POSITIONS: u64 = 64 << 20;

/// All that a plan needs to be played: its players and its openings, found before anything is begun. Positions to begin from
/// are read from the plan's file, if they are not there already.
pub fn pairs<G: Playable>(start: &G, plan: &Plan, positions: Option<Vec<String>>) -> anyhow::Result<Pairs<G>> {
    let factories: Vec<PlayerFactory<G>> = plan.players.iter().map(factory).collect::<anyhow::Result<_>>()?;
    if factories.iter().any(|factory| factory.spec.as_program().is_some()) {
        ugi::check(start)?;
    }
    let openings = match positions {
        Some(lines) => read_positions(start, "the positions", lines.iter().map(String::as_str))?,
        None => openings(start, plan)?,
    };
    let pairs = Pairs::new(start.clone(), plan.clone(), factories, openings)?;
    // A rule sheet in a file is known by what it says, not by its name.
    let sheet = plan
        .game
        .strip_prefix("gdl:")
        .filter(|name| gdl::bundled::text(name).is_none());
    Ok(match sheet {
        Some(file) => pairs.with(&format!("rules: {file}"), &link::digest(Path::new(file))),
        None => pairs,
    })
}

/// Says how what is to be played stands to what is recorded, and goes on with a recorded tournament of other programs if the
/// user takes them for the same.
pub fn compare_with_records<G: Playable>(pairs: &Pairs<G>, store: &mut Store, same: bool) -> anyhow::Result<()> {
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

/// Has played what is missing, with a live display.
pub fn play<G: Playable>(
    pairs: Pairs<G>,
    store: &mut Store,
    on: &On,
    on_failure: OnFailure,
) -> anyhow::Result<Outcome> {
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
    let mut board = progress::Board::new(names, hired.crew);
    let outcome = tournament::run(
        &Arc::new(pairs),
        hired.queue.as_mut(),
        store,
        &control,
        &mut |progress| {
            board.show(progress);
            if on_failure == OnFailure::Stop && progress.failure.is_some() {
                control.enough.raise();
            }
        },
    );
    board.clear();
    Ok(outcome?)
}

/// A player of the plan.
fn factory<G: Playable>(entrant: &Entrant) -> anyhow::Result<PlayerFactory<G>> {
    let made = undeclared_recipe(entrant)?;
    Ok(match &entrant.version {
        Some(version) => made.identified(vec![("version".into(), version.clone())]),
        None => made,
    })
}

/// The same, known by its files.
fn undeclared_recipe<G: Playable>(entrant: &Entrant) -> anyhow::Result<PlayerFactory<G>> {
    match &entrant.player {
        Contender::Spec(spec) => Ok(link::factory(spec)?),
        Contender::Engine(table) => {
            let mut command = ugi::Command::new(&table.cmd, table.args.clone());
            command.folder = table.dir.clone();
            command.environment = table.env.clone();
            command.options = table.options.clone();
            command.start = table.start.as_deref().and_then(duration).unwrap_or(command.start);
            let spec = Spec::engine(entrant.spec().trim_start_matches("engine:"));
            let made = ugi::engine_recipe(spec, command);
            Ok(made.with_context(|| format!("player {}", entrant.name))?)
        }
    }
}

fn openings<G: Playable>(start: &G, plan: &Plan) -> anyhow::Result<Openings<G>> {
    let path = match &plan.openings {
        OpeningPlan::Start => return Ok(Openings::Plies(0)),
        OpeningPlan::Plies(plies) => return Ok(Openings::Plies(*plies)),
        OpeningPlan::File(path) => path,
    };
    let text = files::read(path, MOST_POSITIONS)?;
    read_positions(start, &path.display().to_string(), text.lines())
}

/// Positions to begin from, a line each.
fn read_positions<'t, G: Playable>(
    start: &G,
    from: &str,
    lines: impl Iterator<Item = &'t str>,
) -> anyhow::Result<Openings<G>> {
    let mut positions = Vec::new();
    for (number, line) in lines.enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = || format!("{from}, line {number}");
        let position = start.parse(line).with_context(place)?;
        if position.outcome().is_some() {
            usage!("{}: the game is already over", place());
        }
        positions.push(position);
    }
    if positions.is_empty() {
        usage!("{from}: expected a position a line, found none");
    }
    Ok(Openings::Positions(positions))
}
