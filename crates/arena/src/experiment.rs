//! An experiment of somebody's report, to be done again: who played whom, how often, and what the report says came out.
//!
//! What a report says is kept in the experiment's file, with the place it is from, and is only ever compared with; what is
//! printed as ours was counted in games played here.

use crate::plan::{Entrant, Format, OpeningPlan, Plan, PlanError, named_apart};
use crate::standings::{Score, Standings};
use crate::stats::{Z95, difference, wilson};
use crate::terms::Terms;
use serde::Deserialize;

/// An experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// Its name, the file's too.
    pub name: String,
    /// What it is, in words.
    pub title: String,
    /// Where it is from.
    pub source: String,
    /// What had to be decided where the report is silent.
    #[serde(default)]
    pub note: String,
    /// The game.
    #[serde(default = "quarto")]
    pub game: String,
    /// Specs and what to call them.
    pub players: Vec<Named>,
    /// Pairs of each two who meet, in full.
    pub pairs: u64,
    /// Pairs in a hurry.
    pub quick: u64,
    /// Who meets whom.
    #[serde(default)]
    pub format: Format,
    /// So many random legal turns begin each pair: players without chance would play one game again and again.
    #[serde(default)]
    pub plies: u32,
    /// Whether the scores of all duels are drawn over the players.
    #[serde(default)]
    pub figure: bool,
    /// What is compared.
    pub cells: Vec<ReportedCell>,
}

/// A player of an experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// What the report calls it.
    pub name: String,
    /// What plays it here.
    pub spec: String,
}

/// One figure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ReportedCell {
    /// What is measured.
    pub measure: Measure,
    /// Of which player, counted from 0.
    pub player: usize,
    /// Against whom; everybody if left out.
    pub against: Option<usize>,
    /// On which seat, 1 or 2; both if left out.
    pub seat: Option<usize>,
    /// What the report counted.
    pub reported: Option<f64>,
    /// In how many games.
    pub of: Option<u64>,
    /// What the report claims without a figure: that the score is above a half.
    #[serde(default)]
    pub claims_better: bool,
    /// What it claims likewise: that there is no difference.
    #[serde(default)]
    pub claims_even: bool,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Games won.
    Wins,
    /// Games drawn.
    Draws,
    /// Games lost.
    Losses,
    /// Points as a share of the games.
    Score,
    /// Turns a game.
    Turns,
    /// Milliseconds a placement, on average.
    PlaceMean,
    /// Milliseconds a placement, at most.
    PlaceMax,
    /// Milliseconds a gift, on average.
    GiveMean,
    /// Milliseconds a gift, at most.
    GiveMax,
    /// Seconds in all.
    Seconds,
    /// The share of all players' time.
    TimeShare,
}

/// Whether two figures agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The 95 % interval of their difference holds 0.
    Agrees,
    /// It does not.
    Differs,
    /// The sample cannot tell.
    Undecided,
    /// The report's cell is empty: ours fills it.
    Filled,
    /// Another machine's time.
    Incomparable,
}

impl Agreement {
    /// In a word.
    pub const fn word(self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees",
            Agreement::Differs => "**differs**",
            Agreement::Undecided => "undecided",
            Agreement::Filled => "filled",
            Agreement::Incomparable => "another machine",
        }
    }
}

/// A figure compared.
#[derive(Clone, Debug)]
pub struct ComparisonLine {
    /// What it is.
    pub what: String,
    /// What the report says.
    pub reported: String,
    /// What came out here, with its interval.
    pub ours: String,
    /// Whether they agree.
    pub agreement: Agreement,
}

fn quarto() -> String {
    "quarto".into()
}

impl Experiment {
    /// Reads an experiment; `place` names it in errors.
    pub fn from_toml(text: &str, place: &str) -> Result<Experiment, PlanError> {
        let wrong = |why: String| PlanError {
            place: place.into(),
            why,
        };
        let read: Experiment = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        for cell in &read.cells {
            let known = |player: usize| player < read.players.len();
            if !known(cell.player) || !cell.against.is_none_or(known) || !cell.seat.is_none_or(|s| s == 1 || s == 2) {
                return Err(wrong(format!("no such player or seat: {cell:?}")));
            }
        }
        Ok(read)
    }

