//! Sheets of the right shape with anything in them.

use proptest::prelude::*;

fn term() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["a", "b", "1", "100", "?x", "?y", "p"]).prop_map(str::to_string);
    leaf.prop_recursive(2, 6, 3, |inner| {
        (prop::sample::select(vec!["f", "g"]), prop::collection::vec(inner, 1..3))
            .prop_map(|(name, args)| format!("({name} {})", args.join(" ")))
    })
}

/// Relations of the sheet's own: of one term, and of none.
fn relation() -> impl Strategy<Value = String> {
    prop_oneof![
        (prop::sample::select(vec!["p", "q"]), term()).prop_map(|(name, x)| format!("({name} {x})")),
        prop::sample::select(vec!["r", "s"]).prop_map(str::to_string),
    ]
}

fn condition() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => term().prop_map(|fact| format!("(true {fact})")),
        1 => term().prop_map(|mv| format!("(does a {mv})")),
        1 => term().prop_map(|fact| format!("(not (true {fact}))")),
        1 => (term(), term()).prop_map(|(x, y)| format!("(distinct {x} {y})")),
        1 => (term(), term()).prop_map(|(x, y)| format!("(not (distinct {x} {y}))")),
        2 => relation(),
        2 => relation().prop_map(|atom| format!("(not {atom})")),
        1 => prop::sample::select(vec!["(not (goal a 50))", "(not (p a))", "(not (q 1))"]).prop_map(str::to_string),
        1 => (relation(), term()).prop_map(|(atom, x)| format!("(or {atom} (true {x}))")),
    ]
}

fn rule() -> impl Strategy<Value = String> {
    let head = prop_oneof![
        2 => term().prop_map(|fact| format!("(next {fact})")),
        4 => relation(),
        1 => term().prop_map(|mv| format!("(legal a {mv})")),
        1 => Just("terminal".to_string()),
        1 => prop::sample::select(vec!["(goal a 100)", "(goal a 50)"]).prop_map(str::to_string),
    ];
    (head, prop::collection::vec(condition(), 0..4)).prop_map(|(head, body)| format!("(<= {head} {})", body.join(" ")))
}

/// A sheet for one role, in which there is always a move and something to see.
pub fn sheet() -> impl Strategy<Value = String> {
    let always = [
        "(role a)",
        "(init a)",
        "(init (f b))",
        "(legal a b)",
        "(<= (next ?x) (true ?x))",
        "(<= terminal (true p))",
        "(goal a 0)",
    ];
    // Generated rules stand first, where what they say of relations that come later matters most.
    prop::collection::vec(rule(), 1..8).prop_map(move |rules| format!("{}\n{}", rules.join("\n"), always.join("\n")))
}
