//! The report as Markdown.

use super::{Tested, TournamentReport, percent, points, signed};
use crate::referee::VerdictKind;
use crate::standings::Standing;
use crate::stats::pairs::compare;
use crate::tally::Replacements;
use std::fmt::Write;

pub(super) fn write(report: &TournamentReport) -> String {
    let mut text = String::new();
    let standings = report.standings;
    let _ = writeln!(text, "# {}\n", report.title);
    let _ = write!(
        text,
        "{}, {} players, {} pairs ({} games, the seats swapped in each pair); {}.",
        report.game,
        report.names.len(),
        standings.pairs,
        standings.games(),
        report.terms
    );
    if let Some((played, took)) = report.run {
        let _ = write!(text, " This run played {played} pairs in {:.1} s.", took.as_secs_f64());
    }
    text.push_str("\n\n");
    if let Some(Tested { sprt, decided, all }) = &report.sprt {
        let (low, high) = sprt.bounds();
        let _ = write!(
            text,
            "SPRT of elo0 = {} against elo1 = {} (alpha {}, beta {}; bounds {low:.2} and {high:.2}): ",
            sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta
        );
        let _ = match decided {
            Some((ratio, decision)) => writeln!(
                text,
                "**{decision}** at LLR {ratio:.2}; {all:.2} after the running games had ended.\n"
            ),
            None => writeln!(text, "undecided, LLR {all:.2}.\n"),
        };
        if let Some(warning) = forfeits(report) {
            let _ = writeln!(text, "**{warning}**\n");
        }
    }
    sections(report, &mut text);
    text
}

/// What to say of a test where players lost games by faults of their own.
pub(super) fn forfeits(report: &TournamentReport) -> Option<String> {
    let told: Vec<String> = report
        .standings
        .order()
        .into_iter()
        .filter_map(|i| {
            let list = forfeits_of(&report.standings.players[i]);
            (!list.is_empty()).then(|| format!("{}: {list}", report.name(i)))
        })
        .collect();
    let games: u64 = report.standings.forfeits().iter().map(|(_, count)| count).sum();
    (games > 0).then(|| {
        format!(
            "The test counted {games} forfeited games as losses ({}); it says little about how well the players play.",
            told.join("; ")
        )
    })
}

/// `crash 2, timeout 1`; nothing if the player never forfeited.
fn forfeits_of(standing: &Standing) -> String {
    let kinds = VerdictKind::ALL
        .into_iter()
        .filter(|&kind| standing.forfeits[kind as usize] > 0);
    let counts = kinds.map(|kind| format!("{} {}", kind.word(), standing.forfeits[kind as usize]));
    counts.collect::<Vec<_>>().join(", ")
}

fn sections(report: &TournamentReport, text: &mut String) {
    for (title, note, table) in [
        standings(report),
        cross_table(report),
        head_to_head(report),
        seats(report),
        time(report),
    ] {
        section(text, title, note, &table);
    }
    for (title, note, table) in [own_points(report), mistakes(report)].into_iter().flatten() {
        section(text, title, note, &table);
    }
}

/// A title, a sentence about it, and rows of cells with the head first.
pub(super) type ReportSection = (&'static str, &'static str, Vec<Vec<String>>);

fn section(text: &mut String, title: &str, note: &str, rows: &[Vec<String>]) {
    let _ = writeln!(text, "## {title}\n");
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if i == 0 {
            let _ = writeln!(text, "|---{}|", "|--:".repeat(row.len().saturating_sub(1)));
        }
    }
    let _ = writeln!(text, "\n{note}\n");
}

fn head(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|&cell| cell.into()).collect()
}

pub(super) fn standings(report: &TournamentReport) -> ReportSection {
    let ratings = report.standings.ratings();
    let mut rows = vec![head(&[
        "player",
        "Elo",
        "95 % interval",
        "points",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "turns/game",
        "forfeits",
    ])];
    for i in report.standings.order() {
        let standing = &report.standings.players[i];
        let score = standing.score();
        let games = score.games().max(1) as f64;
        let forfeits = forfeits_of(standing);
        rows.push(vec![
            report.name(i),
            signed(ratings[i].value),
            format!("{} to {}", signed(ratings[i].low), signed(ratings[i].high)),
            points(score.points()),
            score.games().to_string(),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            percent(score.points() / games),
            format!("{:.2}", standing.turns as f64 / games),
            if forfeits.is_empty() { "none".into() } else { forfeits },
        ]);
    }
    let note = "Elo is the joint maximum-likelihood estimate over all pairs, relative to the mean of all players; each \
                player is imagined to have drawn one more game with an average one.";
    ("Standings", note, rows)
}

pub(super) fn cross_table(report: &TournamentReport) -> ReportSection {
    let order = report.standings.order();
    let mut first = vec!["points of … against".to_string()];
    first.extend(order.iter().map(|&i| report.name(i)));
    let mut rows = vec![first];
    for &a in &order {
        let mut row = vec![report.name(a)];
        row.extend(order.iter().map(|&b| match report.standings.duel(a, b) {
            Some((_, score)) if a != b && score.games() > 0 => {
                format!("{} / {}", points(score.points()), score.games())
            }
            _ => "·".into(),
        }));
        rows.push(row);
    }
    ("Cross table", "The row's points of the games with the column.", rows)
}

