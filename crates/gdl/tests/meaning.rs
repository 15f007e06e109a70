//! What a sheet means is what its rules say: not the order they stand in, nor how anything is spelt.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

mod generated;
mod naive;
mod shared;

use game::{Rng, pick};
use gdl::sheet::{Expr, ExprKind, Symbols, read};
use gdl::{BuildLimits, GdlError, Machine, Sheet};
use naive::Naive;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// The machines of a sheet, as far as it can be played.
fn machines(text: &str) -> Vec<Machine> {
    let Ok(sheet) = Sheet::parse("test", text) else {
        return Vec::new();
    };
    let limits = BuildLimits {
        steps: 200_000,
        ..BuildLimits::default()
    };
    let built = [
        Machine::prover(&sheet),
        Machine::on_demand(&sheet),
        Machine::compiled(&sheet, limits),
    ];
    built.into_iter().flatten().collect()
}

fn legal(machine: &Machine) -> Vec<String> {
    let view = machine.view(&machine.initial()).unwrap();
    view.legal[0].iter().map(|&mv| machine.print_move(mv)).collect()
}

#[test]
fn a_rule_of_nothing_but_negations_holds_only_where_they_do() {
    // Each time such a rule stands before every rule that has a condition.
    let moves = "(role p) (init s) (<= (legal p a) (not over)) (<= (legal p b) over) (<= over (true s))
        (<= (next z) (does p b)) (<= terminal (true z)) (goal p 0)";
    let ends =
        "(role p) (init s) (<= terminal (not alive)) (<= alive (true s)) (legal p a) (<= (next s) (true s)) (goal p 0)";
    let pays = "(role x) (init (step 1)) (<= (goal x 100) (not lost)) (<= (goal x 0) lost) (<= lost (true (step ?n)))
        (legal x go) (<= (next (step 2)) (does x go)) (<= terminal (true (step 2)))";
    for machine in machines(moves) {
        assert_eq!(legal(&machine), ["b"]);
    }
    for machine in machines(ends) {
        assert!(!machine.view(&machine.initial()).unwrap().terminal);
    }
    for machine in machines(pays) {
        assert_eq!(machine.goals(&machine.initial()).unwrap(), [0]);
    }
}

#[test]
fn a_circle_of_a_relation_that_is_none_of_what_it_says_is_played_with_a_warning() {
    let rest =
        "(role a) (init (at 1)) (init (at 2)) (legal a go) (<= (next (at 3)) (true (at 2))) (<= terminal (true (at 3)))
        (number 1) (number 2) (number 3)";
    let sheets = [
        // What a role gets is what it does not get.
        "(<= (goal a 0) (not (goal a 100))) (<= (goal a 100) (true (at 3)))",
        "(<= (goal ?r 50) (role ?r) (not (goal ?r 0)) (not (goal ?r 100))) (<= (goal ?r 100) (role ?r) (true (at 3)))",
        // With variables where the constants are, also for what nobody says.
        "(<= (good ?n) (number ?n) (not (bad ?n))) (<= (bad 1) (good 2)) (<= (bad 2) (true (at 3)))
         (<= (goal a 100) (good 1)) (<= (goal a 50) (good 2)) (<= (goal a 25) (good 3))",
        // Round about, and by two columns.
        "(<= (p ?x 1) (number ?x) (not (q ?x 2))) (<= (q ?x ?y) (p ?x ?y) (number ?y)) (<= (q ?x 2) (true (at ?x)))
         (<= (goal a 100) (p 3 1)) (<= (goal a 50) (p 1 1)) (<= (goal a 25) (q 3 1))",
    ];
    for own in sheets {
        let text = format!("{own} {rest}");
        let sheet = Sheet::parse("circle", &text).unwrap_or_else(|error| panic!("{error}"));
        let warnings: Vec<&str> = sheet.warnings.iter().map(|warning| warning.message.as_str()).collect();
        assert!(
            warnings
                .iter()
                .any(|warning| warning.contains("never for the same constants")),
            "{warnings:?}"
        );
        let machines = machines(&text);
        assert_eq!(machines.len(), 3);
        for machine in machines {
            by_the_letter(&sheet, &machine).unwrap();
        }
    }
    // What is true at first may be said by a rule only.
    let text =
        "(role a) (least 0) (<= (init (score ?v)) (least ?v)) (<= (next (score ?v)) (true (score ?v))) (legal a go)
        (<= terminal (true (score 0))) (<= (goal a 100) (not (goal a 0))) (<= (goal a ?v) (true (score ?v)))";
    for machine in machines(text) {
        assert_eq!(machine.goals(&machine.initial()).unwrap(), [0]);
    }
    // These are circles, whatever they are split by.
    for own in [
        "(<= (p 1) (not (p 1)))",
        "(<= (p ?x) (number ?x) (not (p ?x)))",
        "(<= p (not q)) (<= q (not p))",
    ] {
        let error = Sheet::parse("circle", &format!("{own} (goal a 0) {rest}"))
            .unwrap_err()
            .to_string();
        assert!(error.contains("not stratified"), "{own}: {error}");
    }
}

