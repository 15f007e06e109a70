//! Collecting puzzles. Which positions are looked at depends on the seed alone, and what is found is taken in their order, so the same
//! seed gives the same puzzles on any number of threads.

use game::mix;
use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many of each kind.
    pub each: usize,
    /// Where all chance comes from.
    pub seed: u64,
    /// How many positions are looked at, at most.
    pub tries: u64,
    /// On how many threads.
    pub threads: usize,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mining {
    /// Positions looked at.
    pub tried: u64,
    /// Puzzles found.
    pub found: usize,
}

/// Where puzzles are found: positions by number, each a seed.
pub trait Quarry: Sync {
    /// What is found.
    type Puzzle: Send;
    /// The kinds of puzzles, of each of which some are wanted.
    type Kind: Copy + Ord + Sync;
    /// What puzzles have in common that are the same for a person.
    type Class: Eq + Hash;
    /// What a thread keeps from one position to the next.
    type Tools;
    /// Why it ends early.
    type Error: Send;

    /// Positions that are looked at before what was found is put together.
    const BATCH: u64;

    /// All kinds.
    fn kinds(&self) -> Vec<Self::Kind>;

    /// The kind of a puzzle.
    fn kind(&self, puzzle: &Self::Puzzle) -> Self::Kind;

    /// The class of a puzzle; one of each is enough.
    fn class(&self, puzzle: &Self::Puzzle) -> Self::Class;

    /// What a thread needs.
    ///
    /// # Errors
    /// The system does not give it.
    fn tools(&self) -> Result<Self::Tools, Self::Error>;

    /// The puzzle that a seed leads to, if it is of a kind that is still open.
    ///
    /// # Errors
    /// Somebody wants it to stop, or nothing can be found here at all.
    fn look(
        &self,
        tools: &mut Self::Tools,
        open: &[Self::Kind],
        seed: u64,
    ) -> Result<Option<Self::Puzzle>, Self::Error>;

    /// Does what is done for puzzles that are kept alone, one at a time.
    fn finish(&self, _puzzle: &mut Self::Puzzle, _seed: u64) {}
}

/// Finds puzzles, those of a kind beside each other.
///
/// # Errors
/// The quarry's own.
pub fn collect<Q: Quarry>(quarry: &Q, wanted: Wanted, told: impl Fn(Mining)) -> Result<Vec<Q::Puzzle>, Q::Error> {
    let mut found: Vec<Q::Puzzle> = Vec::new();
    let mut seen: HashSet<Q::Class> = HashSet::new();
    let mut tried = 0;
    while tried < wanted.tries {
        let missing = |found: &[Q::Puzzle], kind: Q::Kind| {
            found.iter().filter(|puzzle| quarry.kind(puzzle) == kind).count() < wanted.each
        };
        let mut open = quarry.kinds();
        open.retain(|&kind| missing(&found, kind));
        if open.is_empty() {
            break;
        }
        let end = wanted.tries.min(tried + Q::BATCH);
        for (number, mut puzzle) in batch(quarry, wanted, tried..end, &open)? {
            if missing(&found, quarry.kind(&puzzle)) && seen.insert(quarry.class(&puzzle)) {
                quarry.finish(&mut puzzle, seed_of(wanted, number));
                found.push(puzzle);
            }
        }
        tried = end;
        told(Mining {
            tried,
            found: found.len(),
        });
    }
    found.sort_by_key(|puzzle| quarry.kind(puzzle));
    Ok(found)
}

/// The seed of a position.
fn seed_of(wanted: Wanted, number: u64) -> u64 {
    mix(wanted.seed, &[number])
}

/// The puzzles among some positions with the numbers of these, in their order.
fn batch<Q: Quarry>(
    quarry: &Q,
    wanted: Wanted,
    numbers: Range<u64>,
    open: &[Q::Kind],
) -> Result<Vec<(u64, Q::Puzzle)>, Q::Error> {
    let next = AtomicU64::new(numbers.start);
    let work = || -> Result<Vec<(u64, Q::Puzzle)>, Q::Error> {
        let mut tools = quarry.tools()?;
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return Ok(found);
            }
            let puzzle = quarry.look(&mut tools, open, seed_of(wanted, number))?;
            found.extend(puzzle.map(|puzzle| (number, puzzle)));
        }
    };
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..wanted.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect::<Result<Vec<_>, Q::Error>>()
    })?;
    let mut found: Vec<(u64, Q::Puzzle)> = results.into_iter().flatten().collect();
    found.sort_by_key(|(number, _)| *number);
    Ok(found)
}
