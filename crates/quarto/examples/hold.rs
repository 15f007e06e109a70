//! Proves that both seats of a misère variant hold at least a draw, and makes the book of the turns that do.
//!
//! Nearly every early position of these games is a draw whatever turn is made. So it is not worth much to look for good turns: those are tried first
//! after which there is the least to prove, because symmetry makes many replies the same or they were answered already. What they lead
//! to with five (seat 1) or six pieces placed (seat 2) is asked of the solver, position by position, on all cores with one transposition table.
//!
//! `hold GAME GIB THREADS SECONDS FOLDER` keeps a journal in the folder, goes on from it, and ends after so many seconds. Without
//! memory (GIB is 0) it only counts the positions.

use game::{Game, Instant};
use quarto::book::holding::{self, HoldingBook, read_turn, write_turn};
use quarto::book::repertoire::walk;
use quarto::solver::{NoAnswer, Outcome, Solver};
use quarto::symmetry::CanonicalKey;
use quarto::{Position, Rules, Turn};
use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

type Problem = Box<dyn std::error::Error + Send + Sync>;

/// Who follows the book meets no position outside of it with at most so many pieces placed; from then on a search takes a moment.
const REACH: u32 = 6;

fn main() -> Result<(), Problem> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, gib, threads, seconds, folder] = &arguments[..] else {
        return Err("expected GAME GIB THREADS SECONDS FOLDER".into());
    };
    let rules = Rules::named(game).ok_or("no such game")?;
    let mebibytes = (gib.parse::<f64>()? * 1024.0) as usize;
    let deadline = Instant::now() + Duration::from_secs(seconds.parse()?);
    let folder = Path::new(folder);
    let solver = Solver::new(rules, mebibytes << 20, 1)?;
    solver.set_deadline(Some(deadline));
    let journal = folder.join(format!("{game}.journal"));
    let study = Study {
        solver,
        found: Mutex::new(Found::read(rules, &journal)),
        journal: Mutex::new(OpenOptions::new().create(true).append(true).open(&journal)?),
        asked: AtomicU64::new(0),
        lost: AtomicBool::new(false),
        began: Instant::now(),
    };
    // A line that was cut short ends here.
    lock(&study.journal).write_all(b"\n")?;
    let mut start = Position::new(rules);
    let turns = turns_of(&start);
    start.play_unchecked(*turns.first().ok_or("no piece to give")?);
    // All first gifts are the same up to symmetry. Seat 2 places first.
    let replies: Vec<Position> = replies(&start).iter().map(|reply| reply.position).collect();
    for (seat, roots) in [(2, vec![start]), (1, replies)] {
        let told = |what: &str| println!("{game}, seat {seat}: {what}; {}", study.told());
        loop {
            let Some(units) = study.expand(&roots)? else {
                told("DOES NOT HOLD");
                return Ok(());
            };
            let open: Vec<Position> = {
                let found = lock(&study.found);
                let open = |unit: &&Position| !found.turns.contains_key(&unit.canonical_key());
                units.iter().filter(open).copied().collect()
            };
            told(&format!(
                "{} of {} positions with 3 or 4 placed are open",
                open.len(),
                units.len()
            ));
            if mebibytes == 0 {
                study.count(&units);
                break;
            }
            if open.is_empty() {
                told("HOLDS");
                break;
            }
            if !study.run(&open, threads.parse()?)? {
                told("time is up");
                return Ok(());
            }
        }
    }
    if mebibytes > 0 {
        let (levels, bytes) = study.book(&Position::new(rules))?;
        let file = folder.join(format!("{game}.holding"));
        std::fs::write(&file, &bytes)?;
        println!(
            "{game}: a book of {levels:?} positions in {} bytes; {}",
            bytes.len(),
            study.told()
        );
    }
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known of positions with the holder to move.
#[derive(Default)]
struct Found {
    /// A turn that holds, as the book writes it.
    turns: HashMap<CanonicalKey, u8>,
    lost: HashSet<CanonicalKey>,
}

