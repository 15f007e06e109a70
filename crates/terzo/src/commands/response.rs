//! `terzo response`

use super::truth;
use crate::usage::usage;
use crate::{interrupt, limits, output};
use anyhow::Context;
use game::{Game, Seat, Stop, mix};
use player::Player;
use quarto::response::{BestResponse, Compared, ResponseError, compare};
use quarto::solver::{NoAnswer, Solver};
use quarto::{Position, players};
use serde_json::json;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// With fewer pieces placed the opponent has too many turns to look at all of them.
const LEAST_FROM: u32 = 4;

/// The solver's table if its size was not said: what is asked has many pieces placed, but is asked of many positions.
const MEMORY: usize = 64 << 20;

#[derive(clap::Args)]
#[command(
    after_help = "The best response never leaves the exact value of a position and knows how likely the opponent is to make each turn; so no player that never risks the draw can expect more against it. It is computed whole, to the end of the game. Opponents whose policy is known: random, novice, minimax and alphabeta with a depth (with an opening of playouts from there on). Players that play games out, and those with a clock, are not.\n\nWithout a position, --player plays --games games against the opponent, seats swapped; where it is to move with --from pieces placed, the best response is asked what it would expect from there on.\n\nExamples:\n  terzo response quarto novice 'd.6./b.f./a.0./..e5 3'\n  terzo response quarto minimax:depth=3 --from 10 --games 4 --json"
)]
pub struct ResponseArgs {
    /// The game: quarto or one of its variants
    game: String,
    /// The opponent
    #[arg(value_name = "PLAYER")]
    opponent: String,
    /// A position in which the best response is to move: what each of its turns expects
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Who is compared with the best response
    #[arg(long, default_value = "perfect")]
    player: String,
    /// With how many pieces placed the best response takes over
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(LEAST_FROM as i64..=15))]
    from: u32,
    /// How many games to play
    #[arg(long, short = 'n', default_value_t = 100, value_parser = limits::from_one_to(1_000_000))]
    games: usize,
    /// What all chance is drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    means: truth::SolverArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl ResponseArgs {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let mut solver = self.means.bare(start.rules(), MEMORY, 1)?;
        self.means.open_book(&mut solver)?;
        let stop = interrupt::sign()?;
        solver.set_stop(stop.clone());
        match &self.position {
            Some(text) => self.one(&solver, &start.parse(text)?, stop),
            None => self.study(&solver, &stop),
        }
    }

    fn opponent(&self) -> anyhow::Result<Box<dyn Player<Position>>> {
        Ok(players::factory(&self.opponent)?.make())
    }

    /// What went wrong, with the opponent's name where it is the opponent.
    fn explained(&self, error: ResponseError) -> anyhow::Error {
        match error {
            ResponseError::NoAnswer(NoAnswer::Stopped) => interrupt::Interrupted.into(),
            ResponseError::Unknown => crate::usage::UsageError(format!(
                "`{}`: expected an opponent whose policy is known, such as novice or minimax:depth=3; {error}",
                self.opponent
            ))
            .into(),
            error => error.into(),
        }
    }

    /// One position.
    fn one(&self, solver: &Solver, position: &Position, stop: Stop) -> anyhow::Result<()> {
        if position.outcome().is_some() {
            usage!("{}: the game is over", position.print());
        }
        let placed = position.placed();
        if placed < LEAST_FROM {
            usage!(
                "{}: expected a position with at least {LEAST_FROM} pieces placed, found {placed}: before, the opponent has too many turns to look at all of them",
                position.print()
            );
        }
        let mut opponent = self.opponent()?;
        opponent.begin(self.seed);
        let mut response = BestResponse::new(solver, &mut *opponent);
        response.heed(stop);
        let turns = response.turns(position).map_err(|error| self.explained(error))?;
        let best = turns.first().map(|(_, value)| *value).context("there is no turn")?;
        if self.json {
            let told = turns.iter();
            let told: Vec<_> = told
                .map(|(turn, value)| json!({"turn": turn.to_string(), "points": value}))
                .collect();
            return output::print_json(&json!({
                "game": self.game, "opponent": self.opponent, "position": position.print(), "points": best, "turns": told,
            }));
        }
        let mut text = format!(
            "against {} the best response expects {:.2} % of the points here\n",
            self.opponent,
            100.0 * best
        );
        for (turn, value) in turns {
            text += &format!("{:8} {:6.2} %\n", turn.to_string(), 100.0 * value);
        }
        output::print(&text)
    }

    /// Many games.
    fn study(&self, solver: &Solver, stop: &Stop) -> anyhow::Result<()> {
        // Names are looked at before anything is played.
        self.opponent()?;
        players::factory(&self.player)?;
        let played = Mutex::new(Vec::new());
        let next = AtomicUsize::new(0);
        let work = || -> anyhow::Result<()> {
            let (mut known, mut opponent) = (self.opponent()?, self.opponent()?);
            let mut player = players::factory(&self.player)?.make();
            let mut response = BestResponse::new(solver, &mut *known);
            response.heed(stop.clone());
            loop {
                let game = next.fetch_add(1, Ordering::Relaxed);
                if game >= self.games || stop.is_raised() {
                    return Ok(());
                }
                let (seat, seed) = (Seat::new((game % 2) as u8), mix(self.seed, &[game as u64]));
                let both: [&mut dyn Player<Position>; 2] = [&mut *player, &mut *opponent];
                let one = compare(&mut response, both, seat, self.from, seed);
                if let Err(ResponseError::NoAnswer(NoAnswer::Stopped)) = one {
                    return Ok(());
                }
                let one = one.map_err(|error| self.explained(error));
                if one.is_err() {
                    // The others need not go on.
                    next.store(self.games, Ordering::Relaxed);
                }
                played
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner())
                    .push((game, one?));
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.means.threads()).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| match thread.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        let mut played = played.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        played.sort_unstable_by_key(|(game, _)| *game);
        let played: Vec<Compared> = played.into_iter().map(|(_, one)| one).collect();
        // What was played to its end before a signal counts.
        if !played.is_empty() {
            self.tell(&played)?;
        }
        Ok(interrupt::unless_come()?)
    }

    fn tell(&self, played: &[Compared]) -> anyhow::Result<()> {
        let open = played.iter().filter(|one| one.open).count();
        let (points, _) = mean(played, |one| one.points);
        let (best, _) = mean(played, |one| one.best);
        let (apart, interval) = mean(played, |one| one.best - one.points);
        if self.json {
            return output::print_json(&json!({
                "game": self.game, "opponent": self.opponent, "player": self.player, "from": self.from, "games": played.len(),
                "open": open, "points": points, "best": best, "apart": apart, "interval": interval,
            }));
        }
        let percent = |share: f64| 100.0 * share;
        output::print(&format!(
            "{}, {} games against {}; the best response takes over with {} placed, where {open} of them are still open\n\
             {:20} {:6.2} % of the points\n\
             best response        {:6.2} %\n\
             apart                {:6.2} ± {:.2}\n",
            self.game,
            played.len(),
            self.opponent,
            self.from,
            self.player,
            percent(points),
            percent(best),
            percent(apart),
            percent(interval),
        ))
    }
}

/// A mean and half of its interval of 95 %.
fn mean(played: &[Compared], of: impl Fn(&Compared) -> f64) -> (f64, f64) {
    let count = played.len().max(1) as f64;
    let mean = played.iter().map(&of).sum::<f64>() / count;
    let variance = played.iter().map(|one| (of(one) - mean).powi(2)).sum::<f64>() / count;
    (mean, arena::stats::Z95 * (variance / count).sqrt())
}
