//! `terzo reproduce`

use super::on::On;
use super::tournament::{self, OnFailure};
use crate::files;
use crate::usage::usage;
use crate::{interrupt, output, registry};
use anyhow::bail;
use arena::experiment::{Agreement, ComparisonLine, Experiment};
use arena::plan::Plan;
use arena::report::TournamentResults;
use arena::report::svg::LineChart;
use arena::standings::Standings;
use arena::store::Store;
use arena::tournament::TournamentOutcome;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The experiments, as the files under experiments/ have them.
const EXPERIMENTS: &[&str] = &[
    include_str!("../../experiments/000-random-novice.toml"),
    include_str!("../../experiments/000-novice-montecarlo.toml"),
    include_str!("../../experiments/000-novice-minmax3.toml"),
    include_str!("../../experiments/000-evaluators-zero.toml"),
    include_str!("../../experiments/000-evaluators.toml"),
    include_str!("../../experiments/001-terzo-depth4.toml"),
    include_str!("../../experiments/001-terzo-depth5.toml"),
    include_str!("../../experiments/003-defend.toml"),
    include_str!("../../experiments/004-random-novice.toml"),
    include_str!("../../experiments/004-minimax36-novice.toml"),
    include_str!("../../experiments/004-minimax36-46.toml"),
    include_str!("../../experiments/004-switch.toml"),
    include_str!("../../experiments/004-tournament.toml"),
];

#[derive(clap::Args)]
#[command(
    after_help = "Plays the experiments of the student reports 000, 001, 003 and 004 again and sets our figures, with 95 % intervals, beside theirs. In full it takes long; it goes on where it was if it is run again with the same --db.\n\nExamples:\n  terzo reproduce --quick\n  terzo reproduce 000 004-switch --db reproduce.db --output reproduction.md\n  terzo reproduce --list --json"
)]
pub struct Reproduce {
    /// Names of experiments, or how they begin; all if left out
    #[arg(value_name = "TABLE")]
    tables: Vec<String>,
    /// A fraction of the games: everything within two minutes on two cores
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

impl Reproduce {
    pub fn run(self) -> anyhow::Result<()> {
        if !(self.share > 0.0 && self.share <= 100.0) {
            usage!("--share: expected a number above 0, such as 0.1");
        }
        let experiments = self.chosen()?;
        if self.list {
            return list(&experiments, self.json);
        }
        // That a file cannot be written is learnt before the games are played, not after.
        let mut files = Files::open(self.output.as_deref(), &experiments)?;
        let mut store = match &self.db {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        };
        let began = Instant::now();
        let mut document = Document::default();
        for experiment in &experiments {
            let pairs = match self.quick {
                true => experiment.quick,
                false => ((experiment.pairs as f64 * self.share).ceil() as u64).max(1),
            };
            if pairs == 0 {
                document.skipped(experiment);
                continue;
            }
            let plan = experiment.plan(pairs);
            let game = registry::find(&plan.game)?;
            let pairs = tournament::pairs(game.as_ref(), &plan, None)?;
            let outcome = tournament::play(pairs, &mut store, &On::default(), OnFailure::Continue)?;
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
            document.add(experiment, &plan, &outcome, &mut files);
            if !self.json && self.output.is_some() {
                output::say(&format!(
                    "{} done after {:.0} s",
                    experiment.name,
                    began.elapsed().as_secs_f64()
                ));
            }
        }
        let text = document.finish(&self.command_line(), began.elapsed().as_secs_f64());
        if self.json {
            output::print_json(&json!({
                "experiments": document.json, "seconds": began.elapsed().as_secs_f64(),
            }))?;
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
        line
    }

    fn chosen(&self) -> anyhow::Result<Vec<Experiment>> {
        let all = EXPERIMENTS
            .iter()
            .enumerate()
            .map(|(i, text)| Experiment::from_toml(text, &format!("experiment {}", i + 1)))
            .collect::<Result<Vec<_>, _>>()?;
        for table in &self.tables {
            if !all.iter().any(|experiment| experiment.name.starts_with(table.as_str())) {
                let names: Vec<&str> = all.iter().map(|experiment| experiment.name.as_str()).collect();
                return Err(arena::plan::PlanError {
                    place: format!("experiment `{table}`"),
                    why: match player::nearest(table, names.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("expected one of {}", names.join(", ")),
                    },
                }
                .into());
            }
        }
        let wanted = |experiment: &Experiment| {
            self.tables.is_empty()
                || self
                    .tables
                    .iter()
                    .any(|table| experiment.name.starts_with(table.as_str()))
        };
        Ok(all.into_iter().filter(wanted).collect())
    }
}

fn list(experiments: &[Experiment], json: bool) -> anyhow::Result<()> {
    if json {
        let all: Vec<Value> = experiments
            .iter()
            .map(|e| json!({"name": e.name, "title": e.title, "source": e.source, "pairs": e.pairs, "quick": e.quick}))
            .collect();
        return output::print_json(&json!({"experiments": all}));
    }
    let lines: String = experiments
        .iter()
        .map(|e| format!("{:<24} {} ({})\n", e.name, e.title, e.source))
        .collect();
    output::print(&lines)
}

/// The comparison and its figures, in files that are open from the beginning.
struct Files {
    comparison: Option<files::Output>,
    /// By experiment.
    figures: Vec<(String, files::Output, String)>,
}

impl Files {
    fn open(output: Option<&Path>, experiments: &[Experiment]) -> anyhow::Result<Self> {
        let Some(path) = output else {
            return Ok(Files {
                comparison: None,
                figures: Vec::new(),
            });
        };
        let comparison = Some(files::Output::open(path)?);
        let folder = path.parent().unwrap_or(Path::new(""));
        let drawn = experiments.iter().filter(|experiment| experiment.figure);
        let figures = drawn.map(|experiment| {
            let file = files::Output::open(&folder.join(format!("{}.svg", experiment.name)))?;
            Ok((experiment.name.clone(), file, String::new()))
        });
        Ok(Files {
            comparison,
            figures: figures.collect::<anyhow::Result<_>>()?,
        })
    }