impl Found {
    /// What an earlier run has left: a position a line, and its turn as two digits or that it is lost.
    fn read(rules: &'static Rules, journal: &Path) -> Self {
        let mut found = Found::default();
        let start = Position::new(rules);
        let text = std::fs::read_to_string(journal).unwrap_or_default();
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let Some((position, what)) = line.split_once('\t') else {
                continue;
            };
            let Ok(position) = start.parse(position) else { continue };
            match (what, u8::from_str_radix(what, 16)) {
                ("lost", _) => {
                    found.lost.insert(position.canonical_key());
                }
                (_, Ok(byte)) if what.len() == 2 => {
                    found.turns.insert(position.canonical_key(), byte);
                }
                _ => (),
            }
        }
        found
    }
}

/// A position with its key.
type Keyed = (CanonicalKey, Position);

/// A position that a turn of the opponent has led to.
#[derive(Clone, Copy)]
struct Reply {
    turn: Turn,
    key: CanonicalKey,
    position: Position,
}

fn turns_of(position: &Position) -> Vec<Turn> {
    let mut turns = Vec::new();
    position.legal_moves(&mut turns);
    turns
}

/// What the turns of a position lead to, one of each kind.
fn after_turns(position: &Position) -> Vec<(Turn, Keyed)> {
    let mut seen = HashSet::new();
    let after = turns_of(position).into_iter().filter_map(|turn| {
        let mut after = *position;
        after.play_unchecked(turn);
        let key = after.canonical_key();
        (after.playing() && seen.insert(key)).then_some((turn, (key, after)))
    });
    after.collect()
}

/// The positions in which the holder may be after the opponent's turn, one of each kind.
fn replies(position: &Position) -> Vec<Reply> {
    let reply = |(turn, (key, position))| Reply { turn, key, position };
    after_turns(position).into_iter().map(reply).collect()
}

/// A turn of the holder, with the replies.
type Candidate = (Turn, Vec<Reply>);

fn candidates(position: &Position) -> Vec<Candidate> {
    let after = after_turns(position).into_iter();
    after.map(|(turn, (_, after))| (turn, replies(&after))).collect()
}

/// Those with the fewest replies that are not known yet come first.
fn order(candidates: &mut [Candidate], known: impl Fn(&CanonicalKey) -> bool) {
    candidates.sort_by_cached_key(|(_, replies)| replies.iter().filter(|reply| !known(&reply.key)).count());
}

/// Whether a seat holds.
enum Held {
    Yes,
    No,
    TooLong,
    Stopped,
}

/// What was found, and what finds more.
struct Study {
    solver: Solver,
    found: Mutex<Found>,
    journal: Mutex<File>,
    /// How many positions the solver was asked.
    asked: AtomicU64,
    /// A position was lost whose predecessors must be looked at again.
    lost: AtomicBool,
    began: Instant,
}

impl Study {
    /// The positions with three or four placed to which turns lead that are not known to lose; `None` if the holder has none at a root.
    fn expand(&self, roots: &[Position]) -> Result<Option<Vec<Position>>, Problem> {
        let mut level = roots.to_vec();
        while level.first().is_some_and(|position| position.placed() < REACH - 3) {
            let mut known = HashSet::new();
            let mut next = Vec::new();
            for position in &level {
                let mut all = candidates(position);
                order(&mut all, |key| known.contains(key));
                let mut found = lock(&self.found);
                all.retain(|(_, replies)| !replies.iter().any(|reply| found.lost.contains(&reply.key)));
                let Some((turn, replies)) = all.into_iter().next() else {
                    found.turns.remove(&position.canonical_key());
                    found.lost.insert(position.canonical_key());
                    drop(found);
                    // What leads here must be chosen again.
                    return match roots.contains(position) {
                        true => Ok(None),
                        false => self.expand(roots),
                    };
                };
                let byte = write_turn(position, turn).ok_or("not a whole turn")?;
                found.turns.insert(position.canonical_key(), byte);
                drop(found);
                let new = replies.iter().filter(|reply| known.insert(reply.key));
                next.extend(new.map(|reply| reply.position));
            }
            level = next;
        }
        Ok(Some(level))
    }

