//! Finding puzzles: positions from games of novices, each looked at by search.

use super::collect::{Mining, Quarry, Wanted, collect};
use super::{Puzzle, PuzzleKind, Theme, classify};
use crate::{Unsolved, Watch};
use game::{Game, Rng, Stop, below, pick, rng};

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
    let watch = Watch {
        stop: stop.clone(),
        ..Watch::default()
    };
    let games = NoviceGames {
        theme,
        start,
        watch,
        missed,
    };
    collect(&games, wanted, told)
}

/// Games of novices.
struct NoviceGames<'a, G: Game, F> {
    theme: &'a Theme<G>,
    start: &'a G,
    watch: Watch,
    missed: F,
}

impl<G: Game, F: Fn(&G, G::Move, u64) -> u32 + Sync> Quarry for NoviceGames<'_, G, F> {
    type Puzzle = Puzzle<G>;
    type Kind = PuzzleKind;
    type Class = u64;
    type Tools = ();
    type Error = Unsolved;

    const BATCH: u64 = 512;

    fn kinds(&self) -> Vec<PuzzleKind> {
        self.theme.kinds()
    }

    fn kind(&self, puzzle: &Puzzle<G>) -> PuzzleKind {
        puzzle.kind
    }

    fn class(&self, puzzle: &Puzzle<G>) -> u64 {
        (self.theme.class)(&puzzle.position)
    }

    fn tools(&self) -> Result<(), Unsolved> {
        Ok(())
    }

    fn look(&self, (): &mut (), open: &[PuzzleKind], seed: u64) -> Result<Option<Puzzle<G>>, Unsolved> {
        let Some(position) = position(self.theme, self.start, &mut rng(seed)) else {
            return Ok(None);
        };
        let found = match classify(self.theme, &position, &self.watch) {
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

    fn finish(&self, puzzle: &mut Puzzle<G>, seed: u64) {
        puzzle.missed = (self.missed)(&puzzle.position, puzzle.answer, seed);
    }
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
