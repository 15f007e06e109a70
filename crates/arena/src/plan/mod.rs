//! What a tournament is to be: read from a TOML file or put together from a command line.

mod entrant;
mod openings;

use crate::adjudication::{Adjudication, DrawRule, ResignRule};
use crate::stats::sprt::Sprt;
use crate::terms::{ResourceLimits, Terms, TimeControl, duration, print_duration};
use serde::{Deserialize, Serialize};
use std::path::Path;
use thiserror::Error;

pub use entrant::{Contender, EngineTable, Entrant, named_apart};
use openings::FileOpenings;
pub use openings::{OpeningFile, OpeningOrder, OpeningPlan};

/// The most players: all of them meet, and all names are compared.
const MOST_PLAYERS: usize = 1000;
/// The most random turns to begin with. Where a game may end sooner, fewer are tried again and again.
const MOST_PLIES: u32 = 100;
/// The most rounds where each waits for the one before.
const MOST_STAGES: u64 = 10_000;
/// The most threads that anybody may ask for: more than any machine has cores.
pub const MOST_THREADS: usize = 1024;

/// A tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What to call it.
    pub name: String,
    /// The game's name.
    pub game: String,
    /// Who plays.
    pub players: Vec<Entrant>,
    /// How many pairs each two who meet play.
    pub rounds: u64,
    /// Who meets whom.
    pub format: Format,
    /// What all chance is drawn from.
    pub seed: u64,
    /// The terms of each game.
    pub terms: Terms,
    /// How games begin.
    pub openings: OpeningPlan,
    /// A test that may end it early.
    pub sprt: Option<Sprt>,
    /// How many games at once; 0 for one a core.
    pub concurrency: usize,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first meets everybody else.
    Gauntlet,
    /// In every round those meet who have done equally well so far, for a pair each.
    Swiss,
    /// Who loses is out; `rounds` pairs decide, and more if they leave two level.
    Knockout,
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {why}")]
pub struct PlanError {
    /// The file, or the field.
    pub place: String,
    /// What is wrong and what was expected.
    pub why: String,
}

fn too_many(players: usize) -> String {
    format!("{players} players; expected at most {MOST_PLAYERS}")
}

