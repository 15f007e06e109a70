//! Quarto and its variants: the truth.

use super::super::truth;
use super::{AnalyseArgs, SEATS, open_turns};
use crate::output;
use anyhow::bail;
use game::{Game, Seat};
use games::Playable;
use quarto::review::{Judged, accuracy, line_after, mistakes};
use quarto::solver::{Exact, NoAnswer, Outcome};
use quarto::{Position, Turn};
use serde_json::{Value, json};
use std::time::Instant;

/// A turn, and what is known about it.
struct AnalysedTurn {
    seat: Seat,
    turn: Turn,
    /// What it was worth to who made it.
    was: Option<Exact>,
    /// That, and what was best.
    judged: Option<Judged>,
}

pub fn analyse(command: &AnalyseArgs) -> anyhow::Result<()> {
    let (game, _) = command.read_game(&truth::start(&command.game)?)?;
    let mut solver = command.means.solver(game[0].0.rules())?;
    let end = command.deadline();
    solver.set_deadline(end);
    command.print("turn  seat  played  worth        best         such as\n")?;
    // From the end: what was learnt of later positions answers most questions about the earlier ones. When time is up, what
    // the book knows of the first ones is told all the same.
    let mut told: Vec<AnalysedTurn> = Vec::new();
    for (number, (position, turn)) in game.iter().enumerate().rev() {
        let next = told.last().and_then(|told| told.judged.as_ref());
        solver.make_room_for(position, end.map(|end| end.saturating_duration_since(Instant::now())));
        let row = judge(&solver, position, *turn, next)?;
        command.print(&as_text(number, &row))?;
        told.push(row);
    }
    told.reverse();
    match command.json {
        true => output::print_json(&as_json(command, &told))?,
        false => output::print(&summary(&told))?,
    }
    if command.explain && !command.json {
        for (number, (position, _)) in game.iter().enumerate() {
            if let Some(judged) = told[number].judged.as_ref().filter(|judged| judged.mistake()) {
                let line = solver.watch(|| line_after(&solver, position, judged.turn));
                output::print_coloured(&lesson(number, position, judged, line.ok()))?;
            }
        }
    }
    match solver.is_stopped() {
        true => bail!("stopped: {} of {} turns are unknown", unknown(&told), told.len()),
        false => Ok(()),
    }
}

fn as_json(command: &AnalyseArgs, told: &[AnalysedTurn]) -> Value {
    let turns: Vec<Value> = told
        .iter()
        .map(|told| {
            let best = told.judged.as_ref().map(|judged| judged.best);
            json!({
                "seat": told.seat.index() + 1,
                "turn": told.turn.to_string(),
                "value": told.was.map(|value| value.outcome.name()),
                "plies": told.was.map(|value| value.plies),
                "best_value": best.map(|value| value.outcome.name()),
                "best_plies": best.map(|value| value.plies),
                "best": told.judged.as_ref().map(better),
                "mistake": told.judged.as_ref().map(Judged::mistake),
            })
        })
        .collect();
    let judged = judged(told);
    json!({
        "game": command.game, "turns": turns, "accuracy": SEATS.map(|seat| accuracy(&judged, seat)), "unknown": unknown(told),
    })
}

/// Judges a turn, as far as time allows. `next` is what is known of the one after it.
fn judge(
    solver: &truth::WatchedSolver,
    position: &Position,
    turn: Turn,
    next: Option<&Judged>,
) -> anyhow::Result<AnalysedTurn> {
    let judged = match solver.watch(|| Judged::new(solver, position, turn)) {
        Err(NoAnswer::Stopped) => None,
        judged => judged?,
    };
    let placing = u32::from(position.hand().is_some());
    let before = |best: Exact| Exact {
        plies: best.plies + placing,
        ..best.reversed()
    };
    let was = judged
        .as_ref()
        .map(|judged| judged.was)
        .or_else(|| Some(before(next?.best)));
    Ok(AnalysedTurn {
        seat: position.mover(),
        turn,
        was,
        judged,
    })
}

fn judged(told: &[AnalysedTurn]) -> Vec<Judged> {
    told.iter().filter_map(|told| told.judged.clone()).collect()
}

fn unknown(told: &[AnalysedTurn]) -> usize {
    told.iter().filter(|told| told.judged.is_none()).count()
}

/// Some of the turns that were best.
fn better(judged: &Judged) -> Vec<String> {
    judged.better.iter().take(5).map(Turn::to_string).collect()
}

fn in_words(value: Option<Exact>) -> String {
    match value {
        None => "unknown".into(),
        Some(Exact {
            outcome: Outcome::Draw, ..
        }) => "draw".into(),
        Some(Exact { outcome, plies }) => format!("{} in {plies}", outcome.name()),
    }
}

fn as_text(number: usize, told: &AnalysedTurn) -> String {
    let judged = told.judged.as_ref();
    let text = format!(
        "{:>4}  {:>4}  {:6}  {:11}  {:11}  {}{}",
        number + 1,
        told.seat.index() + 1,
        told.turn.to_string(),
        in_words(told.was),
        in_words(judged.map(|judged| judged.best)),
        judged.map(|judged| better(judged).join(" ")).unwrap_or_default(),
        match judged.is_some_and(Judged::mistake) {
            true => "   <- mistake",
            false => "",
        }
    );
    format!("{}\n", text.trim_end())
}

/// A mistake as a lesson: the position, what was better, and how the turn is punished. `line` is what follows it, if that was
/// found in time.
fn lesson(number: usize, position: &Position, judged: &Judged, line: Option<Vec<Turn>>) -> String {
    let mut text = format!(
        "\nturn {}, {}: {} made a {} of a {}\n\n{}\n",
        number + 1,
        judged.seat,
        judged.turn,
        judged.was.outcome.name(),
        judged.best.outcome.name(),
        position.drawing(output::colour()),
    );
    if let Some(&best) = judged.better.first() {
        text += &format!(
            "better, {}: {best}, {}\n",
            in_words(Some(judged.best)),
            position.describe(best)
        );
    }
    let Some(line) = line.filter(|line| !line.is_empty()) else {
        return text;
    };
    text += &format!("after {}, with best play:\n", judged.turn);
    let mut now = *position;
    now.play_unchecked(judged.turn);
    for turn in line {
        text += &format!("  {} {}: {}\n", now.mover(), turn, now.describe(turn));
        now.play_unchecked(turn);
    }
    text + &now.ending().map_or(String::new(), |ending| format!("  {ending}\n"))
}

fn summary(told: &[AnalysedTurn]) -> String {
    let judged = judged(told);
    let mut text = String::new();
    for seat in SEATS {
        let open = told
            .iter()
            .filter(|told| told.seat == seat && told.judged.is_none())
            .count();
        let open = open_turns(open);
        match accuracy(&judged, seat) {
            Some(share) => {
                let mistakes = mistakes(&judged, seat);
                text += &format!("{seat}: accuracy {:.0} %, mistakes {mistakes}{open}\n", 100.0 * share);
            }
            None if !open.is_empty() => text += &format!("{seat}{}\n", open.replacen(',', ":", 1)),
            None => {}
        }
    }
    text
}
