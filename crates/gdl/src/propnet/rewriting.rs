//! Rules that were factored, narrowed, split and guarded wherever that is possible mean what they meant before: the prover, which knows none of
//! it, agrees on every position.

#![allow(clippy::unwrap_used, reason = "what goes wrong here fails a test, and says where")]

use super::GroundEffort;
use crate::compiled::Compiled;
use crate::logic::{FlatProgram, Statics, WorkBudget};
use crate::{GdlError, Machine, Move, Sheet};
use game::{Rng, below, pick};
use std::fmt::Write;
use std::time::Duration;

/// The compiled machine of a sheet, by so much effort; nothing if it takes more steps than that. Without `tables` static relations
/// that have rules are taken for too large to be listed.
fn compiled(sheet: &Sheet, effort: GroundEffort, tables: bool, steps: u64) -> Option<Machine> {
    let mut budget = WorkBudget::new("a test", steps).within(Duration::from_secs(600), game::Stop::never());
    let program = FlatProgram::new(sheet, &mut budget).ok()?;
    let statics = match tables {
        true => Statics::new(program, &mut budget).ok()?,
        false => Statics::within(0, program, &mut budget).ok()?,
    };
    match Compiled::by(effort, statics, &mut budget) {
        Ok(compiled) => Some(Machine::new(compiled)),
        Err(GdlError::Memory { .. }) => None,
        Err(error) => panic!("{}: {error}", sheet.name),
    }
}

/// Whether the machines were compared: on so many positions of random games.
fn agree(sheet: &Sheet, effort: GroundEffort, tables: bool, positions: usize, rng: &mut Rng) -> bool {
    let Some(compiled) = compiled(sheet, effort, tables, 3_000_000) else {
        return false;
    };
    let prover = Machine::prover(sheet).unwrap();
    let texts = |machine: &Machine, moves: &[Move]| moves.iter().map(|&mv| machine.print_move(mv)).collect::<Vec<_>>();
    let first = || (prover.initial(), compiled.initial());
    let (mut state, mut twin) = first();
    for number in 0..positions {
        let at = format!("position {number} of {}", sheet.name);
        assert_eq!(prover.facts(&state), compiled.facts(&twin), "facts of {at}");
        let (view, other) = (prover.view(&state).unwrap(), compiled.view(&twin).unwrap());
        assert_eq!(view.terminal, other.terminal, "terminal of {at}");
        assert_eq!(
            prover.goals(&state).unwrap(),
            compiled.goals(&twin).unwrap(),
            "goals of {at}"
        );
        let mut joint = (Vec::new(), Vec::new());
        for (legal, other) in view.legal.iter().zip(&other.legal) {
            assert_eq!(texts(&prover, legal), texts(&compiled, other), "moves of {at}");
            let choice = below(rng, legal.len().max(1) as u32) as usize;
            joint.0.extend(legal.get(choice));
            joint.1.extend(other.get(choice));
        }
        (state, twin) = match view.terminal || joint.0.len() < prover.role_count() {
            true => first(),
            false => (
                prover.next(&state, &joint.0).unwrap(),
                compiled.next(&twin, &joint.1).unwrap(),
            ),
        };
    }
    true
}

/// A game on a board of three by three whose rules join, deny and compare at random.
fn random_sheet(rng: &mut Rng) -> String {
    let mut text = String::from(
        "(role p) (d a) (d b) (d c) (init (at a b)) (init (at b c)) (init (at c c))
         (<= (apart ?x ?y ?u ?v) (d ?x) (d ?y) (d ?u) (d ?v) (distinct ?x ?u))
         (<= (apart ?x ?y ?u ?v) (d ?x) (d ?y) (d ?u) (d ?v) (distinct ?y ?v))
         (legal p wait) (<= (next (at ?x ?y)) (does p (put ?x ?y)))\n",
    );
    for x in ["a", "b", "c", "d"] {
        for y in ["a", "b", "c", "d"] {
            if below(rng, 2) == 0 {
                writeln!(text, "(e {x} {y})").unwrap();
            }
        }
    }
    let arities: Vec<usize> = (0..4).map(|_| 1 + below(rng, 3) as usize).collect();
    for (rel, &arity) in arities.iter().enumerate() {
        for _ in 0..=below(rng, 3) {
            let head = atom(rng, rel, arity);
            writeln!(text, "{}", rule(rng, &head, rel, &arities)).unwrap();
        }
    }
    let all = arities.len();
    for head in [
        "(legal p (put ?x ?y))",
        "(next (at ?x ?y))",
        "(goal p 100)",
        "(goal p 50)",
        "terminal",
    ] {
        for _ in 0..=below(rng, 2) {
            writeln!(text, "{}", rule(rng, head, all, &arities)).unwrap();
        }
    }
    text + "(<= (next (at ?x ?y)) (true (at ?x ?y)) (not (does p (put ?y ?x))))"
}

