//! Records of tournaments, told as JSON, of which `terzo/records.py` makes data frames.

use crate::errors::{RecordsError, of_find};
use crate::waiting::wait_quietly;
use arena::export::game_as_json;
use arena::plan::Plan;
use arena::report::TournamentResults;
use arena::standings::Standings;
use arena::store::Store;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;
use std::fmt::Display;
use std::path::{Path, PathBuf};

fn wrong(error: impl Display) -> PyErr {
    RecordsError::new_err(error.to_string())
}

/// The tournaments in a file, the oldest first.
#[pyfunction(name = "_record_list")]
pub fn record_list(path: PathBuf) -> PyResult<String> {
    let entries = Store::existing(&path)
        .and_then(|store| store.entries())
        .map_err(wrong)?;
    let told = entries.iter().map(|entry| {
        let players: Vec<&str> = entry.players.iter().map(|(name, _)| name.as_str()).collect();
        json!({
            "tournament": entry.id, "name": entry.name, "game": entry.game, "started": entry.started,
            "stopped": entry.stopped, "pairs": entry.pairs, "players": players,
        })
    });
    Ok(serde_json::Value::from_iter(told).to_string())
}

/// The games of a tournament, a JSON object each.
#[pyfunction(name = "_record_games")]
pub fn record_games(py: Python, path: PathBuf, tournament: Option<i64>) -> PyResult<Vec<String>> {
    wait_quietly(py, |_| {
        let store = Store::existing(&path)?;
        let entry = store.entry(tournament)?;
        let mut games = Vec::new();
        store.each_pair(entry.id, |pair| {
            games.extend((0..2).map(|number| game_as_json(&entry, &pair, number).to_string()));
        })?;
        Ok(games)
    })?
    .map_err(|error: arena::store::StoreError| wrong(error))
}

/// The standings of a tournament; with `mistakes`, also those against perfect play in at most so many pairs.
#[pyfunction(name = "_record_results")]
pub fn record_results(py: Python, path: PathBuf, tournament: Option<i64>, mistakes: Option<usize>) -> PyResult<String> {
    let store = Store::existing(&path).map_err(wrong)?;
    let entry = store.entry(tournament).map_err(wrong)?;
    let place = format!("tournament {}", entry.id);
    let plan = Plan::from_toml(&entry.plan, &place, Path::new("")).map_err(wrong)?;
    let mut standings = Standings::new(plan.players.len(), &plan.meetings());
    let mut pairs = Vec::new();
    store
        .each_pair(entry.id, |pair| {
            standings.count(&pair);
            if mistakes.is_some() {
                pairs.push(pair);
            }
        })
        .map_err(wrong)?;
    let mut results = TournamentResults::new(entry.id, &plan, &standings);
    if let Some(most) = mistakes {
        let game = games::find(&entry.game).map_err(of_find)?.game;
        let found = wait_quietly(py, |_| game.mistakes(&pairs, most, entry.players.len()))?;
        let Some(found) = found else {
            let why = format!(
                "nobody knows the truth about {}: mistakes cannot be counted",
                entry.game
            );
            return Err(PyValueError::new_err(why));
        };
        results = results.with_mistakes(&found.map_err(wrong)?);
    }
    serde_json::to_string(&results).map_err(wrong)
}
