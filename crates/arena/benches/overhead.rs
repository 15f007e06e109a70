//! What records cost: the bare match loop and a recorded tournament of the same players, side by side.
//!
//! Prints games a second of both and their ratio; the two take turns so that a busy machine slows both.

use arena::contest::{Contest, TypedContest};
use arena::control::Control;
use arena::opening::Openings;
use arena::plan::{Entrant, Format, OpeningPlan, Plan};
use arena::queue::Local;
use arena::store::Store;
use arena::terms::Terms;
use arena::tournament::{self, Pairs};
use arena::unrecorded::{self, MatchPlan};
use quarto::{Position, Rules};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for (players, pairs) in [
        (["random", "random"], 100_000),
        (["novice", "random"], 100_000),
        (["minimax:depth=1", "novice"], 2_000),
        (["minimax:depth=2,opening=novice", "novice"], 500),
    ] {
        for jobs in [1, cores] {
            compare(players, pairs, jobs);
        }
    }
}

fn compare(specs: [&str; 2], pairs: u64, jobs: usize) {
    let factories: Vec<_> = specs
        .iter()
        .filter_map(|spec| quarto::players::factory(spec).ok())
        .collect();
    let start = Position::new(Rules::standard());
    let contest: Arc<dyn Contest> = Arc::new(TypedContest::new(start, factories, Openings::Plies(0)));
    let folder = std::env::temp_dir().join(format!("terzo-overhead-{}", std::process::id()));
    let _ = std::fs::create_dir_all(&folder);
    let (mut bare, mut recorded) = (0.0, 0.0);
    for seed in 0..5 {
        let began = Instant::now();
        let plan = MatchPlan {
            games: 2 * pairs,
            seed,
            jobs,
            terms: Terms::default(),
        };
        let _ = unrecorded::play(&contest, &plan, &Control::default());
        bare += began.elapsed().as_secs_f64();

        let Ok(mut store) = Store::open(&folder.join(format!("{seed}.db"))) else {
            return;
        };
        let began = Instant::now();
        let plan = Plan {
            name: "overhead".into(),
            game: "quarto".into(),
            players: specs.iter().map(|spec| Entrant::of_spec(spec)).collect(),
            rounds: pairs,
            format: Format::RoundRobin,
            seed,
            terms: Terms::default(),
            openings: OpeningPlan::Start,
            sprt: None,
            concurrency: jobs,
        };
        let Ok(all) = Pairs::new(plan, contest.clone()).map(Arc::new) else {
            return;
        };
        let (mut queue, control) = (Local { threads: jobs }, Control::default());
        let played = tournament::run(&all, &mut queue, &mut store, &control, &mut |_| ());
        recorded += began.elapsed().as_secs_f64();
        assert!(played.is_ok_and(|outcome| outcome.played == pairs));
    }
    let _ = std::fs::remove_dir_all(&folder);
    let games = (5 * 2 * pairs) as f64;
    println!(
        "{:<44} {jobs} threads: bare {:>9.0} games/s, recorded {:>9.0} games/s: {:.1} %",
        specs.join(" - "),
        games / bare,
        games / recorded,
        100.0 * bare / recorded
    );
}
