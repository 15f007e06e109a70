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

/// Licences of which all, or one, must be accepted. `/` is how old packages write OR.
#[derive(Debug)]
enum Licence {
    Named(String),
    All(Vec<Licence>),
    One(Vec<Licence>),
}

impl Licence {
    fn read(text: &str) -> Licence {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
        let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
        let read = Licence::one(&mut words);
        assert!(words.is_empty(), "cannot read the licence {text:?}");
        read
    }

    /// Words come last first.
    fn one(words: &mut Vec<&str>) -> Licence {
        let mut parts = vec![Licence::all(words)];
        while words.pop_if(|word| *word == "OR").is_some() {
            parts.push(Licence::all(words));
        }
        Licence::One(parts)
    }

    fn all(words: &mut Vec<&str>) -> Licence {
        let mut parts = vec![Licence::named(words)];
        while words.pop_if(|word| *word == "AND").is_some() {
            parts.push(Licence::named(words));
        }
        Licence::All(parts)
    }

    fn named(words: &mut Vec<&str>) -> Licence {
        match words.pop().expect("a licence ends too soon") {
            "(" => {
                let inner = Licence::one(words);
                assert_eq!(words.pop(), Some(")"));
                inner
            }
            name => match words.pop_if(|word| *word == "WITH") {
                Some(_) => Licence::Named(format!("{name} WITH {}", words.pop().unwrap())),
                None => Licence::Named(name.into()),
            },
        }
    }

    fn fits(&self, allowed: &HashSet<String>) -> bool {
        match self {
            Licence::Named(name) => allowed.contains(name),
            Licence::All(parts) => parts.iter().all(|part| part.fits(allowed)),
            Licence::One(parts) => parts.iter().any(|part| part.fits(allowed)),
        }
    }
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
    for fits in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "(MIT OR GPL-3.0) AND ISC",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(Licence::read(fits).fits(&allowed), "{fits}");
    }
    for not in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "Apache-2.0",
        "(MIT OR ISC) AND GPL-3.0",
        "GPL-3.0 OR MIT AND LGPL-2.1",
    ] {
        assert!(!Licence::read(not).fits(&allowed), "{not}");
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
        assert!(Licence::read(licence).fits(&allowed), "{name}: {licence}");
        sources.extend(package["source"].as_str());
    }
    // Ours have none; all others come from one place, and none from somebody's repository.
    assert!(
        sources.len() == 1 && sources.iter().all(|source| source.starts_with("registry+")),
        "{sources:?}"
    );
}
