//! Who may know whom: the rooms of ARCHITECTURE.md, as cargo sees them.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/patience.rs"]
mod patience;

use patience::Finish;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
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
