//! A live display on standard error, where that is a terminal.

use crate::output::{say, visible};
use arena::control::Control;
use arena::tournament::TournamentProgress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Runs `work` while a bar shows how many of `games` were played. The bar appears only if the work takes a while.
pub fn watch<T: Send>(games: u64, control: &Control, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
    let style = "{bar:40} {human_pos}/{human_len} games, {per_sec:.0}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style)?);
    let done = AtomicBool::new(false);
    Ok(std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = work();
            done.store(true, Ordering::Release);
            result
        });
        let step = Duration::from_millis(50);
        let mut waited = Duration::ZERO;
        while !worker.is_finished() && !done.load(Ordering::Acquire) {
            std::thread::park_timeout(step);
            waited += step;
            if waited >= Duration::from_millis(400) {
                bar.set_position(control.played.load(Ordering::Relaxed));
            }
        }
        bar.finish_and_clear();
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }))
}

/// A line of work that others do, and who they are.
pub struct Crewed {
    crew: Option<Box<dyn Fn() -> String>>,
    spinner: ProgressBar,
    shown: Instant,
}

impl Crewed {
    pub fn new(crew: Option<Box<dyn Fn() -> String>>) -> Self {
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            spinner.set_style(style);
        }
        Crewed {
            crew,
            spinner,
            shown: Instant::now(),
        }
    }

    /// Shows it, if there is a terminal to see it on.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        if self.spinner.is_hidden() || self.shown.elapsed() < Duration::from_millis(200) {
            return;
        }
        self.shown = Instant::now();
        let mut text = text();
        if let Some(crew) = &self.crew {
            text += &format!(", {}", crew());
        }
        // Workers say what they are called.
        self.spinner.set_message(visible(&text).into_owned());
        self.spinner.tick();
    }

    /// Takes the display away.
    pub fn clear(&self) {
        self.spinner.finish_and_clear();
    }
}

/// A tournament as it runs: pairs done, rate, time left, and the standings.
pub struct TournamentDisplay {
    names: Vec<String>,
    crew: Option<Box<dyn Fn() -> String>>,
    /// How often a line is written where there is no terminal, if at all.
    interim: Option<Duration>,
    bar: Option<ProgressBar>,
    began: Instant,
    shown: Instant,
}

impl TournamentDisplay {
    /// How many players are shown.
    const ROWS: usize = 12;

    /// A board for these players, and for those who do the work elsewhere, if any do.
    pub fn new(names: Vec<String>, crew: Option<Box<dyn Fn() -> String>>, interim: Option<Duration>) -> Self {
        TournamentDisplay {
            names,
            crew,
            interim,
            bar: None,
            began: Instant::now(),
            shown: Instant::now(),
        }
    }

    /// Shows how it stands, if there is something to see and a terminal to see it on.
    pub fn show(&mut self, progress: &TournamentProgress) {
        let now = Instant::now();
        if !std::io::stderr().is_terminal() {
            if self.interim.is_some_and(|interim| now - self.shown >= interim) {
                self.shown = now;
                say(&self.line(progress));
            }
            return;
        }
        if now - self.began < Duration::from_millis(400) || now - self.shown < Duration::from_millis(200) {
            return;
        }
        self.shown = now;
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(progress.total), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} pairs, {msg}") {
                bar.set_style(style);
            }
            bar
        });
        let mut text = pace(self.began, progress);
        let ratings = progress.standings.ratings();
        for i in progress.standings.order().into_iter().take(Self::ROWS) {
            let score = progress.standings.players[i].score();
            text += &format!(
                "\n  {:<34.34} {:>8.1} of {:<7} Elo {:+5.0} ± {:.0}",
                self.names[i],
                score.points(),
                score.games(),
                ratings[i].value,
                (ratings[i].high - ratings[i].low) / 2.0
            );
        }
        if let Some(crew) = &self.crew {
            text += &format!("\n{}", crew());
        }
        bar.set_position(progress.standings.pairs);
        bar.set_message(visible(&text).into_owned());
    }

    /// How it stands, in one line.
    fn line(&self, progress: &TournamentProgress) -> String {
        let standings = progress.standings;
        let ratings = standings.ratings();
        let mut line = format!(
            "{}/{} pairs, {}",
            standings.pairs,
            progress.total,
            pace(self.began, progress)
        );
        for (place, i) in standings.order().into_iter().take(Self::ROWS).enumerate() {
            let score = standings.players[i].score();
            let margin = (ratings[i].high - ratings[i].low) / 2.0;
            line += &format!(
                "{} {} {:.1}/{} {:+.0} ± {margin:.0}",
                if place == 0 { ";" } else { "," },
                self.names[i],
                score.points(),
                score.games(),
                ratings[i].value
            );
        }
        line
    }

    /// Takes the display away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// How quickly it goes, how long it will take, and what the test says.
fn pace(began: Instant, progress: &TournamentProgress) -> String {
    let rate = progress.played as f64 / began.elapsed().as_secs_f64().max(1e-9);
    let left = (progress.total - progress.standings.pairs.min(progress.total)) as f64 / rate.max(1e-9);
    let mut text = format!("{rate:.1} a second, {} left", spoken(left));
    if let Some(ratio) = progress.ratio {
        text += &format!(", LLR {ratio:.2}");
    }
    text
}

/// A time in words.
pub fn spoken(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
