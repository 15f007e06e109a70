//! A report's figure beside ours, and what that tells.
//!
//! A row of wins, draws and losses is one figure and gets one test. No difference found is an agreement only if a difference
//! would have been found: where the interval of the difference is too wide for that, nothing can be told.

use super::{Claim, Experiment, Measure, Reading, ReportedCell};
use crate::standings::{Standings, WinDrawLoss, on};
use crate::stats::{Z95, difference, homogeneity, wilson};
use crate::tally::Moments;

/// Two figures differ if chance would part them as far less often than this.
const SIGNIFICANCE: f64 = 0.05;
/// The widest interval of a difference of shares, to either side, that is an agreement.
const WIDEST: f64 = 0.10;
/// The widest interval of a score, to either side, that shows two players to be even.
const WIDEST_EVEN: f64 = 0.05;

/// What a comparison tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// No difference was found, and one that matters would have been.
    Agrees,
    /// They differ.
    Differs,
    /// The samples are too small, or there is nothing to compare with.
    CannotTell,
    /// The report's cell is empty: ours fills it.
    Filled,
    /// Another machine's time.
    AnotherMachine,
}

impl Agreement {
    /// In a word or two.
    pub const fn word(self) -> &'static str {
        match self {
            Agreement::Agrees => "agrees",
            Agreement::Differs => "differs",
            Agreement::CannotTell => "cannot tell",
            Agreement::Filled => "filled",
            Agreement::AnotherMachine => "another machine",
        }
    }
}

/// A report's figure and what came out here, reading by reading.
#[derive(Clone, Debug)]
pub struct FigureComparison {
    /// What it is.
    pub what: String,
    /// What the report says.
    pub reported: String,
    /// What came out here.
    pub readings: Vec<ReadingLine>,
    /// What that tells: the verdict of the best reading that the report allows.
    pub verdict: Agreement,
    /// Which that is.
    pub best: usize,
}

/// What came out under one reading.
#[derive(Clone, Debug)]
pub struct ReadingLine {
    /// The reading.
    pub label: String,
    /// Whether the report allows it.
    pub allowed: bool,
    /// Our figure, with its interval.
    pub ours: String,
    /// Ours minus the report's, as a share of the games, and its interval: of the wins, or of the score.
    pub difference: Option<(f64, f64, f64)>,
    /// How likely chance alone parts them as far.
    pub p: Option<f64>,
    /// What it tells.
    pub verdict: Agreement,
}

impl FigureComparison {
    /// How many readings were tried that the report allows.
    pub fn allowed(&self) -> usize {
        self.readings.iter().filter(|line| line.allowed).count()
    }

    /// The reading that fits best of those the report allows.
    pub fn best(&self) -> Option<&ReadingLine> {
        self.readings.get(self.best)
    }
}

/// A probability as text.
pub fn p_text(p: f64) -> String {
    match p {
        p if p < 0.0001 => "p < 0.0001".into(),
        p if p < 0.01 => format!("p = {p:.4}"),
        p => format!("p = {p:.2}"),
    }
}

pub(super) fn compare(
    experiment: &Experiment,
    cell: &ReportedCell,
    readings: &[Reading],
    played: &[&Standings],
) -> FigureComparison {
    let mut lines: Vec<ReadingLine> = Vec::new();
    for (reading, standings) in readings.iter().zip(played) {
        let seat = reading.seat.or(cell.seat).map(|seat| seat - 1);
        let mut line = measured(cell, seat, standings);
        line.label = reading.label.clone();
        line.allowed = reading.allowed;
        // Readings of the seat say nothing new of what has no seat.
        if !lines
            .iter()
            .any(|other| other.ours == line.ours && reading.seat.is_some())
        {
            lines.push(line);
        }
    }
    let rank = |line: &ReadingLine| match line.verdict {
        Agreement::Agrees => 2,
        Agreement::CannotTell => 1,
        _ => 0,
    };
    let better = |a: &ReadingLine, b: &ReadingLine| {
        let by_p = a.p.unwrap_or(0.0).total_cmp(&b.p.unwrap_or(0.0));
        rank(a).cmp(&rank(b)).then(by_p)
    };
    // Of equals the first: it is the plainest reading.
    let allowed = (0..lines.len()).filter(|&i| lines[i].allowed).rev();
    let best = allowed.max_by(|&a, &b| better(&lines[a], &lines[b])).unwrap_or(0);
    FigureComparison {
        what: what(experiment, cell),
        reported: reported(cell),
        verdict: lines.get(best).map_or(Agreement::CannotTell, |line| line.verdict),
        readings: lines,
        best,
    }
}

