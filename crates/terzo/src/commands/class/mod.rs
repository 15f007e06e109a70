//! `terzo class`

mod program;
mod student;
mod time;

use super::limited::{self, EngineLimits};
use super::on::On;
use super::tournament::{RunOptions, logged_pairs, mistakes, play, report};
use crate::usage::usage;
use crate::{files, interrupt, limits, output, registry};
use anyhow::Context;
use arena::gamelog::GameLog;
use arena::plan::{Contender, EngineTable, Entrant, Format, OpeningPlan, Plan, PlanError};
use arena::report::TournamentResults;
use arena::store::Store;
use arena::terms::{ResourceLimits, Terms, TimeControl, duration};
use games::AnyGame;
use link::ugi::{EngineCommand, FindingSeverity, Inspection, InspectionSettings};
use program::Student;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use student::ClassResults;

#[derive(clap::Args)]
#[command(
    after_help = "Every file and every folder in FOLDER is a student's program. How it starts is said by `engine.toml` in the folder (cmd, args), or found by its name: agent.py, Agent.java, agent.cpp, run … Each is checked first; who cannot even greet does not play, and everybody else does. All meet all, within limits and in a sandbox, and every student gets a folder: results, games, conversations, mistakes against the truth, advice. The same command goes on where it was.\n\nExample:\n  mkdir -p programs && cp examples/player.py programs/alice.py && \\\n    cp examples/player.py programs/bob.py && \\\n    terzo class programs --rounds 1 --time move=5s --output results"
)]
pub struct ClassArgs {
    /// The folder with a file or a folder for each student
    folder: PathBuf,
    /// The game they play
    #[arg(long, default_value = "quarto")]
    game: String,
    /// Where results go
    #[arg(long, value_name = "DIR", default_value = "class-results")]
    output: PathBuf,
    /// Players of ours who play along, such as random and novice
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    with: Vec<String>,
    /// How many pairs of games each two play
    #[arg(long, value_name = "N", default_value_t = 2)]
    rounds: u64,
    /// What all chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// move=100ms, game=10s+100ms, nodes=5000 or depth=4
    #[arg(long, value_name = "CONTROL", default_value = "move=1s")]
    time: TimeControl,
    /// How late an answer may be
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = read_time)]
    margin: Duration,
    /// How long a program may take to start
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = read_time)]
    start: Duration,
    /// So many random legal turns begin each pair
    #[arg(long, value_name = "N", default_value_t = 2)]
    plies: u32,
    /// How many games at once; one a core if left out
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = limits::threads())]
    concurrency: usize,
    /// Count mistakes against perfect play in at most so many pairs; 0 for none
    #[arg(long, value_name = "PAIRS", default_value_t = 300)]
    mistakes: usize,
    #[command(flatten)]
    limits: EngineLimits,
    /// Without a sandbox around the programs
    #[arg(long, conflicts_with = "sandbox")]
    no_sandbox: bool,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

fn read_time(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| "expected a time such as 100ms or 2s".into())
}

/// What a student's program may use if nobody says otherwise.
const USUAL: ResourceLimits = ResourceLimits {
    memory: Some(1 << 30),
    cpu: Some(Duration::from_secs(120)),
    processes: Some(32),
    files: Some(256),
    disk: Some(200 << 20),
    sandbox: true,
};

/// A student whose program was tried.
struct CheckedStudent {
    student: Student,
    check: Option<Inspection>,
}

impl CheckedStudent {
    /// Why the program does not play, if it does not.
    fn absence(&self) -> Option<String> {
        match (&self.student.engine, &self.check) {
            (Err(why), _) => Some(why.clone()),
            (Ok(_), None) => Some("it was not checked".into()),
            (Ok(_), Some(check)) => check
                .findings
                .iter()
                .find(|finding| {
                    finding.severity == FindingSeverity::Error && matches!(finding.topic, "start" | "ready")
                })
                .map(|finding| format!("{}. {}", finding.what, finding.advice)),
        }
    }
}

