//! `terzo tournament`

mod results;
mod table;

pub use results::{mistakes, report, terms_in_words};
pub use table::{OnFailure, RunOptions, logged_pairs, pairs, play};

use super::adjudicate::Adjudicate;
use super::limited::{self, EngineLimits};
use super::on::On;
use crate::output::say;
use crate::usage::usage;
use crate::{files, interrupt, limits, output, registry};
use anyhow::bail;
use arena::plan::{Entrant, Format, OpeningFile, OpeningOrder, OpeningPlan, Plan, PlanError, named_apart};
use arena::report::TournamentResults;
use arena::stats::sprt::Sprt;
use arena::store::Store;
use arena::terms::{Terms, TimeControl, duration};
use arena::tournament::TournamentOutcome;
use clap::ValueEnum;
use games::AnyGame;
use results::ReportFiles;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args)]
#[command(
    after_help = "Everybody meets everybody in pairs of games: the same opening, the seats swapped. Every pair is written into the records when it ends; killed at any moment, the same command goes on where it was. More --rounds go on with the same tournament; another --seed is another one.\n\nA plan file holds the same in TOML: game, players, rounds, format, seed, time, margin, patience, max-turns, resign = \"score=600,moves=3\", draw = \"from=20,moves=4,score=10\", exact = 10, limits, concurrency, openings = { plies = 2 } or { file = \"positions.txt\", order = \"random\", start = 1 }, sprt = { elo0 = 0, elo1 = 10 }. A player is a spec, { name, spec, time }, or an engine: { cmd, args, dir, env, options, start, limits, time, name }. Which program plays is told by the digests of its file and of the files that its command names, or by a `version` beside them: a changed one is another player, and begins another tournament.\n\nWith --on the games are played by whoever runs `terzo worker --on` with the same URL, on any number of machines.\n\nExamples:\n  terzo tournament --game quarto --rounds 50 \\\n    --players novice random 'engine:python3 examples/player.py'\n  terzo tournament evening.toml --report evening\n  terzo tournament --game quarto --players novice random \\\n    --time move=100ms --plies 2 --sprt elo0=0 elo1=10 --on-failure stop\n  terzo tournament evening.toml --on nats://127.0.0.1:4222"
)]
pub struct TournamentArgs {
    /// A plan in TOML
    #[arg(required_unless_present = "game", conflicts_with_all = ["game", "players"])]
    file: Option<PathBuf>,
    /// The game
    #[arg(long, requires = "players")]
    game: Option<String>,
    /// Who plays; `terzo players` lists them, `engine:COMMAND` is a program of yours
    #[arg(long, value_name = "PLAYER", num_args = 2..)]
    players: Vec<String>,
    /// How many pairs each two who meet play; the rounds of a Swiss tournament [default: 50; without end if --for is given]
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// End after this time, such as 90s, 30m or 8h, with the pairs that are being played; the same command goes on from there
    #[arg(long = "for", value_name = "TIME", value_parser = long_time)]
    at_most: Option<Duration>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<Meetings>,
    /// What all chance is drawn from [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// none, move=100ms, game=10s+100ms, game=40/60s (so long for 40 moves), nodes=5000 or depth=4 [default: none]
    #[arg(long, value_name = "CONTROL")]
    time: Option<TimeControl>,
    /// A time control of one player's own, by its name in the tables; may be given again for others
    #[arg(long, value_name = "PLAYER=CONTROL")]
    clock: Vec<String>,
    /// How late an answer may be [default: 100ms]
    #[arg(long, value_name = "TIME")]
    margin: Option<String>,
    /// How long to wait for an answer where no clock runs [default: 60s]
    #[arg(long, value_name = "TIME")]
    patience: Option<String>,
    /// After so many turns the game is a draw
    #[arg(long, value_name = "N")]
    max_turns: Option<u32>,
    /// So many random legal turns begin each pair
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// A file of positions to begin from, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "plies")]
    positions: Option<PathBuf>,
    /// In which order these are played [default: sequential]
    #[arg(long, value_enum, requires = "positions")]
    order: Option<OrderArg>,
    /// Which of them comes first, counted from 1
    #[arg(long, value_name = "N", requires = "positions")]
    start: Option<usize>,
    /// A test that ends it early: elo0=0 elo1=10, and perhaps alpha=0.05 beta=0.05
    #[arg(long, value_name = "KEY=VALUE", num_args = 2..=4)]
    sprt: Vec<String>,
    /// How many games at once; one a core if left out
    #[arg(long, value_name = "K", value_parser = limits::threads())]
    concurrency: Option<usize>,
    /// Keep every game, and the programs that play it, on a core of its own
    #[arg(long)]
    pin: bool,
    /// How often to write how it stands where standard error is not a terminal; 0s for never
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = interim_time)]
    interim: Duration,
    /// What to call it
    #[arg(long)]
    name: Option<String>,
    /// The file of the records
    #[arg(long, value_name = "FILE", default_value = "terzo.db")]
    db: PathBuf,
    /// Count mistakes against perfect play, in at most so many pairs
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, default_missing_value = "1000")]
    mistakes: Option<usize>,
    /// What to do when a player crashes, is late or makes an illegal move
    #[arg(long, value_enum, default_value_t)]
    on_failure: OnFailure,
    /// Take changed programs for the same players, and go on with the recorded tournament
    #[arg(long)]
    same_engines: bool,
    /// Write NAME.md and NAME.html
    #[arg(long, value_name = "NAME")]
    report: Option<PathBuf>,
    /// Write the whole conversation with every engine into this folder, a file a game
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    #[command(flatten)]
    adjudicate: Adjudicate,
    #[command(flatten)]
    limits: EngineLimits,
    #[command(flatten)]
    on: On,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum OrderArg {
    /// As they stand in the file
    Sequential,
    /// Shuffled by the seed
    Random,
}

