//! The games that are played here: each is found once and shared by all its tables, since a game keeps its players between
//! their thoughts.

use crate::api_error::{ApiError, shortened};
use games::sheets::{Checked, Sheets};
use games::{AnyGame, Session};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// The games found so far, and the pasted ones.
#[derive(Default)]
pub struct Catalogue {
    found: Mutex<HashMap<String, Arc<dyn AnyGame>>>,
    sheets: Sheets,
}

impl Catalogue {
    /// The game of a name, if somebody asked for it before.
    pub fn at_hand(&self, name: &str) -> Option<Arc<dyn AnyGame>> {
        self.found.lock().get(name).cloned()
    }

    /// The game of a name. May take a moment the first time: a rule sheet must be built.
    pub fn game(&self, name: &str) -> Result<Arc<dyn AnyGame>, ApiError> {
        if let Some(game) = self.at_hand(name) {
            return Ok(game);
        }
        let game = find(name)?;
        // Somebody else may have found it meanwhile.
        Ok(self.found.lock().entry(name.into()).or_insert(game).clone())
    }

    /// The game of a pasted sheet. May take seconds.
    pub fn pasted(&self, sheet: &str) -> Result<Arc<dyn AnyGame>, ApiError> {
        Ok(self.sheets.game(sheet)?)
    }

    /// What is wrong with a sheet. May take seconds.
    pub fn check(&self, sheet: &str) -> Checked {
        self.sheets.check(sheet)
    }
}

/// A listed game. Rule sheets in files are not for the page: a page pastes.
fn find(name: &str) -> Result<Arc<dyn AnyGame>, ApiError> {
    check_listed(name)?;
    Ok(games::find(name)?.game)
}

/// Refuses a name that no listed game has.
pub fn check_listed(name: &str) -> Result<(), ApiError> {
    let listed = games::all();
    if listed.iter().any(|game| game.name == name) {
        return Ok(());
    }
    let name = shortened(name);
    let near = player::nearest(&name, listed.iter().map(|game| game.name.as_ref()));
    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Err(ApiError::unknown_game(format!("unknown game `{name}`{hint}")))
}

/// The game of a name, from its first position.
pub fn session(name: &str) -> Result<Box<dyn Session>, ApiError> {
    Ok(begin(find(name)?))
}

/// What a pasted sheet says of itself.
pub fn title(sheet: &str) -> String {
    shortened(games::sheets::title(sheet).unwrap_or("a pasted game"))
}

/// The longest game that is kept. A game from a rule sheet need not end by itself.
const MOST_TURNS: usize = 2000;

/// A game from its first position, of no more turns than are kept.
pub fn begin(game: Arc<dyn AnyGame>) -> Box<dyn Session> {
    let mut session = game.session();
    session.limit_turns(MOST_TURNS);
    session
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_game_is_met_with_the_nearest_one() {
        let refused = |name| session(name).err().unwrap();
        assert!(refused("quatro").message().contains("did you mean `quarto`?"));
        assert_eq!(refused("gdl:/etc/passwd").code(), "unknown_game");
    }

    #[test]
    fn a_game_is_found_once() {
        let catalogue = Catalogue::default();
        assert!(catalogue.at_hand("nim").is_none());
        let game = catalogue.game("nim").unwrap();
        assert!(Arc::ptr_eq(&game, &catalogue.game("nim").unwrap()));
        assert!(catalogue.at_hand("nim").is_some());
    }

    #[test]
    fn a_pasted_game_is_called_what_it_says_or_pasted() {
        assert_eq!(title(";; Duel.\n(role a)"), "Duel");
        assert_eq!(title("(role a)"), "a pasted game");
    }
}
