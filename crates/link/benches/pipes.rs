//! What engines over pipes cost: two that do nothing but answer with the first legal turn, eight turns a game.
//!
//! Each number of games at once is played without limits and with all of them, the sandbox included.
//!
//! The bench is its own engine: called with `idle` it speaks UGI and thinks of nothing.

use arena::contest::TypedContest;
use arena::control::Control;
use arena::opening::Openings;
use arena::plan::{Entrant, Format, OpeningPlan, Plan};
use arena::queue::Local;
use arena::store::Store;
use arena::terms::Terms;
use arena::tournament::{self, Pairs};
use game::Game;
use link::ugi::{EngineCommand, engine_factory};
use player::Spec;
use process::ResourceLimits;
use quarto::{Position, Rules};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    if process::supervise_if_asked().is_some() {
        return;
    }
    if std::env::args().nth(1).as_deref() == Some("idle") {
        return idle();
    }
    let Ok(me) = std::env::current_exe() else {
        return;
    };
    let spec = format!("engine:'{}' idle", me.display());
    let Ok(limits) = "memory=1G,cpu=60s,processes=8,files=64,disk=100M,sandbox".parse() else {
        return;
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for concurrency in [1, cores, 2 * cores] {
        run(&spec, concurrency, ResourceLimits::default());
        run(&spec, concurrency, limits);
    }
}

fn run(spec: &str, concurrency: usize, limits: ResourceLimits) {
    let line = spec.trim_start_matches("engine:");
    let factory = EngineCommand::parse(line)
        .and_then(|command| engine_factory::<Position>(Spec::engine(line), EngineCommand { limits, ..command }));
    let (Ok(factory), Ok(mut store)) = (factory, Store::in_memory()) else {
        return;
    };
    let plan = Plan {
        name: "pipes".into(),
        game: "quarto".into(),
        players: vec![Entrant::of_spec(spec), Entrant::of_spec(spec)],
        rounds: 5000,
        format: Format::RoundRobin,
        seed: 1,
        terms: Terms {
            max_turns: Some(8),
            ..Terms::default()
        },
        openings: OpeningPlan::Start,
        sprt: None,
        concurrency,
    };
    let factories = vec![factory.clone(), factory];
    let start = Position::new(Rules::standard());
    let contest = Arc::new(TypedContest::new(start, factories, Openings::Plies(0)));
    let Ok(pairs) = Pairs::new(plan, contest).map(Arc::new) else {
        return;
    };
    let began = Instant::now();
    let (mut queue, control) = (Local { threads: concurrency }, Control::default());
    let outcome = tournament::run(&pairs, &mut queue, &mut store, &control, &mut |_| ());
    let Ok(outcome) = outcome else {
        return;
    };
    let seconds = began.elapsed().as_secs_f64();
    let turns: u64 = outcome.standings.duels.iter().map(|duel| duel.turns).sum();
    println!(
        "{concurrency} at once, limits {:?}: {} games of {:.1} turns in {seconds:.2} s: {:.0} games a second",
        limits.to_string(),
        outcome.standings.games(),
        turns as f64 / outcome.standings.games() as f64,
        outcome.standings.games() as f64 / seconds
    );
}

/// Answers with the first legal turn that does not end the game.
fn idle() {
    let start = Position::new(Rules::standard());
    let mut position = start;
    let mut moves = Vec::new();
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match line.split(' ').next() {
            Some("ugi") => "ugiok\n".into(),
            Some("isready") => "readyok\n".into(),
            Some("position") => {
                position = start;
                for word in line.split(' ').skip_while(|word| *word != "moves").skip(1) {
                    if let Ok(mv) = position.parse_move(word) {
                        let _ = position.play(mv);
                    }
                }
                continue;
            }
            Some("go") => {
                position.legal_moves(&mut moves);
                let goes_on = |mv: &&quarto::Turn| mv.give.is_some();
                match moves.iter().find(goes_on).or(moves.first()) {
                    Some(mv) => format!("bestmove {mv}\n"),
                    None => "bestmove none\n".into(),
                }
            }
            Some("quit") => return,
            _ => continue,
        };
        if output
            .write_all(answer.as_bytes())
            .and_then(|()| output.flush())
            .is_err()
        {
            return;
        }
    }
}
