//! A tournament's report: [data](TournamentResults) for programs, Markdown to read anywhere, and one HTML page with figures that needs nothing beside it.

mod html;
mod markdown;
mod results;
pub mod svg;

pub use results::{PointResults, ReplacedResults, TimeResults, TournamentResults};

use crate::mistakes::Mistakes;
use crate::standings::Standings;
use crate::stats::sprt::{Decision, Sprt};
use std::time::Duration;

/// What is reported.
pub struct TournamentReport<'a> {
    /// The tournament's name.
    pub title: &'a str,
    /// The game.
    pub game: &'a str,
    /// The time control and openings, in words.
    pub terms: String,
    /// The players' names by number.
    pub names: Vec<String>,
    /// The results.
    pub standings: &'a Standings,
    /// A test that was to end it.
    pub sprt: Option<Tested>,
    /// Mistakes against the truth by player, if they were looked for.
    pub mistakes: Option<Vec<Mistakes>>,
    /// Pairs this run played, and how long it took.
    pub run: Option<(u64, Duration)>,
}

/// What a test said.
#[derive(Clone, Copy, Debug)]
pub struct Tested {
    /// The test.
    pub sprt: Sprt,
    /// The ratio where it decided, and how.
    pub decided: Option<(f64, Decision)>,
    /// The ratio of all pairs.
    pub all: f64,
}

impl TournamentReport<'_> {
    /// As Markdown.
    pub fn markdown(&self) -> String {
        markdown::write(self)
    }

    /// As a page.
    pub fn html(&self) -> String {
        html::write(self)
    }

    /// The name of a player. Damaged records may have lost it.
    fn name(&self, player: usize) -> String {
        self.names.get(player).map_or("?", String::as_str).into()
    }
}

/// `+12`, `-3`: Elo without a fraction.
pub(crate) fn signed(elo: f64) -> String {
    format!("{:+.0}", elo)
}

/// A share of 1 as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Points, with a half where there is one.
pub(crate) fn points(points: f64) -> String {
    if points.fract() == 0.0 {
        format!("{points:.0}")
    } else {
        format!("{points:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mistakes::PhaseMistakes;
    use crate::standings::WinDrawLoss;

    fn standings() -> Standings {
        let mut standings = Standings::new(3, &[(0, 1), (0, 2), (1, 2)]);
        for (i, duel) in standings.duels.iter_mut().enumerate() {
            duel.pairs = [1, 0, 2, 0, 7];
            duel.seats = [WinDrawLoss {
                wins: 8,
                draws: 1,
                losses: 1,
            }; 2];
            duel.turns = 100 + i as u64;
        }
        standings.pairs = 30;
        standings.players[0].seats = [WinDrawLoss {
            wins: 8,
            draws: 1,
            losses: 1,
        }; 2];
        standings.players[2].forfeits[3] = 2;
        standings
    }

    #[test]
    fn a_report_holds_every_table_and_no_nan() {
        let standings = standings();
        let mut mistakes = vec![Mistakes::default(); 3];
        mistakes[1].games = 4;
        mistakes[1].phases.insert(
            9,
            PhaseMistakes {
                turns: 4,
                judged: 4,
                mistakes: 2,
            },
        );
        let report = TournamentReport {
            title: "evening <1>",
            game: "quarto",
            terms: "no clock".into(),
            names: ["a", "b|c", "<d>"].map(Into::into).into(),
            standings: &standings,
            sprt: None,
            mistakes: Some(mistakes),
            run: Some((30, Duration::from_secs(2))),
        };
        let markdown = report.markdown();
        for part in [
            "## Standings",
            "## Cross table",
            "## Head to head",
            "## Seats",
            "## Time",
            "## Mistakes",
            "crash 2",
        ] {
            assert!(markdown.contains(part), "{part} in\n{markdown}");
        }
        assert!(markdown.contains("b\\|c"), "{markdown}");
        let html = report.html();
        assert!(
            html.contains("<svg") && html.contains("&lt;d&gt;") && !html.contains("<d>"),
            "{html}"
        );
        for text in [&markdown, &html] {
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }

    #[test]
    fn an_empty_tournament_has_a_report_too() {
        let standings = Standings::new(2, &[(0, 1)]);
        let report = TournamentReport {
            title: "nothing",
            game: "quarto",
            terms: String::new(),
            names: vec!["a".into(), "b".into()],
            standings: &standings,
            sprt: None,
            mistakes: None,
            run: None,
        };
        for text in [report.markdown(), report.html()] {
            assert!(!text.contains("NaN") && !text.contains(" inf"), "{text}");
        }
    }
}
