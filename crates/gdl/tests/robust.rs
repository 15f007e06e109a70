//! Whatever the text, the reader answers and nothing panics.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod generated;

use gdl::{BuildLimits, Machine, Position, Sheet};
use proptest::prelude::*;
use std::time::Duration;

/// Words that sheets are made of, so that random texts are often nearly rules.
fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        "<=",
        "role",
        "init",
        "true",
        "does",
        "next",
        "legal",
        "goal",
        "terminal",
        "not",
        "or",
        "and",
        "distinct",
        "?x",
        "?y",
        "a",
        "b",
        "1",
        "100",
        "cell",
        "noop",
        "; comment\n",
        "\n",
        "é",
        "base",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in ".{0,200}") {
        let (_, report) = Sheet::read("text", &text);
        report.render();
    }

    #[test]
    fn any_words_are_answered(words in prop::collection::vec(word(), 0..60)) {
        let (_, report) = Sheet::read("words", &words.join(" "));
        report.render();
    }

    #[test]
    fn any_rules_are_played_or_refused_and_both_machines_agree(text in generated::sheet()) {
        let (sheet, report) = Sheet::read("rules", &text);
        report.render();
        let Some(sheet) = sheet else { return Ok(()) };
        let limits = BuildLimits { time: Duration::from_secs(2), steps: 100_000, ..BuildLimits::default() };
        let (Ok(prover), Ok(compiled)) = (Machine::prover(&sheet), Machine::compiled(&sheet, limits)) else {
            return Ok(());
        };
        let (mut state, mut twin) = (prover.initial(), compiled.initial());
        for _ in 0..5 {
            prop_assert_eq!(prover.facts(&state), compiled.facts(&twin));
            let (Ok(view), Ok(other)) = (prover.view(&state), compiled.view(&twin)) else { return Ok(()) };
            prop_assert_eq!(view.terminal, other.terminal);
            prop_assert_eq!(&view.goals, &other.goals);
            let print = |machine: &Machine, moves: &[gdl::Move]| -> Vec<String> {
                moves.iter().map(|&mv| machine.print_move(mv)).collect()
            };
            prop_assert_eq!(print(&prover, &view.legal[0]), print(&compiled, &other.legal[0]));
            let (Some(&mv), Some(&same)) = (view.legal[0].last(), other.legal[0].last()) else { break };
            let (Ok(next), Ok(also)) = (prover.next(&state, &[mv]), compiled.next(&twin, &[same])) else { break };
            (state, twin) = (next, also);
        }
        prop_assert!(Position::new(compiled).is_ok());
    }
}
