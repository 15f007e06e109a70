//! From specs and plans to players who are ready to meet.

use crate::guest::{GuestMaker, Seated};
use crate::playable::Playable;
use ::game::{Game, GameError};
use arena::contest::TypedContest;
use arena::gamelog::GameLog;
use arena::opening::Openings;
use arena::plan::{Contender, Entrant, OpeningPlan, Plan};
use arena::terms::{ResourceLimits, duration};
use link::ugi::{self, CommandError, Excluded};
use player::{PlayerFactory, Spec, SpecError};
use std::sync::Arc;
use thiserror::Error;

/// Why players cannot meet.
#[derive(Debug, Error)]
pub enum EntrantError {
    /// A spec.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An engine of a plan.
    #[error("player {name}: {source}")]
    Engine {
        /// The player.
        name: String,
        /// What is wrong with its command.
        source: CommandError,
    },
    /// Programs cannot be spoken to about this game.
    #[error(transparent)]
    Excluded(#[from] Excluded),
    /// A position to begin from.
    #[error("{place}: {source}")]
    Position {
        /// Which.
        place: String,
        /// What is wrong with it.
        source: GameError,
    },
    /// Nobody knows the truth about this game.
    #[error("nobody knows the exact values of this game: they cannot end its games")]
    NoOracle,
    /// Positions that nobody can play from.
    #[error("{0}")]
    Positions(String),
}

/// Who is to meet, and where the games begin.
#[derive(Clone)]
pub struct ContestSetup {
    entrants: Vec<Entrant>,
    /// Which of them are guests, by number, and how they are made.
    guests: Vec<(usize, GuestMaker)>,
    plies: u32,
    /// Whether somebody who knows the truth is to end games.
    exact: bool,
    /// What programs may use.
    limits: ResourceLimits,
    /// Where conversations with programs are written down.
    log: Option<Arc<GameLog>>,
    /// Positions to begin from, and what they are called in messages.
    positions: Option<(String, Vec<String>)>,
}

impl ContestSetup {
    /// Players of these specs, from the first position.
    pub fn of_specs(specs: &[String]) -> Self {
        ContestSetup {
            entrants: specs.iter().map(|spec| Entrant::of_spec(spec)).collect(),
            guests: Vec::new(),
            plies: 0,
            exact: false,
            limits: ResourceLimits::default(),
            log: None,
            positions: None,
        }
    }

    /// The players and the openings of a plan. If it names a file of positions, these must be given with
    /// [`from_positions`](ContestSetup::from_positions).
    pub fn of_plan(plan: &Plan) -> Self {
        ContestSetup {
            entrants: plan.players.clone(),
            guests: Vec::new(),
            plies: match plan.openings {
                OpeningPlan::Plies(plies) => plies,
                OpeningPlan::Start | OpeningPlan::File(_) => 0,
            },
            exact: plan.terms.adjudication.exact.is_some(),
            limits: plan.terms.limits,
            log: None,
            positions: None,
        }
    }

    /// The same, but the player of that number is a guest, and its spec only a name.
    pub fn inviting(mut self, number: usize, guest: GuestMaker) -> Self {
        self.guests.push((number, guest));
        self
    }

    /// The same with so many random turns before the players are asked, the same ones in both games of a pair.
    #[must_use]
    pub fn after_random_turns(mut self, plies: u32) -> Self {
        self.plies = plies;
        self
    }

    /// The same, with limits for programs.
    pub fn within(mut self, limits: ResourceLimits) -> Self {
        self.limits = limits;
        self
    }

    /// The same, with somebody who knows the truth, if that is to end games.
    pub fn knowing(mut self, exact: bool) -> Self {
        self.exact = exact;
        self
    }

    /// The same, with every conversation with a program written down.
    pub fn logging(mut self, log: Option<Arc<GameLog>>) -> Self {
        self.log = log;
        self
    }

    /// The same from positions, a text each; `from` says in messages where they come from. Empty ones and comments (`#`) are
    /// passed over.
    pub fn from_positions(mut self, from: &str, positions: Vec<String>) -> Self {
        self.positions = Some((from.into(), positions));
        self
    }

