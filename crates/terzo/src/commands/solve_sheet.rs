//! `terzo solve` for rule sheets.

use crate::{interrupt, output};
use anyhow::Context;
use game::Game;
use gdl::{Move, Position, Solver, Unsolved, Watch};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The memory of the table, if nothing else is said.
const MEMORY: usize = 1 << 30;

/// The search is as deep as the game is long.
const STACK: usize = 64 << 20;

/// What is asked.
pub struct Question<'a> {
    pub game: &'a str,
    pub position: &'a Position,
    pub moves: bool,
    pub memory: Option<usize>,
    pub json: bool,
}

struct Answer {
    value: u8,
    moves: Vec<(Move, u8)>,
    positions: usize,
    nodes: u64,
    took: Duration,
}

impl Question<'_> {
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

    fn search(&self, watch: &Watch) -> anyhow::Result<Answer> {
        let began = Instant::now();
        let mut solver = Solver::new(self.position, self.memory.unwrap_or(MEMORY), watch.clone())?;
        let work = move || -> Result<_, Unsolved> {
            let value = solver.value(self.position)?;
            let moves = match self.position.outcome() {
                None => solver.moves(self.position)?,
                Some(_) => Vec::new(),
            };
            Ok((value, moves, solver.positions()))
        };
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
        let (value, moves, positions) = found?;
        Ok(Answer {
            value,
            moves,
            positions,
            nodes: watch.nodes.load(Ordering::Relaxed),
            took: began.elapsed(),
        })
    }

    fn best(&self, answer: &Answer) -> Vec<String> {
        let best = answer.moves.iter().filter(|(_, value)| *value == answer.value);
        best.map(|&(mv, _)| self.position.print_move(mv)).collect()
    }

    fn as_json(&self, answer: &Answer) -> Value {
        let mut object = json!({
            "game": self.game,
            "position": self.position.print(),
            "role": self.role(),
            "value": answer.value,
            "best": self.best(answer),
            "nodes": answer.nodes,
            "positions": answer.positions,
            "seconds": answer.took.as_secs_f64(),
        });
        if let (true, Some(object)) = (self.moves, object.as_object_mut()) {
            let moves = answer.moves.iter();
            let moves = moves.map(|&(mv, value)| json!({"move": self.position.print_move(mv), "value": value}));
            object.insert("moves".into(), moves.collect());
        }
        object
    }

    fn role(&self) -> &str {
        self.position.machine().roles()[self.position.mover().index()]
    }

    fn as_text(&self, answer: &Answer) -> String {
        let mut text = format!("{} gets {} of 100 with best play\n", self.role(), answer.value);
        let best = self.best(answer);
        let shown: Vec<&str> = best.iter().take(12).map(String::as_str).collect();
        if !shown.is_empty() {
            text += &format!("best: {}", shown.join(" "));
            if best.len() > shown.len() {
                text += &format!(" and {} more", best.len() - shown.len());
            }
            text.push('\n');
        }
        if self.moves {
            let mut values: Vec<u8> = answer.moves.iter().map(|&(_, value)| value).collect();
            values.sort_unstable_by(|a, b| b.cmp(a));
            values.dedup();
            for value in values {
                let worth = answer.moves.iter().filter(|(_, v)| *v == value);
                let moves: Vec<String> = worth.map(|&(mv, _)| self.position.print_move(mv)).collect();
                text += &format!("{value:>4}: {}\n", moves.join(" "));
            }
        }
        text + &format!(
            "{} nodes, {} positions in the table, {:.3} s\n",
            answer.nodes,
            answer.positions,
            answer.took.as_secs_f64()
        )
    }
}