fn what(experiment: &Experiment, cell: &ReportedCell) -> String {
    let name = &experiment.players[cell.player].name;
    let mut what = match cell.measure {
        Measure::Results => format!("wins, draws and losses of {name}"),
        Measure::Score => format!("score of {name}"),
        Measure::Turns => "turns a game".into(),
        Measure::Points => format!("points of {name} a game"),
        Measure::PlaceMean => format!("place of {name}, mean ms"),
        Measure::PlaceMax => format!("place of {name}, max ms"),
        Measure::GiveMean => format!("select of {name}, mean ms"),
        Measure::GiveMax => format!("select of {name}, max ms"),
        Measure::Seconds => format!("seconds of {name}"),
        Measure::TimeShare => format!("share of time of {name}"),
    };
    if let Some(against) = cell.against.filter(|_| experiment.players.len() > 2) {
        what += &format!(" against {}", experiment.players[against].name);
    }
    if let Some(than) = cell.than {
        what += &format!(", compared with {}", experiment.players[than].name);
    }
    if let Some(seat) = cell.seat {
        what += &format!(", on seat {seat}");
    }
    what
}

fn reported(cell: &ReportedCell) -> String {
    match (cell.results, cell.reported, cell.claims) {
        (Some([wins, draws, losses]), ..) => format!("{wins}/{draws}/{losses}{}", shares([wins, draws, losses])),
        (_, Some(value), _) => value.to_string(),
        (_, _, Some(Claim::Better)) => "better, no figure".into(),
        (_, _, Some(Claim::Worse)) => "worse, no figure".into(),
        (_, _, Some(Claim::Even)) => "no different, no figure".into(),
        (_, _, Some(Claim::NotWorse)) => "not worse, no figure".into(),
        (_, _, Some(Claim::Best)) => "the best, no figure".into(),
        (None, None, None) => "(empty)".into(),
    }
}

fn shares(row: [u64; 3]) -> String {
    let all = row.iter().sum::<u64>();
    let share = |count: u64| format!("{:.1}", 100.0 * count as f64 / all.max(1) as f64);
    match all {
        0 | 1 => String::new(),
        _ => format!(" ({} %)", row.map(share).join("/")),
    }
}

fn line(ours: String, verdict: Agreement) -> ReadingLine {
    ReadingLine {
        label: String::new(),
        allowed: true,
        ours,
        difference: None,
        p: None,
        verdict,
    }
}

fn measured(cell: &ReportedCell, seat: Option<usize>, standings: &Standings) -> ReadingLine {
    let player = &standings.players[cell.player];
    match cell.measure {
        Measure::Results => results(cell, score_of(standings, cell.player, cell.against, seat)),
        Measure::Score if cell.claims == Some(Claim::Best) => best_of_all(cell, standings),
        Measure::Score => {
            let of = |player| score_of(standings, player, cell.against, seat);
            claimed(cell.claims, of(cell.player), cell.than.map(of))
        }
        Measure::Turns => mean(cell, player.length(seat)),
        Measure::Points => {
            let (made, lead) = (on(&player.made, seat), on(&player.leads, seat));
            let (low, high) = interval(&lead);
            let text = format!(
                "{:.0}, ahead by {:+.0} ({low:+.0} to {high:+.0})",
                made.mean(),
                lead.mean()
            );
            line(text, Agreement::Filled)
        }
        _ => line(
            time(cell, standings),
            if cell.reported.is_some() {
                Agreement::AnotherMachine
            } else {
                Agreement::Filled
            },
        ),
    }
}

