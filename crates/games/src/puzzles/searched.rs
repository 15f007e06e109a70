//! Puzzles that search finds and proves, of any game that says what they are about.

use super::{
    MinedPuzzle, Mining, ProvedPuzzles, Puzzle, PuzzleError, PuzzleQuestion, PuzzleSet, Tried, TryResult, Wanted,
    WhyWrong, count, on_threads,
};
use crate::playable::Playable;
use game::{Game, Seat, Stop, mix};
use player::{Clock, PlayerEntry};
use search::puzzle::{self, Puzzle as Typed, PuzzleKind, Tactics, Theme};
use search::{Unsolved, Watch};

/// How often each level tries a puzzle.
const TRIES_A_LEVEL: u64 = 3;

/// Own turns that a refutation takes at most.
const LONGEST: u32 = 24;

fn theme<G: Playable>(start: &G) -> Result<Theme<G>, PuzzleError> {
    start.puzzle_theme().ok_or(PuzzleError::None)
}

fn watch(stop: &Stop) -> Watch {
    Watch {
        stop: stop.clone(),
        ..Watch::default()
    }
}

/// The puzzles of a file, for who shows them.
pub fn set<G: Playable>(start: &G, text: &str) -> Option<PuzzleSet> {
    theme(start).ok()?;
    let puzzles = puzzle::read(start, text).ok()?.into_iter().map(|puzzle| Puzzle {
        kind: puzzle.kind.to_string(),
        position: puzzle.position.print(),
        answer: puzzle.position.print_move(puzzle.answer),
        missed: puzzle.missed,
    });
    Some(PuzzleSet {
        goal: G::puzzle_goal(),
        lines: Vec::new(),
        puzzles: puzzles.collect(),
    })
}

/// Finds puzzles.
pub fn mine<G: Playable>(
    start: &G,
    wanted: Wanted,
    stop: &Stop,
    told: &dyn Fn(Mining),
) -> Result<Vec<MinedPuzzle>, PuzzleError> {
    let theme = theme(start)?;
    let missed = |position: &G, answer, seed| missed(position, answer, seed);
    let found = puzzle::mine(&theme, start, wanted, stop, missed, told)?;
    let line = |puzzle: &Typed<G>| MinedPuzzle {
        kind: puzzle.kind.to_string(),
        line: puzzle.to_string(),
    };
    Ok(found.iter().map(line).collect())
}

/// How many levels miss an answer in most of their tries. The strongest is not asked: it is what one learns from.
fn missed<G: Playable>(position: &G, answer: G::Move, seed: u64) -> u32 {
    let levels = position.levels();
    let misses = |spec: &&str| {
        let Ok(factory) = G::roster().factory(&on_one_thread::<G>(spec)) else {
            return false;
        };
        let mut level = factory.make();
        let wrong = (0..TRIES_A_LEVEL).filter(|&number| {
            level.begin(mix(seed, &[number]));
            let chosen = level.choose(position, &Clock::unlimited());
            chosen.map_or(true, |analysis| analysis.best != answer)
        });
        2 * wrong.count() as u64 > TRIES_A_LEVEL
    };
    let below = levels.len().saturating_sub(1);
    levels[..below].iter().filter(|spec| misses(spec)).count() as u32
}

/// A level that plays the same every time: on several threads the same search may end elsewhere.
fn on_one_thread<G: Playable>(spec: &str) -> String {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let takes_threads = |entry: &PlayerEntry<G>| entry.options.iter().any(|option| option.key == "threads");
    match (G::roster().entry(name).is_some_and(takes_threads), options) {
        (false, _) => spec.into(),
        (true, "") => format!("{name}:threads=1"),
        (true, options) => format!("{name}:{options},threads=1"),
    }
}

/// Proves every puzzle of a file.
pub fn check<G: Playable>(start: &G, text: &str, threads: usize, stop: &Stop) -> Result<ProvedPuzzles, PuzzleError> {
    let theme = theme(start)?;
    let puzzles = puzzle::read(start, text).map_err(PuzzleError::Text)?;
    let wrong = on_threads(&puzzles, threads, |one| puzzle::check(&theme, one, &watch(stop)).err());
    if stop.is_raised() {
        return Err(Unsolved::Stopped.into());
    }
    Ok(ProvedPuzzles {
        kinds: count(puzzles.iter().map(|puzzle| puzzle.kind.to_string())),
        wrong: wrong
            .into_iter()
            .map(|(at, flaw)| (puzzles[at].to_string(), flaw.to_string()))
            .collect(),
    })
}

/// What came of some turns in a puzzle of a file, those of the other among them.
pub fn tried<G: Playable>(
    start: &G,
    text: &str,
    number: usize,
    turns: &[String],
    asked: PuzzleQuestion,
    stop: &Stop,
) -> Result<Tried, PuzzleError> {
    let theme = theme(start)?;
    let puzzles = puzzle::read(start, text).map_err(PuzzleError::Text)?;
    let puzzle = puzzles.get(number).ok_or(PuzzleError::Unknown)?;
    let mut attempt = Attempt {
        theme: &theme,
        puzzle,
        seat: puzzle.position.mover(),
        left: match puzzle.kind {
            PuzzleKind::Win(turns) => turns,
            PuzzleKind::Hold => 1,
        },
        position: puzzle.position.clone(),
        begun: false,
        tactics: Tactics::new(theme.goal, watch(stop)),
        stop,
    };
    let (last, before) = match (asked, turns) {
        (PuzzleQuestion::Verdict, [before @ .., last]) => (Some(last), before),
        _ => (None, turns),
    };
    for turn in before {
        attempt.play(attempt.read(turn)?)?;
    }
    let (verdict, why, line) = match (asked, last) {
        (_, Some(turn)) => attempt.verdict(attempt.read(turn)?)?,
        (PuzzleQuestion::Solution, None) => (TryResult::Open, None, attempt.solution()?),
        (PuzzleQuestion::Verdict, None) => (TryResult::Open, None, Vec::new()),
    };
    Ok(Tried { verdict, why, line })
}

