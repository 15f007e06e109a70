//! What is said of a tournament that was played.

use crate::files;
use crate::usage::usage;
use arena::mistakes::Mistakes;
use arena::plan::{OpeningPlan, Plan};
use arena::report::{Tested, TournamentReport};
use arena::store::Store;
use arena::terms::TimeControl;
use arena::tournament::TournamentOutcome;
use games::AnyGame;
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

/// What is reported of a tournament that was played.
pub fn report<'a>(plan: &'a Plan, outcome: &'a TournamentOutcome) -> TournamentReport<'a> {
    TournamentReport {
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

    pub fn write(self, report: &TournamentReport) -> anyhow::Result<()> {
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
        OpeningPlan::File(file) => {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy();
            format!("from the positions in {name}")
        }
    };
    format!("{clock}, {openings}, seed {}", plan.seed)
}
