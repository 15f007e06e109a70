//! Stack Four: the opinion of the strong player.

use super::{AnalyseArgs, SEATS, open_turns};
use crate::{interrupt, output};
use anyhow::bail;
use game::Seat;
use serde_json::{Value, json};
use stack4::review::{BestTurn, ExpectedLead, Judged};
use stack4::strong::{Limits, Strong};
use stack4::{Column, Position};
use std::time::{Duration, Instant};

/// How long a turn is thought about where nobody says anything.
const A_TURN: Duration = Duration::from_secs(1);
/// As deep is searched as long as there is any time: it takes a few milliseconds.
const LEAST_DEPTH: u32 = 4;
/// Megabytes of the table where nobody says anything.
const TABLE: usize = 64;

/// A turn, and what is thought of it.
struct AnalysedTurn {
    seat: Seat,
    turn: Column,
    /// What it was worth to who made it.
    was: Option<ExpectedLead>,
    /// That, and what was best.
    judged: Option<Judged>,
}

pub fn analyse(command: &AnalyseArgs) -> anyhow::Result<()> {
    let (game, last) = command.read_game(&Position::new())?;
    let stop = interrupt::sign()?;
    let deadline = command
        .deadline()
        .unwrap_or_else(|| Instant::now() + A_TURN * game.len() as u32);
    let megabytes = command.means.memory().map_or(TABLE, |bytes| bytes >> 20);
    let mut strong = Strong::new(megabytes, command.means.threads());
    command.print(
        "The opinion of `strong`, not the truth; only rows that say exact are certain.\n\
         turn  seat  played   worth  best   worth    lost  seen\n",
    )?;
    // From the end: the table then knows much of what the earlier positions lead to. What is found in a position is also
    // what the turn before it was worth. Each gets its share of the time that is left.
    let mut search = |position: &Position, shares: usize| {
        let left = deadline.saturating_duration_since(Instant::now());
        if !position.is_over() && (left.is_zero() || stop.is_raised()) {
            return None;
        }
        let timed = Limits {
            time: Some(left / shares as u32),
            stop: stop.clone(),
            ..Limits::default()
        };
        // On a busy machine a short time may pass without a single move searched.
        let shallow = Limits {
            stop: stop.clone(),
            ..Limits::depth(LEAST_DEPTH)
        };
        BestTurn::of(&mut strong, position, &timed).or_else(|| BestTurn::of(&mut strong, position, &shallow))
    };
    let mut after = search(&last, game.len() + 1);
    let mut told: Vec<AnalysedTurn> = Vec::new();
    for (number, (position, turn)) in game.iter().enumerate().rev() {
        let before = search(position, number + 1);
        let row = AnalysedTurn {
            seat: game::Game::mover(position),
            turn: *turn,
            was: after.as_ref().map(|after| after.worth.before()),
            judged: before
                .as_ref()
                .zip(after.as_ref())
                .map(|(before, after)| Judged::new(position, *turn, before, after)),
        };
        command.print(&as_text(number, &row))?;
        told.push(row);
        after = before;
    }
    told.reverse();
    match command.json {
        true => output::print_json(&as_json(command, &told))?,
        false => output::print(&summary(&told))?,
    }
    match stop.is_raised() {
        true => bail!("stopped: {} of {} turns are unknown", unknown(&told), told.len()),
        false => Ok(()),
    }
}

fn unknown(told: &[AnalysedTurn]) -> usize {
    told.iter().filter(|told| told.judged.is_none()).count()
}

fn points(opinion: Option<ExpectedLead>) -> String {
    opinion.map_or("unknown".into(), |opinion| format!("{:+.1}", tenths(opinion.points)))
}

/// Rounded to a tenth, and never a negative zero.
fn tenths(points: f64) -> f64 {
    (10.0 * points).round() / 10.0 + 0.0
}

fn as_text(number: usize, told: &AnalysedTurn) -> String {
    let mut text = format!(
        "{:>4}  {:>4}  {:6} {:>7}",
        number + 1,
        told.seat.index() + 1,
        told.turn.to_string(),
        points(told.was),
    );
    if let Some(judged) = &told.judged {
        let seen = match judged.is_exact() {
            true => "exact".into(),
            false => format!("{} moves", judged.was.depth.min(judged.best_was.depth)),
        };
        text += &format!(
            "  {:4} {:>7}  {:>6.1}  {seen}",
            judged.best.to_string(),
            points(Some(judged.best_was)),
            tenths(judged.lost()),
        );
        text += match (judged.is_mistake(), judged.is_exact()) {
            (true, true) => "   <- mistake",
            (true, false) => "   <- mistake?",
            (false, _) => "",
        };
    } else {
        text += "  unknown";
    }
    text + "\n"
}

fn as_json(command: &AnalyseArgs, told: &[AnalysedTurn]) -> Value {
    let turns: Vec<Value> = told
        .iter()
        .map(|told| {
            let judged = told.judged.as_ref();
            json!({
                "seat": told.seat.index() + 1,
                "turn": told.turn.to_string(),
                "worth": told.was.map(|was| tenths(was.points)),
                "best": judged.map(|judged| judged.best.to_string()),
                "best_worth": judged.map(|judged| tenths(judged.best_was.points)),
                "lost": judged.map(|judged| tenths(judged.lost())),
                "depth": judged.map(|judged| judged.was.depth.min(judged.best_was.depth)),
                "exact": judged.map(Judged::is_exact),
                "mistake": judged.map(Judged::is_mistake),
            })
        })
        .collect();
    json!({ "game": command.game, "judge": "strong", "opinion": true, "turns": turns, "unknown": unknown(told) })
}

fn summary(told: &[AnalysedTurn]) -> String {
    let mut text = String::new();
    for seat in SEATS {
        let own: Vec<&AnalysedTurn> = told.iter().filter(|told| told.seat == seat).collect();
        let judged: Vec<&Judged> = own.iter().filter_map(|told| told.judged.as_ref()).collect();
        let open = open_turns(own.len() - judged.len());
        if judged.is_empty() {
            if !open.is_empty() {
                text += &format!("{seat}{}\n", open.replacen(',', ":", 1));
            }
            continue;
        }
        let certain = |judged: &&&Judged| judged.is_mistake() && judged.is_exact();
        text += &format!(
            "{seat}: gave away {:.1} points a turn, mistakes {}, of which certain {}{open}\n",
            judged.iter().map(|judged| judged.lost()).sum::<f64>() / judged.len() as f64,
            judged.iter().filter(|judged| judged.is_mistake()).count(),
            judged.iter().filter(certain).count(),
        );
    }
    text
}
