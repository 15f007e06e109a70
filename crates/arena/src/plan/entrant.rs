//! Who plays in a tournament, as a plan tells it.

use crate::terms::{ResourceLimits, TimeControl, duration};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A player in a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// What the tables call it.
    pub name: String,
    /// Who it is.
    pub player: Contender,
    /// Which version of a program it is, if somebody says so. Otherwise its files tell.
    pub version: Option<String>,
    /// What limits its thinking, if not what limits everybody's.
    pub time: Option<TimeControl>,
}

/// A player by spec or by command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contender {
    /// A spec such as `minimax:depth=3` or `engine:COMMAND`.
    Spec(String),
    /// A program outside.
    Engine(EngineTable),
}

/// A program outside, as a TOML table tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineTable {
    /// What the tables call it; the command if left out. Read, it is the entrant's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The program.
    pub cmd: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Variables of its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// What `setoption` tells it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// How long it may take to start, such as `10s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// What it may use, such as `memory=512M,cpu=10s`; the plan's limits if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<String>,
}

impl Entrant {
    /// A player of that spec, by its own name.
    pub fn of_spec(spec: &str) -> Self {
        Entrant {
            name: spec.into(),
            player: Contender::Spec(spec.into()),
            version: None,
            time: None,
        }
    }

    /// Spec or command as text.
    pub fn spec(&self) -> String {
        match &self.player {
            Contender::Spec(spec) => spec.clone(),
            Contender::Engine(table) => {
                let words = std::iter::once(&table.cmd).chain(&table.args);
                let command: Vec<&str> = words.map(String::as_str).collect();
                format!("engine:{}", command.join(" "))
            }
        }
    }

    /// As a plan writes it.
    pub(super) fn to_toml(&self) -> toml::Value {
        let mut table = toml::Table::new();
        table.insert("name".into(), self.name.clone().into());
        match &self.player {
            Contender::Spec(spec) if *spec == self.name && self.version.is_none() && self.time.is_none() => {
                return spec.clone().into();
            }
            Contender::Spec(spec) => drop(table.insert("spec".into(), spec.clone().into())),
            Contender::Engine(engine) => {
                if let Ok(toml::Value::Table(more)) = toml::Value::try_from(engine) {
                    table.extend(more);
                }
                table.insert("name".into(), self.name.clone().into());
            }
        }
        if let Some(version) = &self.version {
            table.insert("version".into(), version.clone().into());
        }
        if let Some(time) = self.time {
            table.insert("time".into(), time.to_string().into());
        }
        table.into()
    }
}

/// Reads what a plan says of a player. Its folder is the plan's if it names another from there.
pub(super) fn read(value: toml::Value, folder: &Path) -> Result<Entrant, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Named {
        name: String,
        spec: String,
    }
    let mut value = value;
    let mut text = |key: &str| match value.as_table_mut().and_then(|table| table.remove(key)) {
        None => Ok(None),
        Some(toml::Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(format!("{key}: expected a text, found {}", other.type_str())),
    };
    let version = text("version")?;
    let time = match text("time")? {
        Some(time) => Some(time.parse().map_err(|error| format!("time: {error}"))?),
        None => None,
    };
    match value {
        toml::Value::String(spec) => Ok(Entrant::of_spec(&spec)),
        toml::Value::Table(table) if table.contains_key("cmd") => {
            let mut engine: EngineTable = table.try_into().map_err(|error| error.to_string())?;
            engine.dir = engine.dir.map(|dir| folder.join(dir));
            if engine.start.as_deref().is_some_and(|start| duration(start).is_none()) {
                return Err("start: expected a time such as 100ms or 2s".into());
            }
            if let Some(limits) = &engine.limits {
                limits
                    .parse::<ResourceLimits>()
                    .map_err(|error| format!("limits: {error}"))?;
            }
            Ok(Entrant {
                name: engine.name.take().unwrap_or_else(|| engine.cmd.clone()),
                player: Contender::Engine(engine),
                version,
                time,
            })
        }
        toml::Value::Table(table) => {
            let named: Named = table.try_into().map_err(|error| error.to_string())?;
            Ok(Entrant {
                name: named.name,
                player: Contender::Spec(named.spec),
                version,
                time,
            })
        }
        other => Err(format!(
            "expected a spec or a table with cmd or spec, found {}",
            other.type_str()
        )),
    }
}

/// Two players of one name get numbers: tables must tell them apart.
pub fn named_apart(mut players: Vec<Entrant>) -> Vec<Entrant> {
    for i in 1..players.len() {
        let base = players[i].name.clone();
        let mut number = 2;
        while players[..i].iter().any(|other| other.name == players[i].name) {
            players[i].name = format!("{base} #{number}");
            number += 1;
        }
    }
    players
}