#[derive(Clone, Copy, ValueEnum)]
enum Meetings {
    /// Everybody meets everybody
    RoundRobin,
    /// The first meets everybody else
    Gauntlet,
    /// In every round those meet who have done equally well, for a pair each
    Swiss,
    /// Who loses is out; --rounds pairs decide, and more if they leave two level
    Knockout,
}

impl TournamentArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let game = registry::find(&plan.game)?;
        self.play(game.as_ref(), &plan)
    }

    /// The plan of the file or of the command line; what the command line says beside a file counts.
    fn plan(&self) -> anyhow::Result<Plan> {
        let wrong = |place: &str, why: String| PlanError {
            place: place.into(),
            why,
        };
        let mut plan = match (&self.file, &self.game) {
            (Some(path), _) => {
                let text = files::read(path, Plan::LONGEST as u64)?;
                let folder = path.parent().unwrap_or(Path::new(""));
                Plan::from_toml(&text, &path.display().to_string(), folder)?
            }
            (None, Some(game)) => Plan {
                name: game.clone(),
                game: game.clone(),
                players: named_apart(self.players.iter().map(|spec| Entrant::of_spec(spec)).collect()),
                rounds: 50,
                format: Format::RoundRobin,
                seed: 1,
                terms: Terms::default(),
                openings: OpeningPlan::Start,
                sprt: None,
                concurrency: 0,
            },
            (None, None) => usage!("expected a plan file or --game"),
        };
        let time = |place: &str, text: &str| {
            duration(text).ok_or_else(|| wrong(place, format!("expected a time such as 100ms or 2s, not {text:?}")))
        };
        if let Some(text) = &self.margin {
            plan.terms.margin = time("--margin", text)?;
        }
        if let Some(text) = &self.patience {
            plan.terms.patience = time("--patience", text)?;
        }
        plan.terms.control = self.time.unwrap_or(plan.terms.control);
        plan.terms.max_turns = self.max_turns.or(plan.terms.max_turns);
        plan.terms.adjudication = self.adjudicate.or(plan.terms.adjudication);
        for clock in &self.clock {
            set_clock(&mut plan, clock).map_err(|why| wrong("--clock", why))?;
        }
        // Where only the time ends it, there are always more rounds.
        let rounds = if self.at_most.is_some() { ENDLESS } else { plan.rounds };
        plan.rounds = self.rounds.unwrap_or(rounds);
        plan.terms.limits = self.limits.or(plan.terms.limits);
        plan.seed = self.seed.unwrap_or(plan.seed);
        plan.concurrency = self.concurrency.unwrap_or(plan.concurrency);
        plan.name = self.name.clone().unwrap_or(plan.name);
        match self.format {
            Some(Meetings::RoundRobin) => plan.format = Format::RoundRobin,
            Some(Meetings::Gauntlet) => plan.format = Format::Gauntlet,
            Some(Meetings::Swiss) => plan.format = Format::Swiss,
            Some(Meetings::Knockout) => plan.format = Format::Knockout,
            None => (),
        }
        if let Some(plies) = self.plies {
            plan.openings = if plies == 0 {
                OpeningPlan::Start
            } else {
                OpeningPlan::Plies(plies)
            };
        }
        if let Some(path) = &self.positions {
            plan.openings = OpeningPlan::File(OpeningFile {
                path: path.clone(),
                order: match self.order {
                    Some(OrderArg::Random) => OpeningOrder::Random,
                    Some(OrderArg::Sequential) | None => OpeningOrder::Sequential,
                },
                start: self.start.unwrap_or(1),
            });
        }
        if !self.sprt.is_empty() {
            plan.sprt = Some(read_sprt(&self.sprt).map_err(|why| wrong("--sprt", why))?);
        }
        plan.check().map_err(|why| wrong("tournament", why))?;
        Ok(plan)
    }
}

