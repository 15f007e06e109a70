//! A trail is dropped where that changes nothing, and left where it would: on small sheets of all kinds, in every position.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use super::*;
use crate::{BuildLimits, Machine, Sheet};
use game::{Rng, below};
use std::fmt::Write;

/// How the rules of a sheet are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// A step adds where it comes from, by two relations in turn; the list grows at its end.
    TwoRelations,
    /// A step adds where it comes from.
    Source,
    /// A step adds where it leads to.
    Target,
    /// The same, with the new list written in the rule, and the first place in the list.
    Inline,
    /// The list is made on the way back.
    Back,
}

const STYLES: [Style; 5] = [
    Style::TwoRelations,
    Style::Source,
    Style::Target,
    Style::Inline,
    Style::Back,
];

/// What makes a trail say something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Catch {
    /// Nothing does.
    None,
    /// Lists are too short for the longest ways.
    Short,
    /// Two places have the same key.
    SharedKey,
    /// A key that no list may have.
    Forbidden,
    /// One key is not to be added after another.
    Order,
    /// The end moves, too: to come by a place again may be the only way.
    MovingEnd,
    /// A place is in the list from the start, or what is in the list is asked in the end.
    Asked,
}

const CATCHES: [Catch; 7] = [
    Catch::None,
    Catch::Short,
    Catch::SharedKey,
    Catch::Forbidden,
    Catch::Order,
    Catch::MovingEnd,
    Catch::Asked,
];

const PLACES: [&str; 4] = ["a", "b", "c", "d"];

/// A sheet about ways over those of four places that are lit, which are any.
fn sheet(style: Style, catch: Catch, compound: bool, rng: &mut Rng) -> String {
    let mut text = String::from(
        "(role p) (<= (legal p (turn ?x)) (place ?x)) (source a) (source b)
         (<= (next (lit ?x)) (does p (turn ?x)) (not (true (lit ?x))))
         (<= (next (lit ?x)) (true (lit ?x)) (not (does p (turn ?x))))
         (<= (linked ?x ?y) (edge ?x ?y) (true (lit ?y)))
         (<= terminal (true (lit a)) (true (lit b)) (true (lit c)) (true (lit d)))
         (islist nil)",
    );
    let key_of = |place: &str| match compound {
        true => format!("(at {place} 1)"),
        false => format!("k{place}"),
    };
    for place in PLACES {
        let key = key_of(if catch == Catch::SharedKey && place == "c" {
            "b"
        } else {
            place
        });
        write!(text, " (place {place}) (id {place} {key})").unwrap();
        if catch != Catch::Forbidden || place != "b" {
            write!(text, " (key {key})").unwrap();
        }
        for other in PLACES.iter().filter(|other| **other != place) {
            if below(rng, 5) < 2 {
                write!(text, " (edge {place} {other})").unwrap();
            }
        }
    }
    let longest = if catch == Catch::Short { 1 } else { 4 };
    for length in 1..=longest {
        let list = (0..length).rfold("nil".to_string(), |rest, at| format!("(list ?{at} {rest})"));
        let keys: String = (0..length).map(|at| format!(" (key ?{at})")).collect();
        write!(text, "\n(<= (islist {list}){keys})").unwrap();
    }
    let order = match catch {
        Catch::Order => format!("(distinct ?h {})", key_of("b")),
        _ => String::new(),
    };
    let (z, moves) = match catch {
        Catch::MovingEnd => ("?w", "(edge ?z ?w)"),
        _ => ("?z", ""),
    };
    let rules = match style {
        Style::TwoRelations => format!(
            "(<= (way ?x ?z ?l) (id ?x ?k) (end ?k ?l ?m) (step ?x ?z ?m))
             (<= (step ?x ?z ?l) (linked ?x ?z) (islist ?l))
             (<= (step ?x ?z ?l) (linked ?x ?y) {moves} (way ?y {z} ?l) (islist ?l))"
        ),
        Style::Source => format!(
            "(<= (way ?x ?z ?l) (linked ?x ?z) (islist ?l))
             (<= (way ?x ?z ?l) (linked ?x ?y) {moves} (id ?x ?k) (front ?k ?l ?m) (way ?y {z} ?m))"
        ),
        Style::Target => format!(
            "(<= (way ?x ?z ?l) (linked ?x ?z) (islist ?l))
             (<= (way ?x ?z ?l) (linked ?x ?y) {moves} (id ?y ?k) (end ?k ?l ?m) (way ?y {z} ?m))"
        ),
        Style::Inline => format!(
            "(<= (way ?x ?z ?l) (linked ?x ?z) (islist ?l))
             (<= (way ?x ?z ?l) (linked ?x ?y) {moves} (id ?y ?k) (islist ?l) (new ?k ?l) (way ?y {z} (list ?k ?l)))"
        ),
        Style::Back => format!(
            "(<= (way ?z ?z (list ?k nil)) (id ?z ?k))
             (<= (way ?x ?z (list ?k ?l)) (linked ?x ?y) {moves} (way ?y {z} ?l) (id ?x ?k) (islist ?l) (new ?k ?l))"
        ),
    };
    let (start, asked) = match (style, catch) {
        (Style::Back, Catch::Asked) => ("?l".into(), "(long ?l)"),
        (Style::Back, _) => ("?l".into(), ""),
        (_, Catch::Asked) => (format!("(list {} nil)", key_of("d")), ""),
        (Style::Inline, _) => ("(list ?k nil)".into(), ""),
        _ => ("nil".to_string(), ""),
    };
    let denied = match style {
        Style::Back => "(reached ?x d)".into(),
        _ => format!("(way ?x d {start})"),
    };
    writeln!(
        text,
        "\n(<= (new ?k nil) (key ?k))
         (<= (new ?k (list ?h ?t)) (key ?k) (key ?h) (distinct ?k ?h) (islist ?t) (new ?k ?t) {order})
         (<= (front ?k ?l (list ?k ?l)) (islist ?l) (islist (list ?k ?l)) (new ?k ?l))
         (<= (end ?k nil (list ?k nil)) (key ?k))
         (<= (end ?k (list ?h ?t) (list ?h ?n)) (key ?h) (key ?k) (distinct ?k ?h) (islist ?t) (end ?k ?t ?n) (islist ?n) {order})
         (<= (long (list ?a (list ?b (list ?c nil)))) (key ?a) (key ?b) (key ?c))
         {rules}
         (<= (reached ?x ?z) (id ?x ?k) (way ?x ?z {start}) {asked})
         (<= (goal p 100) (source ?x) (reached ?x c))
         (<= (goal p 50) (source ?x) (id ?x ?k) (true (lit c)) (not {denied}))
         (goal p 0)"
    )
    .unwrap();
    text
}

