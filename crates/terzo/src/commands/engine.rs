//! `terzo engine`

use super::limited::{EngineLimits, warn_of_gaps};
use crate::usage::usage;
use crate::{interrupt, output, registry};
use anyhow::bail;
use arena::terms::{ResourceLimits, duration};
use clap::Subcommand;
use link::ugi::{EngineCommand, Finding, FindingSeverity, Inspection, InspectionSettings};
use player::ConversationLine;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(clap::Args)]
pub struct EngineArgs {
    #[command(subcommand)]
    command: EngineSubcommand,
}

#[derive(Subcommand)]
enum EngineSubcommand {
    /// Put a program through its paces: what is wrong with it as an engine, where it shows, and how to mend it
    Check(EngineCheckArgs),
}

#[derive(clap::Args)]
#[command(
    after_help = "The program is started, greeted, asked for moves in whole games against random ones (with every kind of clock, and from a position), stopped, told nonsense, and asked to leave. What it does wrong is told with the last lines of the conversation and advice. Exit status 1 if it loses games by something; warnings are not errors.\n\nExamples:\n  terzo engine check 'python3 examples/player.py'\n  terzo engine check 'python3 examples/player.py' --games 2 --time 2s --json\n  terzo engine check 'python3 examples/player.py' --sandbox \\\n    --limits memory=512M,cpu=10s,processes=8"
)]
struct EngineCheckArgs {
    /// The command that starts it, in quotation marks
    command: String,
    /// The game it plays
    #[arg(long, default_value = "quarto")]
    game: String,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    /// How long it may think about a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = read_time)]
    time: Duration,
    /// How late an answer may be
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = read_time)]
    margin: Duration,
    /// How long it may take to start
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = read_time)]
    start: Duration,
    #[command(flatten)]
    limits: EngineLimits,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

fn read_time(text: &str) -> Result<Duration, String> {
    duration(text)
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a time such as 100ms or 2s".into())
}

impl EngineArgs {
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            EngineSubcommand::Check(check) => check.run(),
        }
    }
}

impl EngineCheckArgs {
    fn run(self) -> anyhow::Result<()> {
        let game = registry::find(&self.game)?;
        let line = self.command.strip_prefix("engine:").unwrap_or(&self.command);
        let mut command = EngineCommand::parse(line)?;
        if line.starts_with("course:") {
            usage!("programs of the course speak another protocol: `terzo stack4 host` tries them");
        }
        command.start = self.start;
        command.limits = self.limits.or(ResourceLimits::default());
        warn_of_gaps(&command.limits);
        let settings = InspectionSettings {
            games: self.games,
            time: self.time,
            margin: self.margin,
            stop: interrupt::sign()?,
        };
        let found = game.inspect_engine(&command, &settings)?;
        match self.json {
            true => output::print_json(&as_json(line, &self.game, &found))?,
            false => output::print(&as_text(line, &self.game, &found))?,
        }
        interrupt::unless_come()?;
        let errors = found
            .findings
            .iter()
            .filter(|finding| finding.severity == FindingSeverity::Error);
        match errors.count() {
            0 => Ok(()),
            1 => bail!("`{line}` has 1 error"),
            n => bail!("`{line}` has {n} errors"),
        }
    }
}

/// What was found, for people.
pub fn as_text(command: &str, game: &str, found: &Inspection) -> String {
    let mut text = format!("{command}, as an engine for {game}\n\n");
    for finding in &found.findings {
        text += &finding_as_text(finding);
    }
    let worst = match found.severity() {
        FindingSeverity::Passed => "Nothing is wrong with it.",
        FindingSeverity::Warning => "It can play; mind the warnings.",
        FindingSeverity::Error => "It cannot be relied on before the errors are mended.",
    };
    text + &format!("\n{worst}\n")
}

fn finding_as_text(finding: &Finding) -> String {
    let indent = " ".repeat(20);
    let what = finding.what.replace('\n', &format!("\n{indent}  "));
    let mut text = format!("{:8} {:10} {what}\n", finding.severity.word(), finding.topic);
    if !finding.advice.is_empty() {
        text += &format!("{indent}mend: {}\n", finding.advice);
    }
    if !finding.conversation.is_empty() {
        text += &format!("{indent}said last (> to it, < by it, ! its standard error):\n");
        for line in &finding.conversation {
            text += &format!("{indent}  {} {}\n", line.speaker.sign(), shortened(&line.text));
        }
    }
    text
}

/// No line of a conversation fills the screen.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into(),
    }
}

fn as_json(command: &str, game: &str, found: &Inspection) -> Value {
    let line = |line: &ConversationLine| format!("{} {}", line.speaker.sign(), line.text);
    let finding = |finding: &Finding| {
        json!({
            "severity": finding.severity.word(),
            "topic": finding.topic,
            "what": finding.what,
            "advice": finding.advice,
            "conversation": finding.conversation.iter().map(line).collect::<Vec<_>>(),
        })
    };
    json!({
        "command": command,
        "game": game,
        "severity": found.severity().word(),
        "games": found.games,
        "moves": found.moves,
        "slowest_ms": found.slowest.as_secs_f64() * 1e3,
        "memory_bytes": found.memory,
        "findings": found.findings.iter().map(finding).collect::<Vec<_>>(),
    })
}