/// More rounds than anybody will see.
const ENDLESS: u64 = 1_000_000_000;

/// A time between two lines; none is never.
fn interim_time(text: &str) -> Result<Duration, String> {
    duration(text).ok_or_else(|| format!("expected a time such as 10s or 2m, not {text:?}"))
}

/// A time such as 90s, 30m or 8h.
fn long_time(text: &str) -> Result<Duration, String> {
    let hours = text.strip_suffix('h').and_then(|hours| hours.parse::<f64>().ok());
    let minutes = text.strip_suffix('m').and_then(|minutes| minutes.parse::<f64>().ok());
    let seconds = hours
        .map(|hours| 3600.0 * hours)
        .or(minutes.map(|minutes| 60.0 * minutes));
    let time = match seconds {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        None => duration(text),
    };
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| format!("expected a time such as 90s, 30m or 8h, not {text:?}"))
}

/// Gives a player a time control of its own: `NAME=CONTROL`. Names may hold `=` themselves.
fn set_clock(plan: &mut Plan, text: &str) -> Result<(), String> {
    let found = plan.players.iter_mut().find_map(|player| {
        let control = text.strip_prefix(player.name.as_str())?.strip_prefix('=')?;
        Some((player, control))
    });
    let Some((player, control)) = found else {
        let names: Vec<&str> = plan.players.iter().map(|player| player.name.as_str()).collect();
        return Err(format!(
            "expected PLAYER=CONTROL with one of {}, not {text:?}",
            names.join(", ")
        ));
    };
    player.time = Some(control.parse().map_err(|error| format!("{error}"))?);
    Ok(())
}

fn read_sprt(words: &[String]) -> Result<Sprt, String> {
    let mut sprt = Sprt {
        elo0: f64::NAN,
        elo1: f64::NAN,
        alpha: 0.05,
        beta: 0.05,
    };
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let place = match key {
            "elo0" => &mut sprt.elo0,
            "elo1" => &mut sprt.elo1,
            "alpha" => &mut sprt.alpha,
            "beta" => &mut sprt.beta,
            _ => return Err(format!("expected elo0=, elo1=, alpha= or beta=, not {word:?}")),
        };
        *place = value.parse().map_err(|_| format!("expected a number in {word:?}"))?;
    }
    match sprt.elo0.is_nan() || sprt.elo1.is_nan() {
        true => Err("expected elo0= and elo1=".into()),
        false => Ok(sprt),
    }
}

