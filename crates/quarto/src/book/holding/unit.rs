//! A position in which a turn that holds is looked for, by any number of threads.
//!
//! Its turns are ranked by what they seem to take, and tried with a budget: what takes too long may be spared by another turn, and only if
//! the best turns all have such a reply, more of them are tried with more boards. So which turn is found depends on nothing but the position: not on the
//! threads, nor on when the work was interrupted.

use super::estimate::PlayoutTally;
use super::finding::HoldFinding;
use super::read_turn;
use super::ways::{HolderTurn, TurnTo, holder_turns};
use crate::solver::{NoAnswer, Solver};
use crate::symmetry::CanonicalKey;
use crate::{Position, Turn};
use game::{Game, Until};
use std::collections::{HashMap, HashSet};

/// How many turns are tried with how many boards a reply, one stage after the other.
const STAGES: [(usize, u64); 4] = [(4, 1 << 20), (12, 1 << 22), (32, 1 << 24), (usize::MAX, 1 << 26)];

/// Play-outs for each of how many turns: more for those that looked good so far.
const RANKING: [(usize, u32); 4] = [(usize::MAX, 48), (32, 96), (12, 256), (5, 600)];

/// Play-outs for each reply, to ask those first that may refute a turn.
const WEIGHING: u32 = 24;

fn stage(number: u32) -> (usize, u64) {
    match STAGES.get(number as usize) {
        Some(stage) => *stage,
        None => (usize::MAX, u64::MAX),
    }
}

/// The turns of a position, those first that seem to take the least work: `games` times as many play-outs as is usual.
pub(super) fn ranked(
    solver: &Solver,
    position: &Position,
    games: u32,
    until: &Until,
) -> Result<Vec<HolderTurn>, NoAnswer> {
    let holder = position.placed();
    let turns = holder_turns(position).into_iter();
    let mut all: Vec<(PlayoutTally, HolderTurn)> = turns.map(|turn| (PlayoutTally::default(), turn)).collect();
    for (kept, more) in RANKING {
        let kept = kept.min(all.len());
        for (tally, turn) in &mut all[..kept] {
            // A play-out is too short to see by itself that it is time to end.
            if until.is_over() {
                return Err(NoAnswer::Stopped);
            }
            tally.add(solver, &turn.after, holder, more * games)?;
        }
        let work = |(tally, turn): &(PlayoutTally, HolderTurn)| tally.effort() * turn.replies.len() as f64;
        all[..kept].sort_by(|a, b| work(a).total_cmp(&work(b)));
    }
    Ok(all.into_iter().map(|(_, turn)| turn).collect())
}

/// Replies in the order in which they should be asked: those first that have refuted other turns, then those that are most often lost.
pub(super) fn weighed(
    solver: &Solver,
    mut replies: Vec<TurnTo>,
    refuting: &[Turn],
    until: &Until,
) -> Result<Vec<TurnTo>, NoAnswer> {
    let mut risks = HashMap::new();
    for reply in &replies {
        if until.is_over() {
            return Err(NoAnswer::Stopped);
        }
        let mut tally = PlayoutTally::default();
        tally.add(solver, &reply.position, reply.position.placed(), WEIGHING)?;
        let risk = if refuting.contains(&reply.turn) {
            2.0
        } else {
            tally.risk()
        };
        risks.insert(reply.key, risk);
    }
    let risk = |reply: &TurnTo| risks.get(&reply.key).copied().unwrap_or(0.0);
    replies.sort_by(|a, b| risk(b).total_cmp(&risk(a)));
    Ok(replies)
}

/// What is known of positions with the holder to move.
#[derive(Default)]
pub(super) struct HoldFacts {
    pub(super) known: HashMap<CanonicalKey, HoldFinding>,
    /// With how many boards a position was not answered.
    pub(super) long: HashMap<CanonicalKey, u64>,
    /// What some thread is asking.
    pub(super) asking: HashSet<CanonicalKey>,
}

impl HoldFacts {
    pub(super) fn is_lost(&self, key: &CanonicalKey) -> bool {
        self.known.get(key) == Some(&HoldFinding::Lost)
    }

