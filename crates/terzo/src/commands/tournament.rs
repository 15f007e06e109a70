//! `terzo tournament`

use super::match_::{at_once, points_as_json, replaced_as_json};
use super::on::On;
use crate::{interrupt, limits, output, progress};
use anyhow::{Context, bail};
use arena::contest::Control;
use arena::mistakes::{Mistakes, judge_all};
use arena::pair::Openings;
use arena::plan::{Contender, Entrant, Format, OpeningPlan, Plan, PlanError, named_apart};
use arena::report::{Report, Tested};
use arena::standings::{Score, Standings};
use arena::stats::pairs::{Estimate, compare};
use arena::stats::sprt::Sprt;
use arena::store::Store;
use arena::tally::Times;
use arena::terms::{Terms, TimeControl, duration};
use arena::tournament::{self, Outcome, Pairs};
use clap::ValueEnum;
use link::ugi;
use players::{Playable, Recipe, Spec, WithGame, with_game};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
#[command(
    after_help = "Everybody meets everybody in pairs of games: the same opening, the seats swapped. Every pair is written into the\nrecords when it ends; killed at any moment, the same command goes on where it was. More --rounds go on with the same\ntournament; another --seed is another one.\n\nA plan file holds the same in TOML: game, players, rounds, format, seed, time, margin, patience, max-turns,\nconcurrency, openings = { plies = 2 } or { file = \"positions.txt\" }, sprt = { elo0 = 0, elo1 = 10 }. A player is a\nspec, { name, spec }, or an engine: { cmd, args, dir, env, options, start, name }.\n\nExamples:\n  terzo tournament --game quarto --players novice random 'engine:python3 examples/player.py' --rounds 50\n  terzo tournament evening.toml --report evening\n  terzo tournament --game quarto --players novice random --time move=100ms --plies 2 --sprt elo0=0 elo1=10\n  terzo tournament evening.toml --on nats://127.0.0.1:4222     (and `terzo worker --on ...` on any number of machines)"
)]
pub struct Tournament {
    /// A plan in TOML
    #[arg(required_unless_present = "game", conflicts_with_all = ["game", "players"])]
    file: Option<PathBuf>,
    /// The game
    #[arg(long, requires = "players")]
    game: Option<String>,
    /// Who plays; `terzo players` lists them, `engine:COMMAND` is a program of yours
    #[arg(long, value_name = "PLAYER", num_args = 2..)]
    players: Vec<String>,
    /// How many pairs each two who meet play [default: 50]
    #[arg(long, value_name = "N")]
    rounds: Option<u64>,
    /// Who meets whom [default: round-robin]
    #[arg(long, value_enum)]
    format: Option<Meetings>,
    /// What all chance is drawn from [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// none, move=100ms, game=10s+100ms, nodes=5000 or depth=4 [default: none]
    #[arg(long, value_name = "CONTROL")]
    time: Option<TimeControl>,
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
    /// A test that ends it early: elo0=0 elo1=10, and perhaps alpha=0.05 beta=0.05
    #[arg(long, value_name = "KEY=VALUE", num_args = 2..=4)]
    sprt: Vec<String>,
    /// How many games at once; one a core if left out
    #[arg(long, value_name = "K", value_parser = limits::threads())]
    concurrency: Option<usize>,
    /// What to call it
    #[arg(long)]
    name: Option<String>,
    /// The file of the records
    #[arg(long, value_name = "FILE", default_value = "terzo.db")]
    db: PathBuf,
    /// Count mistakes against perfect play, in at most so many pairs
    #[arg(long, value_name = "PAIRS", num_args = 0..=1, default_missing_value = "1000")]
    mistakes: Option<usize>,
    /// Write NAME.md and NAME.html
    #[arg(long, value_name = "NAME")]
    report: Option<PathBuf>,
    #[command(flatten)]
    on: On,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Meetings {
    /// Everybody meets everybody
    RoundRobin,
    /// The first meets everybody else
    Gauntlet,
}

impl Tournament {
    pub fn run(self) -> anyhow::Result<()> {
        let plan = self.plan()?;
        let name = plan.game.clone();
        with_game(&name, Played { command: self, plan })?
    }

