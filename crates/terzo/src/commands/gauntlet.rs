//! `terzo gauntlet`

use super::limited::{self, EngineLimits};
use super::match_::at_once;
use super::match_score::MatchScore;
use crate::{interrupt, limits, output, progress, registry};
use arena::contest::Contest;
use arena::control::Control;
use arena::gauntlet::{self, GauntletMatch};
use arena::terms::{ResourceLimits, Terms, TimeControl};
use arena::unrecorded::MatchPlan;
use games::ContestSetup;
use player::Spec;
use serde_json::{Value, json};
use std::sync::Arc;

#[derive(clap::Args)]
#[command(
    after_help = "The player meets every opponent in every game: the games of two in pairs with the seats swapped. Of a game with more seats the opponent takes all others, and a puzzle is tried by the player alone. `{game}` in the command of an engine is the game, so that one command serves for all. Told are the share of the points, the difference in Elo and their 95 % intervals, by game and of all games together.\n\nExamples:\n  terzo gauntlet general loisel montecarlo --time move=200ms\n  terzo gauntlet general:threads=1 \\\n    'engine:terzo ugi {game} --player general:threads=1' \\\n    --games breakthrough,connectfour,gdl:mygame.kif \\\n    -n 10 --plies 2 --time move=1s"
)]
pub struct GauntletArgs {
    /// Who is to be judged; `terzo players GAME` lists them
    player: String,
    /// Whom it meets
    #[arg(value_name = "OPPONENT", required = true)]
    opponents: Vec<String>,
    /// The games, with commas between them; all bundled rule sheets if left out
    #[arg(long, value_name = "GAMES", value_delimiter = ',')]
    games: Vec<String>,
    /// How many games of each, with each opponent
    #[arg(short = 'n', long = "rounds", value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// What all chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What limits thinking: none, move=100ms, game=10s+100ms, nodes=5000 or depth=4
    #[arg(long, value_name = "T", default_value = "move=1s")]
    time: TimeControl,
    /// After so many turns a game is adjudicated a draw
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: Option<u32>,
    /// So many random moves are made before the players are asked, the same ones in both games of a pair
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=100))]
    plies: u32,
    /// How many games at once; one a core if left out
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = limits::threads())]
    jobs: usize,
    #[command(flatten)]
    limits: EngineLimits,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// A match of the gauntlet.
struct GauntletMatchup {
    game: String,
    opponent: String,
    /// How many are at the table; alone, there is nobody to compare with.
    seats: usize,
    contest: Arc<dyn Contest>,
}

