//! What `terzo reproduce` writes: verdicts first, then every table.
//!
//! Everything that is counted here is counted from the comparisons, never from the text.

use super::checks::ReportCheck;
use super::{OVERVIEW, ReproductionFiles, figures};
use arena::experiment::{Agreement, Experiment, FigureComparison, ReadingLine, p_text};
use arena::plan::Plan;
use arena::report::TournamentResults;
use arena::standings::Standings;
use arena::tournament::TournamentOutcome;
use serde_json::{Value, json};
use std::fmt::Write;

/// The reports and what they are about.
const REPORTS: [(&str, &str); 5] = [
    ("000", "Quarto: random, novice, Monte Carlo and MinMax-3"),
    ("001", "Quarto: MinMax by terzos"),
    ("002", "Any game: Loisel, who leaves the opponent few moves"),
    ("003", "Stack Four: attack and defence"),
    ("004", "Quarto: minimax with parity of lines"),
];

/// One table of a report.
struct ComparedTable {
    report: String,
    name: String,
    compared: Vec<FigureComparison>,
    text: String,
    json: Value,
}

/// All of them.
#[derive(Default)]
pub struct Document {
    sections: Vec<ComparedTable>,
    /// How long the players thought, in seconds, in all the games that are counted.
    thought: f64,
}

impl Document {
    /// A table that needs no tournament.
    pub fn add_check(&mut self, check: &ReportCheck) -> anyhow::Result<()> {
        let compared = (check.lines)()?;
        let mut text = head(check.title, check.name, check.source);
        let _ = writeln!(
            text,
            "Worked out, not played in a tournament: there is nothing to draw by lot.\n"
        );
        comparison_table(&mut text, &compared);
        let _ = writeln!(text, "{}\n", check.note);
        self.sections.push(ComparedTable {
            report: check.name[..3].into(),
            name: check.name.into(),
            json: json!({
                "name": check.name, "source": check.source, "games": 0, "cells": cells(&compared), "tournaments": [],
            }),
            compared,
            text,
        });
        Ok(())
    }

    /// An experiment that was played, reading by reading.
    pub fn add(
        &mut self,
        experiment: &Experiment,
        played: &[(Plan, TournamentOutcome)],
        files: &mut ReproductionFiles,
    ) {
        let standings: Vec<&Standings> = played.iter().map(|(_, outcome)| &outcome.standings).collect();
        let compared = experiment.compare(&standings);
        let games = played.first().map_or(0, |(plan, _)| 2 * plan.rounds);
        let mut distinct: Vec<&(Plan, TournamentOutcome)> = Vec::new();
        for one in played {
            if !distinct.iter().any(|(plan, _)| *plan == one.0) {
                distinct.push(one);
            }
        }
        let thought: f64 = distinct.iter().map(|(_, outcome)| outcome.standings.seconds()).sum();
        self.thought += thought;
        let mut text = head(&experiment.title, &experiment.name, &experiment.source);
        let _ = writeln!(
            text,
            "{games} games a meeting and reading; the players thought for {thought:.1} s.\n"
        );
        comparison_table(&mut text, &compared);
        if let (Some(figure), Some(first)) = (&experiment.figure, standings.first()) {
            if files.keep(&experiment.name, figures::scores(experiment, figure, first)) {
                let _ = writeln!(text, "![{}]({}.svg)\n", experiment.title, experiment.name);
            }
            if figure.against.is_none() {
                score_table(&mut text, experiment, first);
            }
        }
        for reading in experiment
            .all_readings()
            .iter()
            .filter(|reading| reading.seat.is_none())
        {
            let players: Vec<String> = experiment
                .players
                .iter()
                .zip(&reading.specs)
                .map(|(player, spec)| format!("{} is `{spec}`", player.name))
                .collect();
            let label = if experiment.readings.is_empty() {
                "Players"
            } else {
                &reading.label
            };
            let _ = writeln!(text, "- {label}: {}.", players.join("; "));
        }
        let _ = writeln!(text, "\n{}\n", experiment.note);
        let tournaments: Vec<TournamentResults> = distinct
            .iter()
            .map(|(plan, outcome)| TournamentResults::new(outcome.id, plan, &outcome.standings))
            .collect();
        self.sections.push(ComparedTable {
            report: experiment.report().into(),
            name: experiment.name.clone(),
            json: json!({
                "name": experiment.name, "source": experiment.source, "games": games, "cells": cells(&compared),
                "tournaments": tournaments,
            }),
            compared,
            text,
        });
    }

