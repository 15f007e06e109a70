//! `terzo reproduce`

mod checks;
mod document;
mod figures;

pub use figures::standalone;

use super::on::On;
use super::tournament::{self, RunOptions};
use crate::files;
use crate::usage::usage;
use crate::{interrupt, output, registry};
use anyhow::bail;
use arena::experiment::Experiment;
use arena::plan::Plan;
use arena::store::Store;
use arena::tournament::TournamentOutcome;
use checks::{CHECKS, ReportCheck};
use document::Document;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The experiments, as the files under experiments/ have them.
const EXPERIMENTS: &[&str] = &[
    include_str!("../../../experiments/000-random-novice.toml"),
    include_str!("../../../experiments/000-novice-montecarlo.toml"),
    include_str!("../../../experiments/000-novice-minmax3.toml"),
    include_str!("../../../experiments/000-evaluators-zero.toml"),
    include_str!("../../../experiments/000-evaluators.toml"),
    include_str!("../../../experiments/000-tournament.toml"),
    include_str!("../../../experiments/001-terzo-depth4.toml"),
    include_str!("../../../experiments/001-terzo-depth5.toml"),
    include_str!("../../../experiments/002-chess.toml"),
    include_str!("../../../experiments/002-chess-montecarlo.toml"),
    include_str!("../../../experiments/002-mobility-connectfour.toml"),
    include_str!("../../../experiments/002-mobility-breakthrough.toml"),
    include_str!("../../../experiments/002-mobility-checkers.toml"),
    include_str!("../../../experiments/002-mobility-reversi.toml"),
    include_str!("../../../experiments/003-defend.toml"),
    include_str!("../../../experiments/004-random-novice.toml"),
    include_str!("../../../experiments/004-minimax36-novice.toml"),
    include_str!("../../../experiments/004-minimax36-46.toml"),
    include_str!("../../../experiments/004-switch.toml"),
    include_str!("../../../experiments/004-ablation.toml"),
    include_str!("../../../experiments/004-tournament.toml"),
];

