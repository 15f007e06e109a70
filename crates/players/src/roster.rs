//! Which players a game has, and how they are made.

use crate::{Options, Player, Spec, SpecError, Truth};
use game::Game;
use std::sync::Arc;

/// A game that somebody here can play.
pub trait Playable: Game {
    /// The kinds of players, weakest first.
    fn roster() -> Vec<Kind<Self>>;

    /// The position drawn for a terminal, over several lines.
    fn drawing(&self, _colour: bool) -> String {
        self.print() + "\n"
    }

    /// Somebody who knows what positions of this game are worth, if there is one.
    fn truth(&self) -> Option<Box<dyn Truth<Self>>> {
        None
    }

    /// What a player would like to know about the position: names of facts and their items.
    fn facts(&self) -> Vec<(&'static str, Vec<String>)> {
        Vec::new()
    }
}

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

type Maker<G> = Arc<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>;

/// A kind of player: its name, what it does, and how to make one from options.
pub struct Kind<G: Game> {
    /// The name that begins a spec.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
    /// The options it takes.
    pub options: &'static [OptionHelp],
    prepare: fn(Options) -> Result<Maker<G>, SpecError>,
}

impl<G: Game> Kind<G> {
    /// A kind whose options `prepare` reads once, into something that then makes any number of players.
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        options: &'static [OptionHelp],
        prepare: fn(Options) -> Result<Maker<G>, SpecError>,
    ) -> Self {
        Kind {
            name,
            summary,
            options,
            prepare,
        }
    }
}

/// What makes players of one spec: one for each thread of a match, say.
pub struct Recipe<G: Game> {
    /// The spec it was made from.
    pub spec: Spec,
    /// What makes it this player beyond its spec: files of a program and their digests, or a version. Players of ours have none.
    pub identity: Vec<(String, String)>,
    maker: Maker<G>,
}

impl<G: Game> Clone for Recipe<G> {
    fn clone(&self) -> Self {
        Recipe {
            spec: self.spec.clone(),
            identity: self.identity.clone(),
            maker: self.maker.clone(),
        }
    }
}

impl<G: Game> Recipe<G> {
    /// A recipe from outside the rosters: an engine, say.
    pub fn new(spec: Spec, maker: impl Fn() -> Box<dyn Player<G>> + Send + Sync + 'static) -> Self {
        Recipe {
            spec,
            identity: Vec::new(),
            maker: Arc::new(maker),
        }
    }

    /// The same with what makes it this player.
    pub fn identified(self, identity: Vec<(String, String)>) -> Self {
        Recipe { identity, ..self }
    }

    /// A player, fresh.
    pub fn make(&self) -> Box<dyn Player<G>> {
        (self.maker)()
    }
}

/// Reads a spec for a game, or says what is wrong with it.
pub fn recipe<G: Playable>(spec: &str) -> Result<Recipe<G>, SpecError> {
    let spec: Spec = spec.parse()?;
    let roster = G::roster();
    let kind = roster
        .iter()
        .find(|kind| kind.name == spec.name)
        .ok_or_else(|| SpecError::unknown_player(&spec.name, roster.iter().map(|kind| kind.name)))?;
    let known: Vec<&str> = kind.options.iter().map(|option| option.key).collect();
    let maker = (kind.prepare)(Options::new(&spec, &known)?)?;
    Ok(Recipe {
        spec,
        identity: Vec::new(),
        maker,
    })
}
