//! The games by name.

use crate::Playable;
use crate::nearest::suggestion;
use quarto::{Position, Rules};
use thiserror::Error;

/// A game in the list of all games.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    /// The name that commands take.
    pub name: &'static str,
    /// One line for people.
    pub summary: &'static str,
}

/// All games, in the order a newcomer should read them.
pub fn games() -> Vec<GameEntry> {
    let quarto = Rules::all().map(|rules| GameEntry {
        name: rules.name(),
        summary: rules.summary(),
    });
    quarto.chain([STACK4]).collect()
}

const STACK4: GameEntry = GameEntry {
    name: "stack4",
    summary: "stones stack on 24 columns, 32 each; the k-th line of four pays 100/k points",
};

/// No game has that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{name}`: {hint}")]
pub struct UnknownGame {
    name: String,
    hint: String,
}

/// Something to do with a game whose type is known only by its name.
pub trait WithGame {
    /// What it gives.
    type Output;

    /// Does it, from the first position of the game.
    fn run<G: Playable>(self, start: G) -> Self::Output;
}

/// Does `work` with the game of that name.
pub fn with_game<W: WithGame>(name: &str, work: W) -> Result<W::Output, UnknownGame> {
    if let Some(rules) = Rules::named(name) {
        return Ok(work.run(Position::new(rules)));
    }
    if name == STACK4.name {
        return Ok(work.run(stack4::Position::new()));
    }
    Err(UnknownGame {
        name: name.into(),
        hint: suggestion(name, games().iter().map(|game| game.name)),
    })
}
