//! `terzo solve` for small games: everything is searched.

use crate::{interrupt, output};
use anyhow::Context;
use games::{Session, Solution, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The memory of the table, if nothing else is said.
const MEMORY: usize = 1 << 30;

/// The search is as deep as the game is long.
const STACK: usize = 64 << 20;

/// What is asked.
pub struct SmallQuestion<'a> {
    pub game: &'a str,
    /// A game at the position, no turn played.
    pub session: &'a dyn Session,
    pub moves: bool,
    pub memory: Option<usize>,
    pub json: bool,
}

struct SmallAnswer {
    found: Solution<String>,
    nodes: u64,
    took: Duration,
}

impl SmallQuestion<'_> {
    /// Finds the value and writes it.
    pub fn answer(&self) -> anyhow::Result<()> {
        let watch = Watch {
            stop: interrupt::sign()?,
            ..Watch::default()
        };
        let answer = self.search(&watch)?;
        match self.json {
            true => output::print_json(&self.as_json(&answer)),
            false => output::print(&self.as_text(&answer)),
        }
    }

    fn search(&self, watch: &Watch) -> anyhow::Result<SmallAnswer> {
        let began = Instant::now();
        let work = || self.session.solve(0, self.memory.unwrap_or(MEMORY), watch.clone());
        let spinner = ProgressBar::new_spinner();
        spinner.set_style(ProgressStyle::with_template("{spinner} {msg}")?);
        let found = std::thread::scope(|scope| -> anyhow::Result<_> {
            let worker = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .context("cannot start the search")?;
            while !worker.is_finished() {
                std::thread::sleep(Duration::from_millis(if began.elapsed().as_millis() < 50 {
                    1
                } else {
                    50
                }));
                if began.elapsed().as_secs_f64() > 0.5 {
                    let nodes = watch.nodes.load(Ordering::Relaxed) as f64 / 1e6;
                    spinner.set_message(format!("{nodes:.1} M nodes, {:.0} s", began.elapsed().as_secs_f64()));
                    spinner.tick();
                }
            }
            match worker.join() {
                Ok(found) => Ok(found?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        spinner.finish_and_clear();
        Ok(SmallAnswer {
            found: found?,
            nodes: watch.nodes.load(Ordering::Relaxed),
            took: began.elapsed(),
        })
    }

    fn best<'a>(&self, found: &'a Solution<String>) -> Vec<&'a str> {
        let best = found.moves.iter().filter(|(_, value)| *value == found.value);
        best.map(|(mv, _)| mv.as_str()).collect()
    }

    fn as_json(&self, answer: &SmallAnswer) -> Value {
        let mut object = json!({
            "game": self.game,
            "position": self.session.position(0),
            "role": self.role(),
            "value": answer.found.value,
            "best": self.best(&answer.found),
            "nodes": answer.nodes,
            "positions": answer.found.positions,
            "seconds": answer.took.as_secs_f64(),
        });
        if let (true, Some(object)) = (self.moves, object.as_object_mut()) {
            let moves = answer.found.moves.iter();
            let moves = moves.map(|(mv, value)| json!({"move": mv, "value": value}));
            object.insert("moves".into(), moves.collect());
        }
        object
    }

    fn role(&self) -> String {
        self.session.game().roles().swap_remove(self.session.seat_to_move(0))
    }

    fn as_text(&self, answer: &SmallAnswer) -> String {
        let mut text = format!("{} gets {} of 100 with best play\n", self.role(), answer.found.value);
        let best = self.best(&answer.found);
        let shown = &best[..best.len().min(12)];
        if !shown.is_empty() {
            text += &format!("best: {}", shown.join(" "));
            if best.len() > shown.len() {
                text += &format!(" and {} more", best.len() - shown.len());
            }
            text.push('\n');
        }
        if self.moves {
            let mut values: Vec<u8> = answer.found.moves.iter().map(|(_, value)| *value).collect();
            values.sort_unstable_by(|a, b| b.cmp(a));
            values.dedup();
            for value in values {
                let worth = answer.found.moves.iter().filter(|(_, v)| *v == value);
                let moves: Vec<&str> = worth.map(|(mv, _)| mv.as_str()).collect();
                text += &format!("{value:>4}: {}\n", moves.join(" "));
            }
        }
        text + &format!(
            "{} nodes, {} positions in the table, {:.3} s\n",
            answer.nodes,
            answer.found.positions,
            answer.took.as_secs_f64()
        )
    }
}
