//! Which players a game has, and how they are made.

use crate::{Options, Player, Spec, SpecError};
use game::Game;
use std::sync::Arc;

/// An option of a player, for `terzo players`.
#[derive(Clone, Copy, Debug)]
pub struct OptionHelp {
    /// The key.
    pub key: &'static str,
    /// The value that is taken when it is not given.
    pub default: &'static str,
    /// What it does and which values it takes.
    pub help: &'static str,
}

/// Makes players, all alike.
pub type Maker<G> = Arc<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>;

/// A line of a roster: the name of a player, what it does, and how to make one from options.
pub struct PlayerEntry<G: Game> {
    /// The name that begins a spec.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The options it takes.
    pub options: &'static [OptionHelp],
    prepare: fn(Options) -> Result<Maker<G>, SpecError>,
}

impl<G: Game> PlayerEntry<G> {
    /// An entry whose options `prepare` reads once, into something that then makes any number of players.
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        options: &'static [OptionHelp],
        prepare: fn(Options) -> Result<Maker<G>, SpecError>,
    ) -> Self {
        PlayerEntry {
            name,
            summary,
            options,
            prepare,
        }
    }
}

/// The players of a game, weakest first.
pub struct Roster<G: Game>(Vec<PlayerEntry<G>>);

impl<G: Game> Roster<G> {
    /// A roster of these, weakest first.
    pub fn new(entries: Vec<PlayerEntry<G>>) -> Self {
        Roster(entries)
    }

    /// All entries, weakest first.
    pub fn entries(&self) -> &[PlayerEntry<G>] {
        &self.0
    }

    /// The entry of that name.
    pub fn entry(&self, name: &str) -> Option<&PlayerEntry<G>> {
        self.0.iter().find(|entry| entry.name == name)
    }

    /// The name of the strongest player.
    pub fn strongest(&self) -> Option<&'static str> {
        self.0.last().map(|entry| entry.name)
    }

    /// Reads a spec.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the spec, and which name or option was perhaps meant.
    pub fn factory(&self, spec: &str) -> Result<PlayerFactory<G>, SpecError> {
        let spec: Spec = spec.parse()?;
        let entry = self
            .entry(&spec.name)
            .ok_or_else(|| SpecError::unknown_player(&spec.name, self.0.iter().map(|entry| entry.name)))?;
        let known: Vec<&str> = entry.options.iter().map(|option| option.key).collect();
        let maker = (entry.prepare)(Options::new(&spec, &known)?)?;
        Ok(PlayerFactory {
            spec,
            identity: Vec::new(),
            maker,
        })
    }
}

/// What makes players of one spec: one for each thread of a match, say.
pub struct PlayerFactory<G: Game> {
    /// The spec it was made from.
    pub spec: Spec,
    /// What makes it this player beyond its spec: files of a program and their digests, or a version. Players of ours have none.
    pub identity: Vec<(String, String)>,
    maker: Maker<G>,
}

impl<G: Game> Clone for PlayerFactory<G> {
    fn clone(&self) -> Self {
        PlayerFactory {
            spec: self.spec.clone(),
            identity: self.identity.clone(),
            maker: self.maker.clone(),
        }
    }
}

impl<G: Game> PlayerFactory<G> {
    /// A factory from outside the rosters: of an engine, say.
    pub fn new(spec: Spec, maker: impl Fn() -> Box<dyn Player<G>> + Send + Sync + 'static) -> Self {
        PlayerFactory {
            spec,
            identity: Vec::new(),
            maker: Arc::new(maker),
        }
    }

    /// The same with what makes it this player.
    pub fn identified(self, identity: Vec<(String, String)>) -> Self {
        PlayerFactory { identity, ..self }
    }

    /// A player, fresh.
    pub fn make(&self) -> Box<dyn Player<G>> {
        (self.maker)()
    }
}