    /// Answers positions on so many threads until one is lost; `false` if time was up.
    fn run(&self, open: &[Position], threads: usize) -> Result<bool, Problem> {
        self.lost.store(false, Ordering::Relaxed);
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || -> Result<bool, Problem> {
            while let Some(unit) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                match self.answer(unit)? {
                    None => return Ok(false),
                    Some(true) => (),
                    Some(false) => self.lost.store(true, Ordering::Relaxed),
                }
                if self.lost.load(Ordering::Relaxed) {
                    break;
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if done.is_multiple_of(20) {
                    println!("{done} of {}; {}", open.len(), self.told());
                }
            }
            Ok(true)
        };
        let ended = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let ended = threads.into_iter().map(|thread| match thread.join() {
                Ok(ended) => ended,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ended.collect::<Result<Vec<bool>, Problem>>()
        })?;
        Ok(ended.into_iter().all(|whole| whole))
    }

    /// Finds a turn that holds and writes it down; whether there is one, or `None` if time was up.
    fn answer(&self, unit: &Position) -> Result<Option<bool>, Problem> {
        let mut all = candidates(unit);
        order(&mut all, |key| lock(&self.found).turns.contains_key(key));
        let mut refuting = Vec::new();
        let raced = unit.placed() == REACH - 2 || self.race(&mut all, &mut refuting)?;
        // A position that takes too long may be spared by another turn; only if all turns have one, it is asked further.
        let mut most = if raced { 10_000_000 } else { 0 };
        while most > 0 {
            let mut open = false;
            for (turn, replies) in &mut all {
                match self.all_hold(replies, most, &mut refuting)? {
                    Held::Yes => {
                        self.note(unit, Some(*turn))?;
                        return Ok(Some(true));
                    }
                    Held::No => (),
                    Held::TooLong => open = true,
                    Held::Stopped => return Ok(None),
                }
            }
            if !open {
                self.note(unit, None)?;
                return Ok(Some(false));
            }
            most *= 8;
        }
        Ok(None)
    }

    /// Whether the holder holds after all of some replies, each asked with at most so many boards, those first that have refuted other turns.
    fn all_hold(&self, replies: &mut [Reply], most: u64, refuting: &mut Vec<Turn>) -> Result<Held, Problem> {
        if replies.iter().any(|reply| lock(&self.found).lost.contains(&reply.key)) {
            return Ok(Held::No);
        }
        replies.sort_by_key(|reply| !refuting.contains(&reply.turn));
        for reply in replies {
            if lock(&self.found).turns.contains_key(&reply.key) {
                continue;
            }
            match self.ask(&reply.position, most)?.0 {
                Held::Yes => (),
                other => {
                    refuting.push(reply.turn);
                    return Ok(other);
                }
            }
        }
        Ok(Held::Yes)
    }

    /// Whether the holder holds in a position, asked with at most so many boards, and how many it took. What was found is written down.
    fn ask(&self, reply: &Position, most: u64) -> Result<(Held, u64), Problem> {
        let named = || -> Result<(Option<Option<Turn>>, u64), NoAnswer> {
            let (answer, nodes) = self.solver.at_least_within(reply, Outcome::Draw, most)?;
            let turn = match answer {
                Some(true) => Some(holding::find(&self.solver, reply, |_| None)?),
                Some(false) => Some(None),
                None => None,
            };
            Ok((turn, nodes))
        };
        match named() {
            Ok((None, nodes)) => Ok((Held::TooLong, nodes)),
            Ok((Some(turn), nodes)) => {
                self.asked.fetch_add(1, Ordering::Relaxed);
                self.note(reply, turn)?;
                let held = if turn.is_some() { Held::Yes } else { Held::No };
                Ok((held, nodes))
            }
            Err(NoAnswer::Stopped) => Ok((Held::Stopped, 0)),
            Err(error) => Err(error.into()),
        }
    }

