//! Any other game of two who move in turn: the opinion of its strongest player.

use super::{AnalyseArgs, MOST};
use crate::usage::usage;
use crate::{files, interrupt, output, registry};
use arena::gametext::GameText;
use game::Instant;
use games::Session;
use player::{Clock, Score};
use serde_json::{Value, json};
use std::time::Duration;

/// How long a position is thought about where nobody says anything: as on the page.
const A_TURN: Duration = Duration::from_millis(400);

/// What a turn is marked with that cost so much of a win: as on the page.
const MARKS: [(f64, &str); 3] = [(0.5, "??"), (0.3, "?"), (0.15, "?!")];

/// What is thought of a position.
struct PositionOpinion {
    /// For who is to move: 1 is a win, 0 a loss; nothing where there was no choice or no time.
    expects: Option<f64>,
    forced: bool,
    /// What it would play, as people write it.
    prefers: String,
}

pub fn analyse(command: &AnalyseArgs) -> anyhow::Result<()> {
    let game = registry::find(&command.game)?;
    if game.seats() != 2 {
        usage!(
            "opinions are for two who move in turn, and {} has {} seats",
            command.game,
            game.seats()
        );
    }
    let text = match (&command.turns, &command.file) {
        (Some(turns), _) => GameText::parse(turns),
        (None, Some(path)) => GameText::parse_first(&files::read(path, MOST)?),
        (None, None) => usage!("expected turns or --file"),
    };
    if let Some(other) = text.game.filter(|name| *name != command.game) {
        usage!("this is a game of {other}, not of {}", command.game);
    }
    let mut session = game.session();
    session.replace(command.position.as_deref().or(text.position.as_deref()), &text.turns)?;
    if session.is_empty() {
        usage!("there is no turn to analyse");
    }
    if (0..=session.len()).any(|ply| session.choosers(ply).len() > 1) {
        usage!("opinions are for two who move in turn: in this game both choose at once");
    }
    let opinions = opinions(command, session.as_ref())?;
    let rows: Vec<AnalysedTurn> = (0..session.len())
        .map(|ply| AnalysedTurn::of(session.as_ref(), &opinions, ply))
        .collect();
    let player = session.strongest();
    if command.json {
        let turns: Vec<Value> = rows.iter().map(AnalysedTurn::as_json).collect();
        output::print_json(&json!({"game": command.game, "opinion_of": player, "turns": turns}))?;
    } else {
        let mut told = format!(
            "The opinion of `{player}`, not the truth: it can be wrong.\nturn  seat  played            expected  after it  mark  would play\n"
        );
        rows.iter().for_each(|row| told += &row.as_text());
        output::print(&told)?;
    }
    Ok(interrupt::unless_come()?)
}

/// What the strongest player thinks of every position of the game, as far as time allows; a finished game needs no opinion.
fn opinions(command: &AnalyseArgs, session: &dyn Session) -> anyhow::Result<Vec<Option<PositionOpinion>>> {
    let stop = interrupt::sign()?;
    let count = session.len() as u32 + 1;
    let each = command.time.map_or(A_TURN, |time| time / count);
    let player = session.strongest();
    let mut all = Vec::new();
    for ply in 0..=session.len() {
        if session.mover(ply).is_none() || stop.is_raised() {
            all.push(None);
            continue;
        }
        let think = session.thinker(ply, &player, 1)?;
        let clock = Clock {
            time: Some(each),
            stop: stop.clone(),
            ..Clock::started_at(Instant::now())
        };
        let Ok(said) = think(&clock) else {
            all.push(None);
            continue;
        };
        let moment = session.moment(ply);
        let at = moment.legal.iter().position(|turn| *turn == said.best);
        // Where there was no time to look at anything there is no opinion either.
        let looked = said.nodes.is_some_and(|nodes| nodes > 0);
        all.push(Some(PositionOpinion {
            expects: said.score.filter(|_| looked).map(|score| session.expectation(score)),
            forced: matches!(said.score, Some(Score::Mate(_))),
            prefers: at
                .and_then(|at| moment.legal_written.get(at).cloned())
                .unwrap_or(said.best),
        }));
    }
    Ok(all)
}

/// A turn, and what is thought of it.
struct AnalysedTurn {
    number: usize,
    seat: usize,
    turn: String,
    before: Option<f64>,
    after: Option<f64>,
    forced: bool,
    prefers: Option<String>,
}

impl AnalysedTurn {
    fn of(session: &dyn Session, opinions: &[Option<PositionOpinion>], ply: usize) -> Self {
        let seat = session.seat_to_move(ply);
        let expects = |ply: usize| -> Option<f64> {
            if let Some(payoffs) = session.moment(ply).payoffs {
                return Some(f64::from(payoffs[seat]) / 100.0);
            }
            let own = opinions[ply].as_ref()?.expects?;
            Some(if session.seat_to_move(ply) == seat {
                own
            } else {
                1.0 - own
            })
        };
        let here = opinions[ply].as_ref();
        AnalysedTurn {
            number: ply + 1,
            seat: seat + 1,
            turn: session.written().swap_remove(ply),
            before: expects(ply),
            after: expects(ply + 1),
            forced: here.is_some_and(|opinion| opinion.forced),
            prefers: here.map(|opinion| opinion.prefers.clone()),
        }
    }

    fn cost(&self) -> Option<f64> {
        Some((self.before? - self.after?).max(0.0))
    }

    fn mark(&self) -> &'static str {
        let cost = self.cost().unwrap_or(0.0);
        MARKS
            .iter()
            .find(|(least, _)| cost >= *least)
            .map_or("", |(_, mark)| mark)
    }

    fn as_text(&self) -> String {
        let percent = |share: Option<f64>| share.map_or("unknown".into(), |share| format!("{:.0} %", 100.0 * share));
        let prefers = self
            .prefers
            .clone()
            .filter(|_| !self.mark().is_empty())
            .unwrap_or_default();
        let line = format!(
            "{:>4}  {:>4}  {:<16}  {:>8}  {:>8}  {:<4}  {prefers}",
            self.number,
            self.seat,
            self.turn,
            percent(self.before),
            percent(self.after),
            self.mark()
        );
        line.trim_end().to_string() + "\n"
    }

    fn as_json(&self) -> Value {
        json!({
            "number": self.number, "seat": self.seat, "turn": self.turn, "expected": self.before, "after": self.after,
            "cost": self.cost(), "mark": self.mark(), "prefers": self.prefers, "forced": self.forced,
        })
    }
}
