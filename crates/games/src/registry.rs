//! The games by name.

use crate::any::{AnyGame, GameEntry};
use crate::builtin;
use crate::playable::Playable;
use parking_lot::RwLock;
use player::suggestion;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};
use thiserror::Error;

/// A game in the list of all games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The name that commands take.
    pub name: Cow<'static, str>,
    /// One line for people.
    pub summary: Cow<'static, str>,
}

/// Why the game of a name cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnknownGame {
    /// No game has that name.
    #[error("unknown game `{name}`: {hint}; a rule sheet is written gdl:FILE")]
    Name {
        /// The name.
        name: String,
        /// The nearest name, or all.
        hint: String,
    },
    /// A rule sheet that cannot be read or played.
    #[error(transparent)]
    Sheet(#[from] gdl::GdlError),
}

/// A game that was found.
pub struct Found {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// What should be known of it and does not keep it from being played.
    pub warning: Option<String>,
}

/// A game with a name of its own.
pub(crate) struct Registered {
    info: GameInfo,
    make: Box<dyn Fn() -> Arc<dyn AnyGame> + Send + Sync>,
}

/// A line of the registry: a name, a line for people, and the first position.
pub(crate) fn line<G: Playable>(name: &'static str, summary: &'static str, start: fn() -> G) -> Registered {
    Registered {
        info: GameInfo {
            name: name.into(),
            summary: summary.into(),
        },
        make: Box::new(move || Arc::new(GameEntry::new(name, summary, start()))),
    }
}

static REGISTERED: LazyLock<RwLock<Vec<Registered>>> = LazyLock::new(|| RwLock::new(builtin::others()));

/// Adds a game: everything that plays games here knows it from now on. A name that is taken already keeps its game.
pub fn register<G: Playable>(name: &'static str, summary: &'static str, start: fn() -> G) {
    let mut registered = REGISTERED.write();
    if builtin::is_taken(name) || registered.iter().any(|game| game.info.name == name) {
        return;
    }
    registered.push(line(name, summary, start));
}

/// All games, in the order a newcomer should read them.
pub fn all() -> Vec<GameInfo> {
    let registered = REGISTERED.read();
    let others = registered.iter().map(|game| game.info.clone());
    builtin::quarto().chain(others).chain(builtin::sheets()).collect()
}

/// The game of a name.
///
/// # Errors
///
/// No game has that name, or the rule sheet of that name cannot be played.
pub fn find(name: &str) -> Result<Found, UnknownGame> {
    let registered = REGISTERED.read();
    if let Some(known) = registered.iter().find(|game| game.info.name == name) {
        let game = (known.make)();
        return Ok(Found { game, warning: None });
    }
    drop(registered);
    if let Some(found) = builtin::find(name) {
        return found;
    }
    let all = all();
    Err(UnknownGame::Name {
        name: name.into(),
        hint: suggestion(name, all.iter().map(|game| game.name.as_ref())),
    })
}

/// Whether the game of that name is read from a file. The file is not opened, nor need it be there.
pub fn is_file(name: &str) -> bool {
    builtin::is_file(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> Arc<dyn AnyGame> {
        find(name).unwrap_or_else(|error| panic!("{name}: {error}")).game
    }

    #[test]
    fn every_listed_game_has_a_name_of_its_own_and_can_be_played() {
        let mut names: Vec<_> = all().into_iter().map(|game| game.name).collect();
        for name in &names {
            assert_eq!(game(name).name(), name);
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn a_sheet_does_not_take_the_name_of_a_game() {
        assert_eq!(game("quarto").stage(), "quarto");
        assert_eq!(game("gdl:quarto").stage(), "gdl");
        assert_eq!(game("trio").stage(), "gdl");
        assert_eq!(game("gdl:trio").seats(), 3);
    }

    #[test]
    fn a_file_is_known_by_its_name_alone() {
        assert!(is_file("gdl:no/such.kif") && is_file("gdl:./tictactoe"));
        for bundled in ["quarto", "stack4", "gdl:quarto", "tictactoe", "nonsense"] {
            assert!(!is_file(bundled), "{bundled}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_name_or_a_sheet_is_said() {
        let message = |name| find(name).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(message("conectfour").contains("did you mean `connectfour`?"));
        assert!(message("gdl:no/such.kif").contains("no/such.kif"));
    }
}
