//! `terzo book build --hold`: a turn that keeps at least a draw wherever such turns can lead.
//!
//! First it is proved for both seats that they can hold at all: in parts, by all threads, as a long solve. The proof names the first
//! turns; what follows from them is asked of the solver, whose table still knows most of it. Both go to journals.

use super::bar;
use super::build::BookBuildArgs;
use crate::commands::line_journal::LineJournal;
use crate::commands::solve_journal;
use crate::commands::solve_long::LongSolve;
use crate::usage::usage;
use crate::{interrupt, output};
use anyhow::{Context, bail};
use game::{Game, Stop};
use parking_lot::Mutex;
use quarto::book::holding::{self, HoldingBook, MOST_REACH, read_turn, write_turn};
use quarto::book::repertoire;
use quarto::proof::{ProofTree, Question};
use quarto::solver::{NoAnswer, Outcome, Solver};
use quarto::symmetry::CanonicalKey;
use quarto::{Piece, Position};
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// The reach if none was said: from then on a search takes a moment.
const REACH: u32 = 6;

/// What has fewer pieces placed takes too long for one thread.
const SPLIT_BELOW: u32 = 4;

/// The boards of a part of the proof: nearly everything with so many pieces is answered with fewer.
const PART: u64 = 40_000_000;

/// What the first line of a journal of turns begins with; the game follows.
const TITLE: &str = "terzo holding journal";

/// A longer line is none of ours.
const LONGEST_LINE: usize = 1 << 10;

/// Builds a holding book.
pub fn build(build: &BookBuildArgs, start: &Position) -> anyhow::Result<()> {
    let began = Instant::now();
    let reach = build.reach.unwrap_or(REACH);
    if reach > MOST_REACH {
        usage!("--reach {reach}: expected at most {MOST_REACH} with --hold");
    }
    if !start.rules().misere() {
        usage!("--hold: expected a misère variant; where a line wins there are books with values");
    }
    let beside = |what: &str| PathBuf::from(format!("{}.{what}", build.output.display()));
    let turns = Turns::open(&build.game, start, &beside("journal"))?;
    let site = HoldingSite {
        build,
        sign: interrupt::sign()?,
        solver: Arc::new(build.means.bare(start.rules(), 1 << 30, 1)?),
        path: beside("journal"),
        turns: Mutex::new(turns),
        trees: Vec::new(),
    };
    let site = HoldingSite {
        trees: site.prove(start, &beside("proof"))?,
        ..site
    };
    let mut levels = Vec::new();
    let mut entries = Vec::new();
    repertoire::walk(start, reach, |placed, met| -> anyhow::Result<Vec<Position>> {
        let turns = site.find_all(placed, met)?;
        levels.push(met.len());
        entries.extend(met.iter().copied().zip(turns.iter().copied()));
        let after = |(position, byte): (&Position, &u8)| {
            let mut after = *position;
            after.play_unchecked(read_turn(position, *byte)?);
            Some(after)
        };
        let after: Option<Vec<Position>> = met.iter().zip(&turns).map(after).collect();
        after.context("the journal names a turn that is none")
    })?;
    let book = HoldingBook::new(reach, &entries).context("two positions of the book are the same")?;
    let bytes = book.to_bytes();
    std::fs::write(&build.output, &bytes).with_context(|| format!("cannot write {}", build.output.display()))?;
    let (positions, seconds, nodes) = (entries.len(), began.elapsed().as_secs_f64(), site.solver.nodes());
    match build.json {
        true => output::print_json(&json!({
            "game": build.game, "reach": reach, "positions": positions, "levels": levels, "bytes": bytes.len(), "nodes": nodes,
            "seconds": seconds,
        })),
        false => output::print(&format!(
            "{}: a turn that holds for each of {positions} positions in {} bytes, {nodes} nodes, {seconds:.0} s\n",
            build.game,
            bytes.len()
        )),
    }
}

/// Where a book is built.
struct HoldingSite<'a> {
    build: &'a BookBuildArgs,
    sign: Stop,
    solver: Arc<Solver>,
    path: PathBuf,
    turns: Mutex<Turns>,
    /// The proofs that the seats hold.
    trees: Vec<ProofTree>,
}