    /// The plan of the file or of the command line; what the command line says beside a file counts.
    fn plan(&self) -> anyhow::Result<Plan> {
        let usage = |place: &str, why: String| PlanError {
            place: place.into(),
            why,
        };
        let mut plan = match (&self.file, &self.game) {
            (Some(path), _) => {
                let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
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
            (None, None) => bail!("expected a plan file or --game"),
        };
        let time = |place: &str, text: &str| {
            duration(text).ok_or_else(|| usage(place, format!("expected a time such as 100ms or 2s, not {text:?}")))
        };
        if let Some(text) = &self.margin {
            plan.terms.margin = time("--margin", text)?;
        }
        if let Some(text) = &self.patience {
            plan.terms.patience = time("--patience", text)?;
        }
        plan.terms.control = self.time.unwrap_or(plan.terms.control);
        plan.terms.max_turns = self.max_turns.or(plan.terms.max_turns);
        plan.rounds = self.rounds.unwrap_or(plan.rounds);
        plan.seed = self.seed.unwrap_or(plan.seed);
        plan.concurrency = self.concurrency.unwrap_or(plan.concurrency);
        plan.name = self.name.clone().unwrap_or(plan.name);
        match self.format {
            Some(Meetings::RoundRobin) => plan.format = Format::RoundRobin,
            Some(Meetings::Gauntlet) => plan.format = Format::Gauntlet,
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
            plan.openings = OpeningPlan::File(path.clone());
        }
        if !self.sprt.is_empty() {
            plan.sprt = Some(read_sprt(&self.sprt).map_err(|why| usage("--sprt", why))?);
        }
        plan.check().map_err(|why| usage("tournament", why))?;
        Ok(plan)
    }
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

struct Played {
    command: Tournament,
    plan: Plan,
}

impl WithGame for Played {
    type Output = anyhow::Result<()>;

    fn run<G: Playable>(self, start: G) -> Self::Output {
        let Played { command, plan } = self;
        // What is wrong with the plan is said before any file is made.
        let pairs = pairs(&start, &plan, None)?;
        let mut store = Store::open(&command.db)?;
        let outcome = play(pairs, &mut store, &command.on)?;
        let mut report = report(&plan, &outcome);
        if let Some(most) = command.mistakes.filter(|_| !interrupt::has_come()) {
            report.mistakes = Some(mistakes(&start, &store, outcome.id, plan.players.len(), most)?);
        }
        if let Some(name) = &command.report {
            write_report(&report, name)?;
        }
        if command.json {
            let mut json = as_json(outcome.id, &plan, &outcome.standings, Some(&outcome));
            mistakes_as_json(&mut json, report.mistakes.as_deref());
            output::print_json(&json)?;
            return Ok(interrupt::unless_come()?);
        }
        output::print(&report.markdown())?;
        output::print(&format!(
            "Tournament {} in {}; `terzo records show {}` shows it again.\n",
            outcome.id,
            command.db.display(),
            outcome.id
        ))?;
        Ok(interrupt::unless_come()?)
    }
}

/// All that a plan needs to be played: its players and its openings, found before anything is begun. Positions to begin from
/// are read from the plan's file, if they are not there already.
pub fn pairs<G: Playable>(start: &G, plan: &Plan, positions: Option<Vec<String>>) -> anyhow::Result<Pairs<G>> {
    let recipes: Vec<Recipe<G>> = plan.players.iter().map(recipe).collect::<anyhow::Result<_>>()?;
    if recipes.iter().any(|recipe| recipe.spec.as_program().is_some()) {
        ugi::check(start)?;
    }
    let openings = match positions {
        Some(lines) => read_positions(start, "the positions", lines.iter().map(String::as_str))?,
        None => openings(start, plan)?,
    };
    Ok(Pairs::new(start.clone(), plan.clone(), recipes, openings)?)
}

/// Has played what is missing, with a live display.
pub fn play<G: Playable>(pairs: Pairs<G>, store: &mut Store, on: &On) -> anyhow::Result<Outcome> {
    let control = Control::under(&interrupt::sign()?);
    let plan = pairs.plan();
    let names: Vec<String> = plan.players.iter().map(|player| player.name.clone()).collect();
    // What is reported while nobody listens is for these records and no others.
    let specs: Vec<Spec> = plan
        .players
        .iter()
        .filter_map(|player| player.spec().parse().ok())
        .collect();
    let threads = at_once(&specs, plan.concurrency)?;
    let mut hired = on.hire(threads, &["tournament", &store.identity()?, &plan.key()])?;
    let mut board = progress::Board::new(names, hired.crew);
    let outcome = tournament::run(
        &Arc::new(pairs),
        hired.queue.as_mut(),
        store,
        &control,
        &mut |progress| {
            board.show(progress);
        },
    );
    board.clear();
    Ok(outcome?)
}

/// A player of the plan.
fn recipe<G: Playable>(entrant: &Entrant) -> anyhow::Result<Recipe<G>> {
    match &entrant.player {
        Contender::Spec(spec) => Ok(link::recipe(spec)?),
        Contender::Engine(table) => {
            let mut command = ugi::Command::new(&table.cmd, table.args.clone());
            command.folder = table.dir.clone();
            command.environment = table.env.clone();
            command.options = table.options.clone();
            command.start = table.start.as_deref().and_then(duration).unwrap_or(command.start);
            let spec = Spec::engine(entrant.spec().trim_start_matches("engine:"));
            let made = ugi::engine_recipe(spec, command);
            Ok(made.with_context(|| format!("player {}", entrant.name))?)
        }
    }
}

fn openings<G: Playable>(start: &G, plan: &Plan) -> anyhow::Result<Openings<G>> {
    let path = match &plan.openings {
        OpeningPlan::Start => return Ok(Openings::Plies(0)),
        OpeningPlan::Plies(plies) => return Ok(Openings::Plies(*plies)),
        OpeningPlan::File(path) => path,
    };
    let text = std::fs::read_to_string(path).with_context(|| format!("{}", path.display()))?;
    read_positions(start, &path.display().to_string(), text.lines())
}

/// Positions to begin from, a line each.
fn read_positions<'t, G: Playable>(
    start: &G,
    from: &str,
    lines: impl Iterator<Item = &'t str>,
) -> anyhow::Result<Openings<G>> {
    let mut positions = Vec::new();
    for (number, line) in lines.enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = || format!("{from}, line {number}");
        let position = start.parse(line).with_context(place)?;
        if position.outcome().is_some() {
            bail!("{}: the game is already over", place());
        }
        positions.push(position);
    }
    if positions.is_empty() {
        bail!("{from}: expected a position a line, found none");
    }
    Ok(Openings::Positions(positions))
}

/// Mistakes against the truth in the games of a tournament, player by player.
pub fn mistakes<G: Playable>(
    start: &G,
    store: &Store,
    id: i64,
    players: usize,
    most: usize,
) -> anyhow::Result<Vec<Mistakes>> {
    let Some(truth) = start.truth() else {
        bail!("nobody knows the truth about this game: mistakes cannot be counted");
    };
    let mut pairs = Vec::new();
    store.each_pair(id, |pair| pairs.push(pair))?;
    Ok(judge_all(start, &pairs, most, truth.as_ref(), players)?)
}

/// Adds mistakes to a tournament's JSON, player by player.
pub fn mistakes_as_json(json: &mut Value, mistakes: Option<&[Mistakes]>) {
    for (i, player) in mistakes.unwrap_or(&[]).iter().enumerate() {
        let phases: Vec<Value> = player
            .phases
            .iter()
            .map(|(phase, counts)| {
                json!({
                    "placed": phase, "turns": counts.turns, "judged": counts.judged, "mistakes": counts.mistakes,
                })
            })
            .collect();
        json["players"][i]["mistakes"] = json!({
            "games": player.games, "per_game": player.per_game(), "judged": player.judged(), "phases": phases,
        });
    }
}

/// What is reported of a tournament that was played.
pub fn report<'a>(plan: &'a Plan, outcome: &'a Outcome) -> Report<'a> {
    Report {
        title: &plan.name,
        game: &plan.game,
        terms: terms_in_words(plan),
        names: plan.players.iter().map(|player| player.name.clone()).collect(),
        standings: &outcome.standings,
        sprt: plan.sprt.map(|sprt| Tested {
            sprt,
            decided: outcome.decided,
            all: outcome.drained.unwrap_or(0.0),
        }),
        mistakes: None,
        run: Some((outcome.played, outcome.took)),
    }
}

/// Writes NAME.md and NAME.html.
pub fn write_report(report: &Report, name: &Path) -> anyhow::Result<()> {
    for (ending, text) in [("md", report.markdown()), ("html", report.html())] {
        let mut path = name.as_os_str().to_owned();
        path.push(format!(".{ending}"));
        std::fs::write(&path, text).with_context(|| format!("{}", Path::new(&path).display()))?;
    }
    Ok(())
}

pub fn terms_in_words(plan: &Plan) -> String {
    let clock = match plan.terms.control {
        TimeControl::None => "no clock".to_string(),
        control => format!("clock {control}"),
    };
    let openings = match &plan.openings {
        OpeningPlan::Start => "from the first position".to_string(),
        OpeningPlan::Plies(plies) => format!("after {plies} random turns"),
        OpeningPlan::File(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("from the positions in {name}")
        }
    };
    format!("{clock}, {openings}, seed {}", plan.seed)
}

/// A tournament as JSON.
pub fn as_json(id: i64, plan: &Plan, standings: &Standings, outcome: Option<&Outcome>) -> Value {
    let ratings = standings.ratings();
    let estimate = |e: &Estimate| json!({"value": e.value, "low": e.low, "high": e.high});
    let score = |s: &Score| json!({"wins": s.wins, "draws": s.draws, "losses": s.losses});
    let times = |t: &Times| json!({"avg": t.mean_ms(), "max": t.most_ms()});
    let seconds = standings.seconds();
    let players: Vec<Value> = (plan.players.iter().zip(&standings.players).zip(&ratings))
        .map(|((player, standing), rating)| {
            let total = standing.score();
            let forfeits: serde_json::Map<String, Value> = arena::referee::Kind::ALL
                .into_iter()
                .filter(|kind| standing.forfeits[*kind as usize] > 0)
                .map(|kind| (kind.word().into(), standing.forfeits[kind as usize].into()))
                .collect();
            json!({
                "name": player.name, "spec": player.spec(), "points": total.points(), "games": total.games(),
                "wins": total.wins, "draws": total.draws, "losses": total.losses, "elo": estimate(rating),
                "seats": standing.seats.iter().map(score).collect::<Vec<_>>(), "forfeits": forfeits,
                "game_points": points_as_json(&standing.points),
                "replaced": replaced_as_json(&standing.times.replaced, standing.died()),
                "turns_avg": standing.turns as f64 / total.games().max(1) as f64,
                "seconds": standing.seconds(),
                "time_share": if seconds > 0.0 { standing.seconds() / seconds } else { 0.0 },
                "place_ms": times(&standing.times.place), "give_ms": times(&standing.times.give),
            })
        })
        .collect();
    let duels: Vec<Value> = standings
        .duels
        .iter()
        .map(|duel| {
            let c = compare(&duel.pairs);
            json!({
                "first": plan.players[duel.first].name, "second": plan.players[duel.second].name,
                "score": score(&duel.score()), "seats": duel.seats.iter().map(score).collect::<Vec<_>>(),
                "pairs": duel.pairs, "elo": estimate(&c.elo), "normalized_elo": estimate(&c.normalized),
                "superiority": c.superiority, "turns": duel.turns,
            })
        })
        .collect();
    let mut all = json!({
        "id": id, "name": plan.name, "game": plan.game, "seed": plan.seed, "pairs": standings.pairs,
        "games": standings.games(), "players": players, "duels": duels,
    });
    if let Some(outcome) = outcome {
        all["played"] = outcome.played.into();
        all["seconds"] = outcome.took.as_secs_f64().into();
        if let Some(drained) = outcome.drained {
            all["sprt"] = json!({
                "decision": outcome.decided.map_or("undecided".into(), |(_, decision)| decision.to_string()),
                "llr_at_stop": outcome.decided.map(|(ratio, _)| ratio), "llr": drained,
            });
        }
    }
    all
}
