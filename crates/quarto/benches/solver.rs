//! The solver from cold on one thread: the mean over fifty random positions with four, five and six pieces placed.

use criterion::{Criterion, criterion_group, criterion_main};
use game::{Game, rng};
use quarto::policy::{Random, turn};
use quarto::solver::Solver;
use quarto::{Position, Rules};
use std::time::{Duration, Instant};

/// Unfinished positions of random games with `placed` pieces and one in hand.
fn random_positions(rules: &'static Rules, placed: u32, count: usize) -> Vec<Position> {
    let mut rng = rng(u64::from(placed));
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Position::new(rules);
        while let Some(turn) = turn(&Random, &position, &mut rng) {
            if position.placed() == placed && position.hand().is_some() {
                positions.push(position);
                break;
            }
            position.play_unchecked(turn);
        }
    }
    positions
}

fn cold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve cold, one thread");
    group.sample_size(10).warm_up_time(Duration::from_millis(1));
    for name in ["quarto", "quarto-squares"] {
        let Some(rules) = Rules::named(name) else { continue };
        for placed in [4, 5, 6] {
            let positions = random_positions(rules, placed, 50);
            let Ok(mut solver) = Solver::new(rules, Solver::useful_memory(rules, placed), 1) else {
                continue;
            };
            group.bench_function(format!("{name}, {placed} placed"), |bencher| {
                bencher.iter_custom(|iterations| {
                    let mut spent = Duration::ZERO;
                    for _ in 0..iterations {
                        for position in &positions {
                            // Forgetting is not solving: the clock stands still meanwhile.
                            if solver.forget().is_err() {
                                return spent;
                            }
                            let began = Instant::now();
                            std::hint::black_box(solver.outcome(position)).ok();
                            spent += began.elapsed();
                        }
                    }
                    spent / positions.len() as u32
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, cold);
criterion_main!(benches);
