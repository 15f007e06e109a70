//! What a sheet that reads well turns out to be when it is played.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod shared;

use game::Stop;
use gdl::sheet::Severity;
use gdl::{Machine, MachineKind, Sheet, Trial, TrialEffort, trial};
use std::time::{Duration, Instant};

fn tried(text: &str, effort: &TrialEffort) -> Trial {
    let sheet = Sheet::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
    trial(&sheet, effort)
}

/// The only thing that is said.
fn said(text: &str, effort: &TrialEffort) -> (Severity, String) {
    let trial = tried(text, effort);
    let said: Vec<String> = trial.diagnostics.iter().map(|d| d.render("test", text)).collect();
    assert_eq!(said.len(), 1, "{said:#?}");
    (trial.diagnostics[0].severity, said[0].clone())
}

const REST: &str = "(role me) (<= terminal (true over)) (goal me 100)";

/// Enough on a busy machine, too; nothing here takes that long on a quiet one.
fn patient() -> TrialEffort {
    TrialEffort {
        time: Duration::from_secs(60),
        games: 20,
        ..TrialEffort::default()
    }
}

#[test]
fn terms_that_grow_without_bound_are_an_error_at_their_rule() {
    let text = format!("{REST} (init (count z)) (legal me go)\n(<= (next (count (s ?n))) (true (count ?n)))");
    let (severity, said) = said(&text, &patient());
    assert_eq!(severity, Severity::Error);
    assert!(
        said.contains("grow without bound") && said.contains("test:2:5"),
        "{said}"
    );
}

#[test]
fn a_position_without_a_legal_move_is_an_error_that_shows_the_position() {
    let text = format!("{REST} (init (at 1)) (<= (legal me go) (true (at 1))) (<= (next (at 2)) (does me go))");
    let (severity, said) = said(&text, &patient());
    assert_eq!(severity, Severity::Error);
    assert!(said.contains("me has no legal move after 1 turn of"), "{said}");
    assert!(said.contains("the position is (at 2), after go"), "{said}");
}

#[test]
fn a_game_without_end_is_an_error_and_one_that_may_have_none_a_warning() {
    let effort = TrialEffort {
        turns: 300,
        ..patient()
    };
    let never = format!("{REST} (init (at 1)) (legal me go) (<= (next (at 1)) (does me go))");
    let (severity, text) = said(&never, &effort);
    assert_eq!(severity, Severity::Error);
    assert!(
        text.contains("no random game came to an end within 300 turns"),
        "{text}"
    );
    // The first move decides whether there is an end.
    let perhaps = format!(
        "{REST} (init (at 1)) (legal me go) (<= (legal me stop) (true (at 1)))
         (<= (next (at 2)) (does me go)) (<= (next over) (does me stop))"
    );
    let (severity, text) = said(&perhaps, &effort);
    assert_eq!(severity, Severity::Warning);
    assert!(text.contains("of 20 random games did not come to an end"), "{text}");
}

/// A sheet in which every six of twenty numbers are a move.
fn exploding() -> String {
    let numbers: String = (1..=20).map(|n| format!("(init (at {n}))")).collect();
    let conditions: String = "abcdef".chars().map(|c| format!("(true (at ?{c}))")).collect();
    format!("{REST} {numbers} (<= (legal me (pick ?a ?b ?c ?d ?e ?f)) {conditions}) (<= (next over) (role me))")
}

#[test]
fn what_explodes_in_the_first_position_is_an_error() {
    let effort = TrialEffort {
        time: Duration::from_secs(6),
        ..patient()
    };
    let (severity, said) = said_last(&exploding(), &effort);
    assert_eq!(severity, Severity::Error);
    assert!(said.contains("the first position cannot be worked out"), "{said}");
}

/// The last thing that is said, after a warning that the prover plays.
fn said_last(text: &str, effort: &TrialEffort) -> (Severity, String) {
    let trial = tried(text, effort);
    assert_eq!(trial.machine.map(|machine| machine.kind), Some(MachineKind::Prover));
    let last = trial.diagnostics.last().unwrap();
    (last.severity, last.render("test", text))
}