    /// Keeps a figure, if there is a file for it.
    fn keep(&mut self, experiment: &str, figure: String) -> bool {
        let file = self.figures.iter_mut().find(|(name, ..)| name == experiment);
        file.map(|(_, _, kept)| *kept = figure).is_some()
    }

    fn write(self, text: &str) -> anyhow::Result<()> {
        for (_, file, figure) in self.figures.into_iter().filter(|(_, _, figure)| !figure.is_empty()) {
            file.write(&figure)?;
        }
        self.comparison.map_or(Ok(()), |file| file.write(text))
    }
}

/// What is written.
#[derive(Default)]
struct Document {
    text: String,
    json: Vec<Value>,
    agreeing: usize,
    differing: usize,
}

impl Document {
    fn skipped(&mut self, experiment: &Experiment) {
        let _ = writeln!(
            self.text,
            "## {}\n\n{}: too long for a quick run.\n",
            experiment.title, experiment.source
        );
    }

    fn add(&mut self, experiment: &Experiment, plan: &Plan, outcome: &TournamentOutcome, files: &mut Files) {
        let lines = experiment.compare(&outcome.standings);
        let games = 2 * plan.rounds;
        let _ = writeln!(
            self.text,
            "## {}\n\n`{}`, {}.",
            experiment.title, experiment.name, experiment.source
        );
        let _ = writeln!(
            self.text,
            "{games} games a meeting; the players thought for {:.1} s.\n",
            outcome.standings.seconds()
        );
        let _ = writeln!(self.text, "| | the report | ours, 95 % interval | |\n|---|---|---|---|");
        for line in &lines {
            let ComparisonLine {
                what,
                reported,
                ours,
                agreement,
            } = line;
            let _ = writeln!(self.text, "| {what} | {reported} | {ours} | {} |", agreement.word());
            self.agreeing += usize::from(*agreement == Agreement::Agrees);
            self.differing += usize::from(*agreement == Agreement::Differs);
        }
        self.text.push('\n');
        if experiment.figure {
            let figure = figure(experiment, &outcome.standings);
            if files.keep(&experiment.name, standalone(&figure)) {
                let _ = writeln!(self.text, "![{}]({}.svg)\n", experiment.title, experiment.name);
            }
            score_table(&mut self.text, experiment, &outcome.standings);
        }
        let players: Vec<String> = experiment
            .players
            .iter()
            .map(|player| format!("{} is `{}`", player.name, player.spec))
            .collect();
        let _ = writeln!(self.text, "{}. {}\n", players.join("; "), experiment.note);
        let cells: Vec<Value> = lines
            .iter()
            .map(|line| {
                json!({
                    "what": line.what, "reported": line.reported, "ours": line.ours,
                    "agreement": line.agreement.word().trim_matches('*'),
                })
            })
            .collect();
        self.json.push(json!({
            "name": experiment.name, "source": experiment.source, "games": games, "cells": cells,
            "tournament": TournamentResults::new(outcome.id, plan, &outcome.standings),
        }));
    }

    fn finish(&self, command: &str, seconds: f64) -> String {
        let (agreeing, differing) = (self.agreeing, self.differing);
        format!(
            "# The reports' experiments, played again\n\n`{command}` took {seconds:.0} s. Every figure of ours was counted \
             in games that this command played; the reports' figures are only compared with. Two shares agree if the 95 % \
             interval of their difference holds 0. Times are by the clock on the wall, beside whatever else ran. Of {} comparable figures {agreeing} agree and {differing} differ.\n\n{}",
            agreeing + differing,
            self.text
        )
    }
}

/// Every player's score against every other, drawn over the players.
fn figure(experiment: &Experiment, standings: &Standings) -> String {
    let place = |i: usize| {
        let last = experiment.players[i].name.split(' ').next_back();
        last.and_then(|word| word.parse().ok()).unwrap_or(i as f64)
    };
    let n = experiment.players.len();
    let series = (0..n).map(|against| {
        let points = (0..n).filter_map(|player| Some((place(player), share(standings, player, against)?)));
        (
            format!("against {}", experiment.players[against].name),
            points.collect(),
        )
    });
    LineChart {
        title: &format!("{}: score", experiment.title),
        x: "the player's switch",
        series: series.collect(),
    }
    .draw()
}

fn share(standings: &Standings, player: usize, against: usize) -> Option<f64> {
    let (_, score) = standings.duel(player, against)?;
    (score.games() > 0).then(|| score.points() / score.games() as f64)
}

fn score_table(text: &mut String, experiment: &Experiment, standings: &Standings) {
    let names: Vec<&str> = experiment.players.iter().map(|player| player.name.as_str()).collect();
    let _ = writeln!(text, "| score of … against | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "--:|".repeat(names.len()));
    for (player, name) in names.iter().enumerate() {
        let cells: Vec<String> = (0..names.len())
            .map(|against| share(standings, player, against).map_or("·".into(), |s| format!("{:.1} %", 100.0 * s)))
            .collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

/// A figure as a file of its own.
fn standalone(svg: &str) -> String {
    svg.replacen(
        "<svg ",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:#fff;color:#222;font:12px sans-serif\" ",
        1,
    ) + "\n"
}