    /// The turn that is known to hold, and as a byte.
    pub(super) fn held(&self, position: &Position) -> Option<(Turn, u8)> {
        match self.known.get(&position.canonical_key()) {
            Some(HoldFinding::Holds { turn, .. }) => {
                let read = read_turn(position, *turn)?;
                position.is_legal(read).then_some((read, *turn))
            }
            _ => None,
        }
    }
}

/// What is to be done next.
pub(super) enum HoldStep {
    /// Rank the turns.
    Rank,
    /// Put the replies to this turn in order.
    Weigh(usize),
    /// Ask whether the holder holds there, with so many boards.
    Ask(TurnTo, u64),
    /// Others are asking all there is to ask.
    Wait,
    /// The turn that holds; `None` if there is none.
    Done(Option<Turn>),
}

/// See the module.
pub(super) struct HoldingUnit {
    pub(super) key: CanonicalKey,
    pub(super) position: Position,
    turns: Option<Vec<UnitTurn>>,
    stage: u32,
    /// The turn that is tried now.
    at: usize,
    /// Whether some turn of this stage was left with a reply that takes too long.
    open: bool,
    /// The opponent's turns that have refuted turns here.
    pub(super) refuting: Vec<Turn>,
    /// How many threads work on it.
    pub(super) busy: usize,
    pub(super) done: bool,
}

struct UnitTurn {
    turn: Turn,
    replies: Vec<TurnTo>,
    weighed: bool,
}

impl HoldingUnit {
    pub(super) fn new(position: &Position) -> Self {
        HoldingUnit {
            key: position.canonical_key(),
            position: *position,
            turns: None,
            stage: 0,
            at: 0,
            open: false,
            refuting: Vec::new(),
            busy: 0,
            done: false,
        }
    }

    /// Takes the turns in the order in which they are to be tried.
    pub(super) fn take_turns(&mut self, turns: Vec<HolderTurn>) {
        let turn = |turn: HolderTurn| UnitTurn {
            turn: turn.turn,
            replies: turn.replies,
            weighed: false,
        };
        self.turns = Some(turns.into_iter().map(turn).collect());
    }

    /// The replies to a turn, to be put in order.
    pub(super) fn replies(&self, turn: usize) -> Vec<TurnTo> {
        let turn = self.turns.as_ref().and_then(|turns| turns.get(turn));
        turn.map_or(Vec::new(), |turn| turn.replies.clone())
    }

    /// Takes the replies to a turn in the order in which they are to be asked.
    pub(super) fn take_replies(&mut self, turn: usize, replies: Vec<TurnTo>) {
        if let Some(turn) = self.turns.as_mut().and_then(|turns| turns.get_mut(turn)) {
            turn.replies = replies;
            turn.weighed = true;
        }
    }

    /// What is to be done next, by what is known now.
    pub(super) fn next(&mut self, facts: &HoldFacts) -> HoldStep {
        let Some(turns) = &self.turns else {
            return HoldStep::Rank;
        };
        loop {
            let (width, budget) = stage(self.stage);
            let Some(turn) = turns.get(self.at).filter(|_| self.at < width) else {
                if width >= turns.len() && !self.open {
                    return HoldStep::Done(None);
                }
                (self.stage, self.at, self.open) = (self.stage + 1, 0, false);
                continue;
            };
            if turn.replies.iter().any(|reply| facts.is_lost(&reply.key)) {
                self.at += 1;
                continue;
            }
            if !turn.weighed {
                return HoldStep::Weigh(self.at);
            }
            let (mut waits, mut long) = (false, false);
            for reply in &turn.replies {
                match facts.known.get(&reply.key) {
                    // What took another one more boards takes this one too long: else it would matter what was found before.
                    Some(HoldFinding::Holds { nodes, .. }) => long |= *nodes > budget,
                    _ if facts.long.get(&reply.key).is_some_and(|spent| *spent >= budget) => long = true,
                    _ if facts.asking.contains(&reply.key) => waits = true,
                    _ => return HoldStep::Ask(*reply, budget),
                }
                if long {
                    break;
                }
            }
            match (long, waits) {
                (true, _) => (self.open, self.at) = (true, self.at + 1),
                (_, true) => return HoldStep::Wait,
                _ => return HoldStep::Done(Some(turn.turn)),
            }
        }
    }
}
