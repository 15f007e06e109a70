//! `terzo gdl`: rule sheets of the Game Description Language.

use crate::output;
use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use gdl::sheet::{Diagnostic, Report, Severity};
use gdl::{Limits, Machine, Order, Sheet};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct Gdl {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Explain what is wrong with rule sheets
    Check(Check),
    /// Measure how fast a rule sheet is played at random
    Bench(Bench),
}

impl Gdl {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            Command::Check(command) => command.run(),
            Command::Bench(command) => command.run(),
        }
    }
}

#[derive(Args)]
#[command(after_help = "Examples:\n  terzo gdl check mygame.kif\n  terzo gdl check chess tictactoe --json")]
struct Check {
    /// Rule sheets: files, or names of bundled ones
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    fn run(self) -> anyhow::Result<()> {
        let (mut broken, mut told) = (0, Vec::new());
        for file in &self.files {
            let report = gdl::Sheet::report(file)?;
            let (errors, warnings) = report.counts();
            broken += usize::from(errors > 0);
            if self.json {
                told.push(as_json(&report));
                continue;
            }
            let rendered = report.render();
            if !rendered.is_empty() {
                output::print(&(rendered + "\n"))?;
            }
            output::print(&format!(
                "{file}: {}, {}\n",
                plural(errors, "error"),
                plural(warnings, "warning")
            ))?;
        }
        if self.json {
            output::print_json(&json!({"sheets": told}))?;
        }
        if broken > 0 {
            bail!("{} cannot be played", plural(broken, "sheet"));
        }
        Ok(())
    }
}

/// What is said about a sheet, for programs.
fn as_json(report: &Report) -> Value {
    let diagnostic = |found: &Diagnostic| {
        let before = found.span.and_then(|span| report.text.get(..span.start));
        let line = before.map(|text| text.matches('\n').count() + 1);
        let column = before.map(|text| text.rsplit('\n').next().unwrap_or_default().chars().count() + 1);
        json!({
            "severity": if found.severity == Severity::Error { "error" } else { "warning" },
            "message": found.message, "label": found.label, "help": found.help, "line": line, "column": column,
        })
    };
    let (errors, warnings) = report.counts();
    let diagnostics: Vec<Value> = report.diagnostics.iter().map(diagnostic).collect();
    json!({"file": report.name, "errors": errors, "warnings": warnings, "diagnostics": diagnostics})
}

fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Works every position out from the rules
    Prover,
    /// Evaluates the propositional network of the game
    Compiled,
}

#[derive(Args)]
#[command(
    after_help = "Examples:\n  terzo gdl bench connectfour\n  terzo gdl bench mygame.kif --machine prover --json"
)]
struct Bench {
    /// A rule sheet: a file, or the name of a bundled one
    file: String,
    /// How long to play, in seconds
    #[arg(long, default_value_t = 5.0, value_parser = seconds)]
    seconds: f64,
    /// Which machine plays; by default the compiled one, or the prover if the sheet is too large for it
    #[arg(long)]
    machine: Option<Kind>,
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

impl Bench {
    fn run(self) -> anyhow::Result<()> {
        let began = Instant::now();
        let sheet = Sheet::load(&self.file)?;
        let machine = match self.machine {
            Some(Kind::Prover) => Machine::prover(&sheet)?,
            Some(Kind::Compiled) => Machine::compiled(&sheet, Limits::default())?,
            None => {
                let (machine, why) = Machine::best(&sheet, Limits::default())?;
                if let Some(why) = why {
                    output::say(&format!("{why}; the prover serves"));
                }
                machine
            }
        };
        let build = began.elapsed().as_secs_f64();
        let kind = match machine.kind() {
            gdl::Kind::Prover => "prover",
            gdl::Kind::Compiled => "compiled",
        };
        let began = Instant::now();
        let order = Order::Until(began + Duration::from_secs_f64(self.seconds));
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
