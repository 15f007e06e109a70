//! What is said of a tournament that was played.

use crate::commands::match_::{points_as_json, replaced_as_json};
use crate::files;
use crate::usage::usage;
use arena::mistakes::Mistakes;
use arena::plan::{OpeningPlan, Plan};
use arena::report::{Report, Tested};
use arena::standings::{Score, Standings};
use arena::stats::pairs::{Estimate, compare};
use arena::store::Store;
use arena::tally::Times;
use arena::terms::TimeControl;
use arena::tournament::Outcome;
use games::AnyGame;
use serde_json::{Value, json};
use std::path::Path;

/// Mistakes against the truth in the games of a tournament, player by player.
pub fn mistakes(
    game: &dyn AnyGame,
    store: &Store,
    id: i64,
    players: usize,
    most: usize,
) -> anyhow::Result<Vec<Mistakes>> {
    let mut pairs = Vec::new();
    store.each_pair(id, |pair| pairs.push(pair))?;
    match game.mistakes(&pairs, most, players) {
        Some(found) => Ok(found?),
        None => usage!("nobody knows the truth about this game: mistakes cannot be counted"),
    }
}

/// Adds mistakes to a tournament's JSON, player by player.
pub fn mistakes_as_json(json: &mut Value, mistakes: Option<&[Mistakes]>) {
    for (i, player) in mistakes.unwrap_or(&[]).iter().enumerate() {
        let phases: Vec<Value> = player
            .phases
            .iter()
            .map(|(phase, counts)| {
                json!({
                    "placed": phase, "turns": counts.turns, "judged": counts.judged, "mistakes": counts.mistakes,
                })
            })
            .collect();
        json["players"][i]["mistakes"] = json!({
            "games": player.games, "per_game": player.per_game(), "judged": player.judged(), "phases": phases,
        });
    }
}

/// What is reported of a tournament that was played.
pub fn report<'a>(plan: &'a Plan, outcome: &'a Outcome) -> Report<'a> {
    Report {
        title: &plan.name,
        game: &plan.game,
        terms: terms_in_words(plan),
        names: plan.players.iter().map(|player| player.name.clone()).collect(),
        standings: &outcome.standings,
        sprt: plan.sprt.map(|sprt| Tested {
            sprt,
            decided: outcome.decided,
            all: outcome.drained.unwrap_or(0.0),
        }),
        mistakes: None,
        run: Some((outcome.played, outcome.took)),
    }
}

/// NAME.md and NAME.html, opened before anything is played: that they cannot be written is not to be learnt afterwards.
pub struct ReportFiles([files::Output; 2]);

impl ReportFiles {
    pub fn open(name: &Path) -> anyhow::Result<Self> {
        let file = |ending: &str| {
            let mut path = name.as_os_str().to_owned();
            path.push(format!(".{ending}"));
            files::Output::open(Path::new(&path))
        };
        Ok(ReportFiles([file("md")?, file("html")?]))
    }

    pub fn write(self, report: &Report) -> anyhow::Result<()> {
        let ReportFiles([markdown, html]) = self;
        markdown.write(&report.markdown())?;
        html.write(&report.html())
    }
}

pub fn terms_in_words(plan: &Plan) -> String {
    let clock = match plan.terms.control {
        TimeControl::None => "no clock".to_string(),
        control => format!("clock {control}"),
    };
    let openings = match &plan.openings {
        OpeningPlan::Start => "from the first position".to_string(),
        OpeningPlan::Plies(plies) => format!("after {plies} random turns"),
        OpeningPlan::File(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            format!("from the positions in {name}")
        }
    };
    format!("{clock}, {openings}, seed {}", plan.seed)
}

/// A tournament as JSON.
pub fn as_json(id: i64, plan: &Plan, standings: &Standings, outcome: Option<&Outcome>) -> Value {
    let ratings = standings.ratings();
    let estimate = |e: &Estimate| json!({"value": e.value, "low": e.low, "high": e.high});
    let score = |s: &Score| json!({"wins": s.wins, "draws": s.draws, "losses": s.losses});
    let times = |t: &Times| json!({"avg": t.mean_ms(), "max": t.most_ms()});
    let seconds = standings.seconds();
    let players: Vec<Value> = (plan.players.iter().zip(&standings.players).zip(&ratings))
        .map(|((player, standing), rating)| {
            let total = standing.score();
            let forfeits: serde_json::Map<String, Value> = arena::referee::VerdictKind::ALL
                .into_iter()
                .filter(|kind| standing.forfeits[*kind as usize] > 0)
                .map(|kind| (kind.word().into(), standing.forfeits[kind as usize].into()))
                .collect();
            json!({
                "name": player.name, "spec": player.spec(), "points": total.points(), "games": total.games(),
                "wins": total.wins, "draws": total.draws, "losses": total.losses, "elo": estimate(rating),
                "seats": standing.seats.iter().map(score).collect::<Vec<_>>(), "forfeits": forfeits,
                "game_points": points_as_json(&standing.points),
                "replaced": replaced_as_json(&standing.times.replaced, standing.died()),
                "turns_avg": standing.turns as f64 / total.games().max(1) as f64,
                "seconds": standing.seconds(),
                "time_share": if seconds > 0.0 { standing.seconds() / seconds } else { 0.0 },
                "place_ms": times(&standing.times.place), "give_ms": times(&standing.times.give),
            })
        })
        .collect();
    let duels: Vec<Value> = standings
        .duels
        .iter()
        .map(|duel| {
            let c = compare(&duel.pairs);
            json!({
                "first": plan.players[duel.first].name, "second": plan.players[duel.second].name,
                "score": score(&duel.score()), "seats": duel.seats.iter().map(score).collect::<Vec<_>>(),
                "pairs": duel.pairs, "elo": estimate(&c.elo), "normalized_elo": estimate(&c.normalized),
                "superiority": c.superiority, "turns": duel.turns,
            })
        })
        .collect();
    let mut all = json!({
        "id": id, "name": plan.name, "game": plan.game, "seed": plan.seed, "pairs": standings.pairs,
        "games": standings.games(), "players": players, "duels": duels,
    });
    if let Some(outcome) = outcome {
        all["played"] = outcome.played.into();
        all["first_failure"] = json!(outcome.failure);
        all["seconds"] = outcome.took.as_secs_f64().into();
        if let Some(drained) = outcome.drained {
            all["sprt"] = json!({
                "decision": outcome.decided.map_or("undecided".into(), |(_, decision)| decision.to_string()),
                "llr_at_stop": outcome.decided.map(|(ratio, _)| ratio), "llr": drained,
                "forfeits": standings.forfeits().iter().map(|(_, count)| count).sum::<u64>(),
            });
        }
    }
    all
}
