//! The games by name.
//!
//! Quarto, its variants and Stack Four have names of their own. `gdl:NAME` is a bundled rule sheet, `gdl:FILE` any other; a
//! bundled sheet needs no `gdl:` where its name is not taken (Quarto's is).

use crate::Playable;
use crate::nearest::suggestion;
use gdl::{GdlError, Machine, Sheet, bundled};
use quarto::{Position, Rules};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
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
    let sheets = bundled::names().map(|name| GameEntry {
        name: if taken(name) { QUARTO_SHEET } else { name },
        summary: bundled::summary(name).unwrap_or_default(),
    });
    quarto.chain([STACK4]).chain(sheets).collect()
}

const STACK4: GameEntry = GameEntry {
    name: "stack4",
    summary: "stones stack on 24 columns, 32 each; the k-th line of four pays 100/k points",
};

/// How the name of a rule sheet begins.
const SHEET: &str = "gdl:";

/// The one bundled sheet whose name is taken.
const QUARTO_SHEET: &str = "gdl:quarto";

/// Whether a game that is no rule sheet has that name.
fn taken(name: &str) -> bool {
    Rules::named(name).is_some() || name == STACK4.name
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
    #[error("{0}")]
    Sheet(#[from] GdlError),
}

/// Something to do with a game whose type is known only by its name.
pub trait WithGame {
    /// What it gives.
    type Output;

    /// Does it, from the first position of the game.
    fn run<G: Playable>(self, start: G) -> Self::Output;

    /// Hears what should be known of the game and does not keep it from being played. Goes to standard error unless it is
    /// told otherwise.
    fn warn(&self, warning: &str) {
        // The name of a sheet in it may be anybody's, and terminals obey control characters.
        let hidden = |c: char| c.is_control() && c != '\n';
        eprintln!("terzo: {}", warning.replace(hidden, "\u{fffd}"));
    }
}

/// The first position of the rule sheet of that name, if a rule sheet is what the name says.
pub fn sheet(name: &str) -> Option<Result<gdl::Position, GdlError>> {
    Some(from_sheet(sheet_name(name)?).map(|(start, _)| start))
}

/// What names the sheet, if the name of a game is that of a rule sheet.
fn sheet_name(name: &str) -> Option<&str> {
    let bundled = || bundled::text(name).filter(|_| !taken(name)).map(|_| name);
    name.strip_prefix(SHEET).or_else(bundled)
}

/// Does `work` with the game of that name.
pub fn with_game<W: WithGame>(name: &str, work: W) -> Result<W::Output, UnknownGame> {
    if let Some(rules) = Rules::named(name) {
        return Ok(work.run(Position::new(rules)));
    }
    if name == STACK4.name {
        return Ok(work.run(stack4::Position::new()));
    }
    if let Some(sheet) = sheet_name(name) {
        let (start, why) = from_sheet(sheet)?;
        if let Some(why) = why {
            work.warn(&format!("{sheet}: {why}; the prover serves, which is slow"));
        }
        return Ok(work.run(start));
    }
    Err(UnknownGame::Name {
        name: name.into(),
        hint: suggestion(name, games().iter().map(|game| game.name)),
    })
}

/// A machine that was built, and of which text.
struct Built {
    name: String,
    text: String,
    start: gdl::Position,
    /// Why it could not be compiled.
    why: Option<GdlError>,
}

/// The machines that were built last.
static BUILT: Mutex<VecDeque<Built>> = Mutex::new(VecDeque::new());
const MOST_BUILT: usize = 16;

/// The first position of a bundled sheet or a file. A machine is built once and shared; a sheet that was edited since is
/// another one. With it comes why the machine is only the prover, if it is.
fn from_sheet(name: &str) -> Result<(gdl::Position, Option<GdlError>), GdlError> {
    let text = Sheet::text(name)?;
    let lock = || BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().iter().find(|built| built.name == name && built.text == text) {
        return Ok((known.start.clone(), known.why.clone()));
    }
    let (machine, why) = Machine::best(&Sheet::parse(name, &text)?, gdl::BuildLimits::default())?;
    let start = gdl::Position::new(machine)?;
    let mut built = lock();
    if built.len() == MOST_BUILT {
        built.pop_front();
    }
    built.push_back(Built {
        name: name.into(),
        text,
        start: start.clone(),
        why: why.clone(),
    });
    Ok((start, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Seats;

    impl WithGame for Seats {
        type Output = (usize, String);

        fn run<G: Playable>(self, start: G) -> Self::Output {
            (start.seats(), std::any::type_name::<G>().into())
        }
    }

    #[test]
    fn every_listed_game_has_a_name_of_its_own_and_can_be_played() {
        let mut names: Vec<&str> = games().iter().map(|game| game.name).collect();
        for name in &names {
            assert!(with_game(name, Seats).is_ok(), "{name}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), games().len());
    }

    #[test]
    fn a_sheet_does_not_take_the_name_of_a_game() {
        let kind = |name| with_game(name, Seats).unwrap().1;
        assert_eq!(kind("quarto"), std::any::type_name::<Position>());
        assert_eq!(kind("gdl:quarto"), std::any::type_name::<gdl::Position>());
        assert_eq!(kind("trio"), std::any::type_name::<gdl::Position>());
        assert_eq!(with_game("gdl:trio", Seats).unwrap().0, 3);
    }

    #[test]
    fn a_machine_is_built_once() {
        let [a, b] = [0, 1].map(|_| sheet("nim").unwrap().unwrap());
        assert_eq!(a, b, "positions of one machine are comparable");
    }

    #[test]
    fn what_is_wrong_with_a_name_or_a_sheet_is_said() {
        let message = |name| with_game(name, Seats).unwrap_err().to_string();
        assert!(message("conectfour").contains("did you mean `connectfour`?"));
        assert!(message("gdl:no/such.kif").contains("no/such.kif"));
    }
}
