//! The whole match loop with players that cost nothing: what the arena itself costs.

use arena::contest::{Control, Plan, play};
use arena::terms::Terms;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quarto::{Position, Rules};

fn random_games(criterion: &mut Criterion) {
    const GAMES: u64 = 50_000;
    let mut group = criterion.benchmark_group("match");
    group.throughput(Throughput::Elements(GAMES)).sample_size(20);
    let start = Position::new(Rules::standard());
    let plan = Plan {
        games: GAMES,
        seed: 1,
        jobs: 1,
        terms: Terms::default(),
    };
    for name in ["random", "novice"] {
        let Ok(factory) = quarto::players::factory(name) else {
            continue;
        };
        group.bench_function(format!("{name} games, one thread"), |bencher| {
            bencher.iter(|| play(&start, [&factory, &factory], &plan, &Control::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, random_games);
criterion_main!(benches);