/// Other words for the words of a sheet.
#[derive(Default)]
struct Words(HashMap<String, String>);

impl Words {
    /// What a word of the first sheet is called in the second. Numbers stay: goals are numbers.
    fn other(&mut self, word: &str, rng: &mut Rng) -> String {
        let word = word.to_lowercase();
        let keyword = "<= role init true does next legal goal terminal base input distinct not or and sees"
            .split(' ')
            .any(|keyword| keyword == word);
        if keyword || word.parse::<i64>().is_ok() {
            return word;
        }
        let next = self.0.len();
        self.0
            .entry(word)
            .or_insert_with(|| format!("w{}-{next}", game::below(rng, 1000)))
            .clone()
    }

    /// A term of the second sheet in the words of the first.
    fn back(&self, term: &str) -> String {
        let known: HashMap<&str, &str> = self
            .0
            .iter()
            .map(|(own, other)| (other.as_str(), own.as_str()))
            .collect();
        let spaced = term.replace('(', "( ").replace(')', " )").to_lowercase();
        let words = spaced.split(' ').map(|word| known.get(word).copied().unwrap_or(word));
        words
            .collect::<Vec<_>>()
            .join(" ")
            .replace("( ", "(")
            .replace(" )", ")")
    }
}

/// The same sheet, its rules and their conditions in another order and everything spelt otherwise.
fn respelt(text: &str, rng: &mut Rng) -> (String, Words) {
    let mut symbols = Symbols::default();
    let exprs = read(text, &mut symbols, &mut Vec::new());
    let mut words = Words::default();
    let is_role = |expr: &Expr| {
        let ExprKind::List(items) = &expr.kind else {
            return false;
        };
        matches!(items.first().map(|item| &item.kind), Some(ExprKind::Word(sym)) if symbols.text(*sym).eq_ignore_ascii_case("role"))
    };
    // The order of the roles is part of the game.
    let (roles, mut rules): (Vec<_>, Vec<_>) = exprs.into_iter().partition(is_role);
    shuffle(&mut rules, rng);
    let mut written = Vec::new();
    for mut rule in roles.into_iter().chain(rules) {
        if let ExprKind::List(items) = &mut rule.kind
            && items.len() > 2
            && matches!(items[0].kind, ExprKind::Word(sym) if symbols.text(sym) == "<=")
        {
            shuffle(&mut items[2..], rng);
        }
        let mut variables = BTreeMap::new();
        written.push(write(&rule, &symbols, &mut words, &mut variables, rng));
    }
    (written.join("\n"), words)
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for at in (1..items.len()).rev() {
        items.swap(at, game::below(rng, at as u32 + 1) as usize);
    }
}