const VARIABLES: [&str; 6] = ["?x", "?y", "?z", "?u", "?v", "?w"];

fn term(rng: &mut Rng) -> &'static str {
    match below(rng, 8) {
        0 => "a",
        1 => "c",
        _ => pick(rng, &VARIABLES).unwrap(),
    }
}

fn terms(rng: &mut Rng, count: usize) -> String {
    let terms: Vec<&str> = (0..count).map(|_| term(rng)).collect();
    terms.join(" ")
}

fn atom(rng: &mut Rng, rel: usize, arity: usize) -> String {
    format!("(r{rel} {})", terms(rng, arity))
}

/// A rule for a relation that asks for itself or those before it, and denies those before it.
fn rule(rng: &mut Rng, head: &str, rel: usize, arities: &[usize]) -> String {
    let (mut holds, mut tests) = (String::new(), String::new());
    for _ in 0..2 + below(rng, 3) {
        let most = arities.len().min(rel + 1) as u32;
        let other = below(rng, most) as usize;
        match below(rng, 9) {
            0..3 => write!(holds, " (true (at {}))", terms(rng, 2)),
            3 => write!(holds, " (e {})", terms(rng, 2)),
            4 => write!(holds, " (apart {})", terms(rng, 4)),
            5 | 6 => write!(holds, " {}", atom(rng, other, arities[other])),
            7 if rel > 0 => {
                let other = below(rng, rel as u32) as usize;
                write!(tests, " (not {})", atom(rng, other, arities[other]))
            }
            _ => write!(tests, " (distinct {})", terms(rng, 2)),
        }
        .unwrap();
    }
    // What is compared, denied or concluded must be known.
    for var in VARIABLES {
        if (head.contains(var) || tests.contains(var)) && !holds.contains(var) {
            write!(holds, " (d {var})").unwrap();
        }
    }
    format!("(<= {head}{holds}{tests})")
}

#[test]
fn what_counts_from_any_number_is_grounded_for_the_numbers_that_are_asked() {
    let mut text = String::from(
        "(role p) (<= (init (cell ?i white)) (place ?i)) (<= (legal p (turn ?i)) (place ?i))
         (<= (next (cell ?i black)) (does p (turn ?i)))
         (<= (next (cell ?i ?c)) (true (cell ?i ?c)) (not (does p (turn ?i))))
         (<= (one ?i ?w ?b ?w2 ?b) (true (cell ?i white)) (succ ?w ?w2) (number ?b))
         (<= (one ?i ?w ?b ?w ?b2) (true (cell ?i black)) (succ ?b ?b2) (number ?w))
         (<= (all 8 ?w ?b ?w2 ?b2) (one 8 ?w ?b ?w2 ?b2))
         (<= (all ?i ?w ?b ?w2 ?b2) (one ?i ?w ?b ?u ?v) (succ ?i ?j) (all ?j ?u ?v ?w2 ?b2))
         (<= (count ?w ?b) (all 1 0 0 ?w ?b))
         (<= terminal (count 0 ?b)) (<= (goal p 100) (count ?w 3)) (<= (goal p 50) (count 4 ?b))
         (place 1) (place 2) (place 3) (place 4) (place 5) (place 6) (place 7) (place 8)",
    );
    for number in 0..60 {
        writeln!(text, "(number {number}) (succ {number} {})", number + 1).unwrap();
    }
    let sheet = Sheet::parse("counting", &text).unwrap();
    assert!(agree(&sheet, GroundEffort::USUAL, true, 40, &mut game::rng(1)));
    // All rows of `all` are about half a million.
    assert!(compiled(&sheet, GroundEffort::USUAL, true, 400_000).is_some());
}

