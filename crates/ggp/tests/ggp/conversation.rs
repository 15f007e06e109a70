//! The desk, message by message.

use crate::shared;
use crate::strangers::{factory, first_legal, odd, slow};
use gdl::{Machine, Sheet, bundled};
use ggp::message::one_line;
use ggp::player::{MatchDesk, PlayerEvent, PlayerOptions};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn rules(game: &str) -> String {
    one_line(bundled::text(game).unwrap())
}

fn start(id: &str, game: &str, role: &str, start: u64, play: u64) -> String {
    format!("( START {id} {role} ( {} ) {start} {play} )", rules(game))
}

struct Talk {
    desk: MatchDesk,
    events: Arc<Mutex<Vec<PlayerEvent>>>,
}

impl Talk {
    fn new(factory: player::PlayerFactory<gdl::Position>) -> Talk {
        let events = Arc::new(Mutex::new(Vec::new()));
        let heard = events.clone();
        let watcher = Arc::new(move |event| heard.lock().unwrap().push(event));
        let desk = MatchDesk::new(factory, PlayerOptions::default(), watcher);
        Talk { desk, events }
    }

    fn say(&self, text: &str) -> String {
        self.desk.answer(text, Instant::now()).text
    }

    fn heard(&self, words: &str) -> bool {
        let events = self.events.lock().unwrap();
        events.iter().any(|event| event.to_string().contains(words))
    }

    /// Says it and checks that the answer is a legal move of that role after those joint moves.
    fn plays_legally(&self, text: &str, game: &str, role: usize, played: &[[&str; 2]]) -> String {
        let machine = Machine::prover(&Sheet::load(game).unwrap()).unwrap();
        let mut state = machine.initial();
        for joint in played {
            let joint: Vec<_> = (0..2)
                .map(|role| machine.parse_move(role, joint[role]).unwrap())
                .collect();
            state = machine.next(&state, &joint).unwrap();
        }
        let answer = self.say(text);
        let legal = &machine.view(&state).unwrap().legal[role];
        let mv = machine.parse_move(role, &answer);
        assert!(mv.as_ref().is_ok_and(|mv| legal.contains(mv)), "{text}: {answer}");
        answer
    }
}

#[test]
fn a_match_from_start_to_stop() {
    let talk = Talk::new(factory("random"));
    assert_eq!(
        talk.say("( INFO )"),
        "( ( name terzo ) ( status available ) ( species terzo ) )"
    );
    assert_eq!(talk.say("ping"), "ready");
    assert_eq!(talk.say(&start("M1", "tictactoe", "x", 10, 10)), "ready");
    assert_eq!(
        talk.say("( INFO )"),
        "( ( name terzo ) ( status busy ) ( species terzo ) )"
    );
    assert_eq!(talk.say("( PREVIEW ( (role x) ) 10 )"), "busy");
    talk.plays_legally("( PLAY M1 NIL )", "tictactoe", 0, &[]);
    let joint = ["(mark 2 2)", "noop"];
    assert_eq!(
        talk.plays_legally("( PLAY M1 ( (mark 2 2) noop ) )", "tictactoe", 0, &[joint]),
        "noop"
    );
    assert_eq!(talk.say("( PLAY M2 NIL )"), "busy");
    assert_eq!(talk.say("( STOP M2 NIL )"), "busy");
    assert_eq!(talk.say("( ABORT M2 )"), "busy");
    assert_eq!(talk.say("( STOP M1 ( noop (mark 1 1) ) )"), "done");
    assert_eq!(talk.say("( STOP M1 ( noop (mark 1 1) ) )"), "done");
    assert_eq!(
        talk.say("( INFO )"),
        "( ( name terzo ) ( status available ) ( species terzo ) )"
    );
}

#[test]
fn spellings_are_those_of_start_whatever_play_writes() {
    let talk = Talk::new(factory("random"));
    let shouted = start("M1", "tictactoe", "x", 10, 10).to_uppercase();
    assert_eq!(talk.say(&shouted), "ready");
    let answer = talk.say("( PLAY M1 NIL )");
    assert!(answer.starts_with("(MARK "), "{answer}");
    assert_eq!(talk.say("( play m1 ( (mark 1 1) noop ) )"), "NOOP");
}

#[test]
fn the_move_that_was_played_counts_not_the_one_that_was_sent() {
    // The first legal move of x is (mark 1 1); the manager plays (mark 3 3) instead, and later o takes (mark 1 1).
    let talk = Talk::new(odd(|position, _| first_legal(position)));
    talk.say(&start("M1", "tictactoe", "x", 10, 10));
    assert_eq!(talk.say("( PLAY M1 NIL )"), "(mark 1 1)");
    talk.say("( PLAY M1 ( (mark 3 3) noop ) )");
    assert_eq!(talk.say("( PLAY M1 ( noop (mark 1 1) ) )"), "(mark 1 2)");
    assert!(!talk.heard("told") && !talk.heard("fit"));
}