pub(super) fn head_to_head(report: &TournamentReport) -> ReportSection {
    let mut rows = vec![head(&[
        "first",
        "second",
        "+",
        "=",
        "-",
        "pairs 0 ½ 1 1½ 2",
        "Elo",
        "95 % interval",
        "normalized",
        "superiority",
    ])];
    for duel in &report.standings.duels {
        let score = duel.score();
        let c = compare(&duel.pairs);
        rows.push(vec![
            report.name(duel.first),
            report.name(duel.second),
            score.wins.to_string(),
            score.draws.to_string(),
            score.losses.to_string(),
            duel.pairs.map(|count| count.to_string()).join(" "),
            signed(c.elo.value),
            format!("{} to {}", signed(c.elo.low), signed(c.elo.high)),
            format!(
                "{} ({} to {})",
                signed(c.normalized.value),
                signed(c.normalized.low),
                signed(c.normalized.high)
            ),
            percent(c.superiority),
        ]);
    }
    let note = "The five counts are pairs by the first's points. Superiority is the likelihood that the first is the \
                better player; normalized Elo measures the score in its own standard deviations.";
    ("Head to head", note, rows)
}

pub(super) fn seats(report: &TournamentReport) -> ReportSection {
    let mut rows = vec![head(&["player", "seat 1: + = -", "score", "seat 2: + = -", "score"])];
    for i in report.standings.order() {
        let mut row = vec![report.name(i)];
        for score in report.standings.players[i].seats {
            row.push(format!("{} {} {}", score.wins, score.draws, score.losses));
            row.push(percent(score.points() / score.games().max(1) as f64));
        }
        rows.push(row);
    }
    ("Seats", "Results by where the player sat.", rows)
}

pub(super) fn time(report: &TournamentReport) -> ReportSection {
    let mut rows = vec![head(&[
        "player",
        "seconds",
        "share",
        "processor seconds",
        "place ms, mean",
        "place ms, max",
        "give ms, mean",
        "give ms, max",
    ])];
    let all = report.standings.seconds();
    for i in report.standings.order() {
        let standing = &report.standings.players[i];
        let (place, give) = (&standing.times.place, &standing.times.give);
        rows.push(vec![
            report.name(i),
            format!("{:.3}", standing.seconds()),
            percent(if all > 0.0 { standing.seconds() / all } else { 0.0 }),
            standing
                .processor_seconds()
                .map_or("–".into(), |seconds| format!("{seconds:.2}")),
            format!("{:.4}", place.mean_ms()),
            format!("{:.3}", place.most_ms()),
            format!("{:.4}", give.mean_ms()),
            format!("{:.3}", give.most_ms()),
        ]);
    }
    let note = "A player that decides both at once has spent the time on the placement. Processor time is that of programs outside, \
                with all they started, on all cores, also while the other thinks; players of ours have none of their own.";
    ("Time", note, rows)
}

/// The game's own points and the moves that were replaced, where there are any.
pub(super) fn own_points(report: &TournamentReport) -> Option<ReportSection> {
    let players = &report.standings.players;
    let told = |player: &Standing| player.points.games > 0 || player.times.replaced != Replacements::default();
    if !players.iter().any(told) {
        return None;
    }
    let mut rows = vec![head(&[
        "player",
        "points made",
        "points allowed",
        "difference",
        "late moves",
        "illegal moves",
        "games in which it died",
    ])];
    for i in report.standings.order() {
        let (points, replaced) = (&players[i].points, &players[i].times.replaced);
        rows.push(vec![
            report.name(i),
            points.made.to_string(),
            points.allowed.to_string(),
            format!("{:+}", points.difference()),
            replaced.late.to_string(),
            replaced.illegal.to_string(),
            players[i].died().to_string(),
        ]);
    }
    let note = "The game's own points of all games that nobody forfeited; players with the same rating are told apart by the \
                difference. A late or illegal move of a program of the course is replaced by the first legal one.";
    Some(("Points and replaced moves", note, rows))
}

pub(super) fn mistakes(report: &TournamentReport) -> Option<ReportSection> {
    let mistakes = report.mistakes.as_ref()?;
    let mut phases: Vec<u32> = mistakes
        .iter()
        .flat_map(|player| player.phases.keys().copied())
        .collect();
    phases.sort_unstable();
    phases.dedup();
    let mut first = head(&["player", "mistakes/game", "turns judged"]);
    first.extend(phases.iter().map(u32::to_string));
    let mut rows = vec![first];
    for i in report.standings.order() {
        let player = mistakes.get(i)?;
        let mut row = vec![
            report.name(i),
            format!("{:.3}", player.per_game()),
            percent(player.judged()),
        ];
        row.extend(phases.iter().map(|phase| match player.phases.get(phase) {
            Some(phase) if phase.judged > 0 => format!("{:.3}", phase.mistakes as f64 / phase.judged as f64),
            _ => "·".into(),
        }));
        rows.push(row);
    }
    let note = "Mistakes are turns after which perfect play brings less than before. The numbered columns are mistakes a \
                judged turn, by how many pieces were placed; a dot where the truth was not asked for.";
    Some(("Mistakes", note, rows))
}
