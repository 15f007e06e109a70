//! `terzo match`

use super::adjudicate::Adjudicate;
use super::limited::{self, EngineLimits};
use crate::{interrupt, limits, output, progress, registry};
use arena::adjudication::Adjudication;
use arena::control::Control;
use arena::report::{PointResults, ReplacedResults, TimeResults};
use arena::stats::wilson;
use arena::tally::{PlayerTally, Tally, Times};
use arena::terms::{ResourceLimits, Terms, TimeControl};
use arena::unrecorded;
use games::ContestSetup;
use player::Spec;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
#[command(
    after_help = "Games come in pairs with the seats swapped. A game for any other number than two takes a player a seat; they move up one seat from game to game, and the mean of what each got is told. The same seed gives the same games on any number of threads, and in a tournament. Where no player looks at its clock, one pair in 32 is timed. Ctrl-C ends the match at once and reports the games that had ended.\n\nExamples:\n  terzo match quarto novice random\n  terzo match quarto-torus-misere novice random -n 100000 --seed 7 --json\n  terzo match connectfour general:time=200ms loisel:time=200ms -n 10\n  terzo match trio general loisel montecarlo -n 3\n  terzo match gdl:mygame.kif general random -n 10\n  terzo match quarto novice 'engine:python3 examples/player.py' -n 20 \\\n    --log talk --limits memory=512M,cpu=30s,processes=8 --sandbox"
)]
pub struct MatchArgs {
    /// The game; `terzo games` lists them
    game: String,
    /// The players, one a seat; `terzo players GAME` lists them
    #[arg(value_name = "PLAYER", num_args = 1..=game::MAX_SEATS, required = true)]
    players: Vec<String>,
    /// How many games
    #[arg(short = 'n', long = "games", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// What all chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What limits thinking: none, move=100ms, game=10s+100ms, game=40/60s, nodes=5000 or depth=4
    #[arg(long, value_name = "T", default_value_t = TimeControl::None)]
    time: TimeControl,
    /// After so many turns a game is adjudicated a draw; some rule sheets have games without end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
    /// How many threads; one a core if left out
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = limits::threads())]
    jobs: usize,
    /// Write the whole conversation with every engine into this folder, a file a game
    #[arg(long, value_name = "DIR")]
    log: Option<PathBuf>,
    #[command(flatten)]
    adjudicate: Adjudicate,
    #[command(flatten)]
    limits: EngineLimits,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// Programs of the course that all want the same port play one game at a time.
pub fn at_once<'s>(specs: impl IntoIterator<Item = &'s Spec>, jobs: usize) -> anyhow::Result<usize> {
    let fixed = specs.into_iter().find_map(|spec| match spec.as_program() {
        Some(("course", command)) if !command.contains("{port}") => Some(command.to_owned()),
        _ => None,
    });
    let Some(command) = fixed else {
        return Ok(jobs);
    };
    course::port_is_free()?;
    if jobs != 1 {
        output::say(&format!(
            "one game at a time, since `{command}` always takes port {}; with {{port}} in the command it gets one of its own",
            course::PORT
        ));
    }
    Ok(1)
}

impl MatchArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let (limits, log) = (
            self.limits.or(ResourceLimits::default()),
            limited::open_log(self.log.as_deref(), self.players.clone())?,
        );
        let adjudication = self.adjudicate.or(Adjudication::default());
        let setup = ContestSetup::of_specs(&self.players)
            .within(limits)
            .knowing(adjudication.exact.is_some())
            .logging(log.clone());
        let contest = registry::find(&self.game)?.contest(&setup)?;
        limited::warn_of_gaps(&limits);
        limited::warn_of_crowding(self.jobs, self.time);
        let specs: Vec<Spec> = self.players.iter().filter_map(|spec| spec.parse().ok()).collect();
        let plan = unrecorded::MatchPlan {
            games: self.games,
            seed: self.seed,
            jobs: at_once(&specs, self.jobs)?,
            terms: Terms {
                control: self.time,
                max_turns: self.max_turns,
                adjudication,
                limits,
                ..Terms::default()
            },
        };
        let control = Control::under(&interrupt::sign()?);
        let began = Instant::now();
        let tally = progress::watch(plan.games, &control, || unrecorded::play(&contest, &plan, &control))??;
        let rate = tally.games as f64 / began.elapsed().as_secs_f64();
        let for_two = contest.seats() == 2;
        match (self.json, for_two) {
            (true, true) => output::print_json(&self.as_json(&tally, rate))?,
            (true, false) => output::print_json(&self.payoffs_as_json(&tally, rate))?,
            (false, true) => output::print(&self.as_text(&tally, rate))?,
            (false, false) => output::print(&self.payoffs_as_text(&tally, rate))?,
        }
        limited::warn_of_log(log.as_deref());
        Ok(interrupt::unless_come()?)
    }
}

/// What is told of forfeited games: how many, why the first was lost, and what the program wrote beside it.
fn faults(tally: &Tally) -> String {
    let Some(fault) = &tally.first_fault else {
        return String::new();
    };
    let forfeits: u64 = tally.players.iter().map(|score| score.forfeits).sum();
    let mut text = format!("{forfeits} games were forfeited; the first: {fault}\n");
    if let Some(stderr) = tally.first_stderr.as_deref().filter(|stderr| !stderr.is_empty()) {
        text += "it wrote to standard error:\n";
        stderr.lines().for_each(|line| text += &format!("  {line}\n"));
    }
    text
}

