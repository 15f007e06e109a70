//! What others see of the crates they can use alone: the README of each shows the example that its documentation runs.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/patience.rs"]
mod patience;

use folder::Folder;
use patience::Finish;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of the packages that are called `terzo-…`.
fn libraries() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = std::fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path());
    let is_library = |folder: &PathBuf| {
        std::fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.contains("name = \"terzo-"))
    };
    folders.filter(is_library).collect()
}

/// The first block of code in a text in Markdown, without the lines that documentation hides.
fn example(markdown: &str) -> Vec<&str> {
    let mut lines = markdown.lines().skip_while(|line| !line.starts_with("```"));
    lines.next().expect("an example");
    let block = lines.take_while(|line| !line.starts_with("```"));
    block.filter(|line| *line != "#" && !line.starts_with("# ")).collect()
}

#[test]
fn every_readme_shows_the_example_that_the_documentation_runs() {
    let libraries = libraries();
    assert_eq!(libraries.len(), 7, "{libraries:?}");
    for library in libraries {
        let code = std::fs::read_to_string(library.join("src/lib.rs")).unwrap();
        let page: Vec<&str> = code
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .map(|line| line.strip_prefix("//! ").unwrap_or_default())
            .collect();
        let (page, readme) = (
            page.join("\n"),
            std::fs::read_to_string(library.join("README.md")).unwrap(),
        );
        let trimmed = |lines: Vec<&str>| lines.join("\n").trim_end().to_owned();
        assert_eq!(
            trimmed(example(&readme)),
            trimmed(example(&page)),
            "{}",
            library.display()
        );
    }
}

#[test]
fn every_library_can_be_packaged_alone() {
    let folder = Folder::new("packages");
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let name = |library: &PathBuf| format!("--package=terzo-{}", library.file_name().unwrap().display());
    // What is not committed counts too; that the packages build is not tried here, it takes minutes.
    let package = |offline: &[&str]| {
        Command::new(&cargo)
            .arg("package")
            .args(offline)
            .args(["--allow-dirty", "--no-verify", "--target-dir"])
            .arg(folder.file("target"))
            .args(libraries().iter().map(name))
            .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
            .finish()
    };
    // A new machine has never asked the registry for what is patched here, so it must be asked once.
    let offline = package(&["--offline"]);
    let packaged = if offline.status.success() {
        offline
    } else {
        package(&[])
    };
    let told = String::from_utf8_lossy(&packaged.stderr);
    assert!(packaged.status.success(), "{told}");
    assert_eq!(told.matches("Packaged ").count(), libraries().len(), "{told}");
}
