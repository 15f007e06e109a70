//! What `terzo reproduce` draws.

use arena::experiment::{Experiment, FigurePlan, score_of};
use arena::report::svg::{Dots, LineChart};
use arena::standings::Standings;

/// Scores over the experiment's axis: a line for each opponent.
pub fn scores(experiment: &Experiment, figure: &FigurePlan, standings: &Standings) -> String {
    let players = experiment.players.len();
    let opponents: Vec<usize> = match figure.against {
        Some(against) => vec![against],
        None => (0..players).collect(),
    };
    let series = opponents.into_iter().map(|against| {
        let points = (0..players)
            .filter(|&player| figure.at[player] >= 0.0 && player != against)
            .filter_map(|player| Some((figure.at[player], share(standings, player, against, figure.seat)?)));
        (
            format!("against {}", experiment.players[against].name),
            points.collect(),
        )
    });
    let seat = figure.seat.map_or(String::new(), |seat| format!(" on seat {seat}"));
    standalone(
        &LineChart {
            title: &format!("{}: score{seat}, 1 is all games won", experiment.title),
            x: &figure.x,
            series: series.collect(),
        }
        .draw(),
    )
}

/// A player's points as a share of its games with another.
pub fn share(standings: &Standings, player: usize, against: usize, seat: Option<usize>) -> Option<f64> {
    let score = score_of(standings, player, Some(against), seat.map(|seat| seat - 1));
    (score.games() > 0).then(|| score.points() / score.games() as f64)
}

/// How far our wins lie from the reports', in points of a hundred.
pub fn overview(rows: Vec<(String, f64, f64, f64)>) -> String {
    let figure = Dots {
        title: "Wins in every reported row, ours minus the report's, in points of a hundred (95 % intervals)",
        rows,
        label: |value| format!("{value:+.1}"),
    };
    standalone(&figure.draw())
}

/// A figure as a file of its own.
pub fn standalone(svg: &str) -> String {
    svg.replacen(
        "<svg ",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" style=\"background:#fff;color:#222;font:12px sans-serif\" ",
        1,
    ) + "\n"
}