/// A player's results, against one other or all, on one seat (0 or 1) or both.
pub fn score_of(standings: &Standings, player: usize, against: Option<usize>, seat: Option<usize>) -> WinDrawLoss {
    let mut sum = WinDrawLoss::default();
    for duel in &standings.duels {
        let (other, turned) = match player {
            player if player == duel.first => (duel.second, false),
            player if player == duel.second => (duel.first, true),
            _ => continue,
        };
        if against.is_some_and(|against| against != other) {
            continue;
        }
        for place in (0..2).filter(|&place| seat.is_none_or(|seat| seat == place)) {
            // The second sits where the first does not.
            let score = duel.seats[if turned { 1 - place } else { place }];
            let (wins, losses) = match turned {
                true => (score.losses, score.wins),
                false => (score.wins, score.losses),
            };
            sum.wins += wins;
            sum.draws += score.draws;
            sum.losses += losses;
        }
    }
    sum
}

/// A whole row with its test.
fn results(cell: &ReportedCell, score: WinDrawLoss) -> ReadingLine {
    let ours = [score.wins, score.draws, score.losses];
    let games = score.games();
    let (low, high) = wilson(score.wins, games);
    let text = format!(
        "{}/{}/{}{}, wins {:.1} to {:.1} %",
        ours[0],
        ours[1],
        ours[2],
        shares(ours),
        100.0 * low,
        100.0 * high
    );
    let Some(theirs) = cell.results else {
        return line(text, Agreement::Filled);
    };
    let of = theirs.iter().sum::<u64>();
    let intervals = [0, 1, 2].map(|i| difference((ours[i], games), (theirs[i], of)));
    let widest = intervals
        .map(|(low, high)| (high - low) / 2.0)
        .into_iter()
        .fold(0.0, f64::max);
    let p = homogeneity(ours, theirs);
    let verdict = match p {
        _ if games == 0 || of == 0 => Agreement::CannotTell,
        p if p < SIGNIFICANCE => Agreement::Differs,
        _ if widest > WIDEST => Agreement::CannotTell,
        _ => Agreement::Agrees,
    };
    let (low, high) = intervals[0];
    let apart = ours[0] as f64 / games.max(1) as f64 - theirs[0] as f64 / of.max(1) as f64;
    ReadingLine {
        difference: Some((apart, low, high)),
        p: Some(p),
        ..line(text, verdict)
    }
}

/// A score with its interval, and whether it bears a claim out: about the score, or about how much it is above another's.
fn claimed(claim: Option<Claim>, score: WinDrawLoss, than: Option<WinDrawLoss>) -> ReadingLine {
    // Half points: the interval of the next whole count is wide enough.
    let count = |score: &WinDrawLoss| (score.points().round() as u64, score.games());
    let share = |score: &WinDrawLoss| score.points() / score.games().max(1) as f64;
    let (low, high) = wilson(score.points().round() as u64, score.games());
    let mut text = format!(
        "{} of {} ({:.1} %, {:.1} to {:.1})",
        score.points(),
        score.games(),
        100.0 * share(&score),
        100.0 * low,
        100.0 * high
    );
    let (ahead, low, high) = match &than {
        None => (share(&score) - 0.5, low - 0.5, high - 0.5),
        Some(than) => {
            let (low, high) = difference(count(&score), count(than));
            let ahead = share(&score) - share(than);
            text += &format!(
                ", {:+.1} points ({:+.1} to {:+.1})",
                100.0 * ahead,
                100.0 * low,
                100.0 * high
            );
            (ahead, low, high)
        }
    };
    let holds_zero = low <= 0.0 && 0.0 <= high;
    let narrow = (high - low) / 2.0 <= WIDEST_EVEN;
    let verdict = match claim {
        None => Agreement::Filled,
        Some(Claim::Even) if holds_zero && narrow => Agreement::Agrees,
        Some(Claim::Even) if !holds_zero => Agreement::Differs,
        Some(Claim::Worse) if high < 0.0 => Agreement::Agrees,
        Some(Claim::Worse) if low > 0.0 => Agreement::Differs,
        Some(Claim::NotWorse) if low > -WIDEST_EVEN => Agreement::Agrees,
        Some(Claim::NotWorse | Claim::Better | Claim::Best) if high < 0.0 => Agreement::Differs,
        Some(Claim::Better | Claim::Best) if low > 0.0 => Agreement::Agrees,
        Some(_) => Agreement::CannotTell,
    };
    ReadingLine {
        difference: Some((ahead, low, high)),
        ..line(text, verdict)
    }
}