impl TournamentArgs {
    fn play(self, game: &dyn AnyGame, plan: &Plan) -> anyhow::Result<()> {
        // What is wrong with the plan is said before any file is made, and what is wrong with a file before any game.
        if self.log.is_some() && self.on.elsewhere() {
            usage!("--log: conversations are written where the games are played, and with --on that is elsewhere");
        }
        if self.pin && self.on.elsewhere() {
            usage!("--pin: with --on the games are played elsewhere");
        }
        let names = plan.players.iter().map(|player| player.name.clone()).collect();
        let log = limited::open_log(self.log.as_deref(), names)?;
        let pairs = logged_pairs(game, plan, None, log.clone())?.pinned(self.pin);
        self.on.check()?;
        limited::warn_of_gaps(&plan.terms.limits);
        if !self.on.elsewhere() {
            limited::warn_of_crowding(plan.concurrency, plan.terms.control);
        }
        let files = self.report.as_deref().map(ReportFiles::open).transpose()?;
        let mut store = Store::open(&self.db)?;
        table::compare_with_records(&pairs, &mut store, self.same_engines)?;
        let identity = pairs.identity().clone();
        let outcome = play(pairs, &mut store, &self.on, &self.habits())?;
        let mut report = report(plan, &outcome);
        let mut trouble = Ok(());
        if let Some(most) = self.mistakes.filter(|_| !interrupt::has_come()) {
            match mistakes(game, &store, outcome.id, plan.players.len(), most) {
                Ok(found) => report.mistakes = Some(found),
                Err(error) => trouble = Err(error),
            }
        }
        if self.json {
            let results = TournamentResults::new(outcome.id, plan, &outcome.standings).after(&outcome);
            output::print_json(&results.with_mistakes(report.mistakes.as_deref().unwrap_or_default()))?;
        } else {
            output::print(&report.markdown())?;
            output::print(&format!(
                "Tournament {} in {}; `terzo records show {}` shows it again.\n",
                outcome.id,
                self.db.display(),
                outcome.id
            ))?;
        }
        if let Some(files) = files {
            files.write(&report)?;
        }
        limited::warn_of_log(log.as_deref());
        trouble?;
        self.remark(plan, &outcome);
        if !identity.is_empty() {
            let now = table::pairs(game, plan, None)?.identity().clone();
            for difference in now.differences(&identity) {
                say(&format!(
                    "{difference}, since this run began: its games may be of two versions"
                ));
            }
        }
        match (self.on_failure, &outcome.failure) {
            (OnFailure::Stop, Some(failure)) => bail!("stopped by a failure: {failure}"),
            _ => Ok(interrupt::unless_come()?),
        }
    }
}

impl TournamentArgs {
    fn habits(&self) -> RunOptions {
        RunOptions {
            on_failure: self.on_failure,
            at_most: self.at_most,
            interim: Some(self.interim).filter(|time| !time.is_zero()),
        }
    }

    /// What nobody should overlook.
    fn remark(&self, plan: &Plan, outcome: &TournamentOutcome) {
        let pairs = plan.pairs();
        if let Some(champion) = outcome.champion {
            say(&format!("{} has won the knockout", plan.players[champion].name));
        }
        if outcome.played == 0 && outcome.standings.pairs >= pairs {
            say(&format!(
                "nothing new to play: all {pairs} pairs of this plan are in {} as tournament {}, with the same players. More \
                 --rounds go on with it, another --seed begins another",
                self.db.display(),
                outcome.id
            ));
        }
        let forfeits: u64 = outcome.standings.forfeits().iter().map(|(_, count)| count).sum();
        if plan.sprt.is_some() && forfeits > 0 {
            say(&format!(
                "the test counted {forfeits} forfeited games of {} as losses: mend the players before you believe it",
                outcome.standings.games()
            ));
        }
        if let Some(failure) = &outcome.failure {
            say(&format!("the first failure: {failure}"));
        }
    }
}
