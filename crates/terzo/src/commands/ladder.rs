//! `terzo ladder`

use super::match_::at_once;
use super::match_score::MatchScore;
use crate::usage::usage;
use crate::{files, interrupt, limits, output, progress, registry};
use arena::contest::Contest;
use arena::control::Control;
use arena::gauntlet::{self, GauntletMatch};
use arena::stats::elo_of_score;
use arena::terms::{Terms, TimeControl};
use arena::unrecorded::MatchPlan;
use games::ContestSetup;
use player::Spec;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
#[command(
    after_help = "Every level of a game meets the one below it: games of two in pairs with the seats swapped; of a game with more seats the lower level takes all others. The levels are those of the slider on the page. Told are the share of the points and the difference in Elo, with 95 % intervals, as tables of Markdown. Levels count what they do and look at no clock: the same seed is the same games on any machine. (Of Quarto's variants without a book the highest level looks at a clock.) First a pair of all neighbours of all games is played, then another of each: what is interrupted has tables of all.\n\nExamples:\n  terzo ladder tictactoe -n 4\n  terzo ladder tictactoe auction -n 2 --json\n  terzo ladder tictactoe -n 6 --output levels.md"
)]
pub struct LadderArgs {
    /// The games; all that have levels if left out
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// How many games of each two levels
    #[arg(short = 'n', long = "rounds", value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// What all chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// So many random turns begin each pair: players that leave nothing to chance would play one game again and again
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(..=100))]
    plies: u32,
    /// After so many turns a game is adjudicated a draw
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    max_turns: u32,
    /// How many games at once; one a core if left out
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = limits::threads())]
    jobs: usize,
    /// A file for the tables, written anew every few seconds while games are played
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

/// How often the file is written.
const EVERY: Duration = Duration::from_secs(3);

/// A game and its levels.
struct LadderGame {
    name: String,
    seats: usize,
    levels: Vec<String>,
}

/// A level against the one below it.
struct Rung {
    level: usize,
    spec: String,
    score: MatchScore,
}