#[test]
fn a_trial_ends_when_it_is_stopped() {
    let stop = Stop::new();
    let raised = stop.clone();
    let effort = TrialEffort {
        time: Duration::from_secs(3600),
        games: u64::MAX,
        turns: u64::MAX,
        stop,
    };
    let began = Instant::now();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        raised.raise();
    });
    tried(&exploding(), &effort);
    stopper.join().unwrap();
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn a_constant_term_as_deep_as_can_be_written_does_not_grow() {
    let deep = format!("{}z{}", "(s ".repeat(90), ")".repeat(90));
    let text = format!("{REST} (init (at {deep})) (legal me go) (<= (next over) (true (at {deep})) (does me go))");
    let trial = tried(&text, &patient());
    assert_eq!(trial.diagnostics, []);
    assert_eq!((trial.games, trial.turns), (20, Some((1, 1))));
    let machine = Machine::prover(&Sheet::parse("deep", &text).unwrap()).unwrap();
    let initial = machine.initial();
    assert_eq!(machine.state(&machine.facts(&initial)).unwrap(), initial);
}

#[test]
fn a_fact_of_too_many_constants_is_not_said_to_grow() {
    let many = "x ".repeat(200);
    let text = format!("{REST} (init (f (g {many}) (h {many}))) (legal me go) (<= (next over) (does me go))");
    let (severity, said) = said(&text, &patient());
    assert_eq!(severity, Severity::Error);
    assert!(said.contains("holds 400 constants; expected at most 250"), "{said}");
}

#[test]
fn the_bundled_sheets_are_played_without_a_fault() {
    for name in gdl::bundled::names() {
        let effort = TrialEffort { games: 5, ..patient() };
        let trial = trial(&Sheet::load(name).unwrap(), &effort);
        assert_eq!(trial.diagnostics, [], "{name}");
        assert_eq!(
            (trial.machine.map(|machine| machine.kind), trial.games),
            (Some(MachineKind::Compiled), 5),
            "{name}"
        );
    }
}

#[test]
fn the_public_sheets_can_be_played() {
    for path in shared::sheets() {
        let sheet = Sheet::load(path.to_str().unwrap()).unwrap();
        // Large ones need their time on a busy machine, if only for the first position.
        let effort = TrialEffort {
            time: Duration::from_secs(20),
            games: 1,
            ..TrialEffort::default()
        };
        let trial = trial(&sheet, &effort);
        let errors: Vec<_> = trial
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", sheet.name);
    }
}

#[test]
fn a_sheet_is_not_blamed_for_too_little_time() {
    let sheet = Sheet::load("chess").unwrap();
    for microseconds in [1, 1_000, 100_000, 300_000] {
        let effort = TrialEffort {
            time: Duration::from_micros(microseconds),
            games: 1,
            ..TrialEffort::default()
        };
        let trial = trial(&sheet, &effort);
        let said: Vec<String> = trial.diagnostics.iter().map(|d| d.render("chess", "")).collect();
        let errors = trial.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        assert_eq!(errors.count(), 0, "{microseconds} µs: {said:?}");
        // Whichever phase the time was over in.
        let hopeful = ["more --seconds", "with more time it may be compiled"];
        let compiled = trial
            .machine
            .is_some_and(|machine| machine.kind == MachineKind::Compiled);
        assert!(
            compiled || said.iter().any(|said| hopeful.iter().any(|&hope| said.contains(hope))),
            "{microseconds} µs: {said:?}"
        );
    }
}

#[test]
fn a_word_with_a_control_character_is_no_word() {
    let text = format!("{REST} (<= (x \u{1b}[2J) (role me))");
    let error = Sheet::parse("odd", &text).expect_err("nobody should print that");
    assert!(error.to_string().contains("a control character"), "{error}");
}

#[test]
fn a_file_without_end_is_read_to_the_limit_only() {
    let error = Sheet::text("/dev/zero").unwrap_err().to_string();
    assert!(error.contains("more than 1048576 bytes"), "{error}");
}
