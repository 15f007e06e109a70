//! What the checker says about broken sheets, to the letter.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod shared;

use gdl::{BuildLimits, GdlError, Machine, Sheet};

#[test]
fn broken_sheets_are_explained() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/broken");
    let mut names: Vec<String> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() > 10);
    for name in names {
        let text = std::fs::read_to_string(format!("{root}/{name}")).unwrap();
        let (sheet, report) = Sheet::read(&name, &text);
        let (errors, warnings) = report.counts();
        assert_eq!(sheet.is_some(), errors == 0, "{name}");
        let shown = format!("{errors} error(s), {warnings} warning(s)\n\n{}", report.render());
        insta::assert_snapshot!(name.trim_end_matches(".kif"), shown);
    }
}

#[test]
fn every_public_sheet_loads_without_error() {
    let Some(root) = shared::gdl() else { return };
    for entry in std::fs::read_dir(root.join("games")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (sheet, report) = Sheet::read(path.to_str().unwrap(), &text);
        assert!(sheet.is_some(), "{}", report.render());
    }
}

#[test]
fn faults_of_style_are_forgiven() {
    let text = "(ROLE me) (Init (at 1)) (<= (legal me go)) (<= (NEXT (at 2)) (does ME go) (not (distinct a A)))
        (<= ( terminal ) (true (at 2))) (<= (goal me 100) (role me)) (base (at 1)) (thing a) (thing a b)";
    let (sheet, report) = Sheet::read("style", text);
    assert_eq!(report.counts().0, 0, "{}", report.render());
    let machine = Machine::compiled(&sheet.unwrap(), BuildLimits::default()).unwrap();
    let view = machine.view(&machine.initial()).unwrap();
    let next = machine.next(&machine.initial(), &[view.legal[0][0]]).unwrap();
    assert_eq!(machine.facts(&next), ["(at 2)"]);
    assert!(machine.view(&next).unwrap().terminal);
}

const REST: &str = "(<= terminal (true over)) (<= (goal me 100) (role me))";

#[test]
fn terms_that_grow_without_bound_end_in_an_error() {
    let text = format!("(role me) (init (count z)) (legal me go) (<= (next (count (s ?n))) (true (count ?n))) {REST}");
    let sheet = Sheet::parse("growing", &text).unwrap();
    assert!(matches!(Machine::prover(&sheet), Err(GdlError::Unbounded { relation, .. }) if relation == "next"));
    let text =
        format!("(role me) (init (count z)) (legal me go) (<= (next (count (f ?n ?n))) (true (count ?n))) {REST}");
    let sheet = Sheet::parse("doubling", &text).unwrap();
    assert!(matches!(Machine::prover(&sheet), Err(GdlError::Unbounded { .. })));
}

/// A sheet whose moves are every six of twenty numbers: too many to ground, few enough to read.
fn exploding() -> Sheet {
    let numbers: String = (1..=20).map(|n| format!("(n {n}) (init (at {n}))")).collect();
    let text = format!(
        "(role me) {numbers}
        (<= (legal me (pick ?a ?b ?c ?d ?e ?f))
            (true (at ?a)) (true (at ?b)) (true (at ?c)) (true (at ?d)) (true (at ?e)) (true (at ?f)))
        (<= (next (at ?a)) (does me (pick ?a ?b ?c ?d ?e ?f))) {REST}"
    );
    Sheet::parse("exploding", &text).unwrap()
}

#[test]
fn a_sheet_that_explodes_falls_back_to_the_prover_and_says_why() {
    let limits = BuildLimits {
        steps: 100_000,
        ..BuildLimits::default()
    };
    let (machine, why) = Machine::best(&exploding(), limits).unwrap();
    assert_eq!(machine.kind(), gdl::MachineKind::Prover);
    assert_eq!(
        why.unwrap().to_string(),
        "grounding took more than 100000 steps: the sheet explodes"
    );
    // The prover cannot list sixty-four million moves either, and says so.
    assert!(matches!(machine.view(&machine.initial()), Err(GdlError::Memory { .. })));
}

#[test]
fn an_unknown_file_is_named_together_with_what_is_bundled() {
    let error = Sheet::load("no-such-game").unwrap_err().to_string();
    assert!(error.contains("no-such-game") && error.contains("tictactoe"), "{error}");
}
