//! How a player errs in drawn positions: `cargo run --release -p terzo-quarto --example traps -- SPEC [GAMES] [GAME] [OPPONENT]`.
//!
//! OPPONENT (`perfect` if left out) plays SPEC, and every turn that SPEC makes where the position is a draw is held against all legal ones, by
//! the distance of the loss they lead to: what share of them loses in d placements, and how often SPEC chose one of those.
//! From such tables come the weights of the traps.

use game::{Game, mix};
use player::Clock;
use quarto::players::factory;
use quarto::solver::{Outcome, Solver};
use quarto::{Position, Rules};

const PLACED: usize = 17;
const DISTANCES: usize = 17;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let text = |i: usize, or: &str| args.get(i).cloned().unwrap_or_else(|| or.to_string());
    let games: u64 = text(1, "50").parse().expect("a number of games");
    let rules = Rules::named(&text(2, "quarto")).expect("a variant of Quarto");
    let spec = text(0, "minimax:depth=3,eval=absolute,opening=montecarlo,switch=7");
    let against = text(3, "perfect");
    let mut them = factory(&spec).expect("a player").make();
    let mut perfect = factory(&against).expect("a player").make();
    let mut solver = Solver::new(rules, 64 << 20, 1).expect("memory");
    solver.open_book();
    let mut share = [[0.0f64; DISTANCES]; PLACED];
    let mut chosen = [[0u32; DISTANCES]; PLACED];
    let mut asked = [0u32; PLACED];
    let mut results = [0u32; 3];
    let mut by_seat = [[0u32; 3]; 2];
    let mut times = vec![Vec::new(); PLACED];
    for game in 0..games {
        let mut position = Position::new(rules);
        perfect.begin(mix(game, &[1]));
        them.begin(mix(game, &[2]));
        let ours = (game % 2) as usize;
        while position.outcome().is_none() {
            let us = position.mover().index() == ours;
            let player = if us { &mut perfect } else { &mut them };
            let clock = Clock::unlimited();
            let turn = player.choose(&position, &clock).expect("a turn").best;
            let placed = position.placed() as usize;
            if us {
                times[placed].push(clock.elapsed().as_secs_f64() * 1e3);
            }
            if !us && placed >= 4 && solver.outcome(&position) == Ok(Outcome::Draw) {
                let values = solver.turns_exactly(&position).expect("an answer");
                asked[placed] += 1;
                for (one, value) in &values {
                    if value.outcome == Outcome::Loss {
                        share[placed][value.plies as usize] += 1.0 / values.len() as f64;
                        chosen[placed][value.plies as usize] += u32::from(*one == turn);
                    }
                }
            }
            position.play_unchecked(turn);
        }
        let result = position.outcome().and_then(|payoffs| payoffs.winner());
        let result = result.map_or(1, |seat| if seat.index() == ours { 0 } else { 2 });
        results[result] += 1;
        by_seat[ours][result] += 1;
    }
    println!(
        "perfect: {} wins, {} draws, {} losses",
        results[0], results[1], results[2]
    );
    println!("by seat, wins, draws, losses: {by_seat:?}");
    let all: Vec<f64> = times.iter().flatten().copied().collect();
    tell_times("all turns", all);
    for (placed, times) in times.into_iter().enumerate().filter(|(_, times)| !times.is_empty()) {
        tell_times(&format!("{placed:2} placed"), times);
    }
    let (turns, errors) = (asked.iter().sum::<u32>(), chosen.iter().flatten().sum::<u32>());
    let rate = 100.0 * f64::from(errors) / f64::from(turns.max(1));
    println!("{spec} erred in {errors} of {turns} turns from drawn positions, four or more placed: {rate:.1} %");
    println!("placed asked | by distance of the loss: share of turns, share chosen, both in percent");
    for placed in 0..PLACED {
        if asked[placed] == 0 {
            continue;
        }
        print!("{placed:6} {:5} |", asked[placed]);
        let all = f64::from(asked[placed]);
        for distance in 1..DISTANCES {
            if share[placed][distance] > 0.0 {
                let (share, chosen) = (share[placed][distance] / all, f64::from(chosen[placed][distance]) / all);
                print!("  {distance}: {:.1} {:.1}", 100.0 * share, 100.0 * chosen);
            }
        }
        println!(
            "  all: {:.1}",
            100.0 * f64::from(chosen[placed].iter().sum::<u32>()) / all
        );
    }
}

/// How long turns took, in milliseconds.
fn tell_times(which: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let [median, most, worst] = [0.5, 0.99, 1.0].map(|share| times[((times.len() - 1) as f64 * share) as usize]);
    println!("{which}: mean {mean:.2} ms, median {median:.2}, 99 % {most:.2}, worst {worst:.2}");
}
