//! Matches, tournaments and engines. What comes of them is told as JSON, which `terzo/contests.py` makes objects of.

use crate::errors::{PlayerError, RecordsError, of_entrant};
use crate::game::Game;
use crate::guests;
use crate::waiting::{sign, threads, wait, wait_quietly};
use arena::control::Control;
use arena::plan::{Contender, Entrant, Format, OpeningPlan, Plan, named_apart};
use arena::queue::Local;
use arena::report::{PointResults, TimeResults, TournamentResults};
use arena::stats::wilson;
use arena::store::Store;
use arena::tally::{PlayerTally, Tally};
use arena::terms::{Terms, TimeControl};
use arena::tournament::{self, Pairs};
use arena::unrecorded::{self, MatchPlan};
use games::ContestSetup;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A player: its name, its spec, and if it is written in Python, what makes one and which version it is.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PlayerOrGuest {
    name: String,
    spec: String,
    factory: Option<Py<PyAny>>,
    version: Option<String>,
}

impl PlayerOrGuest {
    fn entrant(&self) -> Entrant {
        Entrant {
            name: self.name.clone(),
            player: Contender::Spec(self.spec.clone()),
            version: self.version.clone(),
            time: None,
        }
    }
}

/// Those who are written in Python are guests.
fn invite(py: Python, game: &Py<Game>, players: &[PlayerOrGuest], mut setup: ContestSetup) -> ContestSetup {
    for (number, player) in players.iter().enumerate() {
        if let Some(factory) = &player.factory {
            setup = setup.inviting(number, guests::maker(game.clone_ref(py), factory.clone_ref(py)));
        }
    }
    setup
}

fn terms(time: &str, max_turns: Option<u32>) -> PyResult<Terms> {
    let control: TimeControl = time
        .parse()
        .map_err(|error: arena::terms::TimeError| PyValueError::new_err(error.to_string()))?;
    Ok(Terms {
        control,
        max_turns,
        ..Terms::default()
    })
}

/// Tells somebody how far it is, if anybody wants to know.
fn report(py: Python, progress: Option<&Py<PyAny>>, played: u64) -> PyResult<()> {
    progress.map_or(Ok(()), |progress| progress.call1(py, (played,)).map(drop))
}

/// A match, a player a seat.
#[pyfunction(name = "_match")]
#[expect(clippy::too_many_arguments, reason = "Python names them, one by one")]
pub fn play_match(
    py: Python,
    game: Py<Game>,
    players: Vec<PlayerOrGuest>,
    games: u64,
    seed: u64,
    time: &str,
    max_turns: Option<u32>,
    plies: u32,
    jobs: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let terms = terms(time, max_turns)?;
    let plan = Plan {
        name: String::new(),
        game: game.get().game.name().into(),
        players: players.iter().map(PlayerOrGuest::entrant).collect(),
        rounds: 1,
        format: Format::RoundRobin,
        seed: 1,
        terms,
        openings: openings(plies),
        sprt: None,
        concurrency: 0,
    };
    let setup = invite(py, &game, &players, ContestSetup::of_plan(&plan));
    let contest = game.get().game.contest(&setup).map_err(of_entrant)?;
    let plan = MatchPlan {
        games,
        seed,
        jobs: threads(jobs)?,
        terms,
    };
    let began = Instant::now();
    let stop = sign();
    let control = Control::under(&stop);
    let played = wait(
        py,
        &stop,
        || unrecorded::play(&contest, &plan, &control),
        |py| report(py, progress.as_ref(), control.played.load(Ordering::Relaxed)),
    )?;
    let tally = played.map_err(|error| PyValueError::new_err(error.to_string()))?;
    report(py, progress.as_ref(), tally.games)?;
    Ok(counted(&players, &tally, began.elapsed().as_secs_f64()).to_string())
}

fn openings(plies: u32) -> OpeningPlan {
    match plies {
        0 => OpeningPlan::Start,
        plies => OpeningPlan::Plies(plies),
    }
}

