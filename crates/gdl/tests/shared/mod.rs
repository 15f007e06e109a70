//! The recorded games beside the repository, which are not part of it.

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
