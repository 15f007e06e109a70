//! A short run of every target: its seeds, every input that ever broke it, and some thousands made of those. The long runs
//! are `scripts/fuzz`.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use fuzz_targets::{Mutator, TARGETS, Target};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// One input takes less, whatever it is.
const PATIENCE: Duration = Duration::from_secs(20);

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind)
}

/// The files of a folder in the order of their names; none if it is not there.
fn inputs(kind: &str, target: &str) -> Vec<Vec<u8>> {
    let Ok(files) = std::fs::read_dir(folder(kind).join(target)) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

fn run(target: &Target, input: &[u8]) {
    let began = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    let took = began.elapsed();
    if done.is_err() || took > PATIENCE {
        let file = std::env::temp_dir().join(format!("terzo-broke-{}", target.name));
        std::fs::write(&file, input).unwrap();
        panic!(
            "{} breaks {} after {took:?}; it is kept in {}: mend it, and put that file into fuzz/regressions/{}",
            input.escape_ascii(),
            target.name,
            file.display(),
            target.name
        );
    }
}

fn short(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let mut seeds = inputs("seeds", name);
    assert!(!seeds.is_empty(), "fuzz/seeds/{name} is empty");
    seeds.extend(inputs("regressions", name));
    for input in &seeds {
        run(target, input);
    }
    // More on request: SHORT=100 is a run of minutes.
    let times = std::env::var("SHORT")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1);
    let mut mutator = Mutator::new(&seeds, 1);
    for _ in 0..target.short * times {
        run(target, &mutator.next_input());
    }
}

macro_rules! short_runs {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            short(stringify!($name));
        })*

        #[test]
        fn every_target_has_a_short_run_and_a_fuzzer() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),*]);
            let manifest = std::fs::read_to_string(folder("Cargo.toml")).unwrap();
            for name in names {
                assert!(manifest.contains(&format!("name = \"{name}\"")), "fuzz/Cargo.toml has no {name}");
                let source = std::fs::read_to_string(folder("fuzz_targets").join(format!("{name}.rs"))).unwrap();
                assert!(source.contains(&format!("fuzz_targets::{name}(")), "{source}");
            }
        }
    };
}

short_runs! {
    quarto stack4 gdl_position spec book table kif gdl_play plan rows database pair ugi_serve ugi_engine course ggp_request
    ggp_answer ggp_desk ggp_start web_api terminal
}