    /// What is to be played.
    pub fn plan(&self, pairs: u64) -> Plan {
        let players = self.players.iter().map(|player| {
            let mut entrant = Entrant::of_spec(&player.spec);
            entrant.name = player.name.clone();
            entrant
        });
        Plan {
            name: self.name.clone(),
            game: self.game.clone(),
            players: named_apart(players.collect()),
            rounds: pairs,
            format: self.format,
            seed: 1,
            terms: Terms {
                patience: std::time::Duration::from_secs(3600),
                ..Terms::default()
            },
            openings: match self.plies {
                0 => OpeningPlan::Start,
                plies => OpeningPlan::Plies(plies),
            },
            sprt: None,
            concurrency: 0,
        }
    }

    /// All figures, compared.
    pub fn compare(&self, standings: &Standings) -> Vec<ComparisonLine> {
        self.cells.iter().map(|cell| self.line(cell, standings)).collect()
    }

    fn line(&self, cell: &ReportedCell, standings: &Standings) -> ComparisonLine {
        let score = score(cell, standings);
        let games = score.games();
        let name = &self.players[cell.player].name;
        let mut what = match cell.measure {
            Measure::Wins => format!("wins of {name}"),
            Measure::Draws => format!("draws of {name}"),
            Measure::Losses => format!("losses of {name}"),
            Measure::Score => format!("score of {name}"),
            Measure::Turns => "turns a game".into(),
            Measure::PlaceMean => format!("place of {name}, mean ms"),
            Measure::PlaceMax => format!("place of {name}, max ms"),
            Measure::GiveMean => format!("select of {name}, mean ms"),
            Measure::GiveMax => format!("select of {name}, max ms"),
            Measure::Seconds => format!("seconds of {name}"),
            Measure::TimeShare => format!("share of time of {name}"),
        };
        if let Some(against) = cell.against.filter(|_| self.players.len() > 2) {
            what += &format!(" against {}", self.players[against].name);
        }
        if let Some(seat) = cell.seat {
            what += &format!(", on seat {seat}");
        }
        let counted = match cell.measure {
            Measure::Wins => Some(score.wins as f64),
            Measure::Draws => Some(score.draws as f64),
            Measure::Losses => Some(score.losses as f64),
            Measure::Score => Some(score.points()),
            _ => None,
        };
        let (ours, agreement) = match counted {
            Some(count) => share_line(cell, count, games),
            None if cell.measure == Measure::Turns => length_line(cell, standings),
            None => (time_line(cell, standings), incomparable(cell)),
        };
        let reported = match (cell.reported, cell.of) {
            (Some(count), Some(of)) if counted.is_some() => {
                format!("{count} of {of} ({:.1} %)", 100.0 * count / of.max(1) as f64)
            }
            (Some(value), _) => value.to_string(),
            (None, _) if cell.claims_better => "better, no figure".into(),
            (None, _) if cell.claims_even => "no different, no figure".into(),
            (None, _) => "(empty)".into(),
        };
        ComparisonLine {
            what,
            reported,
            ours,
            agreement,
        }
    }
}

/// The player's results that the cell is about.
fn score(cell: &ReportedCell, standings: &Standings) -> Score {
    let mut sum = Score::default();
    for duel in &standings.duels {
        let (other, turned) = match cell.player {
            player if player == duel.first => (duel.second, false),
            player if player == duel.second => (duel.first, true),
            _ => continue,
        };
        if cell.against.is_some_and(|against| against != other) {
            continue;
        }
        for seat in 0..2 {
            if cell.seat.is_some_and(|wanted| wanted - 1 != seat) {
                continue;
            }
            // The second sits where the first does not.
            let score = duel.seats[if turned { 1 - seat } else { seat }];
            let (wins, losses) = if turned {
                (score.losses, score.wins)
            } else {
                (score.wins, score.losses)
            };
            sum.wins += wins;
            sum.draws += score.draws;
            sum.losses += losses;
        }
    }
    sum
}