    /// Brings those turns to the front that seem to take the least work: a few replies are asked of many turns, more of those that
    /// are cheap. (What replies take differs by turns as much as tenfold.) `false` if time was up.
    fn race(&self, all: &mut Vec<Candidate>, refuting: &mut Vec<Turn>) -> Result<bool, Problem> {
        let rest = all.split_off(all.len().min(24));
        let mut racing: Vec<(u64, Candidate)> = all.drain(..).map(|candidate| (0, candidate)).collect();
        let mut ranked = Vec::new();
        let mut sample = 0;
        for (samples, most, stay) in [(1, 150_000, 12), (1, 300_000, 6), (2, 600_000, 3), (4, 1_200_000, 0)] {
            for (spent, (_, replies)) in &mut racing {
                for at in 0..samples {
                    let known = |reply: &&Reply| lock(&self.found).turns.contains_key(&reply.key);
                    let open: Vec<Reply> = replies.iter().filter(|reply| !known(reply)).copied().collect();
                    let spread = [1, 9, 5, 13, 3, 11, 7, 15][(sample + at) % 8];
                    let dangerous = open.iter().find(|reply| refuting.contains(&reply.turn));
                    let Some(reply) = dangerous.or(open.get(spread * open.len() / 16)) else {
                        break;
                    };
                    let (held, nodes) = self.ask(&reply.position, most)?;
                    *spent += match held {
                        Held::Yes => nodes,
                        Held::TooLong => 3 * most,
                        Held::No => 1 << 40,
                        Held::Stopped => return Ok(false),
                    };
                    if matches!(held, Held::No) {
                        refuting.push(reply.turn);
                        break;
                    }
                }
            }
            sample += samples;
            racing.sort_by_key(|(spent, _)| *spent);
            let out = racing.split_off(stay);
            ranked.splice(..0, out);
        }
        all.extend(ranked.into_iter().map(|(_, candidate)| candidate));
        all.extend(rest);
        Ok(true)
    }

    fn note(&self, position: &Position, turn: Option<Turn>) -> Result<(), Problem> {
        let key = position.canonical_key();
        let what = match turn {
            Some(turn) => {
                let byte = write_turn(position, turn).ok_or("not a whole turn")?;
                lock(&self.found).turns.insert(key, byte);
                format!("{byte:02x}")
            }
            None => {
                lock(&self.found).lost.insert(key);
                "lost".into()
            }
        };
        let line = format!("{}\t{what}\n", position.print());
        Ok(lock(&self.journal).write_all(line.as_bytes())?)
    }

    /// The book of the turns found for both seats: how many positions by the number of pieces placed, and the file.
    fn book(&self, start: &Position) -> Result<(Vec<usize>, Vec<u8>), Problem> {
        let (mut levels, mut entries) = (Vec::new(), Vec::new());
        let found = lock(&self.found);
        walk(start, REACH, |_, met| -> Result<Vec<Position>, Problem> {
            levels.push(met.len());
            let mut led = Vec::new();
            for position in met {
                let byte = found.turns.get(&position.canonical_key());
                let byte = *byte.ok_or_else(|| format!("{}: no turn was found", position.print()))?;
                let mut after = *position;
                after.play(read_turn(position, byte).ok_or("the journal names a turn that is none")?)?;
                entries.push((*position, byte));
                led.push(after);
            }
            Ok(led)
        })?;
        let book = HoldingBook::new(REACH, &entries).ok_or("two positions of the book are the same")?;
        Ok((levels, book.to_bytes()))
    }

    fn told(&self) -> String {
        let asked = self.asked.load(Ordering::Relaxed);
        let (nodes, seconds) = (self.solver.nodes(), self.began.elapsed().as_secs_f64());
        let lost = lock(&self.found).lost.len();
        format!("{asked} positions asked, {lost} lost, {nodes} nodes, {seconds:.1} s")
    }

    /// How many positions the solver would be asked if the first turns tried hold.
    fn count(&self, units: &[Position]) {
        let (mut known, mut all) = (HashSet::new(), 0);
        for unit in units {
            let mut candidates = candidates(unit);
            order(&mut candidates, |key| known.contains(key));
            if let Some((_, replies)) = candidates.first() {
                all += replies.len();
                known.extend(replies.iter().map(|reply| reply.key));
            }
        }
        println!("{} positions, {all} replies, {} different", units.len(), known.len());
    }
}