fn write(
    expr: &Expr,
    symbols: &Symbols,
    words: &mut Words,
    variables: &mut BTreeMap<String, String>,
    rng: &mut Rng,
) -> String {
    match &expr.kind {
        ExprKind::Word(sym) => words.other(symbols.text(*sym), rng),
        ExprKind::Var(sym) => {
            let next = variables.len();
            let name = symbols.text(*sym).to_lowercase();
            let other = || format!("?v{}-{next}", game::below(rng, 1000));
            variables.entry(name).or_insert_with(other).clone()
        }
        ExprKind::List(items) => {
            let items: Vec<String> = items
                .iter()
                .map(|item| write(item, symbols, words, variables, rng))
                .collect();
            format!("({})", items.join(" "))
        }
    }
}

/// Everything that a machine says of a state, in the words of the first sheet.
type Account = (Vec<String>, bool, Vec<Vec<String>>, Vec<u8>);

fn account(machine: &Machine, state: &gdl::State, words: Option<&Words>) -> Result<Account, GdlError> {
    let translate = |term: String| words.map_or_else(|| term.to_lowercase(), |words| words.back(&term));
    let sorted = |terms: Vec<String>| {
        let mut terms: Vec<String> = terms.into_iter().map(translate).collect();
        terms.sort();
        terms
    };
    let view = machine.view(state)?;
    let moves = |legal: &Vec<gdl::Move>| sorted(legal.iter().map(|&mv| machine.print_move(mv)).collect());
    Ok((
        sorted(machine.facts(state)),
        view.terminal,
        view.legal.iter().map(moves).collect(),
        machine.goals(state)?,
    ))
}

/// What is said by one only, shortly.
fn difference(one: &Account, other: &Account) -> String {
    let all = |account: &Account| -> Vec<String> {
        let (facts, terminal, legal, goals) = account;
        let moves = legal
            .iter()
            .enumerate()
            .flat_map(|(role, moves)| moves.iter().map(move |mv| format!("{role}: {mv}")));
        let rest = [format!("terminal {terminal}"), format!("goals {goals:?}")];
        facts.iter().cloned().chain(moves).chain(rest).collect()
    };
    let (one, other) = (all(one), all(other));
    let only = |a: &[String], b: &[String]| {
        let only: Vec<String> = a.iter().filter(|said| !b.contains(said)).take(5).cloned().collect();
        only.join(", ")
    };
    format!("first {}; respelt {}", only(&one, &other), only(&other, &one))
}

/// Plays the same random game on a sheet and on the same sheet respelt.
fn same_game(name: &str, text: &str, build: fn(&Sheet) -> Result<Machine, GdlError>, turns: usize, seed: u64) {
    let mut rng = game::rng(seed);
    let (other_text, mut words) = respelt(text, &mut rng);
    let own = Sheet::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    let other = Sheet::parse(name, &other_text).unwrap_or_else(|error| panic!("{error}"));
    let (Ok(own), Ok(other)) = (build(&own), build(&other)) else {
        return;
    };
    let (mut state, mut twin) = (own.initial(), other.initial());
    for turn in 0..turns {
        let (Ok(said), Ok(echo)) = (account(&own, &state, None), account(&other, &twin, Some(&words))) else {
            return;
        };
        assert!(said == echo, "{name}, turn {turn}: {}", difference(&said, &echo));
        let (_, terminal, legal, _) = said;
        let joint: Option<Vec<String>> = legal
            .iter()
            .map(|moves| pick(&mut rng, &moves.iter().collect::<Vec<_>>()).cloned())
            .collect();
        let Some(joint) = joint.filter(|_| !terminal) else {
            return;
        };
        let step = |machine: &Machine, state: &gdl::State, joint: &[String]| {
            let moves = joint
                .iter()
                .enumerate()
                .map(|(role, mv)| machine.parse_move(role, mv).unwrap());
            machine.next(state, &moves.collect::<Vec<_>>())
        };
        let renamed: Vec<String> = joint.iter().map(|mv| forth(mv, &mut words, &mut rng)).collect();
        let (Ok(next), Ok(also)) = (step(&own, &state, &joint), step(&other, &twin, &renamed)) else {
            return;
        };
        (state, twin) = (next, also);
    }
}

