//! The speed of the rules: turn trees and playouts.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use game::{perft, perft_each, rng};
use quarto::policy::{Novice, Random, playout};
use quarto::{Position, Rules};

fn turn_trees(criterion: &mut Criterion) {
    let start = Position::new(Rules::standard());
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    group.throughput(Throughput::Elements(146_764_800));
    group.bench_function("depth 4, leaves counted", |bencher| bencher.iter(|| perft(&start, 4)));
    group.bench_function("depth 4, leaves played", |bencher| {
        bencher.iter(|| perft_each(&start, 4))
    });
    group.finish();
}

fn playouts(criterion: &mut Criterion) {
    let start = Position::new(Rules::standard());
    let mut group = criterion.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    group.bench_function("random", |bencher| {
        let mut rng = rng(1);
        bencher.iter(|| playout(&Random, &start, &mut rng));
    });
    group.bench_function("novice", |bencher| {
        let mut rng = rng(1);
        bencher.iter(|| playout(&Novice, &start, &mut rng));
    });
    group.finish();
}

criterion_group!(benches, turn_trees, playouts);
criterion_main!(benches);