/// A puzzle being tried.
struct Attempt<'a, G: Game> {
    theme: &'a Theme<G>,
    puzzle: &'a Typed<G>,
    /// Who tries.
    seat: Seat,
    /// Turns that are left to reach the goal in.
    left: u32,
    position: G,
    begun: bool,
    tactics: Tactics<G>,
    stop: &'a Stop,
}

impl<G: Game> Attempt<'_, G> {
    fn read(&self, turn: &str) -> Result<G::Move, PuzzleError> {
        Ok(self.position.parse_move(turn)?)
    }

    /// Plays a turn of anybody.
    fn play(&mut self, mv: G::Move) -> Result<(), PuzzleError> {
        let own = self.position.mover() == self.seat;
        self.position.play(mv)?;
        if own {
            self.begun = true;
            self.left = self.left.saturating_sub(1);
        }
        Ok(())
    }

    fn is_right(&mut self, mv: G::Move) -> Result<bool, Unsolved> {
        match self.puzzle.kind {
            PuzzleKind::Win(_) if self.begun => self.tactics.wins_by(&self.position, mv, self.seat, self.left),
            _ => Ok(mv == self.puzzle.answer),
        }
    }

    fn verdict(&mut self, mv: G::Move) -> Result<(TryResult, Option<WhyWrong>, Vec<String>), PuzzleError> {
        if self.position.outcome().is_none() && self.position.mover() != self.seat {
            return Err(PuzzleError::NotYours);
        }
        let before = self.position.clone();
        before.clone().play(mv)?;
        let right = self.is_right(mv)?;
        self.play(mv)?;
        if !right {
            let (why, line) = self.refuted(&before, mv)?;
            return Ok((TryResult::Wrong, Some(why), line));
        }
        let reached = (self.theme.goal)(&before, &self.position, self.seat) == Some(true);
        if self.puzzle.kind == PuzzleKind::Hold || reached {
            return Ok((TryResult::Solved, None, Vec::new()));
        }
        let reply = self.tactics.best(&self.position, self.seat, self.left)?;
        Ok((TryResult::Right, None, self.written(reply)))
    }

    /// Why a move that was just made is wrong, and how that is shown.
    fn refuted(&mut self, before: &G, mv: G::Move) -> Result<(WhyWrong, Vec<String>), Unsolved> {
        let other = self.position.mover();
        let worth = match self.theme.values {
            Some(values) => values(before, self.stop)?.into_iter().find(|(known, _)| *known == mv),
            None => None,
        };
        let far = match (worth, self.theme.values) {
            (Some((_, 0)), _) => LONGEST,
            (_, Some(_)) => 0,
            // As far as a puzzle goes.
            (_, None) => self.theme.longest,
        };
        if far > 0
            && self.position.outcome().is_none()
            && let Some(turns) = self.tactics.distance(&self.position, other, far)?
        {
            let line = self.tactics.line(&self.position, other, turns)?;
            return Ok((WhyWrong::Loses, self.written(line)));
        }
        Ok(match worth.map(|(_, value)| value) {
            Some(0) => (WhyWrong::Loses, Vec::new()),
            Some(100) | None => (WhyWrong::Late, self.holding()?),
            Some(_) => (WhyWrong::Draws, self.drawing()?),
        })
    }

    /// The reply after which the goal is not reached in time.
    fn holding(&mut self) -> Result<Vec<String>, Unsolved> {
        let mut replies = Vec::new();
        self.position.legal_moves(&mut replies);
        for reply in replies {
            if !self.tactics.wins_by(&self.position, reply, self.seat, self.left)? {
                return Ok(self.written([reply]));
            }
        }
        Ok(Vec::new())
    }

    /// The reply that holds the draw.
    fn drawing(&self) -> Result<Vec<String>, Unsolved> {
        let Some(values) = self.theme.values.filter(|_| self.position.outcome().is_none()) else {
            return Ok(Vec::new());
        };
        let best = values(&self.position, self.stop)?
            .into_iter()
            .max_by_key(|(_, value)| *value);
        Ok(self.written(best.map(|(reply, _)| reply)))
    }

    /// All that follows from the answer: to the goal, if it is a win.
    fn solution(&mut self) -> Result<Vec<String>, Unsolved> {
        match self.puzzle.kind {
            PuzzleKind::Win(_) => {
                let line = self.tactics.line(&self.position, self.seat, self.left)?;
                Ok(self.written(line))
            }
            PuzzleKind::Hold => Ok(self.written([self.puzzle.answer])),
        }
    }

    /// Moves from here, as text.
    fn written(&self, line: impl IntoIterator<Item = G::Move>) -> Vec<String> {
        let mut position = self.position.clone();
        let write = |mv| {
            let text = position.print_move(mv);
            position.play_unchecked(mv);
            text
        };
        line.into_iter().map(write).collect()
    }
}