/// Whether a player is better than each of those it met.
fn best_of_all(cell: &ReportedCell, standings: &Standings) -> ReadingLine {
    let others = (0..standings.players.len()).filter(|&other| standings.duel(cell.player, other).is_some());
    let duels: Vec<ReadingLine> = others
        .map(|against| {
            claimed(
                Some(Claim::Better),
                score_of(standings, cell.player, Some(against), None),
                None,
            )
        })
        .collect();
    let any = |verdict| duels.iter().any(|duel| duel.verdict == verdict);
    let verdict = match duels.is_empty() || any(Agreement::CannotTell) {
        _ if any(Agreement::Differs) => Agreement::Differs,
        true => Agreement::CannotTell,
        false => Agreement::Agrees,
    };
    let texts: Vec<&str> = duels.iter().map(|duel| duel.ours.as_str()).collect();
    line(texts.join("; "), verdict)
}

fn interval(of: &Moments) -> (f64, f64) {
    let half = Z95 * (of.variance() / of.count().max(1) as f64).sqrt();
    (of.mean() - half, of.mean() + half)
}

/// A mean. A report that gives no variance is lent ours.
fn mean(cell: &ReportedCell, ours: Moments) -> ReadingLine {
    let (low, high) = interval(&ours);
    let text = format!("{:.2} ({low:.2} to {high:.2})", ours.mean());
    let (Some(reported), Some(of)) = (cell.reported, cell.of) else {
        return line(text, Agreement::Filled);
    };
    let error = (ours.variance() * (1.0 / ours.count().max(1) as f64 + 1.0 / of.max(1) as f64)).sqrt();
    let apart = (ours.mean() - reported).abs();
    let p = match error > 0.0 {
        true => 2.0 * crate::stats::normal_cdf(-apart / error),
        false => 1.0,
    };
    let verdict = match p {
        _ if ours.count() < 2 || of < 2 => Agreement::CannotTell,
        p if p < SIGNIFICANCE => Agreement::Differs,
        // Of a mean, too, a tenth must not go unseen.
        _ if Z95 * error > WIDEST * reported.abs() => Agreement::CannotTell,
        _ => Agreement::Agrees,
    };
    ReadingLine {
        p: Some(p),
        ..line(text, verdict)
    }
}