/// What a match came to.
fn counted(players: &[PlayerOrGuest], tally: &Tally, seconds: f64) -> Value {
    let player = |(player, score): (&PlayerOrGuest, &PlayerTally)| {
        let payoffs = score.payoffs();
        let (low, high) = wilson(score.wins, tally.games);
        json!({
            "name": player.name,
            "wins": score.wins, "draws": score.draws, "losses": score.losses, "forfeits": score.forfeits,
            "win_interval": [low, high],
            "payoff": payoffs.mean(), "payoff_half_width": payoffs.half_width(),
            "points": PointResults::of(&score.points),
            "turn_ms": TimeResults::from(&score.times.place),
        })
    };
    json!({
        "games": tally.games,
        "turns": tally.turns,
        "seconds": seconds,
        "first_fault": tally.first_fault,
        "traceback": tally.first_stderr,
        "players": players.iter().zip(&tally.players).map(player).collect::<Vec<_>>(),
    })
}

/// A tournament, recorded in a file or nowhere.
#[pyfunction(name = "_tournament")]
#[expect(clippy::too_many_arguments, reason = "Python names them, one by one")]
pub fn play_tournament(
    py: Python,
    game: Py<Game>,
    players: Vec<PlayerOrGuest>,
    rounds: u64,
    seed: u64,
    time: &str,
    max_turns: Option<u32>,
    plies: u32,
    jobs: usize,
    name: String,
    gauntlet: bool,
    records: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let plan = Plan {
        name,
        game: game.get().game.name().into(),
        players: named_apart(players.iter().map(PlayerOrGuest::entrant).collect()),
        rounds,
        format: if gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        seed,
        terms: terms(time, max_turns)?,
        openings: openings(plies),
        sprt: None,
        concurrency: threads(jobs)?,
    };
    plan.check().map_err(PyValueError::new_err)?;
    let setup = invite(py, &game, &players, ContestSetup::of_plan(&plan));
    let contest = game.get().game.contest(&setup).map_err(of_entrant)?;
    let mut pairs = Pairs::new(plan.clone(), contest).map_err(|error| PyValueError::new_err(error.to_string()))?;
    if let Some((file, digest)) = game.get().game.rules_file() {
        pairs = pairs.with(&format!("rules: {file}"), &digest);
    }
    if let Some(text) = game.get().sheet() {
        pairs = pairs.with("rules", text);
    }
    let pairs = Arc::new(pairs);
    let mut store = match &records {
        Some(path) => Store::open(path),
        None => Store::in_memory(),
    }
    .map_err(|error| RecordsError::new_err(error.to_string()))?;
    let stop = sign();
    let control = Control::under(&stop);
    let outcome = wait(
        py,
        &stop,
        || {
            let mut queue = Local {
                threads: plan.concurrency,
            };
            tournament::run(&pairs, &mut queue, &mut store, &control, &mut |_| ())
        },
        |py| report(py, progress.as_ref(), control.played.load(Ordering::Relaxed)),
    )?;
    let outcome = outcome.map_err(|error| RecordsError::new_err(error.to_string()))?;
    report(py, progress.as_ref(), outcome.played * 2)?;
    let results = TournamentResults::new(outcome.id, &plan, &outcome.standings).after(&outcome);
    serde_json::to_string(&results).map_err(|error| RecordsError::new_err(error.to_string()))
}

/// Talks UGI on standard input and output.
#[pyfunction(name = "_serve")]
pub fn serve(py: Python, game: Py<Game>, name: String, factory: Py<PyAny>) -> PyResult<()> {
    let guest = guests::maker(game.clone_ref(py), factory);
    let game = game.get().game.clone();
    let served = wait_quietly(py, move |_| {
        let (input, output) = (BufReader::new(io::stdin()), io::stdout());
        game.serve_guest(&name, &guest, Box::new(input), Box::new(output))
    })?;
    served.map_err(|error| PlayerError::new_err(error.to_string()))
}

/// Names the program `terzo`, which starts engines and ends them with us.
#[pyfunction(name = "_supervise_with")]
pub fn supervise_with(program: PathBuf) {
    process::supervise_with(Path::new(&program));
}
