//! Rule sheets and recorded games of others, which are not part of the repository.

#![allow(dead_code, reason = "not every test needs all of it")]

use std::path::{Path, PathBuf};

/// The directory of the public sheets and traces, in the folder that `TERZO_SHARED` names. Without it tests are skipped.
pub fn gdl() -> Option<PathBuf> {
    let Some(root) = std::env::var_os("TERZO_SHARED") else {
        eprintln!("skipped: TERZO_SHARED names no folder of public rule sheets");
        return None;
    };
    let gdl = PathBuf::from(root).join("gdl");
    assert!(
        gdl.join("games").is_dir(),
        "TERZO_SHARED: expected rule sheets in {}",
        gdl.join("games").display()
    );
    Some(gdl)
}

/// All public sheets, the hard ones last, sorted.
pub fn sheets() -> Vec<PathBuf> {
    folders()
        .iter()
        .flat_map(|folder| files(&folder.join("games")))
        .collect()
}

/// All public sheets with recorded games, and those.
pub fn traces() -> Vec<(PathBuf, PathBuf)> {
    let traced = |folder: &PathBuf| -> Vec<(PathBuf, PathBuf)> {
        let sheet = |trace: &Path| Some(folder.join("games").join(trace.file_stem()?).with_extension("kif"));
        let traces = files(&folder.join("traces"));
        traces
            .into_iter()
            .filter_map(|trace| Some((sheet(&trace)?, trace)))
            .collect()
    };
    folders().iter().flat_map(traced).collect()
}

fn folders() -> Vec<PathBuf> {
    gdl()
        .map(|root| vec![root.clone(), root.join("hard")])
        .unwrap_or_default()
}

/// The files of a folder, sorted; none if there is no such folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    files
}