/// A share of the games with its interval, and what that means for the report's.
fn share_line(cell: &ReportedCell, count: f64, games: u64) -> (String, Agreement) {
    // Half points: the interval of the next whole count is wide enough.
    let (low, high) = wilson(count.round() as u64, games);
    let share = count / games.max(1) as f64;
    let ours = format!(
        "{count} of {games} ({:.1} %, {:.1} to {:.1})",
        100.0 * share,
        100.0 * low,
        100.0 * high
    );
    let agreement = match (cell.reported, cell.of) {
        (Some(reported), Some(of)) => {
            let (low, high) = difference((count.round() as u64, games), (reported.round() as u64, of));
            if low <= 0.0 && 0.0 <= high {
                Agreement::Agrees
            } else {
                Agreement::Differs
            }
        }
        _ if cell.claims_even && low <= 0.5 && 0.5 <= high => Agreement::Agrees,
        _ if cell.claims_even => Agreement::Differs,
        _ if cell.claims_better => match (low, high) {
            (low, _) if low > 0.5 => Agreement::Agrees,
            (_, high) if high < 0.5 => Agreement::Differs,
            _ => Agreement::Undecided,
        },
        _ => Agreement::Filled,
    };
    (ours, agreement)
}

/// The turns of a game, on average. A report that gives no variance is lent ours.
fn length_line(cell: &ReportedCell, standings: &Standings) -> (String, Agreement) {
    let player = &standings.players[cell.player];
    let (mean, variance) = player.length();
    let games = player.score().games().max(1) as f64;
    let half = Z95 * (variance / games).sqrt();
    let ours = format!("{mean:.2} ({:.2} to {:.2})", mean - half, mean + half);
    let agreement = match (cell.reported, cell.of) {
        (Some(reported), Some(of)) => {
            let half = Z95 * (variance / games + variance / of.max(1) as f64).sqrt();
            if (mean - reported).abs() <= half {
                Agreement::Agrees
            } else {
                Agreement::Differs
            }
        }
        (Some(_), None) => Agreement::Incomparable,
        _ => Agreement::Filled,
    };
    (ours, agreement)
}

fn time_line(cell: &ReportedCell, standings: &Standings) -> String {
    let player = &standings.players[cell.player];
    let all = standings.seconds().max(1e-12);
    match cell.measure {
        Measure::PlaceMean => format!("{:.3}", player.times.place.mean_ms()),
        Measure::PlaceMax => format!("{:.1}", player.times.place.most_ms()),
        Measure::GiveMean => format!("{:.3}", player.times.give.mean_ms()),
        Measure::GiveMax => format!("{:.1}", player.times.give.most_ms()),
        Measure::Seconds => format!("{:.2}", player.seconds()),
        _ => format!("{:.1} %", 100.0 * player.seconds() / all),
    }
}

fn incomparable(cell: &ReportedCell) -> Agreement {
    match cell.reported {
        Some(_) => Agreement::Incomparable,
        None => Agreement::Filled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        name = "x"
        title = "t"
        source = "s"
        pairs = 500
        quick = 10
        players = [{ name = "Random", spec = "random" }, { name = "Novice", spec = "novice" }]
        cells = [
            { measure = "wins", player = 1, reported = 976, of = 1000 },
            { measure = "wins", player = 1, reported = 500, of = 1000 },
            { measure = "wins", player = 1, seat = 2 },
            { measure = "score", player = 1, claims-better = true },
            { measure = "score", player = 1, claims-even = true },
            { measure = "place-mean", player = 1, reported = 490 },
        ]
    "#;

    #[test]
    fn figures_are_compared_and_never_taken_over() {
        let experiment = Experiment::from_toml(TEXT, "x.toml").unwrap();
        let mut standings = Standings::new(2, &[(0, 1)]);
        // The random player is the first; the novice won 485 on seat 2 and 487 on seat 1.
        standings.duels[0].seats = [
            Score {
                wins: 12,
                draws: 3,
                losses: 485,
            },
            Score {
                wins: 10,
                draws: 3,
                losses: 487,
            },
        ];
        let lines = experiment.compare(&standings);
        let agreements: Vec<Agreement> = lines.iter().map(|line| line.agreement).collect();
        assert_eq!(
            agreements,
            [
                Agreement::Agrees,
                Agreement::Differs,
                Agreement::Filled,
                Agreement::Agrees,
                Agreement::Differs,
                Agreement::Incomparable
            ]
        );
        assert!(lines[0].ours.starts_with("972 of 1000 (97.2 %"), "{}", lines[0].ours);
        assert!(lines[2].ours.starts_with("485 of 500"), "{}", lines[2].ours);
        assert!(lines[3].ours.starts_with("975 of 1000"), "{}", lines[3].ours);
    }

    #[test]
    fn a_cell_about_nobody_is_refused() {
        let text = TEXT.replace("player = 1, seat = 2", "player = 7");
        assert!(Experiment::from_toml(&text, "x.toml").is_err());
    }
}
