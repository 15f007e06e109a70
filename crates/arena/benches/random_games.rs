//! The whole match loop with players that cost nothing: what the arena itself costs.

use arena::contest::{Contest, TypedContest};
use arena::control::Control;
use arena::opening::Openings;
use arena::terms::Terms;
use arena::unrecorded::{MatchPlan, play};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quarto::{Position, Rules};
use std::sync::Arc;

fn random_games(criterion: &mut Criterion) {
    const GAMES: u64 = 50_000;
    let mut group = criterion.benchmark_group("match");
    group.throughput(Throughput::Elements(GAMES)).sample_size(20);
    let start = Position::new(Rules::standard());
    let plan = MatchPlan {
        games: GAMES,
        seed: 1,
        jobs: 1,
        terms: Terms::default(),
    };
    for name in ["random", "novice"] {
        let Ok(factory) = quarto::players::factory(name) else {
            continue;
        };
        let factories = vec![factory.clone(), factory];
        let contest: Arc<dyn Contest> = Arc::new(TypedContest::new(start, factories, Openings::Plies(0)));
        group.bench_function(format!("{name} games, one thread"), |bencher| {
            bencher.iter(|| play(&contest, &plan, &Control::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, random_games);
criterion_main!(benches);