impl GauntletArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let limits = self.limits.or(ResourceLimits::default());
        limited::warn_of_gaps(&limits);
        limited::warn_of_crowding(self.jobs, self.time);
        let rows = self.rows(limits)?;
        let everybody = self.opponents.iter().chain([&self.player]);
        let specs: Vec<Spec> = everybody.filter_map(|spec| spec.parse().ok()).collect();
        let plan = MatchPlan {
            games: self.rounds,
            seed: self.seed,
            jobs: at_once(&specs, self.jobs)?,
            terms: Terms {
                control: self.time,
                max_turns: self.max_turns,
                limits,
                ..Terms::default()
            },
        };
        let contests: Vec<Arc<dyn Contest>> = rows.iter().map(|row| row.contest.clone()).collect();
        let control = Control::under(&interrupt::sign()?);
        let games = plan.games * rows.len() as u64;
        let done = progress::watch(games, &control, || gauntlet::play(&contests, &plan, &control, |_| ()))??;
        if self.json {
            output::print_json(&self.as_json(&rows, &done))?;
        } else {
            output::print(&self.as_text(&rows, &done))?;
        }
        Ok(interrupt::unless_come()?)
    }

    /// Every game with every opponent; a puzzle once.
    fn rows(&self, limits: ResourceLimits) -> anyhow::Result<Vec<GauntletMatchup>> {
        let bundled = || games::sheets().map(|info| info.name.to_string()).collect();
        let games: Vec<String> = if self.games.is_empty() {
            bundled()
        } else {
            self.games.clone()
        };
        let mut rows = Vec::new();
        for name in games {
            let game = registry::find(&name)?;
            let seats = game.seats();
            for opponent in self.opponents.iter().take(if seats == 1 { 1 } else { usize::MAX }) {
                let others = std::iter::repeat_n(opponent, seats - 1);
                let specs: Vec<String> = std::iter::once(&self.player)
                    .chain(others)
                    .map(|spec| spec.replace("{game}", &name))
                    .collect();
                let setup = ContestSetup::of_specs(&specs)
                    .after_random_turns(self.plies)
                    .within(limits);
                rows.push(GauntletMatchup {
                    contest: game.contest(&setup)?,
                    game: name.clone(),
                    opponent: if seats == 1 { "alone".into() } else { opponent.clone() },
                    seats,
                });
            }
        }
        Ok(rows)
    }

    /// The matches with each opponent, together.
    fn totals<'r>(&self, rows: &'r [GauntletMatchup], done: &[GauntletMatch]) -> Vec<(&'r str, MatchScore, f64)> {
        let mut totals = Vec::new();
        for opponent in &self.opponents {
            let own = || rows.iter().zip(done).filter(|(row, _)| row.opponent == *opponent);
            let scores: Vec<MatchScore> = own().map(|(row, done)| MatchScore::of(row.seats, done)).collect();
            let lowest = scores.iter().map(|one| one.share).fold(1.0, f64::min);
            if let Some((row, _)) = own().next() {
                totals.push((row.opponent.as_str(), MatchScore::mean(&scores), lowest));
            }
        }
        totals
    }

    fn as_json(&self, rows: &[GauntletMatchup], done: &[GauntletMatch]) -> Value {
        let one = |(row, done): (&GauntletMatchup, &GauntletMatch)| {
            let mut all = MatchScore::of(row.seats, done).as_json();
            let first = done.tally.players.first();
            all["game"] = json!(row.game);
            all["opponent"] = json!(row.opponent);
            all["pairs"] = json!(done.pairs);
            all["forfeits"] = json!(first.map(|first| first.forfeits));
            all["forfeits_of_opponents"] = json!(
                done.tally
                    .players
                    .iter()
                    .skip(1)
                    .map(|player| player.forfeits)
                    .sum::<u64>()
            );
            all["turns_avg"] = json!(done.tally.turns_avg());
            all["first_fault"] = json!(done.tally.first_fault);
            all
        };
        let total = |(opponent, score, lowest): (&str, MatchScore, f64)| {
            let mut all = score.as_json();
            all["opponent"] = json!(opponent);
            all["lowest_share"] = json!(lowest);
            all
        };
        json!({
            "player": self.player,
            "seed": self.seed,
            "time": self.time.to_string(),
            "plies": self.plies,
            "matches": rows.iter().zip(done).map(one).collect::<Vec<_>>(),
            "totals": self.totals(rows, done).into_iter().map(total).collect::<Vec<_>>(),
        })
    }

    fn as_text(&self, rows: &[GauntletMatchup], done: &[GauntletMatch]) -> String {
        let (player, seed, time) = (&self.player, self.seed, self.time);
        let mut text = format!("{player}, {time}, seed {seed}\n");
        let width = rows
            .iter()
            .map(|row| row.game.len())
            .max()
            .unwrap_or(0)
            .max("all together".len());
        for opponent in self.opponents.iter().map(String::as_str).chain(["alone"]) {
            let mut own = rows
                .iter()
                .zip(done)
                .filter(|(row, _)| row.opponent == opponent)
                .peekable();
            if own.peek().is_none() {
                continue;
            }
            text += &format!(
                "\n{}\n{:width$}  {:>5}  {:>4} {:>4} {:>4}  {:<22}  {}\n",
                if opponent == "alone" {
                    "alone".into()
                } else {
                    format!("against {opponent}")
                },
                "game",
                "games",
                "won",
                "drew",
                "lost",
                "points (95 %)",
                "Elo (95 %)"
            );
            for (row, done) in own {
                let score = MatchScore::of(row.seats, done);
                let counts = match (row.seats, done.tally.players.first()) {
                    (2, Some(first)) => [first.wins, first.draws, first.losses].map(|count| count.to_string()),
                    _ => ["", "", ""].map(String::from),
                };
                let elo = if row.seats == 2 { score.elo() } else { String::new() };
                text += format!(
                    "{:width$}  {:>5}  {:>4} {:>4} {:>4}  {:<22}  {elo}",
                    row.game,
                    score.games,
                    counts[0],
                    counts[1],
                    counts[2],
                    score.points()
                )
                .trim_end();
                text += "\n";
                if let Some(fault) = &done.tally.first_fault {
                    let forfeits: u64 = done.tally.players.iter().map(|player| player.forfeits).sum();
                    text += &format!("{:width$}  {forfeits} forfeited; the first: {fault}\n", "");
                }
            }
            if let Some((_, total, lowest)) = self.totals(rows, done).into_iter().find(|total| total.0 == opponent) {
                text += &format!(
                    "{:width$}  {:>5}  {:>14}  {:<22}  lowest {:.1} %\n",
                    "all together",
                    total.games,
                    "",
                    total.points(),
                    100.0 * lowest
                );
            }
        }
        text
    }
}
