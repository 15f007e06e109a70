//! Searching for whoever plays alone: every position once, the near ones first.

use game::{Game, Until};
use gdl::{Move, Position};
use std::collections::HashSet;

/// The most positions that are kept.
const CAPACITY: usize = 1_000_000;

/// What was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best result and the moves that lead there, as short as can be.
    pub best: Option<(u8, Vec<Move>)>,
    /// Whether nothing better is possible.
    pub certain: bool,
    /// Positions looked at.
    pub nodes: u64,
    /// How many moves ahead all was seen.
    pub depth: u32,
}

struct Reached {
    position: Position,
    from: usize,
    mv: Option<Move>,
    depth: u32,
}

/// Looks further and further ahead until a full score is found, nothing is left to look at, or it is time to stop.
pub fn solve(start: &Position, until: &Until, most: u64) -> Found {
    let mut reached = vec![Reached {
        position: start.clone(),
        from: 0,
        mv: None,
        depth: 0,
    }];
    let mut seen = HashSet::from([start.clone()]);
    let mut found = Found {
        best: None,
        certain: false,
        nodes: 1,
        depth: 0,
    };
    let mut moves = Vec::new();
    let mut at = 0;
    while at < reached.len() {
        let stop = until.is_over();
        if stop || found.nodes >= most || reached.len() >= CAPACITY {
            return found;
        }
        let position = reached[at].position.clone();
        found.depth = reached[at].depth;
        position.legal_moves(&mut moves);
        for &mv in &moves {
            let mut next = position.clone();
            next.play_unchecked(mv);
            found.nodes += 1;
            if let Some(payoffs) = next.outcome() {
                let points = payoffs.all().first().map_or(0, |payoff| payoff.points());
                if found.best.as_ref().is_none_or(|(best, _)| points > *best) {
                    found.best = Some((points, line(&reached, at, mv)));
                    found.certain = points == 100;
                }
                if found.certain {
                    return found;
                }
            } else if seen.insert(next.clone()) {
                reached.push(Reached {
                    position: next,
                    from: at,
                    mv: Some(mv),
                    depth: reached[at].depth + 1,
                });
            }
        }
        at += 1;
    }
    found.certain = true;
    found
}

/// The moves to a position, and one more.
fn line(reached: &[Reached], mut at: usize, last: Move) -> Vec<Move> {
    let mut line = vec![last];
    while let Some(mv) = reached[at].mv {
        line.push(mv);
        at = reached[at].from;
    }
    line.reverse();
    line
}