fn time(cell: &ReportedCell, standings: &Standings) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
        name = "000-x"
        title = "t"
        source = "s"
        pairs = 500
        quick = 10
        players = [{ name = "Random", spec = "random" }, { name = "Novice", spec = "novice" }]
        readings = [{ label = "on seat 2", seat = 2 }, { label = "a guess", specs = ["random", "random"], allowed = false }]
        cells = [
            { measure = "results", player = 1, results = [976, 3, 21] },
            { measure = "results", player = 1, results = [700, 100, 200] },
            { measure = "results", player = 1, results = [1, 0, 0] },
            { measure = "results", player = 1, seat = 2 },
            { measure = "score", player = 1, claims = "better" },
            { measure = "score", player = 1, claims = "even" },
            { measure = "score", player = 0, claims = "best" },
            { measure = "place-mean", player = 1, reported = 490 },
        ]
    "#;

    fn standings(seats: [[u64; 3]; 2]) -> Standings {
        let mut standings = Standings::new(2, &[(0, 1)]);
        standings.duels[0].seats = seats.map(|[wins, draws, losses]| WinDrawLoss { wins, draws, losses });
        standings
    }

    /// The random player is the first; the novice won 485 on seat 2 and 487 on seat 1.
    fn played() -> Standings {
        standings([[12, 3, 485], [10, 3, 487]])
    }

    #[test]
    fn rows_are_compared_whole_and_never_taken_over() {
        let experiment = Experiment::from_toml(TEXT, "x.toml").unwrap();
        assert_eq!(experiment.report(), "000");
        let guess = standings([[250, 10, 240], [250, 10, 240]]);
        let compared = experiment.compare(&[&played(), &played(), &guess]);
        let verdicts: Vec<Agreement> = compared.iter().map(|comparison| comparison.verdict).collect();
        assert_eq!(
            verdicts,
            [
                Agreement::Agrees,
                Agreement::Differs,
                Agreement::CannotTell,
                Agreement::Filled,
                Agreement::Agrees,
                Agreement::Differs,
                Agreement::Differs,
                Agreement::AnotherMachine
            ]
        );
        let first = &compared[0];
        assert!(
            first.readings[0].ours.starts_with("972/6/22 (97.2/0.6/2.2 %)"),
            "{first:?}"
        );
        assert!(first.readings[1].ours.starts_with("485/3/12"), "{first:?}");
        assert_eq!((first.readings.len(), first.allowed()), (3, 2));
        assert_eq!(first.readings[2].verdict, Agreement::Differs);
    }

    #[test]
    fn a_reading_that_the_report_does_not_allow_never_makes_an_agreement() {
        let experiment = Experiment::from_toml(TEXT, "x.toml").unwrap();
        // The guess gives exactly what the report counted, the others do not.
        let fitting = standings([[10, 1, 489], [11, 2, 487]]);
        let others = standings([[100, 0, 400], [100, 0, 400]]);
        let compared = experiment.compare(&[&others, &others, &fitting]);
        assert_eq!(compared[0].verdict, Agreement::Differs);
        assert_eq!(compared[0].readings.last().unwrap().verdict, Agreement::Agrees);
    }

    #[test]
    fn a_sample_too_small_to_find_a_difference_is_no_agreement() {
        let experiment = Experiment::from_toml(TEXT, "x.toml").unwrap();
        let few = standings([[0, 0, 5], [0, 0, 5]]);
        let compared = experiment.compare(&[&few, &few, &few]);
        assert_eq!(compared[0].verdict, Agreement::CannotTell);
        let none = standings([[0; 3]; 2]);
        let compared = experiment.compare(&[&none, &none, &none]);
        assert_eq!(compared[0].verdict, Agreement::CannotTell);
        assert_eq!(compared[4].verdict, Agreement::CannotTell);
    }

    #[test]
    fn cells_and_readings_about_nobody_are_refused() {
        for (from, to) in [
            ("player = 1, seat = 2", "player = 7"),
            ("seat = 2 }, {", "seat = 3 }, {"),
            ("specs = [\"random\", \"random\"]", "specs = [\"random\"]"),
            ("quick = 10", "quick = 10\ntime = \"soon\""),
        ] {
            assert!(TEXT.contains(from));
            assert!(
                Experiment::from_toml(&TEXT.replace(from, to), "x.toml").is_err(),
                "{to}"
            );
        }
    }

    #[test]
    fn somebody_else_in_a_players_place_is_the_only_reading() {
        let mut experiment = Experiment::from_toml(TEXT, "x.toml").unwrap();
        assert!(!experiment.replace("Nobody", "random") && experiment.replace("Novice", "random"));
        let readings = experiment.all_readings();
        assert_eq!(readings.len(), 1);
        assert_eq!(readings[0].specs, ["random", "random"]);
    }
}
