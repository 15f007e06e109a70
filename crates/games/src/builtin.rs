//! The games of this house.
//!
//! Quarto, its variants and Stack Four have names of their own. `gdl:NAME` is a bundled rule sheet, `gdl:FILE` any other; a
//! bundled sheet needs no `gdl:` where its name is not taken (Quarto's is).

use crate::any::GameEntry;
use crate::registry::{Found, GameInfo, Registered, UnknownGame, line};
use gdl::{GdlError, Machine, Sheet, bundled};
use parking_lot::Mutex;
use quarto::Rules;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

const STACK4: &str = "stack4";
const STACK4_SUMMARY: &str = "stones stack on 24 columns, 32 each; the k-th line of four pays 100/k points";

/// How the name of a rule sheet begins.
const SHEET: &str = "gdl:";

fn info(name: &'static str, summary: &'static str) -> GameInfo {
    GameInfo {
        name: name.into(),
        summary: summary.into(),
    }
}

/// Quarto and its variants.
pub fn quarto() -> impl Iterator<Item = GameInfo> {
    Rules::all().map(|rules| info(rules.name(), rules.summary()))
}

/// The games of one file and one line each; see docs/add-a-game.md.
pub fn others() -> Vec<Registered> {
    vec![line(STACK4, STACK4_SUMMARY, stack4::Position::new)]
}

/// The bundled rule sheets.
pub fn sheets() -> impl Iterator<Item = GameInfo> {
    bundled::names().map(|name| GameInfo {
        name: match is_native(name) {
            true => format!("{SHEET}{name}").into(),
            false => name.into(),
        },
        summary: bundled::summary(name).unwrap_or_default().into(),
    })
}

fn is_native(name: &str) -> bool {
    Rules::named(name).is_some() || name == STACK4
}

/// Whether a game of this house has that name.
pub fn is_taken(name: &str) -> bool {
    is_native(name) || name.starts_with(SHEET) || bundled::text(name).is_some()
}

/// The game of this house that has that name, if there is one.
pub fn find(name: &str) -> Option<Result<Found, UnknownGame>> {
    if let Some(rules) = Rules::named(name) {
        let entry = GameEntry::new(name, rules.summary(), quarto::Position::new(rules));
        return Some(Ok(found(entry, None)));
    }
    let sheet = sheet_name(name)?;
    Some(from_sheet(sheet).map_err(UnknownGame::from).map(|built| {
        let summary = bundled::summary(sheet).unwrap_or("a rule sheet");
        let mut entry = GameEntry::new(name, summary, built.start);
        if is_file(name) {
            // A rule sheet in a file is known by what it says, not by its name.
            entry = entry.from_file(Path::new(sheet));
        }
        let slow = |why: GdlError| format!("{sheet}: {why}; the prover serves, which is slow");
        found(entry, built.why.map(slow))
    }))
}

fn found<G: crate::Playable>(entry: GameEntry<G>, warning: Option<String>) -> Found {
    Found {
        game: Arc::new(entry),
        warning,
    }
}

/// What names the sheet, if the name of a game is that of a rule sheet.
fn sheet_name(name: &str) -> Option<&str> {
    let bundled = || bundled::text(name).filter(|_| !is_native(name)).map(|_| name);
    name.strip_prefix(SHEET).or_else(bundled)
}

/// Whether the name is that of a rule sheet in a file. The file is not opened, nor need it be there.
pub fn is_file(name: &str) -> bool {
    sheet_name(name).is_some_and(|sheet| bundled::text(sheet).is_none())
}

/// A machine that was built, and of which text.
#[derive(Clone)]
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

/// A bundled sheet or a file. A machine is built once and shared; a sheet that was edited since is another one.
fn from_sheet(name: &str) -> Result<Built, GdlError> {
    let text = Sheet::text(name)?;
    let lock = || BUILT.lock();
    if let Some(known) = lock().iter().find(|built| built.name == name && built.text == text) {
        return Ok(known.clone());
    }
    let (machine, why) = Machine::best(&Sheet::parse(name, &text)?, gdl::BuildLimits::default())?;
    let built = Built {
        name: name.into(),
        text,
        start: gdl::Position::new(machine)?,
        why,
    };
    let mut all = lock();
    if all.len() == MOST_BUILT {
        all.pop_front();
    }
    all.push_back(built.clone());
    Ok(built)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_built_once() {
        let [a, b] = [0, 1].map(|_| from_sheet("nim").unwrap().start);
        assert_eq!(a, b, "positions of one machine are comparable");
    }
}