impl ClassArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let game = registry::find(&self.game)?;
        for spec in &self.with {
            game.check_player(spec)?;
        }
        let mut limits = self.limits.or(USUAL);
        limits.sandbox &= !self.no_sandbox;
        let make = |folder: &Path| {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot write {}", folder.display()))
        };
        make(&self.output)?;
        let students = program::students(&self.folder, &self.output)?;
        limited::warn_of_gaps(&limits);
        limited::warn_of_crowding(self.concurrency, self.time);
        let checked = self.check_all(game.as_ref(), students, limits)?;
        interrupt::unless_come()?;
        self.play(game.as_ref(), &checked, limits)
    }

    /// Tries every program, as many at once as games will be.
    fn check_all(
        &self,
        game: &dyn AnyGame,
        students: Vec<Student>,
        limits: ResourceLimits,
    ) -> anyhow::Result<Vec<CheckedStudent>> {
        let threads = match self.concurrency {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            some => some,
        };
        let settings = InspectionSettings {
            games: 2,
            time: match self.time {
                TimeControl::Move(time) => time,
                _ => Duration::from_secs(1),
            },
            // A check is no game: nobody is found wrong because a core was busy.
            margin: self.margin.max(Duration::from_secs(2)),
            stop: interrupt::sign()?,
        };
        let next = AtomicUsize::new(0);
        let work = || {
            let mut found = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(student) = students.get(number) else {
                    return found;
                };
                if let Ok(table) = &student.engine {
                    let command = self.command(table, limits);
                    found.push((number, game.inspect_engine(&command, &settings)));
                }
            }
        };
        let all = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.min(students.len())).map(|_| scope.spawn(work)).collect();
            let joined = workers.into_iter().map(|worker| worker.join().unwrap_or_default());
            joined.flatten().collect::<Vec<_>>()
        });
        let mut checks: Vec<Option<Inspection>> = students.iter().map(|_| None).collect();
        for (number, found) in all {
            checks[number] = Some(found?);
        }
        let both = students.into_iter().zip(checks);
        Ok(both.map(|(student, check)| CheckedStudent { student, check }).collect())
    }

    fn command(&self, table: &EngineTable, limits: ResourceLimits) -> EngineCommand {
        let mut command = EngineCommand::new(&table.cmd, table.args.clone());
        command.folder = table.dir.clone();
        command.environment = table.env.clone();
        command.options = table.options.clone();
        command.start = table.start.as_deref().and_then(duration).unwrap_or(self.start);
        command.limits = limits;
        command
    }

    fn plan(&self, checked: &[CheckedStudent], limits: ResourceLimits) -> anyhow::Result<Plan> {
        let playing = checked.iter().filter(|checked| checked.absence().is_none());
        let mut players: Vec<Entrant> = playing
            .filter_map(|checked| {
                let mut table = checked.student.engine.as_ref().ok()?.clone();
                table
                    .start
                    .get_or_insert_with(|| arena::terms::print_duration(self.start));
                Some(Entrant {
                    name: checked.student.name.clone(),
                    player: Contender::Engine(table),
                    version: None,
                    time: None,
                })
            })
            .collect();
        players.extend(self.with.iter().map(|spec| Entrant::of_spec(spec)));
        if players.len() < 2 {
            usage!(
                "{} programs can play, and it takes two; --with random novice lets players of ours play along",
                players.len()
            );
        }
        let plan = Plan {
            name: "class".into(),
            game: self.game.clone(),
            players: arena::plan::named_apart(players),
            rounds: self.rounds,
            format: Format::RoundRobin,
            seed: self.seed,
            terms: Terms {
                control: self.time,
                margin: self.margin,
                limits,
                ..Terms::default()
            },
            openings: match self.plies {
                0 => OpeningPlan::Start,
                plies => OpeningPlan::Plies(plies),
            },
            sprt: None,
            concurrency: self.concurrency,
        };
        plan.check().map_err(|why| PlanError {
            place: "class".into(),
            why,
        })?;
        Ok(plan)
    }

    fn play(&self, game: &dyn AnyGame, checked: &[CheckedStudent], limits: ResourceLimits) -> anyhow::Result<()> {
        // Who cannot play has a folder before the first game: there is something to mend meanwhile.
        for absent in checked {
            if let Some(why) = absent.absence() {
                let command = absent.student.engine.as_ref().map(in_words).unwrap_or_default();
                let check = absent
                    .check
                    .as_ref()
                    .map(|check| (command.as_str(), self.game.as_str(), check));
                student::write_absent(&self.folder_of(absent), &absent.student.name, &why, check)?;
            }
        }
        let plan = self.plan(checked, limits)?;
        let names: Vec<String> = plan.players.iter().map(|player| player.name.clone()).collect();
        let file = |name: &str| files::Output::open(&self.output.join(name));
        let (markdown, html) = (file("standings.md")?, file("standings.html")?);
        let log = Arc::new(GameLog::open(&self.output.join("log"), names)?);
        let pairs = logged_pairs(game, &plan, None, Some(log.clone()))?;
        let mut store = Store::open(&self.output.join("class.db"))?;
        let outcome = play(pairs, &mut store, &On::default(), &RunOptions::default())?;
        limited::warn_of_log(Some(&log));
        let mut told = report(&plan, &outcome);
        if self.mistakes > 0 && game.is_solvable() && !interrupt::has_come() {
            told.mistakes = Some(mistakes(game, &store, outcome.id, plan.players.len(), self.mistakes)?);
        }
        let mut all = Vec::new();
        store.each_pair(outcome.id, |pair| all.push(pair))?;
        let results = ClassResults {
            plan: &plan,
            standings: &outcome.standings,
            pairs: &all,
            mistakes: told.mistakes.as_deref(),
            log: &log,
            students: checked.len() + self.with.len(),
        };
        let present = checked.iter().filter(|checked| checked.absence().is_none());
        for (number, checked) in present.enumerate() {
            if let (Ok(table), Some(check)) = (&checked.student.engine, &checked.check) {
                results.write(&self.folder_of(checked), number, &in_words(table), check)?;
            }
        }
        let text = told.markdown() + &absent_in_words(checked);
        markdown.write(&text)?;
        html.write(&told.html())?;
        match self.json {
            true => {
                let results = TournamentResults::new(outcome.id, &plan, &outcome.standings).after(&outcome);
                let results = results.with_mistakes(told.mistakes.as_deref().unwrap_or_default());
                output::print_json(&json!({
                    "output": self.output,
                    "students": checked.iter().map(|checked| self.student_as_json(checked)).collect::<Vec<_>>(),
                    "results": results,
                }))?;
            }
            false => {
                let folder = self.output.join("students");
                output::print(&text)?;
                output::print(&format!("Every student's folder is in {}.\n", folder.display()))?;
            }
        }
        Ok(interrupt::unless_come()?)
    }

    fn folder_of(&self, checked: &CheckedStudent) -> PathBuf {
        self.output.join("students").join(&checked.student.name)
    }

    fn student_as_json(&self, checked: &CheckedStudent) -> Value {
        json!({
            "name": checked.student.name,
            "folder": self.folder_of(checked),
            "absent": checked.absence(),
            "check": checked.check.as_ref().map(|check| check.severity().word()),
        })
    }
}

/// A command as a person would type it.
fn in_words(table: &EngineTable) -> String {
    let words = std::iter::once(&table.cmd).chain(&table.args);
    words.map(String::as_str).collect::<Vec<_>>().join(" ")
}

/// Who did not play, and why.
fn absent_in_words(checked: &[CheckedStudent]) -> String {
    let absent = checked.iter().filter_map(|checked| Some((checked, checked.absence()?)));
    let lines: Vec<String> = absent
        .map(|(checked, why)| {
            format!(
                "- {}: {}\n",
                checked.student.name,
                why.lines().next().unwrap_or_default()
            )
        })
        .collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!("\nDid not play:\n\n{}", lines.concat()),
    }
}
