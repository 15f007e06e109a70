//! A student's folder: results, games, conversations, mistakes against the truth, and advice.

use super::super::engine;
use super::time;
use anyhow::Context;
use arena::gamelog::GameLog;
use arena::gametext;
use arena::mistakes::Mistakes;
use arena::plan::Plan;
use arena::record::PairRecord;
use arena::referee::VerdictKind;
use arena::standings::Standings;
use arena::tally::TurnTimes;
use game::Seat;
use link::ugi::{FindingSeverity, Inspection};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// All that is known when the games are over.
pub struct ClassResults<'a> {
    pub plan: &'a Plan,
    pub standings: &'a Standings,
    pub pairs: &'a [PairRecord],
    pub mistakes: Option<&'a [Mistakes]>,
    pub log: &'a GameLog,
    /// How many students there are, those included that did not play.
    pub students: usize,
}

/// Games that a player lost by a fault of its own: how often each kind, and the first of it in words.
type Faults = BTreeMap<VerdictKind, (u64, String)>;

impl ClassResults<'_> {
    /// Writes the folder of a student who played.
    pub fn write(&self, folder: &Path, player: usize, command: &str, check: &Inspection) -> anyhow::Result<()> {
        let faults = self.write_games(folder, player)?;
        let mut text = self.place(player);
        text += &self.results(player);
        text += &time::in_words(&self.standings.players[player].times);
        text += &self.faults_in_words(&faults);
        text += &self.mistakes_in_words(player);
        text += &format!("## Advice\n\n{}\n", self.advice(player, &faults, check));
        text += &check_in_words(command, &self.plan.game, check);
        write_file(&folder.join("report.md"), &text)
    }

    /// Every game as text and every conversation; and what was lost by faults.
    fn write_games(&self, folder: &Path, player: usize) -> anyhow::Result<Faults> {
        let names: Vec<String> = self.plan.players.iter().map(|player| player.name.clone()).collect();
        let (games, log) = (folder.join("games"), folder.join("log"));
        for made in [&games, &log] {
            let _ = fs::remove_dir_all(made);
            fs::create_dir_all(made).with_context(|| made.display().to_string())?;
        }
        let mut faults = Faults::new();
        let own = self
            .pairs
            .iter()
            .filter(|pair| pair.first == player || pair.second == player);
        for pair in own {
            for (number, game) in pair.games.iter().enumerate() {
                let text = gametext::write(&self.plan.game, pair, number, &names);
                let name = format!("pair-{:06}-game-{}", pair.number, number + 1);
                write_file(&games.join(format!("{name}.txt")), &text)?;
                // A game of an earlier run may have no conversation any more.
                let _ = fs::copy(
                    self.log.file(pair.number, number as u64),
                    log.join(format!("{name}.log")),
                );
                let loser = game.winner.map(|winner| pair.sitting(number, winner.other()));
                if game.kind.is_forfeit() && loser == Some(player) {
                    let first = || (0, format!("{} (games/{name}.txt, log/{name}.log)", game.detail));
                    faults.entry(game.kind).or_insert_with(first).0 += 1;
                }
            }
        }
        Ok(faults)
    }

    fn place(&self, player: usize) -> String {
        let place = self
            .standings
            .order()
            .iter()
            .position(|&other| other == player)
            .map_or(0, |at| at + 1);
        let score = self.standings.players[player].score();
        let rating = &self.standings.ratings()[player];
        format!(
            "# {}\n\nPlace {place} of {}: {:.1} points of {} games; {} won, {} drawn, {} lost; Elo {:+.0} ({:+.0} to {:+.0}).\n\n",
            self.plan.players[player].name,
            self.students,
            score.points(),
            score.games(),
            score.wins,
            score.draws,
            score.losses,
            rating.value,
            rating.low,
            rating.high,
        )
    }

    fn results(&self, player: usize) -> String {
        let mut text = String::from("| against | won | drawn | lost | processor seconds |\n|---|--:|--:|--:|--:|\n");
        for other in self.standings.order() {
            if let Some((_, score)) = self.standings.duel(player, other).filter(|_| other != player) {
                let name = &self.plan.players[other].name;
                let processor = time::processor_cell(&self.times_against(player, other));
                let _ = writeln!(
                    text,
                    "| {name} | {} | {} | {} | {processor} |",
                    score.wins, score.draws, score.losses
                );
            }
        }
        text + "\n"
    }

    /// What a player took in its games against another.
    fn times_against(&self, player: usize, other: usize) -> TurnTimes {
        let mut times = TurnTimes::default();
        for pair in self.pairs {
            if ![[player, other], [other, player]].contains(&[pair.first, pair.second]) {
                continue;
            }
            for (number, game) in pair.games.iter().enumerate() {
                for seat in [Seat::FIRST, Seat::SECOND] {
                    if pair.sitting(number, seat) == player {
                        times.merge(&game.clocks[seat.index()]);
                    }
                }
            }
        }
        times
    }

    fn faults_in_words(&self, faults: &Faults) -> String {
        if faults.is_empty() {
            return String::new();
        }
        let mut text = String::from("## Games lost by a fault of its own\n\n");
        for (kind, (count, first)) in faults {
            let _ = writeln!(text, "- {count} by {}; the first: {first}", kind.word());
        }
        text + "\n"
    }

    fn mistakes_in_words(&self, player: usize) -> String {
        let Some(found) = self
            .mistakes
            .and_then(|all| all.get(player))
            .filter(|found| found.judged() > 0.0)
        else {
            return String::new();
        };
        let mut text = format!(
            "## Mistakes against the truth\n\n{:.2} known mistakes a game; the truth is known of {:.0} % of its turns.\n\n| phase | turns | judged | mistakes |\n|--:|--:|--:|--:|\n",
            found.per_game(),
            100.0 * found.judged()
        );
        for (phase, seen) in found.phases.iter().filter(|(_, seen)| seen.judged > 0) {
            let _ = writeln!(
                text,
                "| {phase} | {} | {} | {} |",
                seen.turns, seen.judged, seen.mistakes
            );
        }
        text + "\n"
    }

    fn advice(&self, player: usize, faults: &Faults, check: &Inspection) -> String {
        let mut advice: Vec<String> = faults.keys().map(|&kind| cure(kind).to_owned()).collect();
        let findings = check
            .findings
            .iter()
            .filter(|finding| finding.severity != FindingSeverity::Passed);
        advice.extend(
            findings
                .filter(|finding| !finding.advice.is_empty() && finding.topic != "stderr")
                .map(|finding| {
                    format!(
                        "{}: {}",
                        finding.what.lines().next().unwrap_or_default(),
                        finding.advice
                    )
                }),
        );
        advice.extend(time::advice(&self.standings.players[player].times, &self.plan.terms));
        if let Some(found) = self.mistakes.and_then(|all| all.get(player)) {
            let worst = found
                .phases
                .iter()
                .max_by_key(|(_, seen)| seen.mistakes)
                .filter(|(_, seen)| seen.mistakes > 0);
            if let Some((phase, seen)) = worst {
                advice.push(format!(
                    "Most is thrown away in phase {phase}: {} of {} turns there made the position worth less. `terzo analyse {} \"$(cat games/FILE)\"` shows which",
                    seen.mistakes, seen.judged, self.plan.game
                ));
            }
        }
        if let Some(worst) = self.worst_opponent(player) {
            advice.push(worst);
        }
        if advice.is_empty() {
            advice.push("Nothing to mend. Let it look further ahead".into());
        }
        advice.iter().map(|line| format!("- {line}.\n")).collect()
    }

    /// Who takes the most points from it.
    fn worst_opponent(&self, player: usize) -> Option<String> {
        let all = (0..self.plan.players.len()).filter(|&other| other != player);
        let lost = all.filter_map(|other| Some((self.standings.duel(player, other)?.1, other)));
        let (score, other) = lost.max_by_key(|(score, _)| score.losses)?;
        let name = &self.plan.players[other].name;
        (score.losses > 0).then(|| {
            format!(
                "Look at the games against {name}, which took {} of {}",
                score.losses,
                score.games()
            )
        })
    }
}

