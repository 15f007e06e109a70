//! `terzo gdl`: rule sheets of the Game Description Language.

use crate::output;
use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use gdl::sheet::{Diagnostic, Severity, SheetReport};
use gdl::{BuildLimits, Machine, PlayoutLimit, Sheet, Trial, TrialEffort};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct GdlArgs {
    #[command(subcommand)]
    command: GdlCommand,
}

#[derive(Subcommand)]
enum GdlCommand {
    /// Explain what is wrong with rule sheets
    Check(SheetCheckArgs),
    /// Measure how fast a rule sheet is played at random
    Bench(GdlBench),
}

impl GdlArgs {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            GdlCommand::Check(command) => command.run(),
            GdlCommand::Bench(command) => command.run(),
        }
    }
}

#[derive(Args)]
#[command(
    after_help = "A sheet that reads well is also built and played at random, for --seconds at most: terms that grow without bound, rules that are too large, games without end and positions without a legal move show only then.\n\nExamples:\n  terzo gdl check mygame.kif\n  terzo gdl check chess --seconds 20\n  terzo gdl check tictactoe trio --json"
)]
struct SheetCheckArgs {
    /// Rule sheets: files, or names of bundled ones
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// How long to try each sheet out, in seconds; 0 only reads it
    #[arg(long, default_value_t = 5.0, value_parser = seconds_or_none)]
    seconds: f64,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

fn seconds_or_none(text: &str) -> Result<f64, String> {
    if text.parse() == Ok(0.0) {
        Ok(0.0)
    } else {
        seconds(text)
    }
}

impl SheetCheckArgs {
    fn run(self) -> anyhow::Result<()> {
        let mut checked = Vec::new();
        for file in &self.files {
            let sheet = SheetCheck::new(file, Duration::from_secs_f64(self.seconds))?;
            if !self.json {
                output::print(&sheet.as_text())?;
            }
            checked.push(sheet);
        }
        if self.json {
            let sheets: Vec<Value> = checked.iter().map(SheetCheck::as_json).collect();
            output::print_json(&json!({"sheets": sheets}))?;
        }
        match checked.iter().filter(|sheet| sheet.report.counts().0 > 0).count() {
            0 => Ok(()),
            broken => bail!("{} cannot be played", plural(broken, "sheet")),
        }
    }
}

/// A sheet, what is wrong with it, and how it plays.
struct SheetCheck {
    report: SheetReport,
    trial: Option<Trial>,
}

impl SheetCheck {
    fn new(file: &str, time: Duration) -> anyhow::Result<Self> {
        let (sheet, mut report) = Sheet::read(file, &Sheet::text(file)?);
        let effort = TrialEffort {
            time,
            ..TrialEffort::default()
        };
        let mut trial = sheet
            .filter(|_| !time.is_zero())
            .map(|sheet| gdl::trial(&sheet, &effort));
        if let Some(trial) = &mut trial {
            report.diagnostics.append(&mut trial.diagnostics);
        }
        Ok(SheetCheck { report, trial })
    }

    fn as_text(&self) -> String {
        let mut text = self.report.render();
        if !text.is_empty() {
            text.push('\n');
        }
        let (errors, warnings) = self.report.counts();
        let counts = format!("{}, {}", plural(errors, "error"), plural(warnings, "warning"));
        let trial = self.trial.as_ref().map(played).unwrap_or_default();
        text + &format!("{}: {counts}{trial}\n", self.report.name)
    }

    fn as_json(&self) -> Value {
        let (errors, warnings) = self.report.counts();
        let diagnostics: Vec<Value> = self
            .report
            .diagnostics
            .iter()
            .map(|found| self.diagnostic(found))
            .collect();
        let trial = self.trial.as_ref().and_then(|trial| {
            let built = trial.machine?;
            Some(json!({
                "machine": machine_name(built.kind), "propositions": built.propositions,
                "components": built.components, "games": trial.games, "turns": trial.turns,
            }))
        });
        json!({
            "file": self.report.name, "errors": errors, "warnings": warnings, "diagnostics": diagnostics, "trial": trial,
        })
    }

    fn diagnostic(&self, found: &Diagnostic) -> Value {
        let place = found.place(&self.report.text);
        json!({
            "severity": match found.severity { Severity::Error => "error", Severity::Warning => "warning" },
            "message": found.message, "label": found.label, "help": found.help,
            "line": place.map(|place| place.0), "column": place.map(|place| place.1),
        })
    }
}

/// How the sheet was tried out.
fn played(trial: &Trial) -> String {
    let Some(built) = trial.machine else {
        return String::new();
    };
    let machine = format!(
        "; {} ({} propositions, {} components)",
        machine_name(built.kind),
        built.propositions,
        built.components
    );
    match trial.turns {
        None => machine,
        Some((least, most)) => {
            let games = plural(trial.games as usize, "random game");
            format!("{machine}; {games} of {least} to {most} turns")
        }
    }
}

fn machine_name(kind: gdl::MachineKind) -> &'static str {
    match kind {
        gdl::MachineKind::Prover => "prover",
        gdl::MachineKind::Compiled => "compiled",
    }
}

fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum MachineChoice {
    /// Works every position out from the rules
    Prover,
    /// Evaluates the propositional network of the game
    Compiled,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  terzo gdl bench connectfour\n  terzo gdl bench mygame.kif --machine prover --json"
)]
struct GdlBench {
    /// A rule sheet: a file, or the name of a bundled one
    file: String,
    /// How long to play, in seconds
    #[arg(long, default_value_t = 5.0, value_parser = seconds)]
    seconds: f64,
    /// Which machine plays; by default the compiled one, or the prover if the sheet is too large for it
    #[arg(long)]
    machine: Option<MachineChoice>,
    /// The seed of the random games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 86_400.0 => Ok(seconds),
        _ => Err("expected a number of seconds above 0".into()),
    }
}

impl GdlBench {
    fn run(self) -> anyhow::Result<()> {
        let began = Instant::now();
        let sheet = Sheet::load(&self.file)?;
        let machine = match self.machine {
            Some(MachineChoice::Prover) => Machine::prover(&sheet)?,
            Some(MachineChoice::Compiled) => Machine::compiled(&sheet, BuildLimits::default())?,
            None => {
                let (machine, why) = Machine::best(&sheet, BuildLimits::default())?;
                if let Some(why) = why {
                    output::say(&format!("{why}; the prover serves"));
                }
                machine
            }
        };
        let build = began.elapsed().as_secs_f64();
        let kind = machine_name(machine.kind());
        let began = Instant::now();
        let order = PlayoutLimit::Until(began + Duration::from_secs_f64(self.seconds));
        let out = machine.playouts(&machine.initial(), order, &mut game::rng(self.seed))?;
        let took = began.elapsed().as_secs_f64();
        let (playouts, states) = (out.games as f64 / took, out.steps as f64 / took);
        if self.json {
            return output::print_json(&json!({
                "game": self.file,
                "machine": kind,
                "build_seconds": build,
                "playouts_per_second": playouts,
                "states_per_second": states,
                "propositions": machine.propositions(),
                "components": machine.components(),
            }));
        }
        let mut text = format!(
            "{}, {kind}: built in {build:.3} s, {} propositions, {} components\n{playouts:.1} playouts a second, \
             {states:.0} states a second\n",
            self.file,
            machine.propositions(),
            machine.components(),
        );
        if out.games == 0 {
            text += "no game came to its end in this time\n";
            return output::print(&text);
        }
        for (role, name) in machine.roles().iter().enumerate() {
            text += &format!("{name:<12} gets {:.2} on average\n", out.mean(role));
        }
        output::print(&text)
    }
}