    /// How many comparisons of a report, or of all, have a verdict.
    fn count(&self, report: Option<&str>, verdict: Agreement) -> usize {
        self.compared(report).filter(|(_, one)| one.verdict == verdict).count()
    }

    fn compared<'a>(
        &'a self,
        report: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a ComparedTable, &'a FigureComparison)> {
        let sections = self.sections.iter();
        let sections = sections.filter(move |section| report.is_none_or(|report| section.report == report));
        sections.flat_map(|section| section.compared.iter().map(move |one| (section, one)))
    }

    /// The whole text.
    pub fn finish(&self, command: &str, seconds: f64, files: &mut ReproductionFiles) -> String {
        let [agrees, differs, unknown, filled, times] = [
            Agreement::Agrees,
            Agreement::Differs,
            Agreement::CannotTell,
            Agreement::Filled,
            Agreement::AnotherMachine,
        ]
        .map(|verdict| self.count(None, verdict));
        let mut text = format!(
            "# The reports' experiments, played again\n\n`{command}` took {seconds:.0} s; in all games that it counts the players thought for {:.0} s. Every figure of ours was counted in \
             games of this command (with `--db` also those of an earlier run of it); the reports' figures are only compared with. Of {} comparable figures and claims \
             {agrees} agree, {differs} differ, and of {unknown} nothing can be told; {filled} have no figure in the report and are \
             filled, {times} are times of another machine.\n\n",
            self.thought,
            agrees + differs + unknown
        );
        text += "How to read it. A row of wins, draws and losses is one figure: the exact test of Fisher, Freeman and Halton \
                 says how often chance alone would part two such rows as far (p); below 0.05 they differ. Rows that do not \
                 differ agree only if a difference of 10 points in a share would have been seen; otherwise nothing can be \
                 told, as where the report's sample is one game. A claim without a figure agrees if the 95 % interval bears \
                 it out. Where a report allows several readings each is played, and the verdict is the best one's: the best \
                 of many fits by luck more easily, so it is said of how many. Readings in brackets contradict the report; \
                 they are tried as explanations and never count. Of so many tests at 0.05 one in twenty differs by chance.\n\n";
        let mut rows = Vec::new();
        for (section, one) in self.compared(None) {
            if let Some(best) = one.best()
                && let (Some((by, low, high)), Some(_)) = (best.difference, best.p)
                && one.verdict != Agreement::CannotTell
            {
                rows.push((section.name.clone(), 100.0 * by, 100.0 * low, 100.0 * high));
            }
        }
        if !rows.is_empty() && files.keep(OVERVIEW, figures::overview(rows)) {
            let _ = writeln!(text, "![Our wins minus the reports']({OVERVIEW}.svg)\n");
        }
        text += "## Verdicts\n\n";
        for (report, about) in REPORTS {
            self.verdicts(&mut text, report, about);
        }
        for section in &self.sections {
            text += &section.text;
        }
        text.truncate(text.trim_end().len());
        text + "\n"
    }

    fn verdicts(&self, text: &mut String, report: &str, about: &str) {
        if !self.sections.iter().any(|section| section.report == report) {
            return;
        }
        let _ = writeln!(text, "### Report {report}. {about}\n");
        for (verdict, says) in [
            (Agreement::Agrees, "Holds"),
            (Agreement::Differs, "Does not hold"),
            (Agreement::CannotTell, "Cannot be told"),
        ] {
            let count = self.count(Some(report), verdict);
            if count == 0 {
                let _ = writeln!(text, "{says}: nothing.\n");
                continue;
            }
            let _ = writeln!(text, "{says} ({count}):\n");
            let all = self.compared(Some(report)).filter(|(_, one)| one.verdict == verdict);
            for (section, one) in all {
                let _ = writeln!(text, "- {} (`{}`): {}", one.what, section.name, in_short(one));
            }
            text.push('\n');
        }
    }

    /// The same for programs.
    pub fn json(&self, seconds: f64) -> Value {
        let counts = |report: Option<&str>| {
            json!({
                "agrees": self.count(report, Agreement::Agrees),
                "differs": self.count(report, Agreement::Differs),
                "cannot_tell": self.count(report, Agreement::CannotTell),
                "filled": self.count(report, Agreement::Filled),
                "another_machine": self.count(report, Agreement::AnotherMachine),
            })
        };
        let reports: serde_json::Map<String, Value> = REPORTS
            .iter()
            .map(|(report, _)| (report.to_string(), counts(Some(report))))
            .collect();
        json!({
            "experiments": self.sections.iter().map(|section| &section.json).collect::<Vec<_>>(),
            "verdicts": {"all": counts(None), "reports": reports},
            "seconds": seconds,
        })
    }
}