impl MatchArgs {
    fn as_json(&self, tally: &Tally, rate: f64) -> Value {
        let times = |times: &Times| TimeResults::from(times);
        let player = |(spec, score): (&String, &PlayerTally)| {
            json!({
                "spec": spec,
                "wins": score.wins,
                "losses": score.losses,
                "draws": score.draws,
                "forfeits": score.forfeits,
                "place_ms": times(&score.times.place),
                "give_ms": times(&score.times.give),
                "points": PointResults::of(&score.points),
                "replaced": ReplacedResults::of(&score.times.replaced, score.died),
            })
        };
        let mut all = self.counted(tally, rate, player);
        all["seats"] = json!(tally.seat_wins.map(|wins| json!({"wins": wins})));
        all["draws"] = json!(tally.draws());
        all
    }

    /// What is told of a match of any number of seats, each player in its own way.
    fn counted(&self, tally: &Tally, rate: f64, player: impl Fn((&String, &PlayerTally)) -> Value) -> Value {
        json!({
            "game": self.game,
            "seed": self.seed,
            "games": tally.games,
            "turns_avg": tally.turns_avg(),
            "games_per_second": rate,
            "first_fault": tally.first_fault,
            "first_fault_stderr": tally.first_stderr,
            "players": self.players.iter().zip(&tally.players).map(player).collect::<Vec<_>>(),
        })
    }

    /// How wide the column of the players' names is.
    fn name_width(&self) -> usize {
        let names = self.players.iter().map(String::len);
        names.max().unwrap_or(0).max("player".len())
    }

    fn as_text(&self, tally: &Tally, rate: f64) -> String {
        let width = self.name_width();
        let mut text = format!(
            "{}, {} games, seed {}: {:.2} turns a game, {rate:.0} games a second\n\n",
            self.game,
            tally.games,
            self.seed,
            tally.turns_avg()
        );
        text += &format!(
            "{:width$}  {:>8} {:>8} {:>8}  {:^27}  {:^19}  {:^19}\n",
            "player", "wins", "losses", "draws", "wins, 95 % interval", "place ms, mean max", "give ms, mean max"
        );
        for (spec, score) in self.players.iter().zip(&tally.players) {
            let share = 100.0 * score.wins as f64 / tally.games.max(1) as f64;
            let (low, high) = wilson(score.wins, tally.games);
            let interval = format!("{share:.2} % ({:.2} to {:.2})", 100.0 * low, 100.0 * high);
            let times = |times: &Times| format!("{:>9.4} {:>9.3}", times.mean_ms(), times.most_ms());
            text += &format!(
                "{spec:width$}  {:>8} {:>8} {:>8}  {interval:^27}  {}  {}\n",
                score.wins,
                score.losses,
                score.draws,
                times(&score.times.place),
                times(&score.times.give),
            );
        }
        let seats = tally.seat_wins;
        text += &format!(
            "\nseat 1 won {}, seat 2 won {}, draws {}\n",
            seats[0],
            seats[1],
            tally.draws()
        );
        for (spec, score) in self.players.iter().zip(&tally.players) {
            let (points, replaced) = (&score.points, &score.times.replaced);
            if points.games > 0 {
                let (made, allowed, ahead) = (points.made, points.allowed, points.difference());
                text += &format!("{spec}: points {made}:{allowed}, difference {ahead:+}\n");
            }
            if replaced.late + replaced.illegal + score.died > 0 && spec.starts_with("course:") {
                text += &format!(
                    "{spec}: moves replaced, {} late, {} illegal; died in {} games\n",
                    replaced.late, replaced.illegal, score.died
                );
            }
        }
        text + &faults(tally)
    }

    /// What a match of any number of seats came to.
    fn payoffs_as_json(&self, tally: &Tally, rate: f64) -> Value {
        let player = |(spec, player): (&String, &PlayerTally)| {
            json!({
                "spec": spec,
                "payoff_avg": player.payoffs().mean(),
                "payoff_half_width": player.payoffs().half_width(),
                "seats": player.seats.iter().map(|seat| json!({"payoff_avg": seat.mean()})).collect::<Vec<_>>(),
                "forfeits": player.forfeits,
                "move_ms": {"avg": player.times.place.mean_ms(), "max": player.times.place.most_ms()},
            })
        };
        self.counted(tally, rate, player)
    }

    fn payoffs_as_text(&self, tally: &Tally, rate: f64) -> String {
        let width = self.name_width();
        let mut text = format!(
            "{}, {} games, seed {}: {:.2} turns a game, {rate:.1} games a second\n\n{:width$}  {:^26}  {:^19}  on each seat\n",
            self.game,
            tally.games,
            self.seed,
            tally.turns_avg(),
            "player",
            "payoff, 95 % interval",
            "move ms, mean max"
        );
        for (spec, score) in self.players.iter().zip(&tally.players) {
            let payoffs = score.payoffs();
            let mean = payoffs.mean();
            let payoff = match payoffs.half_width() {
                Some(half) => format!("{mean:.2} ({:.2} to {:.2})", mean - half, mean + half),
                None => format!("{mean:.2}"),
            };
            let seats: Vec<String> = score.seats.iter().map(|seat| format!("{:.1}", seat.mean())).collect();
            let times = format!(
                "{:>9.3} {:>9.2}",
                score.times.place.mean_ms(),
                score.times.place.most_ms()
            );
            text += &format!("{spec:width$}  {payoff:^26}  {times}  {}\n", seats.join(" "));
        }
        text + &faults(tally)
    }
}
