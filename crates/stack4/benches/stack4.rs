//! How fast: random games, nodes of the strong search, time to a depth.
//!
//! A game of 64 random moves should take at most 10 µs.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use game::{Game, pick, rng};
use stack4::run3::Run3;
use stack4::strong::{Limits, Strong};
use stack4::{Position, replay};
use std::hint::black_box;

/// Twenty moves of a good game.
const MIDDLE: &str = "22 33 23 21 24 25 14 32 34 44 13 12 02 35 31 23 22 24 21 22";

fn random_games(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random game of 64 moves");
    group.throughput(Throughput::Elements(1));
    let mut chance = rng(1);
    group.bench_function("rejecting full columns", |bench| {
        bench.iter(|| {
            let mut position = Position::new();
            while !position.is_over() {
                position.drop_random(&mut chance);
            }
            position
        });
    });
    let mut moves = Vec::new();
    group.bench_function("with a list of the legal moves", |bench| {
        bench.iter(|| {
            let mut position = Position::new();
            loop {
                position.legal_moves(&mut moves);
                let Some(column) = pick(&mut chance, &moves) else {
                    break position;
                };
                position.play_unchecked(column);
            }
        });
    });
}

fn searches(criterion: &mut Criterion) {
    let middle = replay(MIDDLE).unwrap_or_default();
    let mut group = criterion.benchmark_group("strong");
    group.sample_size(10);
    const NODES: u64 = 200_000;
    group.throughput(Throughput::Elements(NODES));
    let search = |position: &Position, limits: Limits| {
        let position = *position;
        move |mut strong: Strong| black_box(strong.search(&position, &limits))
    };
    let fresh = || Strong::new(16, 1);
    for (name, position) in [("opening", Position::new()), ("middle game", middle)] {
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        group.bench_function(format!("200,000 nodes, {name}"), |bench| {
            bench.iter_batched(fresh, search(&position, limits.clone()), BatchSize::PerIteration);
        });
    }
    group.throughput(Throughput::Elements(1));
    for depth in [6, 8] {
        let limits = Limits {
            depth: Some(depth),
            ..Limits::default()
        };
        group.bench_function(format!("depth {depth}, middle game"), |bench| {
            bench.iter_batched(fresh, search(&middle, limits.clone()), BatchSize::PerIteration);
        });
    }
    group.finish();
    criterion.bench_function("run3 chooses, middle game", |bench| {
        bench.iter(|| Run3 { defend: 20 }.choose(black_box(&middle)));
    });
}

criterion_group!(benches, random_games, searches);
criterion_main!(benches);