/// A term of the first sheet in the words of the second.
fn forth(term: &str, words: &mut Words, rng: &mut Rng) -> String {
    let spaced = term.replace('(', "( ").replace(')', " )");
    let others: Vec<String> = spaced
        .split(' ')
        .map(|word| match word {
            "(" | ")" => word.to_string(),
            word => words.other(word, rng),
        })
        .collect();
    others.join(" ")
}

fn prover(sheet: &Sheet) -> Result<Machine, GdlError> {
    Machine::prover(sheet)
}

fn on_demand(sheet: &Sheet) -> Result<Machine, GdlError> {
    Machine::on_demand(sheet)
}

fn compiled(sheet: &Sheet) -> Result<Machine, GdlError> {
    Machine::compiled(sheet, BuildLimits::default())
}

#[test]
fn order_and_spelling_change_nothing_in_the_bundled_games() {
    for name in gdl::bundled::names() {
        let text = gdl::bundled::text(name).unwrap();
        same_game(name, text, prover, 12, 1);
        same_game(name, text, on_demand, 4, 1);
        same_game(name, text, compiled, 40, 2);
    }
}

/// Archers on a board whose edges meet: each moves along a line and shoots along another, through where it stood before. What is
/// in sight depends in circles on itself.
const RING: &str = "
(role white) (role black)
(init (at 1 1 white)) (init (at 3 1 black)) (init (control white))
(index 1) (index 2) (index 3) (index 4) (++ 1 2) (++ 2 3) (++ 3 4) (++ 4 1)
(<= (cell ?x ?y) (index ?x) (index ?y))
(<= (empty ?x ?y) (cell ?x ?y) (not (true (at ?x ?y white))) (not (true (at ?x ?y black))) (not (true (at ?x ?y arrow))))
(<= (row ?x1 ?y ?x2 ?y) (++ ?x1 ?x2) (index ?y))
(<= (row ?x1 ?y ?x3 ?y) (++ ?x1 ?x2) (empty ?x2 ?y) (row ?x2 ?y ?x3 ?y))
(<= (slope ?x1 ?y1 ?x2 ?y2) (++ ?x1 ?x2) (++ ?y1 ?y2))
(<= (slope ?x1 ?y1 ?x3 ?y3) (++ ?x1 ?x2) (++ ?y1 ?y2) (empty ?x2 ?y2) (slope ?x2 ?y2 ?x3 ?y3))
(<= (line ?a ?b ?c ?d) (or (row ?a ?b ?c ?d) (row ?c ?d ?a ?b) (slope ?a ?b ?c ?d) (slope ?c ?d ?a ?b)))
(<= (shot ?p ?q ?x1 ?y ?x2 ?y) (++ ?x1 ?x2) (index ?y) (cell ?p ?q))
(<= (shot ?p ?q ?x1 ?y ?x3 ?y) (++ ?x1 ?x2) (empty ?x2 ?y) (shot ?p ?q ?x2 ?y ?x3 ?y))
(<= (shot ?x2 ?y ?x1 ?y ?x3 ?y) (++ ?x1 ?x2) (shot ?x2 ?y ?x2 ?y ?x3 ?y))
(<= (lob ?p ?q ?x1 ?y1 ?x2 ?y2) (++ ?x1 ?x2) (++ ?y1 ?y2) (cell ?p ?q))
(<= (lob ?p ?q ?x1 ?y1 ?x3 ?y3) (++ ?x1 ?x2) (++ ?y1 ?y2) (empty ?x2 ?y2) (lob ?p ?q ?x2 ?y2 ?x3 ?y3))
(<= (lob ?x2 ?y2 ?x1 ?y1 ?x3 ?y3) (++ ?x1 ?x2) (++ ?y1 ?y2) (lob ?x2 ?y2 ?x2 ?y2 ?x3 ?y3))
(<= (hits ?p ?q ?a ?b ?c ?d)
    (or (shot ?p ?q ?a ?b ?c ?d) (shot ?p ?q ?c ?d ?a ?b) (lob ?p ?q ?a ?b ?c ?d) (lob ?p ?q ?c ?d ?a ?b)))