fn wrong(place: impl Into<String>, why: impl ToString) -> PlanError {
    PlanError {
        place: place.into(),
        why: why.to_string(),
    }
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    game: String,
    #[serde(default = "one")]
    seed: u64,
    #[serde(default = "fifty")]
    rounds: u64,
    #[serde(default)]
    format: Format,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    margin: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    patience: Option<String>,
    #[serde(default, rename = "max-turns", skip_serializing_if = "Option::is_none")]
    max_turns: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    resign: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    draw: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exact: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limits: Option<String>,
    #[serde(default)]
    concurrency: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    openings: Option<FileOpenings>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sprt: Option<FileSprt>,
    players: Vec<toml::Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSprt {
    elo0: f64,
    elo1: f64,
    #[serde(default = "twentieth")]
    alpha: f64,
    #[serde(default = "twentieth")]
    beta: f64,
}

fn one() -> u64 {
    1
}

fn fifty() -> u64 {
    50
}

fn twentieth() -> f64 {
    0.05
}

impl Plan {
    /// A longer file is no plan.
    pub const LONGEST: usize = 4 << 20;

    /// Reads a plan. `place` names it in errors; paths in it are taken from `folder`.
    pub fn from_toml(text: &str, place: &str, folder: &Path) -> Result<Plan, PlanError> {
        if text.len() > Plan::LONGEST {
            return Err(wrong(
                place,
                format!("expected at most {} bytes, found {}", Plan::LONGEST, text.len()),
            ));
        }
        let file: File = toml::from_str(text).map_err(|error| wrong(place, error))?;
        if file.players.len() > MOST_PLAYERS {
            return Err(wrong(place, too_many(file.players.len())));
        }
        let time = |field: &str, text: Option<&String>, default| match text {
            None => Ok(default),
            Some(text) => {
                duration(text).ok_or_else(|| wrong(format!("{place}: {field}"), "expected a time such as 100ms or 2s"))
            }
        };
        let default = Terms::default();
        let terms = Terms {
            control: match &file.time {
                None => TimeControl::None,
                Some(text) => text.parse().map_err(|error| wrong(format!("{place}: time"), error))?,
            },
            margin: time("margin", file.margin.as_ref(), default.margin)?,
            patience: time("patience", file.patience.as_ref(), default.patience)?,
            max_turns: file.max_turns,
            adjudication: Adjudication {
                resign: (file.resign.as_deref().map(str::parse::<ResignRule>).transpose())
                    .map_err(|error| wrong(format!("{place}: resign"), error))?,
                draw: (file.draw.as_deref().map(str::parse::<DrawRule>).transpose())
                    .map_err(|error| wrong(format!("{place}: draw"), error))?,
                exact: file.exact,
            },
            limits: match &file.limits {
                None => ResourceLimits::default(),
                Some(text) => text.parse().map_err(|error| wrong(format!("{place}: limits"), error))?,
            },
        };
        let openings = match file.openings {
            None => OpeningPlan::Start,
            Some(openings) => openings
                .plan(folder)
                .map_err(|why| wrong(format!("{place}: openings"), why))?,
        };
        let players = file
            .players
            .into_iter()
            .enumerate()
            .map(|(i, value)| {
                entrant::read(value, folder).map_err(|why| wrong(format!("{place}: player {}", i + 1), why))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let plan = Plan {
            name: file.name.unwrap_or_else(|| file.game.clone()),
            game: file.game,
            players: named_apart(players),
            rounds: file.rounds,
            format: file.format,
            seed: file.seed,
            terms,
            openings,
            sprt: file.sprt.map(|sprt| Sprt {
                elo0: sprt.elo0,
                elo1: sprt.elo1,
                alpha: sprt.alpha,
                beta: sprt.beta,
            }),
            concurrency: file.concurrency,
        };
        plan.check().map_err(|why| wrong(place, why))?;
        Ok(plan)
    }

    /// What a plan must be, however it was made.
    pub fn check(&self) -> Result<(), String> {
        if self.players.len() < 2 {
            return Err(format!(
                "{} players; a tournament needs two or more",
                self.players.len()
            ));
        }
        if self.players.len() > MOST_PLAYERS {
            return Err(too_many(self.players.len()));
        }
        let names = self.players.iter().map(|player| player.name.as_str());
        if let Some(name) = names
            .chain([self.name.as_str()])
            .find(|name| name.contains(char::is_control))
        {
            return Err(format!("name {name:?}: expected no control characters"));
        }
        let pairs = self.pairs();
        if self.format == Format::Swiss && self.rounds >= MOST_STAGES {
            return Err(format!("rounds: a Swiss tournament has fewer than {MOST_STAGES}"));
        }
        if pairs == 0 || pairs >= 1 << 40 {
            return Err("rounds: expected one or more, and less than a trillion pairs in all".into());
        }
        // TOML has no larger numbers, and a plan that cannot be written cannot be taken up again.
        if i64::try_from(self.seed).is_err() {
            return Err("seed: expected a number below 2^63".into());
        }
        if self.concurrency > MOST_THREADS {
            return Err(format!("concurrency: expected at most {MOST_THREADS} games at once"));
        }
        if matches!(self.openings, OpeningPlan::Plies(plies) if plies > MOST_PLIES) {
            return Err(format!("openings: expected at most {MOST_PLIES} plies"));
        }
        if let Some(sprt) = &self.sprt {
            if self.players.len() != 2 {
                return Err(format!(
                    "sprt compares two players, and there are {}",
                    self.players.len()
                ));
            }
            if !(sprt.elo0 < sprt.elo1 && sprt.elo0.abs() < 2000.0 && sprt.elo1.abs() < 2000.0) {
                return Err("sprt: expected elo0 less than elo1, both between -2000 and 2000".into());
            }
            let share = |x: f64| x > 0.0 && x < 0.5;
            if !(share(sprt.alpha) && share(sprt.beta)) {
                return Err("sprt: expected alpha and beta above 0 and below 0.5".into());
            }
        }
        Ok(())
    }

    /// The plan as a file.
    pub fn to_toml(&self) -> String {
        let default = Terms::default();
        let file = File {
            name: Some(self.name.clone()),
            game: self.game.clone(),
            seed: self.seed,
            rounds: self.rounds,
            format: self.format,
            time: (self.terms.control != TimeControl::None).then(|| self.terms.control.to_string()),
            margin: (self.terms.margin != default.margin).then(|| print_duration(self.terms.margin)),
            patience: (self.terms.patience != default.patience).then(|| print_duration(self.terms.patience)),
            max_turns: self.terms.max_turns,
            resign: self.terms.adjudication.resign.map(|rule| rule.to_string()),
            draw: self.terms.adjudication.draw.map(|rule| rule.to_string()),
            exact: self.terms.adjudication.exact,
            limits: (self.terms.limits != ResourceLimits::default()).then(|| self.terms.limits.to_string()),
            concurrency: self.concurrency,
            openings: FileOpenings::of(&self.openings),
            sprt: self.sprt.map(|sprt| FileSprt {
                elo0: sprt.elo0,
                elo1: sprt.elo1,
                alpha: sprt.alpha,
                beta: sprt.beta,
            }),
            players: self.players.iter().map(Entrant::to_toml).collect(),
        };
        toml::to_string(&file).unwrap_or_default()
    }

    /// What makes it this tournament: all that decides which games are played, and nothing else. More rounds and other
    /// numbers of threads are the same tournament.
    pub fn key(&self) -> String {
        let mut same = self.clone();
        (same.name, same.rounds, same.concurrency, same.sprt) = (String::new(), 1, 0, None);
        if self.format == Format::Knockout {
            // How many pairs decide changes who meets afterwards.
            same.rounds = self.rounds;
        }
        // Versions are part of a tournament's identity, which stands beside its plan.
        same.players.iter_mut().for_each(|player| player.version = None);
        let mut key = same.to_toml();
        if let OpeningPlan::File(file) = &self.openings {
            // The positions count, not only the name of their file.
            key += &std::fs::read_to_string(&file.path).unwrap_or_default();
        }
        key
    }

    /// How many pairs there will be; in a knockout more, if some are level.
    pub fn pairs(&self) -> u64 {
        let players = self.players.len() as u64;
        let at_once = match self.format {
            Format::RoundRobin | Format::Gauntlet => self.meetings().len() as u64,
            Format::Swiss => players / 2,
            Format::Knockout => players.saturating_sub(1),
        };
        self.rounds.saturating_mul(at_once)
    }

    /// The meetings: the numbers of who sits first in the first game, and who second. Where the results decide who meets, all
    /// that may be.
    pub fn meetings(&self) -> Vec<(usize, usize)> {
        let n = self.players.len();
        match self.format {
            Format::RoundRobin | Format::Swiss | Format::Knockout => {
                (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()
            }
            Format::Gauntlet => (1..n).map(|b| (0, b)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r#"
        name = "evening"
        game = "quarto"
        seed = 7
        rounds = 20
        format = "gauntlet"
        time = "move=50ms"
        margin = "20ms"
        patience = "5s"
        max-turns = 40
        concurrency = 2
        openings = { plies = 2 }
        players = [
            "novice",
            "random",
            "random",
            { name = "deep", spec = "minimax:depth=4" },
            { cmd = "python3", args = ["my.py"], dir = "bots", env = { A = "1" }, options = { Level = "3" }, version = "1.2" },
        ]
    "#;

    fn read(text: &str) -> Result<Plan, PlanError> {
        Plan::from_toml(text, "plan.toml", Path::new("folder"))
    }

    #[test]
    fn a_whole_plan_reads_and_round_trips() {
        let plan = read(WHOLE).unwrap();
        assert_eq!(plan.terms.control.to_string(), "move=50ms");
        assert_eq!(plan.meetings(), [(0, 1), (0, 2), (0, 3), (0, 4)]);
        let names: Vec<&str> = plan.players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["novice", "random", "random #2", "deep", "python3"]);
        let Contender::Engine(engine) = &plan.players[4].player else {
            panic!("{plan:?}");
        };
        assert_eq!(engine.dir.as_deref(), Some(Path::new("folder/bots")));
        assert_eq!(plan.players[4].version.as_deref(), Some("1.2"));
        let again = Plan::from_toml(&plan.to_toml(), "again", Path::new("")).unwrap();
        assert_eq!((again.key(), again.rounds), (plan.key(), plan.rounds));
        assert_eq!(again.players, plan.players);
    }

    #[test]
    fn more_rounds_are_the_same_tournament_and_another_seed_is_not() {
        let plan = read(WHOLE).unwrap();
        let more = Plan {
            rounds: 99,
            concurrency: 7,
            ..plan.clone()
        };
        assert_eq!(more.key(), plan.key());
        let other = Plan {
            seed: 8,
            ..plan.clone()
        };
        assert_ne!(other.key(), plan.key());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let cases = [
            ("game = 'quarto'\nplayers = ['novice']", "needs two or more"),
            (
                "game = 'quarto'\nplayers = ['a', 3]",
                "player 2: expected a spec or a table",
            ),
            (
                "game = 'quarto'\nplayers = ['a', {cmd = 'x', arg = 1}]",
                "unknown field `arg`",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nround = 3",
                "unknown field `round`",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\ntime = '3'",
                "expected none, move=100ms",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nmargin = '3'",
                "margin: expected a time",
            ),
            ("game = 'quarto'\nplayers = ['a', 'b']\nformat = 'cup'", "round-robin"),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nopenings = {}",
                "either plies or file",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b', 'c']\nsprt = {elo0 = 0, elo1 = 5}",
                "compares two players",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nsprt = {elo0 = 5, elo1 = 0}",
                "elo0 less than elo1",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nrounds = 0",
                "rounds: expected one",
            ),
            ("game = ", "plan.toml"),
            (
                "game = 'quarto'\nplayers = ['a', {name = \"x\\u001b[2J\", spec = 'novice'}]",
                "\"x\\u{1b}[2J\": expected no control",
            ),
            (
                "game = 'quarto'\nplayers = ['a', {name = 'b', spec = 'novice', version = 3}]",
                "version: expected a text",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nconcurrency = 1000000000",
                "at most 1024 games at once",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nopenings = {plies = 4294967295}",
                "at most 100 plies",
            ),
            (
                "game = 'quarto'\nplayers = ['a', 'b']\nrounds = 9223372036854775807",
                "less than a trillion",
            ),
        ];
        for (text, expected) in cases {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn a_plan_of_a_hundred_thousand_players_or_of_megabytes_is_refused_at_once() {
        let players = "'random',".repeat(100_000);
        let message = read(&format!("game = 'quarto'\nplayers = [{players}]"))
            .unwrap_err()
            .to_string();
        assert!(message.contains("100000 players; expected at most 1000"), "{message}");
        let message = read(&format!("game = '{}'", "x".repeat(5 << 20)))
            .unwrap_err()
            .to_string();
        assert!(message.contains("expected at most 4194304 bytes"), "{message}");
        let nested = format!("game = {}", "[".repeat(100_000));
        assert!(read(&nested).is_err());
        let large = Plan {
            seed: 1 << 63,
            ..read(WHOLE).unwrap()
        };
        assert!(large.check().unwrap_err().contains("below 2^63"));
    }
}
