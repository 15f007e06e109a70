//! `terzo book verify --table`: positions of a table solved again without it, and what follows from it for those with one piece fewer.

use super::bar;
use super::verify::{BookVerifyArgs, none_wrong};
use crate::output;
use anyhow::bail;
use game::{Game, Rng, below, rng};
use parking_lot::Mutex;
use quarto::book::{for_each, solve_all};
use quarto::census::random_position;
use quarto::solver::{Exact, Outcome, Solver};
use quarto::tablebase::{self, Tablebase};
use quarto::{CellSet, Position};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// So many positions are looked at to find some that are neither drawn nor won at once; in a table that has hardly any there are fewer.
const MOST_LOOKED_AT: usize = 2_000_000;

/// Verifies a table.
pub fn verify(verify: &BookVerifyArgs, start: &Position, path: &Path) -> anyhow::Result<()> {
    let table = Tablebase::open(path).map_err(anyhow::Error::msg)?;
    if table.rules() != start.rules() {
        bail!("{}: this is a table of {}", path.display(), table.rules().name());
    }
    let began = Instant::now();
    let threads = verify.means.threads();
    let mut rng = rng(verify.seed);
    let (sample, rare) = (
        draw(&table, verify.sample, &mut rng),
        draw_rare(&table, verify.sample, &mut rng),
    );
    let solver = verify.means.solver_alone(start.rules(), 1 << 28)?;
    let progress = bar(sample.len() + rare.len(), "positions");
    let wrong = Mutex::new(Vec::new());
    let all: Vec<Position> = sample.iter().chain(&rare).copied().collect();
    solve_all(&solver, &all, threads, |position, exact| {
        progress.inc(1);
        let said = table.exact(position);
        if said != Some(exact) {
            let text = position.print();
            wrong
                .lock()
                .push(format!("{text}: solved {exact:?}, in the table {said:?}"));
        }
    })?;
    progress.finish_and_clear();
    none_wrong(&wrong.into_inner(), all.len(), "the table")?;
    let mut knowing = verify.means.bare(start.rules(), 0, 1)?;
    verify.means.open_book(&mut knowing)?;
    let before = match verify.whole {
        true => all_follow(&table, &knowing, threads)?,
        false => some_follow(&table, &knowing, verify.sample, &mut rng)?,
    };
    let (placed, positions) = (table.placed(), table.positions());
    let seconds = began.elapsed().as_secs_f64();
    if verify.json {
        return output::print_json(&json!({
            "game": verify.game, "placed": placed, "positions": positions, "sample": sample.len(), "rare": rare.len(),
            "before": before, "wrong": 0, "seconds": seconds,
        }));
    }
    let follows = match before {
        0 => format!("nothing is known of positions with {} placed", placed - 1),
        before => format!("the values of {before} with {} placed follow", placed - 1),
    };
    output::print(&format!(
        "{}: {} of {positions} positions with {placed} placed and {} that are neither drawn nor won at once solved again, all as in the table; {follows}, {seconds:.1} s\n",
        verify.game,
        sample.len(),
        rare.len()
    ))
}

/// Positions of a table, each as likely as any other.
fn draw(table: &Tablebase, count: usize, rng: &mut Rng) -> Vec<Position> {
    let all = table.positions() as u32;
    let mut numbers: Vec<usize> = (0..count).map(|_| below(rng, all) as usize).collect();
    numbers.sort_unstable();
    let mut numbers = numbers.into_iter().peekable();
    let mut sample = Vec::new();
    let mut before = 0;
    for (class, size) in table.classes() {
        if numbers.peek().is_some_and(|number| *number < before + size) {
            let positions = tablebase::positions(table.rules(), class);
            while let Some(number) = numbers.next_if(|number| *number < before + size) {
                sample.extend(positions.get(number - before));
            }
        }
        before += size;
    }
    sample
}

/// The same among those that are neither drawn nor won at once: they are few, and the others easy to get right.
fn draw_rare(table: &Tablebase, count: usize, rng: &mut Rng) -> Vec<Position> {
    let is_rare = |exact: Exact| exact.outcome != Outcome::Draw && exact.plies > 1;
    let mut rare = Vec::new();
    let (mut looked_at, mut next) = (0, 4 * count);
    while rare.len() < count && looked_at < MOST_LOOKED_AT {
        let next_ones = draw(table, next, rng).into_iter();
        rare.extend(next_ones.filter(|position| table.exact(position).is_some_and(is_rare)));
        looked_at += next;
        next = (4 * next).min(MOST_LOOKED_AT);
    }
    rare.truncate(count);
    rare
}

/// What is wrong with a position that has one piece fewer than those of the table, if something is; `None` in front if nothing is known of it.
fn complaint(table: &Tablebase, knowing: &Solver, position: &Position) -> Option<Option<String>> {
    let known = knowing.known(position)?;
    let follows = table.one_before(position);
    let text = || format!("{}: known {known:?}, from the table {follows:?}", position.print());
    Some((follows != Some(known)).then(text))
}

/// Sees of some positions with one piece fewer whether their values follow. Tells how many there were.
fn some_follow(table: &Tablebase, knowing: &Solver, count: usize, rng: &mut Rng) -> anyhow::Result<usize> {
    let sample = (0..count).map_while(|_| random_position(table.rules(), table.placed() - 1, rng));
    let complaints: Vec<Option<String>> = sample
        .map_while(|position| complaint(table, knowing, &position))
        .collect();
    let seen = complaints.len();
    let wrong: Vec<String> = complaints.into_iter().flatten().collect();
    none_wrong(&wrong, seen, "what follows from the table")?;
    Ok(seen)
}

/// The same for all of them.
fn all_follow(table: &Tablebase, knowing: &Solver, threads: usize) -> anyhow::Result<usize> {
    let rules = table.rules();
    let classes: Vec<CellSet> = tablebase::classes(rules, table.placed() - 1);
    let (seen, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let progress = bar(classes.len(), "sets of occupied cells");
    for_each(&classes, threads, |class| {
        for position in tablebase::positions(rules, *class) {
            let Some(complaint) = complaint(table, knowing, &position) else {
                break;
            };
            seen.fetch_add(1, Ordering::Relaxed);
            wrong.lock().extend(complaint);
        }
        progress.inc(1);
        Ok(())
    })?;
    progress.finish_and_clear();
    let seen = seen.into_inner();
    none_wrong(&wrong.into_inner(), seen, "what follows from the table")?;
    Ok(seen)
}
