//! Finding puzzles: positions from games of novices, each looked at by search. Which ones are looked at depends on the seed alone, and
//! what is found is taken in their order, so the same seed gives the same puzzles on any number of threads.

use super::{Kind, Puzzle, Theme, classify};
use crate::{Unsolved, Watch};
use game::{Game, Rng, Stop, below, mix, pick, rng};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// Positions that are looked at before what was found is put together.
const BATCH: u64 = 512;

/// Novices who play longer than that do not find an end.
const LONGEST: usize = 400;

/// Finds puzzles, those of a kind beside each other. `missed` tells how many levels of player miss an answer, with chance from a seed.
///
/// # Errors
/// [`Unsolved::Stopped`] if the sign was raised, or the game cannot be solved.
pub fn mine<G: Game>(
    theme: &Theme<G>,
    start: &G,
    wanted: Wanted,
    stop: &Stop,
    missed: impl Fn(&G, G::Move, u64) -> u32 + Sync,
    told: impl Fn(Mining),
) -> Result<Vec<Puzzle<G>>, Unsolved> {
    let mut found: Vec<Puzzle<G>> = Vec::new();
    let mut seen: HashSet<u64> = HashSet::new();
    let mut tried = 0;
    while tried < wanted.tries {
        let count = |found: &[Puzzle<G>], kind: Kind| found.iter().filter(|puzzle| puzzle.kind == kind).count();
        let open: Vec<Kind> = theme.kinds();
        let open: Vec<Kind> = (open.into_iter())
            .filter(|&kind| count(&found, kind) < wanted.each)
            .collect();
        if open.is_empty() {
            break;
        }
        let end = wanted.tries.min(tried + BATCH);
        let new: Vec<(u64, Puzzle<G>)> = batch(theme, start, wanted, tried..end, &open, stop)?
            .into_iter()
            .filter(|(_, puzzle)| seen.insert((theme.class)(&puzzle.position)))
            .collect();
        for (seed, mut puzzle) in new {
            if count(&found, puzzle.kind) < wanted.each {
                puzzle.missed = missed(&puzzle.position, puzzle.answer, seed);
                found.push(puzzle);
            }
        }
        tried = end;
        told(Mining {
            tried,
            found: found.len(),
        });
    }
    found.sort_by_key(|puzzle| puzzle.kind);
    Ok(found)
}

/// The puzzles among some positions with the seeds that led there, in their order.
fn batch<G: Game>(
    theme: &Theme<G>,
    start: &G,
    wanted: Wanted,
    numbers: std::ops::Range<u64>,
    open: &[Kind],
    stop: &Stop,
) -> Result<Vec<(u64, Puzzle<G>)>, Unsolved> {
    let next = AtomicUsize::new(0);
    let count = (numbers.end - numbers.start) as usize;
    let watch = Watch {
        stop: stop.clone(),
        ..Watch::default()
    };
    let work = || -> Result<Vec<(usize, u64, Puzzle<G>)>, Unsolved> {
        let mut found = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= count {
                return Ok(found);
            }
            let seed = mix(wanted.seed, &[numbers.start + at as u64]);
            let puzzle = look(theme, start, seed, open, &watch)?;
            found.extend(puzzle.map(|puzzle| (at, seed, puzzle)));
        }
    };
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..wanted.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let joined = threads.into_iter().map(|thread| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect::<Result<Vec<_>, Unsolved>>()
    })?;
    let mut found: Vec<(usize, u64, Puzzle<G>)> = results.into_iter().flatten().collect();
    found.sort_by_key(|(at, ..)| *at);
    Ok(found.into_iter().map(|(_, seed, puzzle)| (seed, puzzle)).collect())
}

/// The puzzle that a seed leads to, if it is one that is looked for.
fn look<G: Game>(
    theme: &Theme<G>,
    start: &G,
    seed: u64,
    open: &[Kind],
    watch: &Watch,
) -> Result<Option<Puzzle<G>>, Unsolved> {
    let mut rng = rng(seed);
    let Some(position) = position(theme, start, &mut rng) else {
        return Ok(None);
    };
    let found = match classify(theme, &position, watch) {
        // Another one may be easier.
        Err(Unsolved::TooLarge { .. }) => None,
        found => found?,
    };
    let puzzle = |(kind, answer)| Puzzle {
        kind,
        position,
        answer,
        missed: 0,
    };
    Ok(found.filter(|(kind, _)| open.contains(kind)).map(puzzle))
}

/// A position from a game of two novices, so many moves before one of them reaches the goal or the game ends.
fn position<G: Game>(theme: &Theme<G>, start: &G, rng: &mut Rng) -> Option<G> {
    let (least, most) = (*theme.before_end.start(), *theme.before_end.end());
    let before = (least + below(rng, most - least + 1)) as usize;
    let mut game = vec![start.clone()];
    while let Some(now) = game.last()
        && let Some(mv) = novice(theme, now, rng)
    {
        let mut next = now.clone();
        next.play_unchecked(mv);
        if (theme.goal)(now, &next, now.mover()).is_some() || game.len() > LONGEST {
            break;
        }
        game.push(next);
    }
    // The last of them is one move before the end.
    let at = game.len().checked_sub(before)?;
    Some(game.swap_remove(at)).filter(|position| position.outcome().is_none())
}

/// What a novice plays: wins at once where that is possible, does not let the other do so, and else knows nothing.
fn novice<G: Game>(theme: &Theme<G>, position: &G, rng: &mut Rng) -> Option<G::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let seat = position.mover();
    let mut replies = Vec::new();
    let mut safe = Vec::new();
    for &mv in &moves {
        let mut after = position.clone();
        after.play_unchecked(mv);
        if (theme.goal)(position, &after, seat) == Some(true) {
            return Some(mv);
        }
        after.legal_moves(&mut replies);
        let loses = replies.iter().any(|&reply| {
            let mut next = after.clone();
            next.play_unchecked(reply);
            after.mover() != seat && (theme.goal)(&after, &next, after.mover()) == Some(true)
        });
        if !loses {
            safe.push(mv);
        }
    }
    pick(rng, if safe.is_empty() { &moves } else { &safe })
}