/// What the goals are in each position.
fn goals(machine: &Machine) -> Vec<Vec<u8>> {
    let position = |lit: usize| {
        let facts: Vec<String> = (0..PLACES.len())
            .filter(|at| lit >> at & 1 == 1)
            .map(|at| format!("(lit {})", PLACES[at]))
            .collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        machine.goals(&machine.state(&facts).unwrap()).unwrap()
    };
    (0..1 << PLACES.len()).map(position).collect()
}

fn shorter(sheet: &Sheet) -> Option<Vec<Rule>> {
    without_trails(&sheet.rules, &WorkBudget::new("a test", 1000))
}

/// The rules without the trail, whatever it says.
fn by_force(sheet: &Sheet) -> Option<Vec<Rule>> {
    let program = TrailProgram::new(sheet.rules.iter().map(TrailClause::of).collect::<Option<_>>()?);
    let way = |recursion: &&Vec<Relation>| recursion.iter().any(|rel| sheet.symbols.text(rel.0) == "way");
    let recursion = program.recursions.iter().find(way)?;
    choices(recursion).iter().find_map(|trails| {
        [TrailGrowth::Down, TrailGrowth::Up].iter().find_map(|&growth| {
            let steps = steps(&program, trails, growth, 1)?;
            steps.iter().any(|step| step.key.is_some()).then_some(())?;
            dropped(&sheet.rules, trails, &guards(&program, &steps))
        })
    })
}

#[test]
fn a_trail_is_dropped_if_and_only_if_it_says_nothing() {
    let mut rng = game::rng(1);
    let mut noticed = Vec::new();
    for catch in CATCHES {
        let mut wrong = 0;
        for number in 0..80 {
            let (style, compound) = (STYLES[number % STYLES.len()], number % 2 == 1);
            let text = sheet(style, catch, compound, &mut rng);
            let at = format!("{style:?}, {catch:?}, sheet {number}:\n{text}");
            let sheet = Sheet::parse("ways", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(shorter(&sheet).is_some(), catch == Catch::None, "{at}");
            let expected = goals(&Machine::prover(&sheet).unwrap());
            let compiled =
                Machine::compiled(&sheet, BuildLimits::default()).unwrap_or_else(|error| panic!("{error}; {at}"));
            assert_eq!(goals(&compiled), expected, "{at}");
            if let Some(rules) = by_force(&sheet) {
                let without = Machine::prover(&Sheet { rules, ..sheet }).unwrap();
                wrong += usize::from(goals(&without) != expected);
            }
        }
        noticed.push((catch, wrong));
    }
    // Each catch would be noticed.
    let right = |(catch, wrong): &(Catch, usize)| (*wrong > 0) == (*catch != Catch::None);
    assert!(noticed.iter().all(right), "{noticed:?}");
}
