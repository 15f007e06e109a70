//! `terzo book build --placed N`: a table of every position with so many pieces placed.

use super::bar;
use super::build::BookBuildArgs;
use super::count::{distances, values_as_json};
use super::table_journal::{TableJournal, write_part};
use crate::commands::solving::{Ask, Solving};
use crate::output;
use anyhow::Context;
use arena::queue::Unit;
use quarto::Position;
use quarto::census::Census;
use quarto::solver::Outcome;
use quarto::tablebase::{Part, TablebaseLayout};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// Solves what the journal does not know yet, and packs all of it.
pub fn build(build: &BookBuildArgs, start: &Position, placed: u32) -> anyhow::Result<()> {
    let (rules, threads) = (start.rules(), build.means.threads());
    let began = Instant::now();
    let path = PathBuf::from(format!("{}.journal", build.output.display()));
    let mut journal = TableJournal::open(rules, placed, &path)?;
    let layout = TablebaseLayout::new(rules, placed, threads);
    let bench = build.bench(start)?;
    let (all, open) = open_parts(&layout, &journal);
    let progress = bar(all, &format!("thousands of {} positions", layout.positions()));
    progress.set_position((all - open.len()) as u64);
    let solving = Solving::new(&build.game, Ask::Table, false, bench.solver.clone())?;
    let mut units = open.iter().map(|part| Unit::of_text(write_part(*part)));
    let mut note = |line: &str| journal.note(line);
    build.have_done(&bench, solving, &mut units, &progress, &path, &mut note)?;
    let table = layout
        .pack(|part| journal.values(part).map(<[u8]>::to_vec), threads)
        .context("some positions were not answered; the same command asks again")?;
    let bytes = table.to_bytes();
    std::fs::write(&build.output, &bytes).with_context(|| format!("cannot write {}", build.output.display()))?;
    let census = table.census(threads);
    let seconds = began.elapsed().as_secs_f64();
    match build.json {
        true => output::print_json(&json!({
            "game": build.game, "placed": placed, "positions": table.positions(), "bytes": bytes.len(),
            "values": values_as_json(&census), "nodes": bench.solver.nodes(), "seconds": seconds,
        })),
        false => output::print(&format!(
            "{}: {} positions with {placed} placed in {} bytes, {} nodes, {seconds:.0} s\n{}",
            build.game,
            table.positions(),
            bytes.len(),
            bench.solver.nodes(),
            as_text(&census)
        )),
    }
}

/// How many parts there are, and those that have to be solved.
fn open_parts(layout: &TablebaseLayout, journal: &TableJournal) -> (usize, Vec<Part>) {
    let known = |(part, size): &(Part, usize)| journal.values(*part).is_some_and(|values| values.len() == *size);
    let parts: Vec<_> = layout.parts().collect();
    let open = parts
        .iter()
        .filter(|part| !known(part))
        .map(|(part, _)| *part)
        .collect();
    (parts.len(), open)
}

fn as_text(census: &Census) -> String {
    let [won, drawn, lost] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(|outcome| census.count(outcome));
    format!("{won} won, {drawn} drawn, {lost} lost for who holds the piece\n") + &distances(census)
}
