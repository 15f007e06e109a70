//! The speed of the searches on Quarto: playouts, turns at fixed depths, nodes, and how late the clocks are.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use game::{Game, Rng, mix, rng};
use player::{Clock, Player};
use quarto::players::factory;
use quarto::policy::{Random, turn};
use quarto::rollout::novice_playout;
use quarto::signature::CASES;
use quarto::{Position, Rules};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn start() -> Position {
    Position::new(Rules::standard())
}

fn player(spec: &str) -> Box<dyn Player<Position>> {
    match factory(spec) {
        Ok(factory) => factory.make(),
        Err(error) => panic!("{error}"),
    }
}

/// At least 1 M a second a core is promised.
fn playouts(c: &mut Criterion) {
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    let mut generator = rng(1);
    group.bench_function("novices from the empty board", |b| {
        b.iter(|| novice_playout(black_box(&start()), &mut generator));
    });
    group.finish();
}

/// The turns of one game against random, timed one by one.
fn turns_of_a_game(player: &mut dyn Player<Position>, seed: u64, generator: &mut Rng, mut each: impl FnMut(Duration)) {
    player.begin(seed);
    let mut position = start();
    let mut own = seed.is_multiple_of(2);
    while position.playing() {
        if own {
            let began = Instant::now();
            let analysis = player.choose(&position, &Clock::unlimited());
            each(began.elapsed());
            position.play_unchecked(analysis.expect("a turn").best);
        } else if let Some(reply) = turn(&Random, &position, generator) {
            position.play_unchecked(reply);
        }
        own = !own;
    }
}

/// 200 games against random: the mean turn is promised below 5 ms and the worst below 100 ms at depth 4 with terzos.
fn turns(c: &mut Criterion) {
    for (spec, games) in [
        ("minimax:depth=3,eval=absolute", 200),
        ("minimax:depth=4,eval=terzo", 200),
        ("minimax:depth=5,eval=terzo", 40),
        ("montecarlo:playouts=200", 20),
    ] {
        let mut player = player(spec);
        let (mut total, mut worst, mut count) = (Duration::ZERO, Duration::ZERO, 0u32);
        for game in 0..games {
            turns_of_a_game(player.as_mut(), game, &mut rng(mix(7, &[game])), |time| {
                total += time;
                worst = worst.max(time);
                count += 1;
            });
        }
        let mean = total.as_secs_f64() * 1e3 / f64::from(count);
        println!("{spec}: {games} games against random, {count} turns, mean {mean:.2} ms, worst {worst:.1?}");
    }
    let mut group = c.benchmark_group("a game against random");
    group.sample_size(10);
    let mut player = player("minimax:depth=4,eval=terzo");
    group.bench_function("minimax:depth=4,eval=terzo", |b| {
        b.iter(|| turns_of_a_game(player.as_mut(), 1, &mut rng(1), |_| ()));
    });
    group.finish();
}

/// The cases of `terzo bench`.
fn nodes(c: &mut Criterion) {
    let run = || {
        CASES
            .iter()
            .filter_map(|case| case.run().ok())
            .map(|cost| cost.nodes)
            .sum::<u64>()
    };
    let mut group = c.benchmark_group("nodes");
    group.sample_size(10);
    group.throughput(Throughput::Elements(run()));
    group.bench_function("terzo bench", |b| b.iter(run));
    group.finish();
}

/// How late the answers come, of 40 turns by each.
fn clocks(_: &mut Criterion) {
    for spec in ["alphabeta", "mcts:trees=1", "montecarlo:playouts=10000000"] {
        let mut player = player(spec);
        let mut latest = Duration::ZERO;
        for number in 0..40 {
            let mut generator = rng(number);
            let mut position = start();
            for _ in 0..number % 7 {
                match turn(&Random, &position, &mut generator) {
                    Some(turn) => position.play_unchecked(turn),
                    None => position = start(),
                }
            }
            let given = Duration::from_millis(number % 20);
            let clock = Clock {
                time: Some(given),
                ..Clock::unlimited()
            };
            let began = Instant::now();
            black_box(player.choose(&position, &clock).is_ok());
            latest = latest.max(began.elapsed().saturating_sub(given));
        }
        println!("{spec}: latest answer {latest:.2?} after its clock");
    }
}

criterion_group!(benches, playouts, turns, nodes, clocks);
criterion_main!(benches);
