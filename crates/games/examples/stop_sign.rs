//! How soon players and solvers end when the stop sign is raised: every player of every game, thinking without a limit, in the first
//! position and further on; and every solver. Prints the longest of each.
//!
//! `cargo run --release -p games --example stop_sign [GAME…]`

use game::Stop;
use games::{Session, TruthSettings, Watch};
use player::Clock;
use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// How long something works before the sign is raised, in milliseconds.
const AFTER: [u64; 4] = [3, 50, 120, 250];
/// After how many random turns.
const PLIES: [u32; 3] = [0, 6, 13];
/// Memory for an exact search.
const MEMORY: usize = 256 << 20;

/// The longest by what was measured, and where.
type Longest = BTreeMap<String, (Duration, String)>;

/// Raises the sign after a while, if the work has not ended by then; how long the work went on.
fn ended_after(wait: Duration, stop: &Stop, work: impl FnOnce() + Send) -> Option<Duration> {
    let (sender, ended) = sync_channel(1);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            work();
            let _ = sender.send(Instant::now());
        });
        if ended.recv_timeout(wait).is_ok() {
            return None;
        }
        let raised = Instant::now();
        stop.raise();
        ended.recv().ok().map(|end| end.saturating_duration_since(raised))
    })
}

fn note(longest: &mut Longest, what: &str, at: String, took: Option<Duration>) {
    let Some(took) = took else { return };
    let entry = longest.entry(what.to_string()).or_default();
    if took >= entry.0 {
        *entry = (took, at);
    }
}

fn clock(stop: &Stop) -> Clock {
    Clock {
        infinite: true,
        stop: stop.clone(),
        ..Clock::unlimited()
    }
}

fn measure(session: &dyn Session, name: &str, longest: &mut Longest) {
    let (game, ply) = (session.game(), session.len());
    for wait in AFTER {
        let at = format!("{name}, {ply} turns, after {wait} ms");
        let wait = Duration::from_millis(wait);
        for player in game.players() {
            let stop = Stop::new();
            let Ok(think) = session.thinker(ply, player.name, 1) else {
                continue;
            };
            let clock = clock(&stop);
            let took = ended_after(wait, &stop, || drop(think(&clock)));
            note(longest, player.name, at.clone(), took);
        }
        let stop = Stop::new();
        let watch = Watch {
            stop: stop.clone(),
            ..Watch::default()
        };
        let took = ended_after(wait, &stop, || drop(session.solve(ply, MEMORY, watch)));
        note(longest, "exact search (solve)", at.clone(), took);
        if game.is_solvable() {
            let Ok(position) = game.first().parse(&session.position(ply)) else {
                continue;
            };
            let stop = Stop::new();
            let settings = TruthSettings {
                memory: Some(MEMORY),
                threads: 2,
                book: false,
                moves: true,
                stop: stop.clone(),
            };
            let took = ended_after(wait, &stop, || drop(game.truths(&[position.as_ref()], &settings)));
            note(longest, "solver (truths)", at, took);
        }
    }
}

fn main() {
    let only: Vec<String> = std::env::args().skip(1).collect();
    let mut longest = Longest::new();
    for info in games::all() {
        if !only.is_empty() && !only.iter().any(|name| *name == info.name) {
            continue;
        }
        let Ok(found) = games::find(&info.name) else { continue };
        let mut own = Longest::new();
        for plies in PLIES {
            let turns = found.game.random_opening(plies, 7, 0);
            let mut session = found.game.clone().session();
            if session.replace(None, &turns).is_ok() {
                measure(session.as_ref(), &info.name, &mut own);
            }
        }
        for (what, (took, at)) in own {
            println!("{:8.2} ms  {what:24} {at}", took.as_secs_f64() * 1e3);
            note(&mut longest, &what, at, Some(took));
        }
    }
    println!("\nThe longest:");
    for (what, (took, at)) in longest {
        println!("{:8.2} ms  {what:24} {at}", took.as_secs_f64() * 1e3);
    }
}