#[test]
fn a_repeated_play_is_the_same_turn() {
    let talk = Talk::new(odd(|position, _| first_legal(position)));
    talk.say(&start("M1", "tictactoe", "x", 10, 10));
    assert_eq!(talk.say("( PLAY M1 NIL )"), "(mark 1 1)");
    assert_eq!(talk.say("( PLAY M1 NIL )"), "(mark 1 1)");
    talk.say("( PLAY M1 ( (mark 1 1) noop ) )");
    for _ in 0..3 {
        assert_eq!(talk.say("( PLAY M1 ( noop (mark 1 2) ) )"), "(mark 1 3)");
    }
}

#[test]
fn after_a_lost_play_the_next_moves_say_where_we_are() {
    let talk = Talk::new(odd(|position, _| first_legal(position)));
    talk.say(&start("M1", "tictactoe", "x", 10, 10));
    talk.say("( PLAY M1 NIL )");
    // The turn of x is never told; o's move is. Whatever x marked, it was not (mark 1 2).
    let played = talk.say("( PLAY M1 ( noop (mark 1 2) ) )");
    assert!(talk.heard("8 positions fit"), "{:?}", talk.events.lock().unwrap());
    assert!(played.starts_with("(mark "), "{played}");
    // What happens next rules the wrong ones out: x can mark (1 1) only where it did not before.
    let answer = talk.say("( PLAY M1 ( (mark 1 1) noop ) )");
    assert_eq!(answer, "noop");
}

#[test]
fn moves_that_are_not_told_or_make_no_sense_do_not_end_the_match() {
    let talk = Talk::new(factory("random"));
    talk.say(&start("M1", "tictactoe", "o", 10, 10));
    assert_eq!(talk.say("( PLAY M1 NIL )"), "noop");
    let answer = talk.say("( PLAY M1 ( nil noop ) )");
    assert!(answer.starts_with("(mark "), "{answer}");
    for nonsense in [
        "( PLAY M1 ( noop ) )",
        "( PLAY M1 ( (fly 1) (mark 9 9) ) )",
        "( PLAY M1 ( a b c d e f g ) )",
    ] {
        let answer = talk.say(nonsense);
        assert!(answer.starts_with("(mark "), "{nonsense}: {answer}");
    }
    assert_eq!(talk.say("( ABORT M1 )"), "aborted");
}

#[test]
fn a_start_that_cannot_be_played_keeps_nobody_out() {
    let talk = Talk::new(factory("random"));
    let nobody = start("M2", "tictactoe", "z", 5, 5);
    let unbounded = format!("( START M1 x ( {UNBOUNDED} ) 5 5 )");
    let cases = [
        ("( START M1 x ( (role x) (<= (legal ?x) ) 5 5 )", "parenthes"),
        ("( START M1 x ( (role x) (<= (next ?x) (true ?y)) ) 5 5 )", "error"),
        ("( START M1 x ( ) 5 5 )", "role"),
        (nobody.as_str(), "no role `z`, only x, o"),
        ("( START M1 x", "parenthes"),
        ("\u{fffd}\u{0}garbage ((((", "a control character"),
        (unbounded.as_str(), "bound"),
    ];
    for (text, expected) in cases {
        let reply = talk.desk.answer(text, Instant::now());
        assert_eq!(reply.status, 400, "{text}");
        assert!(reply.text.contains(expected), "{text}: {}", reply.text);
        assert!(talk.say("( INFO )").contains("available"), "{text}");
    }
    assert_eq!(talk.say(&start("M3", "tictactoe", "x", 5, 5)), "ready");
}

/// Rules in which there are ever more facts.
const UNBOUNDED: &str =
    "(role x) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) (legal x a) (goal x 0) (<= terminal (true (n 9)))";