impl LadderArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let games = self.ladders()?;
        let mut contests: Vec<Arc<dyn Contest>> = Vec::new();
        for game in &games {
            let found = registry::find(&game.name)?;
            for pair in game.levels.windows(2) {
                let lower = std::iter::repeat_n(pair[0].clone(), game.seats - 1);
                let specs: Vec<String> = std::iter::once(pair[1].clone()).chain(lower).collect();
                contests.push(found.contest(&ContestSetup::of_specs(&specs).after_random_turns(self.plies))?);
            }
        }
        let specs: Vec<Spec> = (games.iter().flat_map(|game| &game.levels))
            .filter_map(|spec| spec.parse().ok())
            .collect();
        let plan = MatchPlan {
            games: self.rounds,
            seed: self.seed,
            jobs: at_once(&specs, self.jobs)?,
            terms: Terms {
                control: TimeControl::None,
                max_turns: Some(self.max_turns),
                ..Terms::default()
            },
        };
        let control = Control::under(&interrupt::sign()?);
        let all = plan.games * contests.len() as u64;
        let file = self.output.as_deref().map(files::Output::open).transpose()?;
        let written = Mutex::new(Instant::now());
        // What cannot be written now is said at the end.
        let told = |so_far: &[GauntletMatch]| {
            if let (Some(file), Ok(mut written)) = (&file, written.try_lock())
                && written.elapsed() >= EVERY
            {
                let _ = file.write(&Self::as_text(&games, &rungs(&games, so_far)));
                *written = Instant::now();
            }
        };
        let done = progress::watch(all, &control, || gauntlet::play(&contests, &plan, &control, told))??;
        let rungs = rungs(&games, &done);
        if let Some(file) = &file {
            file.write(&Self::as_text(&games, &rungs))?;
        }
        if self.json {
            output::print_json(&self.as_json(&games, &rungs))?;
        } else {
            output::print(&Self::as_text(&games, &rungs))?;
        }
        Ok(interrupt::unless_come()?)
    }

    /// The games that are asked for, with their levels.
    fn ladders(&self) -> anyhow::Result<Vec<LadderGame>> {
        let all = || games::all().into_iter().map(|info| info.name.to_string()).collect();
        let named = !self.games.is_empty();
        let names: Vec<String> = if named { self.games.clone() } else { all() };
        let mut ladders = Vec::new();
        for name in names {
            let game = registry::find(&name)?;
            let (seats, levels) = (game.seats(), game.levels());
            if seats > 1 && levels.len() > 1 {
                let levels = levels.iter().map(|spec| spec.to_string()).collect();
                ladders.push(LadderGame { name, seats, levels });
            } else if named {
                usage!("{name} has no levels: it is played alone, or nobody has measured any");
            }
        }
        Ok(ladders)
    }

    fn as_json(&self, games: &[LadderGame], rungs: &[Vec<Rung>]) -> Value {
        let rung = |rung: &Rung| {
            let mut all = rung.score.as_json();
            all["level"] = json!(rung.level);
            all["player"] = json!(rung.spec);
            all
        };
        let one = |(game, rungs): (&LadderGame, &Vec<Rung>)| {
            json!({
                "game": game.name,
                "first": game.levels[0],
                "levels": rungs.iter().map(rung).collect::<Vec<_>>(),
            })
        };
        json!({
            "seed": self.seed,
            "ladders": games.iter().zip(rungs).map(one).collect::<Vec<_>>(),
        })
    }

    fn as_text(games: &[LadderGame], rungs: &[Vec<Rung>]) -> String {
        let mut text = String::new();
        for (game, rungs) in games.iter().zip(rungs) {
            if !text.is_empty() {
                text.push('\n');
            }
            text += &format!(
                "## {}\n\n| level | player | games | against the level below (95 %) | Elo above it (95 %) | Elo above level 1 |\n|---|---|---|---|---|---|\n| 1 | `{}` | | | | 0 |\n",
                game.name, game.levels[0]
            );
            // What the level is worth above the first, as long as all rungs below it were played.
            let mut sum = Some(0.0);
            for Rung { level, spec, score } in rungs {
                let played = score.games > 0;
                let share = score.share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
                sum = sum.filter(|_| played).map(|sum| sum + elo_of_score(share));
                // Two seats at the least are needed for a difference; with more, the share alone is told.
                let [points, elo, total] = match (played, game.seats) {
                    (false, _) => [String::new(), String::new(), String::new()],
                    (true, 2) => {
                        let total = sum.map(|sum: f64| format!("{:.0}", sum.round() + 0.0));
                        [score.points(), score.elo(), total.unwrap_or_default()]
                    }
                    (true, _) => [score.points(), String::new(), String::new()],
                };
                text += &format!(
                    "| {level} | `{spec}` | {} | {points} | {elo} | {total} |\n",
                    score.games
                );
            }
        }
        text
    }
}

/// Who has won or lost every game has no finite rating: for the sum it counts as this share.
const LEAST_SHARE: f64 = 0.01;

/// What the matches of every game came to, level by level.
fn rungs(games: &[LadderGame], done: &[GauntletMatch]) -> Vec<Vec<Rung>> {
    let mut done = done.iter();
    games
        .iter()
        .map(|game| {
            let above = game.levels.iter().enumerate().skip(1);
            above
                .zip(done.by_ref())
                .map(|((at, spec), done)| Rung {
                    level: at + 1,
                    spec: spec.clone(),
                    score: MatchScore::of(game.seats, done),
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_rung_that_was_not_played_nothing_is_said() {
        let game = LadderGame {
            name: "nim".into(),
            seats: 2,
            levels: vec!["a".into(), "b".into(), "c".into()],
        };
        let rung = |level, games, share| Rung {
            level,
            spec: format!("level {level}"),
            score: MatchScore {
                games,
                share,
                half_width: None,
            },
        };
        let text = LadderArgs::as_text(&[game], &[vec![rung(2, 0, 0.0), rung(3, 4, 0.5)]]);
        assert!(text.contains("| 2 | `level 2` | 0 |  |  |  |\n"), "{text}");
        assert!(text.ends_with("| 3 | `level 3` | 4 | 50.0 % | +0 |  |\n"), "{text}");
    }
}
