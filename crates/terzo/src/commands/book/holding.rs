//! `terzo book build --hold`: a turn that keeps at least a draw wherever such turns can lead.
//!
//! First it is proved for both seats that they can hold at all (`quarto::book::holding`). Every answer goes to a journal; the book follows from it.

use super::bar;
use super::build::BookBuildArgs;
use crate::commands::line_journal::LineJournal;
use crate::usage::usage;
use crate::{interrupt, output};
use anyhow::{Context, bail};
use game::{Game, Instant, Until};
use indicatif::ProgressBar;
use parking_lot::Mutex;
use quarto::book::holding::{
    HoldFinding, HoldVerdict, HoldingProof, ProofKeeper, ProofMeans, ProofProgress, USEFUL_MEMORY,
};
use quarto::{Piece, Position};
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The most pieces placed in a position that is asked of the solver, and so the farthest that a book reaches: from then on a search takes a
/// moment.
const REACH: u32 = 6;

/// What the first line of a journal begins with; the game follows.
const TITLE: &str = "terzo holding proof";

/// A longer line is none of ours.
const LONGEST_LINE: usize = 1 << 10;

/// Builds a holding book.
pub fn build(build: &BookBuildArgs, start: &Position) -> anyhow::Result<()> {
    let began = Instant::now();
    let reach = build.reach.unwrap_or(REACH);
    if reach > REACH {
        usage!("--reach {reach}: expected at most {REACH} with --hold");
    }
    if !start.rules().misere() {
        usage!("--hold: expected a misère variant; where a line wins there are books with values");
    }
    let path = PathBuf::from(format!("{}.journal", build.output.display()));
    let mut proof = HoldingProof::new(REACH);
    let journal = HoldingJournal::open(&build.game, start, &path, &mut proof)?;
    let threads = build.means.threads();
    let means = ProofMeans {
        threads,
        memory: build.means.memory().unwrap_or(threads * USEFUL_MEMORY),
        until: Until {
            deadline: build.time.map(|time| began + time),
            stop: interrupt::sign()?,
        },
    };
    prove(build, start, &mut proof, &means, &journal)?;
    let (levels, book) = proof.book(start, reach).map_err(anyhow::Error::msg)?;
    let bytes = book.to_bytes();
    std::fs::write(&build.output, &bytes).with_context(|| format!("cannot write {}", build.output.display()))?;
    let (positions, seconds) = (levels.iter().sum::<usize>(), began.elapsed().as_secs_f64());
    let ProofProgress { asked, lost, nodes, .. } = proof.progress();
    match build.json {
        true => output::print_json(&json!({
            "game": build.game, "reach": reach, "positions": positions, "levels": levels, "bytes": bytes.len(), "asked": asked,
            "lost": lost, "nodes": nodes, "seconds": seconds,
        })),
        false => output::print(&format!(
            "{}: a turn that holds for each of {positions} positions in {} bytes; {asked} positions asked, {lost} of them lost, {nodes} nodes, {seconds:.0} s\n",
            build.game,
            bytes.len()
        )),
    }
}

/// Proves that both seats hold.
fn prove(
    build: &BookBuildArgs,
    start: &Position,
    proof: &mut HoldingProof,
    means: &ProofMeans,
    journal: &HoldingJournal,
) -> anyhow::Result<()> {
    // All first gifts are the same up to symmetry. Seat 2 places first.
    let gift = Piece::all().next().context("there are no pieces")?;
    let first = start.giving(gift);
    for (seat, roots) in [(2, vec![first]), (1, after(&first))] {
        journal.begin(seat);
        let verdict = proof.prove(&roots, means, journal);
        journal.bar.lock().finish_and_clear();
        let told = proof.progress();
        let told = format!(
            "{} of {} positions with a choice open; {} asked, {} of them lost, {} nodes",
            told.open, told.units, told.asked, told.lost, told.nodes
        );
        let path = journal.path.display();
        match verdict.with_context(|| format!("{}: the proof failed; {path} keeps what was found", build.game))? {
            HoldVerdict::Holds => (),
            HoldVerdict::Loses(position) => bail!(
                "{}: seat {seat} does not hold: it loses {} ({told})",
                build.game,
                position.print()
            ),
            HoldVerdict::Stopped if means.until.stop.is_raised() => {
                bail!("stopped at seat {seat}, {told}; {path} keeps what was found, the same command goes on")
            }
            HoldVerdict::Stopped => {
                bail!("time is up at seat {seat}, {told}; {path} keeps what was found, the same command goes on")
            }
        }
    }
    Ok(())
}

/// What turns lead to, one of each kind.
fn after(position: &Position) -> Vec<Position> {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    let mut seen = HashSet::new();
    let after = turns.into_iter().map(|turn| {
        let mut after = *position;
        after.play_unchecked(turn);
        after
    });
    after.filter(|after| seen.insert(after.canonical_key())).collect()
}

/// The file that keeps what was found: a position a line, and a turn that holds or that it is lost.
struct HoldingJournal {
    path: PathBuf,
    file: Mutex<LineJournal>,
    bar: Mutex<ProgressBar>,
}

impl HoldingJournal {
    /// Reads what an earlier build has left.
    fn open(game: &str, start: &Position, path: &Path, proof: &mut HoldingProof) -> anyhow::Result<Self> {
        let file = LineJournal::open(path, TITLE, game, LONGEST_LINE, |line| {
            let (position, finding) = line
                .split_once('\t')
                .with_context(|| format!("expected a position and what was found, found {line:?}"))?;
            let position = start.parse(position)?;
            proof.learn(&position, finding.parse().map_err(anyhow::Error::msg)?);
            Ok(())
        })?;
        Ok(HoldingJournal {
            path: path.to_owned(),
            file: Mutex::new(file),
            bar: Mutex::new(ProgressBar::hidden()),
        })
    }

    fn begin(&self, seat: u32) {
        *self.bar.lock() = bar(0, &format!("positions of seat {seat} with a turn that holds"));
    }
}

impl ProofKeeper for HoldingJournal {
    fn keep(&self, position: &Position, finding: HoldFinding) -> std::io::Result<()> {
        self.file.lock().write(&format!("{}\t{finding}", position.print()))
    }

    fn progress(&self, progress: &ProofProgress) {
        let bar = self.bar.lock();
        bar.set_length(progress.units as u64);
        bar.set_position((progress.units - progress.open) as u64);
        bar.set_message(format!(
            "{} asked, {} of them lost, {:.1} G nodes",
            progress.asked,
            progress.lost,
            progress.nodes as f64 / 1e9
        ));
    }
}
