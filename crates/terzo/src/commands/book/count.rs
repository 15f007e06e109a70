//! `terzo book count`

use crate::commands::{reproduce, truth};
use crate::{limits, output};
use anyhow::Context;
use arena::report::svg::LineChart;
use game::rng;
use quarto::book::Book;
use quarto::census::{Census, random_position};
use quarto::solver::Outcome;
use quarto::{Position, Rules, tablebase};
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
            let (positions, whole) = self.positions(rules, placed, solver.has_table(placed));
            let Some(first) = positions.first() else { continue };
            solver.make_room_for(first, None);
            let step = positions.len().div_ceil(self.sample.max(1));
            let census = solver.watch(|| Census::take(&solver, &positions, step, self.means.threads()))?;
            rows.push(CensusRow { placed, whole, census });
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

    /// All positions up to symmetry if their values can be looked up, else a sample.
    fn positions(&self, rules: &'static Rules, placed: u32, in_table: bool) -> (Vec<Position>, bool) {
        let in_book = Book::of(rules).is_some_and(|book| self.means.book() && placed <= book.depth());
        if in_book || in_table {
            return (tablebase::all_positions(rules, placed).collect(), true);
        }
        let mut rng = rng(game::mix(self.seed, &[u64::from(placed)]));
        let sample = (0..self.sample).map_while(|_| random_position(rules, placed, &mut rng));
        (sample.collect(), false)
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
        text
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

/// How many positions have each value.
pub fn values_as_json(census: &Census) -> Value {
    census
        .values()
        .map(|(exact, count)| json!({"value": exact.outcome.name(), "plies": exact.plies, "positions": count}))
        .collect()
}