(<= (can ?who) (true (at ?x1 ?y1 ?who)) (line ?x1 ?y1 ?x2 ?y2) (empty ?x2 ?y2))
(<= (legal ?who (play ?x1 ?y1 ?x2 ?y2 ?x3 ?y3)) (true (control ?who)) (true (at ?x1 ?y1 ?who))
    (line ?x1 ?y1 ?x2 ?y2) (empty ?x2 ?y2) (hits ?x1 ?y1 ?x2 ?y2 ?x3 ?y3) (empty ?x3 ?y3))
(<= (legal ?who (play ?x1 ?y1 ?x2 ?y2 ?x1 ?y1)) (true (control ?who)) (true (at ?x1 ?y1 ?who))
    (line ?x1 ?y1 ?x2 ?y2) (empty ?x2 ?y2))
(<= (legal ?who noop) (role ?who) (not (true (control ?who))))
(<= (next (at ?x2 ?y2 ?who)) (does ?who (play ?x1 ?y1 ?x2 ?y2 ?x3 ?y3)))
(<= (next (at ?x3 ?y3 arrow)) (does ?who (play ?x1 ?y1 ?x2 ?y2 ?x3 ?y3)))
(<= (next (at ?x ?y ?what)) (true (at ?x ?y ?what)) (not (leaves ?x ?y)))
(<= (leaves ?x ?y) (does ?who (play ?x ?y ?x2 ?y2 ?x3 ?y3)))
(<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))
(<= terminal (role ?who) (not (can ?who)))
(<= (goal ?who 0) (role ?who) (not (can ?who))) (<= (goal ?who 100) (can ?who))";

#[test]
fn order_and_spelling_change_nothing_where_rules_go_round_in_circles() {
    for seed in 0..20 {
        same_game("ring", RING, prover, 16, seed);
        same_game("ring", RING, on_demand, 16, seed);
        same_game("ring", RING, compiled, 16, seed);
    }
}

#[test]
fn order_and_spelling_change_nothing_in_the_public_sheets() {
    for path in shared::sheets() {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        same_game(&name, &text, prover, 6, 3);
        same_game(&name, &text, compiled, 20, 4);
    }
}

/// Plays a generated sheet by the letter and on a machine.
fn by_the_letter(sheet: &Sheet, machine: &Machine) -> Result<(), TestCaseError> {
    let Some(mut naive) = Naive::new(sheet) else {
        return Ok(());
    };
    let mut state = machine.initial();
    for _ in 0..4 {
        let Some(said) = naive.said() else { return Ok(()) };
        let Ok(view) = machine.view(&state) else { return Ok(()) };
        let mut legal: Vec<String> = view.legal[0].iter().map(|&mv| machine.print_move(mv)).collect();
        legal.sort();
        prop_assert_eq!(naive.state(), machine.facts(&state));
        prop_assert_eq!(said.terminal, view.terminal);
        prop_assert_eq!(vec![said.goal], machine.goals(&state).unwrap());
        if said.terminal {
            break;
        }
        prop_assert_eq!(&said.legal, &legal);
        let Some(mv) = legal.last() else { break };
        let played = machine.parse_move(0, mv).unwrap();
        let (Some(()), Ok(next)) = (naive.play(mv), machine.next(&state, &[played])) else {
            return Ok(());
        };
        state = next;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_sheets_mean_what_they_say(text in generated::sheet()) {
        let Ok(sheet) = Sheet::parse("generated", &text) else { return Ok(()) };
        for machine in machines(&text) {
            by_the_letter(&sheet, &machine)?;
        }
    }

    #[test]
    fn order_and_spelling_change_nothing_in_generated_sheets(text in generated::sheet(), seed in any::<u64>()) {
        if Sheet::parse("generated", &text).is_ok() {
            same_game("generated", &text, prover, 4, seed);
            same_game("generated", &text, on_demand, 4, seed);
            same_game("generated", &text, |sheet| Machine::compiled(sheet, BuildLimits { steps: 200_000, ..BuildLimits::default() }), 4, seed);
        }
    }
}
