//! Games with hidden information and chance: GDL-II.

use crate::matches::{at, terms};
use crate::strangers::{Scribe, factory, ours};
use gdl::{Machine, Sheet};
use ggp::host::{Contestant, MatchEnd, MoveFault, host};
use ggp::message::one_line;
use ggp::player::{MatchDesk, PlayerOptions};
use std::sync::Arc;
use std::time::Instant;

/// Chance hides a coin under a cup. The scout sees where; it points, perhaps at the truth; the guesser sees where it
/// points, and guesses. Both want the guess to be right.
const CUPS: &str = "
(role random) (role scout) (role guesser)
(cup left) (cup middle) (cup right)
(init (phase hide))
(<= (legal random (hide ?c)) (true (phase hide)) (cup ?c))
(<= (legal scout (point ?c)) (true (phase point)) (cup ?c))
(<= (legal guesser (guess ?c)) (true (phase guess)) (cup ?c))
(<= (legal ?r wait) (role ?r) (not (busy ?r)))
(<= (busy random) (true (phase hide)))
(<= (busy scout) (true (phase point)))
(<= (busy guesser) (true (phase guess)))
(<= (next (coin ?c)) (does random (hide ?c)))
(<= (next (coin ?c)) (true (coin ?c)))
(<= (next (guessed ?c)) (does guesser (guess ?c)))
(<= (next (phase point)) (true (phase hide)))
(<= (next (phase guess)) (true (phase point)))
(<= (next (phase over)) (true (phase guess)))
(<= (sees scout (coin ?c)) (does random (hide ?c)))
(<= (sees guesser (points ?c)) (does scout (point ?c)))
(<= (sees ?r (guess ?c)) (role ?r) (does guesser (guess ?c)))
(<= terminal (true (phase over)))
(<= right (true (coin ?c)) (true (guessed ?c)))
(<= (goal ?r 100) (role ?r) right)
(<= (goal ?r 0) (role ?r) (not right))
";

#[test]
fn each_role_sees_what_the_rules_tell_it_and_nothing_else() {
    let machine = Machine::prover(&Sheet::parse("cups", CUPS).unwrap()).unwrap();
    assert!(machine.is_hidden());
    let joint: Vec<_> = ["(hide middle)", "wait", "wait"]
        .iter()
        .enumerate()
        .map(|(role, mv)| machine.parse_move(role, mv).unwrap())
        .collect();
    let sees = machine.sees(&machine.initial(), &joint).unwrap();
    assert_eq!(sees, [vec![], vec!["(coin middle)".to_string()], vec![]]);
    let open = Machine::prover(&Sheet::load("tictactoe").unwrap()).unwrap();
    assert!(!open.is_hidden());
}

#[test]
fn a_role_that_sees_the_coin_knows_it_and_one_that_does_not_guesses() {
    // The scout is alone responsible here: the guesser always follows it.
    let follows = CUPS.replace(
        "(<= (legal guesser (guess ?c)) (true (phase guess)) (cup ?c))",
        "(<= (next (pointed ?c)) (does scout (point ?c))) (<= (legal guesser (guess ?c)) (true (phase guess)) (true (pointed ?c)))",
    );
    let factory = || factory("montecarlo:playouts=2000");
    for (number, cup) in ["left", "middle", "right"].into_iter().enumerate() {
        let desk = MatchDesk::new(factory(), PlayerOptions::default(), Arc::new(|_| ()));
        let say = |text: &str| desk.answer(text, Instant::now()).text;
        assert_eq!(
            say(&format!("( START M scout ( {} ) 9 9 )", one_line(&follows))),
            "ready"
        );
        assert_eq!(say("( PLAY M 0 NIL NIL )"), "wait");
        // Told once, or twice.
        for _ in 0..=number {
            assert_eq!(
                say(&format!("( PLAY M 1 WAIT ( ( COIN {cup} ) ) )")),
                format!("(point {cup})")
            );
        }
        assert_eq!(say(&format!("( PLAY M 2 (point {cup}) NIL )")), "wait");
        assert_eq!(say(&format!("( STOP M 3 wait ( (guess {cup}) ) )")), "done");
    }
    // The guesser sees only where somebody points, and that need not be true: any guess is legal, none is certain.
    let desk = MatchDesk::new(factory(), PlayerOptions::default(), Arc::new(|_| ()));
    let say = |text: &str| desk.answer(text, Instant::now()).text;
    assert_eq!(say(&format!("( START M guesser ( {} ) 9 9 )", one_line(CUPS))), "ready");
    assert_eq!(say("( PLAY M 0 NIL NIL )"), "wait");
    assert_eq!(say("( PLAY M 1 wait ( ) )"), "wait");
    assert!(say("( PLAY M 2 wait ( (points left) ) )").starts_with("(guess "));
}

#[test]
fn a_manager_that_tells_only_what_we_see_is_understood() {
    // Chance picks one of four numbers; the player sees which, and names one. What it names is what it saw.
    let rules = "(role p) (role random) (num 1) (num 2) (num 3) (num 4) (init (phase choose))
        (<= (legal random (pick ?n)) (true (phase choose)) (num ?n))
        (<= (legal random noop) (not (true (phase choose))))
        (<= (legal p noop) (true (phase choose)))
        (<= (legal p (guess ?n)) (true (phase guess)) (num ?n))
        (<= (legal p wait) (true (phase wait)))
        (<= (next (secret ?n)) (does random (pick ?n)))
        (<= (next (secret ?n)) (true (secret ?n)))
        (<= (next (phase wait)) (true (phase choose)))
        (<= (next (phase guess)) (true (phase wait)))
        (<= (next (phase done)) (true (phase guess)))
        (<= (next right) (true (secret ?n)) (does p (guess ?n)))
        (<= (sees p (number ?n)) (does random (pick ?n)))
        (<= terminal (true (phase done)))
        (<= (goal p 100) (true right)) (<= (goal p 0) (not (true right)))
        (<= (goal random 0) (true right)) (<= (goal random 100) (not (true right)))";
    for number in 1..=4 {
        let desk = MatchDesk::new(
            factory("montecarlo:playouts=2000"),
            PlayerOptions::default(),
            Arc::new(|_| ()),
        );
        let say = |text: &str| desk.answer(text, Instant::now()).text;
        assert_eq!(say(&format!("( START M p ( {} ) 9 9 )", one_line(rules))), "ready");
        assert_eq!(say("( PLAY M NIL )"), "noop");
        assert_eq!(say(&format!("( PLAY M ( ( NUMBER {number} ) ) )")), "wait");
        // Nothing was to be seen in that turn.
        assert_eq!(say("( PLAY M NIL )"), format!("(guess {number})"));
        assert_eq!(say("( STOP M NIL )"), "done");
    }
}

#[test]
fn a_match_with_chance_and_secrets_is_played_to_its_end() {
    let machine = Machine::prover(&Sheet::parse("cups", CUPS).unwrap()).unwrap();
    let servers = [0, 1].map(|_| ours(factory("montecarlo:playouts=256")));
    for seed in 0..4 {
        let contestants = [Contestant::Chance, at(&servers[0]), at(&servers[1])];
        let mut scribe = Scribe::default();
        let stop = game::Stop::new();
        let end = host(&machine, CUPS, &contestants, &terms(seed), &stop, &mut scribe).unwrap();
        assert!(matches!(end, MatchEnd::Finished(_)), "{end:?}");
        assert_eq!(scribe.turns.len(), 3);
        for role in 0..3 {
            assert_eq!(scribe.faults(role), Vec::<&MoveFault>::new());
        }
    }
}