/// What helps against a kind of fault.
fn cure(kind: VerdictKind) -> &'static str {
    match kind {
        VerdictKind::Illegal => {
            "Check every move against your own list of legal ones before you say it, and clear the board at `uginewgame`"
        }
        VerdictKind::Crash => {
            "It crashed: the log of the game ends with its traceback (lines with `!`), or it went beyond a limit"
        }
        VerdictKind::Timeout => {
            "It ran out of time: look at the clock while thinking, and answer with the best move so far"
        }
        VerdictKind::Stall => "It did not answer: flush after every line, and answer `isready` and `go` always",
        VerdictKind::Disconnect => {
            "It left in the middle of a game: read lines until `quit`, and do not close standard output"
        }
        VerdictKind::Win | VerdictKind::Draw | VerdictKind::Adjudicated => "",
    }
}

fn check_in_words(command: &str, game: &str, check: &Inspection) -> String {
    format!(
        "## The check before the games\n\n```text\n{}```\n",
        engine::as_text(command, game, check)
    )
}

/// Writes the folder of a student whose program could not play.
pub fn write_absent(
    folder: &Path,
    name: &str,
    why: &str,
    check: Option<(&str, &str, &Inspection)>,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut text = format!("# {name}\n\nIt did not play: {why}\n\n");
    if let Some((command, game, check)) = check {
        text += &check_in_words(command, game, check);
    }
    write_file(&folder.join("report.md"), &text)
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