/// Eight cells get one of eight marks each; the goal says that every mark is there once, by a relation of 8 * 7^7 rows for each mark,
/// and `uneven` denies a relation of as many.
fn marks_once() -> String {
    let vars: Vec<String> = (1..9).map(|cell| format!("?m{cell}")).collect();
    let all = vars.join(" ");
    let mut text = String::from("(role p)\n");
    for mark in 1..9 {
        writeln!(text, "(mark {mark}) (cell {mark}) (eq {mark} {mark})").unwrap();
        let others = vars.iter().enumerate().filter(|(at, _)| at + 1 != mark);
        let others: String = others
            .map(|(_, var)| format!(" (mark {var}) (not (eq ?z {var}))"))
            .collect();
        writeln!(text, "(<= (once ?z {all}) (eq ?z ?m{mark}){others})").unwrap();
    }
    let marks: String = (1..9).map(|cell| format!(" (true (at {cell} ?m{cell}))")).collect();
    let once: String = (1..9).map(|mark| format!(" (once {mark} {all})")).collect();
    writeln!(text, "(<= good{marks}{once}) (<= uneven{marks} (not (once 3 {all})))").unwrap();
    text + "(<= (filled ?c) (true (at ?c ?m))) (<= open (cell ?c) (not (filled ?c)))
            (<= (legal p (put ?c ?m)) (cell ?c) (mark ?m) (not (filled ?c)))
            (<= (next (at ?c ?m)) (does p (put ?c ?m))) (<= (next (at ?c ?m)) (true (at ?c ?m)))
            (<= terminal (not open)) (<= (goal p 100) good) (<= (goal p 50) (not good) (not uneven))
            (<= (goal p 0) uneven)"
}

#[test]
fn a_static_relation_of_millions_of_rows_is_read_cell_by_cell() {
    let sheet = Sheet::parse("marks", &marks_once()).unwrap();
    assert!(agree(&sheet, GroundEffort::USUAL, true, 60, &mut game::rng(1)));
    // Every filled board is what its marks say, whoever grounded it: here the marks are counted.
    let machine = compiled(&sheet, GroundEffort::USUAL, true, 200_000).unwrap();
    let mut rng = game::rng(2);
    let mut seen = [0; 3];
    for number in 0..600 {
        let mut state = machine.initial();
        let mut counts = [0; 8];
        for cell in 1..9 {
            let mark = match number % 3 {
                // A permutation, one that is spoilt, or anything.
                0 => (cell + number) % 8,
                1 => (cell + number + usize::from(cell == 5)) % 8,
                _ => below(&mut rng, 8) as usize,
            };
            counts[mark] += 1;
            let mv = machine.parse_move(0, &format!("(put {cell} {})", mark + 1)).unwrap();
            state = machine.next(&state, &[mv]).unwrap();
        }
        let points = match counts {
            [1, 1, 1, 1, 1, 1, 1, 1] => 100,
            _ if counts[2] == 1 => 50,
            _ => 0,
        };
        assert!(machine.view(&state).unwrap().terminal);
        assert_eq!(machine.goals(&state).unwrap(), [points], "{counts:?}");
        seen[points as usize / 50] += 1;
    }
    assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
}

#[test]
fn rewritten_rules_of_random_games_mean_the_same() {
    let mut rng = game::rng(23);
    let mut compared = 0;
    for number in 0..400 {
        let text = random_sheet(&mut rng);
        let sheet = Sheet::parse("random", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (effort, tables) in [
            (GroundEffort::ALL, true),
            (GroundEffort::USUAL, true),
            (GroundEffort::USUAL, false),
        ] {
            let ran = std::panic::catch_unwind(|| agree(&sheet, effort, tables, 12, &mut game::rng(number)));
            match ran {
                Ok(ran) => compared += usize::from(ran),
                Err(_) => panic!("sheet {number}:\n{text}"),
            }
        }
    }
    assert!(compared > 1050, "only {compared} were compared");
}

#[test]
fn rewritten_rules_of_the_bundled_games_mean_the_same() {
    let mut compared = 0;
    for name in crate::bundled::names() {
        let sheet = Sheet::load(name).unwrap();
        compared += usize::from(agree(&sheet, GroundEffort::ALL, true, 20, &mut game::rng(5)));
        compared += usize::from(agree(&sheet, GroundEffort::USUAL, false, 20, &mut game::rng(5)));
    }
    assert!(compared > 30, "only {compared} were compared");
}

#[test]
fn rewritten_rules_of_the_public_sheets_mean_the_same() {
    let Some(root) = std::env::var_os("TERZO_SHARED") else {
        eprintln!("skipped: TERZO_SHARED names no folder of public rule sheets");
        return;
    };
    let root = std::path::PathBuf::from(root).join("gdl");
    let mut compared = 0;
    for folder in [root.join("games"), root.join("hard").join("games")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let sheet = Sheet::load(path.to_str().unwrap()).unwrap();
            compared += usize::from(agree(&sheet, GroundEffort::ALL, true, 6, &mut game::rng(6)));
            compared += usize::from(agree(&sheet, GroundEffort::USUAL, false, 6, &mut game::rng(6)));
        }
    }
    assert!(compared > 30, "only {compared} were compared");
}