#[test]
fn whoever_asks_for_a_move_after_a_refused_start_is_told_why_it_was_refused() {
    let talk = Talk::new(factory("random"));
    let unbounded = format!("( START M1 x ( {UNBOUNDED} ) 5 5 )");
    let cases = [
        ("( START M1 x ( (role x) (<= (next ?x) (true ?y)) ) 5 5 )", "error"),
        (&start("M1", "tictactoe", "z", 5, 5), "no role `z`, only x, o"),
        (&unbounded, "bound"),
    ];
    for (text, expected) in cases {
        assert_eq!(talk.desk.answer(text, Instant::now()).status, 400, "{text}");
        for play in ["( PLAY M1 NIL )", "( play m1 ( a ) )"] {
            let reply = talk.desk.answer(play, Instant::now());
            assert_eq!(reply.status, 400, "{text}: {}", reply.text);
            assert!(reply.text.contains("refused"), "{text}: {}", reply.text);
            assert!(reply.text.contains(expected), "{text}: {}", reply.text);
        }
        assert!(talk.say("( INFO )").contains("available"), "{text}");
    }
    // What was refused holds nobody up, not even under the same name, and is forgotten with it.
    assert_eq!(talk.say(&start("M1", "tictactoe", "x", 5, 5)), "ready");
    talk.plays_legally("( PLAY M1 NIL )", "tictactoe", 0, &[]);
    assert_eq!(talk.say("( ABORT M1 )"), "aborted");
    let reply = talk.desk.answer("( PLAY M1 NIL )", Instant::now());
    assert_eq!(
        reply.text,
        "no match is under way, and none was refused as `M1`: it begins with a START"
    );
}

#[test]
fn a_start_that_is_refused_too_late_to_say_so_is_refused_at_the_first_play() {
    // Without a start clock, `ready` is said before anything is known.
    let talk = Talk::new(factory("random"));
    assert_eq!(talk.say(&format!("( START M1 x ( {UNBOUNDED} ) 0 30 )")), "ready");
    for _ in 0..2 {
        let asked = Instant::now();
        let reply = talk.desk.answer("( PLAY M1 NIL )", asked);
        assert_eq!(reply.status, 400, "{}", reply.text);
        assert!(
            reply.text.contains("refused") && reply.text.contains("bound"),
            "{}",
            reply.text
        );
        assert!(asked.elapsed() < Duration::from_secs(25), "{:?}", asked.elapsed());
    }
    assert!(talk.say("( INFO )").contains("available"));
    assert_eq!(talk.say(&start("M2", "tictactoe", "x", 5, 5)), "ready");
}

/// Sheets on which a prover that works everything out has no move for minutes.
#[test]
fn the_hardest_sheets_give_a_legal_move_in_time() {
    let Some(root) = shared::gdl() else { return };
    for name in [
        "sudoku",
        "laikLee_hex",
        "chess",
        "merrills",
        "slaughter",
        "amazonsTorus",
    ] {
        let path = root.join("hard/games").join(name).with_extension("kif");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let began = Instant::now();
        let machine = Machine::prover(&Sheet::parse(name, &text).unwrap()).unwrap();
        let legal = &machine.view(&machine.initial()).unwrap().legal[0];
        let known = began.elapsed();

        let role = machine.roles()[0];
        for clock in [0, 4] {
            let talk = Talk::new(factory("random"));
            let began = Instant::now();
            let start = format!("( START M1 {role} ( {} ) {clock} 30 )", one_line(&text));
            assert_eq!(talk.say(&start), "ready", "{name}, {clock} s");
            let ready = began.elapsed();
            let answer = talk.say("( PLAY M1 NIL )");
            let mv = machine.parse_move(0, &answer);
            let is_legal = mv.as_ref().is_ok_and(|mv| legal.contains(mv));
            assert!(is_legal, "{name}, {clock} s: {answer}");
            let moved = began.elapsed();
            eprintln!(
                "{name}: moves known after {known:.2?}; with {clock} s ready after {ready:.2?}, {answer} after {moved:.2?}"
            );
            assert_eq!(talk.say("( ABORT M1 )"), "aborted");
        }
    }
}

#[test]
fn a_start_within_a_match_is_told_busy_but_a_lost_stop_does_not_keep_it_out() {
    let talk = Talk::new(factory("random"));
    assert_eq!(talk.say(&start("M1", "nim", "first", 10, 10)), "ready");
    talk.say("( PLAY M1 NIL )");
    // Nobody can have won yet.
    assert_eq!(talk.say(&start("M2", "tictactoe", "x", 10, 10)), "busy");
    assert!(talk.say("( PLAY M1 NIL )").len() > 2);
    // The same match again is a new beginning.
    assert_eq!(talk.say(&start("M1", "tictactoe", "x", 10, 10)), "ready");
    for moves in [
        "NIL",
        "( (mark 1 1) noop )",
        "( noop (mark 2 1) )",
        "( (mark 1 2) noop )",
        "( noop (mark 2 2) )",
    ] {
        talk.say(&format!("( PLAY M1 {moves} )"));
    }
    // x to move has two in a row: the game may be over, and the STOP lost.
    assert_eq!(talk.say(&start("M3", "tictactoe", "x", 10, 10)), "ready");
    talk.plays_legally("( PLAY M3 NIL )", "tictactoe", 0, &[]);
}

