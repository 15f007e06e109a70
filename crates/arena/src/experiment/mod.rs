//! An experiment of somebody's report, to be done again: who played whom, how often, and what the report says came out.
//!
//! What a report says is kept in the experiment's file, with the place it is from, and is only ever compared with; what is
//! printed as ours was counted in games played here. Where a report's text allows more than one reading of its players, the file
//! has them side by side, and each is played.

mod compare;

pub use compare::{Agreement, FigureComparison, ReadingLine, p_text, score_of};

use crate::plan::{Entrant, Format, OpeningPlan, Plan, PlanError, named_apart};
use crate::standings::Standings;
use crate::terms::{Terms, TimeControl};
use serde::Deserialize;

/// An experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// Its name, the file's too. It begins with the report's.
    pub name: String,
    /// What it is, in words.
    pub title: String,
    /// Where it is from.
    pub source: String,
    /// What had to be decided where the report is silent.
    #[serde(default)]
    pub note: String,
    /// The game.
    #[serde(default = "quarto")]
    pub game: String,
    /// What the report calls its players, and the first reading of them.
    pub players: Vec<ExperimentPlayer>,
    /// What the first reading is.
    #[serde(default = "as_written")]
    pub reading: String,
    /// Other readings.
    #[serde(default)]
    pub readings: Vec<Reading>,
    /// Pairs of each two who meet, in full.
    pub pairs: u64,
    /// Pairs in a hurry.
    pub quick: u64,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// So many random legal turns begin each pair: players without chance would play one game again and again.
    #[serde(default)]
    pub plies: u32,
    /// What limits thinking, as `--time` has it.
    #[serde(default)]
    pub time: Option<String>,
    /// What is drawn.
    pub figure: Option<FigurePlan>,
    /// What is compared.
    pub cells: Vec<ReportedCell>,
}

/// A player of an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentPlayer {
    /// What the report calls it.
    pub name: String,
    /// What plays it here.
    pub spec: String,
}

/// Another reading of what a report says of its players or seats.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// What it is, in a few words.
    pub label: String,
    /// Who plays, in the order of the experiment's players; those of the first reading if left out.
    #[serde(default)]
    pub specs: Vec<String>,
    /// The seat, 1 or 2, on which the cells' players are taken to have sat; as the cells say if left out.
    pub seat: Option<usize>,
    /// Whether the report's text allows it. Others are tried to find out what could explain a difference, and prove nothing.
    #[serde(default = "yes")]
    pub allowed: bool,
}

/// Scores over something that differs from player to player.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigurePlan {
    /// What the axis is.
    pub x: String,
    /// Where on it each player lies; one below 0 is not drawn.
    pub at: Vec<f64>,
    /// Only the games against this player; everybody's if left out.
    pub against: Option<usize>,
    /// On which seat, 1 or 2; both if left out.
    pub seat: Option<usize>,
}

/// One figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReportedCell {
    /// What is measured.
    pub measure: Measure,
    /// Of which player, counted from 0.
    pub player: usize,
    /// Against whom; everybody if left out.
    pub against: Option<usize>,
    /// A claim is about how much higher its score is than this player's; than a half if left out.
    pub than: Option<usize>,
    /// On which seat, 1 or 2; both if left out.
    pub seat: Option<usize>,
    /// What the report counted: wins, draws and losses.
    pub results: Option<[u64; 3]>,
    /// What the report measured.
    pub reported: Option<f64>,
    /// In how many games.
    pub of: Option<u64>,
    /// What the report claims without a figure.
    pub claims: Option<Claim>,
}

/// What a report can claim of a score without giving it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// That it is above a half.
    Better,
    /// That it is below a half.
    Worse,
    /// That it is a half.
    Even,
    /// That it is not below a half.
    NotWorse,
    /// That it is above a half against every other player.
    Best,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Wins, draws and losses, as one row.
    Results,
    /// Points as a share of the games.
    Score,
    /// Turns a game.
    Turns,
    /// The game's own points made in a game, and by how much it was ahead.
    Points,
    /// Milliseconds a placement, on average.
    PlaceMean,
    /// Milliseconds a placement, at most.
    PlaceMax,
    /// Milliseconds a gift, on average.
    GiveMean,
    /// Milliseconds a gift, at most.
    GiveMax,
    /// Seconds in all.
    Seconds,
    /// The share of all players' time.
    TimeShare,
}

