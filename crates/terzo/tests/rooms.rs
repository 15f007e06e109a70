//! Who may know whom: the rooms of ARCHITECTURE.md, as cargo sees them; and what they call things.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/patience.rs"]
mod patience;

use patience::Finish;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that are about certain games.
const GAMES: [&str; 5] = ["quarto", "stack4", "gdl", "course", "ggp"];

/// The crates of this workspace, and which of them each is built with.
fn rooms() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let told = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--no-deps"])
        .current_dir(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")))
        .finish();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let packages = told["packages"].as_array().unwrap();
    let folder = |path: &str| Path::new(path).file_name().unwrap().to_str().unwrap().to_string();
    let built_with = |package: &Value| {
        let all = package["dependencies"].as_array().unwrap().iter();
        all.filter(|dependency| dependency["kind"].is_null())
            .filter_map(|dependency| dependency["path"].as_str().map(folder))
            .collect()
    };
    let room = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        (
            folder(manifest.parent().unwrap().to_str().unwrap()),
            built_with(package),
        )
    };
    packages.iter().map(room).collect()
}

/// All that a room is built with, whatever is between.
fn reaches(rooms: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut open = vec![from.to_string()];
    while let Some(room) = open.pop() {
        for below in &rooms[&room] {
            if all.insert(below.clone()) {
                open.push(below.clone());
            }
        }
    }
    all
}

#[test]
fn rooms_that_know_no_game_are_built_without_any() {
    let rooms = rooms();
    for room in ["game", "player", "search", "arena", "link", "process"] {
        let below = reaches(&rooms, room);
        let known: Vec<_> = GAMES
            .iter()
            .chain(&["games"])
            .filter(|game| below.contains(**game))
            .collect();
        assert!(known.is_empty(), "{room} knows {known:?}");
    }
    for game in GAMES {
        assert!(!reaches(&rooms, game).contains("games"), "{game} knows the registry");
        assert!(!reaches(&rooms, game).contains("arena"), "{game} knows the arena");
    }
}

#[test]
fn only_the_registry_and_what_is_about_one_game_name_games() {
    // The command line has commands about one game: `book`, `stack4 host`, `gdl check`, `ggp`. The fuzz targets know every reader.
    let may = ["games", "course", "ggp", "terzo", "fuzz_targets"];
    for (room, below) in rooms() {
        let named: Vec<_> = GAMES.iter().filter(|game| below.contains(**game)).collect();
        assert!(
            named.is_empty() || may.contains(&room.as_str()),
            "{room} names {named:?}"
        );
    }
}

/// Names that several types have, because they are the same idea. Everything else has a name of its own, so that who finds a name
/// has found the thing.
const SAME_IDEA: [(&str, &[&str]); 7] = [
    (
        "every game has its own",
        &[
            "Book",
            "Cell",
            "Encoding",
            "Flaw",
            "Judged",
            "Maker",
            "MonteCarlo",
            "NoviceGames",
            "Position",
            "Puzzle",
            "PuzzleKind",
            "Random",
            "Solver",
        ],
    ),
    (
        "every search of that kind has one, made for its game",
        &[
            "Bound",
            "History",
            "Node",
            "RootMove",
            "SearchContext",
            "SearchThread",
            "TableEntry",
            "TranspositionTable",
            "Tree",
        ],
    ),
    (
        "the registry's, or a game's, as the registry or the page tells it",
        &[
            "Diagnostic",
            "Duel",
            "GameInfo",
            "JudgedTurn",
            "Outcome",
            "PlayerInfo",
            "Standing",
            "TurnClass",
        ],
    ),
    (
        "the class of that name in Python",
        &["Analysis", "Clock", "Game", "Solution"],
    ),
    (
        "the same for other processors, systems or features",
        &["Hired", "HugePages", "Lanes", "Mask", "On", "Shuffle"],
    ),
    ("what `analyse` knows of a turn, game by game", &["AnalysedTurn"]),
    (
        "how much time there is: for a tournament's players, for a table's people",
        &["TimeControl"],
    ),
];

/// All files of Rust below a folder, without those that are only for tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "tests" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// The types that a file defines, those of its test modules left out. Formatted code closes a module where it opened it.
fn types(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = code.lines();
    let mut only_tests = false;
    while let Some(line) = lines.next() {
        let (indent, text) = line.split_at(line.len() - line.trim_start().len());
        if text.starts_with("#[") {
            only_tests |= text == "#[cfg(test)]";
            continue;
        }
        let text = text
            .strip_prefix("pub")
            .map_or(text, |text| text.trim_start_matches(|c| c != ' ').trim_start());
        if std::mem::take(&mut only_tests) {
            if text.starts_with("mod ") && text.ends_with('{') {
                let end = format!("{indent}}}");
                lines.find(|line| *line == end).expect("the end of a module");
            }
            continue;
        }
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        // What is indented and called a `type` belongs to a trait.
        let defines = match words.next() {
            Some("struct" | "enum" | "trait" | "union") => true,
            Some("type") => indent.is_empty(),
            _ => false,
        };
        if defines && let Some(name) = words.next().filter(|name| !name.is_empty()) {
            found.push(name.to_string());
        }
    }
    found
}

#[test]
fn no_type_name_stands_for_two_ideas() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut files = Vec::new();
    let crates = std::fs::read_dir(root.join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    for room in crates.chain([root.join("python")]) {
        sources(&room.join("src"), &mut files);
    }
    let mut homes: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for file in &files {
        for name in types(&std::fs::read_to_string(file).unwrap()) {
            homes.entry(name).or_default().push(file.strip_prefix(root).unwrap());
        }
    }
    assert!(homes.len() > 800, "{} types were found", homes.len());
    homes.retain(|_, homes| homes.len() > 1);
    let judged: BTreeSet<&str> = SAME_IDEA.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let twice: Vec<_> = homes
        .iter()
        .filter(|(name, _)| !judged.contains(name.as_str()))
        .collect();
    assert!(
        twice.is_empty(),
        "rename all but one, or say in SAME_IDEA why they are the same: {twice:#?}"
    );
    let gone: Vec<_> = judged.into_iter().filter(|name| !homes.contains_key(*name)).collect();
    assert!(gone.is_empty(), "these stand for one thing only: {gone:?}");
}
