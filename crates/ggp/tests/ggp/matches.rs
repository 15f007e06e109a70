//! Whole matches over loopback, in real sockets.

use crate::strangers::{Scribe, factory, loopback, ours, slow};
use game::Stop;
use gdl::{Machine, Sheet};
use ggp::host::{Contestant, MatchEnd, MatchTerms, MoveFault, host};
use ggp::http::{HttpReply, HttpServer};
use std::time::{Duration, Instant};

pub fn terms(seed: u64) -> MatchTerms {
    MatchTerms {
        id: format!("test.{seed}"),
        start: Duration::from_secs(5),
        play: Duration::from_secs(1),
        seed,
        most_turns: 1000,
    }
}

pub fn at(server: &HttpServer) -> Contestant {
    Contestant::At {
        name: server.address().to_string(),
        address: server.address(),
    }
}

fn play(game: &str, contestants: &[Contestant], terms: &MatchTerms) -> (MatchEnd, Scribe) {
    let sheet = Sheet::text(game).unwrap();
    let machine = Machine::prover(&Sheet::parse(game, &sheet).unwrap()).unwrap();
    let mut scribe = Scribe::default();
    let end = host(&machine, &sheet, contestants, terms, &Stop::new(), &mut scribe).unwrap();
    (end, scribe)
}

/// Plays the recorded moves again on the other machine.
fn replayed(game: &str, scribe: &Scribe) -> Vec<u8> {
    let sheet = Sheet::load(game).unwrap();
    let machine = Machine::compiled(&sheet, gdl::BuildLimits::default()).unwrap();
    let mut state = machine.initial();
    for deeds in &scribe.turns {
        let view = machine.view(&state).unwrap();
        let joint: Vec<_> = deeds
            .iter()
            .enumerate()
            .map(|(role, deed)| machine.parse_move(role, &deed.mv).unwrap())
            .collect();
        assert!(joint.iter().zip(&view.legal).all(|(mv, legal)| legal.contains(mv)));
        state = machine.next(&state, &joint).unwrap();
    }
    machine.view(&state).unwrap().goals
}

#[test]
fn games_for_one_two_and_three_are_played_to_their_end() {
    let servers = [0, 1, 2].map(|_| ours(factory("random")));
    for (seed, game) in ["tictactoe", "trio", "duel", "lights", "nim", "connectfour"]
        .iter()
        .enumerate()
    {
        let roles = Machine::prover(&Sheet::load(game).unwrap()).unwrap().role_count();
        let contestants: Vec<Contestant> = servers[..roles].iter().map(at).collect();
        let (end, scribe) = play(game, &contestants, &terms(seed as u64));
        for role in 0..roles {
            assert_eq!(scribe.faults(role), Vec::<&MoveFault>::new(), "{game}");
        }
        assert_eq!(end, MatchEnd::Finished(replayed(game, &scribe)), "{game}");
    }
}

#[test]
fn whoever_is_late_absent_or_illegal_is_replaced_and_the_match_goes_on() {
    let honest = ours(factory("random"));
    let dead = ours(factory("random")).address();
    let liar = HttpServer::start(loopback(), |_, _| HttpReply::ok("(mark 7 7)")).unwrap();
    let sleeper = HttpServer::start(loopback(), |_, _| {
        std::thread::sleep(Duration::from_secs(3));
        HttpReply::ok("noop")
    })
    .unwrap();
    let others = [
        (at(&liar), "illegal: \"(mark 7 7)\""),
        (
            Contestant::At {
                name: "dead".into(),
                address: dead,
            },
            "unreachable",
        ),
        (at(&sleeper), "late"),
    ];
    for (seed, (other, fault)) in others.into_iter().enumerate() {
        let short = MatchTerms {
            start: Duration::from_secs(1),
            ..terms(seed as u64)
        };
        let (end, scribe) = play("tictactoe", &[other, at(&honest)], &short);
        assert_eq!(end, MatchEnd::Finished(replayed("tictactoe", &scribe)));
        let faults = scribe.faults(0);
        assert_eq!(faults.len(), scribe.turns.len() + 1);
        assert!(
            faults.iter().all(|found| found.to_string().contains(fault)),
            "{faults:?}"
        );
        assert_eq!(scribe.faults(1), Vec::<&MoveFault>::new());
    }
}

#[test]
fn nobody_plays_a_role_that_chance_plays_and_the_same_seed_draws_the_same() {
    let [a, b] = [0, 1].map(|_| play("tictactoe", &[Contestant::Chance, Contestant::Chance], &terms(7)).1);
    assert_eq!(a.turns, b.turns);
    assert!(
        a.turns
            .iter()
            .flatten()
            .all(|deed| deed.took.is_none() && deed.fault.is_none())
    );
}

#[test]
fn a_match_that_is_stopped_is_aborted_at_once() {
    let player = ours(slow(Duration::from_millis(300)));
    let sheet = Sheet::text("connectfour").unwrap();
    let machine = Machine::prover(&Sheet::load("connectfour").unwrap()).unwrap();
    let contestants = [at(&player), at(&player)];
    let stop = Stop::new();
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            let mut scribe = Scribe::default();
            let contestants = [contestants[0].clone(), Contestant::Chance];
            let end = host(&machine, &sheet, &contestants, &terms(1), &stop, &mut scribe).unwrap();
            (end, scribe)
        });
        std::thread::sleep(Duration::from_millis(800));
        stop.raise();
        let stopped = Instant::now();
        let (end, scribe) = running.join().unwrap();
        assert_eq!(end, MatchEnd::Stopped);
        assert!(!scribe.turns.is_empty());
        assert!(
            stopped.elapsed() < Duration::from_millis(800),
            "{:?}",
            stopped.elapsed()
        );
    });
    let info = ggp::http::post(
        player.address(),
        "x",
        "( INFO )",
        Instant::now() + Duration::from_secs(5),
    );
    assert!(info.unwrap().contains("available"));
}

#[test]
fn a_game_without_end_is_ended() {
    let endless = "(role a) (init (n 1)) (legal a wait) (<= (next ?x) (true ?x)) (<= (goal a 0) (true (n 1))) (<= terminal (true (n 2)))";
    let machine = Machine::prover(&Sheet::parse("endless", endless).unwrap()).unwrap();
    let short = MatchTerms {
        most_turns: 20,
        ..terms(1)
    };
    let mut scribe = Scribe::default();
    let stop = Stop::new();
    let end = host(&machine, endless, &[Contestant::Chance], &short, &stop, &mut scribe).unwrap();
    assert_eq!(end, MatchEnd::Broken("no end after 20 turns".into()));
    assert_eq!(scribe.turns.len(), 20);
}