    pub(crate) fn contest<G: Playable>(&self, start: &G) -> Result<TypedContest<G>, EntrantError> {
        let factories: Vec<PlayerFactory<G>> = {
            let made =
                |(number, entrant): (usize, &Entrant)| match self.guests.iter().find(|(guest, _)| *guest == number) {
                    Some((_, maker)) => Ok(of_guest(entrant, maker)),
                    None => of_entrant(entrant, self.limits),
                };
            self.entrants.iter().enumerate().map(made).collect::<Result<_, _>>()?
        };
        if factories.iter().any(|factory| factory.spec.as_program().is_some()) {
            ugi::check(start)?;
        }
        let openings = match &self.positions {
            Some((from, lines)) => read_positions(start, from, lines)?,
            None => Openings::Plies(self.plies),
        };
        let oracle = if self.exact { start.oracle() } else { None };
        if self.exact && oracle.is_none() {
            return Err(EntrantError::NoOracle);
        }
        Ok(TypedContest::new(start.clone(), factories, openings)
            .timed(self.entrants.iter().map(|entrant| entrant.time).collect())
            .knowing(oracle)
            .logging(self.log.clone()))
    }
}

/// Reads a spec: `engine:COMMAND`, a program over a protocol of the game's own, or a player of the game's roster.
pub(crate) fn factory<G: Playable>(spec: &str) -> Result<PlayerFactory<G>, SpecError> {
    factory_within(spec, ResourceLimits::default())
}

/// The same, with limits for programs.
fn factory_within<G: Playable>(spec: &str, limits: ResourceLimits) -> Result<PlayerFactory<G>, SpecError> {
    let parsed: Result<Spec, SpecError> = spec.parse();
    let wrong = |why: String| SpecError::Form { spec: spec.into(), why };
    match parsed.as_ref().ok().and_then(Spec::as_program) {
        None => G::roster().factory(spec),
        Some(("engine", line)) => {
            let mut command = ugi::EngineCommand::parse(line).map_err(|error| wrong(error.to_string()))?;
            command.limits = limits;
            ugi::engine_factory(Spec::engine(line), command).map_err(|error| wrong(error.to_string()))
        }
        Some((kind, line)) => G::program(kind, line, limits),
    }
}

/// What makes a player of a plan.
fn of_entrant<G: Playable>(entrant: &Entrant, limits: ResourceLimits) -> Result<PlayerFactory<G>, EntrantError> {
    let made = match &entrant.player {
        Contender::Spec(spec) => factory_within(spec, limits)?,
        Contender::Engine(table) => {
            let mut command = ugi::EngineCommand::new(&table.cmd, table.args.clone());
            command.folder = table.dir.clone();
            command.environment = table.env.clone();
            command.options = table.options.clone();
            command.start = table.start.as_deref().and_then(duration).unwrap_or(command.start);
            // A plan's limits were read with it.
            command.limits = table
                .limits
                .as_deref()
                .and_then(|text| text.parse().ok())
                .unwrap_or(limits);
            let spec = Spec::engine(entrant.spec().trim_start_matches("engine:"));
            ugi::engine_factory(spec, command).map_err(|source| EntrantError::Engine {
                name: entrant.name.clone(),
                source,
            })?
        }
    };
    Ok(with_version(made, entrant))
}

/// What makes a guest a player of a game.
pub(crate) fn guest_factory<G: Playable>(name: &str, guest: &GuestMaker) -> PlayerFactory<G> {
    let spec = Spec {
        name: name.into(),
        options: Vec::new(),
    };
    let guest = guest.clone();
    PlayerFactory::new(spec, move || Box::new(Seated(guest())))
}

fn of_guest<G: Playable>(entrant: &Entrant, guest: &GuestMaker) -> PlayerFactory<G> {
    with_version(guest_factory(&entrant.name, guest), entrant)
}

fn with_version<G: Game>(made: PlayerFactory<G>, entrant: &Entrant) -> PlayerFactory<G> {
    match &entrant.version {
        Some(version) => made.identified(vec![("version".into(), version.clone())]),
        None => made,
    }
}

/// Positions to begin from.
fn read_positions<G: Game>(start: &G, from: &str, lines: &[String]) -> Result<Openings<G>, EntrantError> {
    let mut positions = Vec::new();
    for (number, line) in lines.iter().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = || format!("{from}, line {number}");
        let position = start
            .parse(line)
            .map_err(|source| EntrantError::Position { place: place(), source })?;
        if position.outcome().is_some() {
            return Err(EntrantError::Positions(format!(
                "{}: the game is already over",
                place()
            )));
        }
        positions.push(position);
    }
    match positions.is_empty() {
        true => Err(EntrantError::Positions(format!(
            "{from}: expected a position a line, found none"
        ))),
        false => Ok(Openings::Positions(positions)),
    }
}
