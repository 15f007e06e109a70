//! The recorded games beside the repository, which are not part of it.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::PathBuf;

/// The directory of the public sheets and traces. Without it tests are skipped, except in CI, where that fails.
pub fn gdl() -> Option<PathBuf> {
    let root = match std::env::var_os("TERZO_SHARED") {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let gdl = root.join("gdl");
    if gdl.join("games").is_dir() {
        return Some(gdl);
    }
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "{} is missing, and CI needs it",
        gdl.display()
    );
    eprintln!("skipped: {} is missing", gdl.display());
    None
}

/// All public sheets, the hard ones last, sorted.
pub fn sheets() -> Vec<PathBuf> {
    let Some(root) = gdl() else { return Vec::new() };
    ["games", "hard/games"]
        .iter()
        .flat_map(|folder| files(&root.join(folder)))
        .collect()
}

/// The files of a folder, sorted; none if there is no such folder.
fn files(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    files
}