impl HoldingSite<'_> {
    /// Proves that both seats hold.
    fn prove(&self, start: &Position, path: &Path) -> anyhow::Result<Vec<ProofTree>> {
        let gift = Piece::all().next().context("there are no pieces")?;
        let mut journal = solve_journal::SolveJournal::open(&self.build.game, start, path)?;
        let mut trees = Vec::new();
        for position in [*start, start.giving(gift)] {
            let long = LongSolve {
                game: &self.build.game,
                position: &position,
                journal: Some(path),
                part: PART,
                split_below: SPLIT_BELOW,
                means: &self.build.means,
                on: &self.build.on,
            };
            let question = Question {
                position,
                at_least: Outcome::Draw,
            };
            let tree = long.prove(question, &mut journal, &self.solver)?;
            if tree.answer() != Some(true) {
                bail!("{}: {} cannot hold a draw", self.build.game, position.mover());
            }
            trees.push(tree);
        }
        Ok(trees)
    }

    /// A turn that holds for each of some positions with so many pieces placed, found by all threads if the journal does not know it.
    fn find_all(&self, placed: u32, met: &[Position]) -> anyhow::Result<Vec<u8>> {
        let open: Vec<&Position> = {
            let turns = self.turns.lock();
            met.iter().filter(|position| turns.get(position).is_none()).collect()
        };
        let progress = bar(met.len(), &format!("positions with {placed} placed"));
        progress.set_position((met.len() - open.len()) as u64);
        self.solver.set_stop(self.sign.clone());
        let next = AtomicUsize::new(0);
        let work = || -> anyhow::Result<()> {
            while let Some(position) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Some(byte) = self.find(position)? else {
                    return Ok(());
                };
                let noted = self.turns.lock().note(position, byte);
                noted.with_context(|| format!("cannot write {}", self.path.display()))?;
                progress.inc(1);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.build.means.threads()).map(|_| scope.spawn(work)).collect();
            let ended = threads.into_iter().map(|thread| match thread.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect::<anyhow::Result<Vec<()>>>()
        })?;
        progress.finish_and_clear();
        if self.sign.is_raised() {
            bail!(
                "stopped; {} keeps what was found, the same command goes on",
                self.path.display()
            );
        }
        let turns = self.turns.lock();
        let found: Option<Vec<u8>> = met.iter().map(|position| turns.get(position)).collect();
        found.context("some positions were not answered; the same command asks again")
    }

    /// A turn that holds; `None` if it was stopped.
    fn find(&self, position: &Position) -> anyhow::Result<Option<u8>> {
        // After a turn the question in the tree is whether the opponent wins.
        let wins = |after: &Position| {
            let tree = self.trees.get((position.placed() as usize + 1) % 2)?;
            tree.answer_of(after)
        };
        match holding::find(&self.solver, position, wins) {
            Ok(Some(turn)) => Ok(write_turn(position, turn)),
            Ok(None) => bail!("{}: no turn holds, although that was proved", position.print()),
            Err(NoAnswer::Stopped) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The turns that are known, and the file that keeps them.
struct Turns {
    file: LineJournal,
    known: HashMap<CanonicalKey, u8>,
}

impl Turns {
    /// Reads what an earlier build has left: a position a line, and its turn as two digits.
    fn open(game: &str, start: &Position, path: &Path) -> anyhow::Result<Self> {
        let mut known = HashMap::new();
        let file = LineJournal::open(path, TITLE, game, LONGEST_LINE, |line| {
            let read = || {
                let (position, byte) = line.split_once('\t')?;
                Some((start.parse(position).ok()?, u8::from_str_radix(byte, 16).ok()?))
            };
            let (position, byte) = read().with_context(|| format!("expected a position and a turn, found {line:?}"))?;
            known.insert(position.canonical_key(), byte);
            Ok(())
        })?;
        Ok(Turns { file, known })
    }

    fn get(&self, position: &Position) -> Option<u8> {
        self.known.get(&position.canonical_key()).copied()
    }

    fn note(&mut self, position: &Position, byte: u8) -> std::io::Result<()> {
        self.known.insert(position.canonical_key(), byte);
        self.file.write(&format!("{}\t{byte:02x}", position.print()))
    }
}