fn head(title: &str, name: &str, source: &str) -> String {
    format!("## {title}\n\n`{name}`, {source}.\n")
}

/// A comparison in half a sentence.
fn in_short(one: &FigureComparison) -> String {
    let Some(best) = one.best() else {
        return one.reported.clone();
    };
    let p = best.p.map_or(String::new(), |p| format!(", {}", p_text(p)));
    let allowed = || one.readings.iter().filter(|line| line.allowed);
    let reading = match one.allowed() {
        0 | 1 => String::new(),
        tried if best.p.is_none() && allowed().all(|line| line.verdict == best.verdict) => {
            format!("; so under each of the {tried} readings, here \"{}\"", best.label)
        }
        tried => {
            let agreeing = allowed().filter(|line| line.verdict == Agreement::Agrees).count();
            format!(
                "; reading \"{}\", the best of {tried}, of which {agreeing} agree",
                best.label
            )
        }
    };
    format!("the report: {}; ours: {}{p}{reading}", one.reported, best.ours)
}

fn comparison_table(text: &mut String, compared: &[FigureComparison]) {
    let several = compared.iter().any(|one| one.readings.len() > 1);
    let (title, rule) = if several { (" reading |", "---|") } else { ("", "") };
    let _ = writeln!(
        text,
        "| | the report |{title} ours, 95 % interval | ours minus theirs, points | test | |\n|---|---|{rule}---|---|---|---|"
    );
    for one in compared {
        for (i, line) in one.readings.iter().enumerate() {
            let (what, reported) = match i {
                0 => (one.what.as_str(), one.reported.as_str()),
                _ => ("", ""),
            };
            let best = one.allowed() > 1 && i == one.best && line.p.is_some();
            let _ = write!(text, "| {what} | {reported} |");
            if several {
                let label = if line.allowed {
                    line.label.clone()
                } else {
                    format!("({})", line.label)
                };
                let label = if one.readings.len() > 1 { label } else { String::new() };
                let _ = write!(text, " {label}{} |", if best { ", the best" } else { "" });
            }
            let _ = writeln!(
                text,
                " {} | {} | {} | {} |",
                line.ours,
                difference_text(line),
                line.p.map_or(String::new(), p_text),
                emphasis(line.verdict)
            );
        }
    }
    text.push('\n');
}

/// How far the wins lie apart, where two rows are compared.
fn difference_text(line: &ReadingLine) -> String {
    match (line.difference, line.p) {
        (Some((by, low, high)), Some(_)) => {
            let [by, low, high] = [by, low, high].map(|share| 100.0 * share);
            format!("{by:+.1} ({low:+.1} to {high:+.1})")
        }
        _ => String::new(),
    }
}

fn emphasis(verdict: Agreement) -> String {
    match verdict {
        Agreement::Differs => format!("**{}**", verdict.word()),
        _ => verdict.word().into(),
    }
}

fn cells(compared: &[FigureComparison]) -> Vec<Value> {
    let reading = |line: &ReadingLine| {
        json!({
            "label": line.label, "allowed": line.allowed, "ours": line.ours, "p": line.p,
            "difference": line.difference.map(|(by, low, high)| [by, low, high]), "verdict": line.verdict.word(),
        })
    };
    compared
        .iter()
        .map(|one| {
            json!({
                "what": one.what, "reported": one.reported, "verdict": one.verdict.word(), "best": one.best,
                "tried": one.allowed(), "readings": one.readings.iter().map(reading).collect::<Vec<_>>(),
            })
        })
        .collect()
}

fn score_table(text: &mut String, experiment: &Experiment, standings: &Standings) {
    let names: Vec<&str> = experiment.players.iter().map(|player| player.name.as_str()).collect();
    let _ = writeln!(text, "| score of … against | {} |", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "--:|".repeat(names.len()));
    for (player, name) in names.iter().enumerate() {
        let cells: Vec<String> = (0..names.len())
            .map(|against| {
                let share = figures::share(standings, player, against, None);
                share.map_or("·".into(), |share| format!("{:.1} %", 100.0 * share))
            })
            .collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text.push('\n');
}
