//! `terzo book count`

use crate::commands::reproduce;
use crate::commands::truth::{self, WatchedSolver};
use crate::{limits, output};
use anyhow::Context;
use arena::report::svg::LineChart;
use game::rng;
use quarto::book::Book;
use quarto::census::{Census, random_position};
use quarto::solver::Outcome;
use quarto::{Position, tablebase};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The most pieces placed in a position in which there is something to choose.
const MOST_PLACED: u32 = 14;

#[derive(clap::Args)]
pub struct BookCountArgs {
    /// The game: quarto or one of its variants
    game: String,
    /// Only positions with so many pieces placed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=MOST_PLACED as i64))]
    placed: Option<u32>,
    /// How many positions to solve where neither book nor table has them all
    #[arg(long, default_value_t = 1000, value_parser = limits::up_to(1_000_000))]
    sample: usize,
    /// What the sample is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw the shares of won, drawn and lost positions
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    means: truth::SolverArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// What was found about the positions with so many pieces placed.
struct CensusRow {
    placed: u32,
    /// Whether they are all there are, up to symmetry, or a sample.
    whole: bool,
    census: Census,
}

impl BookCountArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let rules = start.rules();
        let mut solver = self.means.solver(rules)?;
        let first = match Book::of(rules).filter(|_| self.means.book()) {
            Some(_) => 0,
            // Without a book it takes long before, in misère still longer.
            None if rules.misere() => 8,
            None => 5,
        };
        let asked = match self.placed {
            Some(placed) => placed..=placed,
            None => first..=MOST_PLACED,
        };
        let mut rows = Vec::new();
        for placed in asked {
            rows.extend(self.row(&mut solver, placed)?);
        }
        if let Some(path) = &self.svg {
            let figure = self.figure(&rows);
            std::fs::write(path, figure).with_context(|| format!("cannot write {}", path.display()))?;
        }
        match self.json {
            true => {
                let rows: Vec<Value> = rows.iter().map(CensusRow::as_json).collect();
                output::print_json(&json!({"game": self.game, "seed": self.seed, "placed": rows}))
            }
            false => output::print(&self.as_text(&rows)),
        }
    }

    /// All positions up to symmetry if their values can be looked up, else a sample; `None` if there is no position.
    fn row(&self, solver: &mut WatchedSolver, placed: u32) -> anyhow::Result<Option<CensusRow>> {
        let (rules, threads) = (solver.rules(), self.means.threads());
        let in_book = Book::of(rules).is_some_and(|book| self.means.book() && placed <= book.depth());
        if !in_book && let Some(table) = solver.table(placed) {
            // It counts without a search; only the draws of a sample are asked.
            let mut census = table.census(threads);
            let step = table.positions().div_ceil(self.sample.max(1));
            let sample: Vec<Position> = tablebase::all_positions(rules, placed).step_by(step).collect();
            if let Some(first) = sample.first() {
                solver.make_room_for(first, None);
            }
            census.draws = solver.watch(|| Census::take(solver, &sample, 1, threads))?.draws;
            return Ok(Some(CensusRow {
                placed,
                whole: true,
                census,
            }));
        }
        let positions: Vec<Position> = match in_book {
            true => tablebase::all_positions(rules, placed).collect(),
            false => {
                let mut rng = rng(game::mix(self.seed, &[u64::from(placed)]));
                let sample = (0..self.sample).map_while(|_| random_position(rules, placed, &mut rng));
                sample.collect()
            }
        };
        let Some(first) = positions.first() else {
            return Ok(None);
        };
        solver.make_room_for(first, None);
        let step = positions.len().div_ceil(self.sample.max(1));
        let census = solver.watch(|| Census::take(solver, &positions, step, threads))?;
        Ok(Some(CensusRow {
            placed,
            whole: in_book,
            census,
        }))
    }

    fn figure(&self, rows: &[CensusRow]) -> String {
        let share = |outcome: Outcome| {
            let points = rows.iter().map(|row| {
                let census = &row.census;
                let share = census.count(outcome) as f64 / census.positions().max(1) as f64;
                (f64::from(row.placed), share)
            });
            points.collect::<Vec<_>>()
        };
        let chart = LineChart {
            title: &format!("{}: share of positions, for who holds the piece", self.game),
            x: "pieces placed",
            series: [Outcome::Win, Outcome::Draw, Outcome::Loss]
                .map(|outcome| (outcome.name().to_string(), share(outcome)))
                .into(),
        };
        reproduce::standalone(&chart.draw())
    }

    fn as_text(&self, rows: &[CensusRow]) -> String {
        let mut text = format!(
            "{}: positions by the number of pieces placed, for who holds the piece\n\
             placed  positions        won      drawn       lost  longest win, loss  draws with a single turn\n",
            self.game
        );
        for row in rows {
            let count = |outcome| row.census.count(outcome);
            let longest = |outcome| {
                row.census
                    .longest(outcome)
                    .map_or("-".into(), |plies| plies.to_string())
            };
            let (draws, single) = row.census.draws;
            text += &format!(
                "{:>6} {:>10} {:>10} {:>10} {:>10} {:>12} {:>5} {:>13} of {draws}{}\n",
                row.placed,
                row.census.positions(),
                count(Outcome::Win),
                count(Outcome::Draw),
                count(Outcome::Loss),
                longest(Outcome::Win),
                longest(Outcome::Loss),
                single,
                if row.whole { "" } else { "  (sample)" },
            );
        }
        match rows {
            [row] if self.placed.is_some() => text + &distances(&row.census),
            _ => text,
        }
    }
}

impl CensusRow {
    fn as_json(&self) -> Value {
        let (draws, single) = self.census.draws;
        json!({
            "placed": self.placed, "sample": !self.whole, "positions": self.census.positions(),
            "values": values_as_json(&self.census),
            "draws_asked": draws, "draws_with_a_single_turn": single,
        })
    }
}

/// How many positions are won and lost in how many placements, a line each.
pub fn distances(census: &Census) -> String {
    let decided = census.values().filter(|(exact, _)| exact.outcome != Outcome::Draw);
    decided
        .map(|(exact, count)| format!("  {} in {}: {count}\n", exact.outcome.name(), exact.plies))
        .collect()
}

/// How many positions have each value.
pub fn values_as_json(census: &Census) -> Value {
    census
        .values()
        .map(|(exact, count)| json!({"value": exact.outcome.name(), "plies": exact.plies, "positions": count}))
        .collect()
}
