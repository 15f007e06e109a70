//! A hundred matches back to back, with everything going wrong around those who play well.

use crate::matches::{at, terms};
use crate::strangers::{Scribe, factory, loopback, ours};
use gdl::{Machine, Sheet};
use ggp::host::{Contestant, MatchEnd, MatchTerms, MoveFault, host};
use ggp::http::{HttpReply, HttpServer, post};
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many matches; `TERZO_SOAK` in the environment asks for more.
fn matches() -> u64 {
    let asked = std::env::var("TERZO_SOAK").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(100)
}

/// Clocks in seconds. Who is late on a machine that gives us a fiftieth of a core is asked again, with more time.
const CLOCKS: [u64; 4] = [1, 2, 4, 8];

/// Short games, so that a match with a sleeper in it takes a few seconds.
const GAMES: [&str; 4] = ["tictactoe", "trio", "duel", "nim"];

/// A program that accepts connections and does something unkind with them.
fn unkind(deed: impl Fn(TcpStream, u64) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind(loopback()).unwrap();
    let address = listener.local_addr().unwrap();
    let deed = Arc::new(deed);
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            let deed = deed.clone();
            std::thread::spawn(move || deed(stream, number as u64));
        }
    });
    address
}

fn garbage(mut stream: TcpStream, number: u64) {
    let noise: Vec<u8> = (0..200u64).map(|i| game::mix(number, &[i]) as u8).collect();
    let _ = stream.write_all(&noise);
}

/// Answers, and goes on answering.
fn megabytes(mut stream: TcpStream, _: u64) {
    let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
    let piece = vec![b'x'; 1 << 16];
    for _ in 0..64 {
        if stream.write_all(&piece).is_err() {
            return;
        }
    }
}

/// Promises much and says nothing, now and then.
fn mute(mut stream: TcpStream, number: u64) {
    if number.is_multiple_of(8) {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 1000\r\n\r\n");
        std::thread::sleep(Duration::from_millis(1500));
    }
}

/// Somebody who keeps sending rubbish to a player's port.
fn nuisance(victims: Vec<SocketAddr>, stop: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        for number in 0u64.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let victim = victims[number as usize % victims.len()];
            let Ok(mut stream) = TcpStream::connect(victim) else {
                continue;
            };
            let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
            let _ = match number % 7 {
                0 => stream.write_all(&[b'('; 20_000]),
                1 => stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 4000000\r\n\r\n((((("),
                2 => {
                    let body = vec![b'('; 1 << 20];
                    let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", body.len());
                    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body))
                }
                3 => stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 21\r\n\r\n( PLAY nobody NIL ) )"),
                4 => stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 26\r\n\r\n( START x y ( (z) ) 1 1 ) "),
                5 => stream.write_all(b"\r\n\r\n\r\n"),
                _ => Ok(()),
            };
            drop(stream);
            std::thread::sleep(Duration::from_millis(20));
        }
    })
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse().ok())
        .unwrap_or(0)
}

#[test]
fn a_hundred_matches_with_killed_late_and_mad_players_and_nobody_else_misses_a_clock() {
    let _alone = crate::MEMORY.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let honest = [0, 1, 2].map(|_| ours(factory("random")));
    let victims: Vec<SocketAddr> = honest.iter().map(HttpServer::address).collect();
    let stop = Arc::new(AtomicBool::new(false));
    let nuisance = nuisance(victims.clone(), stop.clone());
    let mad = [unkind(garbage), unkind(megabytes), unkind(mute)];
    // Answers every sixth time when the clock has long run out.
    let lates = AtomicU64::new(0);
    let late = HttpServer::start(loopback(), move |text, _| {
        if text.contains("PLAY") && lates.fetch_add(1, Ordering::Relaxed) % 6 == 5 {
            std::thread::sleep(Duration::from_millis(1200));
        }
        HttpReply::ok("noop")
    })
    .unwrap();

    let games = GAMES.map(|game| {
        let text = Sheet::text(game).unwrap();
        let machine = Machine::prover(&Sheet::parse(game, &text).unwrap()).unwrap();
        (game, text, machine)
    });
    let mut resident = Vec::new();
    let (mut honest_moves, mut replaced) = (0, 0);
    for number in 0..matches() {
        let (game, text, machine) = &games[number as usize % games.len()];
        let roles = machine.role_count();
        let odd = (number % 2 == 1).then_some(number as usize / 2 % roles);
        let honest_roles = || (0..roles).filter(|&role| Some(role) != odd);
        let play = |clock: u64| {
            let terms = MatchTerms {
                start: Duration::from_secs(2 * clock),
                play: Duration::from_secs(clock),
                ..terms(number)
            };
            // One role in every other match is somebody's who should not be there; one more player dies on the way.
            let rotate = |role: usize| (role + number as usize) % honest.len();
            let mut contestants: Vec<Contestant> = (0..roles).map(|role| at(&honest[rotate(role)])).collect();
            let mortal = (number % 10 == 9).then(|| ours(factory("random")));
            if let Some(odd) = odd {
                contestants[odd] = match (&mortal, number % 8) {
                    (Some(mortal), _) => at(mortal),
                    (None, 7) => at(&late),
                    (None, kind) => Contestant::At {
                        name: "mad".into(),
                        address: mad[kind as usize / 2 % mad.len()],
                    },
                };
            }
            let mut scribe = Scribe::default();
            let killer = mortal.map(|mortal| {
                std::thread::spawn(move || {
                    std::thread::sleep(Duration::from_millis(5));
                    drop(mortal);
                })
            });
            let end = host(machine, text, &contestants, &terms, &game::Stop::never(), &mut scribe).unwrap();
            killer.into_iter().for_each(|killer| killer.join().unwrap());
            assert!(
                matches!(end, MatchEnd::Finished(_)),
                "match {number} of {game}: {end:?}"
            );
            scribe
        };
        // Only lateness is forgiven: other faults of the honest are the same at every clock.
        let is_late = |scribe: &Scribe| {
            honest_roles()
                .flat_map(|role| scribe.faults(role))
                .any(|fault| *fault == MoveFault::Late)
        };
        let scribe = CLOCKS.iter().map(|&clock| play(clock)).find(|scribe| !is_late(scribe));
        let scribe = scribe.unwrap_or_else(|| panic!("match {number} of {game}: late at every clock"));
        for role in honest_roles() {
            assert_eq!(
                scribe.faults(role),
                Vec::<&MoveFault>::new(),
                "match {number} of {game}, role {role}"
            );
            honest_moves += scribe.turns.len();
        }
        replaced += odd.map_or(0, |odd| scribe.faults(odd).len());
        if number % 10 == 9 {
            resident.push(resident_kb());
        }
    }
    stop.store(true, Ordering::Relaxed);
    nuisance.join().unwrap();
    for victim in victims {
        let info = post(victim, "x", "( INFO )", Instant::now() + Duration::from_secs(5)).unwrap();
        assert!(info.contains("available"), "{info}");
    }
    assert!(replaced > 100, "{replaced}");
    println!("{honest_moves} moves of honest players, {replaced} of others replaced; memory in kB: {resident:?}");
    // Buffers and thread stacks settle in the first matches; after that nothing may pile up.
    let (early, last) = (resident[2], resident[resident.len() - 1]);
    assert!(last < early + 16 * 1024, "memory grows: {resident:?} kB");
}
