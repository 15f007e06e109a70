//! `terzo analyse`

use super::truth;
use crate::output;
use crate::usage::usage;
use anyhow::bail;
use game::{Game, Seat};
use quarto::review::{Judged, accuracy, mistakes};
use quarto::solver::{Exact, NoAnswer, Outcome};
use quarto::{Position, Turn};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const SEATS: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

#[derive(clap::Args)]
#[command(
    after_help = "Says for each turn what it was worth, what was best, and marks mistakes: a turn that gives away a win or a draw. Accuracy is the share of a side's turns that kept the value of the position. The last turn is judged first, since late positions are solved fast, and each is told as soon as it is known. What --time or Ctrl-C leaves open is unknown.\n\nExamples:\n  terzo analyse quarto '-.3 d2.e d1.9 a4.1 b3.7 d4.a d3.-'\n  terzo analyse quarto \"$(cat game.txt)\" --json\n  terzo analyse quarto-misere '-.3 d2.e d1.9 a4.1 b3.7 d4.a' --time 5s"
)]
pub struct Analyse {
    /// The game: quarto or one of its variants
    game: String,
    /// The turns, separated by spaces
    #[arg(value_name = "TURNS", allow_hyphen_values = true)]
    turns: String,
    /// Begin at this position instead of the first one
    #[arg(long, value_name = "P")]
    position: Option<String>,
    /// How long it may take in all, such as 10s or 2m; as long as it takes if left out
    #[arg(long, value_name = "T", value_parser = read_time)]
    time: Option<Duration>,
    #[command(flatten)]
    means: truth::SolverArgs,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

fn read_time(text: &str) -> Result<Duration, String> {
    arena::terms::duration(text).ok_or_else(|| "expected a time such as 500ms, 10s or 2m".to_owned())
}

/// A turn, and what is known about it.
struct Told {
    seat: Seat,
    turn: Turn,
    /// What it was worth to who made it.
    was: Option<Exact>,
    /// That, and what was best.
    judged: Option<Judged>,
}

impl Analyse {
    pub fn run(self) -> anyhow::Result<()> {
        let start = truth::start(&self.game)?;
        let start = match &self.position {
            Some(text) => start.parse(text)?,
            None => start,
        };
        let game = truth::read_game(&start, &self.turns)?;
        if game.is_empty() {
            usage!("there is no turn to analyse");
        }
        let mut solver = self.means.solver(start.rules())?;
        let end = self.time.map(|time| Instant::now() + time);
        solver.set_deadline(end);
        if !self.json {
            output::print("turn  seat  played  worth        best         such as\n")?;
        }
        // From the end: what was learnt of later positions answers most questions about the earlier ones. When time is up, what
        // the book knows of the first ones is told all the same.
        let mut told: Vec<Told> = Vec::new();
        for (number, (position, turn)) in game.iter().enumerate().rev() {
            let next = told.last().and_then(|told| told.judged.as_ref());
            solver.make_room_for(position, end.map(|end| end.saturating_duration_since(Instant::now())));
            let row = judge(&solver, position, *turn, next)?;
            if !self.json {
                output::print(&as_text(number, &row))?;
            }
            told.push(row);
        }
        told.reverse();
        match self.json {
            true => output::print_json(&self.as_json(&told))?,
            false => output::print(&summary(&told))?,
        }
        match solver.is_stopped() {
            true => bail!("stopped: {} of {} turns are unknown", unknown(&told), told.len()),
            false => Ok(()),
        }
    }

    fn as_json(&self, told: &[Told]) -> Value {
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
            "game": self.game, "turns": turns, "accuracy": SEATS.map(|seat| accuracy(&judged, seat)), "unknown": unknown(told),
        })
    }
}

/// Judges a turn, as far as time allows. `next` is what is known of the one after it.
fn judge(
    solver: &truth::WatchedSolver,
    position: &Position,
    turn: Turn,
    next: Option<&Judged>,
) -> anyhow::Result<Told> {
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
    Ok(Told {
        seat: position.mover(),
        turn,
        was,
        judged,
    })
}

fn judged(told: &[Told]) -> Vec<Judged> {
    told.iter().filter_map(|told| told.judged.clone()).collect()
}

fn unknown(told: &[Told]) -> usize {
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

fn as_text(number: usize, told: &Told) -> String {
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

fn summary(told: &[Told]) -> String {
    let judged = judged(told);
    let mut text = String::new();
    for seat in SEATS {
        let open = told
            .iter()
            .filter(|told| told.seat == seat && told.judged.is_none())
            .count();
        let open = match open {
            0 => String::new(),
            1 => ", 1 turn unknown".into(),
            open => format!(", {open} turns unknown"),
        };
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
