//! Finding puzzles: positions from games of novices, each looked at by the solver.

use super::check::{is_of_kind, is_tempting};
use super::{Puzzle, PuzzleAnswer, PuzzleKind};
use crate::policy::{self, Novice};
use crate::solver::{NoAnswer, Outcome, Solver};
use crate::symmetry::CanonicalKey;
use crate::{Position, Rules, Turn, players};
use game::{Game, Rng, Stop, below, mix, rng};
use player::{Clock, Player};
use search::puzzle::{Mining, Quarry, Wanted, collect};
use std::ops::RangeInclusive;
use std::time::Duration;

/// What each solver may use: late positions need little.
const MEMORY: usize = 4 << 20;

/// How often each level tries a puzzle.
const TRIES_A_LEVEL: u64 = 3;

/// How many pieces stand where puzzles of a kind are looked for: early enough for the win to be so long, late enough for
/// a browser to solve positions in a moment.
fn placed(kind: PuzzleKind) -> RangeInclusive<u32> {
    match kind {
        PuzzleKind::Win(1 | 2) => 7..=11,
        PuzzleKind::Win(3) => 7..=10,
        PuzzleKind::Win(_) => 7..=8,
        PuzzleKind::Draw | PuzzleKind::Gift | PuzzleKind::Trap => 7..=12,
    }
}

/// Finds puzzles, those of a kind beside each other.
///
/// # Errors
/// [`NoAnswer::Stopped`] if the sign was raised, or there is no memory for a solver.
pub fn mine(
    rules: &'static Rules,
    wanted: Wanted,
    stop: &Stop,
    told: impl Fn(Mining),
) -> Result<Vec<Puzzle>, NoAnswer> {
    collect(&NoviceGames { rules, stop }, wanted, told)
}

/// Games of novices.
struct NoviceGames<'a> {
    rules: &'static Rules,
    stop: &'a Stop,
}

impl Quarry for NoviceGames<'_> {
    type Puzzle = Puzzle;
    type Kind = PuzzleKind;
    type Class = CanonicalKey;
    type Tools = Miner;
    type Error = NoAnswer;

    const BATCH: u64 = 1024;

    fn kinds(&self) -> Vec<PuzzleKind> {
        PuzzleKind::ALL.into()
    }

    fn kind(&self, puzzle: &Puzzle) -> PuzzleKind {
        puzzle.kind
    }

    fn class(&self, puzzle: &Puzzle) -> CanonicalKey {
        puzzle.position.canonical_key()
    }

    fn tools(&self) -> Result<Miner, NoAnswer> {
        Miner::new(self.rules, self.stop)
    }

    fn look(&self, miner: &mut Miner, open: &[PuzzleKind], seed: u64) -> Result<Option<Puzzle>, NoAnswer> {
        miner.look(open, seed)
    }
}

/// A clock so long that it never decides: without one a level gives up what it cannot see in a moment, and on a busy machine
/// the same seed would then find other puzzles.
fn unhurried() -> Clock {
    Clock {
        time: Some(Duration::from_secs(3600)),
        ..Clock::unlimited()
    }
}

/// What a thread that looks for puzzles keeps.
struct Miner {
    rules: &'static Rules,
    solver: Solver,
    levels: Vec<Box<dyn Player<Position>>>,
}

impl Miner {
    fn new(rules: &'static Rules, stop: &Stop) -> Result<Self, NoAnswer> {
        let solver = Solver::new(rules, MEMORY, 1).map_err(|_| NoAnswer::Stopped)?;
        solver.set_stop(stop.clone());
        // A level is what it sees; looking for traps would only cost time.
        let level = |level: u32| players::roster().factory(&format!("perfect:level={level},effort=0,traps=off"));
        let levels = (1..=9).filter_map(|number| Some(level(number).ok()?.make()));
        Ok(Miner {
            rules,
            solver,
            levels: levels.collect(),
        })
    }

    /// The puzzle that a seed leads to, if it is one that is looked for.
    fn look(&mut self, open: &[PuzzleKind], seed: u64) -> Result<Option<Puzzle>, NoAnswer> {
        let mut rng = rng(seed);
        let kind = open[below(&mut rng, open.len() as u32) as usize];
        let Some(position) = self.position(kind, &mut rng) else {
            return Ok(None);
        };
        let Some((kind, answer)) = self.classify(&position)? else {
            return Ok(None);
        };
        if !open.contains(&kind) || !is_of_kind(&self.solver, &position, kind, answer)? {
            return Ok(None);
        }
        Ok(Some(Puzzle {
            kind,
            position,
            answer,
            missed: self.missed(&position, answer, seed),
        }))
    }

    /// A position from a game of two novices, with as many pieces as suit a kind.
    fn position(&self, kind: PuzzleKind, rng: &mut Rng) -> Option<Position> {
        let range = placed(kind);
        let pieces = range.start() + below(rng, range.end() - range.start() + 1);
        let mut position = Position::new(self.rules);
        while position.placed() < pieces || position.hand().is_none() {
            position.play_unchecked(policy::turn(&Novice, &position, rng)?);
        }
        if kind != PuzzleKind::Gift {
            return Some(position);
        }
        // In the middle of a turn: the piece in hand is placed, and none is given.
        let cell = policy::turn(&Novice, &position, rng)?.place?;
        Some(position.placing(cell)).filter(Position::playing)
    }

    /// What a position can ask, if it has one answer.
    fn classify(&self, position: &Position) -> Result<Option<(PuzzleKind, PuzzleAnswer)>, NoAnswer> {
        let values = self.solver.turns(position)?;
        let at_least = |least: Outcome| -> Vec<Turn> {
            let good = values.iter().filter(|(_, value)| *value >= least);
            good.map(|(turn, _)| *turn).collect()
        };
        if position.hand().is_none() {
            return Ok(match at_least(Outcome::Draw)[..] {
                [turn] => Some((PuzzleKind::Gift, PuzzleAnswer::Turn(turn))),
                _ => None,
            });
        }
        Ok(match at_least(Outcome::Win)[..] {
            [turn] => {
                let turns = self.solver.exact(position)?.plies.div_ceil(2);
                Some((PuzzleKind::Win(turns), PuzzleAnswer::Turn(turn)))
            }
            [] => match at_least(Outcome::Draw)[..] {
                [turn] if is_tempting(position, PuzzleAnswer::Turn(turn)) => {
                    Some((PuzzleKind::Trap, PuzzleAnswer::Turn(turn)))
                }
                [turn, ref more @ ..] if more.iter().all(|other| other.place == turn.place) => {
                    turn.place.map(|cell| (PuzzleKind::Draw, PuzzleAnswer::Cell(cell)))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// How many levels miss an answer in most of their tries.
    fn missed(&mut self, position: &Position, answer: PuzzleAnswer, seed: u64) -> u32 {
        let misses = |level: &mut Box<dyn Player<Position>>| {
            let wrong = (0..TRIES_A_LEVEL).filter(|&number| {
                level.begin(mix(seed, &[number]));
                let chosen = level.choose(position, &unhurried());
                !chosen.is_ok_and(|analysis| answer.is_in(analysis.best))
            });
            2 * wrong.count() as u64 > TRIES_A_LEVEL
        };
        self.levels.iter_mut().map(misses).filter(|missed| *missed).count() as u32
    }
}