fn quarto() -> String {
    "quarto".into()
}

fn as_written() -> String {
    "as written".into()
}

fn yes() -> bool {
    true
}

impl Experiment {
    /// Reads an experiment; `place` names it in errors.
    pub fn from_toml(text: &str, place: &str) -> Result<Experiment, PlanError> {
        let wrong = |why: String| PlanError {
            place: place.into(),
            why,
        };
        let read: Experiment = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let known = |player: usize| player < read.players.len();
        let a_seat = |seat: Option<usize>| seat.is_none_or(|seat| seat == 1 || seat == 2);
        for cell in &read.cells {
            if !known(cell.player)
                || ![cell.against, cell.than].iter().all(|player| player.is_none_or(known))
                || !a_seat(cell.seat)
            {
                return Err(wrong(format!("no such player or seat: {cell:?}")));
            }
        }
        for reading in &read.readings {
            let specs = reading.specs.len();
            if !a_seat(reading.seat) || (specs != 0 && specs != read.players.len()) {
                return Err(wrong(format!("not a spec a player, or no such seat: {reading:?}")));
            }
        }
        if let Some(figure) = &read.figure
            && (figure.at.len() != read.players.len() || !figure.against.is_none_or(known) || !a_seat(figure.seat))
        {
            return Err(wrong(format!(
                "not a place a player, or no such player or seat: {figure:?}"
            )));
        }
        if let Some(time) = &read.time {
            time.parse::<TimeControl>().map_err(|error| wrong(error.to_string()))?;
        }
        Ok(read)
    }

    /// The report it is from.
    pub fn report(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }

    /// All readings, the first included.
    pub fn all_readings(&self) -> Vec<Reading> {
        let specs: Vec<String> = self.players.iter().map(|player| player.spec.clone()).collect();
        let first = Reading {
            label: self.reading.clone(),
            specs: specs.clone(),
            seat: None,
            allowed: true,
        };
        let others = self.readings.iter().cloned().map(|mut reading| {
            if reading.specs.is_empty() {
                reading.specs = specs.clone();
            }
            reading
        });
        std::iter::once(first).chain(others).collect()
    }

    /// The same with somebody else in the place of a player, as the only reading. False if it has no player of that name.
    pub fn replace(&mut self, name: &str, spec: &str) -> bool {
        let Some(player) = self.players.iter_mut().find(|player| player.name == name) else {
            return false;
        };
        player.spec = spec.into();
        self.readings.clear();
        self.reading = format!("{name} replaced");
        true
    }

    /// What is to be played of a reading.
    pub fn plan(&self, reading: &Reading, pairs: u64) -> Plan {
        let players = self.players.iter().zip(&reading.specs).map(|(player, spec)| {
            let mut entrant = Entrant::of_spec(spec);
            entrant.name = player.name.clone();
            entrant
        });
        let control = self.time.as_deref().and_then(|time| time.parse().ok());
        Plan {
            name: self.name.clone(),
            game: self.game.clone(),
            players: named_apart(players.collect()),
            rounds: pairs,
            format: self.format,
            seed: 1,
            terms: Terms {
                patience: std::time::Duration::from_secs(3600),
                control: control.unwrap_or_default(),
                ..Terms::default()
            },
            openings: match self.plies {
                0 => OpeningPlan::Start,
                plies => OpeningPlan::Plies(plies),
            },
            sprt: None,
            concurrency: 0,
        }
    }

    /// All figures, compared with the games of each of [`Self::all_readings`].
    pub fn compare(&self, played: &[&Standings]) -> Vec<FigureComparison> {
        let readings = self.all_readings();
        self.cells
            .iter()
            .map(|cell| compare::compare(self, cell, &readings, played))
            .collect()
    }
}
