//! What the project is made of: every licence is one of those that `deny.toml` allows, and everything comes from the one
//! registry that cargo knows by itself.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

#[path = "support/patience.rs"]
mod patience;

use patience::Finish;
use serde_json::Value;
use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

/// Whether an expression of licences, such as `(MIT OR Apache-2.0) AND ISC`, is fulfilled by those that are allowed. Old packages
/// write `/` for OR.
fn fits(expression: &str, allowed: &HashSet<String>) -> bool {
    let read = spdx::Expression::parse_mode(expression, spdx::ParseMode::LAX)
        .unwrap_or_else(|error| panic!("cannot read the licence {expression:?}: {error}"));
    read.evaluate(|licence| allowed.contains(&licence.to_string()))
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn allowed() -> HashSet<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let table: toml::Table = text.parse().unwrap();
    let list = table["licenses"]["allow"].as_array().unwrap();
    list.iter().map(|name| name.as_str().unwrap().to_string()).collect()
}

#[test]
fn an_expression_of_licences_is_read_as_it_is_meant() {
    let allowed = HashSet::from(["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(String::from));
    for expression in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "(MIT OR GPL-3.0) AND ISC",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(fits(expression, &allowed), "{expression}");
    }
    for not in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "Apache-2.0",
        "(MIT OR ISC) AND GPL-3.0",
        "GPL-3.0 OR MIT AND LGPL-2.1",
    ] {
        assert!(!fits(not, &allowed), "{not}");
    }
}

#[test]
fn every_dependency_has_an_allowed_licence_and_comes_from_the_registry() {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let told = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .current_dir(root())
        .finish();
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    let told: Value = serde_json::from_slice(&told.stdout).unwrap();
    let packages = told["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "{} packages", packages.len());
    let (allowed, mut sources) = (allowed(), HashSet::new());
    for package in packages {
        let name = &package["name"];
        let licence = package["license"]
            .as_str()
            .unwrap_or_else(|| panic!("{name} has no licence"));
        assert!(fits(licence, &allowed), "{name}: {licence}");
        sources.extend(package["source"].as_str());
    }
    // Ours have none; all others come from one place, and none from somebody's repository.
    assert!(
        sources.len() == 1 && sources.iter().all(|source| source.starts_with("registry+")),
        "{sources:?}"
    );
}