#[test]
fn a_player_that_thinks_too_long_or_breaks_down_is_covered_for() {
    let slow = Talk::new(slow(Duration::from_secs(5)));
    slow.say(&start("M1", "tictactoe", "x", 1, 1));
    let asked = Instant::now();
    slow.plays_legally("( PLAY M1 NIL )", "tictactoe", 0, &[]);
    assert!(asked.elapsed() < Duration::from_millis(950), "{:?}", asked.elapsed());

    let broken = Talk::new(odd(|_, _| panic!("out of ideas (this panic is part of a test)")));
    broken.say(&start("M1", "tictactoe", "x", 1, 1));
    broken.plays_legally("( PLAY M1 NIL )", "tictactoe", 0, &[]);
    let joints = [["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"]];
    broken.say("( PLAY M1 ( (mark 2 2) noop ) )");
    broken.plays_legally("( PLAY M1 ( noop (mark 1 1) ) )", "tictactoe", 0, &joints);
}

#[test]
fn while_it_thinks_info_and_abort_are_answered_at_once() {
    let talk = Talk::new(slow(Duration::from_secs(2)));
    talk.say(&start("M1", "tictactoe", "x", 5, 5));
    std::thread::scope(|scope| {
        let thinking = scope.spawn(|| talk.say("( PLAY M1 NIL )"));
        std::thread::sleep(Duration::from_millis(100));
        let asked = Instant::now();
        assert!(talk.say("( INFO )").contains("busy"));
        assert_eq!(talk.say(&start("M2", "tictactoe", "x", 5, 5)), "busy");
        assert_eq!(talk.say("( ABORT M1 )"), "aborted");
        assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
        assert_eq!(thinking.join().unwrap(), "aborted");
    });
    assert!(talk.say("( INFO )").contains("available"));
    assert_eq!(talk.say(&start("M2", "tictactoe", "x", 5, 5)), "ready");
}

#[test]
fn where_all_choose_at_once_ours_is_asked_without_knowing_the_others() {
    let talk = Talk::new(odd(|position, _| {
        assert_eq!(game::Game::print(position), game::Game::print(&position.public()));
        first_legal(position)
    }));
    let machine = Machine::prover(&Sheet::load("duel").unwrap()).unwrap();
    let roles = machine.roles();
    assert_eq!(talk.say(&start("M1", "duel", roles[1], 10, 10)), "ready");
    let answer = talk.say("( PLAY M1 NIL )");
    let view = machine.view(&machine.initial()).unwrap();
    assert_eq!(answer, machine.print_move(view.legal[1][0]));
}

#[test]
fn the_prover_plays_while_a_large_sheet_is_still_being_built() {
    let talk = Talk::new(factory("random"));
    let asked = Instant::now();
    assert_eq!(talk.say(&start("M1", "chess", "white", 0, 10)), "ready");
    assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
    let first = talk.say("( PLAY M1 NIL )");
    assert!(talk.heard("the prover plays until"));
    let mut moves = format!("( {first} noop )");
    let deadline = Instant::now() + Duration::from_secs(50);
    for _ in 0.. {
        let noop = talk.say(&format!("( PLAY M1 {moves} )"));
        assert_eq!(noop, "noop");
        if talk.heard("takes over") {
            break;
        }
        assert!(Instant::now() < deadline, "{:?}", talk.events.lock().unwrap());
        std::thread::sleep(Duration::from_millis(200));
        moves = "NIL".into();
    }
    assert!(!talk.heard("cannot be made"));
    assert_eq!(talk.say("( ABORT M1 )"), "aborted");
}

#[test]
fn no_machine_is_busy_for_a_player_long_after_its_clock() {
    let bounds = Arc::new(Mutex::new(Vec::new()));
    let seen = bounds.clone();
    let talk = Talk::new(odd(move |position, clock| {
        let bound = gdl::Deadline::current().at;
        seen.lock()
            .unwrap()
            .push(bound.map(|at| at.saturating_duration_since(clock.started)));
        first_legal(position)
    }));
    assert_eq!(talk.say(&start("M1", "tictactoe", "x", 5, 20)), "ready");
    talk.plays_legally("( PLAY M1 NIL )", "tictactoe", 0, &[]);
    // It thinks until half a second before the end of its clock; any legal move is sent a quarter before.
    assert_eq!(*bounds.lock().unwrap(), [Some(Duration::from_millis(19_625))]);
}