#[derive(clap::Args)]
#[command(
    after_help = "Plays the experiments of the five student reports (000 to 004) again and sets our figures beside theirs: every reading that a text allows, a test of each whole row, and a verdict. In full it takes long; it goes on where it was if it is run again with the same --db.\n\nExamples:\n  terzo reproduce --quick\n  terzo reproduce 000 004-switch --db reproduce.db --output reproduction.md\n  terzo reproduce 000-novice-minmax3 --player 'MinMax-3=alphabeta:depth=3'\n  terzo reproduce --list --json"
)]
pub struct ReproduceArgs {
    /// Names of experiments, or how they begin; all if left out
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// A fraction of the games: everything within some minutes on two cores
    #[arg(long)]
    quick: bool,
    /// Play this share of the full number of pairs
    #[arg(
        long,
        value_name = "SHARE",
        conflicts_with = "quick",
        default_value_t = 1.0,
        hide_default_value = true
    )]
    share: f64,
    /// Put somebody else in the place of a report's player, in the experiments that have one of that name
    #[arg(long, value_name = "NAME=SPEC")]
    player: Vec<String>,
    /// List the experiments and play nothing
    #[arg(long)]
    list: bool,
    /// Keep the records in this file; otherwise they are forgotten
    #[arg(long, value_name = "FILE")]
    db: Option<PathBuf>,
    /// Write the comparison to this file, and figures beside it
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// What can be asked for by name.
enum ReportTable {
    Experiment(Box<Experiment>),
    Check(&'static ReportCheck),
}

impl ReportTable {
    fn name(&self) -> &str {
        match self {
            ReportTable::Experiment(experiment) => &experiment.name,
            ReportTable::Check(check) => check.name,
        }
    }
}

impl ReproduceArgs {
    pub fn run(self) -> anyhow::Result<()> {
        if !(self.share > 0.0 && self.share <= 100.0) {
            usage!("--share: expected a number above 0, such as 0.1");
        }
        let tables = self.chosen()?;
        if self.list {
            return list(&tables, self.json);
        }
        // That a file cannot be written is learnt before the games are played, not after.
        let mut files = ReproductionFiles::open(self.output.as_deref(), &tables)?;
        let mut store = match &self.db {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        };
        let began = Instant::now();
        let mut document = Document::default();
        for table in &tables {
            match table {
                ReportTable::Check(check) => document.add_check(check)?,
                ReportTable::Experiment(experiment) => {
                    let pairs = match self.quick {
                        true => experiment.quick,
                        false => ((experiment.pairs as f64 * self.share).ceil() as u64).max(1),
                    };
                    let played = self.play(experiment, pairs, &mut store)?;
                    document.add(experiment, &played, &mut files);
                }
            }
            if !self.json && self.output.is_some() {
                let seconds = began.elapsed().as_secs_f64();
                output::say(&format!("{} done after {seconds:.0} s", table.name()));
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        let text = document.finish(&self.command_line(), seconds, &mut files);
        if self.json {
            output::print_json(&document.json(seconds))?;
        } else if self.output.is_none() {
            output::print(&text)?;
        }
        let written = files.write(&text);
        if written.is_err() && !self.json {
            // Whatever is wrong with the file: what was played is not lost.
            output::print(&text)?;
        }
        written
    }

    /// Every reading's games; readings that differ in the seat alone share them.
    fn play(
        &self,
        experiment: &Experiment,
        pairs: u64,
        store: &mut Store,
    ) -> anyhow::Result<Vec<(Plan, TournamentOutcome)>> {
        let mut played: Vec<(Plan, TournamentOutcome)> = Vec::new();
        for reading in experiment.all_readings() {
            let plan = experiment.plan(&reading, pairs);
            if let Some(same) = played.iter().find(|(other, _)| *other == plan) {
                played.push(same.clone());
                continue;
            }
            let game = registry::find(&plan.game)?;
            let pairs = tournament::pairs(game.as_ref(), &plan, None)?;
            let outcome = tournament::play(pairs, store, &On::default(), &RunOptions::default())?;
            if interrupt::has_come() {
                let experiment = &experiment.name;
                match &self.db {
                    Some(path) => bail!(
                        "stopped in {experiment}; {} keeps what was played, the same command goes on",
                        path.display()
                    ),
                    None => bail!("stopped in {experiment}; with --db FILE the same command would go on from here"),
                }
            }
            played.push((plan, outcome));
        }
        Ok(played)
    }

    fn command_line(&self) -> String {
        let mut line = String::from("terzo reproduce");
        for table in &self.tables {
            let _ = write!(line, " {table}");
        }
        if self.quick {
            line += " --quick";
        } else if self.share != 1.0 {
            let _ = write!(line, " --share {}", self.share);
        }
        for player in &self.player {
            let _ = write!(line, " --player '{player}'");
        }
        line
    }

    fn chosen(&self) -> anyhow::Result<Vec<ReportTable>> {
        let mut all = CHECKS.iter().map(ReportTable::Check).collect::<Vec<_>>();
        for (i, text) in EXPERIMENTS.iter().enumerate() {
            let experiment = Experiment::from_toml(text, &format!("experiment {}", i + 1))?;
            all.push(ReportTable::Experiment(Box::new(experiment)));
        }
        for wanted in &self.tables {
            if !all.iter().any(|table| table.name().starts_with(wanted.as_str())) {
                let names: Vec<&str> = all.iter().map(ReportTable::name).collect();
                return Err(arena::plan::PlanError {
                    place: format!("experiment `{wanted}`"),
                    why: match player::nearest(wanted, names.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("expected one of {}", names.join(", ")),
                    },
                }
                .into());
            }
        }
        // A whole name means that table alone, though others may begin with it.
        let names: Vec<String> = all.iter().map(|table| table.name().to_owned()).collect();
        let asked = |name: &String, table: &ReportTable| match names.contains(name) {
            true => table.name() == name,
            false => table.name().starts_with(name.as_str()),
        };
        let wanted = |table: &ReportTable| self.tables.is_empty() || self.tables.iter().any(|name| asked(name, table));
        all.retain(wanted);
        // By report; within one the tables come in its order, what needs no games first.
        all.sort_by_key(|table| table.name()[..3].to_owned());
        self.player
            .iter()
            .try_for_each(|replacement| replace(&mut all, replacement))?;
        Ok(all)
    }
}

/// Puts somebody else in the place of a player, wherever there is one of that name. Names may hold a `=` as specs do.
fn replace(tables: &mut [ReportTable], replacement: &str) -> anyhow::Result<()> {
    if !replacement.contains('=') {
        usage!("--player: expected NAME=SPEC, such as 'MinMax-3=random', not {replacement:?}");
    }
    let mut found = false;
    for table in tables {
        let ReportTable::Experiment(experiment) = table else {
            continue;
        };
        let names: Vec<String> = experiment.players.iter().map(|player| player.name.clone()).collect();
        for name in names {
            let spec = replacement
                .strip_prefix(name.as_str())
                .and_then(|rest| rest.strip_prefix('='));
            found |= spec.is_some_and(|spec| experiment.replace(&name, spec));
        }
    }
    if !found {
        usage!("--player: none of these experiments has a player called as in {replacement:?}");
    }
    Ok(())
}

fn list(tables: &[ReportTable], json: bool) -> anyhow::Result<()> {
    if json {
        let all: Vec<Value> = tables
            .iter()
            .map(|table| match table {
                ReportTable::Experiment(e) => json!({
                    "name": e.name, "title": e.title, "source": e.source, "pairs": e.pairs, "quick": e.quick,
                    "readings": e.all_readings().iter().map(|reading| reading.label.clone()).collect::<Vec<_>>(),
                }),
                ReportTable::Check(c) => {
                    json!({"name": c.name, "title": c.title, "source": c.source, "pairs": 0, "quick": 0, "readings": []})
                }
            })
            .collect();
        return output::print_json(&json!({"experiments": all}));
    }
    let line = |table: &ReportTable| match table {
        ReportTable::Experiment(e) => format!("{:<26} {} ({})\n", e.name, e.title, e.source),
        ReportTable::Check(c) => format!("{:<26} {} ({})\n", c.name, c.title, c.source),
    };
    output::print(&tables.iter().map(line).collect::<String>())
}

/// What the figure over all tables is called.
const OVERVIEW: &str = "reproduction";

/// The comparison and its figures, in files that are open from the beginning.
struct ReproductionFiles {
    comparison: Option<files::Output>,
    /// By experiment.
    figures: Vec<(String, files::Output, String)>,
}

impl ReproductionFiles {
    fn open(output: Option<&Path>, tables: &[ReportTable]) -> anyhow::Result<Self> {
        let Some(path) = output else {
            return Ok(ReproductionFiles {
                comparison: None,
                figures: Vec::new(),
            });
        };
        let comparison = Some(files::Output::open(path)?);
        let folder = path.parent().unwrap_or(Path::new(""));
        let drawn = tables.iter().filter_map(|table| match table {
            ReportTable::Experiment(experiment) if experiment.figure.is_some() => Some(experiment.name.as_str()),
            _ => None,
        });
        let figures = drawn.chain([OVERVIEW]).map(|name| {
            let file = files::Output::open(&folder.join(format!("{name}.svg")))?;
            Ok((name.to_owned(), file, String::new()))
        });
        Ok(ReproductionFiles {
            comparison,
            figures: figures.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Keeps a figure, if there is a file for it.
    fn keep(&mut self, name: &str, figure: String) -> bool {
        let file = self.figures.iter_mut().find(|(own, ..)| own == name);
        file.map(|(_, _, kept)| *kept = figure).is_some()
    }

    fn write(self, text: &str) -> anyhow::Result<()> {
        for (_, file, figure) in self.figures.into_iter().filter(|(_, _, figure)| !figure.is_empty()) {
            file.write(&figure)?;
        }
        self.comparison.map_or(Ok(()), |file| file.write(text))
    }
}
