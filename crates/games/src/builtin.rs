//! The games of this house.
//!
//! Quarto, its variants and Stack Four have names of their own. `gdl:NAME` is a bundled rule sheet, `gdl:FILE` any other; a
//! bundled sheet needs no `gdl:` where its name is not taken (Quarto's is).

use crate::any::{AnyGame, GameEntry};
use crate::registry::{Found, GameInfo, Registered, UnknownGame, line};
use crate::sheets::{Diagnostic, SheetError};
use gdl::{GdlError, Machine, Sheet, bundled};
use parking_lot::Mutex;
use quarto::Rules;
use std::collections::VecDeque;
#[cfg(not(target_arch = "wasm32"))]
use std::path::Path;
use std::sync::Arc;

/// What is played beside Quarto and its variants: Stack Four, and whatever has rules in GDL. In a browser a module that is only for Quarto leaves all of it
/// out, so it is reached through this table alone; elsewhere it is always there.
pub struct Others {
    registered: fn() -> Vec<Registered>,
    sheets: fn() -> Vec<GameInfo>,
    find: fn(&str) -> Option<Result<Found, UnknownGame>>,
    pub bundled: fn(&str) -> Option<&'static str>,
    pub pasted: fn(&str) -> Result<Arc<dyn AnyGame>, SheetError>,
    pub check: fn(&str) -> Vec<Diagnostic>,
}

static OTHERS: Others = Others {
    registered: || vec![line(STACK4, STACK4_SUMMARY, stack4::Position::new)],
    sheets: bundled_sheets,
    find: find_sheet,
    bundled: bundled::text,
    pasted: crate::sheets::pasted,
    check: crate::sheets::report,
};

#[cfg(not(target_arch = "wasm32"))]
pub fn beside_quarto() -> Option<&'static Others> {
    Some(&OTHERS)
}

#[cfg(target_arch = "wasm32")]
static ADMITTED: std::sync::OnceLock<&'static Others> = std::sync::OnceLock::new();

#[cfg(target_arch = "wasm32")]
pub fn beside_quarto() -> Option<&'static Others> {
    ADMITTED.get().copied()
}

/// Lets all games in, not only Quarto and its variants. To be called before anything is played.
#[cfg(target_arch = "wasm32")]
pub fn admit_all() {
    ADMITTED.get_or_init(|| &OTHERS);
}

/// Brings a file that is part of the program elsewhere: `quarto.book`, `quarto.puzzles`. True if it is one of these.
#[cfg(target_arch = "wasm32")]
pub fn provide_file(name: &str, bytes: &[u8]) -> bool {
    match name.rsplit_once('.') {
        Some((variant, "book")) => quarto::book::provide(variant, bytes),
        Some((variant, "puzzles")) => {
            std::str::from_utf8(bytes).is_ok_and(|text| quarto::puzzle::provide(variant, text))
        }
        _ => false,
    }
}

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
    beside_quarto().map(|others| (others.registered)()).unwrap_or_default()
}

/// The bundled rule sheets.
pub fn sheets() -> impl Iterator<Item = GameInfo> {
    beside_quarto()
        .map(|others| (others.sheets)())
        .unwrap_or_default()
        .into_iter()
}

fn bundled_sheets() -> Vec<GameInfo> {
    let info = |name: &'static str| GameInfo {
        name: match is_native(name) {
            true => format!("{SHEET}{name}").into(),
            false => name.into(),
        },
        summary: bundled::summary(name).unwrap_or_default().into(),
    };
    bundled::names().map(info).collect()
}

/// The text of a bundled sheet.
fn bundled_text(name: &str) -> Option<&'static str> {
    (beside_quarto()?.bundled)(name)
}

fn is_native(name: &str) -> bool {
    Rules::named(name).is_some() || name == STACK4
}

/// Whether a game of this house has that name.
pub fn is_taken(name: &str) -> bool {
    is_native(name) || name.starts_with(SHEET) || bundled_text(name).is_some()
}

/// The game of this house that has that name, if there is one.
pub fn find(name: &str) -> Option<Result<Found, UnknownGame>> {
    if let Some(rules) = Rules::named(name) {
        let entry = GameEntry::new(name, rules.summary(), quarto::Position::new(rules));
        return Some(Ok(found(entry, None)));
    }
    (beside_quarto()?.find)(name)
}

/// The game of a rule sheet, if the name is that of one.
fn find_sheet(name: &str) -> Option<Result<Found, UnknownGame>> {
    let sheet = sheet_name(name)?;
    Some(from_sheet(sheet).map_err(UnknownGame::from).map(|built| {
        let summary = bundled::summary(sheet).unwrap_or("a rule sheet");
        let entry = GameEntry::new(name, summary, built.start);
        #[cfg(not(target_arch = "wasm32"))]
        let entry = match is_file(name) {
            // A rule sheet in a file is known by what it says, not by its name.
            true => entry.from_file(Path::new(sheet)),
            false => entry,
        };
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
    let bundled = || bundled_text(name).filter(|_| !is_native(name)).map(|_| name);
    name.strip_prefix(SHEET).or_else(bundled)
}

/// Whether the name is that of a rule sheet in a file. The file is not opened, nor need it be there.
pub fn is_file(name: &str) -> bool {
    sheet_name(name).is_some_and(|sheet| bundled_text(sheet).is_none())
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
