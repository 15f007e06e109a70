//! Sheets made to cost more than they are worth are refused in words, and soon.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use gdl::{BuildLimits, GdlError, Machine, Sheet};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// As many bytes as a sheet may have.
const MUCH: usize = gdl::sheet::LONGEST;

/// Seconds on a quiet machine are a minute on a busy one; without the limits it would be hours.
const SOON: Duration = Duration::from_secs(60);

/// What the checker says of a text, which it must say soon.
fn told(what: &str, text: &str) -> String {
    let began = Instant::now();
    let (sheet, report) = Sheet::read("hostile", text);
    let shown = report.render();
    let took = began.elapsed();
    assert!(took < SOON, "{what} took {took:?}");
    assert!(shown.len() < 4 << 20, "{what}: {} bytes are told", shown.len());
    assert_eq!(sheet.is_some(), report.counts().0 == 0, "{what}");
    shown
}

fn filled(unit: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        let more = unit(number);
        if text.len() + more.len() > MUCH {
            break;
        }
        text += &more;
    }
    text
}

#[test]
fn a_text_that_is_longer_than_any_sheet_is_not_read() {
    assert!(told("too long", &" ".repeat(MUCH + 1)).contains("expected at most"));
}

#[test]
fn a_megabyte_of_nonsense_is_answered_soon_and_shortly() {
    let cases: [(&str, String, &str); 7] = [
        (
            "closing parentheses",
            ")".repeat(MUCH),
            "a closing parenthesis too many",
        ),
        ("opening parentheses", "(".repeat(MUCH), "nested too deeply"),
        ("words", filled(|n| format!("w{n} ")), "no rule defines"),
        ("empty lists", filled(|_| "()\n".into()), "an empty head"),
        (
            "unsafe rules",
            filled(|n| format!("(<= (p{n} ?x) (q ?y))\n")),
            "is not safe",
        ),
        (
            "names nobody defines",
            filled(|n| format!("(<= (p{n}) (some-relation-with-a-long-name-{n}))\n")),
            "no rule defines",
        ),
        (
            "two names of half a megabyte",
            format!("(<= ({}) ({}))", "a".repeat(MUCH / 2 - 9), "b".repeat(MUCH / 2 - 9)),
            "no rule defines",
        ),
    ];
    for (what, text, expected) in cases {
        let said = told(what, &text);
        assert!(
            said.contains(expected),
            "{what}: {}",
            said.chars().take(300).collect::<String>()
        );
    }
}

#[test]
fn circles_are_found_among_tens_of_thousands_of_negations() {
    let chain = filled(|n| format!("(<= c{n} c{})(<= d{n} (not c0))\n", n + 1));
    assert!(!told("no circle", &chain).contains("negation"));
    let last = chain.lines().count() - 2;
    let closed = chain.replace(&format!("(<= c{last} c{})", last + 1), &format!("(<= c{last} d0)"));
    assert!(told("a circle", &closed).contains("depends on its own negation"));
}

#[test]
fn alternatives_that_multiply_out_to_gigabytes_are_refused() {
    let twelve = "(or a b)".repeat(12);
    let many_rules = filled(|n| format!("(<= p{n} {twelve})\n"));
    assert!(told("many rules", &many_rules).contains("beyond measure"));
    assert!(!told("one branch", &format!("(<= p (or (and {twelve})))")).contains("beyond measure"));
    let branches = format!("(and {twelve})").repeat(5000);
    assert!(told("many branches", &format!("(<= p (or {branches}))")).contains("beyond measure"));
    let long = format!("(<= p {twelve} {})", "q ".repeat(MUCH / 3));
    assert!(told("a long rule", &long).contains("beyond measure"));
}

/// A rule that holds if a graph has a colouring with three colours: a wheel with an odd rim has none, and many of them side by
/// side are tried again and again.
fn hard_conditions() -> String {
    let mut rule = String::from("(<= solved");
    let rim = 9;
    for wheel in 0..12 {
        let _ = write!(rule, " (colour ?h{wheel})");
        for at in 0..rim {
            let _ = write!(rule, " (colour ?v{wheel}-{at})");
        }
        // Only the last wheel is odd, so that all the others must be coloured first.
        let size = if wheel == 11 { rim } else { rim - 1 };
        for at in 0..size {
            let next = (at + 1) % size;
            let _ = write!(
                rule,
                " (distinct ?h{wheel} ?v{wheel}-{at}) (distinct ?v{wheel}-{at} ?v{wheel}-{next})"
            );
        }
    }
    rule + ")"
}

#[test]
fn hard_conditions_do_not_keep_a_machine_busy_for_ever() {
    let text = format!(
        "(role x) (init (colour red)) (init (colour green)) (init (colour blue))\n\
         (<= (next ?f) (true ?f)) (legal x noop) (goal x 0) (<= terminal solved)\n\
         (<= (colour ?c) (true (colour ?c)))\n{}",
        hard_conditions()
    );
    let sheet = Sheet::parse("riddle", &text).unwrap();
    let limits = BuildLimits {
        time: Duration::from_millis(300),
        steps: 1_000_000,
        ..BuildLimits::default()
    };
    let began = Instant::now();
    let built = Machine::compiled(&sheet, limits).map(|_| ());
    assert!(matches!(built, Err(GdlError::Time { .. })), "{built:?}");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}
